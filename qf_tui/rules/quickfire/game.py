"""What Quickfire gives to the rules that it shares with the other Quickfire games."""

from collections.abc import Mapping
from fractions import Fraction

from qf_tui.core.grammar import kinds
from qf_tui.core.system import ChartShape
from qf_tui.core.values import Battle, Form, Slot
from qf_tui.rules.quickfire.clauses import option
from qf_tui.rules.quickfire_family.attacks import TARGET, TORPEDO_SAYS, boats_form, fire_form, torpedo_range
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
    codes_fault,
    hits_fault,
    named,
    number_fault,
    numbers,
    percent_fault,
    total_fault,
)
from qf_tui.rules.quickfire_family.damage import repair_form
from qf_tui.rules.quickfire_family.game import FIVE, Clauses, Game, ScaleTable, figures
from qf_tui.rules.quickfire_family.movement import MOVE
from qf_tui.rules.quickfire_family.ship import SHIP
from qf_tui.rules.quickfire_family.throws import CHART_FACTS, FIRED_IN_RANGE, REPAIRED, TARGETED, schema

FACTS = schema(
    {"fire": FIRED_IN_RANGE, "boats": TARGETED, "torpedo": TARGETED, "repair": REPAIRED}, CHART_FACTS
)


CODES = ("D", "E", "F", "G", "R", "S", "T")
"""The damage codes that an order or a chart may hold."""

SIZES = ("11+", "7-10", "4-6", "2-3", "1")
"""The columns of the sinking table."""

_EXAMPLE = "`2G` or `F 4S`"
_TWO_DICE = numbers(2, 12)
_CODES = codes_fault(CODES, _EXAMPLE)

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(("total",), number_fault("the greatest total that hits", 2, 12), percent_fault),
    "hits": ChartShape(numbers(2, 12), hits_fault, named("hits")),
    "blast": ChartShape(
        (*numbers(3, 8), "9+"), _CODES, named("long", "short", "pb"), total_fault(3, 18, "9+")
    ),
    "damage": ChartShape(
        _TWO_DICE,
        codes_fault((*CODES, *CHECK_WORDS), _EXAMPLE),
        named("explosion", "fire-check", "repair", "repair-p"),
        apart=True,
    ),
    "torpedo": ChartShape(
        numbers(1, 4), number_fault("the greatest roll that strikes", 2, 12), named("moving", "static")
    ),
    "boat-guns": ChartShape(numbers(1, 6), _CODES, named("boat-guns")),
    "sinking": ChartShape(SIZES, number_fault("the greatest roll that sinks", 2, 12), named("sinks-on")),
}


OLD: ScaleTable = {
    ("old-small", "in"): figures("in", "4", "24", "48", "1", "4", "13", "1.25", "6.5", "7"),
    ("old-small", "metric"): figures("mm", "100", "600", "1200", "25", "100", "330", "33", "163", "178"),
    ("old-large", "in"): figures("in", "8", "48", "96", "2", "8", "26", "2.5", "13", "14"),
    ("old-large", "metric"): figures("mm", "200", "1200", "2400", "50", "200", "660", "66", "326", "356"),
}
"""The two scales of the older edition (QF-SCA-1); cable, 1000 yards and km follow the nautical mile."""


def _speed(battle: Battle) -> Fraction:
    """How much faster than printed all ships are (QF-OPT-2)."""
    return 1 + Fraction(int(option(battle, "speed_added")), 100)


_RANGES = ("pb", "short", "long")

GAME = Game(
    clauses=Clauses(
        phases="QF-PH-1",
        sunk="QF-SNK-1",
        moved="QF-MV-1",
        change="QF-MV-1",
        strict="QF-CHA-3",
        pivots="QF-MV-2",
        second_pivot="QF-MV-2",
        steered="QF-DAM-2",
    ),
    scales={**OLD, **FIVE},
    shapes=SHAPES,
    option=option,
    ranges=_RANGES,
    change=lambda battle: int(option(battle, "speed_change")),
    pivots=lambda battle: option(battle, "turning") == "pivots",
    speed=_speed,
    torpedo_least=lambda battle: option(battle, "torpedo_least") == "scale",
)


_GUNNERY = ("gunnery",)
_GUESS = (
    Slot("guess", kinds.MEASURE, "the guessed range", choices=("on",), keyword="guess", optional=True),
    Slot("base", kinds.MEASURE, "target's base", keyword="base", optional=True),
)

FIRE = fire_form(_RANGES[::-1], "BLACK WHITE WHITE", _GUNNERY, *_GUESS)
BOATS = boats_form("D", _GUNNERY, "boat guns at light craft, one die a ship")
REPAIR = repair_form("D D", "torpedo")
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (SHIP, TARGET, torpedo_range(GAME, ("in", *_RANGES[::-1]))),
    dice="D D",
    phases=_GUNNERY,
    help="one attack a turn, at point blank",
    says=TORPEDO_SAYS,
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR)
