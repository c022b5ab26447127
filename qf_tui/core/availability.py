"""Who may still act, worked out once for each battle, and whether a phase has anything left to happen."""

from qf_tui.core.system import Available, RuleSystem, find_phase
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


def phase_is_empty(system: RuleSystem, battle: Battle) -> bool:
    """Whether nothing can happen in the phase: nothing owed or in doubt, nobody to act, no order for it.

    Where its rules say that it passes, orders that belong to it do not hold it.
    """
    if battle.owed or battle.doubts or who_may_act(system, battle):
        return False
    if find_phase(system, battle.phase).passes:
        return True
    return not any(battle.phase in form.phases or not form.phases for form in system.forms)
