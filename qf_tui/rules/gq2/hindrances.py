"""What bars a shot, and what people check on the table before it.

GQ2-GUN-7, GQ2-GUN-8, GQ2-GUN-9, GQ2-GUN-13, GQ2-GUN-14, GQ2-NIT-6.
"""

from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance, decimal
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2 import sticks
from qf_tui.rules.gq2.armament import after_losses, armed
from qf_tui.rules.gq2.forms import DUSK, FIRE
from qf_tui.rules.gq2.lights import light
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import Battery, batteries, boxes_left, df
from qf_tui.rules.gq2.shots import FIRED, Shot
from qf_tui.rules.gq2.targets import at_target, has_target, of_phase


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What hinders a shot."""
    found = [*of_phase(battle, FIRE), *at_target(battle, shot.firer, shot.target, "GQ2-GUN-1")]
    found.extend(_of_battery(battle, shot.firer, shot.battery))
    found.extend(at_band(battle, order, shot))
    found.extend(silhouetted(battle, order))
    found.extend(_ammunition(battle, shot.firer, shot.battery, he=shot.he))
    return tuple(found)


def may_fire(battle: Battle, firer: Ship, guns: Battery) -> bool:
    """Whether a battery may still fire in this phase: some target, band and ammunition are not refused."""
    if of_phase(battle, FIRE) or _of_battery(battle, firer, guns):
        return False
    if all(_ammunition(battle, firer, guns, he=he) for he in (False, True)):
        return False
    return has_target(battle, firer)


def _of_battery(battle: Battle, firer: Ship, guns: Battery) -> list[Finding]:
    """What hinders any fire of a battery."""
    found, name = [], firer.name
    if guns not in armed(battle, firer):
        found.append(impossible(f"{name} has no battery {guns.name}"))
    elif not guns.af:
        why = "has AF 0" if boxes_left(firer) else "has no armament box left"
        found.append(refused(f"{whose(name)} {guns.name} {why}: it cannot fire", "GQ2-LOG-2"))
    if fired(battle, firer.id, guns.name):
        found.append(refused(f"{whose(name)} {guns.name} has fired this turn", "GQ2-PH-1"))
    return found


def fired(battle: Battle, ship: str, guns: str) -> bool:
    """Whether a battery was declared this turn."""
    return any(act.text("battery") == guns for act in battle.done(FIRED, ship))


def at_band(battle: Battle, order: Order, shot: Shot) -> list[Finding]:
    """What is wrong with the band: none to be read, too near to fire over a ship, too far for rapid fire."""
    value, calibre = order.slots.get("straddle"), shot.battery.calibre
    if shot.band is None and not sticks.has_stick(battle, calibre):
        return [impossible(f"no stick for {decimal(calibre)}″ is laid over: give the band, `straddle N`")]
    if shot.band is None and isinstance(value, Distance):
        return [refused(f"{value} is beyond the {decimal(calibre)}″ stick", "GQ2-CHA-2")]
    found = []
    if shot.rapid and not shot.in_red and option(battle, "rapid_bands") == "red":
        found.append(refused(f"rapid fire is for the red bands, {shot.red[0]} to {shot.red[1]}", "GQ2-GUN-6"))
    if order.has("over") and shot.in_red:
        found.append(refused("nothing is fired over a vessel at a target in the red zone", "GQ2-GUN-8"))
    return found


def silhouetted(battle: Battle, order: Order) -> list[Finding]:
    """A silhouette is of dusk and dawn (GQ2-NIT-6)."""
    if not order.has("silhouette") or light(battle) == DUSK:
        return []
    return [refused("silhouettes show at dusk and dawn", "GQ2-NIT-6")]


def _ammunition(battle: Battle, firer: Ship, guns: Battery, *, he: bool) -> list[Finding]:
    """No box left of what is to be fired; what is marked by hand counts too (GQ2-LOG-1, GQ2-GUN-7)."""
    ship = battle.ships[firer.id]
    left, marked = ship.count("ammo"), _marked_for_he(ship)
    if not left:
        return [refused(f"{ship.name} has no ammunition left", "GQ2-LOG-1")]
    if he and marked and guns.name not in marked:
        return [refused(f"HE is loaded for {', '.join(marked)} of {ship.name} only", "GQ2-GUN-7")]
    if he and ship.log.get("ammo_he") == 0:
        return [refused(f"{ship.name} has no box of HE left", "GQ2-LOG-1")]
    if not he and guns.name in marked and left <= ship.count("ammo_he"):
        return [refused(f"{ship.name} has no ammunition left but HE", "GQ2-LOG-1")]
    return []


def _marked_for_he(ship: Ship) -> tuple[str, ...]:
    """The batteries that a ship's HE is for; if none, any fires it, and all fire on without (GQ2-GUN-14)."""
    names = (guns.name for guns in batteries(ship))
    return tuple(name for at, name in enumerate(names, 1) if ship.card.get(f"battery.{at}.he") is True)


def odds_words(shot: Shot) -> str:
    """What AF stands against what DF."""
    return f"{shot.battery.af_words} against DF {decimal(df(shot.target))}"


def reminders(battle: Battle, shot: Shot, order: Order) -> tuple[str, ...]:
    """What the umpire looks at before the dice fall."""
    notes = []
    if shot.column is None:
        notes.append(f"{odds_words(shot)}: below 1:3, no effect (GQ2-GUN-3)")
    if shot.firer.count("armament_lost"):
        notes.append(after_losses(battle, shot.firer, shot.battery))
    if order.has("over"):
        notes.append("two whole bands between that vessel and the target? (GQ2-GUN-8)")
    by_stick = isinstance(order.slots.get("straddle"), Distance)
    if shot.he and not by_stick:
        notes.append("HE: read penetration three levels worse (GQ2-GUN-7)")
    if shot.battery.calibre < sticks.SMALLEST and not by_stick:
        notes.append("below 3″: the 3-4 inch stick, penetration a step worse (GQ2-GUN-9)")
    if order.number("bases") and shot.in_red:
        notes.append("does the shot pass over them? in the red zone nothing may (GQ2-GUN-8)")
    if order.number("bases") or (order.has("over") and order.number("bases") is None):
        notes.append("bases of ships anchored with unlit boilers do not count: `bases 0` (GQ2-GUN-2)")
    return tuple(notes)
