"""Drawings of a battle report: the curve of advantage and luck, also as text bars, and a side's results."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, inf
from typing import ClassVar, TypeVar

from attrs import frozen

from qf_tui.document.text import measure_width
from qf_tui.document.values import (
    Document,
    Drawing,
    Line,
    Row,
    Table,
    TextSpan,
    Tone,
    build_line,
    build_number_columns,
    build_text_columns,
)


def format_signed(value: float, places: int = 1) -> str:
    """Format a number with its sign; zero has none."""
    rounded = round(value, places)
    return f"{'−' if rounded < 0 else '+' if rounded > 0 else ''}{abs(rounded):.{places}f}"


@frozen
class CurvePoint:
    """A point of the curve of advantage and luck: their values at the end of a phase.

    Attributes:
        turn: Turn of the phase.
        phase: Title of the phase.
        worth: Worth of each side, in the order of `Curve.sides`.
        advantage: Gain of the first side on the second since the start, without ships that joined.
        luck: Part of the advantage that the dice brought.
        gained: Luck in this phase; all three are above 0 if they are good for the first side.
    """

    turn: int
    phase: str
    worth: tuple[float, ...]
    advantage: float
    luck: float
    gained: float

    @property
    def text(self) -> str:
        """The point in words."""
        return (
            f"turn {self.turn}, {self.phase}: advantage {format_signed(self.advantage, 2)}, "
            f"luck {format_signed(self.luck, 2)} ({format_signed(self.gained, 2)} in this phase)"
        )


@frozen
class Curve(Drawing):
    """The curve of advantage and luck from phase to phase, for the first two sides.

    Attributes:
        sides: Names of the two sides.
        points: Points in play order.
        turning: Index of the turning point, or None.
        above: Meaning of values above the zero line.
        below: Meaning of values below the zero line.
        unit: Unit of worth.
    """

    title: ClassVar = "Advantage and luck by phase"
    bars_title: ClassVar = "luck of each phase"
    figures_title: ClassVar = "The curve in figures"
    luck_title: ClassVar = "The luck in it, on the same scale"

    sides: tuple[str, ...]
    points: tuple[CurvePoint, ...]
    turning: int | None
    above: str
    below: str
    unit: str

    @property
    def about(self) -> str:
        """A description for readers who cannot see the drawing."""
        last = self.points[-1]
        turning_sentence = f" The phase of {self.turning_text}." if self.turning_phase else ""
        return (
            f"Above the zero line: {self.above}; below it: {self.below}. At the end advantage "
            f"{format_signed(last.advantage, 2)}, luck {format_signed(last.luck, 2)}.{turning_sentence} "
            "All figures are in the table below."
        )

    @property
    def figures(self) -> Table:
        """The points as a table, with a mark at the turning point."""
        columns = (
            *build_number_columns("turn"),
            *build_text_columns("phase"),
            *build_number_columns(*self.sides, "advantage", "luck", "of this phase"),
        )
        rows = (
            (
                str(point.turn),
                f"{point.phase} ▲" if index == self.turning else point.phase,
                *(f"{worth:.2f}" for worth in point.worth),
                *(format_signed(value, 2) for value in (point.advantage, point.luck, point.gained)),
            )
            for index, point in enumerate(self.points)
        )
        return Table(columns, tuple(map(Row, rows)))

    @property
    def turning_phase(self) -> str:
        """The phase of the turning point, or "" if there is none."""
        if self.turning is None:
            return ""
        point = self.points[self.turning]
        return f"turn {point.turn}, {point.phase}"

    @property
    def turning_text(self) -> str:
        """The label of the turning point, or ""."""
        return f"most luck: {self.turning_phase}" if self.turning_phase else ""

    @property
    def advantage_text(self) -> str:
        return f"Advantage: above the line {self.above}, below it {self.below}"


@frozen
class Outcomes(Drawing):
    """The results that a side scored, with the chances of all its results; drawn only on a page.

    Attributes:
        side: Name of the side.
        first: True for the first side, which sets the colour.
        results: Number of results scored.
        mean: Mean number of results.
        ways: Number of equally likely ways that give each number of results.
        of: Number of all ways.
    """

    side: str
    first: bool
    results: int
    mean: float
    ways: tuple[int, ...]
    of: int

    @property
    def due_text(self) -> str:
        return f"{self.mean:.1f} due"

    @property
    def thrown_text(self) -> str:
        return f"{self.results} thrown"

    @property
    def about(self) -> str:
        """A description for readers who cannot see the drawing."""
        return (
            f"{self.side}: {self.thrown_text}, {self.due_text}; "
            "the bars show how often the same throws bring each count"
        )


def find_curve(report: Document) -> Curve | None:
    """Return the curve of a report, or None if it has none."""
    return next(iter(report.list_blocks(Curve)), None)


BLOCKS = "▁▂▃▄▅▆▇█"
_Value = TypeVar("_Value")


def draw_bars(values: Sequence[float], bounds: tuple[float, float] | None = None, bars_most: int = 60) -> str:
    """Draw values as bars, one letter each, taller for larger values; without values, return "".

    Args:
        values: Values to draw.
        bounds: Values of the lowest and the tallest bar; by default the smallest and largest value.
        bars_most: Largest number of bars; with more values, each bar shows the last of several.
    """
    if not values:
        return ""
    least, greatest = bounds or (min(values), max(values))
    samples = _sample_values(values, bars_most)
    step = (greatest - least) / (len(BLOCKS) - 1)
    if not step:
        return BLOCKS[0] * len(samples)
    heights = (round((value - least) / step) for value in samples)
    return "".join(BLOCKS[max(0, min(len(BLOCKS) - 1, height))] for height in heights)


def _sample_values(values: Sequence[_Value], count_most: int) -> Sequence[_Value]:
    """Take at most `count_most` values: the last of each group of neighbours."""
    group_size = ceil(len(values) / count_most)
    return [values[min(start + group_size, len(values)) - 1] for start in range(0, len(values), group_size)]


def draw_curve(curve: Curve, bars_most: int = 60) -> list[str]:
    """Draw advantage and luck as rows of bars, each with its last value.

    The turns, ▲ at the turning point, and the scale follow.
    """
    advantages = [point.advantage for point in curve.points]
    lucks = [point.luck for point in curve.points]
    bounds = min(*advantages, *lucks), max(*advantages, *lucks)
    rows = (("advantage", advantages), ("luck", lucks))
    lines = [
        f"{title:<9}  {draw_bars(values, bounds, bars_most)}  {format_signed(values[-1], 2)}"
        for title, values in rows
    ]
    least, greatest = (format_signed(bound, 2) for bound in bounds)
    scale = f"{'from':<9}  {least} to {greatest}; + {curve.above}, − {curve.below}"
    lines.append(f"{'turn':<9}  {_write_turn_numbers(curve, bars_most)}".rstrip())
    if curve.turning is not None:
        place = curve.turning // ceil(len(curve.points) / bars_most)
        lines.append(f"{'':<9}  {'▲':>{place + 1}} {curve.turning_text}")
    return [*lines, scale]


def _write_turn_numbers(curve: Curve, bars_most: int) -> str:
    """Write each turn's number below its first bar, where there is room."""
    phases_per_bar = ceil(len(curve.points) / bars_most)
    line, last_turn = "", 0
    for index, point in enumerate(curve.points):
        if point.turn != last_turn:
            last_turn = point.turn
            bar = index // phases_per_bar
            if not line or len(line) < bar:
                line = f"{line:<{bar}}{point.turn}"
    return line


