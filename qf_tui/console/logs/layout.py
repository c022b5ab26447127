"""How a side's logs fit a width: the signs, the name, which columns, and how wide."""

from collections.abc import Iterable

from attrs import frozen

from qf_tui.console.text import width_of
from qf_tui.core.system import Column
from qf_tui.core.values import Ship

NAME_LEAST = 11
NAME_MOST = 26
SIGNS = 3
"""Cells before the name: the cursor's row, and what the ship waits for."""
OWES, WAITS = "?", "•"
"""Before a ship's name: it owes a roll; it may still act."""
NAMES = "name"
"""The column of the names, which no rule system declares."""


@frozen
class Layout:
    """The columns of a pane `width` cells wide: the name's width, and each column with its own."""

    width: int
    name: int
    gap: int
    columns: tuple[tuple[Column, int], ...]


def laid_out(columns: tuple[Column, ...], ships: Iterable[Ship], width: int) -> Layout:
    """The columns that fit, those of low rank first; what is left over goes to the names, the columns, the gaps.

    `ships` are all those of the battle, so that both sides' columns lie alike.
    """
    longest = max((width_of(ship.name) for ship in ships), default=NAME_LEAST)
    name = min(max(longest, 4), max(NAME_LEAST, width // 5))
    left = width - SIGNS - name
    kept: set[str] = set()
    for column in sorted(columns, key=lambda column: column.rank):
        if _needs(column) + 1 > left:
            break
        kept.add(column.name)
        left -= _needs(column) + 1
    more = max(0, min(left, min(longest, NAME_MOST) - name))
    left -= more
    widths = {column.name: _needs(column) for column in columns if column.name in kept}
    for column in columns:
        grown = max(0, min(left, column.most - widths[column.name])) if column.name in kept else 0
        if grown:
            widths[column.name] += grown
            left -= grown
    shown = tuple((column, widths[column.name]) for column in columns if column.name in kept)
    gap = 2 if shown and left >= len(shown) else 1
    return Layout(width, name + more, gap, shown)


def column_at(layout: Layout, x: int) -> int:
    """The place of the column at a cell of a row; 0 for the name."""
    edge = SIGNS + layout.name
    for place, (_, width) in enumerate(layout.columns, start=1):
        if x <= edge:
            return place - 1
        edge += layout.gap + width
    return len(layout.columns)


def _needs(column: Column) -> int:
    return max(column.width, width_of(column.title))
