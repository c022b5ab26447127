"""The orders of Advanced Quickfire."""

from qf_tui.core.forms import Form, Kind, Slot, flag
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
        Slot("range", Kind.MEASURE, "in range, or a distance", choices=("in",)),
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
        Slot("side", Kind.SIDE, "a side"),
        Slot("die", Kind.DIE, "its die"),
        Slot("other", Kind.SIDE, "the other side"),
        Slot("other-die", Kind.DIE, "its die"),
    ),
    dice="D D",
    phases=("movement",),
    help="each side with its die; the higher moves first (switch initiative)",
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR, INITIATIVE)
