"""Decides every entry behind a correction again; what newer rules alone would change is kept apart."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from qf_tui.core.acts import Correction, CorrectionKind, Entry, LogAct, Ruling, Version
from qf_tui.core.decide import decide_again, play_again
from qf_tui.core.numbered import Numbered
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import CHECKPOINT_EVERY, Timeline, apply, opened
from qf_tui.core.values import Battle

TRIED_LEAST = CHECKPOINT_EVERY // 2
"""Entries that every correction decides again, as far as there are so many."""


@frozen
class Replay:
    """What is to be played: the entries in order, the version of each, and the place from which it is new."""

    numbers: Sequence[int]
    versions: Numbered[Version]
    place: int


@frozen
class Redecided:
    """What deciding again gave: the rulings that change, the battle at the end, and its checkpoints.

    `rules_differ` are the entries on which only the rules have changed, `kept` is how many keep their record.
    """

    changed: Mapping[int, Ruling]
    rules_differ: tuple[int, ...]
    kept: int
    battle: Battle
    checkpoints: Mapping[int, Battle]


class Walk:
    """The battles of a timeline from entry to entry, each folded once as long as the walk goes forward."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.places = {number: at for at, number in enumerate(timeline.play_order)}
        self._at = 0
        self._battle = timeline.start

    def before(self, number: int) -> Battle:
        """The battle before an entry of the replay."""
        place = self.places[number]
        if not self._at <= place <= self._at + CHECKPOINT_EVERY:
            self._at, self._battle = place, self.timeline.battle_at(place)
        while self._at < place:
            walked = self.timeline.play_order[self._at]
            self._battle = apply(self._battle, walked, self.timeline.rulings[walked])
            self._at += 1
        return self._battle

    def has(self, number: int, version: Version) -> bool:
        """Whether the entry is played here in that very version."""
        return number in self.places and self.timeline.versions[number] is version


def decide_on(
    system: RuleSystem,
    timeline: Timeline,
    act: LogAct,
    replay: Replay,
    given: Mapping[int, Ruling],
) -> Redecided:
    """Decides every entry of a replay from its new place on; `given` are the rulings that are known already.

    An entry whose new decision is not its record is also decided on the battle as it was before the
    correction: where that gives the same, the rules have changed and not the battle, and the record is kept.
    So is the record of an older timeline that had the entry on the very battle that it now has again. Where
    the same is played on from a battle that is the same again, and no rules have changed, nothing is decided.
    """
    return _Redecision(system, timeline, act, replay, given).to_the_end()


