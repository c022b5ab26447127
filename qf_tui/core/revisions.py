"""An order or correction worked out but not yet recorded, with its consequences for later entries.

Every entry that a correction may touch is decided again on its new battle. If its decision equals the record,
or differs only because the rules have changed since, it keeps its record. All other changes come from the
correction: such an entry has a new result, is parked (a rule now refuses it), or is spare (nothing asks for
its dice any more).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import AMEND, CORRECTIONS
from qf_tui.core.builtin_orders import list_phase_blockers
from qf_tui.core.corrections import AskedCorrection, build_correction
from qf_tui.core.decide import (
    DiceOf,
    ThrowDie,
    decide_fresh,
    find_owed_question,
    may_be_early,
    play_again,
    prepare_entry,
)
from qf_tui.core.decisions import ON_LOGS, Effect, Op, find_field_value
from qf_tui.core.declarations import PreparedEntry, Shape
from qf_tui.core.dice_source import DiceSource
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.schedule import find_schedule_question
from qf_tui.core.system import Column, RuleSystem, find_field
from qf_tui.core.timeline import (
    CHECKPOINT_EVERY,
    STRIKES,
    Correction,
    CorrectionKind,
    Entry,
    LogAct,
    Ruling,
    State,
    Timeline,
    Version,
    append_entry,
    apply_ruling,
    build_timeline,
    find_brought_entry,
    list_parked_or_spare,
    list_play_order,
)
from qf_tui.core.values import Battle, Order, Owed, Ship

TRIED_LEAST = CHECKPOINT_EVERY // 2
"""The number of entries that every correction decides again, if the log has that many."""
PAST_MOST = 31
"""The number of kept timelines from before the latest corrections; taking back a correction uses one."""


class Redecision:
    """The timeline of a log after one more act, with all entries from its place on decided again.

    An entry whose new decision differs from the record is also decided on the battle before the correction.
    If the result is the same there, the rules have changed and not the battle, and the record is kept. If the
    act restores an older timeline that had the entry on the same battle, the record of that timeline is used.
    Deciding stops early once the battle, all later entries and the rules are the same as before.

    Args:
        known_rulings: Rulings that are known already, by entry.

    Attributes:
        after: The timeline with the act.
        changed: The rulings that change.
        rules_differ: Entries on which only the rules have changed since they were recorded.
        reworded: The record of a changed entry in today's texts, if those differ.
        kept: Number of entries that keep their record.
    """

    def __init__(
        self, system: RuleSystem, timeline: Timeline, act: LogAct, known_rulings: Mapping[int, Ruling]
    ) -> None:
        """Decide the entries again, and build the new timeline from the result."""
        self._system, self._timeline, self._known_rulings = system, timeline, known_rulings
        self._numbers, self._versions, place = _find_new_play_order(timeline, act)
        # Timelines whose records may be restored.
        self._older = _find_previous_timelines(timeline, act)
        # The ruling of each entry when it was put at its place.
        self._placed = timeline.find_placed_rulings_with(act)
        self._battle = timeline.battle_at(place)
        self._checkpoints = {at: battle for at, battle in timeline.checkpoints.items() if at <= place}
        self.changed: dict[int, Ruling] = {}
        self.rules_differ: list[int] = []
        self.reworded: dict[int, Ruling] = {}
        self.kept = 0
        self._decided: set[int] = set()
        self._decide_from(place)
        act = evolve(act, rulings=self.changed)
        rulings = {**timeline.rulings, **self.changed}
        aside = set(list_parked_or_spare(self._decided | set(timeline.aside), rulings))
        latest_past = dict(list(timeline.past.items())[-PAST_MOST:])
        self.after = Timeline(
            timeline.start,
            self._battle,
            (*timeline.log, act),
            self._numbers,
            self._versions,
            rulings,
            tuple(number for number in self._numbers if number in aside),
            self._checkpoints,
            timeline.find_corrections_with(act),
            # Each old timeline is kept without its own past, so that they form no chain.
            {**latest_past, act.number: evolve(timeline, past={})},
        )

    def _decide_from(self, place: int) -> None:
        """Decide entry by entry from an index on, until no later entry can change."""
        unchanged_from = self._find_unchanged_suffix(place)
        for index in range(place, len(self._numbers)):
            if index % CHECKPOINT_EVERY == 0:
                self._checkpoints[index] = self._battle
            number = self._numbers[index]
            if index >= unchanged_from and not self.rules_differ:
                old_place = self._timeline.find_place(number)
                old_battles = self._timeline.checkpoints
                if old_battles.get(old_place) == self._battle:
                    # The battle is the same here as before the correction, so all later rulings stay.
                    self._keep_from(index, old_place)
                    return
            ruling, self._battle = self._decide(number)
            self._decided.add(number)
            if ruling == self._timeline.rulings.get(number):
                self.kept += self._timeline.is_in_play(number)
            else:
                self.changed[number] = ruling

    def _keep_from(self, index: int, old_place: int) -> None:
        """Keep the rulings and battles of all entries from an index on, which was `old_place` before."""
        moved_by = index - old_place
        for at, battle in self._timeline.checkpoints.items():
            if at >= old_place:
                self._checkpoints[at + moved_by] = battle
        self.kept += len(self._numbers) - index
        self._battle = self._timeline.battle

    def _find_unchanged_suffix(self, place: int) -> int:
        """Return the index from which entries and versions are unchanged, so that they need no new decision.

        At least TRIED_LEAST entries are decided again anyway, to notice rules that have changed since.

        Args:
            place: Index of the first entry that is decided again.
        """
        numbers, timeline = self._numbers, self._timeline
        unchanged_from = len(numbers)
        if self._older or self._placed is not timeline.rulings_when_placed:
            # An older record may be restored, and rulings may depend on the old place of an entry.
            return unchanged_from
        for number, old in zip(reversed(numbers), reversed(timeline.play_order), strict=False):
            if number != old or self._versions[number] is not timeline.versions[number]:
                break
            unchanged_from -= 1
        return max(unchanged_from, place + TRIED_LEAST)

    def _decide(self, number: int) -> tuple[Ruling, Battle]:
        """Decide an entry on the battle so far, and return its ruling with the battle after it.

        The ruling is the one known beforehand, else a record that still holds, else the new decision.
        """
        known_ruling = self._known_rulings.get(number)
        if known_ruling is not None:
            return known_ruling, apply_ruling(self._battle, number, known_ruling)
        version = self._versions[number]
        decided, after = play_again(self._system, self._battle, number, version, self._placed.get(number))
        ruling = self._find_older_record(number, version, decided)
        recorded = self._timeline.rulings.get(number)
        if recorded and ruling != recorded and self._timeline.is_in_play(number, version):
            ruling = self._compare_with_record(number, version, recorded, ruling)
        if ruling is not decided:
            # `after` has the effects of `decided`, so another ruling is applied to the battle before.
            after = apply_ruling(self._battle, number, ruling)
        return ruling, after

    def _compare_with_record(self, number: int, version: Version, recorded: Ruling, ruling: Ruling) -> Ruling:
        """Return the new ruling of an entry if the correction changes it, else its record.

        Today's rules also decide the entry on the battle before the correction. If they give another ruling
        there, the correction changes the entry. If they give the same ruling, only the rules can have
        changed: the record stays, and the entry joins `rules_differ` unless only its texts differ.

        Args:
            ruling: The new ruling, on the battle after the correction.
        """
        timeline = self._timeline
        placed_ruling = timeline.rulings_when_placed.get(number)
        before = timeline.battle_at(timeline.find_place(number))
        today, _ = play_again(self._system, before, number, version, placed_ruling)
        has_same_substance = today.substance == recorded.substance
        if today != ruling:
            if has_same_substance:
                # The consequences compare the new ruling with the record in today's texts.
                self.reworded[number] = today
            return ruling
        if not has_same_substance:
            self.rules_differ.append(number)
        return recorded

    def _find_older_record(self, number: int, version: Version, ruling: Ruling) -> Ruling:
        """Return the record of an older timeline that had the entry on this same battle, else `ruling`.

        Only the timelines that the act may restore are searched.
        """
        for past in self._older:
            recorded = past.rulings[number] if past.is_in_play(number, version) else ruling
            if recorded != ruling and past.battle_at(past.find_place(number)) == self._battle:
                return recorded
        return ruling


def _find_new_play_order(
    timeline: Timeline, act: LogAct
) -> tuple[tuple[int, ...], Mapping[int, Version], int]:
    """Return the play order with an act, the versions, and the index of the first changed entry."""
    play_order, versions = timeline.find_structure_with(act)
    old_play_order = timeline.play_order
    if isinstance(act, Entry):
        return play_order, versions, play_order.index(act.number)
    if play_order is old_play_order or versions is timeline.versions:
        # Only a version or the struck entries differ, so the play orders need not be compared.
        old_places = [timeline.find_place(target) for target in act.targets if timeline.is_in_play(target)]
        # Targets that are put back in play have a place only in the new order.
        places = old_places or [play_order.index(target) for target in act.targets]
        return play_order, versions, min(places)
    for place, (old, new) in enumerate(zip(old_play_order, play_order, strict=False)):
        if old != new or timeline.versions[old] is not versions[new]:
            return play_order, versions, place
    return play_order, versions, min(len(old_play_order), len(play_order))


def _find_previous_timelines(timeline: Timeline, act: LogAct) -> tuple[Timeline, ...]:
    """List the older timelines whose records an act may restore; () for an entry, an amendment or a shift.

    If the act strikes a correction or an inserted entry, this is the timeline before that one was recorded.
    If it puts an act back in force, this is the timeline before that act was last struck.
    """
    if isinstance(act, Entry) or act.kind in (CorrectionKind.AMEND, CorrectionKind.SHIFT):
        return ()
    # The acts before which the log was as the act restores it.
    numbers = set()
    for target in act.targets:
        if act.kind in STRIKES:
            struck_act = timeline.find_act(target)
            is_inserted_entry = isinstance(struck_act, Entry) and struck_act.after is not None
            if isinstance(struck_act, Correction) or is_inserted_entry:
                numbers.add(target)
        else:
            strikes = (
                other.number
                for other in reversed(timeline.log)
                if isinstance(other, Correction) and other.kind in STRIKES and target in other.targets
            )
            numbers.update(islice(strikes, 1))
    past = {number: timeline.past.get(number) for number in sorted(numbers)}
    return tuple(
        past_timeline
        if past_timeline and past_timeline.start is timeline.start
        else build_timeline(timeline.start, timeline.log[: number - 1])
        for number, past_timeline in past.items()
    )


def place_late_answer(
    system: RuleSystem, timeline: Timeline, version: Version, question: Owed
) -> Entry | None:
    """Place the answer to a question that came up late in play.

    Its place is right after the entry that asks. If the rules refuse its dice there until other questions of
    that entry are answered, its place is after the first answer that permits them; if none does, it stays
    right after the entry that asks.

    Returns:
        The answer as an inserted entry, or None if it is in time and belongs at the end.
    """
    after = _find_asking_entry(timeline, question)
    if after is None:
        return None
    answers = (
        number
        for number, order, ruling in _list_entries_after(timeline, after)
        if ruling.state is State.STANDS and order.is_answer and order.cause == question.entry
    )
    later_places = answers if question.dice else ()
    places = [
        Entry(timeline.next_number, version, place, before=_find_following_entry(timeline, place, version))
        for place in (after, *later_places)
    ]
    return next((entry for entry in places if not _is_held_back(system, timeline, entry)), places[0])


def _list_entries_after(timeline: Timeline, after: int) -> Iterator[tuple[int, Order, Ruling]]:
    """Yield the entries in force after another one, with their orders and rulings.

    After 0, or after an entry that is not in force, these are all entries in force.
    """
    play_order = timeline.play_order
    first_place = timeline.find_place(after) + 1 if timeline.is_in_play(after) else 0
    for number in play_order[first_place:]:
        yield number, timeline.versions[number].order, timeline.rulings[number]


def _is_held_back(system: RuleSystem, timeline: Timeline, entry: Entry) -> bool:
    """Return whether an answer does not count at its place.

    That is so if its question is not owed there, or if it is refused and not forced.
    """
    play_order, _ = timeline.find_structure_with(entry)
    battle = timeline.battle_at(play_order.index(entry.number))
    # `early` permits an answer whose question only the end of the phase would ask.
    try:
        findings = prepare_entry(system, battle, entry.version, early=True).prepared.findings
    except OrderRefused:
        return True
    return bool(findings) and not entry.version.forced


def _find_asking_entry(timeline: Timeline, question: Owed) -> int | None:
    """Find the entry after which a late question must be answered.

    This is the entry that asks the question. Questions that a `next` asks before it ends the phase are
    answered before that `next`, unless the umpire forced it and so carried the question over. 0 is the start
    of the battle.

    Returns:
        The number of the entry; None if the answer is in time, or if nothing in play asks the question.
    """
    play_order = timeline.play_order
    for place in reversed(range(len(play_order))):
        effects = timeline.rulings[play_order[place]].decision.effects
        version = timeline.versions[play_order[place]]
        is_asking = [
            _is_asking(effect, question.key, by_phase_end=version.order.is_phase_end) for effect in effects
        ]
        if True not in is_asking:
            continue
        if not question.late and _is_in_time(timeline, question, place):
            return None
        ends_phase = any(effect.op is Op.PHASE for effect in effects[is_asking.index(True) :])
        if version.forced or not ends_phase:
            return play_order[place]
        # The `next` asked before it ended the phase, so the answer comes before it.
        return play_order[place - 1] if place else 0
    return 0 if _has_lost_start_answer(timeline, question) else None


def _is_in_time(timeline: Timeline, question: Owed, place: int) -> bool:
    """Return whether the answer to a question is in time: play has not gone on since the entry that asks it.

    Args:
        place: Index of the asking entry in the play order.
    """
    asking_entry = timeline.play_order[place]
    later = timeline.play_order[place + 1 :]
    deciding_act = next(
        (act.number for act in reversed(timeline.log) if asking_entry in act.rulings), asking_entry
    )
    # Struck entries count too, because a struck `next` may be restored.
    has_phase_end = any(
        _is_blockable_end(timeline.versions[number]) for number in _list_all_after(timeline, asking_entry)
    )
    # Spare answers with the same cause may become answers again once this question is answered.
    has_spare_answer = any(
        timeline.rulings[number].state is State.SPARE
        and timeline.versions[number].order.cause == question.entry
        for number in later
    )
    # Entries that are played later must have been recorded later too.
    is_newest = all(number > deciding_act for number in later)
    return is_newest and not has_phase_end and not has_spare_answer


def _list_all_after(timeline: Timeline, entry: int) -> Sequence[int]:
    """Return all entries after another one in play order, also struck ones."""
    acts = timeline.log[entry - 1 :]
    if all(isinstance(act, Entry) and act.after is None for act in acts):
        # All were entered at the end of play.
        return range(entry + 1, timeline.next_number)
    play_order = list_play_order(timeline.log)
    return play_order[play_order.index(entry) + 1 :]


def _has_lost_start_answer(timeline: Timeline, question: Owed) -> bool:
    """Return whether a question of the start of the battle had been answered, and is open again."""
    play_order = timeline.play_order
    if not play_order or all(owed.key != question.key for owed in timeline.start.owed):
        return False
    # An open question would have blocked the `next`, so it had been answered.
    if question.late or any(_is_blockable_end(timeline.versions[number]) for number in play_order):
        return True
    # The answer in the log may be struck.
    return any(isinstance(act, Entry) and act.version.order.key == question.key for act in timeline.log)


def _find_following_entry(timeline: Timeline, after: int, version: Version) -> int | None:
    """Find the entry that an answer inserted after `after` must precede, or return None if there is none.

    An answer must precede the first early answer: an entry that asks and answers a question which only the
    end of the phase would ask. An order that answers without a key, such as a `join` that the schedule asks
    for, must also precede the end of the phase.
    """
    for number, order, ruling in _list_entries_after(timeline, after):
        if order.is_phase_end:
            # `roll` and `answer` precede the end of the phase anyway.
            return None if version.order.is_answer else number
        # An early answer also settles its question, so asking it is never its last effect.
        if any(_is_asking(effect, order.key, by_phase_end=False) for effect in ruling.decision.effects[:-1]):
            return number
    return None


def _is_blockable_end(version: Version) -> bool:
    """Return whether an order is an unforced `next`, which an earlier open question would block."""
    return version.order.is_phase_end and not version.forced


def _is_asking(effect: Effect, key: str, *, by_phase_end: bool) -> bool:
    """Return whether an effect asks the question with this key.

    Args:
        by_phase_end: True for an effect of a `next`. It may repeat a question that is late already, which
            does not count.
    """
    if effect.op is not Op.OWE or not isinstance(effect.value, Owed) or effect.value.key != key:
        return False
    return not (by_phase_end and effect.value.late)


@frozen
class Reread:
    """An entry that is decided differently after a correction."""

    entry: int
    was: Ruling
    now: Ruling

    @property
    def has_same_effects(self) -> bool:
        """True if the effects are equal although they come from different figures."""
        return self.was.state is self.now.state and self.was.decision.effects == self.now.decision.effects


@frozen
class ValueChange:
    """A value of a ship that differs before and after an entry or a correction.

    Attributes:
        ship: Id of the ship.
        field: Name of the field.
        before: Old value, as the rule system reports it or as a log shows it.
        after: New value, in the same form.
    """

    ship: str
    field: str
    before: Shape | tuple[str, ...]
    after: Shape | tuple[str, ...]


@frozen
class Consequences:
    """The changes that a correction makes beyond the act itself.

    Attributes:
        kept: Number of entries that keep their record.
        reread: Entries that count, but are decided differently.
        parked: Entries that a rule now refuses.
        spare: Entries whose dice nothing asks for any more.
        owed: Rolls and questions that are newly owed.
        changes: Values of ships that change.
        table: Things to change on the table, as (side, text).
        rules_differ: Entries on which only the rules have changed since they were recorded.
    """

    kept: int = 0
    reread: tuple[Reread, ...] = ()
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[Owed, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    table: tuple[tuple[str, str], ...] = ()
    rules_differ: tuple[int, ...] = ()


def list_consequences(
    system: RuleSystem, before: Timeline, decided: Redecision, entered: int | None
) -> Consequences:
    """List the consequences of a correction.

    Args:
        entered: Entry whose order the correction brings; its own new ruling is no consequence. None if the
            correction brings no order.
    """
    after = decided.after
    reread = []
    for number, now in decided.changed.items():
        was = decided.reworded.get(number, before.rulings.get(number))
        if was is None or now.state is not State.STANDS or number == entered:
            continue
        if was.state is not now.state or was.decision.reasons != now.decision.reasons:
            reread.append(Reread(number, was, now))

    def list_newly(state: State) -> tuple[int, ...]:
        """List the entries in this state now that were in another state, or had another ruling, before."""
        earlier_numbers = set(before.list_in_state(state)) - decided.changed.keys()
        return tuple(number for number in after.list_in_state(state) if number not in earlier_numbers)

    return Consequences(
        decided.kept,
        tuple(reread),
        list_newly(State.PARKED),
        list_newly(State.SPARE),
        _list_owed_only_on(after, before),
        list_value_changes(system, before.battle, after.battle),
        system.on_table(before.battle, after.battle),
        tuple(decided.rules_differ),
    )


def _list_owed_only_on(timeline: Timeline, other_timeline: Timeline) -> tuple[Owed, ...]:
    """List the rolls and questions that are owed on `timeline` but not on `other_timeline`."""
    other_keys = {owed.key for owed in other_timeline.battle.owed}
    return tuple(owed for owed in timeline.battle.owed if owed.key not in other_keys)


def list_value_changes(system: RuleSystem, before: Battle, after: Battle) -> tuple[ValueChange, ...]:
    """List all values of ships that differ between two battles.

    A value that only one of the battles has is None in the other.
    """
    changes: list[ValueChange] = []
    for id in {**before.ships, **after.ships}:
        old, new = before.ships.get(id), after.ships.get(id)
        # The report of an unchanged ship may differ on another turn.
        if old == new and before.turn == after.turn:
            continue
        old_report = system.report(before, old) if old else {}
        new_report = system.report(after, new) if new else {}
        changes += [
            ValueChange(id, name, old_report.get(name), new_report.get(name))
            for name in {**old_report, **new_report}
            if old_report.get(name) != new_report.get(name)
        ]
    return tuple(changes)


Decide = Callable[..., tuple[Version, Ruling]]
"""The type of `decide_fresh` with its source of dice already given."""


@frozen
class Revision:
    """An order or correction worked out, but not yet recorded.

    Attributes:
        act: The act for the log.
        before: The timeline without the act.
        after: The timeline with the act.
        consequences: Changes beyond the act itself.
        dice_missing: True if the order's own dice are owed and the console could throw them.
        recorded: True if the act is already in the log.
        order: The order that was asked for.
    """

    act: LogAct
    before: Timeline
    after: Timeline
    consequences: Consequences = Consequences()
    dice_missing: bool = False
    recorded: bool = False
    order: Order | None = None

    @property
    def number(self) -> int:
        return self.act.number

    @property
    def ruling(self) -> Ruling | None:
        """The ruling of the act's own entry, or None if a correction brings no entry."""
        return self.act.rulings.get(find_brought_entry(self.act))

    @property
    def newly_owed(self) -> tuple[Owed, ...]:
        """The rolls and questions that are owed because of this act."""
        return _list_owed_only_on(self.after, self.before)

    @property
    def no_longer_owed(self) -> tuple[Owed, ...]:
        """The rolls and questions that are no longer owed because of this act."""
        return _list_owed_only_on(self.before, self.after)


