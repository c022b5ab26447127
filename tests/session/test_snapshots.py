"""Snapshots of long saves: the same battle as without one, and never believed where anything is another."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import LogAct, Timeline
from qf_tui.journal import reading, snapshot
from qf_tui.journal.codec import ReadOrder, decode_act
from qf_tui.journal.reading import read_save
from qf_tui.journal.snapshot import digest_of, find_snapshot, name_of_snapshot, snapshot_of
from qf_tui.library.paths import shipped
from qf_tui.session import Session
from qf_tui.session.saves import header_of, open_timeline, rules_by
from qf_tui.session.tray import Tray, TrayNews
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import battles_corrected
from tests.journal.making import save_bytes
from tests.killing import Tell, killed
from tests.long import Share
from tests.systems import our_systems, without_nonces

SYSTEMS = our_systems()
SAMPLE = shipped("saves") / "yellow-sea-1904.qfb"


@contextmanager
def short_saves_too() -> Iterator[None]:
    """Snapshots of saves of any length, with a battle as near to their end as may be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "LEAST", 0)
        for name, value in (("LEAST", 0), ("BEHIND", 3), ("CHECKPOINT_EVERY", 4)):
            patch.setattr(snapshot, name, value)
        yield


@pytest.fixture(autouse=True)
def _short_saves_too() -> Iterator[None]:
    with short_saves_too():
        yield


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[LogAct]:
    """The acts that are decoded one by one because somebody looks at them."""
    acts: list[LogAct] = []

    def decode(body: object, read_order: ReadOrder) -> LogAct:
        acts.append(decode_act(body, read_order))
        return acts[-1]

    monkeypatch.setattr(reading, "decode_act", decode)
    return acts


def whole(save: Path, systems: object = SYSTEMS) -> Timeline:
    """The timeline of a save that is opened without a snapshot."""
    return Session.look(save, systems).timeline  # type: ignore[arg-type]  # a mapping of systems


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, Path]:
    """A save of the sample, and the folder with its snapshot."""
    save, folder = tmp_path / "battle.qfb", tmp_path / "snapshots"
    save.write_bytes(SAMPLE.read_bytes())
    Session.resume(save, SYSTEMS, folder).close()
    assert len(list(folder.iterdir())) == 1
    return save, folder


def opened(save: Path, folder: Path) -> tuple[Timeline, bool]:
    """What a save opens as, and whether by a snapshot."""
    session = Session.resume(save, SYSTEMS, folder)
    try:
        assert session.snapshots is not None
        return session.timeline, session.snapshots.latest is not None
    finally:
        session.snapshots = None
        session.close()


