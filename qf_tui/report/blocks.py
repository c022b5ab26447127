"""Figures as a line of block letters, for a terminal and a forum."""

from collections.abc import Sequence
from math import ceil

from qf_tui.report.plot import signed
from qf_tui.report.values import Curve

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
    return [*lines, f"{'turn':<9}  {_turns(curve, most)}".rstrip(), *_mark(curve, most), scale]


def _turns(curve: Curve, most: int) -> str:
    """The number of each turn below its first letter, where there is room."""
    each, line, last = ceil(len(curve.points) / most), "", 0
    for at, point in enumerate(curve.points):
        if point.turn != last:
            last = point.turn
            if not line or len(line) < at // each:
                line = f"{line:<{at // each}}{point.turn}"
    return line


def _mark(curve: Curve, most: int) -> list[str]:
    if curve.turning is None:
        return []
    point = curve.points[curve.turning]
    place = curve.turning // ceil(len(curve.points) / most)
    return [f"{'':<9}  {'▲':>{place + 1}} most luck: turn {point.turn}, {point.phase}"]
