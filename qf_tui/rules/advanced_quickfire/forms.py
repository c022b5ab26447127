"""The orders of Advanced Quickfire."""

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import flag
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.quickfire_family.forms import (
    MOVE,
    SHIP,
    TARGET,
    TORPEDO_SAYS,
    boats,
    fire,
    repair,
    torpedo_range,
)

_GUNNERY = ("first-gunnery", "second-gunnery")

FIRE = fire(("long", "medium", "pb"), "BLACK WHITE", _GUNNERY)
BOATS = boats(
    "D...",
    _GUNNERY,
    "boat guns at light craft, one die a point",
    Slot("points", kinds.COUNT, "how many points", keyword="dice", optional=True, least=1),
)
REPAIR = repair("D")
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
