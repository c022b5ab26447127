"""The same entries with the same dice, decided again where a switch or cells are otherwise, until dice lack.

A switch or a cell is otherwise from the first entry to the last: where the battle set the switch itself, that
order sets what is tried instead.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import evolve, frozen

from qf_tui.analysis.lookups import Lookups, Notebook, cell_at
from qf_tui.analysis.pricing import Pricer, Values
from qf_tui.analysis.thrower import thrower_of
from qf_tui.analysis.verdicts import Changed, Instead, MissingAnswer, SideFigures, Standing, Verdict
from qf_tui.core.acts import Ruling, State, Version
from qf_tui.core.charts import Charts, Provenance
from qf_tui.core.decide import begun, play_again
from qf_tui.core.effects import with_overlay
from qf_tui.core.revisions import differences
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, apply
from qf_tui.core.values import Battle, Owed, dice_code, replace
from qf_tui.core.verify import substance
from qf_tui.core.worth import Worth


class SideBooks:
    """The worth and the results of each side of a battle by place, each worked out once."""

    def __init__(
        self, system: RuleSystem, worth: Worth, timeline: Timeline, battles: Sequence[Battle]
    ) -> None:
        self._system, self._timeline, self._battles = system, timeline, battles
        # Apart, as a pricer forgets what it knows where switches and charts are others.
        self._of_battle, self._of_readings = Pricer(system, worth), Pricer(system, worth)
        self._worth: dict[int, Values] = {}

    def figures(self, battle: Battle, place: int, otherwise: Mapping[int, Ruling]) -> tuple[SideFigures, ...]:
        """Each side at a place, beside what it is in another battle there; owed consequences priced in.

        `otherwise` are the entries that came out otherwise in that one.
        """
        was, now = self._worth_at(place), self._of_readings.values(battle)
        done = {side.id: 0 for side in battle.sides}
        more = dict(done)
        for at, (side, results) in enumerate(self._results[:place]):
            if side in done:
                done[side] += results
                ruling = otherwise.get(self._timeline.play_order[at])
                if ruling is not None:
                    more[side] += self._counted(at, ruling)[1] - results
        return tuple(
            SideFigures(side, old, new, done[side], done[side] + more[side])
            for side, old, new in zip(done, was, now, strict=True)
        )

    def _worth_at(self, place: int) -> Values:
        if place not in self._worth:
            self._worth[place] = self._of_battle.values(self._battles[place])
        return self._worth[place]

    @cached_property
    def _results(self) -> tuple[tuple[str, int], ...]:
        """By place, whose throw it was and the results of damage that it brought."""
        order, rulings = self._timeline.play_order, self._timeline.rulings
        return tuple(self._counted(at, rulings[number]) for at, number in enumerate(order))

    def _counted(self, at: int, ruling: Ruling) -> tuple[str, int]:
        order = self._timeline.versions[self._timeline.play_order[at]].order
        if ruling.state is not State.STANDS or not order.dice:
            return "", 0
        battle = self._battles[at]
        thrower = thrower_of(self._system, self._timeline, battle, order, None)
        if thrower.kind is None or not thrower.kind.damage:
            return "", 0
        return thrower.side(battle), thrower.kind.counted(dict(ruling.decision.outcome))


Pause = Callable[[], object]
"""Is called once an entry: to show progress, to let others work, or to stop by an exception."""


@frozen
class Control:
    """A timeline decided again with nothing otherwise: what all readings are compared with.

    `battles` are those before each entry, and the last; `today` and `lookups` stand by the place of the entry
    in the order of play. `differs` are the entries that today's rules decide otherwise than the record, be it
    in words: that is no reading's doing, and such an entry keeps its record where a reading brings the same.
    `worth` is the umpire's own, None for that of the rule system.
    """

    system: RuleSystem
    timeline: Timeline
    battles: tuple[Battle, ...]
    today: tuple[Ruling, ...]
    lookups: tuple[Lookups, ...]
    differs: frozenset[int]
    worth: Worth | None = None

    @cached_property
    def mended(self) -> tuple[int, ...]:
        """The entries that come to something else by today's rules, and not in words alone."""
        return tuple(
            number
            for number, ruling in zip(self.timeline.play_order, self.today, strict=True)
            if number in self.differs and substance(ruling) != substance(self.timeline.rulings[number])
        )

    @cached_property
    def sides(self) -> SideBooks:
        """What the sides were worth and did, place by place."""
        return SideBooks(self.system, self.worth or self.system.worth, self.timeline, self.battles)

    @cached_property
    def answered_at(self) -> Mapping[str, int]:
        """The place of the last answer to each question."""
        versions = self.timeline.versions
        return {
            versions[number].order.key: place
            for place, number in enumerate(self.timeline.play_order)
            if versions[number].order.is_answer
        }


