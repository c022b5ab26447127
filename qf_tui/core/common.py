"""The orders that every rule system has: `next`, `roll`, `mark`, `damage`, `join`, `doubt` and their kin."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from qf_tui.core.effects import Op, field_value
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.ledger import Ledger
from qf_tui.core.parsing import Order
from qf_tui.core.system import Field, Ready, RuleSystem, find_field, find_phase
from qf_tui.core.text import unprintable
from qf_tui.core.values import SUNK, Battle, Charts, Ship, dice_code

NEXT = Form("next", "n", "End the phase", help="ends the phase; `force next` carries over what is owed")
ROLL = Form(
    "roll",
    "o",
    "Answer an owed roll",
    (Slot("key", Kind.KEY, "the key of the roll", optional=True),),
    dice="D...",
    help="answers an owed roll; without a key the first",
)
ANSWER = Form(
    "answer",
    "",
    "Answer a question",
    (
        Slot("key", Kind.KEY, "the key of the question", optional=True),
        Slot("words", Kind.CODES, "the answer"),
    ),
    help="answers a question that wants words: codes, `none`, a choice, a ship or `nobody`",
)
MARK = Form(
    "mark",
    "e",
    "Write on a log",
    (
        Slot("ship", Kind.SHIP, "the ship"),
        Slot("field", Kind.NAME, "the field"),
        Slot("value", Kind.WORDS, "the value, or +1 or -1"),
    ),
    help="sets a field of a ship's log or card by hand; +1 and -1 change it",
)
DAMAGE = Form(
    "damage",
    "d",
    "Damage a ship",
    (Slot("ship", Kind.SHIP, "the ship"), Slot("codes", Kind.CODES, "the damage codes")),
    help="damage by the umpire's word, through the rules' cascade",
)
OPTION = Form(
    "option",
    "",
    "Turn a switch",
    (Slot("name", Kind.NAME, "the switch"), Slot("value", Kind.NAME, "its value")),
    help="changes a switch of the rules from here on",
)
CHART = Form(
    "chart",
    "",
    "Lay a chart over",
    (Slot("file", Kind.WORDS, "the file"),),
    help="lays an umpire's chart over ours from here on",
)
JOIN = Form(
    "join",
    "",
    "Ships arrive",
    (Slot("side", Kind.SIDE, "the side"), Slot("ships", Kind.RESERVE, "the ships")),
    help="ships of the fleet files that are not in the battle yet arrive",
)
LEAVE = Form(
    "leave",
    "",
    "A ship goes",
    (Slot("ship", Kind.SHIP, "the ship"), Slot("how", Kind.NAME, "what becomes of it", optional=True)),
    help="a ship withdraws, strikes, runs aground or is sunk, by the umpire's word",
)
NOTE = Form("note", "", "A remark", (Slot("text", Kind.WORDS, "the remark"),), help="a remark in the log")
DOUBT = Form(
    "doubt",
    "",
    "Doubt an entry",
    (Slot("entry", Kind.NUMBER, "the entry"), Slot("text", Kind.WORDS, "what is disputed", optional=True)),
    help="an entry is disputed; the phase is held until it is settled",
)
SETTLE = Form(
    "settle", "", "Settle a doubt", (Slot("entry", Kind.NUMBER, "the entry"),), help="clears a doubt"
)

COMMON = (NEXT, ROLL, ANSWER, MARK, DAMAGE, OPTION, CHART, JOIN, LEAVE, NOTE, DOUBT, SETTLE)


@lru_cache(maxsize=16)
def _forms_of(own: tuple[Form, ...]) -> Mapping[str, Form]:
    return {form.word: form for form in (*own, *COMMON)}


def all_forms(system: RuleSystem) -> Mapping[str, Form]:
    """Every play order of a system by its word, its own first."""
    return _forms_of(system.forms)


def prepare_common(system: RuleSystem, battle: Battle, order: Order, overlay: Charts | None) -> Ready:
    """One of the common orders made ready (all but `roll` and `answer`, which are the owed question's)."""
    if order.word == "chart":
        return _chart(system, battle, order, overlay)
    return _PREPARE[order.word](system, battle, order)


def what_holds(battle: Battle) -> tuple[Finding, ...]:
    """What hinders the end of the phase: rolls that are owed, doubts that are open."""
    found = []
    if battle.owed:
        listed = "; ".join(f"{owed.key}: {owed.prompt}" for owed in battle.owed[:12])
        more = f" and {len(battle.owed) - 12} more" if len(battle.owed) > 12 else ""
        found.append(refused(f"still owed: {listed}{more} (`force next` carries them over)", ""))
    if battle.doubts:
        numbers = ", ".join(str(number) for number in battle.doubts)
        found.append(refused(f"still in doubt: {numbers} (settle them, or `force next`)", ""))
    return tuple(found)


def turn_over(system: RuleSystem, ledger: Ledger, carried: bool, ended: bool | None = None) -> None:
    """Ends the phase and begins the next one, as far as the rule system lets it.

    `ended`: whether this `next` ended its phase when it was entered. One that did does it again, whatever leaving
    now asks (it is asked late); one that only brought up questions never ends a phase.
    """
    if ended is False:
        _ask_only(system, ledger, carried)
        return
    if not system.leave(ledger.battle, ledger, carried):
        if not ended:
            return
        system.leave(ledger.battle, ledger, True)
    names = [phase.name for phase in system.phases]
    place = (names.index(ledger.battle.phase) + 1) % len(names)
    turn = ledger.battle.turn + (place == 0)
    _lapse(system, ledger, turn)
    ledger.write(Op.PHASE, "", names[place], (turn, carried))
    ledger.because(f"turn {turn}, {find_phase(system, names[place]).title}")
    system.enter(ledger.battle, ledger)


def _lapse(system: RuleSystem, ledger: Ledger, turn: int) -> None:
    """Scribbles out every mark whose span is over as a turn begins."""
    for ship in ledger.battle.ships.values():
        for mark in ship.marks:
            if not mark.lifted and mark.until is not None and mark.until < turn:
                field = find_field(system, mark.kind)
                what = mark.text or (field.title if field else mark.kind)
                ledger.lift(ship.id, mark)
                ledger.because(f"over on {ship.name}: {what}")


def _ask_only(system: RuleSystem, ledger: Ledger, carried: bool) -> None:
    """Writes what leaving the phase asks, if it asks anything, and nothing of the end itself."""
    trial = Ledger(ledger.battle, ledger.entry)
    if not system.leave(trial.battle, trial, carried):
        system.leave(ledger.battle, ledger, carried)


def _next(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    return Ready(
        findings=what_holds(battle),
        decide=lambda faces, ledger: turn_over(system, ledger, order.forced),
    )


def _mark(system: RuleSystem, battle: Battle, order: Order) -> Ready:
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


def _damage(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    return system.prepare_damage(battle, order.text("ship"), order.many("codes"))


def _option(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    name, value = order.text("name"), order.text("value")
    option = next((option for option in system.options if option.name == name), None)
    if option is None:
        names = ", ".join(other.name for other in system.options)
        return Ready(findings=(impossible(f"no switch “{name}”: {names}"),))
    if value not in option.values:
        return Ready(findings=(impossible(f"{name}: “{value}” is not one of {', '.join(option.values)}"),))

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        ledger.write(Op.OPTION, "", name, value)
        ledger.because(f"{name} is {value} from here on: {option.text}", option.clause)

    return Ready(decide=decide)


def _chart(system: RuleSystem, battle: Battle, order: Order, overlay: Charts | None) -> Ready:
    if overlay is None:
        return Ready(findings=(impossible(f"chart: {' '.join(order.many('file'))} was not read"),))

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        ledger.write(Op.CHART, "", "", overlay)
        cells = sum(len(row.cells) for chart in overlay.values() for row in chart.rows.values())
        ledger.because(f"a chart is laid over ours from here on: {cells} cells of {', '.join(overlay)}")

    return Ready(decide=decide)


def _join(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    ids = order.many("ships")
    if not ids:
        return Ready(
            findings=(impossible(f"join: which ships? {', '.join(battle.reserve) or 'none is left'}"),)
        )

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        for id in ids:
            ledger.because(f"{battle.reserve[id].name} joins {order.text('side')}")
            ledger.write(Op.JOIN, id, "", order.text("side"))

    return Ready(decide=decide)


def _leave(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    how = order.text("how") or system.leavings[0]
    ship = battle.ships[order.text("ship")]
    if how not in system.leavings:
        return Ready(findings=(impossible(f"leave: “{how}” is not one of {', '.join(system.leavings)}"),))

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        ledger.write(Op.STATUS, ship.id, "status", how, hand=True)
        if how == SUNK:
            drop_owed(ledger, ship.id)
        ledger.because(f"{ship.name}: {how}, by the umpire's word")

    return Ready(decide=decide)


def drop_owed(ledger: Ledger, ship: str) -> None:
    """Takes every roll that a ship owes off the queue."""
    for owed in ledger.battle.owed:
        if owed.ship == ship:
            ledger.settle(owed)


def _note(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    text = " ".join(order.many("text"))
    findings = (impossible("note: nothing to note"),) if not text or unprintable(text) else ()
    return Ready(findings=findings, decide=lambda faces, ledger: ledger.because(text))


def _doubt(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    number = order.number("entry") or 0
    text = " ".join(order.many("text"))

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        ledger.write(Op.DOUBT, "", "", number)
        ledger.because(f"{number} is in doubt{': ' + text if text else ''}")

    return Ready(decide=decide)


def _settle(system: RuleSystem, battle: Battle, order: Order) -> Ready:
    number = order.number("entry") or 0
    if number not in battle.doubts:
        return Ready(findings=(impossible(f"{number} is not in doubt"),))

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        ledger.write(Op.CLEAR, "", "", number)
        ledger.because(f"{number} is settled")

    return Ready(decide=decide)


_PREPARE: Mapping[str, Callable[[RuleSystem, Battle, Order], Ready]] = {
    "next": _next,
    "mark": _mark,
    "damage": _damage,
    "option": _option,
    "join": _join,
    "leave": _leave,
    "note": _note,
    "doubt": _doubt,
    "settle": _settle,
}


def owed_in_words(battle: Battle) -> str:
    """The queue of owed rolls in one line, for a message."""
    return "; ".join(
        f"{owed.key} {dice_code(owed.dice) or 'in words'}: {owed.prompt}" for owed in battle.owed
    )
