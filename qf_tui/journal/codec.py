"""The lines of a save: the header, entries and corrections, to and from JSON."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from attrs import evolve, field, frozen

from qf_tui.core.grammar.reader import unread
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, Entry, LogAct
from qf_tui.core.values import Battle, Condition, Due, Order, Plan, Ship
from qf_tui.journal.lines import (
    FORMAT,
    Misread,
    find_format_fault,
    list_of,
    object_of,
    shown,
    text,
    whole,
    written,
)

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


@frozen
class _Later:
    """The parts of `extra` that the plan of a start makes."""

    schedule: tuple[_Item, ...] = ()
    victory: tuple[Condition, ...] = ()


def encode_plan(start: Battle) -> dict[str, object]:
    """The parts of `extra` that a start's plan makes; the ships that arrive are in its reserve."""
    items = tuple(
        _Item(due.turn, tuple(start.reserve[id] for id in due.ships), due.where, due.table, due.note)
        for due in start.plan.schedule
    )
    parts: dict[str, object] = encoded(_Later(items, start.plan.victory), _Later)
    return parts


def with_plan(start: Battle, extra: Mapping[str, object]) -> Battle:
    """The start with its plan, and with the ships that arrive in its reserve; Misread says what is wrong."""
    later: _Later = decoded(_Later, {part: extra[part] for part in PARTS & extra.keys()}, place=".extra")
    items = later.schedule
    for name, faults in ((SCHEDULE, _item_faults(start, items)), (VICTORY, _faults(start, later.victory))):
        for fault in faults:
            raise Misread(f"extra.{name}: {fault}")
    schedule = tuple(
        Due(item.turn, tuple(ship.id for ship in item.ships), item.where, item.table, item.note)
        for item in items
    )
    arriving = {ship.id: ship for item in items for ship in item.ships}
    return evolve(start, plan=Plan(schedule, later.victory), reserve={**start.reserve, **arriving})


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


@frozen
class _HeaderLine:
    """The first line as it stands in the file."""

    n: int
    save: str
    format: int
    program: str
    system: str
    start: Battle
    began: bool = False
    extra: Mapping[str, Any] = field(factory=dict)


def encode_header(header: Header) -> dict[str, object]:
    """The body of the first line."""
    start, extra = header.start, {**header.extra, **encode_plan(header.start)}
    began = start.began is not None
    line = _HeaderLine(0, "qf-tui", FORMAT, header.program, header.system, start, began)
    body: dict[str, object] = encoded(line, _HeaderLine)
    return {**body, "extra": extra} if extra else body


def find_order_reader(header: object, rules_of: RulesOf) -> ReadOrder:
    """Find how the orders of a save are read, by the body of its header."""
    raw = object_of(header)
    return rules_of(text(raw.get("system", "")), object_of(raw.get("extra", {})).get(BOOK))


def decode_header(body: object, read_order: ReadOrder = unread) -> Header:
    """A header from its body; Misread says what is wrong and where."""
    if fault := find_format_fault(whole(object_of(body).get("format"))):
        raise Misread(fault)
    line: _HeaderLine = decoded(_HeaderLine, body, read_order)
    if line.n or line.save != "qf-tui":
        raise Misread("not the first line of a save")
    start = with_plan(line.start, line.extra)
    if line.began:
        start = evolve(start, began=start)
    others = {name: part for name, part in line.extra.items() if name not in PARTS}
    return Header(line.program, line.system, start, others)


BESIDE = ("proposal", "by", "nonce")
"""Keys of an act's line that were there before `extra`, in their places: extras all, but for `by`."""
_MOVED = frozenset(BESIDE) - {"by"}


def encode_act(act: LogAct) -> dict[str, object]:
    """The body of an act's line."""
    body: dict[str, object] = encoded(act, type(act))
    if not act.extra:
        return body
    extra = object_of(body.pop("extra"))
    ends = {**extra, "by": body.pop("by", "")}
    body |= {key: ends[key] for key in BESIDE if ends.get(key, "") != ""}
    others = {key: part for key, part in extra.items() if key not in _MOVED}
    return {**body, "extra": others} if others else body


def decode_act(body: object, read_order: ReadOrder = unread) -> LogAct:
    """An entry or a correction from its body, whose orders are read in place; Misread says what is wrong."""
    raw = object_of(body)
    if moved := {key: raw[key] for key in _MOVED & raw.keys()}:
        kept = {key: part for key, part in raw.items() if key not in moved}
        raw = {**kept, "extra": {**object_of(raw.get("extra", {})), **moved}}
    act: LogAct = decoded(Entry if "order" in raw else Correction, raw, read_order)
    return act


def encoded(value: object, kind: Any) -> Any:
    """A value of a kind as JSON takes it; Misread if it is not of that kind."""
    from qf_tui.journal.save_values import CONVERTER

    try:
        return CONVERTER.unstructure(value, kind)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Misread(f"{shown(value)} is not what was expected: {fault}") from None


def decoded(kind: Any, value: object, read_order: ReadOrder = unread, place: str = "") -> Any:
    """A value of a kind, at a place of its line; Misread names the place of each fault."""
    from qf_tui.journal.save_values import CONVERTER, READ_ORDER

    before = READ_ORDER.set(read_order)
    try:
        return CONVERTER.read(value, kind, place)
    finally:
        READ_ORDER.reset(before)


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
        bare: Battle = decoded(Battle, {**moment, "ships": {}}, read_order)
        battle = evolve(bare, ships=own, reserve=reserve, began=battle, plan=plan)
    if battle is None:
        raise Misread("there is no battle")
    return battle
