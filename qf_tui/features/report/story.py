"""Works out the story of a battle as values: events, losses, counts, phases and the turning point."""

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
class PhaseSteps:
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
    """Yield every entry that counts, with the battles before and after it, in play order."""
    battle = timeline.start
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        after = apply_ruling(battle, number, ruling)
        if ruling.state is State.STANDS:
            yield PlayedEntry(number, battle, after)
        battle = after


def find_culprit(timeline: Timeline, entry: int, damaged_ship: str) -> str:
    """Return the enemy ship responsible for what an entry did to a ship, or "" if there is none.

    It is the first ship named by the order that the entry goes back to.
    """
    ships = timeline.battle.ships
    order = timeline.versions[find_origin(timeline, entry)].order
    if order.is_answer:
        return ""
    actor = next((name for name in order.names if name in ships), "")
    if not actor or damaged_ship not in ships:
        return ""
    return actor if ships[actor].side != ships[damaged_ship].side else ""


def count_results(
    system: RuleSystem, sides: Iterable[str], throws: Collection[ThrownDice]
) -> tuple[Count, ...]:
    """Count the results of each side by kind; kinds without a throw are left out."""
    counts = (sum_results(throws, side, kind.name) for side in sides for kind in system.results)
    return tuple(count for count in counts if count.throws)


def sum_damage(system: RuleSystem, sides: Iterable[str], counts: Collection[Count]) -> tuple[Count, ...]:
    """Add up the results of each side over all kinds of damage."""
    kinds = list_damage_kinds(system.results)
    counts_by_side = (
        (side, [count for count in counts if count.side == side and count.kind in kinds]) for side in sides
    )
    return tuple(
        _add_up(side, kind="", throws=sum(count.throws for count in side_counts), parts=side_counts)
        for side, side_counts in counts_by_side
    )


def sum_results(throws: Iterable[ThrownDice], side: str, *kinds: str) -> Count:
    """Add up the results of a side's throws of some kinds; throws without known luck are left out.

    If only one kind is given, it is the kind of the count.
    """
    counted = [
        throw for throw in throws if throw.side == side and throw.kind in kinds and throw.left_out is None
    ]
    return _add_up(side, kinds[0] if len(kinds) == 1 else "", len(counted), counted)


def _add_up(side: str, kind: str, throws: int, parts: Sequence[Count] | Sequence[ThrownDice]) -> Count:
    """Build a count from its parts: results are added, and so are distributions."""
    results, chances = sum(part.results for part in parts), sum_distributions(part.chances for part in parts)
    return Count(side, kind, throws, results, chances)


def _begin_alike(dice: Sequence[int], other_dice: Sequence[int]) -> bool:
    """Return whether one of two throws begins with the other."""
    return all(face == other_face for face, other_face in zip(dice, other_dice, strict=False))


def count_struck_throws(timeline: Timeline) -> Mapping[str, int]:
    """Count by side the throws that were removed or changed after their dice had been seen."""
    count_by_side = {side.id: 0 for side in timeline.start.sides}
    orders_by_entry: dict[int, list[Order]] = {}
    for act in timeline.log:
        if act.version is not None and act.version.dice:
            orders_by_entry.setdefault(find_brought_entry(act), []).append(act.version.order)
    counted_entries = frozenset(timeline.play_order)
    for number, orders in orders_by_entry.items():
        present_dice = timeline.versions[number].dice if number in counted_entries else ()
        # Dice to which others were only added are not struck.
        struck_dice = {
            order.dice for order in orders if not present_dice or not _begin_alike(order.dice, present_dice)
        }
        ship = timeline.battle.ships.get(find_acting_ship(orders[0]))
        if ship is not None and ship.side in count_by_side:
            count_by_side[ship.side] += len(struck_dice)
    return count_by_side


