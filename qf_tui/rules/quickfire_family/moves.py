"""The order `move`: what it uses up of a ship's boxes, what stands against it, and what people judge."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.possible_orders import shared_out
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.text import Distance, Scalar
from qf_tui.core.values import Battle, Order, Ship
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.movement import (
    PIVOTS,
    boxes_for,
    forced_pivot,
    in_boxes,
    last_distance,
    last_turn,
    last_went,
    meant,
    steered_words,
    steering,
    voluntary,
)
from qf_tui.rules.quickfire_family.ship import (
    AGROUND,
    BOXES,
    ON_GROUND,
    available_speed,
    marked_boxes,
    speed_of_boxes,
)
from qf_tui.rules.quickfire_family.targeting import out_of_play


@frozen
class Move:
    """What an order asks of one ship: the boxes that it uses up, the distance on the table, its pivots.

    `angle` and `side` are those of each pivot where damage steers the ship; else 0. `pivots` is None where
    nothing was said of them.
    """

    ship: Ship
    boxes: int
    distance: Fraction
    pivots: int | None
    angle: int = 0
    side: str = ""

    @property
    def twice(self) -> bool:
        """Whether a box was used up by a second pivot."""
        return self.pivots == 2


def read_move(game: Game, battle: Battle, ship: Ship, order: Order) -> Move:
    """What an order asks of a ship; where damage steers it the two pivots are added, if none are named."""
    value = order.slots["distance"]
    pivots = order.number("pivots") if game.pivots(battle) else None
    if not isinstance(value, Distance):
        return _by_boxes(game, battle, ship, value if isinstance(value, int) else 0, pivots)
    distance = meant(game, battle, ship, game.amount(battle, value), twice=pivots == 2)
    boxes = boxes_for(game, battle, ship, distance)
    if pivots is None and forced_pivot(game, battle, ship, boxes + 1)[0] and _second_fits(ship, boxes):
        pivots = 2
    boxes += pivots == 2
    return Move(ship, boxes, distance, pivots, *forced_pivot(game, battle, ship, boxes))


def _by_boxes(game: Game, battle: Battle, ship: Ship, boxes: int, pivots: int | None) -> Move:
    angle, side = forced_pivot(game, battle, ship, boxes)
    if angle and pivots is None:
        pivots = 2
    distance = speed_of_boxes(game, battle, ship, max(0, boxes - (pivots == 2)))
    return Move(ship, boxes, distance, pivots, angle, side)


def _second_fits(ship: Ship, boxes: int) -> bool:
    """Whether a distance of so many boxes leaves one for a second pivot, and is any distance at all."""
    return boxes > 1 or (boxes == 1 and marked_boxes(ship) < BOXES - 1)


def prepare_move(game: Game, battle: Battle, order: Order) -> PreparedOrder:
    """`move`: every ship named uses the same boxes or the same distance."""
    moves = [read_move(game, battle, battle.ships[id], order) for id in order.many("ships")]
    # What hinders all alike is said once.
    findings = dict.fromkeys(finding for move in moves for finding in _hindrances(game, battle, move))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        _write(game, battle, moves, builder)

    advice = _said_together(moves, lambda move: _advice(game, battle, move))
    reminders = tuple(text for text, _ in advice)
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=reminders)


def _hindrances(game: Game, battle: Battle, move: Move) -> list[Finding]:
    found = _at_all(game, battle, move.ship)
    available = available_speed(game, battle, move.ship)
    if move.distance > available:
        asks = game.said_beside(battle, move.distance, available)
        text = f"{move.ship.name}: {asks} is more than the {game.said(battle, available)} available"
        aground = move.ship.status == AGROUND
        text = f"{move.ship.name} is aground: its movement is 0" if aground else text
        found.append(refused(text, ON_GROUND if aground else game.clauses.moved))
    found += _not_steered(game, battle, move) or _turns_too_much(game, battle, move)
    return found or _changes_too_much(game, battle, move)


def _room_for_second(game: Game, battle: Battle, ship: Ship) -> Fraction:
    """The greatest distance of a ship that pivots twice."""
    eighth = speed_of_boxes(game, battle, ship, 1)
    return max(Fraction(0), available_speed(game, battle, ship) - eighth)


def _turns_too_much(game: Game, battle: Battle, move: Move) -> list[Finding]:
    """What hinders pivots: a first box that gives no steerageway, and no box left for the second."""
    name, room = move.ship.name, _room_for_second(game, battle, move.ship)
    if move.pivots and PIVOTS[min(BOXES, move.boxes)] == 0:
        text = f"{name} cannot pivot with {in_boxes(move.boxes)}: there is no steerageway"
        return [refused(text, game.clauses.pivots)]
    if move.twice and move.distance > room:
        asks, leave = game.said_beside(battle, move.distance, room), game.said(battle, room)
        text = f"{name}: {asks} is more than the {leave} that two pivots leave"
        return [refused(text, game.clauses.second_pivot)]
    return []


def _not_steered(game: Game, battle: Battle, move: Move) -> list[Finding]:
    """What of a move damage does not allow: other pivots than its own, and distances that are not offered."""
    eighth = speed_of_boxes(game, battle, move.ship, 1)
    if not forced_pivot(game, battle, move.ship, BOXES)[0]:
        return []
    if move.boxes < 2 and move.distance in (0, eighth):
        return []
    whole = eighth and (move.distance / eighth).denominator == 1
    if move.twice and whole and move.distance <= _room_for_second(game, battle, move.ship):
        return []
    offers = "; ".join(offered(game, battle, move.ship))
    course = steering(move.ship)
    said = steered_words(move.ship, course) if course is not None else move.ship.name
    return [refused(f"{said}: {offers or 'it has no way on'}", game.clauses.steered)]


def offered(game: Game, battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The moves of a ship that damage steers, as far as it may choose: boxes, distance, pivots and angle."""
    found = []
    for boxes in range(BOXES - marked_boxes(ship), -1, -1):
        move = _by_boxes(game, battle, ship, boxes, None)
        least, most = voluntary(game, battle, ship, twice=move.twice)
        if least <= move.distance <= most:
            said = f"{in_boxes(boxes)} {game.said(battle, move.distance)}"
            found.append(f"{said}, {_turning(move)}" if move.angle else said)
    return tuple(found)


