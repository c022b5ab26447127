"""Values of Advanced Quickfire for the shared rules: charts, clauses, orders, card and log.

Rule: AQF-LOG.
"""

from collections.abc import Mapping
from functools import partial

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import AttestedSet, ChartShape, FieldSpec, named, numbers
from qf_tui.core.facts import FactField
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.system import Field
from qf_tui.core.text import Scalar
from qf_tui.core.values import Form, Ship, Slot
from qf_tui.rules.advanced_quickfire.clauses import OPTIONS, option
from qf_tui.rules.advanced_quickfire.initiative import RANKS, order_of_moves
from qf_tui.rules.quickfire_family.attacks import TARGET, TORPEDO_SAYS, boats_form, fire_form, torpedo_range
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
    NONE,
    codes_fault,
    hits_fault,
    number_fault,
    percent_fault,
    total_fault,
)
from qf_tui.rules.quickfire_family.damage import repair_form
from qf_tui.rules.quickfire_family.game import FIVE, STATUSES, Clauses, Game
from qf_tui.rules.quickfire_family.movement import COURSES, MOVE, boxes_by_hand
from qf_tui.rules.quickfire_family.rating import crew_steps
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    SHIP,
    TORPEDO_BOAT,
    arc_fields,
    card_field,
    card_of,
    printed_fields,
)
from qf_tui.rules.quickfire_family.throws import CHART_FACTS, FIRED_IN_RANGE, REPAIRED, TARGETED, schema

CODES = ("B", "D", "E", "F", "G", "R", "S", "SX", "T")
"""The damage codes that an order or a chart may hold."""

_DAMAGE_ROWS = ("explosion", "t-hit", "fire-check", "sx-check", "repair", "repair-p", "boat-guns")
_EXAMPLE = "`2G` or `SX G`"
_FACES = numbers(1, 12)
_BLAST = codes_fault(CODES, _EXAMPLE)
_DAMAGE = codes_fault((*CODES, *CHECK_WORDS), _EXAMPLE)

_GUIDE_BOATS = AttestedSet(
    "boat-guns",
    ("2", "5", "9"),
    lambda texts: sorted(texts) == ["B", "S", "T"],
    "one of them is attested as B, one as S and one as T (G, boat guns at a destroyer)",
)
_GUIDE_125 = AttestedSet(
    "125",
    numbers(1, 9),
    lambda texts: not {NONE, "0"} & set(texts),
    "all of them are attested as hits (G, Massena at Ohio)",
)

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(_FACES, hits_fault, percent_fault, sets=(_GUIDE_125,)),
    "blast": ChartShape(
        (*numbers(2, 12), "13+"), _BLAST, named("long", "medium", "pb"), total_fault(2, 24, "13+")
    ),
    "damage": ChartShape(_FACES, _DAMAGE, named(*_DAMAGE_ROWS), sets=(_GUIDE_BOATS,), apart=True),
    "sinking": ChartShape(
        ("2", "3", "4", "5", "6", "7", "8+"),
        number_fault("the greatest roll that sinks", 1, 12),
        named("sinks-on"),
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
    option=option,
    switches=OPTIONS,
    crews=crew_steps(12),
    ranges=("pb", "medium", "long"),
    change=lambda battle: int(option(battle, "speed_change")),
    order_of_moves=order_of_moves,
    by_used=lambda battle: option(battle, "speed_by") == "used",
)

FACTS = schema(
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

FIRE = fire_form(("long", "medium", "pb"), "BLACK WHITE", _GUNNERY)
BOATS = boats_form(
    "D...",
    _GUNNERY,
    "boat guns at light craft, one die a point",
    Slot("points", kinds.COUNT, "how many points", keyword="dice", optional=True, least=1),
)
REPAIR = repair_form("D")
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (SHIP, TARGET, torpedo_range(GAME, ("in",)), flag("converging", "courses converge")),
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
    help="each side with its die; the higher moves first (switch initiative)",
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR, INITIATIVE)

_LOG = "AQF-LOG-1"

CARD = card_of(
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


def room_for_live(ship: Ship) -> int:
    """Return how many boxes SX leave for live S.

    Rule: AQF-LOG-3.
    """
    return max(0, BOXES - ship.count("speed_lost"))


def live_make_room(builder: DecisionBuilder, id: str) -> None:
    """Remove live S that have no box left after SX were set by hand, in the log as the phase began too.

    Rule: AQF-LOG-3.
    """
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
    Field("rof_heavy", "heavy ROF", clause="AQF-GUN-12"),
    Field("rof_light", "light ROF", clause="AQF-GUN-12"),
    Field("boat_guns", "boat guns", clause="AQF-DAM-1"),
    Field("torpedo_reload", "torpedo reload", clause="AQF-DAM-6", empty=True),
    Field("repair_points", "repair points", clause="AQF-DAM-5"),
    Field("speed_hits", "S hits", clause="AQF-LOG-3", most=BOXES, most_on=room_for_live),
    Field("speed_lost", "SX hits", clause="AQF-LOG-3", on_set=live_make_room),
    Field("fires", "fires", "marks", most=99, clause="AQF-DAM-4", seen=True),
    Field("course", "direction hits", "texts", words=COURSES, clause="AQF-DAM-2", seen=True),
    Field(
        "moved", "boxes moved", clause="AQF-MV-1", most=BOXES, empty=True, on_set=partial(boxes_by_hand, GAME)
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
"""The first values of fields of the log that no card prints.

Rule: AQF-LOG-1.
"""


def had_torpedoes(ship: Ship) -> bool:
    """Return whether a ship ever carried torpedoes.

    Rule: AQF-DAM-6.
    """
    return ship.card.get("torpedo.reload") is not None


def is_torpedo_craft(ship: Ship) -> bool:
    """Return whether a ship launches as a destroyer or torpedo boat.

    Rule: AQF-TOR-5.
    """
    kind = str(ship.card.get("kind")).casefold().replace(" ", "-")
    return kind in ("destroyer", "torpedo-boat") or ship.card.get("torpedo_boat") is True