def work_out(
    system: RuleSystem,
    timeline: Timeline,
    order: Order,
    version_of: Callable[[Order], Version] = Version,
    throw: ThrowDie | None = None,
    source: DiceSource | None = None,
    entry: PreparedEntry | None = None,
) -> Revision:
    """Work out an order or a correction.

    Args:
        version_of: Function that adds data from files to a play order.
        throw: Function that throws the console's dice; None to throw none.
        source: Source that throws the dice if the order has a call.
        entry: The play order prepared on this battle, if it was prepared before.

    Raises:
        OrderRefused: The order is impossible or refused.
    """
    decide = partial(decide_fresh, throw=throw, source=source, before=timeline)
    if order.form not in CORRECTIONS:
        return _work_out_play_order(system, timeline, version_of(order), decide, source, entry)
    inner_order = order.find_inner_order("order")
    correction = build_correction(timeline, order, version_of(inner_order) if inner_order else None)
    return _work_out_correction(system, timeline, correction, decide)


def _work_out_play_order(
    system: RuleSystem,
    timeline: Timeline,
    version: Version,
    decide: Decide,
    source: DiceSource | None,
    entry: PreparedEntry | None,
) -> Revision:
    """Work out a play order that is entered now.

    An order that the schedule asks for counts as an answer. A late answer is inserted at its own place. A
    `roll` or `answer` amends an earlier entry instead, if that entry has begun the same dice by a call, or is
    the last answer to that question and now asks it again.

    Raises:
        OrderRefused: The order is impossible or refused.
    """
    number, order = timeline.next_number, version.order
    question: Owed | None
    correction: AskedCorrection | None = None
    if order.is_answer:
        question = find_owed_question(timeline.battle, order)
        version = evolve(version, order=order.with_slot("key", question.key))
        begun_entry = source.find_begun(timeline, question, version.call) if source else None
        reasking_entry = _find_reasking_answer(timeline, question)
        if begun_entry is not None:
            amendment = Order(AMEND, {"n": begun_entry}, call=version.call)
            correction = build_correction(timeline, amendment, None)
        elif reasking_entry is not None:
            amendment = Order(AMEND, {"n": reasking_entry, "order": order})
            correction = build_correction(timeline, amendment, version)
    else:
        question = find_schedule_question(timeline.battle, order)
    if correction is None and question is not None:
        late_answer = place_late_answer(system, timeline, version, question)
        correction = AskedCorrection(late_answer) if late_answer is not None else None
    if correction is not None:
        return _work_out_correction(system, timeline, correction, decide)
    entered, ruling = decide(system, timeline.battle, number, version, entry=entry)
    act = Entry(number, entered, rulings={number: ruling})
    return Revision(act, timeline, append_entry(timeline, act), dice_missing=_is_owing_dice(entered, ruling))


