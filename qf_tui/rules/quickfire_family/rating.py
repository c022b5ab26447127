"""Works out a ship's card from her facts: guns into gunnery and rate of fire (ROF), plate into armor.

The values are those of Advanced Quickfire. The other Quickfire games work theirs out from these.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from operator import mul

from qf_tui.core.declarations import GUNNERY, SHELLS, CrewStep
from qf_tui.core.ship_facts import (
    Guns,
    RatedValue,
    ShipFacts,
    attest,
    find_gun_worth,
    find_length,
    round_to_step,
    with_parapet,
)
from qf_tui.core.text import Scalar, convert_fraction, format_decimal, to_fraction
from qf_tui.rules.quickfire_family.game import INCH_A_KNOT

ATTESTED: Mapping[tuple[str, str], tuple[RatedValue, ...]] = {
    ("Japan", "mikasa"): (attest("gunnery.heavy", 20, "AQF-EX-5"), attest("rof.heavy", 7, "AQF-EX-5")),
    ("Russia", "borodino"): (attest("armor.heavy", 10, "AQF-EX-5"),),
    ("France", "massena"): (
        attest("gunnery.heavy", 16, "AQF-EX-8"),
        attest("armor.heavy", 12, "AQF-EX-9"),
    ),
    ("USA", "ohio"): (
        attest("gunnery.heavy", 19, "AQF-EX-9"),
        attest("armor.heavy", 11, "AQF-EX-8"),
        attest("rof.heavy", 6, "AQF-EX-9"),
    ),
    ("Britain", "sans-pareil"): (attest("rof.heavy", 5, "AQF-EX-6"),),
    ("Britain", "hannibal"): (attest("speed", 6, "AQF-EX-3"),),
}

_ZERO, _FIVE_THIRDS = Fraction(0), Fraction(5, 3)
_WEIGHTS_OF_FEW = (_ZERO, Fraction(1, 2), Fraction(7, 10), Fraction(17, 20))
MAIN_LEAST_IN = Fraction(15, 2)
"""The least caliber of heavy guns in inches. Smaller main guns, and others from 4 inches, are light guns."""
_LIGHT_LEAST_IN = Fraction(39, 10)


def list_heavy_guns(ship: ShipFacts) -> tuple[Guns, ...]:
    """Return the ship's main guns from 7.5 inches."""
    return tuple(guns for guns in ship.heavy if guns.caliber_in >= MAIN_LEAST_IN)


def list_light_guns(ship: ShipFacts) -> tuple[Guns, ...]:
    """Return the ship's light guns from 4 inches, with main guns too small to be heavy."""
    light_main_guns = (guns for guns in ship.heavy if guns.caliber_in < MAIN_LEAST_IN)
    return tuple(guns for guns in (*light_main_guns, *ship.light) if guns.caliber_in >= _LIGHT_LEAST_IN)


def rate_gunnery(key: str, guns: Sequence[Guns], ship: ShipFacts) -> RatedValue:
    """Rate the gunnery of a battery: 5/3 x N x the mean worth of its guns, at least 1; 0 if no gun bears.

    N depends on the guns that bear (see `_weigh_guns`), the worth on caliber, length and age (see
    `find_gun_worth`). The mean is weighted by rounds a minute.
    """
    bearing = [gun for gun in guns if gun.bearing]
    count = sum(gun.bearing for gun in bearing)
    if not count:
        return RatedValue(key, 0, "no gun bears on a broadside")
    rounds = [gun.bearing * find_rounds_a_minute(gun, ship)[0] for gun in bearing]
    total_rounds = sum(rounds, _ZERO)
    mean_rate = total_rounds / count
    weight = _weigh_guns(count, mean_rate)
    worths, workings = zip(*(find_gun_worth(gun, ship.launched) for gun in bearing), strict=True)
    mean_worth = sum(map(mul, rounds, worths), _ZERO) / total_rounds
    rating = max(1, int(round_to_step(_FIVE_THIRDS * weight * mean_worth)))
    working = " and ".join(workings)
    if len(bearing) > 1:
        working = f"mean of {working}, by their {' and '.join(map(format_decimal, rounds))} rounds a minute"
    # Only the weight of many slow guns depends on their rate.
    is_rate_counted = count > len(_WEIGHTS_OF_FEW) and mean_rate < 1
    rate_text = f" at {format_decimal(mean_rate)} rounds a minute" if is_rate_counted else ""
    assumed_lengths = {gun.text: find_length(gun, ship.launched) for gun in bearing if gun.length is None}
    return RatedValue(
        key,
        rating,
        f"5/3 x {format_decimal(weight)} ({count} bear{rate_text}) x {working}",
        ", ".join(f"{text}: {length} calibers long" for text, length in assumed_lengths.items()),
    )