def test_a_save_opens_by_its_snapshot_and_decodes_what_is_looked_at(
    kept: tuple[Path, Path], decoded: list[LogAct]
) -> None:
    """At once only what is played behind its battle, and what brings a ship."""
    timeline, by_snapshot = opened(*kept)
    assert by_snapshot
    assert timeline.battle == whole(kept[0]).battle
    assert len(decoded) <= len(timeline.play_order) - min(timeline.checkpoints) + 1 < 10
    assert timeline == whole(kept[0])
    assert len(decoded) == len(timeline.log)


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
@settings(max_examples=settings().max_examples // 3)
@given(data=st.data())
def test_what_is_entered_behind_a_snapshot_comes_out_as_without_one(
    ground: Ground, data: st.DataObject
) -> None:
    """Orders and corrections alike, wherever in a battle with corrections it was made."""
    played = data.draw(battles_corrected(ground)).timeline
    systems = {**SYSTEMS, ground.system.name: ground.system}
    body = save_bytes(header_of(ground.system, played.start), played.log)
    lines = body.splitlines(keepends=True)
    cut = data.draw(st.integers(1, len(lines)))
    with TemporaryDirectory() as name, short_saves_too():
        save, folder = Path(name) / "battle.qfb", Path(name) / "snapshots"
        save.write_bytes(b"".join(lines[:cut]))
        Session.resume(save, systems, folder).close()
        Path(f"{save}.end").unlink(missing_ok=True)
        save.write_bytes(body)
        session, plain = Session.resume(save, systems, folder), Session.look(save, systems)
        assert session.snapshots is not None
        assert session.snapshots.latest is not None or cut == 1
        orders = ("undo", "undo 2", "redo", f"strike {cut // 2}", "note later", "next", "force next", "undo")
        for order in orders:
            assert _entered(session, order) == _entered(plain, order), order
            assert without_nonces(session.timeline.log) == list(plain.timeline.log)
            assert evolve(session.timeline, log=plain.timeline.log) == plain.timeline
        session.close()
        assert digest_of(session.timeline) == digest_of(whole(save, systems))


def _entered(session: Session, order: str) -> str:
    try:
        session.enter(order)
    except OrderRefused as refused:
        return str(refused)
    return ""


@given(st.data())
def test_a_snapshot_that_is_damaged_is_as_if_it_were_not_there(data: st.DataObject) -> None:
    """A byte changed, cut off, put in or doubled, anywhere."""
    with TemporaryDirectory() as name, short_saves_too():
        save, folder = Path(name) / "battle.qfb", Path(name) / "snapshots"
        save.write_bytes(SAMPLE.read_bytes())
        Session.resume(save, SYSTEMS, folder).close()
        (file,) = folder.iterdir()
        sound = file.read_bytes()
        file.write_bytes(damaged(data, sound))
        timeline, by_snapshot = opened(save, folder)
        assert not by_snapshot or file.read_bytes() == sound
        assert timeline.battle == whole(save).battle


def damaged(data: st.DataObject, sound: bytes) -> bytes:
    """Bytes with one fault."""
    at = data.draw(st.integers(0, len(sound) - 1))
    kind = data.draw(st.sampled_from(["changed", "cut", "put in", "doubled", "empty"]))
    if kind == "changed":
        return sound[:at] + bytes([sound[at] ^ data.draw(st.integers(1, 255))]) + sound[at + 1 :]
    if kind == "cut":
        return sound[:at]
    if kind == "put in":
        return sound[:at] + data.draw(st.binary(min_size=1, max_size=9)) + sound[at:]
    return sound + sound if kind == "doubled" else b""


def test_a_snapshot_of_other_lines_is_not_taken(kept: tuple[Path, Path]) -> None:
    """Nor one of a longer log, of which the save has only the beginning."""
    save, folder = kept
    Path(f"{save}.end").unlink(missing_ok=True)
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    save.write_bytes(b"".join(lines[:-1]))
    timeline, by_snapshot = opened(save, folder)
    assert not by_snapshot
    assert len(timeline.log) == len(lines) - 2


def test_a_snapshot_of_another_program_or_other_rules_is_not_taken(
    kept: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    save, folder = kept
    monkeypatch.setattr("qf_tui.session.saves.basis_of", lambda system: b"another")
    assert not opened(save, folder)[1]


def wrong(timeline: Timeline) -> Timeline:
    """A timeline whose battles are of another turn."""
    battles = {at: evolve(battle, turn=99) for at, battle in timeline.checkpoints.items()}
    return evolve(timeline, checkpoints=battles, battle=evolve(timeline.battle, turn=99))


def test_a_wrong_battle_of_the_right_name_is_found_and_dropped(kept: tuple[Path, Path]) -> None:
    """Somebody who may write there can plant one: it is shown, until the console has folded the log again."""
    save, folder = kept
    session = Session.resume(save, SYSTEMS, folder)
    assert session.snapshots is not None
    session.snapshots.latest = None
    session.snapshots.write(wrong(session.timeline))
    session.snapshots = None
    session.close()
    session = Session.resume(save, SYSTEMS, folder)
    assert session.battle.turn == 99


def test_verify_and_other_commands_ask_no_snapshot(kept: tuple[Path, Path]) -> None:
    save, _ = kept
    assert read_save(save, rules_by(SYSTEMS)).snapshot is None
    assert open_timeline(read_save(save, rules_by(SYSTEMS)), SYSTEMS)[1] == whole(save)


def test_the_name_is_of_the_lines_and_the_basis() -> None:
    names = {name_of_snapshot("00", lines, basis) for lines in (b"a\n", b"b\n") for basis in (b"1", b"2")}
    assert len(names) == 4


def test_a_snapshot_from_an_earlier_one_is_the_same(kept: tuple[Path, Path]) -> None:
    """Only what came since is looked at, corrections of earlier entries among it."""
    save, folder = kept
    session = Session.resume(save, SYSTEMS, folder)
    assert session.snapshots is not None
    for order in ("note later", "undo", "strike 20", "redo"):
        _entered(session, order)
    found = snapshot_of(session.timeline, session.snapshots.latest)
    session.snapshots = None
    session.close()
    assert found == snapshot_of(whole(save))


@pytest.mark.parametrize("rounds", [3, pytest.param(100, marks=pytest.mark.long)])
def test_a_snapshot_that_is_killed_as_it_is_written_is_whole_or_not_there(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """By `kill -9`, at any moment of it; the save is as sound as ever."""
    save, folder = tmp_path / "battle.qfb", tmp_path / "snapshots"
    save.write_bytes(SAMPLE.read_bytes())

    def work(tell: Tell) -> None:
        session = Session.resume(save, SYSTEMS, folder)
        for number in count(1):
            session.enter(f"note {number}")
            assert session.snapshots is not None
            session.snapshots.write(session.timeline)
            tell(number)

    by_snapshot = 0
    chance = Random(seed)
    for _ in share.of(range(rounds)):
        killed(work, chance.randint(1, 3), chance.uniform(0, 0.02))
        timeline, found = opened(save, folder)
        by_snapshot += found
        assert timeline.battle == whole(save).battle
    assert by_snapshot or rounds < 10


@pytest.mark.parametrize("rounds", [50, pytest.param(100_000, marks=pytest.mark.long)])
def test_every_damage_of_a_snapshot_is_seen(
    kept: tuple[Path, Path], rounds: int, seed: int, share: Share
) -> None:
    save, folder = kept
    (file,) = folder.iterdir()
    sound, chance = file.read_bytes(), Random(seed)
    read = read_save(save, rules_by(SYSTEMS))
    rules = rules_by(SYSTEMS)(read.header.system)
    for _ in share.of(range(rounds)):
        at = chance.randrange(len(sound))
        end = b"" if chance.random() < 0.3 else bytes([sound[at] ^ chance.randint(1, 255)]) + sound[at + 1 :]
        file.write_bytes(sound[:at] + end)
        assert find_snapshot(folder, read.first_sum, SAMPLE.read_bytes(), read.header, rules) is None


def test_clock_and_tray_go_on_without_a_look_at_the_log(
    kept: tuple[Path, Path], decoded: list[LogAct]
) -> None:
    save, folder = kept
    session = Session.resume(save, SYSTEMS, folder)
    before = len(decoded)
    session.start_clock(lambda: 0.0)
    tray = Tray.of(session)
    assert tray is not None
    assert not tray.look()
    assert tray.news() == TrayNews()
    assert len(decoded) == before
    plain = Session.look(save, SYSTEMS)
    plain.start_clock(lambda: 0.0)
    assert session.seconds == plain.seconds
    session.close()
