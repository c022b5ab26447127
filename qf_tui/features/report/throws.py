"""The dice thrown in a battle: who threw, which chart cells decided the result, the chances, and the luck.

The advantage is the worth of the first side less that of the second. The luck of a throw is the advantage
after the faces thrown, less the mean over all faces. The rest of a step is this mean less the advantage
before the step. An entry without dice has no luck; its whole change is rest.

An entry is decided again on a battle that records which options and chart cells the rules look up.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from fractions import Fraction
from typing import TypeVar

from attrs import evolve, frozen

from qf_tui.core.decide import (
    carry_out_entry,
    check_again,
    follow_up,
    may_be_early,
    prepare_again,
    prepare_entry,
    start_entry,
    write_effects,
)
from qf_tui.core.decisions import DecisionBuilder, drop_prompts
from qf_tui.core.declarations import PreparedEntry, ResultKind, Worth, find_result_kind
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import Weight
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, State, Timeline, Version, apply_ruling
from qf_tui.core.values import Battle, ChartCell, ChartRow, Charts, Faces, Order, Owed, Provenance, replace
from qf_tui.features.report.pricing import Pricer, Values, compute_advantage, list_possible_throws
from qf_tui.features.report.values import Cells, LeftOut, LuckStep, ThrownDice, build_distribution

SHIP, TARGET = "ship", "target"
"""Slots of an order for the ship that acts and for her target."""

SAME = 1e-9
"""Difference below which two worths count as equal."""

Place = tuple[str, str, str]
"""Place of a chart cell: table, row, column."""

_Value = TypeVar("_Value")


@frozen
class Roller:
    """The ship that threw, and the purpose of the throw.

    Attributes:
        ship: Id of the ship that threw, or "".
        target: Id of the ship thrown at, or "".
        line: Line of the damage tables, or word of the order.
        kind: Kind of the results, or None if nothing is counted.
    """

    ship: str
    target: str
    line: str
    kind: ResultKind | None

    def find_side(self, battle: Battle) -> str:
        """Return the id of the ship's side, or "" if no ship threw."""
        ship = battle.ships.get(self.ship)
        return ship.side if ship is not None else ""


def find_roller(
    system: RuleSystem, timeline: Timeline, battle: Battle, order: Order, entry: PreparedEntry | None
) -> Roller:
    """Find who threw the dice of an order, and for what.

    A roll for the damage that a shot did counts for the ship that fired, not for the ship that owes it.

    Args:
        timeline: Timeline with the entries that the order may answer.
        battle: Battle before the order.
        order: Order with the dice.
        entry: The prepared order, or None if it could not be prepared.
    """
    if entry is not None:
        question = entry.question
    else:
        question = battle.find_question(order.key) if order.is_answer else None
    if question is None:
        line = counted_line = order.word
    else:
        line, counted_line = question.line, system.counted_as(question)
    kind = find_result_kind(system.results, counted_line)
    # The order itself, or the declared order whose dice an answer brings.
    declared = question.order if question is not None else order
    if declared is not None:
        ship = entry.prepared.ship if entry is not None else ""
        return Roller(ship or _find_first_ship(declared), declared.text(TARGET), line, kind)
    assert question is not None
    # A roll that the rules owe, such as one for damage: the entry it goes back to names the ship that fired.
    cause = timeline.versions.get(find_origin(timeline, question.entry))
    firer = "" if cause is None or cause.order.is_answer else _find_first_ship(cause.order)
    if kind is not None and kind.damage and firer and firer != question.ship:
        return Roller(firer, question.ship, line, kind)
    return Roller(question.ship, target="", line=line, kind=kind)


def find_origin(timeline: Timeline, entry: int) -> int:
    """Return the entry that an entry goes back to: an answer goes back to the entry that asked, and so on.

    An entry that is no answer goes back to itself.
    """
    visited: set[int] = set()
    while entry in timeline.versions and entry not in visited:
        visited.add(entry)
        order = timeline.versions[entry].order
        if not order.is_answer or order.cause not in timeline.versions:
            break
        entry = order.cause
    return entry


