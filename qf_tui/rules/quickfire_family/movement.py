"""Movement: the distance that a ship used, and what may be asked of it later."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance, Scalar, exact
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ship import BOXES, available_speed, in_degrees, speed_of_boxes
from qf_tui.rules.quickfire_family.targeting import out_of_play

PIVOTS: Mapping[int, int] = {8: 45, 7: 90, 6: 90, 5: 90, 4: 90, 3: 45, 2: 45, 1: 0, 0: 0}
"""The greatest pivot in degrees by the box in use."""


@frozen
class Movement:
    """What a ship has moved this turn: boxes and distance, recorded or assumed."""

    boxes: int
    distance: Fraction
    assumed: bool


def boxes_for(game: Game, battle: Battle, ship: Ship, distance: Fraction) -> int:
    """The least number of eighths of the printed speed that reach a distance."""
    eighth = speed_of_boxes(game, battle, ship, 1)
    return 0 if eighth == 0 else -((-distance) // eighth)


def movement(game: Game, battle: Battle, ship: Ship) -> Movement:
    """A ship's movement this turn; without a record its last recorded speed, at first its full speed."""
    if ship.log.get("moved") is not None:
        return _recorded(game, battle, ship)
    went = _logged(ship, "went")
    if went is not None and battle.phase != game.movement:
        return Movement(boxes_for(game, battle, ship, went), went, assumed=True)
    available = available_speed(game, battle, battle.start.ships.get(ship.id, ship))
    last = last_distance(ship)
    distance = available if last is None else min(last, available)
    return Movement(boxes_for(game, battle, ship, distance), distance, assumed=True)


def _recorded(game: Game, battle: Battle, ship: Ship) -> Movement:
    if game.measured:
        distance = exact(ship.log["moved"])
        return Movement(boxes_for(game, battle, ship, distance), distance, assumed=False)
    boxes = ship.count("moved")
    return Movement(boxes, _distance(game, battle, ship, boxes), assumed=False)


def _distance(game: Game, battle: Battle, ship: Ship, boxes: int) -> Fraction:
    last = last_distance(ship)
    if last is not None and boxes_for(game, battle, ship, last) == boxes:
        return last
    return speed_of_boxes(game, battle, ship, boxes)


def last_distance(ship: Ship) -> Fraction | None:
    """The distance last recorded, in the battle's unit, or None."""
    return _logged(ship, "distance")


def _logged(ship: Ship, field: str) -> Fraction | None:
    value = ship.log.get(field)
    return Fraction(value) if isinstance(value, str) else None


