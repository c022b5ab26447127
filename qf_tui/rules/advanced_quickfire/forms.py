"""The orders of Advanced Quickfire."""

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import flag
from qf_tui.rules.quickfire_family.forms import MOVE, SHIP, TARGET, boats, fire, repair

_GUNNERY = ("first-gunnery", "second-gunnery")

FIRE = fire(("long", "medium", "pb"), "BLACK WHITE", _GUNNERY)
BOATS = boats("D...", _GUNNERY, "boat guns at light craft, one die a point")
REPAIR = repair("D")
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (
        SHIP,
        TARGET,
        Slot("range", kinds.MEASURE, "in range, or a distance", choices=("in",)),
        flag("converging", "courses converge"),
    ),
    dice="BLACK WHITE",
    phases=("second-gunnery",),
    help="one attack a turn; black alone is enough when it misses",
)
INITIATIVE = Form(
    "initiative",
    "",
    "Initiative",
    (
        Slot("side", kinds.SIDE, "a side"),
        Slot("die", kinds.DIE, "its die"),
        Slot("other", kinds.SIDE, "the other side"),
        Slot("other-die", kinds.DIE, "its die"),
    ),
    dice="D D",
    phases=("movement",),
    help="each side with its die; the higher moves first (switch initiative)",
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR, INITIATIVE)
