"""The log of acts as a value: what is in force, the order of play, and the battle that follows.

An act is an `Entry` (an order that was played) or a `Correction`. Each has its number for life and records what it
changed, so that the battle is folded from the log without asking a rule.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property

from attrs import evolve as with_
from attrs import field, frozen

from qf_tui.core.deciding import ANSWERS, Ruling, State, Version
from qf_tui.core.effects import fold
from qf_tui.core.values import Battle

CHECKPOINT_EVERY = 64
"""Entries between two battles that are kept while folding."""


class Mend(StrEnum):
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

    `rulings` are those that it changed, its own among them.
    """

    number: int
    version: Version
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)


@frozen
class Correction:
    """A correction of `targets`: a new `version` (amend), or a place `after` an entry (shift)."""

    number: int
    mend: Mend
    targets: tuple[int, ...]
    version: Version | None = None
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)


LogAct = Entry | Correction

_STRIKES = {Mend.STRIKE, Mend.UNDO}
_RESTORES = {Mend.RESTORE, Mend.REDO}


@frozen
class Timeline:
    """A battle with its whole log.

    `script` holds the numbers of the entries in force in the order of play; `rulings` how each stands;
    `checkpoints` the battle before some places of the script.
    """

    start: Battle
    battle: Battle
    log: tuple[LogAct, ...] = ()
    script: tuple[int, ...] = ()
    versions: Mapping[int, Version] = field(factory=dict)
    rulings: Mapping[int, Ruling] = field(factory=dict)
    checkpoints: Mapping[int, Battle] = field(factory=dict)

    @property
    def next_number(self) -> int:
        return len(self.log) + 1

    def act(self, number: int) -> LogAct | None:
        """An act by its number, in force or not."""
        return self.log[number - 1] if 0 < number <= len(self.log) else None

    def battle_at(self, place: int) -> Battle:
        """The battle before the entry at a place of the script (its length: the battle now)."""
        if place >= len(self.script):
            return self.battle
        near = place - place % CHECKPOINT_EVERY
        battle = self.checkpoints.get(near, self.start)
        for number in self.script[near if near in self.checkpoints else 0 : place]:
            battle = apply(battle, number, self.rulings[number])
        return battle

    def in_state(self, state: State) -> tuple[int, ...]:
        """The entries in force that are parked, or spare, in the order of play."""
        return tuple(number for number in self.script if self.rulings[number].state is state)

    @cached_property
    def in_force(self) -> frozenset[int]:
        """The numbers of all acts in force, corrections too."""
        return _in_force(self.log)

    @cached_property
    def placed(self) -> Mapping[int, Ruling]:
        """How each entry stood when it was put where it is."""
        return placements(self.log)

    def with_act(self, act: LogAct) -> tuple[tuple[int, ...], Mapping[int, Version]]:
        """The script with one act more, and the version of each entry; without the log being laid out anew if it need
        not be."""
        if isinstance(act, Correction) and act.mend is Mend.AMEND and act.version is not None:
            return self.script, {**self.versions, act.targets[0]: act.version}
        if isinstance(act, Correction) and act.mend in _STRIKES and self._are_entries(act.targets):
            return tuple(number for number in self.script if number not in act.targets), self.versions
        return structure((*self.log, act))

    def placed_with(self, act: LogAct) -> Mapping[int, Ruling]:
        """How each entry stood when it was put where it is, with one act more."""
        if isinstance(act, Entry) or act.mend is Mend.AMEND or self._are_entries(act.targets):
            if not (isinstance(act, Correction) and act.mend is Mend.SHIFT):
                return self.placed
        return placements((*self.log, act))

    def _are_entries(self, numbers: tuple[int, ...]) -> bool:
        return all(isinstance(self.act(number), Entry) for number in numbers)


def apply(battle: Battle, number: int, ruling: Ruling) -> Battle:
    """The battle after an entry, as it stands."""
    if ruling.state is not State.STANDS:
        return battle
    return fold(battle, ruling.decision.effects, number)


def opened(start: Battle, log: Sequence[LogAct]) -> Timeline:
    """The timeline of a log: read, not decided."""
    rulings: dict[int, Ruling] = {}
    for act in log:
        rulings.update(act.rulings)
    script, versions = structure(log)
    battle, checkpoints = _folded(start, script, rulings)
    return Timeline(start, battle, tuple(log), script, versions, rulings, checkpoints)


