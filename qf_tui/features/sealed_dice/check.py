"""Checks sealed dice: makes every throw of a log again from the seed."""

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
    """A remark on a throw."""

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
    def wrong(self) -> bool:
        return self in (ThrowMark.FACES, ThrowMark.CONTEXT, ThrowMark.DICE)


@frozen
class CheckedThrow:
    """A throw of the log: the act that recorded it, the entry, its version, and remarks."""

    act: int
    entry: int
    version: Version
    marks: tuple[ThrowMark, ...] = ()


def check_throws(system: RuleSystem, timeline: Timeline, dice: SealedDice) -> tuple[CheckedThrow, ...]:
    """Make every throw of a log again, and return them in the order of the log."""
    thrown = defaultdict[Context, set[tuple[int, int]]](set)
    throws = []
    called = [act.number for act in timeline.log if act.version and act.version.call is not None]
    for before, act, version in _list_versions(timeline):
        if version.context and version.call is not None:
            thrown[version.context].add((find_brought_entry(act), version.call))
        marks = tuple(_find_dice_marks(system, before, act, version, dice))
        if act.number > max(called, default=0) and not version.context:
            # After the seed is known or lost, an order needs no context.
            marks = tuple(mark for mark in marks if mark is not ThrowMark.CONTEXT)
        if version.dice or any(mark.wrong for mark in marks):
            throws.append(CheckedThrow(act.number, find_brought_entry(act), version, marks))
    return tuple(
        evolve(throw, marks=(*throw.marks, *_find_later_marks(timeline, throw, thrown))) for throw in throws
    )


def _list_versions(timeline: Timeline) -> Iterator[tuple[Timeline, LogAct, Version]]:
    """Yield the acts that recorded an order, each with the timeline before it."""
    before = build_timeline(timeline.start, ())
    for act in timeline.log:
        if act.version is not None and (isinstance(act, Entry) or act.kind is CorrectionKind.AMEND):
            yield before, act, act.version
        before = add_act(before, act)


def _find_dice_marks(
    system: RuleSystem, before: Timeline, act: LogAct, version: Version, dice: SealedDice
) -> Iterator[ThrowMark]:
    """Yield the faults of the dice of an order, and a mark if people threw them."""
    if version.call is None:
        if version.dice:
            yield ThrowMark.TYPED
    else:
        between = tuple(Die(most - least + 1, "", least) for least, most in version.between)
        if dice.throw_faces(version.context, version.call, between) != version.dice:
            yield ThrowMark.FACES
    order, _ = before.with_act(act)
    battle = before.battle_at(order.index(find_brought_entry(act)))
    try:
        entry = prepare_entry(system, battle, version, early=True)
    except OrderRefused:
        yield ThrowMark.CONTEXT
        return
    if find_context(before, battle, find_brought_entry(act), entry) != version.context:
        yield ThrowMark.CONTEXT
    lie = len(entry.question.faces) if entry.question else 0
    wanted = entry.prepared.dice[lie : lie + len(version.dice)]
    if version.call is not None and version.between != tuple((die.least, die.most) for die in wanted):
        yield ThrowMark.DICE


def _find_later_marks(
    timeline: Timeline, throw: CheckedThrow, thrown: dict[Context, set[tuple[int, int]]]
) -> Iterator[ThrowMark]:
    if throw.version.forced:
        yield ThrowMark.FORCED
    if throw.entry not in timeline.in_force:
        yield ThrowMark.STRUCK
    elif timeline.rulings[throw.entry].state is State.SPARE:
        yield ThrowMark.SPARE
    if throw.act != throw.entry or _is_amended(timeline.log, throw.entry, throw.version.order.cause):
        yield ThrowMark.AMENDED
    same = thrown[throw.version.context]
    calls, stand = {call for _, call in same}, {entry for entry, _ in same} & timeline.in_force
    if throw.version.call is not None and (len(calls) > 1 or len(stand) > 1):
        yield ThrowMark.AGAIN


def _is_amended(log: Sequence[LogAct], *entries: int) -> bool:
    """Return whether an entry or its cause was ever amended, in force or not."""
    return any(
        isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.targets[0] in entries
        for act in log
    )
