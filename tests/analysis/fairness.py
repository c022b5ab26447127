"""Whether luck adds up to nothing in the long run, and how many sides are told that theirs was unusual."""

from collections.abc import Iterable, Iterator
from math import sqrt
from statistics import fmean, stdev

from attrs import frozen

from qf_tui.analysis.story import count_of
from qf_tui.analysis.throws import throws_of
from qf_tui.analysis.values import Count, ThrownDice
from qf_tui.core.declarations import of_damage
from qf_tui.core.system import RuleSystem
from tests.analysis.battles import worths_of
from tests.analysis.by_force import Chance
from tests.corrections.ground import Ground

ENTRIES = 45
THROWS_LEAST = 60
"""Throws of a side from which on it is asked whether its luck was unusual."""


@frozen
class Sums:
    """The luck of many battles, each summed up."""

    sums: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.sums)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return stdev(self.sums) / sqrt(len(self.sums))


def sums_of_luck(ground: Ground, seeds: Iterable[int], weighed: str) -> tuple[Sums, list[ThrownDice]]:
    """The sum of luck of each battle by one worth, and all throws of all of them."""
    worth = worths_of(ground.system)[weighed]
    sums, throws = [], list[ThrownDice]()
    for seed in seeds:
        timeline = Chance(ground, seed).battle(ENTRIES)
        steps = throws_of(ground.system, worth, timeline, range(len(timeline.play_order)))
        sums.append(sum(step.luck for step in steps))
        throws.extend(step.throw for step in steps if step.throw is not None)
    return Sums(tuple(sums)), throws


def evenings(system: RuleSystem, throws: Iterable[ThrownDice], side: str) -> Iterator[Count]:
    """The throws of a side for damage, one evening after another of as many as are asked."""
    kinds = of_damage(system.results)
    waiting: list[ThrownDice] = []
    for throw in throws:
        if throw.side == side and throw.kind in kinds:
            waiting.append(throw)
        if len(waiting) == THROWS_LEAST:
            yield count_of(waiting, side, *kinds)
            waiting = []


def unusual_due(count: Count) -> float:
    """How often as many throws at the same odds are told as unusual: exact."""
    chances, results = count.chances, range(len(count.chances.ways))
    told = filter(chances.unusual, results)
    return sum(chances.ways[value] for value in told) / chances.of
