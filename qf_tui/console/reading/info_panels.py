"""A table from a panel's name to the function that opens it over a battle: the help, the charts and others.

It is a separate module so that the panels are imported after the first screen is drawn.
"""

from collections.abc import Callable, Mapping

from qf_tui.console.reading.announcements import TableChanges
from qf_tui.console.reading.document_view import build_card_lines, render_blocks
from qf_tui.console.reading.help import FRAME, WIDEST, build_chart_lines, show_help
from qf_tui.console.reading.lookup import Lookup
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.widgets.panel import Panel
from qf_tui.core.system import Column
from qf_tui.core.values import Ship
from qf_tui.document.acts import ShipRemarks
from qf_tui.document.glance import list_table_changes
from qf_tui.document.transcript import build_why_document

OpenPanel = Callable[[SourceScreen[None], Ship | None, Column | None], None]
"""Shows a panel over a screen, for the ship and column under its cursor."""


def _show_charts(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """Open the charts of the battle, with a search."""
    lines = build_chart_lines(
        screen.source.system, screen.source.battle, min(screen.size.width - FRAME, WIDEST)
    )
    screen.app.push_screen(Lookup(f"Charts of {screen.source.system.title}", lines))


def _show_card(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """Show the card and log of the ship, with the remarks on her; nothing without a ship."""
    if ship is not None:
        source = screen.source
        lines = build_card_lines(
            source.system, source.battle, ship, ShipRemarks().list_remarks(source.timeline, ship)
        )
        # The panel's title replaces the first line.
        screen.app.push_screen(Panel(f"Card and log: {ship.name}", lines[1:]))


def _show_why(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """Show the causes of the ship's box in the column, or of all her boxes; nothing without a ship."""
    if ship is not None:
        source = screen.source
        why = build_why_document(source.system, source.timeline, ship, column, screen.save)
        screen.app.push_screen(Panel(why.title, render_blocks(why.blocks)))


def _show_announcements(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """Show what must be thrown now and what changed on the table in this turn; say so if nothing did."""
    battle = screen.source.battle
    changes = list_table_changes(screen.source.system, screen.source.timeline)
    if changes:
        screen.app.push_screen(TableChanges(f"On the table, in turn {battle.turn}", battle, changes))
    else:
        screen.say(f"nothing has changed on the table in turn {battle.turn}")


PANELS: Mapping[str, OpenPanel] = {
    "help": lambda screen, *_: show_help(screen, screen.source),
    "charts": _show_charts,
    "sheet": _show_card,
    "why": _show_why,
    "announcements": _show_announcements,
}