def _find_reasking_answer(timeline: Timeline, question: Owed) -> int | None:
    """Find the last answer to a question in words, if that answer asks the same question again; else None.

    An answer asks again if what it was based on has changed. A new answer is then an amendment of it.
    """
    if question.dice:
        return None
    for number in reversed(timeline.play_order):
        if timeline.versions[number].order.key == question.key:
            effects = timeline.rulings[number].decision.effects
            asks_again = any(_is_asking(effect, question.key, by_phase_end=False) for effect in effects)
            return number if asks_again else None
    return None


def _is_owing_dice(version: Version, ruling: Ruling) -> bool:
    """Return whether a ruling leaves the dice of its order owed; rolls that follow from it do not count."""
    owed = (effect.value for effect in ruling.decision.effects if effect.op is Op.OWE)
    return any(
        isinstance(question, Owed) and question.dice and question.order == version.order.without_dice
        for question in owed
    )


def replay_act(system: RuleSystem, timeline: Timeline, act: LogAct) -> Timeline:
    """Return the timeline with a recorded act, whose rulings are decided again by today's rules.

    An order that the rules refuse is parked; an answer that nothing asks for is spare. The act must have the
    next number of the log.
    """
    act = evolve(act, rulings={})
    is_shift = isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT
    is_appended = isinstance(act, Entry) and act.after is None
    brought_number = find_brought_entry(act)
    # Entries at the end of play are the usual case, and need no new play order.
    numbers: tuple[int, ...] = ()
    if not is_appended:
        numbers, _ = timeline.find_structure_with(act)
    is_played = is_appended or brought_number in numbers
    # Without an order to decide, only the later entries are decided again.
    if act.version is None or is_shift or not is_played:
        return Redecision(system, timeline, act, {}).after
    if is_appended:
        battle, placed_ruling = timeline.battle, None
        dice, early = DiceOf.ENTRY, False
    else:
        battle = timeline.battle_at(numbers.index(brought_number))
        placed_ruling = timeline.rulings_when_placed.get(brought_number)
        dice, early = DiceOf.AMENDMENT, may_be_early(battle, act.version.order, placed_ruling)
    # Decided as an order entered now; if that is refused, as an entry that is in the log already.
    try:
        _, ruling = decide_fresh(system, battle, brought_number, act.version, dice=dice, early=early)
    except OrderRefused:
        ruling, _ = play_again(system, battle, brought_number, act.version, placed_ruling)
    if is_appended and isinstance(act, Entry):
        return append_entry(timeline, evolve(act, rulings={brought_number: ruling}))
    return Redecision(system, timeline, act, {brought_number: ruling}).after


