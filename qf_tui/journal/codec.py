"""Converts the header and the acts of a save to and from JSON, and whole battles for other processes.

`save_values` and `converting` convert single values; `lines` adds the checksums.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from attrs import evolve, field, frozen

from qf_tui.core.grammar.reader import build_unread_order
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, Entry, LogAct
from qf_tui.core.values import Battle, Condition, Due, Order, Plan, Ship
from qf_tui.journal.lines import (
    FORMAT,
    Misread,
    encode_json,
    find_format_fault,
    format_value,
    read_list,
    read_object,
    read_text,
    read_whole,
)

SCHEDULE, VICTORY = "schedule", "victory"
PARTS = frozenset({SCHEDULE, VICTORY})
TEXT_MOST = 300
"""Largest length of a text in a schedule, which becomes an order."""


@frozen
class _ScheduleItem:
    """An item of the schedule as a save has it, with its arriving ships in full."""

    turn: int
    ships: tuple[Ship, ...] = ()
    where: str = ""
    table: Mapping[str, Scalar] = field(factory=dict)
    note: str = ""


@frozen
class _PlanParts:
    """The parts of `extra` that hold the plan of the start."""

    schedule: tuple[_ScheduleItem, ...] = ()
    victory: tuple[Condition, ...] = ()


def encode_plan(start: Battle) -> dict[str, object]:
    """Encode the plan of a start as parts of `extra`; the arriving ships are in the start's reserve."""
    items = tuple(
        _ScheduleItem(due.turn, tuple(start.reserve[id] for id in due.ships), due.where, due.table, due.note)
        for due in start.plan.schedule
    )
    parts: dict[str, object] = encode_value(_PlanParts(items, start.plan.victory), _PlanParts)
    return parts


def add_plan(start: Battle, extra: Mapping[str, object]) -> Battle:
    """Add the plan from `extra` to a start, and put its arriving ships into the reserve.

    Raises:
        Misread: If the plan does not fit the start.
    """
    plan: _PlanParts = decode_value(
        _PlanParts, {part: extra[part] for part in PARTS & extra.keys()}, place=".extra"
    )
    items = plan.schedule
    for name, faults in (
        (SCHEDULE, _find_schedule_faults(start, items)),
        (VICTORY, _find_victory_faults(start, plan.victory)),
    ):
        if fault := next(faults, ""):
            raise Misread(f"extra.{name}: {fault}")
    schedule = tuple(
        Due(item.turn, tuple(ship.id for ship in item.ships), item.where, item.table, item.note)
        for item in items
    )
    arriving_ships = {ship.id: ship for item in items for ship in item.ships}
    return evolve(start, plan=Plan(schedule, plan.victory), reserve={**start.reserve, **arriving_ships})


def _find_schedule_faults(start: Battle, items: tuple[_ScheduleItem, ...]) -> Iterator[str]:
    """Yield the faults of a schedule: a turn before 2, a ship twice, an unknown side, a text too long."""
    sides = {side.id for side in start.sides}
    known_ids = set(start.ships)
    for item in items:
        if item.turn < 2:
            yield f"turn {item.turn}: the first possible turn is 2"
        for ship in item.ships:
            if ship.id in known_ids:
                yield f"ship {format_value(ship.id)} is in the battle already"
            if ship.side not in sides:
                yield f"ship {format_value(ship.id)} has an unknown side: {format_value(ship.side)}"
            known_ids.add(ship.id)
        yield from _find_text_faults((item.where, item.note, *item.table, *map(str, item.table.values())))


def _find_victory_faults(start: Battle, victory: tuple[Condition, ...]) -> Iterator[str]:
    """Yield the faults of conditions of victory: unknown sides, long texts, nothing to count."""
    sides = {side.id for side in start.sides}
    for condition in victory:
        for side in (condition.side, condition.of):
            if side not in sides:
                yield f"there is no side {format_value(side)}"
        if condition.points is None and (condition.count < 1 or not condition.status):
            yield f"{format_value(condition.side)}: it has no count or no status"
        yield from _find_text_faults((condition.kind, condition.edge, condition.note, *condition.status))