class _Redecision:
    """A replay on its way: the battle before the next entry, and what deciding again has given so far."""

    def __init__(
        self,
        system: RuleSystem,
        timeline: Timeline,
        act: LogAct,
        replay: Replay,
        given: Mapping[int, Ruling],
    ) -> None:
        self._system, self._timeline, self._replay, self._given = system, timeline, replay, given
        self._walk = Walk(timeline)
        self._older = tuple(Walk(past) for past in _goes_back_to(timeline, act))
        self._placed = timeline.rulings_when_placed_with(act)
        self._as_placed = timeline.rulings_when_placed
        # A record from before may come back, or hang on the place that an entry had: then all is decided.
        whole = bool(self._older) or self._placed is not self._as_placed
        self._same_from = len(replay.numbers) if whole else _same_from(timeline, replay)
        self._battle = timeline.battle_at(replay.place)
        self._checkpoints = {at: kept for at, kept in timeline.checkpoints.items() if at <= replay.place}
        self._changed: dict[int, Ruling] = {}
        self._differ: list[int] = []
        self._kept = 0

    def to_the_end(self) -> Redecided:
        """Decides entry by entry, as far as any can come out otherwise."""
        for at in range(self._replay.place, len(self._replay.numbers)):
            if at % CHECKPOINT_EVERY == 0:
                self._checkpoints[at] = self._battle
            if self._same_again(at):
                self._keep_from(at)
                break
            self._decide(self._replay.numbers[at])
        return Redecided(self._changed, tuple(self._differ), self._kept, self._battle, self._checkpoints)

    def _same_again(self, at: int) -> bool:
        """Whether the same entries follow on the same battle: none of them needs to be asked again."""
        if at < self._same_from or self._differ:
            return False
        return self._timeline.checkpoints.get(self._walk.places[self._replay.numbers[at]]) == self._battle

    def _keep_from(self, at: int) -> None:
        """Lets stand what is recorded from a place on, checkpoints included."""
        shift = at - self._walk.places[self._replay.numbers[at]]
        for place, then in self._timeline.checkpoints.items():
            if place + shift >= at:
                self._checkpoints[place + shift] = then
        self._kept += len(self._replay.numbers) - at
        self._battle = self._timeline.battle

    def _decide(self, number: int) -> None:
        ruling, after = self._ruling(number)
        if ruling == self._timeline.rulings.get(number):
            self._kept += number in self._walk.places
        else:
            self._changed[number] = ruling
        self._battle = after

    def _ruling(self, number: int) -> tuple[Ruling, Battle]:
        """How the entry counts now, and the battle behind it."""
        if number in self._given:
            return self._given[number], apply(self._battle, number, self._given[number])
        version = self._replay.versions[number]
        decided, after = play_again(self._system, self._battle, number, version, self._placed.get(number))
        ruling = _as_once_recorded(self._older, number, version, self._battle, decided)
        if self._rules_alone_differ(number, version, ruling):
            self._differ.append(number)
            ruling = self._timeline.rulings[number]
        return ruling, after if ruling is decided else apply(self._battle, number, ruling)

    def _rules_alone_differ(self, number: int, version: Version, ruling: Ruling) -> bool:
        """Whether an entry would have come to this before the correction too, and is recorded otherwise."""
        if not self._walk.has(number, version) or ruling == self._timeline.rulings[number]:
            return False
        before, placed = self._walk.before(number), self._as_placed.get(number)
        return decide_again(self._system, before, number, version, placed) == ruling


def _same_from(timeline: Timeline, replay: Replay) -> int:
    """The place of a replay from which the same is played as before, in the same versions.

    Some entries are decided again in any case: rules that have changed since would show in them.
    """
    at = len(replay.numbers)
    for number, old in zip(reversed(replay.numbers), reversed(timeline.play_order), strict=False):
        if number != old or replay.versions[number] is not timeline.versions[number]:
            break
        at -= 1
    return max(at, replay.place + TRIED_LEAST)


def _as_once_recorded(
    older: tuple[Walk, ...], number: int, version: Version, battle: Battle, ruling: Ruling
) -> Ruling:
    """The record of an older timeline, where it had the entry on this very battle; else the ruling itself."""
    for walk in older:
        recorded = walk.timeline.rulings[number] if walk.has(number, version) else ruling
        if recorded != ruling and walk.before(number) == battle:
            return recorded
    return ruling


def _goes_back_to(timeline: Timeline, act: LogAct) -> tuple[Timeline, ...]:
    """The timelines before what an act takes back: a struck correction or insertion, or a restored strike."""
    if isinstance(act, Entry) or act.kind in (CorrectionKind.AMEND, CorrectionKind.SHIFT):
        return ()
    found = set()
    for target in act.targets:
        if act.kind in (CorrectionKind.STRIKE, CorrectionKind.UNDO):
            struck = timeline.act(target)
            if isinstance(struck, Correction) or (struck is not None and struck.after is not None):
                found.add(target - 1)
        else:
            struck_by = (
                other.number
                for other in reversed(timeline.log)
                if isinstance(other, Correction)
                and other.kind in (CorrectionKind.STRIKE, CorrectionKind.UNDO)
                if target in other.targets
            )
            found.update(number - 1 for number in list(struck_by)[:1])
    return tuple(opened(timeline.start, timeline.log[:length]) for length in sorted(found))
