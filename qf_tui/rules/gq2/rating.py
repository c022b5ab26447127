"""Computes a ship's card for General Quarters 2 from her historical facts, by formulas of our own.

Also here: the class codes and navies that clauses know, and advice for a card that states any other.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction

from qf_tui.core.declarations import GUNNERY, SHELLS, CrewStep
from qf_tui.core.ship_facts import RatedValue, ShipFacts, find_gun_worth, round_to_step, with_parapet
from qf_tui.core.text import Scalar, convert_fraction, format_decimal, to_fraction
from qf_tui.core.values import Ship
from qf_tui.rules.gq2.ship import (
    CAPITAL,
    CODE_READ_AS,
    DESTROYERS,
    DOUBLY_DAMAGED,
    GUNNERS,
    INCH_A_KNOT,
    MERCHANTS_AND_SUBMARINES,
    TORPEDO_BOATS,
)

_BEGINNINGS_BY_NAVY: Mapping[str, tuple[str, ...]] = {
    "austro-hungarian": ("austri", "austro", "k.u.k"),
    "british": ("brit", "great brit", "united k", "uk", "engl", "royal navy"),
    "french": ("fren", "france"),
    "german": ("germ",),
    "italian": ("ital",),
    "japanese": ("japan",),
    "russian": ("russ",),
}
"""Beginnings of words that name each navy of the clauses: a fleet file may say Imperial Japanese Navy."""

_CRUISERS = ("C", "CA", "CB", "CL", "PC", "SC")
"""Codes of cruisers. Only CA has clauses of its own; the others follow the rule for all other ships."""

BATTERY = "battery"
CODES = (
    *CAPITAL,
    *CODE_READ_AS,
    *_CRUISERS,
    *DESTROYERS,
    *TORPEDO_BOATS,
    *MERCHANTS_AND_SUBMARINES,
    BATTERY.upper(),
)
"""The class codes that the rules know."""

CODE_BY_KIND = {
    **dict.fromkeys(("battleship", "coast-defence", "ironclad", "monitor"), "B"),
    **dict.fromkeys(("unprotected-cruiser", "gunboat"), "C"),
    "dreadnought": "BB",
    "battlecruiser": "BC",
    "armored-cruiser": "CA",
    "light-cruiser": "CL",
    "protected-cruiser": "PC",
    **dict.fromkeys(("destroyer", "torpedo-gunboat"), "TBD"),
    "torpedo-boat": "TB",
    BATTERY: BATTERY,
}
"""Class code by a ship's kind. Torpedoes do double damage to B and CA (GQ2-TOR-3)."""

_CODE_BY_WORD: dict[str, str] = {
    **{kind.replace("-", " "): code for kind, code in CODE_BY_KIND.items()},
    **dict.fromkeys(("gunboat", "sloop"), "PC or C by tonnage"),
    **dict.fromkeys(("amc", "armed merchant cruiser", "auxiliary cruiser", "auxiliary", "cruiser"), "C"),
    **dict.fromkeys(("ac", "armoured cruiser"), "CA"),
    **dict.fromkeys(("merchantman", "steamer"), "merchant"),
    "destroyer": "DD",
    "torpedo boat destroyer": "TBD",
    "u boat": "submarine",
}
"""Class code, or advice, by what people write in place of a code (GQ2-LOG-3)."""

_NAVY_BY_WORD: dict[str, str] = {
    "kaiserliche marine": "German",
    "marine nationale": "French",
    "prussian": "German",
    "regia marina": "Italian",
}
"""Navy by what people write in place of its name."""

NATION_BY_COUNTRY = {
    "Austria-Hungary": "Austro-Hungarian",
    "Britain": "British",
    "China": "Chinese",
    "France": "French",
    "Germany": "German",
    "Italy": "Italian",
    "Japan": "Japanese",
    "Russia": "Russian",
    "Spain": "Spanish",
    "USA": "American",
}
"""Nation on a card by the country of the facts."""

_LEAST_SIMILARITY = 0.76
"""Least similarity of two spellings, from 0 to 1, for one to be suggested for the other."""
_CRUISER_LEAST_TONS, _CRUISER_LEAST_IN = 5000, 6
"""Least tonnage, and least caliber of the largest guns, of an armed auxiliary that is rated PC."""

ARMAMENT_MOST = 8
LIGHT_TORPEDO_MOST_IN = 18
_SHARES_OF_FLANK = (Fraction(1), Fraction(5, 6), Fraction(2, 3), Fraction(1, 2), Fraction(1, 4))
"""Share of the flank speed in each hull box."""

_HALF = Fraction(1, 2)
_DECK_AS_BELT_IN = Fraction(3, 2)
"""Belt that a ship counts as having if she has only an armored deck."""

