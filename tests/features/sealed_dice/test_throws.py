"""Throws by a call: contexts, changes, refusals, and the faces to the byte."""

import hmac
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.values import Die, Form
from qf_tui.features.sealed_dice.battle import NO_SEED
from qf_tui.features.sealed_dice.dice import SealedDice, build_message
from qf_tui.features.sealed_dice.seal import list_seal_texts, read_seal
from qf_tui.features.sealed_dice.seed import find_seed_path, keep_seed
from qf_tui.journal.reading import SaveExists
from qf_tui.journal.saving import copy_save
from qf_tui.session import Session
from qf_tui.session.session import branch_save
from tests.features.sealed_dice.club import (
    SEED,
    SYSTEMS,
    WORDS,
    SealedEvening,
    begin_club,
    begin_yellow_sea,
    find_faces,
    list_throws,
    load_sealed_battle,
)
from tests.posix import is_mine_alone
from tests.systems import OURS

SHOT = "fire mikasa heavy tsesarevich 41in"
OTHER = "fire asahi heavy tsesarevich 41in call 12"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "club.qfb"


def test_a_call_throws_the_same_for_a_declared_shot_as_at_once() -> None:
    """Give a declared order its own context, so that the umpire cannot choose between two throws."""
    at_once, first = begin_yellow_sea(), begin_yellow_sea()
    at_once.enter(f"{SHOT} call 37")
    first.enter(SHOT)
    assert first.battle.owed[0].key == "3/fire/mikasa/1"
    first.enter("roll call 37")
    one, other = (next(list_throws(session)) for session in (at_once, first))
    assert one == other
    assert one[0] == ("1", "first-gunnery", "fire", "mikasa", "heavy", "1")
    assert one[2] == SealedDice(SEED, WORDS).throw_faces(one[0], 37, (Die(12),) * len(one[2]))


def test_the_context_of_a_following_roll_names_its_cause() -> None:
    session = begin_yellow_sea()
    session.enter("force damage tsesarevich E")
    owed = session.battle.owed[0]
    session.enter("roll call 5")
    (context, call, _), *_ = list_throws(session)
    assert context[:5] == ("1", "first-gunnery", "damage", "tsesarevich", "1")
    assert context[5:] == (owed.line, owed.ship, "1")
    assert call == 5


SECOND_THOUGHTS = {
    "undone and redone": ["undo", "redo"],
    "struck and restored": ["strike 3", "restore 3"],
    "undone and entered again": ["undo", f"{SHOT} call 37"],
    "undone and declared first": ["undo", SHOT, "roll call 37"],
    "at another range": ["undo", "fire mikasa heavy tsesarevich 30in call 37"],
    "at another target": ["undo", "fire mikasa heavy retvizan 41in call 37"],
    "amended to another range": ["amend 3 fire mikasa heavy tsesarevich 30in"],
    "amended away and back": ["amend 3 call 5", "amend 3 call 37"],
    "a remark before it": ["undo", "note a remark", f"{SHOT} call 37"],
    "another shot before it": ["undo", OTHER, f"{SHOT} call 37"],
    "another struck behind it": [OTHER, "undo"],
}


