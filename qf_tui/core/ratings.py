"""What a rule system makes of a ship's facts: each value of her card with its working in words."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor

from attrs import evolve, frozen

from qf_tui.core.measure import Scalar
from qf_tui.core.ship_facts import GunArmor, ShipFacts
from qf_tui.core.values import BATTERY


@frozen
class RatedValue:
    """One value of a card: its key, the figure, how it was worked out, and what was assumed for it.

    `attested`: it is stated by the rules (with the clause), not worked out. `by_hand`: her umpire set it,
    whatever the working says.
    """

    key: str
    value: Scalar
    working: str
    assumed: str = ""
    attested: str = ""
    by_hand: bool = False


@frozen
class Attested:
    """A value of a card that the rules state, and the clause that has it."""

    key: str
    value: Scalar
    clause: str

    @property
    def rated(self) -> RatedValue:
        """The value on a card."""
        return RatedValue(self.key, self.value, f"attested ({self.clause})", attested=self.clause)


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

    def attesting(self, stated: Iterable[Attested]) -> "Rating":
        """The rating with what the rules state in the place of what was worked out."""
        known = {one.key: one.rated for one in stated}
        others = [one for key, one in known.items() if key not in self.card]
        return Rating((*(known.get(one.key, one) for one in self.values), *others))


def rounded(value: Fraction, step: Fraction = Fraction(1)) -> Fraction:
    """To the nearest whole step; a half goes up."""
    return floor(value / step + Fraction(1, 2)) * step


_PARAPET_IN = Fraction(6)
PARAPET = f"a parapet as good as {_PARAPET_IN} in of steel"
"""What is assumed of a battery on land whose plate nobody states."""


def with_parapet(ship: ShipFacts) -> tuple[ShipFacts, str]:
    """A battery on land with the plate that its earth and concrete are worth, and the words for it.

    Any other ship as she is, without words.
    """
    if ship.kind != BATTERY or ship.belt:
        return ship, ""
    inches, guns = _PARAPET_IN, GunArmor(_PARAPET_IN, text=str(_PARAPET_IN))
    behind = evolve(
        ship, belt=inches, upper_side=Fraction(0), heavy_armor=inches, light_armor=guns, plate="steel"
    )
    return behind, PARAPET