_TURRET_LEAST_IN, _QUICK_BELOW_IN, _LIGHT_BELOW_IN = 8, 7, 4
"""Calibers of guns counted by turrets, of quick-firing guns, and of light guns."""


def is_of_navy(ship: Ship, *navies: str) -> bool:
    """Return whether a ship belongs to one of the navies that a clause names."""
    written = str(ship.card.get("nation", "")).strip().casefold()
    return any(_is_name_of(written, navy) for navy in navies)


def _is_name_of(written: str, navy: str) -> bool:
    """Return whether any word of a lower-case text begins as the name of a navy does."""
    # The spaces let a beginning match only where a word begins.
    return any(f" {beginning}" in f" {written}" for beginning in _BEGINNINGS_BY_NAVY[navy])


def list_unknown_words(card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
    """Yield the fields `class` and `nation` of a card if no clause knows their value, each with advice.

    Rule: GQ2-MV-1, GQ2-LOG-3.
    """
    code = str(card.get("class") or "").strip()
    if code.upper() not in CODES:
        advice = _format_advice(_suggest_class(code), "B, CA, DD, TBD, TB, merchant, submarine")
        yield "class", f"unknown class “{code}”: the ship counts as any other; {advice}"
    nation = str(card.get("nation") or "").strip()
    if not any(_is_name_of(nation.casefold(), navy) for navy in _BEGINNINGS_BY_NAVY):
        titles = {navy: navy.title() for navy in _BEGINNINGS_BY_NAVY}
        similar = _find_by_spelling(nation, titles | _NAVY_BY_WORD)
        advice = _format_advice(similar, ", ".join(titles.values()))
        yield "nation", f"unknown navy “{nation}”: it counts as any other; {advice}"


def _suggest_class(written: str) -> str:
    """Suggest a class code for an unknown one: of the same meaning, or else of similar spelling.

    A similar spelling suggests no class that takes double torpedo damage or that crews abandon: there a wrong
    guess would do most harm.

    Returns:
        The code, or advice such as `PC or C by tonnage`; "" for no suggestion.

    Rule: GQ2-LOG-3.
    """
    same_meaning = _CODE_BY_WORD.get(" ".join(written.casefold().replace("-", " ").split()))
    if same_meaning is not None:
        return same_meaning
    known = {code.casefold(): CODE_READ_AS.get(code, code) for code in CODES} | _CODE_BY_WORD
    similar = _find_by_spelling(written, known)
    return "" if similar.upper() in (*DOUBLY_DAMAGED, *MERCHANTS_AND_SUBMARINES) else similar


def _find_by_spelling(word: str, known: Mapping[str, str]) -> str:
    """Return the value whose key is spelled most like a word; "" if none is similar enough."""
    matches = get_close_matches(word.casefold(), list(known), 1, _LEAST_SIMILARITY)
    return known[matches[0]] if matches else ""


def _format_advice(suggestion: str, all_known: str) -> str:
    """Format a suggestion, or all known values if there is none."""
    return f"nearest known: {suggestion}" if suggestion else f"known: {all_known}"


def rate(ship: ShipFacts) -> tuple[RatedValue, ...]:
    """Rate a ship's card; unknown facts are assumed, and marked so."""
    # A land battery without known armor gets the plate that its earth and concrete equal.
    ship, assumption = with_parapet(ship)
    belt = ship.belt or (_DECK_AS_BELT_IN if ship.deck else Fraction(0))
    df = _round_to_halves(Fraction(ship.tons, 8000) + belt * 2 / 3)
    df_working = f"{ship.tons} t / 8000 + 2/3 x {format_decimal(belt)}"
    flank = to_fraction(_round_speed(ship.knots * INCH_A_KNOT))
    hull = (
        RatedValue(
            f"hull.{box}", _round_speed(flank * share), f"{share} of {format_decimal(ship.knots)} kn / 2"
        )
        for box, share in enumerate(_SHARES_OF_FLANK, 1)
    )
    return (
        RatedValue("kind", ship.kind.replace("-", " "), "as she is"),
        RatedValue("class", *_rate_class(ship)),
        RatedValue("nation", NATION_BY_COUNTRY.get(ship.navy, ship.navy), "her navy"),
        RatedValue("df", df, df_working, assumption),
        *hull,
        RatedValue(
            "armament", _count_armament_boxes(ship), "a box two guns from 8 in, and one each four from 4 in"
        ),
        *_rate_batteries(ship),
        *_rate_torpedoes(ship),
    )


def _rate_class(ship: ShipFacts) -> tuple[str, str]:
    """Return a ship's class code and how it was found. For an auxiliary, guns and tonnage decide.

    Rule: GQ2-LOG-3.
    """
    if ship.kind != "auxiliary":
        return CODE_BY_KIND.get(ship.kind, "C"), f"the code of a {ship.kind}"
    guns = (*ship.heavy, *ship.light)
    small = ship.small
    if not (guns or small.larger or small.smaller or ship.tubes):
        return "merchant", "an auxiliary without guns or tubes"
    largest = max((gun.caliber_in for gun in guns), default=Fraction(0))
    code = "PC" if ship.tons >= _CRUISER_LEAST_TONS and largest >= _CRUISER_LEAST_IN else "C"
    return code, f"an armed auxiliary of {ship.tons} t, guns up to {format_decimal(largest)} in"


def _round_to_halves(value: Fraction) -> Scalar:
    """Round a value to halves, but to no less than a half."""
    return convert_fraction(max(_HALF, round_to_step(value, _HALF)))


def _round_speed(inches: Fraction) -> Scalar:
    """Round a speed to halves; 0 for a ship that never moves."""
    return _round_to_halves(inches) if inches else 0


def _count_armament_boxes(ship: ShipFacts) -> int:
    """Count armament boxes: one for every two guns from 8 inches, one for every four lighter guns.

    Both numbers are rounded up; together they are at most eight.
    """
    guns = (*ship.heavy, *ship.light)
    turrets = sum((gun.count + 1) // 2 for gun in guns if gun.caliber_in >= _TURRET_LEAST_IN)
    lighter = sum(gun.count for gun in guns if gun.caliber_in < _TURRET_LEAST_IN)
    return min(ARMAMENT_MOST, turrets + (lighter + 3) // 4)


def _rate_batteries(ship: ShipFacts) -> Iterator[RatedValue]:
    """Yield the values of a battery for each kind of gun, unless none of its guns bears abeam.

    AF is guns x (worth / 10)^2, and half as much again below 7 inches. A gun is worth at most its caliber.
    """
    is_fixed = ship.heavy_mount in ("broadside", "battery", "casemates")
    heavy_arcs = "broadside" if is_fixed else "broadside and ends"
    batteries = [
        (_name_battery("main", number), guns, heavy_arcs) for number, guns in enumerate(ship.heavy, 1)
    ]
    for number, guns in enumerate(ship.light, 1):
        # The first kind of light guns is the secondary battery, whatever its caliber.
        is_light = number > 1 and guns.caliber_in < _LIGHT_BELOW_IN
        batteries.append(("light" if is_light else _name_battery("secondary", number), guns, "broadside"))
    bearing = [(name, guns, arcs) for name, guns, arcs in batteries if guns.bearing]
    for number, (name, guns, arcs) in enumerate(bearing, 1):
        is_quick = guns.caliber_in < _QUICK_BELOW_IN
        worth, working = find_gun_worth(guns, ship.launched)
        if worth >= guns.caliber_in:
            worth, working = guns.caliber_in, format_decimal(guns.caliber_in)
        af = guns.bearing * (worth / 10) ** 2 * (Fraction(3, 2) if is_quick else 1)
        af_working = f"{guns.bearing} x ({working} / 10)^2{' x 1.5' if is_quick else ''}"
        yield RatedValue(f"battery.{number}.name", name, guns.text)
        yield RatedValue(f"battery.{number}.calibre", float(round(guns.caliber_in, 1)), guns.text)
        yield RatedValue(f"battery.{number}.af", _round_to_halves(af), af_working)
        yield RatedValue(f"battery.{number}.arcs", arcs, "as guns are mounted")


def _name_battery(name: str, number: int) -> str:
    """Name a battery: `main`, and `main-2` for the second of its kind."""
    return f"{name}-{number}" if number > 1 else name


def _rate_torpedoes(ship: ShipFacts) -> Iterator[RatedValue]:
    """Yield the kind and the number of a ship's torpedoes, one for each tube; nothing without tubes.

    They are light if no tube is above 18 inches, or if no size is known.
    """
    if ship.tubes:
        light = max(ship.tube_size_in, default=LIGHT_TORPEDO_MOST_IN) <= LIGHT_TORPEDO_MOST_IN
        assumed = "" if ship.tube_size_in else "18 in torpedoes"
        yield RatedValue("torpedoes.kind", "light" if light else "standard", "light up to 18 in", assumed)
        yield RatedValue("torpedoes.count", ship.tubes, "one a tube")


CREWS = (
    CrewStep(GUNNERY, GUNNERS, lambda gunners, steps: convert_fraction(to_fraction(gunners) + steps)),
    CrewStep(
        SHELLS,
        "battery.af",
        lambda af, steps: _round_to_halves(to_fraction(af) * (5 + steps) / 5) if af else af,
    ),
)
"""A step of gunnery takes 1 off the white die; a step of shells adds a fifth to each attack factor."""
