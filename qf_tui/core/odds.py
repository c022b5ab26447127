"""The exact chances of an order: its own judgement over every face of its dice."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, lcm, prod

from attrs import evolve, frozen

from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.values import Die, is_pool

POOL_MOST = 5
"""Dice in the largest throw whose chances are worked out while an order is typed."""
Weight = tuple[int, int]
"""A chance in whole numbers: how many ways, of how many."""


@frozen
class Chance:
    """One figure: how often something happens, or with `mean` how much of it on average."""

    label: str
    value: Fraction
    mean: bool = False

    def __str__(self) -> str:
        return (
            f"{self.label} {float(self.value):.2f}" if self.mean else f"{self.label} {float(self.value):.0%}"
        )


def chances(ready: PreparedOrder, given: Faces = ()) -> tuple[Chance, ...]:
    """The figures that a system wants shown of an order; () where it has none or too many dice."""
    if ready.foretold is not None:
        return chances(ready.foretold, given)
    if ready.parts:
        return tuple(map(_joined, zip(*(chances(*part) for part in ready.parts_with(given)), strict=True)))
    if not ready.odds or len(ready.dice) > POOL_MOST:
        return ()
    # Counted in whole numbers, of all ways that there are: fractions take ten times as long.
    ways: dict[tuple[tuple[int, ...], int], int] = {}
    for (count, of), faces in throws(ready, given):
        judged = ready.judge(faces)
        ways[judged, of] = ways.get((judged, of), 0) + count
    every = lcm(*(of for _, of in ways))
    tally = [(judged, count * (every // of)) for (judged, of), count in ways.items()]
    return tuple(Chance(each.label, _figure(tally, each, every), each.mean) for each in ready.odds)


def _joined(figures: tuple[Chance, ...]) -> Chance:
    """One figure of rolls side by side: what they bring on average together, or how often any does."""
    values = [each.value for each in figures]
    none = prod((1 - value for value in values), start=Fraction(1))
    together = sum(values, Fraction(0)) if figures[0].mean else 1 - none
    return evolve(figures[0], value=together)


def _figure(tally: Iterable[tuple[tuple[int, ...], int]], measure: Measure, every: int) -> Fraction:
    """One figure of all results, each with its ways of every way that there is."""
    place = measure.place
    if measure.mean:
        total = sum([count * judged[place] for judged, count in tally])
    else:
        total = sum([count for judged, count in tally if judged[place]])
    return Fraction(total, every * measure.denominator)


def throws(
    ready: PreparedOrder, faces: Faces = (), weight: Weight = (1, 1)
) -> Iterator[tuple[Weight, Faces]]:
    """Every throw that ends the roll, with its weight; dice that a result does not need are not thrown.

    Several equal dice without names are a pool: their order does not matter and is not enumerated. `weight`
    is that of the faces already thrown.
    """
    missing = ready.missing(faces)
    if not missing:
        yield weight, faces
        return
    if is_pool(missing):
        yield from pool_throws(ready, faces, weight, missing)
        return
    share = weight[0], weight[1] * missing[0].sides
    for face in missing[0].faces:
        yield from throws(ready, (*faces, face), share)


def pool_throws(
    ready: PreparedOrder, faces: Faces, weight: Weight, dice: tuple[Die, ...]
) -> Iterator[tuple[Weight, Faces]]:
    """Every throw that begins with those equal dice thrown together."""
    every = dice[0].sides ** len(dice)
    for thrown in combinations_with_replacement(dice[0].faces, len(dice)):
        ways = factorial(len(dice)) // prod(factorial(thrown.count(face)) for face in set(thrown))
        yield from throws(ready, (*faces, *thrown), (weight[0] * ways, weight[1] * every))