def _weigh_guns(bearing: int, rate: Fraction) -> Fraction:
    """Return N, the weight of bearing guns: 1 for four, less for fewer, and a tenth for each gun more.

    If the guns fire less than one round a minute, each gun more counts a tenth times this rate.
    """
    few = len(_WEIGHTS_OF_FEW)
    return _WEIGHTS_OF_FEW[bearing] if bearing < few else 1 + (bearing - few) * min(rate, Fraction(1)) / 10


def rate_rof(key: str, guns: Sequence[Guns], ship: ShipFacts) -> RatedValue:
    """Rate the ROF of a battery: 5 + log2 of its rounds a minute, from 1 to 12; 0 if no gun bears."""
    rates = [(gun.bearing, *find_rounds_a_minute(gun, ship)) for gun in guns if gun.bearing]
    if not rates:
        return RatedValue(key, 0, "no gun bears on a broadside")
    rounds = sum((number * rate for number, rate, _ in rates), Fraction(0))
    value = max(1, min(12, 5 + round_log2(rounds)))
    working = " + ".join(f"{number} x {format_decimal(rate)} ({reason})" for number, rate, reason in rates)
    return RatedValue(key, value, f"5 + log2 of {working} rounds a minute")


def round_log2(value: Fraction) -> int:
    """Return the base-2 logarithm of a number above 0, rounded to a whole number."""
    # A power is too low from 2**(power + 1/2) on, and too high below 2**(power - 1/2). The squares of these
    # bounds need no root: 2 * 4**power and 4**power / 2.
    square = value**2
    power = 0
    while square >= 2 * Fraction(4) ** power:
        power += 1
    while square < Fraction(4) ** power / 2:
        power -= 1
    return power


_OLD_BEFORE = 1894
"""The year of launch before which guns load slowly, unless they are long new ones."""
_GIANT_ABOVE_IN, _LONE_GIANT_ABOVE_IN, _GIANT_LENGTH = Fraction(15), Fraction(25, 2), 28
"""Calibers above which guns are giants: if shorter than the length, and if a gun is alone."""
_LARGEST, _EIGHT_IN, _SIX_IN = Fraction(21, 2), Fraction(39, 5), Fraction(53, 10)
_GIANT_RATE, _TURRET_RATE = Fraction(1, 10), Fraction(3)
_RATES = (
    (_LARGEST, 35, 42, Fraction(3, 10), Fraction(1, 2), Fraction(1)),
    (Fraction(87, 10), 35, 40, Fraction(3, 10), Fraction(3, 4), Fraction(3, 4)),
    (_EIGHT_IN, 40, 40, Fraction(2, 5), Fraction(3, 2), Fraction(2)),
    (Fraction(7), 36, 40, Fraction(3, 4), Fraction(3, 2), Fraction(2)),
    (Fraction(31, 5), 36, 40, Fraction(3, 2), Fraction(3), Fraction(3)),
    (_SIX_IN, 36, 40, Fraction(3, 2), Fraction(5), Fraction(6)),
    (Fraction(0), 0, 40, Fraction(3), Fraction(8), Fraction(8)),
)
"""Rows by least caliber: length in calibers below which a gun is old in any ship and in an old one, and
rounds a minute of old guns, quick and best breeches.
"""
_RUSSIAN_TURRETS_BEFORE = 1896
"""The year of launch before which turrets of Russian ships load at one bearing only."""
_ANY_TRAINING_FROM = 1898
"""The year of launch from which turrets built in Britain load at any training."""
_BRITISH = ("Britain", "Japan")


def find_rounds_a_minute(guns: Guns, ship: ShipFacts) -> tuple[Fraction, str]:
    """Return the aimed rounds a minute of one of these guns, and the reason.

    The rate depends on caliber, age, kind of breech, mount and navy.
    """
    caliber = guns.caliber_in
    length = find_length(guns, ship.launched)
    # The rows begin with the largest guns.
    row = next(row for row in _RATES if caliber >= row[0])
    least_in, old_below, new_from, old_rate, quick_rate, best_rate = row
    if caliber > _LONE_GIANT_ABOVE_IN and guns.count == 1:
        return _GIANT_RATE, "a giant alone"
    if caliber > _GIANT_ABOVE_IN and length < _GIANT_LENGTH:
        return _GIANT_RATE, "an old giant"
    if (ship.launched < _OLD_BEFORE and length < new_from) or length < old_below:
        return old_rate, "old gun"
    if least_in == _LARGEST and ship.navy == "Russia" and ship.launched < _RUSSIAN_TURRETS_BEFORE:
        return old_rate, "loads at one bearing"
    if least_in == _SIX_IN and "turrets" in ship.light_mount:
        return _TURRET_RATE, "quick breech, in turrets"
    has_best_drill = ship.navy in _BRITISH or (least_in == _EIGHT_IN and ship.navy == "Italy")
    # The largest guns fire at the best rate only in turrets that load at any training.
    can_load_fast = least_in != _LARGEST or ship.launched >= _ANY_TRAINING_FROM
    if best_rate != quick_rate and has_best_drill and can_load_fast:
        return best_rate, "loads at any training" if least_in == _LARGEST else f"quick breech, {ship.navy}"
    return quick_rate, "quick breech"


