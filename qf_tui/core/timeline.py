"""The log of a battle: its acts, those in force and their order, and the battle after each of them.

This module decides nothing: it applies the decisions that the log records.
"""

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
"""The number of entries between two battles that are kept when a log is played."""


@frozen
class Version:
    """An order as the umpire entered it; a correction may give an entry another version.

    Attributes:
        order: The order.
        overrode: Clauses that the umpire overruled by forcing it.
        overlay: Chart that the order read from a file, or None.
        arrivals: Ships that the order read from a file.
        estimated: True if its range was estimated.
        thrown: True if the console threw some of its dice.
        context: Text that tells its throws from all others, if a source has the dice; else ().
        between: Least and greatest face of each die that a call threw.
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
    """The state of an entry in force: it counts, a rule now refuses it, or nothing asks for its dice."""

    STANDS = "stands"
    PARKED = "parked"
    SPARE = "spare"


@frozen
class Ruling:
    """The result of an entry: its decision, its state, and the objections for which it does not count."""

    decision: Decision = Decision()
    state: State = State.STANDS
    findings: tuple[Finding, ...] = ()

    @property
    def substance(self) -> object:
        """The ruling without its texts, for comparison: a reworded reason makes no difference."""
        findings = tuple((finding.clause, finding.refused) for finding in self.findings)
        return self.state, drop_prompts(self.decision.effects), self.decision.outcome, findings


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
    """A played order in the log.

    Attributes:
        number: Number for life, from 1.
        version: The order as entered.
        after: Entry after which it was inserted (0: at the start), or None if it was entered at the end of
            play.
        rulings: Rulings that it changed, by entry, with its own.
        at: Time of entry in seconds since the battle began, or None if unknown.
        before: Entry that an inserted answer must precede, because the answer was owed first; or None.
        by: Player who proposed the order, or "".
        extra: Data of features, by name, as plain JSON; rules never read it.
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
    """A change of the log itself.

    Attributes:
        number: Number for life, from 1.
        kind: Kind of the change.
        targets: Numbers of the acts that it changes.
        version: New version of the first target (amend, and a forced shift with the clauses it overrules).
        after: Entry after which a shift puts its targets (0: at the start).
        rulings: Rulings that it changed, by entry.
        at: Time of entry in seconds since the battle began, or None if unknown.
        by: Player who proposed it, or "".
        extra: Data of features, by name, as plain JSON; rules never read it.
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
"""An act of the log."""


def find_brought_entry(act: LogAct) -> int:
    """Return the number of the entry whose order an act brings: its own, or the first that it corrects."""
    return act.number if isinstance(act, Entry) else act.targets[0]


STRIKES = {CorrectionKind.STRIKE, CorrectionKind.UNDO}
"""The kinds of correction that take acts out of force."""
RESTORES = {CorrectionKind.RESTORE, CorrectionKind.REDO}
"""The kinds of correction that put acts back in force."""


@frozen
class Corrections:
    """The numbers of the corrections in a log, and of all acts out of force."""

    numbers: tuple[int, ...] = ()
    struck: frozenset[int] = frozenset()


def find_corrections(log: Sequence[LogAct], numbers: Iterable[int] | None = None) -> Corrections:
    """Find the corrections of a log and the acts that they take out of force.

    The log is read backwards: a correction in force decides about the acts before it.

    Args:
        numbers: Numbers of the corrections, if they are known; None to search the log.
    """
    if numbers is None:
        numbers = (act.number for act in log if isinstance(act, Correction))
    numbers = tuple(numbers)
    is_struck: dict[int, bool] = {}
    for number in reversed(numbers):
        act = log[number - 1]
        if isinstance(act, Correction) and act.kind in STRIKES | RESTORES and not is_struck.get(number):
            for target in act.targets:
                is_struck.setdefault(target, act.kind in STRIKES)
    return Corrections(numbers, frozenset(number for number in is_struck if is_struck[number]))


def find_placed_rulings(log: Sequence[LogAct], corrections: Corrections) -> Mapping[int, Ruling]:
    """Return the ruling that each entry had when it was put at its place.

    This is its ruling when it was entered, or when it was last shifted. Entries moved by a shift at the end
    of the log are left out, because they are not decided at their new place yet.
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
            if act.rulings:
                placed[act.number] = act.rulings[act.number]
        elif act.kind is CorrectionKind.SHIFT and act.number not in corrections.struck:
            for target in act.targets:
                placed[target] = latest[target]
    if shifts[-1].number == len(log):
        return {number: ruling for number, ruling in placed.items() if number not in shifts[-1].targets}
    return placed


