"""The effects of the orders that every rule system has: `next` (end the phase), `mark` and others."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from qf_tui.core.builtin_forms import CHART, JOIN, MARK
from qf_tui.core.decisions import EDGE, Decision, DecisionBuilder, Op, Value, find_field_value
from qf_tui.core.declarations import PreparedOrder, build_unplayable
from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.schedule import owe_scheduled_questions
from qf_tui.core.system import Field, RuleSystem, find_field, find_phase, format_field_title
from qf_tui.core.text import find_unprintable, format_ship_value
from qf_tui.core.timeline import Version
from qf_tui.core.values import (
    AFLOAT,
    SUNK,
    WITHDRAWN,
    Battle,
    Charts,
    Faces,
    Order,
    Ship,
    format_dice,
    replace,
)


def prepare_mark(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `mark`: set a field of a ship by hand, and make her damage final.

    An unknown field, or a value that the field does not take, is refused.
    """
    name = order.text("field")
    field = find_field(system, name)
    if field is None:
        names = ", ".join(other.name for other in system.fields)
        return build_unplayable(f"no field “{name}”: {names}")
    ship = battle.ships[order.text("ship")]
    value, fault = read_value(field, ship, " ".join(order.list_texts("value")))
    ship_ids = value if field.ships and isinstance(value, tuple) else ()
    unknown = [id for id in ship_ids if id not in battle.ships]
    if unknown and not fault:
        fault = f"{field.title}: no ship “{unknown[0]}”; one of {', '.join(battle.ships)} or none"
    if fault:
        return build_unplayable(fault)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        before = field.convert_value(find_field_value(ship, field.name))
        write_by_hand(builder, ship, field, value)
        after = field.convert_value(find_field_value(builder.ship(ship.id), field.name))
        builder.because(
            f"{field.title} {format_ship_value(before)} → {format_ship_value(after)}, by hand", of=ship.name
        )
        if field.on_set:
            field.on_set(builder, ship.id)
        system.fix_damage(builder, ship.id)

    return PreparedOrder(decide=decide)


