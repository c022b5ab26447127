"""Distances and numbers, exactly."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

Scalar = int | float | str | bool | None
"""A value of a card, a log or the table."""

MILLIMETRES: Mapping[str, Fraction] = {"mm": Fraction(1), "cm": Fraction(10)}

ESTIMATE_SIGN = "~"
"""Stands before a distance that nobody measured."""


@frozen
class Distance:
    """A measured distance: `amount` of `unit` ("in", "mm" or "cm"); `estimated` between others: `~12in`."""

    amount: Fraction
    unit: str
    estimated: bool = False

    @property
    def metric(self) -> bool:
        return self.unit in MILLIMETRES

    def to(self, unit: str) -> Fraction:
        """The amount in another unit of the same family; ValueError across families."""
        if unit == self.unit:
            return self.amount
        if unit not in MILLIMETRES or not self.metric:
            raise ValueError(f"{self} is not in {unit}")
        return self.amount * MILLIMETRES[self.unit] / MILLIMETRES[unit]

    def __str__(self) -> str:
        return f"{ESTIMATE_SIGN if self.estimated else ''}{decimal(self.amount)}{self.unit}"


def decimal(amount: Fraction) -> str:
    """A fraction as the shortest decimal that says it exactly, or to six places."""
    return f"{float(amount):.6f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=4096, typed=True)
def exact(value: Scalar) -> Fraction:
    """A number of a card or log as a fraction: 6.75 is 27/4; what is not a number is 0."""
    if isinstance(value, bool) or value is None:
        return Fraction(0)
    if isinstance(value, int):
        return Fraction(value)
    return Fraction(str(value))
