"""Who may act, who is a target, and which battery has fired."""

from collections.abc import Callable

from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.values import SUNK, Battle, Ship
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ship import Battery


def out_of_play(game: Game, ship: Ship) -> tuple[Finding, ...]:
    """A sunk ship takes no orders, and neither does one that has left the battle."""
    if ship.afloat:
        return ()
    clause = game.clauses.sunk if ship.status == SUNK else game.clauses.left
    return (refused(f"{ship.name} is {ship.status} and takes no orders", clause),)


def at_target(game: Game, battle: Battle, firer: str, target: Ship) -> list[Finding]:
    """What hinders any attack of one ship on another."""
    found = list(out_of_play(game, battle.ships[firer]))
    if firer == target.id:
        found.append(impossible(f"{target.name} cannot attack itself"))
    elif battle.ships[firer].side == target.side:
        found.append(refused(f"{target.name} is of the same side", game.clauses.target))
    if not target.afloat:
        clause = game.clauses.sunk if target.status == SUNK else game.clauses.left
        found.append(refused(f"{target.name} is {target.status} and no target", clause))
    return found


def out_of_water(target: Ship) -> list[Finding]:
    """What hinders any torpedo at a target: that it stands on land."""
    return [impossible(f"{target.name} is a battery on land: no torpedo reaches it")] if target.ashore else []


def has_target(
    game: Game, battle: Battle, firer: str, bars: Callable[[Ship], object] = lambda target: ()
) -> bool:
    """Whether there is a ship that may be attacked; `bars` finds what else protects a target."""
    ships = battle.others_first(battle.ships[firer].side)
    return any(not at_target(game, battle, firer, target) and not bars(target) for target in ships)


def has_fired(battle: Battle, ship: str, battery: Battery, phase: str) -> bool:
    """Whether a battery has declared fire in that phase of this turn."""
    return any(act.text("battery") == battery.value for act in battle.done("fire", ship, phase=phase))


def acting(battle: Battle, id: str) -> Ship:
    """A ship as its phase began, which decides what it can do."""
    return battle.start.ships.get(id, battle.ships[id])
