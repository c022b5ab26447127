"""The lines of the logs as strips of their exact width, each kept until something in it changes."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from attrs import frozen
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from qf_tui.console.logs.layout import NAMES, NO_SIGN, SIGNS, SidePane, Sign
from qf_tui.console.widgets.text import CUT, cut, first_cells, fit, width_of
from qf_tui.core.system import RuleSystem, Span
from qf_tui.core.values import Battle, Ship

RowKey = tuple[str, int]
"""A side by its id, and a row."""
RowSource = tuple[object, ...]
"""All that a row is drawn from: if it is the same, so is the picture."""


class DrawnRows:
    """The rows of the logs; `count` is how many were drawn so far."""

    def __init__(self) -> None:
        self.count = 0
        self._known: dict[RowKey, tuple[RowSource, Strip]] = {}

    def fresh(self, place: RowKey, source: RowSource) -> bool:
        """Whether the row there was drawn from just that."""
        known = self._known.get(place)
        return known is not None and _same(known[0], source)

    def row(self, place: RowKey, source: RowSource, draw: Callable[[], Strip]) -> Strip:
        """The row there, drawn anew if it was drawn from something else."""
        if not self.fresh(place, source):
            self._known[place] = source, draw()
            self.count += 1
        return self._known[place][1]

    def clear(self) -> None:
        """Forgets all rows: their places have changed."""
        self._known.clear()


def _same(one: RowSource, other: RowSource) -> bool:
    """Whether two rows are drawn from the very same values, piece by piece."""
    for was, now in zip(one, other, strict=True):
        if was is not now and (isinstance(was, Ship) or was != now):
            return False
    return True


TONES = ("slash", "cross", "repaired", "alert", "dim")

Look = Callable[[str], Style]
"""The style of a part by its name: a tone, "side", "title", "row", "cell", "gone", or "" for plain."""


@frozen
class GridRow:
    """One ship's row: its sign, and the column under the cursor (-1: the cursor is elsewhere)."""

    ship: Ship
    sign: Sign = NO_SIGN
    cursor: int = -1


def side_line(system: RuleSystem, pane: SidePane, look: Look, hidden: int, only: str = "") -> Strip:
    """A side's name, how many of its ships are in the battle or shown, and how many sides are not shown.

    At its end what the logs have no room for: the titles of columns, or how many.
    """
    present = sum(not system.departed(ship) for ship in pane.ships)
    more = f" (x: {hidden} more side{'s' if hidden > 1 else ''})" if hidden else ""
    counted = f"{present} of {pane.count} in the battle"
    if only or len(pane.ships) < pane.count:
        counted = f"{len(pane.ships)} of {pane.count} shown: {only}"
    name = cut(pane.title, max(8, pane.layout.width - width_of(counted) - 6 - len(more)))
    text = cut(f" {name}  {counted}{more} ", pane.layout.width)
    rest = pane.layout.width - width_of(text)
    left_out = _left_out(pane.layout.left_out, rest)
    rule = "─" * (rest - width_of(left_out))
    return Strip([Segment(text, look("side")), Segment(f"{rule}{left_out}", look("title"))])


def _left_out(titles: tuple[str, ...], room: int) -> str:
    """The columns that have no room, by their titles or by how many, as there is room for that."""
    if not titles:
        return ""
    said = (f" {CUT} {', '.join(titles)}", f" {CUT} {len(titles)} more", f" {CUT}")
    return next((text for text in said if width_of(text) < room), "")


def title_line(pane: SidePane, look: Look, by: str = "", sign: str = "") -> Strip:
    """The columns' titles, with a sign on the one that the ships are sorted by."""

    def title(name: str, text: str, width: int, right: bool) -> Segment:
        if name != by:
            return Segment(fit(text, width, right), look("title"))
        return Segment(fit(f"{cut(text, width - 1)}{sign}", width, right), look("side"))

    parts = [Segment(" " * SIGNS, look("title")), title(NAMES, "ship", pane.layout.name, False)]
    for column, width in pane.layout.columns:
        parts.append(Segment(" " * pane.layout.gap, look("title")))
        parts.append(title(column.name, column.title, width, column.right))
    return Strip(parts).simplify()


def row_line(system: RuleSystem, battle: Battle, pane: SidePane, row: GridRow, look: Look) -> Strip:
    """A ship's row."""
    ship, here = row.ship, row.cursor >= 0
    gone = ship.status in system.departure_statuses
    base = look("gone") if gone else look("row") if here else look("")
    segments = [
        Segment(fit(row.sign.text, SIGNS - 1), base + look("alert") if row.sign.owes else base),
        Segment("▸" if here else " ", base),
        Segment(fit(ship.name, pane.layout.name), base + look("cell") if row.cursor == 0 else base),
    ]
    for place, (column, width) in enumerate(pane.layout.columns, start=1):
        style = base + look("cell") if row.cursor == place else base
        segments.append(Segment(" " * pane.layout.gap, base))
        segments.extend(cell_segments(system.cell(battle, ship, column), width, column.right, style, look))
    used = SIGNS + pane.layout.name + sum(pane.layout.gap + width for _, width in pane.layout.columns)
    segments.append(Segment(" " * max(0, pane.layout.width - used), base))
    return Strip(joined(segments), max(used, pane.layout.width))


def joined(segments: Iterable[Segment]) -> list[Segment]:
    """Segments with neighbours of one style in one, of which a terminal is sent a third as many bytes.

    A blank takes the style beside it where that shows no difference.
    """
    found: list[Segment] = []
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
            found.append(Segment(text, look))
            text, look = more, style
    return [*found, Segment(text, look)]


_PLAIN = Style()


@lru_cache(maxsize=256)
def _blank_alike(one: Style, other: Style) -> bool:
    """Whether blanks look the same in both styles."""
    return one.bgcolor == other.bgcolor and not any(
        each.underline or each.underline2 or each.reverse or each.strike or each.overline
        for each in (one, other)
    )


def cell_segments(spans: tuple[Span, ...], width: int, right: bool, base: Style, look: Look) -> list[Segment]:
    """The spans of a cell in exactly its width."""
    left = width
    segments: list[Segment] = []
    for span in spans if _fit(spans, width) else _shortened(spans, width):
        text = first_cells(span.text, left)
        segments.append(Segment(text, base + look(span.tone) if span.tone in TONES else base))
        left -= width_of(text)
    blank = Segment(" " * left, base)
    return [blank, *segments] if right else [*segments, blank]


def _fit(spans: tuple[Span, ...], width: int) -> bool:
    return width_of("".join(span.text for span in spans).rstrip()) <= width


def _shortened(spans: tuple[Span, ...], width: int) -> list[Span]:
    """Spans that do not fit: without those that are pale, or cut with a sign at the end."""
    bright = tuple(span for span in spans if span.tone != "dim")
    if bright and _fit(bright, width):
        return list(bright)
    left, found = width - 1, []
    for span in spans:
        text = first_cells(span.text, left)
        found.append(Span(text, span.tone))
        left -= width_of(text)
        if left <= 0:
            break
    return [*found, Span(CUT)]
