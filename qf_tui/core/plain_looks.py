"""How a ship looks where her rule system says no more: values for scripts, grid cells, printed lines."""

from collections.abc import Iterable, Mapping

from qf_tui.core.declarations import Column, Field, Span
from qf_tui.core.log_sheet import SheetLine, SheetPart
from qf_tui.core.measure import Scalar
from qf_tui.core.values import AFLOAT, Ship

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
