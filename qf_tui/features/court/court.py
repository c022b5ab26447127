"""The rules court: plays recorded entries again, with the same dice, under other rules; finds what changes.

A variant is one rules switch with another value, or chart cells with other texts. A reading plays the entries
again under a variant; its verdict says what changes.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cached_property

from attrs import evolve, field, frozen

from qf_tui.core.decide import begin_battle, play_again
from qf_tui.core.decisions import with_overlay
from qf_tui.core.declarations import Worth
from qf_tui.core.errors import QfError
from qf_tui.core.revisions import ValueChange, list_value_changes
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, State, Timeline, Version, apply_ruling
from qf_tui.core.values import (
    Battle,
    Chart,
    ChartCell,
    ChartRow,
    Charts,
    Owed,
    Provenance,
    format_dice,
    replace,
)
from qf_tui.features.report.pricing import Pricer, Values, compute_advantage
from qf_tui.features.report.throws import (
    LookupRecorder,
    Lookups,
    Place,
    find_cell,
    find_roller,
    list_deciding_cells,
)

Pause = Callable[[], object]
"""Function called once for each entry, to show progress or let others work; it may raise to stop the work."""


@frozen
class Variant:
    """The one difference that a reading tries: a switch with another value, or other cells of the charts.

    Attributes:
        option: Name of the switch, or "" for cells.
        value: Its value in the reading.
        cells: The other cells.
        place: Place of the cell, if it is one cell.
        text: Its text in the reading.
        old_text: Its text as played.
        source: Name of an umpire's whole chart, or "".
    """

    option: str = ""
    value: str = ""
    cells: Charts = field(factory=dict)
    place: Place | None = None
    text: str = ""
    old_text: str = ""
    source: str = ""

    def is_set_by(self, version: Version) -> bool:
        """Return whether an entry sets the switch that is tried."""
        order = version.order
        return order.word == "option" and bool(self.option) and order.text("name") == self.option

    def is_relevant(self, lookups: Lookups) -> bool:
        """Return whether an entry looked up the differing switch or cells; if not, its result is the same."""
        if self.option:
            return self.option in lookups.options
        if self.place is not None:
            return self.place in lookups.cells
        # `cells` has the tables as keys.
        return not lookups.tables.isdisjoint(self.cells)


@frozen
class Standing:
    """The result of an entry: its state, its reasons and the questions that it asks."""

    state: State
    because: tuple[str, ...]
    asks: tuple[str, ...] = ()


@frozen
class Changed:
    """An entry whose result a reading changes, as recorded and in the reading."""

    entry: int
    before: Standing
    after: Standing


@frozen
class MissingAnswer:
    """Dice or an answer that a reading needs but that was never given.

    Attributes:
        dice: Dice such as `2d12`, or "" for a question that wants words.
    """

    key: str
    line: str
    ship: str
    prompt: str
    dice: str
    words: tuple[str, ...] = ()


@frozen
class SideFigures:
    """The worth and damage results of a side, as played and in a reading, where the reading stops or ends."""

    side: str
    worth: float
    new_worth: float
    results: int
    new_results: int


@frozen
class Verdict:
    """The result of a reading: the same entries with the same dice under a variant.

    Attributes:
        variant: Variant that was tried.
        changed: Entries with another result.
        reworded: Entries with the same result from different figures.
        parked: Entries that a rule then refuses; they are skipped.
        idle: Answers whose dice are no longer needed.
        overruled: Entries of the battle that set the switch.
        owed: Answers that are missing; the reading stops at the first.
        stopped_at: Entry after which it stops (0: before the first), or None.
        entries: Number of entries played.
        ships: Changes of ships where it stops or ends.
        sides: Figures of the sides there, if asked for.
    """

    variant: Variant
    changed: tuple[Changed, ...] = ()
    reworded: tuple[int, ...] = ()
    parked: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    overruled: tuple[int, ...] = ()
    owed: tuple[MissingAnswer, ...] = ()
    stopped_at: int | None = None
    entries: int = 0
    ships: tuple[ValueChange, ...] = ()
    sides: tuple[SideFigures, ...] = ()

    @property
    def advantage(self) -> tuple[float, float]:
        """The advantage of the first side over the second, as played and in the reading."""
        played_worths = [side.worth for side in self.sides]
        new_worths = [side.new_worth for side in self.sides]
        return compute_advantage(played_worths), compute_advantage(new_worths)

    @property
    def changes_nothing(self) -> bool:
        """True if the reading changes nothing."""
        return not (self.changed or self.owed or self.ships)


class Toward(Enum):
    """A step from a cell to its neighbour, in the printed order."""

    ABOVE = (-1, 0)
    BELOW = (1, 0)
    LEFT = (0, -1)
    RIGHT = (0, 1)


@frozen
class Neighbour:
    """A value next to a cell: the steps that lead to it, its text, and the entries that it would change."""

    steps: tuple[Toward, ...]
    text: str
    changed: tuple[int, ...]


@frozen
class CellFound:
    """A reconstructed cell that decided entries, with the different values next to it."""

    place: Place
    text: str
    entries: tuple[int, ...]
    neighbours: tuple[Neighbour, ...]

    @property
    def changed(self) -> tuple[int, ...]:
        """The entries of the cell that at least one neighbour would change."""
        changed_entries = {entry for neighbour in self.neighbours for entry in neighbour.changed}
        return tuple(entry for entry in self.entries if entry in changed_entries)


@frozen
class CellsFound:
    """The readings of charts that decided something in a battle, and the reconstructed cells among them.

    Attributes:
        read: Number of readings, one for each entry and cell.
        cells: Reconstructed cells among them.
    """

    read: int
    cells: tuple[CellFound, ...]

    @property
    def reconstructed(self) -> int:
        """The number of readings of reconstructed cells."""
        return sum(len(cell.entries) for cell in self.cells)

    @property
    def changed(self) -> int:
        """The number of readings of reconstructed cells that at least one neighbour would change."""
        return sum(len(cell.changed) for cell in self.cells)


@frozen
class Baseline:
    """A timeline decided again with nothing changed; all readings are compared with it.

    Attributes:
        battles: Battle before each entry, and the last one.
        today: Ruling of each entry by today's rules, in play order.
        lookups: What each entry looked up.
        differs: Entries that today's rules decide differently; a reading keeps their record.
        worth: The umpire's worth, or None for that of the rule system.
    """

    system: RuleSystem
    timeline: Timeline
    battles: tuple[Battle, ...]
    today: tuple[Ruling, ...]
    lookups: tuple[Lookups, ...]
    differs: frozenset[int]
    worth: Worth | None = None
    _worths: dict[int, Values] = field(init=False, eq=False, repr=False, factory=dict)
    """Worth of the sides by index in `battles`, computed when it is first asked for."""

    @cached_property
    def changed_today(self) -> tuple[int, ...]:
        """The entries whose result, not only their text, differs by today's rules."""
        rulings = self.timeline.rulings
        pairs = zip(self.timeline.play_order, self.today, strict=True)
        differing = ((number, ruling) for number, ruling in pairs if number in self.differs)
        return tuple(number for number, ruling in differing if ruling.substance != rulings[number].substance)

    def decide_on(self, battle: Battle, place: int, version: Version | None = None) -> tuple[Ruling, Battle]:
        """Decide an entry on another battle, or in another version.

        Args:
            battle: The battle before the entry.
            place: Index of the entry in the play order.
            version: The version, or None for the recorded one.

        Returns:
            The ruling, and the battle after it.
        """
        number = self.timeline.play_order[place]
        ruling_when_placed = self.timeline.rulings_when_placed.get(number)
        version = version or self.timeline.versions[number]
        return play_again(self.system, battle, number, version, ruling_when_placed)

    def compare_sides(
        self, battle: Battle, place: int, changed_rulings: Mapping[int, Ruling]
    ) -> tuple[SideFigures, ...]:
        """Compare the worth and the damage results of each side, as played and in a reading.

        Args:
            battle: The battle where the reading stops or ends.
            place: Number of entries played before it.
            changed_rulings: The rulings that differ in the reading, by entry.
        """
        pricer, reading_pricer = self._pricers
        if place not in self._worths:
            self._worths[place] = pricer.price_sides(self.battles[place])
        old_worths = self._worths[place]
        new_worths = reading_pricer.price_sides(battle)
        played_results = {side.id: 0 for side in battle.sides}
        extra_results = dict(played_results)
        for at, (side, results) in enumerate(self._results[:place]):
            # An entry without a throw for damage has the side "".
            if side in played_results:
                played_results[side] += results
                ruling = changed_rulings.get(self.timeline.play_order[at])
                if ruling is not None:
                    _, new_results = self._count_results(at, ruling)
                    extra_results[side] += new_results - results
        return tuple(
            SideFigures(side, old, new, played_results[side], played_results[side] + extra_results[side])
            for side, old, new in zip(played_results, old_worths, new_worths, strict=True)
        )

    @cached_property
    def _pricers(self) -> tuple[Pricer, Pricer]:
        """The pricer for the recorded battle, and the one for readings.

        There are two, because a pricer loses its cache whenever the switches differ from those before.
        """
        worth = self.worth or self.system.worth
        return Pricer(self.system, worth), Pricer(self.system, worth)

    @cached_property
    def _results(self) -> tuple[tuple[str, int], ...]:
        """The side that threw and its number of damage results, for each entry in play order."""
        order, rulings = self.timeline.play_order, self.timeline.rulings
        return tuple(self._count_results(at, rulings[number]) for at, number in enumerate(order))

    def _count_results(self, at: int, ruling: Ruling) -> tuple[str, int]:
        """Return the side that throws for damage in an entry, and the number of results, or ("", 0)."""
        order = self.timeline.versions[self.timeline.play_order[at]].order
        battle = self.battles[at]
        if ruling.state is not State.STANDS or not order.dice:
            return "", 0
        roller = find_roller(self.system, self.timeline, battle, order, entry=None)
        if roller.kind is None or not roller.kind.damage:
            return "", 0
        return roller.find_side(battle), roller.kind.count_results(dict(ruling.decision.outcome))

    @cached_property
    def answered_at(self) -> Mapping[str, int]:
        """The index in the play order of the last answer to each question, by the key of the question."""
        versions = self.timeline.versions
        return {
            versions[number].order.key: place
            for place, number in enumerate(self.timeline.play_order)
            if versions[number].order.is_answer
        }


