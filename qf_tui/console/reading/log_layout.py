"""The layout of both sides' ship logs: which ships, panes and columns are shown where, and the cursor.

`logs` draws them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from attrs import evolve, field, frozen

from qf_tui.console.widgets.text import (
    cache_by_signs,
    measure_width,
)
from qf_tui.core.decisions import find_field_value
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.values import SUNK, Battle, Ship

OWES, WAITS, CHANGED = "?", "•", "*"
"""Signs before a ship's name: it owes a roll; it may act, in a way without a letter; an entry changed it."""
NAME_COLUMN = "name"
"""Name of the column of names, which no rule system declares."""
UP, DOWN = "▲", "▼"
NAME_TITLE = "ship"
NAME_LEAST, NAME_MOST = 10, 26
"""Least and most cells of a name."""
SIGN_CELLS = 4
"""Cells before the name, for the ship's signs and the mark of the cursor's row."""
BOTH_FROM = 110
"""Screen width in cells from which two sides are next to each other."""
HEAD_LINES = 2
"""Lines above the rows of a pane: the side's name, the columns' titles."""
SPARE = 3
"""Spare lines below stacked sides, so that a longer preview does not change their arrangement."""
LAST = 999
"""Column number beyond all columns; `Cursor.clamp_column` makes it the last one."""


@frozen
class Sign:
    """The signs before a ship's name.

    Attributes:
        owes: True if the ship owes a roll.
        acts: True if the ship may act.
        letters: Letters of the ways in which it may act; some ways have no letter.
        changed: True if the entry shown in the history changed the ship.
    """

    owes: bool = False
    acts: bool = False
    letters: str = ""
    changed: bool = False

    @property
    def text(self) -> str:
        """The signs as text: it owes a roll, how it may act, an entry changed it."""
        act_sign = (self.letters or WAITS) if self.acts else ""
        return f"{OWES if self.owes else ''}{act_sign}{CHANGED if self.changed else ''}"


NO_SIGN = Sign()


class Show(Enum):
    """The choices of ships to show, each with its text."""

    ALL = ""
    PRESENT = "in the battle"
    MAY_ACT = "may act"
    OWE = "owe a roll"


