"""Slots and orders that the games have in common."""

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import flag
from qf_tui.rules.quickfire_family.repair import FIELDS

SHIP = Slot("ship", kinds.SHIP, "the ship")
TARGET = Slot("target", kinds.SHIP, "the target")
END = flag("end", "in the bow or stern arc")
LIGHT_ARMOR = flag("light-armor", "heavy guns at the light armor")

MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", kinds.SHIPS, "ships, or @division"),
        Slot("distance", kinds.MEASURE, "boxes used, or a distance", bare=True, most=8),
        Slot("pivots", kinds.COUNT, "pivots", keyword="pivots", optional=True, least=0, most=2),
    ),
    phases=("movement",),
    help="boxes used up this turn (0 to 8), or the distance moved; a second pivot uses up a box",
)


def fire(ranges: tuple[str, ...], dice: str, phases: tuple[str, ...], *more: Slot) -> Form:
    """`fire`, with the ranges, dice and phases of a game, and what else it may say."""
    return Form(
        "fire",
        "f",
        "Fire a battery",
        (
            SHIP,
            Slot("battery", kinds.CHOICE, "the battery", choices=("heavy", "light", "both")),
            TARGET,
            Slot("range", kinds.MEASURE, "the range", choices=ranges),
            END,
            LIGHT_ARMOR,
            *more,
        ),
        dice=dice,
        phases=phases,
        help="a battery at one target; black alone is enough when it fails",
    )


def boats(dice: str, phases: tuple[str, ...], help: str) -> Form:
    """`boats`, with the dice and phases of a game."""
    return Form("boats", "b", "Boat guns", (SHIP, TARGET), dice=dice, phases=phases, help=help)


def repair(dice: str, *more: str) -> Form:
    """`repair` of one kind of damage, with the dice of a game, and what more it repairs."""
    return Form(
        "repair",
        "p",
        "Repair attempt",
        (SHIP, Slot("kind", kinds.CHOICE, "what", choices=(*FIELDS, *more))),
        dice=dice,
        phases=("repair",),
        help="one attempt on one kind of damage",
    )
