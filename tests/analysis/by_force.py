"""Prices found the long way: all that is owed is rolled in turn, every face of every die, by order."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from attrs import evolve

from qf_tui.analysis.pricing import is_consequence
from qf_tui.core.builtin_forms import ROLL
from qf_tui.core.decide import play_again
from qf_tui.core.declarations import Worth
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.forms import Order
from qf_tui.core.prepare import PreparedEntry, prepare_entry
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import State, Version
from qf_tui.core.values import Battle, is_pool

NUMBER = 5000
"""Entries that are only tried are numbered from here on."""

DEEPEST = 30
"""Rolls one after another: throws that may be repeated for ever are not worth trying."""


class TooManyThrows(Exception):
    """There is more to roll than a test has time for."""


class ByForce:
    """Prices battles by rolling whatever is owed first, on the whole battle, until nothing is."""

    def __init__(self, system: RuleSystem, worth: Worth, most: int = 3000) -> None:
        self.system = system
        self.worth = worth
        self.left = most

    def values(self, battle: Battle, number: int = NUMBER) -> tuple[float, ...]:
        """What each side is worth; TooManyThrows if that takes more throws than it may."""
        for owed in battle.owed:
            if not is_consequence(owed):
                continue
            order = Order(ROLL, {"key": owed.key})
            entry = self._prepared(battle, order)
            if entry is not None and prod(die.sides for die in entry.missing) < self.left:
                return self._mean(battle, number, entry)
            if entry is not None:
                raise TooManyThrows
        return tuple(self.worth.of_side(battle, side.id) for side in battle.sides)

    def _prepared(self, battle: Battle, order: Order) -> PreparedEntry | None:
        try:
            entry = prepare_entry(self.system, battle, Version(order))
        except OrderRefused:
            return None
        return None if entry.prepared.findings else entry

    def _mean(self, battle: Battle, number: int, entry: PreparedEntry) -> tuple[float, ...]:
        means = [0.0 for _ in battle.sides]
        for chance, dice in every_face(entry):
            self.left -= 1
            if self.left < 0 or number > NUMBER + DEEPEST:
                raise TooManyThrows
            after = entered(self.system, battle, number, Version(evolve(entry.order, dice=dice)))
            for at, value in enumerate(self.values(after, number + 1)):
                means[at] += float(chance) * value
        return tuple(means)


def entered(system: RuleSystem, battle: Battle, number: int, version: Version) -> Battle:
    """The battle with an entry more."""
    ruling, after = play_again(system, battle, number, version)
    assert ruling.state is State.STANDS, (version, ruling)
    return after


def every_face(
    entry: PreparedEntry, dice: tuple[int, ...] = ()
) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """The dice of every throw of an order, die by die, each with its chance: no two are taken for alike.

    Of a pool as many as the order has, which may be fewer than it could have.
    """
    there = entry.question.faces if entry.question is not None else ()
    missing = entry.prepared.missing((*there, *dice))
    if not dice and is_pool(missing):
        count = len(entry.order.dice) or len(missing)
        for thrown in product(*(die.faces for die in missing[:count])):
            yield Fraction(1, missing[0].sides ** count), thrown
        return
    if not missing:
        yield Fraction(1), dice
        return
    for face in missing[0].faces:
        for chance, rest in every_face(entry, (*dice, face)):
            yield chance / missing[0].sides, rest
