"""Rows as they were drawn last, each kept with what it was drawn from: only what has changed is drawn again."""

from collections.abc import Callable

from textual.strip import Strip

from qf_tui.core.values import Ship

Place = tuple[str, int]
"""A side by its id, and a row."""
Source = tuple[object, ...]
"""All that a row is drawn from: if it is the same, so is the picture."""


class DrawnRows:
    """The rows of the logs; `count` is how many were drawn so far."""

    def __init__(self) -> None:
        self.count = 0
        self._known: dict[Place, tuple[Source, Strip]] = {}

    def fresh(self, place: Place, source: Source) -> bool:
        """Whether the row there was drawn from just that."""
        known = self._known.get(place)
        return known is not None and _same(known[0], source)

    def row(self, place: Place, source: Source, draw: Callable[[], Strip]) -> Strip:
        """The row there, drawn anew if it was drawn from something else."""
        if not self.fresh(place, source):
            self._known[place] = source, draw()
            self.count += 1
        return self._known[place][1]

    def clear(self) -> None:
        """Forgets all rows: they lie elsewhere now."""
        self._known.clear()


def _same(one: Source, other: Source) -> bool:
    """Whether two rows are drawn from the very same values, piece by piece."""
    return all(a is b or (not isinstance(a, Ship) and a == b) for a, b in zip(one, other, strict=True))
