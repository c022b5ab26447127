"""Who may fire at what, and when (QF-GUN-1, QF-GUN-7, QF-GUN-8, QF-GUN-9)."""

from collections.abc import Sequence

from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.text import whose
from qf_tui.core.values import Act, Battle, Ship
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire.options import option
from qf_tui.rules.quickfire.shots import GUNNERY, Range, Shot, range_of
from qf_tui.rules.quickfire_family.arcs import NONE, arc_hindrances
from qf_tui.rules.quickfire_family.gunnery import batteries
from qf_tui.rules.quickfire_family.ship import Battery, gunnery
from qf_tui.rules.quickfire_family.targeting import acting, already, at_target, has_target, pending, too_small


def in_phase(battle: Battle, kind: str, ship: str) -> Sequence[Act]:
    """What a ship did of one kind in this gunnery phase; a turn may have several of them (QF-OPT-1)."""
    before = len(battle.start.acts)
    return [act for act in battle.acts[before:] if act.kind == kind and act.ship == ship]


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What hinders a shot."""
    found = _out_of_phase(battle)
    found.extend(at_target(GAME, battle, shot.firer.id, shot.target))
    if len(shot.fires) > 1 and option(battle, "batteries") == "one":
        found.append(refused("a ship fires one of its batteries in a phase (switch batteries)", "QF-GUN-7"))
    found.extend(arc_hindrances(shot.firer, batteries(order), order, "QF-GUN-5"))
    for fire in shot.fires:
        rof = shot.firer.count(fire.battery.rof) if fire.arc == NONE else fire.rof
        found.extend(_of_battery(battle, shot.firer, fire.battery, rof))
    found.extend(_range_hindrances(battle, order, shot))
    found.extend(_guess_hindrances(battle, order))
    return tuple(found)


def _guess_hindrances(battle: Battle, order: Order) -> list[Finding]:
    """What is wrong with a guess: the switch, and a distance that it cannot be compared with (QF-OPT-3)."""
    if "guess" not in order.slots and "base" not in order.slots:
        return []
    if option(battle, "range_guessing") == "no":
        return [refused("ranges are guessed under a switch only (range_guessing)", "QF-OPT-3")]
    guess = order.slots.get("guess")
    if guess is None:
        return [impossible("base goes with a guess: `guess 20in base 2in`")]
    if isinstance(guess, Distance) and not isinstance(order.slots["range"], Distance):
        return [impossible(f"the guess {guess} wants a measured range, as `{guess}`, or `guess on`")]
    return []


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase == GUNNERY:
        return []
    return [refused("guns fire in the gunnery phase only", "QF-PH-1")]


def _of_battery(battle: Battle, firer: Ship, battery: Battery, rof: int) -> list[Finding]:
    """What hinders any fire of a battery with that ROF."""
    name = firer.name
    if gunnery(firer, battery) == 0:
        only = "boat guns only" if firer.card_count("boat_guns") else f"no {battery.value} battery"
        return [refused(f"{name} has {only}", "QF-LOG-1")]
    found = []
    if rof == 0:
        clause = "QF-GUN-5" if firer.count(battery.rof) else "QF-GUN-1"
        found.append(refused(f"{whose(name)} {battery.value} ROF is 0: it cannot fire", clause))
    fired = {act.text("battery") for act in in_phase(battle, "fire", firer.id)}
    if battery.value in fired:
        guns, owed = f"{whose(name)} {battery.value} battery", pending(battle, "fire", firer.id, "", battery)
        text = already(owed, f"{guns} is", f"{guns} has fired in this phase")
        found.append(refused(text, "QF-GUN-7"))
    elif fired and option(battle, "batteries") == "one":
        found.append(refused(f"{name} has fired its other battery in this phase", "QF-GUN-7"))
    return found


def _range_hindrances(battle: Battle, order: Order, shot: Shot) -> list[Finding]:
    found = []
    named = {fire.battery for fire in shot.fires}
    if range_of(battle, order) is None:
        found.append(refused(f"{order.slots['range']} is beyond long range", "QF-SCA-1"))
    elif shot.range is Range.LONG and Battery.LIGHT in named and option(battle, "long_range") == "heavy":
        found.append(refused("at long range only heavy guns fire", "QF-GUN-8"))
    if order.has("light-armor"):
        found.append(refused("each battery fires at the armor of its own kind", "QF-GUN-2"))
    if Battery.HEAVY in named:
        found.extend(_too_small(battle, shot.target))
    return found


def _too_small(battle: Battle, target: Ship) -> list[Finding]:
    return too_small(GAME, battle, target, option(battle, "small_fast_by"), "QF-GUN-9")


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase: some target and range are not refused."""
    firer = acting(battle, ship.id)
    if _out_of_phase(battle) or _of_battery(battle, firer, battery, firer.count(battery.rof)):
        return False
    heavy = battery is Battery.HEAVY
    return has_target(GAME, battle, firer.id, lambda target: heavy and _too_small(battle, target))
