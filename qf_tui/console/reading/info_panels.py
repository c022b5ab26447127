"""What may be read over a battle, by the word that the table of actions has for it.

Kept apart, so that a battle is on the screen before these are loaded.
"""

from collections.abc import Callable, Mapping

from qf_tui.console.reading.aloud import TableChanges, turn_began
from qf_tui.console.reading.card import card_lines
from qf_tui.console.reading.charts import chart_lines
from qf_tui.console.reading.help import show_help
from qf_tui.console.reading.lookup import Lookup
from qf_tui.console.reading.report import report_lines
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.reading.why import why_lines
from qf_tui.console.widgets.panel import Panel
from qf_tui.core.system import Column
from qf_tui.core.values import Ship
from qf_tui.session.order_preview import to_throw_text
from qf_tui.session.remarks import ShipRemarks

WIDEST = 104
"""Cells of a panel's inside at most."""

OpenPanel = Callable[[SourceScreen[None], Ship | None, Column | None], None]
"""Shows something to read over a screen; the ship and the column are those under its cursor."""


def _help(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    show_help(screen, screen.source)


def _charts(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    lines = chart_lines(screen.source.system, screen.source.battle, min(screen.size.width - 6, WIDEST))
    screen.app.push_screen(Lookup(f"Charts of {screen.source.system.title}", lines))


def _report(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    screen.app.push_screen(Lookup("Report", report_lines(screen.source)))


def _card(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    if ship is not None:
        source = screen.source
        lines = card_lines(source.system, source.battle, ship, ShipRemarks().on(source.timeline, ship))
        screen.app.push_screen(Panel(f"Card and log: {ship.name}", lines[1:]))


def _why(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    if ship is not None:
        title = f"Why: {ship.name}, {column.title if column else 'all of it'}"
        screen.app.push_screen(Panel(title, why_lines(screen.source, ship, column)))


def _aloud(screen: SourceScreen[None], ship: Ship | None, column: Column | None) -> None:
    """What is to be thrown now, and what hands changed on the table in this turn."""
    battle, system = screen.source.battle, screen.source.system
    changes = [
        (battle.ships[one.ship].side, f"to throw: {to_throw_text(system, battle, one)}")
        for one in battle.owed
        if one.dice and one.ship in battle.ships
    ]
    changes += system.on_table(turn_began(screen.source), battle)
    if changes:
        screen.app.push_screen(TableChanges(f"On the table, in turn {battle.turn}", battle, changes))
    else:
        screen.say(f"nothing has changed on the table in turn {battle.turn}")


PANELS: Mapping[str, OpenPanel] = {
    "help": _help,
    "charts": _charts,
    "report": _report,
    "sheet": _card,
    "why": _why,
    "aloud": _aloud,
}
