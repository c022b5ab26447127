"""What ships have moved, recorded or assumed, what they may, and the courses that damage forces on them."""

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.text import exact
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.scales import STEPS, shown
from qf_tui.rules.quickfire_family.ship import AGROUND, BOXES, OPENING, available_speed, speed_of_boxes

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
