"""Movement: inches moved, and what bars a move (GQ2-MV-1, GQ2-CRI-1, GQ2-CRI-2, GQ2-CRI-B)."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance, exact
from qf_tui.core.possible_orders import shared_out
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2 import engines, steering
from qf_tui.rules.gq2.formation import turned_about
from qf_tui.rules.gq2.forms import MOVE, MOVEMENT
from qf_tui.rules.gq2.measures import as_typed, figure, inches, unit, with_unit
from qf_tui.rules.gq2.ship import AGROUND, GIVEN_UP, STEAMING, acts, record_manner, speed, turns_made
from qf_tui.rules.gq2.targets import held_fast, of_phase


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
    if ship.ashore or not (ship.afloat or ship.status in GIVEN_UP):
        return Movement(Fraction(0), assumed=False)
    if ship.log.get("moved") is not None:
        moved = exact(ship.log["moved"])
        return Movement(moved, False, _straight(battle, ship, moved), ship.log.get("evasive") is True)
    went = ship.log.get("went")
    if went is not None and battle.phase != MOVEMENT:
        return Movement(exact(went), assumed=acts(battle, ship) or went != 0)
    if not acts(battle, ship):
        return Movement(Fraction(0), assumed=False)
    now, limit = speed(battle, ship), ship.log.get("told")
    return Movement(now if limit is None else min(exact(limit), now), assumed=True)


def speed_made(battle: Battle, ship: Ship) -> Fraction:
    """The speed that a ship makes this turn, by which she is stationary or fast (GQ2-CRI-C)."""
    moved = movement(battle, ship).inches
    return moved if ship.status == AGROUND else steering.made(ship, moved)


def _straight(battle: Battle, ship: Ship, moved: Fraction) -> bool:
    """Whether a recorded move was straight: without a turn, unless it is said otherwise (GQ2-TOR-9)."""
    said = ship.log.get("straight")
    straight = not turns_made(ship) if said is None else said is True
    return straight and bool(moved) and not turned_about(battle, ship)


def assumption(battle: Battle, ship: Ship, *, course: bool = False) -> tuple[str, ...]:
    """The words that say which movement is assumed, where an attack depends on it, on its course too."""
    moved = movement(battle, ship)
    how = ", not straight" if course and moved.inches else ""
    return (f"assumed: {ship.name} moved {with_unit(battle, moved.inches)}{how}",) if moved.assumed else ()


def prepare_move(battle: Battle, order: Order) -> PreparedOrder:
    """`move`: every ship named moves the same inches in the same way."""
    ships = [battle.ships[id] for id in order.many("ships")]
    # What hinders all alike is said once.
    findings = dict.fromkeys(finding for ship in ships for finding in _hindrances(battle, ship, order))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for ship in ships:
            _record(battle, ship, order, builder)
        names = ", ".join(ship.name for ship in ships)
        builder.because(_words(battle, order), "GQ2-MV-1", of=names)
        for text, clause in _advice(battle, order, ships):
            builder.because(text, clause)

    notes = [f"{text} ({clause})" for text, clause in _advice(battle, order, ships)]
    notes += [
        note for ship in ships for note in steering.reminders(battle, ship, _turns(battle, ship, order))
    ]
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=tuple(notes))


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
    turns = order.number("turns") or 0
    record_inches(battle, ship, inches(battle, order.slots["inches"]), turns, builder)
    record_manner(builder, ship, evasive=order.has("evasive"), turns=turns)


def _hindrances(battle: Battle, ship: Ship, order: Order) -> list[Finding]:
    asked, turns = inches(battle, order.slots["inches"]), order.number("turns") or 0
    found = _at_all(battle, ship)
    if order.has("straight") and turns:
        found.append(impossible("a straight course has no turns"))
    if turns and turned_about(battle, ship):
        found.append(refused(f"{ship.name} turns about with its line, and no more this turn", "GQ2-MV-3"))
    if order.has("straight") and turned_about(battle, ship):
        found.append(
            refused(f"{ship.name} turns about with its line: it moves in no straight line", "GQ2-TOR-9")
        )
    if found:
        return found
    return out_of_reach(battle, ship, asked, turns)


def out_of_reach(battle: Battle, ship: Ship, asked: Fraction, turns: int) -> list[Finding]:
    """What hinders so many inches and turns of 45°, a turn about with the line left out (GQ2-MV-1)."""
    if ship.log.get("state") != STEAMING and asked:
        return [refused(f"{ship.name} is not under way: {engines.words(ship)}", "GQ2-MV-5")]
    return steering.out_of_reach(battle, ship, asked, _with_turn_about(battle, ship, turns))


def possible_moves(battle: Battle, order: Order) -> tuple[Order, ...]:
    """A move of several ships as each can make it: the most inches of those that were asked.

    All are written with the unit, or none is.
    """

    def most(alone: Order) -> Iterator[Order]:
        ship, asked = battle.ships[alone.many("ships")[0]], inches(battle, alone.slots["inches"])
        amounts = (min(asked, speed(battle, ship)), *map(Fraction, range(floor(asked), -1, -1)))
        return (alone.with_slot("inches", as_typed(battle, amount)) for amount in amounts)

    def accepted(one: Order) -> bool:
        return not any(_hindrances(battle, battle.ships[id], one) for id in one.many("ships"))

    parts = shared_out(order, "ships", accepted, most)
    if not any(isinstance(one.slots["inches"], Distance) for one in parts):
        return parts
    each = ((one, inches(battle, one.slots["inches"])) for one in parts)
    return tuple(one.with_slot("inches", Distance(amount, unit(battle))) for one, amount in each)


def _at_all(battle: Battle, ship: Ship) -> list[Finding]:
    """What hinders any move of a ship."""
    found = [*of_phase(battle, MOVE), *held_fast(battle, ship)]
    if ship.ashore:
        found.append(refused(f"{ship.name} is a battery on land and does not move", "GQ2-MV-1"))
    if ship.log.get("moved") is not None:
        found.append(refused(f"{ship.name} has moved this turn: amend that entry instead", "GQ2-MV-1"))
    return found


def may_move(battle: Battle, ship: Ship) -> bool:
    """Whether a ship that is under way may still move: some distance is not refused."""
    return ship.log.get("state") == STEAMING and not _at_all(battle, ship)


def _advice(battle: Battle, order: Order, ships: list[Ship]) -> list[tuple[str, str]]:
    """What people must observe on the table because of hits on board."""
    asked = inches(battle, order.slots["inches"])
    return [
        each for ship in ships for each in steering.advice(battle, ship, asked, _turns(battle, ship, order))
    ]


def _turns(battle: Battle, ship: Ship, order: Order) -> int:
    """The turns of 45° of a move; a turn about with the line is four (GQ2-CRI-2)."""
    return _with_turn_about(battle, ship, order.number("turns") or 0)


def _with_turn_about(battle: Battle, ship: Ship, turns: int) -> int:
    return turns + steering.ABOUT * turned_about(battle, ship)


def record_inches(battle: Battle, ship: Ship, moved: Fraction, turns: int, builder: DecisionBuilder) -> None:
    """The inches that a ship moved, and with a hit rudder the speed that it made."""
    steering.record_made(builder, ship, moved, _with_turn_about(battle, ship, turns))
    builder.record(ship.id, "moved", figure(moved))


def end_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """Movement ends: what each ship went is written down, and its stokers counted (GQ2-MV-4)."""
    for ship in battle.ships.values():
        moved = movement(battle, ship)
        if acts(battle, ship) or ship.log.get("went") is not None:
            _note(builder, ship, "went", moved.inches)
        if not acts(battle, ship):
            continue
        if not moved.assumed or ship.log.get("told") is not None or ship.count("rest"):
            engines.count_stokers(builder, ship, speed_made(battle, ship))


def begin_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """A new turn: what was recorded becomes last turn's speed, and engines come on (GQ2-MV-5)."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is not None:
            _note(builder, ship, "told", steering.carried_on(battle, ship))
            _note(builder, ship, "went", steering.carried_on(battle, ship))
            builder.record(ship.id, "moved", None)
            if ship.log.get("made") is not None:
                builder.record(ship.id, "made", None)
        engines.turn_begins(builder, ship)


def _note(builder: DecisionBuilder, ship: Ship, field: str, amount: Fraction) -> None:
    if ship.log.get(field) != figure(amount):
        builder.record(ship.id, field, figure(amount))
