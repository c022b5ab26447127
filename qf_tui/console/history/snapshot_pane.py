"""The logs as they were after an entry: the grid, what the entry changed there, and a ship's card."""

from collections import Counter

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.history.act_detail import change_line
from qf_tui.console.history.log_view import LogLine, LogView
from qf_tui.console.logs.grid import Grid
from qf_tui.console.logs.layout import HEAD
from qf_tui.console.logs.row_order import Sign
from qf_tui.console.reading.card import card_lines
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.text import hanging, literal
from qf_tui.console.widgets.text_pane import TextPane
from qf_tui.core.revisions import ValueChange
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle

SHOWN = 8
"""Changes that are listed under the logs at most."""


class PastGrid(Grid, can_focus=True):
    """The logs of a past battle; the ships that an entry changed have a sign."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(system, battle, id)
        self.changed: tuple[ValueChange, ...] = ()

    def show_past(self, battle: Battle, changed: tuple[ValueChange, ...]) -> None:
        """Draws the logs as they were, with the cursor on the first value that changed."""
        self.changed = changed
        self.show(battle)
        if changed:
            self._point_at(changed[0])

    def _point_at(self, one: ValueChange) -> None:
        self.put(one.ship)
        columns = [column for column, _ in self.pane.layout.columns] if self.pane else []
        place = next((at for at, column in enumerate(columns, start=1) if one.field in column.fields), 0)
        if place != self.cursor.column:
            self.cursor = self.cursor.on_column(place)
            self.refresh_row(self.row)

    def _signs(self) -> dict[str, Sign]:
        return {one.ship: Sign(changed=True) for one in self.changed}


class SnapshotPane(Vertical):
    """The logs under a heading that says when, the changes, and the card of the ship under the cursor."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system, self.battle = system, battle
        self.changes: list[Content] = []
        self._lines = 0

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="stood-when")
        yield PastGrid(self.system, self.battle, id="grid")
        yield TextPane(id="stood-more")

    @property
    def grid(self) -> PastGrid:
        return self.query_one("#grid", PastGrid)

    def show_line(
        self, log_view: LogView, line: LogLine, changed: tuple[ValueChange, ...], listed: bool
    ) -> None:
        """Draws the battle as it was at a line of the log; `listed`: with the changes in words."""
        self.battle = log_view.timeline.battle_at(line.after)
        self.changes = _change_lines(log_view, changed) if listed else []
        self.query_one("#stood-when", SteadyText).update(self._when(log_view, line))
        self.grid.show_past(self.battle, changed)
        self._fit()
        self.show_card()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """As many lines for the logs as they have, and some left for the rest."""
        rows = max(Counter(ship.side for ship in self.battle.ships.values()).values(), default=1)
        lines = max(HEAD + 2, min(rows + HEAD, self.app.size.height * 3 // 5 - HEAD))
        if lines != self._lines:
            self.grid.styles.height = self._lines = lines

    def show_card(self) -> None:
        """Draws what changed, and the card of the ship under the cursor."""
        ship = self.grid.ship
        card = card_lines(self.system, self.battle, ship) if ship else []
        heading = [literal("What the entry changed", "bold")] if self.changes else []
        lines = [*heading, *self.changes, *([Content("")] if self.changes else []), *card]
        self.query_one(TextPane).show(lambda width: [part for line in lines for part in hanging(line, width)])

    def _when(self, log_view: LogView, line: LogLine) -> Content:
        script = log_view.timeline.play_order
        if not line.after:
            said = "as it stood at the start"
        else:
            number = script[line.after - 1]
            about = "" if number == line.act else f" (before {line.act})"
            said = f"as it stood after entry {number}{about}: {log_view.text_of(number).title}"
        return literal(f" {said}", "bold $accent")


def _change_lines(log_view: LogView, changed: tuple[ValueChange, ...]) -> list[Content]:
    """The changes in words, and how many more there are."""
    found = [literal(f"  {change_line(log_view, one)}", "bold $text-warning") for one in changed[:SHOWN]]
    more = len(changed) - SHOWN
    return [*found, *([literal(f"  and {more} more", "$quiet")] if more > 0 else [])]
