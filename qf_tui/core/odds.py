"""The exact chances of an order: its own judgement over every face of its dice."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

from attrs import frozen

from qf_tui.core.system import Faces, Ready
from qf_tui.core.values import is_pool

POOL_MOST = 5
"""Dice in the largest throw whose chances are worked out while an order is typed."""


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


def chances(ready: Ready, given: Faces = ()) -> tuple[Chance, ...]:
    """The figures that a system wants shown of an order; () where it has none or too many dice."""
    if not ready.odds or len(ready.dice) > POOL_MOST:
        return ()
    totals = [Fraction(0)] * len(ready.odds)
    for weight, faces in throws(ready, given):
        judged = ready.judge(faces)
        for at, measure in enumerate(ready.odds):
            value = judged[measure.place]
            totals[at] += weight * (value if measure.mean else bool(value))
    return tuple(
        Chance(measure.label, total, measure.mean) for measure, total in zip(ready.odds, totals, strict=True)
    )


def throws(ready: Ready, faces: Faces = ()) -> Iterator[tuple[Fraction, Faces]]:
    """Every throw that ends the roll, with its chance; dice that a result does not need are not thrown.

    Several equal dice without names are a pool: their order does not matter and is not enumerated.
    """
    missing = ready.missing(faces)
    if not missing:
        yield Fraction(1), faces
        return
    if is_pool(missing):
        yield from _pool(ready, faces, len(missing))
        return
    first = missing[0]
    for face in first.faces:
        for weight, rest in throws(ready, (*faces, face)):
            yield weight / first.sides, rest


def _pool(ready: Ready, faces: Faces, count: int) -> Iterator[tuple[Fraction, Faces]]:
    die = ready.missing(faces)[0]
    every = die.sides**count
    for thrown in combinations_with_replacement(die.faces, count):
        ways = factorial(count) // prod(factorial(thrown.count(face)) for face in set(thrown))
        for weight, rest in throws(ready, (*faces, *thrown)):
            yield weight * Fraction(ways, every), rest