def _work_out_correction(
    system: RuleSystem, timeline: Timeline, correction: AskedCorrection, decide: Decide
) -> Revision:
    """Work out a correction or an inserted entry: decide the order that it brings, then later entries again.

    Raises:
        OrderRefused: The order is refused, or a shift that is not forced moves an entry to a place where the
            entry is refused.
    """
    act = correction.act
    dice_missing = False
    entered = None
    known_rulings: dict[int, Ruling] = {}
    brought_number = find_brought_entry(act)
    if act.version is not None:
        numbers, _, place = _find_new_play_order(timeline, act)
        # Decided before all others, so it must be the first entry that the act changes.
        if place == len(numbers) or numbers[place] != brought_number:
            raise OrderRefused(f"{brought_number} is not where it was expected")
        battle = timeline.battle_at(place)
        early = may_be_early(battle, act.version.order, timeline.rulings_when_placed.get(brought_number))
        version, ruling = decide(
            system, battle, brought_number, act.version, dice=correction.dice, early=early
        )
        act = evolve(act, version=version)
        entered = brought_number
        dice_missing = _is_owing_dice(version, ruling)
        known_rulings[brought_number] = ruling
    decided = Redecision(system, timeline, act, known_rulings)
    if isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT:
        force = f"shift {brought_number} after {act.after} force"
        findings = _list_findings_at_place(decided.after, brought_number, force)
        if findings:
            moved_version = timeline.versions[brought_number]
            act = evolve(act, version=_force_at_place(moved_version, findings, correction))
            decided = Redecision(system, timeline, act, known_rulings)
    consequences = list_consequences(system, timeline, decided, entered)
    return Revision(decided.after.log[-1], timeline, decided.after, consequences, dice_missing)


