"""The log's witness, computed by hand and after any change of a save before or after its entry."""

import json
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.features.sealed_dice.seal import list_seal_words
from qf_tui.features.sealed_dice.witness import Witness, Witnesses, find_witnesses, read_word_list, to_words
from qf_tui.journal.lines import Extent
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.library.paths import find_shipped_folder
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from tests.systems import find_our_systems, load_start

SYSTEMS = find_our_systems()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Yield a short battle with two phases ended, one of them undone."""
    session = Session.begin(*load_start("yellow-sea-1904"), tmp_path / "battle.qfb")
    for line in ("note one", "next", "note two", "next", "undo", 'note the word ,"nonce":" in a remark'):
        session.enter(line)
    yield session
    session.close()


def compute_witnesses(data: bytes) -> tuple[Witness, ...]:
    """Compute witnesses as the page of the dice describes."""
    log, found = sha256(), list[Witness]()
    for line in data.splitlines(keepends=True):
        log.update(line)
        act = json.loads(line)
        if "nonce" in act:
            found.append(Witness(act["n"], log.hexdigest()[:32]))
    return tuple(found)


def find_path(session: Session) -> Path:
    assert session.journal.path is not None
    return session.journal.path


def test_a_witness_is_the_digest_of_all_lines_up_to_a_phase_end(session: Session) -> None:
    """Guard against a witness of checksums alone, one after other entries, and one lost by a strike."""
    path = find_path(session)
    wanted = compute_witnesses(path.read_bytes())
    assert [witness.number for witness in wanted] == [2, 4]
    read = read_save(path)
    assert find_witnesses(session) == wanted
    assert find_witnesses(Session.view(path, SYSTEMS)) == wanted
    assert find_witnesses(Follower(path, SYSTEMS)) == wanted
    assert Witnesses().read_on(Extent(path, read.length, read.last_sum)) == wanted


def test_the_words_of_a_witness_are_its_first_44_bits() -> None:
    """Guard against other bits than those of a seal, whose eight words begin with the same four."""
    digest = sha256(b"any").hexdigest()
    assert Witness(1, digest[:32]).words.split() == list(list_seal_words(digest))
    bits = f"{int(digest, 16):0256b}"[:44]
    assert to_words(digest, 4) == tuple(
        read_word_list()[int(bits[at : at + 11], 2)] for at in range(0, 44, 11)
    )
    assert (len(set(read_word_list())), to_words("0" * 32, 4)) == (2048, ("abandon",) * 4)


def test_two_battles_with_the_same_entries_have_different_witnesses(session: Session, tmp_path: Path) -> None:
    """Guard against a phase end without random bits, where a guess of all lines gives the witness."""
    other = Session.begin(session.system, session.timeline.start, tmp_path / "other.qfb")
    for act in session.timeline.log[:2]:
        assert act.version is not None
        other.enter(act.version.order.line)
    assert other.timeline.battle == session.timeline.battle_at(2)
    assert find_witnesses(other)[0] not in find_witnesses(session)


def test_an_older_save_has_no_witness_until_a_phase_ends_in_this_program(tmp_path: Path) -> None:
    copy = tmp_path / "old.qfb"
    copy.write_bytes((find_shipped_folder("saves") / "yellow-sea-1904.qfb").read_bytes())
    old = Session.resume(copy, SYSTEMS)
    assert find_witnesses(old) == compute_witnesses(copy.read_bytes())
    before = len(find_witnesses(old))
    old.enter("force next")
    assert len(find_witnesses(old)) == before + 1
    assert find_witnesses(old) == compute_witnesses(copy.read_bytes())
    old.close()


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("witness") / "battle.qfb"
    session = Session.begin(*load_start("yellow-sea-1904"), path)
    for line in ("note one", "next", "note two", "next", "undo", "note three", "next"):
        session.enter(line)
    session.close()
    return path.read_bytes()


@given(st.data())
def test_any_changed_byte_before_a_phase_end_changes_its_witness(lines: bytes, data: st.DataObject) -> None:
    """Guard against a part of the log that no witness covers; earlier witnesses stay."""
    at = data.draw(st.integers(0, len(lines) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[at]))
    ends = [0, *accumulate(map(len, lines.splitlines(keepends=True)))]
    witnesses = Witnesses()
    # A line that is no entry any more has no witness.
    with suppress(ValueError):
        witnesses.hash_lines(lines[:at] + bytes([byte]) + lines[at + 1 :])
    kept = [one for one in compute_witnesses(lines) if one in witnesses.computed]
    assert kept == [one for one in compute_witnesses(lines) if ends[one.number + 1] <= at]


@given(st.data())
def test_added_lines_change_no_witness_and_reading_in_parts_gives_the_same(
    lines: bytes, data: st.DataObject
) -> None:
    """Guard against a witness that depends on later lines, or on how often the save was read."""
    each = lines.splitlines(keepends=True)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(each)))))
    witnesses = Witnesses()
    before = 0
    for cut in (*cuts, len(each)):
        known = witnesses.computed
        witnesses.hash_lines(b"".join(each[before:cut]))
        assert witnesses.computed[: len(known)] == known
        before = cut
        assert witnesses.computed == compute_witnesses(b"".join(each[:cut]))


def test_a_follower_computes_witnesses_of_a_changed_log(session: Session) -> None:
    """Guard against witnesses that continue from a replaced log, or from half a change."""
    path = find_path(session)
    whole = path.read_bytes()
    follower = Follower(path, SYSTEMS)
    assert find_witnesses(follower) == find_witnesses(session)
    session.enter("next")
    known = find_witnesses(follower)
    assert known == find_witnesses(session)[:-1]
    follower.read_changes()
    assert find_witnesses(follower) == find_witnesses(session)
    cut = b"".join(whole.splitlines(keepends=True)[:3])
    path.write_bytes(cut)
    assert find_witnesses(follower) == find_witnesses(session)
    follower.read_changes()
    assert find_witnesses(follower) == compute_witnesses(cut)
    path.write_bytes(b"nothing")
    for _ in range(9):
        follower.read_changes()
    assert find_witnesses(follower) == compute_witnesses(cut)
    with pytest.raises(SaveFault):
        read_save(path)


def test_the_witness_is_not_computed_before_it_is_requested(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against an Enter, or an opening of a save, that waits for the witness."""
    path = find_path(session)
    session.close()
    with monkeypatch.context() as patch:
        patch.setattr(Witnesses, "read_on", lambda *_: pytest.fail("the witness was worked out"))
        again = Session.resume(path, SYSTEMS)
        again.enter("next")
        Follower(path, SYSTEMS).read_changes()
    assert find_witnesses(again) == compute_witnesses(path.read_bytes())
    again.close()
