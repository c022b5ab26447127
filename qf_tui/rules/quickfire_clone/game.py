"""What Quickfire-Clone gives to the shared rules: one scale in millimetres, its clauses, its charts."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import evolve, frozen

from qf_tui.core.facts import FactField
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.system import ChartShape
from qf_tui.core.text import Distance, decimal
from qf_tui.core.values import Battle, Form, Slot
from qf_tui.rules.quickfire_clone.clauses import option
from qf_tui.rules.quickfire_family.attacks import END, FIRE_SAYS, TARGET, TORPEDO_SAYS
from qf_tui.rules.quickfire_family.chart import (
    NONE,
    codes_fault,
    expecting,
    named,
    number_fault,
    numbers,
    span_fault,
)
from qf_tui.rules.quickfire_family.damage import MENDS, REPAIR_SAYS
from qf_tui.rules.quickfire_family.game import Clauses, Game, ScaleTable, figures
from qf_tui.rules.quickfire_family.ship import SHIP
from qf_tui.rules.quickfire_family.throws import FIRED, TARGETED, schema

ASPECTS = ("end-on", "abeam")
"""How a target may be seen: its base lies along the line of fire with its length, or its breadth."""

_RANGE = Slot("range", kinds.MEASURE, "the range, as 120cm", unit="cm", to=TARGET.name)


def _in_centimetres(word: str, label: str) -> Slot:
    return Slot(word, kinds.MEASURE, label, keyword=word, optional=True, unit="cm")


MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", kinds.SHIPS, "ships, or @division", identifies=True),
        Slot("distance", kinds.MEASURE, "the distance, as 90mm", unit="mm"),
    ),
    phases=("move",),
    help="the distance that ships moved this turn, as `90mm`",
)
COLLIDE = Form(
    "collide",
    "c",
    "Collision",
    (
        Slot("rammer", kinds.SHIP, "the ship that rams", identifies=True),
        Slot("rammed", kinds.SHIP, "the ship that is rammed", identifies=True),
        flag("both", "each rams the other"),
    ),
    dice="D D [D D]",
    phases=("move",),
    help="a white die for the rammer's blow, then one for that of the rammed ship; "
    "under the switch a black one before each",
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
        END,
        flag("off", "the estimate is off"),
        _in_centimetres("guess", "the guess, in cm"),
        _in_centimetres("base", "target base, cm"),
        flag("abeam", "target seen abeam"),
        flag("end-on", "target seen end-on"),
    ),
    dice="BLACK WHITE",
    phases=("gunnery",),
    help="a battery at one target; `off`, or `guess CM base CM`, tells whether the estimate was on the base; "
    "one that the card states need not be typed, but perhaps how it is seen: `abeam` or `end-on`",
    says=FIRE_SAYS,
)
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo launch",
    (SHIP, TARGET, evolve(_RANGE, label="the range, as 25cm")),
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
    help="one repair point; where the dice leave a choice, `answer` says what is fixed",
    says=REPAIR_SAYS,
    mends=MENDS,
)

FORMS = (MOVE, COLLIDE, FIRE, TORPEDO, REPAIR)


HALF = "½"
COURSES = ("full turn left", "straight ahead", "full turn right")
FIX = ("G", "S", "D")
"""What a repair may fix; a cell that offers several joins them with `or`."""

CODES = ("B", "D", "E", "F", "G", "R", "S", "T")
"""The damage codes that an order or a chart may hold."""
_OR = " or "
_TWO_DICE = ("2-7", "8-11", "12")


def value_of(name: str) -> Fraction:
    """The number that a line or column of the gunnery chart is for."""
    return Fraction(1, 2) if name == HALF else Fraction(name)


def figure(value: Fraction) -> str:
    """A gunnery value or armour as the rules write it, a half as ½."""
    return HALF if value == Fraction(1, 2) else decimal(value)


def fixes(text: str) -> tuple[str, ...]:
    """What a cell of the repair line may fix: `G or S` is G, S."""
    return () if text == NONE else tuple(text.split(_OR))


_value_fault = expecting(
    f"{HALF} or a whole number",
    lambda name: name == HALF or (name.isascii() and name.isdigit() and len(name) <= 3),
)
_repair_fault = expecting(
    f"{NONE}, out, or some of {_OR.join(FIX)}",
    lambda text: text == "out" or all(kind in FIX for kind in fixes(text)),
)
_damage_fault = codes_fault(CODES, "`2G` or `F, 4S, 2G`")

SHAPES: Mapping[str, ChartShape] = {
    "gunnery": ChartShape(
        (HALF, *numbers(1, 16)),
        number_fault("the greatest white die that hits", 1, 6),
        _value_fault,
        _value_fault,
    ),
    "blast": ChartShape(numbers(2, 5), _damage_fault, named("long", "short"), span_fault(2, 12)),
    "damage": ChartShape(
        _TWO_DICE, _damage_fault, named("explosion", "blast"), span_fault(2, 12), apart=True
    ),
    "direction": ChartShape(("1-2", "3-4", "5-6"), named(*COURSES), named("course"), span_fault(1, 6)),
    "torpedo": ChartShape(
        numbers(1, 4), number_fault("the greatest total that strikes", 3, 18), named("moving", "static")
    ),
    "repair": ChartShape(
        _TWO_DICE, _repair_fault, named("fire-check", "repair"), span_fault(2, 12), apart=True
    ),
    "sinking": ChartShape(
        ("11+", "7-10", "4-6", "2-3", "1"),
        number_fault("the greatest total that sinks", 2, 12),
        named("sinks-on"),
    ),
}


@frozen
class Aim:
    """Where a gunnery value and an armour meet on the chart, and the value that is read there."""

    value: Fraction
    armor: Fraction
    row: str
    column: str


def aim(battle: Battle, rating: Fraction, armor: Fraction, *, end: bool = False) -> Aim:
    """The cell of a gunnery rating, halved in the end arcs, against an armour (QFC-GUN-1, QFC-GUN-8)."""
    chart, value = battle.charts["gunnery"].rows, rating / 2 if end else rating
    if not chart:
        return Aim(value, armor, NONE, NONE)
    rows, columns, shrink = tuple(chart), tuple(next(iter(chart.values())).cells), Fraction(1)
    # By a switch both values are brought down, so that neither is beyond the chart (QFC-RUL-4).
    if option(battle, "beyond_chart") == "in-proportion":
        last = (_ordered(rows)[0][-1], armor), (_ordered(columns)[0][-1], value)
        shrink = min((shrink, *(most / of for most, of in last if of > most)))
    higher = option(battle, "armor_between") == "higher"
    upward = end and option(battle, "half_rounds") == "up"
    row, column = step(rows, armor * shrink, up=higher), step(columns, value * shrink, up=upward)
    return Aim(value, armor, row, column)


def step(names: tuple[str, ...], value: Fraction, *, up: bool = False) -> str:
    """The line or column for a value: the greatest not above it, or with `up` the least not below, if any."""
    values, ordered = _ordered(names)
    if up:
        return ordered[min(bisect_left(values, value), len(ordered) - 1)]
    return ordered[max(bisect_right(values, value) - 1, 0)]


@lru_cache(maxsize=64)
def _ordered(names: tuple[str, ...]) -> tuple[Sequence[Fraction], Sequence[str]]:
    """The numbers that lines or columns are for, from the least, and their names."""
    ordered = sorted(names, key=value_of)
    return tuple(map(value_of, ordered)), tuple(ordered)


COURSE = "course"
"""The mark of the course that a new die replaces."""

FACTS = schema(
    {"fire": FIRED, "torpedo": TARGETED, "collide": (FactField("other"),)},
    {"direction": (FactField(COURSE, optional=True),)},
)


HEAVY_RANGE, LIGHT_RANGE, TORPEDO_RANGE = Fraction(240), Fraction(120), Fraction(30)
"""Reach of guns and torpedoes, in centimetres (QFC-GUN-6); light range bounds short from long (QFC-BLA-1)."""

SCALE: ScaleTable = {
    ("medium", "metric"): figures("mm", "0", "1200", "2400", "0", "300", "1", "0", "0", "0"),
}
"""The one table of the rules, under the name of the usual scale in scenarios; speeds in millimetres."""

GAME = Game(
    clauses=Clauses(
        phases="QFC-PH-1",
        sunk="QFC-SNK-2",
        moved="QFC-MV-1",
        change="QFC-MV-2",
        steered="QFC-BLA-4",
    ),
    scales=SCALE,
    shapes=SHAPES,
    option=option,
    change=lambda battle: 2,
    movement="move",
    pivots=lambda battle: False,
    speed_unit=Fraction(1),
    measured=True,
)


def centimetres(distance: object) -> Fraction:
    """A distance of an order in centimetres; a plain number is in centimetres already."""
    if isinstance(distance, Distance):
        return distance.to("cm")
    return Fraction(distance) if isinstance(distance, int) else Fraction(0)


def perhaps_centimetres(distance: object, below: Fraction, most: Fraction = Fraction(0)) -> tuple[str, ...]:
    """What reminds of the unit where millimetres up to a bound, seldom meant, may be centimetres.

    `most`: the millimetres that there could be.
    """
    if not isinstance(distance, Distance) or distance.unit != "mm" or not 0 < distance.amount <= below:
        return ()
    figure = decimal(distance.amount)
    means = f"of {decimal(most)} mm" if most else f"are {decimal(distance.to('cm'))} cm"
    return (f"{figure} mm {means}: if {figure} cm are meant, write {figure}cm",)
