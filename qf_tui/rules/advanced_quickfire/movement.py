"""Movement: the distance that a ship used, and what may be asked of it later (AQF-MV)."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.effects import Op
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.ledger import Ledger
from qf_tui.core.measure import Distance, decimal
from qf_tui.core.orders import Order
from qf_tui.core.system import Faces, Ready
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.scales import measures
from qf_tui.rules.advanced_quickfire.ship import (
    BOXES,
    available_speed,
    speed_of_boxes,
)

PIVOTS: Mapping[int, int] = {8: 45, 7: 90, 6: 90, 5: 90, 4: 90, 3: 45, 2: 45, 1: 0, 0: 0}
"""The greatest pivot in degrees by the box in use (AQF-MV-2)."""


@frozen
class Movement:
    """What a ship has moved this turn: boxes and distance, recorded or assumed (AQF-MV-1)."""

    boxes: int
    distance: Fraction
    assumed: bool


def boxes_for(battle: Battle, ship: Ship, distance: Fraction) -> int:
    """The least number of eighths of the printed speed that reach a distance (AQF-MV-1)."""
    eighth = speed_of_boxes(battle, ship, 1)
    return 0 if eighth == 0 else -((-distance) // eighth)


def movement(battle: Battle, ship: Ship) -> Movement:
    """A ship's movement this turn; without a record its last recorded speed, at first its full speed."""
    if ship.log.get("moved") is not None:
        boxes = ship.count("moved")
        return Movement(boxes, _distance(battle, ship, boxes), assumed=False)
    went = _told(ship, "went")
    if went is not None and battle.phase != "movement":
        return Movement(boxes_for(battle, ship, went), went, assumed=True)
    available = available_speed(battle, battle.start.ships.get(ship.id, ship))
    last = last_distance(ship)
    distance = available if last is None else min(last, available)
    return Movement(boxes_for(battle, ship, distance), distance, assumed=True)


def _distance(battle: Battle, ship: Ship, boxes: int) -> Fraction:
    last = last_distance(ship)
    if last is not None and boxes_for(battle, ship, last) == boxes:
        return last
    return speed_of_boxes(battle, ship, boxes)


def last_distance(ship: Ship) -> Fraction | None:
    """The distance last recorded, in the battle's unit, or None."""
    return _told(ship, "distance")


def _told(ship: Ship, field: str) -> Fraction | None:
    value = ship.log.get(field)
    return Fraction(value) if isinstance(value, str) else None