def _find_text_faults(texts: tuple[str, ...]) -> Iterator[str]:
    """Yield a fault for each text that is longer than TEXT_MOST."""
    for text in texts:
        if len(text) > TEXT_MOST:
            yield f"a text of {len(text)} characters; the limit is {TEXT_MOST}"


ReadOrder = Callable[[str], Order]


class RulesOf(Protocol):
    """A function that finds the reader for a save's orders, by its rule system and the rule book in it."""

    def __call__(self, system: str, book: object = None) -> ReadOrder: ...


def read_no_orders(system: str, book: object = None) -> ReadOrder:
    """Return a reader that keeps every order as plain text, which is enough to copy a save."""
    return build_unread_order


@frozen
class Header:
    """The first line of a save.

    Attributes:
        program: Version of the program that made the save.
        system: Id of the rule system.
        start: Battle before act 1, with its plan. If its phase has begun, `start.began` is the same battle.
        extra: JSON of other parts of the program, by part; the plan is not among them.
    """

    program: str
    system: str
    start: Battle
    extra: Mapping[str, object] = field(factory=dict)

    @property
    def book(self) -> object:
        """The data of the rule book in the save, or None if its rule system is installed."""
        return self.extra.get(BOOK)


BOOK = "rules"
"""Part of `extra` that holds a rule book."""


@frozen
class _HeaderLine:
    """The keys of the first line.

    Attributes:
        n: Number of the line: 0.
        began: True if the start is also the battle as its phase began.
        extra: The plan and other parts of the program, by part.
    """

    n: int
    save: str
    format: int
    program: str
    system: str
    start: Battle
    began: bool = False
    extra: Mapping[str, Any] = field(factory=dict)


def encode_header(header: Header) -> dict[str, object]:
    """Encode a header as the body of the first line."""
    extra = {**header.extra, **encode_plan(header.start)}
    line = _HeaderLine(
        n=0,
        save="qf-tui",
        format=FORMAT,
        program=header.program,
        system=header.system,
        start=header.start,
        began=header.start.began is not None,
    )
    body: dict[str, object] = encode_value(line, _HeaderLine)
    return {**body, "extra": extra} if extra else body


def find_order_reader(header: object, rules_of: RulesOf) -> ReadOrder:
    """Find the reader for a save's orders by the rule system, and any rule book, that its header names."""
    raw = read_object(header)
    return rules_of(read_text(raw.get("system", "")), read_object(raw.get("extra", {})).get(BOOK))


def decode_header(body: object, read_order: ReadOrder = build_unread_order) -> Header:
    """Decode a header from its body.

    Args:
        read_order: Reads the orders that the start owes.

    Raises:
        Misread: If it is of another format or no header, or its plan does not fit its start.
    """
    if fault := find_format_fault(read_whole(read_object(body).get("format"))):
        raise Misread(fault)
    line: _HeaderLine = decode_value(_HeaderLine, body, read_order)
    # The number of the first line is 0.
    if line.n or line.save != "qf-tui":
        raise Misread("not the first line of a save")
    start = add_plan(line.start, line.extra)
    if line.began:
        # The battle at the beginning of the phase is the start itself, so the save has it only once.
        start = evolve(start, began=start)
    other_parts = {name: part for name, part in line.extra.items() if name not in PARTS}
    return Header(line.program, line.system, start, other_parts)


OLDER_KEYS = ("proposal", "by", "nonce")
"""Keys that a line has next to `extra`, because they are older; all but `by` are extras."""
_OLDER_EXTRAS = frozenset(OLDER_KEYS) - {"by"}


def encode_act(act: LogAct) -> dict[str, object]:
    """Encode an act as the body of its line; the extras `proposal` and `nonce` become keys of the line."""
    body: dict[str, object] = encode_value(act, type(act))
    if not act.extra:
        return body
    extra = read_object(body.pop("extra"))
    # A line has `by` between `proposal` and `nonce`, so `by` is taken out here and put in again with them.
    values = {**extra, "by": body.pop("by", "")}
    body |= {key: values[key] for key in OLDER_KEYS if values.get(key, "") != ""}
    other_extras = {key: part for key, part in extra.items() if key not in _OLDER_EXTRAS}
    return {**body, "extra": other_extras} if other_extras else body


