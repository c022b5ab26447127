"""A frozen value with other fields, quickly."""

from collections.abc import Callable, Hashable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

from attrs import evolve, fields

_Value = TypeVar("_Value")


@cache
def _shape(kind: Hashable) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]] | None:
    """How to read all fields of a class of values, and their places; None where they are given by name."""
    every = fields(cast(Any, kind))
    if any(one.kw_only for one in every):
        return None
    names = [one.name for one in every]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


def replace(value: _Value, **changes: object) -> _Value:
    """A frozen value with other fields.

    Attrs.evolve at a quarter of its time, which folding a battle is made of.
    """
    shape = _shape(cast(Hashable, type(value)))
    if shape is None:
        return cast(_Value, evolve(cast(Any, value), **changes))
    read, places = shape
    parts = list(read(value))
    for name, part in changes.items():
        parts[places[name]] = part
    return type(value)(*parts)
