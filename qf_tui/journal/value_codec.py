"""The values of the core as JSON, and strictly back: what comes back is equal in every type.

A wrong type, an unknown key or an unknown kind is refused, never made to fit; empty and default parts are
left out. What reads and what writes is loaded when the first value comes: a battle that is not kept has none.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from math import isfinite
from operator import attrgetter
from typing import Any, TypeVar, cast, get_args, get_origin

from attrs import evolve, fields
from cattrs import Converter, transform_error
from cattrs.errors import CattrsError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, mapping_structure_factory, override

from qf_tui.core.charts import Charts, Provenance
from qf_tui.core.decisions import Decision, Effect, Op, Reason, Results
from qf_tui.core.facts import Fact, is_key
from qf_tui.core.grammar.forms import Order
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, Ruling, State, Version
from qf_tui.core.values import Act, Battle, Die, Mark, Owed, Ship
from qf_tui.journal.lines import Misread

NUMBER_MOST = 10**15
"""Whole numbers of a save are between this and its negative."""

SENSELESS = (
    *(ValueError, TypeError, LookupError, ArithmeticError),
    *(AttributeError, StopIteration, RecursionError),
)
"""What code trips over where a value is not what it was taken for."""
REMARK, SUBJECT = "remark", "subject"
"""The seventh part of a reason that is only a remark."""

_T = TypeVar("_T")
_SHOWN = {dict: "an object", list: "a list", type(None): "nothing"}


def shown(value: object) -> str:
    """A value in a message; it may be nested deeper than `repr` can go."""
    return _SHOWN.get(type(value)) or f"“{str(value)[:40]}”"


def whole(value: object, _: object = None) -> int:
    """A whole number, and no other: neither 3.0 nor true."""
    if type(value) is int and -NUMBER_MOST < value < NUMBER_MOST:
        return value
    raise Misread(f"{shown(value)} is not a whole number")


def text(value: object, _: object = None) -> str:
    """A text."""
    if type(value) is str:
        return value
    raise Misread(f"{shown(value)} is not a text")


def truth(value: object, _: object = None) -> bool:
    """True or false."""
    if type(value) is bool:
        return value
    raise Misread(f"{shown(value)} is not true or false")


def scalar(value: object, _: object = None) -> Scalar:
    """A text, a number that is one, true, false or nothing."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value  # type: ignore[return-value]  # told by its type
    if type(value) is float and isfinite(value):
        return value
    if kind is int:
        return whole(value)
    raise Misread(f"{shown(value)} is not a text or a number")


def fact(value: object, _: object = None) -> Fact:
    """A scalar, or a list of whole numbers or of texts."""
    if type(value) is not list:
        return scalar(value)
    if value and type(value[0]) is int:
        return tuple([whole(part) for part in value])
    return tuple([text(part) for part in value])


def seconds(value: object, _: object = None) -> float:
    """A number that is not below 0."""
    if type(value) in (int, float) and 0 <= cast(float, value) < NUMBER_MOST:
        return cast(float, value)
    raise Misread(f"{shown(value)} is not a number of seconds")


def list_of(value: object) -> list[Any]:
    """A list of anything."""
    if type(value) is list:
        return value
    raise Misread(f"{shown(value)} is not a list")


def object_of(value: object, keys: frozenset[str] | None = None) -> dict[str, Any]:
    """An object, with none but those keys if they are named."""
    if type(value) is not dict:
        raise Misread(f"{shown(value)} is not an object")
    if keys is not None and not value.keys() <= keys:
        raise Misread(f"unknown key {shown(next(iter(value.keys() - keys)))}")
    return value


