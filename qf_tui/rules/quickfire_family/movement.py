"""Movement in the Quickfire games: recorded, assumed and possible moves of ships, and the `move` order.

A `Mover` knows what one ship has moved and may move; a `Move` is one move that an order asks of her.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import ceil, floor

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder, Effect, Op
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.system import share_out
from qf_tui.core.text import Distance, Scalar, to_fraction
from qf_tui.core.values import Battle, Faces, Form, Order, Ship, Slot, SlotValue
from qf_tui.rules.quickfire_family.game import AGROUND, AGROUND_CLAUSE, STEP_BY_UNIT, Game, round_distance
from qf_tui.rules.quickfire_family.ship import BOXES, OPENING, count_marked_boxes, refuse_out_of_play

MOVE = Form(
    "move",
    "m",
    "Move",
    (
        Slot("ships", kinds.SHIPS, "ships, or @division", identifies=True),
        Slot("distance", kinds.MEASURE, "boxes used, or a distance", bare=True, most=8),
        Slot("pivots", kinds.COUNT, "pivots", keyword="pivots", optional=True, least=0, most=2),
        kinds.build_shares_slot("distance"),
    ),
    phases=("movement",),
    help="boxes used up this turn (0 to 8), or the distance moved; a second pivot uses up a box",
)

COURSES = ("90 left", "45 left", "45 right", "90 right")
"""The directions that damage forces, as marks and orders write them."""
CHANGE_MOST = 3
"""The greatest number of boxes by which the switch `speed_change` lets ships change their speed."""
SECOND_PIVOT = "twice"
"""The key of a log that is set if last turn's movement had a second pivot."""
PIVOT_BY_BOX: Mapping[int, int] = {8: 45, 7: 90, 6: 90, 5: 90, 4: 90, 3: 45, 2: 45, 1: 0, 0: 0}
"""The greatest pivot in degrees, by the box in use."""


@frozen
class Course:
    """A course that damage forces.

    Attributes:
        degrees: Angle of the turn; 0 for a course without a figure, such as a full turn.
        direction: Side, such as `left`, or the whole course if it has no figure.
    """

    degrees: int
    direction: str

    @classmethod
    def parse(cls, text: str) -> "Course":
        """Parse a course as a mark writes it, such as `45 left` or `full turn left`."""
        figure, _, side = text.partition(" ")
        return cls(int(figure), side) if figure.isdecimal() else cls(0, text)

    @property
    def sign(self) -> str:
        """A short form: `D45L`, or `DL` for a course without a figure."""
        return f"D{self.degrees or ''}{self.direction.rpartition(' ')[2][:1].upper()}"

    def __str__(self) -> str:
        return f"{self.degrees}° {self.direction}" if self.degrees else self.direction


def find_forced_course(ship: Ship) -> Course | None:
    """Return the course that the newest direction hit forces on a ship; None if she has none."""
    marks = ship.live("course")
    return Course.parse(marks[-1].text) if marks else None


def _format_steered(ship: Ship, course: Course) -> str:
    """Format the sentence that a ship's damage decides her course."""
    return f"{ship.name} is steered {course} by its damage"


def format_boxes(count: int) -> str:
    """Format a number of speed boxes."""
    return "1 box" if count == 1 else f"{count} boxes"


@frozen
class Movement:
    """The movement of a ship this turn.

    Attributes:
        boxes: Boxes used up, with the box of a second pivot.
        distance: Distance on the table, in the unit of the scale.
        assumed: True if no movement was recorded.
    """

    boxes: int
    distance: Fraction
    assumed: bool


