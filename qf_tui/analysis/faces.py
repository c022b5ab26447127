"""All faces that the dice of an order can show, from those that are there already."""

from collections.abc import Hashable, Iterator
from itertools import islice

from qf_tui.core.odds import Weight, pool_throws, throws
from qf_tui.core.prepare import PreparedEntry
from qf_tui.core.system import Faces
from qf_tui.core.values import is_pool

THROWS_MOST, DECIDED_MOST = 80_000, 4_000
"""Throws that are looked at, those of equal dice without names once whatever their order; and decided."""

Throws = tuple[tuple[Weight, Faces], ...]
"""All throws that end a roll, each with its weight and all faces that bear on the order."""


def every_throw(entry: PreparedEntry) -> Throws | None:
    """All throws of an order, those as one that do the same; None where there are too many to look at."""
    alike = entry.prepared.alike
    most = DECIDED_MOST if alike is None else THROWS_MOST
    found = tuple(islice(_each(entry), most + 1))
    if len(found) > most:
        return None
    if alike is None:
        return found
    ways: dict[tuple[Hashable, int], tuple[int, Faces]] = {}
    for (count, of), faces in found:
        place = alike(faces), of
        so_far, first = ways.get(place, (0, faces))
        ways[place] = so_far + count, first
    if len(ways) > DECIDED_MOST:
        return None
    return tuple(((count, of), faces) for (_, of), (count, faces) in ways.items())


def _each(entry: PreparedEntry) -> Iterator[tuple[Weight, Faces]]:
    """Each throw; of a pool as many dice as were thrown, where anybody may throw fewer than he could."""
    prepared = entry.prepared
    there = entry.question.faces if entry.question is not None else ()
    missing, thrown = prepared.missing(there), len(entry.order.dice)
    if 0 < thrown < len(missing) and is_pool(missing) and not entry.missing:
        return pool_throws(prepared, there, (1, 1), missing[:thrown])
    return throws(prepared, there)
