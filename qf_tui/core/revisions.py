"""Revisions: an order or a correction worked out, not yet recorded, with what it changes.

Each entry that a correction may touch is decided on the battle as it would have been. One whose decision is
the recorded one is kept. One that differs only because the rules have changed since keeps its record; what
the correction itself changes is re-read, parked or spare.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import AMEND, CORRECTIONS
from qf_tui.core.builtin_orders import what_holds
from qf_tui.core.corrections import AskedCorrection, asked_by
from qf_tui.core.decide import (
    DiceOf,
    ThrowDie,
    decide_fresh,
    may_be_early,
    play_again,
    prepare_entry,
    question_of,
)
from qf_tui.core.decisions import ON_LOGS, Effect, Op, field_value
from qf_tui.core.declarations import PreparedEntry, Shape
from qf_tui.core.dice_source import DiceSource
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.schedule import asked_for
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
    appended,
    apply,
    brought_by,
    not_standing,
    opened,
    order_of_play,
)
from qf_tui.core.values import Battle, Order, Owed, Ship

TRIED_LEAST = CHECKPOINT_EVERY // 2
"""Entries that every correction decides again, where there are so many."""
PAST_MOST = 31
"""Timelines from before the latest corrections that are kept: who takes one back needs it."""


class Redecision:
    """A timeline with one more act, every entry from its place on decided again.

    `given` are the rulings that are known already. An entry whose new decision is not its record is also
    decided on the battle as it was before the correction: where that gives the same, the rules have changed
    and not the battle, and the record is kept. So is the record of an older timeline that had the entry on
    the very battle that it now has again. Where the same is played on from a battle that is the same again,
    and no rules have changed, nothing is decided.

    Attributes:
        after: The timeline with the act.
        changed: The rulings that change.
        rules_differ: Entries on which only the rules have changed since they were recorded.
        reworded: The record of a changed entry in today's texts, where those are other texts.
        kept: Number of entries that keep their record.
    """

    def __init__(
        self, system: RuleSystem, timeline: Timeline, act: LogAct, given: Mapping[int, Ruling]
    ) -> None:
        self._system, self._timeline, self._given = system, timeline, given
        self._numbers, self._versions, place = _replay(timeline, act)
        self._older = _goes_back_to(timeline, act)
        self._placed = timeline.rulings_when_placed_with(act)
        self._battle = timeline.battle_at(place)
        self._checkpoints = {at: kept for at, kept in timeline.checkpoints.items() if at <= place}
        self.changed: dict[int, Ruling] = {}
        self.rules_differ: list[int] = []
        self.reworded: dict[int, Ruling] = {}
        self.kept = 0
        self._decided: set[int] = set()
        self._decide_from(place)
        act = evolve(act, rulings=self.changed)
        rulings = {**timeline.rulings, **self.changed}
        aside = set(not_standing(self._decided | set(timeline.aside), rulings))
        self.after = Timeline(
            timeline.start,
            self._battle,
            (*timeline.log, act),
            self._numbers,
            self._versions,
            rulings,
            tuple(number for number in self._numbers if number in aside) if aside else (),
            self._checkpoints,
            timeline.corrections_with(act),
            {**dict(list(timeline.past.items())[-PAST_MOST:]), act.number: evolve(timeline, past={})},
        )

    def _decide_from(self, place: int) -> None:
        """Decides entry by entry, until none can come out otherwise."""
        same_from = self._same_from(place)
        for at in range(place, len(self._numbers)):
            if at % CHECKPOINT_EVERY == 0:
                self._checkpoints[at] = self._battle
            number = self._numbers[at]
            if at >= same_from and not self.rules_differ:
                was_at = self._timeline.place(number)
                if self._timeline.checkpoints.get(was_at) == self._battle:
                    kept = {place + at - was_at: then for place, then in self._timeline.checkpoints.items()}
                    self._checkpoints |= {place: then for place, then in kept.items() if place >= at}
                    self.kept += len(self._numbers) - at
                    self._battle = self._timeline.battle
                    return
            ruling, self._battle = self._decide(number)
            self._decided.add(number)
            if ruling == self._timeline.rulings.get(number):
                self.kept += self._timeline.plays(number)
            else:
                self.changed[number] = ruling

    def _same_from(self, place: int) -> int:
        """The place from which the same entries follow in the same versions, and need not be asked again.

        Some entries are decided again in any case: rules that have changed since would show in them.
        """
        numbers, timeline = self._numbers, self._timeline
        at = len(numbers)
        if self._older or self._placed is not timeline.rulings_when_placed:
            # A record from before may come back, or depend on the place that an entry had.
            return at
        for number, old in zip(reversed(numbers), reversed(timeline.play_order), strict=False):
            if number != old or self._versions[number] is not timeline.versions[number]:
                break
            at -= 1
        return max(at, place + TRIED_LEAST)

    def _decide(self, number: int) -> tuple[Ruling, Battle]:
        """Decide an entry again, and return its ruling with the battle after it."""
        if number in self._given:
            return self._given[number], apply(self._battle, number, self._given[number])
        version = self._versions[number]
        decided, after = play_again(self._system, self._battle, number, version, self._placed.get(number))
        ruling = self._once_recorded(number, version, decided)
        recorded = self._timeline.rulings.get(number)
        if recorded and ruling != recorded and self._timeline.plays(number, version):
            ruling = self._compare_with_record(number, version, recorded, ruling)
        return ruling, after if ruling is decided else apply(self._battle, number, ruling)

    def _compare_with_record(self, number: int, version: Version, recorded: Ruling, ruling: Ruling) -> Ruling:
        """Return the record of an entry if the correction leaves the entry alone, else its new ruling.

        The entry is decided by today's rules on the battle before the correction: if that gives the new
        ruling too, the correction changes nothing. If it differs from the record in its texts only, the
        entry is compared in today's texts.
        """
        timeline = self._timeline
        placed, before = timeline.rulings_when_placed.get(number), timeline.battle_at(timeline.place(number))
        today = play_again(self._system, before, number, version, placed)[0]
        is_reworded = today.substance == recorded.substance
        if today != ruling:
            if is_reworded:
                self.reworded[number] = today
            return ruling
        if not is_reworded:
            self.rules_differ.append(number)
        return recorded

    def _once_recorded(self, number: int, version: Version, ruling: Ruling) -> Ruling:
        """The record of an older timeline that had the entry on this very battle; else the ruling itself."""
        for past in self._older:
            recorded = past.rulings[number] if past.plays(number, version) else ruling
            if recorded != ruling and past.battle_at(past.place(number)) == self._battle:
                return recorded
        return ruling


def _replay(timeline: Timeline, act: LogAct) -> tuple[tuple[int, ...], Mapping[int, Version], int]:
    """What is played with an act: the entries in order, their versions, and the place where it is new."""
    order, versions = timeline.with_act(act)
    was = timeline.play_order
    if isinstance(act, Entry):
        return order, versions, order.index(act.number)
    if order is was or versions is timeline.versions:
        # An entry in another version, or some struck: all else is as it was, and need not be compared.
        places = [timeline.place(target) for target in act.targets if timeline.plays(target)]
        return order, versions, min(places or map(order.index, act.targets))
    for place, (old, new) in enumerate(zip(was, order, strict=False)):
        if old != new or timeline.versions[old] is not versions[new]:
            return order, versions, place
    return order, versions, min(len(was), len(order))


def _goes_back_to(timeline: Timeline, act: LogAct) -> tuple[Timeline, ...]:
    """The timelines before what an act takes back: a struck correction or insertion, or a restored strike."""
    if isinstance(act, Entry) or act.kind in (CorrectionKind.AMEND, CorrectionKind.SHIFT):
        return ()
    before = set()
    for target in act.targets:
        if act.kind in STRIKES:
            struck = timeline.act(target)
            if isinstance(struck, Correction) or (struck is not None and struck.after is not None):
                before.add(target)
        else:
            strikes = (
                other.number
                for other in reversed(timeline.log)
                if isinstance(other, Correction) and other.kind in STRIKES and target in other.targets
            )
            before.update(islice(strikes, 1))
    past = {number: timeline.past.get(number) for number in sorted(before)}
    return tuple(
        known
        if known and known.start is timeline.start
        else opened(timeline.start, timeline.log[: number - 1])
        for number, known in past.items()
    )


def late_answer(system: RuleSystem, timeline: Timeline, version: Version, question: Owed) -> Entry | None:
    """The answer to a question as the entry that goes where it belongs; None for one in time.

    That is right behind what asks it. Where the rules hold dice back there, as other questions of the same
    entry are answered further on, it is behind the first answer to one of those that lets them go.
    """
    after = _behind_what_asks(timeline, question)
    if after is None:
        return None
    answers = (
        number
        for number, order, ruling in _behind(timeline, after)
        if ruling.state is State.STANDS and order.is_answer and order.cause == question.entry
    )
    places = [
        Entry(timeline.next_number, version, place, before=_ahead_of(timeline, place, version))
        for place in (after, *(answers if question.dice else ()))
    ]
    return next((entry for entry in places if not _held_back(system, timeline, entry)), places[0])


def _behind(timeline: Timeline, after: int) -> Iterator[tuple[int, Order, Ruling]]:
    """The entries in force behind another, with their orders and rulings; for 0 all of them."""
    order = timeline.play_order
    for number in order[timeline.place(after) + 1 if timeline.plays(after) else 0 :]:
        yield number, timeline.versions[number].order, timeline.rulings[number]


def _held_back(system: RuleSystem, timeline: Timeline, entry: Entry) -> bool:
    """Whether a rule refuses an answer where it would stand, or nothing asks for it there."""
    order, _ = timeline.with_act(entry)
    there = timeline.battle_at(order.index(entry.number))
    try:
        findings = prepare_entry(system, there, entry.version, early=True).prepared.findings
    except OrderRefused:
        return True
    return bool(findings) and not entry.version.forced


def _behind_what_asks(timeline: Timeline, question: Owed) -> int | None:
    """The entry behind which a question is answered that came up when play had gone on; None for others.

    That is the entry that asks it. What a `next` asks before it ends the phase is answered before that
    `next`, unless the umpire forced it and so carried the question over.
    """
    order = timeline.play_order
    for place in reversed(range(len(order))):
        effects = timeline.rulings[order[place]].decision.effects
        version = timeline.versions[order[place]]
        asks = [_asks(effect, question.key, carries=version.order.is_phase_end) for effect in effects]
        if True not in asks:
            continue
        if not question.late and _in_time(timeline, question, place):
            return None
        if version.forced or all(effect.op is not Op.PHASE for effect in effects[asks.index(True) :]):
            return order[place]
        return order[place - 1] if place else 0
    return 0 if _came_back_to_start(timeline, question) else None


def _in_time(timeline: Timeline, question: Owed, place: int) -> bool:
    """Whether play has not gone on since the entry at a place asked a question."""
    asking, behind = timeline.play_order[place], timeline.play_order[place + 1 :]
    recorded_by = next((act.number for act in reversed(timeline.log) if asking in act.rulings), asking)
    # A `next` that is struck may come back.
    ends = any(_ends(timeline.versions[number]) for number in _laid_behind(timeline, asking))
    # Spare answers of the same cause answer again what follows from this one.
    waits = any(
        timeline.rulings[number].state is State.SPARE
        and timeline.versions[number].order.cause == question.entry
        for number in behind
    )
    return all(number > recorded_by for number in behind) and not ends and not waits


def _laid_behind(timeline: Timeline, entry: int) -> Sequence[int]:
    """All entries behind one in the order of play, those that are struck too."""
    since = timeline.log[entry - 1 :]
    if all(isinstance(act, Entry) and act.after is None for act in since):
        return range(entry + 1, timeline.next_number)
    laid = order_of_play(timeline.log)
    return laid[laid.index(entry) + 1 :]


def _came_back_to_start(timeline: Timeline, question: Owed) -> bool:
    """Whether a question of the start, which no entry asks, lost its answer when play had gone on."""
    order = timeline.play_order
    if not order or all(owed.key != question.key for owed in timeline.start.owed):
        return False
    if question.late or any(_ends(timeline.versions[number]) for number in order):
        return True
    return any(isinstance(act, Entry) and act.version.order.key == question.key for act in timeline.log)


def _ahead_of(timeline: Timeline, after: int, version: Version) -> int | None:
    """The answer behind an entry that was given early, to what only the end of the phase would have asked.

    What was owed before that is answered ahead of it. An order that answers without saying so, as a `join`
    that the schedule asked for, comes ahead of the end of the phase, as answers do of themselves.
    """
    for number, order, ruling in _behind(timeline, after):
        if order.is_phase_end:
            return None if version.order.is_answer else number
        if any(_asks(effect, order.key, carries=False) for effect in ruling.decision.effects[:-1]):
            return number
    return None


def _ends(version: Version) -> bool:
    """Whether an entry is a `next` that an open question ahead of it would have held."""
    return version.order.is_phase_end and not version.forced


def _asks(effect: Effect, key: str, *, carries: bool) -> bool:
    """Whether an effect asks the question; a `next` that only carries on what is late already does not."""
    if effect.op is not Op.OWE or not isinstance(effect.value, Owed) or effect.value.key != key:
        return False
    return not (carries and effect.value.late)


@frozen
class Reread:
    """An entry that is decided otherwise; `same`: by other figures it comes to the same."""

    entry: int
    was: Ruling
    now: Ruling

    @property
    def same(self) -> bool:
        return self.was.state is self.now.state and self.was.decision.effects == self.now.decision.effects


@frozen
class ValueChange:
    """A value of a ship that differs before and after an entry or a correction.

    `before` and `after` are as a rule system reports them, or as a log shows them.
    """

    ship: str
    field: str
    before: Shape | tuple[str, ...]
    after: Shape | tuple[str, ...]


@frozen
class Consequences:
    """What a correction changes beyond the act itself."""

    kept: int = 0
    reread: tuple[Reread, ...] = ()
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[Owed, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    table: tuple[tuple[str, str], ...] = ()
    rules_differ: tuple[int, ...] = ()


def consequences_of(
    system: RuleSystem, before: Timeline, decided: Redecision, entered: int | None
) -> Consequences:
    """What stands otherwise; `entered` is the entry whose order the act brings: what it does is no part."""
    after = decided.after
    reread = tuple(
        Reread(number, was, now)
        for number, now in decided.changed.items()
        if now.state is State.STANDS and number != entered
        if (was := decided.reworded.get(number, before.rulings.get(number)))
        if was.state is not now.state or was.decision.reasons != now.decision.reasons
    )

    def newly(state: State) -> tuple[int, ...]:
        """The entries in a state that were not, or for another reason; those that come back in it too."""
        known = set(before.in_state(state)) - decided.changed.keys()
        return tuple(number for number in after.in_state(state) if number not in known)

    return Consequences(
        decided.kept,
        reread,
        newly(State.PARKED),
        newly(State.SPARE),
        _owed_alone(after, before),
        differences(system, before.battle, after.battle),
        system.on_table(before.battle, after.battle),
        tuple(decided.rules_differ),
    )


def _owed_alone(timeline: Timeline, other: Timeline) -> tuple[Owed, ...]:
    """The rolls and questions that are owed on one timeline and not on the other."""
    known = {owed.key for owed in other.battle.owed}
    return tuple(owed for owed in timeline.battle.owed if owed.key not in known)


def differences(system: RuleSystem, before: Battle, after: Battle) -> tuple[ValueChange, ...]:
    """Every value of every ship that differs between two battles."""
    changes: list[ValueChange] = []
    for id in {**before.ships, **after.ships}:
        old, new = before.ships.get(id), after.ships.get(id)
        if old == new and before.turn == after.turn:
            continue
        was = system.report(before, old) if old else {}
        now = system.report(after, new) if new else {}
        changes += [
            ValueChange(id, name, was.get(name), now.get(name))
            for name in {**was, **now}
            if was.get(name) != now.get(name)
        ]
    return tuple(changes)


Decide = Callable[..., tuple[Version, Ruling]]
"""`decide_fresh`, with whose dice it throws."""


@frozen
class Revision:
    """An order or correction worked out: its act, the timelines without and with it, and what it changes.

    `dice_missing`: dice of its own are owed, which the console's dice could throw. `order` is what was asked
    for.
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
        """How the entry itself stands; None for a correction that brings no entry."""
        return self.act.rulings.get(brought_by(self.act))

    @property
    def owed(self) -> tuple[Owed, ...]:
        """The rolls and questions that this act brought up."""
        return _owed_alone(self.after, self.before)

    @property
    def unasked(self) -> tuple[Owed, ...]:
        """The rolls and questions that were owed before and are no longer."""
        return _owed_alone(self.before, self.after)


