"""Values by number, as versions and rulings by entry: frozen, and sharing all but what changes."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

_Value = TypeVar("_Value")

CHUNK = 256
"""Numbers whose values lie in one chunk; to set a value copies its chunk and the list of chunks."""


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