def is_undo(act: LogAct) -> bool:
    """Return whether an act is an undo or a redo; no undo strikes such an act."""
    return isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)


@frozen
class Timeline:
    """A battle with its whole log, and the battle after each entry.

    Attributes:
        start: The battle before the first entry.
        battle: The battle after the last entry.
        log: All acts in the order they were recorded; act N is at index N - 1.
        play_order: Numbers of the entries in force, in the order in which they are played.
        versions: The version of each entry that is played, by number.
        rulings: The ruling of each entry, by number.
        aside: Entries in force that are parked or spare.
        checkpoints: The battle before some entries, by their index in the play order. Not compared.
        corrections: The corrections of the log. Not compared.
        past: Timelines before the latest corrections, by number of the correction. Not compared.
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

    def find_act(self, number: int) -> LogAct | None:
        """Return the act with this number, in force or not, or None."""
        return self.log[number - 1] if 0 < number <= len(self.log) else None

    def battle_at(self, place: int) -> Battle:
        """Return the battle before the entry at an index of the play order.

        The length of the play order gives the battle now.
        """
        if place >= len(self.play_order):
            return self.battle
        # Go on from the nearest checkpoint before, unless the battle asked for last is nearer.
        checkpoint_places = [0, *self.checkpoints]  # in rising order
        nearest = checkpoint_places[bisect_right(checkpoint_places, place) - 1]
        start_place, battle = self._last_asked[0]
        if not nearest <= start_place <= place:
            start_place, battle = nearest, self.checkpoints.get(nearest, self.start)
        for number in self.play_order[start_place:place]:
            battle = apply_ruling(battle, number, self.rulings[number])
        self._last_asked[0] = place, battle
        return battle

    def find_place(self, number: int) -> int:
        """Return the index of an entry in force in the play order; fast for the latest entries."""
        # `battle_at` was often asked for this entry just before.
        last_place, _ = self._last_asked[0]
        if last_place < len(self.play_order) and self.play_order[last_place] == number:
            return last_place
        latest = self.play_order[-CHECKPOINT_EVERY:]
        if number in latest:
            return len(self.play_order) - len(latest) + latest.index(number)
        return self._places[number]

    @cached_property
    def _places(self) -> Mapping[int, int]:
        """The index of each entry in the play order."""
        return {entry: place for place, entry in enumerate(self.play_order)}

    @cached_property
    def _last_asked(self) -> list[tuple[int, Battle]]:
        """The last index and battle that `battle_at` returned: a reader usually asks for the next one."""
        return [(0, self.start)]

    def is_in_play(self, number: int, version: Version | None = None) -> bool:
        """Return whether a number is that of an entry in force, and of this version if one is given."""
        is_known = self.is_in_force(number) and number in self.versions
        return is_known and (version is None or self.versions[number] is version)

    def list_in_state(self, state: State) -> tuple[int, ...]:
        """List the entries in force with one of the states PARKED and SPARE, in play order."""
        return tuple(number for number in self.aside if self.rulings[number].state is state)

    @cached_property
    def in_force(self) -> frozenset[int]:
        """The numbers of all acts in force, with corrections."""
        return frozenset(range(1, self.next_number)) - self.corrections.struck

    def is_phase_opener(self, number: int) -> bool:
        """Return whether an entry is in force and began a phase."""
        ruling = self.rulings[number]
        return ruling.state is State.STANDS and ruling.decision.begun_phase is not None

    def is_in_force(self, number: int) -> bool:
        """Return whether an act is in force."""
        return 0 < number < self.next_number and number not in self.corrections.struck

    @property
    def undoable(self) -> Iterator[LogAct]:
        """The acts that an undo may strike, the first to be struck first."""
        return (act for act in reversed(self.log) if self.is_in_force(act.number) and not is_undo(act))

    @property
    def struck_order(self) -> tuple[int, ...]:
        """The numbers of acts out of force, the last one struck at the end."""
        order: list[int] = []
        for number in self.corrections.numbers:
            act = self.log[number - 1]
            if isinstance(act, Correction) and act.kind in STRIKES and self.is_in_force(number):
                order = [other for other in order if other not in act.targets]
                order.extend(act.targets)
        return tuple(number for number in order if not self.is_in_force(number))

    @cached_property
    def rulings_when_placed(self) -> Mapping[int, Ruling]:
        """The ruling that each entry had when it was put at its place."""
        return find_placed_rulings(self.log, self.corrections)

    def find_structure_with(self, act: LogAct) -> tuple[tuple[int, ...], Mapping[int, Version]]:
        """Return the play order and the versions with another act.

        The usual acts need no look at the whole log; what they do not change is returned as the same object.
        """
        if isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.version is not None:
            return self.play_order, {**self.versions, act.targets[0]: act.version}
        if isinstance(act, Correction) and act.kind in STRIKES and self._are_entries(act.targets):
            return tuple([number for number in self.play_order if number not in act.targets]), self.versions
        if isinstance(act, Correction) and act.kind in RESTORES:
            restored = self._restore_entries(act.targets)
            if restored:
                return restored, self.versions
        if isinstance(act, Entry) and act.after is not None:
            place = self._find_place_after(act.after)
            if place:
                order = (*self.play_order[:place], act.number, *self.play_order[place:])
                return order, {**self.versions, act.number: act.version}
        return find_structure((*self.log, act))

    def _find_place_after(self, entry: int) -> int:
        """Return the index after an entry in the play order, or 0 if its place is not certain.

        The place is certain if the entry is in play, the next one was entered at the end of play, and nothing
        was ever shifted.
        """
        if not self.is_in_play(entry) or self._has_shifts:
            return 0
        place = self.find_place(entry) + 1
        is_certain = place == len(self.play_order) or self._is_appended(self.play_order[place])
        return place if is_certain else 0

    def _restore_entries(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return the play order with struck entries put back, or () if their places are not certain.

        The places are certain if nothing was ever shifted, and if these entries and those before them were
        entered at the end of play.
        """
        order = list(self.play_order)
        for number in sorted(numbers):
            # Entries entered at the end of play are in the order of their numbers.
            place = len(order)
            while place and order[place - 1] > number and self._is_appended(order[place - 1]):
                place -= 1
            if (
                self._has_shifts
                or not self._is_appended(number)
                or (place and not self._is_appended(order[place - 1]))
            ):
                return ()
            order.insert(place, number)
        return tuple(order)

    def _is_appended(self, number: int) -> bool:
        """Return whether an act is an entry that was entered at the end of play."""
        act = self.find_act(number)
        return isinstance(act, Entry) and act.after is None

    @cached_property
    def _has_shifts(self) -> bool:
        """True if the log has a shift."""
        acts = (self.log[number - 1] for number in self.corrections.numbers)
        return any(isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT for act in acts)

    def find_placed_rulings_with(self, act: LogAct) -> Mapping[int, Ruling]:
        """Return `rulings_when_placed` for the log with another act; only moved entries change it."""
        is_shift = isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT
        # A strike or restore of a correction may end or bring back a shift.
        keeps_places = (
            isinstance(act, Entry) or act.kind is CorrectionKind.AMEND or self._are_entries(act.targets)
        )
        if keeps_places and not is_shift:
            return self.rulings_when_placed
        return find_placed_rulings((*self.log, act), self.find_corrections_with(act))

    def find_corrections_with(self, act: LogAct) -> Corrections:
        """Return the corrections of the log with another act at its end."""
        if isinstance(act, Entry):
            return self.corrections
        return find_corrections((*self.log, act), (*self.corrections.numbers, act.number))

    def _are_entries(self, numbers: tuple[int, ...]) -> bool:
        """Return whether all these acts are entries."""
        return all(isinstance(self.find_act(number), Entry) for number in numbers)


