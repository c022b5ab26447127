"""The values of a battle as JSON, coded by cattrs from their own declarations, with nothing made to fit."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

from cattrs import BaseValidationError, Converter, transform_error
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from qf_tui.core.charts import Charts, Provenance
from qf_tui.core.measure import Scalar
from qf_tui.core.values import Battle, Die
from qf_tui.journal.lines import Misread
from qf_tui.journal.validators import fields_of, member, parts_of, scalar, shown, text, truth, whole

_T = TypeVar("_T")
# A mapping is no class to cattrs' declarations, though to cattrs it is.
_CHARTS: Any = Charts
_FAULTS = (BaseValidationError, ForbiddenExtraKeysError, ValueError, TypeError, KeyError, AttributeError)


def encoded(value: object, kind: object) -> object:
    """A value of a kind as JSON takes it; Misread if it is not of that kind."""
    try:
        return _FAST.unstructure(value, kind)
    except _FAULTS as fault:
        raise Misread(f"{shown(value)} is not what was expected: {fault}") from None


def decoded(kind: type[_T], value: object) -> _T:
    """A value by cattrs: the fast way, and where that fails again with every fault's place."""
    try:
        made: _T = _FAST.get_structure_hook(kind)(value, kind)
        return made
    except _FAULTS:
        pass
    try:
        return _precise().structure(value, kind)
    except _FAULTS as fault:
        found = transform_error(fault, format_exception=lambda fault, _: _fault_in_words(fault))
        raise Misread("; ".join(found[:3])) from None


def charts(value: object) -> Charts:
    """The charts of an overlay."""
    laid: Charts = decoded(_CHARTS, value)
    return laid


def _fault_in_words(fault: BaseException) -> str:
    if isinstance(fault, KeyError):
        return f"{fault.args[0]} is missing"
    if isinstance(fault, ForbiddenExtraKeysError):
        return f"unknown key {shown(min(fault.extra_fields))}"
    return str(fault) if isinstance(fault, Misread) else "not what was expected"


def _converter(*, detailed: bool) -> Converter:
    """A converter that makes nothing fit; `detailed` finds the place of every fault."""
    coder = Converter(detailed_validation=detailed, forbid_extra_keys=True, omit_if_default=True)
    coder.register_structure_hook(int, whole)
    coder.register_structure_hook(str, text)
    coder.register_structure_hook(bool, truth)
    coder.register_structure_hook(Scalar, scalar)
    coder.register_unstructure_hook(Scalar, lambda value: value)
    # An enum of texts would else be taken for a text.
    coder.register_structure_hook(Provenance, lambda value, _: member(Provenance, value))
    coder.register_structure_hook(Die, _die)
    coder.register_unstructure_hook(Die, _encode_die)
    coder.register_structure_hook_factory(_is_tuple, _tuple_hook)
    coder.register_structure_hook_factory(_is_mapping, _mapping_hook)
    battle = make_dict_structure_fn(
        Battle,
        coder,
        began=override(omit=True),
        _cattrs_forbid_extra_keys=True,
        _cattrs_detailed_validation=detailed,
    )
    coder.register_structure_hook(Battle, battle)
    coder.register_unstructure_hook(
        Battle,
        make_dict_unstructure_fn(Battle, coder, began=override(omit=True), _cattrs_omit_if_default=True),
    )
    return coder


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_mapping(kind: Any) -> bool:
    return get_origin(kind) is Mapping


def _tuple_hook(kind: Any, coder: Converter) -> Callable[[object, Any], tuple[Any, ...]]:
    part_kind = get_args(kind)[0]
    part = coder.get_structure_hook(part_kind)
    return lambda value, _: tuple([part(each, part_kind) for each in parts_of(value)])


def _mapping_hook(kind: Any, coder: Converter) -> Callable[[object, Any], dict[str, Any]]:
    whole = coder.gen_structure_mapping(
        kind,
    )
    return lambda value, _: whole(fields_of(value), kind)


def _die(value: object, _: object = None) -> Die:
    parts = parts_of(value)
    if not 1 <= len(parts) <= 3:
        raise Misread("a die has its sides, name and least face")
    name = text(parts[1]) if len(parts) > 1 else ""
    die = Die(whole(parts[0]), name, whole(parts[2]) if len(parts) > 2 else 1)
    if die.sides < 1:
        raise Misread(f"{die.sides} is not the sides of a die")
    return die


def _encode_die(die: Die) -> list[object]:
    if die.least != 1:
        return [die.sides, die.name, die.least]
    return [die.sides, die.name] if die.name else [die.sides]


_FAST = _converter(detailed=False)


@cache
def _precise() -> Converter:
    return _converter(detailed=True)
