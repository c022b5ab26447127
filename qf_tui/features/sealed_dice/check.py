"""Checks sealed dice: makes every throw of a log again from the seed, and compares the faces."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum

from attrs import evolve, frozen

from qf_tui.core.decide import prepare_entry
from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import (
    Correction,
    CorrectionKind,
    Entry,
    LogAct,
    State,
    Timeline,
    Version,
    add_act,
    build_timeline,
    find_brought_entry,
)
from qf_tui.core.values import Die
from qf_tui.features.sealed_dice.dice import Context, SealedDice, find_context


class ThrowMark(StrEnum):
    """The result of checking a throw of sealed dice."""

    FACES = "seed, words and call give other faces"
    CONTEXT = "its context differs from the log"
    DICE = "the rules need other dice"
    TYPED = "typed, not thrown"
    FORCED = "forced"
    STRUCK = "struck"
    AMENDED = "amended"
    AGAIN = "thrown again"
    SPARE = "no longer asked for"

    @property
    def is_fault(self) -> bool:
        """True if the mark says that the throw is wrong."""
        return self in (ThrowMark.FACES, ThrowMark.CONTEXT, ThrowMark.DICE)


@frozen
class CheckedThrow:
    """A throw of the log: the act that recorded it, the entry, its version, and remarks."""

    act: int
    entry: int
    version: Version
    marks: tuple[ThrowMark, ...] = ()


def check_throws(system: RuleSystem, timeline: Timeline, dice: SealedDice) -> tuple[CheckedThrow, ...]:
    """Make every throw of a log again, and return the throws with their marks, in the order of the log.

    An order without dice is returned only if it has a mark of a fault, such as a wrong context.
    """
    throws_by_context = defaultdict[Context, set[tuple[int, int]]](set)
    throws = []
    acts_with_call = [act.number for act in timeline.log if act.version and act.version.call is not None]
    last_with_call = max(acts_with_call, default=0)
    for before, act, version in _list_versions(timeline):
        if version.context and version.call is not None:
            throws_by_context[version.context].add((find_brought_entry(act), version.call))
        marks = tuple(_find_dice_marks(system, before, act, version, dice))
        if act.number > last_with_call and not version.context:
            # After the seed is known or lost, an order needs no context.
            marks = tuple(mark for mark in marks if mark is not ThrowMark.CONTEXT)
        if version.dice or any(mark.is_fault for mark in marks):
            throws.append(CheckedThrow(act.number, find_brought_entry(act), version, marks))
    return tuple(
        evolve(throw, marks=(*throw.marks, *_find_later_marks(timeline, throw, throws_by_context)))
        for throw in throws
    )


def _list_versions(timeline: Timeline) -> Iterator[tuple[Timeline, LogAct, Version]]:
    """Yield the acts that recorded an order, each with the timeline before it."""
    before = build_timeline(timeline.start, log=())
    for act in timeline.log:
        # A forced shift has a version too, but it is the order that an earlier act recorded.
        if act.version is not None and (isinstance(act, Entry) or act.kind is CorrectionKind.AMEND):
            yield before, act, act.version
        before = add_act(before, act)


def _find_dice_marks(
    system: RuleSystem, before: Timeline, act: LogAct, version: Version, dice: SealedDice
) -> Iterator[ThrowMark]:
    """Yield a mark if the dice were typed, and a mark for each wrong part of a throw.

    The faces must be those that the seed gives; the context and the dice, those that the rules give now.
    """
    if version.call is None:
        if version.dice:
            yield ThrowMark.TYPED
    else:
        dice_thrown = tuple(Die(sides=most - least + 1, least=least) for least, most in version.between)
        if dice.throw_faces(version.context, version.call, dice_thrown) != version.dice:
            yield ThrowMark.FACES
    number = find_brought_entry(act)
    play_order, _ = before.find_structure_with(act)
    battle = before.battle_at(play_order.index(number))
    try:
        entry = prepare_entry(system, battle, version, early=True)
    except OrderRefused:
        # The rules cannot prepare the order here, so its stored context cannot be right.
        yield ThrowMark.CONTEXT
        return
    if find_context(before, battle, number, entry) != version.context:
        yield ThrowMark.CONTEXT
    # Faces that the question knew already were not thrown again.
    known_count = len(entry.question.faces) if entry.question else 0
    required_dice = entry.prepared.dice[known_count : known_count + len(version.dice)]
    if version.call is not None and version.between != tuple((die.least, die.most) for die in required_dice):
        yield ThrowMark.DICE


def _find_later_marks(
    timeline: Timeline, throw: CheckedThrow, throws_by_context: dict[Context, set[tuple[int, int]]]
) -> Iterator[ThrowMark]:
    """Yield the marks of a throw that its log gives: forced, struck, spare, amended, or thrown again.

    Args:
        throws_by_context: By context, the entry and the call of each throw.
    """
    if throw.version.forced:
        yield ThrowMark.FORCED
    if throw.entry not in timeline.in_force:
        yield ThrowMark.STRUCK
    elif timeline.rulings[throw.entry].state is State.SPARE:
        yield ThrowMark.SPARE
    # The throw may be an amendment, or its entry or the order that asked for the throw was amended.
    if throw.act != throw.entry or _is_amended(timeline.log, throw.entry, throw.version.order.cause):
        yield ThrowMark.AMENDED
    # Two calls, or two entries in force, with one context mean that the dice were thrown again.
    throws_of_context = throws_by_context[throw.version.context]
    calls = {call for _, call in throws_of_context}
    entries_in_force = {entry for entry, _ in throws_of_context} & timeline.in_force
    if throw.version.call is not None and (len(calls) > 1 or len(entries_in_force) > 1):
        yield ThrowMark.AGAIN


def _is_amended(log: Sequence[LogAct], *entries: int) -> bool:
    """Return whether one of some entries was ever amended; an amendment that was taken back counts."""
    return any(
        isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.targets[0] in entries
        for act in log
    )
