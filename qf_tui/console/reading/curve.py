"""The curve of a report in block letters: above a zero line what is good for the first side."""

from collections.abc import Iterator, Sequence
from math import ceil, inf

from attrs import frozen
from textual.content import Content

from qf_tui.console.widgets.text import fit, literal, width_of
from qf_tui.report.values import Curve, CurvePoint

UP = " ▁▂▃▄▅▆▇█"
DOWN = " ▔▔▀▀▀▀██"
"""Letters for eighths of a line, above and below zero; no font has all of those below."""
MARGIN = 9
"""Cells for the figures at the left."""
LAST = 8
"""Cells for the last figure, behind the line."""
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
    points, cells = _fitted(curve, max(1, width - MARGIN - LAST))
    scale = _scale(curve.points, high)
    advantage, luck = [one.advantage for one in points], [one.luck for one in points]
    lines = [literal(f"Advantage, above the line {curve.above}, below it {curve.below}", "$quiet")]
    lines += _chart(advantage, scale, cells, "$primary")
    lines += [literal("Of it luck, by the same measure", "$quiet")]
    lines += _chart(luck, scale, cells, "$secondary")
    return [*lines, *_turns(points, cells), *_mark(curve, len(points), cells, width)]


def _fitted(curve: Curve, room: int) -> tuple[Sequence[CurvePoint], int]:
    """The points that fit, of several the last, and the cells of each."""
    points = curve.points
    each = ceil(len(points) / room)
    shown = [points[min(at + each, len(points)) - 1] for at in range(0, len(points), each)]
    return shown, max(1, min(MOST, room // len(shown)))


def _scale(points: Sequence[CurvePoint], high: int) -> _Scale:
    """One scale for both charts, which shares `high` lines out above and below zero best."""
    values = [value for one in points for value in (one.advantage, one.luck)]
    top, bottom = max(0.0, *values), max(0.0, *(-value for value in values))
    if not top and not bottom:
        return _Scale(1.0, 0, 0)
    least = min(max(_share(top, above), _share(bottom, high - above)) for above in range(high + 1))
    return _Scale(least, ceil(round(top / least, 6)), ceil(round(bottom / least, 6)))


def _share(value: float, lines: int) -> float:
    """What each of some lines is worth, where together they are worth a value."""
    return value / lines if lines else inf if value else 0.0


def _chart(values: Sequence[float], scale: _Scale, cells: int, style: str) -> Iterator[Content]:
    """One curve, with no more lines than it fills; the figure at a side is what its last line is worth."""
    above = [line for line in range(scale.above, 0, -1) if _reaches(values, line, scale)]
    below = [
        line for line in range(1, scale.below + 1) if _reaches([-value for value in values], line, scale)
    ]
    for line in above:
        label = f"+{scale.each * line:.1f}" if line == above[0] else ""
        yield _line(label, (UP[_eighths(value, line, scale)] for value in values), cells, style)
    yield Content.assemble(
        literal(f"{fit('0', MARGIN - 1, True)} ", "$quiet"),
        literal("─" * (len(values) * cells), "$quiet"),
        literal(f" {values[-1]:+.1f}", "bold"),
    )
    for line in below:
        label = f"-{scale.each * line:.1f}" if line == below[-1] else ""
        yield _line(label, (DOWN[_eighths(-value, line, scale)] for value in values), cells, style)


def _reaches(values: Sequence[float], line: int, scale: _Scale) -> bool:
    return any(_eighths(value, line, scale) for value in values)


def _eighths(value: float, line: int, scale: _Scale) -> int:
    """How many eighths of a line, counted from zero, a value fills."""
    return max(0, min(8, round((value / scale.each - (line - 1)) * 8)))


def _line(label: str, letters: Iterator[str], cells: int, style: str) -> Content:
    drawn = "".join(letter * cells for letter in letters)
    return Content.assemble(literal(f"{fit(label, MARGIN - 1, True)} ", "$quiet"), literal(drawn, style))


def _turns(points: Sequence[CurvePoint], cells: int) -> Iterator[Content]:
    """The turns below their first phase, where there is room."""
    line, turn = "", None
    for at, one in enumerate(points):
        if one.turn != turn and len(line) <= at * cells:
            line = f"{line:<{at * cells}}{one.turn} "
            turn = one.turn
    yield literal(f"{fit('turn', MARGIN - 1, True)} {line.rstrip()}", "$quiet")


def _mark(curve: Curve, shown: int, cells: int, width: int) -> Iterator[Content]:
    """The turning point below its phase, with its name on the side that has room, or below."""
    if curve.turning is None:
        return
    turned = curve.points[curve.turning]
    place = curve.turning // ceil(len(curve.points) / shown) * cells
    said = f"turn {turned.turn}, {turned.phase}"
    if MARGIN + place + 2 + width_of(said) <= width:
        yield literal(f"{'':<{MARGIN + place}}▲ {said}", "bold")
    elif width_of(said) < place:
        yield literal(f"{'':<{MARGIN + place - width_of(said) - 1}}{said} ▲", "bold")
    else:
        yield literal(f"{'':<{MARGIN + place}}▲", "bold")
        yield literal(f"  {said}", "bold")