def work_out(
    system: RuleSystem,
    timeline: Timeline,
    order: Order,
    version_of: Callable[[Order], Version] = Version,
    throw: ThrowDie | None = None,
    source: DiceSource | None = None,
    entry: PreparedEntry | None = None,
) -> Revision:
    """An order or a correction worked out; OrderRefused if it cannot be.

    `version_of` adds to a play order what it reads from files. Without `throw` no dice are thrown; a
    `source` throws them where the order has a call. `entry` is a play order prepared on this battle, if it
    has been.
    """
    decide = partial(decide_fresh, throw=throw, source=source, before=timeline)
    if order.form not in CORRECTIONS:
        return _play(system, timeline, version_of(order), decide, source, entry)
    brought = order.order("order")
    asked = asked_by(timeline, order, version_of(brought) if brought else None)
    return _revise(system, timeline, asked, decide)


def _play(
    system: RuleSystem,
    timeline: Timeline,
    version: Version,
    decide: Decide,
    source: DiceSource | None,
    entry: PreparedEntry | None,
) -> Revision:
    """A play order as it is entered now; the answer to what a correction asks goes where it belongs."""
    number, order = timeline.next_number, version.order
    question = question_of(timeline.battle, order) if order.is_answer else asked_for(timeline.battle, order)
    if question is not None:
        if order.is_answer:
            version = evolve(version, order=order.with_slot("key", question.key))
            thrown = source.find_begun(timeline, question, version.call) if source else None
            if thrown is not None:
                again = Order(AMEND, {"n": thrown}, call=version.call)
                return _revise(system, timeline, asked_by(timeline, again, None), decide)
            answered = _asked_again_by(timeline, question)
            if answered is not None:
                again = Order(AMEND, {"n": answered, "order": order})
                return _revise(system, timeline, asked_by(timeline, again, version), decide)
        late = late_answer(system, timeline, version, question)
        if late is not None:
            return _revise(system, timeline, AskedCorrection(late), decide)
    entered, ruling = decide(system, timeline.battle, number, version, entry=entry)
    act = Entry(number, entered, None, {number: ruling})
    return Revision(act, timeline, appended(timeline, act), dice_missing=_owes_dice(entered, ruling))


