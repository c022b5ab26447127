"""Where everything is on the logs at a width: panes, columns, and the cursor."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property

from attrs import evolve, field, frozen

from qf_tui.console.widgets.text import remembered, width_of
from qf_tui.core.decisions import field_value
from qf_tui.core.system import Available, Column, RuleSystem
from qf_tui.core.values import SUNK, Battle, Ship

OWES, WAITS, CHANGED = "?", "•", "*"
"""Before a ship's name: it owes a roll; it may still act, in a way without a letter; an entry changed it."""
NAMES = "name"
"""The column of the names, which no rule system declares."""
UP, DOWN = "▲", "▼"
NAME_LEAST, NAME_MOST = 10, 26
"""Cells of a name."""
SIGNS = 4
"""Cells before the name: what the ship may do or owes, and the cursor's row."""
BOTH_FROM = 110
"""Cells of width from which two sides are next to each other."""
HEAD = 2
"""Lines above the rows of a pane: the side's name, the columns' titles."""
LAST = 999
"""A column farther than any: of those that are shown, the last."""


@frozen
class Sign:
    """What stands before a ship's name.

    `owes`: it owes a roll. `acts`: it may act, with a letter for each way that has one. `changed`: an entry
    that is looked back at changed it.
    """

    owes: bool = False
    acts: bool = False
    letters: str = ""
    changed: bool = False

    @property
    def text(self) -> str:
        """The sign as it is drawn."""
        able = self.letters or WAITS if self.acts else ""
        return f"{OWES if self.owes else ''}{able}{CHANGED if self.changed else ''}"


NO_SIGN = Sign()


def signs_of(battle: Battle, may: Iterable[Available]) -> dict[str, Sign]:
    """The signs of the ships that have one now; `may` are those that may act."""
    signs = {able.ship: Sign(acts=True, letters=able.letters) for able in may}
    return signs | {owed.ship: evolve(signs.get(owed.ship, NO_SIGN), owes=True) for owed in battle.owed}


class Show(Enum):
    """Which ships are shown, in words."""

    ALL = ""
    PRESENT = "in the battle"
    MAY_ACT = "may act"
    OWE = "owe a roll"


@frozen
class Arrangement:
    """By which column the ships are sorted ("" as in the fleet), in which direction, and which are shown.

    `may`: of those that may act only those that may do what the letter says.
    """

    column: str = ""
    least_first: bool = False
    show: Show = Show.ALL
    letters: str = ""
    may: str = ""

    @property
    def text(self) -> str:
        """Which ships are shown, or nothing where all are."""
        parts = [f"{self.show.value} {self.may}".rstrip()] if self.show.value else []
        return ", ".join([*parts, f"“{self.letters}”"] if self.letters else parts)

    @property
    def sign(self) -> str:
        return UP if self.least_first else DOWN

    def sorted_by(self, column: Column | None) -> "Arrangement":
        """Sorted by another column, None for the names.

        The same column again reverses the order, a third time restores that of the fleet.
        """
        name, first = (column.name, False) if column else (NAMES, True)
        if name != self.column:
            return evolve(self, column=name, least_first=first)
        if self.least_first is first:
            return evolve(self, least_first=not first)
        return evolve(self, column="", least_first=False)

    def showing_next(self, signs: Iterable[Sign] = ()) -> "Arrangement":
        """The next choice of ships: all, in the battle, may act, owe a roll.

        Where the signs have several letters, those that may do each thing come last.
        """
        letters = sorted({letter for sign in signs for letter in sign.letters})
        choices = [(show, "") for show in Show]
        choices += [(Show.MAY_ACT, letter) for letter in letters if len(letters) > 1]
        here = (self.show, self.may)
        at = choices.index(here) if here in choices else choices.index((self.show, ""))
        show, may = choices[(at + 1) % len(choices)]
        return evolve(self, show=show, may=may)

    def ships(
        self, system: RuleSystem, battle: Battle, side: str, signs: Mapping[str, Sign]
    ) -> tuple[Ship, ...]:
        """A side's ships as they are arranged."""
        shown = [
            ship
            for ship in battle.ships.values()
            if ship.side == side
            and (self.show is Show.ALL or self._shows(system, ship, signs))
            and (not self.letters or found_by(battle, ship, self.letters))
        ]
        if self.column == NAMES:
            shown.sort(key=lambda ship: ship.name.casefold(), reverse=not self.least_first)
        elif self.column:
            fields = next((column.fields for column in system.columns if column.name == self.column), ())
            shown.sort(
                key=lambda ship: [_measured(field_value(ship, name)) for name in fields],
                reverse=not self.least_first,
            )
        afloat: list[Ship] = []
        sunk: list[Ship] = []
        for ship in shown:
            (sunk if ship.status == SUNK else afloat).append(ship)
        return *afloat, *sunk

    def _shows(self, system: RuleSystem, ship: Ship, signs: Mapping[str, Sign]) -> bool:
        if self.show is Show.PRESENT:
            return not system.departed(ship)
        sign = signs.get(ship.id, NO_SIGN)
        if self.show is Show.OWE:
            return sign.owes
        return self.may in sign.letters if self.may else sign.acts


