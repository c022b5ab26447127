"""Guns of a ship into gunnery and rates of fire: which are heavy, how fast each fires, what they come to.

Logarithms are compared by their powers, so that no value hangs on the last digit of a float. Rounds a minute
are our judgement by caliber, mounting, time and navy.
"""

from collections.abc import Sequence
from fractions import Fraction

from qf_tui.core.measure import decimal
from qf_tui.core.ratings import RatedValue, rounded
from qf_tui.core.ship_facts import Guns, ShipFacts

_FEW = (Fraction(0), Fraction(1, 2), Fraction(7, 10), Fraction(17, 20))
MAIN_LEAST_IN = Fraction(15, 2)
"""Caliber from which a main battery is heavy guns; all others from 4 inches are light guns."""
_LIGHT_LEAST_IN = Fraction(39, 10)


def heavy_guns(ship: ShipFacts) -> tuple[Guns, ...]:
    """Her heavy guns."""
    return tuple(guns for guns in ship.heavy if guns.caliber_in >= MAIN_LEAST_IN)


def light_guns(ship: ShipFacts) -> tuple[Guns, ...]:
    """Her light guns: a main battery of less than heavy guns among them."""
    small = (guns for guns in ship.heavy if guns.caliber_in < MAIN_LEAST_IN)
    return tuple(guns for guns in (*small, *ship.light) if guns.caliber_in >= _LIGHT_LEAST_IN)


def gunnery(key: str, guns: Sequence[Guns]) -> RatedValue:
    """5/3 x N x mean of caliber x (1/2 + length/80) over the guns that bear, N by their number."""
    bearing = [one for one in guns if one.bearing]
    number = sum(one.bearing for one in bearing)
    if not number:
        return RatedValue(key, 0, "no gun bears on a broadside")
    weights = (one.bearing * one.caliber_in * (Fraction(1, 2) + _length(one) / 80) for one in bearing)
    mean = sum(weights, Fraction(0)) / number
    value = int(rounded(Fraction(5, 3) * _weight(number) * mean))
    parts = " and ".join(f"{decimal(one.caliber_in)} x (1/2 + {decimal(_length(one))}/80)" for one in bearing)
    of = f"mean of {parts}" if len(bearing) > 1 else parts
    unknown = [one.text for one in bearing if one.length is None]
    assumed = f"{', '.join(unknown)}: 40 calibers long" if unknown else ""
    return RatedValue(key, value, f"5/3 x {decimal(_weight(number))} ({number} bear) x {of}", assumed)


def _length(guns: Guns) -> Fraction:
    return Fraction(40) if guns.length is None else guns.length


def _weight(bearing: int) -> Fraction:
    """N, what so many guns count beside four."""
    return _FEW[bearing] if bearing < len(_FEW) else Fraction(6 + bearing, 10)


def rate_of_fire(key: str, guns: Sequence[Guns], ship: ShipFacts) -> RatedValue:
    """5 + log2 of the rounds a minute of all guns that bear, from 1 to 12; 0 where none does."""
    rates = [(one, rate_of(one, ship)) for one in guns if one.bearing]
    if not rates:
        return RatedValue(key, 0, "no gun bears on a broadside")
    rounds = sum((one.bearing * rate for one, rate in rates), Fraction(0))
    value = max(1, min(12, 5 + log2(rounds)))
    of = " + ".join(f"{one.bearing} x {decimal(rate)}" for one, rate in rates)
    return RatedValue(key, value, f"5 + log2 of {of} rounds a minute")


def log2(value: Fraction) -> int:
    """The logarithm to the nearest whole number: the power of two within a factor of the root of two."""
    power = 0
    while value * value >= 2 * Fraction(4) ** power:
        power += 1
    while value * value * 2 < Fraction(4) ** power:
        power -= 1
    return power


_OLD = 1890
"""Guns of ships launched before have no quick loading, unless ships were given new and long ones since."""
_QUICK_LENGTH = 40
"""Light guns of so many calibers load quickly on a ship of any age."""
_RUSSIAN_TURRETS = 1896
"""Turrets of Russian ships launched before load at one bearing only."""
_ANY_TRAINING = 1898
"""British turrets of ships launched from then on load at any training, and those built there for others."""
_BRITISH = ("Britain", "Japan")


def rate_of(guns: Guns, ship: ShipFacts) -> Fraction:
    """Aimed rounds a minute of one of these guns on this ship."""
    caliber = guns.caliber_in
    if caliber >= Fraction(105, 10):
        return _largest(guns, ship)
    if caliber >= Fraction(87, 10):
        return Fraction(3, 10) if ship.launched < _OLD else Fraction(3, 4)
    if caliber >= Fraction(78, 10):
        return (
            Fraction(2) if (guns.length or 0) >= 40 and ship.navy in (*_BRITISH, "Italy") else Fraction(3, 2)
        )
    if caliber >= Fraction(7):
        return Fraction(3, 4)
    return _light(guns, ship)


def _largest(guns: Guns, ship: ShipFacts) -> Fraction:
    if guns.caliber_in > Fraction(125, 10) and guns.count == 1:
        return Fraction(1, 10)
    fixed = ship.navy == "Russia" and ship.launched < _RUSSIAN_TURRETS
    if ship.launched < _OLD or (guns.length or 0) < 35 or fixed:
        return Fraction(3, 10)
    if ship.navy in _BRITISH and ship.launched >= _ANY_TRAINING:
        return Fraction(1)
    return Fraction(1, 2)


def _light(guns: Guns, ship: ShipFacts) -> Fraction:
    caliber, length = guns.caliber_in, guns.length or 0
    slow = ship.launched < _OLD and length < _QUICK_LENGTH
    if caliber >= Fraction(62, 10):
        return Fraction(3, 2)
    if caliber >= Fraction(53, 10):
        if slow or 0 < length < 36:
            return Fraction(3, 2)
        if "turrets" in ship.light_mount:
            return Fraction(3)
        return Fraction(6) if ship.navy in _BRITISH else Fraction(5)
    return Fraction(3) if slow else Fraction(8)