def list_deeds(system: RuleSystem, throws: Iterable[ThrownDice]) -> tuple[DamageDealt, ...]:
    """Add up the damage of throws at a target, by ship, target and kind; the most results come first."""
    damage_kinds = list_damage_kinds(system.results)
    deeds: dict[tuple[str, str, str], DamageDealt] = {}
    for throw in throws:
        if throw.kind not in damage_kinds or not throw.target:
            continue
        key = throw.ship, throw.target, throw.kind
        deed = deeds.get(key, DamageDealt(*key, throws=0, effective=0, results=0))
        deeds[key] = evolve(
            deed,
            throws=deed.throws + 1,
            effective=deed.effective + bool(throw.results),
            results=deed.results + throw.results,
        )
    return tuple(sorted(deeds.values(), key=lambda deed: -deed.results))


def list_losses(system: RuleSystem, timeline: Timeline, throws: Iterable[ThrownDice]) -> tuple[Loss, ...]:
    """List every ship that stopped being afloat, in the order in which they got their last status.

    Each loss names the ships that scored results on her up to that entry, the most results first.
    """
    losses: dict[str, Loss] = {}
    for entry in list_played(timeline):
        if entry.before.ships is entry.after.ships:
            continue
        for id, ship in entry.after.ships.items():
            ship_before = entry.before.ships.get(id)
            if ship_before is not None and ship_before.status != ship.status:
                # A later status replaces the loss, or cancels it if she is afloat again.
                losses.pop(id, None)
                if not ship.afloat:
                    moment = entry.before
                    losses[id] = Loss(id, ship.side, ship.status, entry.number, moment.turn, moment.phase)
    places = {number: place for place, number in enumerate(timeline.play_order)}
    damage_kinds = list_damage_kinds(system.results)
    scored = [
        throw for throw in throws if throw.kind in damage_kinds and throw.results and throw.entry in places
    ]

    def count_by_ship(loss: Loss) -> tuple[tuple[str, int], ...]:
        results = Counter[str]()
        for throw in scored:
            if throw.target == loss.ship and places[throw.entry] <= places[loss.entry]:
                results[throw.ship] += throw.results
        return tuple(results.most_common())

    return tuple(evolve(loss, by=count_by_ship(loss)) for loss in losses.values())


def list_story(system: RuleSystem, timeline: Timeline, throws: Iterable[ThrownDice]) -> tuple[StoryLine, ...]:
    """List the events of the story turn by turn; within a turn by kind of event, then in play order.

    A throw is an event of damage if it scored damage on its target, or harmed ships as fires do.
    """
    damage_kinds = list_damage_kinds(system.results)
    counted_kinds = (*damage_kinds, *(kind.name for kind in system.results if kind.harm))
    scored = {throw.entry: throw for throw in throws if throw.kind in counted_kinds and throw.results}
    lines: list[StoryLine] = []
    for entry in list_played(timeline):
        lines.extend(_list_other_events(system, timeline, entry))
        throw = scored.get(entry.number)
        if throw is None:
            continue
        if throw.kind in damage_kinds:
            damaged_ships, culprit = [throw.target], throw.ship
        else:
            # Such an entry may change several ships, as both ships of a collision.
            ships_before, ships_after = entry.before.ships, entry.after.ships
            damaged_ships = [
                id for id, ship in ships_after.items() if id in ships_before and ships_before[id] is not ship
            ]
            damaged_ships = damaged_ships or [throw.ship]
            culprit = find_culprit(timeline, entry.number, throw.ship)
        moment = throw.entry, throw.turn, throw.phase
        lines.extend(StoryLine(*moment, Fate.DAMAGE, ship, culprit) for ship in damaged_ships)
    ranks = {fate: rank for rank, fate in enumerate(Fate)}
    return tuple(sorted(lines, key=lambda line: (line.turn, ranks[line.fate])))


