"""The orders of Quickfire-Clone."""

from attrs import evolve

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.values import Form, Slot
from qf_tui.rules.quickfire_family.damage import MENDS
from qf_tui.rules.quickfire_family.forms import END, FIRE_SAYS, REPAIR_SAYS, SHIP, TARGET, TORPEDO_SAYS

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
