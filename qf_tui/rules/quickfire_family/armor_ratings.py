"""Plate of a ship into armor ratings."""

from fractions import Fraction
from math import isqrt

from qf_tui.core.ship_facts import ShipFacts
from qf_tui.rules.quickfire_family.gun_ratings import heavy_guns

WORTH = {
    "Krupp": Fraction(1),
    "Harvey": Fraction(4, 5),
    "nickel": Fraction(7, 10),
    "steel": Fraction(7, 10),
    "compound": Fraction(3, 5),
    "iron": Fraction(2, 5),
}
"""The worth of a plate beside Krupp's; of two kinds their mean."""
_EXACT = 10**6


def plate_worth(ship: ShipFacts) -> Fraction:
    """The worth of her plate; of an unknown one that of steel."""
    kinds = [WORTH[kind] for kind in ship.plate.split("/") if kind]
    return sum(kinds, Fraction(0)) / len(kinds) if kinds else WORTH["steel"]


def heavy_armor(ship: ShipFacts) -> Fraction:
    """3.3 x root of the mean of belt and heavy guns' armor, by the plate; a deck alone counts a quarter."""
    slope = ship.deck if ship.deck_slope is None else max(ship.deck, ship.deck_slope)
    if ship.belt:
        inches = (ship.belt + (ship.heavy_armor if heavy_guns(ship) else 0)) / 2
        return Fraction(33, 10) * root(inches * plate_worth(ship))
    return Fraction(33, 10) * root(slope / 4) if slope else Fraction(1)


def light_armor(ship: ShipFacts) -> Fraction:
    """4 and the plate's worth of upper side and light guns' armor; 4 with a deck alone, 2 with nothing."""
    guns = ship.light_armor
    inches = ship.upper_side + (guns.inches * guns.share if guns else 0)
    if ship.belt or ship.deck or ship.deck_slope:
        return 4 + plate_worth(ship) * inches if ship.belt else Fraction(4)
    return Fraction(2)


def root(value: Fraction) -> Fraction:
    """The square root to six places."""
    return Fraction(isqrt(int(value * _EXACT**2)), _EXACT)
