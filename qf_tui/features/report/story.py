"""The story of a battle as values: events, losses, counts, phases and the turning point."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from qf_tui.core.decisions import Op
from qf_tui.core.declarations import Worth, list_damage_kinds
from qf_tui.core.schedule import list_events
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import State, Timeline, apply_ruling, find_brought_entry
from qf_tui.core.values import Battle, Order
from qf_tui.features.report.pricing import price_by_side
from qf_tui.features.report.throws import compute_steps, find_acting_ship, find_origin
from qf_tui.features.report.values import (
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
    sum_distributions,
)
from qf_tui.library.processes import Stopped

SLICE = 20
"""Least number of entries in a slice."""

Run = Callable[[Sequence[range]], Iterable[tuple[LuckStep, ...]]]
"""Function that works out slices (places of the play order) and yields their steps in the same order."""


@frozen
class PlayedEntry:
    """An entry that counts, with the battle before and after it."""

    number: int
    before: Battle
    after: Battle


@frozen
class Stretch:
    """The entries of one phase.

    Attributes:
        turn: Turn of the phase.
        phase: Name of the phase.
        steps: Steps of the entries; the entry that ends the phase belongs to the next one.
        ended_by: Number of the entry that ends the phase, or 0 if it is not over.
    """

    turn: int
    phase: str
    steps: tuple[LuckStep, ...]
    ended_by: int


def list_played(timeline: Timeline) -> Iterator[PlayedEntry]:
    """Yield every entry that counts, in play order."""
    battle = timeline.start
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        after = apply_ruling(battle, number, ruling)
        if ruling.state is State.STANDS:
            yield PlayedEntry(number, battle, after)
        battle = after


def find_doer(timeline: Timeline, entry: int, struck: str) -> str:
    """Return the enemy ship responsible for what an entry did to `struck`, or "" if there is none.

    An answer is traced back to the order that it belongs to.
    """
    ships = timeline.battle.ships
    order = timeline.versions[find_origin(timeline, entry)].order
    if order.is_answer:
        return ""
    first = next((name for name in order.names if name in ships), "")
    return first if first and struck in ships and ships[first].side != ships[struck].side else ""


def count_results(
    system: RuleSystem, sides: Iterable[str], throws: Collection[ThrownDice]
) -> tuple[Count, ...]:
    """Count the results of each side by kind; kinds without a throw are left out."""
    counts = (sum_results(throws, side, kind.name) for side in sides for kind in system.results)
    return tuple(count for count in counts if count.throws)


def sum_damage(system: RuleSystem, sides: Iterable[str], counts: Collection[Count]) -> tuple[Count, ...]:
    """Add up the results of each side over all kinds of damage."""
    kinds = list_damage_kinds(system.results)
    by_side = (
        (side, [count for count in counts if count.side == side and count.kind in kinds]) for side in sides
    )
    return tuple(_add_up(side, "", sum(count.throws for count in own), own) for side, own in by_side)


def sum_results(throws: Iterable[ThrownDice], side: str, *kinds: str) -> Count:
    """Add up the results of a side over some kinds; a single kind gives the count its name."""
    counted = [
        throw for throw in throws if throw.side == side and throw.kind in kinds and throw.left_out is None
    ]
    return _add_up(side, kinds[0] if len(kinds) == 1 else "", len(counted), counted)


def _add_up(side: str, kind: str, throws: int, of: Sequence[Count] | Sequence[ThrownDice]) -> Count:
    results, chances = sum(part.results for part in of), sum_distributions(part.chances for part in of)
    return Count(side, kind, throws, results, chances)


def count_struck_throws(timeline: Timeline) -> Mapping[str, int]:
    """Count by side the throws that were removed or changed after their dice had been seen."""
    struck = {side.id: 0 for side in timeline.start.sides}
    seen: dict[int, list[Order]] = {}
    for act in timeline.log:
        if act.version is not None and act.version.dice:
            seen.setdefault(find_brought_entry(act), []).append(act.version.order)
    counting = frozenset(timeline.play_order)
    for number, orders in seen.items():
        stands = timeline.versions[number].dice if number in counting else ()
        # Dice are not gone if they are in force now, in full or in their first part, or with more dice added.
        gone = {
            order.dice
            for order in orders
            if not stands or any(thrown != kept for thrown, kept in zip(order.dice, stands, strict=False))
        }
        ship = timeline.battle.ships.get(find_acting_ship(orders[0]))
        if ship is not None and ship.side in struck:
            struck[ship.side] += len(gone)
    return struck


def list_deeds(system: RuleSystem, throws: Iterable[ThrownDice]) -> tuple[DamageDealt, ...]:
    """Add up damage by ship, target and kind, the most results first."""
    damage = list_damage_kinds(system.results)
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


def list_losses(system: RuleSystem, timeline: Timeline, throws: Iterable[ThrownDice]) -> tuple[Loss, ...]:
    """List every ship that was afloat and is no longer, in the order of the losses.

    Each loss names the ships that scored results on her until then, the most first.
    """
    losses: dict[str, Loss] = {}
    for entry in list_played(timeline):
        if entry.before.ships is entry.after.ships:
            continue
        for id, ship in entry.after.ships.items():
            old = entry.before.ships.get(id)
            if old is not None and old.status != ship.status:
                losses.pop(id, None)
                if not ship.afloat:
                    when = entry.before
                    losses[id] = Loss(id, ship.side, ship.status, entry.number, when.turn, when.phase)
    places = {number: place for place, number in enumerate(timeline.play_order)}
    damage = list_damage_kinds(system.results)
    scored = [throw for throw in throws if throw.kind in damage and throw.results and throw.entry in places]

    def count_by_ship(loss: Loss) -> tuple[tuple[str, int], ...]:
        results = Counter[str]()
        for throw in scored:
            if throw.target == loss.ship and places[throw.entry] <= places[loss.entry]:
                results[throw.ship] += throw.results
        return tuple(results.most_common())

    return tuple(evolve(loss, by=count_by_ship(loss)) for loss in losses.values())


def list_story(system: RuleSystem, timeline: Timeline, throws: Iterable[ThrownDice]) -> tuple[StoryLine, ...]:
    """List the events of the story turn by turn; within a turn by kind of event, then in play order.

    An event of damage is a throw that scored damage for the side that threw, or a throw that harmed the ship
    that rolled, as fires do.
    """
    damage = list_damage_kinds(system.results)
    harm = tuple(kind.name for kind in system.results if kind.harm)
    scored = {throw.entry: throw for throw in throws if throw.kind in (*damage, *harm) and throw.results}
    lines: list[StoryLine] = []
    for entry in list_played(timeline):
        lines.extend(_list_other_events(system, timeline, entry))
        throw = scored.get(entry.number)
        if throw is None:
            continue
        if throw.kind in damage:
            struck, by = [throw.target], throw.ship
        else:
            # Such an entry may change several ships, as both ships of a collision.
            there, after = entry.before.ships, entry.after.ships
            struck = [id for id, ship in after.items() if id in there and there[id] is not ship]
            struck, by = struck or [throw.ship], find_doer(timeline, entry.number, throw.ship)
        at = throw.entry, throw.turn, throw.phase
        lines.extend(StoryLine(*at, Fate.DAMAGE, ship, by) for ship in struck)
    ranks = {fate: rank for rank, fate in enumerate(Fate)}
    return tuple(sorted(lines, key=lambda line: (line.turn, ranks[line.fate])))


def _list_other_events(system: RuleSystem, timeline: Timeline, entry: PlayedEntry) -> Iterator[StoryLine]:
    """Yield the events of an entry apart from results.

    These are losses, other events, ships that leave the line and ships that join.
    """
    before, after = entry.before, entry.after
    if before.ships is after.ships and before.owed is after.owed:
        return
    at = entry.number, before.turn, before.phase
    for event in list_events(system, before, after):
        fate = Fate.LOST if event.lost else Fate.EVENT
        yield StoryLine(*at, fate, event.ship, find_doer(timeline, entry.number, event.ship))
    for id, ship in after.ships.items():
        old = before.ships.get(id)
        if old is None:
            yield StoryLine(*at, Fate.JOINED, id)
        elif (
            old is not ship
            and old.afloat
            and ship.afloat
            and system.out_of_line(after, ship)
            and not system.out_of_line(before, old)
        ):
            yield StoryLine(*at, Fate.OUT_OF_LINE, id, find_doer(timeline, entry.number, id))


def split_phases(timeline: Timeline, steps: Iterable[LuckStep]) -> tuple[Stretch, ...]:
    """Split a battle into its phases, in play order; the last one has `ended_by` 0.

    An entry that ends a phase belongs to the phase that it opens, with all questions that it asks there.
    """
    found = []
    turn, phase = timeline.start.turn, timeline.start.phase
    within: list[LuckStep] = []
    for step in steps:
        opened = timeline.rulings[step.entry].decision.begun_phase
        if opened is not None:
            found.append(Stretch(turn, phase, tuple(within), step.entry))
            (turn, phase), within = opened, []
        within.append(step)
    return (*found, Stretch(turn, phase, tuple(within), 0))


def compute_phase_ends(
    sides: Sequence[str], start: Sequence[float], every: Sequence[Stretch]
) -> tuple[PhaseEnd, ...]:
    """Work out what each side was worth at the end of each phase, with the luck and the rest until then."""
    found = []
    worth, luck, rest = tuple(start), 0.0, 0.0
    for stretch in every:
        for step in stretch.steps:
            worth, luck, rest = step.worth, luck + step.luck, rest + step.rest
        by_side = dict(zip(sides, worth, strict=True))
        found.append(PhaseEnd(stretch.turn, stretch.phase, stretch.ended_by, by_side, luck, rest))
    return tuple(found)


def find_turning_point(every: Sequence[Stretch]) -> TurningPoint | None:
    """Find the phase and the throw with the most luck, or return None if no throw has luck.

    The first of equal phases or throws is taken.
    """
    lucky = [(stretch, sort_by_luck(step.throw for step in stretch.steps)) for stretch in every]
    lucky = [(stretch, throws) for stretch, throws in lucky if throws]
    if not lucky:
        return None
    lucks = [sum(throw.luck or 0 for throw in throws) for _, throws in lucky]
    at = max(range(len(lucky)), key=lambda place: abs(lucks[place]))
    (stretch, throws), most = lucky[at], sort_by_luck(throws[0] for _, throws in lucky)[0]
    numbers = tuple(throw.entry for throw in throws)
    return TurningPoint(stretch.turn, stretch.phase, lucks[at], numbers, most.entry)


def find_greatest_move(timeline: Timeline, every: Sequence[Stretch]) -> tuple[int, str, float] | None:
    """Find the phase in which the advantage moved most, not counting ships that joined.

    Returns:
        Turn, phase and how far the advantage moved, or None if it moved in no phase.
    """

    def compute_gain(step: LuckStep) -> float:
        joins = any(effect.op is Op.JOIN for effect in timeline.rulings[step.entry].decision.effects)
        return step.luck + (0.0 if joins else step.rest)

    gains = ((stretch, sum(map(compute_gain, stretch.steps))) for stretch in every)
    most, moved = max(gains, key=lambda each: abs(each[1]))
    return (most.turn, most.phase, moved) if moved else None


def sort_by_luck(throws: Iterable[ThrownDice | None]) -> tuple[ThrownDice, ...]:
    """Return the throws that have luck, the greatest luck first."""
    return tuple(sorted((throw for throw in throws if throw and throw.luck), key=lambda t: -abs(t.luck or 0)))


def cut_slices(timeline: Timeline, size: int = SLICE) -> tuple[range, ...]:
    """Cut the play order into slices of at least `size` entries.

    A slice begins where a phase begins, because the worth of ships is remembered within a phase.
    """
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
    """Work out the analysis of a battle.

    Args:
        system: Rule system of the battle.
        timeline: Timeline to analyse.
        worth: Weights for what ships are worth, by default those of the rule system.
        run: Function that works out the slices; by default they are worked out here, one after another.
        goes_on: Function asked after each slice, with the number of entries done and of all entries.

    Raises:
        Stopped: `goes_on` returned False.
    """
    weighed, cut = worth or system.worth, cut_slices(timeline)
    steps: list[LuckStep] = []
    for part in run(cut) if run else (compute_steps(system, weighed, timeline, places) for places in cut):
        steps.extend(part)
        if not goes_on(len(steps), len(timeline.play_order)):
            raise Stopped
    return build_analysis(system, timeline, weighed, steps)


def build_analysis(
    system: RuleSystem, timeline: Timeline, worth: Worth, steps: Sequence[LuckStep]
) -> Analysis:
    """Build the analysis of a battle from its steps."""
    start = price_by_side(system, worth, timeline.start)
    sides = tuple(start)
    throws = tuple(step.throw for step in steps if step.throw is not None)
    counts = count_results(system, sides, throws)
    every = split_phases(timeline, steps)
    return Analysis(
        sides=sides,
        start=start,
        throws=throws,
        counts=counts,
        damage=sum_damage(system, sides, counts),
        phases=compute_phase_ends(sides, tuple(start.values()), every),
        turning_point=find_turning_point(every),
        struck_throws=count_struck_throws(timeline),
        cells=Cells(sum(step.cells.read for step in steps), sum(step.cells.reconstructed for step in steps)),
        story=list_story(system, timeline, throws),
        losses=list_losses(system, timeline, throws),
        deeds=list_deeds(system, throws),
        advantage_moved=find_greatest_move(timeline, every) if len(sides) == 2 else None,
        steps=tuple(steps),
    )


@frozen
class PhaseLength:
    """The duration of a phase that has ended, in seconds."""

    turn: int
    phase: str
    seconds: float


def list_phase_lengths(timeline: Timeline) -> Iterator[PhaseLength]:
    """Yield the duration of each ended phase in the order of play; skip phases without recorded times."""
    at: tuple[int, str] = timeline.start.turn, timeline.start.phase
    began: float | None = 0.0
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        if ruling.state is State.STANDS and ruling.decision.begun_phase is not None:
            ended = timeline.log[number - 1].at
            if began is not None and ended is not None:
                yield PhaseLength(*at, max(0.0, ended - began))
            at, began = ruling.decision.begun_phase, ended
