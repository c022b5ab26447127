"""A ship of Quickfire-Clone: what its card gives, and what its log counts (QFC-LOG-1)."""

from collections.abc import Mapping
from fractions import Fraction

from qf_tui.core.measure import Scalar
from qf_tui.core.system import CardField, Field
from qf_tui.core.values import Battle, Ship, replace
from qf_tui.rules.quickfire_clone.charts import COURSES
from qf_tui.rules.quickfire_clone.game import GAME
from qf_tui.rules.quickfire_family.arcs import ARCS
from qf_tui.rules.quickfire_family.movement import movement
from qf_tui.rules.quickfire_family.ship import (
    ARMOR,
    BOAT_GUNS,
    BOXES,
    END_ARC,
    FIGURES,
    NOTHING_MOVED,
    PROTECTED,
    REPAIR,
    ROF,
    SIZE,
    STATUSES,
    TORPEDO_BOAT,
    card_field,
    count_field,
    not_used,
    printed_fields,
)
from qf_tui.rules.quickfire_family.targeting import acting

TORPEDO_MOST = 4
"""The greatest torpedo rating (QFC-TOR-4)."""

CARD = (
    SIZE,
    CardField("gunnery", "numbers", "gunnery, heavy and light", parts=FIGURES, required=True),
    ARMOR,
    ROF,
    CardField("torpedo", "int", "torpedo rating", most=TORPEDO_MOST, default=0),
    CardField("speed", "number", "speed with all boxes, in millimetres", most=999, required=True),
    REPAIR,
    CardField("base", "series", "length and breadth of the base, in cm", least=0.1, most=99, longest=2),
    *not_used(BOAT_GUNS, PROTECTED, TORPEDO_BOAT, END_ARC, ARCS),
)

FIELDS = (
    count_field("rof_heavy", "heavy ROF", "QFC-GUN-10"),
    count_field("rof_light", "light ROF", "QFC-GUN-10"),
    count_field("torpedo", "torpedo rating", "QFC-BLA-5", most=TORPEDO_MOST),
    count_field("repair_points", "repair points", "QFC-BLA-5"),
    count_field("speed_hits", "S hits", "QFC-SNK-1"),
    Field("auto_shot", "auto shot used", "bool", clause="QFC-GUN-4"),
    Field("fires", "fires", "marks", most=99, clause="QFC-BLA-5", seen=True),
    Field("course", "direction hits", "texts", words=COURSES, clause="QFC-BLA-4", seen=True),
    Field("moved", "millimetres moved", "number", most=999, empty=True, clause="QFC-MV-4"),
    Field("status", "status", "status", words=STATUSES, clause="QFC-SNK-2"),
    *printed_fields("QFC-LOG-1"),
    card_field("speed", "printed speed", "QFC-LOG-1", "number"),
    card_field("repair", "printed repair points", "QFC-LOG-1"),
    card_field("base", "length of the base in cm", "QFC-GUN-14", "number", empty=True),
    card_field("base.2", "breadth of the base in cm", "QFC-GUN-14", "number", empty=True),
    card_field("notes", "notes", "QFC-LOG-1", "words"),
)


def muster(card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    """A ship's log as the battle begins (QFC-LOG-1)."""
    return {
        "rof_heavy": card["rof.heavy"],
        "rof_light": card["rof.light"],
        "torpedo": card["torpedo"],
        "repair_points": card["repair"],
        "speed_hits": 0,
        "auto_shot": False,
        **NOTHING_MOVED,
    }


def distance_moved(battle: Battle, ship: Ship) -> Fraction:
    """The millimetres that a ship moved this turn, recorded or assumed (QFC-MV-4)."""
    return movement(GAME, battle, ship).distance


def with_speed_as_begun(battle: Battle, ships: tuple[str, ...]) -> Battle:
    """The battle with those ships at the speed as their phase began: a collision counts later (QFC-COL-2)."""
    for id in ships:
        one, began = battle.ships[id], acting(battle, id)
        log = {**one.log, "speed_hits": began.log.get("speed_hits")}
        battle = battle.with_ship(replace(one, log=log))
    return battle


def beyond_eighth(ship: Ship) -> int:
    """S hits that found no box left (QFC-SNK-1)."""
    return max(0, ship.count("speed_hits") - BOXES)


def has_collided(battle: Battle, ship: str) -> bool:
    """Whether a ship collided this turn (QFC-COL-1)."""
    return bool(battle.done("collide", ship))
