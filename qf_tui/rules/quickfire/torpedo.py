"""Torpedo attacks by rating and the target's motion (QF-TOR)."""

from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.system import PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire.damage import D6, TWO_D6
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.shots import GUNNERY
from qf_tui.rules.quickfire_family.movement import movement
from qf_tui.rules.quickfire_family.ship import speed_of_boxes
from qf_tui.rules.quickfire_family.targeting import (
    acting,
    already,
    at_target,
    has_target,
    out_of_water,
    pending,
)
from qf_tui.rules.quickfire_family.throws import Throw
from qf_tui.rules.quickfire_family.torpedo import Launch, prepare
from qf_tui.rules.quickfire_family.torpedo import throw_of as throw_at


def throw_of(battle: Battle, order: Order) -> Throw:
    """The throw of an attack: the rating as the phase began, one box's length or less static (QF-TOR-6)."""
    firer, target = acting(battle, order.text("ship")), battle.ships[order.text("target")]
    static = movement(GAME, battle, target).distance <= speed_of_boxes(GAME, battle, target, 1)
    clause = "QF-TOR-2" if static else "QF-TOR-1"
    return throw_at(battle, Launch(target, firer.count("torpedo"), static, clause, "QF-TOR-3", D6), TWO_D6)


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """`torpedo`: one attack on one target."""
    firer, target = acting(battle, order.text("ship")), battle.ships[order.text("target")]
    findings = _hindrances(battle, order, firer, target)
    return prepare(GAME, battle, order, throw_of(battle, order), findings)


def _hindrances(battle: Battle, order: Order, firer: Ship, target: Ship) -> tuple[Finding, ...]:
    found = _out_of_phase(battle)
    found.extend(at_target(GAME, battle, firer.id, target))
    found.extend(out_of_water(target))
    found.extend(_firer(battle, firer))
    distance = order.slots["range"]
    if isinstance(distance, Distance) and not GAME.in_torpedo_range(battle, distance):
        found.append(refused(f"{distance} is out of torpedo range, {GAME.torpedo_range(battle)}", "QF-TOR-1"))
    elif distance in ("short", "long"):
        found.append(refused("torpedoes reach to point blank only", "QF-TOR-1"))
    return tuple(found)


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase == GUNNERY:
        return []
    return [refused("torpedoes are launched in the gunnery phase only", "QF-PH-1")]


def _firer(battle: Battle, firer: Ship) -> list[Finding]:
    """What hinders any launch of a ship."""
    found = []
    if firer.count("torpedo") == 0:
        found.append(refused(f"{firer.name} has no torpedo rating", "QF-TOR-1"))
    if battle.done("torpedo", firer.id):
        owed, done = pending(battle, "torpedo", firer.id), f"{firer.name} has launched at a target this turn"
        found.append(refused(already(owed, f"{whose(firer.name)} torpedo attack is", done), "QF-TOR-4"))
    return found


def may_launch(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still launch in this phase: some target and range are not refused."""
    if _out_of_phase(battle) or _firer(battle, acting(battle, ship.id)):
        return False
    return has_target(GAME, battle, ship.id, out_of_water)
