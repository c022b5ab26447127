"""Random battles on the grounds of all systems, and their prices by brute force."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

from attrs import evolve

from qf_tui.core.builtin_forms import ROLL
from qf_tui.core.decide import play_again, prepare_entry
from qf_tui.core.declarations import PreparedEntry, Worth
from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import State, Timeline, Version, build_timeline
from qf_tui.core.values import Battle, Die, Order, is_pool
from qf_tui.features.report.pricing import is_consequence
from tests.corrections.ground import Ground, Step
from tests.corrections.random_battles import KINDS, MENDS, RARE_KINDS, Mending, mend, take_step


class Chance:
    """A random player on a ground; the same seed plays the same battle."""

    def __init__(self, ground: Ground, seed: int) -> None:
        self.ground = ground
        self._random = Random(f"{ground.system.name} {seed}")

    def play(self, entries: int, *, strict: bool = False, rare: bool = False) -> Timeline:
        """Play a battle of up to `entries` accepted orders and answers."""
        timeline = build_timeline(self.ground.start(strict), ())
        for _ in range(entries):
            step = self._draw_step(RARE_KINDS if rare else KINDS)
            timeline = take_step(self.ground, timeline, step, self._throw)
        return timeline

    def play_corrected(self, entries: int, corrections: int) -> Timeline:
        """Play a battle and correct entries now and then, also with other dice."""
        timeline = self.play(entries, rare=True)
        for _ in range(corrections):
            kind = self._random.choice(MENDS)
            numbers = self._random.randrange(65), self._random.randrange(65)
            timeline = mend(self.ground, timeline, Mending(kind, *numbers, self._draw_step(RARE_KINDS)))
            timeline = take_step(self.ground, timeline, self._draw_step(KINDS), self._throw)
        return timeline

    def _draw_step(self, kinds: tuple[str, ...]) -> Step:
        one, other, word = (self._random.randrange(65) for _ in range(3))
        sides = self.ground.sides
        faces = tuple(self._random.randint(1, sides) for _ in range(3))
        return Step(self._random.choice(kinds), one, other, word, (faces[0], faces[1], faces[2]))

    def _throw(self, die: Die) -> int:
        return self._random.choice(die.faces)


NUMBER = 5000
"""First number of entries that are only tried."""

DEEPEST = 30
"""Limit of rolls in a row; throws that may repeat for ever are not tried."""


class TooManyThrows(Exception):
    """More throws than a test has time for."""


class ByForce:
    """Prices of battles by every roll of each owed question in turn, on the whole battle."""

    def __init__(self, system: RuleSystem, worth: Worth, most: int = 3000) -> None:
        self.system = system
        self.worth = worth
        self.left = most

    def price(self, battle: Battle, number: int = NUMBER) -> tuple[float, ...]:
        """Return the worth of each side; TooManyThrows if that takes too many throws."""
        for owed in battle.owed:
            if not is_consequence(owed):
                continue
            order = Order(ROLL, {"key": owed.key})
            entry = self._prepare(battle, order)
            if entry is not None and prod(die.sides for die in entry.missing) < self.left:
                return self._compute_mean(battle, number, entry)
            if entry is not None:
                raise TooManyThrows
        return tuple(self.worth.value_side(battle, side.id) for side in battle.sides)

    def _prepare(self, battle: Battle, order: Order) -> PreparedEntry | None:
        try:
            entry = prepare_entry(self.system, battle, Version(order))
        except OrderRefused:
            return None
        return None if entry.prepared.findings else entry

    def _compute_mean(self, battle: Battle, number: int, entry: PreparedEntry) -> tuple[float, ...]:
        means = [0.0 for _ in battle.sides]
        for chance, dice in list_faces(entry):
            self.left -= 1
            if self.left < 0 or number > NUMBER + DEEPEST:
                raise TooManyThrows
            after = enter_version(self.system, battle, number, Version(evolve(entry.order, dice=dice)))
            for at, value in enumerate(self.price(after, number + 1)):
                means[at] += float(chance) * value
        return tuple(means)


def enter_version(system: RuleSystem, battle: Battle, number: int, version: Version) -> Battle:
    ruling, after = play_again(system, battle, number, version)
    assert ruling.state is State.STANDS, (version, ruling)
    return after


def list_faces(
    entry: PreparedEntry, dice: tuple[int, ...] = ()
) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """Yield each throw of an order, die by die, with its chance, and merge no two of them.

    From a pool, take as many dice as the order has, which may be fewer than allowed.
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
        for chance, rest in list_faces(entry, (*dice, face)):
            yield chance / missing[0].sides, rest
