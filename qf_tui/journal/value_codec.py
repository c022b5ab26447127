"""The values of the core as JSON, and strictly back: what comes back is equal in every type.

A wrong type, an unknown key or an unknown kind is refused, never made to fit; empty and default parts are
left out. cattrs codes each value from its own declaration; what is written otherwise has its hooks here.
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, get_args, get_origin

from attrs import fields
from cattrs import BaseValidationError, Converter, transform_error
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from qf_tui.core.acts import Correction, CorrectionKind, Entry, Ruling, State, Version
from qf_tui.core.charts import Charts, Provenance
from qf_tui.core.decisions import Decision, Reason, Results
from qf_tui.core.effects import Effect, Op
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Scalar
from qf_tui.core.values import Act, Battle, Die, Mark, Owed, Ship
from qf_tui.journal.lines import Misread
from qf_tui.journal.validators import (
    entry_number,
    fact,
    list_of,
    member,
    object_of,
    read_die,
    read_outcome,
    read_reason,
    scalar,
    seconds,
    shown,
    text,
    truth,
    whole,
    write_die,
    write_reason,
)

_T = TypeVar("_T")
_Hook = Callable[[Any, Any], Any]


def encoded(value: object, kind: object) -> Any:
    """A value of a kind as JSON takes it; Misread if it is not of that kind."""
    try:
        return _FAST.unstructure(value, kind)
    except _FAULTS as fault:
        raise Misread(f"{shown(value)} is not what was expected: {fault}") from None


def decoded(kind: type[_T], value: object) -> _T:
    """A value of a kind; Misread names the place of each fault."""
    try:
        made: _T = _FAST.get_structure_hook(kind)(value, kind)
        return made
    except _FAULTS:
        pass
    try:
        return _precise().structure(value, kind)
    except _FAULTS as fault:
        found = transform_error(fault, format_exception=lambda fault, _: _fault_in_words(fault))
        # In a line a decision has no key.
        raise Misread("; ".join(found[:3]).replace(".decision", "")) from None


_FAULTS = (BaseValidationError, ForbiddenExtraKeysError, ValueError, TypeError, KeyError, AttributeError)


def _fault_in_words(fault: BaseException) -> str:
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
    entry = key.partition("/")[0]
    if not (entry.isascii() and entry.isdigit() and len(entry) < 10):
        raise Misread(f"{shown(key)} does not begin with the number of an entry")
    return key


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


def _register_effects(coder: Converter) -> None:
    """An effect is a list: its kind, ship, field and value, and true for one by hand."""
    readers = {op.value: (op, kind, coder.get_structure_hook(kind)) for op, kind in _VALUES.items()}
    plain = {int, str, Scalar}
    writers = {op: coder.get_unstructure_hook(kind) for op, kind in _VALUES.items() if kind not in plain}

    def structure(parts: object, _: object = None) -> Effect:
        if type(parts) is not list or not 4 <= len(parts) <= 5:
            raise Misread(f"{shown(parts)} is not a list of 4 or 5 parts")
        found = readers.get(parts[0]) if type(parts[0]) is str else None
        if found is None:
            raise Misread(f"{shown(parts[0])} is no kind of effect")
        op, kind, read = found
        _, ship, field, value = parts[:4]
        if type(ship) is not str or type(field) is not str:
            raise Misread(f"{shown(ship)}, {shown(field)}: ship and field are not texts")
        return Effect(op, ship, field, read(value, kind), truth(parts[4]) if len(parts) == 5 else False)

    def unstructure(effect: Effect) -> list[object]:
        write = writers.get(effect.op)
        value = effect.value if write is None else write(effect.value)
        parts: list[object] = [effect.op, effect.ship, effect.field, value]
        return [*parts, True] if effect.hand else parts

    coder.register_structure_hook(Effect, structure)
    coder.register_unstructure_hook(Effect, unstructure)


def _register_fields(coder: Converter, kind: Any, /, **overrides: Any) -> None:
    """A value by its fields, some under another key, with another hook, or left out."""
    changed: dict[str, Any] = dict(overrides)
    coder.register_structure_hook(kind, make_dict_structure_fn(kind, coder, **changed))
    changed["_cattrs_omit_if_default"] = True
    coder.register_unstructure_hook(kind, make_dict_unstructure_fn(kind, coder, **changed))


def _register_flat(coder: Converter, kind: Any, part: str, keys: frozenset[str]) -> None:
    """A value one part of which, with those keys, is written among its own fields."""
    structure, unstructure = coder.get_structure_hook(kind), coder.get_unstructure_hook(kind)

    def structure_flat(value: object, _: object = None) -> Any:
        own: dict[str, object] = {}
        nested: dict[str, object] = {}
        for key, each in object_of(value).items():
            (nested if key in keys else own)[key] = each
        if part in own:
            raise Misread(f"unknown key {shown(part)}")
        return structure({**own, part: nested}, kind)

    def unstructure_flat(value: object) -> dict[str, object]:
        body: dict[str, object] = {}
        for key, each in unstructure(value).items():
            body.update(each if key == part else {key: each})
        return body

    coder.register_structure_hook(kind, structure_flat)
    coder.register_unstructure_hook(kind, unstructure_flat)


def _converter(*, detailed: bool) -> Converter:
    """A converter that makes nothing fit; `detailed` finds the place of every fault."""
    coder = Converter(detailed_validation=detailed, forbid_extra_keys=True, omit_if_default=True)
    plain: tuple[tuple[Any, _Hook], ...] = (
        (int, whole),
        (str, text),
        (bool, truth),
        (float, seconds),
        (Scalar, scalar),
        (Fact, fact),
    )
    for kind, hook in plain:
        coder.register_structure_hook(kind, hook)
        coder.register_unstructure_hook(kind, lambda value: value)
    for kind, read, write in ((Die, read_die, write_die), (Reason, read_reason, write_reason)):
        coder.register_structure_hook(kind, read)
        coder.register_unstructure_hook(kind, write)
    coder.register_structure_hook(Order, _order)
    coder.register_unstructure_hook(Order, attrgetter("resolved"))
    for kind in (State, CorrectionKind, Provenance):
        # An enum of texts would else be taken for a text.
        coder.register_structure_hook(kind, lambda value, kind: member(kind, value))
    for predicate, factory in ((_is_tuple, _tuple_hook), (_is_mapping, _mapping_hook)):
        coder.register_structure_hook_factory(predicate, factory)
    coder.register_structure_hook_factory(_is_optional, _optional_hook)
    coder.register_structure_hook_func(lambda kind: kind == Results, read_outcome)
    coder.register_unstructure_hook_func(lambda kind: kind == Results, dict)
    _register_fields(coder, Owed, key=override(struct_hook=_question_key))
    _register_fields(coder, Battle, **dict.fromkeys(("began", "reserve", "plan"), override(omit=True)))
    _register_effects(coder)
    _register_fields(coder, Decision, reasons=override(rename="because"))
    _register_flat(coder, Ruling, "decision", DECISION_KEYS)
    _register_version(coder)
    _register_fields(coder, Entry, number=override(rename="n"))
    _register_flat(coder, Entry, "version", VERSION_KEYS)
    _register_fields(coder, Correction, number=override(rename="n"), kind=override(rename="correction"))
    return coder


def _register_version(coder: Converter) -> None:
    """A version: the text, the dice and `forced` of its order beside each other, then what it has else."""
    _register_fields(coder, Version)
    rest = make_dict_unstructure_fn(Version, coder, _cattrs_omit_if_default=True, order=override(omit=True))

    def unstructure(version: Version) -> dict[str, object]:
        body: dict[str, object] = {"order": version.order.resolved}
        if version.order.dice:
            body["dice"] = version.order.dice
        if version.order.forced:
            body["forced"] = True
        return {**body, **rest(version)}

    coder.register_unstructure_hook(Version, unstructure)


DECISION_KEYS = frozenset({"effects", "because", "outcome"})
VERSION_KEYS = frozenset(field.name for field in fields(Version))


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_mapping(kind: Any) -> bool:
    return get_origin(kind) is Mapping


def _is_optional(kind: Any) -> bool:
    return len(get_args(kind)) == 2 and get_args(kind)[1] is type(None)


def _tuple_hook(kind: Any, coder: Converter) -> _Hook:
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


def _mapping_hook(kind: Any, coder: Converter) -> _Hook:
    structure = coder.gen_structure_mapping(kind)
    if get_args(kind)[0] is int:
        return lambda value, _: structure(
            {entry_number(key): each for key, each in object_of(value).items()}, kind
        )
    return lambda value, _: structure(object_of(value), kind)


def _optional_hook(kind: Any, coder: Converter) -> _Hook:
    """What is not there is left out, and never written as nothing."""
    inner = get_args(kind)[0]
    read = coder.get_structure_hook(inner)
    return lambda value, _: read(value, inner)


_FAST = _converter(detailed=False)


@cache
def _precise() -> Converter:
    return _converter(detailed=True)
