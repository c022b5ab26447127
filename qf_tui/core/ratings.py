"""A ship's card out of her facts, each value with its working; which values a source attests."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor

from attrs import evolve, frozen

from qf_tui.core.measure import Scalar
from qf_tui.core.ship_facts import GunArmor, ShipFacts
from qf_tui.core.values import BATTERY, Ship

ORIGIN, ATTESTED = "values", "attested"
ESTIMATED = "estimated"
"""What a card says of values that no source has."""
_BETWEEN = ","


def listed_in(card: Mapping[str, object], name: str) -> tuple[str, ...]:
    """The words of a list that a card holds under a name; none if it has no such list."""
    return tuple(filter(None, str(card.get(name) or "").split(_BETWEEN)))


def as_listed(words: Iterable[str]) -> str:
    """Words as a card holds a list of them."""
    return _BETWEEN.join(words)


def attested_of(card: Mapping[str, object]) -> tuple[str, ...]:
    """The fields of a card whose values a source attests."""
    return listed_in(card, ATTESTED)


def reconstructed(ship: Ship, *fields: str) -> bool:
    """Whether some of these fields of a card are estimated, and not attested one by one."""
    return ship.card.get(ORIGIN) == ESTIMATED and not set(fields) <= set(attested_of(ship.card))


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
