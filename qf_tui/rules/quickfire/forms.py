"""The orders of Quickfire."""

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.rules.quickfire.game import GAME
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

_GUNNERY = ("gunnery",)
_RANGES = ("long", "short", "pb")
_GUESS = (
    Slot("guess", kinds.MEASURE, "the guessed range", choices=("on",), keyword="guess", optional=True),
    Slot("base", kinds.MEASURE, "target's base", keyword="base", optional=True),
)

FIRE = fire(_RANGES, "BLACK WHITE WHITE", _GUNNERY, *_GUESS)
BOATS = boats("D", _GUNNERY, "boat guns at light craft, one die a ship")
REPAIR = repair("D D", "torpedo")
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (SHIP, TARGET, torpedo_range(GAME, ("in", *_RANGES))),
    dice="D D",
    phases=_GUNNERY,
    help="one attack a turn, at point blank",
    says=TORPEDO_SAYS,
)

FORMS = (MOVE, FIRE, BOATS, TORPEDO, REPAIR)
