"""What Advanced Quickfire gives to the shared rules: its charts, its clauses and its orders."""

from collections.abc import Mapping

from qf_tui.core.facts import FactField
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.system import AttestedSet, ChartShape
from qf_tui.core.values import Form, Slot
from qf_tui.rules.advanced_quickfire.clauses import option
from qf_tui.rules.advanced_quickfire.initiative import RANKS, order_of_moves
from qf_tui.rules.quickfire_family.attacks import TARGET, TORPEDO_SAYS, boats_form, fire_form, torpedo_range
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
    NONE,
    codes_fault,
    hits_fault,
    named,
    number_fault,
    numbers,
    percent_fault,
    total_fault,
)
from qf_tui.rules.quickfire_family.damage import repair_form
from qf_tui.rules.quickfire_family.game import FIVE, Clauses, Game
from qf_tui.rules.quickfire_family.movement import MOVE
from qf_tui.rules.quickfire_family.ship import SHIP
from qf_tui.rules.quickfire_family.throws import CHART_FACTS, FIRED_IN_RANGE, REPAIRED, TARGETED, schema

S_HIT = "s-hit"
"""The act of an S at a ship with few boxes open: whether it becomes a fire, and whether it was over."""

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
        strict="AQF-CHA-3",
        pivots="AQF-MV-2",
        second_pivot="AQF-MV-3",
        steered="AQF-MV-6",
    ),
    scales=FIVE,
    shapes=SHAPES,
    option=option,
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
        S_HIT: (FactField("fire", "bool"), FactField("over", "bool")),
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
    (
        SHIP,
        TARGET,
        torpedo_range(GAME, ("in",)),
        flag("converging", "courses converge"),
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
    help="each side with its die; the higher moves first (switch initiative)",
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR, INITIATIVE)
