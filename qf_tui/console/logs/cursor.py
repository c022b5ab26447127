"""The cursor on the logs: on which side, column and ship it stands, and where a move takes it."""

from collections.abc import Mapping

from attrs import evolve, field, frozen

from qf_tui.console.logs.panes import Pane
from qf_tui.core.system import Column
from qf_tui.core.values import Ship

LAST = 999
"""A column farther than any: of those that are shown, the last."""


@frozen
class Cursor:
    """A cell of the logs: the side by its place in the battle, the column (0: the names), on each side a ship by id.

    What it stands on is read from the pane of its side; where that is None, or shows its ship no more, it stands on
    the first row.
    """

    side: int = 0
    column: int = 0
    at: Mapping[str, str] = field(factory=dict)

    def row(self, pane: Pane | None) -> int:
        """The row of its ship."""
        wanted = self.at.get(pane.side) if pane else None
        ids = [ship.id for ship in pane.ships] if pane and wanted else []
        return ids.index(wanted) if wanted in ids else 0

    def ship(self, pane: Pane | None) -> Ship | None:
        """The ship under it."""
        return pane.ships[self.row(pane)] if pane and pane.ships else None

    def under(self, pane: Pane | None) -> Column | None:
        """The column under it; None on the names."""
        shown = pane.layout.columns if pane else ()
        return shown[self.column - 1][0] if 0 < self.column <= len(shown) else None

    def on_side(self, side: int) -> "Cursor":
        """On another side, on the ship that it was on there."""
        return evolve(self, side=side)

    def on_column(self, column: int) -> "Cursor":
        """On a column of its row."""
        return evolve(self, column=column)

    def within(self, pane: Pane | None) -> "Cursor":
        """On the last column of the pane where there are not so many."""
        return evolve(self, column=min(self.column, len(pane.layout.columns))) if pane else self

    def on_row(self, row: int, pane: Pane) -> "Cursor":
        """On the ship of a row, or of the nearest; a pane without ships leaves it where it was."""
        if not pane.ships:
            return self
        return self.on_ship(pane.side, pane.ships[max(0, min(row, len(pane.ships) - 1))].id)

    def on_ship(self, side: str, ship: str) -> "Cursor":
        """On a ship of a side, which it comes back to whenever it comes to that side."""
        return evolve(self, at={**self.at, side: ship})