def member(kind: type[_T], value: object) -> _T:
    """A member of an enum by its value."""
    try:
        return cast(Callable[[str], _T], kind)(text(value))
    except ValueError:
        named = re.sub("(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()
        raise Misread(f"{shown(value)} is no {named}") from None


def entry_number(key: object) -> int:
    """The number of an entry as a key of an object."""
    if type(key) is str and key.isascii() and key.isdigit() and len(key) < 10 and str(int(key)) == key:
        return int(key)
    raise Misread(f"{shown(key)} is not the number of an entry")


def read_die(value: object, _: object = None) -> Die:
    """A die from its sides, name and least face."""
    parts = list_of(value)
    if not 1 <= len(parts) <= 3:
        raise Misread("a die has its sides, name and least face")
    name = text(parts[1]) if len(parts) > 1 else ""
    die = Die(whole(parts[0]), name, whole(parts[2]) if len(parts) > 2 else 1)
    if die.sides < 1:
        raise Misread(f"{die.sides} is not the sides of a die")
    return die


def write_die(die: Die) -> list[object]:
    """A die as its sides, and what of the rest is not usual."""
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


def read_outcome(value: object, _: object = None) -> Results:
    """The facts of an outcome; a list of it holds texts."""
    facts = object_of(value).items()
    return tuple(
        [(name, tuple(map(text, fact)) if type(fact) is list else scalar(fact)) for name, fact in facts]
    )


def make_ready() -> None:
    """Makes what writes and reads an act, for which else the first act of a battle would wait."""
    for kind in (Entry, Correction, Act, Mark, Owed):
        writer().get_unstructure_hook(kind)
        reader().get_structure_hook(kind)


def encoded(value: object, kind: object) -> Any:
    """A value of a kind as JSON takes it; Misread if it is not of that kind."""
    try:
        return writer().unstructure(value, kind)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Misread(f"{shown(value)} is not what was expected: {fault}") from None


def decoded(kind: type[_T], value: object) -> _T:
    """A value of a kind; Misread names the place of each fault."""
    try:
        made: _T = reader().get_structure_hook(kind)(value, kind)
        return made
    except FAULTS:
        pass
    try:
        return reader(detailed=True).structure(value, kind)
    except FAULTS as fault:
        # In a line a decision has no key.
        raise Misread("; ".join(faults_of(fault)[:3]).replace(".decision", "")) from None


_Structure = Callable[[Any, Any], Any]
_MakeStructure = Callable[[Any, Converter], _Structure]

FAULTS = (CattrsError, ValueError, TypeError, KeyError, AttributeError)
"""What a reader raises where a value is not of its kind."""


@cache
def reader(*, detailed: bool = False) -> Converter:
    """A converter that makes nothing fit; `detailed` finds the place of every fault."""
    coder = Converter(detailed_validation=detailed, forbid_extra_keys=True)
    plain: tuple[tuple[Any, _Structure], ...] = (
        (int, whole),
        (str, text),
        (bool, truth),
        (float, seconds),
        (Scalar, scalar),
        (Fact, fact),
        (Die, read_die),
        (Reason, read_reason),
        (Order, _order),
        # An enum of texts would else be taken for a text.
        *((kind, lambda value, kind: member(kind, value)) for kind in (State, CorrectionKind, Provenance)),
    )
    for kind, hook in plain:
        coder.register_structure_hook(kind, hook)
    for predicate, make in ((_is_tuple, _tuple), (_is_mapping, _mapping), (_is_optional, _optional)):
        coder.register_structure_hook_factory(predicate, _when_met(coder, make))
    coder.register_structure_hook_func(lambda kind: kind == Results, read_outcome)
    coder.register_structure_hook_factory(
        _READERS_MADE.__contains__, lambda kind: _READERS_MADE[kind](kind, coder)
    )
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


def _order(value: object, _: object = None) -> Order:
    """The order of an entry, which its rules have read before the rest of the line."""
    if isinstance(value, Order):
        return value
    raise Misread(f"{shown(value)} is no order")


def _question_key(value: object, _: object = None) -> str:
    key = text(value)
    if not is_key(key):
        raise Misread(f"{shown(key)} does not begin with the number of an entry")
    return key


_READ_VALUES: Mapping[str, tuple[Op, Any]] = {
    op.value: (op, kind)
    for op, kind in (
        (Op.ADD, int),
        (Op.SET, Scalar),
        (Op.CARD, Scalar),
        (Op.MARK, Mark),
        (Op.LIFT, str),
        (Op.STATUS, str),
        (Op.ACT, Act),
        (Op.OWE, Owed),
        (Op.SETTLE, str),
        (Op.PHASE, tuple[int, bool]),
        (Op.JOIN, Ship),
        (Op.OPTION, Scalar),
        (Op.TABLE, Scalar),
        (Op.CHART, Charts),
        (Op.DOUBT, int),
        (Op.CLEAR, int),
    )
}
"""Each kind of effect by its name in a line, and what its value is."""


def _read_effect(_: Any, coder: Converter) -> _Structure:
    """An effect is a list: its kind, ship, field and value, and true for one by hand."""
    readers: dict[str, _Structure] = {}

    def structure(parts: object, _: object = None) -> Effect:
        if type(parts) is not list or not 4 <= len(parts) <= 5:
            raise Misread(f"{shown(parts)} is not a list of 4 or 5 parts")
        name, ship, field, value = parts[:4]
        found = _READ_VALUES.get(name) if type(name) is str else None
        if found is None:
            raise Misread(f"{shown(name)} is no kind of effect")
        op, kind = found
        if type(ship) is not str or type(field) is not str:
            raise Misread(f"{shown(ship)}, {shown(field)}: ship and field are not texts")
        read = readers.get(name) or readers.setdefault(name, coder.get_structure_hook(kind))
        return Effect(op, ship, field, read(value, kind), truth(parts[4]) if len(parts) == 5 else False)

    return structure


def _read_by_fields(**overrides: Any) -> _MakeStructure:
    """A value by its fields, some under another key, with another hook, or left out."""
    return lambda kind, coder: make_dict_structure_fn(kind, coder, **overrides)


def _read_flat(part: str, keys: frozenset[str], **overrides: Any) -> _MakeStructure:
    """A value by its fields, one part of which, with those keys, is written among them."""

    def make(kind: Any, coder: Converter) -> _Structure:
        structure = make_dict_structure_fn(kind, coder, **overrides)

        def structure_flat(value: object, _: object = None) -> Any:
            own: dict[str, object] = {}
            nested: dict[str, object] = {}
            for key, each in object_of(value).items():
                (nested if key in keys else own)[key] = each
            if part in own:
                raise Misread(f"unknown key {shown(part)}")
            return structure({**own, part: nested}, kind)

        return structure_flat

    return make


_READERS_MADE: Mapping[Any, _MakeStructure] = {
    Owed: _read_by_fields(key=override(struct_hook=_question_key)),
    Battle: _read_by_fields(**dict.fromkeys(("began", "reserve", "plan"), override(omit=True))),
    Effect: _read_effect,
    Decision: _read_by_fields(reasons=override(rename="because")),
    Ruling: _read_flat("decision", frozenset({"effects", "because", "outcome"})),
    Entry: _read_flat(
        "version", frozenset(field.name for field in fields(Version)), number=override(rename="n")
    ),
    Correction: _read_by_fields(number=override(rename="n"), kind=override(rename="correction")),
}
"""How the values are read that are not written as they are declared."""


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_mapping(kind: Any) -> bool:
    return get_origin(kind) is Mapping


def _is_optional(kind: Any) -> bool:
    return len(get_args(kind)) == 2 and get_args(kind)[1] is type(None)


def _when_met(coder: Converter, make: _MakeStructure) -> Callable[[Any], _Structure]:
    """Makes the hook of a container when the first one comes that is not left out."""

    def factory(kind: Any) -> _Structure:
        made: list[_Structure] = []

        def structure(value: object, _: object = None) -> Any:
            if not made:
                made.append(make(kind, coder))
            return made[0](value, kind)

        return structure

    return factory


def _tuple(kind: Any, coder: Converter) -> _Structure:
    kinds = get_args(kind)
    reads = [(coder.get_structure_hook(each), each) for each in kinds if each is not Ellipsis]
    if kinds[-1] is Ellipsis:
        read, each = reads[0]
        return lambda value, _: tuple([read(part, each) for part in list_of(value)])

    def structure(value: object, _: object = None) -> tuple[Any, ...]:
        parts = list_of(value)
        if len(parts) != len(reads):
            raise Misread(f"{len(parts)} parts, not {len(reads)}")
        return tuple([read(part, each) for part, (read, each) in zip(parts, reads, strict=True)])

    return structure


def _mapping(kind: Any, coder: Converter) -> _Structure:
    # The converter's own way to make one would have it read all such mappings, without what is done here.
    structure = mapping_structure_factory(kind, coder)
    if get_args(kind)[0] is int:
        return lambda value, _: structure(
            {entry_number(key): each for key, each in object_of(value).items()}, kind
        )
    return lambda value, _: structure(object_of(value), kind)


def _optional(kind: Any, coder: Converter) -> _Structure:
    """What is not there is left out, and never written as nothing."""
    inner = get_args(kind)[0]
    read = coder.get_structure_hook(inner)
    return lambda value, _: read(value, inner)


_Unstructure = Callable[[Any], Any]
_MakeUnstructure = Callable[[Any, Converter], _Unstructure]


@cache
def writer() -> Converter:
    """A converter that leaves out what is as it is by default."""
    coder = Converter(omit_if_default=True)
    plain = (int, str, bool, float, Scalar, Fact)
    for kind in plain:
        coder.register_unstructure_hook(kind, lambda value: value)
    coder.register_unstructure_hook(Die, write_die)
    coder.register_unstructure_hook(Reason, write_reason)
    coder.register_unstructure_hook(Order, attrgetter("resolved"))
    coder.register_unstructure_hook_func(lambda kind: kind == Results, dict)
    coder.register_unstructure_hook_factory(
        _WRITERS_MADE.__contains__, lambda kind: _WRITERS_MADE[kind](kind, coder)
    )
    return coder


_WRITTEN_VALUES: Mapping[Op, Any] = {
    Op.MARK: Mark,
    Op.ACT: Act,
    Op.OWE: Owed,
    Op.PHASE: tuple[int, bool],
    Op.JOIN: Ship,
    Op.CHART: Charts,
}
"""The value of each kind of effect that has more than one part."""


def _write_effect(_: Any, coder: Converter) -> _Unstructure:
    """An effect is a list: its kind, ship, field and value, and true for one by hand."""

    def unstructure(effect: Effect) -> list[object]:
        kind = _WRITTEN_VALUES.get(effect.op)
        value = effect.value if kind is None else coder.get_unstructure_hook(kind)(effect.value)
        parts: list[object] = [effect.op, effect.ship, effect.field, value]
        return [*parts, True] if effect.hand else parts

    return unstructure


def _write_by_fields(**overrides: Any) -> _MakeUnstructure:
    """A value by its fields, some under another key or left out."""
    return lambda kind, coder: make_dict_unstructure_fn(
        kind, coder, _cattrs_omit_if_default=True, **overrides
    )


def _write_flat(part: str, **overrides: Any) -> _MakeUnstructure:
    """A value by its fields, one part of which is written among them."""

    def make(kind: Any, coder: Converter) -> _Unstructure:
        unstructure = _write_by_fields(**overrides)(kind, coder)

        def unstructure_flat(value: object) -> dict[str, object]:
            body: dict[str, object] = {}
            for key, each in unstructure(value).items():
                body.update(each if key == part else {key: each})
            return body

        return unstructure_flat

    return make


def _version(kind: Any, coder: Converter) -> _Unstructure:
    """A version: text, dice, `forced` and `call` of its order beside each other, then what it has else."""
    rest = _write_by_fields(order=override(omit=True))(kind, coder)

    def unstructure(version: Version) -> dict[str, object]:
        body: dict[str, object] = {"order": version.order.resolved}
        if version.order.dice:
            body["dice"] = version.order.dice
        if version.order.forced:
            body["forced"] = True
        if version.call is not None:
            body["call"] = version.call
        return {**body, **rest(version)}

    return unstructure


_WRITERS_MADE: Mapping[Any, _MakeUnstructure] = {
    Owed: _write_by_fields(),
    Battle: _write_by_fields(**dict.fromkeys(("began", "reserve", "plan"), override(omit=True))),
    Effect: _write_effect,
    Decision: _write_by_fields(reasons=override(rename="because")),
    Ruling: _write_flat("decision"),
    Version: _version,
    Entry: _write_flat("version", number=override(rename="n")),
    Correction: _write_by_fields(number=override(rename="n"), kind=override(rename="correction")),
}
"""How the values are written that are not written as they are declared."""
