"""The story of a battle: entries as played, whom each struck, ships lost, results counted; without words."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from qf_tui.analysis.pricing import price
from qf_tui.analysis.throws import named_by, throws_of
from qf_tui.analysis.values import (
    Analysis,
    Cells,
    Count,
    DamageDealt,
    Fate,
    Loss,
    LuckStep,
    PhaseEnd,
    StoryLine,
    ThrownDice,
    TurningPoint,
    total,
)
from qf_tui.core.decisions import Op
from qf_tui.core.declarations import Worth, of_damage
from qf_tui.core.grammar.forms import Order
from qf_tui.core.schedule import events
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, State, Timeline, apply
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
            effective=deed.effective + bool(throw.results),
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


@frozen
class Stretch:
    """The entries of one phase, those that only end it not among them; `ended_by` is the entry that does."""

    turn: int
    phase: str
    steps: tuple[LuckStep, ...]
    ended_by: int


def stretches(timeline: Timeline, steps: Iterable[LuckStep]) -> tuple[Stretch, ...]:
    """The phases of a battle one after another; the last is ended by no entry: 0.

    An entry that ends a phase belongs to the one that it opens, with all that this one asks.
    """
    found = []
    turn, phase = timeline.start.turn, timeline.start.phase
    within: list[LuckStep] = []
    for step in steps:
        opened = _opened(timeline, step.entry)
        if opened is not None:
            found.append(Stretch(turn, phase, tuple(within), step.entry))
            (turn, phase), within = opened, []
        within.append(step)
    return (*found, Stretch(turn, phase, tuple(within), 0))


def _opened(timeline: Timeline, number: int) -> tuple[int, str] | None:
    """The turn and the phase that an entry opens."""
    for effect in reversed(timeline.rulings[number].decision.effects):
        if effect.op is Op.PHASE and isinstance(effect.value, tuple):
            return int(effect.value[0]), effect.field
    return None


def phase_ends(
    sides: Sequence[str], start: Sequence[float], every: Sequence[Stretch]
) -> tuple[PhaseEnd, ...]:
    """What each side was worth as each phase ended, and the luck and the rest so far."""
    found = []
    worth, luck, rest = tuple(start), 0.0, 0.0
    for stretch in every:
        for step in stretch.steps:
            worth, luck, rest = step.worth, luck + step.luck, rest + step.rest
        by_side = dict(zip(sides, worth, strict=True))
        found.append(PhaseEnd(stretch.turn, stretch.phase, stretch.ended_by, by_side, luck, rest))
    return tuple(found)


def turning_point(every: Sequence[Stretch]) -> TurningPoint | None:
    """The phase in which luck did most, and the throw that did, the first of equals; None without luck."""
    lucky = [(stretch, by_size(step.throw for step in stretch.steps)) for stretch in every]
    lucky = [(stretch, throws) for stretch, throws in lucky if throws]
    if not lucky:
        return None
    stretch, throws = max(lucky, key=lambda each: abs(_luck_of(each[1])))
    most = by_size(throws[0] for _, throws in lucky)[0]
    numbers = tuple(throw.entry for throw in throws)
    return TurningPoint(stretch.turn, stretch.phase, _luck_of(throws), numbers, most.entry)


def advantage_moved(timeline: Timeline, every: Sequence[Stretch]) -> tuple[int, str, float] | None:
    """The phase in which luck and all else moved the advantage most, but for ships that joined."""
    gains = ((one, sum(_moved(timeline, step) for step in one.steps)) for one in every)
    most, gained = max(gains, key=lambda each: abs(each[1]))
    return (most.turn, most.phase, gained) if gained else None


def _moved(timeline: Timeline, step: LuckStep) -> float:
    joins = any(effect.op is Op.JOIN for effect in timeline.rulings[step.entry].decision.effects)
    return step.luck + (0.0 if joins else step.rest)


def by_size(throws: Iterable[ThrownDice | None]) -> tuple[ThrownDice, ...]:
    """The throws that did anything, those that did most first."""
    return tuple(sorted((throw for throw in throws if throw and throw.luck), key=lambda t: -abs(t.luck or 0)))


def _luck_of(throws: Iterable[ThrownDice]) -> float:
    return sum(throw.luck or 0 for throw in throws)


SLICE = 50
"""Entries in a slice."""

Run = Callable[[Sequence[range]], Iterable[tuple[LuckStep, ...]]]
"""Works slices, places of the play order each, and gives what `throws_of` finds of them, in their order."""


class Stopped(Exception):
    """The work was stopped before its end."""


def slices(timeline: Timeline, size: int = SLICE) -> tuple[range, ...]:
    """The play order in slices of that size or somewhat more: what is found within a phase helps its rest."""
    order = timeline.play_order
    cuts = [0]
    for place, number in enumerate(order):
        if place - cuts[-1] >= size and timeline.versions[number].order.is_phase_end:
            cuts.append(place)
    return tuple(range(*ends) for ends in pairwise((*cuts, len(order))) if order)


def analyse(
    system: RuleSystem,
    timeline: Timeline,
    worth: Worth | None = None,
    *,
    run: Run | None = None,
    goes_on: Callable[[int, int], bool] = lambda done, of: True,
) -> Analysis:
    """All that is found of a battle, by the worth of the rule system unless another is given.

    `run` works the slices, here one after another unless told. `goes_on` is asked behind each slice, with how
    many entries are done and of how many; Stopped where it says no.
    """
    weighed = worth or system.worth
    places = slices(timeline)
    steps: list[LuckStep] = []
    of = len(timeline.play_order)
    for found in (run or _here(system, timeline, weighed))(places):
        steps.extend(found)
        if not goes_on(len(steps), of):
            raise Stopped
    return gathered(system, timeline, weighed, steps)


def _here(system: RuleSystem, timeline: Timeline, worth: Worth) -> Run:
    return lambda places: (throws_of(system, worth, timeline, each) for each in places)


def gathered(system: RuleSystem, timeline: Timeline, worth: Worth, steps: Sequence[LuckStep]) -> Analysis:
    """All that follows from the steps of a battle."""
    start = price(system, worth, timeline.start)
    sides = tuple(start)
    throws = tuple(step.throw for step in steps if step.throw is not None)
    counts = counts_of(system, sides, throws)
    every = stretches(timeline, steps)
    return Analysis(
        sides=sides,
        start=start,
        throws=throws,
        counts=counts,
        damage=damage_of(system, sides, counts),
        phases=phase_ends(sides, tuple(start.values()), every),
        turning_point=turning_point(every),
        struck_throws=struck_throws(timeline),
        cells=cells_of(steps),
        story=story_of(system, timeline, throws),
        losses=losses_of(system, timeline, throws),
        deeds=deeds_of(system, throws),
        advantage_moved=advantage_moved(timeline, every) if len(sides) == 2 else None,
    )
