"""What a rule system makes of a ship's facts: each value of her card with its working in words."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from attrs import frozen

from qf_tui.core.measure import Scalar


@frozen
class RatedValue:
    """One value of a card: its key, the figure, how it was worked out, and what was assumed for it.

    `by_hand`: her umpire set it, whatever the working says.
    """

    key: str
    value: Scalar
    working: str
    assumed: str = ""
    by_hand: bool = False


@frozen
class Rating:
    """A ship's values under one rule system, in the order of the card."""

    values: tuple[RatedValue, ...]

    @property
    def card(self) -> Mapping[str, Scalar]:
        """The values by their keys, without those that are None."""
        return {one.key: one.value for one in self.values if one.value is not None}

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What was assumed, each once."""
        return tuple(dict.fromkeys(one.assumed for one in self.values if one.assumed))


def rounded(value: Fraction, step: Fraction = Fraction(1)) -> Fraction:
    """To the nearest whole step; a half goes up."""
    return floor(value / step + Fraction(1, 2)) * step
