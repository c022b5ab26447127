"""The schedule of a battle (ships that arrive, conditions that change), its questions, and victory.

Each question names the order that answers it: `join` for arriving ships, the rule system's own order for a
changed condition of the table, `note` for a remark. That order answers the question whenever it is entered,
also by hand, so that corrections may move it. `answer KEY no` drops the question.
"""

from collections.abc import Iterator
from contextlib import suppress

from qf_tui.core.builtin_forms import JOIN, NOTE, list_forms
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Event, PreparedOrder, build_unplayable
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.reader import read_resolved
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar, format_plural, format_ship_value, join_as_sentence
from qf_tui.core.values import WITHDRAWN, Battle, Condition, Due, Order, Owed, Ship, replace


def count_fulfilling(battle: Battle, condition: Condition) -> int:
    """Count the ships that fulfil a condition."""
    return sum(is_fulfilling(ship, condition) for ship in battle.ships.values())


def is_fulfilling(ship: Ship, condition: Condition) -> bool:
    """Return whether a ship fulfils a condition.

    If the condition names an edge, a withdrawn ship must have left by that edge.
    """
    return (
        # Checked first because most ships are afloat, and no condition counts those.
        ship.status in condition.status
        and is_concerned(ship, condition)
        and (condition.edge in ("", ship.edge) or ship.status != WITHDRAWN)
    )


def is_concerned(ship: Ship, condition: Condition) -> bool:
    """Return whether a condition counts this ship, by her side and kind; her status does not matter."""
    kind = str(ship.card.get("kind") or "").casefold()
    return ship.side == condition.of and condition.kind.casefold() in ("", kind)


def format_standing(battle: Battle, condition: Condition) -> str:
    """Format the progress of a condition: `Japan: 1 of 6 battleships of Russia sunk or struck`."""
    side, number = battle.find_side_name(condition.side), count_fulfilling(battle, condition)
    return f"{side}: {number} of {format_aim(battle, condition)}"


def format_aim(battle: Battle, condition: Condition) -> str:
    """Format what a condition asks for: `6 battleships of Russia sunk or struck`."""
    kind = condition.kind or "ship"
    noun = kind if condition.count == 1 else format_plural(kind)
    owner = f" of {battle.find_side_name(condition.of)}" if condition.of != condition.side else ""
    edge_text = f"off the {condition.edge} edge"
    statuses = " or ".join(
        edge_text if text == WITHDRAWN and condition.edge else text for text in condition.status
    )
    note = f" ({condition.note})" if condition.note else ""
    return f"{condition.count} {noun}{owner} {statuses}{note}"


def list_standings(battle: Battle, side: str = "") -> tuple[str, ...]:
    """List the progress of each condition of a side ("" for all), with a note on each that is met."""
    return tuple(
        f"{format_standing(battle, condition)}{' · reached' if _is_met(battle, condition) else ''}"
        for condition in battle.plan.winning
        if side in ("", condition.side)
    )


def _is_met(battle: Battle, condition: Condition) -> bool:
    """Return whether enough ships fulfil a condition of victory."""
    return count_fulfilling(battle, condition) >= condition.count


def is_won(battle: Battle) -> bool:
    """Return whether a condition of victory is met."""
    return any(_is_met(battle, condition) for condition in battle.plan.winning)


def list_newly_reached(before: Battle, after: Battle) -> tuple[Event, ...]:
    """List the conditions that are met after an entry and were not met before, as events."""
    if before.ships is after.ships:
        # Conditions only count ships.
        return ()
    return tuple(
        Event(f"victory is reached: {format_standing(after, condition)}")
        for condition in after.plan.winning
        if _is_met(after, condition) and not _is_met(before, condition)
    )


def list_events(system: RuleSystem, before: Battle, after: Battle) -> tuple[Event, ...]:
    """List the events of an entry for the story of the battle: those of the rules, and victories."""
    return (*system.events(before, after), *list_newly_reached(before, after))


SCHEDULE = "schedule"
"""The line of its questions."""
NO = "no"
"""The word that answers each of its questions."""


def owe_scheduled_questions(system: RuleSystem, builder: DecisionBuilder) -> None:
    """Owe the questions that fall due on the new turn; the answer `no` drops one.

    Changes of conditions that the rule system does not have become remarks.
    """
    for due in builder.battle.plan.schedule:
        if due.turn != builder.battle.turn:
            continue
        for text, order in _list_changes(system, due):
            if order is None:
                builder.remark(f"{text}: {system.title} does not track this, so remember it")
        for prompt, order in list_item_questions(system, builder.battle, due):
            builder.owe(SCHEDULE, "", prompt, words=(NO,), order=order)
            builder.because(prompt)


def list_item_questions(system: RuleSystem, battle: Battle, due: Due) -> list[tuple[str, Order]]:
    """List the questions of one item of the schedule, each with the order that answers it.

    The note of the item is added to the first question. An item without arrivals or known conditions becomes
    one question, which a remark answers.
    """
    changes = _list_changes(system, due)
    questions = [
        *_list_arrivals(battle, due),
        *((text, order) for text, order in changes if order is not None),
    ]
    if questions:
        (prompt, order), *later_questions = questions
        return [(f"{prompt}: {due.note}" if due.note else prompt, order), *later_questions]
    text = due.note or ", ".join(text for text, _ in changes)
    return [(text, Order(NOTE, {"text": tuple(text.split())}))] if text else []


