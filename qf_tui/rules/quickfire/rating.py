"""Facts of a ship into her Quickfire card: her Advanced Quickfire values, a rule each."""

from qf_tui.core.measure import exact
from qf_tui.core.ratings import RatedValue, Rating, rounded
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.rules.quickfire_family import rating as family

TORPEDO_MOST = 4
SAME = ("kind", "size", "gunnery.heavy", "gunnery.light", "armor.heavy", "armor.light", "speed", "protected")
"""The values that both games have alike."""


def rate(ship: ShipFacts) -> Rating:
    """Her card; what nobody knows is assumed, and said so."""
    known = {one.key: one for one in family.rate(ship).values}
    rofs = []
    for key in ("rof.heavy", "rof.light"):
        full = known[key]
        half = int(rounded(exact(full.value) / 2))
        rofs.append(RatedValue(key, half, f"half of {full.value}, {full.working}", full.assumed))
    boats = known["boat_guns"]
    return Rating(
        (
            *(known[key] for key in SAME),
            *rofs,
            torpedo(ship),
            RatedValue("boat_guns", boats.value != 0, f"{boats.value} by {boats.working}"),
            known["repair"],
        )
    )


def torpedo(ship: ShipFacts) -> RatedValue:
    """Half of her tubes, halves up; boats twice their tubes; four at most."""
    tubes = ship.tubes or 0
    assumed = "no tubes" if ship.tubes is None else ""
    if ship.kind in ("destroyer", "torpedo-boat"):
        return RatedValue("torpedo", min(TORPEDO_MOST, 2 * tubes), f"2 x {tubes} tubes", assumed)
    return RatedValue("torpedo", min(TORPEDO_MOST, (tubes + 1) // 2), f"{tubes} tubes / 2", assumed)
