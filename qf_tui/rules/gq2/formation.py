"""Formations and the battle turn (GQ2-MV-2, GQ2-MV-3)."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import exact
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2 import steering
from qf_tui.rules.gq2.forms import DAY, FORMATION, TURN_ABOUT
from qf_tui.rules.gq2.lights import light
from qf_tui.rules.gq2.rating import is_of
from qf_tui.rules.gq2.ship import CAPITAL, FORMATIONS, binding, code, sails, turns_made
from qf_tui.rules.gq2.targets import of_phase

ASTERN = FORMATIONS[0]


def formation(battle: Battle, division: str) -> str:
    """The formation of a division; in line astern by default."""
    return str(battle.table.get(f"formation.@{division}") or ASTERN)


def members(battle: Battle, division: str) -> tuple[Ship, ...]:
    """The ships of a division that still sail in it, as the scenario has them in line."""
    ships = (ship for ship in battle.ships.values() if ship.division == division and not ship.ashore)
    return tuple(ship for ship in ships if sails(battle, ship))


def _turned_round(division: str) -> str:
    """The table's word on whether the rear ship of a division leads it since a battle turn (GQ2-MV-3)."""
    return f"turned-round.@{division}"


def leader(battle: Battle, division: str) -> tuple[Ship, ...]:
    """The ship at the head of a division that still sails in it; after a battle turn the rear (GQ2-MV-3)."""
    ships = members(battle, division)
    return ships[-1:] if battle.table.get(_turned_round(division)) is True else ships[:1]


def changes(battle: Battle, division: str) -> tuple[str, ...]:
    """The changes of formation of a division this turn."""
    return tuple(act.text("formation") for act in battle.done(FORMATION.word, division))


def turned_about(battle: Battle, ship: Ship) -> bool:
    """Whether a ship's line turns about this turn (GQ2-MV-3)."""
    return TURN_ABOUT in changes(battle, ship.division)


def prepare_formation(battle: Battle, order: Order) -> PreparedOrder:
    """`formation`: a division's one change of a turn (GQ2-MV-2, GQ2-MV-3)."""
    division, wanted = order.text("division").lstrip("@"), order.text("formation")
    found, ahead = [*of_phase(battle, FORMATION)], leader(battle, division)
    if changes(battle, division):
        found.append(refused(f"@{division} has changed its formation this turn", "GQ2-MV-2"))
    elif wanted == formation(battle, division):
        found.append(refused(f"@{division} sails in line {wanted} already", "GQ2-MV-2"))
    if wanted == TURN_ABOUT:
        found.extend(_no_turn_about(battle, division))
    # In all other changes the rest form on their leader.
    turning = [one for one in members(battle, division) if wanted == TURN_ABOUT or one not in ahead]
    held = ", ".join(ship.name for ship in turning if binding(battle, ship, "bridge"))
    if held:
        found.append(refused(f"{held}: a hit bridge holds the course, and that takes a turn", "GQ2-CRI-C"))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.remember(FORMATION.word, division, formation=wanted)
        if wanted == TURN_ABOUT:
            text = f"@{division} turns about, from the rear ship, and turns no more this turn"
            builder.because(text, "GQ2-MV-3")
            back = battle.table.get(_turned_round(division)) is True
            builder.write(Op.TABLE, "", _turned_round(division), not back)
            for ship in _moved_before(battle, division):
                steering.record_made(builder, ship, exact(ship.log["moved"]), steering.ABOUT)
            return
        builder.write(Op.TABLE, "", f"formation.@{division}", wanted)
        builder.because(f"@{division} forms line {wanted}", "GQ2-MV-2")
        if wanted != ASTERN:
            names = ", ".join(ship.name for ship in members(battle, division))
            builder.because(f"after all movement a wander check of {names}", "GQ2-MV-2")

    return PreparedOrder(findings=tuple(found), decide=decide)


def _no_turn_about(battle: Battle, division: str) -> list[Finding]:
    found = []
    others = [
        ship for ship in members(battle, division) if not is_of(ship, "german") or code(ship) not in CAPITAL
    ]
    if others:
        names = ", ".join(ship.name for ship in others)
        found.append(refused(f"only German capital ships turn about so: not {names}", "GQ2-MV-3"))
    if formation(battle, division) != ASTERN:
        found.append(refused(f"@{division} is not in line astern", "GQ2-MV-3"))
    if light(battle) != DAY:
        found.append(refused("the battle turn is for daylight", "GQ2-MV-3"))
    if any(turns_made(ship) for ship in members(battle, division)):
        found.append(refused(f"a ship of @{division} has turned this turn", "GQ2-MV-3"))
    for ship in _moved_before(battle, division):
        if steering.cost(ship, steering.ABOUT):
            found += steering.out_of_reach(battle, ship, exact(ship.log["moved"]), steering.ABOUT)
    return found


def _moved_before(battle: Battle, division: str) -> tuple[Ship, ...]:
    """The ships of a division whose move was recorded ahead of its change of formation."""
    return tuple(ship for ship in members(battle, division) if ship.log.get("moved") is not None)