def appended(timeline: Timeline, entry: Entry) -> Timeline:
    """The timeline with an entry at the end of play."""
    ruling = entry.rulings[entry.number]
    place = len(timeline.script)
    checkpoints = timeline.checkpoints
    if place % CHECKPOINT_EVERY == 0:
        checkpoints = {**checkpoints, place: timeline.battle}
    return Timeline(
        timeline.start,
        apply(timeline.battle, entry.number, ruling),
        (*timeline.log, entry),
        (*timeline.script, entry.number),
        {**timeline.versions, entry.number: entry.version},
        {**timeline.rulings, **entry.rulings},
        checkpoints,
    )


def _folded(
    start: Battle, script: tuple[int, ...], rulings: Mapping[int, Ruling]
) -> tuple[Battle, dict[int, Battle]]:
    """The battle at the end of a script, and its checkpoints."""
    battle = start
    checkpoints = {}
    for at, number in enumerate(script):
        if at % CHECKPOINT_EVERY == 0:
            checkpoints[at] = battle
        battle = apply(battle, number, rulings[number])
    return battle, checkpoints


def structure(log: Sequence[LogAct]) -> tuple[tuple[int, ...], dict[int, Version]]:
    """The entries in force in the order of play, and the version of each that is played."""
    standing = _in_force(log)
    order, versions = _laid_out(log, standing)
    return tuple(number for number in order if number in standing), versions


def order_of_play(log: Sequence[LogAct]) -> tuple[int, ...]:
    """All entries in the order of play, those that are struck too: each where it would stand."""
    return tuple(_laid_out(log, _in_force(log))[0])


def _laid_out(log: Sequence[LogAct], standing: frozenset[int]) -> tuple[list[int], dict[int, Version]]:
    """Every entry in the order of play, and the version of each that is played.

    Struck entries keep their places while the script is laid out, so that what stands behind them does not move.
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
                _place(order, anchors, (act.number,), act.after, _phase_ends(act.version, versions))
        elif act.number in standing and act.mend is Mend.SHIFT:
            order = [number for number in order if number not in act.targets]
            _place(order, anchors, act.targets, act.after or 0)
        elif act.number in standing and act.mend is Mend.AMEND and act.version is not None:
            versions[act.targets[0]] = act.version
    return order, versions


def _phase_ends(version: Version, versions: Mapping[int, Version]) -> frozenset[int]:
    """The ends of phases that an answer stands ahead of: all but the one that asked it; none for any other order."""
    words = version.order.split()
    if words[0] not in ANSWERS:
        return frozenset()
    asked_by = words[1].partition("/")[0]
    return frozenset(
        number for number, other in versions.items() if other.order == "next" and str(number) != asked_by
    )


def _place(
    order: list[int],
    anchors: dict[int, int],
    numbers: tuple[int, ...],
    after: int,
    ahead_of: frozenset[int] = frozenset(),
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


def _in_force(log: Sequence[LogAct]) -> frozenset[int]:
    """The acts in force: from the last to the first, each takes out of force or restores what is before it."""
    struck: dict[int, bool] = {}
    for act in reversed(log):
        if isinstance(act, Correction) and not struck.get(act.number, False):
            if act.mend in _STRIKES or act.mend in _RESTORES:
                for target in act.targets:
                    struck.setdefault(target, act.mend in _STRIKES)
    return frozenset(act.number for act in log if not struck.get(act.number, False))


def placements(log: Sequence[LogAct]) -> dict[int, Ruling]:
    """How each entry stood when it was put where it is: as it was entered, or at its last shift in force.

    What a shift that is still being worked out moves has yet to be decided there, and is left out.
    """
    standing = _in_force(log)
    latest: dict[int, Ruling] = {}
    placed: dict[int, Ruling] = {}
    for act in log:
        latest.update(act.rulings)
        if isinstance(act, Entry):
            placed.update(act.rulings and {act.number: act.rulings[act.number]})
        elif act.mend is Mend.SHIFT and act.number in standing:
            for target in act.targets:
                placed[target] = latest[target]
    if log and isinstance(log[-1], Correction) and log[-1].mend is Mend.SHIFT:
        return {number: ruling for number, ruling in placed.items() if number not in log[-1].targets}
    return placed


def struck_order(log: Sequence[LogAct]) -> tuple[int, ...]:
    """The acts out of force, the one struck last at the end."""
    standing = _in_force(log)
    order: list[int] = []
    for act in log:
        if isinstance(act, Correction) and act.mend in _STRIKES and act.number in standing:
            for target in act.targets:
                order = [number for number in order if number != target]
                order.append(target)
    return tuple(number for number in order if number not in standing)


def renumbered(act: LogAct, rulings: Mapping[int, Ruling]) -> LogAct:
    """The act with the rulings that it changed."""
    return with_(act, rulings=rulings)
