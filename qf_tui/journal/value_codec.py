"""Values of the core as JSON, and strictly back: by cattrs, from their own declarations.

A wrong type, an unknown key or an unknown kind is refused, never made to fit; empty and default parts are
left out. Only `codec` loads this, with the first value: a battle that is not kept has none.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast, get_args, get_origin

from attrs import evolve, fields
from cattrs import Converter, transform_error
from cattrs.errors import CattrsError, ForbiddenExtraKeysError
from cattrs.fns import identity
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, mapping_structure_factory, override

from qf_tui.core.decisions import Decision, Effect, Op, Reason, Results
from qf_tui.core.facts import Fact, is_key
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, Ruling, State, Version
from qf_tui.core.values import Act, Battle, Charts, Die, Mark, Order, Owed, Provenance, Ship
from qf_tui.journal.lines import (
    NUMBER_MOST,
    REMARK,
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

FAULTS = (CattrsError, ValueError, TypeError, KeyError, AttributeError)
"""What reading raises where a value is not of its kind."""

_T = TypeVar("_T")
_Read = Callable[[Any, Any], Any]
_Write = Callable[[Any], Any]


def _read_fact(value: object, _: object = None) -> Fact:
    """A scalar, or a list of whole numbers or of texts."""
    if type(value) is not list:
        return scalar(value)
    if value and type(value[0]) is int:
        return tuple([whole(part) for part in value])
    return tuple([text(part) for part in value])


def _read_seconds(value: object, _: object = None) -> float:
    if type(value) in (int, float) and 0 <= cast(float, value) < NUMBER_MOST:
        return cast(float, value)
    raise Misread(f"{shown(value)} is not a number of seconds")


def _read_member(value: object, kind: type[_T]) -> _T:
    """A member of an enum by its value."""
    try:
        return cast(Callable[[str], _T], kind)(text(value))
    except ValueError:
        named = re.sub("(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()
        raise Misread(f"{shown(value)} is no {named}") from None


def _read_order(value: object, _: object = None) -> Order:
    """The order of an entry, which its rules have read before the rest of the line."""
    if isinstance(value, Order):
        return value
    raise Misread(f"{shown(value)} is no order")


def _read_question_key(value: object, _: object = None) -> str:
    key = text(value)
    if not is_key(key):
        raise Misread(f"{shown(key)} does not begin with the number of an entry")
    return key


def _read_entry_number(key: object) -> int:
    """The number of an entry as a key of an object."""
    if type(key) is str and key.isascii() and key.isdigit() and len(key) < 10 and str(int(key)) == key:
        return int(key)
    raise Misread(f"{shown(key)} is not the number of an entry")


def _read_die(value: object, _: object = None) -> Die:
    """A die from its sides, name and least face."""
    parts = list_of(value)
    if not 1 <= len(parts) <= 3:
        raise Misread("a die has its sides, name and least face")
    name = text(parts[1]) if len(parts) > 1 else ""
    die = Die(whole(parts[0]), name, whole(parts[2]) if len(parts) > 2 else 1)
    if die.sides < 1:
        raise Misread(f"{die.sides} is not the sides of a die")
    return die


def _write_die(die: Die) -> list[object]:
    if die.least != 1:
        return [die.sides, die.name, die.least]
    return [die.sides, die.name] if die.name else [die.sides]


def read_reason(value: object, _: object = None) -> Reason:
    """A reason from its parts."""
    parts = list_of(value)
    if not 1 <= len(parts) <= 7 or parts[6:] not in ([], [REMARK], [SUBJECT]):
        signs = f"“{REMARK}” or “{SUBJECT}”"
        raise Misread(f"{shown(value)} is not a list of 1 to 6 texts, with {signs} behind them or not")
    for part in parts:
        if type(part) is not str:
            text(part)
    reason = Reason(*parts[:6])
    if parts[6:] == [SUBJECT]:
        return evolve(reason, of="", subject=reason.of)
    return evolve(reason, remark=True) if len(parts) > 6 else reason


def write_reason(reason: Reason) -> list[str]:
    """A reason as its parts, empty ends left out."""
    whose, sign = (reason.subject, SUBJECT) if reason.subject else (reason.of, REMARK * reason.remark)
    parts = [reason.result, reason.clause, reason.chart, reason.cell, whose, reason.roll, sign]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def _read_outcome(value: object, _: object = None) -> Results:
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
_NAMED = {op.value: (op, kind) for op, kind in _VALUES.items()}


def _effect_reader(_: Any, coder: Converter) -> _Read:
    """An effect is a list: its kind, ship, field and value, and true for one by hand."""
    readers: dict[str, _Read] = {}

    def read(parts: object, _: object = None) -> Effect:
        if type(parts) is not list or not 4 <= len(parts) <= 5:
            raise Misread(f"{shown(parts)} is not a list of 4 or 5 parts")
        name, ship, field, value = parts[:4]
        found = _NAMED.get(name) if type(name) is str else None
        if found is None:
            raise Misread(f"{shown(name)} is no kind of effect")
        op, kind = found
        if type(ship) is not str or type(field) is not str:
            raise Misread(f"{shown(ship)}, {shown(field)}: ship and field are not texts")
        reader = readers.get(name) or readers.setdefault(name, coder.get_structure_hook(kind))
        return Effect(op, ship, field, reader(value, kind), truth(parts[4]) if len(parts) == 5 else False)

    return read


def _effect_writer(_: Any, coder: Converter) -> _Write:
    def write(effect: Effect) -> list[object]:
        value = coder.get_unstructure_hook(_VALUES[effect.op])(effect.value)
        parts: list[object] = [effect.op, effect.ship, effect.field, value]
        return [*parts, True] if effect.hand else parts

    return write


_NUMBER = override(rename="n")
_OVERRIDES: Mapping[Any, Mapping[str, Any]] = {
    Owed: {"key": override(struct_hook=_read_question_key)},
    Battle: dict.fromkeys(("began", "reserve", "plan"), override(omit=True)),
    Decision: {"reasons": override(rename="because")},
    Ruling: {},
    Entry: {"number": _NUMBER},
    Correction: {"number": _NUMBER, "kind": override(rename="correction")},
}
"""The values some of whose fields have another key, are read otherwise, or are left out."""
_BESIDE: Mapping[Any, tuple[str, frozenset[str]]] = {
    Ruling: ("decision", frozenset({"effects", "because", "outcome"})),
    Entry: ("version", frozenset(field.name for field in fields(Version))),
}
"""A part of a value whose own parts, with these keys, stand among those of the value."""


def _reader(kind: Any, coder: Converter) -> _Read:
    """Reads a value by its fields."""
    read = make_dict_structure_fn(kind, coder, **_OVERRIDES[kind])
    if kind not in _BESIDE:
        return read
    part, keys = _BESIDE[kind]

    def read_parts(value: object, _: object = None) -> Any:
        raw = object_of(value)
        if part in raw:
            raise Misread(f"unknown key {shown(part)}")
        whole = {key: each for key, each in raw.items() if key not in keys}
        return read({**whole, part: {key: each for key, each in raw.items() if key in keys}}, kind)

    return read_parts


def _writer(kind: Any, coder: Converter) -> _Write:
    """Writes a value by its fields."""
    write: _Write = make_dict_unstructure_fn(kind, coder, _cattrs_omit_if_default=True, **_OVERRIDES[kind])
    if kind not in _BESIDE:
        return write
    part, _ = _BESIDE[kind]

    def write_parts(value: object) -> dict[str, object]:
        body: dict[str, object] = {}
        for key, each in write(value).items():
            body.update(each if key == part else {key: each})
        return body

    return write_parts


def _version_writer(kind: Any, coder: Converter) -> _Write:
    """A version: text, dice, `forced` and `call` of its order beside each other, then what it has else."""
    rest = make_dict_unstructure_fn(kind, coder, _cattrs_omit_if_default=True, order=override(omit=True))

    def write(version: Version) -> dict[str, object]:
        order = version.order
        body: dict[str, object] = {"order": order.resolved}
        if order.dice:
            body["dice"] = order.dice
        if order.forced:
            body["forced"] = True
        if order.call is not None:
            body["call"] = order.call
        return {**body, **rest(version)}

    return write


def _tuple_reader(kind: Any, coder: Converter) -> _Read:
    kinds = get_args(kind)
    reads = [(coder.get_structure_hook(each), each) for each in kinds if each is not Ellipsis]
    if kinds[-1] is Ellipsis:
        read, each = reads[0]
        return lambda value, _: tuple([read(part, each) for part in list_of(value)])

    def read_all(value: object, _: object = None) -> tuple[Any, ...]:
        parts = list_of(value)
        if len(parts) != len(reads):
            raise Misread(f"{len(parts)} parts, not {len(reads)}")
        return tuple([read(part, each) for part, (read, each) in zip(parts, reads, strict=True)])

    return read_all


def _mapping_reader(kind: Any, coder: Converter) -> _Read:
    # The converter's own way to make one would have it read all such mappings, without what is done here.
    read = mapping_structure_factory(kind, coder)
    if get_args(kind)[0] is int:
        return lambda value, _: read(
            {_read_entry_number(key): each for key, each in object_of(value).items()}, kind
        )
    return lambda value, _: read(object_of(value), kind)


def _optional_reader(kind: Any, coder: Converter) -> _Read:
    """What is not there is left out, and never written as nothing."""
    inner = get_args(kind)[0]
    read = coder.get_structure_hook(inner)
    return lambda value, _: read(value, inner)


def _when_met(make: Callable[[Any, Converter], _Read]) -> Callable[[Any, Converter], _Read]:
    """Makes the reader of a container when the first one comes that is not left out."""

    def factory(kind: Any, coder: Converter) -> _Read:
        made: list[_Read] = []

        def read(value: object, _: object = None) -> Any:
            if not made:
                made.append(make(kind, coder))
            return made[0](value, kind)

        return read

    return factory


@cache
def converter(*, detailed: bool = False) -> Converter:
    """What reads and writes values, and makes nothing fit; `detailed` finds the place of every fault."""
    coder = Converter(detailed_validation=detailed, forbid_extra_keys=True, omit_if_default=True)
    readers: tuple[tuple[Any, _Read], ...] = (
        (int, whole),
        (str, text),
        (bool, truth),
        (float, _read_seconds),
        (Scalar, scalar),
        (Fact, _read_fact),
        (Die, _read_die),
        (Reason, read_reason),
        (Order, _read_order),
        # Otherwise an enum of texts would be read as a text.
        *((kind, _read_member) for kind in (State, CorrectionKind, Provenance)),
    )
    for kind, read in readers:
        coder.register_structure_hook(kind, read)
    containers: tuple[tuple[Callable[[Any], bool], Callable[[Any, Converter], _Read]], ...] = (
        (lambda kind: get_origin(kind) is tuple, _tuple_reader),
        (lambda kind: get_origin(kind) is Mapping, _mapping_reader),
        (lambda kind: len(get_args(kind)) == 2 and get_args(kind)[1] is type(None), _optional_reader),
    )
    for fits, make in containers:
        coder.register_structure_hook_factory(fits, _when_met(make))
    for kind in (int, str, bool, float, Scalar, Fact):
        coder.register_unstructure_hook(kind, identity)
    coder.register_unstructure_hook(Die, _write_die)
    coder.register_unstructure_hook(Reason, write_reason)
    coder.register_unstructure_hook(Order, attrgetter("resolved"))
    coder.register_structure_hook_func(lambda kind: kind == Results, _read_outcome)
    coder.register_unstructure_hook_func(lambda kind: kind == Results, dict)
    coder.register_structure_hook_factory(_OVERRIDES.__contains__, _reader)
    coder.register_unstructure_hook_factory(_OVERRIDES.__contains__, _writer)
    coder.register_structure_hook_factory(lambda kind: kind is Effect, _effect_reader)
    coder.register_unstructure_hook_factory(lambda kind: kind is Effect, _effect_writer)
    coder.register_unstructure_hook_factory(lambda kind: kind is Version, _version_writer)
    return coder


def faults_of(fault: BaseException) -> list[str]:
    """Each of the faults that a detailed reader found, in words, with its place."""
    return transform_error(fault, format_exception=lambda fault, _: _in_words(fault))


def _in_words(fault: BaseException) -> str:
    if isinstance(fault, KeyError):
        return f"{fault.args[0]} is missing"
    if isinstance(fault, ForbiddenExtraKeysError):
        return f"unknown key {shown(min(fault.extra_fields))}"
    return str(fault) if isinstance(fault, Misread) else "not what was expected"
