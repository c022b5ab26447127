"""Who did what to whom: the throws of one ship at another, counted."""

from collections.abc import Iterable

from attrs import evolve

from qf_tui.analysis.values import DamageDealt, ThrownDice
from qf_tui.core.results import of_damage
from qf_tui.core.system import RuleSystem


def deeds_of(system: RuleSystem, throws: Iterable[ThrownDice]) -> tuple[DamageDealt, ...]:
    """A deed for each ship, target and kind of damage, those with the most results first."""
    damage = of_damage(system.results)
    found: dict[tuple[str, str, str], DamageDealt] = {}
    for throw in throws:
        if throw.kind not in damage or not throw.target:
            continue
        key = throw.ship, throw.target, throw.kind
        deed = found.get(key, DamageDealt(*key, 0, 0, 0))
        found[key] = evolve(
            deed,
            throws=deed.throws + 1,
            told=deed.told + bool(throw.results),
            results=deed.results + throw.results,
        )
    return tuple(sorted(found.values(), key=lambda deed: -deed.results))
