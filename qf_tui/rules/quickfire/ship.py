"""The card and log of Quickfire (QF-LOG-1)."""

from collections.abc import Mapping
from functools import partial

from attrs import evolve

from qf_tui.core.ship_facts import Attested, RatedValue, Rating, ShipFacts, rounded
from qf_tui.core.system import CardField, Field
from qf_tui.core.text import Scalar, exact
from qf_tui.core.values import Ship
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire_family import rating as family
from qf_tui.rules.quickfire_family.game import STATUSES
from qf_tui.rules.quickfire_family.movement import COURSES, boxes_by_hand
from qf_tui.rules.quickfire_family.rating import ATTESTED as ADVANCED
from qf_tui.rules.quickfire_family.ship import (
    BOAT_GUNS,
    BOXES,
    TORPEDO_BOAT,
    arc_fields,
    card_field,
    card_of,
    count_field,
    not_used,
    printed_fields,
)

_LOG = "QF-LOG-1"

FULL_TURNS = ("full turn left", "straight ahead", "full turn right")
"""The courses of the other direction table (QF-DAM-2)."""

CARD = (
    *card_of(GAME.scales, CardField("torpedo", "int", "torpedo rating", default=0), BOAT_GUNS),
    *not_used(TORPEDO_BOAT),
)

FIELDS = (
    count_field("rof_heavy", "heavy ROF", "QF-DAM-1"),
    count_field("rof_light", "light ROF", "QF-DAM-1"),
    count_field("boat_guns", "boat guns", "QF-DAM-1", most=1),
    count_field("torpedo", "torpedo rating", "QF-DAM-1"),
    count_field("repair_points", "repair dice", "QF-DAM-1"),
    count_field("speed_hits", "S hits", "QF-DAM-1"),
    Field("fires", "fires", "marks", most=99, clause="QF-DAM-1", seen=True),
    Field("course", "direction hits", "texts", words=(*COURSES, *FULL_TURNS), clause="QF-DAM-2", seen=True),
    count_field(
        "moved", "boxes moved", "QF-MV-1", most=BOXES, empty=True, on_set=partial(boxes_by_hand, GAME)
    ),
    Field("auto_shot", "auto shot used", "bool", clause="QF-GUN-6"),
    Field("status", "status", "status", words=STATUSES, clause="QF-SNK-1"),
    *printed_fields(_LOG),
    card_field("speed", "printed speed", _LOG, "number"),
    card_field("protected", "+P (protected)", _LOG, "bool"),
    card_field("repair", "printed repair dice", _LOG),
    *arc_fields(_LOG),
    card_field("notes", "notes", _LOG, "words"),
)


PRINTED: Mapping[str, str] = {
    "rof_heavy": "rof.heavy",
    "rof_light": "rof.light",
    "boat_guns": "boat_guns",
    "torpedo": "torpedo",
    "repair_points": "repair",
}
BLANK: Mapping[str, Scalar] = {"speed_hits": 0, "speed_lost": 0, "auto_shot": False}
"""A ship's log as the battle begins: counts by the keys of the card, and what is not printed (QF-LOG-1)."""


def had_torpedoes(ship: Ship) -> bool:
    """Whether a ship ever carried torpedoes."""
    return ship.card_count("torpedo") > 0


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


_GUIDE = {("massena", "gunnery.heavy"): "QF-EX-1", ("ohio", "armor.heavy"): "QF-EX-1"}
ATTESTED: Mapping[tuple[str, str], tuple[Attested, ...]] = {
    (navy, id): tuple(
        evolve(one, clause=_GUIDE.get((id, one.key), one.clause)) for one in stated if one.key in SAME
    )
    for (navy, id), stated in ADVANCED.items()
}