def assumption(game: Game, battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The words that say which movement is assumed, where a shot or torpedo depends on it."""
    moved = movement(game, battle, ship)
    if not moved.assumed:
        return ()
    return (f"assumed: {ship.name} moved {in_boxes(moved.boxes)} ({game.said(battle, moved.distance)})",)


def in_boxes(count: int) -> str:
    """A count of speed boxes in words."""
    return "1 box" if count == 1 else f"{count} boxes"


def prepare_move(game: Game, battle: Battle, order: Order) -> PreparedOrder:
    """`move`: every ship named uses the same boxes or the same distance."""
    ships = [battle.ships[id] for id in order.many("ships")]
    findings = [finding for ship in ships for finding in _hindrances(game, battle, ship, order)]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        _move(game, battle, ships, order, builder)

    advice = _said_together(ships, lambda ship: _advice(game, battle, ship, order))
    reminders = tuple(text for text, _ in advice)
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=reminders)


def _asked(game: Game, battle: Battle, ship: Ship, order: Order) -> Fraction:
    value = order.slots["distance"]
    if isinstance(value, Distance):
        return game.amount(battle, value)
    return speed_of_boxes(game, battle, ship, value if isinstance(value, int) else 0)


def _hindrances(game: Game, battle: Battle, ship: Ship, order: Order) -> list[Finding]:
    asked, available = _asked(game, battle, ship, order), available_speed(game, battle, ship)
    name, found = ship.name, _at_all(game, battle, ship)
    if asked > available:
        asks, has = game.said(battle, asked), game.said(battle, available)
        found.append(refused(f"{name}: {asks} is more than the {has} available", game.clauses.moved))
    least, most = voluntary(game, battle, ship)
    if not found and not least <= asked <= most:
        span = f"{game.said(battle, least)} to {game.said(battle, most)}"
        found.append(
            refused(
                f"{name}: from last turn's speed it may go {span}, not {game.said(battle, asked)}",
                game.clauses.change,
            )
        )
    return found


def _at_all(game: Game, battle: Battle, ship: Ship) -> list[Finding]:
    """What hinders any move of a ship."""
    found = list(out_of_play(game, ship))
    if battle.phase != game.movement:
        found.append(refused(f"{ship.name}: ships move in the movement phase only", game.clauses.phases))
    if ship.log.get("moved") is not None:
        found.append(
            refused(f"{ship.name} has moved this turn: amend that entry instead", game.clauses.moved)
        )
    return found


def may_move(game: Game, battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still move: some distance is not refused."""
    return not _at_all(game, battle, ship)


def voluntary(game: Game, battle: Battle, ship: Ship) -> tuple[Fraction, Fraction]:
    """The least and greatest distance that a ship may choose this turn; the first turn is free."""
    available, last = available_speed(game, battle, ship), _logged(ship, "went")
    if last is None:
        return Fraction(0), available
    change = speed_of_boxes(game, battle, ship, game.change(battle))
    return max(Fraction(0), min(available, last - change)), min(available, last + change)


def _move(game: Game, battle: Battle, ships: list[Ship], order: Order, builder: DecisionBuilder) -> None:
    for ship in ships:
        distance = _asked(game, battle, ship, order)
        builder.record(ship.id, "moved", _counted(game, battle, ship, distance))
        builder.record(ship.id, "distance", str(distance))
    went = _said_together(ships, lambda ship: [_went(game, battle, ship, order)], always_named=True)
    advice = _said_together(ships, lambda ship: _advice(game, battle, ship, order))
    for text, clause in (*went, *advice):
        builder.because(text, clause)


def _counted(game: Game, battle: Battle, ship: Ship, distance: Fraction) -> Scalar:
    """A distance as the log counts it: in the unit of the scale, or in boxes."""
    if game.measured:
        return int(distance) if distance.denominator == 1 else float(distance)
    return min(BOXES, boxes_for(game, battle, ship, distance))


Said = tuple[str, str]
"""A sentence, and its clause."""


def _said_together(
    ships: list[Ship], words_of: Callable[[Ship], list[Said]], *, always_named: bool = False
) -> list[Said]:
    """What is to be said of the ships of an order, each once, with the names of those it is said of.

    What is said of all of them has no names, unless `always_named`.
    """
    names: dict[Said, list[str]] = {}
    for ship in ships:
        for said in words_of(ship):
            names.setdefault(said, []).append(ship.name)
    return [
        (text if len(ids) == len(ships) and not always_named else f"{', '.join(ids)}: {text}", clause)
        for (text, clause), ids in names.items()
    ]


def _went(game: Game, battle: Battle, ship: Ship, order: Order) -> Said:
    distance = _asked(game, battle, ship, order)
    boxes = boxes_for(game, battle, ship, distance)
    return f"{game.said(battle, distance)}, {in_boxes(min(BOXES, boxes))}", game.clauses.moved


def _advice(game: Game, battle: Battle, ship: Ship, order: Order) -> list[Said]:
    """What people judge on the table: pivots, what a second one costs, and a course that steers."""
    asked = _asked(game, battle, ship, order)
    boxes = min(BOXES, boxes_for(game, battle, ship, asked))
    advice = [(f"pivots of at most {PIVOTS[boxes]}°", game.clauses.pivots)] if game.pivots(battle) else []
    if game.pivots(battle) and order.number("pivots") == 2:
        eighth = speed_of_boxes(game, battle, ship, 1)
        left = game.said(battle, max(Fraction(0), asked - eighth))
        between = game.said(battle, eighth)
        advice.append(
            (f"two pivots, so {left} of movement, {between} at least between them", game.clauses.second_pivot)
        )
    if steered := steering(ship):
        advice.append((f"steered by its damage, {in_degrees(steered)}", game.clauses.steered))
    return advice


def steering(ship: Ship) -> str:
    """The course that the newest direction hit forces on a ship, or nothing."""
    live = ship.live("course")
    return live[-1].text if live else ""


def steered(battle: Battle) -> tuple[str, ...]:
    """The words that say which ships afloat are steered by their damage."""
    return tuple(
        f"{ship.name} is steered {in_degrees(steering(ship))} by its damage"
        for ship in battle.ships.values()
        if ship.afloat and steering(ship)
    )


def note_movement(game: Game, battle: Battle, builder: DecisionBuilder) -> None:
    """Movement ends: how far a ship without a record is taken to have gone, whatever hits it later."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is None:
            _note(builder, ship, "went", movement(game, battle, ship).distance)


def forget_movement(game: Game, battle: Battle, builder: DecisionBuilder) -> None:
    """A new turn: what was recorded becomes last turn's speed, what was not stays assumed."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is not None:
            distance = _recorded(game, battle, ship).distance
            _note(builder, ship, "distance", distance)
            _note(builder, ship, "went", distance)
            builder.record(ship.id, "moved", None)


def _note(builder: DecisionBuilder, ship: Ship, field: str, distance: Fraction) -> None:
    if _logged(ship, field) != distance:
        builder.record(ship.id, field, str(distance))
