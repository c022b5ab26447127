"""Which of the rolls that are owed follow from what has happened, and which are priced together."""

from collections import Counter
from collections.abc import Iterable

from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.values import Battle, Owed, replace

ROLLS_MOST = 4
"""Rolls that one ship owes, as far as they are priced.

The states that she may be in grow threefold with each: four take about a second, six ten.
"""
MANY, OF_MANY = 8, 2
"""Rolls that are many for one ship, by the umpire's hand; and those of them that are priced.

So many are thrown one by one, and each is looked at with all its faces.
"""


def is_consequence(owed: Owed) -> bool:
    """Whether a roll follows from what has happened: it is not for an order whose dice nobody has thrown."""
    waits = owed.order is not None and owed.order.word == owed.line and not owed.faces
    return bool(owed.dice) and not (waits or owed.late or owed.line == SCHEDULE)


def nearest(queue: Iterable[Owed]) -> tuple[Owed, ...]:
    """What is owed, but of the rolls of one ship no more than are looked at together."""
    queue = tuple(queue)
    rolls = Counter(owed.ship for owed in queue if is_consequence(owed))
    left = {ship: OF_MANY if count > MANY else ROLLS_MOST for ship, count in rolls.items()}
    kept = []
    for owed in queue:
        if is_consequence(owed):
            left[owed.ship] -= 1
            if left[owed.ship] < 0:
                continue
        kept.append(owed)
    return tuple(kept)


def owed_by(battle: Battle, ships: tuple[str, ...]) -> Battle:
    """The battle with only what those ships owe."""
    return replace(battle, owed=tuple(owed for owed in battle.owed if owed.ship in ships))
