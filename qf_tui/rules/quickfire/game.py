"""What Quickfire declares for the shared Quickfire rules: charts, orders, ships' cards and logs, clauses.

Also here: how a ship's card is worked out from her historical facts.

Rule: QF-LOG-1.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

from qf_tui.core.declarations import ChartShape, FieldSpec, build_choice_check, build_text_check, list_numbers
from qf_tui.core.grammar import kinds
from qf_tui.core.ship_facts import RatedValue, ShipFacts, attest, round_to_step
from qf_tui.core.system import Field
from qf_tui.core.text import Scalar, to_fraction
from qf_tui.core.values import Battle, Form, Ship, Slot
from qf_tui.rules.quickfire.clauses import OPTIONS, read_option
from qf_tui.rules.quickfire_family import rating as family
from qf_tui.rules.quickfire_family.attacks import TARGET, TORPEDO_SAYS, build_fire_form
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
    build_codes_check,
    build_number_check,
    build_total_check,
    check_hits,
    check_percent,
)
from qf_tui.rules.quickfire_family.damage import FULL_TURNS, build_repair_form
from qf_tui.rules.quickfire_family.game import FIVE, STATUSES, Clauses, Game, ScaleTable, build_measures
from qf_tui.rules.quickfire_family.launches import build_boats_form, build_torpedo_range_slot
from qf_tui.rules.quickfire_family.movement import COURSES, MOVE, set_boxes_by_hand
from qf_tui.rules.quickfire_family.rating import ATTESTED as ADVANCED
from qf_tui.rules.quickfire_family.ship import (
    BOAT_GUNS,
    BOXES,
    SHIP,
    TORPEDO_BOAT,
    build_arc_fields,
    build_card_field,
    build_card_fields,
    build_printed_fields,
    mark_unused,
)
from qf_tui.rules.quickfire_family.throws import CHART_FACTS, FIRED_IN_RANGE, REPAIRED, TARGETED, build_schema

FACTS = build_schema(
    {"fire": FIRED_IN_RANGE, "boats": TARGETED, "torpedo": TARGETED, "repair": REPAIRED}, CHART_FACTS
)

TORPEDO_MOST = 4
"""The greatest torpedo rating that our chart has a column for."""

CODES = ("D", "E", "F", "G", "R", "S", "T")
"""The damage codes that an order or a chart may hold."""

SIZES = ("11+", "7-10", "4-6", "2-3", "1")
"""The columns of the sinking table."""

_EXAMPLE = "`2G` or `F 4S`"
_TWO_DICE = list_numbers(2, 12)
_CODES = build_codes_check(CODES, _EXAMPLE)

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(
        ("total",), build_number_check("the greatest total that hits", 2, 12), check_percent
    ),
    "hits": ChartShape(list_numbers(2, 12), check_hits, build_choice_check("hits")),
    "blast": ChartShape(
        (*list_numbers(3, 8), "9+"),
        _CODES,
        build_choice_check("long", "short", "pb"),
        build_total_check(3, 18, "9+"),
    ),
    "damage": ChartShape(
        _TWO_DICE,
        build_codes_check((*CODES, *CHECK_WORDS), _EXAMPLE),
        build_choice_check("explosion", "fire-check", "repair", "repair-p"),
        apart=True,
    ),
    "torpedo": ChartShape(
        list_numbers(1, TORPEDO_MOST),
        build_number_check("the greatest roll that strikes", 2, 12),
        build_choice_check("moving", "static"),
        build_text_check("a torpedo rating from 1 to 99", lambda name: name in list_numbers(1, 99)),
    ),
    "boat-guns": ChartShape(list_numbers(1, 6), _CODES, build_choice_check("boat-guns")),
    "sinking": ChartShape(
        SIZES, build_number_check("the greatest roll that sinks", 2, 12), build_choice_check("sinks-on")
    ),
}

OLD: ScaleTable = {
    ("old-small", "in"): build_measures("in", "4", "24", "48", "1", "4", "13", "1.25", "6.5", "7"),
    ("old-small", "metric"): build_measures(
        "mm", "100", "600", "1200", "25", "100", "330", "33", "163", "178"
    ),
    ("old-large", "in"): build_measures("in", "8", "48", "96", "2", "8", "26", "2.5", "13", "14"),
    ("old-large", "metric"): build_measures(
        "mm", "200", "1200", "2400", "50", "200", "660", "66", "326", "356"
    ),
}
"""The two scales of the older edition. Cable, 1000 yards and km follow from the nautical mile.

