"""Sealed dice: faces that a seed, the words of the sides and a called number make, for anybody to check.

The save-format page (`qf_tui.journal`) has the message to the byte. A byte that would favour some faces is
passed over, never reduced.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from hashlib import sha256
from hmac import digest
from itertools import count

from attrs import evolve, field, frozen

from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.facts import read_key
from qf_tui.core.prepare import PreparedEntry, prepare_entry
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import (
    Correction,
    CorrectionKind,
    Entry,
    LogAct,
    State,
    Timeline,
    Version,
    appended,
    opened,
)
from qf_tui.core.values import CALL, Battle, Die, Order, Owed

SEALED = "sealed"
"""What a scenario says of its dice, to have them sealed."""
VERSION = "qf-dice-1"
SEED_BYTES = 32

Context = tuple[str, ...]
"""What tells a throw from all others of its battle."""


@frozen
class SealedDice:
    """The dice of one battle: its seed, and the words that its sides gave, "" for one that gave none."""

    seed: bytes = field(repr=False)
    words: tuple[str, ...] = ()

    @property
    def seal(self) -> str:
        """The seal that is shown before turn 1, in hexadecimal."""
        return seal_of(self.seed)

    def faces(self, context: Context, call: int, dice: Sequence[Die]) -> tuple[int, ...]:
        """The faces of dice that are thrown together."""
        cup = Cup(self, context, call)
        return tuple([cup.throw(die) for die in dice])


class Cup:
    """One throw of sealed dice while it is thrown; `thrown` are its dice so far."""

    def __init__(self, dice: SealedDice, context: Context, call: int) -> None:
        self.thrown: list[Die] = []
        self._bytes = _bytes_of(dice, context, call)

    def throw(self, die: Die) -> int:
        """The face of the next die."""
        fair = 256 - 256 % die.sides
        self.thrown.append(die)
        return die.least + next(byte for byte in self._bytes if byte < fair) % die.sides


def seal_of(seed: bytes) -> str:
    """The seal of a seed: its SHA-256 in hexadecimal."""
    return sha256(seed).hexdigest()


def message(words: Sequence[str], context: Context, call: int, counter: int) -> bytes:
    """What is hashed for 32 bytes of a throw."""
    lines = (VERSION, _json(context), _json(words), str(call), str(counter))
    return "\n".join(lines).encode()


def _json(texts: Sequence[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


def _bytes_of(dice: SealedDice, context: Context, call: int) -> Iterator[int]:
    for counter in count():
        yield from digest(dice.seed, message(dice.words, context, call, counter), "sha256")


START = "start"
"""The word of the start in contexts."""


@frozen
class SealedTable:
    """The sealed dice of a battle as its timeline stands, before an act is entered."""

    dice: SealedDice
    timeline: Timeline

    def context(self, battle: Battle, number: int, entry: PreparedEntry) -> Context:
        """The context of an entry with that number, on the battle where it stands."""
        return context_of(self.timeline, battle, number, entry)

    def cup(self, context: Context, call: int) -> Cup:
        """A throw that was called for."""
        return Cup(self.dice, context, call)


def context_of(timeline: Timeline, battle: Battle, number: int, entry: PreparedEntry) -> Context:
    """What tells the throws of an entry from all others; `timeline` is the one before it is entered."""
    if entry.question is not None:
        return _of_question(timeline, number, entry, entry.question)
    same = (str(battle.turn), battle.phase, entry.order.word, *_identifying(entry.order))
    amended = timeline.versions.get(number)
    if amended is not None and amended.context[:-1] == same:
        return amended.context
    return _free(same, 1, {version.context for version in _others(timeline, number)})


def _others(timeline: Timeline, number: int) -> Iterator[Version]:
    """The other entries in force."""
    return (timeline.versions[other] for other in timeline.play_order if other != number)


def _free(same: Context, least: int, taken: AbstractSet[Context]) -> Context:
    """The context with the first number behind it that is free."""
    return next(found for nth in count(least) if (found := (*same, str(nth))) not in taken)


def _identifying(order: Order) -> Iterator[str]:
    for slot in order.form.slots:
        if slot.identifies:
            value = order.slots.get(slot.name)
            yield "" if value is None else " ".join(slot.kind.write(slot, value))


def _of_question(timeline: Timeline, number: int, entry: PreparedEntry, question: Owed) -> Context:
    cause = timeline.versions.get(question.entry)
    asks = (str(timeline.start.turn), timeline.start.phase, START) if cause is None else cause.context
    own = cause is not None and cause.order.bare == question.order and entry.prepared.owes == question.line
    if own and not question.faces:
        return asks
    thrown = {version.context for version in _others(timeline, number) if version.call is not None}
    found = _free((*asks, question.line, question.ship), read_key(question.key).nth, thrown)
    return (*found, str(len(question.faces))) if question.faces else found


def thrown_in_part(timeline: Timeline, question: Owed, call: int | None) -> int | None:
    """The entry by whose call some dice of a question lie; None without one, OrderRefused for another call.

    The rest comes from the same call: it could else be had twice, as the whole may be entered anew.
    """
    if call is None or not question.faces:
        return None
    answers = (one for one in timeline.play_order if timeline.versions[one].order.key == question.key)
    number = next(answers, question.entry)
    thrown = timeline.versions[number].call if number in timeline.versions else None
    if thrown is not None and thrown != call:
        raise OrderRefused(
            impossible(f"{CALL} {thrown} has thrown the first of these dice: it throws the rest")
        )
    return None if thrown is None else number


def typed_findings(order: Order) -> tuple[Finding, ...]:
    """What stands against faces that were typed where the dice are sealed."""
    if not order.dice or order.call is not None:
        return ()
    return (
        refused(f"the dice of this battle are sealed: `{order.bare.line} {CALL} N`, or enter it without", ""),
    )


def check_unsealed(version: Version) -> None:
    """OrderRefused for a call where no dice are sealed."""
    if version.call is not None:
        raise OrderRefused(
            impossible(f"{CALL} {version.call}: this battle has no sealed dice to throw; type faces")
        )


def in_context(version: Version, context: Context, *, kept: bool) -> Version:
    """An order in the context of its throws.

    `kept`: it amends another and has its dice, which it loses if they were thrown in another context.
    """
    if kept and version.call is not None and version.context != context:
        order = evolve(version.order, dice=(), call=None)
        return evolve(version, order=order, context=context, between=())
    return evolve(version, context=context)


class ThrowMark(StrEnum):
    """What is to be said of a throw."""

    FACES = "the seed, the words and the call do not give these faces"
    CONTEXT = "its context is not the one that the log gives"
    DICE = "these are not the dice that the rules want"
    TYPED = "typed, not thrown"
    FORCED = "forced"
    STRUCK = "struck"
    AMENDED = "amended"
    AGAIN = "thrown again"
    SPARE = "nothing asks for it any more"

    @property
    def wrong(self) -> bool:
        """Whether it says that a throw does not come out."""
        return self in (ThrowMark.FACES, ThrowMark.CONTEXT, ThrowMark.DICE)


@frozen
class CheckedThrow:
    """A throw of the log: the act that brought it, the entry, its version, and what is to be said of it."""

    act: int
    entry: int
    version: Version
    marks: tuple[ThrowMark, ...] = ()


def checked_throws(system: RuleSystem, timeline: Timeline, dice: SealedDice) -> tuple[CheckedThrow, ...]:
    """Every throw of a log, in the order of the log, worked out again."""
    thrown = defaultdict[Context, set[tuple[int, int]]](set)
    found = []
    called = [act.number for act in timeline.log if act.version and act.version.call is not None]
    for before, act, version in _versions(timeline):
        if version.context and version.call is not None:
            thrown[version.context].add((_entry(act), version.call))
        marks = tuple(_came_out(system, before, act, version, dice))
        if act.number > max(called, default=0) and not version.context:
            # From where the seed was known, or gone, contexts are of no use to anybody.
            marks = tuple(mark for mark in marks if mark is not ThrowMark.CONTEXT)
        if version.dice or any(mark.wrong for mark in marks):
            found.append(CheckedThrow(act.number, _entry(act), version, marks))
    return tuple(
        CheckedThrow(one.act, one.entry, one.version, (*one.marks, *_done_to(timeline, one, thrown)))
        for one in found
    )


def _versions(timeline: Timeline) -> Iterator[tuple[Timeline, LogAct, Version]]:
    """The acts that brought an order, each with the timeline before it."""
    before = opened(timeline.start, ())
    for at, act in enumerate(timeline.log):
        if act.version is not None and not (
            isinstance(act, Correction) and act.kind is not CorrectionKind.AMEND
        ):
            yield before, act, act.version
        if isinstance(act, Entry) and act.after is None:
            before = appended(before, act)
        else:
            before = opened(timeline.start, timeline.log[: at + 1])


def _entry(act: LogAct) -> int:
    return act.number if isinstance(act, Entry) else act.targets[0]


def _came_out(
    system: RuleSystem, before: Timeline, act: LogAct, version: Version, dice: SealedDice
) -> Iterator[ThrowMark]:
    """What does not come out of an order that was entered, and who threw its dice."""
    if version.call is None:
        if version.dice:
            yield ThrowMark.TYPED
    else:
        between = tuple(Die(most - least + 1, "", least) for least, most in version.between)
        if dice.faces(version.context, version.call, between) != version.dice:
            yield ThrowMark.FACES
    battle = _where(before, act)
    try:
        entry = prepare_entry(system, battle, version, early=True)
    except OrderRefused:
        yield ThrowMark.CONTEXT
        return
    if context_of(before, battle, _entry(act), entry) != version.context:
        yield ThrowMark.CONTEXT
    lie = len(entry.question.faces) if entry.question else 0
    wanted = entry.prepared.dice[lie : lie + len(version.dice)]
    if version.call is not None and version.between != tuple((die.least, die.most) for die in wanted):
        yield ThrowMark.DICE


def _where(before: Timeline, act: LogAct) -> Battle:
    """The battle on which an act's order was decided."""
    order, _ = before.with_act(act)
    return before.battle_at(order.index(_entry(act)))


def _done_to(
    timeline: Timeline, one: CheckedThrow, thrown: dict[Context, set[tuple[int, int]]]
) -> Iterator[ThrowMark]:
    """What people did to a throw."""
    in_force = one.entry in timeline.in_force
    if one.version.forced:
        yield ThrowMark.FORCED
    if not in_force:
        yield ThrowMark.STRUCK
    elif timeline.rulings[one.entry].state is State.SPARE:
        yield ThrowMark.SPARE
    if one.act != one.entry or _amended(timeline.log, one.entry, one.version.order.cause):
        yield ThrowMark.AMENDED
    same = thrown[one.version.context]
    calls, stand = {call for _, call in same}, {entry for entry, _ in same} & timeline.in_force
    if one.version.call is not None and (len(calls) > 1 or len(stand) > 1):
        yield ThrowMark.AGAIN


def _amended(log: Sequence[LogAct], *entries: int) -> bool:
    """Whether an entry, or what caused it, was amended, in force or not."""
    return any(
        isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.targets[0] in entries
        for act in log
    )
