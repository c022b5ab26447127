"""The web page of a battle report, and the geometry of its drawings.

Horizontal positions are in thousandths of the drawing's width, label positions in percent of it, and
vertical positions in points.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from math import ceil, floor, log10

from attrs import frozen

import qf_tui
from qf_tui.document.html import render
from qf_tui.document.values import Document, Section
from qf_tui.features.report.curve import Curve, Outcomes, find_curve, format_signed


def render_report(document: Document) -> str:
    """Render a report as a web page."""
    curve = find_curve(document)
    return render(
        "features/report/report.html",
        report=document,
        curve=curve,
        plot=build_plot(curve) if curve else None,
        across=ACROSS,
        signed=format_signed,
        list_strips=list_strips,
        note=NOTE,
        version=qf_tui.__version__,
    )


NOTE = "The small figures are entry numbers in its log."
"""Text at the foot of a page, after the program's name."""
ACROSS = 1000
TOP, BOTTOM = 22.0, 214.0
"""Top and bottom of the curve's field."""
BARS_TOP, BARS_BOTTOM = 236.0, 292.0
"""Top and bottom of the field with one bar for each phase."""
_BAR_MARGIN, _BAR = 0.15, 0.7
"""Blank before a bar of luck, and width of the bar, as parts of the room for one phase."""
_LINES = 4
"""Approximate number of grid lines."""
_LABELS = 10
"""Largest number of turns with a label."""


@frozen
class Level:
    """A horizontal grid line and its label."""

    y: float
    label: str


@frozen
class Turn:
    """A turn on the horizontal axis.

    Attributes:
        begins: Left edge of the turn, in thousandths.
        middle: Middle of its label, in percent.
        label: Number of the turn, or "" if it is left out.
    """

    begins: float
    middle: float
    label: str


@frozen
class Bar:
    """The position and size of a bar."""

    x: float
    width: float
    y: float
    height: float


@frozen
class LuckBar(Bar):
    """The bar for the luck of one phase.

    Attributes:
        up: True if the luck was good for the first side.
        turning: True for the phase of the turning point.
        text: Description of the luck.
    """

    up: bool
    turning: bool
    text: str


@frozen
class Plot:
    """The geometry of the whole curve.

    Attributes:
        zero: Height of the zero line.
        bars_zero: Height of the zero line of the bars.
        levels: Grid lines.
        turns: Turns on the horizontal axis.
        advantage: Points of the advantage line, as SVG text.
        luck: Points of the luck line, as SVG text.
        area: Points of the area between the advantage and the zero line, as SVG text.
        bars: Bars of the phases.
        mark: Position of the turning point in percent, or None without one.
    """

    zero: float
    bars_zero: float
    levels: tuple[Level, ...]
    turns: tuple[Turn, ...]
    advantage: str
    luck: str
    area: str
    bars: tuple[LuckBar, ...]
    mark: float | None


def build_plot(curve: Curve) -> Plot:
    """Work out the geometry of a curve, which has at least one point."""
    advantages = [0.0, *(point.advantage for point in curve.points)]
    lucks = [0.0, *(point.luck for point in curve.points)]
    grid_values = _choose_grid_values((0.0, *advantages, *lucks))
    low, high = grid_values[0], grid_values[-1]

    def compute_y(value: float) -> float:
        return BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP)

    line = _format_points(map(compute_y, advantages), len(advantages))
    zero = round(compute_y(0), 1)
    bars, bars_zero = _build_bars(curve)
    return Plot(
        zero=zero,
        bars_zero=bars_zero,
        levels=tuple(
            Level(round(compute_y(value), 1), _format_grid_label(value, grid_values)) for value in grid_values
        ),
        turns=build_turns([point.turn for point in curve.points]),
        advantage=line,
        luck=_format_points(map(compute_y, lucks), len(lucks)),
        area=f"0,{zero} {line} {ACROSS},{zero}",
        bars=bars,
        mark=(
            None
            if curve.turning is None
            else round(_compute_x(curve.turning + 0.5, len(curve.points)) / ACROSS * 100, 2)
        ),
    )


def _format_points(heights: Iterable[float], count: int) -> str:
    """Format points at these heights, evenly spaced across the drawing, as SVG text."""
    return " ".join(f"{_compute_x(at, count - 1):g},{y:.1f}" for at, y in enumerate(heights))


def _compute_x(place: float, phases: int) -> float:
    """Return the horizontal position of a place among `phases` phases."""
    return round(place / phases * ACROSS, 2)


def _choose_grid_values(values: Sequence[float]) -> list[float]:
    """Return the values of the grid lines: round numbers from below the lowest to above the highest value."""
    low, high = min(values), max(values)
    rough = (high - low or 1.0) / _LINES
    power = 10.0 ** floor(log10(rough))
    # The first of 1, 2, 5 and 10 times the power of ten that is large enough.
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    # At least two lines, even if all values are equal.
    return [
        number * step
        for number in range(floor(low / step), max(ceil(high / step), floor(low / step) + 1) + 1)
    ]