def _asked_again_by(timeline: Timeline, question: Owed) -> int | None:
    """The answer that asks its own question again, as what it was given for has changed: it is amended."""
    for number in () if question.dice else reversed(timeline.play_order):
        if timeline.versions[number].order.key == question.key:
            effects = timeline.rulings[number].decision.effects
            return number if any(_asks(effect, question.key, carries=False) for effect in effects) else None
    return None


def _owes_dice(version: Version, ruling: Ruling) -> bool:
    owed = (effect.value for effect in ruling.decision.effects if effect.op is Op.OWE)
    return any(
        isinstance(question, Owed) and question.dice and question.order == version.order.bare
        for question in owed
    )


def replayed(system: RuleSystem, timeline: Timeline, act: LogAct) -> Timeline:
    """The timeline with an act as it was once recorded, everything that it rules on decided by today's rules.

    An order that they refuse is parked. The act must be the next of the log and stand in it as acts do.
    """
    act = evolve(act, rulings={})
    shifts = isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT
    plain = isinstance(act, Entry) and act.after is None
    brought = brought_by(act)
    # What comes at the end needs no look at all that came before it.
    numbers = () if plain else _replay(timeline, act)[0]
    if act.version is None or shifts or not (plain or brought in numbers):
        return Redecision(system, timeline, act, {}).after
    there = timeline.battle if plain else timeline.battle_at(numbers.index(brought))
    placed = None if plain else timeline.rulings_when_placed.get(brought)
    early = not plain and may_be_early(there, act.version.order, placed)
    whose = DiceOf.ENTRY if plain else DiceOf.AMENDMENT
    try:
        _, ruling = decide_fresh(system, there, brought, act.version, dice=whose, early=early)
    except OrderRefused:
        ruling, _ = play_again(system, there, brought, act.version, placed)
    if plain and isinstance(act, Entry):
        return appended(timeline, evolve(act, rulings={brought: ruling}))
    return Redecision(system, timeline, act, {brought: ruling}).after