def apply_ruling(battle: Battle, number: int, ruling: Ruling) -> Battle:
    """Return the battle after an entry, by its recorded ruling; a parked or spare entry changes nothing."""
    if ruling.state is not State.STANDS:
        return battle
    return fold(battle, ruling.decision.effects, number)


def build_timeline(
    start: Battle, log: Sequence[LogAct], checkpoint_every: int = CHECKPOINT_EVERY
) -> Timeline:
    """Build the timeline of a log from its recorded rulings.

    Args:
        checkpoint_every: Number of entries between two kept battles; 1 keeps the battle before each entry.
    """
    rulings: dict[int, Ruling] = {}
    for act in log:
        rulings.update(act.rulings)
    play_order, versions = find_structure(log)
    aside = list_parked_or_spare(play_order, rulings)
    corrections = find_corrections(log)
    unplayed = Timeline(start, start, tuple(log), play_order, versions, rulings, aside, {}, corrections)
    return apply_entries(unplayed, 0, checkpoint_every)


def apply_entries(timeline: Timeline, first_place: int, checkpoint_every: int = CHECKPOINT_EVERY) -> Timeline:
    """Apply the entries from an index on to a timeline whose battle is the one before that index."""
    battle = timeline.battle
    checkpoints = {first_place: battle}
    for place, number in enumerate(timeline.play_order[first_place:], first_place):
        if place % checkpoint_every == 0:
            checkpoints[place] = battle
        battle = apply_ruling(battle, number, timeline.rulings[number])
    return evolve(timeline, battle=battle, checkpoints=checkpoints)