def _format_grid_label(value: float, grid_values: Sequence[float]) -> str:
    """Format the label of a grid line, with enough decimals that all labels differ."""
    are_whole = all(float(other).is_integer() for other in grid_values)
    places = 0 if are_whole else max(1, -floor(log10(grid_values[1] - grid_values[0])))
    return format_signed(value, places) if value else "0"


def build_turns(phase_turns: Sequence[int]) -> tuple[Turn, ...]:
    """Group phases into turns; if there are many turns, only some get a label.

    Args:
        phase_turns: Turn of each phase.
    """
    turns, phase_index = [], 0
    spans = [(turn, len(list(phases_of_turn))) for turn, phases_of_turn in groupby(phase_turns)]
    label_every = ceil(len(spans) / _LABELS)
    for place, (turn, count) in enumerate(spans):
        middle = _compute_x(phase_index + count / 2, len(phase_turns)) / ACROSS * 100
        turns.append(
            Turn(
                _compute_x(phase_index, len(phase_turns)),
                round(middle, 2),
                "" if place % label_every else str(turn),
            )
        )
        phase_index += count
    return tuple(turns)


def _build_bars(curve: Curve) -> tuple[tuple[LuckBar, ...], float]:
    """Return a bar for each phase and the height of their zero line."""
    gained = [point.gained for point in curve.points]
    low, high = min(0.0, *gained), max(0.0, *gained)
    scale = (BARS_BOTTOM - BARS_TOP) / (high - low or 1.0)
    zero = round(BARS_TOP + high * scale, 1)
    phase_count = len(gained)
    bars = tuple(
        LuckBar(
            x=_compute_x(index + _BAR_MARGIN, phase_count),
            width=_compute_x(_BAR, phase_count),
            y=round(zero - max(0.0, point.gained) * scale, 1),
            height=round(abs(point.gained) * scale, 1),
            up=point.gained >= 0,
            turning=index == curve.turning,
            text=point.text,
        )
        for index, point in enumerate(curve.points)
    )
    return bars, zero


STRIP_TOP, STRIP_BOTTOM = 18.0, 74.0
_LABEL_HALF = 12
"""Half of the width of the longest label, in percent of the drawing."""
_STRIP_BAR = 0.84
"""Width of a bar of a strip, as a part of the room for one value."""
_SEEN = 1000
"""One in this many outcomes may be cut off at each end of a strip."""


@frozen
class CountChance(Bar):
    """The bar for the chance of one number of results.

    Attributes:
        reached: True if this number is at least as far from the mean as the result thrown, on the same side.
    """

    reached: bool


@frozen
class Label:
    """A figure with its position and SVG text anchor."""

    x: float
    anchor: str
    text: str


@frozen
class Strip:
    """The chart of one side's possible results, with labels for the mean and the result thrown."""

    outcomes: Outcomes
    chances: tuple[CountChance, ...]
    due: Label
    thrown: Label


def build_strip(outcomes: Outcomes) -> Strip:
    """Work out the bars and labels for the possible results of one side."""
    ways, thrown, mean = outcomes.ways, outcomes.results, outcomes.mean
    # The rarest results at each end have no bars, unless they were scored.
    cut_below = bisect_left(list(accumulate(ways)), outcomes.of // _SEEN)
    cut_above = bisect_left(list(accumulate(reversed(ways))), outcomes.of // _SEEN)
    low = min(cut_below, thrown)
    high = max(len(ways) - 1 - cut_above, thrown)
    bar_width, most = ACROSS / (high - low + 1), max(ways)

    def compute_percent(value: float) -> float:
        """Return the middle of a value's bar, in percent of the width."""
        return round((value - low + 0.5) / (high - low + 1) * 100, 2)

    def build_bar(value: int) -> CountChance:
        height = (STRIP_BOTTOM - STRIP_TOP) * (ways[value] / most if value < len(ways) else 0)
        # Mark the bars that are at least as far from the mean as the score, on the same side.
        reached = value >= thrown if thrown >= mean else value <= thrown
        x = (value - low) * bar_width
        y = round(STRIP_BOTTOM - height, 1)
        return CountChance(
            round(x, 2), round(bar_width * _STRIP_BAR, 2), y, round(STRIP_BOTTOM - y, 1), reached
        )

    return Strip(
        outcomes,
        tuple(build_bar(value) for value in range(low, high + 1)),
        _build_strip_label(compute_percent(mean), outcomes.due_text),
        _build_strip_label(compute_percent(thrown), outcomes.thrown_text),
    )


def list_strips(section: Section) -> list[Strip]:
    """List the charts of a section."""
    return [build_strip(outcomes) for outcomes in section.list_blocks(Outcomes)]


def _build_strip_label(x: float, text: str) -> Label:
    """Build a label at a position in percent, anchored so that it stays on the drawing."""
    anchor = "middle"
    if x < _LABEL_HALF:
        anchor = "start"
    elif x > 100 - _LABEL_HALF:
        anchor = "end"
    return Label(x, anchor, text)
