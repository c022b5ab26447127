"""Values by number, as rulings by entry, or one by one, as a log: frozen, sharing all but what changes."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast, overload

from attrs import evolve, fields

_Value = TypeVar("_Value")

CHUNK = 256
"""Values in one chunk; to set or add a value copies its chunk and the list of chunks."""


class Numbered(Mapping[int, _Value], Generic[_Value]):
    """Values by numbers from 0 on, few of which are left out."""

    __slots__ = ("_chunks",)

    def __init__(self, chunks: tuple[Mapping[int, _Value], ...] = ()) -> None:
        self._chunks = chunks

    def plus(self, values: Mapping[int, _Value]) -> "Numbered[_Value]":
        """These values with others in their places."""
        chunks = list(self._chunks)
        own: dict[int, dict[int, _Value]] = {}
        for number, value in values.items():
            at = number // CHUNK
            if at not in own:
                chunks.extend({} for _ in range(len(chunks), at + 1))
                chunks[at] = own[at] = dict(chunks[at])
            own[at][number] = value
        return Numbered(tuple(chunks))

    def __getitem__(self, number: int) -> _Value:
        at = number // CHUNK
        if not 0 <= at < len(self._chunks):
            raise KeyError(number)
        return self._chunks[at][number]

    def __iter__(self) -> Iterator[int]:
        return (number for chunk in self._chunks for number in chunk)

    def __len__(self) -> int:
        return sum(map(len, self._chunks))

    def __repr__(self) -> str:
        return f"Numbered({dict(self)})"


class Chain(Sequence[_Value], Generic[_Value]):
    """Values one behind the other; a slice of them is a tuple."""

    __slots__ = ("_chunks",)

    def __init__(self, values: Iterable[_Value] = ()) -> None:
        left = iter(values)
        # All chunks but the last are full.
        self._chunks = tuple(iter(lambda: tuple(islice(left, CHUNK)), ()))

    def plus(self, value: _Value) -> "Chain[_Value]":
        """These values and one more."""
        longer = Chain[_Value]()
        full = not self._chunks or len(self._chunks[-1]) == CHUNK
        longer._chunks = (
            (*self._chunks, (value,)) if full else (*self._chunks[:-1], (*self._chunks[-1], value))
        )
        return longer

    def __len__(self) -> int:
        return (len(self._chunks) - 1) * CHUNK + len(self._chunks[-1]) if self._chunks else 0

    @overload
    def __getitem__(self, at: int) -> _Value: ...

    @overload
    def __getitem__(self, at: "slice[Any, Any, Any]") -> tuple[_Value, ...]: ...

    def __getitem__(self, at: "int | slice[Any, Any, Any]") -> "_Value | tuple[_Value, ...]":
        if isinstance(at, slice):
            places = range(*at.indices(len(self)))
            if places.step != 1:
                return tuple(self[place] for place in places)
            first, begins = divmod(places.start, CHUNK)
            return tuple(islice(chain.from_iterable(self._chunks[first:]), begins, begins + len(places)))
        place = at if at >= 0 else at + len(self)
        if place < 0:
            raise IndexError(at)
        return self._chunks[place // CHUNK][place % CHUNK]

    def __iter__(self) -> Iterator[_Value]:
        return chain.from_iterable(self._chunks)

    def __reversed__(self) -> Iterator[_Value]:
        return chain.from_iterable(map(reversed, reversed(self._chunks)))

    def __contains__(self, value: object) -> bool:
        return any(value in chunk for chunk in self._chunks)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Chain):
            return self._chunks == other._chunks
        return isinstance(other, tuple) and tuple(self) == other

    __hash__ = None  # type: ignore[assignment]  # how Python says that it has none

    def __repr__(self) -> str:
        return f"Chain({tuple(self)})"


def as_chain(values: Iterable[_Value]) -> Chain[_Value]:
    """Values as a chain, which they may be already."""
    return values if isinstance(values, Chain) else Chain(values)


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