def control_of(
    system: RuleSystem, timeline: Timeline, pause: Pause = lambda: None, worth: Worth | None = None
) -> Control:
    """Decides each entry again on the battle as it was recorded, and notes what it looks up."""
    notebook = Notebook()
    battles, today, lookups = [timeline.start], [], []
    for number in timeline.play_order:
        version, placed = timeline.versions[number], timeline.rulings_when_placed.get(number)
        ruling, looked_up = notebook.decide(system, battles[-1], number, version, placed)
        today.append(ruling)
        lookups.append(looked_up)
        battles.append(apply(battles[-1], number, timeline.rulings[number]))
        pause()
    differs = (
        number
        for number, ruling in zip(timeline.play_order, today, strict=True)
        if ruling != timeline.rulings[number]
    )
    return Control(system, timeline, tuple(battles), tuple(today), tuple(lookups), frozenset(differs), worth)


class Otherwise:
    """What is tried instead, laid on battles; what it is laid on again stays as it is."""

    def __init__(self, instead: Instead) -> None:
        self.instead = instead
        self._charts: tuple[Charts, Charts] | None = None

    def laid(self, battle: Battle) -> Battle:
        """The battle with what is tried instead, also as its phase began."""
        laid = self._laid(battle)
        return laid if battle.began is None else replace(laid, began=self._laid(battle.began))

    def _laid(self, battle: Battle) -> Battle:
        instead = self.instead
        if instead.option:
            return replace(battle, options={**battle.options, instead.option: instead.value})
        if self._charts is None or not any(battle.charts is charts for charts in self._charts):
            self._charts = battle.charts, self._laid_on(battle.charts)
        return replace(battle, charts=self._charts[1])

    def _laid_on(self, charts: Charts) -> Charts:
        """Charts with other cells; one cell alone is otherwise only where it is still ours."""
        place = self.instead.place
        if place is not None:
            cell = cell_at(charts, place)
            if cell is None or cell.status is not Provenance.RECONSTRUCTED:
                return charts
        return with_overlay(charts, self.instead.cells)

    def version(self, version: Version) -> Version:
        """An entry as it is played: one that sets the switch sets what is tried instead."""
        if not self.sets(version):
            return version
        return evolve(version, order=version.order.with_slot("value", self.instead.value))

    def sets(self, version: Version) -> bool:
        """Whether an entry sets the switch that is tried otherwise."""
        order, option = version.order, self.instead.option
        return order.word == "option" and bool(option) and order.text("name") == option

    def bears_on(self, lookups: Lookups) -> bool:
        """Whether an entry looked up what is otherwise: one that did not is decided as it was."""
        if self.instead.option:
            return self.instead.option in lookups.options
        if self.instead.place is not None:
            return self.instead.place in lookups.cells
        return not lookups.tables.isdisjoint(self.instead.cells)


def replay(
    control: Control, instead: Instead, pause: Pause = lambda: None, *, figures: bool = True
) -> Verdict:
    """What the same entries with the same dice come to; it stops behind the first that wants other dice.

    Without `figures` the sides are not told, which takes long where much is owed.
    """
    return _Replay(control, instead, figures).verdict(pause)


