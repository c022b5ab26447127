"""Writing by hand: any field of a ship's log or card, as the umpire says, counted at once."""

import re
from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op, field_value
from qf_tui.core.errors import impossible
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Field, PreparedOrder, RuleSystem, find_field
from qf_tui.core.text import value_text
from qf_tui.core.values import SUNK, Battle, Owed, Ship


def prepare_mark(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder:
    """`mark`: a field of a ship's log set by hand."""
    name = order.text("field")
    field = find_field(system, name)
    if field is None:
        names = ", ".join(other.name for other in system.fields)
        return PreparedOrder(findings=(impossible(f"no field “{name}”: {names}"),))
    ship = battle.ships[order.text("ship")]
    value, fault = read_value(field, ship, " ".join(order.many("value")))
    fault = fault or _no_such_ship(battle, field, value)
    if fault:
        return PreparedOrder(findings=(impossible(fault),))

    def decide(faces: tuple[int, ...], builder: DecisionBuilder) -> None:
        before = field.shown(field_value(ship, field.name))
        write_by_hand(builder, ship, field, value)
        after = field.shown(field_value(builder.ship(ship.id), field.name))
        builder.because(f"{field.title} {value_text(before)} → {value_text(after)}, by hand", of=ship.name)
        if field.on_set:
            field.on_set(builder, ship.id)

    return PreparedOrder(decide=decide)


def _no_such_ship(battle: Battle, field: Field, value: "Written") -> str:
    """What is wrong with a field of ships that names one the battle has not; "" if nothing is."""
    named = value if field.ships and isinstance(value, tuple) else ()
    wrong = next((id for id in named if id not in battle.ships), None)
    return (
        "" if wrong is None else f"{field.title}: no ship “{wrong}”; one of {', '.join(battle.ships)} or none"
    )


_NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?|\.\d+)", re.ASCII)
Written = int | float | str | bool | None | tuple[str, ...]


def read_value(field: Field, ship: Ship, text: str) -> tuple[Written, str]:
    """A hand-written value for a field, or what is wrong with it and what is expected."""
    text = text.strip()
    now = field_value(ship, field.name)
    if text == "none" and (field.empty or field.kind == "texts"):
        return (() if field.kind == "texts" else None), ""
    if field.kind in ("count", "marks"):
        return _read_count(field, now, text, field.most_on(ship) if field.most_on else field.most)
    if field.kind == "number":
        return _read_number(field, now, text)
    if field.kind == "bool":
        known = {"yes": True, "true": True, "no": False, "false": False}
        return known.get(text, False), "" if text in known else f"{field.title}: “{text}” is not yes or no"
    if field.kind == "texts":
        texts = tuple(part.strip() for part in text.split(",") if part.strip())
        wrong = [part for part in texts if field.words and part not in field.words]
        fault = f"{field.title}: “{wrong[0]}” is not one of {', '.join(field.words)} or none" if wrong else ""
        return texts, fault
    if field.words and text not in field.words:
        return None, f"{field.title}: “{text}” is not one of {', '.join(field.words)}"
    return text, ""


def _read_count(field: Field, now: object, text: str, most: int) -> tuple[Written, str]:
    step = 1 / field.denominator
    number = "a whole number" if field.denominator == 1 else f"a number in steps of {step:g}"
    expected = f"{number} from {field.least} to {most}, or +{step:g} or -{step:g}"
    value = _in_parts(text, field.denominator)
    if value is None:
        return None, f"{field.title}: “{text}” is not {expected}"
    if text[0] in "+-":
        value += now if isinstance(now, int) else 0
    if not field.least * field.denominator <= value <= most * field.denominator:
        return None, f"{field.title}: {field.shown(value)} is not {expected}"
    return value, ""


def _in_parts(text: str, parts: int) -> int | None:
    """A number with or without its sign, counted in parts; None for what is no whole number of them."""
    text = text.replace("½", ".5") if parts > 1 else text
    if len(text) > 7 or not _NUMBER.fullmatch(text) or (parts == 1 and "." in text):
        return None
    value = Fraction(text) * parts
    return int(value) if value.denominator == 1 else None


def _read_number(field: Field, now: object, text: str) -> tuple[Written, str]:
    expected = f"a number from {field.least} to {field.most}, or +1 or -1"
    if len(text) > 11 or not _NUMBER.fullmatch(text):
        return None, f"{field.title}: “{text}” is not {expected}"
    value = Fraction(text)
    if text[0] in "+-" and isinstance(now, int | float):
        value += Fraction(str(now))
    if not field.least <= value <= field.most:
        return None, f"{field.title}: {float(value):g} is not {expected}"
    return int(value) if value.denominator == 1 else float(value), ""


def write_by_hand(builder: DecisionBuilder, ship: Ship, field: Field, value: Written) -> None:
    """Writes a field on the battle as it is and as its phase began (a hand entry counts at once)."""
    if field.kind == "status":
        write_status(builder, ship.id, str(value))
    elif field.card:
        scalar = None if isinstance(value, tuple) else value
        builder.write(Op.CARD, ship.id, field.name, scalar, hand=True)
    elif field.kind in ("marks", "texts"):
        _rewrite_marks(builder, ship, field, value)
    else:
        builder.record(ship.id, field.name, None if isinstance(value, tuple) else value, hand=True)


def _level_marks(builder: DecisionBuilder, ship: Ship, kind: str) -> None:
    """Brings the marks as the phase began to what they are now, so that none of that kind is a slash."""
    began = builder.battle.start.ships.get(ship.id, ship).live(kind)
    live = ship.live(kind)
    for mark in live:
        if mark not in began:
            builder.write(Op.MARK, ship.id, kind, mark, hand=True)
    for mark in began:
        if mark not in live:
            builder.lift(ship.id, mark, hand=True)


def _rewrite_marks(builder: DecisionBuilder, ship: Ship, field: Field, value: Written) -> None:
    _level_marks(builder, ship, field.name)
    live = ship.live(field.name)
    until = None if field.lasting_turns is None else builder.battle.turn + field.lasting_turns
    if isinstance(value, tuple):
        keep = list(value)
        for mark in live:
            if mark.text in keep:
                keep.remove(mark.text)
            else:
                builder.lift(ship.id, mark, hand=True)
        for text in keep:
            builder.mark(ship.id, field.name, text, until=until, hand=True)
        return
    wanted = value if isinstance(value, int) else 0
    for mark in live[wanted:]:
        builder.lift(ship.id, mark, hand=True)
    for _ in range(wanted - len(live)):
        builder.mark(ship.id, field.name, until=until, hand=True)


def write_status(builder: DecisionBuilder, ship: str, status: str) -> None:
    """What becomes of a ship by the umpire's word.

    A ship off the table owes nothing; if it withdrew, its attacks that wait for dice still count.
    """
    builder.write(Op.STATUS, ship, "status", status, hand=True)
    if builder.ship(ship).gone:
        drop_owed(builder, ship, attacks=status == SUNK)


def drop_owed(builder: DecisionBuilder, ship: str, *, attacks: bool = True) -> None:
    """Takes every roll that a ship owes off the queue, but for those of phases that were over before.

    `attacks`: also the dice of what it declared against others.
    """
    for owed in builder.battle.owed:
        if owed.ship == ship and not owed.late and (attacks or not _against_others(builder.battle, owed)):
            builder.settle(owed)


def _against_others(battle: Battle, owed: Owed) -> bool:
    """Whether a roll is that of a declared order which names another ship."""
    names = owed.order.names if owed.order is not None else ()
    return any(name in battle.ships and name != owed.ship for name in names)