def decode_act(body: object, read_order: ReadOrder = build_unread_order) -> LogAct:
    """Decode an entry or a correction from its body.

    Two extras, `proposal` and `nonce`, are keys of the line itself; they are put into the act's `extra`.

    Args:
        read_order: Reads the orders in the body.

    Raises:
        Misread: If the body is not such an act; with each fault and its place.
    """
    raw = read_object(body)
    if older_extras := {key: raw[key] for key in _OLDER_EXTRAS & raw.keys()}:
        other_keys = {key: part for key, part in raw.items() if key not in older_extras}
        raw = {**other_keys, "extra": {**read_object(raw.get("extra", {})), **older_extras}}
    act: LogAct = decode_value(Entry if "order" in raw else Correction, raw, read_order)
    return act


def encode_value(value: object, kind: Any) -> Any:
    """Encode a value of the type `kind` as plain data for JSON.

    Raises:
        Misread: If the value is of another type.
    """
    from qf_tui.journal.save_values import CONVERTER

    try:
        return CONVERTER.unstructure(value, kind)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Misread(f"{format_value(value)}: {fault}") from None


def decode_value(
    kind: Any, value: object, read_order: ReadOrder = build_unread_order, place: str = ""
) -> Any:
    """Decode plain data to a value of the type `kind`.

    Args:
        read_order: Reads the orders in the data.
        place: Place of the value in its line, for messages.

    Raises:
        Misread: If the data have another form; with the first faults and their places.
    """
    from qf_tui.journal.save_values import CONVERTER, READ_ORDER

    token = READ_ORDER.set(read_order)
    try:
        return CONVERTER.read(value, kind, place)
    finally:
        READ_ORDER.reset(token)


def encode_battle(battle: Battle, facts: Mapping[str, object]) -> bytes:
    """Encode a battle at any moment, for another process.

    The JSON holds `ships`, each state of a ship once, and `moments`: the battle when its phase began, and the
    battle now. In a moment, `ships` and `reserve` hold indices into that list.

    Args:
        facts: Further keys of the JSON.
    """
    moments = (battle,) if battle.began is None else (battle.began, battle)
    # A ship that has not changed is the same object in both moments, so `id` finds each state once.
    states: dict[int, Ship] = {}
    for moment in moments:
        states |= {id(ship): ship for ship in (*moment.ships.values(), *moment.reserve.values())}
    places = {state: place for place, state in enumerate(states)}
    bodies: list[dict[str, object]] = []
    for moment in moments:
        without_ships = evolve(moment, ships={})
        parts: dict[str, object] = {
            **encode_value(without_ships, Battle),
            "plan": encode_value(moment.plan, Plan),
        }
        for part, ship_by_id in (("ships", moment.ships), ("reserve", moment.reserve)):
            parts[part] = {name: places[id(ship)] for name, ship in ship_by_id.items()}
        bodies.append(parts)
    ships = [encode_value(ship, Ship) for ship in states.values()]
    return encode_json({"ships": ships, "moments": bodies, **facts})


def decode_battle(raw: Mapping[str, Any], read_order: ReadOrder) -> Battle:
    """Decode a battle that `encode_battle` encoded; `raw` is used up.

    The moments are battles, oldest first: the last is the result, and each other one becomes `began` of the
    next. The data come from this program, so missing keys are not looked for.

    Raises:
        Misread: A value has the wrong form, or there is no moment.
    """
    states: list[Ship] = [decode_value(Ship, ship) for ship in read_list(raw["ships"])]

    def find_ships(place_by_id: object) -> dict[str, Ship]:
        return {id: states[read_whole(place)] for id, place in read_object(place_by_id).items()}

    battle: Battle | None = None
    for moment in read_list(raw["moments"]):
        ships = find_ships(moment.pop("ships"))
        reserve = find_ships(moment.pop("reserve"))
        plan = decode_value(Plan, moment.pop("plan"))
        without_ships: Battle = decode_value(Battle, {**moment, "ships": {}}, read_order)
        battle = evolve(without_ships, ships=ships, reserve=reserve, began=battle, plan=plan)
    if battle is None:
        raise Misread("there is no battle")
    return battle