WORTH_BY_PLATE = {
    "Krupp": Fraction(1),
    "Harvey": Fraction(4, 5),
    "nickel": Fraction(7, 10),
    "steel": Fraction(7, 10),
    "compound": Fraction(3, 5),
    "iron": Fraction(2, 5),
}
"""The worth of each kind of plate compared with Krupp's. A plate of two kinds counts their mean."""
_EXACT = 10**6


@lru_cache(maxsize=64)
def find_plate_worth(plate: str) -> Fraction:
    """Return the worth of a plate, compared with Krupp's.

    A plate of two kinds, as `Krupp/steel`, counts their mean; "" counts as steel.
    """
    kinds = [WORTH_BY_PLATE[kind] for kind in plate.split("/") if kind]
    return sum(kinds, Fraction(0)) / len(kinds) if kinds else WORTH_BY_PLATE["steel"]


def rate_heavy_armor(ship: ShipFacts) -> tuple[Fraction, str]:
    """Rate heavy armor: 3.3 x root(mean of belt and heavy guns' armor x worth of the plate).

    Without a belt a quarter of the deck, or of its thicker slope, counts instead. Without belt and deck it
    is 1.

    Returns:
        The exact rating, and its working.
    """
    slope = ship.deck if ship.deck_slope is None else max(ship.deck, ship.deck_slope)
    if ship.belt:
        guns = ship.heavy_armor if list_heavy_guns(ship) else Fraction(0)
        worth = find_plate_worth(ship.plate)
        belt, turret = format_decimal(ship.belt), format_decimal(guns)
        working = f"({belt} belt + {turret} guns) / 2 x {format_decimal(worth)} plate"
        return Fraction(33, 10) * compute_root((ship.belt + guns) / 2 * worth), f"3.3 x root of {working}"
    if not slope:
        return Fraction(1), "1 without belt and deck"
    part = "slope" if slope > ship.deck else "deck"
    working = f"3.3 x root of {format_decimal(slope)} {part} / 4, no belt"
    return Fraction(33, 10) * compute_root(slope / 4), working


def rate_light_armor(ship: ShipFacts) -> tuple[Fraction, str]:
    """Rate light armor: 4 + worth of the plate x (armor of the upper side + armor of the light guns).

    Guns count by the share of them that has the armor. Without a belt the rating is 4 or, without a deck, 2.

    Returns:
        The exact rating, and its working.
    """
    if not ship.belt:
        deck = ship.deck or ship.deck_slope
        return (Fraction(4), "4 with a deck alone") if deck else (Fraction(2), "2 without belt and deck")
    guns = ship.light_armor
    worth = find_plate_worth(ship.plate)
    share = Fraction(1) if guns is None else guns.share
    part = "" if share == 1 else f" x {share}"
    inches = Fraction(0) if guns is None else guns.inches
    side, turret = format_decimal(ship.upper_side), format_decimal(inches)
    working = f"({side} side + {turret} guns{part}) x {format_decimal(worth)} plate"
    return 4 + worth * (ship.upper_side + inches * share), f"4 + {working}"


