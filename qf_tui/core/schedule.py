"""What the schedule asks as a turn begins, and what answers it; how close each side is to its victory.

Each question names the order that answers it: `join` for ships that arrive, the rule system's own order for a
changed condition of the table, `note` for a remark. That order answers it whenever and however it is entered,
so that entries move with corrections. `answer KEY no` drops the question.
"""

from collections.abc import Iterator
from contextlib import suppress

from qf_tui.core.builtin_forms import JOIN, NOTE, all_forms
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Event, PreparedOrder, unplayable
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.reader import read_resolved
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar, joined, plural, value_text
from qf_tui.core.values import WITHDRAWN, Battle, Condition, Due, Order, Owed, Ship, replace


def counted(battle: Battle, condition: Condition) -> int:
    """How many ships count for a condition."""
    # Most ships are afloat, which no condition counts.
    there = (ship for ship in battle.ships.values() if ship.status in condition.status)
    return sum(
        concerns(ship, condition) and (condition.edge in ("", ship.edge) or ship.status != WITHDRAWN)
        for ship in there
    )


def concerns(ship: Ship, condition: Condition) -> bool:
    """Whether a condition is about a ship."""
    kind = str(ship.card.get("kind") or "").casefold()
    return ship.side == condition.of and condition.kind.casefold() in ("", kind)


def standing_text(battle: Battle, condition: Condition) -> str:
    """Where a condition stands: `Japan: 1 of 6 battleships of Russia sunk or struck`."""
    kind = condition.kind or "ship"
    what = kind if condition.count == 1 else plural(kind)
    owner = f" of {battle.side_name(condition.of)}" if condition.of != condition.side else ""
    off = f"off the {condition.edge} edge"
    done = " or ".join(off if text == WITHDRAWN and condition.edge else text for text in condition.status)
    note = f" ({condition.note})" if condition.note else ""
    number = counted(battle, condition)
    return f"{battle.side_name(condition.side)}: {number} of {condition.count} {what}{owner} {done}{note}"


def standings(battle: Battle) -> tuple[str, ...]:
    """Where every condition stands; one that is met says so."""
    met = {True: " · reached", False: ""}
    return tuple(
        f"{standing_text(battle, condition)}{met[counted(battle, condition) >= condition.count]}"
        for condition in battle.plan.victory
    )


def is_won(battle: Battle) -> bool:
    """Whether a condition of victory is met."""
    return any(counted(battle, condition) >= condition.count for condition in battle.plan.victory)


def newly_reached(before: Battle, after: Battle) -> tuple[Event, ...]:
    """The conditions that are met, and were not before."""
    if before.ships is after.ships:
        return ()
    return tuple(
        Event(f"victory is reached: {standing_text(after, condition)}")
        for condition in after.plan.victory
        if counted(after, condition) >= condition.count > counted(before, condition)
    )


def events(system: RuleSystem, before: Battle, after: Battle) -> tuple[Event, ...]:
    """The events of an entry for the story of the evening: those of its rules, and victory."""
    return (*system.events(before, after), *newly_reached(before, after))


SCHEDULE = "schedule"
"""The line of its questions."""
NO = "no"
"""The word that answers them all."""


def owe_due(system: RuleSystem, builder: DecisionBuilder) -> None:
    """Owes what falls due on the turn that has begun; what the rule system does not have is remarked."""
    for due in builder.battle.plan.schedule:
        if due.turn != builder.battle.turn:
            continue
        for text, order in _changes(system, due):
            if order is None:
                builder.remark(f"{text}: {system.title} does not track this, so keep it in mind")
        for prompt, order in asked_of(system, builder.battle, due):
            builder.owe(SCHEDULE, "", prompt, words=(NO,), order=order)
            builder.because(prompt)


def asked_of(system: RuleSystem, battle: Battle, due: Due) -> list[tuple[str, Order]]:
    """What is asked as one item of the schedule falls due, each with the order that answers it."""
    changes = _changes(system, due)
    asked = [*_arrivals(battle, due), *((text, order) for text, order in changes if order is not None)]
    if asked:
        (prompt, order), *rest = asked
        return [(f"{prompt}: {due.note}" if due.note else prompt, order), *rest]
    text = due.note or ", ".join(text for text, _ in changes)
    return [(text, Order(NOTE, {"text": tuple(text.split())}))] if text else []


