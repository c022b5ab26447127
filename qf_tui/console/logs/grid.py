"""The logs of both sides as one line-API widget; only rows whose ships changed are drawn again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from qf_tui.console.logs.arranging import Arrangement
from qf_tui.console.logs.layout import column_at, laid_out
from qf_tui.console.logs.rows import OWES, TONES, WAITS, Pane, Row, row_line, side_line, title_line
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.values import Battle, Ship

BOTH_FROM = 110
"""Cells of width from which two sides stand next to each other."""
LOOKS = ("side", "title", "row", "cell", "gone")
HEAD = 2
"""Lines above the rows: the side's name, the columns' titles."""


class Grid(ScrollView, can_focus=False):
    """Both sides' logs, with a cursor on a cell."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"grid--{part}" for part in (*TONES, *LOOKS))}

    @dataclass
    class Moved(Message):
        """The cursor stands on another cell."""

        ship: str

    @dataclass
    class Chosen(Message):
        """The cell under the cursor was clicked again."""

        ship: str

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system = system
        self.battle = battle
        self.side = 0
        self.at: dict[str, str] = {}
        self.arrangement = Arrangement()
        self.column = 0
        self.panes: tuple[Pane, ...] = ()
        self._waits: Mapping[str, str] = {}
        self._strips: dict[tuple[str, int], tuple[tuple[object, ...], Strip]] = {}
        self._looks: dict[str, Style] = {}
        self.drawn = 0

    @property
    def pane(self) -> Pane | None:
        """The pane with the cursor."""
        wanted = self.battle.sides[self.side].id if self.battle.sides else ""
        return next((pane for pane in self.panes if pane.side == wanted), None)

    @property
    def row(self) -> int:
        pane = self.pane
        if pane is None:
            return 0
        ids = [ship.id for ship in pane.ships]
        wanted = self.at.get(pane.side, "")
        return ids.index(wanted) if wanted in ids else 0

    @property
    def ship(self) -> Ship | None:
        """The ship under the cursor."""
        pane = self.pane
        return pane.ships[self.row] if pane and pane.ships else None

    @property
    def under(self) -> Column | None:
        """The column under the cursor; None on the names."""
        pane = self.pane
        shown = pane.layout.columns if pane else ()
        return shown[self.column - 1][0] if 0 < self.column <= len(shown) else None

    def show(self, battle: Battle) -> None:
        """Draws another battle, as far as it differs."""
        self.battle = battle
        self._lay_out()

    def rearrange(self, arrangement: Arrangement) -> None:
        """Shows other ships, or the same in another order; the cursor stays on its ship where that is shown."""
        self.arrangement = arrangement
        self._lay_out()
        self._after_move(self.row)

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        self._waits = self._signs()
        panes = self._panes(self.scrollable_content_region.width or 80)
        same = [(p.side, p.left, p.layout, [s.id for s in p.ships]) for p in panes] == [
            (p.side, p.left, p.layout, [s.id for s in p.ships]) for p in self.panes
        ]
        self.panes = panes
        rows = max((len(pane.ships) for pane in panes), default=0)
        self.virtual_size = Size(self.scrollable_content_region.width, rows + HEAD)
        pane = self.pane
        if pane:
            self.column = min(self.column, len(pane.layout.columns))
        if not same:
            self._strips.clear()
            self.refresh()
        else:
            self._redraw()
        self._reveal()

    def _panes(self, width: int) -> tuple[Pane, ...]:
        sides = self.battle.sides
        both = width >= BOTH_FROM and len(sides) > 1
        first = min(self.side, len(sides) - 2) if both else self.side
        shown = sides[first : first + 2] if both else sides[first : first + 1]
        each = (width - len(shown) + 1) // max(1, len(shown))
        return tuple(
            Pane(
                side.id,
                side.name,
                place * (each + 1),
                laid_out(self.system.columns, ships, each),
                ships,
                sum(ship.side == side.id for ship in self.battle.ships.values()),
            )
            for place, side in enumerate(shown)
            for ships in [self.arrangement.ships(self.system, self.battle, side.id, self._waits)]
        )

    def _signs(self) -> dict[str, str]:
        signs = {waiting.ship: WAITS for waiting in self.system.waiting(self.battle)}
        return signs | {owed.ship: OWES for owed in self.battle.owed}

    def _redraw(self) -> None:
        """Asks for those rows again whose keys have changed."""
        for row in range(self.virtual_size.height - HEAD):
            stale = [pane for pane in self.panes if row < len(pane.ships) and not self._fresh(pane, row)]
            if stale:
                self.refresh_row(row)

    def _fresh(self, pane: Pane, row: int) -> bool:
        known = self._strips.get((pane.side, row))
        return known is not None and _same(known[0], self._key(pane, row))

    def refresh_row(self, row: int) -> None:
        """Asks for one row again."""
        y = row + HEAD - self.scroll_offset.y
        if HEAD <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def _key(self, pane: Pane, row: int) -> tuple[object, ...]:
        """What a row is drawn from: if all of it is the same, so is the picture."""
        ship, battle = pane.ships[row], self.battle
        here = pane is self.pane and row == self.row
        started = battle.start.ships.get(ship.id)
        cursor = self.column if here else -1
        sign = self._waits.get(ship.id, " ")
        return (
            ship,
            started,
            battle.phase,
            battle.turn,
            battle.options,
            battle.table,
            self.app.theme,
            cursor,
            sign,
            pane.layout,
            tuple(column.beside(battle, ship) for column in self.system.columns if column.beside),
        )

    def render_line(self, y: int) -> Strip:
        parts = []
        for place, pane in enumerate(self.panes):
            if place:
                parts.append(Strip([Segment(" ", self.rich_style)]))
            parts.append(self._line(pane, y).adjust_cell_length(pane.layout.width, self.rich_style))
        strip = Strip.join(parts) if parts else Strip.blank(self.size.width, self.rich_style)
        return strip.adjust_cell_length(self.size.width, self.rich_style)

    def _line(self, pane: Pane, y: int) -> Strip:
        if y == 0:
            hidden = len(self.battle.sides) - len(self.panes)
            return side_line(self.system, pane, self.look, hidden, self.arrangement.said)
        if y == 1:
            return title_line(pane, self.look, self.arrangement.column, self.arrangement.sign)
        row = y - HEAD + self.scroll_offset.y
        if row >= len(pane.ships):
            return Strip.blank(pane.layout.width, self.rich_style)
        key = self._key(pane, row)
        known = self._strips.get((pane.side, row))
        if known is not None and _same(known[0], key):
            return known[1]
        here = pane is self.pane and row == self.row
        ship = pane.ships[row]
        one = Row(ship, self._waits.get(ship.id, " "), self.column if here else -1)
        strip = row_line(self.system, self.battle, pane, one, self.look)
        self._strips[pane.side, row] = key, strip
        self.drawn += 1
        return strip

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

    def _go(self, row: int) -> None:
        pane = self.pane
        if pane is None or not pane.ships:
            return
        was = self.row
        self.at[pane.side] = pane.ships[max(0, min(row, len(pane.ships) - 1))].id
        self._after_move(was)

    def _after_move(self, was: int) -> None:
        self._reveal()
        self.refresh_row(was)
        self.refresh_row(self.row)
        ship = self.ship
        self.post_message(self.Moved(ship.id if ship else ""))

    def _reveal(self) -> None:
        """Scrolls so that the cursor's row is seen."""
        seen = max(1, self.size.height - HEAD)
        top = self.scroll_offset.y
        wanted = min(max(top, self.row - seen + 1), self.row)
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, force=True, immediate=True)

    def action_up(self) -> None:
        self._go(self.row - 1)

    def action_down(self) -> None:
        self._go(self.row + 1)

    def action_page_up(self) -> None:
        self._go(self.row - max(1, self.size.height - HEAD))

    def action_page_down(self) -> None:
        self._go(self.row + max(1, self.size.height - HEAD))

    def action_home(self) -> None:
        self._go(0)

    def action_end(self) -> None:
        self._go(len(self.pane.ships) - 1 if self.pane else 0)

    def action_left(self) -> None:
        if self.column == 0:
            self.turn_to(self.side - 1, last=True)
        else:
            self.column -= 1
            self._after_move(self.row)

    def action_right(self) -> None:
        pane = self.pane
        if pane is not None and self.column >= len(pane.layout.columns):
            self.turn_to(self.side + 1)
        else:
            self.column += 1
            self._after_move(self.row)

    def turn_to(self, side: int, *, last: bool = False, keep: bool = False) -> None:
        """Moves the cursor to another side, to its first or last column or with `keep` the same."""
        was, old = self.pane, self.row
        self.side = side % max(1, len(self.battle.sides))
        if self.pane is None or was is None:
            self._lay_out()
        count = len(self.pane.layout.columns) if self.pane else 0
        self.column = min(self.column, count) if keep else count if last else 0
        self.refresh_row(old)
        self._after_move(old)

    def put(self, ship: str) -> None:
        """Puts the cursor on a ship."""
        found = self.battle.ships.get(ship)
        sides = [side.id for side in self.battle.sides]
        if found is not None and found.side in sides:
            self.turn_to(sides.index(found.side), keep=True)
            self.at[found.side] = ship
            self._lay_out()
            self._after_move(self.row)

    def go_to_next(self) -> bool:
        """Puts the cursor on the next ship with a sign, this side's behind it first; whether there is one."""
        order = [ship.id for pane in self.panes for ship in pane.ships]
        order += [id for id in self.battle.ships if id not in order]
        here = self.ship
        at = order.index(here.id) + 1 if here is not None else 0
        found = next((id for id in (*order[at:], *order[:at]) if id in self._waits), "")
        if found:
            self.put(found)
        return bool(found)

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the cell that is clicked; a second click on it chooses it."""
        self.screen.set_focus(self if self.can_focus else None)
        row = event.y - HEAD + self.scroll_offset.y
        for pane in self.panes:
            inside = event.x - pane.left
            if event.y >= HEAD and 0 <= inside < pane.layout.width and row < len(pane.ships):
                before = (self.side, self.row, self.column)
                self.turn_to([side.id for side in self.battle.sides].index(pane.side))
                self.column = column_at(pane.layout, inside)
                self._go(row)
                if before == (self.side, self.row, self.column):
                    self.post_message(self.Chosen(pane.ships[row].id))
                return


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether two keys are of the very same values, piece by piece."""
    return all(a is b or (not isinstance(a, Ship) and a == b) for a, b in zip(one, other, strict=True))
