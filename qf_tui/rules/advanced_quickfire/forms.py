"""The orders of Advanced Quickfire."""

from qf_tui.core.facts import FactField
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import flag
from qf_tui.rules.advanced_quickfire.damage import S_HIT
from qf_tui.rules.advanced_quickfire.initiative import RANKS
from qf_tui.rules.advanced_quickfire.ship import GAME
from qf_tui.rules.quickfire_family.attacks import TARGET, TORPEDO_SAYS, boats_form, fire_form, torpedo_range
from qf_tui.rules.quickfire_family.damage import repair_form
from qf_tui.rules.quickfire_family.movement import MOVE
from qf_tui.rules.quickfire_family.ship import SHIP
from qf_tui.rules.quickfire_family.throws import CHART_FACTS, FIRED_IN_RANGE, REPAIRED, TARGETED, schema

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