Rule: QF-SCA-1.
"""


def _find_speed_factor(battle: Battle) -> Fraction:
    """Return the factor of all printed speeds, by the switch `speed_added`.

    Rule: QF-OPT-2.
    """
    return 1 + Fraction(int(read_option(battle, "speed_added")), 100)


_RANGES = ("pb", "short", "long")

GAME = Game(
    clauses=Clauses(
        phases="QF-PH-1",
        sunk="QF-SNK-1",
        moved="QF-MV-1",
        change="QF-MV-1",
        crews="QF-CRW-1",
        strict="QF-CHA-3",
        pivots="QF-MV-2",
        second_pivot="QF-MV-2",
        steered="QF-DAM-2",
    ),
    scales={**OLD, **FIVE},
    shapes=SHAPES,
    read_option=read_option,
    switches=OPTIONS,
    crews=family.build_crew_steps(rof_most=6),
    ranges=_RANGES,
    find_speed_change=lambda battle: int(read_option(battle, "speed_change")),
    uses_pivots=lambda battle: read_option(battle, "turning") == "pivots",
    find_speed_factor=_find_speed_factor,
    has_torpedo_least=lambda battle: read_option(battle, "torpedo_least") == "scale",
    counts_second_pivot=lambda battle: read_option(battle, "speed_by") == "used",
)

_GUNNERY = ("gunnery",)
_GUESS = (
    Slot("guess", kinds.MEASURE, "the guessed range", choices=("on",), keyword="guess", optional=True),
    Slot("base", kinds.MEASURE, "target's base", keyword="base", optional=True),
)

FIRE = build_fire_form(_RANGES[::-1], "BLACK WHITE WHITE", _GUNNERY, *_GUESS)
BOATS = build_boats_form("D", _GUNNERY, "boat guns at light craft, one die a ship")
REPAIR = build_repair_form("D D", "torpedo")
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (SHIP, TARGET, build_torpedo_range_slot(GAME, ("in", *_RANGES[::-1]))),
    dice="D D",
    phases=_GUNNERY,
    help="one attack a turn, at point blank",
    says=TORPEDO_SAYS,
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR)

_LOG = "QF-LOG-1"

CARD = (
    *build_card_fields(GAME.scales, FieldSpec("torpedo", "int", "torpedo rating", default=0), BOAT_GUNS),
    *mark_unused(TORPEDO_BOAT),
)

FIELDS = (
    Field("rof_heavy", "heavy ROF", clause="QF-DAM-1"),
    Field("rof_light", "light ROF", clause="QF-DAM-1"),
    Field("boat_guns", "boat guns", clause="QF-DAM-1", most=1),
    Field("torpedo", "torpedo rating", clause="QF-DAM-1"),
    Field("repair_points", "repair dice", clause="QF-DAM-1"),
    Field("speed_hits", "S hits", clause="QF-DAM-1"),
    Field("fires", "fires", "marks", most=99, clause="QF-DAM-1", seen=True),
    Field("course", "direction hits", "texts", words=(*COURSES, *FULL_TURNS), clause="QF-DAM-2", seen=True),
    Field(
        "moved",
        "boxes moved",
        clause="QF-MV-1",
        most=BOXES,
        empty=True,
        on_set=partial(set_boxes_by_hand, GAME),
    ),
    Field("auto_shot", "auto shot used", "bool", clause="QF-GUN-6"),
    Field("status", "status", "status", words=STATUSES, clause="QF-SNK-1"),
    *build_printed_fields(_LOG),
    build_card_field("speed", "printed speed", _LOG, "number"),
    build_card_field("protected", "+P (protected)", _LOG, "bool"),
    build_card_field("repair", "printed repair dice", _LOG),
    *build_arc_fields(_LOG),
    build_card_field("notes", "notes", _LOG, "words"),
)

PRINTED: Mapping[str, str] = {
    "rof_heavy": "rof.heavy",
    "rof_light": "rof.light",
    "boat_guns": "boat_guns",
    "torpedo": "torpedo",
    "repair_points": "repair",
}
BLANK: Mapping[str, Scalar] = {"speed_hits": 0, "speed_lost": 0, "auto_shot": False}
"""The first values of fields of the log that no card prints.

