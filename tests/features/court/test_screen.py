"""The rules court in the console: filled while you play, stopped, read in full, and branched."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.console.reading import jobs
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.values import Battle, Owed
from qf_tui.features.court.job import CourtJob
from qf_tui.features.court.screen import CourtScreen
from qf_tui.features.report.throws import Place
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import HOSTILE, SMALL_FIRST, Size, Table, with_console
from tests.core.playing import battle
from tests.tiny import SYSTEM, Tiny

SHOTS = ("next", "fire mikasa heavy borodino long 3 10", "fire borodino heavy mikasa long 2 5")


def begin_hostile(save: Path | None = None) -> Session:
    """Begin the rules' examples under hostile names, with two shots fired."""
    system, start = load_scenario("rulebook-examples", find_systems())
    ships = {id: evolve(ship, name=HOSTILE.get(id, ship.name)) for id, ship in start.ships.items()}
    session = Session.begin(system, evolve(start, ships=ships), save)
    for order in SHOTS:
        session.enter(order)
    return session


async def wait_until(table: Table, reached: Callable[[], bool]) -> None:
    """Wait until a thread of the console has done its work and the screen shows it."""
    for _ in range(600):
        if reached():
            break
        await asyncio.sleep(0.05)
    assert reached()
    if isinstance(table.top, CourtScreen):
        table.top.look()
    await table.pilot.pause()


def find_job(table: Table) -> CourtJob:
    found = table.screen.jobs.get("court")
    assert isinstance(found, CourtJob)
    return found


async def go_to_line(table: Table, named: str | Place) -> None:
    """Put the cursor on the first line of a switch or cell."""
    court = table.top
    assert isinstance(court, CourtScreen)
    cases = find_job(table).cases
    assert cases is not None
    key = next((at,) for at, one in enumerate(cases.variants) if named in (one.option, one.place))
    at = next(at for at, line in enumerate(court.picks.lines) if line.key == key)
    court.picks.go(at)
    await table.pilot.pause()


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
@with_console(lambda tmp_path: begin_hostile(tmp_path / "battle.qfb"))
async def test_a_reading_is_computed_read_and_branched(table: Table, size: Size, tmp_path: Path) -> None:
    await table.press("C")
    await wait_until(table, lambda: find_job(table).complete)
    text = table.text()
    assert "Decided again with nothing changed, 3 entries in force" in text
    assert "whether all move at once" in text
    assert "…nothing" not in text, "what is cut keeps off what comes of it"
    court = table.top
    assert isinstance(court, CourtScreen)
    said = [line.draw(200).plain for line in court.picks.lines]
    said = said[: said.index("Cells of ours")]
    nothing = ["nothing changes" in line for line in said]
    assert nothing == sorted(nothing)
    assert True in nothing
    assert court.picks.at == next(at for at, line in enumerate(court.picks.lines) if line.key)
    assert "s stop" not in table.read_foot()
    assert "dice missing before the first entry" in text
    await go_to_line(table, "initiative")
    assert "it stops before the first entry, where owed rolls" in " ".join(table.text().split())
    cases = find_job(table).cases
    assert cases is not None
    cell = next(one for one in cases.cells.cells if one.changed)
    await go_to_line(table, cell.place)
    await table.press("enter")
    table.expect("instead of", "was:")
    await table.press("escape", "b")
    assert "battle-branch-1.qfb" in " ".join(table.text().split())
    await table.press("escape")
    assert table.top is table.screen
    branch = Session.view(tmp_path / "battle-branch-1.qfb", find_systems())
    assert len(branch.timeline.log) == len(SHOTS) + 1


@with_console(begin_hostile)
async def test_the_court_works_while_orders_are_entered_and_can_be_stopped(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "PAUSE_S", 0.3)
    await table.press("C")
    assert find_job(table).working
    assert "s stop" in table.read_foot()
    await table.press("escape")
    await table.order("note it rains")
    assert find_job(table).working
    assert table.list_orders()[-1] == "note it rains"
    await table.press("C", "s")
    await wait_until(table, lambda: not find_job(table).working)
    assert "stopped" in table.text()
    assert "s go on" in table.read_foot()
    assert not find_job(table).complete
    monkeypatch.setattr(jobs, "PAUSE_S", 0)
    await table.press("s")
    await wait_until(table, lambda: find_job(table).complete)
    assert "4 entries in force are as recorded" in table.text()
    await table.press("b")
    assert "no branch: this battle has no save" in table.text()


def test_an_error_in_third_party_rules_is_reported() -> None:
    """Guard against a traceback from a thread across the screen."""

    class Tripping(Tiny):
        def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
            raise KeyError("nonsense")

    session = Session.begin(SYSTEM, battle())
    for order in ("next", "shoot ant cat 1 6", "roll 5"):
        session.enter(order)
    found = CourtJob(Tripping(), lambda: session.timeline, None)
    found.begin()
    while found.working:
        pass
    assert "could not be decided again (KeyError)" in found.fault
    assert not found.complete