def found_by(battle: Battle, ship: Ship, letters: str) -> bool:
    """Whether letters are in a ship's name, id, kind, division or its player's name."""
    side = battle.side(ship.side)
    divisions = side.divisions if side else ()
    players = [division.player for division in divisions if division.id == ship.division]
    words = (ship.name, ship.id, str(ship.card.get("kind", "")), ship.division, *players)
    return letters.casefold() in " ".join(words).casefold()


def _measured(value: object) -> tuple[float, str]:
    """What a log has in a field, as it compares."""
    if isinstance(value, tuple):
        return float(len(value)), ""
    if isinstance(value, int | float):
        return float(value), ""
    return -1.0, str(value or "")


@frozen
class Layout:
    """The columns of a pane `width` cells wide: the name's width, and each column with its own.

    `left_out` are the titles of those that have no room.
    """

    width: int
    name: int
    gap: int
    columns: tuple[tuple[Column, int], ...]
    left_out: tuple[str, ...] = ()


@remembered
def laid_out(
    columns: tuple[Column, ...], longest: int, width: int, blank: frozenset[str] = frozenset()
) -> Layout:
    """The columns that fit, those of low rank first; room left over goes to the names, columns and gaps.

    `longest` is the width of the longest name on any side, so that both sides' columns are aligned. Columns
    that are `blank` come last, and leave their room to the names.
    """
    spare = sum(_needs(column) + 1 for column in columns if column.name in blank)
    name = min(max(longest, 4), max(NAME_LEAST, width // 5 - 1 + spare), NAME_MOST)
    left = width - SIGNS - name
    kept: set[str] = set()
    for column in sorted(columns, key=lambda column: (column.name in blank, column.rank)):
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
    left_out = tuple(column.title for column in columns if column.name not in kept)
    return Layout(width, name + more, gap, shown, left_out)


def _needs(column: Column) -> int:
    return max(column.width, width_of(column.title), width_of(column.widest))


@frozen
class SidePane:
    """One side as it is drawn: its left edge, its columns, the ships shown, and how many it has in all.

    `top` is its first line where sides stand one above the other.
    """

    side: str
    title: str
    left: int
    layout: Layout
    ships: tuple[Ship, ...]
    count: int
    top: int = 0

    @property
    def end(self) -> int:
        """The line behind its last row."""
        return self.top + HEAD + len(self.ships)

    @cached_property
    def frame(self) -> tuple[object, ...]:
        """All of it but the values of its ships: while this is the same, every cell keeps its place."""
        return self.side, self.left, self.top, self.layout, tuple([ship.id for ship in self.ships])


def panes_of(
    system: RuleSystem,
    battle: Battle,
    arrangement: Arrangement,
    side: int,
    signs: Mapping[str, Sign],
    width: int,
    height: int = 0,
) -> tuple[SidePane, ...]:
    """The panes in a width, or the one of the side at that place; `signs` go before ships by their ids.

    Two sides for which it is too narrow stand one above the other, if all their rows fit the height.
    """
    sides = battle.sides
    if len(sides) > 1 and height and width < BOTH_FROM:
        stacked: list[SidePane] = []
        for place in range(len(sides)):
            (pane,) = panes_of(system, battle, arrangement, place, signs, width)
            stacked.append(evolve(pane, top=stacked[-1].end if stacked else 0))
        if stacked[-1].end <= height:
            return tuple(stacked)
    both = width >= BOTH_FROM and len(sides) > 1
    first = min(side, len(sides) - 2) if both else side
    shown = sides[first : first + 2] if both else sides[first : first + 1]
    ships = battle.ships.values()
    longest = max((width_of(ship.name) for ship in ships), default=NAME_LEAST)
    # The last cell stays free: a scroll bar follows it.
    each = (width - len(shown)) // max(1, len(shown))
    blank = frozenset(
        column.name
        for column in system.columns
        if not any(span.text.strip() for ship in ships for span in system.cell(battle, ship, column))
    )
    layout = laid_out(tuple(system.columns), longest, each, blank)
    counts = Counter(ship.side for ship in ships)
    return tuple(
        SidePane(
            side.id,
            side.name,
            place * (each + 1),
            layout,
            arrangement.ships(system, battle, side.id, signs),
            counts[side.id],
        )
        for place, side in enumerate(shown)
    )


def lines_for(battle: Battle, width: int, most: int) -> int:
    """The lines that the logs fill: of all sides where they stand one above another and fit, else of one."""
    counts = Counter(ship.side for ship in battle.ships.values())
    whole = sum(counts.values()) + HEAD * len(battle.sides)
    return whole if width < BOTH_FROM and whole <= most else max(counts.values(), default=0) + HEAD


def panes_at(panes: Sequence[SidePane], y: int) -> tuple[tuple[SidePane, ...], int]:
    """The panes that a line goes through, from left to right, and which of their lines it is."""
    top = max((pane.top for pane in panes if pane.top <= y), default=0)
    return tuple(pane for pane in panes if pane.top == top), y - top


def cell_at(panes: Sequence[SidePane], x: int, row: int) -> tuple[SidePane, int] | None:
    """The pane and the place of the column at a cell of a row, 0 for the names; None beside the ships."""
    for pane in panes:
        inside = x - pane.left
        if 0 <= inside < pane.layout.width and 0 <= row < len(pane.ships):
            edge = SIGNS + pane.layout.name
            for place, (_, width) in enumerate(pane.layout.columns):
                if inside <= edge:
                    return pane, place
                edge += pane.layout.gap + width
            return pane, len(pane.layout.columns)
    return None


@frozen
class Cursor:
    """A cell of the logs: the place of its side, its column (0: the names), on each side a ship by its id.

    What is under it is read from the pane of its side; if that is None, or no longer shows its ship, the
    cursor is on the first row.
    """

    side: int = 0
    column: int = 0
    at: Mapping[str, str] = field(factory=dict)

    def row(self, pane: SidePane | None) -> int:
        """The row of its ship."""
        wanted = self.at.get(pane.side) if pane else None
        ids = [ship.id for ship in pane.ships] if pane and wanted else []
        return ids.index(wanted) if wanted in ids else 0

    def ship(self, pane: SidePane | None) -> Ship | None:
        """The ship under it."""
        return pane.ships[self.row(pane)] if pane and pane.ships else None

    def under(self, pane: SidePane | None) -> Column | None:
        """The column under it; None on the names."""
        shown = pane.layout.columns if pane else ()
        return shown[self.column - 1][0] if 0 < self.column <= len(shown) else None

    def on_side(self, side: int) -> "Cursor":
        """On another side, on the ship that it was on there."""
        return evolve(self, side=side)

    def on_column(self, column: int) -> "Cursor":
        """On a column of its row."""
        return evolve(self, column=column)

    def within(self, pane: SidePane | None) -> "Cursor":
        """On the last column of a pane that has fewer."""
        return evolve(self, column=min(self.column, len(pane.layout.columns))) if pane else self

    def on_row(self, row: int, pane: SidePane) -> "Cursor":
        """On the ship of a row, or of the nearest; a pane without ships leaves it where it was."""
        if not pane.ships:
            return self
        return self.on_ship(pane.side, pane.ships[max(0, min(row, len(pane.ships) - 1))].id)

    def on_ship(self, side: str, ship: str) -> "Cursor":
        """On a ship of a side, which it comes back to whenever it comes to that side."""
        return evolve(self, at={**self.at, side: ship})
