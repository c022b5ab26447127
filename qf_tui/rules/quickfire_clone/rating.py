"""Facts of a ship into her Quickfire-Clone card: her Advanced Quickfire values, a rule each.

The rules are made so that Mikasa's facts give the Mikasa that is printed.
"""

from fractions import Fraction

from qf_tui.core.measure import Scalar, decimal, exact
from qf_tui.core.ratings import RatedValue, Rating, rounded
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.rules.quickfire_clone.ship import TORPEDO_MOST
from qf_tui.rules.quickfire_family import rating as family
from qf_tui.rules.quickfire_family.attested import ATTESTED

_SHARES = {
    "gunnery.heavy": Fraction(1, 2),
    "gunnery.light": Fraction(3, 5),
    "armor.heavy": Fraction(3, 4),
    "armor.light": Fraction(1),
    "rof.heavy": Fraction(2, 3),
    "rof.light": Fraction(3, 5),
}
ROF_MOST = 6
_SMALL_T = 750
_BASES = {
    **dict.fromkeys(("battleship", "dreadnought", "battlecruiser", "armored-cruiser"), 6),
    **dict.fromkeys(("destroyer", "torpedo-boat"), 2),
}
_BASE_CM = 4


def rate(ship: ShipFacts) -> Rating:
    """Her card; what nobody knows is assumed, and said so."""
    full = family.rate(ship).attesting(ATTESTED.get((ship.navy, ship.id), ()))
    known = {one.key: one for one in full.values}
    spare = 1 if ship.tons < _SMALL_T else 2
    tubes = (ship.tubes or 0) + (2 if ship.kind == "destroyer" and ship.tubes else 0)
    torpedo = min(TORPEDO_MOST, max(1, (tubes + 1) // 2)) if tubes else 0
    return Rating(
        (
            known["kind"],
            known["size"],
            *(_shared(key, known[key], share) for key, share in _SHARES.items()),
            RatedValue("torpedo", torpedo, f"{tubes} tubes / 2", "no tubes" if ship.tubes is None else ""),
            RatedValue(
                "speed",
                8 * int(rounded(Fraction(5, 6) * ship.knots)),
                f"8 boxes of 5/6 x {decimal(ship.knots)} mm",
            ),
            RatedValue(
                "repair", int(rounded(spare + Fraction(ship.tons, 3000))), f"{spare} + {ship.tons} / 3000"
            ),
            RatedValue("base", _BASES.get(ship.kind, _BASE_CM), "as we base such ships"),
        )
    )


def _shared(key: str, full: RatedValue, share: Fraction) -> RatedValue:
    """A share of an Advanced Quickfire value, within what the clone has."""
    value = exact(full.value)
    working = f"{share} x {full.value}, {full.working}"
    return RatedValue(key, _within(key, value, share), working, full.assumed)


def _within(key: str, value: Fraction, share: Fraction) -> Scalar:
    whole = int(rounded(value * share))
    if not value or value == Fraction(1, 2):
        return 0.5 if value else 0
    if key.startswith("rof"):
        return max(1, min(ROF_MOST, whole))
    if key.startswith("gunnery"):
        return whole or 0.5
    return max(1, whole) if key == "armor.heavy" else whole
