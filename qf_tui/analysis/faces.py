"""All faces that the dice of an order can show, from those that are there already."""

from itertools import islice

from qf_tui.core.odds import Weight, throws
from qf_tui.core.prepare import PreparedEntry
from qf_tui.core.system import Faces

THROWS_MOST = 4000
"""Throws that are looked at one by one, equal dice without names counted once whatever their order."""


Throws = tuple[tuple[Weight, Faces], ...]
"""All throws that end a roll, each with its weight and all faces that bear on the order."""


def every_throw(entry: PreparedEntry) -> Throws | None:
    """All throws of an order; None where there are too many to look at."""
    there = entry.question.faces if entry.question is not None else ()
    found = tuple(islice(throws(entry.prepared, there), THROWS_MOST + 1))
    return None if len(found) > THROWS_MOST else found
