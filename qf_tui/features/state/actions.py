"""The key in the console that enters the state of all ships from a spreadsheet."""

from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from qf_tui.console.widgets.actions import ConsolePart, act

if TYPE_CHECKING:
    from qf_tui.console.battle.screen import BattleScreen
    from qf_tui.features.state.importing import StateImport


def ask_for_state(screen: Screen[object]) -> None:
    """Ask for a CSV file, show the changes in it, and enter them."""
    from qf_tui.console.battle.screen import BattleScreen
    from qf_tui.console.widgets.fields import TextEntry

    assert isinstance(screen, BattleScreen)
    imports: list[tuple[str, StateImport]] = []

    def take(text: str) -> str:
        try:
            path = Path(text.strip()).expanduser()
        except RuntimeError:
            return "there is no such folder"
        imported, fault = _read_file(screen, path)
        if imported is not None:
            imports.append((path.name, imported))
        return fault

    # Called once the entry field has closed: `imports` has the file that was taken, or nothing.
    def show_found(_: None) -> None:
        for name, imported in imports:
            _show_changes(screen, name, imported)

    title = "The state of all ships from a spreadsheet: a CSV file"
    screen.app.push_screen(TextEntry(title, "state.csv", take, "shows what it changes"), show_found)


def _read_file(screen: "BattleScreen", path: Path) -> "tuple[StateImport | None, str]":
    """Read a CSV file; list its faults in a panel if there are several.

    Returns:
        What it changes and "", or None and what is wrong with it.
    """
    from qf_tui.console.widgets.panel import Panel
    from qf_tui.console.widgets.text import literal
    from qf_tui.core.errors import QfError
    from qf_tui.features.state.importing import NO_CHANGE, read_state
    from qf_tui.library.faults import format_faults, format_first_fault
    from qf_tui.library.paths import read_bytes

    session = screen.session
    try:
        imported = read_state(read_bytes(path), path, session.system, session.battle)
    except QfError as fault:
        lines = format_faults(fault)
        if len(lines) > 1:
            screen.app.push_screen(Panel("Nothing is entered", map(literal, lines)))
        return None, format_first_fault(fault)
    return (imported, "") if imported.changes else (None, NO_CHANGE)


def _show_changes(screen: "BattleScreen", name: str, imported: "StateImport") -> None:
    """Show what a file changes, and enter it if the umpire agrees."""
    from qf_tui.console.widgets.keys import build_question_hints
    from qf_tui.console.widgets.panel import Panel, show_panel
    from qf_tui.console.widgets.text import literal
    from qf_tui.features.state.importing import build_preview_lines

    timeline = screen.session.timeline

    def enter() -> None:
        if screen.session.timeline is timeline:
            screen.controller.enter(imported.order, say_refusal=True)
        else:
            screen.say("the battle has changed since the preview; nothing is entered")

    keys = build_question_hints("enters all of it", "changes nothing")
    panel = Panel(f"The battle as in {name}", map(literal, build_preview_lines(imported)), keys)
    show_panel(screen.app, panel, enter)


PART = ConsolePart(
    actions=(
        act("I", "import_state", "import state", "all ships as they stand in a spreadsheet, in one entry",
            palette=True, enters=True, does=ask_for_state, after="grid.carry"),
    ),
)  # fmt: skip
