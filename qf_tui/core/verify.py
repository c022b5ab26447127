"""Verifies a log: decides every entry again on the battle as recorded, makes every sealed throw again."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, StrEnum
from itertools import takewhile, zip_longest

from attrs import evolve, frozen

from qf_tui.core.decide import play_again, prepare_entry
from qf_tui.core.decisions import Effect, Reason
from qf_tui.core.declarations import ChangedRuling
from qf_tui.core.errors import OrderRefused
from qf_tui.core.sealed_dice import Context, SealedDice, context_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import (
    Correction,
    CorrectionKind,
    Entry,
    LogAct,
    Ruling,
    State,
    Timeline,
    Version,
    apply,
    brought_by,
    opened,
    recorded,
)
from qf_tui.core.values import Die, Owed


class DifferenceKind(Enum):
    """What a difference comes from: a ruling that was changed, other words for the same, or neither."""

    RULING = "by a changed ruling"
    WORDS = "in wording only"
    OTHER = "otherwise"


@frozen
class Difference:
    """An entry that today's rules decide otherwise; `by` are the changed rulings that explain it."""

    number: int
    version: Version
    was: Ruling
    now: Ruling
    by: tuple[ChangedRuling, ...] = ()

    @property
    def kind(self) -> DifferenceKind:
        if self.by:
            return DifferenceKind.RULING
        return DifferenceKind.WORDS if substance(self.was) == substance(self.now) else DifferenceKind.OTHER


def differences(system: RuleSystem, timeline: Timeline, program: str) -> tuple[Difference, ...]:
    """The entries in force whose record is not what the rules decide today, in the order of play.

    `program` is the version of the program that began the save: only rulings changed since explain it.
    """
    changed = tuple(ruling for ruling in system.changed_rulings if _parts(program) < _parts(ruling.since))
    differing = []
    battle = timeline.start
    for number in timeline.play_order:
        recorded, version = timeline.rulings[number], timeline.versions[number]
        ruling, after = play_again(system, battle, number, version, recorded)
        if ruling != recorded:
            by = tuple(_explaining(changed, recorded, ruling))
            differing.append(Difference(number, version, recorded, ruling, by))
            after = apply(battle, number, recorded)
        battle = after
    return tuple(differing)


