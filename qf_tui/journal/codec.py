"""The lines of a save: the header, entries and corrections, to and from JSON."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from attrs import evolve, field, frozen

from qf_tui.core.decisions import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.reader import unread
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, Entry, LogAct
from qf_tui.core.values import ANSWERS, Battle, Condition, Due, Order, Plan, Ship
from qf_tui.journal.lines import (
    FORMAT,
    Misread,
    find_format_fault,
    list_of,
    object_of,
    shown,
    text,
    truth,
    whole,
    written,
)
from qf_tui.journal.value_codec import Misplaced, coder_of, faults_at

SCHEDULE, VICTORY = "schedule", "victory"
PARTS = frozenset({SCHEDULE, VICTORY})
TEXT_MOST = 300
"""Characters in the longest text of a schedule: it becomes an order."""


@frozen
class _Item:
    """An item of the schedule as a save has it: the ships that arrive stand there whole."""

    turn: int
    ships: tuple[Ship, ...] = ()
    where: str = ""
    table: Mapping[str, Scalar] = field(factory=dict)
    note: str = ""


_ITEMS: Any = tuple[_Item, ...]
_CONDITIONS: Any = tuple[Condition, ...]


def encode_plan(start: Battle) -> dict[str, object]:
    """The parts of `extra` that a start's plan makes; the ships that arrive are in its reserve."""
    items = tuple(
        _Item(due.turn, tuple(start.reserve[id] for id in due.ships), due.where, due.table, due.note)
        for due in start.plan.schedule
    )
    parts = {SCHEDULE: encoded(items, _ITEMS), VICTORY: encoded(start.plan.victory, _CONDITIONS)}
    return {name: part for name, part in parts.items() if part}


def with_plan(start: Battle, extra: Mapping[str, object]) -> Battle:
    """The start with its plan, and with the ships that arrive in its reserve; Misread says what is wrong."""
    items: tuple[_Item, ...] = _part(extra, SCHEDULE, _ITEMS)
    victory: tuple[Condition, ...] = _part(extra, VICTORY, _CONDITIONS)
    for name, faults in ((SCHEDULE, _item_faults(start, items)), (VICTORY, _faults(start, victory))):
        for fault in faults:
            raise Misread(f"extra.{name}: {fault}")
    schedule = tuple(
        Due(item.turn, tuple(ship.id for ship in item.ships), item.where, item.table, item.note)
        for item in items
    )
    arriving = {ship.id: ship for item in items for ship in item.ships}
    return evolve(start, plan=Plan(schedule, victory), reserve={**start.reserve, **arriving})


def _part(extra: Mapping[str, object], name: str, kind: Any) -> Any:
    try:
        return decoded(kind, extra.get(name, []))
    except Misread as fault:
        raise Misread(f"extra.{name}: {fault}") from None


def _item_faults(start: Battle, items: tuple[_Item, ...]) -> Iterator[str]:
    sides, seen = {side.id for side in start.sides}, set(start.ships)
    for item in items:
        if item.turn < 2:
            yield f"turn {item.turn}: nothing falls due before turn 2"
        for ship in item.ships:
            if ship.id in seen:
                yield f"ship {shown(ship.id)} is in the battle already"
            if ship.side not in sides:
                yield f"ship {shown(ship.id)} has an unknown side: {shown(ship.side)}"
            seen.add(ship.id)
        yield from _text_faults((item.where, item.note, *item.table, *map(str, item.table.values())))


def _faults(start: Battle, victory: tuple[Condition, ...]) -> Iterator[str]:
    sides = {side.id for side in start.sides}
    for condition in victory:
        for side in (condition.side, condition.of):
            if side not in sides:
                yield f"there is no side {shown(side)}"
        if condition.count < 1 or not condition.status:
            yield f"{shown(condition.side)}: it has no count or no status"
        yield from _text_faults((condition.kind, condition.edge, condition.note, *condition.status))


def _text_faults(texts: tuple[str, ...]) -> Iterator[str]:
    for each in texts:
        if len(each) > TEXT_MOST:
            yield f"a text of {len(each)} characters; at most {TEXT_MOST} are read"


ReadOrder = Callable[[str], Order]


class RulesOf(Protocol):
    """Gives how the orders of a save are read, by its rule system and the rule book that it holds, if any."""

    def __call__(self, system: str, book: object = None) -> ReadOrder: ...


def no_rules(system: str, book: object = None) -> ReadOrder:
    """Take every order as words: enough for a copy."""
    return unread


@frozen
class Header:
    """The first line of a save: the program that made it, the rule system, and the start battle.

    A start that has a beginning of its phase has itself for it. `extra` holds JSON of other parts of the
    program, by part; what the start says of later is no part of it here.
    """

    program: str
    system: str
    start: Battle
    extra: Mapping[str, object] = field(factory=dict)

    @property
    def book(self) -> object:
        """The rule book that it holds, as plain data; None where its rule system is installed."""
        return self.extra.get(BOOK)


BOOK = "rules"
"""The part of `extra` that holds a rule book."""
_HEADER_KEYS = frozenset({"n", "save", "format", "program", "system", "start", "began", "extra"})


def encode_header(header: Header) -> dict[str, object]:
    """The body of the first line."""
    body: dict[str, object] = {
        "n": 0,
        "save": "qf-tui",
        "format": FORMAT,
        "program": header.program,
        "system": header.system,
        "start": encoded(header.start, Battle),
    }
    if header.start.began is not None:
        body["began"] = True
    extra = {**header.extra, **encode_plan(header.start)}
    if extra:
        body["extra"] = extra
    return body


