"""The lines of a save: the header, entries and corrections, to and from JSON."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, Protocol

from attrs import evolve, field, frozen

from qf_tui.core.decisions import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.facts import Positional
from qf_tui.core.grammar.reader import unread
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, Entry, LogAct
from qf_tui.core.values import ANSWERS, Battle, Condition, Due, Order, Plan, Ship
from qf_tui.journal.lines import (
    FORMAT,
    SUBJECT,
    Misread,
    list_of,
    object_of,
    scalar,
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


_KEYS_OF_3 = frozenset({"proposal", "by", "nonce"})
_NEW_KEYS = _KEYS_OF_3 | {"correction", "arrivals", "call", "estimated", "thrown", "at", "extra"}
"""The keys that came with format 3, and with 2 or 3."""


@frozen
class FormatOne:
    """How lines of format 1 are read: with the names of facts, and the ships that may join."""

    positional: Positional
    reserve: Mapping[str, Any]
    whose: re.Pattern[str]
    """A sentence about a ship, or about a roll of hers."""

    def act(self, body: object) -> dict[str, Any]:
        """The body of an act's line; Misread if it is none of format 1."""
        raw = _known(object_of(body))
        if "mend" in raw:
            raw["correction"] = raw.pop("mend")
        if "version" in raw:
            _known(object_of(raw["version"]))
        for ruling in object_of(raw.get("rulings", {})).values():
            for effect in list_of(object_of(ruling).get("effects", [])):
                self._effect(list_of(effect))
            for reason in list_of(object_of(ruling).get("because", [])):
                self._reason(list_of(reason))
        return raw

    def _reason(self, parts: list[Any]) -> None:
        """Takes a sentence apart that begins with a ship, or with a roll that is hers."""
        match = self.whose.fullmatch(parts[0]) if 1 <= len(parts) <= 4 and type(parts[0]) is str else None
        if match is None:
            return
        roll, name, mark, result = match.group("roll", "name", "mark", "result")
        if roll and mark != ": ":
            return
        sign = ["", SUBJECT] if mark == " " else []
        whose = f"{roll or ''}{name}{',' if mark == ', ' else ''}"
        parts[:] = [result, *parts[1:], *[""] * (4 - len(parts)), whose, *sign]

    def _effect(self, parts: list[Any]) -> None:
        if len(parts) < 4:
            return
        if parts[0] == Op.ACT:
            self.name_facts(parts[3], "act")
        elif parts[0] == Op.OWE:
            self.name_facts(parts[3], "question")
        elif parts[0] == Op.JOIN:
            if parts[1] not in self.reserve:
                raise Misread(f"join: no ship {shown(parts[1])} can join")
            parts[3] = {**object_of(self.reserve[parts[1]]), "side": parts[3]}

    def name_facts(self, value: object, what: Literal["act", "question"]) -> None:
        """Names the facts of an act or a question."""
        raw = object_of(value)
        kind_key, parts_key = ("kind", "data") if what == "act" else ("line", "about")
        if "facts" in raw:
            raise Misread("unknown key “facts”")
        kind, parts = text(raw.get(kind_key)), list_of(raw.pop(parts_key, []))
        for part in parts:
            scalar(part)
        try:
            facts = self.positional(what, kind, parts)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            raise Misread(f"{what} of the kind {shown(kind)}: its parts do not fit: {fault}") from None
        if facts:
            raw["facts"] = dict(facts)


def upgraded_header(body: object, positional: Positional) -> tuple[dict[str, Any], FormatOne]:
    """The body of a header without the ships that may join, and how the lines behind it are read."""
    raw = _known(object_of(body))
    start = object_of(raw.get("start"))
    reserve = object_of(start.pop("reserve", {}))
    ships = (*object_of(start.get("ships", {})).values(), *reserve.values())
    reader = FormatOne(positional, reserve, _of_ships(object_of(ship).get("name") for ship in ships))
    for act in list_of(start.get("acts", [])):
        reader.name_facts(act, "act")
    for question in list_of(start.get("owed", [])):
        reader.name_facts(question, "question")
    return raw, reader


