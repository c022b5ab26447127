"""The throws of a battle: who threw, which chart cells decided them, their chances and their luck.

The luck of a throw is the advantage after the faces thrown, less the mean over all faces. The rest of a
step is this mean less the advantage before it; without dice, it is the whole change. To find which
options and chart cells the rules look up, an entry is decided again on a battle that records each lookup.
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

    A roll for what a shot did to a ship counts for the ship that fired, if its results are damage.

    Args:
        system: Rule system of the battle.
        timeline: Timeline with the entries that the order may answer.
        battle: Battle before the order.
        order: Order with the dice.
        entry: The prepared order, or None if it could not be prepared.
    """
    asked = battle.find_question(order.key) if entry is None and order.is_answer else None
    question = asked if entry is None else entry.question
    line = question.line if question is not None else order.word
    kind = find_result_kind(system.results, line if question is None else system.counted_as(question))
    declared = question.order if question is not None else order
    if declared is not None:
        ship = entry.prepared.ship if entry is not None else ""
        return Roller(ship or _find_first_ship(declared), declared.text(TARGET), line, kind)
    if question is None:
        return Roller("", "", line, kind)
    cause = timeline.versions.get(find_origin(timeline, question.entry))
    firer = "" if cause is None or cause.order.is_answer else _find_first_ship(cause.order)
    if kind is not None and kind.damage and firer and firer != question.ship:
        return Roller(firer, question.ship, line, kind)
    return Roller(question.ship, "", line, kind)


def find_origin(timeline: Timeline, entry: int) -> int:
    """Return the entry that an answer goes back to in the end, or `entry` itself if it is no answer."""
    seen: set[int] = set()
    while entry in timeline.versions and entry not in seen:
        seen.add(entry)
        order = timeline.versions[entry].order
        if not order.is_answer or order.cause not in timeline.versions:
            break
        entry = order.cause
    return entry


def find_acting_ship(order: Order) -> str:
    """Return the ship that acts in an order, or that owes the roll it answers; "" if there is none."""
    return order.question_key.ship if order.is_answer else _find_first_ship(order)


def _find_first_ship(order: Order) -> str:
    """Return the first ship that an order names."""
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
    chart = charts.get(place[0])
    row = chart.rows.get(place[1]) if chart else None
    return row.cells.get(place[2]) if row else None


def list_deciding_cells(charts: Charts, lookups: Lookups) -> Iterator[tuple[Place, ChartCell]]:
    """Yield each chart cell that decided an entry, with its place; each counts as one reading."""
    for place in sorted(lookups.decided):
        cell = find_cell(charts, place)
        if cell is not None:
            yield place, cell


