"""Slots and orders that the games have in common."""

from attrs import evolve

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.values import Battle, Form, Slot
from qf_tui.rules.quickfire_family.damage import FIELDS, MENDS
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ship import is_light_craft
from qf_tui.rules.quickfire_family.targeting import one_roll

SHIP = Slot("ship", kinds.SHIP, "the ship", identifies=True)
TARGET = Slot("target", kinds.SHIP, "the target")
END = flag("end", "in the bow or stern arc")
BOW, STERN = flag("bow", "in the bow arc"), flag("stern", "in the stern arc")
LIGHT_ARMOR = flag("light-armor", "heavy guns at the light armor")

FIRE_SAYS = "{ship}| {battery}| at {target}|, {range}"
BOATS_SAY = "{ship} boat guns| at {target}|, {range}"
TORPEDO_SAYS = "{ship} torpedo| at {target}|, {range}"
REPAIR_SAYS = "{ship} repairs| {kind}"
"""The attacks and repairs of all games in words."""

MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", kinds.SHIPS, "ships, or @division", identifies=True),
        Slot("distance", kinds.MEASURE, "boxes used, or a distance", bare=True, most=8),
        Slot("pivots", kinds.COUNT, "pivots", keyword="pivots", optional=True, least=0, most=2),
    ),
    phases=("movement",),
    help="boxes used up this turn (0 to 8), or the distance moved; a second pivot uses up a box",
)


def fire(ranges: tuple[str, ...], dice: str, phases: tuple[str, ...], *more: Slot) -> Form:
    """`fire`, with the ranges, dice and phases of a game, and what else it may say."""

    def offered(battle: Battle, word: str) -> str:
        return word if word != "both" or one_roll(battle) else ""

    return Form(
        "fire",
        "f",
        "Fire a battery",
        (
            SHIP,
            Slot(
                "battery",
                kinds.CHOICE,
                "the battery",
                choices=("heavy", "light", "both"),
                offered=offered,
                identifies=True,
            ),
            TARGET,
            Slot("range", kinds.MEASURE, "the range", choices=ranges, to=TARGET.name),
            END,
            LIGHT_ARMOR,
            BOW,
            STERN,
            *more,
        ),
        dice=dice,
        phases=phases,
        help="a battery at one target; black alone is enough when it fails; both: a roll each, heavy first",
        says=FIRE_SAYS,
    )


def torpedo_range(game: Game, choices: tuple[str, ...]) -> Slot:
    """The range of a torpedo attack; `in` is offered with the least and most of the scale."""

    def offered(battle: Battle, word: str) -> str:
        return f"in ({game.torpedo_range(battle)})" if word == "in" else word

    return Slot(
        "range", kinds.MEASURE, "in range, or a distance", choices=choices, offered=offered, to=TARGET.name
    )


def boats(dice: str, phases: tuple[str, ...], help: str, *more: Slot) -> Form:
    """`boats`, with the dice and phases of a game, and what else it may say."""
    target = evolve(TARGET, likely=is_light_craft)
    at = Slot("range", kinds.MEASURE, "the range", choices=("pb",), optional=True, to=target.name)
    return Form(
        "boats",
        "b",
        "Boat guns",
        (SHIP, target, at, *more),
        dice=dice,
        phases=phases,
        help=help,
        says=BOATS_SAY,
    )


def repair(dice: str, *more: str) -> Form:
    """`repair` of one kind of damage, with the dice of a game, and what more it repairs."""
    return Form(
        "repair",
        "p",
        "Repair attempt",
        (SHIP, Slot("kind", kinds.CHOICE, "what", choices=(*FIELDS, *more), identifies=True)),
        dice=dice,
        phases=("repair",),
        help="one attempt on one kind of damage",
        says=REPAIR_SAYS,
        mends=MENDS,
    )
