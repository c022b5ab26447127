"""The log of a ship as it is printed: rows of boxes with their marks, for paper, screens and scripts.

Also here: the default report of a ship's fields, and the default cells for the list of ships.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from attrs import evolve, frozen

from qf_tui.core.declarations import Column, Field, Shape, Span, Tone
from qf_tui.core.values import AFLOAT, Mark, Ship

BOXES_MOST = 24
"""The number of boxes in the longest row; a greater count is printed as a figure."""


class BoxState(StrEnum):
    """How a box is marked. A slash counts from the end of the phase; a repaired box stays legible."""

    OPEN = ""
    SLASH = "slash"
    CROSS = "cross"
    HALF = "half"
    REPAIRED = "repaired"


@frozen
class Box:
    """A box on a log sheet.

    Attributes:
        text: Text printed in it.
        state: How it is marked.
        for_good: True if the damage can never be repaired.
    """

    text: str = ""
    state: BoxState = BoxState.OPEN
    for_good: bool = False


@frozen
class SheetPart:
    """A part of a printed log: a title, a figure, a row of boxes, and marks.

    Attributes:
        title: Title for people.
        text: Figure after the title, or "".
        boxes: Row of boxes.
        written: Marks on the ship.
        room: Number of empty boxes for further marks.
        reconstructed: True if figure or boxes are estimates, printed in no source.
    """

    title: str
    text: str = ""
    boxes: tuple[Box, ...] = ()
    written: tuple[Span, ...] = ()
    room: int = 0
    reconstructed: bool = False


SheetLine = tuple[SheetPart, ...]
"""Parts of a log that are printed in one line."""

NeededCells = Mapping[str, Collection[tuple[str, str]]]
"""The chart cells that a battle may need, as (row, column) by table.

"" means every row or every column. A table that is missing here is needed completely.
"""


def draw_crossed_boxes(
    texts: Sequence[str], crosses: int, slashes: int = 0, repaired: int = 0, *, for_good: bool = False
) -> tuple[Box, ...]:
    """Build a row of boxes marked from the left: crosses, then slashes, then repaired boxes.

    Marks for which there is no box are left out.

    Args:
        for_good: True if the damage of the marked boxes can never be repaired.
    """
    states = (
        *[BoxState.CROSS] * max(0, crosses),
        *[BoxState.SLASH] * max(0, slashes),
        *[BoxState.REPAIRED] * max(0, repaired),
    )
    marked = [Box(text, state, for_good) for text, state in zip(texts, states, strict=False)]
    return (*marked, *map(Box, texts[len(marked) :]))


def draw_countdown(printed: int, before: int, now: int, repaired: int = 0) -> tuple[Box, ...]:
    """Build the boxes of a count that damage lowers; the first open box shows the count.

    Args:
        printed: The count on the card.
        before: The count at the start of the phase.
        now: The count now.
        repaired: Number of boxes that were repaired.

    Returns:
        The boxes: crosses for earlier losses, then slashes for those of this phase. () if the count is too
        great for boxes.
    """
    most = max(printed, now)
    if most > BOXES_MOST:
        return ()
    texts = [str(figure) for figure in range(most, 0, -1)]
    # A count that has risen since the start of the phase has no slashes.
    before = min(most, max(before, now))
    return draw_crossed_boxes(texts, most - before, before - now, repaired)


def add_count(part: SheetPart, count: int) -> SheetPart:
    """Add a count to the figure of a part without boxes; 0 adds nothing."""
    return part if part.boxes or not count else evolve(part, text=f"{part.text} {count}".strip())


def format_mark_spans(began: Ship, ship: Ship, kind: str, sign: Callable[[Mark], str]) -> tuple[Span, ...]:
    """List the marks of a kind as spans; marks that ended or were repaired are drawn struck out.

    Args:
        began: The ship at the start of the phase; marks made since are drawn as slashes.
        sign: Function that gives the text of a mark.
    """
    old_ids = {mark.id for mark in began.marks}

    def find_tone(mark: Mark) -> Tone:
        if mark.lifted:
            return "repaired"
        return "" if mark.id in old_ids else "slash"

    return tuple(Span(sign(mark), find_tone(mark)) for mark in ship.marks if mark.kind == kind)


def build_plain_report(fields: Iterable[Field], ship: Ship) -> Mapping[str, Shape]:
    """Return all fields of a ship and its status; marks are counted, marks with a text are listed."""
    report: dict[str, Shape] = {}
    for field in fields:
        marks = ship.live(field.name)
        if field.kind == "marks":
            report[field.name] = len(marks)
        elif field.kind == "texts":
            report[field.name] = [mark.text for mark in marks]
        elif field.kind != "status":
            source = ship.card if field.card else ship.log
            value = field.convert_value(source.get(field.name))
            report[field.name] = list(value) if isinstance(value, tuple) else value
    return {**report, "status": ship.status}


def format_plain_cell(
    column: Column, began: Mapping[str, Shape], now: Mapping[str, Shape], *, slashes: bool
) -> tuple[Span, ...]:
    """Format the fields of a column; empty values and the status afloat are left out.

    Args:
        began: Report of the ship at the start of the phase.
        now: Report of the ship now.
        slashes: True to show a number as it was at the start of the phase, with a slash for each point lost
            since.
    """
    spans: list[Span] = []
    for name in column.fields:
        before, after = began[name], now[name]
        lost_points = before - after if isinstance(before, int) and isinstance(after, int) and slashes else 0
        text = "" if after in (None, [], AFLOAT) else str(before if lost_points > 0 else after)
        spans.extend((Span(f" {text}" if spans else text), Span("/" * lost_points, "slash")))
    return tuple(span for span in spans if span.text)
