"""Products of polynomials whose coefficients are whole numbers of thousands of digits, exactly.

Hundreds of throws have a common denominator of as many digits. Coefficients that are set one after another in
one long decimal number are multiplied by one multiplication of two such numbers, for which `decimal` has a
transform that takes little longer than to read them; int has none.
"""

from collections.abc import Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

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
