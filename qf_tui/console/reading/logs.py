"""The logs of both sides: panes, columns and cursor at a given width, and the widget that draws them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import groupby
from operator import itemgetter
from typing import ClassVar

from attrs import evolve, field, frozen
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from qf_tui.console.widgets.text import (
    CUT,
    Signs,
    cache_by_signs,
    cut,
    cut_cells,
    fit,
    join_parts,
    measure_width,
)
from qf_tui.core.decisions import find_field_value
from qf_tui.core.grammar.names import list_candidates, list_named_ships
from qf_tui.core.system import Column, RuleSystem, Span
from qf_tui.core.values import SUNK, Battle, Ship

OWES, WAITS, CHANGED = "?", "•", "*"
"""Signs before a ship's name: it owes a roll; it may act, in a way without a letter; an entry changed it."""
NAMES = "name"
"""Name of the column of names, which no rule system declares."""
UP, DOWN = "▲", "▼"
NAME_LEAST, NAME_MOST = 10, 26
"""Least and most cells of a name."""
SIGNS = 4
"""Cells before the name, for the ship's signs and the mark of the cursor's row."""
BOTH_FROM = 110
"""Screen width in cells from which two sides are next to each other."""
HEAD = 2
"""Lines above the rows of a pane: the side's name, the columns' titles."""
SPARE = 3
"""Spare lines below stacked sides, so that a longer preview does not change their arrangement."""
LAST = 999
"""Column number beyond all columns; `Cursor.within` makes it the last one."""


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
        """The signs as text."""
        act_sign = self.letters or WAITS if self.acts else ""
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
        may: With `Show.MAY_ACT`, letter of the only action that counts; "" for all.
    """

    column: str = ""
    least_first: bool = False
    show: Show = Show.ALL
    letters: str = ""
    may: str = ""

    @property
    def text(self) -> str:
        """The choice of ships as text; "" if all are shown."""
        parts = [f"{self.show.value} {self.may}".rstrip()] if self.show.value else []
        return ", ".join([*parts, f"“{self.letters}”"] if self.letters else parts)

    @property
    def sign(self) -> str:
        """The sign for the direction of the order."""
        return UP if self.least_first else DOWN

    def sort_by(self, column: Column | None) -> "Arrangement":
        """Return the arrangement sorted by a column; None means the names.

        The same column again reverses the order; a third time restores the order of the fleet.
        """
        name, starts_ascending = (column.name, False) if column else (NAMES, True)
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
        choices += [(Show.MAY_ACT, letter) for letter in letters if len(letters) > 1]
        current = (self.show, self.may)
        at = choices.index(current) if current in choices else choices.index((self.show, ""))
        show, may = choices[(at + 1) % len(choices)]
        return evolve(self, show=show, may=may)

    def list_ships(
        self, system: RuleSystem, battle: Battle, side: str, signs: Mapping[str, Sign]
    ) -> tuple[Ship, ...]:
        """List a side's ships to show, in order; sunk ships come last."""
        shown = [
            ship
            for ship in battle.ships.values()
            if ship.side == side
            and (self.show is Show.ALL or self._is_shown(system, ship, signs))
            and (not self.letters or is_match(battle, ship, self.letters))
        ]
        if self.column == NAMES:
            shown.sort(key=lambda ship: ship.name.casefold(), reverse=not self.least_first)
        elif self.column:
            fields = next((column.fields for column in system.columns if column.name == self.column), ())
            shown.sort(
                key=lambda ship: [_build_sort_key(find_field_value(ship, name)) for name in fields],
                reverse=not self.least_first,
            )
        afloat: list[Ship] = []
        sunk: list[Ship] = []
        for ship in shown:
            (sunk if ship.status == SUNK else afloat).append(ship)
        return *afloat, *sunk

    def _is_shown(self, system: RuleSystem, ship: Ship, signs: Mapping[str, Sign]) -> bool:
        """Return whether a choice other than all ships shows this ship."""
        if self.show is Show.PRESENT:
            return not system.has_departed(ship)
        sign = signs.get(ship.id, NO_SIGN)
        if self.show is Show.OWE:
            return sign.owes
        return self.may in sign.letters if self.may else sign.acts


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
    """The columns of a pane.

    Attributes:
        width: Cells of the pane.
        name: Cells of the names.
        gap: Cells before each column.
        columns: Each shown column with its cells.
        left_out: Titles of the columns that do not fit.
        whole: True if all columns, blank ones too, and the longest name fit.
    """

    width: int
    name: int
    gap: int
    columns: tuple[tuple[Column, int], ...]
    left_out: tuple[str, ...] = ()
    whole: bool = True


