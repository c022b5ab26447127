"""The key of the sheets in the console."""

from functools import partial
from pathlib import Path

from textual.screen import Screen

from qf_tui.console.widgets.actions import GRID, ConsolePart, act
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


PART = ConsolePart(
    (),
    (
        act("L", "sheets", "log sheets", "writes log sheets of the battle now, to print", GRID,
            palette=True, does=write_sheets, after="grid.next-to-act"),
    ),
)  # fmt: skip
