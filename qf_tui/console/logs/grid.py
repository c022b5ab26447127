"""The logs of both sides as one line-API widget, with a cursor on a cell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from attrs import evolve
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from qf_tui.console.logs.layout import (
    HEAD,
    LAST,
    NO_SIGN,
    Arrangement,
    Cursor,
    SidePane,
    Sign,
    cell_at,
    found_by,
    panes_at,
    panes_of,
    signs_of,
)
from qf_tui.console.logs.rows import TONES, DrawnRows, GridRow, row_line, side_line, title_line
from qf_tui.console.widgets.text import listed, signs_in_ascii
from qf_tui.core.grammar.names import candidates, named_ships
from qf_tui.core.system import Available, Column, RuleSystem
from qf_tui.core.values import Battle, Ship

LOOKS = ("side", "title", "row", "cell", "gone")


class Grid(ScrollView, can_focus=False):
    """Both sides' logs, with a cursor on a cell."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"grid--{part}" for part in (*TONES, *LOOKS))}

    @dataclass
    class Moved(Message):
        """The cursor is on another cell."""

        ship: str

    @dataclass
    class Chosen(Message):
        """The cell under the cursor was clicked again."""

        ship: str

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system = system
        self.battle = battle
        self.may: tuple[Available, ...] = ()
        self.cursor = Cursor()
        self.arrangement = Arrangement()
        self.panes: tuple[SidePane, ...] = ()
        self.drawn = DrawnRows()
        self._waits: Mapping[str, Sign] = {}
        self._looks: dict[str, Style] = {}
        self._drawn_by: tuple[object, ...] = ()
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

    def show(self, battle: Battle, may: tuple[Available, ...] = ()) -> None:
        """Draws another battle, as far as it differs; `may` are those that may act."""
        self.battle, self.may = battle, may
        self._lay_out()

    def rearrange(self, arrangement: Arrangement) -> None:
        """Shows other ships, or the same in another order; the cursor stays on its ship if that is shown."""
        self.arrangement = arrangement
        self._lay_out()
        self._moved(self.row)

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        self._waits = self._signs()
        width = self.scrollable_content_region.width
        at = self.cursor.side, self._waits, width or 80, self.size.height
        panes = panes_of(self.system, self.battle, self.arrangement, *at)
        same = [pane.frame for pane in panes] == [pane.frame for pane in self.panes]
        self.panes = panes
        self.virtual_size = Size(width, max((pane.end for pane in panes), default=HEAD))
        self.cursor = self.cursor.within(self.pane)
        if not same:
            self.drawn.clear()
            self.refresh()
        else:
            # The sides' lines count ships and say which are hidden.
            self.refresh(*(Region(0, pane.top, self.size.width, HEAD) for pane in panes))
            self._redraw()
        self._reveal()

    def _signs(self) -> dict[str, Sign]:
        return signs_of(self.battle, self.may)

    def _redraw(self) -> None:
        """Asks for those rows again that are drawn from something else now."""
        shared, here = self._shared(), self.row
        for pane in self.panes:
            column = self.cursor.column if pane is self.pane else -1
            for row in range(len(pane.ships)):
                source = self._source(pane, row, column if row == here else -1, shared)
                if not self.drawn.fresh((pane.side, row), source):
                    self.refresh_row(row)

    def refresh_row(self, row: int) -> None:
        """Asks for one row again."""
        y = row + HEAD - self.scroll_offset.y
        for top in {pane.top for pane in self.panes}:
            if HEAD <= y < self.size.height - top:
                self.refresh(Region(0, top + y, self.size.width, 1))

    def _shared(self) -> tuple[object, ...]:
        """What every row is drawn from; as long as it is equal the same value."""
        battle = self.battle
        now = battle.phase, battle.turn, battle.options, battle.table, self.app.theme, signs_in_ascii()
        if now != self._drawn_by:
            self._drawn_by = now
        return self._drawn_by

    def _source(
        self, pane: SidePane, row: int, column: int, shared: tuple[object, ...]
    ) -> tuple[object, ...]:
        """What a row is drawn from."""
        ship, battle = pane.ships[row], self.battle
        began, sign = battle.start.ships.get(ship.id), self._waits.get(ship.id, NO_SIGN)
        beside = [each(battle, ship) for each in self._drawn_with]
        return ship, began, column, sign, pane.layout, shared, *beside

    def render_line(self, y: int) -> Strip:
        plain = self.look("")
        parts = []
        panes, y = panes_at(self.panes, y)
        for place, pane in enumerate(panes):
            parts += [Strip([Segment(" ", plain)])] if place else []
            parts.append(self._line(pane, y).adjust_cell_length(pane.layout.width, plain))
        return Strip.join(parts).adjust_cell_length(self.size.width, plain).simplify()

    def _line(self, pane: SidePane, y: int) -> Strip:
        if y == 0:
            hidden = len(self.battle.sides) - len(self.panes)
            return side_line(self.system, pane, self.look, hidden, self.arrangement.said)
        if y == 1:
            return title_line(pane, self.look, self.arrangement.column, self.arrangement.sign)
        row = y - HEAD + self.scroll_offset.y
        if row >= len(pane.ships):
            return Strip.blank(pane.layout.width, self.look(""))
        ship, column = pane.ships[row], self.cursor.column if pane is self.pane and row == self.row else -1
        one = GridRow(ship, self._waits.get(ship.id, NO_SIGN), column)
        source = self._source(pane, row, column, self._shared())
        draws = partial(row_line, self.system, self.battle, pane, one, self.look)
        return self.drawn.row((pane.side, row), source, draws)

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
            self._lay_out()
        self.cursor = cursor.within(self.pane)
        self._moved(was)

    def _moved(self, was: int) -> None:
        self._reveal()
        self.refresh_row(was)
        self.refresh_row(self.row)
        ship = self.ship
        self.post_message(self.Moved(ship.id if ship else ""))

    def put(self, ship: str, since: Cursor | None = None) -> None:
        """Puts the cursor on a ship; with `since` as if from there, whatever it was on between."""
        found = self.battle.ships.get(ship)
        sides = [side.id for side in self.battle.sides]
        if found is not None and found.side in sides:
            self.move((since or self.cursor).on_side(sides.index(found.side)).on_ship(found.side, ship))

    def go_to_next(self, division: str | None = None) -> bool:
        """Puts the cursor on the next ship with a sign, this side's behind it first; whether there is one.

        With a division only on ships of that one, on the side of the ship under the cursor.
        """
        order = [ship.id for pane in self.panes for ship in pane.ships]
        order += [id for id in self.battle.ships if id not in order]
        if division is not None and self.ship is not None:
            key = (self.ship.side, division)
            ships = self.battle.ships
            order = [id for id in order if id in ships and (ships[id].side, ships[id].division) == key]
        here = self.ship
        at = order.index(here.id) + 1 if here is not None and here.id in order else 0
        found = next((id for id in (*order[at:], *order[:at]) if id in self._waits), "")
        if found:
            self.put(found)
        return bool(found)

    def _reveal(self) -> None:
        """Scrolls so that the cursor's row is seen."""
        seen = max(1, self.size.height - HEAD)
        top = self.scroll_offset.y
        wanted = min(max(top, self.row - seen + 1), self.row)
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, force=True, immediate=True)

    def action_up(self) -> None:
        self._by(-1)

    def action_down(self) -> None:
        self._by(1)

    def action_page_up(self) -> None:
        self._by(-max(1, self.size.height - HEAD))

    def action_page_down(self) -> None:
        self._by(max(1, self.size.height - HEAD))

    def action_home(self) -> None:
        self._by(-self.row)

    def action_end(self) -> None:
        self._by(len(self.pane.ships) if self.pane else 0)

    def _by(self, rows: int) -> None:
        if self.pane is not None and self.pane.ships:
            self.move(self.cursor.on_row(self.row + rows, self.pane))

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
        self.rearrange(self.arrangement.showing_next(self._waits.values()))

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the clicked cell.

        A second click on it chooses it; a click on a title sorts by that column.
        """
        self.screen.set_focus(self if self.can_focus else None)
        panes, y = panes_at(self.panes, event.y)
        title = y == HEAD - 1
        row = 0 if title else y - HEAD + self.scroll_offset.y
        found = cell_at(panes, event.x, row) if y >= HEAD - 1 else None
        if found is None:
            return
        pane, column = found
        side = [side.id for side in self.battle.sides].index(pane.side)
        if title:
            self.move(self.cursor.on_side(side).on_column(column))
            self.action_sort()
            return
        before = (self.cursor.side, self.row, self.cursor.column)
        self.move(self.cursor.on_side(side).on_row(row, pane).on_column(column))
        if before == (self.cursor.side, self.row, self.cursor.column):
            self.post_message(self.Chosen(pane.ships[row].id))


WANTED = "letters of a name, a kind, a division or a player"
NAMES_LEAST = 20


class ShipSearch:
    """The letters typed so far; `ended` becomes true with the key that ends it."""

    def __init__(self, grid: Grid, say: Callable[[str], None]) -> None:
        self.grid, self.say = grid, say
        self.letters = ""
        self.ended = False
        self._began = grid.cursor
        self._tell()

    def do(self, what: str) -> None:
        """Does what a key of the table means."""
        DOES[what](self)

    def more(self, letter: str) -> None:
        """Takes a letter more."""
        self.letters += letter
        self._go()

    @property
    def found(self) -> tuple[str, ...]:
        """The ships that the letters may mean, likeliest first."""
        battle = self.grid.battle
        if not self.letters.strip():
            return ()
        named = [one.text for one in candidates(self.letters, named_ships(battle.ships.values()))]
        others = [ship.id for ship in battle.ships.values() if found_by(battle, ship, self.letters)]
        return tuple(dict.fromkeys((*named, *others)))

    def _go(self) -> None:
        found = self.found
        if found:
            self.grid.put(found[0], self._began)
        self._tell()

    def next(self) -> None:
        found, here = self.found, self.grid.ship
        if found:
            place = found.index(here.id) + 1 if here and here.id in found else 0
            self.grid.put(found[place % len(found)], self._began)

    def shorten(self) -> None:
        self.letters = self.letters[:-1]
        self._go()

    def end(self) -> None:
        self.ended = True
        self.say("")

    def only(self) -> None:
        if self.found:
            self.grid.rearrange(evolve(self.grid.arrangement, letters=self.letters.strip()))
        self.end()

    def back(self) -> None:
        self.grid.move(self._began)
        self.end()

    def _tell(self) -> None:
        ships = self.grid.battle.ships
        room = max(NAMES_LEAST, self.grid.app.size.width - 14 - len(self.letters))
        names = listed((ships[id].name for id in self.found), room) if self.letters else WANTED
        self.say(f"go to: {self.letters}▏ {names or 'no such ship'}")


DOES: Mapping[str, Callable[[ShipSearch], None]] = {
    "take": ShipSearch.end,
    "only": ShipSearch.only,
    "back": ShipSearch.back,
    "next": ShipSearch.next,
    "shorten": ShipSearch.shorten,
}
"""What the keys of the table mean."""
