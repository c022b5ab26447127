"""The orders of Advanced Quickfire."""

from qf_tui.core.forms import Form, Kind, Slot, flag

_GUNNERY = ("first-gunnery", "second-gunnery")
_SHIP = Slot("ship", Kind.SHIP, "the ship")
_TARGET = Slot("target", Kind.SHIP, "the target")

MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", Kind.SHIPS, "ships, or @division"),
        Slot("distance", Kind.MEASURE, "boxes used, or a distance", bare=True, most=8),
        Slot("pivots", Kind.COUNT, "pivots", keyword="pivots", optional=True, least=0, most=2),
    ),
    phases=("movement",),
    help="boxes used this turn (0 to 8), or a distance",
)
FIRE = Form(
    "fire",
    "f",
    "Fire a battery",
    (
        _SHIP,
        Slot("battery", Kind.CHOICE, "the battery", choices=("heavy", "light", "both")),
        _TARGET,
        Slot("range", Kind.MEASURE, "the range", choices=("long", "medium", "pb")),
        flag("end", "in the bow or stern arc"),
        flag("light-armor", "heavy guns at the light armor"),
    ),
    dice="BLACK WHITE",
    phases=_GUNNERY,
    help="a battery at one target; black alone is enough when it fails",
)
BOATS = Form(
    "boats",
    "b",
    "Boat guns",
    (_SHIP, _TARGET),
    dice="D...",
    phases=_GUNNERY,
    help="boat guns at light craft, one die a point",
)
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (
        _SHIP,
        _TARGET,
        Slot("range", Kind.MEASURE, "`in` range, or a distance", choices=("in",)),
        flag("converging", "courses converge"),
    ),
    dice="BLACK WHITE",
    phases=("second-gunnery",),
    help="one attack a turn; black alone is enough when it misses",
)
REPAIR = Form(
    "repair",
    "p",
    "Repair attempt",
    (_SHIP, Slot("kind", Kind.CHOICE, "what", choices=("heavy", "light", "boats", "speed", "course"))),
    dice="D",
    phases=("repair",),
    help="one attempt on one kind of damage",
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
