"""The orders of General Quarters 2, the facts that acts and questions keep, and distances in table units.

Only the words and slots of each order are here. What an order does is in the module that prepares it.
"""

from fractions import Fraction

from attrs import evolve

from qf_tui.core.declarations import Scale
from qf_tui.core.facts import FactField, FactFields, FactSchema
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import build_flag_slot
from qf_tui.core.text import Distance, to_fraction
from qf_tui.core.values import Battle, End, Form, Ship, Slot, SlotValue
from qf_tui.rules.gq2.charts import STICK_MOST
from qf_tui.rules.gq2.ship import (
    FORMATIONS,
    GUNNERY,
    MOVEMENT,
    POINTS_A_TURN,
    SEARCHLIGHTS,
    TORPEDO_PHASE,
    count_turns_made,
    format_quarters,
)

FACES = "faces"
"""Fact: the faces entered with an order whose dice must wait for its targeting roll."""

TORPEDOES, LAUNCHERS = "torpedoes", "launchers"
"""Facts: the number of torpedoes that a question is about, and the ship that launched each of them."""

TARGET = "target"
"""Fact: the ship attacked; of a question about measurements, the ship that targeting found instead."""

FLOTILLA = "flotilla"
"""Fact: the ships whose common spread made a hit (GQ2-GUN-12)."""

_SHOT_FACTS = (FactField("battery"), FactField(TARGET))
_TORPEDO_FACTS = (FactField(TORPEDOES, "int", optional=True), FactField(LAUNCHERS, "texts", optional=True))
_ATTACK_FACTS = (FactField(FACES, "ints"), *_TORPEDO_FACTS)

_ACTS: FactFields = {
    "fire": _SHOT_FACTS,
    "at": _SHOT_FACTS,
    "damaged": (FactField(TARGET),),
    "torpedo": (FactField(TORPEDOES, "int"),),
    "formation": (FactField("formation"),),
}
"""Facts by kind of act."""

_QUESTIONS: FactFields = {
    "targeting": _ATTACK_FACTS,
    "who": _ATTACK_FACTS,
    "measure": (*_ATTACK_FACTS, FactField(TARGET)),
    "torpedo": _TORPEDO_FACTS,
    "critical": (FactField("turn", "int"), FactField("penetrated", "bool")),
    "torpedo-damage": (
        FactField("kind", group="torpedo"),
        FactField("firer", group="torpedo"),
        FactField("turn", "int", group="torpedo"),
        FactField(FLOTILLA, "texts", optional=True, group="torpedo"),
    ),
    "damage-control": (FactField("fire"),),
    "wander-moves": (
        FactField("ships", "texts"),
        FactField("division"),
        FactField("turn", "int"),
        FactField("recorded", "texts", group="recorded"),
        FactField("inches", "texts", group="recorded"),
        FactField("points", "ints", group="recorded"),
    ),
    "wander-checks": (
        FactField("ships", "texts"),
        FactField("inches", "texts"),
        FactField("points", "ints"),
        FactField("turn", "int"),
    ),
}
"""Facts by line of the owed question. A `torpedo-damage` question of a mine keeps none."""

FACTS = FactSchema(_ACTS, _QUESTIONS, figures=("moved", "made", "went"))

SCALES = (Scale("standard", "in", "in"), Scale("standard", "metric", "cm"))


def find_unit(battle: Battle) -> str:
    """Return the unit of the table, `in` or `cm`; on the table one unit is an inch of the rules."""
    return "cm" if battle.table.get("units") == "metric" else "in"


def to_inches(battle: Battle, value: SlotValue | None) -> Fraction:
    """Convert a measured distance or a bare number to inches of the rules; None is 0."""
    if isinstance(value, Distance):
        return value.to(find_unit(battle))
    return Fraction(value) if isinstance(value, int) else Fraction(0)


def as_typed(battle: Battle, amount: Fraction) -> SlotValue:
    """Convert inches of the rules to the value that an order would hold: a bare number if whole."""
    return int(amount) if amount.denominator == 1 else Distance(amount, find_unit(battle))


def format_distance(battle: Battle, amount: Fraction) -> str:
    """Format inches of the rules in the unit of the table."""
    sign = "″" if find_unit(battle) == "in" else " cm"
    return f"{format_quarters(amount)}{sign}"


DAY, DUSK, NIGHT = "day", "dusk", "night"
VISIBILITY, CAUSES_MOST = "visibility", 9
"""Name of the number of causes of low visibility, besides dusk, that count for every shot; and its most."""

TURN_ABOUT = "turnabout"
"""The battle turn, as a choice of the order `formation` (GQ2-MV-3)."""

_SHIP = Slot("ship", kinds.SHIP, "the ship", identifies=True)
_TARGET = Slot("target", kinds.SHIP, "the target", foe=True)


def _declare_count(name: str, label: str, most: int, least: int = 0) -> Slot:
    """Declare an optional slot for a number, written after the slot's name: `turns 2`."""
    return Slot(name, kinds.COUNT, label, keyword=name, optional=True, most=most, least=least)


def _declare_stick(name: str, most: int) -> Slot:
    """Declare a slot that takes the number read off a stick, or the range to the target instead.

    Args:
        most: Greatest number on the stick.
    """
    what = "the stick's number, or the range"
    return Slot(name, kinds.MEASURE, what, keyword=name, bare=True, most=most, to=_TARGET.name)


def _find_inches_moved(battle: Battle, ship: Ship) -> SlotValue | None:
    """Return the inches of a ship's recorded move of this turn; None without one."""
    moved = ship.log.get("moved")
    return None if moved is None else as_typed(battle, to_fraction(moved))


