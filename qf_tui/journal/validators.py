"""What JSON gives, taken strictly: each function gives the value back as the type it must have, or raises Misread.

Those with a second parameter, which says nothing, serve as hooks of a converter too.
"""

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeVar, cast

from qf_tui.core.measure import Scalar
from qf_tui.journal.lines import Misread

NUMBER_MOST = 10**15
"""No whole number of a save reaches this, up or down."""

_T = TypeVar("_T")
_KINDS = {dict: "an object", list: "a list", type(None): "nothing"}


def shown(value: object) -> str:
    """A value in a message; a nested one may be deeper than `repr` can go."""
    return _KINDS.get(type(value)) or f"“{str(value)[:40]}”"


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
        return cast(Scalar, value)
    if type(value) is float and isfinite(value):
        return value
    if kind is int:
        return whole(value)
    raise Misread(f"{shown(value)} is not a text or a number")


def parts_of(value: object) -> list[Any]:
    """A list of anything."""
    if type(value) is list:
        return value
    raise Misread(f"{shown(value)} is not a list")


def fields_of(value: object, keys: frozenset[str] | None = None) -> dict[str, Any]:
    """An object, with none but those keys if they are named."""
    if type(value) is not dict:
        raise Misread(f"{shown(value)} is not an object")
    if keys is not None and not value.keys() <= keys:
        raise Misread(f"unknown key {shown(next(iter(value.keys() - keys)))}")
    return value


def needed(raw: Mapping[str, Any], key: str) -> Any:
    """A part that must be there."""
    if key not in raw:
        raise Misread(f"{key} is missing")
    return raw[key]


def wholes(value: object) -> tuple[int, ...]:
    """A list of whole numbers."""
    return tuple([whole(part) for part in parts_of(value)])


def texts(value: object) -> tuple[str, ...]:
    """A list of texts."""
    return tuple([text(part) for part in parts_of(value)])


def member(kind: type[_T], value: object) -> _T:
    """A member of an enum by its value."""
    try:
        return cast(Callable[[str], _T], kind)(text(value))
    except ValueError:
        named = re.sub("(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()
        raise Misread(f"{shown(value)} is no {named}") from None
