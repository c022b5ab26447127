"""What ships have moved, recorded or assumed, what they may, and the courses that damage forces on them."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Order, Slot
from qf_tui.core.possible_orders import shared_out
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.text import Distance, Scalar, exact
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_family.game import AGROUND, ON_GROUND, STEPS, Game, shown
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    OPENING,
    available_speed,
    marked_boxes,
    out_of_play,
    speed_of_boxes,
)

COURSES = ("90 left", "45 left", "45 right", "90 right")
"""Directions that damage forces, as marks and orders write them."""


@frozen
class Course:
    """A course that damage forces: how many degrees, 0 where it is without a figure, and which way."""

    degrees: int
    way: str

    @classmethod
    def of(cls, text: str) -> "Course":
        """A course as a mark writes it: `45 left`, `full turn left`."""
        figure, _, way = text.partition(" ")
        return cls(int(figure), way) if figure.isdecimal() else cls(0, text)

    @property
    def sign(self) -> str:
        """In short: `D45L`, or without a figure by its last word, `DL`."""
        return f"D{self.degrees or ''}{self.way.rpartition(' ')[2][:1].upper()}"

    def __str__(self) -> str:
        return f"{self.degrees}° {self.way}" if self.degrees else self.way


def steering(ship: Ship) -> Course | None:
    """The course that the newest direction hit forces on a ship; None if none does."""
    live = ship.live("course")
    return Course.of(live[-1].text) if live else None


def steered_words(ship: Ship, course: Course) -> str:
    """The words that say that a ship is steered by her damage."""
    return f"{ship.name} is steered {course} by its damage"


TWICE = "twice"
"""The entry of a log that says that last turn's movement had a second pivot."""

PIVOTS: Mapping[int, int] = {8: 45, 7: 90, 6: 90, 5: 90, 4: 90, 3: 45, 2: 45, 1: 0, 0: 0}
"""The greatest pivot in degrees by the box in use."""


@frozen
class Movement:
    """What a ship has moved this turn, recorded or assumed: boxes used up, and distance on the table.

    A second pivot uses up a box that is no distance.
    """

    boxes: int
    distance: Fraction
    assumed: bool


