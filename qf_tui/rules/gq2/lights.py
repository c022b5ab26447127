"""Daylight, and who is lit by whom (GQ2-NIT-3, GQ2-NIT-6)."""

from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.errors import impossible
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2.forms import DAY, DUSK, GUNNERY, NIGHT, TORPEDOES, VISIBILITY
from qf_tui.rules.gq2.rating import is_of
from qf_tui.rules.gq2.ship import acts

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
    seen = battle.start if battle.phase in (GUNNERY, TORPEDOES) else battle
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
