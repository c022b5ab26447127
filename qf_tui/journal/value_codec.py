"""Values of the core to JSON, and strictly back, from their own declarations.

A wrong type, an unknown key or an unknown kind is refused, never converted; empty and default parts are left
out.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, lru_cache, partial
from typing import Any, TypeVar, cast, get_args, get_origin

from attrs import NOTHING, evolve, fields, frozen

from qf_tui.core.decisions import Decision, Effect, Op, Reason, ReasonKind, Results
from qf_tui.core.facts import Fact, is_key
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, Entry, Ruling, Version
from qf_tui.core.values import Act, Battle, Charts, Die, Mark, Order, Owed, Ship, replace
from qf_tui.journal.lines import (
    NUMBER_MOST,
    SUBJECT,
    Misread,
    list_of,
    object_of,
    scalar,
    shown,
    text,
    truth,
    whole,
)

_T = TypeVar("_T")
_Read = Callable[[Any], Any]
_Write = Callable[[Any], Any]


@frozen
class Coder:
    """How the values of a kind are read and written.

    Without `write` JSON takes them as they are; what is of a type of `plain` is taken as it comes.
    """

    read: _Read
    write: _Write | None = None
    plain: frozenset[type] = frozenset()


class Misplaced(Misread):
    """Faults within a value, each with its place."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{text} @ ${place}" for place, text in faults[:3]))
        self.faults = faults


def faults_at(place: str, fault: Misread) -> list[tuple[str, str]]:
    """The faults of a part, each with its place in the whole."""
    if isinstance(fault, Misplaced):
        return [(place + within, text) for within, text in fault.faults]
    return [(place, str(fault))]


def _read_fact(value: object) -> Fact:
    if type(value) is not list:
        return scalar(value)
    if value and type(value[0]) is int:
        return tuple([whole(part) for part in value])
    return tuple([text(part) for part in value])


def _read_seconds(value: object) -> float:
    if type(value) in (int, float) and 0 <= cast(float, value) < NUMBER_MOST:
        return cast(float, value)
    raise Misread(f"{shown(value)} is not a number of seconds")


