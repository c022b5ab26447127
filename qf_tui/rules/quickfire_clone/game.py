"""What Quickfire-Clone declares for the shared Quickfire rules: charts, scale, orders, ships' cards and logs.

Also here: how a ship's card is worked out from her historical facts.

Rule: QFC-LOG-1.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import evolve, frozen

from qf_tui.core.declarations import ChartShape, FieldSpec, build_choice_check, build_text_check, list_numbers
from qf_tui.core.facts import FactField
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import build_flag_slot
from qf_tui.core.ship_facts import RatedValue, ShipFacts, apply_attested, attest, round_to_step
from qf_tui.core.system import Field
from qf_tui.core.text import Distance, Scalar, format_decimal, to_fraction
from qf_tui.core.values import Battle, End, Form, Slot
from qf_tui.rules.quickfire_clone.clauses import OPTIONS, read_option
from qf_tui.rules.quickfire_family import rating as family
from qf_tui.rules.quickfire_family.attacks import END, FIRE_SAYS, TARGET, TORPEDO_SAYS
from qf_tui.rules.quickfire_family.chart import (
    NONE,
    build_codes_check,
    build_number_check,
    build_span_check,
)
from qf_tui.rules.quickfire_family.damage import FULL_TURNS, MENDS, REPAIR_SAYS
from qf_tui.rules.quickfire_family.game import STATUSES, Clauses, Game, ScaleTable, build_measures
from qf_tui.rules.quickfire_family.rating import ATTESTED
from qf_tui.rules.quickfire_family.ship import (
    ARCS,
    ARMOR,
    BOAT_GUNS,
    END_ARC,
    FIGURES,
    PROTECTED,
    REPAIR_POINTS,
    ROF,
    SHIP,
    SIZE,
    TORPEDO_BOAT,
    build_card_field,
    build_printed_fields,
    mark_unused,
)
from qf_tui.rules.quickfire_family.throws import FIRED, TARGETED, build_schema

ASPECTS = ("end-on", "abeam")
"""The aspects of a target: seen end-on its base counts by its length, seen abeam by its breadth."""

_RANGE = Slot("range", kinds.MEASURE, "the range, like 120cm", unit="cm", to=TARGET.name)


def _build_cm_slot(word: str, label: str) -> Slot:
    """Build an optional slot for a length in centimetres, after its keyword."""
    return Slot(word, kinds.MEASURE, label, keyword=word, optional=True, unit="cm")


MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", kinds.SHIPS, "ships, or @division", identifies=True),
        Slot("distance", kinds.MEASURE, "the distance, like 90mm", unit="mm"),
        kinds.build_shares_slot("distance"),
    ),
    phases=("move",),
    help="the distance that ships moved this turn, like `90mm`",
)
COLLIDE = Form(
    "collide",
    "c",
    "Collision",
    (
        Slot("rammer", kinds.SHIP, "the ship that rams", identifies=True),
        Slot("rammed", kinds.SHIP, "the ship that is rammed", identifies=True),
        build_flag_slot("both", "each rams the other"),
    ),
    dice="D D [D D]",
    phases=("move",),
    help="a white die for the rammer, then one for the rammed ship; "
    "under the switch collision_blast a black one before each",
    says="{rammer} rams {rammed}",
    mutual=True,
)
FIRE = Form(
    "fire",
    "f",
    "Fire a battery",
    (
        SHIP,
        Slot("battery", kinds.CHOICE, "the battery", choices=("heavy", "light"), identifies=True),
        TARGET,
        _RANGE,
        evolve(END, bears=tuple(End)),
        build_flag_slot("off", "the estimate is off"),
        _build_cm_slot("guess", "the guess, in cm"),
        _build_cm_slot("base", "target base, cm"),
        build_flag_slot("abeam", "target seen abeam"),
        build_flag_slot("end-on", "target seen end-on"),
    ),
    dice="BLACK WHITE",
    phases=("gunnery",),
    help="a battery at one target; `off`, or `guess CM base CM`, says whether the estimate was on the base; "
    "a base on the card need not be typed; add `abeam` or `end-on` if asked",
    says=FIRE_SAYS,
)
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo launch",
    (SHIP, TARGET, evolve(_RANGE, label="the range, like 25cm")),
    dice="D D D",
    phases=("gunnery",),
    help="a launch at one target within 30 cm",
    says=TORPEDO_SAYS,
)
REPAIR = Form(
    "repair",
    "p",
    "Repair",
    (SHIP,),
    dice="D D",
    phases=("repair",),
    help="one repair point; if the dice leave a choice, `answer` says what is fixed",
    says=REPAIR_SAYS,
    mends=MENDS,
)

FORMS = (MOVE, COLLIDE, FIRE, TORPEDO, REPAIR)

HALF = "½"
FIX = ("G", "S", "D")
"""The codes that a repair may fix. A cell that offers several joins them with `or`."""

CODES = ("B", "D", "E", "F", "G", "R", "S", "T")
"""The damage codes that an order or a chart may hold."""
_OR = " or "
_TWO_DICE = ("2-7", "8-11", "12")


def parse_value(name: str) -> Fraction:
    """Parse the name of a row or column of the gunnery chart as the number that it is for."""
    return Fraction(1, 2) if name == HALF else Fraction(name)


def format_figure(value: Fraction) -> str:
    """Format a gunnery value or armor as the rules write it; a half as ½."""
    return HALF if value == Fraction(1, 2) else format_decimal(value)


def split_fixes(text: str) -> tuple[str, ...]:
    """Split a cell of the repair line into the codes that it may fix: `G or S` gives G, S; `-` none."""
    return () if text == NONE else tuple(text.split(_OR))


_check_value = build_text_check(
    f"{HALF} or a whole number",
    lambda name: name == HALF or (name.isascii() and name.isdigit() and len(name) <= 3),
)
_check_repair = build_text_check(
    f"{NONE}, out, or some of {_OR.join(FIX)}",
    lambda text: text == "out" or all(kind in FIX for kind in split_fixes(text)),
)
_check_damage = build_codes_check(CODES, "`2G` or `F, 4S, 2G`")

SHAPES: Mapping[str, ChartShape] = {
    "gunnery": ChartShape(
        (HALF, *list_numbers(1, 16)),
        build_number_check("the greatest white die that hits", 1, 6),
        _check_value,
        _check_value,
    ),
    "blast": ChartShape(
        list_numbers(2, 5), _check_damage, build_choice_check("long", "short"), build_span_check(2, 12)
    ),
    "damage": ChartShape(
        _TWO_DICE,
        _check_damage,
        build_choice_check("explosion", "blast"),
        build_span_check(2, 12),
        apart=True,
    ),
    "direction": ChartShape(
        ("1-2", "3-4", "5-6"),
        build_choice_check(*FULL_TURNS),
        build_choice_check("course"),
        build_span_check(1, 6),
    ),
    "torpedo": ChartShape(
        list_numbers(1, 4),
        build_number_check("the greatest total that strikes", 3, 18),
        build_choice_check("moving", "static"),
    ),
    "repair": ChartShape(
        _TWO_DICE,
        _check_repair,
        build_choice_check("fire-check", "repair"),
        build_span_check(2, 12),
        apart=True,
    ),
    "sinking": ChartShape(
        ("11+", "7-10", "4-6", "2-3", "1"),
        build_number_check("the greatest total that sinks", 2, 12),
        build_choice_check("sinks-on"),
    ),
}


@frozen
class ChartLookup:
    """The cell of the gunnery chart for a gunnery value and an armor rating.

    Attributes:
        value: Gunnery value, halved in the end arcs.
        row: Row of the chart, by armor.
        column: Column of the chart, by gunnery value.
    """

    value: Fraction
    armor: Fraction
    row: str
    column: str


def look_up_gunnery(
    battle: Battle, rating: Fraction, armor: Fraction, *, in_end_arc: bool = False
) -> ChartLookup:
    """Find the cell for a gunnery rating against an armor rating; an empty chart gives row and column `-`.

    Args:
        in_end_arc: True in the bow or stern arc, where the rating is halved.

    Rule: QFC-GUN-1, QFC-GUN-8.
    """
    chart = battle.charts["gunnery"].rows
    value = rating / 2 if in_end_arc else rating
    if not chart:
        return ChartLookup(value, armor, NONE, NONE)
    rows = tuple(chart)
    columns = tuple(next(iter(chart.values())).cells)
    shrink = Fraction(1)
    # A switch reduces both values in proportion until neither is beyond the chart (QFC-RUL-4).
    if read_option(battle, "beyond_chart") == "in-proportion":
        for number, names in ((armor, rows), (value, columns)):
            numbers, _ = _sort_names(names)
            greatest = numbers[-1]
            if number > greatest:
                shrink = min(shrink, greatest / number)
    round_armor_up = read_option(battle, "armor_between") == "higher"
    round_value_up = in_end_arc and read_option(battle, "half_rounds") == "up"
    row = find_line_name(rows, armor * shrink, up=round_armor_up)
    column = find_line_name(columns, value * shrink, up=round_value_up)
    return ChartLookup(value, armor, row, column)


def find_line_name(names: tuple[str, ...], value: Fraction, *, up: bool = False) -> str:
    """Return the row or column for a value: the greatest that is not above it, or else the least.

    Args:
        up: True for the least that is not below it, or else the greatest.
    """
    values, ordered = _sort_names(names)
    if up:
        return ordered[min(bisect_left(values, value), len(ordered) - 1)]
    return ordered[max(bisect_right(values, value) - 1, 0)]


@lru_cache(maxsize=64)
def _sort_names(names: tuple[str, ...]) -> tuple[Sequence[Fraction], Sequence[str]]:
    """Sort rows or columns by the number that they are for; return the numbers, and the names."""
    ordered = sorted(names, key=parse_value)
    return tuple(map(parse_value, ordered)), tuple(ordered)


COURSE = "course"
"""The fact of a direction roll that names the mark of the course which a new die replaces."""

FACTS = build_schema(
    {"fire": FIRED, "torpedo": TARGETED, "collide": (FactField("other"),)},
    {"direction": (FactField(COURSE, optional=True),)},
)

HEAVY_RANGE, LIGHT_RANGE, TORPEDO_RANGE = Fraction(240), Fraction(120), Fraction(30)
"""The reach of guns and torpedoes in centimetres. Light range also divides short from long for blast.

