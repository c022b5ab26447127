"""The story of a battle: whom each entry struck, what happened to her, the ships lost; without words."""

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve

from qf_tui.analysis.played import PlayedEntry, doer, played
from qf_tui.analysis.values import DamageDealt, Fate, Loss, StoryLine, ThrownDice
from qf_tui.core.results import of_damage
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.victory import events


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


ORDER = tuple(Fate)
"""What is told first within a turn."""


def story_of(system: RuleSystem, timeline: Timeline, throws: Iterable[ThrownDice]) -> tuple[StoryLine, ...]:
    """The lines of the story: turn by turn, in each the greatest first, and what is alike as it was played.

    Damage is told by the throws that scored results for the side that threw, and by those that harm
    the ship that they are rolled for, as fires do.
    """
    damage = of_damage(system.results)
    harm = tuple(kind.name for kind in system.results if kind.harm)
    scored = {throw.entry: throw for throw in throws if throw.kind in (*damage, *harm) and throw.results}
    lines: list[StoryLine] = []
    for one in played(timeline):
        lines.extend(_happened(system, timeline, one))
        throw = scored.get(one.entry)
        if throw is None:
            continue
        if throw.kind in damage:
            struck, by = [throw.target], throw.ship
        else:
            struck, by = _harmed(one) or [throw.ship], doer(timeline, one.entry, throw.ship)
        at = throw.entry, throw.turn, throw.phase
        lines.extend(StoryLine(*at, Fate.DAMAGE, ship, by) for ship in struck)
    return tuple(sorted(lines, key=lambda line: (line.turn, ORDER.index(line.fate))))


def _harmed(one: PlayedEntry) -> list[str]:
    """The ships of which an entry changed anything, as both of a collision."""
    before, after = one.before.ships, one.after.ships
    return [id for id, ship in after.items() if id in before and before[id] is not ship]


def _happened(system: RuleSystem, timeline: Timeline, one: PlayedEntry) -> Iterator[StoryLine]:
    """What an entry did beside results: who was lost, its events, who left the line, who joined."""
    before, after = one.before, one.after
    if before.ships is after.ships and before.owed is after.owed:
        return
    turn, phase = before.turn, before.phase
    for event in events(system, before, after):
        fate = Fate.LOST if event.lost else Fate.EVENT
        by = doer(timeline, one.entry, event.ship)
        yield StoryLine(one.entry, turn, phase, fate, event.ship, by)
    for id, ship in after.ships.items():
        old = before.ships.get(id)
        if old is None:
            yield StoryLine(one.entry, turn, phase, Fate.JOINED, id)
        elif old is not ship and _left(system, one, id):
            yield StoryLine(one.entry, turn, phase, Fate.OUT_OF_LINE, id, doer(timeline, one.entry, id))


def _left(system: RuleSystem, one: PlayedEntry, id: str) -> bool:
    """Whether a ship that stays afloat cannot keep her place any more."""
    old, ship = one.before.ships[id], one.after.ships[id]
    if not (old.afloat and ship.afloat):
        return False
    return system.out_of_line(one.after, ship) and not system.out_of_line(one.before, old)