def _list_changes(system: RuleSystem, due: Due) -> list[tuple[str, Order | None]]:
    """List the changes of conditions as pairs of a text and the order that sets the condition.

    The order is None if these rules have no order for it.
    """
    return [
        (f"{name} {format_ship_value(value)}", _build_table_order(system, name, value))
        for name, value in due.table.items()
    ]


def list_coming(battle: Battle) -> tuple[str, ...]:
    """List what falls due on later turns, one line each: `turn 4: Japan: fifth arrives from the north`."""
    lines = []
    for due in battle.plan.schedule:
        if due.turn > battle.turn:
            changes = [f"{name} {format_ship_value(value)}" for name, value in due.table.items()]
            parts = [*(prompt for prompt, _ in _list_arrivals(battle, due)), *changes, due.note]
            lines.append(f"turn {due.turn}: {' · '.join(part for part in parts if part)}")
    return tuple(lines)


def _list_arrivals(battle: Battle, due: Due) -> Iterator[tuple[str, Order]]:
    """Yield the arrivals of an item, by side: the prompt, and the `join` that answers it."""
    for side in battle.sides:
        ids = tuple(
            id for id in due.ships if (ship := _find_arriving_ship(battle, id)) and ship.side == side.id
        )
        if ids:
            order = Order(JOIN, {"side": side.id, "ships": ids})
            yield f"{side.name}: {format_arrival(battle, due, ids)}", order


def _find_arriving_ship(battle: Battle, id: str) -> Ship | None:
    """Find a ship in the reserve, or among the ships that have joined already; None if it is in neither."""
    return battle.reserve.get(id) or battle.ships.get(id)


def format_arrival(battle: Battle, due: Due, ids: tuple[str, ...]) -> str:
    """Format ships by their divisions and where they come from: `fifth and sixth arrive from the north`."""
    ships = [ship for id in ids if (ship := _find_arriving_ship(battle, id))]
    titles = {division.id: division.name for side in battle.sides for division in side.divisions}
    names = list(dict.fromkeys(titles.get(ship.division, ship.name) for ship in ships))
    arrive = "arrive" if len(names) > 1 else "arrives"
    return f"{join_as_sentence(names)} {arrive} {due.where or '(the umpire decides where)'}"


def _build_table_order(system: RuleSystem, name: str, value: Scalar) -> Order | None:
    """Build the order that sets a condition of the table.

    Returns:
        The order, or None if these rules have no such condition, or no order that gives it this value.
    """
    if all(condition.name != name for condition in system.conditions):
        return None
    for form in system.forms:
        # A form fits if its order names the condition before the value, and needs nothing else.
        slot = form.find_slot(name)
        if slot is not None and slot.keyword == name and all(other.optional for other in form.slots):
            with suppress(OrderRefused):
                return read_resolved(f"{form.word} {name} {format_ship_value(value)}", list_forms(system))
    return None


def find_scheduled_order(owed: Owed) -> Order | None:
    """Return the order that the schedule asks for, or None if the question is not of the schedule."""
    return owed.order if owed.line == SCHEDULE else None


def find_schedule_question(battle: Battle, order: Order) -> Owed | None:
    """Find the owed question of the schedule that an order answers, or return None."""
    return next((owed for owed in battle.owed if find_scheduled_order(owed) == order.without_dice), None)


def settle_scheduled_questions(builder: DecisionBuilder, order: Order) -> None:
    """Settle the questions of the schedule that an order has fulfilled.

    A remark settles one question, the first that a remark can answer. If only some of the ships have arrived,
    the question remains for the others. A change of conditions is fulfilled once the table has its values.
    """
    remarks_left = int(order.form is NOTE)
    for owed in builder.battle.owed:
        if owed.line != SCHEDULE or owed.order is None:
            continue
        remaining: Owed | None = owed
        if owed.order.form is NOTE:
            if remarks_left:
                remaining = None
                remarks_left -= 1
        elif owed.order.form is JOIN:
            arriving = owed.order.list_texts("ships")
            absent = tuple(id for id in arriving if id not in builder.battle.ships)
            if len(absent) < len(arriving):
                remaining = replace(owed, order=owed.order.with_slot("ships", absent)) if absent else None
        elif all(builder.battle.table.get(name) == value for name, value in owed.order.slots.items()):
            remaining = None
        if remaining is not owed:
            builder.settle(owed)
            if remaining is not None:
                builder.write(Op.OWE, owed.ship, owed.line, remaining)


def prepare_no(owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the answer `no` to a question of the schedule: the event does not happen.

    Any other answer is impossible.
    """
    if words != (NO,):
        alternative = f"enter `{owed.order.line}`, or " if owed.order is not None else ""
        return build_unplayable(f"{owed.prompt}: {alternative}`answer {owed.key} {NO}`")
    return PreparedOrder(decide=lambda faces, builder: builder.because(f"not so: {owed.prompt}"))