def _changes(system: RuleSystem, due: Due) -> list[tuple[str, Order | None]]:
    """The conditions of the table that change, each with its order; None where the rules have none."""
    return [
        (f"{name} {value_text(value)}", _table_order(system, name, value))
        for name, value in due.table.items()
    ]


def to_come(battle: Battle) -> tuple[str, ...]:
    """What falls due on later turns, each in a line: `turn 4: Japan: fifth arrives from the north`."""
    lines = []
    for due in battle.plan.schedule:
        if due.turn > battle.turn:
            changes = [f"{name} {value_text(value)}" for name, value in due.table.items()]
            parts = [*(prompt for prompt, _ in _arrivals(battle, due)), *changes, due.note]
            lines.append(f"turn {due.turn}: {' · '.join(part for part in parts if part)}")
    return tuple(lines)


def _arrivals(battle: Battle, due: Due) -> Iterator[tuple[str, Order]]:
    for side in battle.sides:
        ids = tuple(id for id in due.ships if (ship := _arriving(battle, id)) and ship.side == side.id)
        if ids:
            order = Order(JOIN, {"side": side.id, "ships": ids})
            yield f"{side.name}: {arriving_text(battle, due, ids)}", order


def _arriving(battle: Battle, id: str) -> Ship | None:
    return battle.reserve.get(id) or battle.ships.get(id)


def arriving_text(battle: Battle, due: Due, ids: tuple[str, ...]) -> str:
    """Ships by their divisions, with where they come from: `fifth and sixth arrive from the north`."""
    ships = [ship for id in ids if (ship := _arriving(battle, id))]
    titles = {division.id: division.name for side in battle.sides for division in side.divisions}
    names = list(dict.fromkeys(titles.get(ship.division, ship.name) for ship in ships))
    arrive = "arrive" if len(names) > 1 else "arrives"
    return f"{joined(names)} {arrive} {due.where or '(where, the umpire says)'}"


def _table_order(system: RuleSystem, name: str, value: Scalar) -> Order | None:
    """The order that gives a condition of the table a value; None where the rule system has none."""
    if all(condition.name != name for condition in system.conditions):
        return None
    for form in system.forms:
        slot = form.slot(name)
        if slot is not None and slot.keyword == name and all(other.optional for other in form.slots):
            with suppress(OrderRefused):
                return read_resolved(f"{form.word} {name} {value_text(value)}", all_forms(system))
    return None


def find_scheduled_order(owed: Owed) -> Order | None:
    """Return the order that the schedule asks for, or None for a question that is not the schedule's."""
    return owed.order if owed.line == SCHEDULE else None


def asked_for(battle: Battle, order: Order) -> Owed | None:
    """The question of the schedule that an order is the answer to, if one is owed."""
    return next((owed for owed in battle.owed if find_scheduled_order(owed) == order.bare), None)


def settle_met(builder: DecisionBuilder, order: Order) -> None:
    """Takes off the queue what the schedule asked and an order has brought about.

    Ships that have not come yet are still asked for; a remark answers one question.
    """
    remarks = int(order.form is NOTE)
    for owed in builder.battle.owed:
        if owed.line != SCHEDULE or owed.order is None:
            continue
        left: Owed | None = owed
        if owed.order.form is NOTE:
            left, remarks = (None, remarks - 1) if remarks else (owed, remarks)
        elif owed.order.form is JOIN:
            ids = owed.order.many("ships")
            absent = tuple(id for id in ids if id not in builder.battle.ships)
            if len(absent) < len(ids):
                left = replace(owed, order=owed.order.with_slot("ships", absent)) if absent else None
        elif all(builder.battle.table.get(name) == value for name, value in owed.order.slots.items()):
            left = None
        if left is not owed:
            builder.settle(owed)
            if left is not None:
                builder.write(Op.OWE, owed.ship, owed.line, left)


def prepare_no(owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepares the answer in words to a question of the schedule: it does not happen."""
    if words != (NO,):
        how = f"enter `{owed.order.line}`, or " if owed.order is not None else ""
        return unplayable(f"{owed.prompt}: {how}`answer {owed.key} {NO}`")
    return PreparedOrder(decide=lambda faces, builder: builder.because(f"not so: {owed.prompt}"))