Rule: QF-LOG-1.
"""


def has_carried_torpedoes(ship: Ship) -> bool:
    """Return whether a ship's card prints torpedo points, even if none are left."""
    return ship.count_on_card("torpedo") > 0


def warn_of_card(card: Mapping[str, Scalar]) -> Iterator[tuple[str, str]]:
    """Yield a warning, as (field, text), if a torpedo rating is above the columns of the chart.

    Rule: QF-TOR-1.
    """
    rating = card.get("torpedo")
    if isinstance(rating, int) and rating > TORPEDO_MOST:
        yield (
            "torpedo",
            f"{rating} is read as {TORPEDO_MOST}, unless your chart has a column for it (QF-TOR-1)",
        )


SAME_AS_ADVANCED = (
    "kind",
    "size",
    "gunnery.heavy",
    "gunnery.light",
    "armor.heavy",
    "armor.light",
    "speed",
    "protected",
)
"""The values that are the same on cards of Quickfire and Advanced Quickfire."""


def rate_ship(ship: ShipFacts) -> tuple[RatedValue, ...]:
    """Work out a ship's card from her Advanced Quickfire values: half of the ROF, boat guns only yes or no.

    A value that rests on unknown facts is marked as assumed.
    """
    full_values = {value.key: value for value in family.rate_ship(ship)}
    rofs = []
    for key in ("rof.heavy", "rof.light"):
        full_rof = full_values[key]
        half_rof = int(round_to_step(to_fraction(full_rof.value) / 2))
        rofs.append(
            RatedValue(key, half_rof, f"half of {full_rof.value}, {full_rof.working}", full_rof.assumed)
        )
    boat_guns = full_values["boat_guns"]
    return (
        *(full_values[key] for key in SAME_AS_ADVANCED),
        *rofs,
        rate_torpedo(ship),
        RatedValue("boat_guns", boat_guns.value != 0, f"{boat_guns.value} by {boat_guns.working}"),
        full_values["repair"],
    )


def rate_torpedo(ship: ShipFacts) -> RatedValue:
    """Rate torpedoes, at most 4: half of the tubes, rounded up; of small craft twice their tubes."""
    tubes = ship.tubes or 0
    assumed = "no tubes" if ship.tubes is None else ""
    if ship.kind in ("destroyer", "torpedo-boat"):
        return RatedValue("torpedo", min(TORPEDO_MOST, 2 * tubes), f"2 x {tubes} tubes", assumed)
    return RatedValue("torpedo", min(TORPEDO_MOST, (tubes + 1) // 2), f"{tubes} tubes / 2", assumed)


_GUIDE = {("massena", "gunnery.heavy"): "QF-EX-1", ("ohio", "armor.heavy"): "QF-EX-1"}
ATTESTED: Mapping[tuple[str, str], tuple[RatedValue, ...]] = {
    (navy, id): tuple(
        attest(one.key, one.value, _GUIDE.get((id, one.key), one.attested))
        for one in stated
        if one.key in SAME_AS_ADVANCED
    )
    for (navy, id), stated in ADVANCED.items()
}
