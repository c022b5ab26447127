"""The logs of both sides as one line-API widget: its lines, a cursor on a cell, the search for a ship."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
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
    NAMES,
    NO_SIGN,
    SIGNS,
    Arrangement,
    Cursor,
    SidePane,
    Sign,
    cell_at,
    found_by,
    panes_at,
    panes_of,
)
from qf_tui.console.widgets.text import CUT, Signs, cut, first_cells, fit, listed, width_of
from qf_tui.core.grammar.names import candidates, named_ships
from qf_tui.core.system import Column, RuleSystem, Span
from qf_tui.core.values import Battle, Ship

TONES = ("slash", "cross", "repaired", "alert", "dim")
LOOKS = ("side", "title", "row", "cell", "gone")
WANTED = "letters of a name, a kind, a division or a player"
NAMES_LEAST = 20

RowKey = tuple[str, int]
"""A side by its id, and a row."""
RowSource = tuple[object, ...]
"""All that a row is drawn from: if it is the same, so is the picture."""
Look = Callable[[str], Style]
"""The style of a part by its name: one of the tones or looks, or "" for plain."""
_PLAIN = Style()


class DrawnRows:
    """The rows of the logs, each kept until it is drawn from something else; `count` counts the drawings."""

    def __init__(self) -> None:
        self.count = 0
        self.rows: dict[RowKey, tuple[RowSource, Strip]] = {}

    def fresh(self, place: RowKey, source: RowSource) -> bool:
        """Whether the row there was drawn from the very same values."""
        known = self.rows.get(place)
        return known is not None and not any(
            was is not now and (isinstance(was, Ship) or was != now)
            for was, now in zip(known[0], source, strict=True)
        )

    def keep(self, place: RowKey, source: RowSource, line: Strip) -> None:
        """Keeps a row that was drawn."""
        self.rows[place] = source, line
        self.count += 1


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
        self.drawn = DrawnRows()
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
        self._lay_out()

    def rearrange(self, arrangement: Arrangement) -> None:
        """Shows other ships, or the same in another order; the cursor stays on its ship if that is shown."""
        self.arrangement = arrangement
        self._lay_out()
        self._moved(self.row)

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        at = self.cursor.side, self.signs, width or 80, self.size.height
        panes = panes_of(self.system, self.battle, self.arrangement, *at)
        same = [pane.frame for pane in panes] == [pane.frame for pane in self.panes]
        self.panes = panes
        self.virtual_size = Size(width, max((pane.end for pane in panes), default=HEAD))
        self.cursor = self.cursor.within(self.pane)
        if not same:
            self.drawn.rows.clear()
            self.refresh()
        else:
            # The sides' lines count ships and say which are hidden.
            self.refresh(*(Region(0, pane.top, self.size.width, HEAD) for pane in panes))
            # Of the rows only those are asked for again that are drawn from something else now.
            own, here = self.pane, self.row
            for pane in panes:
                for row in range(len(pane.ships)):
                    column = self.cursor.column if pane is own and row == here else -1
                    if not self.drawn.fresh((pane.side, row), self._source(pane, row, column)):
                        self.refresh_row(row)
        self._reveal()

    def refresh_row(self, row: int) -> None:
        """Asks for one row again."""
        y = row + HEAD - self.scroll_offset.y
        for top in {pane.top for pane in self.panes}:
            if HEAD <= y < self.size.height - top:
                self.refresh(Region(0, top + y, self.size.width, 1))

    def _source(self, pane: SidePane, row: int, column: int) -> RowSource:
        """What a row is drawn from; `column` is the one under the cursor, -1 if that is elsewhere."""
        ship, battle = pane.ships[row], self.battle
        began, sign = battle.start.ships.get(ship.id), self.signs.get(ship.id, NO_SIGN)
        state = battle.phase, battle.turn, battle.options, battle.table, self.app.theme, Signs.ascii
        beside = (each(battle, ship) for each in self._drawn_with)
        return ship, began, column, sign, pane.layout, *state, *beside

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
                column = self.cursor.column if pane is self.pane and row == self.row else -1
                place, source = (pane.side, row), self._source(pane, row, column)
                if not self.drawn.fresh(place, source):
                    self.drawn.keep(place, source, self._row_line(pane, pane.ships[row], column))
                line = self.drawn.rows[place][1]
            parts.append(line.adjust_cell_length(pane.layout.width, plain))
        return Strip.join(parts).adjust_cell_length(self.size.width, plain).simplify()

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

    def _row_line(self, pane: SidePane, ship: Ship, cursor: int) -> Strip:
        """A ship's row; `cursor` is the column under the cursor, -1 if that is elsewhere."""
        layout, look, here = pane.layout, self.look, cursor >= 0
        sign = self.signs.get(ship.id, NO_SIGN)
        gone = ship.status in self.system.departure_statuses
        base = look("gone" if gone else "row" if here else "")
        segments = [
            Segment(fit(sign.text, SIGNS - 1), base + look("alert") if sign.owes else base),
            Segment("▸" if here else " ", base),
            Segment(fit(ship.name, layout.name), base + look("cell") if cursor == 0 else base),
        ]
        used = SIGNS + layout.name
        for place, (column, width) in enumerate(layout.columns, start=1):
            style = base + look("cell") if cursor == place else base
            cell = self.system.cell(self.battle, ship, column)
            segments.append(Segment(" " * layout.gap, base))
            segments += cell_segments(cell, width, column.right, style, look)
            used += layout.gap + width
        segments.append(Segment(" " * max(0, layout.width - used), base))
        return Strip(joined(segments), max(used, layout.width))

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
        ships = named_ships(battle.ships.values())
        named = (candidate.text for candidate in candidates(self.letters, ships))
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


def joined(segments: Iterable[Segment]) -> list[Segment]:
    """Joins neighbours of the same style: a terminal is sent a third as many bytes.

    A blank takes the style beside it where that shows no difference.
    """
    runs: list[Segment] = []
    text, look = "", None
    for segment in segments:
        more, style = segment.text, segment.style or _PLAIN
        if look is None:
            text, look = more, style
        elif not more:
            continue
        elif style is look or style == look or (more.isspace() and _blank_alike(style, look)):
            text += more
        elif text.isspace() and _blank_alike(style, look):
            text, look = text + more, style
        else:
            runs.append(Segment(text, look))
            text, look = more, style
    return [*runs, Segment(text, look)]


@lru_cache(maxsize=256)
def _blank_alike(style: Style, other: Style) -> bool:
    """Whether blanks look the same in both styles."""
    return style.bgcolor == other.bgcolor and not any(
        each.underline or each.underline2 or each.reverse or each.strike or each.overline
        for each in (style, other)
    )


def cell_segments(spans: Sequence[Span], width: int, right: bool, base: Style, look: Look) -> list[Segment]:
    """The spans of a cell in exactly its width."""
    if width_of("".join(span.text for span in spans).rstrip()) > width:
        bright = [span for span in spans if span.tone != "dim"]
        fits = width_of("".join(span.text for span in bright).rstrip()) <= width
        spans = bright if bright and fits else _shortened(spans, width)
    left = width
    segments: list[Segment] = []
    for span in spans:
        text = first_cells(span.text, left)
        segments.append(Segment(text, base + look(span.tone) if span.tone in TONES else base))
        left -= width_of(text)
    blank = Segment(" " * left, base)
    return [blank, *segments] if right else [*segments, blank]


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
