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

from qf_tui.console.widgets.text import CUT, Signs, cut, first_cells, fit, listed, remembered, width_of
from qf_tui.core.decisions import find_field_value
from qf_tui.core.grammar.names import list_candidates, list_named_ships
from qf_tui.core.system import Column, RuleSystem, Span
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
SPARE = 3
"""Lines below sides that stand one above the other: a longer preview does not put them beside each other."""
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
                key=lambda ship: [_measured(find_field_value(ship, name)) for name in fields],
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
    player = battle.find_division(ship).player
    words = (ship.name, ship.id, str(ship.card.get("kind", "")), ship.division, player)
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

    `left_out` are the titles of those that have no room. `whole`: there is room for all columns, blank ones
    too, and for the longest name.
    """

    width: int
    name: int
    gap: int
    columns: tuple[tuple[Column, int], ...]
    left_out: tuple[str, ...] = ()
    whole: bool = True


@remembered
def laid_out(
    columns: tuple[Column, ...], longest: int, width: int, blank: frozenset[str] = frozenset()
) -> Layout:
    """The columns that fit, those of low rank first; room left over goes to the names, columns and gaps.

    `longest` is the width of the longest name on any side, so that both sides' columns are aligned. Columns
    that are `blank` come last, and leave their room to the names.
    """
    spare = sum(_needs(column) + 1 for column in columns if column.name in blank)
    name = min(max(longest, 4), max(NAME_LEAST, min(width // 4, 14) - 1, width // 5 - 1 + spare), NAME_MOST)
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
    needed = SIGNS + min(longest, NAME_MOST) + sum(_needs(column) + 1 for column in columns)
    return Layout(width, name + more, gap, shown, left_out, needed <= width)


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


def panes_of(
    system: RuleSystem,
    battle: Battle,
    arrangement: Arrangement,
    side: int,
    signs: Mapping[str, Sign],
    width: int,
    height: int = 0,
) -> tuple[SidePane, ...]:
    """Lay out the sides in a width, or the side at that place; `signs` go before ships by their ids.

    Sides that lack room beside each other stand one above the other, if all their rows fit the height.
    """
    sides, ships = battle.sides, battle.ships.values()
    both = width >= BOTH_FROM and len(sides) > 1
    first = min(side, len(sides) - 2) if both else side
    shown = sides[first : first + 2] if both else sides[first : first + 1]
    longest = max((width_of(ship.name) for ship in ships), default=NAME_LEAST)
    blank = frozenset(
        column.name
        for column in system.columns
        if not any(span.text.strip() for ship in ships for span in system.cell(battle, ship, column))
    )

    def layout_for(many: int) -> Layout:
        """Lay out each of so many panes beside each other."""
        # The last cell stays free: a scroll bar follows it.
        return laid_out(tuple(system.columns), longest, (width - many) // max(1, many), blank)

    layout, counts = layout_for(len(shown)), Counter(ship.side for ship in ships)
    arranged = {one.id: arrangement.ships(system, battle, one.id, signs) for one in sides}
    lines = sum(HEAD + len(own) for own in arranged.values())
    stacked = len(sides) > 1 and lines <= height and not (shown == sides and layout.whole)
    if stacked:
        shown, layout = sides, layout_for(1)
    panes: list[SidePane] = []
    for one in shown:
        left = 0 if stacked else len(panes) * (layout.width + 1)
        top = panes[-1].end if stacked and panes else 0
        panes.append(SidePane(one.id, one.name, left, layout, arranged[one.id], counts[one.id], top))
    return tuple(panes)


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


TONES = ("slash", "cross", "repaired", "alert", "dim")
LOOKS = ("side", "title", "row", "cell", "gone")
WANTED = "letters of a name, a kind, a division or a player"
NAMES_LEAST = 20

RowKey = tuple[str, int]
"""A side by its id, and a row."""
Cells = dict[tuple[str, int, Style], list[tuple[str, Style]]]
"""Drawn cells of a ship, by column, width and style."""
Look = Callable[[str], Style]
"""The style of a part by its name: one of the tones or looks, or "" for plain."""


@frozen
class RowSource:
    """All that a row is drawn from: if it is the same, so is the picture.

    With the same `facts` its cells are the same, however they stand in the `frame`.
    """

    facts: tuple[object, ...]
    frame: tuple[object, ...]
    cells: Cells


class Grid(ScrollView, can_focus=False):
    """Both sides' logs, with a cursor on a cell."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"grid--{part}" for part in (*TONES, *LOOKS))}

    class Moved(Message):
        """The cursor is on another cell."""

    class Chosen(Message):
        """The cell under the cursor was clicked again."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system = system
        self.battle = battle
        self.cursor = Cursor()
        self.arrangement = Arrangement()
        self.panes: tuple[SidePane, ...] = ()
        # All of the panes but the values of their ships, with how many of those are in the battle.
        self._places: list[tuple[object, ...]] = []
        self._made_for = (0, 0)
        # Each row as it was drawn, with all that it was drawn from; how many were drawn.
        self.rows: dict[RowKey, tuple[RowSource, Strip]] = {}
        self.drawn = 0
        self.signs: Mapping[str, Sign] = {}
        self._looks: dict[str, Style] = {}
        self._drawn_with = [column.beside for column in system.columns if column.beside]

    @property
    def pane(self) -> SidePane | None:
        """The pane with the cursor."""
        wanted = self.battle.sides[self.cursor.side].id if self.battle.sides else ""
        return next((pane for pane in self.panes if pane.side == wanted), None)

    @property
    def row(self) -> int:
        """The row with the cursor."""
        return self.cursor.row(self.pane)

    @property
    def ship(self) -> Ship | None:
        """The ship under the cursor."""
        return self.cursor.ship(self.pane)

    @property
    def under(self) -> Column | None:
        """The column under the cursor; None on the names."""
        return self.cursor.under(self.pane)

    def show(self, battle: Battle, signs: Mapping[str, Sign]) -> None:
        """Draws what differs in another battle; `signs` go before ships by their ids."""
        self.battle, self.signs = battle, signs
        width, height = self._made_for = self._room
        at = self.cursor.side, self.signs, width or 80, height
        self.panes = panes = panes_of(self.system, self.battle, self.arrangement, *at)
        self.virtual_size = Size(width, max((pane.end for pane in panes), default=HEAD))
        self.cursor = self.cursor.within(self.pane)
        was, self._places = self._places, []
        for pane in panes:
            ships = [(ship.id, self.system.departed(ship)) for ship in pane.ships]
            self._places.append((evolve(pane, ships=()), ships))
        if self._places != was:
            self.refresh()
        else:
            # Only those rows are asked for again that are drawn from something else now.
            own, here = self.pane, self.row
            for pane in panes:
                for row in range(len(pane.ships)):
                    if self._changed(pane, row, pane is own and row == here) is not None:
                        self.refresh_row(row)
        self._reveal()

    def rearrange(self, arrangement: Arrangement) -> None:
        """Shows other ships, or the same in another order; the cursor stays on its ship if that is shown."""
        self.arrangement = arrangement
        # The lines above the rows say it, even where every ship keeps its place.
        self.refresh()
        self.show(self.battle, self.signs)
        self._moved(self.row)

    @property
    def _room(self) -> tuple[int, int]:
        """The width and height that panes are made for."""
        return self.scrollable_content_region.width, self.size.height

    def lines_for(self, width: int, most: int) -> int:
        """Count the lines that the logs need in a width; sides one above the other get some to spare."""
        at = self.cursor.side, self.signs, width, most
        panes = panes_of(self.system, self.battle, self.arrangement, *at)
        last = max((pane.end for pane in panes), default=HEAD)
        return min(most, last + SPARE) if any(pane.top for pane in panes) else last

    def on_resize(self) -> None:
        if self._room != self._made_for:
            self.show(self.battle, self.signs)
        else:
            self._reveal()

    def refresh_row(self, row: int) -> None:
        """Asks for one row again."""
        y = row + HEAD - self.scroll_offset.y
        for top in {pane.top for pane in self.panes}:
            if HEAD <= y < self.size.height - top:
                self.refresh(Region(0, top + y, self.size.width, 1))

    def _changed(self, pane: SidePane, row: int, here: bool) -> RowSource | None:
        """What a row is to be drawn from, with cells that stay; None if it was drawn from the very same."""
        ship, battle = pane.ships[row], self.battle
        state = battle.phase, battle.turn, battle.options, battle.table, self.app.theme, Signs.ascii
        beside = (each(battle, ship) for each in self._drawn_with)
        facts = (ship, battle.start.ships.get(ship.id), *state, *beside)
        column = self.cursor.column if here else -1
        frame = pane.layout, column, self.signs.get(ship.id, NO_SIGN)
        known = self.rows.get((pane.side, row))
        if known is None or any(
            was is not now and (isinstance(was, Ship) or was != now)
            for was, now in zip(known[0].facts, facts, strict=True)
        ):
            return RowSource(facts, frame, {})
        return None if known[0].frame == frame else RowSource(facts, frame, known[0].cells)

    def render_line(self, y: int) -> Strip:
        plain = self.look("")
        panes, y = panes_at(self.panes, y)
        parts: list[Strip] = []
        row = y - HEAD + self.scroll_offset.y
        for pane in panes:
            parts += [Strip([Segment(" ", plain)])] if parts else []
            if y < HEAD:
                line = self._title_line(pane) if y else self._side_line(pane)
            elif row >= len(pane.ships):
                line = Strip.blank(pane.layout.width, plain)
            else:
                changed = self._changed(pane, row, pane is self.pane and row == self.row)
                if changed is not None:
                    self.rows[pane.side, row] = changed, self._row_line(pane, row, changed.cells)
                    self.drawn += 1
                line = self.rows[pane.side, row][1]
            parts.append(line.adjust_cell_length(pane.layout.width, plain))
        return Strip.join(parts).adjust_cell_length(self.size.width, plain)

    def _side_line(self, pane: SidePane) -> Strip:
        """A side's name, how many of its ships are in the battle or shown, how many sides are not shown.

        At its end what the logs have no room for: the titles of columns, or how many.
        """
        width, only = pane.layout.width, self.arrangement.text
        hidden = len(self.battle.sides) - len(self.panes)
        more = f" (x: {hidden} more side{'s' if hidden > 1 else ''})" if hidden else ""
        present = sum(not self.system.departed(ship) for ship in pane.ships)
        counted = f"{present} of {pane.count} in the battle"
        if only or len(pane.ships) < pane.count:
            counted = f"{len(pane.ships)} of {pane.count} shown: {only}"
        name = cut(pane.title, max(8, width - width_of(counted) - 6 - len(more)))
        text = cut(f" {name}  {counted}{more} ", width)
        room, titles = width - width_of(text), pane.layout.left_out
        notes = (f" {CUT} {', '.join(titles)}", f" {CUT} {len(titles)} more", f" {CUT}") if titles else ()
        left_out = next((note for note in notes if width_of(note) < room), "")
        rule = "─" * (room - width_of(left_out))
        return Strip([Segment(text, self.look("side")), Segment(f"{rule}{left_out}", self.look("title"))])

    def _title_line(self, pane: SidePane) -> Strip:
        """The columns' titles, with a sign on the one that the ships are sorted by."""
        layout, arrangement, quiet = pane.layout, self.arrangement, self.look("title")
        titles = [(NAMES, "ship", layout.name, False)]
        titles += [(column.name, column.title, width, column.right) for column, width in layout.columns]
        segments = [Segment(" " * (SIGNS - layout.gap), quiet)]
        for name, text, width, right in titles:
            segments.append(Segment(" " * layout.gap, quiet))
            if name == arrangement.column:
                shown = f"{cut(text, width - 1)}{arrangement.sign}"
                segments.append(Segment(fit(shown, width, right), self.look("side")))
            else:
                segments.append(Segment(fit(text, width, right), quiet))
        return Strip(segments).simplify()

    def _row_line(self, pane: SidePane, row: int, cells: Cells) -> Strip:
        """A ship's row; cells that were drawn so before are taken."""
        ship, layout, look = pane.ships[row], pane.layout, self.look
        here = pane is self.pane and row == self.row
        cursor = self.cursor.column if here else -1
        sign = self.signs.get(ship.id, NO_SIGN)
        gone = ship.status in self.system.departure_statuses
        base = look("gone" if gone else "row" if here else "")
        parts: list[tuple[str, Style]] = [
            (fit(sign.text, SIGNS - 1), base + look("alert") if sign.owes else base),
            ("▸" if here else " ", base),
            (fit(ship.name, layout.name), base + look("cell") if cursor == 0 else base),
        ]
        used = SIGNS + layout.name
        for place, (column, width) in enumerate(layout.columns, start=1):
            style = base + look("cell") if cursor == place else base
            cell = column.name, width, style
            if cell not in cells:
                spans = self.system.cell(self.battle, ship, column)
                cells[cell] = cell_parts(spans, width, column.right, style, look)
            parts.append((" " * layout.gap, base))
            parts += cells[cell]
            used += layout.gap + width
        parts.append((" " * max(0, layout.width - used), base))
        # Styles are the same objects wherever they are the same: so a row is joined in a third of the time.
        runs = groupby(parts, itemgetter(1))
        segments = [Segment("".join([text for text, _ in run]), style) for style, run in runs]
        return Strip(segments, max(used, layout.width))

    def look(self, name: str) -> Style:
        """The style of a part of a line."""
        if not self._looks:
            parts = ((part, part in TONES or part == "cell") for part in (*TONES, *LOOKS))
            self._looks = {
                part: self.get_component_rich_style(f"grid--{part}", partial=partial)
                for part, partial in parts
            }
            self._looks[""] = self.rich_style
        return self._looks[name]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks = {}

    def move(self, cursor: Cursor) -> None:
        """Puts the cursor elsewhere; a side that is not on the screen comes onto it."""
        was = self.row
        self.cursor = cursor
        if self.pane is None:
            self.show(self.battle, self.signs)
        self.cursor = cursor.within(self.pane)
        self._moved(was)

    def _moved(self, was: int) -> None:
        self._reveal()
        self.refresh_row(was)
        self.refresh_row(self.row)
        self.post_message(self.Moved())

    def put(self, ship: str, since: Cursor | None = None) -> None:
        """Puts the cursor on a ship, as if it had been at `since` until now."""
        side = self.battle.ships[ship].side if ship in self.battle.ships else ""
        sides = [side.id for side in self.battle.sides]
        if side in sides:
            self.move((since or self.cursor).on_side(sides.index(side)).on_ship(side, ship))

    def go_to_next(self, division: str | None = None) -> bool:
        """Puts the cursor on the next ship with a sign, this side's behind it first; whether there is one.

        With a division only on ships of that one, on the side of the ship under the cursor.
        """
        ships, here = self.battle.ships, self.ship
        shown = (ship.id for pane in self.panes for ship in pane.ships)
        order = [id for id in dict.fromkeys((*shown, *ships)) if id in ships]
        if division is not None and here is not None:
            own = here.side, division
            order = [id for id in order if (ships[id].side, ships[id].division) == own]
        at = order.index(here.id) + 1 if here is not None and here.id in order else 0
        following = next((id for id in (*order[at:], *order[:at]) if id in self.signs), "")
        if following:
            self.put(following)
        return bool(following)

    def _reveal(self) -> None:
        """Scrolls so that the cursor's row is seen, and a third of a page beyond it.

        So the table stands still for most keys.
        """
        seen = max(1, self.size.height - HEAD)
        top, row, beyond = self.scroll_offset.y, self.row, seen // 3
        if not top <= row < top + seen:
            wanted = row - beyond if row < top else row - seen + 1 + beyond
            self.scroll_to(y=max(0, wanted), animate=False, force=True, immediate=True)

    def action_step(self, by: int) -> None:
        if self.pane is not None and self.pane.ships:
            self.move(self.cursor.on_row(self.row + by, self.pane))

    def action_page(self, by: int) -> None:
        self.action_step(by * max(1, self.size.height - HEAD))

    def action_home(self) -> None:
        self.action_step(-self.row)

    def action_end(self) -> None:
        self.action_step(len(self.pane.ships) if self.pane else 0)

    def action_left(self) -> None:
        column = self.cursor.column
        self.move(self.cursor.on_column(column - 1) if column else self._beside(-1).on_column(LAST))

    def action_right(self) -> None:
        farther = self.cursor.on_column(self.cursor.column + 1)
        over = farther.within(self.pane) != farther
        self.move(self._beside(1).on_column(0) if over else farther)

    def action_other_side(self) -> None:
        self.move(self._beside(1))

    def _beside(self, by: int) -> Cursor:
        """The cursor on another side; behind the last comes the first."""
        return self.cursor.on_side((self.cursor.side + by) % max(1, len(self.battle.sides)))

    def action_sort(self) -> None:
        self.rearrange(self.arrangement.sorted_by(self.under))

    def action_show_only(self) -> None:
        self.rearrange(self.arrangement.showing_next(self.signs.values()))

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the clicked cell.

        A second click on it chooses it; a click on a title sorts by that column.
        """
        self.screen.set_focus(self if self.can_focus else None)
        panes, y = panes_at(self.panes, event.y)
        title = y == HEAD - 1
        row = 0 if title else y - HEAD + self.scroll_offset.y
        cell = cell_at(panes, event.x, row) if y >= HEAD - 1 else None
        if cell is None:
            return
        pane, column = cell
        side = [side.id for side in self.battle.sides].index(pane.side)
        if title:
            self.move(self.cursor.on_side(side).on_column(column))
            self.action_sort()
            return
        before = self.cursor.side, self.row, self.cursor.column
        self.move(self.cursor.on_side(side).on_row(row, pane).on_column(column))
        if before == (self.cursor.side, self.row, self.cursor.column):
            self.post_message(self.Chosen())


class ShipSearch:
    """The letters typed so far; `ended` becomes true with the key that ends it."""

    def __init__(self, grid: Grid, say: Callable[[str], None]) -> None:
        self.grid, self.say = grid, say
        self.letters = ""
        self.ended = False
        self._began = grid.cursor
        self._show()

    def more(self, letter: str) -> None:
        """Takes a letter more."""
        self.letters += letter
        self._go()

    @property
    def matches(self) -> tuple[str, ...]:
        """The ships that the letters may mean, likeliest first."""
        battle = self.grid.battle
        if not self.letters.strip():
            return ()
        ships = list_named_ships(battle.ships.values())
        named = (candidate.text for candidate in list_candidates(self.letters, ships))
        others = (ship.id for ship in battle.ships.values() if found_by(battle, ship, self.letters))
        return tuple(dict.fromkeys((*named, *others)))

    def _go(self) -> None:
        matches = self.matches
        if matches:
            self.grid.put(matches[0], self._began)
        self._show()

    def next(self) -> None:
        matches, here = self.matches, self.grid.ship
        if matches:
            place = matches.index(here.id) + 1 if here and here.id in matches else 0
            self.grid.put(matches[place % len(matches)], self._began)

    def shorten(self) -> None:
        self.letters = self.letters[:-1]
        self._go()

    def end(self) -> None:
        self.ended = True
        self.say("")

    def only(self) -> None:
        if self.matches:
            self.grid.rearrange(evolve(self.grid.arrangement, letters=self.letters.strip()))
        self.end()

    def back(self) -> None:
        self.grid.move(self._began)
        self.end()

    def _show(self) -> None:
        ships = self.grid.battle.ships
        room = max(NAMES_LEAST, self.grid.app.size.width - 14 - len(self.letters))
        names = listed((ships[id].name for id in self.matches), room) if self.letters else WANTED
        self.say(f"go to: {self.letters}▏ {names or 'no such ship'}")


DOES: Mapping[str, Callable[[ShipSearch], None]] = {
    "take": ShipSearch.end,
    "only": ShipSearch.only,
    "back": ShipSearch.back,
    "next": ShipSearch.next,
    "shorten": ShipSearch.shorten,
}
"""What the keys of the table mean."""


def cell_parts(
    spans: Sequence[Span], width: int, right: bool, base: Style, look: Look
) -> list[tuple[str, Style]]:
    """The spans of a cell in exactly its width, each with its style."""
    if width_of("".join(span.text for span in spans).rstrip()) > width:
        bright = [span for span in spans if span.tone != "dim"]
        fits = width_of("".join(span.text for span in bright).rstrip()) <= width
        spans = bright if bright and fits else _shortened(spans, width)
    left = width
    parts: list[tuple[str, Style]] = []
    for span in spans:
        text = first_cells(span.text, left)
        parts.append((text, base + look(span.tone) if span.tone in TONES else base))
        left -= width_of(text)
    blank = " " * left, base
    return [blank, *parts] if right else [*parts, blank]


def _shortened(spans: Iterable[Span], width: int) -> list[Span]:
    """Spans cut with a sign at the end."""
    left, kept = width - 1, []
    for span in spans:
        text = first_cells(span.text, left)
        kept.append(Span(text, span.tone))
        left -= width_of(text)
        if left <= 0:
            break
    return [*kept, Span(CUT)]
