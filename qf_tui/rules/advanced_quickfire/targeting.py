"""Who may fire at what, and when (AQF-PH-3, AQF-GUN-8 to AQF-GUN-10, AQF-GUN-13)."""

from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.scales import Bracket
from qf_tui.rules.advanced_quickfire.shots import FIRST, PHASES, SECOND, Fire, Shot, range_of
from qf_tui.rules.quickfire_family.movement import movement
from qf_tui.rules.quickfire_family.ship import Battery, available_speed, gunnery, printed_speed
from qf_tui.rules.quickfire_family.targeting import acting, at_target, has_fired


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What stands against a shot."""
    found: list[Finding] = []
    if battle.phase not in PHASES:
        found.append(refused("guns fire in the two gunnery phases only", "AQF-PH-1"))
    found.extend(at_target(GAME, battle, shot.firer.id, shot.target))
    if order.text("battery") == "both" and option(battle, "one_roll") == "no":
        found.append(refused("each battery fires with a roll of its own (switch one_roll)", "AQF-GUN-9"))
    for fire in shot.fires:
        found.extend(_battery_hindrances(battle, shot, fire))
    found.extend(_range_hindrances(battle, order, shot))
    return tuple(found)


def _battery_hindrances(battle: Battle, shot: Shot, fire: Fire) -> list[Finding]:
    name, battery = shot.firer.name, fire.battery.value
    if gunnery(shot.firer, fire.battery) == 0:
        return [refused(f"{name} has no {battery} battery", "AQF-GUN-10")]
    found = []
    if fire.rof == 0:
        clause = "AQF-GUN-4" if shot.firer.count(fire.battery.rof) else "AQF-GUN-2"
        found.append(refused(f"{whose(name)} {battery} ROF is 0: it cannot fire", clause))
    if has_fired(battle, shot.firer.id, fire.battery, battle.phase):
        found.append(refused(f"{whose(name)} {battery} battery has fired in this phase", "AQF-GUN-9"))
    if battle.phase == SECOND:
        found.extend(_second_phase(battle, shot.firer, fire.battery))
    return found


def _second_phase(battle: Battle, firer: Ship, battery: Battery) -> list[Finding]:
    """Only what failed its ROF roll in the first gunnery phase fires in the second (AQF-PH-3)."""
    rolls = list(battle.done("rof", firer.id, phase=FIRST))
    own = [act for act in rolls if act.text("battery") == battery.value]
    asked = rolls if option(battle, "refire_by") == "ship" else own
    which = firer.name if asked is rolls else f"{whose(firer.name)} {battery.value} battery"
    if any(act.has("fired") for act in asked):
        return [refused(f"{which} fired in the first gunnery phase", "AQF-PH-3")]
    pending = [
        act for act in battle.done("fire", firer.id, phase=FIRST) if act.text("battery") == battery.value
    ]
    if pending and not own:
        return [refused(f"{which} still owes its roll of the first gunnery phase", "AQF-PH-3")]
    if not asked and option(battle, "untried_refire") == "no":
        return [refused(f"{which} did not try to fire in the first gunnery phase", "AQF-PH-3")]
    return []


def _range_hindrances(battle: Battle, order: Order, shot: Shot) -> list[Finding]:
    found = []
    light = any(fire.battery is Battery.LIGHT for fire in shot.fires)
    heavy = any(fire.battery is Battery.HEAVY for fire in shot.fires)
    if range_of(battle, order) is None:
        found.append(refused(f"{order.slots['range']} is beyond long range", "AQF-SCA-2"))
    elif shot.range is Bracket.LONG and light:
        found.append(refused("at long range only heavy guns fire", "AQF-GUN-8"))
    if shot.light_armor and (shot.range is not Bracket.LONG or light):
        found.append(refused("only heavy guns at long range may choose the light armor", "AQF-GUN-8"))
    others = {
        act.text("target")
        for act in battle.done("fire", shot.firer.id, phase=battle.phase)
        if act.text("range") == Bracket.LONG.value
    }
    if shot.range is Bracket.LONG and others - {shot.target.id}:
        found.append(refused(f"{shot.firer.name} fires at another target at long range", "AQF-GUN-9"))
    if heavy and shot.small_target and fast(battle, shot.target):
        found.append(refused(f"{shot.target.name} is too small and fast for heavy guns", "AQF-GUN-13"))
    return found


def fast(battle: Battle, target: Ship) -> bool:
    """Whether a vessel moved more than half of its speed this turn, recorded or assumed (AQF-GUN-13)."""
    available = option(battle, "small_fast_by") == "available"
    began = acting(battle, target.id)
    speed = available_speed(GAME, battle, began) if available else printed_speed(GAME, battle, target)
    return movement(GAME, battle, target).distance * 2 > speed


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase, range and target left aside."""
    began = acting(battle, ship.id)
    if not ship.afloat or gunnery(ship, battery) == 0 or began.count(battery.rof) == 0:
        return False
    if battle.phase not in PHASES or has_fired(battle, ship.id, battery, battle.phase):
        return False
    return battle.phase == FIRST or not _second_phase(battle, ship, battery)
