"""Movement: inches moved, and what bars a move (GQ2-MV-1, GQ2-CRI-1, GQ2-CRI-2, GQ2-CRI-B)."""

from fractions import Fraction

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import exact
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2 import engines
from qf_tui.rules.gq2.formation import turned_about
from qf_tui.rules.gq2.forms import MOVE, MOVEMENT
from qf_tui.rules.gq2.measures import figure, inches, with_unit
from qf_tui.rules.gq2.ship import GIVEN_UP, RUDDER_TURN, STEAMING, binding, speed
from qf_tui.rules.gq2.targets import of_phase, out_of_action


@frozen
class Movement:
    """What a ship has moved this turn, recorded or assumed as last turn."""

    inches: Fraction
    assumed: bool
    straight: bool = False
    evasive: bool = False


def movement(battle: Battle, ship: Ship) -> Movement:
    """A ship's movement this turn; without a record its last recorded speed, at first its full speed.

    A ship that is abandoned in this turn moved before (GQ2-PH-4).
    """
    if not (ship.afloat or ship.status in GIVEN_UP):
        return Movement(Fraction(0), assumed=False)
    if ship.log.get("moved") is not None:
        straight, evasive = ship.log.get("straight") is True, ship.log.get("evasive") is True
        return Movement(exact(ship.log["moved"]), False, straight, evasive)
    went = ship.log.get("went")
    if went is not None and battle.phase != MOVEMENT:
        return Movement(exact(went), assumed=ship.afloat or went != 0)
    if not ship.afloat:
        return Movement(Fraction(0), assumed=False)
    now, limit = speed(battle, ship), ship.log.get("told")
    return Movement(now if limit is None else min(exact(limit), now), assumed=True)


def assumption(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The words that say which movement is assumed, where an attack depends on it."""
    moved = movement(battle, ship)
    return (f"assumed: {ship.name} moved {with_unit(battle, moved.inches)}",) if moved.assumed else ()


def prepare_move(battle: Battle, order: Order) -> PreparedOrder:
    """`move`: every ship named moves the same inches in the same way."""
    ships = [battle.ships[id] for id in order.many("ships")]
    findings = [finding for ship in ships for finding in _hindrances(battle, ship, order)]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for ship in ships:
            _record(battle, ship, order, builder)
        names = ", ".join(ship.name for ship in ships)
        builder.because(_words(battle, order), "GQ2-MV-1", of=names)
        for text, clause in _advice(battle, ships):
            builder.because(text, clause)

    reminders = tuple(f"{text} ({clause})" for text, clause in _advice(battle, ships))
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=reminders)


def _words(battle: Battle, order: Order) -> str:
    turns = order.number("turns") or 0
    said = [with_unit(battle, inches(battle, order.slots["inches"]))]
    said += [word for word in ("straight", "evasive") if order.has(word)]
    said += [f"{turns} turn{'s' if turns > 1 else ''} of 45°"] if turns else []
    return ", ".join(said)


def _record(battle: Battle, ship: Ship, order: Order, builder: DecisionBuilder) -> None:
    """What a ship did.

    How it did it is only added to the inches, so that it need not be taken back (GQ2-MV-1).
    """
    builder.record(ship.id, "moved", figure(inches(battle, order.slots["inches"])))
    done = {
        "straight": order.has("straight"),
        "evasive": order.has("evasive"),
        "turned": order.number("turns") or 0,
    }
    for field, value in done.items():
        if ship.log.get(field) != value:
            builder.record(ship.id, field, value)


def _hindrances(battle: Battle, ship: Ship, order: Order) -> list[Finding]:
    asked, turns = inches(battle, order.slots["inches"]), order.number("turns") or 0
    found = _at_all(battle, ship)
    if order.has("straight") and turns:
        found.append(impossible("a straight course has no turns"))
    if turns and turned_about(battle, ship):
        found.append(refused(f"{ship.name} turns about with its line, and no more this turn", "GQ2-MV-3"))
    if order.has("straight") and turned_about(battle, ship):
        found.append(
            refused(f"{ship.name} turns about with its line: it moves in no straight line", "GQ2-TOR-2")
        )
    if found:
        return found
    if ship.log.get("state") != STEAMING and asked:
        return [refused(f"{ship.name} is not under way: {engines.words(ship)}", "GQ2-MV-5")]
    return _too_fast(battle, ship, asked, turns)


def _at_all(battle: Battle, ship: Ship) -> list[Finding]:
    """What hinders any move of a ship."""
    found = [*of_phase(battle, MOVE), *out_of_action(ship)]
    if ship.log.get("moved") is not None:
        found.append(refused(f"{ship.name} has moved this turn: amend that entry instead", "GQ2-MV-1"))
    return found


def may_move(battle: Battle, ship: Ship) -> bool:
    """Whether a ship that is under way may still move: some distance is not refused."""
    return ship.log.get("state") == STEAMING and not _at_all(battle, ship)


def _too_fast(battle: Battle, ship: Ship, asked: Fraction, turns: int) -> list[Finding]:
    now, name = speed(battle, ship), ship.name
    if asked > now:
        why = f"{name} can make {with_unit(battle, now)}, not {with_unit(battle, asked)}"
        return [refused(why, engines.limit_clause(battle, ship))]
    least, most = engines.voluntary(battle, ship)
    if not least <= asked <= most:
        span = f"{with_unit(battle, least)} to {with_unit(battle, most)}"
        return [refused(f"{name}: from last turn's speed {span}, not {with_unit(battle, asked)}", "GQ2-MV-1")]
    cost = RUDDER_TURN * turns if ship.live("rudder") else Fraction(0)
    if cost and asked > max(Fraction(0), now - cost):
        left = with_unit(battle, max(Fraction(0), now - cost))
        return [
            refused(f"{whose(name)} rudder is hit: with {turns} turns of 45° it makes {left}", "GQ2-CRI-2")
        ]
    return []


def _advice(battle: Battle, ships: list[Ship]) -> list[tuple[str, str]]:
    """What people must observe on the table because of hits on board."""
    found = []
    for ship in ships:
        if binding(battle, ship, "bridge"):
            found.append(
                (f"{ship.name} holds speed and course through the first half of its move", "GQ2-CRI-1")
            )
        if ship.live("rudder"):
            cost = with_unit(battle, RUDDER_TURN)
            found.append((f"{ship.name}: every turn of 45° costs {cost}", "GQ2-CRI-2"))
    return found


def end_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """Movement ends: what each ship went is written down, and its stokers counted (GQ2-MV-4)."""
    for ship in battle.ships.values():
        moved = movement(battle, ship)
        if ship.afloat or ship.log.get("went") is not None:
            _note(builder, ship, "went", moved.inches)
        if not ship.afloat:
            continue
        if not moved.assumed or ship.log.get("told") is not None or ship.count("rest"):
            engines.count_stokers(builder, ship, moved.inches)


def begin_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """A new turn: what was recorded becomes last turn's speed, and engines come on (GQ2-MV-5)."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is not None:
            _note(builder, ship, "told", exact(ship.log["moved"]))
            _note(builder, ship, "went", exact(ship.log["moved"]))
            builder.record(ship.id, "moved", None)
        engines.turn_begins(builder, ship)


def _note(builder: DecisionBuilder, ship: Ship, field: str, amount: Fraction) -> None:
    if ship.log.get(field) != figure(amount):
        builder.record(ship.id, field, figure(amount))