Rule: QFC-GUN-6, QFC-BLA-1.
"""

SCALE: ScaleTable = {
    ("medium", "metric"): build_measures("mm", "0", "1200", "2400", "0", "300", "1", "0", "0", "0")
}
"""The one scale of the rules, under the name that scenarios usually give; speeds are in millimetres."""

ROF_MOST = 6

GAME = Game(
    clauses=Clauses(
        phases="QFC-PH-1",
        sunk="QFC-SNK-2",
        moved="QFC-MV-1",
        change="QFC-MV-2",
        crews="QFC-CRW-1",
        steered="QFC-BLA-4",
    ),
    scales=SCALE,
    shapes=SHAPES,
    read_option=read_option,
    switches=OPTIONS,
    crews=family.build_crew_steps(ROF_MOST),
    find_speed_change=lambda battle: 2,
    movement="move",
    uses_pivots=lambda battle: False,
    speed_unit=Fraction(1),
    logs_distance=True,
)


def to_centimetres(distance: object) -> Fraction:
    """Convert a distance of an order to centimetres.

    A plain number is in centimetres already. A word, or None for no distance, gives 0.
    """
    if isinstance(distance, Distance):
        return distance.to("cm")
    return Fraction(distance) if isinstance(distance, int) else Fraction(0)


def list_unit_reminders(
    distance: object, greatest: Fraction, possible: Fraction = Fraction(0)
) -> tuple[str, ...]:
    """Return a reminder if a distance in millimetres is so small that centimetres may be meant, or ().

    Args:
        greatest: Greatest distance in millimetres that brings the reminder.
        possible: Greatest possible distance in millimetres, to be shown; 0 to show none.
    """
    if not isinstance(distance, Distance) or distance.unit != "mm":
        return ()
    if not 0 < distance.amount <= greatest:
        return ()
    figure = format_decimal(distance.amount)
    meaning = (
        f"of {format_decimal(possible)} mm" if possible else f"are {format_decimal(distance.to('cm'))} cm"
    )
    return (f"{figure} mm {meaning}: if you mean {figure} cm, write {figure}cm",)


TORPEDO_MOST = 4
"""The greatest torpedo rating.