def _list_other_events(system: RuleSystem, timeline: Timeline, entry: PlayedEntry) -> Iterator[StoryLine]:
    """Yield the events of an entry that are not damage.

    These are losses, other events of the rules, ships that leave the line and ships that join.
    """
    before, after = entry.before, entry.after
    if before.ships is after.ships and before.owed is after.owed:
        return
    moment = entry.number, before.turn, before.phase
    for event in list_events(system, before, after):
        fate = Fate.LOST if event.lost else Fate.EVENT
        yield StoryLine(*moment, fate, event.ship, find_culprit(timeline, entry.number, event.ship))
    for id, ship in after.ships.items():
        ship_before = before.ships.get(id)
        if ship_before is None:
            yield StoryLine(*moment, Fate.JOINED, id)
        elif (
            ship_before is not ship
            and ship_before.afloat
            and ship.afloat
            and system.out_of_line(after, ship)
            and not system.out_of_line(before, ship_before)
        ):
            yield StoryLine(*moment, Fate.OUT_OF_LINE, id, find_culprit(timeline, entry.number, id))


def split_phases(timeline: Timeline, steps: Iterable[LuckStep]) -> tuple[PhaseSteps, ...]:
    """Split the steps of a battle into its phases, in play order; the last phase has `ended_by` 0.

    An entry that ends a phase belongs to the phase that it opens, with all questions that it asks there.
    """
    phases = []
    turn, phase = timeline.start.turn, timeline.start.phase
    steps_of_phase: list[LuckStep] = []
    for step in steps:
        next_phase = timeline.rulings[step.entry].decision.begun_phase
        if next_phase is not None:
            phases.append(PhaseSteps(turn, phase, tuple(steps_of_phase), step.entry))
            turn, phase = next_phase
            steps_of_phase = []
        steps_of_phase.append(step)
    return (*phases, PhaseSteps(turn, phase, tuple(steps_of_phase), ended_by=0))


def compute_phase_ends(
    sides: Sequence[str], start: Sequence[float], phases: Sequence[PhaseSteps]
) -> tuple[PhaseEnd, ...]:
    """Compute what each side was worth at the end of each phase, with luck and other changes so far."""
    ends = []
    worth, luck, rest = tuple(start), 0.0, 0.0
    for phase_steps in phases:
        for step in phase_steps.steps:
            worth = step.worth
            luck += step.luck
            rest += step.rest
        by_side = dict(zip(sides, worth, strict=True))
        ends.append(PhaseEnd(phase_steps.turn, phase_steps.phase, phase_steps.ended_by, by_side, luck, rest))
    return tuple(ends)


def find_turning_point(phases: Sequence[PhaseSteps]) -> TurningPoint | None:
    """Find the phase with the most luck, and of all phases the throw with the most luck.

    Good and bad luck count alike. The first of equal phases or throws is taken.

    Returns:
        None if no throw has luck.
    """
    with_throws = [(phase, sort_lucky_throws(step.throw for step in phase.steps)) for phase in phases]
    lucky_phases = [(phase, throws) for phase, throws in with_throws if throws]
    if not lucky_phases:
        return None
    lucks = [sum(throw.luck or 0 for throw in throws) for _, throws in lucky_phases]
    index = max(range(len(lucky_phases)), key=lambda index_of_phase: abs(lucks[index_of_phase]))
    phase, throws = lucky_phases[index]
    luckiest_throw = sort_lucky_throws(luckiest for _, (luckiest, *_) in lucky_phases)[0]
    numbers = tuple(throw.entry for throw in throws)
    return TurningPoint(phase.turn, phase.phase, lucks[index], numbers, luckiest_throw.entry)


def find_greatest_move(timeline: Timeline, phases: Sequence[PhaseSteps]) -> tuple[int, str, float] | None:
    """Find the phase in which the advantage moved most, not counting ships that joined.

    Returns:
        Turn, phase and how far the advantage moved, or None if it never moved.
    """

    def compute_gain(step: LuckStep) -> float:
        joins = any(effect.op is Op.JOIN for effect in timeline.rulings[step.entry].decision.effects)
        return step.luck + (0.0 if joins else step.rest)

    gains = ((phase_steps, sum(map(compute_gain, phase_steps.steps))) for phase_steps in phases)
    phase, gain = max(gains, key=lambda phase_and_gain: abs(phase_and_gain[1]))
    return (phase.turn, phase.phase, gain) if gain else None


