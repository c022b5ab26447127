"""The curve of a report in block letters: above a zero line what is good for the first side."""

from collections.abc import Iterator, Sequence
from math import ceil

from attrs import frozen
from textual.content import Content

from qf_tui.console.widgets.text import fit, literal
from qf_tui.report.values import Curve, CurvePoint

UP = " ▁▂▃▄▅▆▇█"
DOWN = " ▔▔▀▀▀▀██"
"""Letters for eighths of a line, above and below zero; no font has all of those below."""
MARGIN = 9
"""Cells for the figures at the left."""
MOST = 3
"""The cells of a phase at most."""


@frozen
class _Scale:
    """What a line is worth, and how many lines stand above and below zero."""

    each: float
    above: int
    below: int


def curve_lines(curve: Curve, width: int, high: int) -> list[Content]:
    """Advantage and luck from phase to phase, `high` lines each at most, and the turn where it turned."""
    points, cells = _fitted(curve, max(1, width - MARGIN - 1))
    scale = _scale(curve.points, high)
    advantage, luck = [one.advantage for one in points], [one.luck for one in points]
    lines = [literal(f"Advantage, above the line {curve.above}, below it {curve.below}", "$quiet")]
    lines += _chart(advantage, scale, cells, "$primary")
    lines += [literal("Of it luck, by the same measure", "$quiet")]
    lines += _chart(luck, scale, cells, "$secondary")
    return [*lines, *_foot(curve, points, cells)]


def _fitted(curve: Curve, room: int) -> tuple[Sequence[CurvePoint], int]:
    """The points that fit, of several the last, and the cells of each."""
    points = curve.points
    each = ceil(len(points) / room)
    shown = [points[min(at + each, len(points)) - 1] for at in range(0, len(points), each)]
    return shown, max(1, min(MOST, room // len(shown)))


def _scale(points: Sequence[CurvePoint], high: int) -> _Scale:
    """One scale for both charts; each side of zero has the lines that it needs."""
    values = [value for one in points for value in (one.advantage, one.luck)]
    top, bottom = max(0.0, *values), max(0.0, *(-value for value in values))
    each = (top + bottom) / max(1, high)
    # Both sides round up, so that one line more may be needed than there is room for.
    if ceil(top / each) + ceil(bottom / each) > high and top and bottom:
        each = max(top, bottom) / max(1, high - 1) if high > 1 else max(top, bottom)
    return _Scale(each, ceil(round(top / each, 6)), ceil(round(bottom / each, 6)))


def _chart(values: Sequence[float], scale: _Scale, cells: int, style: str) -> Iterator[Content]:
    for line in range(scale.above, 0, -1):
        label = f"+{scale.each * scale.above:.1f}" if line == scale.above else ""
        yield _line(label, (UP[_eighths(value, line, scale)] for value in values), cells, style)
    last = f"{values[-1]:+.1f}"
    yield Content.assemble(
        literal(f"{fit('0', MARGIN - 1, True)} ", "$quiet"),
        literal("─" * (len(values) * cells), "$quiet"),
        literal(f" {last}", "bold"),
    )
    for line in range(1, scale.below + 1):
        label = f"-{scale.each * scale.below:.1f}" if line == scale.below else ""
        yield _line(label, (DOWN[_eighths(-value, line, scale)] for value in values), cells, style)


def _eighths(value: float, line: int, scale: _Scale) -> int:
    """How many eighths of a line, counted from zero, a value fills."""
    return max(0, min(8, round((value / scale.each - (line - 1)) * 8)))


def _line(label: str, letters: Iterator[str], cells: int, style: str) -> Content:
    drawn = "".join(letter * cells for letter in letters)
    return Content.assemble(literal(f"{fit(label, MARGIN - 1, True)} ", "$quiet"), literal(drawn, style))


def _foot(curve: Curve, points: Sequence[CurvePoint], cells: int) -> Iterator[Content]:
    """The turns below their first phase, and the turning point."""
    line, turn = "", None
    for at, one in enumerate(points):
        if one.turn != turn and len(line) <= at * cells:
            line = f"{line:<{at * cells}}{one.turn} "
            turn = one.turn
    yield literal(f"{fit('turn', MARGIN - 1, True)} {line}", "$quiet")
    if curve.turning is not None:
        turned = curve.points[curve.turning]
        each = ceil(len(curve.points) / len(points))
        place = curve.turning // each * cells
        said = f"turn {turned.turn}, {turned.phase}"
        mark = f"▲ {said}" if place < len(points) * cells // 2 else "▲"
        before = "" if mark != "▲" else f"{said} "
        yield literal(f"{'':<{MARGIN}}{before:>{place}}{mark}", "bold")
