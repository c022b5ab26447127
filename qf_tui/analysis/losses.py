"""The ships that are out of the battle: what became of each, when, and who did damage to it."""

from collections.abc import Iterable, Mapping

from attrs import evolve

from qf_tui.analysis.played import played
from qf_tui.analysis.values import Loss, ThrownDice
from qf_tui.core.results import of_damage
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline


def losses_of(system: RuleSystem, timeline: Timeline, throws: Iterable[ThrownDice]) -> tuple[Loss, ...]:
    """Every ship that is not afloat at the end and was, in the order in which they were lost."""
    found: dict[str, Loss] = {}
    for one in played(timeline):
        if one.before.ships is one.after.ships:
            continue
        for id, ship in one.after.ships.items():
            old = one.before.ships.get(id)
            if old is not None and old.status != ship.status:
                found.pop(id, None)
                if not ship.afloat:
                    when = one.before
                    found[id] = Loss(id, ship.side, ship.status, one.entry, when.turn, when.phase)
    places = {number: place for place, number in enumerate(timeline.play_order)}
    scored = _scored(system, throws)
    return tuple(
        evolve(loss, by=_by(scored.get(id, ()), places, places[loss.entry])) for id, loss in found.items()
    )


def _scored(system: RuleSystem, throws: Iterable[ThrownDice]) -> Mapping[str, list[ThrownDice]]:
    """The throws that did damage to each ship."""
    damage = of_damage(system.results)
    found: dict[str, list[ThrownDice]] = {}
    for throw in throws:
        if throw.kind in damage and throw.results and throw.target:
            found.setdefault(throw.target, []).append(throw)
    return found


def _by(throws: Iterable[ThrownDice], places: Mapping[int, int], until: int) -> tuple[tuple[str, int], ...]:
    """Who scored how many results until a place in the order of play, the most first."""
    results: dict[str, int] = {}
    for throw in throws:
        if places.get(throw.entry, until + 1) <= until:
            results[throw.ship] = results.get(throw.ship, 0) + throw.results
    return tuple(sorted(results.items(), key=lambda one: -one[1]))
