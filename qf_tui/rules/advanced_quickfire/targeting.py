"""Who may fire at what, and when (AQF-PH-3, AQF-GUN-8, AQF-GUN-9, AQF-GUN-10, AQF-GUN-13)."""

from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.advanced_quickfire.game import GAME, Bracket
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.shots import FIRST, PHASES, SECOND, Shot, range_of, undeclared
from qf_tui.rules.quickfire_family.arcs import NONE, arc_hindrances
from qf_tui.rules.quickfire_family.gunnery import batteries
from qf_tui.rules.quickfire_family.ship import Battery, gunnery
from qf_tui.rules.quickfire_family.targeting import (
    acting,
    already,
    at_target,
    has_fired,
    has_target,
    pending,
    too_small,
)


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What hinders a shot."""
    found = [*_out_of_phase(battle), *undeclared(battle, order)]
    found.extend(at_target(GAME, battle, shot.firer.id, shot.target))
    found.extend(arc_hindrances(shot.firer, batteries(order), order, "AQF-GUN-4"))
    for fire in shot.fires:
        rof = shot.firer.count(fire.battery.rof) if fire.arc == NONE else fire.rof
        found.extend(_of_battery(battle, shot.firer, fire.battery, rof))
    found.extend(_range_hindrances(battle, order, shot))
    return tuple(found)


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase in PHASES:
        return []
    return [refused("guns fire in the two gunnery phases only", "AQF-PH-1")]


def _of_battery(battle: Battle, firer: Ship, battery: Battery, rof: int) -> list[Finding]:
    """What hinders any fire of a battery with that ROF."""
    name = firer.name
    if gunnery(firer, battery) == 0:
        return [refused(f"{name} has no {battery.value} battery", "AQF-GUN-10")]
    found = []
    if rof == 0:
        clause = "AQF-GUN-4" if firer.count(battery.rof) else "AQF-GUN-2"
        found.append(refused(f"{whose(name)} {battery.value} ROF is 0: it cannot fire", clause))
    if has_fired(battle, firer.id, battery, battle.phase):
        guns, owed = f"{whose(name)} {battery.value} battery", pending(battle, "fire", firer.id, "", battery)
        text = already(owed, f"{guns} is", f"{guns} has fired in this phase")
        found.append(refused(text, "AQF-GUN-9"))
    if battle.phase == SECOND:
        found.extend(_second_phase(battle, firer, battery))
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
    if heavy:
        found.extend(_too_small(battle, shot.target))
    return found


def _too_small(battle: Battle, target: Ship) -> list[Finding]:
    return too_small(GAME, battle, target, option(battle, "small_fast_by"), "AQF-GUN-13")


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase: some target and range are not refused."""
    firer = acting(battle, ship.id)
    if _out_of_phase(battle) or _of_battery(battle, firer, battery, firer.count(battery.rof)):
        return False
    heavy = battery is Battery.HEAVY
    return has_target(GAME, battle, firer.id, lambda target: heavy and _too_small(battle, target))