def sort_lucky_throws(throws: Iterable[ThrownDice | None]) -> tuple[ThrownDice, ...]:
    """Return the throws that have luck, the greatest luck first; each None is left out."""
    lucky_throws = (throw for throw in throws if throw and throw.luck)
    return tuple(sorted(lucky_throws, key=lambda throw: -abs(throw.luck or 0)))


def cut_slices(timeline: Timeline, size: int = SLICE) -> tuple[range, ...]:
    """Cut the play order into slices of at least `size` entries.

    A slice begins where a phase begins, because the caches of `Pricer` hold within a phase.
    """
    order = timeline.play_order
    if not order:
        return ()
    cuts = [0]
    for place, number in enumerate(order):
        if place - cuts[-1] >= size and timeline.versions[number].order.is_phase_end:
            cuts.append(place)
    return tuple(range(*ends) for ends in pairwise((*cuts, len(order))))


def analyse(
    system: RuleSystem,
    timeline: Timeline,
    worth: Worth | None = None,
    *,
    run: Run | None = None,
    report_progress: Callable[[int, int], bool] = lambda done, of: True,
) -> Analysis:
    """Work out the analysis of a battle.

    Args:
        worth: Weights for what ships are worth, by default those of the rule system.
        run: Function that works out slices of the play order; by default this is done here, one by one.
        report_progress: Function called after each slice with the number of entries done and of all entries;
            it returns False to stop the work.

    Raises:
        Stopped: `report_progress` returned False.
    """
    weights = worth or system.worth
    slices = cut_slices(timeline)
    steps_by_slice: Iterable[tuple[LuckStep, ...]]
    if run is None:
        steps_by_slice = (compute_steps(system, weights, timeline, places) for places in slices)
    else:
        steps_by_slice = run(slices)
    steps: list[LuckStep] = []
    for slice_steps in steps_by_slice:
        steps.extend(slice_steps)
        if not report_progress(len(steps), len(timeline.play_order)):
            raise Stopped
    return build_analysis(system, timeline, weights, steps)


def build_analysis(
    system: RuleSystem, timeline: Timeline, worth: Worth, steps: Sequence[LuckStep]
) -> Analysis:
    """Build the analysis of a battle from its steps.

    The greatest shift of advantage is found only for a battle of two sides.
    """
    start = price_by_side(system, worth, timeline.start)
    sides = tuple(start)
    throws = tuple(step.throw for step in steps if step.throw is not None)
    counts = count_results(system, sides, throws)
    phases = split_phases(timeline, steps)
    return Analysis(
        sides=sides,
        start=start,
        throws=throws,
        counts=counts,
        damage=sum_damage(system, sides, counts),
        phases=compute_phase_ends(sides, tuple(start.values()), phases),
        turning_point=find_turning_point(phases),
        struck_throws=count_struck_throws(timeline),
        cells=Cells(sum(step.cells.read for step in steps), sum(step.cells.reconstructed for step in steps)),
        story=list_story(system, timeline, throws),
        losses=list_losses(system, timeline, throws),
        deeds=list_deeds(system, throws),
        advantage_moved=find_greatest_move(timeline, phases) if len(sides) == 2 else None,
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
    turn_and_phase: tuple[int, str] = timeline.start.turn, timeline.start.phase
    began: float | None = 0.0
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        if ruling.state is State.STANDS and ruling.decision.begun_phase is not None:
            ended = timeline.log[number - 1].at
            if began is not None and ended is not None:
                yield PhaseLength(*turn_and_phase, max(0.0, ended - began))
            turn_and_phase, began = ruling.decision.begun_phase, ended