@frozen
class Mover:
    """A ship that moves, in a battle of a game. All distances are in the unit of the battle's scale."""

    game: Game
    battle: Battle
    ship: Ship

    def measure_boxes(self, boxes: int) -> Fraction:
        """Return the distance of a number of boxes, each an eighth of the printed speed."""
        return self.game.scale_speed(self.battle, self.ship, self.ship.card.get("speed"), boxes)

    @property
    def available_distance(self) -> Fraction:
        """The greatest distance that the ship can move now; 0 if she is aground.

        Rule: AQF-PH-8.
        """
        if self.ship.status == AGROUND:
            return Fraction(0)
        return self.measure_boxes(BOXES - count_marked_boxes(self.ship))

    def count_boxes(self, distance: Fraction) -> int:
        """Return the least number of boxes that reach a distance; 0 if the ship's boxes have no length."""
        eighth = self.measure_boxes(1)
        return 0 if eighth == 0 else -((-distance) // eighth)

    @property
    def movement(self) -> Movement:
        """The ship's movement this turn, assumed if none is recorded.

        The assumed distance is the last one recorded, or else the opening speed, or else full speed; it is
        never more than the ship could make as the phase began. A battery on land, or a ship aground, has not
        moved, whatever is recorded.

        Rule: AQF-PH-8.
        """
        if self.ship.is_land_battery or self.ship.status == AGROUND:
            return Movement(0, Fraction(0), assumed=False)
        if self.ship.log.get("moved") is not None:
            return self.recorded_movement
        # `went` is logged as movement ends; until then it holds last turn's distance.
        distance = self.read_distance("went")
        if distance is None or self.battle.phase == self.game.movement:
            start_ship = self.battle.start.ships.get(self.ship.id, self.ship)
            available = Mover(self.game, self.battle, start_ship).available_distance
            last_distance = self.read_distance("distance")
            if last_distance is None:
                last_distance = self.opening_speed
            distance = available if last_distance is None else min(last_distance, available)
        return Movement(self.count_boxes(distance), distance, assumed=True)

    @property
    def recorded_movement(self) -> Movement:
        """The movement that the log records: its distance if that agrees with its boxes, else the boxes."""
        if self.game.logs_distance:
            distance = to_fraction(self.ship.log["moved"])
            return Movement(self.count_boxes(distance), distance, assumed=False)
        boxes = self.ship.count("moved")
        last_distance = self.read_distance("distance")
        # The recorded distance agrees with the boxes, or leaves one of them for a second pivot.
        if last_distance is not None and boxes - self.count_boxes(last_distance) in (0, 1):
            return Movement(boxes, last_distance, assumed=False)
        return Movement(boxes, self.measure_boxes(boxes), assumed=False)

    def read_distance(self, field: str) -> Fraction | None:
        """Return a distance of the ship's log, or None if it has none.

        Args:
            field: `distance` for the last one recorded, `went` for last turn's, recorded or assumed.
        """
        value = self.ship.log.get(field)
        return to_fraction(value) if isinstance(value, str) else None

    @property
    def opening_speed(self) -> Fraction | None:
        """The speed that the scenario states for the start of the battle, or None."""
        speed = self.ship.log.get(OPENING)
        return None if speed is None else self.game.scale_speed(self.battle, self.ship, speed)

    @property
    def last_used_speed(self) -> Fraction | None:
        """Last turn's speed, from which the speed may change; None in turn 1.

        In some games the box of a second pivot counts as speed.
        """
        distance = self.read_distance("went")
        has_second_pivot = self.ship.log.get(SECOND_PIVOT)
        if distance is None or not has_second_pivot or not self.game.counts_second_pivot(self.battle):
            return distance
        return distance + self.measure_boxes(1)

    @property
    def last_speed(self) -> Fraction | None:
        """Last turn's speed; in turn 1 the opening speed that the scenario states, or None."""
        speed = self.last_used_speed
        return self.opening_speed if speed is None else speed

    def find_speed_limits(self, *, second_pivot: bool = False) -> tuple[Fraction, Fraction]:
        """Return the least and greatest distance that the ship may choose this turn.

        They follow from damage and from last turn's speed; in turn 1 only from damage.

        Args:
            second_pivot: True for a move with a second pivot, whose box counts as speed in some games.
        """
        available = self.available_distance
        last_speed = self.last_used_speed
        if last_speed is None:
            return Fraction(0), available
        change = self.measure_boxes(self.game.find_speed_change(self.battle))
        # A ship that damage slows by more than the change may go as fast as she still can.
        least = max(Fraction(0), min(available, last_speed - change))
        most = min(available, last_speed + change)
        if not (second_pivot and self.game.counts_second_pivot(self.battle)):
            return least, max(Fraction(0), most)
        # The box of the second pivot is part of the speed but adds no distance.
        box = self.measure_boxes(1)
        return max(Fraction(0), least - box), max(Fraction(0), most - box)

    def interpret_distance(self, typed: Fraction, *, second_pivot: bool = False) -> Fraction:
        """Return the exact distance that a typed, rounded one means; the typed one if no exact one fits.

        Exact distances are the least, the greatest, whole boxes and last turn's speed; if logs count the
        distance itself, only the least and the greatest.
        """
        unit = self.game.find_measures(self.battle).unit
        logs_distance = self.game.logs_distance
        least, most = self.find_speed_limits(second_pivot=second_pivot)
        last_speed = None if logs_distance else self.last_speed
        whole_boxes = [] if logs_distance else [self.measure_boxes(boxes) for boxes in range(BOXES + 1)]
        exact_distances = [least, most, *whole_boxes, *([] if last_speed is None else [last_speed])]
        if typed in exact_distances:
            return typed
        # Distances are shown rounded down, a least one rounded up. A log of distances keeps the typed one.
        rounded_down = [] if logs_distance else exact_distances
        shown_alike = [exact for exact in rounded_down if round_distance(unit, exact) == typed]
        if round_distance(unit, least, up=True) == typed:
            shown_alike.append(least)
        if shown_alike:
            return min(shown_alike, key=lambda exact: abs(exact - typed))
        # A typed distance may be half a step too great.
        half_step = STEP_BY_UNIT[unit] / 2
        a_little_less = [exact for exact in (most, *whole_boxes) if 0 < typed - exact <= half_step]
        return max(a_little_less, default=typed)

    def format_distance(self, distance: Fraction) -> str:
        """Format a distance, rounded down."""
        return self.game.format_distance(self.battle, distance)

    @property
    def movement_text(self) -> str:
        """The ship's movement this turn as text: `8 boxes (6″)`."""
        return f"{format_boxes(self.movement.boxes)} ({self.format_distance(self.movement.distance)})"

    @property
    def assumption(self) -> tuple[str, ...]:
        """A note of the movement that a shot or torpedo assumes; () if the movement is recorded."""
        return (f"assumed: {self.ship.name} moved {self.movement_text}",) if self.movement.assumed else ()

    def find_forced_pivot(self, boxes: int) -> tuple[int, str]:
        """Return the angle and side of the two pivots that damage forces on a move of this number of boxes.

        It is (0, "") if damage forces no pivots: no course in degrees, no pivots in this battle, or less than
        two boxes.
        """
        course = find_forced_course(self.ship)
        if course is None or not course.degrees or not self.game.uses_pivots(self.battle) or boxes < 2:
            return 0, ""
        return min(course.degrees, PIVOT_BY_BOX[min(BOXES, boxes)]), course.direction

    @property
    def is_steered(self) -> bool:
        """True if damage forces pivots on the ship when she moves at full speed."""
        return self.find_forced_pivot(BOXES)[0] > 0

    @property
    def distance_with_second_pivot(self) -> Fraction:
        """The greatest distance that leaves a box for a second pivot."""
        return max(Fraction(0), self.available_distance - self.measure_boxes(1))

    def list_findings(self) -> list[Finding]:
        """Return the findings against any move of the ship."""
        clauses, name = self.game.clauses, self.ship.name
        findings = list(refuse_out_of_play(self.game, self.ship))
        if self.ship.is_land_battery:
            findings.append(refused(f"{name} is a battery on land and does not move", clauses.moved))
        if self.battle.phase != self.game.movement:
            findings.append(refused("ships move in the movement phase only", clauses.phases))
        else:
            findings.extend(self.game.list_order_findings(self.battle, self.ship.side))
        if self.ship.log.get("moved") is not None:
            findings.append(refused(f"{name} has moved this turn: amend that entry instead", clauses.moved))
        return findings

    def list_offers(self) -> Iterator[str]:
        """List the moves that the ship's damage and speed allow, the fastest first, with forced pivots."""
        for boxes in range(BOXES - count_marked_boxes(self.ship), -1, -1):
            move = _build_move_by_boxes(self, boxes, pivots=None)
            least, most = self.find_speed_limits(second_pivot=move.has_second_pivot)
            if least <= move.distance <= most:
                text = f"{format_boxes(boxes)} {self.format_distance(move.distance)}"
                yield f"{text}, {move.pivot_text}" if move.angle else text


SteeredOffer = tuple[Ship, tuple[object, ...], str]
"""A ship, all else that the text depends on, and the text that says how she is steered."""


def build_steered_offers(
    game: Game, battle: Battle, known: Mapping[int, SteeredOffer]
) -> Mapping[int, SteeredOffer]:
    """Return a text for each ship afloat that damage steers: her course, and the fastest move she may make.

    Args:
        known: Offers of earlier calls. One is used again if all that its text depends on is unchanged.

    Returns:
        The offers by `id()` of the ship. An offer holds its ship, so no other ship can get this id.
    """
    offers: dict[int, SteeredOffer] = {}
    bases: dict[str, tuple[object, ...]] = {}
    for ship in battle.ships.values():
        if not ship.afloat or not ship.live("course"):
            continue
        if ship.side not in bases:
            is_blocked = bool(game.list_order_findings(battle, ship.side))
            bases[ship.side] = is_blocked, battle.phase, battle.options, battle.table
        basis = bases[ship.side]
        _, known_basis, text = known.get(id(ship), (ship, None, ""))
        if known_basis != basis:
            text = _build_steered_offer(Mover(game, battle, ship))
        offers[id(ship)] = ship, basis, text
    return offers


def _build_steered_offer(mover: Mover) -> str:
    """Format a steered ship's course, with the fastest move she may make if she can move now."""
    course = find_forced_course(mover.ship)
    assert course is not None
    offers = islice(mover.list_offers(), 1) if mover.is_steered and not mover.list_findings() else ()
    return ": ".join((_format_steered(mover.ship, course), *offers))


def log_assumed_speeds(game: Game, battle: Battle, builder: DecisionBuilder) -> None:
    """Log the assumed distance of ships without a recorded move, as movement ends.

    Later damage then no longer changes this distance.
    """
    effects: list[Effect] = []
    for ship in battle.ships.values():
        if ship.log.get("moved") is None:
            mover = Mover(game, battle, ship)
            effects += [
                *_log_distance(mover, mover.movement.distance, "went"),
                *_log_second_pivot(ship, second_pivot=False),
            ]
    builder.write_all(effects)


def log_recorded_speeds(game: Game, battle: Battle, builder: DecisionBuilder) -> None:
    """Log each recorded move as last turn's speed, and clear it, as a new turn begins.

    Ships without a recorded move keep the assumed speed that is logged already.
    """
    effects: list[Effect] = []
    for ship in battle.ships.values():
        if ship.log.get("moved") is not None:
            mover = Mover(game, battle, ship)
            movement = mover.recorded_movement
            # A box more than the distance needs is that of a second pivot.
            second_pivot = movement.boxes > mover.count_boxes(movement.distance)
            effects += [
                *_log_distance(mover, movement.distance, "distance", "went"),
                *_log_second_pivot(ship, second_pivot=second_pivot),
            ]
            effects.append(Effect(Op.SET, ship.id, "moved", None))
    builder.write_all(effects)


def _log_distance(mover: Mover, distance: Fraction, *fields: str) -> Iterator[Effect]:
    """Yield the effects that set these fields of a log to a distance; none for a field that has it."""
    for field in fields:
        if mover.read_distance(field) != distance:
            yield Effect(Op.SET, mover.ship.id, field, str(distance))


def _log_second_pivot(ship: Ship, *, second_pivot: bool) -> Iterator[Effect]:
    """Yield the effect that logs whether last turn had a second pivot; none if the log says so already."""
    # The log has None for no second pivot.
    if bool(ship.log.get(SECOND_PIVOT)) != second_pivot:
        yield Effect(Op.SET, ship.id, SECOND_PIVOT, second_pivot or None)


def set_boxes_by_hand(game: Game, builder: DecisionBuilder, id: str) -> None:
    """Record the distance of boxes that the umpire set by hand."""
    ship = builder.ship(id)
    if ship.log.get("moved") is not None:
        distance = Mover(game, builder.battle, ship).measure_boxes(ship.count("moved"))
        builder.record(id, "distance", str(distance), hand=True)


Sentence = tuple[str, str]
"""A remark about a move, and its clause."""


@frozen
class Move:
    """The part of a move order for one ship.

    Attributes:
        boxes: Boxes used up, with the box of a second pivot.
        distance: Distance on the table, in the unit of the scale.
        pivots: Number of pivots; None if neither the order nor damage gives one.
        angle: Angle of each pivot that damage forces, in degrees; 0 if it forces none.
        side: Side of the forced pivots; "" if there are none.
    """

    mover: Mover
    boxes: int
    distance: Fraction
    pivots: int | None
    angle: int = 0
    side: str = ""

    @property
    def name(self) -> str:
        return self.mover.ship.name

    @property
    def has_second_pivot(self) -> bool:
        """True if a second pivot used up a box."""
        return self.pivots == 2

    @property
    def pivot_text(self) -> str:
        """The two pivots that damage forces, as text."""
        return f"two pivots of {self.angle}° {self.side}"

    @property
    def logged_value(self) -> Scalar:
        """The movement as the log counts it: the distance in the unit of the scale, or the boxes."""
        if not self.mover.game.logs_distance:
            return min(BOXES, self.boxes)
        return int(self.distance) if self.distance.denominator == 1 else float(self.distance)

    def format_exceeding(self, *limits: Fraction) -> str:
        """Format the distance; exactly, if rounded it would look like one of the limits that it breaks."""
        return self.mover.game.format_exceeding(self.mover.battle, self.distance, *limits)

    def list_findings(self) -> list[Finding]:
        """Return the findings against the move.

        Too great a change of speed is reported only if there is no other finding.
        """
        mover = self.mover
        findings = mover.list_findings()
        available = mover.available_distance
        if self.distance > available and mover.ship.status == AGROUND:
            findings.append(refused(f"{self.name} is aground: its movement is 0", AGROUND_CLAUSE))
        elif self.distance > available:
            asked = self.format_exceeding(available)
            limit = mover.format_distance(available)
            text = f"{self.name}: {asked} is more than the {limit} available"
            findings.append(refused(text, mover.game.clauses.moved))
        findings += self._list_steering_findings() or self._list_pivot_findings()
        return findings or self._list_change_findings()

    def _list_pivot_findings(self) -> list[Finding]:
        """Return the findings against the pivots: too slow to pivot, or no box left for the second."""
        clauses = self.mover.game.clauses
        room = self.mover.distance_with_second_pivot
        if self.pivots and PIVOT_BY_BOX[min(BOXES, self.boxes)] == 0:
            text = f"{self.name} cannot pivot with {format_boxes(self.boxes)}: there is no steerageway"
            return [refused(text, clauses.pivots)]
        if self.has_second_pivot and self.distance > room:
            asked = self.format_exceeding(room)
            limit = self.mover.format_distance(room)
            text = f"{self.name}: {asked} is more than the {limit} that two pivots leave"
            return [refused(text, clauses.second_pivot)]
        return []

    def _list_steering_findings(self) -> list[Finding]:
        """Return the finding against a move of a ship whose course damage forces, or [].

        She must pivot twice and move whole boxes, and leave one of her boxes for the second pivot.
        """
        mover = self.mover
        course = find_forced_course(mover.ship)
        box = mover.measure_boxes(1)
        # With less than two boxes a ship cannot pivot twice.
        goes_straight = self.boxes < 2 and self.distance in (0, box)
        if course is None or not mover.is_steered or goes_straight:
            return []
        is_whole_boxes = box and (self.distance / box).denominator == 1
        leaves_box = self.distance <= mover.distance_with_second_pivot
        if self.has_second_pivot and is_whole_boxes and leaves_box:
            return []
        offers = "; ".join(mover.list_offers()) or "it does not move"
        return [refused(f"{_format_steered(mover.ship, course)}: {offers}", mover.game.clauses.steered)]

    def _list_change_findings(self) -> list[Finding]:
        """Return the finding against too great a change from last turn's speed, or []."""
        mover, game, battle = self.mover, self.mover.game, self.mover.battle
        least, most = mover.find_speed_limits(second_pivot=self.has_second_pivot)
        last_speed = mover.last_used_speed
        # In turn 1 there is no speed to change from.
        if last_speed is None or least <= self.distance <= most:
            return []
        last_distance = mover.read_distance("went")
        # A distance that is not the last one recorded was assumed.
        is_assumed = last_distance != mover.read_distance("distance")
        assumed = ", as assumed," if is_assumed else ""
        # The speed differs from the distance if a second pivot's box counts.
        used = " used" if last_speed != last_distance else ""
        pivots = " with two pivots" if self.has_second_pivot and game.counts_second_pivot(battle) else ""
        # Name only switches that could allow the move.
        can_allow_more = game.find_speed_change(battle) != CHANGE_MOST
        depends_on_pivots = self.has_second_pivot or mover.ship.log.get(SECOND_PIVOT)
        switches = game.format_switches(
            "speed_change" if can_allow_more else "", "speed_by" if depends_on_pivots else ""
        )
        last_text = f"{mover.format_distance(last_speed)}{used}{assumed}"
        limits = f"{game.format_distance(battle, least, up=True)} to {mover.format_distance(most)}"
        asked = self.format_exceeding(least, most)
        text = (
            f"{self.name}: from last turn's {last_text} it may move{pivots} {limits}, not {asked}{switches}"
        )
        return [refused(text, game.clauses.change)]

    def list_advice(self) -> Iterator[Sentence]:
        """List what players check on the table: a forced course, the greatest pivot, and the second pivot."""
        mover, game, battle = self.mover, self.mover.game, self.mover.battle
        if (course := find_forced_course(mover.ship)) is not None:
            pivots = f": {self.pivot_text}" if self.angle else ""
            yield f"steered by its damage, {course}{pivots}", game.clauses.steered
        if game.uses_pivots(battle) and not self.angle:
            yield f"pivots of at most {PIVOT_BY_BOX[min(BOXES, self.boxes)]}°", game.clauses.pivots
        if self.has_second_pivot:
            between = f"{game.format_distance(battle, mover.measure_boxes(1), up=True)} at least between them"
            text = f"two pivots, so {mover.format_distance(self.distance)} of movement, {between}"
            yield text, game.clauses.second_pivot

    def list_distance_sentence(self) -> Iterator[Sentence]:
        """Yield one sentence: the distance that the ship goes, and its boxes."""
        text = f"{self.mover.format_distance(self.distance)}, {format_boxes(min(BOXES, self.boxes))}"
        yield text, self.mover.game.clauses.moved


def read_move(mover: Mover, order: Order) -> Move:
    """Read the part of a move order for one ship.

    If damage forces pivots on the ship and the order names none, two are added, if the boxes suffice.
    """
    value, game, battle = order.slots["distance"], mover.game, mover.battle
    pivots = order.number("pivots") if game.uses_pivots(battle) else None
    if not isinstance(value, Distance):
        return _build_move_by_boxes(mover, value if isinstance(value, int) else 0, pivots)
    distance = mover.interpret_distance(game.to_scale_unit(battle, value), second_pivot=pivots == 2)
    boxes = mover.count_boxes(distance)
    # A move of one box goes straight if it leaves no box for the second pivot; a longer one is refused.
    has_two_open_boxes = count_marked_boxes(mover.ship) < BOXES - 1
    may_pivot_twice = boxes > 1 or (boxes == 1 and has_two_open_boxes)
    # A second pivot uses up one more box.
    forced_angle, _ = mover.find_forced_pivot(boxes + 1)
    if pivots is None and may_pivot_twice and forced_angle:
        pivots = 2
    if pivots == 2:
        boxes += 1
    return Move(mover, boxes, distance, pivots, *mover.find_forced_pivot(boxes))


def _build_move_by_boxes(mover: Mover, boxes: int, pivots: int | None) -> Move:
    """Build the move that uses up this number of boxes, one of them for a second pivot.

    If damage forces pivots and `pivots` is None, the move gets two.
    """
    angle, side = mover.find_forced_pivot(boxes)
    if angle and pivots is None:
        pivots = 2
    return Move(mover, boxes, mover.measure_boxes(max(0, boxes - (pivots == 2))), pivots, angle, side)


def prepare_move(game: Game, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `move`: all ships use the same boxes or distance, except those with a share in the order."""
    ids = order.list_texts("ships")
    moves = [read_move(Mover(game, battle, battle.ships[id]), order.build_share(id)) for id in ids]
    # A finding that all ships share is listed once.
    findings = dict.fromkeys(finding for move in moves for finding in move.list_findings())
    advice = _combine_sentences(moves, Move.list_advice)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for move in moves:
            builder.record(move.mover.ship.id, "moved", move.logged_value)
            builder.record(move.mover.ship.id, "distance", str(move.distance))
        for text, clause in (
            *_combine_sentences(moves, Move.list_distance_sentence, always_named=True),
            *advice,
        ):
            builder.because(text, clause)

    reminders = tuple(text for text, _ in advice)
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=reminders)


def _combine_sentences(
    moves: list[Move], list_sentences: Callable[[Move], Iterator[Sentence]], *, always_named: bool = False
) -> list[Sentence]:
    """Combine the sentences about several ships: equal ones become one, with all names.

    A sentence about all ships of the order has no names, unless `always_named`.
    """
    names_by_sentence: dict[Sentence, list[str]] = {}
    for move in moves:
        for sentence in list_sentences(move):
            names_by_sentence.setdefault(sentence, []).append(move.name)
    return [
        (text if len(names) == len(moves) and not always_named else f"{', '.join(names)}: {text}", clause)
        for (text, clause), names in names_by_sentence.items()
    ]


def share_move(game: Game, battle: Battle, order: Order) -> Order | None:
    """Reduce a refused move to what each ship can do: the boxes nearest to those asked, the fewer first.

    If logs count the distance itself, each ship goes the nearest whole unit within her limits.
    Return None if no ship can move, the order has a single ship, or nothing changes.
    """

    def list_nearest(single: Order) -> Iterator[SlotValue]:
        """List the distances that a ship may use instead, nearest first."""
        mover = Mover(game, battle, battle.ships[single.list_texts("ships")[0]])
        move = read_move(mover, single)
        if game.logs_distance:
            least, most = mover.find_speed_limits()
            amount = ceil(least) if move.distance < least else floor(most)
            yield Distance(Fraction(amount), game.find_measures(battle).unit)
        else:
            yield from sorted(range(BOXES + 1), key=lambda boxes: (abs(boxes - move.boxes), boxes))

    return share_out(order, lambda single: not prepare_move(game, battle, single).findings, list_nearest)