UP = " ▁▂▃▄▅▆▇█"
DOWN = " ▔▔▀▀▀▀██"
"""Letters for eighths of a line, above and below zero; no font has all eight for below."""
MARGIN = 9
"""Width of the scale at the left, in characters."""
_LAST_WIDTH = 8
"""Width of the last value at the right."""
_CELLS_MOST = 3
"""Greatest width of a phase."""


@frozen
class _Scale:
    """The value of one line of a chart, and its number of lines above and below zero."""

    line_value: float
    above: int
    below: int


def draw_tall_curve(curve: Curve, width: int, height: int) -> list[Line]:
    """Draw advantage and luck as charts of at most `height` lines, with turns and turning point."""
    room = max(1, width - MARGIN - _LAST_WIDTH)
    points = _sample_values(curve.points, room)
    cells = max(1, min(_CELLS_MOST, room // len(points)))
    scale = _choose_scale(curve.points, height)
    return [
        build_line(curve.advantage_text, tone=Tone.QUIET),
        *_draw_chart([point.advantage for point in points], scale, cells, Tone.FIRST),
        build_line(curve.luck_title, tone=Tone.QUIET),
        *_draw_chart([point.luck for point in points], scale, cells, Tone.SECOND),
        _write_turns(points, cells),
        *_mark_turning_point(curve, len(points), cells, width),
    ]


def _choose_scale(points: Sequence[CurvePoint], height: int) -> _Scale:
    """Choose one scale for both charts, the finest with which all values fit into `height` lines."""
    values = [value for point in points for value in (point.advantage, point.luck)]
    top, bottom = max(0.0, *values), max(0.0, *(-value for value in values))
    if not top and not bottom:
        return _Scale(line_value=1.0, above=0, below=0)
    # Try each way to share the lines between the values above zero and those below.
    line_value = min(
        max(_compute_line_value(top, above), _compute_line_value(bottom, height - above))
        for above in range(height + 1)
    )
    # Rounding first keeps errors of the division from adding a line.
    return _Scale(line_value, ceil(round(top / line_value, 6)), ceil(round(bottom / line_value, 6)))


def _compute_line_value(value: float, lines: int) -> float:
    """Return the least value of one line with which `lines` lines show `value`.

    Without lines it is infinite, or 0 if `value` is 0.
    """
    if lines:
        return value / lines
    return inf if value else 0.0


def _draw_chart(values: Sequence[float], scale: _Scale, cells: int, tone: Tone) -> Iterator[Line]:
    """Draw one curve with only the lines that it needs.

    Labels give the value of the outermost lines; the zero line ends with the last value.
    """
    downward = [-value for value in values]
    above = [line for line in range(scale.above, 0, -1) if any(_count_eighths(values, line, scale))]
    below = [line for line in range(1, scale.below + 1) if any(_count_eighths(downward, line, scale))]
    for line in above:
        label = f"+{scale.line_value * line:.1f}" if line == above[0] else ""
        yield _draw_row(label, [UP[eighths] for eighths in _count_eighths(values, line, scale)], cells, tone)
    zero = _draw_row("0", ["─"] * len(values), cells, Tone.QUIET)
    yield Line((*zero.spans, TextSpan(f" {values[-1]:+.1f}", Tone.STRONG)))
    for line in below:
        label = f"-{scale.line_value * line:.1f}" if line == below[-1] else ""
        yield _draw_row(
            label, [DOWN[eighths] for eighths in _count_eighths(downward, line, scale)], cells, tone
        )


def _count_eighths(values: Iterable[float], line: int, scale: _Scale) -> list[int]:
    """Return how many eighths each value fills in a line of the chart; line 1 is next to zero."""
    return [max(0, min(8, round((value / scale.line_value - (line - 1)) * 8))) for value in values]


def _draw_row(label: str, letters: Iterable[str], cells: int, tone: Tone) -> Line:
    """Draw one line of a chart: a label, and a letter for each point, `cells` times as wide."""
    drawn = "".join(letter * cells for letter in letters)
    return Line((TextSpan(f"{label:>{MARGIN - 1}} ", Tone.QUIET), TextSpan(drawn, tone)))


def _write_turns(points: Sequence[CurvePoint], cells: int) -> Line:
    """Write each turn's number below its first phase, where there is room."""
    line, turn = "", 0
    for index, point in enumerate(points):
        if point.turn != turn and len(line) <= index * cells:
            line = f"{line:<{index * cells}}{point.turn} "
            turn = point.turn
    return build_line(f"{'turn':>{MARGIN - 1}} {line.rstrip()}", tone=Tone.QUIET)


def _mark_turning_point(curve: Curve, point_count: int, cells: int, width: int) -> Iterator[Line]:
    """Mark the turning point below its phase; the name is next to the mark or, without room, below it."""
    if curve.turning is None:
        return
    # Without room for all points of the curve, each drawn point is the last of several.
    index_drawn = curve.turning // ceil(len(curve.points) / point_count)
    column = MARGIN + index_drawn * cells
    name = curve.turning_phase
    name_width = measure_width(name)
    if column + 2 + name_width <= width:
        lines = [f"{'':<{column}}▲ {name}"]
    elif MARGIN + name_width < column:
        lines = [f"{'':<{column - name_width - 1}}{name} ▲"]
    else:
        lines = [f"{'':<{column}}▲", f"  {name}"]
    yield from (build_line(line, tone=Tone.STRONG) for line in lines)
