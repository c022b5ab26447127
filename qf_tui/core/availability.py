"""Who may act in a battle, worked out once for each battle, however often it is asked."""

from qf_tui.core.system import Available, RuleSystem
from qf_tui.core.values import Battle

_KEPT = 4
"""Battles remembered: the one that is open, and some that are looked at beside it."""
_found: list[tuple[RuleSystem, Battle, tuple[Available, ...]]] = []


def who_may_act(system: RuleSystem, battle: Battle) -> tuple[Available, ...]:
    """The ships that may still act in this phase, as `RuleSystem.may_act` has them."""
    for of_system, of_battle, found in _found:
        if of_system is system and of_battle is battle:
            return found
    found = system.may_act(battle)
    _found.insert(0, (system, battle, found))
    del _found[_KEPT:]
    return found