def build_baseline(
    system: RuleSystem, timeline: Timeline, pause: Pause = lambda: None, worth: Worth | None = None
) -> Baseline:
    """Decide each entry again on the recorded battle, and note which switches and cells it looks up."""
    recorder = LookupRecorder()
    battles = [timeline.start]
    today, lookups = [], []
    for number in timeline.play_order:
        version = timeline.versions[number]
        ruling_when_placed = timeline.rulings_when_placed.get(number)
        ruling, looked_up = recorder.decide(system, battles[-1], number, version, ruling_when_placed)
        today.append(ruling)
        lookups.append(looked_up)
        # Apply the recorded ruling, so that the next entry is decided on the recorded battle.
        battles.append(apply_ruling(battles[-1], number, timeline.rulings[number]))
        pause()
    pairs = zip(timeline.play_order, today, strict=True)
    differs = frozenset(number for number, ruling in pairs if ruling != timeline.rulings[number])
    return Baseline(system, timeline, tuple(battles), tuple(today), tuple(lookups), differs, worth)


class _Overlay:
    """A variant that can be applied to battles; battles with the same charts get the same changed charts."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        # The charts that were changed last: before the change, and under the variant.
        self._charts: tuple[Charts | None, Charts | None] = None, None

    def apply_to(self, battle: Battle) -> Battle:
        """Return the battle under the variant; the start of its phase (`began`) is changed too."""
        changed_battle = self._change_battle(battle)
        phase_start = battle.began and self._change_battle(battle.began)
        return changed_battle if phase_start is battle.began else replace(changed_battle, began=phase_start)

    def _change_battle(self, battle: Battle) -> Battle:
        """Return one battle under the variant; a cell that the umpire has set stays as it is."""
        variant = self.variant
        if variant.option:
            if battle.options.get(variant.option) == variant.value:
                return battle
            return replace(battle, options={**battle.options, variant.option: variant.value})
        charts = battle.charts
        last_charts, changed_charts = self._charts
        if charts is changed_charts:
            return battle
        if changed_charts is None or charts is not last_charts:
            cell = find_cell(charts, variant.place) if variant.place is not None else None
            # Change a single cell only if it is still reconstructed, not set by the umpire.
            is_ours = cell is not None and cell.status is Provenance.RECONSTRUCTED
            is_changed = variant.place is None or is_ours
            changed_charts = with_overlay(charts, variant.cells) if is_changed else charts
            self._charts = charts, changed_charts
        return replace(battle, charts=changed_charts)


def replay(baseline: Baseline, variant: Variant, pause: Pause = lambda: None) -> Verdict:
    """Play the recorded entries again with the same dice under a variant, and return what changes.

    It stops after the first entry that needs dice or an answer that was never given. A variant of one cell
    gives no figures of the sides, because there are many such variants and figures take long.
    """
    return _Replay(baseline, variant).play(pause)


class _Replay:
    """A reading that is being worked out."""

    def __init__(self, baseline: Baseline, variant: Variant) -> None:
        self._system, self._baseline = baseline.system, baseline
        self._timeline = baseline.timeline
        self._variant = variant
        self._overlay = _Overlay(variant)
        # Entries that the reading decides differently, each with its new ruling.
        self._changed: list[tuple[int, Ruling]] = []
        # Entries that set the tried switch; in the reading they set the value of the variant.
        self._overruled: list[int] = []

    def play(self, pause: Pause) -> Verdict:
        """Play the entries to the end, or to the first missing answer; return the verdict."""
        baseline = self._baseline
        # Returns a battle with the variant in its switches or charts.
        apply = self._overlay.apply_to
        battle, place = self._build_start(), 0
        is_unchanged = battle == apply(baseline.battles[0])
        owed = self._list_newly_owed(battle, place)
        while not owed and place < len(self._timeline.play_order):
            # While the battle is as recorded, skip entries that neither set nor look up the difference.
            sets_switch = self._variant.is_set_by(self._find_version(place))
            is_concerned = sets_switch or self._variant.is_relevant(baseline.lookups[place])
            if is_unchanged and not is_concerned:
                place += 1
                continue
            if is_unchanged:
                battle = apply(baseline.battles[place])
            battle = apply(self._play(battle, place))
            place += 1
            owed = self._list_newly_owed(battle, place)
            recorded = baseline.battles[place]
            # Most battles differ by their ships, which are quicker to compare.
            is_unchanged = battle.ships == recorded.ships and battle == apply(recorded)
            pause()
        # `battle` is not kept up to date while entries are skipped.
        last_battle = baseline.battles[-1] if is_unchanged and not owed else battle
        return self._build_verdict(last_battle, place, owed)

    def _find_version(self, place: int) -> Version:
        """Return the recorded version of the entry with an index in the play order."""
        return self._timeline.versions[self._timeline.play_order[place]]

    def _build_start(self) -> Battle:
        """Return the battle before its first order; a switch may change the questions asked at the start."""
        start = self._timeline.start
        unasked = replace(start, owed=(), acts=())
        # If the recorded start asks something else than today's rules would, keep its questions.
        if begin_battle(self._system, unasked) != start:
            return self._overlay.apply_to(start)
        return begin_battle(self._system, self._overlay.apply_to(unasked))

    def _play(self, battle: Battle, place: int) -> Battle:
        """Return the battle after an entry, and note its ruling if the variant changes it.

        If the entry itself sets the switch of the variant, it sets the variant's value here, and is noted as
        overruled. If today's rules give the same ruling without the variant, the recorded ruling is applied.
        """
        timeline, number = self._timeline, self._timeline.play_order[place]
        recorded, version = timeline.rulings[number], timeline.versions[number]
        sets_switch = self._variant.is_set_by(version)
        if sets_switch:
            version = evolve(version, order=version.order.with_slot("value", self._variant.value))
        ruling, after = self._baseline.decide_on(battle, place, version)
        if sets_switch:
            self._overruled.append(number)
        elif number in self._baseline.differs and ruling == self._baseline.today[place]:
            return apply_ruling(battle, number, recorded)
        elif ruling != recorded:
            self._changed.append((number, ruling))
        return after

    def _list_newly_owed(self, battle: Battle, place: int) -> tuple[Owed, ...]:
        """Return the rolls and questions that are owed here in the reading, but not in the recorded battle.

        Those that a later entry answers are left out.
        """
        if not battle.owed:
            return ()
        owed_as_recorded = {owed.key for owed in self._baseline.battles[place].owed}
        answered_at = self._baseline.answered_at
        return tuple(
            owed
            for owed in battle.owed
            if owed.key not in owed_as_recorded and answered_at.get(owed.key, -1) < place
        )

    def _build_verdict(self, battle: Battle, place: int, owed: tuple[Owed, ...]) -> Verdict:
        """Build the verdict of the reading.

        Args:
            battle: The battle where the reading stops or ends.
            place: Number of entries played.
            owed: The missing answers at which it stops, or ().
        """
        timeline, baseline = self._timeline, self._baseline
        # The number of the entry after which the reading stops; 0 if it has played none.
        stopped_at = (0, *timeline.play_order)[place] if owed else None
        changed_entries: list[Changed] = []
        reworded: list[int] = []
        new_states: dict[int, State] = {}
        for number, ruling in self._changed:
            recorded = timeline.rulings[number]
            if ruling.substance != recorded.substance:
                changed_entries.append(Changed(number, build_standing(recorded), build_standing(ruling)))
            else:
                # The same result with other figures.
                reworded.append(number)
            if recorded.state is not ruling.state:
                new_states[number] = ruling.state
        return Verdict(
            self._variant,
            changed=tuple(changed_entries),
            reworded=tuple(reworded),
            parked=tuple(number for number, state in new_states.items() if state is State.PARKED),
            idle=tuple(number for number, state in new_states.items() if state is State.SPARE),
            overruled=tuple(self._overruled),
            owed=tuple(
                MissingAnswer(
                    asked.key, asked.line, asked.ship, asked.prompt, format_dice(asked.dice), asked.words
                )
                for asked in owed
            ),
            stopped_at=stopped_at,
            entries=place,
            ships=list_value_changes(self._system, baseline.battles[place], battle),
            # Figures of the sides take long, and there are many variants of one cell.
            sides=() if self._variant.place else baseline.compare_sides(battle, place, dict(self._changed)),
        )


def build_standing(ruling: Ruling) -> Standing:
    """Build the standing (result) of a ruling: reasons and questions if it is in force, else its findings."""
    if ruling.state is State.STANDS:
        values = (effect.value for effect in ruling.decision.effects)
        return Standing(
            ruling.state,
            tuple(reason.text for reason in ruling.decision.reasons),
            tuple(owed.prompt for owed in values if isinstance(owed, Owed)),
        )
    return Standing(ruling.state, tuple(finding.text for finding in ruling.findings))


@frozen
class CourtCases:
    """The variants of the rules to try on a battle.

    Attributes:
        baseline: The battle decided again with nothing changed.
        cells: Chart cells that decided something.
        variants: Variants, switches first.
    """

    baseline: Baseline
    cells: CellsFound
    variants: tuple[Variant, ...]


def build_cases(
    system: RuleSystem, timeline: Timeline, pause: Pause = lambda: None, worth: Worth | None = None
) -> CourtCases:
    """Decide the battle again, and list the variants to try: other values of switches, then of chart cells.

    A reconstructed cell that decided something gets the different values next to it.
    """
    baseline = build_baseline(system, timeline, pause, worth)
    cells = find_cells(baseline, pause)
    cell_variants = (
        build_cell_variant(baseline, cell.place, neighbour.text)
        for cell in cells.cells
        for neighbour in cell.neighbours
    )
    return CourtCases(baseline, cells, (*list_switches(baseline), *cell_variants))


def list_switches(baseline: Baseline) -> tuple[Variant, ...]:
    """List a variant for each value of each switch, except a value that it had throughout the battle."""
    old_values = {
        option.name: {battle.options.get(option.name) for battle in baseline.battles}
        for option in baseline.system.options
    }
    return tuple(
        Variant(option.name, value)
        for option in baseline.system.options
        for value in option.values
        if old_values[option.name] != {value}
    )


def list_switch_values(baseline: Baseline, name: str, value: str | None = None) -> tuple[Variant, ...]:
    """List the variant of a switch with one value or, if `value` is None, one for each other value.

    Raises:
        QfError: There is no such switch or value.
    """
    option = next((option for option in baseline.system.options if option.name == name), None)
    if option is None:
        names = ", ".join(other.name for other in baseline.system.options)
        raise QfError(f"no switch “{name}” in {baseline.system.title}: {names}")
    if value is None:
        return tuple(variant for variant in list_switches(baseline) if variant.option == name)
    if value not in option.values:
        raise QfError(f"{name}: “{value}” is not one of {', '.join(option.values)}")
    return (Variant(name, value),)


def find_cells(baseline: Baseline, pause: Pause = lambda: None) -> CellsFound:
    """Find the reconstructed cells that decided something, and count the readings of all deciding cells.

    The neighbours of a cell are those in the charts when it first decided something.
    """
    indices_by_place: dict[Place, list[int]] = {}
    reading_count = 0
    for at, lookups in enumerate(baseline.lookups):
        for place, cell in list_deciding_cells(baseline.battles[at].charts, lookups):
            reading_count += 1
            if cell.status is Provenance.RECONSTRUCTED:
                indices_by_place.setdefault(place, []).append(at)
    return CellsFound(
        reading_count,
        tuple(_build_cell(baseline, place, indices, pause) for place, indices in indices_by_place.items()),
    )


def _build_cell(baseline: Baseline, place: Place, indices: list[int], pause: Pause) -> CellFound:
    """Build a reconstructed cell with the entries that it decided and the different values next to it.

    Args:
        baseline: The battle decided again.
        place: Place of the cell.
        indices: Indices in the play order of these entries.
        pause: Called after each trial.
    """
    charts = baseline.battles[indices[0]].charts
    steps_by_text: dict[str, list[Toward]] = {}
    for toward, text in _list_neighbours(baseline.system, charts, place):
        steps_by_text.setdefault(text, []).append(toward)
    table, row, column = place
    text = charts[table].rows[row].cells[column].text
    # A neighbour with the same text would change nothing.
    steps_by_text.pop(text, None)
    order = baseline.timeline.play_order
    neighbours = tuple(
        Neighbour(tuple(steps), other_text, tuple(_list_changed(baseline, place, other_text, indices, pause)))
        for other_text, steps in steps_by_text.items()
    )
    return CellFound(place, text, tuple(order[at] for at in indices), neighbours)


def _list_neighbours(system: RuleSystem, charts: Charts, place: Place) -> Iterator[tuple[Toward, str]]:
    """Yield the values one step from a cell, along its row and its column in the printed order."""
    table, row, column = place
    rows = list(charts[table].rows.values())
    row_index = next(number for number, line in enumerate(rows) if line.name == row)
    columns = list(rows[row_index].cells)
    shape = system.chart_shapes.get(table)
    for toward in Toward:
        down, right = toward.value
        # If the rows of a chart are separate tables, none is the neighbour of another.
        if down and shape is not None and shape.apart:
            continue
        new_row, new_column = row_index + down, columns.index(column) + right
        if 0 <= new_row < len(rows) and 0 <= new_column < len(columns):
            cell = rows[new_row].cells.get(columns[new_column])
            if cell is not None:
                yield toward, cell.text


def _list_changed(
    baseline: Baseline, place: Place, text: str, indices: list[int], pause: Pause
) -> Iterator[int]:
    """Yield the entries at some indices of the play order that another text of the cell would change."""
    overlay = _Overlay(build_cell_variant(baseline, place, text))
    for at in indices:
        ruling, _ = baseline.decide_on(overlay.apply_to(baseline.battles[at]), at)
        if ruling.substance != baseline.today[at].substance:
            yield baseline.timeline.play_order[at]
        pause()


def build_cell_variant(baseline: Baseline, place: Place, text: str) -> Variant:
    """Build a variant in which one reconstructed cell has another text."""
    table, row, column = place
    # The umpire may change charts during the battle: take the first that have the cell.
    charts, old_cell = next(
        (battle.charts, cell)
        for battle in baseline.battles
        if (cell := find_cell(battle.charts, place)) is not None
    )
    cell = ChartCell(text, Provenance.RECONSTRUCTED)
    rows: Mapping[str, ChartRow] = {row: ChartRow(row, {column: cell})}
    return Variant(
        cells={table: Chart(table, charts[table].title, rows)}, place=place, text=text, old_text=old_cell.text
    )
