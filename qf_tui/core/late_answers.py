"""Where the answer to a question goes that came up when play had gone on."""

from collections.abc import Iterator

from qf_tui.core.acts import Entry, State, Version
from qf_tui.core.effects import Effect, Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.prepare import prepare_entry
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, order_of_play, structure
from qf_tui.core.values import Owed


def late_answer(system: RuleSystem, timeline: Timeline, version: Version, question: Owed) -> Entry | None:
    """The answer to a question as the entry that goes where it belongs; None for one in time.

    That is right behind what asks it. Where the rules hold dice back there, as other questions of the same
    entry are answered further on, it is behind the first answer to one of those that lets them go.
    """
    after = _behind_what_asks(timeline, question)
    if after is None:
        return None
    number = timeline.next_number
    places = [
        Entry(number, version, place, before=_ahead_of(timeline, place))
        for place in (after, *_answers_behind(timeline, after, question))
    ]
    return next((entry for entry in places if not _held_back(system, timeline, entry)), places[0])


def _answers_behind(timeline: Timeline, after: int, question: Owed) -> Iterator[int]:
    """The answers behind an entry to what the cause of a question asked besides; for words none."""
    if not question.dice:
        return
    place = timeline.play_order.index(after) + 1 if after in timeline.play_order else 0
    for number in timeline.play_order[place:]:
        order, stands = timeline.versions[number].order, timeline.rulings[number].state is State.STANDS
        if stands and order.is_answer and order.cause == question.entry:
            yield number


def _held_back(system: RuleSystem, timeline: Timeline, entry: Entry) -> bool:
    """Whether a rule refuses an answer where it would stand, or nothing asks for it there."""
    order, _ = structure((*timeline.log, entry))
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
        asked_by = _recorder(timeline, order[place])
        behind = order[place + 1 :]
        in_time = not question.late and all(number > asked_by for number in behind)
        in_time = in_time and not any(map(_ends, _laid_behind(timeline, order[place])))
        if in_time and not _dice_wait(timeline, question, place):
            return None
        ends = [effect for effect in effects[asks.index(True) :] if effect.op is Op.PHASE]
        if not ends or version.forced:
            return order[place]
        return order[place - 1] if place else 0
    return 0 if _came_back_to_start(timeline, question) else None


def _laid_behind(timeline: Timeline, number: int) -> Iterator[Version]:
    """What stands behind an entry, struck or not: a `next` that is struck may come back."""
    order = order_of_play(timeline.log)
    return (timeline.versions[other] for other in order[order.index(number) + 1 :])


def _came_back_to_start(timeline: Timeline, question: Owed) -> bool:
    """Whether a question of the start, which no entry asks, lost its answer when play had gone on."""
    order = timeline.play_order
    if not order or all(owed.key != question.key for owed in timeline.start.owed):
        return False
    if question.late or any(_ends(timeline.versions[number]) for number in order):
        return True
    return any(isinstance(act, Entry) and act.version.order.key == question.key for act in timeline.log)


def _ahead_of(timeline: Timeline, after: int) -> int | None:
    """The answer behind an entry that was given early, to what only the end of the phase would have asked.

    What was owed before that is answered ahead of it.
    """
    place = timeline.play_order.index(after) + 1 if after in timeline.play_order else 0
    for number in timeline.play_order[place:]:
        order, ruling = timeline.versions[number].order, timeline.rulings[number]
        if order.is_phase_end:
            return None
        if any(_asks(effect, order.key, carries=False) for effect in ruling.decision.effects[:-1]):
            return number
    return None


def _ends(version: Version) -> bool:
    """Whether an entry is a `next` that an open question ahead of it would have held."""
    return version.order.is_phase_end and not version.forced


def _dice_wait(timeline: Timeline, question: Owed, place: int) -> bool:
    """Whether spare answers of the same cause stand behind a place.

    They answer again what follows from this one.
    """
    return any(
        timeline.rulings[number].state is State.SPARE
        and timeline.versions[number].order.cause == question.entry
        for number in timeline.play_order[place + 1 :]
    )


def _asks(effect: Effect, key: str, *, carries: bool) -> bool:
    """Whether an effect asks the question; a `next` that only carries on what is late already does not."""
    if effect.op is not Op.OWE or not isinstance(effect.value, Owed) or effect.value.key != key:
        return False
    return not (carries and effect.value.late)


def _recorder(timeline: Timeline, number: int) -> int:
    """The act that recorded how an entry stands."""
    return next((act.number for act in reversed(timeline.log) if number in act.rulings), number)
