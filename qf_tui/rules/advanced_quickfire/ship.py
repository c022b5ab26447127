"""The card and log of Advanced Quickfire (AQF-LOG)."""

from collections.abc import Mapping
from functools import partial

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.system import CardField, Field
from qf_tui.core.text import Scalar
from qf_tui.core.values import Ship
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.quickfire_family.game import FIVE, STATUSES
from qf_tui.rules.quickfire_family.movement import COURSES, boxes_by_hand
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    TORPEDO_BOAT,
    arc_fields,
    card_field,
    card_of,
    count_field,
    printed_fields,
)

_LOG = "AQF-LOG-1"

CARD = card_of(
    FIVE,
    CardField(
        "torpedo",
        "table",
        "torpedoes; left out: never had any",
        parts=(
            CardField("size", "int", "size in inches", least=14, most=21, required=True),
            CardField("reload", "int", "reload rating", required=True),
        ),
    ),
    CardField("boat_guns", "int", "boat gun points", default=0),
    TORPEDO_BOAT,
)


def room_for_live(ship: Ship) -> int:
    """Boxes that SX leave to live S (AQF-LOG-3)."""
    return max(0, BOXES - ship.count("speed_lost"))


def live_make_room(builder: DecisionBuilder, id: str) -> None:
    """Live S make room for SX that were set by hand, on the log as the phase began too (AQF-LOG-3)."""
    ship = builder.ship(id)
    began = builder.battle.start.ships.get(id, ship)
    room = room_for_live(ship)
    over = ship.count("speed_hits") - room
    if over <= 0:
        return
    if began.count("speed_hits") > room:
        builder.record(id, "speed_hits", room, hand=True)
    else:
        builder.add(id, "speed_hits", -over)
    text = f"S hits {ship.count('speed_hits')} → {room}, they make room"
    builder.because(text, "AQF-LOG-3", of=ship.name)


FIELDS = (
    count_field("rof_heavy", "heavy ROF", "AQF-GUN-12"),
    count_field("rof_light", "light ROF", "AQF-GUN-12"),
    count_field("boat_guns", "boat guns", "AQF-DAM-1"),
    count_field("torpedo_reload", "torpedo reload", "AQF-DAM-6", empty=True),
    count_field("repair_points", "repair points", "AQF-DAM-5"),
    count_field("speed_hits", "S hits", "AQF-LOG-3", most=BOXES, most_on=room_for_live),
    count_field("speed_lost", "SX hits", "AQF-LOG-3", on_set=live_make_room),
    Field("fires", "fires", "marks", most=99, clause="AQF-DAM-4", seen=True),
    Field("course", "direction hits", "texts", words=COURSES, clause="AQF-DAM-2", seen=True),
    count_field(
        "moved", "boxes moved", "AQF-MV-1", most=BOXES, empty=True, on_set=partial(boxes_by_hand, GAME)
    ),
    Field("status", "status", "status", words=STATUSES, clause="AQF-SNK-2"),
    *printed_fields(_LOG),
    card_field("torpedo.size", "torpedo size", _LOG, empty=True),
    card_field("torpedo.reload", "printed torpedo reload", _LOG, empty=True),
    card_field("speed", "printed speed", _LOG, "number"),
    card_field("protected", "+P (protected)", _LOG, "bool"),
    card_field("repair", "printed repair points", _LOG),
    card_field("torpedo_boat", "counts as a torpedo boat", _LOG, "bool"),
    *arc_fields(_LOG),
    card_field("notes", "notes", _LOG, "words"),
)


PRINTED: Mapping[str, str] = {
    "rof_heavy": "rof.heavy",
    "rof_light": "rof.light",
    "boat_guns": "boat_guns",
    "torpedo_reload": "torpedo.reload",
    "repair_points": "repair",
}
BLANK: Mapping[str, Scalar] = {"speed_hits": 0, "speed_lost": 0}
"""A ship's log as the battle begins: counts by the keys of the card, and what is not printed (AQF-LOG-1)."""


def had_torpedoes(ship: Ship) -> bool:
    """Whether a ship ever carried torpedoes (AQF-DAM-6)."""
    return ship.card.get("torpedo.reload") is not None


def is_torpedo_craft(ship: Ship) -> bool:
    """Whether a ship launches as a destroyer or torpedo boat (AQF-TOR-5)."""
    kind = str(ship.card.get("kind")).casefold().replace(" ", "-")
    return kind in ("destroyer", "torpedo-boat") or ship.card.get("torpedo_boat") is True