def _turning(move: Move) -> str:
    return f"two pivots of {move.angle}° {move.side}"


def steered_offers(game: Game, battle: Battle) -> tuple[str, ...]:
    """The words that say how ships afloat are steered by their damage, and the most that each can do."""
    found = []
    for ship in battle.ships.values():
        if ship.afloat and (course := steering(ship)) is not None:
            said = steered_words(ship, course)
            worked_out = forced_pivot(game, battle, ship, BOXES)[0] and may_move(game, battle, ship)
            offers = offered(game, battle, ship)[:1] if worked_out else ()
            found.append(": ".join((said, *offers)))
    return tuple(found)


def _changes_too_much(game: Game, battle: Battle, move: Move) -> list[Finding]:
    least, most = voluntary(game, battle, move.ship, twice=move.twice)
    if least <= move.distance <= most:
        return []
    last, went = last_turn(game, battle, move.ship) or Fraction(0), last_went(move.ship)
    assumed = "" if last_distance(move.ship) == went else ", as assumed,"
    used = " used" if went not in (None, last) else ""
    pivots = " with two pivots" if move.twice and game.by_used(battle) else ""
    text = (
        f"{move.ship.name}: from last turn's {game.said(battle, last)}{used}{assumed} it may go{pivots} "
        f"{game.said_least(battle, least)} to {game.said(battle, most)}, "
        f"not {game.said_beside(battle, move.distance, least, most)}"
    )
    return [refused(text, game.clauses.change)]


