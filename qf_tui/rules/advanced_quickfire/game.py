"""The declarations of Advanced Quickfire for the shared Quickfire rules: charts, orders, cards and logs.

Rule: AQF-LOG.
"""

from collections.abc import Mapping
from functools import partial

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import AttestedSet, ChartShape, FieldSpec, build_choice_check, list_numbers
from qf_tui.core.facts import FactField
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import build_flag_slot
from qf_tui.core.system import Field
from qf_tui.core.text import Scalar
from qf_tui.core.values import Form, Ship, Slot
from qf_tui.rules.advanced_quickfire.clauses import OPTIONS, read_option
from qf_tui.rules.advanced_quickfire.initiative import RANKS, list_order_findings
from qf_tui.rules.quickfire_family.attacks import TARGET, TORPEDO_SAYS, build_fire_form
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
    NONE,
    build_codes_check,
    build_number_check,
    build_total_check,
    check_hits,
    check_percent,
)
from qf_tui.rules.quickfire_family.damage import build_repair_form
from qf_tui.rules.quickfire_family.game import FIVE, STATUSES, Clauses, Game
from qf_tui.rules.quickfire_family.launches import build_boats_form, build_torpedo_range_slot
from qf_tui.rules.quickfire_family.movement import COURSES, MOVE, set_boxes_by_hand
from qf_tui.rules.quickfire_family.rating import build_crew_steps
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    SHIP,
    TORPEDO_BOAT,
    build_arc_fields,
    build_card_field,
    build_card_fields,
    build_printed_fields,
)
from qf_tui.rules.quickfire_family.throws import CHART_FACTS, FIRED_IN_RANGE, REPAIRED, TARGETED, build_schema

CODES = ("B", "D", "E", "F", "G", "R", "S", "SX", "T")
"""The damage codes that an order or a chart may hold."""

_DAMAGE_ROWS = ("explosion", "t-hit", "fire-check", "sx-check", "repair", "repair-p", "boat-guns")
_EXAMPLE = "`2G` or `SX G`"
_FACES = list_numbers(1, 12)
_BLAST = build_codes_check(CODES, _EXAMPLE)
_DAMAGE = build_codes_check((*CODES, *CHECK_WORDS), _EXAMPLE)

_GUIDE_BOATS = AttestedSet(
    "boat-guns",
    ("2", "5", "9"),
    lambda texts: sorted(texts) == ["B", "S", "T"],
    "one of them is attested as B, one as S and one as T (G, boat guns at a destroyer)",
)
_GUIDE_125 = AttestedSet(
    "125",
    list_numbers(1, 9),
    lambda texts: not {NONE, "0"} & set(texts),
    "all of them are attested as hits (G, Massena at Ohio)",
)

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(_FACES, check_hits, check_percent, sets=(_GUIDE_125,)),
    "blast": ChartShape(
        (*list_numbers(2, 12), "13+"),
        _BLAST,
        build_choice_check("long", "medium", "pb"),
        build_total_check(2, 24, "13+"),
    ),
    "damage": ChartShape(
        _FACES, _DAMAGE, build_choice_check(*_DAMAGE_ROWS), sets=(_GUIDE_BOATS,), apart=True
    ),
    "sinking": ChartShape(
        ("2", "3", "4", "5", "6", "7", "8+"),
        build_number_check("the greatest roll that sinks", 1, 12),
        build_choice_check("sinks-on"),
    ),
}

GAME = Game(
    clauses=Clauses(
        phases="AQF-PH-1",
        sunk="AQF-SNK-2",
        moved="AQF-MV-1",
        change="AQF-MV-4",
        crews="AQF-CRW-1",
        strict="AQF-CHA-3",
        pivots="AQF-MV-2",
        second_pivot="AQF-MV-3",
        steered="AQF-MV-6",
    ),
    scales=FIVE,
    shapes=SHAPES,
    read_option=read_option,
    switches=OPTIONS,
    crews=build_crew_steps(12),
    ranges=("pb", "medium", "long"),
    find_speed_change=lambda battle: int(read_option(battle, "speed_change")),
    list_order_findings=list_order_findings,
    counts_second_pivot=lambda battle: read_option(battle, "speed_by") == "used",
)

FACTS = build_schema(
    {
        "fire": FIRED_IN_RANGE,
        "rof": (FactField("battery"), FactField("fired", "bool")),
        "boats": (*TARGETED, FactField("dice", "int")),
        "torpedo": TARGETED,
        # Version 0.2 remembered each S of a ship with few boxes open.
        "s-hit": (FactField("fire", "bool"), FactField("over", "bool")),
        "repair": REPAIRED,
        "initiative": (FactField("side"),),
    },
    {**CHART_FACTS, "initiative": (FactField(RANKS, "texts"),)},
)

_GUNNERY = ("first-gunnery", "second-gunnery")

