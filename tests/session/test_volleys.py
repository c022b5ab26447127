"""Volleys that are not entered yet: kept for their phase, even over a `kill -9`, and never trusted."""

from itertools import count
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from qf_tui.session import Session
from qf_tui.session.volleys import BYTES_MOST, KeptShot, KeptVolley, KeptVolleys
from tests.killing import Tell, run_until_killed
from tests.long import Share
from tests.systems import find_our_systems, load_start

SYSTEMS = find_our_systems()
JAPAN = ("japan", "first")
TEXTS = {"ship": "mikasa", "battery": "heavy", "target": "tsesarevich", "range": "41in", "dice": "3"}
SHOT = KeptShot("mikasa", "fire", TEXTS, ("end",), ("aimed", "ranged"))
VOLLEY = KeptVolley(JAPAN, (SHOT,), cursor=("mikasa", "fire", "heavy", "dice"))


def begin_session(folder: Path) -> Session:
    """Begin a battle with a save, in its first gunnery phase."""
    session = Session.begin(*load_start("yellow-sea-1904"), folder / "battle.qfb")
    session.enter("force next")
    return session


def reopen(session: Session) -> Session:
    """Close the session and open its save again."""
    session.close()
    save = session.journal.path
    assert save is not None
    return Session.resume(save, SYSTEMS)


def find_kept(session: Session, folder: Path) -> KeptVolley:
    """Find the kept volley of the first Japanese division."""
    return KeptVolleys(session, folder).find(JAPAN)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Begin a battle that has a kept volley."""
    session = begin_session(tmp_path)
    KeptVolleys(session, tmp_path / "cache").keep(VOLLEY)
    return session


def test_a_volley_is_found_again_after_other_entries_of_its_phase(session: Session, tmp_path: Path) -> None:
    session.enter("note a word in between")
    kept = KeptVolleys(reopen(session), tmp_path / "cache")
    assert kept.find(JAPAN) == VOLLEY
    assert kept.find(("russia", "first")) == KeptVolley(("russia", "first"))


@pytest.mark.parametrize("orders", [("force next",), ("undo", "note another"), ("undo", "force next")])
def test_a_volley_is_dropped_once_the_battle_has_moved_on(
    session: Session, tmp_path: Path, orders: tuple[str, ...]
) -> None:
    """Keep the volley if an undo brings its phase back."""
    for order in orders:
        session.enter(order)
    moved_on = session.battle.phase != "first-gunnery"
    assert find_kept(session, tmp_path / "cache") == (KeptVolley(JAPAN) if moved_on else VOLLEY)
    assert bool([*(tmp_path / "cache").iterdir()]) is not moved_on


def test_a_volley_that_is_entered_leaves_no_file(session: Session, tmp_path: Path) -> None:
    KeptVolleys(session, tmp_path / "cache").keep(KeptVolley(JAPAN))
    assert not [*(tmp_path / "cache").iterdir()]


def test_volleys_of_two_divisions_are_kept(session: Session, tmp_path: Path) -> None:
    other = KeptVolley(("russia", "first"), (evolve(SHOT, ship="tsesarevich"),))
    KeptVolleys(session, tmp_path / "cache").keep(other)
    kept = KeptVolleys(session, tmp_path / "cache")
    assert (kept.find(JAPAN), kept.find(("russia", "first"))) == (VOLLEY, other)


def test_a_volley_of_another_log_is_not_offered(session: Session, tmp_path: Path) -> None:
    """Cover a save restored from a copy, and another battle of the same name."""
    session.enter("note later")
    KeptVolleys(session, tmp_path / "cache").keep(evolve(VOLLEY, cursor=()))
    session.close()
    save = tmp_path / "battle.qfb"
    lines = save.read_bytes().splitlines(keepends=True)
    save.write_bytes(b"".join(lines[:-1]))
    Path(f"{save}.end").unlink()
    assert find_kept(Session.resume(save, SYSTEMS), tmp_path / "cache") == KeptVolley(JAPAN)


def test_a_battle_without_its_own_save_keeps_volleys_in_memory(session: Session, tmp_path: Path) -> None:
    """Let a second console, which only watches, not overwrite the volleys of the first."""
    looks_on = Session.resume(tmp_path / "battle.qfb", SYSTEMS)
    assert not looks_on.writable
    unsaved = Session.begin(*load_start("yellow-sea-1904"))
    unsaved.enter("force next")
    for other in (looks_on, unsaved):
        kept = KeptVolleys(other, tmp_path / "cache")
        assert kept.find(JAPAN) == KeptVolley(JAPAN)
        kept.keep(evolve(VOLLEY, cursor=()))
        assert kept.find(JAPAN).shots
    assert find_kept(session, tmp_path / "cache") == VOLLEY


@pytest.mark.parametrize("rounds", [100, pytest.param(50_000, marks=pytest.mark.long)])
def test_a_damaged_volley_file_does_no_harm(
    session: Session, tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Flip bytes and cut the file at random places."""
    (file,) = (tmp_path / "cache").iterdir()
    sound, chance = file.read_bytes(), Random(seed)
    for _ in share.take(range(rounds)):
        at = chance.randrange(len(sound))
        end = b"" if chance.random() < 0.3 else bytes([sound[at] ^ chance.randint(1, 255)]) + sound[at + 1 :]
        file.write_bytes(sound[:at] + end)
        assert find_kept(session, tmp_path / "cache").division == JAPAN
        file.write_bytes(sound)


FOREIGN = {
    "empty": b"",
    "a list": b"[]",
    "no keys": b"{}",
    "no text": bytes(9),
    "nested": b"[" * 50_000,
    "before the log": b'{"turn":1,"phase":"first-gunnery","acts":-1}',
    "too large": b" " * BYTES_MOST + b"{}",
}


@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_foreign_file_counts_as_no_volley(session: Session, tmp_path: Path, foreign: str) -> None:
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(FOREIGN[foreign])
    assert find_kept(session, tmp_path / "cache") == KeptVolley(JAPAN)


def test_a_folder_in_place_of_the_file_costs_nothing(session: Session, tmp_path: Path) -> None:
    (file,) = (tmp_path / "cache").iterdir()
    file.unlink()
    file.mkdir()
    kept = KeptVolleys(session, tmp_path / "cache")
    kept.keep(VOLLEY)
    assert kept.find(JAPAN) == VOLLEY


@pytest.mark.parametrize("rounds", [3, pytest.param(200, marks=pytest.mark.long)])
def test_a_volley_outlives_kill_9_at_any_moment(tmp_path: Path, rounds: int, seed: int, share: Share) -> None:
    """Find the volley that was reported as kept, or a later one."""
    begin_session(tmp_path).close()
    chance = Random(seed)

    def work(tell: Tell) -> None:
        kept = KeptVolleys(Session.resume(tmp_path / "battle.qfb", SYSTEMS), tmp_path / "cache")
        for number in count(1):
            kept.keep(evolve(VOLLEY, cursor=(str(number),)))
            tell(number)

    for _ in share.take(range(rounds)):
        told = run_until_killed(work, chance.randint(1, 9), chance.uniform(0, 0.05))
        session = Session.resume(tmp_path / "battle.qfb", SYSTEMS)
        found = find_kept(session, tmp_path / "cache")
        assert found.shots == (SHOT,)
        assert int(found.cursor[0]) >= int(told[-1])
        session.close()
