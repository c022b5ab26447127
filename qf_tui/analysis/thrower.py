"""Whose throw it is: who threw at whom, for what, what is counted of it, and all faces that it can show."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import reduce
from itertools import islice
from math import gcd, lcm

from attrs import frozen

from qf_tui.core.declarations import PreparedEntry, ResultKind, kind_of
from qf_tui.core.odds import Weight, pool_throws, throws
from qf_tui.core.system import Faces, RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Order, Owed, is_pool

THROWS_MOST, DECIDED_MOST = 80_000, 4_000
"""Throws that are looked at, those of equal dice without names once whatever their order; and decided."""

Throws = tuple[tuple[Weight, Faces], ...]
"""All throws that end a roll, each with its weight and all faces that bear on the order."""


def every_throw(entry: PreparedEntry) -> Throws | None:
    """All throws of an order, those as one that do the same; None where there are too many to look at."""
    alike = entry.prepared.alike
    most = DECIDED_MOST if alike is None else THROWS_MOST
    found = tuple(islice(_each(entry), most + 1))
    if len(found) > most:
        return None
    if alike is None:
        return found
    ways: dict[tuple[Hashable, int], tuple[int, Faces]] = {}
    for (count, of), faces in found:
        place = alike(faces), of
        so_far, first = ways.get(place, (0, faces))
        ways[place] = so_far + count, first
    if len(ways) > DECIDED_MOST:
        return None
    return tuple(((count, of), faces) for (_, of), (count, faces) in ways.items())


def _each(entry: PreparedEntry) -> Iterator[tuple[Weight, Faces]]:
    """Each throw; of a pool as many dice as were thrown, where anybody may throw fewer than he could."""
    prepared = entry.prepared
    there = entry.question.faces if entry.question is not None else ()
    missing, thrown = prepared.missing(there), len(entry.order.dice)
    if 0 < thrown < len(missing) and is_pool(missing) and not entry.missing:
        return pool_throws(prepared, there, (1, 1), missing[:thrown])
    return throws(prepared, there)


SHIP, TARGET = "ship", "target"
"""The slots in which an order names who does it and to whom."""


@frozen
class Thrower:
    """Who threw, the target (""), the line or word of the throw, and the kind of its results."""

    ship: str
    target: str
    line: str
    kind: ResultKind | None

    def side(self, battle: Battle) -> str:
        """The side of the ship; "" where no ship throws."""
        ship = battle.ships.get(self.ship)
        return ship.side if ship is not None else ""


def thrower_of(
    system: RuleSystem, timeline: Timeline, battle: Battle, order: Order, entry: PreparedEntry | None
) -> Thrower:
    """Whose throw an order is; `entry` is the order prepared, if it could be.

    A roll for what a shot did to a ship counts for whoever fired it, if its results are damage.
    """
    question = _question(battle, order, entry)
    line = question.line if question is not None else order.word
    kind = kind_of(system.results, line if question is None else system.counted_as(question))
    declared = question.order if question is not None else order
    if declared is not None:
        ship = entry.prepared.ship if entry is not None else ""
        return Thrower(ship or _who(declared), declared.text(TARGET), line, kind)
    owes = question.ship if question is not None else ""
    cause = timeline.versions.get(question.entry) if question is not None else None
    firer = _firer(timeline, cause.order) if cause is not None else ""
    if kind is not None and kind.damage and firer and firer != owes:
        return Thrower(firer, owes, line, kind)
    return Thrower(owes, "", line, kind)


def named_by(order: Order) -> str:
    """The ship that an order is of, or the one that owes the roll that it answers; "" where it names none."""
    return order.asked_by.ship if order.is_answer else _who(order)


def _question(battle: Battle, order: Order, entry: PreparedEntry | None) -> Owed | None:
    if entry is not None:
        return entry.question
    return battle.question(order.key) if order.is_answer else None


def _firer(timeline: Timeline, order: Order) -> str:
    """Who gave the order behind a question: of an answer whoever declared what it answers in the end."""
    while order.is_answer:
        cause = timeline.versions.get(order.cause)
        if cause is None or 0 < cause.order.cause >= order.cause:
            return ""
        order = cause.order
    return _who(order)


def _who(order: Order) -> str:
    """The ship that an order names first."""
    return next((name for slot in (SHIP, f"{SHIP}s") for name in order.many(slot) if name), "")


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
