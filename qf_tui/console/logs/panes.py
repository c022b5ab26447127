"""Which sides stand on the screen at a width, where each begins, and which of its ships and columns it shows."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from qf_tui.console.logs.arranging import Arrangement
from qf_tui.console.logs.layout import Layout, column_at, laid_out
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship

BOTH_FROM = 110
"""Cells of width from which two sides stand next to each other."""


@frozen
class Pane:
    """One side as it is drawn: where it begins, how its columns lie, its ships shown in their order, and how many
    it has in all."""

    side: str
    title: str
    left: int
    layout: Layout
    ships: tuple[Ship, ...]
    count: int

    @property
    def frame(self) -> tuple[object, ...]:
        """All of it but the values of its ships: while this is the same, so is the place of every cell."""
        return self.side, self.left, self.layout, tuple(ship.id for ship in self.ships)


def panes_of(
    system: RuleSystem,
    battle: Battle,
    arrangement: Arrangement,
    side: int,
    signs: Mapping[str, str],
    width: int,
) -> tuple[Pane, ...]:
    """The panes in a width, one of them for the side at that place; `signs` stand before ships by their ids."""
    sides = battle.sides
    both = width >= BOTH_FROM and len(sides) > 1
    first = min(side, len(sides) - 2) if both else side
    shown = sides[first : first + 2] if both else sides[first : first + 1]
    # The last cell stays free: a scroll bar stands behind it.
    each = (width - len(shown)) // max(1, len(shown))
    return tuple(
        Pane(
            one.id,
            one.name,
            place * (each + 1),
            laid_out(system.columns, battle.ships.values(), each),
            ships,
            sum(ship.side == one.id for ship in battle.ships.values()),
        )
        for place, one in enumerate(shown)
        for ships in [arrangement.ships(system, battle, one.id, signs)]
    )


def cell_at(panes: Sequence[Pane], x: int, row: int) -> tuple[Pane, int] | None:
    """The pane and the column at a cell of a row, or None where no ship is drawn."""
    for pane in panes:
        inside = x - pane.left
        if 0 <= inside < pane.layout.width and 0 <= row < len(pane.ships):
            return pane, column_at(pane.layout, inside)
    return None
