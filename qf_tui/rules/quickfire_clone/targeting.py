"""Who may fire at what (QFC-GUN-2, QFC-GUN-3, QFC-GUN-5, QFC-GUN-6, QFC-COL-1)."""

from fractions import Fraction

from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import exact
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_clone.forms import ASPECTS
from qf_tui.rules.quickfire_clone.game import GAME, HEAVY_RANGE, LIGHT_RANGE, centimetres
from qf_tui.rules.quickfire_clone.options import option
from qf_tui.rules.quickfire_clone.ship import distance_moved, has_collided
from qf_tui.rules.quickfire_family.movement import assumption
from qf_tui.rules.quickfire_family.ship import Battery, gunnery, size
from qf_tui.rules.quickfire_family.targeting import acting, at_target, has_target

PHASE = "gunnery"
REACH = {Battery.HEAVY: HEAVY_RANGE, Battery.LIGHT: LIGHT_RANGE}
SMALL, FAST = Fraction(2), Fraction(25)
"""The greatest size, and the millimetres beyond which such a vessel is safe (QFC-GUN-3)."""


def hindrances(battle: Battle, order: Order, battery: Battery) -> tuple[Finding, ...]:
    """What hinders a shot."""
    id, target = order.text("ship"), battle.ships[order.text("target")]
    found = [*_estimate(order, target), *_out_of_phase(battle)]
    found.extend(at_target(GAME, battle, id, target))
    found.extend(_firer(battle, acting(battle, id), battery))
    range = centimetres(order.slots["range"])
    if range > REACH[battery]:
        text = f"{order.slots['range']} is beyond the {REACH[battery]} cm of {battery.value} guns"
        found.append(refused(text, "QFC-GUN-6"))
    found.extend(_safe(battle, target, battery))
    return tuple(found)


def bracket_of(order: Order) -> str:
    """Whether the range of an order is within that of light guns, or of heavy ones only; "" beyond both.

    Nothing else hangs on it (QFC-GUN-6, QFC-BLA-1).
    """
    range = centimetres(order.slots["range"])
    if range > HEAVY_RANGE:
        return ""
    return "long" if range > LIGHT_RANGE else "short"


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase == PHASE:
        return []
    return [refused("guns fire in the gunnery phase only", "QFC-PH-1")]


def bases_of(order: Order, target: Ship) -> tuple[Fraction, ...]:
    """What the target's base may measure along the line of fire in cm, by order or card (QFC-GUN-14)."""
    if "base" in order.slots:
        return (centimetres(order.slots["base"]),)
    if target.card.get("base") is None:
        return ()
    length, breadth = exact(target.card["base"]), target.card.get("base.2")
    both = length, length / 4 if breadth is None else exact(breadth)
    seen = tuple(base for base, aspect in zip(both, ASPECTS, strict=True) if order.has(aspect))
    return seen or both


def falls_on(order: Order, base: Fraction) -> bool:
    """Whether the estimate of an order is within half of a base of the measured range (QFC-GUN-5)."""
    return abs(centimetres(order.slots["guess"]) - centimetres(order.slots["range"])) * 2 <= base


def _estimate(order: Order, target: Ship) -> list[Finding]:
    """An estimate is `off`, or a `guess` with a base and, where that decides it, an aspect (QFC-GUN-14)."""
    guessed, typed = "guess" in order.slots, "base" in order.slots
    seen = any(map(order.has, ASPECTS))
    if (typed or seen) and (not guessed or (typed and seen)):
        text = "a base goes with a guess, in cm along the line of fire; else: `guess 110 abeam`"
        return [impossible(text)]
    if guessed and order.has("off"):
        return [impossible("either `off`, or `guess`: not both")]
    bases = bases_of(order, target) if guessed else ()
    if guessed and not bases:
        return [impossible(f"how long is the base of {target.name}? `guess 110 base 6`, in cm")]
    if len({falls_on(order, base) for base in bases}) > 1:
        text = f"is {target.name} seen `abeam` or `end-on`? the estimate is on one base, off the other"
        return [impossible(text)]
    return []


def _firer(battle: Battle, firer: Ship, battery: Battery) -> list[Finding]:
    name = firer.name
    if gunnery(firer, battery) == 0:
        return [refused(f"{name} has no {battery.value} guns", "QFC-GUN-2")]
    found = []
    if not _has_rof(battle, firer, battery):
        found.append(refused(f"{whose(name)} {battery.value} ROF is 0: it cannot fire", "QFC-RUL-5"))
    if has_collided(battle, firer.id):
        found.append(refused(f"{name} collided this turn and may not fire", "QFC-COL-1"))
    if battle.done("fire", firer.id):
        found.append(refused(f"{name} has used one of its ratings in this phase", "QFC-GUN-2"))
    if battle.done("torpedo", firer.id) and option(battle, "torpedoes_beside_guns") == "no":
        found.append(refused(f"{name} has launched torpedoes this turn", "QFC-RUL-9"))
    return found


def _has_rof(battle: Battle, firer: Ship, battery: Battery) -> bool:
    if firer.count(battery.rof) > 0:
        return True
    return option(battle, "auto_shot_at_rof_0") == "yes" and firer.log.get("auto_shot") is not True


def _concerns(battle: Battle, battery: Battery) -> bool:
    """Whether small fast vessels are safe from that battery (QFC-RUL-1)."""
    return option(battle, "small_fast_safe_from") in (battery.value, "both")


def _safe(battle: Battle, target: Ship, battery: Battery) -> list[Finding]:
    """What hinders fire at a vessel that is small and fast (QFC-GUN-3)."""
    if size(target) > SMALL or not _concerns(battle, battery) or distance_moved(battle, target) <= FAST:
        return []
    return [refused(f"{target.name} is too small and fast for {battery.value} guns", "QFC-GUN-3")]


def assumed(battle: Battle, target: Ship, battery: Battery) -> tuple[str, ...]:
    """Which movement is assumed, where the shot depends on it (QFC-MV-4)."""
    if size(target) <= SMALL and _concerns(battle, battery):
        return assumption(GAME, battle, target)
    return ()


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase: some target and range are not refused."""
    if _out_of_phase(battle) or _firer(battle, acting(battle, ship.id), battery):
        return False
    return has_target(GAME, battle, ship.id, lambda target: _safe(battle, target, battery))