def _revise(system: RuleSystem, timeline: Timeline, asked: AskedCorrection, decide: Decide) -> Revision:
    """Works an act out: decides the entry that it brings, then every one behind it again."""
    act, missing, entered = asked.act, False, None
    given: dict[int, Ruling] = {}
    brought = brought_by(act)
    if act.version is not None:
        numbers, _, place = _replay(timeline, act)
        if numbers[place : place + 1] != (brought,):
            raise OrderRefused(f"{brought} is not where it was expected")
        there = timeline.battle_at(place)
        early = may_be_early(there, act.version.order, timeline.rulings_when_placed.get(brought))
        version, ruling = decide(system, there, brought, act.version, dice=asked.dice, early=early)
        act, missing, entered = evolve(act, version=version), _owes_dice(version, ruling), brought
        given[brought] = ruling
    decided = Redecision(system, timeline, act, given)
    if isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT:
        findings = _refused_there(decided.after, brought, f"shift {brought} after {act.after} force")
        if findings:
            act = evolve(act, version=_forced_there(timeline.versions[brought], findings, asked))
            decided = Redecision(system, timeline, act, given)
    consequences = consequences_of(system, timeline, decided, entered)
    return Revision(decided.after.log[-1], timeline, decided.after, consequences, missing)


def _refused_there(timeline: Timeline, number: int, force: str) -> tuple[Finding, ...]:
    """What stands against an entry at its place; against a `next` what is owed there, but for `force`."""
    if timeline.rulings[number].state is not State.STANDS:
        return timeline.rulings[number].findings
    if not _ends(timeline.versions[number]):
        return ()
    return what_holds(timeline.battle_at(timeline.place(number)), force)


