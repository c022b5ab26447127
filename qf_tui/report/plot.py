"""The curve as it is drawn on a page: where each line, bar and label stands.

Across, all is in parts of 1000 of the plot, which a page stretches; down, in its own points.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil, floor, log10

from attrs import frozen

from qf_tui.report.values import Curve, CurvePoint

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
class LuckBar:
    """What the luck of one phase brought: upwards for the first side; `text` says it in words."""

    x: float
    width: float
    y: float
    height: float
    up: bool
    turning: bool
    text: str


@frozen
class TurningMark:
    """The turning point: where it stands (percent of the plot), and its words."""

    x: float
    text: str


@frozen
class Plot:
    """All of the drawing. `advantage`, `luck` are points of lines, `area` what lies to the zero line."""

    zero: float
    bars_zero: float
    levels: tuple[Level, ...]
    turns: tuple[Turn, ...]
    advantage: str
    luck: str
    area: str
    bars: tuple[LuckBar, ...]
    mark: TurningMark | None


def signed(value: float, places: int = 1) -> str:
    """A figure with its sign, as print has it."""
    rounded = round(value, places)
    return f"{'−' if rounded < 0 else '+' if rounded > 0 else ''}{abs(rounded):.{places}f}"


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
        turns=_turns(curve.points),
        advantage=line,
        luck=_line(map(down, lucks), len(lucks)),
        area=f"0,{zero} {line} {ACROSS},{zero}",
        bars=bars,
        mark=_mark(curve),
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
    step = next(one * power for one in (1, 2, 5, 10) if one * power >= rough)
    return [at * step for at in range(floor(low / step), max(ceil(high / step), floor(low / step) + 1) + 1)]


def _label(step: float, steps: Sequence[float]) -> str:
    places = (
        0 if all(float(one).is_integer() for one in steps) else max(1, -floor(log10(steps[1] - steps[0])))
    )
    return signed(step, places) if step else "0"


def _turns(points: Sequence[CurvePoint]) -> tuple[Turn, ...]:
    """Each turn, of many only some with a number."""
    found, at = [], 0
    spans = [(turn, len(list(of))) for turn, of in groupby(points, lambda point: point.turn)]
    each = ceil(len(spans) / _LABELS)
    for place, (turn, count) in enumerate(spans):
        middle = _across(at + count / 2, len(points)) / ACROSS * 100
        found.append(Turn(_across(at, len(points)), round(middle, 2), "" if place % each else str(turn)))
        at += count
    return tuple(found)


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
            y=round(zero - max(0.0, one.gained) * scale, 1),
            height=round(abs(one.gained) * scale, 1),
            up=one.gained >= 0,
            turning=at == curve.turning,
            text=point_text(one),
        )
        for at, one in enumerate(curve.points)
    ), zero


def point_text(point: CurvePoint) -> str:
    """The end of a phase in words."""
    return (
        f"turn {point.turn}, {point.phase}: advantage {signed(point.advantage, 2)}, "
        f"luck {signed(point.luck, 2)}, of it in this phase {signed(point.gained, 2)}"
    )


def _mark(curve: Curve) -> TurningMark | None:
    if curve.turning is None:
        return None
    point = curve.points[curve.turning]
    x = _across(curve.turning + 0.5, len(curve.points)) / ACROSS * 100
    return TurningMark(round(x, 2), f"most luck: turn {point.turn}, {point.phase}")
