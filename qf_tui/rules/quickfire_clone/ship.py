"""A ship of Quickfire-Clone: what its card gives, and what its log counts (QFC-LOG-1)."""

from collections.abc import Mapping
from fractions import Fraction

from qf_tui.core.ship_facts import Attested, RatedValue, Rating, ShipFacts, rounded
from qf_tui.core.system import CardField, Field
from qf_tui.core.text import Scalar, decimal, exact
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_clone.game import COURSES, GAME
from qf_tui.rules.quickfire_family import rating as family
from qf_tui.rules.quickfire_family.game import STATUSES
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.rating import ATTESTED
from qf_tui.rules.quickfire_family.ship import (
    ARCS,
    ARMOR,
    BOAT_GUNS,
    BOXES,
    END_ARC,
    FIGURES,
    PROTECTED,
    REPAIR,
    ROF,
    SIZE,
    TORPEDO_BOAT,
    card_field,
    count_field,
    not_used,
    printed_fields,
)

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


PRINTED: Mapping[str, str] = {
    "rof_heavy": "rof.heavy",
    "rof_light": "rof.light",
    "torpedo": "torpedo",
    "repair_points": "repair",
}
BLANK: Mapping[str, Scalar] = {"speed_hits": 0, "auto_shot": False}
"""A ship's log as the battle begins: counts by the keys of the card, and what is not printed (QFC-LOG-1)."""


def distance_moved(battle: Battle, ship: Ship) -> Fraction:
    """The millimetres that a ship moved this turn, recorded or assumed (QFC-MV-4)."""
    return Mover(GAME, battle, ship).moved.distance


def beyond_eighth(ship: Ship) -> int:
    """S hits that found no box left (QFC-SNK-1)."""
    return max(0, ship.count("speed_hits") - BOXES)


def has_collided(battle: Battle, ship: str) -> bool:
    """Whether a ship collided this turn (QFC-COL-1)."""
    return bool(battle.done("collide", ship))


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


_MIKASA = {
    "size": 15,
    "gunnery.heavy": 10,
    "gunnery.light": 8,
    "armor.heavy": 8,
    "armor.light": 16,
    "rof.heavy": 5,
    "rof.light": 6,
    "torpedo": 2,
    "speed": 120,
    "repair": 7,
}
ATTESTED_BY_CLONE: Mapping[tuple[str, str], tuple[Attested, ...]] = {
    ("Japan", "mikasa"): tuple(Attested(key, value, "QFC-LOG-1") for key, value in _MIKASA.items())
}
