"""Torpedo launches: three dice against the rating (QFC-TOR)."""

from fractions import Fraction

from attrs import evolve

from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import PreparedOrder
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire_clone.damage import D6
from qf_tui.rules.quickfire_clone.game import GAME, TORPEDO_RANGE, centimetres, perhaps_centimetres
from qf_tui.rules.quickfire_clone.options import option
from qf_tui.rules.quickfire_clone.ship import distance_moved, has_collided
from qf_tui.rules.quickfire_clone.targeting import PHASE
from qf_tui.rules.quickfire_family.targeting import acting, at_target, has_target, out_of_water
from qf_tui.rules.quickfire_family.throws import Throw
from qf_tui.rules.quickfire_family.torpedo import Launch, prepare
from qf_tui.rules.quickfire_family.torpedo import throw_of as launch_throw

DICE: tuple[Die, ...] = (D6, D6, D6)
STATIC = Fraction(20)
"""The millimetres that a target may have moved and still be static (QFC-TOR-2)."""


def launch_of(battle: Battle, order: Order) -> Launch:
    """The launch of an order: the rating is read as the phase began (QFC-PH-2)."""
    target = battle.ships[order.text("target")]
    rating = acting(battle, order.text("ship")).count("torpedo")
    stopped = has_collided(battle, target.id)
    static = stopped or distance_moved(battle, target) <= STATIC
    return Launch(target, rating, static, "QFC-COL-3" if stopped else "QFC-TOR-2", "QFC-TOR-3", D6)


def throw_of(battle: Battle, order: Order) -> Throw:
    """The throw of a launch (QFC-TOR-2)."""
    return launch_throw(battle, launch_of(battle, order), DICE)


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """`torpedo`: one launch at one target."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    findings = _hindrances(battle, order, firer, target)
    made = prepare(GAME, battle, order, throw_of(battle, order), findings)
    assumes = () if has_collided(battle, target.id) else made.assumes
    return evolve(made, assumes=assumes, reminders=perhaps_centimetres(order.slots["range"], TORPEDO_RANGE))


def _hindrances(battle: Battle, order: Order, firer: Ship, target: Ship) -> tuple[Finding, ...]:
    found = _out_of_phase(battle)
    found.extend(at_target(GAME, battle, firer.id, target))
    found.extend(out_of_water(target))
    found.extend(_firer(battle, firer))
    found.extend(_again(battle, firer, target))
    if centimetres(order.slots["range"]) > TORPEDO_RANGE:
        text = f"{order.slots['range']} is beyond the {TORPEDO_RANGE} cm of torpedoes"
        found.append(refused(text, "QFC-GUN-6"))
    return tuple(found)


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase == PHASE:
        return []
    return [refused("torpedoes are launched in the gunnery phase only", "QFC-TOR-1")]


def _again(battle: Battle, firer: Ship, target: Ship) -> list[Finding]:
    """A second launch at one target."""
    if all(act.text("target") != target.id for act in battle.done("torpedo", firer.id)):
        return []
    return [refused(f"{firer.name} has launched at {target.name} this turn", "QFC-TOR-1")]


def _firer(battle: Battle, firer: Ship) -> list[Finding]:
    found = []
    if acting(battle, firer.id).count("torpedo") == 0:
        found.append(refused(f"{firer.name} has no torpedo rating", "QFC-TOR-1"))
    if has_collided(battle, firer.id):
        found.append(refused(f"{firer.name} collided this turn and may not launch", "QFC-COL-2"))
    if battle.done("torpedo", firer.id) and option(battle, "launches") == "one":
        found.append(refused(f"{firer.name} has launched this turn", "QFC-RUL-9"))
    if battle.done("fire", firer.id) and option(battle, "torpedoes_beside_guns") == "no":
        found.append(refused(f"{firer.name} has fired its guns this turn", "QFC-RUL-9"))
    return found


def may_launch(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still launch in this phase: some target and range are not refused."""
    if _out_of_phase(battle) or _firer(battle, ship):
        return False

    def barred(target: Ship) -> list[Finding]:
        return out_of_water(target) or _again(battle, ship, target)

    return has_target(GAME, battle, ship.id, barred)
