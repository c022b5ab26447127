"""Writing by hand: any field of a ship's log or card, as the umpire says, counted at once."""

import re
from fractions import Fraction

from qf_tui.core.effects import Op, field_value
from qf_tui.core.errors import impossible
from qf_tui.core.ledger import Ledger
from qf_tui.core.orders import Order
from qf_tui.core.system import Field, Ready, RuleSystem, find_field
from qf_tui.core.values import SUNK, Battle, Ship


def prepare_mark(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    name = order.text("field")
    field = find_field(system, name)
    if field is None:
        names = ", ".join(other.name for other in system.fields)
        return Ready(findings=(impossible(f"no field “{name}”: {names}"),))
    ship = battle.ships[order.text("ship")]
    value, fault = read_value(field, ship, " ".join(order.many("value")))
    if fault:
        return Ready(findings=(impossible(fault),))

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        before = field.shown(field_value(ship, field.name))
        write_by_hand(ledger, ship, field, value)
        after = field.shown(field_value(ledger.ship(ship.id), field.name))
        ledger.because(f"{ship.name}: {field.title} {_shown(before)} → {_shown(after)}, by hand")

    return Ready(decide=decide)


def _shown(value: object) -> str:
    if value is None or value == ():
        return "none"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


_NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?|\.\d+)", re.ASCII)
Written = int | float | str | bool | None | tuple[str, ...]


def read_value(field: Field, ship: Ship, text: str) -> tuple[Written, str]:
    """A hand-written value for a field, or what is wrong with it and what is expected."""
    text = text.strip()
    now = field_value(ship, field.name)
    if text == "none" and (field.empty or field.kind == "texts"):
        return (() if field.kind == "texts" else None), ""
    if field.kind in ("count", "marks"):
        return _read_count(field, now, text)
    if field.kind == "number":
        return _read_number(field, text)
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


def _read_count(field: Field, now: object, text: str) -> tuple[Written, str]:
    step = 1 / field.parts
    number = "a whole number" if field.parts == 1 else f"a number in steps of {step:g}"
    expected = f"{number} from {field.least} to {field.most}, or +{step:g} or -{step:g}"
    value = _in_parts(text, field.parts)
    if value is None:
        return None, f"{field.title}: “{text}” is not {expected}"
    if text[0] in "+-":
        value += now if isinstance(now, int) else 0
    if not field.least * field.parts <= value <= field.most * field.parts:
        return None, f"{field.title}: {field.shown(value)} is not {expected}"
    return value, ""


def _in_parts(text: str, parts: int) -> int | None:
    """A number with or without its sign, counted in parts; None for what is no whole number of them."""
    text = text.replace("½", ".5") if parts > 1 else text
    if len(text) > 7 or not _NUMBER.fullmatch(text) or (parts == 1 and "." in text):
        return None
    value = Fraction(text) * parts
    return int(value) if value.denominator == 1 else None


def _read_number(field: Field, text: str) -> tuple[Written, str]:
    try:
        value = float(text) if len(text) < 12 else float("nan")
    except ValueError:
        value = float("nan")
    if not field.least <= value <= field.most:
        return None, f"{field.title}: “{text}” is not a number from {field.least} to {field.most}"
    return int(value) if value.is_integer() else value, ""


def write_by_hand(ledger: Ledger, ship: Ship, field: Field, value: Written) -> None:
    """Writes a field on the battle as it stands and as its phase began (a hand entry counts at once)."""
    if field.kind == "status":
        ledger.write(Op.STATUS, ship.id, "status", str(value), hand=True)
        if value == SUNK:
            drop_owed(ledger, ship.id)
    elif field.card:
        scalar = None if isinstance(value, tuple) else value
        ledger.write(Op.CARD, ship.id, field.name, scalar, hand=True)
    elif field.kind in ("marks", "texts"):
        _rewrite_marks(ledger, ship, field, value)
    else:
        ledger.record(ship.id, field.name, None if isinstance(value, tuple) else value, hand=True)


def _level_marks(ledger: Ledger, ship: Ship, kind: str) -> None:
    """Brings the marks as the phase began to what they are now, so that nothing of that kind is a slash any more."""
    began = ledger.battle.start.ships.get(ship.id, ship).live(kind)
    live = ship.live(kind)
    for mark in live:
        if mark not in began:
            ledger.write(Op.MARK, ship.id, kind, mark, hand=True)
    for mark in began:
        if mark not in live:
            ledger.lift(ship.id, mark, hand=True)


def _rewrite_marks(ledger: Ledger, ship: Ship, field: Field, value: Written) -> None:
    _level_marks(ledger, ship, field.name)
    live = ship.live(field.name)
    until = None if field.lasts is None else ledger.battle.turn + field.lasts
    if isinstance(value, tuple):
        keep = list(value)
        for mark in live:
            if mark.text in keep:
                keep.remove(mark.text)
            else:
                ledger.lift(ship.id, mark, hand=True)
        for text in keep:
            ledger.mark(ship.id, field.name, text, until=until, hand=True)
        return
    wanted = value if isinstance(value, int) else 0
    for mark in live[wanted:]:
        ledger.lift(ship.id, mark, hand=True)
    for _ in range(wanted - len(live)):
        ledger.mark(ship.id, field.name, until=until, hand=True)


def drop_owed(ledger: Ledger, ship: str) -> None:
    """Takes every roll that a ship owes off the queue."""
    for owed in ledger.battle.owed:
        if owed.ship == ship:
            ledger.settle(owed)
