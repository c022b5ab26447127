"""A report as a page, and the geometry of its drawings.

Horizontally, drawings count in thousandths of their field, labels in per cent of it; vertically in points.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from math import ceil, floor, log10

from attrs import frozen

import qf_tui
from qf_tui.document.html import render
from qf_tui.document.values import PAGE_NOTE, Curve, Document, Outcomes, signed


def html_text(document: Document) -> str:
    """A report as a page."""
    return render(
        "features/report/report.html",
        report=document,
        plot=plot_of(document.curve) if document.curve else None,
        across=ACROSS,
        signed=signed,
        strip_of=strip_of,
        note=PAGE_NOTE,
        version=qf_tui.__version__,
    )


ACROSS = 1000
TOP, BOTTOM = 22.0, 214.0
"""The curve's field."""
BARS_TOP, BARS_BOTTOM = 236.0, 292.0
"""The field of the bars below it, one a phase."""
_LINES = 4
"""Lines of the grid, about."""
_LABELS = 10
"""Turns that are numbered, at most."""


@frozen
class Level:
    """A line of the grid."""

    y: float
    label: str


@frozen
class Turn:
    """A turn below the bars: where it begins and where its number stands, "" for none."""

    begins: float
    middle: float
    label: str


@frozen
class Bar:
    """Where a bar stands."""

    x: float
    width: float
    y: float
    height: float


@frozen
class LuckBar(Bar):
    """What the luck of one phase brought: upwards for the first side; `text` says it in words."""

    up: bool
    turning: bool
    text: str


@frozen
class Plot:
    """All of the drawing. `advantage`, `luck` are points of lines, `area` what lies to the zero line.

    `mark`: where the turning point stands, in percent of the plot; None without one.
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


def plot_of(curve: Curve) -> Plot:
    """Where all of a curve stands; it has one point at least."""
    advantages = [0.0, *(point.advantage for point in curve.points)]
    lucks = [0.0, *(point.luck for point in curve.points)]
    steps = _steps((0.0, *advantages, *lucks))
    low, high = steps[0], steps[-1]

    def down(value: float) -> float:
        return BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP)

    line, zero = _line(map(down, advantages), len(advantages)), round(down(0), 1)
    bars, bars_zero = _bars(curve)
    return Plot(
        zero=zero,
        bars_zero=bars_zero,
        levels=tuple(Level(round(down(step), 1), _label(step, steps)) for step in steps),
        turns=turns_of([point.turn for point in curve.points]),
        advantage=line,
        luck=_line(map(down, lucks), len(lucks)),
        area=f"0,{zero} {line} {ACROSS},{zero}",
        bars=bars,
        mark=(
            None
            if curve.turning is None
            else round(_across(curve.turning + 0.5, len(curve.points)) / ACROSS * 100, 2)
        ),
    )


def _line(heights: Iterable[float], count: int) -> str:
    return " ".join(f"{_across(at, count - 1):g},{y:.1f}" for at, y in enumerate(heights))


def _across(at: float, phases: int) -> float:
    return round(at / phases * ACROSS, 2)


def _steps(values: Sequence[float]) -> list[float]:
    """The lines of the grid: round numbers that hold all values between them."""
    low, high = min(values), max(values)
    rough = (high - low or 1.0) / _LINES
    power = 10.0 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    return [at * step for at in range(floor(low / step), max(ceil(high / step), floor(low / step) + 1) + 1)]


def _label(step: float, steps: Sequence[float]) -> str:
    whole = all(float(other).is_integer() for other in steps)
    places = 0 if whole else max(1, -floor(log10(steps[1] - steps[0])))
    return signed(step, places) if step else "0"


def turns_of(points: Sequence[int]) -> tuple[Turn, ...]:
    """Each turn, from the turns of all points; of many only some with a number."""
    turns, at = [], 0
    spans = [(turn, len(list(of))) for turn, of in groupby(points)]
    each = ceil(len(spans) / _LABELS)
    for place, (turn, count) in enumerate(spans):
        middle = _across(at + count / 2, len(points)) / ACROSS * 100
        turns.append(Turn(_across(at, len(points)), round(middle, 2), "" if place % each else str(turn)))
        at += count
    return tuple(turns)


def _bars(curve: Curve) -> tuple[tuple[LuckBar, ...], float]:
    """A bar for each phase, and where they stand on."""
    gained = [point.gained for point in curve.points]
    low, high = min(0.0, *gained), max(0.0, *gained)
    scale = (BARS_BOTTOM - BARS_TOP) / (high - low or 1.0)
    zero, phases = round(BARS_TOP + high * scale, 1), len(gained)
    return tuple(
        LuckBar(
            x=_across(at + 0.15, phases),
            width=_across(0.7, phases),
            y=round(zero - max(0.0, point.gained) * scale, 1),
            height=round(abs(point.gained) * scale, 1),
            up=point.gained >= 0,
            turning=at == curve.turning,
            text=point.text,
        )
        for at, point in enumerate(curve.points)
    ), zero


STRIP_TOP, STRIP_BOTTOM = 18.0, 74.0
_SEEN = 1000
"""One in how many an end of the field is left out below."""


@frozen
class CountChance(Bar):
    """How likely one count of results is; `reached`: it lies as far from the mean as the one thrown."""

    reached: bool


@frozen
class Label:
    """A figure and where it stands, and to which side its words go."""

    x: float
    anchor: str
    text: str


@frozen
class Strip:
    """Where the results of one side stand, and the labels of what was due and thrown."""

    outcomes: Outcomes
    chances: tuple[CountChance, ...]
    due: Label
    thrown: Label


def strip_of(given: Outcomes) -> Strip:
    """Where the bars of a side's results stand, and the labels of what was due and thrown."""
    ways, thrown, mean = given.ways, given.thrown, given.mean
    below = bisect_left(list(accumulate(ways)), given.of // _SEEN)
    beyond = bisect_left(list(accumulate(reversed(ways))), given.of // _SEEN)
    low, high = min(below, thrown), max(len(ways) - 1 - beyond, thrown)
    wide, most = ACROSS / (high - low + 1), max(ways)

    def across(value: float) -> float:
        return round((value - low + 0.5) / (high - low + 1) * 100, 2)

    def bar(value: int) -> CountChance:
        height = (STRIP_BOTTOM - STRIP_TOP) * (ways[value] / most if value < len(ways) else 0)
        reached = value >= thrown if thrown >= mean else value <= thrown
        x = (value - low) * wide
        y = round(STRIP_BOTTOM - height, 1)
        return CountChance(round(x, 2), round(wide * 0.84, 2), y, round(STRIP_BOTTOM - y, 1), reached)

    return Strip(
        given,
        tuple(bar(value) for value in range(low, high + 1)),
        _strip_label(across(mean), given.due_text),
        _strip_label(across(thrown), given.thrown_text),
    )


def _strip_label(x: float, text: str) -> Label:
    return Label(x, "start" if x < 12 else "end" if x > 88 else "middle", text)