def _parts(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with: `0.2.0` comes after `0.2`, and `0.1.9` before it."""
    parts = takewhile(lambda part: part.isascii() and part.isdigit(), version.split("."))
    return tuple(map(int, parts))


def _explaining(changed: Iterable[ChangedRuling], was: Ruling, now: Ruling) -> Iterator[ChangedRuling]:
    """The changed rulings that show in where two rulings part."""
    shown = {*_hindering(was, now), *_hindering(now, was)}
    if was.state is now.state:
        shown.update(_reasoned(was.decision.reasons, now.decision.reasons))
        shown.update(_written(was, now), _written(now, was))
    return (ruling for ruling in changed if not shown.isdisjoint((ruling.clause, *ruling.seen_in)))


def _hindering(ruling: Ruling, other: Ruling) -> Iterator[str]:
    return (finding.clause for finding in ruling.findings if finding not in other.findings)


def _reasoned(was: Sequence[Reason], now: Sequence[Reason]) -> Iterator[str]:
    """The clauses of reasons that differ, up to where other clauses follow.

    What is missing behind a difference follows from it: a shot that no longer fires has no percentage.
    """
    parted = False
    was, now = ([reason for reason in reasons if not reason.remark] for reasons in (was, now))
    for old, new in zip_longest(was, now):
        if old is None or new is None or old.clause != new.clause:
            if not parted:
                yield from (reason.clause for reason in (old, new) if reason is not None)
            return
        if old != new:
            parted = True
            yield old.clause


def _written(ruling: Ruling, other: Ruling) -> Iterator[str]:
    """The fields of effects that a ruling has alone, or more often."""
    left = list(other.decision.effects)
    for effect in ruling.decision.effects:
        if effect in left:
            left.remove(effect)
        else:
            yield effect.field


def substance(ruling: Ruling) -> object:
    """A ruling without its words: reasons, prompts and what findings say; to be compared."""
    hindrances = tuple((finding.clause, finding.refused) for finding in ruling.findings)
    return ruling.state, unworded(ruling.decision.effects), ruling.decision.outcome, hindrances


def unworded(effects: Iterable[Effect]) -> list[Effect]:
    """Effects without the words in which people are asked."""
    return [
        evolve(effect, value=evolve(effect.value, prompt="")) if isinstance(effect.value, Owed) else effect
        for effect in effects
    ]


class ThrowMark(StrEnum):
    """A remark on a throw."""

    FACES = "seed, words and call give other faces"
    CONTEXT = "its context is not the log's"
    DICE = "the rules want other dice"
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
    """A throw of the log: the act that brought it, the entry, its version, and the remarks on it."""

    act: int
    entry: int
    version: Version
    marks: tuple[ThrowMark, ...] = ()


def checked_throws(system: RuleSystem, timeline: Timeline, dice: SealedDice) -> tuple[CheckedThrow, ...]:
    """Every throw of a log, in the order of the log, worked out again."""
    thrown = defaultdict[Context, set[tuple[int, int]]](set)
    throws = []
    called = [act.number for act in timeline.log if act.version and act.version.call is not None]
    for before, act, version in _versions(timeline):
        if version.context and version.call is not None:
            thrown[version.context].add((brought_by(act), version.call))
        marks = tuple(_came_out(system, before, act, version, dice))
        if act.number > max(called, default=0) and not version.context:
            # From where the seed was known, or gone, contexts are of no use to anybody.
            marks = tuple(mark for mark in marks if mark is not ThrowMark.CONTEXT)
        if version.dice or any(mark.wrong for mark in marks):
            throws.append(CheckedThrow(act.number, brought_by(act), version, marks))
    return tuple(evolve(throw, marks=(*throw.marks, *_done_to(timeline, throw, thrown))) for throw in throws)


def _versions(timeline: Timeline) -> Iterator[tuple[Timeline, LogAct, Version]]:
    """The acts that brought an order, each with the timeline before it."""
    before = opened(timeline.start, ())
    for act in timeline.log:
        if act.version is not None and (isinstance(act, Entry) or act.kind is CorrectionKind.AMEND):
            yield before, act, act.version
        before = recorded(before, act)


def _came_out(
    system: RuleSystem, before: Timeline, act: LogAct, version: Version, dice: SealedDice
) -> Iterator[ThrowMark]:
    """What is wrong with the dice of an order, and who threw them."""
    if version.call is None:
        if version.dice:
            yield ThrowMark.TYPED
    else:
        between = tuple(Die(most - least + 1, "", least) for least, most in version.between)
        if dice.faces(version.context, version.call, between) != version.dice:
            yield ThrowMark.FACES
    order, _ = before.with_act(act)
    battle = before.battle_at(order.index(brought_by(act)))
    try:
        entry = prepare_entry(system, battle, version, early=True)
    except OrderRefused:
        yield ThrowMark.CONTEXT
        return
    if context_of(before, battle, brought_by(act), entry) != version.context:
        yield ThrowMark.CONTEXT
    lie = len(entry.question.faces) if entry.question else 0
    wanted = entry.prepared.dice[lie : lie + len(version.dice)]
    if version.call is not None and version.between != tuple((die.least, die.most) for die in wanted):
        yield ThrowMark.DICE


def _done_to(
    timeline: Timeline, throw: CheckedThrow, thrown: dict[Context, set[tuple[int, int]]]
) -> Iterator[ThrowMark]:
    if throw.version.forced:
        yield ThrowMark.FORCED
    if throw.entry not in timeline.in_force:
        yield ThrowMark.STRUCK
    elif timeline.rulings[throw.entry].state is State.SPARE:
        yield ThrowMark.SPARE
    if throw.act != throw.entry or _amended(timeline.log, throw.entry, throw.version.order.cause):
        yield ThrowMark.AMENDED
    same = thrown[throw.version.context]
    calls, stand = {call for _, call in same}, {entry for entry, _ in same} & timeline.in_force
    if throw.version.call is not None and (len(calls) > 1 or len(stand) > 1):
        yield ThrowMark.AGAIN


def _amended(log: Sequence[LogAct], *entries: int) -> bool:
    """Whether an entry, or what caused it, was amended, in force or not."""
    return any(
        isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.targets[0] in entries
        for act in log
    )
