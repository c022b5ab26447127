"""What the analysis of a battle finds, and exact chances, as frozen values that other processes can receive.

The `advantage` is the worth of the first side less that of the second, with the average effect of dice still
to be thrown. Luck has the same unit and sign: above 0 it favours the first side.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from attrs import frozen

PLAIN_WORK_MOST = 50_000_000
"""Largest work for the plain product: number of pairs of coefficients times bits of a coefficient."""

UNUSUAL_BELOW = Fraction(1, 10)
"""A result is unusual if its chance is below this."""

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def multiply_polynomials(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Return the coefficients of the product of two polynomials.

    Args:
        left: Coefficients of one factor; none is negative, and at least one is above 0.
        right: Coefficients of the other factor, under the same conditions.
    """
    places = len(left) + len(right) - 1
    bits = max(left).bit_length() + max(right).bit_length()
    if len(left) * len(right) * bits <= PLAIN_WORK_MOST:
        sums = [0] * places
        for place, factor in enumerate(left):
            if factor:
                for right_place, right_factor in enumerate(right):
                    sums[place + right_place] += factor * right_factor
        return sums
    # Pack all coefficients of a factor into one long decimal number, the first one in its last digits. One
    # multiplication of two such numbers then gives all sums. Each field needs room for the largest sum:
    # ten bits need more than three digits, four are enough.
    width = (bits + min(len(left), len(right)).bit_length()) * 4 // 10 + 1
    product = _EXACT.multiply(_pack_coefficients(left, width), _pack_coefficients(right, width))
    digits = f"{product:f}".zfill(places * width)
    ends = range(len(digits), 0, -width)
    return [int(Decimal(digits[max(0, end - width) : end])) for end in ends][:places]


def _pack_coefficients(coefficients: Sequence[int], width: int) -> Decimal:
    """Write coefficients into one decimal number, each `width` digits wide, the first in its last digits."""
    return Decimal("".join(f"{Decimal(value):f}".zfill(width) for value in reversed(coefficients)))


@frozen
class Distribution:
    """The exact distribution of a count.

    Attributes:
        ways: Number of equally likely ways that give each value, by value from 0 on.
        of: Number of all ways.
    """

    ways: tuple[int, ...]
    of: int

    @property
    def mean(self) -> Fraction:
        """The mean, as an exact fraction."""
        return Fraction(sum(value * ways for value, ways in enumerate(self.ways)), self.of)

    @property
    def variance(self) -> Fraction:
        """The variance, as an exact fraction."""
        squares = Fraction(sum(value * value * ways for value, ways in enumerate(self.ways)), self.of)
        return squares - self.mean**2

    def compute_chance_up(self, value: int) -> Fraction:
        """Return the chance of `value` or more."""
        return Fraction(sum(self.ways[max(0, value) :]), self.of)

    def compute_chance_down(self, value: int) -> Fraction:
        """Return the chance of `value` or less."""
        return Fraction(sum(self.ways[: max(0, value + 1)]), self.of)

    def is_unusual(self, value: int) -> bool:
        """Return whether doing as well as `value`, or as badly, has a chance below one in ten."""
        return min(self.compute_chance_up(value), self.compute_chance_down(value)) < UNUSUAL_BELOW

    def add(self, other: "Distribution") -> "Distribution":
        """Return the distribution of the sum of two independent counts."""
        return Distribution(tuple(multiply_polynomials(self.ways, other.ways)), self.of * other.of)


NOTHING = Distribution((1,), 1)
"""Distribution of a count that is always 0."""