def _read_member(kind: type[_T], value: object) -> _T:
    try:
        return cast(Callable[[str], _T], kind)(text(value))
    except ValueError:
        named = re.sub("(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()
        raise Misread(f"{shown(value)} is not a {named}") from None


def _read_order(value: object) -> Order:
    """The order of an entry, which its rules have read before the rest of the line."""
    if isinstance(value, Order):
        return value
    raise Misread(f"{shown(value)} is not an order")


def _read_whole_order(raw: dict[str, Any]) -> Order:
    """An order, which was read before, with what stands beside it."""
    order: Order = raw["order"]
    beside = {key: coder.read(raw[key]) for key, coder in _BESIDE_ORDER.items() if key in raw}
    return replace(order, **beside) if beside else order


def _write_whole_order(order: Order) -> dict[str, object]:
    body: dict[str, object] = {"order": order.resolved}
    if order.dice:
        body["dice"] = order.dice
    if order.forced:
        body["forced"] = True
    if order.call is not None:
        body["call"] = order.call
    return body


def _read_question_key(value: object) -> str:
    key = text(value)
    if not is_key(key):
        raise Misread(f"{shown(key)} does not begin with the number of an entry")
    return key


def _read_die(value: object) -> Die:
    parts = list_of(value)
    if not 1 <= len(parts) <= 3:
        raise Misread("a die has its sides, name and least face")
    name = text(parts[1]) if len(parts) > 1 else ""
    die = Die(whole(parts[0]), name, whole(parts[2]) if len(parts) > 2 else 1)
    if die.sides < 1:
        raise Misread(f"a die cannot have {die.sides} sides")
    return die


def _write_die(die: Die) -> list[object]:
    if die.least != 1:
        return [die.sides, die.name, die.least]
    return [die.sides, die.name] if die.name else [die.sides]


_REASON_SIGNS = (SUBJECT, ReasonKind.REMARK.value, ReasonKind.QUESTION.value)


def read_reason(value: object) -> Reason:
    """A reason from its parts."""
    parts = list_of(value)
    if not 1 <= len(parts) <= 7 or (len(parts) > 6 and parts[6] not in _REASON_SIGNS):
        signs = " or ".join(f"“{sign}”" for sign in _REASON_SIGNS)
        raise Misread(f"{shown(value)} is not a list of 1 to 6 texts, or one with {signs} after them")
    for part in parts:
        if type(part) is not str:
            text(part)
    if len(parts) < 7:
        return Reason(*parts)
    reason = Reason(*parts[:6])
    if parts[6] == SUBJECT:
        return evolve(reason, of="", subject=reason.of)
    return evolve(reason, kind=ReasonKind(parts[6]))


def write_reason(reason: Reason) -> list[str]:
    """A reason as its parts, empty ends left out."""
    whose, sign = (reason.subject, SUBJECT) if reason.subject else (reason.of, reason.kind.value)
    parts = [reason.result, reason.clause, reason.chart, reason.cell, whose, reason.roll, sign]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def _read_outcome(value: object) -> Results:
    """The facts of an outcome; a list of it holds texts."""
    facts = object_of(value).items()
    return tuple(
        [(name, tuple(map(text, fact)) if type(fact) is list else scalar(fact)) for name, fact in facts]
    )


_VALUES: Mapping[Op, Any] = {
    Op.ADD: int,
    Op.SET: Scalar,
    Op.CARD: Scalar,
    Op.MARK: Mark,
    Op.LIFT: str,
    Op.STATUS: str,
    Op.ACT: Act,
    Op.OWE: Owed,
    Op.SETTLE: str,
    Op.PHASE: tuple[int, bool],
    Op.JOIN: Ship,
    Op.OPTION: Scalar,
    Op.TABLE: Scalar,
    Op.CHART: Charts,
    Op.DOUBT: int,
    Op.CLEAR: int,
}
"""What the value of each kind of effect is."""


@cache
def _effects() -> Mapping[object, tuple[Op, Coder]]:
    """The kinds of effect by their names, each with the coder of its value."""
    return {op.value: (op, coder_of(kind)) for op, kind in _VALUES.items()}


def _read_effect(parts: object) -> Effect:
    """An effect from a list: its kind, ship, field and value, and true for one by hand."""
    if type(parts) is not list or not 4 <= len(parts) <= 5:
        raise Misread(f"{shown(parts)} is not a list of 4 or 5 parts")
    name, ship, field, value = parts[:4]
    known = _effects().get(name) if type(name) is str else None
    if known is None:
        raise Misread(f"{shown(name)} is not a kind of effect")
    if type(ship) is not str or type(field) is not str:
        raise Misread(f"{shown(ship)}, {shown(field)}: ship and field are not texts")
    op, coder = known
    read = value if type(value) in coder.plain else coder.read(value)
    return Effect(op, ship, field, read, truth(parts[4]) if len(parts) == 5 else False)


def _write_effect(effect: Effect) -> list[object]:
    write = _effects()[effect.op][1].write
    value = effect.value if write is None else write(effect.value)
    parts = [effect.op, effect.ship, effect.field, value]
    return [*parts, True] if effect.hand else parts


_PLAIN: frozenset[type] = frozenset((str, bool, type(None)))
_LEAVES: Mapping[Any, Coder] = {
    int: Coder(whole),
    str: Coder(text, plain=frozenset({str})),
    bool: Coder(truth, plain=frozenset({bool})),
    float: Coder(_read_seconds),
    Scalar: Coder(scalar, plain=_PLAIN),
    Fact: Coder(_read_fact, plain=_PLAIN),
    Die: Coder(_read_die, _write_die),
    Reason: Coder(read_reason, write_reason),
    Order: Coder(_read_order, lambda order: order.resolved),
    Results: Coder(_read_outcome, dict),
    Effect: Coder(_read_effect, _write_effect),
}
_KEYS: Mapping[tuple[Any, str], str] = {
    (Decision, "reasons"): "because",
    (Entry, "number"): "n",
    (Correction, "number"): "n",
    (Correction, "kind"): "correction",
}
"""The keys that are not the name of their field."""
_OMITTED = {(Battle, "began"), (Battle, "reserve"), (Battle, "plan")}
_BESIDE = {(Ruling, "decision"), (Entry, "version")}
"""The parts of a value whose own parts stand among those of the value."""


@frozen
class _Field:
    """A field of a value: its key ("": its own `keys` stand among those of the value), its default."""

    name: str
    key: str
    keys: frozenset[str]
    default: object
    coder: Coder


class Fields:
    """Reads and writes the values of a class by its fields."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._fields = [_field_of(kind, each) for each in fields(kind) if (kind, each.name) not in _OMITTED]
        self.keys = frozenset().union(*(field.keys for field in self._fields))
        # The lines of a save have few sets of keys.
        self._asked = lru_cache(maxsize=64)(self._asked_of)

    def _asked_of(self, keys: tuple[str, ...]) -> tuple[list[_Field], list[str]]:
        """The fields read from a value with these keys, all but what is left out; the keys of no field."""
        asked = [field for field in self._fields if field.key in {"", *keys} or field.default is NOTHING]
        return asked, [key for key in keys if key not in self.keys]

    def read(self, raw: object, *, beside: bool = False) -> Any:
        """A value; Misplaced names all its faults. `beside`: other keys are none of its own."""
        if type(raw) is not dict:
            raise Misread("not what was expected")
        made: dict[str, object] = {}
        faults: list[tuple[str, str]] = []
        asked, unknown = self._asked(tuple(raw))
        for field in asked:
            key = field.key
            try:
                if key and key not in raw:
                    faults.append(("", f"{key} is missing"))
                    continue
                part = raw[key] if key else raw
                coder = field.coder
                made[field.name] = part if type(part) in coder.plain else coder.read(part)
            except Misread as fault:
                faults += faults_at(key and f".{field.name}", fault)
        if unknown and not beside:
            faults.append(("", f"unknown key {shown(min(unknown))}"))
        if faults:
            raise Misplaced(faults)
        return self._kind(**made)

    def write(self, value: object) -> dict[str, object]:
        """A value without its default parts."""
        body: dict[str, object] = {}
        for field in self._fields:
            part = getattr(value, field.name)
            if field.key and part == field.default:
                continue
            write = field.coder.write
            written = part if write is None else write(part)
            if field.key:
                body[field.key] = written
            else:
                body.update(written)
        return body


def _field_of(kind: Any, field: Any) -> _Field:
    name, default = field.name, field.default
    if (kind, name) in _BESIDE:
        part = _fields_of(field.type)
        return _Field(name, "", part.keys, NOTHING, Coder(partial(part.read, beside=True), part.write))
    if (kind, name) == (Version, "order"):
        keys = frozenset({"order", *_BESIDE_ORDER})
        return _Field(name, "", keys, NOTHING, Coder(_read_whole_order, _write_whole_order))
    key, coder = _KEYS.get((kind, name), name), coder_of(field.type)
    if (kind, name) == (Owed, "key"):
        coder = Coder(_read_question_key)
    default = default.factory() if hasattr(default, "factory") else default
    return _Field(name, key, frozenset({key}), default, coder)


_fields_of = cache(Fields)


@cache
def coder_of(kind: Any) -> Coder:
    """How values of a kind are read and written."""
    if kind in _LEAVES:
        return _LEAVES[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Coder(partial(_read_member, kind))
    if get_origin(kind) is tuple:
        return _tuple_coder(get_args(kind))
    if get_origin(kind) is Mapping:
        return _mapping_coder(*get_args(kind))
    if type(None) in get_args(kind):
        # What is not there is left out, and never written as nothing.
        return coder_of(get_args(kind)[0])
    return Coder(_fields_of(kind).read, _fields_of(kind).write)


def _tuple_coder(kinds: tuple[Any, ...]) -> Coder:
    coders = [coder_of(kind) for kind in kinds if kind is not Ellipsis]
    read, write, plain = coders[0].read, coders[0].write, coders[0].plain

    def read_each(value: object) -> tuple[Any, ...]:
        return tuple([part if type(part) in plain else read(part) for part in list_of(value)])

    def read_all(value: object) -> tuple[Any, ...]:
        parts = list_of(value)
        if len(parts) != len(coders):
            raise Misread(f"{len(parts)} parts, not {len(coders)}")
        return tuple([coder.read(part) for part, coder in zip(parts, coders, strict=True)])

    if kinds[-1] is not Ellipsis:
        return Coder(read_all)
    return Coder(read_each, None if write is None else lambda parts: [write(part) for part in parts])


def _mapping_coder(key_kind: Any, kind: Any) -> Coder:
    coder = coder_of(kind)
    read_part, write, plain = coder.read, coder.write, coder.plain

    def read(value: object) -> dict[Any, Any]:
        raw: dict[Any, Any] = object_of(value)
        if key_kind is int:
            for key in raw:
                if not _ENTRY.fullmatch(key):
                    raise Misread(f"{shown(key)} is not the number of an entry")
            raw = {int(key): part for key, part in raw.items()}
        made: dict[Any, Any] = {}
        faults: list[tuple[str, str]] = []
        for key, part in raw.items():
            try:
                made[key] = part if type(part) in plain else read_part(part)
            except Misread as fault:
                faults += faults_at(f"[{key!r}]", fault)
        if faults:
            raise Misplaced(faults)
        return made

    write_each = None if write is None else lambda parts: {key: write(part) for key, part in parts.items()}
    return Coder(read, write_each)


_ENTRY = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)
_BESIDE_ORDER = {"dice": coder_of(tuple[int, ...]), "forced": coder_of(bool), "call": coder_of(int)}
"""What of an order stands beside its text."""