def _of_ships(names: Iterable[object]) -> re.Pattern[str]:
    """The beginnings of sentences about ships of these names, the longest name first."""
    known = sorted({name for name in names if type(name) is str and name}, key=len, reverse=True)
    any_name = "|".join(map(re.escape, known)) or "(?!)"
    return re.compile(rf"(?P<roll>.*? on )?(?P<name>{any_name})(?P<mark>: |, | )(?P<result>.+)", re.DOTALL)


def _known(raw: dict[str, Any]) -> dict[str, Any]:
    for key in raw:
        if key in _NEW_KEYS:
            raise Misread(f"unknown key {shown(key)}")
    return raw


ReadOrder = Callable[[str], Order]


@frozen
class SaveRules:
    """What the journal does not know of a rule system: how to read an order, and what format 1 kept where.

    Without them orders are words, and the facts of format 1 are called by their positions: enough for a copy,
    and refused by any rules.
    """

    read_order: ReadOrder = unread
    positional: Positional = lambda what, kind, parts: {str(at): part for at, part in enumerate(parts)}


class RulesOf(Protocol):
    """Gives the rules of a save, by the name of its rule system and the rule book that it holds, if any."""

    def __call__(self, system: str, book: object = None) -> SaveRules: ...


def no_rules(system: str, book: object = None) -> SaveRules:
    """Those of no rule system."""
    return SaveRules()


@frozen
class Header:
    """The first line of a save: its format, the program that made it, the rule system, and the start battle.

    A start that has a beginning of its phase has itself for it. `extra` holds JSON of other parts of the
    program, by part; what the start says of later is no part of it here.
    """

    format: int
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
_RESERVE: Any = Mapping[str, Ship]


def encode_header(header: Header) -> dict[str, object]:
    """The body of the first line."""
    body: dict[str, object] = {
        "n": 0,
        "save": "qf-tui",
        "format": header.format,
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


def decode_header(body: object, reserve: object = None, read_order: ReadOrder = unread) -> Header:
    """A header from its body; Misread says what is wrong and where.

    `reserve` are the ships that format 1 kept apart.
    """
    raw = object_of(body, _HEADER_KEYS)
    for key in _HEADER_KEYS - {"began", "extra"}:
        if key not in raw:
            raise Misread(f"{key} is missing")
    number = whole(raw["format"])
    if not 0 < number <= FORMAT or whole(raw["n"]) or raw["save"] != "qf-tui":
        raise Misread(f"not the first line of a save of format {FORMAT}")
    start = decode_battle(object_of(raw["start"]), read_order)
    if reserve:
        start = evolve(start, reserve=decoded(_RESERVE, reserve))
    extra = object_of(raw.get("extra", {}))
    start = with_plan(start, extra)
    if truth(raw.get("began", False)):
        start = evolve(start, began=start)
    others = {name: part for name, part in extra.items() if name not in PARTS}
    return Header(number, text(raw["program"]), text(raw["system"]), start, others)


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


class LineDecoder:
    """Decodes the lines of one save, first to last; from the act that says so they are of a newer format.

    `format` is that of the last line.
    """

    def __init__(self, rules_of: RulesOf) -> None:
        self.format = FORMAT
        self._rules_of = rules_of
        self.rules = SaveRules()
        self._format_1: FormatOne | None = None

    def header(self, body: object) -> Header:
        """The header; Misread says what is wrong."""
        reserve = None
        raw = object_of(body)
        self.rules = self._rules_of(text(raw.get("system", "")), object_of(raw.get("extra", {})).get(BOOK))
        if raw.get("format") == 1 and type(raw["format"]) is int:
            body, self._format_1 = upgraded_header(raw, self.rules.positional)
            reserve = self._format_1.reserve
        header = decode_header(body, reserve, self.rules.read_order)
        self.format = header.format
        return header

    def act(self, body: object) -> LogAct:
        """The next act; Misread says what is wrong."""
        if type(body) is dict and "format" in body:
            newer = whole(body.pop("format"))
            if not self.format < newer <= FORMAT:
                raise Misread(f"format {newer} after lines of format {self.format}")
            self.format = newer
        if self.format == 1 and self._format_1 is not None:
            body = self._format_1.act(body)
        elif self.format < FORMAT and type(body) is dict and (new := _KEYS_OF_3 & body.keys()):
            raise Misread(f"unknown key {shown(min(new))}")
        return decode_act(body, self.rules.read_order)


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