def _prepare_state(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `state`: set several values of ships (`ship field value; ship field value`), as `mark` does.

    Each value is set on the battle after the earlier ones. If one is refused, the whole order is refused.
    """

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for entry in " ".join(order.list_texts("entries")).split(";"):
            # A missing ship or field is "", which is refused.
            ship, field, *value = (*entry.split(), "", "")
            if ship not in builder.battle.ships:
                raise OrderRefused(f"no ship “{ship}”; write her whole id")
            mark = Order(MARK, {"ship": ship, "field": field, "value": tuple(value)})
            prepared = prepare_mark(system, builder.battle, mark)
            if prepared.findings:
                raise OrderRefused(*prepared.findings)
            prepared.decide(faces, builder)

    # Try it once, on a builder that is thrown away, to find refusals before the order is entered.
    try:
        decide((), DecisionBuilder(battle, entry=0))
    except OrderRefused as refusal:
        return PreparedOrder(findings=refusal.findings)
    return PreparedOrder(decide=decide)


_NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?|\.\d+)", re.ASCII)
_COUNT_LENGTH, _NUMBER_LENGTH = 7, 11
"""The longest texts that are read as counts and numbers: hundreds of digits would overflow a float."""
Written = int | float | str | bool | None | tuple[str, ...]


def read_value(field: Field, ship: Ship, text: str) -> tuple[Written, str]:
    """Read a value that the umpire typed for a field; `none` empties a field that may be empty.

    Returns:
        The value, and "" or the fault with the expected values. With a fault the value has no meaning.
    """
    text = text.strip()
    now = find_field_value(ship, field.name)
    if text == "none" and (field.empty or field.kind == "texts"):
        return (() if field.kind == "texts" else None), ""
    if field.kind in ("count", "marks"):
        return _read_count(field, now, text, field.most_on(ship) if field.most_on else field.most)
    if field.kind == "number":
        return _read_number(field, now, text)
    if field.kind == "bool":
        value_by_word = {"yes": True, "true": True, "no": False, "false": False}
        fault = "" if text in value_by_word else f"{field.title}: “{text}” is not yes or no"
        return value_by_word.get(text, False), fault
    if field.kind == "texts":
        texts = tuple(part.strip() for part in text.split(",") if part.strip())
        unknown = [part for part in texts if field.words and part not in field.words]
        fault = (
            f"{field.title}: “{unknown[0]}” is not one of {', '.join(field.words)} or none" if unknown else ""
        )
        return texts, fault
    if field.words and text not in field.words:
        return None, f"{field.title}: “{text}” is not one of {', '.join(field.words)}"
    return text, ""


def _read_count(field: Field, now: object, text: str, most: int) -> tuple[Written, str]:
    """Read a count, or a change of the present count such as +1.

    Args:
        now: Present value of the field; a value that is no number counts as 0.
        most: Greatest count allowed.

    Returns:
        The count in parts of the field's unit and "", or None and the fault.
    """
    step = 1 / field.denominator
    number = "a whole number" if field.denominator == 1 else f"a number in steps of {step:g}"
    expected = f"{number} from {field.least} to {most}, or +{step:g} or -{step:g}"
    value = _read_parts(text, field.denominator)
    if value is None:
        return None, f"{field.title}: “{text}” is not {expected}"
    if text[0] in "+-":
        value += now if isinstance(now, int) else 0
    if not field.least * field.denominator <= value <= most * field.denominator:
        return None, f"{field.title}: {field.convert_value(value)} is not {expected}"
    return value, ""


def _read_parts(text: str, parts: int) -> int | None:
    """Read a number, with a sign or not, in parts of a unit; None for other texts and fractions of a part.

    Args:
        parts: Number of parts in one unit.
    """
    text = text.replace("½", ".5") if parts > 1 else text
    if len(text) > _COUNT_LENGTH or not _NUMBER.fullmatch(text) or (parts == 1 and "." in text):
        return None
    value = Fraction(text) * parts
    return int(value) if value.denominator == 1 else None


def _read_number(field: Field, now: object, text: str) -> tuple[Written, str]:
    """Read a number, or a change of the present number such as +1.

    Args:
        now: Present value of the field; a value that is no number counts as 0.

    Returns:
        The number and "", or None and the fault.
    """
    expected = f"a number from {field.least} to {field.most}, or +1 or -1"
    if len(text) > _NUMBER_LENGTH or not _NUMBER.fullmatch(text):
        return None, f"{field.title}: “{text}” is not {expected}"
    value = Fraction(text)
    if text[0] in "+-" and isinstance(now, int | float):
        value += Fraction(str(now))
    if not field.least <= value <= field.most:
        return None, f"{field.title}: {float(value):g} is not {expected}"
    return int(value) if value.denominator == 1 else float(value), ""


def write_by_hand(builder: DecisionBuilder, ship: Ship, field: Field, value: Written) -> None:
    """Write a field of a ship by hand: its status, a value of its card or log, or its marks.

    Effects with `hand=True` also change the start of the phase, so that the value counts at once.
    """
    # Only marks are written as a tuple of texts.
    scalar = None if isinstance(value, tuple) else value
    if field.kind == "status":
        write_status(builder, ship.id, str(value))
    elif field.card:
        builder.write(Op.CARD, ship.id, field.name, scalar, hand=True)
    elif field.kind in ("marks", "texts"):
        _rewrite_marks(builder, ship, field, value)
    else:
        builder.record(ship.id, field.name, scalar, hand=True)


def _copy_marks_to_start(builder: DecisionBuilder, ship: Ship, kind: str) -> None:
    """Copy the current marks of a kind to the start of the phase, so that none is drawn as a slash."""
    began = builder.battle.start.ships.get(ship.id, ship).live(kind)
    live = ship.live(kind)
    for mark in live:
        if mark not in began:
            builder.write(Op.MARK, ship.id, kind, mark, hand=True)
    for mark in began:
        if mark not in live:
            builder.lift(ship.id, mark, hand=True)


def _rewrite_marks(builder: DecisionBuilder, ship: Ship, field: Field, value: Written) -> None:
    """Give a ship exactly these marks of a kind: marks with these texts, or a number of marks without text.

    Marks that fit stay, the others are lifted, and missing ones are added.
    """
    _copy_marks_to_start(builder, ship, field.name)
    live = ship.live(field.name)
    until = None if field.lasting_turns is None else builder.battle.turn + field.lasting_turns
    if isinstance(value, tuple):
        texts = list(value)
        for mark in live:
            if mark.text in texts:
                texts.remove(mark.text)
            else:
                builder.lift(ship.id, mark, hand=True)
        for text in texts:
            builder.mark(ship.id, field.name, text, until=until, hand=True)
        return
    number = value if isinstance(value, int) else 0
    for mark in live[number:]:
        builder.lift(ship.id, mark, hand=True)
    for _ in range(number - len(live)):
        builder.mark(ship.id, field.name, until=until, hand=True)


def write_status(builder: DecisionBuilder, ship: str, status: str) -> None:
    """Write the status that the umpire gives a ship.

    A ship that is now off the table no longer owes rolls. Unless she sank, she still owes the dice of her
    attacks on others.
    """
    builder.write(Op.STATUS, ship, "status", status, hand=True)
    if builder.ship(ship).is_off_table:
        drop_owed(builder, ship, attacks=status == SUNK)


def drop_owed(builder: DecisionBuilder, ship: str, *, attacks: bool = True) -> None:
    """Take the rolls that a ship owes off the queue, except those of earlier phases.

    Args:
        attacks: True to remove also the dice of her attacks on others.
    """
    for owed in builder.battle.owed:
        names = owed.order.names if owed.order is not None else ()
        # An attack names other ships too.
        is_attack = any(name in builder.battle.ships and name != ship for name in names)
        if owed.ship == ship and not owed.late and (attacks or not is_attack):
            builder.settle(owed)


_QUESTIONS_MOST = 12
"""The most owed questions that a refusal lists."""


def list_phase_blockers(battle: Battle, force: str = "force next") -> tuple[Finding, ...]:
    """List what blocks the end of the phase: owed rolls and open doubts.

    Args:
        force: Order that ends the phase anyway, for the message.
    """
    findings = []
    if battle.owed:
        questions = "; ".join(f"{owed.key}: {owed.prompt}" for owed in battle.owed[:_QUESTIONS_MOST])
        more_count = len(battle.owed) - _QUESTIONS_MOST
        more = f" and {more_count} more" if more_count > 0 else ""
        findings.append(refused(f"still owed: {questions}{more} (`{force}` carries them over)", ""))
    if battle.doubts:
        numbers = ", ".join(str(number) for number in battle.doubts)
        findings.append(refused(f"still in doubt: {numbers} (settle them, or `{force}`)", ""))
    return tuple(findings)


def end_phase(
    system: RuleSystem, builder: DecisionBuilder, carried: bool, recorded: Decision | None = None
) -> None:
    """End the phase and begin the next one, unless the rule system asks something first.

    Args:
        carried: True to end the phase although something is owed.
        recorded: Decision that this `next` made when it was entered, or None for a new one. If it ended the
            phase then, the phase ends now too, and new questions are asked late. If it only asked questions
            then, the phase does not end.
    """
    builder.recorded = recorded
    only_asked_then = recorded is not None and recorded.begun_phase is None
    if only_asked_then:
        # Tried on a copy first: if leaving asks nothing now, nothing of the phase's end may be written.
        trial = DecisionBuilder(builder.battle, builder.entry)
        has_asked = system.leave(trial.battle, trial, carried)
        if has_asked:
            system.leave(builder.battle, builder, carried)
        return
    has_asked = system.leave(builder.battle, builder, carried)
    if has_asked:
        if recorded is None:
            return
        # The phase ended then, so it ends now although questions are open.
        system.leave(builder.battle, builder, carried=True)
    _begin_next_phase(system, builder, carried)


def _begin_next_phase(system: RuleSystem, builder: DecisionBuilder, carried: bool) -> None:
    """Begin the phase after the present one, or the present one again if it repeats."""
    names = [phase.name for phase in system.phases]
    ending = find_phase(system, builder.battle.phase)
    ending_turn = builder.battle.turn
    if ending.again(builder.battle):
        name, turn = ending.name, ending_turn
    elif ending.name == names[-1]:
        name, turn = names[0], ending_turn + 1
    else:
        name, turn = names[names.index(ending.name) + 1], ending_turn
    _lift_ended_marks(system, builder, turn)
    builder.write(Op.PHASE, "", name, (turn, carried))
    builder.because(f"turn {turn}, {find_phase(system, name).title}")
    system.enter(builder.battle, builder)
    if turn != ending_turn:
        owe_scheduled_questions(system, builder)


def _lift_ended_marks(system: RuleSystem, builder: DecisionBuilder, turn: int) -> None:
    """Lift every mark whose last turn is over when `turn` begins."""
    for ship in builder.battle.ships.values():
        for mark in ship.marks:
            if not mark.lifted and mark.until is not None and mark.until < turn:
                builder.lift(ship.id, mark)
                builder.because(f"over on {ship.name}: {mark.text or format_field_title(system, mark.kind)}")


def prepare_builtin(system: RuleSystem, battle: Battle, version: Version) -> PreparedOrder:
    """Prepare an order that every system has, except `roll` and `answer`, which their question prepares."""
    order = version.order
    if order.form is CHART:
        return _prepare_chart(order, version.overlay)
    if order.form is JOIN:
        return _prepare_join(battle, order, version.arrivals)
    return _PREPARE[order.word](system, battle, order)


def _prepare_next(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `next`, the end of the phase.

    Open rolls and doubts refuse it, unless it is forced; then the rolls stay owed.
    """
    return PreparedOrder(
        findings=list_phase_blockers(battle),
        decide=lambda faces, builder: end_phase(system, builder, order.forced),
    )


def _prepare_option(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `option`: set a switch from here on; an unknown switch or value is unplayable.

    Damage dealt before is made final, so that the switch does not change it.
    """
    name = order.text("name")
    value = order.text("value")
    option = next((option for option in system.options if option.name == name), None)
    if option is None:
        names = ", ".join(other.name for other in system.options)
        return build_unplayable(f"no switch “{name}”: {names}")
    if value not in option.values:
        return build_unplayable(f"{name}: “{value}” is not one of {', '.join(option.values)}")

    text = f"{name} is {value} from here on{f': {option.text}' if option.text else ''}"

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        system.fix_damage(builder)
        builder.write(Op.OPTION, "", name, value)
        builder.because(text, option.clause)

    return PreparedOrder(decide=decide)


def _prepare_writing(op: Op, field: str, value: Value, reason: str, clause: str = "") -> PreparedOrder:
    """Prepare an order that has one effect on the battle and one reason, and is never refused."""

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.write(op, "", field, value)
        builder.because(reason, clause)

    return PreparedOrder(decide=decide)


def _prepare_chart(order: Order, overlay: Charts | None) -> PreparedOrder:
    """Prepare `chart`: use the cells of an overlay from here on; without one the file could not be read."""
    if overlay is None:
        return build_unplayable(f"chart: {' '.join(order.list_texts('file'))} could not be read")
    cells = sum(len(row.cells) for chart in overlay.values() for row in chart.rows.values())
    counted = "1 cell" if cells == 1 else f"{cells} cells"
    reason = f"your chart counts from here on: {counted} of {', '.join(overlay)}"
    return _prepare_writing(Op.CHART, "", overlay, reason)


def _prepare_join(battle: Battle, order: Order, arrivals: tuple[Ship, ...]) -> PreparedOrder:
    """Prepare `join`: ships of the reserve or of a file join a side, and withdrawn ships of that side return.

    An order with any other ship is impossible.
    """
    joinable = {**battle.reserve, **{ship.id: ship for ship in arrivals}}
    ids = order.list_texts("ships")
    side = order.text("side")
    ships_in_battle = [battle.ships[id] for id in ids if id in battle.ships]
    returning = [ship.id for ship in ships_in_battle if ship.status == WITHDRAWN and ship.side == side]
    present = [id for id in ids if id in battle.ships and id not in returning]
    unknown = [id for id in ids if id not in joinable and id not in returning]
    if present or unknown:
        fault = f"{present[0]} is in the battle already" if present else f"no ship “{unknown[0]}” can join"
        return build_unplayable(fault)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        side_value = battle.find_side(side)
        for id in returning:
            write_status(builder, id, AFLOAT)
            builder.because("comes back", subject=battle.ships[id].name)
        for id in ids:
            if id in returning:
                continue
            builder.because(f"joins {side_value.name if side_value else side}", subject=joinable[id].name)
            # A ship without a division joins the last one of its side.
            last_division = side_value.divisions[-1].id if side_value and side_value.divisions else ""
            ship = replace(joinable[id], side=side, division=joinable[id].division or last_division)
            builder.write(Op.JOIN, id, "", ship)

    return PreparedOrder(decide=decide)


def _prepare_leave(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `leave`: give a ship a status in which she has left, and the edge by which she withdrew.

    If she has left already, the order is refused, unless only her edge changes. An unknown status, or an edge
    for a ship that does not withdraw, makes the order impossible.
    """
    how = order.text("how") or system.departure_statuses[0]
    edge = order.text("edge")
    ship = battle.ships[order.text("ship")]
    if how not in system.departure_statuses:
        return build_unplayable(f"leave: “{how}” is not one of {', '.join(system.departure_statuses)}")
    if edge and how != WITHDRAWN:
        fault = f"leave: only a withdrawn ship leaves by an edge, not one that is {how}"
        return build_unplayable(fault)
    # A ship that has withdrawn may still get another edge.
    changes_edge = ship.status == how and edge not in ("", ship.edge)
    is_refused = (ship.is_off_table or ship.status == how) and not changes_edge
    recorded_edge = f" by the {ship.edge} edge" if ship.edge else ""
    state = "already" if ship.status == how else f"and can no longer be {how}"
    amend = "amend that entry, or force this one"
    refusal = refused(f"leave: {ship.name} is {ship.status}{recorded_edge} {state}; {amend}", "")
    findings = (refusal,) if is_refused else ()

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        write_status(builder, ship.id, how)
        if edge:
            builder.write(Op.STATUS, ship.id, EDGE, edge, hand=True)
        edge_text = f" by the {edge} edge" if edge else ""
        clause = system.departure_clauses.get(how, "")
        builder.because(f"{how}{edge_text}, by the umpire's word", clause, of=ship.name)

    return PreparedOrder(findings=findings, decide=decide)


def _prepare_note(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `note`, whose text becomes the reason of its entry; an empty or unprintable one is refused."""
    text = " ".join(order.list_texts("text"))
    findings = (impossible("note: the text is missing"),) if not text or find_unprintable(text) else ()
    return PreparedOrder(findings=findings, decide=lambda faces, builder: builder.because(text))


def _prepare_doubt(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `doubt`: put an entry in doubt; `decide_fresh` checks that there is this entry."""
    number = order.number("entry") or 0
    text = " ".join(order.list_texts("text"))
    return _prepare_writing(Op.DOUBT, "", number, f"{number} is in doubt{': ' + text if text else ''}")


def _prepare_settle(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `settle`: take an entry out of doubt, or refuse one that is not in doubt."""
    number = order.number("entry") or 0
    if number not in battle.doubts:
        return build_unplayable(f"{number} is not in doubt")

    return _prepare_writing(Op.CLEAR, "", number, f"{number} is settled")


def _prepare_reveal(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `reveal`, which changes nothing in the battle."""
    reason = (
        "the seed is revealed: `qf-tui verify --dice` checks every throw; from here on dice are "
        "thrown at the table"
    )
    return PreparedOrder(decide=lambda faces, builder: builder.because(reason))


_PREPARE: Mapping[str, Callable[[RuleSystem, Battle, Order], PreparedOrder]] = {
    "next": _prepare_next,
    "mark": prepare_mark,
    "state": _prepare_state,
    "damage": lambda system, battle, order: system.prepare_damage(
        battle, order.text("ship"), order.list_texts("codes"), order.text("source")
    ),
    "option": _prepare_option,
    "leave": _prepare_leave,
    "note": _prepare_note,
    "doubt": _prepare_doubt,
    "settle": _prepare_settle,
    "reveal": _prepare_reveal,
}


def format_owed_queue(battle: Battle) -> str:
    """Format all owed rolls and answers in one line, for a message; "" if nothing is owed."""
    return "; ".join(
        f"{owed.key} {format_dice(owed.dice) or 'an answer'}: {owed.prompt}" for owed in battle.owed
    )
