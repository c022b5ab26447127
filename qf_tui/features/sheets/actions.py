"""The keys in the console that write sheets to print: the logs of a battle, and briefings of a scenario."""

from functools import partial
from pathlib import Path

from textual.screen import Screen

from qf_tui.console.widgets.actions import GRID, SCENARIO, ConsolePart, act, foot
from qf_tui.core.errors import QfError


def write_sheets(screen: Screen[object]) -> None:
    """Write the log sheets next to the save in a separate thread, and show where they are."""
    from qf_tui.console.battle.view import BattleView
    from qf_tui.features.sealed_dice.witness import find_witnesses

    assert isinstance(screen, BattleView)
    source = screen.source
    # Both are read now, so that they fit each other if another entry follows.
    timeline, witnesses = source.timeline, find_witnesses(source)

    def write_page(save: Path) -> None:
        from qf_tui.features.sheets.sheets import write_next_to_save

        try:
            page = write_next_to_save(save, source.system, timeline, source.extra, witnesses)
            message = f"log sheets: {page}; print them from a browser"
        except QfError as fault:
            message = f"✗ {fault}"
        screen.app.call_from_thread(screen.say, message)

    screen.with_save(lambda save: screen.run_worker(partial(write_page, save), thread=True))


def write_briefings(screen: Screen[object]) -> None:
    """Write briefing and sheets of each side of a scenario into the folder of saves, and show where."""
    from qf_tui.console.setup.scenario import ScenarioScreen
    from qf_tui.console.widgets.panel import Panel
    from qf_tui.console.widgets.text import literal

    assert isinstance(screen, ScenarioScreen)
    scenario = screen.scenario

    def write_pages() -> None:
        from qf_tui.features.sheets import sheets

        try:
            pages = sheets.write_briefings(scenario.system, scenario.battle, scenario.path.stem)
            texts = [*map(str, pages), "Print them from a browser."]
        except QfError as fault:
            texts = [str(fault)]
        panel = Panel("Briefings", map(literal, texts))
        screen.app.call_from_thread(screen.app.push_screen, panel)

    screen.run_worker(write_pages, thread=True)


PART = ConsolePart(
    (),
    (
        act("L", "sheets", "log sheets", "writes log sheets of the battle now, to print", GRID,
            palette=True, does=write_sheets, after="grid.next-to-act"),
        foot("l f6", "briefings", "briefings", "writes briefing and log sheets of each side, to print",
            SCENARIO, does=write_briefings, after="scenario.back"),
    ),
)  # fmt: skip
