"""All faces that the dice of an order can show, from those that are there already."""

from itertools import islice

from attrs import frozen

from qf_tui.core.odds import Weight, throws
from qf_tui.core.prepare import PreparedEntry
from qf_tui.core.system import Faces
from qf_tui.core.values import replace

THROWS_MOST = 4000
"""Throws that are looked at one by one, equal dice without names counted once whatever their order."""


@frozen
class Every:
    """All throws that end a roll, each with its weight; the faces are all that bear on the order."""

    entry: PreparedEntry
    all: tuple[tuple[Weight, Faces], ...]

    def with_faces(self, faces: Faces) -> PreparedEntry:
        """The order as it would be with those faces."""
        return with_faces(self.entry, faces)


def with_faces(entry: PreparedEntry, faces: Faces) -> PreparedEntry:
    """An order with other faces, those thrown before included."""
    there = len(entry.question.faces) if entry.question is not None else 0
    return replace(entry, order=replace(entry.order, dice=faces[there:]))


def every_throw(entry: PreparedEntry) -> Every | None:
    """All throws of an order; None where there are too many to look at."""
    there = entry.question.faces if entry.question is not None else ()
    found = tuple(islice(throws(entry.prepared, there), THROWS_MOST + 1))
    if len(found) > THROWS_MOST:
        return None
    return Every(entry, found)