@cache_by_signs
def lay_out_columns(
    columns: tuple[Column, ...], longest: int, width: int, blank: frozenset[str] = frozenset()
) -> Layout:
    """Choose the columns that fit by their rank; spare width goes to the names, columns and gaps.

    Args:
        columns: All columns.
        longest: Cells of the longest name of any side, so that both sides' columns are aligned.
        width: Cells of the pane.
        blank: Names of columns that are empty; these come last, and leave their width to the names.
    """
    spare = sum(_measure_column(column) + 1 for column in columns if column.name in blank)
    name = min(max(longest, 4), max(NAME_LEAST, min(width // 4, 14) - 1, width // 5 - 1 + spare), NAME_MOST)
    room_left = width - SIGNS - name
    shown_names: set[str] = set()
    for column in sorted(columns, key=lambda column: (column.name in blank, column.rank)):
        if _measure_column(column) + 1 > room_left:
            break
        shown_names.add(column.name)
        room_left -= _measure_column(column) + 1
    extra = max(0, min(room_left, min(longest, NAME_MOST) - name))
    room_left -= extra
    widths = {column.name: _measure_column(column) for column in columns if column.name in shown_names}
    for column in columns:
        grown = max(0, min(room_left, column.most - widths[column.name])) if column.name in shown_names else 0
        if grown:
            widths[column.name] += grown
            room_left -= grown
    shown = tuple((column, widths[column.name]) for column in columns if column.name in shown_names)
    gap = 2 if shown and room_left >= len(shown) else 1
    left_out = tuple(column.title for column in columns if column.name not in shown_names)
    needed = SIGNS + min(longest, NAME_MOST) + sum(_measure_column(column) + 1 for column in columns)
    return Layout(width, name + extra, gap, shown, left_out, needed <= width)


def _measure_column(column: Column) -> int:
    """Return the cells that a column needs for its title and its widest value."""
    return max(column.width, measure_width(column.title), measure_width(column.widest))


@frozen
class SidePane:
    """One side as it is drawn.

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
        return self.top + HEAD + len(self.ships)


def lay_out_panes(
    system: RuleSystem,
    battle: Battle,
    arrangement: Arrangement,
    side: int,
    signs: Mapping[str, Sign],
    width: int,
    height: int = 0,
) -> tuple[SidePane, ...]:
    """Lay out the sides next to each other, or one side if the width is too small for two.

    Sides are stacked instead if all their rows fit the height, unless all sides with all columns fit next to
    each other.

    Args:
        side: Place of the side to show, or of the first of two sides.
        signs: Signs before the ships, by ship id.
        width: Cells of the logs.
        height: Lines of the logs.
    """
    sides, ships = battle.sides, battle.ships.values()
    both = width >= BOTH_FROM and len(sides) > 1
    first = min(side, len(sides) - 2) if both else side
    shown_sides = sides[first : first + 2] if both else sides[first : first + 1]
    longest = max((measure_width(ship.name) for ship in ships), default=NAME_LEAST)
    blank = frozenset(
        column.name
        for column in system.columns
        if not any(span.text.strip() for ship in ships for span in system.cell(battle, ship, column))
    )

    def build_layout(pane_count: int) -> Layout:
        """Lay out one of `many` panes next to each other."""
        # Leave the last cell free for a scroll bar.
        return lay_out_columns(
            tuple(system.columns), longest, (width - pane_count) // max(1, pane_count), blank
        )

    layout, ship_counts = build_layout(len(shown_sides)), Counter(ship.side for ship in ships)
    arranged = {one.id: arrangement.list_ships(system, battle, one.id, signs) for one in sides}
    lines = sum(HEAD + len(side_ships) for side_ships in arranged.values())
    stacked = len(sides) > 1 and lines <= height and not (shown_sides == sides and layout.whole)
    if stacked:
        shown_sides, layout = sides, build_layout(1)
    panes: list[SidePane] = []
    for battle_side in shown_sides:
        left = 0 if stacked else len(panes) * (layout.width + 1)
        top = panes[-1].end if stacked and panes else 0
        panes.append(
            SidePane(
                battle_side.id,
                battle_side.name,
                left,
                layout,
                arranged[battle_side.id],
                ship_counts[battle_side.id],
                top,
            )
        )
    return tuple(panes)


def find_panes(panes: Sequence[SidePane], y: int) -> tuple[tuple[SidePane, ...], int]:
    """Return the panes at line `y` from left to right, and the number of that line within them."""
    top = max((pane.top for pane in panes if pane.top <= y), default=0)
    return tuple(pane for pane in panes if pane.top == top), y - top


def find_cell(panes: Sequence[SidePane], x: int, row: int) -> tuple[SidePane, int] | None:
    """Find the pane and the column at a cell of a row; column 0 means the names.

    Args:
        x: Cell from the left edge of the logs.
        row: Row below the titles.

    Returns:
        None if no ship is at that cell.
    """
    for pane in panes:
        cell_in_pane = x - pane.left
        if 0 <= cell_in_pane < pane.layout.width and 0 <= row < len(pane.ships):
            edge = SIGNS + pane.layout.name
            for place, (_, width) in enumerate(pane.layout.columns):
                if cell_in_pane <= edge:
                    return pane, place
                edge += pane.layout.gap + width
            return pane, len(pane.layout.columns)
    return None


@frozen
class Cursor:
    """A cell of the logs.

    The ship and column under the cursor are read from the pane of its side. If that pane is None or does not
    show the cursor's ship, the cursor is on the first row.

    Attributes:
        side: Place of the side in the battle.
        column: Place of the column; 0 means the names.
        at: Id of the cursor's ship on each side, by the side's id.
    """

    side: int = 0
    column: int = 0
    at: Mapping[str, str] = field(factory=dict)

    def find_row(self, pane: SidePane | None) -> int:
        """Return the row of the cursor's ship."""
        ship_id = self.at.get(pane.side) if pane else None
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
        return evolve(self, at={**self.at, side: ship})


TONES = ("slash", "cross", "repaired", "alert", "dim")
LOOKS = ("side", "title", "row", "cell", "gone")
WANTED = "letters of a name, a kind, a division or a player"
NAMES_LEAST = 20

RowKey = tuple[str, int]
"""The id of a side, and a row."""
Cells = dict[tuple[str, int, Style], list[tuple[str, Style]]]
"""The drawn cells of a ship, by column, width and style."""
Look = Callable[[str], Style]
"""Function that returns the style of a tone or look by its name; "" means plain."""


@frozen
class RowSource:
    """All values that a row is drawn from: equal sources give equal rows.

    Attributes:
        facts: Values that the cells depend on.
        frame: Values that the rest of the row depends on: columns, cursor, signs.
        cells: Cache of the cells drawn from these facts.
    """

    facts: tuple[object, ...]
    frame: tuple[object, ...]
    cells: Cells


class Grid(ScrollView, can_focus=False):
    """Both sides' logs, with a cursor on a cell."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"grid--{part}" for part in (*TONES, *LOOKS))}

    class Moved(Message):
        """Posted when the cursor is on another cell."""

    class Chosen(Message):
        """Posted when the cell under the cursor is clicked again."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system = system
        self.battle = battle
        self.cursor = Cursor()
        self.arrangement = Arrangement()
        self.panes: tuple[SidePane, ...] = ()
        # The panes without ships, each with its ships' ids and whether they have left the battle.
        self._places: list[tuple[object, ...]] = []
        self._laid_out_size = (0, 0)
        # Cache of drawn rows with their sources, and number of rows drawn so far.
        self.rows: dict[RowKey, tuple[RowSource, Strip]] = {}
        self.drawn = 0
        self.signs: Mapping[str, Sign] = {}
        self._looks: dict[str, Style] = {}

    @property
    def pane(self) -> SidePane | None:
        """The pane with the cursor; None if it is not on the screen."""
        cursor_side = self.battle.sides[self.cursor.side].id if self.battle.sides else ""
        return next((pane for pane in self.panes if pane.side == cursor_side), None)

    @property
    def row(self) -> int:
        """The row with the cursor."""
        return self.cursor.find_row(self.pane)

    @property
    def ship(self) -> Ship | None:
        """The ship under the cursor, or None."""
        return self.cursor.find_ship(self.pane)

    @property
    def cursor_column(self) -> Column | None:
        """The column under the cursor; None on the names."""
        return self.cursor.find_column(self.pane)

    def show(self, battle: Battle, signs: Mapping[str, Sign]) -> None:
        """Show a battle, and redraw only the rows that differ; `signs` are by ship id."""
        self.battle, self.signs = battle, signs
        width, height = self._laid_out_size = self._room
        at = self.cursor.side, self.signs, width or 80, height
        self.panes = panes = lay_out_panes(self.system, self.battle, self.arrangement, *at)
        self.virtual_size = Size(width, max((pane.end for pane in panes), default=HEAD))
        self.cursor = self.cursor.clamp_column(self.pane)
        earlier_places, self._places = self._places, []
        for pane in panes:
            ships = [(ship.id, self.system.has_departed(ship)) for ship in pane.ships]
            self._places.append((evolve(pane, ships=()), ships))
        if self._places != earlier_places:
            self.refresh()
        else:
            # Refresh only the rows whose source has changed.
            cursor_pane, cursor_row = self.pane, self.row
            for pane in panes:
                for row in range(len(pane.ships)):
                    if self._find_source(pane, row, pane is cursor_pane and row == cursor_row) is not None:
                        self.refresh_row(row)
        self._reveal()

    def rearrange(self, arrangement: Arrangement) -> None:
        """Apply another arrangement; the cursor stays on its ship if that is shown."""
        self.arrangement = arrangement
        # The lines above the rows change even if every ship keeps its row.
        self.refresh()
        self.show(self.battle, self.signs)
        self._handle_move(self.row)

    @property
    def _room(self) -> tuple[int, int]:
        """The width and height that the panes are laid out for."""
        return self.scrollable_content_region.width, self.size.height

    def count_lines(self, width: int, most: int) -> int:
        """Count the lines that the logs need in a width; sides below each other also get spare lines.

        Args:
            most: Most lines that the logs can have.
        """
        at = self.cursor.side, self.signs, width, most
        panes = lay_out_panes(self.system, self.battle, self.arrangement, *at)
        last = max((pane.end for pane in panes), default=HEAD)
        return min(most, last + SPARE) if any(pane.top for pane in panes) else last

    def on_resize(self) -> None:
        """Lay out the panes again if the size has changed; the cursor stays visible."""
        if self._room != self._laid_out_size:
            self.show(self.battle, self.signs)
        else:
            self._reveal()

    def refresh_row(self, row: int) -> None:
        """Redraw the row with this number in all panes, if it is on the screen."""
        y = row + HEAD - self.scroll_offset.y
        for top in {pane.top for pane in self.panes}:
            if HEAD <= y < self.size.height - top:
                self.refresh(Region(0, top + y, self.size.width, 1))

    def _find_source(self, pane: SidePane, row: int, has_cursor: bool) -> RowSource | None:
        """Return what a row must be redrawn from, with its cells that are still valid.

        Args:
            has_cursor: True if the cursor is in the row.

        Returns:
            None if the row need not be redrawn: it was drawn from the same values.
        """
        ship, battle = pane.ships[row], self.battle
        facts = (*self.system.list_shown_values(battle, ship), self.app.theme, Signs.ascii)
        column = self.cursor.column if has_cursor else -1
        frame = pane.layout, column, self.signs.get(ship.id, NO_SIGN)
        drawn = self.rows.get((pane.side, row))
        if drawn is None or any(
            was is not now and (isinstance(was, Ship) or was != now)
            for was, now in zip(drawn[0].facts, facts, strict=True)
        ):
            return RowSource(facts, frame, {})
        return None if drawn[0].frame == frame else RowSource(facts, frame, drawn[0].cells)

    def render_line(self, y: int) -> Strip:
        """Render a line of the logs: the same line of each pane there, next to each other."""
        plain = self.find_style("")
        panes, y = find_panes(self.panes, y)
        parts: list[Strip] = []
        row = y - HEAD + self.scroll_offset.y
        for pane in panes:
            parts += [Strip([Segment(" ", plain)])] if parts else []
            if y < HEAD:
                line = self._draw_title_line(pane) if y else self._draw_side_line(pane)
            elif row >= len(pane.ships):
                line = Strip.blank(pane.layout.width, plain)
            else:
                changed = self._find_source(pane, row, pane is self.pane and row == self.row)
                if changed is not None:
                    self.rows[pane.side, row] = changed, self._draw_row(pane, row, changed.cells)
                    self.drawn += 1
                line = self.rows[pane.side, row][1]
            parts.append(line.adjust_cell_length(pane.layout.width, plain))
        return Strip.join(parts).adjust_cell_length(self.size.width, plain)

    def _draw_side_line(self, pane: SidePane) -> Strip:
        """Draw the line above a pane: the side's name, its numbers of ships, and the number of hidden sides.

        At its end are the titles, or the number, of the columns that do not fit.
        """
        width, shown_only = pane.layout.width, self.arrangement.text
        hidden = len(self.battle.sides) - len(self.panes)
        more = f" (x: {hidden} more side{'s' if hidden > 1 else ''})" if hidden else ""
        present = sum(not self.system.has_departed(ship) for ship in pane.ships)
        counted = f"{present} of {pane.count} in the battle"
        if shown_only or len(pane.ships) < pane.count:
            counted = f"{len(pane.ships)} of {pane.count} shown: {shown_only}"
        name = cut(pane.title, max(8, width - measure_width(counted) - 6 - len(more)))
        text = cut(f" {name}  {counted}{more} ", width)
        room, titles = width - measure_width(text), pane.layout.left_out
        notes = (f" {CUT} {', '.join(titles)}", f" {CUT} {len(titles)} more", f" {CUT}") if titles else ()
        left_out = next((note for note in notes if measure_width(note) < room), "")
        rule = "─" * (room - measure_width(left_out))
        return Strip(
            [Segment(text, self.find_style("side")), Segment(f"{rule}{left_out}", self.find_style("title"))]
        )

    def _draw_title_line(self, pane: SidePane) -> Strip:
        """Draw the columns' titles, with a sign on the column that sorts the ships."""
        layout, arrangement, quiet = pane.layout, self.arrangement, self.find_style("title")
        titles = [(NAMES, "ship", layout.name, False)]
        titles += [(column.name, column.title, width, column.right) for column, width in layout.columns]
        segments = [Segment(" " * (SIGNS - layout.gap), quiet)]
        for name, text, width, right in titles:
            segments.append(Segment(" " * layout.gap, quiet))
            if name == arrangement.column:
                shown = f"{cut(text, width - 1)}{arrangement.sign}"
                segments.append(Segment(fit(shown, width, right), self.find_style("side")))
            else:
                segments.append(Segment(fit(text, width, right), quiet))
        return Strip(segments).simplify()

    def _draw_row(self, pane: SidePane, row: int, cells: Cells) -> Strip:
        """Draw a ship's row, reusing the cells in `cells` and adding new ones to it."""
        ship, layout, look = pane.ships[row], pane.layout, self.find_style
        has_cursor = pane is self.pane and row == self.row
        cursor = self.cursor.column if has_cursor else -1
        sign = self.signs.get(ship.id, NO_SIGN)
        has_departed = ship.status in self.system.departure_statuses
        base = look("gone" if has_departed else "row" if has_cursor else "")
        parts: list[tuple[str, Style]] = [
            (fit(sign.text, SIGNS - 1), base + look("alert") if sign.owes else base),
            ("▸" if has_cursor else " ", base),
            (fit(ship.name, layout.name), base + look("cell") if cursor == 0 else base),
        ]
        used = SIGNS + layout.name
        for place, (column, width) in enumerate(layout.columns, start=1):
            style = base + look("cell") if cursor == place else base
            cell = column.name, width, style
            if cell not in cells:
                spans = self.system.cell(self.battle, ship, column)
                cells[cell] = fit_cell(spans, width, column.right, style, look)
            parts.append((" " * layout.gap, base))
            parts += cells[cell]
            used += layout.gap + width
        parts.append((" " * max(0, layout.width - used), base))
        # Equal styles are the same object, so joining runs of cells takes a third of the time.
        runs = groupby(parts, itemgetter(1))
        segments = [Segment("".join([text for text, _ in run]), style) for style, run in runs]
        return Strip(segments, max(used, layout.width))

    def find_style(self, name: str) -> Style:
        """Return the style of a tone or look by its name."""
        if not self._looks:
            parts = ((part, part in TONES or part == "cell") for part in (*TONES, *LOOKS))
            self._looks = {
                part: self.get_component_rich_style(f"grid--{part}", partial=partial)
                for part, partial in parts
            }
            self._looks[""] = self.rich_style
        return self._looks[name]

    def notify_style_update(self) -> None:
        """Read the styles again, since the theme has changed."""
        super().notify_style_update()
        self._looks = {}

    def move(self, cursor: Cursor) -> None:
        """Move the cursor; if its side is not on the screen, lay the sides out so that it is."""
        old_row = self.row
        self.cursor = cursor
        if self.pane is None:
            self.show(self.battle, self.signs)
        self.cursor = cursor.clamp_column(self.pane)
        self._handle_move(old_row)

    def _handle_move(self, old_row: int) -> None:
        """Scroll to the cursor, redraw its old and new row, and post `Moved`.

        Args:
            old_row: Row where the cursor was.
        """
        self._reveal()
        self.refresh_row(old_row)
        self.refresh_row(self.row)
        self.post_message(self.Moved())

    def go_to_ship(self, ship: str, start: Cursor | None = None) -> None:
        """Put the cursor on a ship, if it is in the battle.

        Args:
            start: Cursor to move from, such as that before a search; None for the present one.
        """
        side = self.battle.ships[ship].side if ship in self.battle.ships else ""
        sides = [side.id for side in self.battle.sides]
        if side in sides:
            self.move((start or self.cursor).move_to_side(sides.index(side)).move_to_ship(side, ship))

    def go_to_next(self, division: str | None = None) -> bool:
        """Put the cursor on the next ship with a sign; return whether there is one.

        Ships on the screen come before others.

        Args:
            division: Division of the cursor's side whose ships count; None for all ships.
        """
        ships, cursor_ship = self.battle.ships, self.ship
        shown = (ship.id for pane in self.panes for ship in pane.ships)
        order = [id for id in dict.fromkeys((*shown, *ships)) if id in ships]
        if division is not None and cursor_ship is not None:
            division_key = cursor_ship.side, division
            order = [id for id in order if (ships[id].side, ships[id].division) == division_key]
        at = order.index(cursor_ship.id) + 1 if cursor_ship is not None and cursor_ship.id in order else 0
        next_id = next((id for id in (*order[at:], *order[:at]) if id in self.signs), "")
        if next_id:
            self.go_to_ship(next_id)
        return bool(next_id)

    def _reveal(self) -> None:
        """Scroll until the cursor's row is visible, and a third of a page beyond it.

        With that margin most cursor keys do not scroll.
        """
        visible_rows = max(1, self.size.height - HEAD)
        top, row, margin = self.scroll_offset.y, self.row, visible_rows // 3
        if not top <= row < top + visible_rows:
            new_top = row - margin if row < top else row - visible_rows + 1 + margin
            self.scroll_to(y=max(0, new_top), animate=False, force=True, immediate=True)

    def action_step(self, by: int) -> None:
        """Move the cursor some rows down, at most to the last or the first row."""
        if self.pane is not None and self.pane.ships:
            self.move(self.cursor.move_to_row(self.row + by, self.pane))

    def action_page(self, by: int) -> None:
        """Move the cursor some pages down."""
        self.action_step(by * max(1, self.size.height - HEAD))

    def action_home(self) -> None:
        self.action_step(-self.row)

    def action_end(self) -> None:
        self.action_step(len(self.pane.ships) if self.pane else 0)

    def action_left(self) -> None:
        """Move to the column to the left; from the names to the last column of the side before."""
        column = self.cursor.column
        self.move(
            self.cursor.move_to_column(column - 1)
            if column
            else self._find_side_cursor(-1).move_to_column(LAST)
        )

    def action_right(self) -> None:
        """Move to the column to the right; from the last one to the names of the next side."""
        next_cursor = self.cursor.move_to_column(self.cursor.column + 1)
        is_past_last = next_cursor.clamp_column(self.pane) != next_cursor
        self.move(self._find_side_cursor(1).move_to_column(0) if is_past_last else next_cursor)

    def action_other_side(self) -> None:
        self.move(self._find_side_cursor(1))

    def _find_side_cursor(self, by: int) -> Cursor:
        """Return the cursor on the side `by` places on, around the ends."""
        return self.cursor.move_to_side((self.cursor.side + by) % max(1, len(self.battle.sides)))

    def action_sort(self) -> None:
        """Sort the ships by the column under the cursor, reverse that order, or undo it."""
        self.rearrange(self.arrangement.sort_by(self.cursor_column))

    def action_show_only(self) -> None:
        """Show the next choice of ships, such as those that may act."""
        self.rearrange(self.arrangement.cycle_show(self.signs.values()))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the clicked cell.

        A second click chooses the cell; a click on a title sorts by that column.
        """
        self.screen.set_focus(self if self.can_focus else None)
        panes, y = find_panes(self.panes, event.y)
        title = y == HEAD - 1
        row = 0 if title else y - HEAD + self.scroll_offset.y
        cell = find_cell(panes, event.x, row) if y >= HEAD - 1 else None
        if cell is None:
            return
        pane, column = cell
        side = [side.id for side in self.battle.sides].index(pane.side)
        if title:
            self.move(self.cursor.move_to_side(side).move_to_column(column))
            self.action_sort()
            return
        old_cell = self.cursor.side, self.row, self.cursor.column
        self.move(self.cursor.move_to_side(side).move_to_row(row, pane).move_to_column(column))
        if old_cell == (self.cursor.side, self.row, self.cursor.column):
            self.post_message(self.Chosen())


class ShipSearch:
    """A search for a ship by the letters typed so far.

    Attributes:
        letters: Letters typed so far.
        ended: True after the key that ends the search.
        say: Shows the search in a line.
    """

    def __init__(self, grid: Grid, say: Callable[[str], None]) -> None:
        self.grid, self.say = grid, say
        self.letters = ""
        self.ended = False
        self._began = grid.cursor
        self._show()

    def add_letter(self, letter: str) -> None:
        """Add a letter."""
        self.letters += letter
        self._go_to_match()

    @property
    def matches(self) -> tuple[str, ...]:
        """The ids of the ships that the letters may mean, likeliest first."""
        battle = self.grid.battle
        if not self.letters.strip():
            return ()
        ships = list_named_ships(battle.ships.values())
        by_name = (candidate.text for candidate in list_candidates(self.letters, ships))
        by_any_word = (ship.id for ship in battle.ships.values() if is_match(battle, ship, self.letters))
        return tuple(dict.fromkeys((*by_name, *by_any_word)))

    def _go_to_match(self) -> None:
        """Put the cursor on the likeliest ship, if there is one, and show the search."""
        matches = self.matches
        if matches:
            self.grid.go_to_ship(matches[0], self._began)
        self._show()

    def go_to_next(self) -> None:
        """Put the cursor on the next ship that matches."""
        matches, here = self.matches, self.grid.ship
        if matches:
            place = matches.index(here.id) + 1 if here and here.id in matches else 0
            self.grid.go_to_ship(matches[place % len(matches)], self._began)

    def shorten(self) -> None:
        """Delete the last letter."""
        self.letters = self.letters[:-1]
        self._go_to_match()

    def end(self) -> None:
        """End the search; the cursor stays on the ship."""
        self.ended = True
        self.say("")

    def show_only(self) -> None:
        """Show only the ships that match, and end the search."""
        if self.matches:
            self.grid.rearrange(evolve(self.grid.arrangement, letters=self.letters.strip()))
        self.end()

    def go_back(self) -> None:
        """Put the cursor back to where it was before the search, and end the search."""
        self.grid.move(self._began)
        self.end()

    def _show(self) -> None:
        """Show the letters and the ships that match, or what can be typed."""
        ships = self.grid.battle.ships
        room = max(NAMES_LEAST, self.grid.app.size.width - 14 - len(self.letters))
        names = join_parts((ships[id].name for id in self.matches), room) if self.letters else WANTED
        self.say(f"go to: {self.letters}▏ {names or 'no such ship'}")


SEARCH_ACTIONS: Mapping[str, Callable[[ShipSearch], None]] = {
    "take": ShipSearch.end,
    "only": ShipSearch.show_only,
    "back": ShipSearch.go_back,
    "next": ShipSearch.go_to_next,
    "shorten": ShipSearch.shorten,
}
"""The effect of each key during a search, by its word in the table of actions."""


def fit_cell(
    spans: Sequence[Span], width: int, right: bool, base: Style, look: Look
) -> list[tuple[str, Style]]:
    """Fit the spans of a cell to its exact width, each with its style.

    If they are too wide, dim spans are left out; if that is not enough, all are cut with a sign.
    """
    if measure_width("".join(span.text for span in spans).rstrip()) > width:
        bright = [span for span in spans if span.tone != "dim"]
        fits = measure_width("".join(span.text for span in bright).rstrip()) <= width
        spans = bright if bright and fits else _shorten_spans(spans, width)
    room_left = width
    parts: list[tuple[str, Style]] = []
    for span in spans:
        text = cut_cells(span.text, room_left)
        parts.append((text, base + look(span.tone) if span.tone in TONES else base))
        room_left -= measure_width(text)
    blank = " " * room_left, base
    return [blank, *parts] if right else [*parts, blank]


def _shorten_spans(spans: Iterable[Span], width: int) -> list[Span]:
    """Cut spans to a width, with a sign at the end."""
    room_left, shortened = width - 1, []
    for span in spans:
        text = cut_cells(span.text, room_left)
        shortened.append(Span(text, span.tone))
        room_left -= measure_width(text)
        if room_left <= 0:
            break
    return [*shortened, Span(CUT)]
