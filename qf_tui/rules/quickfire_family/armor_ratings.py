"""Plate of a ship into armor ratings."""

from fractions import Fraction
from math import isqrt

from qf_tui.core.measure import decimal
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


def heavy_armor(ship: ShipFacts) -> tuple[Fraction, str]:
    """3.3 x root of the mean of belt and heavy guns' armor, by the plate; a deck alone counts a quarter."""
    slope = ship.deck if ship.deck_slope is None else max(ship.deck, ship.deck_slope)
    if ship.belt:
        guns = ship.heavy_armor if heavy_guns(ship) else Fraction(0)
        worth = plate_worth(ship)
        of = f"({decimal(ship.belt)} belt + {decimal(guns)} guns) / 2 x {decimal(worth)} plate"
        return Fraction(33, 10) * root((ship.belt + guns) / 2 * worth), f"3.3 x root of {of}"
    if not slope:
        return Fraction(1), "1 without belt and deck"
    part = "slope" if slope > ship.deck else "deck"
    return Fraction(33, 10) * root(slope / 4), f"3.3 x root of {decimal(slope)} {part} / 4, no belt"


def light_armor(ship: ShipFacts) -> tuple[Fraction, str]:
    """4 and the plate's worth of upper side and light guns' armor; 4 with a deck alone, 2 with nothing."""
    if not ship.belt:
        deck = ship.deck or ship.deck_slope
        return (Fraction(4), "4 with a deck alone") if deck else (Fraction(2), "2 without belt and deck")
    guns, worth = ship.light_armor, plate_worth(ship)
    share = Fraction(1) if guns is None else guns.share
    part = "" if share == 1 else f" x {share}"
    inches = Fraction(0) if guns is None else guns.inches
    of = f"({decimal(ship.upper_side)} side + {decimal(inches)} guns{part}) x {decimal(worth)} plate"
    return 4 + worth * (ship.upper_side + inches * share), f"4 + {of}"


def root(value: Fraction) -> Fraction:
    """The square root to six places."""
    return Fraction(isqrt(int(value * _EXACT**2)), _EXACT)
