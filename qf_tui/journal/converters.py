"""Values of the core out of JSON and into it: by cattrs, from their own declarations."""

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, get_args, get_origin

from attrs import fields
from cattrs import Converter, transform_error
from cattrs.errors import CattrsError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, mapping_structure_factory, override

from qf_tui.core.decisions import Decision, Effect, Op, Reason, Results
from qf_tui.core.facts import Fact, is_key
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, Ruling, State, Version
from qf_tui.core.values import Act, Battle, Charts, Die, Mark, Order, Owed, Provenance, Ship
from qf_tui.journal.lines import Misread
from qf_tui.journal.value_codec import (
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