def build_distribution(chances: Mapping[int, Fraction]) -> Distribution:
    """Build a distribution from the chance of each value; the chances must add up to 1."""
    denominator = reduce(lcm, (chance.denominator for chance in chances.values()), 1)
    ways = [0] * (max(chances, default=0) + 1)
    for value, chance in chances.items():
        ways[value] += chance.numerator * (denominator // chance.denominator)
    divisor = gcd(denominator, *ways)
    return Distribution(tuple(number // divisor for number in ways), denominator // divisor)


def sum_distributions(parts: Iterable[Distribution]) -> Distribution:
    """Return the distribution of the sum of all `parts`, added in pairs to keep the numbers small.

    Without parts, the sum is certainly 0.
    """
    waiting = list(parts) or [NOTHING]
    while len(waiting) > 1:
        paired = [left.add(right) for left, right in zip(waiting[::2], waiting[1::2], strict=False)]
        waiting = [*paired, *waiting[len(paired) * 2 :]]
    return waiting[0]


class LeftOut(StrEnum):
    """Reason why the luck of a throw is not known."""

    JUDGED_OTHERWISE = "judged otherwise"  # today's rules give another result than the save
    TOO_MANY_DICE = "too many dice"  # too many faces to work out one by one
    FORCED = "forced"  # the order was forced, and the rules cannot prepare it
    BY_HAND = "by hand"  # read on the umpire's own chart, which the rules do not know
    READ_OUT = "read out"  # a cell of the printed chart that the umpire read out; its other cells are unknown


@frozen
class ThrownDice:
    """A throw of a battle, with the chances that it had.

    Attributes:
        entry: Number of the entry.
        turn: Turn of the throw.
        phase: Name of the phase.
        side: Id of the side that threw, or "".
        ship: Id of the ship that threw, or "".
        target: Id of the ship thrown at, or "".
        line: Line of the damage tables, or word of the order, that the throw is for.
        kind: Name of the `ResultKind` that `results` counts, or "" if nothing is counted.
        dice: Faces thrown.
        results: Number of results scored.
        chances: Distribution of the results at these odds.
        luck: Advantage after these faces less the mean over all faces, or None if the throw is `left_out`.
        luck_chance: Chance of at least as much luck for the same side, or None if `left_out`.
        left_out: Reason why the throw has no luck, or None.
        by_console: True if the console threw the dice.
    """

    entry: int
    turn: int
    phase: str
    side: str
    ship: str
    target: str
    line: str
    kind: str
    dice: tuple[int, ...]
    results: int = 0
    chances: Distribution = NOTHING
    luck: float | None = None
    luck_chance: Fraction | None = None
    left_out: LeftOut | None = None
    by_console: bool = False


@frozen
class Cells:
    """Counts of chart readings; a cell that decides an entry is one reading.

    Attributes:
        read: Number of all readings.
        reconstructed: Number of readings of reconstructed cells.
    """

    read: int = 0
    reconstructed: int = 0


@frozen
class LuckStep:
    """The effect of one entry on the worth of the sides, split into luck and the rest.

    Attributes:
        entry: Number of the entry.
        worth: Worth of each side after the entry, in the order of the battle's sides.
        luck: Part of the change of the advantage that came from the dice.
        rest: The other part of the change.
        throw: Throw of the entry, if it had one.
        cells: Counts of the chart readings that decided the entry.
    """

    entry: int
    worth: tuple[float, ...]
    luck: float
    rest: float
    throw: ThrownDice | None = None
    cells: Cells = Cells()


@frozen
class PhaseEnd:
    """The state of the advantage when a phase ended.

    The advantage is that of the start plus `luck` plus `rest`.

    Attributes:
        turn: Turn of the phase.
        phase: Name of the phase.
        entry: Number of the entry that ended the phase, or 0 if it is not over.
        worth: Worth by side.
        luck: Sum of the luck since the start of the battle.
        rest: Sum of all other changes since the start of the battle.
    """

    turn: int
    phase: str
    entry: int
    worth: Mapping[str, float]
    luck: float
    rest: float


@frozen
class Count:
    """The results that a side scored, next to the distribution that the same throws had by the odds.

    Attributes:
        side: Id of the side.
        kind: Name of the kind of result, or "" if several kinds are counted.
        throws: Number of throws.
        results: Number of results scored.
        chances: Distribution of the results of these throws.
    """

    side: str
    kind: str
    throws: int
    results: int
    chances: Distribution


@frozen
class TurningPoint:
    """The phase in which luck did most.

    Attributes:
        turn: Turn of the phase.
        phase: Name of the phase.
        luck: Luck of the phase.
        throws: Entries of the phase's throws, the greatest luck first.
        throw: Entry of the throw with the most luck in the whole battle.
    """

    turn: int
    phase: str
    luck: float
    throws: tuple[int, ...]
    throw: int


class Fate(StrEnum):
    """Kind of an event of the story, in the order in which a turn lists them."""

    LOST = "lost"  # a ship is no longer afloat
    EVENT = "event"  # another event of the rule system
    OUT_OF_LINE = "out of line"  # a ship cannot keep her place
    JOINED = "joined"
    DAMAGE = "damage"


@frozen
class StoryLine:
    """An event of the story, as ids without text.

    Attributes:
        entry: Number of the entry.
        turn: Turn of the event.
        phase: Name of the phase.
        fate: Kind of the event.
        ship: Id of the ship that it happened to, or "".
        by: Id of the ship that caused it, or "".
    """

    entry: int
    turn: int
    phase: str
    fate: Fate
    ship: str = ""
    by: str = ""


@frozen
class Loss:
    """A ship that is out of the battle.

    Attributes:
        ship: Id of the ship.
        side: Id of her side.
        status: Status of the ship now, as `sunk`.
        entry: Number of the entry that took her out.
        turn: Turn of that entry.
        phase: Phase of that entry.
        by: Ships that did damage to her, each with its number of results, the most first.
    """

    ship: str
    side: str
    status: str
    entry: int
    turn: int
    phase: str
    by: tuple[tuple[str, int], ...] = ()


@frozen
class DamageDealt:
    """The damage of one kind that one ship did to another.

    Attributes:
        ship: Id of the ship that threw.
        target: Id of the ship thrown at.
        kind: Name of the kind of result.
        throws: Number of throws.
        effective: Number of throws with at least one result.
        results: Number of results.
    """

    ship: str
    target: str
    kind: str
    throws: int
    effective: int
    results: int


@frozen
class Analysis:
    """All findings about a battle.

    Attributes:
        sides: Ids of the sides.
        start: Worth of each side before the first entry.
        throws: Throws in play order.
        counts: Results by side and kind.
        damage: Results of each side, all kinds of damage in one count.
        phases: States at the end of each phase; the last is the current phase, with entry 0.
        turning_point: Phase with the most luck, or None if no throw has luck.
        struck_throws: Number of throws by side that were removed or changed after their dice had been seen.
        cells: Counts of all chart readings.
        story: Events, in the order of the story.
        losses: Ships that are out of the battle.
        deeds: Damage by ship, target and kind.
        advantage_moved: Turn and phase in which the advantage moved most, and how far; above 0 is good for
            the first side.
        steps: Steps that all of this was worked out from, one for each entry in force.
    """

    sides: tuple[str, ...]
    start: Mapping[str, float]
    throws: tuple[ThrownDice, ...]
    counts: tuple[Count, ...]
    damage: tuple[Count, ...]
    phases: tuple[PhaseEnd, ...]
    turning_point: TurningPoint | None
    struck_throws: Mapping[str, int]
    cells: Cells
    story: tuple[StoryLine, ...]
    losses: tuple[Loss, ...]
    deeds: tuple[DamageDealt, ...]
    advantage_moved: tuple[int, str, float] | None = None
    steps: tuple[LuckStep, ...] = ()

    @property
    def unknown(self) -> bool:
        """True if dice were thrown, but the luck of every throw is unknown."""
        return bool(self.throws) and all(throw.luck is None for throw in self.throws)

    @property
    def left_out(self) -> tuple[ThrownDice, ...]:
        """The throws whose luck is not known."""
        return tuple(throw for throw in self.throws if throw.left_out is not None)