def compute_root(value: Fraction) -> Fraction:
    """Return the square root, rounded down to six decimal places."""
    return Fraction(isqrt(value.numerator * _EXACT**2 // value.denominator), _EXACT)


SMALL_CRAFT = ("destroyer", "torpedo-boat", "torpedo-gunboat")
RELOAD_MOST = 11
_TORPEDO_SIZES_IN = (14, 15, 18, 21)


def rate_ship(ship: ShipFacts) -> tuple[RatedValue, ...]:
    """Work out a ship's Advanced Quickfire card. The cards of the other games are worked out from it.

    A value that rests on unknown facts is marked as assumed.
    """
    is_protected = bool(ship.belt and ship.belt_ends and ship.deck_slope)
    boat_guns = Fraction(2 * ship.small.larger + ship.small.smaller, 14)
    return (
        RatedValue("kind", ship.kind.replace("-", " "), "as she is"),
        RatedValue("size", convert_fraction(rate_size(ship.tons)), f"{ship.tons} t / 1000"),
        rate_gunnery("gunnery.heavy", list_heavy_guns(ship), ship),
        rate_gunnery("gunnery.light", list_light_guns(ship), ship),
        *_rate_armor(ship),
        rate_rof("rof.heavy", list_heavy_guns(ship), ship),
        rate_rof("rof.light", list_light_guns(ship), ship),
        *_rate_torpedo(ship),
        RatedValue(
            "boat_guns",
            max(1, int(round_to_step(boat_guns))) if boat_guns else 0,
            f"({ship.small.larger} + {ship.small.smaller}/2) / 7",
        ),
        RatedValue(
            "speed",
            convert_fraction(round_to_step(ship.knots * INCH_A_KNOT, Fraction(1, 4))),
            f"{format_decimal(ship.knots)} kn x 0.375, to a quarter",
        ),
        RatedValue("protected", is_protected, "a belt to the ends, and a sloped deck behind it"),
        RatedValue("repair", int(round_to_step(1 + Fraction(ship.tons, 3000))), f"1 + {ship.tons} / 3000"),
    )


def _rate_armor(ship: ShipFacts) -> tuple[RatedValue, RatedValue]:
    """Rate heavy and light armor, in whole numbers; small craft have ½ of each, whatever their plate."""
    if ship.kind in SMALL_CRAFT:
        reason = "a small craft, which boat guns hurt"
        return RatedValue("armor.heavy", 0.5, reason), RatedValue("armor.light", 0.5, reason)
    # A land battery without known armor gets the plate that its earth and concrete equal.
    ship, assumed = with_parapet(ship)
    assumed = assumed or ("plate as good as steel" if ship.belt and not ship.plate else "")
    armor = {"armor.heavy": rate_heavy_armor(ship), "armor.light": rate_light_armor(ship)}
    heavy, light = (
        RatedValue(key, int(round_to_step(value)), why, assumed) for key, (value, why) in armor.items()
    )
    return heavy, light


def _rate_torpedo(ship: ShipFacts) -> tuple[RatedValue, ...]:
    """Rate torpedo size and reload; () for a ship without torpedoes.

    The size is the greatest one on the chart up to the first size of her tubes. If only the size is known,
    two tubes are assumed; if only the tubes are known, 18 inches.
    """
    if ship.tubes == 0 or (ship.tubes is None and not ship.tube_size_in):
        return ()
    tubes = ship.tubes if ship.tubes is not None else 2
    spares = 2 if ship.kind == "destroyer" else 0
    reload = min(RELOAD_MOST, 4 + tubes + spares)
    bore = next(iter(ship.tube_size_in), 18)
    size = max((inches for inches in _TORPEDO_SIZES_IN if inches <= bore), default=_TORPEDO_SIZES_IN[0])
    size_assumed = "" if ship.tube_size_in else "18 in torpedoes"
    tubes_assumed = "" if ship.tubes is not None else "two tubes"
    spares_text = " + 2 spares" if spares else ""
    return (
        RatedValue("torpedo.size", size, f"{size} in tubes", size_assumed),
        RatedValue("torpedo.reload", reload, f"4 + {tubes} tubes{spares_text}", tubes_assumed),
    )


def rate_size(tons: int) -> Fraction:
    """Return a ship's size: her thousands of tons, rounded, at least 1; ½ below 750 tons, ¼ below 200."""
    if tons < 200:
        return Fraction(1, 4)
    if tons < 750:
        return Fraction(1, 2)
    return max(Fraction(1), round_to_step(Fraction(tons, 1000)))


def build_crew_steps(rof_most: int) -> tuple[CrewStep, ...]:
    """Build the effects of crew quality on a card.

    Each step of `GUNNERY` changes the ROF of the heavy and the light battery by a point. Each step of
    `SHELLS` changes their gunnery ratings by a fifth. ROF and ratings do not fall below 1. A battery without
    ROF or rating does not change.

    Args:
        rof_most: Greatest ROF that a crew can reach; a greater printed ROF stays.
    """

    def change_rof(rof: Scalar, steps: int) -> Scalar:
        most = max(to_fraction(rof), Fraction(rof_most))
        return convert_fraction(max(Fraction(1), min(most, to_fraction(rof) + steps))) if rof else rof

    return (
        *(CrewStep(GUNNERY, f"rof.{battery}", change_rof) for battery in ("heavy", "light")),
        *(CrewStep(SHELLS, f"gunnery.{battery}", _change_gunnery) for battery in ("heavy", "light")),
    )


def _change_gunnery(gunnery: Scalar, steps: int) -> Scalar:
    """Change a gunnery rating by a fifth for each step of shells, but not below 1; a rating below 1 stays."""
    rating = to_fraction(gunnery)
    return (
        gunnery if rating < 1 else convert_fraction(max(Fraction(1), round_to_step(rating * (5 + steps) / 5)))
    )
