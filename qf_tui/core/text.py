"""Checks of text (printable characters) and its forms: possessives, plurals, counts, distances, fractions."""

import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

TEXT_MOST = 2000
"""The number of characters in the longest text that is accepted."""

# Characters that change the direction or the joining of what follows mislead the reader of a terminal.
_DECEIVING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def find_unprintable(text: str) -> str | None:
    """Find the first character that may not enter a battle.

    Returns:
        The character with its position from 1, as `U+001B at 3`, or None if all are fine.
    """
    if text.isprintable():
        return None
    for place, character in enumerate(text, start=1):
        if unicodedata.category(character) in _DECEIVING:
            return f"U+{ord(character):04X} at {place}"
    return None


def format_possessive(name: str) -> str:
    """Format a name as possessive: `Mikasa's`, `Ships'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def format_plural(noun: str) -> str:
    """Return the plural of a noun: `batteries`, `torpedo-boats`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Format a number with its noun: `1 throw`, `5 throws`.

    Args:
        plural: The plural of the noun, if it does not just add an s.
    """
    word = noun if number == 1 else plural or f"{noun}s"
    return f"{number:,} {word}"


def join_as_sentence(parts: Sequence[str]) -> str:
    """Join parts as a sentence lists them: `Asahi, Fuji and Mikasa`."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def add_answer(question: str, answer: str) -> str:
    """Join a question and its answer: `direction of Fuji: 2`, `what does Fuji fix? speed`."""
    return f"{question}{'' if question.endswith('?') else ':'} {answer}"


def make_id(name: str) -> str:
    """Return the id of a side or division: its name in lower case with "-" for spaces."""
    return "-".join(name.lower().split())


def format_ship_value(value: object) -> str:
    """Format a value of a ship for people: `yes` or `no`, `none` if it is empty, or items with commas."""
    if value is None or value in ((), []):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


Scalar = int | float | str | bool | None
"""A value of a card, a log or the table."""

MILLIMETRES: Mapping[str, Fraction] = {"mm": Fraction(1), "cm": Fraction(10)}
"""Millimetres in one unit of each metric measure."""

ESTIMATE_SIGN = "~"
"""The sign before a distance that is an estimate."""


@frozen
class Distance:
    """A distance on the table.

    Attributes:
        amount: Number of units.
        unit: One of "in", "mm" and "cm".
        estimated: True if it was not measured, but filled in between measured ones; printed as `~12in`.
    """

    amount: Fraction
    unit: str
    estimated: bool = False

    @property
    def is_metric(self) -> bool:
        return self.unit in MILLIMETRES

    def to(self, unit: str) -> Fraction:
        """Return the amount in another unit.

        Raises:
            ValueError: One unit is metric and the other is not.
        """
        if unit == self.unit:
            return self.amount
        if unit not in MILLIMETRES or not self.is_metric:
            raise ValueError(f"{self} is not in {unit}")
        return self.amount * MILLIMETRES[self.unit] / MILLIMETRES[unit]

    @property
    def display_text(self) -> str:
        """The distance as people read it: `~24″`, `60 mm`."""
        unit = "″" if self.unit == "in" else f" {self.unit}"
        return f"{ESTIMATE_SIGN if self.estimated else ''}{format_decimal(self.amount)}{unit}"

    def __str__(self) -> str:
        return f"{ESTIMATE_SIGN if self.estimated else ''}{format_decimal(self.amount)}{self.unit}"


def format_decimal(amount: Fraction) -> str:
    """Format a fraction as a decimal with at most six places, without zeros at its end."""
    return f"{float(amount):.6f}".rstrip("0").rstrip(".")


def convert_fraction(value: Fraction) -> int | float:
    """Convert a fraction to the number that cards and logs hold: an integer, or rounded to four places."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


@lru_cache(maxsize=4096, typed=True)
def to_fraction(value: Scalar) -> Fraction:
    """Convert a number of a card or log to a fraction: 6.75 is 27/4; True, False and None are 0."""
    if isinstance(value, bool) or value is None:
        return Fraction(0)
    if isinstance(value, int):
        return Fraction(value)
    return Fraction(str(value))
