"""The log with the battle that follows from it: what is in force, and in which order. It decides nothing."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from functools import cached_property

from attrs import evolve, field, frozen

from qf_tui.core.decisions import Decision, drop_prompts, fold
from qf_tui.core.errors import Finding
from qf_tui.core.values import Battle, Charts, Order, Ship

CHECKPOINT_EVERY = 64
"""Entries between two battles that are kept while folding."""


@frozen
class Version:
    """What the umpire entered: the order, and the clauses that he overrode if he forced it.

    `overlay` and `arrivals` are what the order brought from files: a chart, the ships that join. `estimated`:
    what it measures was estimated. `thrown`: the console threw some of its dice. Where a source has
    the dice, `context` tells the throws of the order from all others, and `between` has the least and the
    greatest face of each die that a call threw.
    """

    order: Order
    overrode: tuple[str, ...] = ()
    overlay: Charts | None = None
    arrivals: tuple[Ship, ...] = ()
    estimated: bool = False
    thrown: bool = False
    context: tuple[str, ...] = ()
    between: tuple[tuple[int, int], ...] = ()

    @property
    def dice(self) -> tuple[int, ...]:
        return self.order.dice

    @property
    def call(self) -> int | None:
        return self.order.call

    @property
    def forced(self) -> bool:
        return self.order.forced


class State(StrEnum):
    """The state of an entry in force: it counts, a rule now refuses it, or its dice are not asked for."""

    STANDS = "stands"
    PARKED = "parked"
    SPARE = "spare"


@frozen
class Ruling:
    """The state of an entry, what it did, and its findings."""

    decision: Decision = Decision()
    state: State = State.STANDS
    findings: tuple[Finding, ...] = ()

    @property
    def substance(self) -> object:
        """The ruling without its texts, to be compared: a reworded reason is no other decision."""
        refusals = tuple((finding.clause, finding.refused) for finding in self.findings)
        return self.state, drop_prompts(self.decision.effects), self.decision.outcome, refusals


class CorrectionKind(StrEnum):
    """The kinds of correction."""

    STRIKE = "strike"
    RESTORE = "restore"
    UNDO = "undo"
    REDO = "redo"
    AMEND = "amend"
    SHIFT = "shift"


@frozen
class Entry:
    """An order that was played; `after` is the entry behind which it was inserted (0: at the start).

    `before` is the answer behind that entry that it stands ahead of all the same, as it was owed first.
    `rulings` are those that it changed, its own among them; `at` is when it was entered, in seconds since the
    battle began (None: unknown). `by` is the player whose order it is, where it came from one. `extra` is
    what features keep with it, by name, as plain JSON; rules never read it.
    """

    number: int
    version: Version
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)
    at: float | None = None
    before: int | None = None
    by: str = ""
    extra: Mapping[str, object] = field(factory=dict)


@frozen
class Correction:
    """A correction of `targets`: a new `version` (amend), or a place `after` an entry (shift).

    A shift that is forced has both: its first target with the clauses that it overrides there.

    `at`, `by` and `extra` are as of an entry.
    """

    number: int
    kind: CorrectionKind
    targets: tuple[int, ...]
    version: Version | None = None
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)
    at: float | None = None
    by: str = ""
    extra: Mapping[str, object] = field(factory=dict)


LogAct = Entry | Correction


def brought_by(act: LogAct) -> int:
    """The entry whose order an act brings: itself, or the first that it corrects."""
    return act.number if isinstance(act, Entry) else act.targets[0]


STRIKES = {CorrectionKind.STRIKE, CorrectionKind.UNDO}
RESTORES = {CorrectionKind.RESTORE, CorrectionKind.REDO}
"""The corrections that take acts out of force, and those that bring them back."""


@frozen
class Corrections:
    """The acts of a log that are corrections, by number, and all acts that are out of force."""

    numbers: tuple[int, ...] = ()
    struck: frozenset[int] = frozenset()


def corrections_in(log: Sequence[LogAct], numbers: Iterable[int] | None = None) -> Corrections:
    """The corrections of a log, whose numbers may be known, and what they take out of force.

    One in force takes what is before it out of force, or restores it.
    """
    known = [act.number for act in log if isinstance(act, Correction)] if numbers is None else list(numbers)
    struck: dict[int, bool] = {}
    for number in reversed(known):
        act = log[number - 1]
        if isinstance(act, Correction) and act.kind in STRIKES | RESTORES and not struck.get(number):
            for target in act.targets:
                struck.setdefault(target, act.kind in STRIKES)
    return Corrections(tuple(known), frozenset(number for number, out in struck.items() if out))


def rulings_when_placed(log: Sequence[LogAct], corrections: Corrections) -> Mapping[int, Ruling]:
    """The ruling of each entry when it was put at its place: entered there, or last shifted there.

    What a shift that is still being worked out moves has yet to be decided there, and is left out.
    """
    acts = (log[number - 1] for number in corrections.numbers)
    shifts = [act for act in acts if isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT]
    if not shifts:
        return {act.number: act.rulings[act.number] for act in log if act.number in act.rulings}
    latest: dict[int, Ruling] = {}
    placed: dict[int, Ruling] = {}
    for act in log:
        latest.update(act.rulings)
        if isinstance(act, Entry):
            placed.update(act.rulings and {act.number: act.rulings[act.number]})
        elif act.kind is CorrectionKind.SHIFT and act.number not in corrections.struck:
            for target in act.targets:
                placed[target] = latest[target]
    if shifts[-1].number == len(log):
        return {number: ruling for number, ruling in placed.items() if number not in shifts[-1].targets}
    return placed


def is_undo(act: LogAct) -> bool:
    """Whether an act undoes or redoes others; no undo strikes it."""
    return isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)


@frozen
class Timeline:
    """A battle with its whole log.

    `play_order` holds the numbers of the entries in force; `rulings` the state of each; `aside` those of them
    that do not stand; `checkpoints` the battle before some places of the play order, the last one among them;
    `corrections` those of the log, `past` the timelines before the latest of them, by act. These four
    are no part of what timelines are compared by.
    """

    start: Battle
    battle: Battle
    log: tuple[LogAct, ...] = ()
    play_order: tuple[int, ...] = ()
    versions: Mapping[int, Version] = field(factory=dict)
    rulings: Mapping[int, Ruling] = field(factory=dict)
    aside: tuple[int, ...] = field(default=(), eq=False)
    checkpoints: Mapping[int, Battle] = field(factory=dict, eq=False)
    corrections: Corrections = field(default=Corrections(), eq=False)
    past: Mapping[int, "Timeline"] = field(factory=dict, eq=False, repr=False)

    @property
    def next_number(self) -> int:
        return len(self.log) + 1

    def act(self, number: int) -> LogAct | None:
        """An act by its number, in force or not."""
        return self.log[number - 1] if 0 < number <= len(self.log) else None

    def battle_at(self, place: int) -> Battle:
        """The battle before the entry at a place of the script (its length: the battle now)."""
        if place >= len(self.play_order):
            return self.battle
        at, battle = self._last_asked[0]
        if place in self.checkpoints:
            at, battle = place, self.checkpoints[place]
        elif not 0 <= place - at <= 1:
            known = [0, *self.checkpoints]
            near = known[bisect_right(known, place) - 1]
            if not near <= at <= place:
                at, battle = near, self.checkpoints.get(near, self.start)
        for number in self.play_order[at:place] if at < place else ():
            battle = apply(battle, number, self.rulings[number])
        self._last_asked[0] = place, battle
        return battle

    def place(self, number: int) -> int:
        """The place of an entry in force in the order of play; the latest are found at once."""
        asked, _ = self._last_asked[0]
        if asked < len(self.play_order) and self.play_order[asked] == number:
            return asked
        latest = self.play_order[-CHECKPOINT_EVERY:]
        if number in latest:
            return len(self.play_order) - len(latest) + latest.index(number)
        return self._places[number]

    @cached_property
    def _places(self) -> Mapping[int, int]:
        """The place of each entry in force."""
        return {entry: place for place, entry in enumerate(self.play_order)}

    @cached_property
    def _last_asked(self) -> list[tuple[int, Battle]]:
        """The place and the battle that were asked for last: who reads on asks for the next."""
        return [(0, self.start)]

    def plays(self, number: int, version: Version | None = None) -> bool:
        """Whether a number is that of an entry in force, and in that very version if one is given."""
        known = self.counts(number) and number in self.versions
        return known and (version is None or self.versions[number] is version)

    def in_state(self, state: State) -> tuple[int, ...]:
        """The entries in force that are parked, or spare, in the order of play."""
        return tuple(number for number in self.aside if self.rulings[number].state is state)

    @cached_property
    def in_force(self) -> frozenset[int]:
        """The numbers of all acts in force, corrections too."""
        return frozenset(range(1, self.next_number)) - self.corrections.struck

    def opens_phase(self, number: int) -> bool:
        """Whether an entry in force ended a phase and began another."""
        ruling = self.rulings[number]
        return ruling.state is State.STANDS and ruling.decision.begins is not None

    def counts(self, number: int) -> bool:
        """Whether an act is in force."""
        return 0 < number < self.next_number and number not in self.corrections.struck

    @property
    def undoable(self) -> Iterator[LogAct]:
        """The acts that an undo may strike, the one that it strikes first ahead of the others."""
        return (act for act in reversed(self.log) if self.counts(act.number) and not is_undo(act))

    @property
    def struck_order(self) -> tuple[int, ...]:
        """The acts out of force, the one struck last at the end."""
        order: list[int] = []
        for number in self.corrections.numbers:
            act = self.log[number - 1]
            if isinstance(act, Correction) and act.kind in STRIKES and self.counts(number):
                order = [other for other in order if other not in act.targets]
                order.extend(act.targets)
        return tuple(number for number in order if not self.counts(number))

    @cached_property
    def rulings_when_placed(self) -> Mapping[int, Ruling]:
        """The ruling of each entry when it was put at its place."""
        return rulings_when_placed(self.log, self.corrections)

    def with_act(self, act: LogAct) -> tuple[tuple[int, ...], Mapping[int, Version]]:
        """The script with one more act, and the version of each entry; builds them anew only if it must."""
        if isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.version is not None:
            return self.play_order, {**self.versions, act.targets[0]: act.version}
        if isinstance(act, Correction) and act.kind in STRIKES and self._are_entries(act.targets):
            return tuple([number for number in self.play_order if number not in act.targets]), self.versions
        if isinstance(act, Correction) and act.kind in RESTORES and (restored := self._restored(act.targets)):
            return restored, self.versions
        if isinstance(act, Entry) and act.after is not None and (at := self._right_behind(act.after)):
            order = (*self.play_order[:at], act.number, *self.play_order[at:])
            return order, {**self.versions, act.number: act.version}
        return structure((*self.log, act))

    def _right_behind(self, entry: int) -> int:
        """The place behind an entry, if the next came at the end of play and nothing was shifted; else 0."""
        if not self.plays(entry) or self._shifts:
            return 0
        at = self.place(entry) + 1
        return at if at == len(self.play_order) or self._is_plain(self.play_order[at]) else 0

    def _restored(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """The script with entries again, if all around them came at the end of play too; else ()."""
        order = list(self.play_order)
        for number in sorted(numbers):
            at = len(order)
            while at and order[at - 1] > number and self._is_plain(order[at - 1]):
                at -= 1
            if self._shifts or not self._is_plain(number) or (at and not self._is_plain(order[at - 1])):
                return ()
            order.insert(at, number)
        return tuple(order)

    def _is_plain(self, number: int) -> bool:
        """Whether an act is an entry that came at the end of play."""
        act = self.act(number)
        return isinstance(act, Entry) and act.after is None

    @cached_property
    def _shifts(self) -> bool:
        """Whether anything was ever shifted."""
        acts = (self.log[number - 1] for number in self.corrections.numbers)
        return any(isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT for act in acts)

    def rulings_when_placed_with(self, act: LogAct) -> Mapping[int, Ruling]:
        """The ruling of each entry when it was put at its place, with one act more."""
        shifts = isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT
        kept = isinstance(act, Entry) or act.kind is CorrectionKind.AMEND or self._are_entries(act.targets)
        if kept and not shifts:
            return self.rulings_when_placed
        return rulings_when_placed((*self.log, act), self.corrections_with(act))

    def corrections_with(self, act: LogAct) -> Corrections:
        """The corrections with one act more."""
        if isinstance(act, Entry):
            return self.corrections
        return corrections_in((*self.log, act), (*self.corrections.numbers, act.number))

    def _are_entries(self, numbers: tuple[int, ...]) -> bool:
        return all(isinstance(self.act(number), Entry) for number in numbers)


def apply(battle: Battle, number: int, ruling: Ruling) -> Battle:
    """The battle after an entry, by its ruling."""
    if ruling.state is not State.STANDS:
        return battle
    return fold(battle, ruling.decision.effects, number)


def opened(start: Battle, log: Sequence[LogAct], every: int = CHECKPOINT_EVERY) -> Timeline:
    """The timeline of a log: read, not decided; with 1 for `every` no battle is folded again."""
    rulings: dict[int, Ruling] = {}
    for act in log:
        rulings.update(act.rulings)
    script, versions = structure(log)
    aside, corrections = not_standing(script, rulings), corrections_in(log)
    bare = Timeline(start, start, tuple(log), script, versions, rulings, aside, {}, corrections)
    return played_on(bare, 0, every)


def played_on(timeline: Timeline, at: int, every: int = CHECKPOINT_EVERY) -> Timeline:
    """A timeline whose battle is so far the one before a place, with that of the end of play."""
    battle = timeline.battle
    checkpoints = {at: battle}
    for place, number in enumerate(timeline.play_order[at:], at):
        if place % every == 0:
            checkpoints[place] = battle
        battle = apply(battle, number, timeline.rulings[number])
    return evolve(timeline, battle=battle, checkpoints=checkpoints)


def not_standing(numbers: Iterable[int], rulings: Mapping[int, Ruling]) -> tuple[int, ...]:
    """Those entries that are parked or spare: mostly few, or none."""
    return tuple([number for number in numbers if rulings[number].state is not State.STANDS])


def appended(timeline: Timeline, entry: Entry) -> Timeline:
    """The timeline with an entry at the end of play."""
    ruling = entry.rulings[entry.number]
    place = len(timeline.play_order)
    checkpoints = {**timeline.checkpoints, place: timeline.battle}
    if (place - 1) % CHECKPOINT_EVERY:
        checkpoints.pop(place - 1, None)
    return Timeline(
        timeline.start,
        apply(timeline.battle, entry.number, ruling),
        (*timeline.log, entry),
        (*timeline.play_order, entry.number),
        {**timeline.versions, entry.number: entry.version},
        {**timeline.rulings, **entry.rulings},
        (*timeline.aside, *not_standing((entry.number,), entry.rulings)),
        checkpoints,
        timeline.corrections,
        timeline.past,
    )


def recorded(timeline: Timeline, act: LogAct) -> Timeline:
    """The timeline with an act as it is recorded; folded anew if that is more than an entry at the end."""
    if isinstance(act, Entry) and act.after is None and act.rulings.keys() == {act.number}:
        return appended(timeline, act)
    return opened(timeline.start, (*timeline.log, act))


def structure(log: Sequence[LogAct]) -> tuple[tuple[int, ...], dict[int, Version]]:
    """The entries in force in the order of play, and the version of each that is played."""
    struck = corrections_in(log).struck
    order, versions = _laid_out(log, struck)
    return tuple(number for number in order if number not in struck), versions


def order_of_play(log: Sequence[LogAct]) -> tuple[int, ...]:
    """All entries in the order of play, those that are struck too: each where it would be."""
    return tuple(_laid_out(log, corrections_in(log).struck)[0])


def _laid_out(log: Sequence[LogAct], struck: frozenset[int]) -> tuple[list[int], dict[int, Version]]:
    """Every entry in the order of play, and the version of each that is played.

    Struck entries keep their places while the script is built, so that what comes behind them does not move.
    """
    order: list[int] = []
    anchors: dict[int, int] = {}
    versions: dict[int, Version] = {}
    for act in log:
        if isinstance(act, Entry):
            versions[act.number] = act.version
            if act.after is None:
                order.append(act.number)
            else:
                ahead_of = _phase_ends(act.version, versions) | {act.before}
                _place(order, anchors, (act.number,), act.after, ahead_of)
        elif act.number not in struck and act.kind is CorrectionKind.SHIFT:
            order = [number for number in order if number not in act.targets]
            _place(order, anchors, act.targets, act.after or 0)
            if act.version is not None:
                versions[act.targets[0]] = act.version
        elif act.number not in struck and act.kind is CorrectionKind.AMEND and act.version is not None:
            versions[act.targets[0]] = act.version
    return order, versions


def _phase_ends(version: Version, versions: Mapping[int, Version]) -> frozenset[int]:
    """The ends of phases that an answer comes before: all but the one that asked it; else none."""
    if not version.order.is_answer:
        return frozenset()
    asked_by = version.order.cause
    return frozenset(
        number for number, other in versions.items() if other.order.is_phase_end and number != asked_by
    )


def _place(
    order: list[int],
    anchors: dict[int, int],
    numbers: tuple[int, ...],
    after: int,
    ahead_of: AbstractSet[int | None] = frozenset(),
) -> None:
    """Puts entries behind another, and behind all that were put there before, but ahead of some."""
    at = order.index(after) + 1 if after in order else 0
    while at < len(order) and order[at] not in ahead_of and _hangs_on(order[at], after, anchors):
        at += 1
    order[at:at] = numbers
    for number in numbers:
        anchors[number] = after


def _hangs_on(number: int, after: int, anchors: Mapping[int, int]) -> bool:
    seen: set[int] = set()
    while number in anchors and number not in seen:
        seen.add(number)
        number = anchors[number]
        if number == after:
            return True
    return False