class _Replay:
    """One reading while it is worked out."""

    def __init__(self, control: Control, instead: Instead, figures: bool) -> None:
        self._figures = figures
        self._system, self._control = control.system, control
        self._timeline, self._other = control.timeline, Otherwise(instead)
        self._changed: list[tuple[int, Ruling]] = []
        self._overruled: list[int] = []

    def verdict(self, pause: Pause) -> Verdict:
        control = self._control
        battle, place = self._start(), 0
        ahead = battle == self._other.laid(control.battles[0])
        owed = self._newly_owed(battle, 0)
        while not owed and place < len(self._timeline.play_order):
            # While nothing has come of it, who does not look it up is decided as ever.
            if ahead and not self._bears_on(place):
                place += 1
                continue
            if ahead:
                battle = self._other.laid(control.battles[place])
            battle = self._other.laid(self._played(battle, place))
            place += 1
            owed = self._newly_owed(battle, place)
            ahead = battle == self._other.laid(control.battles[place])
            pause()
        return self._told(control.battles[-1] if ahead and not owed else battle, place, owed)

    def _bears_on(self, place: int) -> bool:
        """Whether what is otherwise may bear on an entry: it looks it up, or sets it."""
        version = self._timeline.versions[self._timeline.play_order[place]]
        return self._other.sets(version) or self._other.bears_on(self._control.lookups[place])

    def _start(self) -> Battle:
        """The battle before its first order; what the rules ask as it begins may hang on a switch."""
        start = self._timeline.start
        unasked = replace(start, owed=(), acts=())
        if begun(self._system, unasked) != start:
            return self._other.laid(start)
        return begun(self._system, self._other.laid(unasked))

    def _played(self, battle: Battle, place: int) -> Battle:
        """The battle after an entry; notes how it is decided where that is not as it was."""
        timeline, number = self._timeline, self._timeline.play_order[place]
        recorded, version = timeline.rulings[number], timeline.versions[number]
        ruling, after = play_again(
            self._system,
            battle,
            number,
            self._other.version(version),
            timeline.rulings_when_placed.get(number),
        )
        if self._other.sets(version):
            self._overruled.append(number)
        elif number in self._control.differs and ruling == self._control.today[place]:
            return apply(battle, number, recorded)
        elif ruling != recorded:
            self._changed.append((number, ruling))
        return after

    def _newly_owed(self, battle: Battle, place: int) -> tuple[Owed, ...]:
        """What is owed behind an entry that nobody threw or answered, then or later."""
        if not battle.owed:
            return ()
        known = {owed.key for owed in self._control.battles[place].owed}
        answered = self._control.answered_at
        return tuple(
            owed for owed in battle.owed if owed.key not in known and answered.get(owed.key, -1) < place
        )

    def _told(self, battle: Battle, place: int, owed: tuple[Owed, ...]) -> Verdict:
        timeline = self._timeline
        changed = tuple(self._changes())
        counted = {one.entry for one in changed}
        became = {number: ruling.state for number, ruling in self._changed}
        fresh = {n: state for n, state in became.items() if timeline.rulings[n].state is not state}
        stopped = (0, *timeline.play_order)[place] if owed else None
        return Verdict(
            self._other.instead,
            changed,
            tuple(number for number, _ in self._changed if number not in counted),
            tuple(number for number, state in fresh.items() if state is State.PARKED),
            tuple(number for number, state in fresh.items() if state is State.SPARE),
            tuple(self._overruled),
            tuple(map(wanted, owed)),
            stopped,
            place,
            differences(self._system, self._control.battles[place], battle),
            self._sides(battle, place),
        )

    def _sides(self, battle: Battle, place: int) -> tuple[SideFigures, ...]:
        return self._control.sides.figures(battle, place, dict(self._changed)) if self._figures else ()

    def _changes(self) -> Iterator[Changed]:
        """The entries that come to something else, not only by other words or figures."""
        for number, ruling in self._changed:
            recorded = self._timeline.rulings[number]
            if substance(ruling) != substance(recorded):
                yield Changed(number, told(recorded), told(ruling))


def told(ruling: Ruling) -> Standing:
    """A ruling by what it says."""
    if ruling.state is State.STANDS:
        asked = (effect.value for effect in ruling.decision.effects)
        return Standing(
            ruling.state,
            tuple(reason.text for reason in ruling.decision.reasons),
            tuple(one.prompt for one in asked if isinstance(one, Owed)),
        )
    return Standing(ruling.state, tuple(finding.text for finding in ruling.findings))


def wanted(owed: Owed) -> MissingAnswer:
    """An owed roll or question by what it asks."""
    return MissingAnswer(owed.key, owed.line, owed.ship, owed.prompt, dice_code(owed.dice), owed.words)
