"""The widget that draws a row for each ship of both sides with her damage, and the search for a ship."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import ClassVar

from attrs import evolve, frozen
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from qf_tui.console.reading.log_layout import (
    HEAD_LINES,
    LAST,
    NAME_COLUMN,
    NAME_TITLE,
    NO_SIGN,
    SIGN_CELLS,
    SPARE,
    Arrangement,
    Cursor,
    SidePane,
    Sign,
    find_cell,
    find_panes,
    is_match,
    lay_out_panes,
)
from qf_tui.console.widgets.text import (
    CUT,
    Signs,
    cut,
    cut_cells,
    fit,
    join_parts,
    measure_width,
)
from qf_tui.core.grammar.names import list_candidates, list_named_ships
from qf_tui.core.system import Column, RuleSystem, Span
from qf_tui.core.text import format_count
from qf_tui.core.values import Battle, Ship

TONES = ("slash", "cross", "repaired", "alert", "dim")
LOOKS = ("side", "title", "row", "cell", "gone")
WANTED = "letters of a name, a kind, a division or a player"
USUAL_WIDTH = 80
NAMES_LEAST, AROUND = 20, 5
"""Least width of the names of the ships that match; cells around the line of the search."""

RowKey = tuple[str, int]
"""The id of a side, and a row."""
Cells = dict[tuple[str, int, Style], list[tuple[str, Style]]]
"""The drawn cells of a ship, by column, width and style."""
Look = Callable[[str], Style]
"""Function that returns the style of a tone or look by its name; "" means plain."""


@frozen
class RowSource:
    """All values from which the row of a ship is drawn: equal values give equal rows.

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
        # Each pane without its `ships`, and the id of each of its ships with whether it has left the battle.
        self._places: list[tuple[object, ...]] = []
        self._laid_out_size = (0, 0)
        # Cache of drawn rows with their sources, and number of rows drawn so far.
        self.rows: dict[RowKey, tuple[RowSource, Strip]] = {}
        self.drawn_count = 0
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
        self._laid_out_size = self._room
        width, height = self._laid_out_size
        # The width is 0 before the first layout.
        self.panes = panes = self._lay_out(width or USUAL_WIDTH, height)
        self.virtual_size = Size(width, max((pane.end for pane in panes), default=HEAD_LINES))
        self.cursor = self.cursor.clamp_column(self.pane)
        earlier_places = self._places
        self._places = []
        for pane in panes:
            ships = [(ship.id, self.system.has_departed(ship)) for ship in pane.ships]
            self._places.append((evolve(pane, ships=()), ships))
        # If a pane or a ship has another place, all is drawn again.
        if self._places != earlier_places:
            self.refresh()
        else:
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

    def _lay_out(self, width: int, height: int) -> tuple[SidePane, ...]:
        """Lay out the sides in a width and height, so that the cursor's side is shown."""
        side = self.cursor.side
        return lay_out_panes(self.system, self.battle, self.arrangement, side, self.signs, width, height)

    def count_lines(self, width: int, most: int) -> int:
        """Count the lines that the logs need in a width; sides below each other also get spare lines.

        Args:
            most: Most lines that the logs can have; if all sides fit into these, they may be stacked.
        """
        panes = self._lay_out(width, most)
        last = max((pane.end for pane in panes), default=HEAD_LINES)
        return min(most, last + SPARE) if any(pane.top for pane in panes) else last

    def on_resize(self) -> None:
        """Lay out the panes again if the size has changed; the cursor stays visible."""
        if self._room != self._laid_out_size:
            self.show(self.battle, self.signs)
        else:
            self._reveal()

    def refresh_row(self, row: int) -> None:
        """Redraw the row with this number in all panes, if it is on the screen."""
        y = row + HEAD_LINES - self.scroll_offset.y
        for top in {pane.top for pane in self.panes}:
            if HEAD_LINES <= y < self.size.height - top:
                self.refresh(Region(0, top + y, self.size.width, 1))

    def _find_source(self, pane: SidePane, row: int, has_cursor: bool) -> RowSource | None:
        """Return the values from which a row must be drawn again; None if its drawn strip is still right.

        If only the frame of the row has changed, the result has the cells that are drawn already.
        """
        ship, battle = pane.ships[row], self.battle
        facts = (*self.system.list_shown_values(battle, ship), self.app.theme, Signs.ascii)
        column = self.cursor.column if has_cursor else -1
        frame = pane.layout, column, self.signs.get(ship.id, NO_SIGN)
        drawn, _ = self.rows.get((pane.side, row), (None, None))
        # A changed ship is always a new object, so the values of ships need not be compared.
        if drawn is None or any(
            was is not now and (isinstance(was, Ship) or was != now)
            for was, now in zip(drawn.facts, facts, strict=True)
        ):
            return RowSource(facts, frame, {})
        return None if drawn.frame == frame else RowSource(facts, frame, drawn.cells)

    def render_line(self, y: int) -> Strip:
        """Render a line of the logs: the same line of each pane there, next to each other."""
        plain = self.find_style("")
        panes, pane_line = find_panes(self.panes, y)
        parts: list[Strip] = []
        row = pane_line - HEAD_LINES + self.scroll_offset.y
        for pane in panes:
            if parts:
                parts.append(Strip([Segment(" ", plain)]))
            if pane_line < HEAD_LINES:
                line = self._draw_title_line(pane) if pane_line else self._draw_side_line(pane)
            elif row >= len(pane.ships):
                line = Strip.blank(pane.layout.width, plain)
            else:
                source = self._find_source(pane, row, pane is self.pane and row == self.row)
                if source is not None:
                    self.rows[pane.side, row] = source, self._draw_row(pane, row, source.cells)
                    self.drawn_count += 1
                line = self.rows[pane.side, row][1]
            parts.append(line.adjust_cell_length(pane.layout.width, plain))
        return Strip.join(parts).adjust_cell_length(self.size.width, plain)

    def _draw_side_line(self, pane: SidePane) -> Strip:
        """Draw the line above a pane: a text on its side, a rule, and the titles of columns that do not fit.

        With less room, the line has only the number of these titles, or a sign.
        """
        text = self._format_side(pane)
        room = pane.layout.width - measure_width(text)
        titles = pane.layout.left_out
        notes = (f" {CUT} {', '.join(titles)}", f" {CUT} {len(titles)} more", f" {CUT}") if titles else ()
        left_out = next((note for note in notes if measure_width(note) < room), "")
        rule = "─" * (room - measure_width(left_out))
        return Strip(
            [Segment(text, self.find_style("side")), Segment(f"{rule}{left_out}", self.find_style("title"))]
        )

    def _format_side(self, pane: SidePane) -> str:
        """Format the side of a pane: its name, how many of its ships are shown, how many sides are hidden."""
        width, shown_only = pane.layout.width, self.arrangement.text
        # The key x goes to the next side.
        hidden_count = len(self.battle.sides) - len(self.panes)
        more = f" (x: {format_count(hidden_count, 'more side')})" if hidden_count else ""
        present = sum(not self.system.has_departed(ship) for ship in pane.ships)
        count_text = f"{present} of {pane.count} in the battle"
        if shown_only or len(pane.ships) < pane.count:
            count_text = f"{len(pane.ships)} of {pane.count} shown: {shown_only}"
        name = cut(pane.title, max(8, width - measure_width(count_text) - 6 - len(more)))
        return cut(f" {name}  {count_text}{more} ", width)

    def _draw_title_line(self, pane: SidePane) -> Strip:
        """Draw the columns' titles, with a sign on the column that sorts the ships."""
        layout, arrangement = pane.layout, self.arrangement
        quiet = self.find_style("title")
        titles = [(NAME_COLUMN, NAME_TITLE, layout.name_width, False)]
        titles += [(column.name, column.title, width, column.right) for column, width in layout.columns]
        segments = [Segment(" " * (SIGN_CELLS - layout.gap), quiet)]
        for name, text, width, right in titles:
            segments.append(Segment(" " * layout.gap, quiet))
            if name == arrangement.column:
                title = f"{cut(text, width - 1)}{arrangement.sign}"
                segments.append(Segment(fit(title, width, right), self.find_style("side")))
            else:
                segments.append(Segment(fit(text, width, right), quiet))
        return Strip(segments).simplify()

    def _draw_row(self, pane: SidePane, row: int, cells: Cells) -> Strip:
        """Draw a ship's row: signs, name and cells; a cell that `cells` lacks is drawn and added there."""
        ship, layout, look = pane.ships[row], pane.layout, self.find_style
        has_cursor = pane is self.pane and row == self.row
        cursor_column = self.cursor.column if has_cursor else -1
        sign = self.signs.get(ship.id, NO_SIGN)
        has_departed = ship.status in self.system.departure_statuses
        row_look = "row" if has_cursor else ""
        base = look("gone" if has_departed else row_look)
        parts: list[tuple[str, Style]] = [
            (fit(sign.text, SIGN_CELLS - 1), base + look("alert") if sign.owes else base),
            ("▸" if has_cursor else " ", base),
            (fit(ship.name, layout.name_width), base + look("cell") if cursor_column == 0 else base),
        ]
        used_width = SIGN_CELLS + layout.name_width
        for place, (column, width) in enumerate(layout.columns, start=1):
            style = base + look("cell") if cursor_column == place else base
            cell_key = column.name, width, style
            if cell_key not in cells:
                spans = self.system.cell(self.battle, ship, column)
                cells[cell_key] = fit_cell(spans, width, column.right, style, look)
            parts.append((" " * layout.gap, base))
            parts += cells[cell_key]
            used_width += layout.gap + width
        parts.append((" " * max(0, layout.width - used_width), base))
        # Equal styles are the same object, so joining runs of cells takes a third of the time.
        runs = groupby(parts, itemgetter(1))
        segments = [Segment("".join([text for text, _ in run]), style) for style, run in runs]
        return Strip(segments, max(used_width, layout.width))

    def find_style(self, name: str) -> Style:
        """Return the style of a tone or look by its name; "" means plain."""
        if not self._looks:
            # A partial style has only what the stylesheet states, so the row's style shows through it.
            parts = ((part, part in TONES or part == "cell") for part in (*TONES, *LOOKS))
            self._looks = {
                part: self.get_component_rich_style(f"grid--{part}", partial=partial)
                for part, partial in parts
            }
            self._looks[""] = self.rich_style
        return self._looks[name]

    def notify_style_update(self) -> None:
        """Forget the cached styles, since the theme has changed."""
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
        """Scroll to the cursor, redraw the row where it was and its row now, and post `Moved`."""
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
        shown_ids = (ship.id for pane in self.panes for ship in pane.ships)
        ids = [id for id in dict.fromkeys((*shown_ids, *ships)) if id in ships]
        if division is not None and cursor_ship is not None:
            division_key = cursor_ship.side, division
            ids = [id for id in ids if (ships[id].side, ships[id].division) == division_key]
        at = ids.index(cursor_ship.id) + 1 if cursor_ship is not None and cursor_ship.id in ids else 0
        next_id = next((id for id in (*ids[at:], *ids[:at]) if id in self.signs), "")
        if next_id:
            self.go_to_ship(next_id)
        return bool(next_id)

    def _reveal(self) -> None:
        """Scroll to the cursor's row, if it is not visible, and a third of a page beyond the row.

        With this margin most cursor keys do not scroll.
        """
        visible_rows = max(1, self.size.height - HEAD_LINES)
        top, row = self.scroll_offset.y, self.row
        margin = visible_rows // 3
        if not top <= row < top + visible_rows:
            new_top = row - margin if row < top else row - visible_rows + 1 + margin
            self.scroll_to(y=max(0, new_top), animate=False, force=True, immediate=True)

    def action_step(self, by: int) -> None:
        """Move the cursor some rows down (up if negative), at most to the last or the first row."""
        if self.pane is not None and self.pane.ships:
            self.move(self.cursor.move_to_row(self.row + by, self.pane))

    def action_page(self, by: int) -> None:
        """Move the cursor some pages down."""
        self.action_step(by * max(1, self.size.height - HEAD_LINES))

    def action_home(self) -> None:
        self.action_step(-self.row)

    def action_end(self) -> None:
        self.action_step(len(self.pane.ships) if self.pane else 0)

    def action_left(self) -> None:
        """Move to the column to the left; from the names to the last column of the previous side."""
        column = self.cursor.column
        if column:
            self.move(self.cursor.move_to_column(column - 1))
        else:
            self.move(self._find_side_cursor(-1).move_to_column(LAST))

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
        """Show only the ships of the next choice, such as those that may act; after the last all ships."""
        self.rearrange(self.arrangement.cycle_show(self.signs.values()))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the clicked cell, or sort by the column whose title is clicked.

        A click on the cell under the cursor posts `Chosen`.
        """
        # Keys typed after the click are keys of the logs.
        self.screen.set_focus(self if self.can_focus else None)
        panes, y = find_panes(self.panes, event.y)
        is_title = y == HEAD_LINES - 1
        row = 0 if is_title else y - HEAD_LINES + self.scroll_offset.y
        cell = find_cell(panes, event.x, row) if y >= HEAD_LINES - 1 else None
        if cell is None:
            return
        pane, column = cell
        side = [side.id for side in self.battle.sides].index(pane.side)
        if is_title:
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
        self._start_cursor = grid.cursor
        self._show()

    def add_letter(self, letter: str) -> None:
        """Add a letter, and go to the likeliest ship."""
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
            self.grid.go_to_ship(matches[0], self._start_cursor)
        self._show()

    def go_to_next(self) -> None:
        """Put the cursor on the next ship that matches."""
        matches, here = self.matches, self.grid.ship
        if matches:
            place = matches.index(here.id) + 1 if here and here.id in matches else 0
            self.grid.go_to_ship(matches[place % len(matches)], self._start_cursor)

    def shorten(self) -> None:
        """Delete the last letter, and go to the likeliest ship."""
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
        self.grid.move(self._start_cursor)
        self.end()

    def _show(self) -> None:
        """Show the letters and the ships that match; without letters, what kinds of words can be typed."""
        ships = self.grid.battle.ships
        text = f"go to: {self.letters}▏ "
        room = max(NAMES_LEAST, self.grid.app.size.width - AROUND - measure_width(text))
        names = join_parts((ships[id].name for id in self.matches), room) if self.letters else WANTED
        self.say(f"{text}{names or 'no such ship'}")


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
    room_left = width - 1
    shortened = []
    for span in spans:
        text = cut_cells(span.text, room_left)
        shortened.append(Span(text, span.tone))
        room_left -= measure_width(text)
        if room_left <= 0:
            break
    return [*shortened, Span(CUT)]
