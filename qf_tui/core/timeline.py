"""The log with the battle that follows from it, folded and never decided."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from attrs import evolve, field, frozen

from qf_tui.core.acts import STRIKES, Correction, CorrectionKind, Entry, LogAct, Ruling, State, Version
from qf_tui.core.effects import fold
from qf_tui.core.order_of_play import in_force, rulings_when_placed, structure
from qf_tui.core.values import Battle

CHECKPOINT_EVERY = 64
"""Entries between two battles that are kept while folding."""


@frozen
class Timeline:
    """A battle with its whole log.

    `script` holds the numbers of the entries in force in the order of play; `rulings` the state of each;
    `checkpoints` the battle before some places of the script.
    """

    start: Battle
    battle: Battle
    log: tuple[LogAct, ...] = ()
    play_order: tuple[int, ...] = ()
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
        if place >= len(self.play_order):
            return self.battle
        near = place - place % CHECKPOINT_EVERY
        battle = self.checkpoints.get(near, self.start)
        for number in self.play_order[near if near in self.checkpoints else 0 : place]:
            battle = apply(battle, number, self.rulings[number])
        return battle

    def in_state(self, state: State) -> tuple[int, ...]:
        """The entries in force that are parked, or spare, in the order of play."""
        return tuple(number for number in self.play_order if self.rulings[number].state is state)

    @cached_property
    def in_force(self) -> frozenset[int]:
        """The numbers of all acts in force, corrections too."""
        return in_force(self.log)

    @cached_property
    def rulings_when_placed(self) -> Mapping[int, Ruling]:
        """The ruling of each entry when it was put at its place."""
        return rulings_when_placed(self.log)

    def with_act(self, act: LogAct) -> tuple[tuple[int, ...], Mapping[int, Version]]:
        """The script with one more act, and the version of each entry; builds them anew only if it must."""
        if isinstance(act, Correction) and act.kind is CorrectionKind.AMEND and act.version is not None:
            return self.play_order, {**self.versions, act.targets[0]: act.version}
        if isinstance(act, Correction) and act.kind in STRIKES and self._are_entries(act.targets):
            return tuple(number for number in self.play_order if number not in act.targets), self.versions
        return structure((*self.log, act))

    def rulings_when_placed_with(self, act: LogAct) -> Mapping[int, Ruling]:
        """The ruling of each entry when it was put at its place, with one act more."""
        shifts = isinstance(act, Correction) and act.kind is CorrectionKind.SHIFT
        kept = isinstance(act, Entry) or act.kind is CorrectionKind.AMEND or self._are_entries(act.targets)
        return self.rulings_when_placed if kept and not shifts else rulings_when_placed((*self.log, act))

    def _are_entries(self, numbers: tuple[int, ...]) -> bool:
        return all(isinstance(self.act(number), Entry) for number in numbers)


def apply(battle: Battle, number: int, ruling: Ruling) -> Battle:
    """The battle after an entry, by its ruling."""
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
    place = len(timeline.play_order)
    checkpoints = timeline.checkpoints
    if place % CHECKPOINT_EVERY == 0:
        checkpoints = {**checkpoints, place: timeline.battle}
    return Timeline(
        timeline.start,
        apply(timeline.battle, entry.number, ruling),
        (*timeline.log, entry),
        (*timeline.play_order, entry.number),
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


def renumbered(act: LogAct, rulings: Mapping[int, Ruling]) -> LogAct:
    """The act with the rulings that it changed."""
    return evolve(act, rulings=rulings)
