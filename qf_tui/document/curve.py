"""A side's results among all that as many throws could have brought: how a page draws it.

Across, bars are in parts of 1000 of the field, labels in percent of it; down in its own points.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from math import ceil, floor, log10

from attrs import frozen

from qf_tui.analysis.values import Count
from qf_tui.document.values import Curve, CurvePoint

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


BLOCKS = "▁▂▃▄▅▆▇█"


def blocks(values: Sequence[float], bounds: tuple[float, float] | None = None, most: int = 60) -> str:
    """A letter for each value, taller for more, from the least of them to the greatest, or within `bounds`.

    Of more than `most` values each letter stands for the last of several.
    """
    if not values:
        return ""
    least, greatest = bounds or (min(values), max(values))
    each = ceil(len(values) / most)
    shown = [values[min(at + each, len(values)) - 1] for at in range(0, len(values), each)]
    steps = (greatest - least) / (len(BLOCKS) - 1)
    if not steps:
        return BLOCKS[0] * len(shown)
    places = (round((value - least) / steps) for value in shown)
    return "".join(BLOCKS[max(0, min(len(BLOCKS) - 1, place))] for place in places)


def curve_lines(curve: Curve, most: int = 60) -> list[str]:
    """Advantage and luck in block letters, each with its last figure, over the turns; ▲ the turning point."""
    advantages = [point.advantage for point in curve.points]
    lucks = [point.luck for point in curve.points]
    bounds = min(*advantages, *lucks), max(*advantages, *lucks)
    rows = (("advantage", advantages), ("luck", lucks))
    lines = [f"{title:<9}  {blocks(values, bounds, most)}  {signed(values[-1], 2)}" for title, values in rows]
    scale = f"{'from':<9}  {signed(bounds[0], 2)} to {signed(bounds[1], 2)}; + {curve.above}, − {curve.below}"
    return [*lines, f"{'turn':<9}  {_turn_line(curve, most)}".rstrip(), *_turning_line(curve, most), scale]


def _turn_line(curve: Curve, most: int) -> str:
    """The number of each turn below its first letter, where there is room."""
    each, line, last = ceil(len(curve.points) / most), "", 0
    for at, point in enumerate(curve.points):
        if point.turn != last:
            last = point.turn
            if not line or len(line) < at // each:
                line = f"{line:<{at // each}}{point.turn}"
    return line


def _turning_line(curve: Curve, most: int) -> list[str]:
    if curve.turning is None:
        return []
    point = curve.points[curve.turning]
    place = curve.turning // ceil(len(curve.points) / most)
    return [f"{'':<9}  {'▲':>{place + 1}} most luck: turn {point.turn}, {point.phase}"]


STRIP_TOP, STRIP_BOTTOM = 18.0, 74.0
_SEEN = 1000
"""One in how many an end of the field is left out below."""


@frozen
class CountChance:
    """How likely one count of results is; `reached`: it lies as far from the mean as the one thrown."""

    x: float
    width: float
    y: float
    height: float
    reached: bool


@frozen
class Label:
    """A figure and where it stands, and to which side its words go."""

    x: float
    anchor: str
    text: str


@frozen
class Strip:
    """The results of one side. `first`: it is the first side's colour."""

    side: str
    first: bool
    chances: tuple[CountChance, ...]
    due: Label
    thrown: Label


def strip_of(count: Count, side: str, *, first: bool) -> Strip:
    """Where the bars of a side's results stand, and the labels of what was due and thrown."""
    of, mean = count.chances, float(count.chances.mean)
    below = bisect_left(list(accumulate(of.ways)), of.of // _SEEN)
    beyond = bisect_left(list(accumulate(reversed(of.ways))), of.of // _SEEN)
    low, high = min(below, count.results), max(len(of.ways) - 1 - beyond, count.results)
    wide, most = ACROSS / (high - low + 1), max(of.ways)
    above = count.results >= mean

    def across(value: float) -> float:
        return round((value - low + 0.5) / (high - low + 1) * 100, 2)

    def bar(value: int) -> CountChance:
        height = (STRIP_BOTTOM - STRIP_TOP) * (of.ways[value] / most if value < len(of.ways) else 0)
        reached = value >= count.results if above else value <= count.results
        x = (value - low) * wide
        y = round(STRIP_BOTTOM - height, 1)
        return CountChance(round(x, 2), round(wide * 0.84, 2), y, round(STRIP_BOTTOM - y, 1), reached)

    return Strip(
        side,
        first,
        tuple(bar(value) for value in range(low, high + 1)),
        _strip_label(across(mean), f"{mean:.1f} due"),
        _strip_label(across(count.results), f"{count.results} thrown"),
    )


def _strip_label(x: float, text: str) -> Label:
    return Label(x, "start" if x < 12 else "end" if x > 88 else "middle", text)