def _list_findings_at_place(timeline: Timeline, number: int, force: str) -> tuple[Finding, ...]:
    """List the findings against an entry at its place.

    For a parked or spare entry, these are the findings of its ruling. For a `next` in force, they are the
    questions and doubts that are open at its place. Any other entry in force has none.

    Args:
        force: Order that ends the phase anyway, for the message.
    """
    if timeline.rulings[number].state is not State.STANDS:
        return timeline.rulings[number].findings
    if not _is_blockable_end(timeline.versions[number]):
        return ()
    return list_phase_blockers(timeline.battle_at(timeline.find_place(number)), force)


def _force_at_place(version: Version, findings: tuple[Finding, ...], correction: AskedCorrection) -> Version:
    """Force an entry that its new place refuses.

    Raises:
        OrderRefused: The correction is not forced, or a finding cannot be overruled.
    """
    if not correction.forced or any(not finding.refused for finding in findings):
        # Impossible findings come first, because no force helps against them.
        raise OrderRefused(*sorted(findings, key=lambda finding: finding.refused))
    overrode = (*version.overrode, *(finding.clause for finding in findings))
    return evolve(version, order=evolve(version.order, forced=True), overrode=overrode)


def list_effect_changes(
    system: RuleSystem, battle: Battle, effects: Sequence[Effect]
) -> tuple[ValueChange, ...]:
    """List the values of ships that effects change, effect by effect.

    Only effects on fields that the rules declare, of ships in the battle or joining it, are listed.
    """
    changes = []
    ships = dict(battle.ships)
    for effect in effects:
        if effect.op is Op.JOIN and isinstance(effect.value, Ship):
            ships.setdefault(effect.value.id, effect.value)
        if effect.op not in ON_LOGS or effect.ship not in ships:
            continue
        before = ships[effect.ship]
        after = ships[effect.ship] = ON_LOGS[effect.op](before, effect)
        if field := find_field(system, effect.field):
            was, now = (field.convert_value(find_field_value(ship, effect.field)) for ship in (before, after))
            changes.append(ValueChange(effect.ship, effect.field, was, now))
    return tuple(changes)