def list_parked_or_spare(numbers: Iterable[int], rulings: Mapping[int, Ruling]) -> tuple[int, ...]:
    """List the entries among `numbers` that are parked or spare; usually there are none."""
    return tuple([number for number in numbers if rulings[number].state is not State.STANDS])


def append_entry(timeline: Timeline, entry: Entry) -> Timeline:
    """Add an entry at the end of play to a timeline."""
    ruling = entry.rulings[entry.number]
    place = len(timeline.play_order)
    checkpoints = {**timeline.checkpoints, place: timeline.battle}
    # To save memory, the battle before the previous entry stays only at each multiple of CHECKPOINT_EVERY.
    if (place - 1) % CHECKPOINT_EVERY:
        checkpoints.pop(place - 1, None)
    return Timeline(
        timeline.start,
        apply_ruling(timeline.battle, entry.number, ruling),
        (*timeline.log, entry),
        (*timeline.play_order, entry.number),
        {**timeline.versions, entry.number: entry.version},
        {**timeline.rulings, **entry.rulings},
        (*timeline.aside, *list_parked_or_spare((entry.number,), entry.rulings)),
        checkpoints,
        timeline.corrections,
        timeline.past,
    )


def add_act(timeline: Timeline, act: LogAct) -> Timeline:
    """Add a recorded act to a timeline.

    Anything other than an entry at the end builds the timeline again from the rulings in the log.
    """
    if isinstance(act, Entry) and act.after is None and act.rulings.keys() == {act.number}:
        return append_entry(timeline, act)
    return build_timeline(timeline.start, (*timeline.log, act))


def find_structure(log: Sequence[LogAct]) -> tuple[tuple[int, ...], dict[int, Version]]:
    """Return the entries in force in play order, and the version of each that is played."""
    struck = find_corrections(log).struck
    order, versions = _lay_out(log, struck)
    return tuple(number for number in order if number not in struck), versions


def list_play_order(log: Sequence[LogAct]) -> tuple[int, ...]:
    """Return all entries in play order, struck ones at the places they would have."""
    return tuple(_lay_out(log, find_corrections(log).struck)[0])


def _lay_out(log: Sequence[LogAct], struck: frozenset[int]) -> tuple[list[int], dict[int, Version]]:
    """Return all entries in play order, and the version of each that is played.

    Struck entries keep their places, so that later entries keep theirs too.
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
                ahead_of = _list_phase_ends(act.version, versions) | {act.before}
                _insert_after(order, anchors, (act.number,), act.after, ahead_of)
        elif act.number not in struck and act.kind is CorrectionKind.SHIFT:
            order = [number for number in order if number not in act.targets]
            _insert_after(order, anchors, act.targets, act.after or 0)
            if act.version is not None:
                versions[act.targets[0]] = act.version
        elif act.number not in struck and act.kind is CorrectionKind.AMEND and act.version is not None:
            versions[act.targets[0]] = act.version
    return order, versions


def _list_phase_ends(version: Version, versions: Mapping[int, Version]) -> frozenset[int]:
    """Return the entries that end a phase and that an inserted order must precede.

    For an answer these are all of them except the one that asked its question; for any other order none.
    """
    if not version.order.is_answer:
        return frozenset()
    asked_by = version.order.cause
    return frozenset(
        number for number, other in versions.items() if other.order.is_phase_end and number != asked_by
    )


def _insert_after(
    order: list[int],
    anchors: dict[int, int],
    numbers: tuple[int, ...],
    after: int,
    ahead_of: AbstractSet[int | None] = frozenset(),
) -> None:
    """Insert entries after the entry `after`; earlier insertions at that entry stay in front of the new ones.

    Args:
        after: A number; 0, or an entry that is not in the order, means the start.
        anchors: For each inserted entry, the entry it was inserted after; updated.
        ahead_of: Entries that the new ones must precede in any case.
    """
    place = order.index(after) + 1 if after in order else 0
    while (
        place < len(order) and order[place] not in ahead_of and _is_anchored_at(order[place], after, anchors)
    ):
        place += 1
    order[place:place] = numbers
    for number in numbers:
        anchors[number] = after


def _is_anchored_at(number: int, after: int, anchors: Mapping[int, int]) -> bool:
    """Return whether an entry was inserted after `after`, directly or after another entry inserted there."""
    # Shifts can anchor two entries at each other.
    visited: set[int] = set()
    while number in anchors and number not in visited:
        visited.add(number)
        number = anchors[number]
        if number == after:
            return True
    return False