def find_acting_ship(order: Order) -> str:
    """Return the ship that acts in an order, or that owes the roll it answers; "" if there is none."""
    return order.question_key.ship if order.is_answer else _find_first_ship(order)


def _find_first_ship(order: Order) -> str:
    """Return the first ship that an order names, or "" if it names none."""
    return next((name for slot in (SHIP, f"{SHIP}s") for name in order.list_texts(slot) if name), "")


@frozen
class Lookups:
    """The options, tables and cells that the rules looked up while they decided one entry.

    Attributes:
        options: Names of options.
        tables: Names of chart tables.
        cells: Chart cells, with those read only to prepare the entry, as for the odds of all faces.
        decided: Chart cells read for the dice as thrown, which decided the entry.
    """

    options: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    cells: frozenset[Place] = frozenset()
    decided: frozenset[Place] = frozenset()


def find_cell(charts: Charts, place: Place) -> ChartCell | None:
    """Return the chart cell at a place, or None if the charts have no such cell."""
    table, row_name, column = place
    chart = charts.get(table)
    row = chart.rows.get(row_name) if chart else None
    return row.cells.get(column) if row else None


def list_deciding_cells(charts: Charts, lookups: Lookups) -> Iterator[tuple[Place, ChartCell]]:
    """Yield each chart cell that decided an entry, with its place; each counts as one reading."""
    for place in sorted(lookups.decided):
        cell = find_cell(charts, place)
        if cell is not None:
            yield place, cell