def _at_all(game: Game, battle: Battle, ship: Ship) -> list[Finding]:
    """What hinders any move of a ship."""
    found = list(out_of_play(game, ship))
    if ship.ashore:
        found.append(refused(f"{ship.name} is a battery on land and does not move", game.clauses.moved))
    if battle.phase != game.movement:
        found.append(refused("ships move in the movement phase only", game.clauses.phases))
    else:
        found.extend(game.order_of_moves(battle, ship))
    if ship.log.get("moved") is not None:
        found.append(
            refused(f"{ship.name} has moved this turn: amend that entry instead", game.clauses.moved)
        )
    return found


def may_move(game: Game, battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still move: some distance is not refused."""
    return not _at_all(game, battle, ship)


def _write(game: Game, battle: Battle, moves: list[Move], builder: DecisionBuilder) -> None:
    for move in moves:
        builder.record(move.ship.id, "moved", _counted(game, move))
        builder.record(move.ship.id, "distance", str(move.distance))
    went = _said_together(moves, lambda move: [_went(game, battle, move)], always_named=True)
    advice = _said_together(moves, lambda move: _advice(game, battle, move))
    for text, clause in (*went, *advice):
        builder.because(text, clause)


def _counted(game: Game, move: Move) -> Scalar:
    """A movement as the log counts it: in the unit of the scale, or in boxes."""
    if not game.measured:
        return min(BOXES, move.boxes)
    return int(move.distance) if move.distance.denominator == 1 else float(move.distance)


Said = tuple[str, str]
"""A sentence, and its clause."""


def _said_together(
    moves: list[Move], words_of: Callable[[Move], list[Said]], *, always_named: bool = False
) -> list[Said]:
    """What is said of the ships of an order, each once, with the names of its ships.

    What is said of all of them has no names, unless `always_named`.
    """
    names: dict[Said, list[str]] = {}
    for move in moves:
        for said in words_of(move):
            names.setdefault(said, []).append(move.ship.name)
    return [
        (text if len(ids) == len(moves) and not always_named else f"{', '.join(ids)}: {text}", clause)
        for (text, clause), ids in names.items()
    ]


def _went(game: Game, battle: Battle, move: Move) -> Said:
    return f"{game.said(battle, move.distance)}, {in_boxes(min(BOXES, move.boxes))}", game.clauses.moved


def _advice(game: Game, battle: Battle, move: Move) -> list[Said]:
    """What people judge on the table: pivots, what a second one costs, and a course that steers."""
    advice = []
    if (course := steering(move.ship)) is not None:
        how = f": {_turning(move)}" if move.angle else ""
        advice.append((f"steered by its damage, {course}{how}", game.clauses.steered))
    if game.pivots(battle) and not move.angle:
        greatest = PIVOTS[min(BOXES, move.boxes)]
        advice.append((f"pivots of at most {greatest}°", game.clauses.pivots))
    if move.twice:
        left = game.said(battle, move.distance)
        between = game.said_least(battle, speed_of_boxes(game, battle, move.ship, 1))
        text = f"two pivots, so {left} of movement, {between} at least between them"
        advice.append((text, game.clauses.second_pivot))
    return advice


def possible_moves(game: Game, battle: Battle, order: Order) -> tuple[Order, ...]:
    """A move of several ships as each can make it: the boxes nearest to those asked, the fewer first.

    Where logs count the distance itself it is the nearest whole unit within the ship's limits.
    """

    def nearest(alone: Order) -> Iterator[Order]:
        move = read_move(game, battle, battle.ships[alone.many("ships")[0]], alone)
        if game.measured:
            least, most = voluntary(game, battle, move.ship)
            amount = ceil(least) if move.distance < least else floor(most)
            yield alone.with_slot("distance", Distance(Fraction(amount), game.measures(battle).unit))
        else:
            for boxes in sorted(range(BOXES + 1), key=lambda one: (abs(one - move.boxes), one)):
                yield alone.with_slot("distance", boxes)

    def accepted(one: Order) -> bool:
        return not prepare_move(game, battle, one).findings

    return shared_out(order, "ships", accepted, nearest)
