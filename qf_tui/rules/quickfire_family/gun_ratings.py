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


def gunnery(key: str, guns: Sequence[Guns], ship: ShipFacts) -> RatedValue:
    """5/3 x N x mean of caliber x (1/2 + length/80) over rounds a minute abeam, N by the guns."""
    bearing = [one for one in guns if one.bearing]
    number = sum(one.bearing for one in bearing)
    if not number:
        return RatedValue(key, 0, "no gun bears on a broadside")
    rounds = [one.bearing * rate_of(one, ship)[0] for one in bearing]
    pairs = zip(bearing, rounds, strict=True)
    weights = (shots * one.caliber_in * (Fraction(1, 2) + _length(one) / 80) for one, shots in pairs)
    mean = sum(weights, Fraction(0)) / sum(rounds)
    value = int(rounded(Fraction(5, 3) * _weight(number) * mean))
    of = " and ".join(f"{decimal(one.caliber_in)} x (1/2 + {decimal(_length(one))}/80)" for one in bearing)
    if len(bearing) > 1:
        of = f"mean of {of}, by their {' and '.join(map(decimal, rounds))} rounds a minute"
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
    rates = [(one.bearing, *rate_of(one, ship)) for one in guns if one.bearing]
    if not rates:
        return RatedValue(key, 0, "no gun bears on a broadside")
    rounds = sum((number * rate for number, rate, _ in rates), Fraction(0))
    value = max(1, min(12, 5 + log2(rounds)))
    of = " + ".join(f"{number} x {decimal(rate)} ({why})" for number, rate, why in rates)
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
"""Guns of ships launched earlier have old breeches, unless they were given new, long ones since."""
_NEW_LENGTH = 40
"""The calibers of such new ones."""
_LARGEST, _EIGHT_IN, _SIX_IN = Fraction("10.5"), Fraction("7.8"), Fraction("5.3")
_RATES = (
    (_LARGEST, 35, "0.3", "0.5", "1"),
    (Fraction("8.7"), 35, "0.3", "0.75", "0.75"),
    (_EIGHT_IN, 35, "0.5", "1.5", "2"),
    (Fraction(7), 36, "0.75", "1.5", "2"),
    (Fraction("6.2"), 36, "1.5", "3", "3"),
    (_SIX_IN, 36, "1.5", "5", "6"),
    (Fraction(0), 0, "3", "8", "8"),
)
"""From a caliber on: calibers below which a breech is old; rounds a minute of old, quick and best ones."""
_RUSSIAN_TURRETS = 1896
"""Turrets of Russian ships launched before load at one bearing only."""
_ANY_TRAINING = 1898
"""British turrets of ships launched from then on load at any training, and those built there for others."""
_BRITISH = ("Britain", "Japan")


def rate_of(guns: Guns, ship: ShipFacts) -> tuple[Fraction, str]:
    """Aimed rounds a minute of one of these guns on this ship, by age and kind of breech, and why."""
    caliber, length = guns.caliber_in, guns.length or 0
    least, short, old, quick, best = next(row for row in _RATES if caliber >= row[0])
    if caliber > Fraction("12.5") and guns.count == 1:
        return Fraction("0.1"), "a giant alone"
    if (ship.launched < _OLD and length < _NEW_LENGTH) or 0 < length < short:
        return Fraction(old), "old breech"
    if least == _LARGEST and ship.navy == "Russia" and ship.launched < _RUSSIAN_TURRETS:
        return Fraction(old), "loads at one bearing"
    if least == _SIX_IN and "turrets" in ship.light_mount:
        return Fraction(3), "quick breech, in turrets"
    drilled = ship.navy in _BRITISH or (least == _EIGHT_IN and ship.navy == "Italy")
    if best != quick and drilled and (least != _LARGEST or ship.launched >= _ANY_TRAINING):
        return Fraction(best), "loads at any training" if least == _LARGEST else f"quick breech, {ship.navy}"
    return Fraction(quick), "quick breech"