class _NotedMapping(Mapping[str, _Value]):
    """A mapping that reports each name that is looked up."""

    def __init__(self, known: Mapping[str, _Value], note: Callable[[str], object]) -> None:
        self._known, self._note = known, note

    def __getitem__(self, name: str) -> _Value:
        self._note(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class _NotedCells(_NotedMapping[ChartCell]):
    """The cells of a chart row; only access to an existing cell by its name counts as a reading.

    To iterate over the cells, or to ask for a missing one, is no reading.
    """

    def __getitem__(self, name: str) -> ChartCell:
        cell = self._known[name]
        self._note(name)
        return cell

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def items(self) -> ItemsView[str, ChartCell]:
        return self._known.items()

    def values(self) -> ValuesView[ChartCell]:
        return self._known.values()


class LookupRecorder:
    """A recorder of what the rules look up while they decide an entry."""

    def __init__(self) -> None:
        self._options: set[str] = set()
        self._tables: set[str] = set()
        self._cells: set[Place] = set()
        # The charts that were wrapped last, and these charts with a record of lookups.
        self._charts: Charts | None = None
        self._wrapped_charts: Charts = {}

    def decide(
        self,
        system: RuleSystem,
        battle: Battle,
        number: int,
        version: Version,
        ruling_when_placed: Ruling | None,
    ) -> tuple[Ruling, Lookups]:
        """Decide an entry again, and return the ruling and what the rules looked up for it.

        `ruling_when_placed` is the ruling that the entry had when it was put at its place, or None.
        """
        self._options.clear()
        self._tables.clear()
        self._cells = set()
        recording_battle = self._wrap_battle(battle)
        if battle.began is not None:
            recording_battle = replace(recording_battle, began=self._wrap_battle(battle.began))
        prepared = prepare_again(system, recording_battle, version, ruling_when_placed)
        # Cells read while the entry is prepared do not decide it; cells read from now on do.
        prepared_cells, self._cells = self._cells, set()
        if isinstance(prepared, Ruling):
            ruling = prepared
        else:
            ruling = Ruling(write_effects(system, recording_battle, number, prepared).build_decision())
        decided_cells = frozenset(self._cells)
        return ruling, Lookups(
            frozenset(self._options),
            frozenset(self._tables),
            cells=decided_cells | prepared_cells,
            decided=decided_cells - list_open_cells(ruling),
        )

    def _wrap_battle(self, battle: Battle) -> Battle:
        """Return a battle that records which options, chart tables and cells are looked up."""
        options = _NotedMapping(battle.options, self._options.add)
        return replace(battle, options=options, charts=self._wrap_charts(battle.charts))

    def _wrap_charts(self, charts: Charts) -> Charts:
        """Return charts that record lookups; for the same charts as last time, they are not built again."""
        if charts is not self._charts:
            wrapped = {
                name: replace(
                    chart, rows={row.name: self._wrap_row(name, row) for row in chart.rows.values()}
                )
                for name, chart in charts.items()
            }
            self._charts, self._wrapped_charts = charts, _NotedMapping(wrapped, self._tables.add)
        return self._wrapped_charts

    def _wrap_row(self, table: str, row: ChartRow) -> ChartRow:
        """Return a chart row that records which of its cells are looked up."""
        return ChartRow(
            row.name, _NotedCells(row.cells, lambda column: self._cells.add((table, row.name, column)))
        )


def list_open_cells(ruling: Ruling) -> frozenset[Place]:
    """Return the chart cells that the umpire is asked to read out.

    Their values are unknown, so they decide nothing.
    """
    cells = (effect.value.cell for effect in ruling.decision.effects if isinstance(effect.value, Owed))
    return frozenset((cell[0], cell[1], cell[2]) for cell in cells if cell)


@frozen
class Branch:
    """A possible throw of an entry's dice, with its result.

    Attributes:
        weight: Weight of the throw among all throws.
        faces: All faces that bear on the order.
        results: Number of results.
        worth: Worth of each side after the throw.
    """

    weight: Weight
    faces: Faces
    results: int
    worth: Values


def list_branches(
    system: RuleSystem,
    pricer: Pricer,
    battle: Battle,
    number: int,
    entry: PreparedEntry,
    kind: ResultKind | None = None,
) -> Iterator[Branch] | None:
    """Return an iterator over every possible throw of an entry, or None if there are too many.

    Faces that were known before the entry are kept. Without `kind`, the branches have 0 results.
    """
    throws = list_possible_throws(entry)
    if throws is None:
        return None
    builder_before_dice = begin_entry(battle, number, entry)

    def build_branch(weight: Weight, faces: Faces) -> Branch:
        builder = decide_faces(system, builder_before_dice, entry, faces)
        results = kind.count_results(builder.outcome) if kind is not None else 0
        return Branch(weight, faces, results, pricer.price_sides(builder.battle))

    return (build_branch(weight, faces) for weight, faces in throws)


def begin_entry(battle: Battle, number: int, entry: PreparedEntry) -> DecisionBuilder:
    """Return a builder with the effects that an entry has before its dice are read."""
    builder = DecisionBuilder(battle, number)
    start_entry(builder, entry)
    return builder


def decide_faces(
    system: RuleSystem, builder_before_dice: DecisionBuilder, entry: PreparedEntry, faces: Faces
) -> DecisionBuilder:
    """Return a builder with all effects of an entry for some faces; `builder_before_dice` is not changed."""
    builder = builder_before_dice.fork()
    carry_out_entry(system, builder, entry, faces)
    follow_up(system, builder)
    return builder


def compute_steps(
    system: RuleSystem, worth: Worth, timeline: Timeline, places: Sequence[int]
) -> tuple[LuckStep, ...]:
    """Work out the steps of the entries at some places of the play order.

    Parked and spare entries change nothing. A step does not depend on the other places asked for.

    Args:
        worth: Weights for what ships are worth.
        places: Consecutive places of the play order.
    """
    return tuple(_Walk(system, worth, timeline).compute_steps(places))


class _Walk:
    """A walk through a timeline, entry by entry; its battles come from the recorded rulings."""

    def __init__(self, system: RuleSystem, worth: Worth, timeline: Timeline) -> None:
        self.system = system
        self.timeline = timeline
        self.pricer = Pricer(system, worth)
        self.recorder = LookupRecorder()

    def compute_steps(self, places: Sequence[int]) -> Iterator[LuckStep]:
        """Yield the step of each entry at consecutive places of the play order."""
        if not places:
            return
        timeline = self.timeline
        battle = timeline.battle_at(places[0])
        self.pricer.keep_ships(battle)
        worth = self.pricer.price_sides(battle)
        for place in places:
            number = timeline.play_order[place]
            next_battle = apply_ruling(battle, number, timeline.rulings[number])
            next_worth = worth if next_battle is battle else self.pricer.price_sides(next_battle)
            step = self._compute_step(battle, number, worth, next_worth)
            yield evolve(step, cells=self._count_cells(battle, number))
            if next_battle is not battle:
                battle, worth = next_battle, next_worth
                self.pricer.keep_ships(battle)

    def _count_cells(self, battle: Battle, number: int) -> Cells:
        """Count the chart readings that decided an entry, and how many of these read reconstructed cells."""
        version = self.timeline.versions[number]
        ruling_when_placed = self.timeline.rulings_when_placed.get(number)
        _, lookups = self.recorder.decide(self.system, battle, number, version, ruling_when_placed)
        statuses = [cell.status for _, cell in list_deciding_cells(battle.charts, lookups)]
        return Cells(len(statuses), statuses.count(Provenance.RECONSTRUCTED))

    def _compute_step(
        self, battle: Battle, number: int, worth_before: Values, worth_after: Values
    ) -> LuckStep:
        """Work out the step of an entry, from the worth of the sides before and after it.

        If its luck is not known, all of the change is rest, and the throw has the reason.
        """
        version, ruling = self.timeline.versions[number], self.timeline.rulings[number]
        advantage_before = compute_advantage(worth_before)
        advantage_after = compute_advantage(worth_after)
        step_without_luck = LuckStep(number, worth_after, luck=0.0, rest=advantage_after - advantage_before)
        if ruling.state is not State.STANDS:
            return step_without_luck
        if not version.dice:
            # An answer may read out the chart cell that earlier dice waited for.
            return evolve(step_without_luck, throw=self._find_read_out(battle, number, version))
        entry, roller, throw = self._prepare_throw(battle, number, version)
        lacks_dice = isinstance(entry, PreparedEntry) and bool(entry.missing)
        if lacks_dice or list_open_cells(ruling):
            # Until all dice and cells are known, results cannot be counted.
            throw = evolve(throw, kind="")
        if isinstance(entry, LeftOut):
            return evolve(step_without_luck, throw=evolve(throw, left_out=entry))
        questions = (effect.value for effect in ruling.decision.effects if isinstance(effect.value, Owed))
        if any(owed.by_hand for owed in questions):
            return evolve(step_without_luck, throw=evolve(throw, left_out=LeftOut.BY_HAND))
        mean, throw = self._weigh(battle, number, entry, roller, throw)
        if throw.left_out is not None:
            return evolve(step_without_luck, throw=throw)
        luck, rest = advantage_after - mean, mean - advantage_before
        return LuckStep(number, worth_after, luck, rest, evolve(throw, luck=luck))

    def _find_read_out(self, battle: Battle, number: int, version: Version) -> ThrownDice | None:
        """Return the throw for which an answer reads out the last missing chart cell, without luck.

        Return None if the order is no such answer, or if another cell is still missing.
        """
        question = battle.find_question(version.order.key) if version.order.is_answer else None
        if question is None or not question.cell or not question.faces:
            return None
        ruling = self.timeline.rulings[number]
        if list_open_cells(ruling):
            return None
        _, roller, throw = self._prepare_throw(battle, number, version)
        results = roller.kind.count_results(dict(ruling.decision.outcome)) if roller.kind is not None else 0
        return evolve(throw, dice=question.faces, results=results, left_out=LeftOut.READ_OUT)

    def _prepare_throw(
        self, battle: Battle, number: int, version: Version
    ) -> tuple[PreparedEntry | LeftOut, Roller, ThrownDice]:
        """Return what `_prepare` returns for an entry, who threw the dice, and the throw without results."""
        entry = self._prepare(battle, number, version)
        prepared = entry if isinstance(entry, PreparedEntry) else None
        roller = find_roller(self.system, self.timeline, battle, version.order, prepared)
        return entry, roller, _build_throw(battle, number, version, roller)

    def _prepare(self, battle: Battle, number: int, version: Version) -> PreparedEntry | LeftOut:
        """Prepare an entry as when it was decided, or return the reason why its luck is not known."""
        ruling_when_placed = self.timeline.rulings_when_placed.get(number)
        early = may_be_early(battle, version.order, ruling_when_placed)
        try:
            entry = prepare_entry(self.system, battle, version, early=early)
        except OrderRefused:
            return LeftOut.FORCED
        try:
            check_again(entry, version)
        except OrderRefused:
            return LeftOut.JUDGED_OTHERWISE
        return entry

    def _weigh(
        self, battle: Battle, number: int, entry: PreparedEntry, roller: Roller, throw: ThrownDice
    ) -> tuple[float, ThrownDice]:
        """Work out the chances of a throw and the mean advantage over all its faces.

        Returns:
            The mean, and the throw with its chances. If the throw is left out, 0 and the throw with the
            reason.
        """
        ruling = self.timeline.rulings[number]
        decided = decide_faces(self.system, begin_entry(battle, number, entry), entry, entry.faces)
        effects, recorded_effects = tuple(decided.effects), ruling.decision.effects
        # Different prompts alone do not count.
        if effects != recorded_effects and drop_prompts(effects) != drop_prompts(recorded_effects):
            return 0.0, evolve(throw, left_out=LeftOut.JUDGED_OTHERWISE)
        # While dice are missing, results cannot be counted.
        kind = None if entry.missing else roller.kind
        branches = list_branches(self.system, self.pricer, battle, number, entry, kind)
        if branches is None:
            return 0.0, evolve(throw, left_out=LeftOut.TOO_MANY_DICE)
        mean = 0.0
        count_by_results = Counter[tuple[int, int]]()
        weighted_values = []
        for branch in branches:
            count, total = branch.weight
            value = compute_advantage(branch.worth)
            mean += count / total * value
            weighted_values.append((branch.weight, value))
            count_by_results[branch.results, total] += count
        thrown_value = compute_advantage(self.pricer.price_sides(decided.battle))
        throw = evolve(throw, luck_chance=_compute_chance_of_luck(weighted_values, mean, thrown_value))
        if kind is None:
            return mean, throw
        chances = defaultdict[int, Fraction](Fraction)
        for (results, total), count in count_by_results.items():
            chances[results] += Fraction(count, total)
        return mean, evolve(
            throw, results=kind.count_results(decided.outcome), chances=build_distribution(chances)
        )


def _compute_chance_of_luck(
    weighted_values: Sequence[tuple[Weight, float]], mean: float, thrown: float
) -> Fraction:
    """Return the chance that a throw has at least as much luck, for the same side, as the faces thrown.

    Args:
        weighted_values: Advantage after each possible throw, with the weight of the throw.
        mean: Mean advantage over all faces.
        thrown: Advantage after the faces thrown.
    """
    # `SAME` allows for rounding errors.
    least_distance = abs(thrown - mean) - SAME
    sign = 1 if thrown >= mean else -1
    count_by_denominator = Counter[int]()
    for (count, denominator), value in weighted_values:
        if (value - mean) * sign >= least_distance:
            count_by_denominator[denominator] += count
    return sum(
        (Fraction(count, denominator) for denominator, count in count_by_denominator.items()), Fraction(0)
    )


def _build_throw(battle: Battle, number: int, version: Version, roller: Roller) -> ThrownDice:
    """Build a throw without results, chances or luck."""
    return ThrownDice(
        entry=number,
        turn=battle.turn,
        phase=battle.phase,
        side=roller.find_side(battle),
        ship=roller.ship,
        target=roller.target,
        line=roller.line,
        kind=roller.kind.name if roller.kind is not None else "",
        dice=version.dice,
        by_console=version.thrown,
    )
