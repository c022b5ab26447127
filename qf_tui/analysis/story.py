"""The story of a battle: entries as played, whom each struck, ships lost, results counted; without words."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import evolve, frozen

from qf_tui.analysis.distribution import total
from qf_tui.analysis.thrower import named_by
from qf_tui.analysis.values import Cells, Count, DamageDealt, Fate, Loss, LuckStep, StoryLine, ThrownDice
from qf_tui.core.acts import Entry, State
from qf_tui.core.grammar.order import Order
from qf_tui.core.results import of_damage
from qf_tui.core.schedule import events
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, apply
from qf_tui.core.values import Battle


@frozen
class PlayedEntry:
    """One entry that counts: its number, and the battle on both sides of it."""

    entry: int
    before: Battle
    after: Battle


def played(timeline: Timeline) -> Iterator[PlayedEntry]:
    """Every entry in force that counts, in the order of play."""
    battle = timeline.start
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        after = apply(battle, number, ruling)
        if ruling.state is State.STANDS:
            yield PlayedEntry(number, battle, after)
        battle = after


def origin(timeline: Timeline, entry: int) -> int:
    """The entry that an answer goes back to in the end; of any other order itself."""
    order, seen = timeline.versions[entry].order, {entry}
    while order.is_answer and order.cause in timeline.versions and order.cause not in seen:
        entry = order.cause
        order = timeline.versions[entry].order
        seen.add(entry)
    return entry


def doer(timeline: Timeline, entry: int, struck: str) -> str:
    """The ship of another side that what an entry did to a ship goes back to; "" where none does.

    An answer goes back to the order that it was asked for.
    """
    ships = timeline.battle.ships
    order = timeline.versions[origin(timeline, entry)].order
    if order.is_answer:
        return ""
    first = next((name for name in order.names if name in ships), "")
    return first if first and struck in ships and ships[first].side != ships[struck].side else ""


def counts_of(system: RuleSystem, sides: Iterable[str], throws: Iterable[ThrownDice]) -> tuple[Count, ...]:
    """The results of each side of each kind, as far as anybody threw for them."""
    counted = [throw for throw in throws if throw.kind and throw.left_out is None]
    found = (count_of(counted, side, kind.name) for side in sides for kind in system.results)
    return tuple(count for count in found if count.throws)


def damage_of(system: RuleSystem, sides: Iterable[str], counts: Collection[Count]) -> tuple[Count, ...]:
    """The results of all kinds of damage in one sum, of each side."""
    kinds = of_damage(system.results)
    found = []
    for side in sides:
        own = [count for count in counts if count.side == side and count.kind in kinds]
        results, throws = sum(count.results for count in own), sum(count.throws for count in own)
        found.append(Count(side, "", throws, results, total(count.chances for count in own)))
    return tuple(found)


def count_of(throws: Iterable[ThrownDice], side: str, *kinds: str) -> Count:
    """The results of a side of some kinds in one sum; the count is named after a single kind."""
    counted = [
        throw for throw in throws if throw.side == side and throw.kind in kinds and throw.left_out is None
    ]
    results = sum(throw.results for throw in counted)
    kind = kinds[0] if len(kinds) == 1 else ""
    return Count(side, kind, len(counted), results, total(throw.chances for throw in counted))


def cells_of(steps: Collection[LuckStep]) -> Cells:
    """The readings of the charts of all entries."""
    return Cells(sum(step.cells.read for step in steps), sum(step.cells.reconstructed for step in steps))


def struck_throws(timeline: Timeline) -> Mapping[str, int]:
    """By side, the throws that were taken back or changed to others after their dice had been seen."""
    found = {side.id: 0 for side in timeline.start.sides}
    seen: dict[int, list[Order]] = {}
    for act in timeline.log:
        if act.version is not None and act.version.dice:
            number = act.number if isinstance(act, Entry) else act.targets[0]
            seen.setdefault(number, []).append(act.version.order)
    counting = frozenset(timeline.play_order)
    for number, orders in seen.items():
        stands = timeline.versions[number].dice if number in counting else None
        gone = {order.dice for order in orders if not _still(order.dice, stands)}
        ship = timeline.battle.ships.get(named_by(orders[0]))
        if ship is not None and ship.side in found:
            found[ship.side] += len(gone)
    return found


def _still(dice: tuple[int, ...], stands: tuple[int, ...] | None) -> bool:
    """Whether dice are those that stand, or the first of them, or more than are needed now."""
    if not stands:
        return False
    shorter = min(len(dice), len(stands))
    return dice[:shorter] == stands[:shorter]


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