@frozen
class Arrangement:
    """The order of the ships in the logs, and the choice of ships to show.

    Attributes:
        column: Name of the column that sorts the ships; "" for the order of the fleet.
        least_first: True for ascending order.
        show: Choice of ships to show.
        letters: Text that narrows the ships; "" for none.
        act_letter: With `Show.MAY_ACT`, letter of the only action that counts; "" for all.
    """

    column: str = ""
    least_first: bool = False
    show: Show = Show.ALL
    letters: str = ""
    act_letter: str = ""

    @property
    def text(self) -> str:
        """The choice of ships as text; "" if all are shown."""
        parts = [f"{self.show.value} {self.act_letter}".rstrip()] if self.show.value else []
        return ", ".join([*parts, f"“{self.letters}”"] if self.letters else parts)

    @property
    def sign(self) -> str:
        """The sign for the direction of the order."""
        return UP if self.least_first else DOWN

    def sort_by(self, column: Column | None) -> "Arrangement":
        """Return the arrangement sorted by a column; None means the names.

        The same column again reverses the order; a third time restores the order of the fleet.
        """
        name, starts_ascending = (column.name, False) if column else (NAME_COLUMN, True)
        if name != self.column:
            return evolve(self, column=name, least_first=starts_ascending)
        if self.least_first is starts_ascending:
            return evolve(self, least_first=not starts_ascending)
        return evolve(self, column="", least_first=False)

    def cycle_show(self, signs: Iterable[Sign] = ()) -> "Arrangement":
        """Return the arrangement with the next choice: all ships, in the battle, may act, owe a roll.

        If the signs have several letters, a choice for each letter follows.
        """
        letters = sorted({letter for sign in signs for letter in sign.letters})
        choices = [(show, "") for show in Show]
        if len(letters) > 1:
            choices += [(Show.MAY_ACT, letter) for letter in letters]
        current = (self.show, self.act_letter)
        # Ships with the chosen letter may be gone.
        at = choices.index(current) if current in choices else choices.index((self.show, ""))
        show, act_letter = choices[(at + 1) % len(choices)]
        return evolve(self, show=show, act_letter=act_letter)

    def list_ships(
        self, system: RuleSystem, battle: Battle, side: str, signs: Mapping[str, Sign]
    ) -> tuple[Ship, ...]:
        """List a side's ships that are to be shown, in the chosen order; sunk ships come last."""
        ships = [
            ship
            for ship in battle.ships.values()
            if ship.side == side
            and (self.show is Show.ALL or self._is_shown(system, ship, signs))
            and (not self.letters or is_match(battle, ship, self.letters))
        ]
        if self.column == NAME_COLUMN:
            ships.sort(key=lambda ship: ship.name.casefold(), reverse=not self.least_first)
        elif self.column:
            fields = next((column.fields for column in system.columns if column.name == self.column), ())
            ships.sort(
                key=lambda ship: [_build_sort_key(find_field_value(ship, name)) for name in fields],
                reverse=not self.least_first,
            )
        return tuple(sorted(ships, key=lambda ship: ship.status == SUNK))

    def _is_shown(self, system: RuleSystem, ship: Ship, signs: Mapping[str, Sign]) -> bool:
        """Return whether a choice other than all ships shows this ship."""
        if self.show is Show.PRESENT:
            return not system.has_departed(ship)
        sign = signs.get(ship.id, NO_SIGN)
        if self.show is Show.OWE:
            return sign.owes
        return self.act_letter in sign.letters if self.act_letter else sign.acts


def is_match(battle: Battle, ship: Ship, letters: str) -> bool:
    """Return whether a ship's name, id, kind, division or player contains the letters."""
    player = battle.find_division(ship).player
    words = (ship.name, ship.id, str(ship.card.get("kind", "")), ship.division, player)
    return letters.casefold() in " ".join(words).casefold()


def _build_sort_key(value: object) -> tuple[float, str]:
    """Return a sort key: lists by their length, numbers by size, and below them all other values as text."""
    if isinstance(value, tuple):
        return float(len(value)), ""
    if isinstance(value, int | float):
        return float(value), ""
    return -1.0, str(value or "")


@frozen
class Layout:
    """The columns of a pane of ship logs, with their widths.

    Attributes:
        width: Cells of the pane.
        name_width: Cells of the names.
        gap: Cells before each column.
        columns: Each shown column with its cells.
        left_out: Titles of the columns that do not fit.
        whole: True if all columns, blank ones too, and the longest name fit.
    """

    width: int
    name_width: int
    gap: int
    columns: tuple[tuple[Column, int], ...]
    left_out: tuple[str, ...] = ()
    whole: bool = True


