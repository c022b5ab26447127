"""The exact distribution of a whole number: counts of equally likely ways."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from attrs import frozen

FEW = 50_000_000
"""Products of coefficients, times the bits of one, until which these are multiplied one by one."""

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def product(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """The coefficients of a product, from those of its factors: none of them is below 0, nor are all 0."""
    bits = max(one).bit_length() + max(other).bit_length()
    if len(one) * len(other) * bits <= FEW:
        return _one_by_one(one, other)
    # Room for a sum of as many products as there are: three figures for ten bits are too few, four enough.
    room = (bits + min(len(one), len(other)).bit_length()) * 4 // 10 + 1
    return _by_one_number(one, other, room)


def _one_by_one(one: Sequence[int], other: Sequence[int]) -> list[int]:
    found = [0] * (len(one) + len(other) - 1)
    for place, factor in enumerate(one):
        if factor:
            for more, times in enumerate(other):
                found[place + more] += factor * times
    return found


def _by_one_number(one: Sequence[int], other: Sequence[int], room: int) -> list[int]:
    places = len(one) + len(other) - 1
    multiplied = _EXACT.multiply(_in_line(one, room), _in_line(other, room))
    figures = f"{multiplied:f}".zfill(places * room)
    ends = range(len(figures), 0, -room)
    return [int(Decimal(figures[max(0, end - room) : end])) for end in ends][:places]


def _in_line(coefficients: Sequence[int], room: int) -> Decimal:
    """Coefficients one after another in a number, the first in its last figures."""
    return Decimal("".join(f"{Decimal(value):f}".zfill(room) for value in reversed(coefficients)))


USUAL = Fraction(1, 10)
"""The chance from which on nothing is called unusual."""


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
    return _lowest(Distribution(tuple(ways), of))


def total(parts: Iterable[Distribution]) -> Distribution:
    """The distribution of the sum of all; pairs are added first, which keeps numbers small for longest."""
    waiting = list(parts) or [NOTHING]
    while len(waiting) > 1:
        paired = [one.plus(other) for one, other in zip(waiting[::2], waiting[1::2], strict=False)]
        waiting = [*paired, *waiting[len(paired) * 2 :]]
    return waiting[0]


def _lowest(found: Distribution) -> Distribution:
    by = gcd(found.of, *found.ways)
    return Distribution(tuple(ways // by for ways in found.ways), found.of // by)
