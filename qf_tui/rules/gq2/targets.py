"""Who may act, and attack whom (GQ2-SNK-2, GQ2-SNK-3, GQ2-NIT-4)."""

from collections.abc import Callable
from fractions import Fraction

from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.forms import Form
from qf_tui.core.values import AFLOAT, Battle, Ship
from qf_tui.rules.gq2.forms import NIGHT
from qf_tui.rules.gq2.lights import illuminated
from qf_tui.rules.gq2.measures import with_unit
from qf_tui.rules.gq2.ship import ABANDONED, AGROUND, SINKING, acts

ON_TABLE = (AFLOAT, ABANDONED, SINKING, AGROUND)
"""What a ship may be and still be shot at."""


def of_phase(battle: Battle, form: Form) -> tuple[Finding, ...]:
    """An order outside its phase (GQ2-PH-1)."""
    if battle.phase in form.phases:
        return ()
    return (refused(f"{form.word} belongs to the {' or '.join(form.phases)} phase", "GQ2-PH-1"),)


def out_of_action(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    """A ship that has left, struck, is abandoned or sinks takes no orders, nor by a switch one aground."""
    if acts(battle, ship):
        return ()
    if ship.status == AGROUND:
        return (refused(f"{ship.name} is aground and silent (switch aground)", "GQ2-SNK-3"),)
    return (refused(f"{ship.name} is {ship.status} and takes no orders", "GQ2-SNK-2"),)


def held_fast(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    """What hinders a ship that would move: that it takes no orders, or lies aground (GQ2-SNK-3)."""
    aground = refused(f"{ship.name} is aground: its movement is 0", "GQ2-SNK-3")
    return (aground,) if ship.status == AGROUND else out_of_action(battle, ship)


def at_target(
    battle: Battle, firer: Ship, target: Ship, clause: str = "", *, strayed: bool = False
) -> tuple[Finding, ...]:
    """What hinders an attack that `clause` allows on other sides; `strayed`: targeting has named the ship."""
    found = list(out_of_action(battle, firer))
    if firer.id == target.id:
        found.append(impossible(f"{target.name} cannot attack itself"))
    elif firer.side == target.side and not strayed:
        found.append(_friend(battle, firer, target, clause))
    if target.status not in ON_TABLE:
        found.append(refused(f"{target.name} is {target.status} and no target", "GQ2-SNK-2"))
    return tuple(found)


def out_of_water(target: Ship) -> tuple[Finding, ...]:
    """What hinders any torpedo or mine: that its target stands on land."""
    if not target.ashore:
        return ()
    return (impossible(f"{target.name} is a battery on land: no torpedo or mine reaches it"),)


def has_target(
    battle: Battle, firer: Ship, bars: Callable[[Ship], tuple[Finding, ...]] = lambda target: ()
) -> bool:
    """Whether there is a ship that may be attacked; `bars` finds what else protects a target."""
    ships = battle.others_first(firer.side)
    return any(not at_target(battle, firer, target) and not bars(target) for target in ships)


def _friend(battle: Battle, firer: Ship, target: Ship, clause: str) -> Finding:
    if battle.table.get("light") == NIGHT and illuminated(battle, target):
        place = "in its place in your own formation" if firer.division == target.division else "in its place"
        one = with_unit(battle, Fraction(1))
        lit = f"{target.name} is lit, and a friend: not if {place}"
        return refused(f"{lit}; {one} or more out of it, it must be: force it", "GQ2-NIT-4")
    return refused(f"{target.name} is of the same side", clause)


def words_for(battle: Battle, firer: str) -> tuple[str, ...]:
    """The ships that may be where the targeting roll points, one that has struck among them."""
    there = (*ON_TABLE, "struck")
    return tuple(ship.id for ship in battle.ships.values() if ship.status in there and ship.id != firer)
