"""Battles by the thousand on a screen: begun from a scenario, told when they are played, stopped by a key."""

from contextlib import nullcontext

import pytest

from qf_tui.console.setup import playing_out
from qf_tui.console.setup.opening import look_at
from qf_tui.console.setup.simulation import SimulationScreen
from qf_tui.library.scenarios import find_scenario
from qf_tui.simulation.executor import here
from tests.console.playing import Table, gunnery, play
from tests.systems import our_systems


def test_a_scenario_is_played_out_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing_out, "BATTLES", 1)
    monkeypatch.setattr(playing_out, "in_processes", lambda count: nullcontext(here))
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