def find_order_reader(header: object, rules_of: RulesOf) -> ReadOrder:
    """Find how the orders of a save are read, by the body of its header."""
    raw = object_of(header)
    return rules_of(text(raw.get("system", "")), object_of(raw.get("extra", {})).get(BOOK))


def decode_header(body: object, read_order: ReadOrder = unread) -> Header:
    """A header from its body; Misread says what is wrong and where."""
    raw = object_of(body, _HEADER_KEYS)
    for key in _HEADER_KEYS - {"began", "extra"}:
        if key not in raw:
            raise Misread(f"{key} is missing")
    if fault := find_format_fault(whole(raw["format"])):
        raise Misread(fault)
    if whole(raw["n"]) or raw["save"] != "qf-tui":
        raise Misread("not the first line of a save")
    extra = object_of(raw.get("extra", {}))
    start = with_plan(decode_battle(object_of(raw["start"]), read_order), extra)
    if truth(raw.get("began", False)):
        start = evolve(start, began=start)
    others = {name: part for name, part in extra.items() if name not in PARTS}
    return Header(text(raw["program"]), text(raw["system"]), start, others)


def decode_battle(raw: Mapping[str, Any], read_order: ReadOrder) -> Battle:
    """A battle without its plan, its reserve and how its phase began; Misread says what is wrong."""
    for question in list_of(raw.get("owed", [])):
        _read_order(object_of(question), read_order)
    battle: Battle = decoded(Battle, raw)
    return battle


def encode_act(act: LogAct) -> dict[str, object]:
    """The body of an act's line."""
    body: dict[str, object] = encoded(act, type(act))
    return body


def decode_act(body: object, read_order: ReadOrder = unread) -> LogAct:
    """An entry or a correction from its body, whose orders are read in place; Misread says what is wrong."""
    raw = object_of(body)
    for ruling in object_of(raw.get("rulings", {})).values():
        for effect in list_of(object_of(ruling).get("effects", [])):
            if type(effect) is list and len(effect) > 3 and effect[0] == Op.OWE:
                _read_order(object_of(effect[3]), read_order)
    entered = raw if "order" in raw else object_of(raw["version"]) if "version" in raw else None
    if entered is not None:
        _check_entered(entered)
        _read_order(entered, read_order)
    act: LogAct = decoded(Entry if entered is raw else Correction, raw)
    return act


# The order of play hangs on the entry that asked.
_UNKEYED = re.compile(rf"({'|'.join(ANSWERS)})(?! \d{{1,9}}/)(?!\S)")


def _check_entered(raw: Mapping[str, Any]) -> None:
    """Misread for a version without an order, or whose order does not say what it answers."""
    if "order" not in raw:
        raise Misread("order is missing")
    written = text(raw["order"])
    if not written.strip():
        raise Misread("order: it is empty")
    if _UNKEYED.match(written):
        raise Misread(f"order: {shown(written)} does not say what it answers")


def _read_order(raw: dict[str, Any], read_order: ReadOrder) -> None:
    """Reads the order of a version, or the declared order of an owed question, where it has one."""
    if "order" not in raw:
        return
    written = text(raw["order"])
    try:
        raw["order"] = read_order(written)
    except OrderRefused as refusal:
        raise Misread(f"order: {shown(written)}: {refusal}") from None


def encoded(value: object, kind: Any) -> Any:
    """A value of a kind as JSON takes it; Misread if it is not of that kind."""
    write = coder_of(kind).write
    try:
        return value if write is None else write(value)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Misread(f"{shown(value)} is not what was expected: {fault}") from None


def decoded(kind: Any, value: object) -> Any:
    """A value of a kind; Misread names the place of each fault."""
    try:
        return coder_of(kind).read(value)
    except Misread as fault:
        raise Misplaced(faults_at("", fault)) from None


def battle_bytes(battle: Battle, facts: Mapping[str, object]) -> bytes:
    """Encode a battle at any moment, for another process.

    The JSON holds `ships`, all states of ships that are needed, and `moments`: the battle as its phase began,
    and the battle itself. In a moment `ships` and `reserve` are places in that list.

    Args:
        battle: The battle.
        facts: Further keys of the JSON.
    """
    moments = (battle,) if battle.began is None else (battle.began, battle)
    states: dict[int, Ship] = {}
    for moment in moments:
        states |= {id(ship): ship for ship in (*moment.ships.values(), *moment.reserve.values())}
    places = {state: place for place, state in enumerate(states)}
    bodies: list[dict[str, object]] = []
    for moment in moments:
        bare = evolve(moment, ships={})
        parts: dict[str, object] = {**encoded(bare, Battle), "plan": encoded(moment.plan, Plan)}
        for part, own in (("ships", moment.ships), ("reserve", moment.reserve)):
            parts[part] = {name: places[id(ship)] for name, ship in own.items()}
        bodies.append(parts)
    ships = [encoded(ship, Ship) for ship in states.values()]
    return written({"ships": ships, "moments": bodies, **facts})


def battle_of(raw: Mapping[str, Any], read_order: ReadOrder) -> Battle:
    """Decode a battle that `battle_bytes` has encoded."""
    ships = [decoded(Ship, ship) for ship in list_of(raw["ships"])]
    battle: Battle | None = None
    for moment in list_of(raw["moments"]):
        own, reserve = (
            {id: ships[whole(place)] for id, place in object_of(moment.pop(name)).items()}
            for name in ("ships", "reserve")
        )
        plan = decoded(Plan, moment.pop("plan"))
        bare = decode_battle({**moment, "ships": {}}, read_order)
        battle = evolve(bare, ships=own, reserve=reserve, began=battle, plan=plan)
    if battle is None:
        raise Misread("there is no battle")
    return battle
