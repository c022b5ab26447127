"""Who may still act, and what people are reminded of (GQ2-PH-2, GQ2-PH-3, GQ2-GUN-11, GQ2-NIT-1)."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from qf_tui.core.system import Available
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2 import lights, wandering
from qf_tui.rules.gq2.armament import armed
from qf_tui.rules.gq2.forms import (
    FIRE,
    GUNNERY,
    LIGHT,
    MOVE,
    MOVEMENT,
    REPAIR,
    SEARCHLIGHTS,
    TORPEDO,
    TORPEDOES,
    WANDER,
)
from qf_tui.rules.gq2.hindrances import may_fire
from qf_tui.rules.gq2.lighting import colour, may_light
from qf_tui.rules.gq2.measures import with_unit
from qf_tui.rules.gq2.movement import may_move
from qf_tui.rules.gq2.ship import acts, binding
from qf_tui.rules.gq2.torpedo import may_launch

BATTERY_LETTERS = "ABCDEFGH"
LETTERS = {
    "M": "move",
    "W": "wander check",
    "L": "searchlight",
    "T": "torpedoes",
    "A B C": "the batteries, as the sheet lists them",
}


def may_act(battle: Battle) -> tuple[Available, ...]:
    """The ships that may still act in this phase, with what and by which order.

    Batteries are A, B, C ... as they stand on the sheet.
    """
    checking = {ship.id for ship in wandering.wanderers(battle)} if battle.phase == MOVEMENT else set()
    found = []
    for ship in battle.ships.values():
        what, order, letters = _may_do(battle, ship)
        fires = [(order, {"battery": guns}) for guns in what.split() if order == FIRE.word]
        ways = ((order, {}),) if order == TORPEDO.word else tuple(fires)
        if ship.id in checking:
            what, order = ("move, then wander check", order) if what else ("wander check", WANDER.word)
            letters += "W"
        if what:
            found.append(Available(ship.id, what, order, letters, ways))
    return tuple(found)


def _may_do(battle: Battle, ship: Ship) -> tuple[str, str, str]:
    """What a ship may still do in this phase, the order for it, and its letters: whatever is not refused."""
    if may_move(battle, ship):
        return "move", MOVE.word, "M"
    if may_light(battle, ship):
        return "light", LIGHT.word, "L"
    if may_launch(battle, ship):
        return "T", TORPEDO.word, "T"
    firer = battle.start.ships.get(ship.id, ship)
    able = {
        letter: guns.name
        for letter, guns in zip(BATTERY_LETTERS, armed(battle, firer), strict=False)
        if may_fire(battle, firer, guns)
    }
    return " ".join(able.values()), FIRE.word, "".join(able)


def advice(battle: Battle) -> tuple[str, ...]:
    """What people are reminded of in this phase."""
    return tuple(_ADVICE[battle.phase](battle))


def _order_of_sides(battle: Battle) -> list[str]:
    """The sides in the order in which they act this turn (GQ2-PH-2)."""
    names = [side.name for side in battle.sides]
    return names if battle.turn % 2 else names[::-1]


def _movement(battle: Battle) -> list[str]:
    first, *rest = _order_of_sides(battle) or [""]
    notes = [
        f"{first} moves first, then {', '.join(rest)}; smoke is {colour(battle.turn)} (GQ2-PH-2, GQ2-PH-3)"
    ]
    held = [
        ship.name for ship in battle.ships.values() if acts(battle, ship) and binding(battle, ship, "bridge")
    ]
    if held:
        notes.append(
            f"speed and course held through the first half of the move: {', '.join(held)} (GQ2-CRI-1)"
        )
    checking = [ship.name for ship in wandering.wanderers(battle)]
    if checking:
        notes.append(f"wander checks after all movement: {', '.join(checking)} (GQ2-MV-6)")
    notes.append("ships that touch make a collision check at once: `contact SHIP,SHIP` (GQ2-MV-8)")
    if lights.is_night(battle):
        one = with_unit(battle, Fraction(1))
        notes.append(f"also whoever is more than {one} from the next ahead in line astern (GQ2-NIT-1)")
    return notes


def _searchlights(battle: Battle) -> list[str]:
    first, *rest = _order_of_sides(battle) or [""]
    return [f"{first} sets its searchlights first, then {', '.join(rest)} (GQ2-PH-2)"]


def _gunnery(battle: Battle) -> list[str]:
    notes = ["the red end of the stick lies at the shooter (GQ2-GUN-11)"]
    low = sum(lights.low_visibility(battle))
    if low:
        notes.append(f"poor visibility adds {low} to every straddle; `low` on a shot is for more (GQ2-GUN-2)")
    if lights.is_night(battle):
        one = with_unit(battle, Fraction(1))
        notes.append(
            f"a lit ship in its place is no target for its own formation; {one} out of it is (GQ2-NIT-4)"
        )
    return notes


_ADVICE: Mapping[str, Callable[[Battle], list[str]]] = {
    MOVEMENT: _movement,
    SEARCHLIGHTS: _searchlights,
    GUNNERY: _gunnery,
    TORPEDOES: lambda battle: ["measure from the launcher with the stick of its torpedoes (GQ2-TOR-1)"],
    REPAIR: lambda battle: [f"take up {colour(battle.turn + 1)} smoke and the splashes (GQ2-PH-3)"],
}