@cache_by_signs
def lay_out_columns(
    columns: tuple[Column, ...], longest: int, width: int, blank: frozenset[str] = frozenset()
) -> Layout:
    """Choose columns by rank until one does not fit; spare width goes to the names, columns and gaps.

    Args:
        longest: Cells of the longest name of any side, so that both sides' columns are aligned.
        blank: Names of columns that are empty; these are chosen last, and leave their width to the names.
    """
    blank_width = sum(_measure_column(column) + 1 for column in columns if column.name in blank)
    # A narrow pane gives a quarter to the names, a wide one a fifth and the width of blank columns. One cell
    # of the share is the blank after a name.
    share_if_narrow = min(width // 4, 14) - 1
    share_if_wide = width // 5 - 1 + blank_width
    name_room = max(NAME_LEAST, share_if_narrow, share_if_wide)
    name_width = min(max(longest, measure_width(NAME_TITLE)), name_room, NAME_MOST)
    room_left = width - SIGN_CELLS - name_width
    shown_names: set[str] = set()
    for column in sorted(columns, key=lambda column: (column.name in blank, column.rank)):
        cells = _measure_column(column) + 1
        if cells > room_left:
            break
        shown_names.add(column.name)
        room_left -= cells
    # The width that is left goes to the names first, then to columns that can use it, then to the gaps.
    whole_name = min(longest, NAME_MOST)
    extra = max(0, min(room_left, whole_name - name_width))
    room_left -= extra
    shown_columns: list[tuple[Column, int]] = []
    for column in columns:
        if column.name in shown_names:
            least = _measure_column(column)
            growth = max(0, min(room_left, column.most - least))
            shown_columns.append((column, least + growth))
            room_left -= growth
    gap = 2 if shown_columns and room_left >= len(shown_columns) else 1
    left_out = tuple(column.title for column in columns if column.name not in shown_names)
    needed = SIGN_CELLS + whole_name + sum(_measure_column(column) + 1 for column in columns)
    return Layout(width, name_width + extra, gap, tuple(shown_columns), left_out, whole=needed <= width)


def _measure_column(column: Column) -> int:
    """Return the cells that a column needs for its title and its widest value."""
    return max(column.width, measure_width(column.title), measure_width(column.widest))


@frozen
class SidePane:
    """The pane of one side of the battle: its ships, and its place on the screen.

    Attributes:
        side: Id of the side.
        left: First cell of the pane.
        ships: Ships to show, in order.
        count: Number of all ships of the side.
        top: First line of the pane, above 0 only if the sides are stacked.
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
        """The line after the last row."""
        return self.top + HEAD_LINES + len(self.ships)


def lay_out_panes(
    system: RuleSystem,
    battle: Battle,
    arrangement: Arrangement,
    side: int,
    signs: Mapping[str, Sign],
    width: int,
    height: int = 0,
) -> tuple[SidePane, ...]:
    """Lay out two sides next to each other, or one side if the width is too small for two.

    If that leaves out a side or a column, but all rows of all sides fit the height, the sides are stacked.

    Args:
        side: Place of the side to show, or of the first of two sides.
        signs: Signs before the ships, by ship id.
        width, height: Cells and lines of the logs.
    """
    sides, ships = battle.sides, battle.ships.values()
    shows_two = width >= BOTH_FROM and len(sides) > 1
    first = min(side, len(sides) - 2) if shows_two else side
    shown_count = 2 if shows_two else 1
    shown_sides = sides[first : first + shown_count]
    longest = max((measure_width(ship.name) for ship in ships), default=NAME_LEAST)
    blank = _find_blank_columns(system, battle)

    def build_layout(pane_count: int) -> Layout:
        """Return the layout of each pane if this number of panes is next to each other."""
        # Leave the last cell free for a scroll bar.
        pane_width = (width - pane_count) // max(1, pane_count)
        return lay_out_columns(tuple(system.columns), longest, pane_width, blank)

    layout = build_layout(len(shown_sides))
    ship_counts = Counter(ship.side for ship in ships)
    arranged = {
        battle_side.id: arrangement.list_ships(system, battle, battle_side.id, signs) for battle_side in sides
    }
    stacked_lines = sum(HEAD_LINES + len(side_ships) for side_ships in arranged.values())
    is_all_shown = shown_sides == sides and layout.whole
    is_stacked = len(sides) > 1 and stacked_lines <= height and not is_all_shown
    if is_stacked:
        shown_sides = sides
        layout = build_layout(1)
    panes: list[SidePane] = []
    for battle_side in shown_sides:
        left = 0 if is_stacked else len(panes) * (layout.width + 1)
        top = panes[-1].end if is_stacked and panes else 0
        panes.append(
            SidePane(
                battle_side.id,
                battle_side.name,
                left,
                layout,
                ships=arranged[battle_side.id],
                count=ship_counts[battle_side.id],
                top=top,
            )
        )
    return tuple(panes)


def _find_blank_columns(system: RuleSystem, battle: Battle) -> frozenset[str]:
    """Return the names of the columns in which no ship has a text."""
    return frozenset(
        column.name
        for column in system.columns
        if not any(
            span.text.strip() for ship in battle.ships.values() for span in system.cell(battle, ship, column)
        )
    )


def find_panes(panes: Sequence[SidePane], y: int) -> tuple[tuple[SidePane, ...], int]:
    """Return the panes at line `y` from left to right, and the place of the line within these panes."""
    top = max((pane.top for pane in panes if pane.top <= y), default=0)
    return tuple(pane for pane in panes if pane.top == top), y - top


def find_cell(panes: Sequence[SidePane], x: int, row: int) -> tuple[SidePane, int] | None:
    """Find the pane and the column at a cell of a row, 0 for the names; None if no ship is there.

    Args:
        x: Cell from the left edge of the logs.
        row: Row below the titles.
    """
    for pane in panes:
        cell_in_pane = x - pane.left
        if 0 <= cell_in_pane < pane.layout.width and 0 <= row < len(pane.ships):
            # `edge` is the last cell of column `place`; column 0 has the names.
            edge = SIGN_CELLS + pane.layout.name_width
            for place, (_, width) in enumerate(pane.layout.columns):
                if cell_in_pane <= edge:
                    return pane, place
                edge += pane.layout.gap + width
            return pane, len(pane.layout.columns)
    return None


@frozen
class Cursor:
    """The cursor on a cell of the ships' logs.

    The ship and column under the cursor are read from the pane of its side. If that pane is None or does not
    show the cursor's ship, the cursor is on the first row.

    Attributes:
        side: Place of the side in the battle.
        column: Place of the column; 0 means the names.
        ship_by_side: Id of the cursor's ship on each side, by the side's id.
    """

    side: int = 0
    column: int = 0
    ship_by_side: Mapping[str, str] = field(factory=dict)

    def find_row(self, pane: SidePane | None) -> int:
        """Return the row of the cursor's ship; 0 if the pane does not show it."""
        ship_id = self.ship_by_side.get(pane.side) if pane else None
        ids = [ship.id for ship in pane.ships] if pane and ship_id else []
        return ids.index(ship_id) if ship_id in ids else 0

    def find_ship(self, pane: SidePane | None) -> Ship | None:
        """Return the ship under the cursor, or None."""
        return pane.ships[self.find_row(pane)] if pane and pane.ships else None

    def find_column(self, pane: SidePane | None) -> Column | None:
        """Return the column under the cursor; None on the names."""
        columns = pane.layout.columns if pane else ()
        return columns[self.column - 1][0] if 0 < self.column <= len(columns) else None

    def move_to_side(self, side: int) -> "Cursor":
        """Move to another side, to the ship where the cursor last was on that side."""
        return evolve(self, side=side)

    def move_to_column(self, column: int) -> "Cursor":
        """Move to a column of the same row."""
        return evolve(self, column=column)

    def clamp_column(self, pane: SidePane | None) -> "Cursor":
        """Move to the last column if the pane has fewer columns."""
        return evolve(self, column=min(self.column, len(pane.layout.columns))) if pane else self

    def move_to_row(self, row: int, pane: SidePane) -> "Cursor":
        """Move to a row of a pane, or the nearest row; stay if the pane has no ships."""
        if not pane.ships:
            return self
        return self.move_to_ship(pane.side, pane.ships[max(0, min(row, len(pane.ships) - 1))].id)

    def move_to_ship(self, side: str, ship: str) -> "Cursor":
        """Move to a ship of a side; the cursor returns to it whenever it comes back to that side."""
        return evolve(self, ship_by_side={**self.ship_by_side, side: ship})
