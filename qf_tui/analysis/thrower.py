"""Whose throw it is: who threw at whom, for what, and what its results are counted by."""

from attrs import frozen

from qf_tui.core.grammar.order import Order
from qf_tui.core.prepare import PreparedEntry
from qf_tui.core.results import ResultKind, kind_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Owed

SHIP, TARGET = "ship", "target"
"""The slots in which an order names who does it and to whom."""


@frozen
class Thrower:
    """Who threw, the target (""), the line or word of the throw, and the kind of its results."""

    ship: str
    target: str
    line: str
    kind: ResultKind | None

    def side(self, battle: Battle) -> str:
        """The side of the ship; "" where no ship throws."""
        ship = battle.ships.get(self.ship)
        return ship.side if ship is not None else ""


def thrower_of(
    system: RuleSystem, timeline: Timeline, battle: Battle, order: Order, entry: PreparedEntry | None
) -> Thrower:
    """Whose throw an order is; `entry` is the order prepared, if it could be.

    A roll for what a shot did to a ship counts for whoever fired it, if its results are damage.
    """
    question = _question(battle, order, entry)
    line = question.line if question is not None else order.word
    kind = kind_of(system.results, line if question is None else system.counted_as(question))
    declared = question.order if question is not None else order
    if declared is not None:
        ship = entry.prepared.ship if entry is not None else ""
        return Thrower(ship or _who(declared), declared.text(TARGET), line, kind)
    owes = question.ship if question is not None else ""
    cause = timeline.versions.get(question.entry) if question is not None else None
    firer = _firer(timeline, cause.order) if cause is not None else ""
    if kind is not None and kind.damage and firer and firer != owes:
        return Thrower(firer, owes, line, kind)
    return Thrower(owes, "", line, kind)


def named_by(order: Order) -> str:
    """The ship that an order is of, or the one that owes the roll that it answers; "" where it names none."""
    return order.asked_by.ship if order.is_answer else _who(order)


def _question(battle: Battle, order: Order, entry: PreparedEntry | None) -> Owed | None:
    if entry is not None:
        return entry.question
    return battle.question(order.key) if order.is_answer else None


def _firer(timeline: Timeline, order: Order) -> str:
    """Who gave the order behind a question: of an answer whoever declared what it answers in the end."""
    while order.is_answer:
        cause = timeline.versions.get(order.cause)
        if cause is None or 0 < cause.order.cause >= order.cause:
            return ""
        order = cause.order
    return _who(order)


def _who(order: Order) -> str:
    """The ship that an order names first."""
    return next((name for slot in (SHIP, f"{SHIP}s") for name in order.many(slot) if name), "")