def _forced_there(version: Version, findings: tuple[Finding, ...], asked: AskedCorrection) -> Version:
    """An entry that its new place refuses, forced; OrderRefused if it is not to be, or cannot be."""
    if not asked.forced or any(not finding.refused for finding in findings):
        raise OrderRefused(*sorted(findings, key=lambda finding: finding.refused))
    overrode = (*version.overrode, *(finding.clause for finding in findings))
    return evolve(version, order=evolve(version.order, forced=True), overrode=overrode)


def effect_changes(system: RuleSystem, battle: Battle, effects: Sequence[Effect]) -> tuple[ValueChange, ...]:
    """The values that effects change, worked out effect by effect."""
    changes, ships = [], dict(battle.ships)
    for effect in effects:
        if effect.op is Op.JOIN and isinstance(effect.value, Ship):
            ships.setdefault(effect.value.id, effect.value)
        if effect.op not in ON_LOGS or effect.ship not in ships:
            continue
        before = ships[effect.ship]
        after = ships[effect.ship] = ON_LOGS[effect.op](before, effect)
        if field := find_field(system, effect.field):
            was, now = (field.shown(field_value(ship, effect.field)) for ship in (before, after))
            changes.append(ValueChange(effect.ship, effect.field, was, now))
    return tuple(changes)


