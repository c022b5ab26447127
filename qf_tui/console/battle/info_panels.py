"""What may be read over the battle, by the word that the table of actions has for it.

Kept apart, so that a battle is on the screen before these are loaded.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from textual.app import App
from textual.geometry import Size

from qf_tui.console.logs.grid import Grid
from qf_tui.console.reading.aloud import Reading, turn_began
from qf_tui.console.reading.card import remarks_on, sheet_lines
from qf_tui.console.reading.charts import chart_lines
from qf_tui.console.reading.help import show_help
from qf_tui.console.reading.lookup import Lookup
from qf_tui.console.reading.report import report_lines
from qf_tui.console.reading.why import why_lines
from qf_tui.console.widgets.actions import GRID, Action
from qf_tui.console.widgets.panel import Panel
from qf_tui.session import Session

WIDEST = 104
"""Cells of a panel's inside at most."""


class Shown(Protocol):
    """What is needed of the battle screen."""

    session: Session
    keys: Mapping[str, Mapping[str, Action]]

    @property
    def grid(self) -> Grid: ...

    @property
    def app(self) -> App: ...

    @property
    def size(self) -> Size: ...

    def say(self, text: str, tone: str = "", forceable: bool = False) -> None: ...


def _help(screen: Shown) -> None:
    show_help(screen.app, screen.session, screen.keys[GRID])


def _charts(screen: Shown) -> None:
    lines = chart_lines(screen.session.battle, min(screen.size.width - 6, WIDEST))
    screen.app.push_screen(Lookup(f"Charts of {screen.session.system.title}", lines))


def _report(screen: Shown) -> None:
    screen.app.push_screen(Lookup("Report", report_lines(screen.session)))


def _sheet(screen: Shown) -> None:
    ship = screen.grid.ship
    if ship is not None:
        remarks = remarks_on(screen.session.timeline, ship)
        lines = sheet_lines(screen.session.system, screen.session.battle, ship, remarks)
        screen.app.push_screen(Panel(f"Card and log: {ship.name}", lines[1:]))


def _why(screen: Shown) -> None:
    ship, column = screen.grid.ship, screen.grid.under
    if ship is not None:
        title = f"Why: {ship.name}, {column.title if column else 'all of it'}"
        screen.app.push_screen(Panel(title, why_lines(screen.session, ship, column)))


def _aloud(screen: Shown) -> None:
    """What hands changed on the table in this turn."""
    battle = screen.session.battle
    changes = screen.session.system.on_table(turn_began(screen.session), battle)
    if changes:
        screen.app.push_screen(Reading(f"On the table, in turn {battle.turn}", battle, changes))
    else:
        screen.say(f"nothing has changed on the table in turn {battle.turn}")


READINGS: Mapping[str, Callable[[Shown], None]] = {
    "help": _help,
    "charts": _charts,
    "report": _report,
    "sheet": _sheet,
    "why": _why,
    "aloud": _aloud,
}