class _Noted(Mapping[str, _Value]):
    """A mapping that reports each name that it is asked for."""

    def __init__(self, known: Mapping[str, _Value], note: Callable[[str], object]) -> None:
        self._known, self._note = known, note

    def __getitem__(self, name: str) -> _Value:
        self._note(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class _NotedCells(_Noted[ChartCell]):
    """The cells of a chart row; only access to an existing cell by its name counts as a reading.

    To iterate over the cells, or to ask for a missing one, is no reading.
    """

    def __getitem__(self, name: str) -> ChartCell:
        found = self._known[name]
        self._note(name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def items(self) -> ItemsView[str, ChartCell]:
        return self._known.items()

    def values(self) -> ValuesView[ChartCell]:
        return self._known.values()


class Notebook:
    """A recorder of what the rules look up; each battle that it prepares records lookups for one entry."""

    def __init__(self) -> None:
        self._options: set[str] = set()
        self._tables: set[str] = set()
        self._cells: set[Place] = set()
        self._charts: tuple[Charts, Charts] | None = None

    def decide(
        self, system: RuleSystem, battle: Battle, number: int, version: Version, recorded: Ruling | None
    ) -> tuple[Ruling, Lookups]:
        """Decide an entry again, as `play_again` does, and return the ruling and its lookups."""
        self._options.clear()
        self._tables.clear()
        self._cells = set()
        noting = self._wrap_battle(battle)
        noting = noting if battle.began is None else replace(noting, began=self._wrap_battle(battle.began))
        entry = prepare_again(system, noting, version, recorded)
        before, self._cells = self._cells, set()
        if not isinstance(entry, Ruling):
            entry = Ruling(write_effects(system, noting, number, entry).build_decision())
        decided = frozenset(self._cells)
        return entry, Lookups(
            frozenset(self._options),
            frozenset(self._tables),
            decided | before,
            decided - list_open_cells(entry),
        )

    def _wrap_battle(self, battle: Battle) -> Battle:
        options = _Noted(battle.options, self._options.add)
        return replace(battle, options=options, charts=self._wrap_charts(battle.charts))

    def _wrap_charts(self, charts: Charts) -> Charts:
        """Return charts that record lookups; the same object as long as the battle has the same charts."""
        if self._charts is None or self._charts[0] is not charts:
            noting = {
                name: replace(
                    chart, rows={row.name: self._wrap_row(name, row) for row in chart.rows.values()}
                )
                for name, chart in charts.items()
            }
            self._charts = charts, _Noted(noting, self._tables.add)
        return self._charts[1]

    def _wrap_row(self, table: str, row: ChartRow) -> ChartRow:
        return ChartRow(
            row.name, _NotedCells(row.cells, lambda column: self._cells.add((table, row.name, column)))
        )


def list_open_cells(ruling: Ruling) -> frozenset[Place]:
    """Return the chart cells that the umpire is asked to read out.

    Their values are unknown, so they decide nothing.
    """
    asked = (effect.value.cell for effect in ruling.decision.effects if isinstance(effect.value, Owed))
    return frozenset((cell[0], cell[1], cell[2]) for cell in asked if cell)


@frozen
class Branch:
    """A possible throw of an entry.

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
    """Yield every possible throw of an entry, or return None if there are too many.

    Faces that were known before the entry are kept.
    """
    every = list_possible_throws(entry)
    if every is None:
        return None
    onto = begin_entry(battle, number, entry)

    def build_branch(weight: Weight, faces: Faces) -> Branch:
        builder = decide_faces(system, onto, entry, faces)
        results = kind.count_results(builder.outcome) if kind is not None else 0
        return Branch(weight, faces, results, pricer.price_sides(builder.battle))

    return (build_branch(weight, faces) for weight, faces in every)


def begin_entry(battle: Battle, number: int, entry: PreparedEntry) -> DecisionBuilder:
    """Apply the effects that an entry has before its dice are read."""
    builder = DecisionBuilder(battle, number)
    start_entry(builder, entry)
    return builder


def decide_faces(
    system: RuleSystem, onto: DecisionBuilder, entry: PreparedEntry, faces: Faces
) -> DecisionBuilder:
    """Apply the effects of an entry for some faces, on a copy of its state before the dice."""
    builder = onto.fork()
    carry_out_entry(system, builder, entry, faces)
    follow_up(system, builder)
    return builder


def compute_steps(
    system: RuleSystem, worth: Worth, timeline: Timeline, places: Sequence[int]
) -> tuple[LuckStep, ...]:
    """Work out the steps of the entries at some places of the play order.

    Parked and spare entries change nothing. A step does not depend on the other places asked for.

    Args:
        system: Rule system of the battle.
        worth: Weights for what ships are worth.
        timeline: Timeline to work on.
        places: Consecutive places of the play order.
    """
    return tuple(_Walk(system, worth, timeline).compute_steps(places))


class _Walk:
    """A walk through a timeline, entry by entry; its battles come from the recorded rulings."""

    def __init__(self, system: RuleSystem, worth: Worth, timeline: Timeline) -> None:
        self.system = system
        self.timeline = timeline
        self.pricer = Pricer(system, worth)
        self.notebook = Notebook()

    def compute_steps(self, places: Sequence[int]) -> Iterator[LuckStep]:
        if not places:
            return
        timeline = self.timeline
        battle = timeline.battle_at(places[0])
        self.pricer.keep_ships(battle)
        before = self.pricer.price_sides(battle)
        for place in places:
            number = timeline.play_order[place]
            after = apply_ruling(battle, number, timeline.rulings[number])
            values = before if after is battle else self.pricer.price_sides(after)
            yield evolve(
                self._compute_step(battle, number, before, values), cells=self._count_cells(battle, number)
            )
            if after is not battle:
                battle, before = after, values
                self.pricer.keep_ships(battle)

    def _count_cells(self, battle: Battle, number: int) -> Cells:
        version, placed = self.timeline.versions[number], self.timeline.rulings_when_placed.get(number)
        _, lookups = self.notebook.decide(self.system, battle, number, version, placed)
        standing = [cell.status for _, cell in list_deciding_cells(battle.charts, lookups)]
        return Cells(len(standing), standing.count(Provenance.RECONSTRUCTED))

    def _compute_step(self, battle: Battle, number: int, before: Values, after: Values) -> LuckStep:
        version, ruling = self.timeline.versions[number], self.timeline.rulings[number]
        was, stands = compute_advantage(before), compute_advantage(after)
        plain = LuckStep(number, after, 0.0, stands - was)
        if ruling.state is not State.STANDS:
            return plain
        if not version.dice:
            return evolve(plain, throw=self._find_read_out(battle, number, version))
        entry = self._prepare(battle, number, version)
        ready = entry if isinstance(entry, PreparedEntry) else None
        if ready is not None and not ready.order.dice:
            return plain
        who = find_roller(self.system, self.timeline, battle, version.order, ready)
        throw = _build_throw(
            battle, number, version if ready is None else replace(version, order=ready.order), who
        )
        if (ready is not None and ready.missing) or list_open_cells(ruling):
            throw = evolve(throw, kind="")
        if isinstance(entry, LeftOut):
            return evolve(plain, throw=evolve(throw, left_out=entry))
        if any(isinstance(effect.value, Owed) and effect.value.by_hand for effect in ruling.decision.effects):
            return evolve(plain, throw=evolve(throw, left_out=LeftOut.BY_HAND))
        mean, throw = self._weigh(battle, number, entry, who, throw)
        if throw.left_out is not None:
            return evolve(plain, throw=throw)
        luck = stands - mean
        return LuckStep(number, after, luck, mean - was, evolve(throw, luck=luck))

    def _find_read_out(self, battle: Battle, number: int, version: Version) -> ThrownDice | None:
        """Return the throw that waited for the chart cell that an answer reads out.

        Returns:
            The throw, or None if the order reads out no such cell or the throw still waits for another one.
        """
        question = battle.find_question(version.order.key) if version.order.is_answer else None
        ruling = self.timeline.rulings[number]
        if question is None or not (question.cell and question.faces) or list_open_cells(ruling):
            return None
        entry = self._prepare(battle, number, version)
        ready = entry if isinstance(entry, PreparedEntry) else None
        who = find_roller(self.system, self.timeline, battle, version.order, ready)
        throw = _build_throw(battle, number, version, who)
        results = who.kind.count_results(dict(ruling.decision.outcome)) if who.kind is not None else 0
        return evolve(throw, dice=question.faces, results=results, left_out=LeftOut.READ_OUT)

    def _prepare(self, battle: Battle, number: int, version: Version) -> PreparedEntry | LeftOut:
        """Prepare an entry in the same way as when it was decided, or return why that is not possible."""
        placed = self.timeline.rulings_when_placed.get(number)
        early = may_be_early(battle, version.order, placed)
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
        self, battle: Battle, number: int, entry: PreparedEntry, who: Roller, throw: ThrownDice
    ) -> tuple[float, ThrownDice]:
        """Work out the chances of a throw and the mean advantage over all its faces.

        Returns:
            The mean and the throw with its chances; or 0 and the throw with the reason why it is left out.
        """
        ruling = self.timeline.rulings[number]
        thrown = decide_faces(self.system, begin_entry(battle, number, entry), entry, entry.faces)
        effects, recorded = tuple(thrown.effects), ruling.decision.effects
        if effects != recorded and drop_prompts(effects) != drop_prompts(recorded):
            return 0.0, evolve(throw, left_out=LeftOut.JUDGED_OTHERWISE)
        kind = None if entry.missing else who.kind
        possible = list_branches(self.system, self.pricer, battle, number, entry, kind)
        if possible is None:
            return 0.0, evolve(throw, left_out=LeftOut.TOO_MANY_DICE)
        mean, ways = 0.0, Counter[tuple[int, int]]()
        brought = []
        for branch in possible:
            (count, of), value = branch.weight, compute_advantage(branch.worth)
            mean += count / of * value
            brought.append((branch.weight, value))
            ways[branch.results, of] += count
        as_far = _compute_as_far(brought, mean, compute_advantage(self.pricer.price_sides(thrown.battle)))
        throw = evolve(throw, as_far=as_far)
        if kind is None:
            return mean, throw
        chances = defaultdict[int, Fraction](Fraction)
        for (results, of), count in ways.items():
            chances[results] += Fraction(count, of)
        return mean, evolve(
            throw, results=kind.count_results(thrown.outcome), chances=build_distribution(chances)
        )


def _compute_as_far(brought: Sequence[tuple[Weight, float]], mean: float, thrown: float) -> Fraction:
    """Return the chance that the dice bring at least as much to the same side of the mean as those thrown."""
    least, sign = abs(thrown - mean) - SAME, 1 if thrown >= mean else -1
    ways = Counter[int]()
    for (count, of), value in brought:
        if (value - mean) * sign >= least:
            ways[of] += count
    return sum((Fraction(count, of) for of, count in ways.items()), Fraction(0))


def _build_throw(battle: Battle, number: int, version: Version, who: Roller) -> ThrownDice:
    """Build a throw without results, chances or luck."""
    return ThrownDice(
        entry=number,
        turn=battle.turn,
        phase=battle.phase,
        side=who.find_side(battle),
        ship=who.ship,
        target=who.target,
        line=who.line,
        kind=who.kind.name if who.kind is not None else "",
        dice=version.dice,
        by_console=version.thrown,
    )
