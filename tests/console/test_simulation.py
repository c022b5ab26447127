"""Battles by the thousand on a screen: begun from a scenario, told when they are played, stopped by a key."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from time import monotonic, sleep
from typing import Any

import pytest

from qf_tui.analysis.story import Stopped
from qf_tui.console.setup import simulation
from qf_tui.console.setup.opening import look_at
from qf_tui.console.setup.simulation import SimulationScreen
from qf_tui.library.scenarios import find_scenario
from qf_tui.simulation.jobs import here
from tests.console.playing import Table, gunnery, play
from tests.systems import our_systems


def test_a_scenario_is_played_out_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "BATTLES", 1)
    monkeypatch.setattr(simulation, "in_processes", lambda count, stopped: nullcontext(here))
    systems = our_systems()

    async def steps(table: Table) -> None:
        screen = SimulationScreen(look_at(find_scenario("chemulpo-1904"), systems, "quickfire"), begins=False)
        await table.app.push_screen(screen)
        while "hold: comes up to half the longest range" not in table.text():
            await table.pilot.pause(0.05)
        screen.work.begin()
        while screen.work.found is None and not screen.work.fault:
            await table.pilot.pause(0.05)
        while "Who wins" not in table.text() or "F8" in table.foot():
            await table.pilot.pause(0.05)
        text = table.text()
        assert "4 battles by Quickfire, seed 1." in text
        assert "Who wins, and on which turn it is over" in text
        assert max(map(len, text.splitlines())) <= screen.size.width
        assert screen.picks.at == 0
        await table.press("escape")
        assert table.top is not screen

    play(gunnery(), steps)


def test_whoever_leaves_waits_for_no_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches processes that play on, and a console that does not end before they do."""

    def endless(count: int, stopped: Callable[[], bool]) -> AbstractContextManager[Any]:
        def run(jobs: object) -> Iterator[Any]:
            until = monotonic() + 20
            while not stopped() and monotonic() < until:
                sleep(0.001)
            raise Stopped
            yield

        return nullcontext(run)

    monkeypatch.setattr(simulation, "in_processes", endless)
    screen = SimulationScreen(look_at(find_scenario("chemulpo-1904"), our_systems(), "quickfire"))

    async def steps(table: Table) -> None:
        await table.app.push_screen(screen)
        await table.settled()
        assert screen.work.working

    play(gunnery(), steps)
    until = monotonic() + 10
    while screen.work.working and monotonic() < until:
        sleep(0.001)
    assert screen.work.found is not None
    assert not screen.work.found.whole
