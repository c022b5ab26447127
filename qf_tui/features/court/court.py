"""The rules court: the same entries and dice under another switch or chart cell."""

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
    Lookups,
    Notebook,
    Place,
    find_cell,
    find_roller,
    list_deciding_cells,
)

Pause = Callable[[], object]
"""Function called once for each entry, to show progress or let others work; it may raise to stop the work."""


@frozen
class Variant:
    """The difference that a reading tries: a switch with another value, or cells of the charts.

    Attributes:
        place: Place of the cell, if it is one cell.
        text: Its new value.
        was: Its old value.
        source: Name of an umpire's whole chart, or "".
    """

    option: str = ""
    value: str = ""
    cells: Charts = field(factory=dict)
    place: Place | None = None
    text: str = ""
    was: str = ""
    source: str = ""

    def is_setting(self, version: Version) -> bool:
        """Return whether an entry sets the switch that is tried."""
        order = version.order
        return order.word == "option" and bool(self.option) and order.text("name") == self.option

    def is_relevant(self, lookups: Lookups) -> bool:
        """Return whether an entry looked up what differs; other entries are decided as before."""
        if self.option:
            return self.option in lookups.options
        if self.place is not None:
            return self.place in lookups.cells
        return not lookups.tables.isdisjoint(self.cells)


@frozen
class Standing:
    """The state of an entry, with its reasons and its questions."""

    state: State
    because: tuple[str, ...]
    asks: tuple[str, ...] = ()


@frozen
class Changed:
    """An entry with another result."""

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
    """A side where a reading stops or ends: its worth and results, as played and in the reading."""

    side: str
    worth: float
    worth_then: float
    results: int
    results_then: int


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
        was, now = [side.worth for side in self.sides], [side.worth_then for side in self.sides]
        return compute_advantage(was), compute_advantage(now)

    @property
    def nothing(self) -> bool:
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
    """A neighbour of a cell: its value, and the entries that it would change."""

    steps: tuple[Toward, ...]
    text: str
    changed: tuple[int, ...]


@frozen
class CellFound:
    """A reconstructed cell that decided entries, with its neighbours of another value."""

    place: Place
    text: str
    entries: tuple[int, ...]
    neighbours: tuple[Neighbour, ...]

    @property
    def changed(self) -> tuple[int, ...]:
        """The entries that one step to a neighbour would change."""
        gone = {entry for neighbour in self.neighbours for entry in neighbour.changed}
        return tuple(entry for entry in self.entries if entry in gone)


@frozen
class CellsFound:
    """The chart readings that decided something.

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
        """The number of such readings that one step to a neighbour would change."""
        return sum(len(cell.changed) for cell in self.cells)


@frozen
class Control:
    """A timeline decided again without a variant, with which all readings are compared.

    Attributes:
        battles: Battle before each entry, and the last one.
        today: Today's ruling of each entry, in play order.
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
    """Worth of the sides, by the places that were asked for."""

    @cached_property
    def changed_today(self) -> tuple[int, ...]:
        """The entries whose result, not only their text, differs by today's rules."""
        rulings, pairs = self.timeline.rulings, zip(self.timeline.play_order, self.today, strict=True)
        differing = ((number, ruling) for number, ruling in pairs if number in self.differs)
        return tuple(number for number, ruling in differing if ruling.substance != rulings[number].substance)

    def decide_on(self, battle: Battle, place: int, version: Version | None = None) -> tuple[Ruling, Battle]:
        """Decide an entry on another battle or in another version; return its ruling and the battle after."""
        number, timeline = self.timeline.play_order[place], self.timeline
        version, placed = version or timeline.versions[number], timeline.rulings_when_placed.get(number)
        return play_again(self.system, battle, number, version, placed)

    def compare_sides(
        self, battle: Battle, place: int, changed: Mapping[int, Ruling]
    ) -> tuple[SideFigures, ...]:
        """Compare each side at a place with the side in another battle there.

        Args:
            changed: Rulings that differ in the other battle.
        """
        pricer, other = self._pricers
        if place not in self._worths:
            self._worths[place] = pricer.price_sides(self.battles[place])
        was, now = self._worths[place], other.price_sides(battle)
        done = {side.id: 0 for side in battle.sides}
        more = dict(done)
        for at, (side, results) in enumerate(self._results[:place]):
            if side in done:
                done[side] += results
                ruling = changed.get(self.timeline.play_order[at])
                if ruling is not None:
                    more[side] += self._count_results(at, ruling)[1] - results
        return tuple(
            SideFigures(side, old, new, done[side], done[side] + more[side])
            for side, old, new in zip(done, was, now, strict=True)
        )

    @cached_property
    def _pricers(self) -> tuple[Pricer, Pricer]:
        """The pricers of the battle and of readings; one pricer would forget all when switches change."""
        worth = self.worth or self.system.worth
        return Pricer(self.system, worth), Pricer(self.system, worth)

    @cached_property
    def _results(self) -> tuple[tuple[str, int], ...]:
        """The side of each throw, and its number of damage results, by place."""
        order, rulings = self.timeline.play_order, self.timeline.rulings
        return tuple(self._count_results(at, rulings[number]) for at, number in enumerate(order))

    def _count_results(self, at: int, ruling: Ruling) -> tuple[str, int]:
        order, battle = self.timeline.versions[self.timeline.play_order[at]].order, self.battles[at]
        if ruling.state is not State.STANDS or not order.dice:
            return "", 0
        roller = find_roller(self.system, self.timeline, battle, order, None)
        if roller.kind is None or not roller.kind.damage:
            return "", 0
        return roller.find_side(battle), roller.kind.count_results(dict(ruling.decision.outcome))

    @cached_property
    def answered_at(self) -> Mapping[str, int]:
        """The place of the last answer to each question."""
        versions = self.timeline.versions
        return {
            versions[number].order.key: place
            for place, number in enumerate(self.timeline.play_order)
            if versions[number].order.is_answer
        }