FIRE = build_fire_form(("long", "medium", "pb"), "BLACK WHITE", _GUNNERY)
BOATS = build_boats_form(
    "D...",
    _GUNNERY,
    "boat guns at light craft, one die a point",
    Slot("points", kinds.COUNT, "how many points", keyword="dice", optional=True, least=1),
)
REPAIR = build_repair_form("D")
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (
        SHIP,
        TARGET,
        build_torpedo_range_slot(GAME, ("in",)),
        build_flag_slot("converging", "courses converge"),
    ),
    dice="BLACK WHITE",
    phases=("second-gunnery",),
    help="one attack a turn; black alone is enough when it misses",
    says=TORPEDO_SAYS,
)
INITIATIVE = Form(
    "initiative",
    "",
    "Initiative",
    (
        Slot("side", kinds.SIDE, "a side", identifies=True),
        Slot("die", kinds.DIE, "its die"),
        Slot("other", kinds.SIDE, "the other side", identifies=True),
        Slot("other-die", kinds.DIE, "its die"),
    ),
    dice="D D",
    phases=("movement",),
    help="a die for each side; the higher moves first (switch initiative)",
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR, INITIATIVE)

_LOG = "AQF-LOG-1"

CARD = build_card_fields(
    FIVE,
    FieldSpec(
        "torpedo",
        "table",
        "torpedoes; left out: never had any",
        parts=(
            FieldSpec("size", "int", "size in inches", least=14, most=21, required=True),
            FieldSpec("reload", "int", "reload rating", required=True),
        ),
    ),
    FieldSpec("boat_guns", "int", "boat gun points", default=0),
    TORPEDO_BOAT,
)


def count_room_for_s(ship: Ship) -> int:
    """Return how many of a ship's speed boxes are free for S (repairable) because no SX (lasting) has them.

    Rule: AQF-LOG-3.
    """
    return max(0, BOXES - ship.count("speed_lost"))


def make_room_for_sx(builder: DecisionBuilder, id: str) -> None:
    """Remove a ship's S (repairable) for which no box is left after the umpire set her SX (lasting).

    If she had too many S as the phase began, their number is set, which changes that earlier state too.

    Rule: AQF-LOG-3.
    """
    ship = builder.ship(id)
    start_ship = builder.battle.start.ships.get(id, ship)
    room = count_room_for_s(ship)
    excess = ship.count("speed_hits") - room
    if excess <= 0:
        return
    if start_ship.count("speed_hits") > room:
        builder.record(id, "speed_hits", room, hand=True)
    else:
        builder.add(id, "speed_hits", -excess)
    text = f"S hits {ship.count('speed_hits')} → {room}, they make room"
    builder.because(text, "AQF-LOG-3", of=ship.name)


FIELDS = (
    Field("rof_heavy", "heavy ROF", clause="AQF-GUN-12"),
    Field("rof_light", "light ROF", clause="AQF-GUN-12"),
    Field("boat_guns", "boat guns", clause="AQF-DAM-1"),
    Field("torpedo_reload", "torpedo reload", clause="AQF-DAM-6", empty=True),
    Field("repair_points", "repair points", clause="AQF-DAM-5"),
    Field("speed_hits", "S hits", clause="AQF-LOG-3", most=BOXES, most_on=count_room_for_s),
    Field("speed_lost", "SX hits", clause="AQF-LOG-3", on_set=make_room_for_sx),
    Field("fires", "fires", "marks", most=99, clause="AQF-DAM-4", seen=True),
    Field("course", "direction hits", "texts", words=COURSES, clause="AQF-DAM-2", seen=True),
    Field(
        "moved",
        "boxes moved",
        clause="AQF-MV-1",
        most=BOXES,
        empty=True,
        on_set=partial(set_boxes_by_hand, GAME),
    ),
    Field("status", "status", "status", words=STATUSES, clause="AQF-SNK-2"),
    *build_printed_fields(_LOG),
    build_card_field("torpedo.size", "torpedo size", _LOG, empty=True),
    build_card_field("torpedo.reload", "printed torpedo reload", _LOG, empty=True),
    build_card_field("speed", "printed speed", _LOG, "number"),
    build_card_field("protected", "+P (protected)", _LOG, "bool"),
    build_card_field("repair", "printed repair points", _LOG),
    build_card_field("torpedo_boat", "counts as a torpedo boat", _LOG, "bool"),
    *build_arc_fields(_LOG),
    build_card_field("notes", "notes", _LOG, "words"),
)

PRINTED: Mapping[str, str] = {
    "rof_heavy": "rof.heavy",
    "rof_light": "rof.light",
    "boat_guns": "boat_guns",
    "torpedo_reload": "torpedo.reload",
    "repair_points": "repair",
}
BLANK: Mapping[str, Scalar] = {"speed_hits": 0, "speed_lost": 0}
"""The first values of fields of the log that no card prints.

Rule: AQF-LOG-1.
"""


def has_carried_torpedoes(ship: Ship) -> bool:
    """Return whether a ship's card has torpedoes, even if none are left.

    Rule: AQF-DAM-6.
    """
    return ship.card.get("torpedo.reload") is not None


def is_torpedo_craft(ship: Ship) -> bool:
    """Return whether a ship launches as a destroyer or torpedo boat, by her kind or her card.

    Rule: AQF-TOR-5.
    """
    kind = str(ship.card.get("kind")).casefold().replace(" ", "-")
    return kind in ("destroyer", "torpedo-boat") or ship.card.get("torpedo_boat") is True