Rule: QFC-TOR-4.
"""

CARD = (
    SIZE,
    FieldSpec("gunnery", "numbers", "gunnery, heavy and light", parts=FIGURES, required=True),
    ARMOR,
    ROF,
    FieldSpec("torpedo", "int", "torpedo rating", most=TORPEDO_MOST, default=0),
    FieldSpec("speed", "number", "speed with all boxes, in millimetres", most=999, required=True),
    REPAIR_POINTS,
    FieldSpec("base", "series", "length and breadth of the base, in cm", least=0.1, most=99, longest=2),
    *mark_unused(BOAT_GUNS, PROTECTED, TORPEDO_BOAT, END_ARC, ARCS),
)

FIELDS = (
    Field("rof_heavy", "heavy ROF", clause="QFC-GUN-10"),
    Field("rof_light", "light ROF", clause="QFC-GUN-10"),
    Field("torpedo", "torpedo rating", clause="QFC-BLA-5", most=TORPEDO_MOST),
    Field("repair_points", "repair points", clause="QFC-BLA-5"),
    Field("speed_hits", "S hits", clause="QFC-SNK-1"),
    Field("auto_shot", "auto shot used", "bool", clause="QFC-GUN-4"),
    Field("fires", "fires", "marks", most=99, clause="QFC-BLA-5", seen=True),
    Field("course", "direction hits", "texts", words=FULL_TURNS, clause="QFC-BLA-4", seen=True),
    Field("moved", "millimetres moved", "number", most=999, empty=True, clause="QFC-MV-4"),
    Field("status", "status", "status", words=STATUSES, clause="QFC-SNK-2"),
    *build_printed_fields("QFC-LOG-1"),
    build_card_field("speed", "printed speed", "QFC-LOG-1", "number"),
    build_card_field("repair", "printed repair points", "QFC-LOG-1"),
    build_card_field("base", "length of the base in cm", "QFC-GUN-14", "number", empty=True),
    build_card_field("base.2", "breadth of the base in cm", "QFC-GUN-14", "number", empty=True),
    build_card_field("notes", "notes", "QFC-LOG-1", "words"),
)

PRINTED: Mapping[str, str] = {
    "rof_heavy": "rof.heavy",
    "rof_light": "rof.light",
    "torpedo": "torpedo",
    "repair_points": "repair",
}
BLANK: Mapping[str, Scalar] = {"speed_hits": 0, "auto_shot": False}
"""The first values of fields of the log that no card prints.

