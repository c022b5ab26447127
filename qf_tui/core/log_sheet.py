"""A ship's log as it is printed: lines of parts, each a title with figures, boxes to cross, room to write."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from attrs import evolve, frozen

from qf_tui.core.declarations import Column, Field, Span
from qf_tui.core.measure import Scalar
from qf_tui.core.values import AFLOAT, Ship

BOXES_MOST = 24
"""Boxes of the longest row: a greater count is printed as a figure."""


class BoxState(StrEnum):
    """How a box is marked: a slash counts from the phase's end; what was repaired stays legible."""

    OPEN = ""
    SLASH = "slash"
    CROSS = "cross"
    HALF = "half"
    REPAIRED = "repaired"


@frozen
class Box:
    """One box: what is printed in it, how it is marked, and whether that can never be repaired."""

    text: str = ""
    state: BoxState = BoxState.OPEN
    for_good: bool = False


@frozen
class SheetPart:
    """A title with a figure, a row of boxes, and what stands beside.

    `written` are the marks that are there; `room` is for more of them, in boxes. `reconstructed`: its figure
    or its boxes are nobody's printed values.
    """

    title: str
    text: str = ""
    boxes: tuple[Box, ...] = ()
    written: tuple[Span, ...] = ()
    room: int = 0
    reconstructed: bool = False


SheetLine = tuple[SheetPart, ...]

NeededCells = Mapping[str, Collection[tuple[str, str]]]
"""The cells that a battle can come to, as (row, column) by table of its charts.

"" is any row or any column; a table that is left out is needed whole.
"""


def crossed(
    texts: Sequence[str], crosses: int, slashes: int = 0, repaired: int = 0, *, for_good: bool = False
) -> tuple[Box, ...]:
    """A row of boxes, marked from the left: crosses, then slashes, then as many that were repaired."""
    states = (
        *[BoxState.CROSS] * max(0, crosses),
        *[BoxState.SLASH] * max(0, slashes),
        *[BoxState.REPAIRED] * max(0, repaired),
    )
    marked = [Box(text, state, for_good) for text, state in zip(texts, states, strict=False)]
    return (*marked, *map(Box, texts[len(marked) :]))


def countdown(printed: int, stood: int, stands: int, repaired: int = 0) -> tuple[Box, ...]:
    """A count that damage lowers, its greatest figure first: the first open box says what is left.

    `stood` is the count as the phase began; of one too great for boxes there are none.
    """
    most = max(printed, stands)
    if most > BOXES_MOST:
        return ()
    texts = [str(figure) for figure in range(most, 0, -1)]
    before = min(most, max(stood, stands))
    return crossed(texts, most - before, before - stands, repaired)


def counted(part: SheetPart, stands: int) -> SheetPart:
    """A part whose count is said in its figure, where it has no boxes for it."""
    return part if part.boxes or not stands else evolve(part, text=f"{part.text} {stands}".strip())


Shape = Scalar | list[object] | dict[str, object]


def plain_report(fields: Iterable[Field], ship: Ship) -> Mapping[str, Shape]:
    """All fields of a ship and its status: marks counted, those with a text listed."""
    found: dict[str, Shape] = {}
    for field in fields:
        marks = ship.live(field.name)
        if field.kind == "marks":
            found[field.name] = len(marks)
        elif field.kind == "texts":
            found[field.name] = [mark.text for mark in marks]
        elif field.kind != "status":
            value = field.shown((ship.card if field.card else ship.log).get(field.name))
            found[field.name] = list(value) if isinstance(value, tuple) else value
    return {**found, "status": ship.status}


def plain_cell(
    column: Column, began: Mapping[str, Shape], now: Mapping[str, Shape], *, slashes: bool
) -> tuple[Span, ...]:
    """The fields of a column, with a slash for each point lost since the phase began."""
    spans: list[Span] = []
    for name in column.fields:
        stood, stands = began[name], now[name]
        lost = stood - stands if isinstance(stood, int) and isinstance(stands, int) and slashes else 0
        text = "" if stands in (None, [], AFLOAT) else str(stood if lost > 0 else stands)
        spans.extend((Span(f" {text}" if spans else text), Span("/" * lost, "slash")))
    return tuple(span for span in spans if span.text)


def plain_lines(lines: Iterable[tuple[str, tuple[Span, ...]]]) -> tuple[SheetLine, ...]:
    """A sheet of titled lines as one to be printed."""
    return tuple((SheetPart(title, written=spans),) for title, spans in lines)