def assumption(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The words that say which movement is assumed, where a shot or torpedo depends on it."""
    moved = movement(battle, ship)
    if not moved.assumed:
        return ()
    return (f"assumed: {ship.name} moved {moved.boxes} boxes ({in_unit(battle, moved.distance)})",)


def in_unit(battle: Battle, distance: Fraction) -> str:
    """A distance with the battle's unit; inches in vulgar fractions."""
    unit = measures(battle).unit
    if unit != "in":
        return f"{decimal(round(distance, 1))} {unit}"
    whole, rest = divmod(distance, 1)
    signs = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾", Fraction(0): ""}
    if rest in signs:
        return f"{whole or (0 if rest == 0 else '')}{signs[rest]}″"
    return f"{decimal(round(distance, 2))}″"


def prepare_move(battle: Battle, order: Order) -> Ready:
    """`move`: every ship named uses the same boxes or the same distance."""
    ships = [battle.ships[id] for id in order.many("ships")]
    findings = [finding for ship in ships for finding in _hindrances(battle, ship, order)]

    def decide(faces: Faces, ledger: Ledger) -> None:
        _move(battle, ships, order, ledger)

    reminders = tuple(text for text, _ in _told_together(ships, lambda ship: _advice(battle, ship, order)))
    return Ready(findings=tuple(findings), decide=decide, reminders=reminders)


def _asked(battle: Battle, ship: Ship, order: Order) -> Fraction:
    value = order.slots["distance"]
    if isinstance(value, Distance):
        return value.to(measures(battle).unit)
    return speed_of_boxes(battle, ship, value if isinstance(value, int) else 0)


def _hindrances(battle: Battle, ship: Ship, order: Order) -> list[Finding]:
    asked, available = _asked(battle, ship, order), available_speed(battle, ship)
    name = ship.name
    found = list(out_of_play(ship))
    if battle.phase != "movement":
        found.append(refused(f"{name}: ships move in the movement phase only", "AQF-PH-1"))
    if ship.log.get("moved") is not None:
        found.append(refused(f"{name} has moved this turn: amend that entry instead", "AQF-MV-1"))
    if asked > available:
        found.append(
            refused(
                f"{name}: {in_unit(battle, asked)} is more than the {in_unit(battle, available)} available",
                "AQF-MV-1",
            )
        )
    least, most = voluntary(battle, ship)
    if not found and not least <= asked <= most:
        span = f"{in_unit(battle, least)} to {in_unit(battle, most)}"
        found.append(
            refused(
                f"{name}: from last turn's speed it may go {span}, not {in_unit(battle, asked)}", "AQF-MV-4"
            )
        )
    return found


def voluntary(battle: Battle, ship: Ship) -> tuple[Fraction, Fraction]:
    """The least and greatest distance of a ship's own will this turn (AQF-MV-4); the first turn is free."""
    available, last = available_speed(battle, ship), _told(ship, "went")
    if last is None:
        return Fraction(0), available
    change = speed_of_boxes(battle, ship, int(option(battle, "speed_change")))
    return max(Fraction(0), min(available, last - change)), min(available, last + change)


def out_of_play(ship: Ship) -> tuple[Finding, ...]:
    """A sunk ship takes no orders (AQF-SNK-2), nor does one that has left the battle."""
    if ship.afloat:
        return ()
    clause = "AQF-SNK-2" if ship.status == "sunk" else "AQF-PH-7"
    return (refused(f"{ship.name} is {ship.status} and takes no orders", clause),)


def _move(battle: Battle, ships: list[Ship], order: Order, ledger: Ledger) -> None:
    for ship in ships:
        distance = _asked(battle, ship, order)
        ledger.record(ship.id, "moved", min(BOXES, boxes_for(battle, ship, distance)))
        ledger.record(ship.id, "distance", str(distance))
    for words, clause in _told_together(ships, lambda ship: _told_of(battle, ship, order)):
        ledger.because(words, clause)


Words = list[tuple[str, str]]


def _told_together(ships: list[Ship], tell: Callable[[Ship], Words]) -> Words:
    """What is to be said of each ship, ships of which the same is said named together."""
    names: dict[tuple[str, str], list[str]] = {}
    for ship in ships:
        for said in tell(ship):
            names.setdefault(said, []).append(ship.name)
    return [(f"{', '.join(named)}: {text}", clause) for (text, clause), named in names.items()]


def _told_of(battle: Battle, ship: Ship, order: Order) -> Words:
    distance = _asked(battle, ship, order)
    boxes = boxes_for(battle, ship, distance)
    moved = (f"{in_unit(battle, distance)}, {min(BOXES, boxes)} boxes", "AQF-MV-1")
    return [moved, *_advice(battle, ship, order)]


def _advice(battle: Battle, ship: Ship, order: Order) -> Words:
    """What people judge on the table: pivots, what a second one costs, and a course that steers (AQF-MV-2, 3, 6)."""
    asked = _asked(battle, ship, order)
    boxes = min(BOXES, boxes_for(battle, ship, asked))
    advice = [(f"pivots of at most {PIVOTS[boxes]}°", "AQF-MV-2")]
    if order.number("pivots") == 2:
        eighth = speed_of_boxes(battle, ship, 1)
        left = in_unit(battle, max(Fraction(0), asked - eighth))
        between = in_unit(battle, eighth)
        advice.append((f"two pivots, so {left} of movement, {between} at least between them", "AQF-MV-3"))
    if steered := steering(ship):
        advice.append((f"steered by its damage, {steered}", "AQF-MV-6"))
    return advice


def steering(ship: Ship) -> str:
    """The course that the newest direction hit forces on a ship, or nothing (AQF-MV-6)."""
    live = ship.live("course")
    return live[-1].text if live else ""


def prepare_initiative(battle: Battle, order: Order) -> Ready:
    """`initiative`: both sides' dice, the higher moves first (AQF-PH-5)."""
    switch = option(battle, "initiative")
    sides = (order.text("side"), order.text("other"))
    die = Die(12)
    findings = []
    if sides[0] == sides[1]:
        findings.append(impossible("initiative: name two sides, each with its die"))
    if switch == "simultaneous":
        findings.append(refused("all ships move at once: turn the switch `initiative` first", "AQF-PH-5"))
    if switch == "once" and battle.table.get("moves_first"):
        findings.append(
            refused(f"{battle.table['moves_first']} moves first for the whole battle", "AQF-PH-5")
        )
    if battle.done("initiative", ""):
        findings.append(refused("initiative was thrown for this turn: amend that entry instead", "AQF-PH-5"))
    if battle.phase != "movement":
        findings.append(refused("initiative is thrown for in the movement phase", "AQF-PH-5"))
    if len(order.dice) == 2 and order.dice[0] == order.dice[1]:
        findings.append(impossible("initiative: equal dice; throw again"))

    def decide(faces: Faces, ledger: Ledger) -> None:
        first = sides[0] if faces[0] > faces[1] else sides[1]
        ledger.write(Op.TABLE, "", "moves_first", first)
        ledger.remember("initiative", "", first)
        ledger.because(f"{first} moves first ({faces[0]} against {faces[1]})", "AQF-PH-5")

    dice = (die, die)
    return Ready(
        findings=tuple(findings),
        dice=dice,
        missing=lambda faces: dice[len(faces) :],
        decide=decide,
        may_wait=False,
    )


def note_movement(battle: Battle, ledger: Ledger) -> None:
    """Movement ends: how far a ship without a record is taken to have gone, whatever hits it later (AQF-MV-1)."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is None:
            _note(ledger, ship, "went", movement(battle, ship).distance)


def forget_movement(battle: Battle, ledger: Ledger) -> None:
    """A new turn: what was recorded becomes last turn's speed, what was not stays assumed (AQF-MV-1)."""
    for ship in battle.ships.values():
        if ship.log.get("moved") is not None:
            distance = _distance(battle, ship, ship.count("moved"))
            _note(ledger, ship, "distance", distance)
            _note(ledger, ship, "went", distance)
            ledger.record(ship.id, "moved", None)


def _note(ledger: Ledger, ship: Ship, field: str, distance: Fraction) -> None:
    if _told(ship, field) != distance:
        ledger.record(ship.id, field, str(distance))
