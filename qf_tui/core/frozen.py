"""The frozen values of the program: made by attrs, compared and shown by functions that all of them share.

attrs compiles them for each class anew, and a console makes two hundred before its first picture.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs
from attrs import Factory as Factory
from attrs import asdict as asdict
from attrs import define as define
from attrs import evolve as evolve
from attrs import field as field
from attrs import fields as fields
from attrs import frozen as frozen


def _frozen(kind: type | None = None, *, eq: bool = True, **how: Any) -> Any:
    """What `attrs.frozen` makes, but for who compares and shows it."""
    if kind is None:
        return lambda kind: _frozen(kind, eq=eq, **how)
    own = vars(kind)
    # Where a field counts only by a key made of it, attrs writes the whole.
    keyed = eq and any(getattr(part, "eq_key", None) for part in own.values())
    made: Any = attrs.frozen(kind, eq=keyed, repr=False, **how)
    if eq and not keyed and "__eq__" not in own:
        made.__eq__, made.__hash__ = _compared(made)
    if "__repr__" not in own:
        made.__repr__ = _shown
    return made


def _compared(kind: Any) -> tuple[Callable[[Any, object], bool], Callable[[Any], int]]:
    """Whether two values of a class are equal, and the hash of one: by all fields that count."""
    compared = [part for part in attrs.fields(kind) if part.eq]
    parts = attrgetter("__class__", *(part.name for part in compared))
    hashed = attrgetter("__class__", *(part.name for part in compared if part.hash is not False))

    def equal(self: Any, other: Any) -> bool:
        return parts(self) == parts(other) if other.__class__ is self.__class__ else NotImplemented

    return equal, lambda self: hash(hashed(self))


def _shown(self: Any) -> str:
    parts = (f"{part.name}={getattr(self, part.name)!r}" for part in attrs.fields(type(self)) if part.repr)
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(parts)})"


if not TYPE_CHECKING:
    # Who checks types knows attrs' own.
    frozen = _frozen