def build_control(
    system: RuleSystem, timeline: Timeline, pause: Pause = lambda: None, worth: Worth | None = None
) -> Control:
    """Decide each entry again on the recorded battle, and note its lookups."""
    notebook = Notebook()
    battles, today, lookups = [timeline.start], [], []
    for number in timeline.play_order:
        version, placed = timeline.versions[number], timeline.rulings_when_placed.get(number)
        ruling, looked_up = notebook.decide(system, battles[-1], number, version, placed)
        today.append(ruling)
        lookups.append(looked_up)
        battles.append(apply_ruling(battles[-1], number, timeline.rulings[number]))
        pause()
    pairs = zip(timeline.play_order, today, strict=True)
    differs = frozenset(number for number, ruling in pairs if ruling != timeline.rulings[number])
    return Control(system, timeline, tuple(battles), tuple(today), tuple(lookups), differs, worth)


class _Overlay:
    """A variant that can be put on battles; equal charts give the same charts again."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self._charts: tuple[Charts, Charts] | None = None

    def lay_on(self, battle: Battle) -> Battle:
        """Return the battle under the variant, with the start of its phase under the variant too."""
        laid, began = self._lay_on(battle), battle.began and self._lay_on(battle.began)
        return laid if began is battle.began else replace(laid, began=began)

    def _lay_on(self, battle: Battle) -> Battle:
        variant = self.variant
        if variant.option:
            if battle.options.get(variant.option) == variant.value:
                return battle
            return replace(battle, options={**battle.options, variant.option: variant.value})
        charts = battle.charts
        if self._charts is not None and charts is self._charts[1]:
            return battle
        if self._charts is None or not any(charts is known for known in self._charts):
            cell = find_cell(charts, variant.place) if variant.place is not None else None
            # Change a single cell only if it is still reconstructed, not set by the umpire.
            ours = cell is not None and cell.status is Provenance.RECONSTRUCTED
            changed = variant.place is None or ours
            self._charts = charts, with_overlay(charts, variant.cells) if changed else charts
        return replace(battle, charts=self._charts[1])


def replay(control: Control, variant: Variant, pause: Pause = lambda: None) -> Verdict:
    """Work out what the same entries with the same dice come to under a variant.

    The reading stops after the first entry that needs dice or an answer that was never given. A variant of
    one cell gives no figures of the sides, because there are many such variants and figures take long.
    """
    return _Replay(control, variant).build_verdict(pause)


class _Replay:
    """A reading in progress."""

    def __init__(self, control: Control, variant: Variant) -> None:
        self._system, self._control = control.system, control
        self._timeline, self._variant, self._overlay = control.timeline, variant, _Overlay(variant)
        self._changed: list[tuple[int, Ruling]] = []
        self._overruled: list[int] = []

    def build_verdict(self, pause: Pause) -> Verdict:
        control, laid = self._control, self._overlay.lay_on
        battle, place = self._build_start(), 0
        ahead = battle == laid(control.battles[0])
        owed = self._list_newly_owed(battle, 0)
        while not owed and place < len(self._timeline.play_order):
            # Until something has changed, skip entries that neither look up the difference nor set it.
            if ahead and not (
                self._variant.is_setting(self._find_version(place))
                or self._variant.is_relevant(control.lookups[place])
            ):
                place += 1
                continue
            if ahead:
                battle = laid(control.battles[place])
            battle = laid(self._play(battle, place))
            place += 1
            owed = self._list_newly_owed(battle, place)
            recorded = control.battles[place]
            # Most battles differ by their ships, which are quicker to compare.
            ahead = battle.ships == recorded.ships and battle == laid(recorded)
            pause()
        return self._build_verdict(control.battles[-1] if ahead and not owed else battle, place, owed)

    def _find_version(self, place: int) -> Version:
        return self._timeline.versions[self._timeline.play_order[place]]

    def _build_start(self) -> Battle:
        """Return the battle before its first order; a switch may change the questions at the start."""
        start = self._timeline.start
        unasked = replace(start, owed=(), acts=())
        if begin_battle(self._system, unasked) != start:
            return self._overlay.lay_on(start)
        return begin_battle(self._system, self._overlay.lay_on(unasked))

    def _play(self, battle: Battle, place: int) -> Battle:
        """Return the battle after an entry, and note the ruling if it is different.

        An order that sets the switch sets the value of the variant.
        """
        timeline, number = self._timeline, self._timeline.play_order[place]
        recorded, version = timeline.rulings[number], timeline.versions[number]
        sets = self._variant.is_setting(version)
        if sets:
            version = evolve(version, order=version.order.with_slot("value", self._variant.value))
        ruling, after = self._control.decide_on(battle, place, version)
        if sets:
            self._overruled.append(number)
        elif number in self._control.differs and ruling == self._control.today[place]:
            return apply_ruling(battle, number, recorded)
        elif ruling != recorded:
            self._changed.append((number, ruling))
        return after

    def _list_newly_owed(self, battle: Battle, place: int) -> tuple[Owed, ...]:
        """Return the owed rolls and answers that the recorded battle never gave."""
        if not battle.owed:
            return ()
        known = {owed.key for owed in self._control.battles[place].owed}
        answered = self._control.answered_at
        return tuple(
            owed for owed in battle.owed if owed.key not in known and answered.get(owed.key, -1) < place
        )

    def _build_verdict(self, battle: Battle, place: int, owed: tuple[Owed, ...]) -> Verdict:
        timeline, control = self._timeline, self._control
        changed, reworded, fresh = list[Changed](), list[int](), dict[int, State]()
        for number, ruling in self._changed:
            recorded = timeline.rulings[number]
            if ruling.substance != recorded.substance:
                changed.append(Changed(number, build_standing(recorded), build_standing(ruling)))
            else:
                reworded.append(number)
            if recorded.state is not ruling.state:
                fresh[number] = ruling.state
        return Verdict(
            self._variant,
            tuple(changed),
            tuple(reworded),
            tuple(number for number, state in fresh.items() if state is State.PARKED),
            tuple(number for number, state in fresh.items() if state is State.SPARE),
            tuple(self._overruled),
            tuple(
                MissingAnswer(
                    asked.key, asked.line, asked.ship, asked.prompt, format_dice(asked.dice), asked.words
                )
                for asked in owed
            ),
            (0, *timeline.play_order)[place] if owed else None,
            place,
            list_value_changes(self._system, control.battles[place], battle),
            control.compare_sides(battle, place, dict(self._changed)) if self._variant.place is None else (),
        )


def build_standing(ruling: Ruling) -> Standing:
    """Return the texts of a ruling."""
    if ruling.state is State.STANDS:
        asked = (effect.value for effect in ruling.decision.effects)
        return Standing(
            ruling.state,
            tuple(reason.text for reason in ruling.decision.reasons),
            tuple(owed.prompt for owed in asked if isinstance(owed, Owed)),
        )
    return Standing(ruling.state, tuple(finding.text for finding in ruling.findings))


@frozen
class CourtCases:
    """The variants to try on a battle.

    Attributes:
        control: The battle decided again without a variant.
        cells: Chart cells that decided something.
        tries: Variants, switches first.
    """

    control: Control
    cells: CellsFound
    tries: tuple[Variant, ...]


def build_cases(
    system: RuleSystem, timeline: Timeline, pause: Pause = lambda: None, worth: Worth | None = None
) -> CourtCases:
    """List every switch at its other values, and each neighbour in place of a cell that decided something."""
    control = build_control(system, timeline, pause, worth)
    cells = find_cells(control, pause)
    beside = (
        build_cell_variant(control, cell.place, neighbour.text)
        for cell in cells.cells
        for neighbour in cell.neighbours
    )
    return CourtCases(control, cells, (*list_switches(control), *beside))


def list_switches(control: Control) -> tuple[Variant, ...]:
    """List every switch with each value that it did not have throughout."""
    had = {
        option.name: {battle.options.get(option.name) for battle in control.battles}
        for option in control.system.options
    }
    return tuple(
        Variant(option.name, value)
        for option in control.system.options
        for value in option.values
        if had[option.name] != {value}
    )


def list_switch_values(control: Control, name: str, value: str | None = None) -> tuple[Variant, ...]:
    """List a switch with one value or, if `value` is None, with each of its other values.

    Raises:
        QfError: There is no such switch or value.
    """
    option = next((option for option in control.system.options if option.name == name), None)
    if option is None:
        names = ", ".join(other.name for other in control.system.options)
        raise QfError(f"no switch “{name}” in {control.system.title}: {names}")
    if value is None:
        return tuple(variant for variant in list_switches(control) if variant.option == name)
    if value not in option.values:
        raise QfError(f"{name}: “{value}” is not one of {', '.join(option.values)}")
    return (Variant(name, value),)


def find_cells(control: Control, pause: Pause = lambda: None) -> CellsFound:
    """Find the reconstructed cells that decided something, with their neighbours at the first time."""
    places: dict[Place, list[int]] = {}
    read = 0
    for at, lookups in enumerate(control.lookups):
        for place, cell in list_deciding_cells(control.battles[at].charts, lookups):
            read += 1
            if cell.status is Provenance.RECONSTRUCTED:
                places.setdefault(place, []).append(at)
    return CellsFound(
        read, tuple(_build_cell(control, place, where, pause) for place, where in places.items())
    )


def _build_cell(control: Control, place: Place, where: list[int], pause: Pause) -> CellFound:
    charts = control.battles[where[0]].charts
    beside: dict[str, list[Toward]] = {}
    for toward, text in _list_neighbours(control.system, charts, place):
        beside.setdefault(text, []).append(toward)
    text = charts[place[0]].rows[place[1]].cells[place[2]].text
    beside.pop(text, None)
    order = control.timeline.play_order
    neighbours = tuple(
        Neighbour(tuple(steps), other, tuple(_list_changed(control, place, other, where, pause)))
        for other, steps in beside.items()
    )
    return CellFound(place, text, tuple(order[at] for at in where), neighbours)


def _list_neighbours(system: RuleSystem, charts: Charts, place: Place) -> Iterator[tuple[Toward, str]]:
    """Yield the values one step from a cell, along its row and its column in the printed order."""
    table, row, column = place
    rows = list(charts[table].rows.values())
    at = next(number for number, line in enumerate(rows) if line.name == row)
    columns = list(rows[at].cells)
    shape = system.chart_shapes.get(table)
    for toward in Toward:
        down, right = toward.value
        if down and shape is not None and shape.apart:
            continue
        over, across = at + down, columns.index(column) + right
        if 0 <= over < len(rows) and 0 <= across < len(columns):
            cell = rows[over].cells.get(columns[across])
            if cell is not None:
                yield toward, cell.text


def _list_changed(control: Control, place: Place, text: str, where: list[int], pause: Pause) -> Iterator[int]:
    """Yield the entries at these places that another text of the cell would change."""
    overlay = _Overlay(build_cell_variant(control, place, text))
    for at in where:
        ruling, _ = control.decide_on(overlay.lay_on(control.battles[at]), at)
        if ruling.substance != control.today[at].substance:
            yield control.timeline.play_order[at]
        pause()


def build_cell_variant(control: Control, place: Place, text: str) -> Variant:
    """Build a variant in which one reconstructed cell has another text."""
    table, row, column = place
    charts, was = next(
        (battle.charts, cell)
        for battle in control.battles
        if (cell := find_cell(battle.charts, place)) is not None
    )
    cell = ChartCell(text, Provenance.RECONSTRUCTED)
    lines: Mapping[str, ChartRow] = {row: ChartRow(row, {column: cell})}
    return Variant(
        cells={table: Chart(table, charts[table].title, lines)}, place=place, text=text, was=was.text
    )