def _find_points_turned(battle: Battle, ship: Ship) -> SlotValue | None:
    """Return the points that a ship turned in her recorded move of this turn; None without one."""
    return None if ship.log.get("moved") is None else POINTS_A_TURN * count_turns_made(ship)


TABLE = Form(
    "table",
    "",
    "The table",
    (
        Slot("light", kinds.CHOICE, "how light it is", (DAY, DUSK, NIGHT), keyword="light", optional=True),
        _declare_count(VISIBILITY, "causes of poor visibility", CAUSES_MOST),
    ),
    phases=(MOVEMENT,),
    help="sets day, dusk (or dawn) or night, and how many causes (mist, storm ...) lower visibility",
)
MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", kinds.SHIPS, "ships, or @division", identifies=True),
        Slot("inches", kinds.MEASURE, "inches moved", bare=True, most=99),
        build_flag_slot("straight", "in a straight line"),
        build_flag_slot("evasive", "evades"),
        _declare_count("turns", "turns of 45°", 20),
        kinds.build_shares_slot("inches"),
    ),
    phases=(MOVEMENT,),
    help="inches moved this turn, straight or with a number of 45° turns",
)
FORMATION = Form(
    "formation",
    "",
    "Formation",
    (
        Slot("division", kinds.DIVISION, "the division"),
        Slot("formation", kinds.CHOICE, "the formation", choices=(*FORMATIONS, TURN_ABOUT)),
    ),
    phases=(MOVEMENT,),
    help="one change a turn; `turnabout` is the battle turn of German capital ships",
)
WANDER = Form(
    "wander",
    "w",
    "Wander check",
    (
        _SHIP,
        Slot("inches", kinds.MEASURE, "inches moved", bare=True, most=99, known=_find_inches_moved),
        Slot("points", kinds.COUNT, "points turned", most=99, known=_find_points_turned),
    ),
    dice="RED BLUE D10",
    phases=(MOVEMENT,),
    help="how a ship wanders, after all movement",
    says="wander check of {ship}| after {inches}|, {points} points turned",
)
CONTACT = Form(
    "contact",
    "",
    "Contact",
    (Slot("ships", kinds.SHIPS, "the ships that touch", identifies=True),),
    phases=(MOVEMENT,),
    help="ships touch, in any phase; the umpire decides the result of their collision checks",
)
SMOKE = Form("smoke", "", "Lay smoke", (_SHIP,), phases=(MOVEMENT,), help="black in odd turns, gray in even")
STEAM = Form(
    "steam",
    "",
    "Get under way",
    (_SHIP,),
    dice="D...",
    phases=(MOVEMENT,),
    help="raises steam: two dice from standby, one from shut down",
    says="{ship} raises steam",
)
ANCHOR = Form(
    "anchor",
    "",
    "Anchor",
    (_SHIP, build_flag_slot("shut-down", "all fires out")),
    phases=(MOVEMENT,),
    help="anchors on standby, or with all fires out",
)
LIGHT = Form(
    "light",
    "l",
    "Searchlight on",
    (_SHIP, evolve(_TARGET, foe=False)),
    phases=(SEARCHLIGHTS,),
    help="lights a ship within 9 inches; at an unlit one the targeting roll comes first",
    says="{ship} searchlight| on {target}",
)
DARK = Form(
    "dark",
    "b",
    "Searchlights off",
    (_SHIP, Slot("target", kinds.SHIP, "the ship to light no more", optional=True)),
    phases=(SEARCHLIGHTS,),
    help="puts out all its lights, or the one on a ship",
)
FIRE = Form(
    "fire",
    "f",
    "Fire a battery",
    (
        _SHIP,
        Slot("battery", kinds.NAME, "the battery", listed="battery", identifies=True),
        _TARGET,
        _declare_stick("straddle", 9),
        build_flag_slot("penetrates", "the armor is penetrated"),
        build_flag_slot("rapid", "rapid fire"),
        build_flag_slot("he", "HE ammunition"),
        build_flag_slot("over", "over a vessel: 1 model"),
        _declare_count("low", "more poor visibility", 9),
        _declare_count("bases", "models in the way", 20),
        build_flag_slot("silhouette", "target silhouetted at dusk or dawn"),
    ),
    dice="WHITE RED BLUE",
    phases=(GUNNERY,),
    help="one battery at one target; by night the targeting roll comes first at an unlit ship",
    says="{ship} {battery}| at {target}|, band {straddle}",
)
TORPEDO = Form(
    "torpedo",
    "t",
    "Torpedo attack",
    (
        Slot("ships", kinds.SHIPS, "the ship, or a flotilla", identifies=True),
        _TARGET,
        _declare_stick("stick", STICK_MOST),
        _declare_count("spread", "torpedoes of each ship", 20, least=1),
        build_flag_slot("bow", "aimed within 30° of the bow", shows=(End.BOW,)),
        build_flag_slot("stern", "aimed within 30° of the stern", shows=(End.STERN,)),
    ),
    dice="D10",
    phases=(TORPEDO_PHASE,),
    help="a torpedo, or the spread of a ship or a flotilla, at one target",
    says="{ships} torpedo| at {target}|, stick {stick}",
)
MINE = Form(
    "mine",
    "",
    "Mine",
    (_SHIP,),
    dice="D6",
    phases=(MOVEMENT,),
    help="a ship strikes a mine, in any phase",
    says="{ship} on a mine",
)

FORMS = (MOVE, FIRE, TORPEDO, LIGHT, DARK, FORMATION, WANDER, CONTACT, SMOKE, STEAM, ANCHOR, MINE, TABLE)
