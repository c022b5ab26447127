"""What an analysis finds, and exact chances: frozen values that can be sent to another process.

`advantage` is the worth of the first side less that of the second, owed consequences priced in. Luck has the
same unit and sign: above 0 it favours the first side.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from attrs import frozen

FEW = 50_000_000
"""Products of coefficients, times the bits of one, until which these are multiplied one by one."""

USUAL = Fraction(1, 10)
"""The chance from which on nothing is called unusual."""

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The coefficients of a product, from those of its factors: none of them is below 0, nor are all 0."""
    places, bits = len(left) + len(right) - 1, max(left).bit_length() + max(right).bit_length()
    if len(left) * len(right) * bits <= FEW:
        sums = [0] * places
        for place, factor in enumerate(left):
            if factor:
                for more, times in enumerate(right):
                    sums[place + more] += factor * times
        return sums
    # All coefficients one after another in one number, the first in its last figures, multiplied at once.
    # Room for a sum of as many products as there are: three figures for ten bits are too few, four enough.
    room = (bits + min(len(left), len(right)).bit_length()) * 4 // 10 + 1
    figures = f"{_EXACT.multiply(_in_line(left, room), _in_line(right, room)):f}".zfill(places * room)
    ends = range(len(figures), 0, -room)
    return [int(Decimal(figures[max(0, end - room) : end])) for end in ends][:places]


def _in_line(coefficients: Sequence[int], room: int) -> Decimal:
    return Decimal("".join(f"{Decimal(value):f}".zfill(room) for value in reversed(coefficients)))


@frozen
class Distribution:
    """How many of `of` equally likely ways give each value, by value from 0 on."""

    ways: tuple[int, ...]
    of: int

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(value * ways for value, ways in enumerate(self.ways)), self.of)

    @property
    def variance(self) -> Fraction:
        squares = Fraction(sum(value * value * ways for value, ways in enumerate(self.ways)), self.of)
        return squares - self.mean**2

    def as_well(self, value: int) -> Fraction:
        """How often it is that value or more."""
        return Fraction(sum(self.ways[max(0, value) :]), self.of)

    def as_badly(self, value: int) -> Fraction:
        """How often it is that value or less."""
        return Fraction(sum(self.ways[: max(0, value + 1)]), self.of)

    def unusual(self, value: int) -> bool:
        """Whether fewer than one in ten do as well as that value, or as badly."""
        return min(self.as_well(value), self.as_badly(value)) < USUAL

    def plus(self, other: "Distribution") -> "Distribution":
        """The distribution of the sum of two numbers that know nothing of each other."""
        return Distribution(tuple(product(self.ways, other.ways)), self.of * other.of)


NOTHING = Distribution((1,), 1)
"""Always 0."""


def of_chances(chances: Mapping[int, Fraction]) -> Distribution:
    """A distribution by the chance of each value; the chances add up to 1."""
    of = reduce(lcm, (chance.denominator for chance in chances.values()), 1)
    ways = [0] * (max(chances, default=0) + 1)
    for value, chance in chances.items():
        ways[value] += chance.numerator * (of // chance.denominator)
    by = gcd(of, *ways)
    return Distribution(tuple(way // by for way in ways), of // by)


def total(parts: Iterable[Distribution]) -> Distribution:
    """The distribution of the sum of all; pairs are added first, which keeps numbers small for longest."""
    waiting = list(parts) or [NOTHING]
    while len(waiting) > 1:
        paired = [left.plus(right) for left, right in zip(waiting[::2], waiting[1::2], strict=False)]
        waiting = [*paired, *waiting[len(paired) * 2 :]]
    return waiting[0]


class LeftOut(StrEnum):
    """Why a throw has no luck."""

    JUDGED_OTHERWISE = "judged otherwise"  # by the rules as they are now, than the record has it
    TOO_MANY_DICE = "too many dice"  # to look at each face of them
    FORCED = "forced"  # on a battle on which its order could not be prepared
    BY_HAND = "by hand"  # on a chart of the umpire's, which the rules do not know
    READ_OUT = "read out"  # by the umpire from the printed chart, of which the other cells are not known


@frozen
class ThrownDice:
    """Dice that were thrown, with all that they could have been.

    `kind` is the `ResultKind` of the rule system that `results` are counted by, "" where nothing is counted;
    `chances` is their distribution at these odds. `luck` is what the faces brought beside the mean of all
    faces, and `as_far` how often as many dice bring as much of it or more to the same side; both None where
    it is `left_out`. `by_console`: the console threw them.
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
    as_far: Fraction | None = None
    left_out: LeftOut | None = None
    by_console: bool = False


@frozen
class Cells:
    """Readings of the charts, one an entry and cell that decides it; those of cells that we reconstructed."""

    read: int = 0
    reconstructed: int = 0


@frozen
class LuckStep:
    """One entry in force: what each side is worth behind it, and how much of its change was luck.

    `worth` is in the order of the battle's sides; `luck` and `rest` are worked out apart.
    """

    entry: int
    worth: tuple[float, ...]
    luck: float
    rest: float
    throw: ThrownDice | None = None
    cells: Cells = Cells()


@frozen
class PhaseEnd:
    """What each side was worth as a phase ended, by `entry`, and the luck and the rest until then.

    `luck` and `rest` are sums from the start of the battle: advantage = that of the start + luck + rest.
    """

    turn: int
    phase: str
    entry: int
    worth: Mapping[str, float]
    luck: float
    rest: float


@frozen
class Count:
    """A side's results of one kind, or "" of several, against as many throws at the same odds."""

    side: str
    kind: str
    throws: int
    results: int
    chances: Distribution


@frozen
class TurningPoint:
    """The phase in which luck did most, its throws by size, and the single throw that did most."""

    turn: int
    phase: str
    luck: float
    throws: tuple[int, ...]
    throw: int


class Fate(StrEnum):
    """What became of a ship by an entry, in the order of the story within a turn."""

    LOST = "lost"  # a ship is afloat no more
    EVENT = "event"  # another event of the rule system
    OUT_OF_LINE = "out of line"  # a ship cannot keep her place
    JOINED = "joined"
    DAMAGE = "damage"


@frozen
class StoryLine:
    """One entry of the story: the ship struck and the one that did it, by ids, "" for none; without words."""

    entry: int
    turn: int
    phase: str
    fate: Fate
    ship: str = ""
    by: str = ""


@frozen
class Loss:
    """A ship that is out of the battle: what became of it, when, by which entry, and who did damage to it.

    `by` are the ships that did, each with the results that it scored, the most first.
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
    """What one ship did to another: throws, those that had an effect, and results."""

    ship: str
    target: str
    kind: str
    throws: int
    effective: int
    results: int


@frozen
class Analysis:
    """All that is found of a battle.

    `counts` are by side and kind of result, `damage` of each side all kinds of damage in one sum. `phases`
    ends with the battle as it stands, in a phase that is not over: by entry 0. `start` is what each side was
    worth before the first entry. `struck_throws` counts, by side, throws that were taken back or changed to
    others after their dice had been seen. `advantage_moved` is the turn and the phase in which the advantage
    moved most, and how far: above 0 is good for the first side. `steps` are what all that was gathered from.
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
        """Whether dice were thrown, and of none it is known what they could have been."""
        return bool(self.throws) and all(throw.luck is None for throw in self.throws)

    @property
    def left_out(self) -> tuple[ThrownDice, ...]:
        return tuple(throw for throw in self.throws if throw.left_out is not None)
