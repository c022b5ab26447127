"""The values of the core as JSON, and strictly back: what comes back is equal in every type.

A wrong type, an unknown key or an unknown kind is refused, never made to fit; empty and default parts are
left out. What reads and what writes is loaded when the first value comes: a battle that is not kept has none.
"""

import re
from collections.abc import Callable
from math import isfinite
from typing import Any, TypeVar, cast

from attrs import evolve

from qf_tui.core.decisions import Reason, Results
from qf_tui.core.facts import Fact
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Correction, Entry
from qf_tui.core.values import Act, Die, Mark, Owed
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
    from qf_tui.journal.converters import reader, writer

    for kind in (Entry, Correction, Act, Mark, Owed):
        writer().get_unstructure_hook(kind)
        reader().get_structure_hook(kind)


def encoded(value: object, kind: object) -> Any:
    """A value of a kind as JSON takes it; Misread if it is not of that kind."""
    from qf_tui.journal.converters import writer

    try:
        return writer().unstructure(value, kind)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Misread(f"{shown(value)} is not what was expected: {fault}") from None


def decoded(kind: type[_T], value: object) -> _T:
    """A value of a kind; Misread names the place of each fault."""
    from qf_tui.journal.converters import FAULTS, faults_of, reader

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
