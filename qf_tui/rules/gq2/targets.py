"""Who may act, and attack whom (GQ2-SNK-2, GQ2-SNK-3, GQ2-NIT-4)."""

from collections.abc import Callable
from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import AFLOAT, Battle, Form, Order, Ship
from qf_tui.rules.gq2.forms import DAY, DUSK, GUNNERY, NIGHT, TORPEDO_PHASE, VISIBILITY, with_unit
from qf_tui.rules.gq2.rating import is_of
from qf_tui.rules.gq2.ship import ABANDONED, AGROUND, SINKING, acts

REACH = Fraction(9)
"""Inches that a searchlight reaches."""

SEARCHING = "searching"
"""The note in a log that a searchlight is on and has found nobody, so that it lights its user alone."""

ONE_LIGHT = ("british", "french", "austro-hungarian")
"""The navies whose ships light one ship only; others light one on each side (GQ2-NIT-3)."""


def light(battle: Battle) -> str:
    """Day, dusk or night, as the umpire says now (GQ2-NIT-6)."""
    return str(battle.table.get("light") or DAY)


def is_night(battle: Battle) -> bool:
    """Whether the rules of night are in force."""
    return light(battle) == NIGHT


def low_visibility(battle: Battle) -> tuple[int, int]:
    """What dusk adds to every straddle die, and what the table's other causes add (GQ2-GUN-2)."""
    said = battle.table.get("visibility")
    return int(light(battle) == DUSK), said if isinstance(said, int) else 0


def lights_most(ship: Ship) -> int:
    """Ships that one ship may light."""
    return 1 if is_of(ship, *ONE_LIGHT) else 2


def lit_by(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """What lights a ship, in words: its own lights, another's, its fires, the umpire's word (GQ2-NIT-3)."""
    shines = bool(ship.live("lights")) or ship.log.get(SEARCHING) is True
    found = ["its own searchlight"] if acts(battle, ship) and shines else []
    found.extend(f"{whose(battle.ships[id].name)} searchlight" for id, _ in lights_on(battle, ship))
    if ship.live("fires"):
        found.append("its fires")
    if ship.log.get("lit") is True:
        found.append("the umpire's word")
    return tuple(found)


def lights_on(battle: Battle, ship: Ship) -> tuple[tuple[str, str], ...]:
    """The searchlights of others that fall on a ship: each as its ship and the field that holds it."""
    return tuple(
        (other.id, "lights")
        for other in battle.ships.values()
        if acts(battle, other) and any(mark.text == ship.id for mark in other.live("lights"))
    )


def illuminated(battle: Battle, ship: Ship) -> bool:
    """Whether a ship is lit; what guns and torpedoes of a phase set alight lights it from the phase's end."""
    seen = battle.start if battle.phase in (GUNNERY, TORPEDO_PHASE) else battle
    return bool(lit_by(seen, seen.ships.get(ship.id, ship)))


def prepare_table(battle: Battle, order: Order) -> PreparedOrder:
    """`table`: day, dusk or night, and the causes of low visibility (GQ2-NIT-6, GQ2-GUN-2)."""
    value, causes = order.text("light"), order.number(VISIBILITY)
    nothing = impossible(f"table: say light {DAY}, {DUSK} or {NIGHT}, or visibility N")

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if value:
            builder.write(Op.TABLE, "", "light", value)
            builder.because(f"it is {value} from here on", "GQ2-NIT-6")
        if causes is not None:
            builder.write(Op.TABLE, "", VISIBILITY, causes)
            text = f"poor visibility adds {causes} to every straddle die from here on"
            builder.because(text if causes else "visibility is good from here on", "GQ2-GUN-2")

    return PreparedOrder(findings=() if value or causes is not None else (nothing,), decide=decide)


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
