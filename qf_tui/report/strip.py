"""A side's results among all that as many throws could have brought: how a page draws it.

Across, bars are in parts of 1000 of the field, labels in percent of it; down in its own points.
"""

from bisect import bisect_left
from itertools import accumulate

from attrs import frozen

from qf_tui.analysis.values import Count
from qf_tui.report.plot import ACROSS

TOP, BOTTOM = 18.0, 74.0
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
        height = (BOTTOM - TOP) * (of.ways[value] / most if value < len(of.ways) else 0)
        reached = value >= count.results if above else value <= count.results
        x = (value - low) * wide
        y = round(BOTTOM - height, 1)
        return CountChance(round(x, 2), round(wide * 0.84, 2), y, round(BOTTOM - y, 1), reached)

    return Strip(
        side,
        first,
        tuple(bar(value) for value in range(low, high + 1)),
        _label(across(mean), f"{mean:.1f} due"),
        _label(across(count.results), f"{count.results} thrown"),
    )


def _label(x: float, text: str) -> Label:
    return Label(x, "start" if x < 12 else "end" if x > 88 else "middle", text)
