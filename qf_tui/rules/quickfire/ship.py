"""The card and log of Quickfire (QF-LOG-1)."""

from collections.abc import Mapping
from functools import partial

from qf_tui.core.measure import Scalar
from qf_tui.core.system import CardField, Field
from qf_tui.core.values import Ship
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire_family.arcs import ARCS, arc_fields
from qf_tui.rules.quickfire_family.course import COURSES
from qf_tui.rules.quickfire_family.movement import boxes_by_hand
from qf_tui.rules.quickfire_family.ship import (
    ARMOR,
    BOAT_GUNS,
    BOXES,
    END_ARC,
    NOTHING_MOVED,
    PROTECTED,
    RATINGS,
    REPAIR,
    ROF,
    SIZE,
    SPEED,
    STATUSES,
    TORPEDO_BOAT,
    card_field,
    count_field,
    not_used,
    printed_fields,
    speed_scale,
)

_LOG = "QF-LOG-1"

FULL_TURNS = ("full turn left", "straight ahead", "full turn right")
"""The courses of the other direction table (QF-DAM-2)."""

CARD = (
    SIZE,
    CardField("gunnery", "numbers", "gunnery, heavy and light", parts=RATINGS, required=True),
    ARMOR,
    ROF,
    CardField("torpedo", "int", "torpedo rating", default=0),
    BOAT_GUNS,
    SPEED,
    speed_scale(GAME.scales),
    PROTECTED,
    REPAIR,
    END_ARC,
    ARCS,
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


def muster(card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    """A ship's log as the battle begins (QF-LOG-1)."""
    return {
        "rof_heavy": card["rof.heavy"],
        "rof_light": card["rof.light"],
        "boat_guns": card["boat_guns"],
        "torpedo": card["torpedo"],
        "repair_points": card["repair"],
        "speed_hits": 0,
        "speed_lost": 0,
        "auto_shot": False,
        **NOTHING_MOVED,
    }


def had_torpedoes(ship: Ship) -> bool:
    """Whether a ship ever carried torpedoes."""
    return ship.card_count("torpedo") > 0
