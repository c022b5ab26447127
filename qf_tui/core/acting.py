"""Who may still act, worked out once for each battle."""

from qf_tui.core.system import Available, RuleSystem
from qf_tui.core.values import Battle

KEPT = 4
"""Battles whose answer is kept: the one on the screen, and those that are looked at beside it."""

_known: list[tuple[RuleSystem, Battle, tuple[Available, ...]]] = []


def who_may_act(system: RuleSystem, battle: Battle) -> tuple[Available, ...]:
    """The ships that may still act in a battle, as its system says; the same value is asked of it once."""
    for place, (of, known, found) in enumerate(_known):
        if known is battle and of is system:
            _known.append(_known.pop(place))
            return found
    found = system.may_act(battle)
    _known.append((system, battle, found))
    del _known[:-KEPT]
    return found
