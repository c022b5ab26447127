"""A scenario simulated a thousand times on a screen, and one of its battles opened."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from time import monotonic, sleep
from typing import Any

import pytest
from attrs import evolve

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.setup.opening import view_scenario
from qf_tui.console.setup.start import StartScreen
from qf_tui.core.values import SIMULATED, replace
from qf_tui.features.simulation import screen as simulation
from qf_tui.features.simulation.jobs import play_here
from qf_tui.features.simulation.screen import SimulationJob, SimulationScreen
from qf_tui.library.declared import DOCTRINE
from qf_tui.library.paths import find_own_folder
from qf_tui.library.processes import Stopped
from qf_tui.library.scenarios import find_scenario
from tests.console.playing import (
    ENDS,
    Size,
    Table,
    begin_gunnery,
    play,
    with_console,
)
from tests.systems import find_our_systems

pytestmark = pytest.mark.usefixtures("home")


@with_console(begin_gunnery)
async def test_a_scenario_is_simulated_in_the_background(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "BATTLES", 1)
    monkeypatch.setattr(simulation, "open_processes", lambda count, stopped: nullcontext(play_here))
    systems = find_our_systems()
    screen = SimulationScreen(
        view_scenario(find_scenario("chemulpo-1904"), systems, "quickfire"), begins=False
    )
    await table.app.push_screen(screen)
    while "hold: comes to half the longest range" not in table.text():
        await table.pilot.pause(0.05)
    screen.work.begin()
    while screen.work.result is None and not screen.work.fault:
        await table.pilot.pause(0.05)
    while "Who wins" not in table.text() or "F8" in table.read_foot():
        await table.pilot.pause(0.05)
    text = table.text()
    assert "1 battle by Quickfire, seed 1." in text
    assert "Who wins, and on which turn it ends" in text
    assert max(map(len, text.splitlines())) <= screen.size.width
    assert screen.picks.at == 0
    await table.press("escape")
    assert table.top is not screen


@pytest.mark.parametrize("size", ENDS)
@with_console()
async def test_one_of_the_simulated_battles_is_opened(
    table: Table, size: Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a battle opened without a question, and one on top of screens that stay hidden."""
    monkeypatch.setattr(simulation, "BATTLES", 1)
    monkeypatch.setattr(simulation, "open_processes", lambda count, stopped: nullcontext(play_here))

    async def wait_for_text(text: str) -> None:
        while text not in table.text():
            await table.pilot.pause(0.05)

    await table.type("chemul enter s")
    await wait_for_text("m play the median")
    await table.press("m", "f8")
    await wait_for_text("m play the median")
    await table.press("l")
    await wait_for_text("Open this battle?")
    assert "The luckiest battle, number 1 of Japan hold" in table.text()
    assert "chemulpo-1904-luckiest-1.qfb" in "".join(table.text().replace("│", "").split())
    await table.press("escape")
    assert isinstance(table.top, SimulationScreen)
    await table.press("m")
    await wait_for_text("Open this battle?")
    await table.press("enter")
    saves = sorted(path.stem for path in find_own_folder("saves").glob("*.qfb"))
    assert saves == ["chemulpo-1904-luckiest-1", "chemulpo-1904-median-1"]
    assert [type(screen) for screen in table.app.screen_stack[1:]] == [StartScreen, BattleScreen]
    assert table.battle.turn > 5
    assert table.battle.table["title"] == "Simulated: Chemulpo, 9 February 1904"
    assert table.battle.table[SIMULATED] is True


def test_a_stated_doctrine_counts_in_the_number_of_battles() -> None:
    """Guard against progress that starts with the battles of all doctrines, if the scenario states one."""
    scenario = view_scenario(find_scenario("chemulpo-1904"), find_our_systems(), "quickfire")
    stated_names = {f"{DOCTRINE}.{side.id}": "hold" for side in scenario.battle.sides}
    stated_battle = replace(scenario.battle, table={**scenario.battle.table, **stated_names})
    work = SimulationJob(evolve(scenario, battle=stated_battle))
    assert work.pairs == (("hold", "hold"),)
    assert work.progress == f"0 of {simulation.BATTLES} battles"


def test_leaving_does_not_wait_for_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against processes that play on, and a console that ends only after them."""

    def run_endlessly(count: int, stopped: Callable[[], bool]) -> AbstractContextManager[Any]:
        def run(jobs: object) -> Iterator[Any]:
            until = monotonic() + 20
            while not stopped() and monotonic() < until:
                sleep(0.001)
            raise Stopped
            yield

        return nullcontext(run)

    monkeypatch.setattr(simulation, "open_processes", run_endlessly)
    screen = SimulationScreen(view_scenario(find_scenario("chemulpo-1904"), find_our_systems(), "quickfire"))

    async def steps(table: Table) -> None:
        await table.app.push_screen(screen)
        await table.settle()
        assert screen.work.working

    play(begin_gunnery(), steps)
    until = monotonic() + 10
    while screen.work.working and monotonic() < until:
        sleep(0.001)
    assert screen.work.result is not None
    assert not screen.work.result.complete