def net(changes: Iterable[ValueChange]) -> list[ValueChange]:
    """What each value was before and is after all of them; nothing of those that came back."""
    by_field: dict[tuple[str, str], ValueChange] = {}
    for change in changes:
        first = by_field.get((change.ship, change.field), change)
        by_field[change.ship, change.field] = ValueChange(
            change.ship, change.field, first.before, change.after
        )
    return [change for change in by_field.values() if change.before != change.after]


MOST = 40
"""Entries of one cell at most."""


@frozen
class Cause:
    """One entry that touched a cell: its number, the battle before it, its ruling, what it changed there."""

    number: int
    before: Battle
    ruling: Ruling
    changes: tuple[ValueChange, ...]


def causes(system: RuleSystem, timeline: Timeline, ship: Ship, column: Column | None) -> tuple[Cause, ...]:
    """The entries in force whose effects touched a column of a ship, newest first; without one, all of her.

    What a column is drawn from on other ships counts too.
    """
    fields = column.fields if column else ()
    columns = (column,) if column else system.columns
    beside = {place for each in columns if each.beside for place in each.beside(timeline.battle, ship)}

    def touched(change: Effect | ValueChange) -> bool:
        own = change.ship == ship.id and (not fields or change.field in fields)
        return own or (change.ship, change.field) in beside

    touching = []
    # In the order of play each battle is folded from the one before.
    for place, number in enumerate(timeline.play_order):
        ruling = timeline.rulings[number]
        effects = ruling.decision.effects
        if any(map(touched, effects)):
            before = timeline.battle_at(place)
            own = tuple(change for change in effect_changes(system, before, effects) if touched(change))
            touching += [Cause(number, before, ruling, own)] if own else []
    return tuple(reversed(touching[-MOST:]))