@pytest.mark.parametrize("lines", SECOND_THOUGHTS.values(), ids=SECOND_THOUGHTS)
def test_the_same_context_and_call_give_the_same_faces(lines: list[str]) -> None:
    session = begin_yellow_sea()
    session.enter(f"{SHOT} call 37")
    wanted = find_faces(session, 3)
    for line in lines:
        session.enter(line)
    found = [faces for context, _, faces in list_throws(session) if context[3] == "mikasa"]
    assert [faces[: len(wanted)] for faces in found] == [wanted[: len(faces)] for faces in found]
    assert len(found) == 1


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_faces_stay_the_same_whatever_is_changed_elsewhere(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Undo, redo, reopen, amend, strike and remark elsewhere, in any order."""
    path = tmp_path_factory.mktemp("sealed") / "club.qfb"
    session = begin_yellow_sea(path)
    call = data.draw(st.integers(0, 99))
    session.enter(f"{SHOT} call {call}")
    wanted = find_faces(session, 3)
    steps = st.sampled_from(["other", "undo redo", "reopen", "amend", "strike", "note", "insert", "again"])
    for step in data.draw(st.lists(steps, max_size=6)):
        session = _take_step(session, path, step, call)
        found = [throw for throw in list_throws(session) if throw[0][3:] == ("mikasa", "heavy", "1")]
        assert [throw[1:] for throw in found] == [(call, wanted)]
    session.close()


def _take_step(session: Session, path: Path, step: str, call: int) -> Session:
    fuji = [n for n in session.timeline.play_order if "fuji" in session.timeline.versions[n].context]
    lines = {
        "other": ["fire fuji heavy tsesarevich 41in call 3"] if not fuji else [],
        "undo redo": ["undo 1", "redo 1"],
        "amend": [f"amend {fuji[0]} fire fuji heavy retvizan 30in", f"amend {fuji[0]} call 8"]
        if fuji
        else [],
        "strike": [f"strike {fuji[0]}"] if fuji else [],
        "note": ["note all quiet"],
        "insert": ["insert 1 note forgotten"],
    }
    if step == "reopen":
        session.close()
        return Session.resume(path, SYSTEMS)
    if step == "again":
        number = next(
            n for n in session.timeline.play_order if "mikasa" in session.timeline.versions[n].context
        )
        lines["again"] = [f"strike {number}", f"{SHOT} call {call}"]
    for line in lines[step]:
        session.enter(line)
    return session


def test_a_second_equal_order_of_the_phase_is_another_throw() -> None:
    session = begin_yellow_sea()
    session.enter(f"{SHOT} call 37")
    session.enter(f"force {SHOT} call 37")
    one, other = list_throws(session)
    assert (one[0][-1], other[0][-1]) == ("1", "2")
    session.enter("strike 3")
    session.enter(f"force {SHOT} call 37")
    assert one in list(list_throws(session)), "the first number that is free"


def test_an_amendment_to_another_ship_owes_its_dice() -> None:
    """Never use one ship's throw for another."""
    session = begin_yellow_sea()
    session.enter(f"{SHOT} call 37")
    session.enter("amend 3 fire asahi heavy tsesarevich 41in")
    assert [owed.ship for owed in session.battle.owed] == ["asahi"]
    assert not list(list_throws(session))


REFUSED = {
    f"{SHOT} 3 8": "the dice of this battle are sealed",
    f"{SHOT} call": "call: the number is missing",
    f"{SHOT} call x": "is not one number from 0 to",
    f"{SHOT} call 3 8": "is not one number from 0 to",
    f"{SHOT} call 100": "two D10 thrown in the open give 00 to 99",
    f"{SHOT} call -1": "is not one number from 0 to",
    "next call 3": "does not belong to this order",
    "roll call 3": "nothing is owed",
    "reveal 00": "a seed is 64 hexadecimal digits",
    f"reveal {'00' * 32}": "that seed belongs to another battle",
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_wrong_call_is_refused_in_plain_words(line: str) -> None:
    session = begin_yellow_sea()
    with pytest.raises(OrderRefused, match=REFUSED[line]):
        session.enter(line)
    assert len(session.timeline.log) == 2


@pytest.mark.parametrize(("typed", "call"), [("00", 0), ("07", 7), ("99", 99)])
def test_a_call_is_the_number_on_two_open_dice(typed: str, call: int) -> None:
    session = begin_yellow_sea()
    session.enter(SHOT)
    assert session.read_typed(typed, session.battle.owed[0].key).require_order().call == call


def test_a_greater_call_of_an_older_save_remains_valid(save: Path) -> None:
    """Open, confirm and correct such an entry; only force enters another."""
    session = begin_yellow_sea(save)
    session.enter(f"force {SHOT} call 500")
    wanted = find_faces(session, 3)
    session.close()
    again = Session.resume(save, SYSTEMS)
    again.enter("amend 3 fire mikasa heavy tsesarevich 40in")
    again.enter("strike 3")
    again.enter("restore 3")
    assert find_faces(again, 3) == wanted
    assert again.timeline.versions[3].call == 500


def test_typed_dice_must_equal_those_of_the_call() -> None:
    """Accept the faces in the log when typed again, and refuse other faces with a call."""
    session = begin_yellow_sea()
    entered = session.enter(f"{SHOT} call 37")
    shown = session.timeline.versions[entered.number].order.line
    session.enter("undo")
    session.enter(shown)
    session.enter("undo")
    with pytest.raises(OrderRefused, match=r"call 37 throws .*, not 12 12"):
        session.enter(f"{SHOT} 12 12 call 37")


def test_typed_faces_can_be_forced_and_a_preview_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begin_yellow_sea()
    session.enter(f"force {SHOT} 3 8")
    assert find_faces(session, 3) == (3, 8)
    session.enter("fire asahi heavy tsesarevich 41in")

    def refuse_draw(*_: object) -> None:
        raise AssertionError("a preview has drawn")

    monkeypatch.setattr("qf_tui.features.sealed_dice.dice.Cup", refuse_draw)
    assert session.preview_order("roll call 3").missing
    assert session.preview_order("fire fuji heavy tsesarevich 41in call 3").chances
    session.preview("amend 3 fire mikasa heavy tsesarevich 30in")
    for preview in ("preview amend 3 call 4", "preview insert 3 fire fuji heavy tsesarevich 41in call 4"):
        with pytest.raises(OrderRefused, match="are not known before you enter it"):
            session.enter(preview)


def test_the_seed_is_in_a_private_file_next_to_the_save_until_it_is_revealed(save: Path) -> None:
    session = begin_yellow_sea(save)
    beside = find_seed_path(save)
    assert beside.name == "club.qfb.seed"
    assert is_mine_alone(beside)
    assert beside.read_text() == f"{SEED.hex()}\n"
    assert SEED.hex() not in save.read_text(encoding="utf-8")
    session.enter("reveal")
    assert not beside.exists()
    assert f"reveal {SEED.hex()}" in save.read_text(encoding="utf-8")
    with pytest.raises(OrderRefused, match="entry 3 already revealed the seed"):
        session.enter("reveal")
    session.enter(f"{SHOT} 3 8")
    with pytest.raises(OrderRefused, match="this battle has no called dice"):
        session.enter("fire asahi heavy tsesarevich 41in call 3")
    session.close()
    assert not Session.resume(save, SYSTEMS).notice


def test_a_seed_is_never_shown_before_it_is_revealed(save: Path) -> None:
    session = begin_yellow_sea(save)
    assert SEED.hex() not in str(session.preview_order("reveal"))
    assert SEED.hex() not in repr(session.dice.source)
    session.close()


def test_copies_and_branches_use_the_dice_of_the_table_and_say_so(save: Path, tmp_path: Path) -> None:
    session = begin_yellow_sea(save)
    session.enter(f"{SHOT} call 37")
    branch, copy = branch_save(save), tmp_path / "copy.qfb"
    copy_save(save, copy)
    for path in (branch, copy):
        other = Session.resume(path, SYSTEMS)
        assert other.notice == NO_SEED
        assert not other.calls
        other.enter("fire asahi heavy tsesarevich 41in 3 8")
        with pytest.raises(OrderRefused, match="this battle has no called dice"):
            other.enter("fire fuji heavy tsesarevich 41in call 3")
        with pytest.raises(OrderRefused, match="the seed is not next to this save"):
            other.enter("reveal")
        other.enter("amend 3 fire mikasa heavy tsesarevich 30in")
        assert find_faces(other, 3) == find_faces(session, 3)
        other.enter(f"reveal {SEED.hex()}")
        other.close()
    assert session.calls
    session.close()


def test_a_battle_stays_sealed_only_with_its_own_seed(save: Path, tmp_path: Path) -> None:
    begin_yellow_sea(save).close()
    resumed = Session.resume(save, SYSTEMS)
    assert resumed.calls
    assert not resumed.notice
    resumed.close()
    find_seed_path(save).write_text(f"{bytes(32).hex()}\n")
    other = Session.resume(save, SYSTEMS)
    assert other.notice == NO_SEED
    other.close()


def test_the_seed_of_another_battle_is_never_overwritten(save: Path) -> None:
    keep_seed(save, bytes(32))
    with pytest.raises(SaveExists, match="the seed of another battle"):
        begin_club(save)
    find_seed_path(save).unlink()
    begin_club(save).close()
    with pytest.raises(SaveExists):
        begin_club(save, seed=bytes(32))
    assert find_seed_path(save).read_text() == f"{SEED.hex()}\n", "the seed of the save that is there stays"


def test_every_sealed_battle_has_its_own_seed(tmp_path: Path) -> None:
    start = load_sealed_battle("yalu-1894", "gq2")
    begun = [Session.begin(SYSTEMS["gq2"], start, tmp_path / f"{one}.qfb") for one in range(2)]
    for session in begun:
        session.close()
    seals = [seal for session in begun if (seal := read_seal(session.extra))]
    assert len({seal.digest for seal in seals}) == 2
    assert not any(seal.has_two_words for seal in seals)


@pytest.mark.parametrize("rules", OURS)
def test_every_order_with_dice_names_the_slots_that_identify_its_throws(rules: str) -> None:
    system = SYSTEMS[rules]
    forms: list[Form] = [form for form in system.forms if form.dice]
    assert forms
    for form in forms:
        assert any(slot.identifies for slot in form.slots), form.word
        assert not any(slot.identifies and slot.to for slot in form.slots), form.word


@pytest.mark.parametrize(
    ("rules", "name"), [*((rules, "ulsan-1904") for rules in OURS), ("gq2", "gq2-fourth-flotilla-1916")]
)
def test_no_two_throws_of_an_evening_share_a_context(rules: str, name: str) -> None:
    session = begin_club(rules=rules, name=name)
    SealedEvening(session).play(2)
    found = list(list_throws(session))
    assert found
    assert len({context for context, _, _ in found}) == len(found)


def test_a_mere_view_of_a_scenario_seals_nothing() -> None:
    """Guard against a seal on sheets or odds of a battle that was never begun."""
    session = Session.begin(SYSTEMS["gq2"], load_sealed_battle("yalu-1894", "gq2"))
    assert not list_seal_texts(session.extra)


def test_a_header_that_is_no_seal_is_refused() -> None:
    with pytest.raises(QfError, match="not a seal"):
        Session(SYSTEMS["gq2"], begin_club(rules="gq2").timeline, extra={"dice": {"seal": "xy", "words": []}})


CONTEXT = ("1", "first-gunnery", "fire", "mikasa", "heavy", "1")
DICE = SealedDice(bytes(range(32)), ("anchor", "beacon"))
SMALL = 12_000
MANY = 1_000_000
SIDES = (6, 10, 12)


def test_the_message_has_the_documented_format() -> None:
    assert build_message(DICE.words, CONTEXT, 37, 0) == (
        b'qf-dice-1\n["1","first-gunnery","fire","mikasa","heavy","1"]\n["anchor","beacon"]\n37\n0'
    )
    assert build_message(("Füße", '"'), ("1",), 0, 12).splitlines()[2] == '["Füße","\\""]'.encode()


def test_faces_are_taken_from_bytes_and_some_bytes_are_skipped() -> None:
    """Guard against bytes that are reduced: from 250 for a D10, from 252 for a D12 or a D6."""
    passed = 0
    for call in range(200):
        left = iter(hmac.digest(DICE.seed, build_message(DICE.words, CONTEXT, call, 0), "sha256"))
        wanted = []
        for die in (Die(12), Die(10, "", 0), Die(6)):
            byte = next(left)
            while byte >= 256 - 256 % die.sides:
                passed, byte = passed + 1, next(left)
            wanted.append(byte % die.sides + die.least)
        assert DICE.throw_faces(CONTEXT, call, (Die(12), Die(10, "", 0), Die(6))) == tuple(wanted)
    assert passed, "none of these calls shows it"


def test_a_throw_of_many_dice_continues_with_the_next_counter() -> None:
    faces = DICE.throw_faces(CONTEXT, 37, (Die(12),) * 100)
    assert len(faces) == 100
    assert faces[:3] == DICE.throw_faces(CONTEXT, 37, (Die(12),) * 3)
    assert len(set(faces[:32])) > 1
    assert faces[:32] != faces[32:64]


@given(st.data())
def test_any_change_gives_another_message(data: st.DataObject) -> None:
    """Change the seed, a word, the context, the call or the counter: no two throws share their bytes."""
    bit = data.draw(st.integers(0, 255))
    seed = (int.from_bytes(DICE.seed) ^ 1 << bit).to_bytes(32)
    wanted = DICE.throw_faces(CONTEXT, 37, (Die(12),) * 24)
    assert SealedDice(seed, DICE.words).throw_faces(CONTEXT, 37, (Die(12),) * 24) != wanted
    texts = st.lists(st.text('ab1"\\[], \nü', max_size=8), max_size=4).map(tuple)
    parts = st.tuples(texts, texts, st.integers(0, 999), st.integers(0, 3))
    one, other = data.draw(parts), data.draw(parts)
    assert (build_message(*one) == build_message(*other)) == (one == other)


def throw_calls(sides: int, many: int) -> Iterator[int]:
    """Throw one die for each of many successive calls."""
    die = (Die(sides),)
    return (DICE.throw_faces(CONTEXT, call, die)[0] for call in range(many))


def compute_chi_square(found: Counter[int] | Counter[tuple[int, int]], cells: int) -> float:
    """Return chi-square for equal counts, as a share of the value that 1 in 100 fair ones exceed."""
    wanted = found.total() / cells
    seen = sum((many - wanted) * (many - wanted) for many in found.values())
    seen += (cells - len(found)) * wanted * wanted
    freedom = cells - 1
    # Wilson and Hilferty's critical value, with the normal quantile of 99%.
    spread = 2 / (9 * freedom)
    return seen / wanted / (freedom * math.pow(1 - spread + 2.326348 * math.sqrt(spread), 3))


def compute_figures(faces: Sequence[int], sides: int) -> tuple[float, float, float]:
    """Return chi-square of faces and of pairs, and serial correlation, as shares of the 1% limit."""
    singles = compute_chi_square(Counter(faces), sides)
    pairs = compute_chi_square(Counter(zip(faces[::2], faces[1::2], strict=False)), sides * sides)
    mean = sum(faces) / len(faces)
    variance = sum((face - mean) ** 2 for face in faces)
    serial = sum((one - mean) * (other - mean) for one, other in pairwise(faces)) / variance
    return singles, pairs, abs(serial) * len(faces) ** 0.5 / 2.575829


@pytest.mark.parametrize("thrown", [SMALL, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("sides", SIDES)
def test_faces_are_fair(sides: int, thrown: int) -> None:
    assert max(compute_figures(list(throw_calls(sides, thrown)), sides)) < 1
    assert max(compute_figures(DICE.throw_faces(CONTEXT, 1, (Die(sides),) * thrown), sides)) < 1


def test_the_check_of_fairness_finds_unfair_dice() -> None:
    """Guard against a test that nothing fails: bytes modulo 12, and a die that repeats itself."""
    flow = (byte for n in count() for byte in hmac.digest(DICE.seed, str(n).encode(), "sha256"))
    reduced = [next(flow) % 12 for _ in range(MANY // 10)]
    assert compute_figures(reduced, 12)[0] > 1
    fair = list(throw_calls(6, SMALL))
    assert max(compute_figures([face for face in fair for _ in range(2)], 6)) > 1