def combine_changes(changes: Iterable[ValueChange]) -> list[ValueChange]:
    """Combine all changes of the same value into one; a value that ends as it began is left out."""
    by_field: dict[tuple[str, str], ValueChange] = {}
    for change in changes:
        earlier = by_field.get((change.ship, change.field), change)
        by_field[change.ship, change.field] = ValueChange(
            change.ship, change.field, earlier.before, change.after
        )
    return [change for change in by_field.values() if change.before != change.after]


CELL_CAUSES_MOST = 40
"""The number of entries that are shown for a cell at most."""


@frozen
class Cause:
    """An entry that changed a cell of the grid.

    Attributes:
        number: Number of the entry.
        before: The battle before the entry.
        ruling: Its ruling.
        changes: Values that it changed in the cell.
    """

    number: int
    before: Battle
    ruling: Ruling
    changes: tuple[ValueChange, ...]


def list_causes(
    system: RuleSystem, timeline: Timeline, ship: Ship, column: Column | None
) -> tuple[Cause, ...]:
    """List the latest entries in force that changed a column of a ship, newest first.

    Fields of other ships that the column depends on count too.

    Args:
        column: The column, or None for all columns of the ship.
    """
    fields = column.fields if column else ()
    columns = (column,) if column else system.columns
    other_fields = {other for each in columns if each.beside for other in each.beside(timeline.battle, ship)}

    def is_touched(change: Effect | ValueChange) -> bool:
        is_own_field = change.ship == ship.id and (not fields or change.field in fields)
        return is_own_field or (change.ship, change.field) in other_fields

    causes: list[Cause] = []
    # In play order, so that each battle is computed from the one before.
    for place, number in enumerate(timeline.play_order):
        ruling = timeline.rulings[number]
        effects = ruling.decision.effects
        if any(map(is_touched, effects)):
            before = timeline.battle_at(place)
            changes = filter(is_touched, list_effect_changes(system, before, effects))
            causes.append(Cause(number, before, ruling, tuple(changes)))
    causes = [cause for cause in causes if cause.changes]
    return tuple(reversed(causes[-CELL_CAUSES_MOST:]))