def boxes_for(game: Game, battle: Battle, ship: Ship, distance: Fraction) -> int:
    """The least number of eighths of the printed speed that reach a distance."""
    eighth = speed_of_boxes(game, battle, ship, 1)
    return 0 if eighth == 0 else -((-distance) // eighth)


def meant(game: Game, battle: Battle, ship: Ship, typed: Fraction, *, twice: bool = False) -> Fraction:
    """The distance that a typed one counts as.

    It is a value of the ship (whole boxes, a limit, last turn's distance) if it equals it, or else equals
    what is shown for it, or else is at most half a step above whole boxes or the limit. Where logs count the
    distance itself it is only never taken for more than the limit by that half step.
    """
    unit = game.measures(battle).unit
    least, most = voluntary(game, battle, ship, twice=twice)
    limits, values = [most], [least, most]
    if not game.measured:
        limits += [speed_of_boxes(game, battle, ship, boxes) for boxes in range(BOXES + 1)]
        last = last_turn(game, battle, ship)
        values += limits if last is None else [*limits, last]
    if typed in values:
        return typed
    alike = [value for value in values if not game.measured and shown(unit, value) == typed]
    alike += [least] if shown(unit, least, up=True) == typed else []
    if alike:
        return min(alike, key=lambda value: abs(value - typed))
    return max((limit for limit in limits if 0 < typed - limit <= STEPS[unit] / 2), default=typed)


def voluntary(game: Game, battle: Battle, ship: Ship, *, twice: bool = False) -> tuple[Fraction, Fraction]:
    """The least and greatest distance that a ship may choose this turn; the first turn is free.

    `twice`: with a second pivot, whose box counts as speed in some games.
    """
    available, last = available_speed(game, battle, ship), last_used(game, battle, ship)
    if last is None:
        return Fraction(0), available
    change = speed_of_boxes(game, battle, ship, game.change(battle))
    box = speed_of_boxes(game, battle, ship, int(twice and game.by_used(battle)))
    least, most = max(Fraction(0), min(available, last - change)), min(available, last + change)
    return max(Fraction(0), least - box), max(Fraction(0), most - box)


def last_used(game: Game, battle: Battle, ship: Ship) -> Fraction | None:
    """What a ship used last turn, as it counts for the change of speed; None in the first turn."""
    went = last_went(ship)
    if went is None or not ship.log.get(TWICE) or not game.by_used(battle):
        return went
    return went + speed_of_boxes(game, battle, ship, 1)


def movement(game: Game, battle: Battle, ship: Ship) -> Movement:
    """A ship's movement this turn.

    Without a record its last recorded speed, before any its opening speed, which is full speed unless told;
    aground it has none, whatever it did before (AQF-PH-8).
    """
    if ship.ashore or ship.status == AGROUND:
        return Movement(0, Fraction(0), assumed=False)
    if ship.log.get("moved") is not None:
        return _recorded(game, battle, ship)
    went = last_went(ship)
    if went is not None and battle.phase != game.movement:
        return Movement(boxes_for(game, battle, ship, went), went, assumed=True)
    available = available_speed(game, battle, battle.start.ships.get(ship.id, ship))
    last = last_distance(ship)
    if last is None:
        last = opening_speed(game, battle, ship)
    distance = available if last is None else min(last, available)
    return Movement(boxes_for(game, battle, ship, distance), distance, assumed=True)


def _recorded(game: Game, battle: Battle, ship: Ship) -> Movement:
    if game.measured:
        distance = exact(ship.log["moved"])
        return Movement(boxes_for(game, battle, ship, distance), distance, assumed=False)
    boxes = ship.count("moved")
    last = last_distance(ship)
    if last is not None and boxes - boxes_for(game, battle, ship, last) in (0, 1):
        return Movement(boxes, last, assumed=False)
    return Movement(boxes, speed_of_boxes(game, battle, ship, boxes), assumed=False)


def last_distance(ship: Ship) -> Fraction | None:
    """The distance last recorded, in the battle's unit, or None."""
    return _logged(ship, "distance")


def last_went(ship: Ship) -> Fraction | None:
    """The distance of last turn, recorded or assumed; None in the first turn."""
    return _logged(ship, "went")


def last_turn(game: Game, battle: Battle, ship: Ship) -> Fraction | None:
    """What a ship used last turn, recorded or assumed; in the first turn its opening speed, if it is told."""
    went = last_used(game, battle, ship)
    return opening_speed(game, battle, ship) if went is None else went


def opening_speed(game: Game, battle: Battle, ship: Ship) -> Fraction | None:
    """The speed that a scenario states of a ship as the battle begins, in the battle's unit, or None."""
    speed = ship.log.get(OPENING)
    return None if speed is None else game.scaled(battle, ship, speed)


def _logged(ship: Ship, field: str) -> Fraction | None:
    value = ship.log.get(field)
    return exact(value) if isinstance(value, str) else None


def moved_words(game: Game, battle: Battle, ship: Ship) -> str:
    """A ship's movement in words: `8 boxes (6″)`."""
    moved = movement(game, battle, ship)
    return f"{in_boxes(moved.boxes)} ({game.said(battle, moved.distance)})"


def assumption(game: Game, battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The words that say which movement is assumed, where a shot or torpedo depends on it."""
    if not movement(game, battle, ship).assumed:
        return ()
    return (f"assumed: {ship.name} moved {moved_words(game, battle, ship)}",)


def in_boxes(count: int) -> str:
    """A count of speed boxes in words."""
    return "1 box" if count == 1 else f"{count} boxes"


def forced_pivot(game: Game, battle: Battle, ship: Ship, boxes: int) -> tuple[int, str]:
    """The angle of each of the two pivots that damage forces on a ship that uses those boxes, and its side.

    0 where it forces none: no mark in degrees, no pivots in this battle, or less than two boxes.
    """
    course = steering(ship)
    if course is None or not course.degrees or not game.pivots(battle) or boxes < 2:
        return 0, ""
    return min(course.degrees, PIVOTS[min(BOXES, boxes)]), course.way


def steered(battle: Battle) -> tuple[str, ...]:
    """The words that say which ships afloat are steered by their damage."""
    each = ((ship, steering(ship)) for ship in battle.ships.values() if ship.afloat)
    return tuple(steered_words(ship, course) for ship, course in each if course is not None)


def note_movement(game: Game, battle: Battle, builder: DecisionBuilder) -> None:
    """Movement ends: how far a ship without a record is taken to have gone, whatever hits it later."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is None:
            _note(builder, ship, "went", movement(game, battle, ship).distance)
            _note_twice(builder, ship, twice=False)


def forget_movement(game: Game, battle: Battle, builder: DecisionBuilder) -> None:
    """A new turn: what was recorded becomes last turn's speed, what was not stays assumed."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is not None:
            recorded = _recorded(game, battle, ship)
            _note(builder, ship, "distance", recorded.distance)
            _note(builder, ship, "went", recorded.distance)
            _note_twice(
                builder, ship, twice=recorded.boxes > boxes_for(game, battle, ship, recorded.distance)
            )
            builder.record(ship.id, "moved", None)


def boxes_by_hand(game: Game, builder: DecisionBuilder, id: str) -> None:
    """Boxes that were set by hand are all of them distance."""
    ship = builder.ship(id)
    if ship.log.get("moved") is not None:
        distance = speed_of_boxes(game, builder.battle, ship, ship.count("moved"))
        builder.record(id, "distance", str(distance), hand=True)


def _note(builder: DecisionBuilder, ship: Ship, field: str, distance: Fraction) -> None:
    if _logged(ship, field) != distance:
        builder.record(ship.id, field, str(distance))


def _note_twice(builder: DecisionBuilder, ship: Ship, *, twice: bool) -> None:
    if bool(ship.log.get(TWICE)) != twice:
        builder.record(ship.id, TWICE, twice or None)


MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", kinds.SHIPS, "ships, or @division", identifies=True),
        Slot("distance", kinds.MEASURE, "boxes used, or a distance", bare=True, most=8),
        Slot("pivots", kinds.COUNT, "pivots", keyword="pivots", optional=True, least=0, most=2),
    ),
    phases=("movement",),
    help="boxes used up this turn (0 to 8), or the distance moved; a second pivot uses up a box",
)


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