Rule: QFC-LOG-1.
"""


def has_collided(battle: Battle, ship: str) -> bool:
    """Return whether a ship collided this turn.

    Rule: QFC-COL-1.
    """
    return bool(battle.list_turn_acts("collide", ship))


_SHARE_BY_KEY = {
    "gunnery.heavy": Fraction(1, 2),
    "gunnery.light": Fraction(3, 5),
    "armor.heavy": Fraction(3, 4),
    "armor.light": Fraction(1),
    "rof.heavy": Fraction(2, 3),
    "rof.light": Fraction(3, 5),
}
_SMALL_BELOW_T = 750
_BASE_BY_KIND = {
    **dict.fromkeys(("battleship", "dreadnought", "battlecruiser", "armored-cruiser"), 6),
    **dict.fromkeys(("destroyer", "torpedo-boat"), 2),
}
_BASE_CM = 4
BOX_A_KNOT = Fraction(5, 6)
"""The millimetres of one of the eight speed boxes for each knot."""


def rate_ship(ship: ShipFacts) -> tuple[RatedValue, ...]:
    """Work out a ship's card, mostly as shares of her Advanced Quickfire values.

    A value that rests on unknown facts is marked as assumed.
    """
    full_values = apply_attested(family.rate_ship(ship), ATTESTED.get((ship.navy, ship.id), ()))
    value_by_key = {value.key: value for value in full_values}
    base_points = 1 if ship.tons < _SMALL_BELOW_T else 2
    # Destroyers carry two spare torpedoes.
    tubes = (ship.tubes or 0) + (2 if ship.kind == "destroyer" and ship.tubes else 0)
    torpedo = min(TORPEDO_MOST, max(1, (tubes + 1) // 2)) if tubes else 0
    return (
        value_by_key["kind"],
        value_by_key["size"],
        *(_take_share(key, value_by_key[key], share) for key, share in _SHARE_BY_KEY.items()),
        RatedValue("torpedo", torpedo, f"{tubes} tubes / 2", "no tubes" if ship.tubes is None else ""),
        RatedValue(
            "speed",
            8 * int(round_to_step(BOX_A_KNOT * ship.knots)),
            f"8 boxes of 5/6 x {format_decimal(ship.knots)} mm",
        ),
        RatedValue(
            "repair",
            int(round_to_step(base_points + Fraction(ship.tons, 3000))),
            f"{base_points} + {ship.tons} / 3000",
        ),
        RatedValue("base", _BASE_BY_KIND.get(ship.kind, _BASE_CM), "as we base such ships"),
    )


def _take_share(key: str, full: RatedValue, share: Fraction) -> RatedValue:
    """Return a share of an Advanced Quickfire value, within the limits of this game."""
    value = to_fraction(full.value)
    working = f"{share} x {full.value}, {full.working}"
    return RatedValue(key, _limit_share(key, value, share), working, full.assumed)


def _limit_share(key: str, value: Fraction, share: Fraction) -> Scalar:
    """Round a share of a value of the card; 0 and ½ stay as they are.

    Limits: ROF is from 1 to ROF_MOST, gunnery at least ½, heavy armor at least 1.
    """
    rounded = int(round_to_step(value * share))
    if not value or value == Fraction(1, 2):
        return 0.5 if value else 0
    if key.startswith("rof"):
        return max(1, min(ROF_MOST, rounded))
    if key.startswith("gunnery"):
        return rounded or 0.5
    return max(1, rounded) if key == "armor.heavy" else rounded


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
ATTESTED_BY_CLONE: Mapping[tuple[str, str], tuple[RatedValue, ...]] = {
    ("Japan", "mikasa"): tuple(attest(key, value, "QFC-LOG-1") for key, value in _MIKASA.items())
}
