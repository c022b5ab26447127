"""Every entry decided again by today's rules on the battle as it was recorded: what differs, and by what."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import zip_longest

from attrs import evolve, frozen

from qf_tui.core.decide import decide_again
from qf_tui.core.decisions import Effect, Reason
from qf_tui.core.declarations import ChangedRuling
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, Timeline, Version, apply
from qf_tui.core.values import Owed


class DifferenceKind(Enum):
    """What a difference comes from: a ruling that was changed, other words for the same, or neither."""

    RULING = "by a changed ruling"
    WORDS = "in words alone"
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
    found = []
    battle = timeline.start
    for number in timeline.play_order:
        recorded, version = timeline.rulings[number], timeline.versions[number]
        ruling = decide_again(system, battle, number, version, recorded)
        if ruling != recorded:
            by = tuple(_explaining(changed, recorded, ruling))
            found.append(Difference(number, version, recorded, ruling, by))
        battle = apply(battle, number, recorded)
    return tuple(found)


def _parts(version: str) -> tuple[int, ...]:
    """A version by its numbers, as far as it has them: `0.2.0` comes behind `0.2`, and `0.1.9` before it."""
    numbers: list[int] = []
    for part in version.split("."):
        if not (part.isascii() and part.isdigit()):
            break
        numbers.append(int(part))
    return tuple(numbers)


def _explaining(changed: Iterable[ChangedRuling], was: Ruling, now: Ruling) -> Iterator[ChangedRuling]:
    """The changed rulings that show in where two rulings part."""
    shown = {*_hindering(was, now), *_hindering(now, was)}
    if was.state is now.state:
        shown.update(_reasoned(was.decision.reasons, now.decision.reasons))
        shown.update(_written(was, now), _written(now, was))
    return (ruling for ruling in changed if not shown.isdisjoint((ruling.clause, *ruling.seen_in)))


def _hindering(one: Ruling, other: Ruling) -> Iterator[str]:
    """The clauses of what hinders in one ruling alone."""
    return (finding.clause for finding in one.findings if finding not in other.findings)


def _reasoned(was: Sequence[Reason], now: Sequence[Reason]) -> Iterator[str]:
    """The clauses of reasons that differ, up to where other clauses follow.

    A shot that no longer fires has no percentage either: what is missing behind a difference follows from it.
    """
    parted = False
    for old, new in zip_longest(was, now):
        if old is None or new is None or old.clause != new.clause:
            if not parted:
                yield from (reason.clause for reason in (old, new) if reason is not None)
            return
        if old != new:
            parted = True
            yield old.clause


def _written(one: Ruling, other: Ruling) -> Iterator[str]:
    """The fields of effects that a ruling has alone, or more often."""
    left = list(other.decision.effects)
    for effect in one.decision.effects:
        if effect in left:
            left.remove(effect)
        else:
            yield effect.field


def substance(ruling: Ruling) -> object:
    """A ruling without its words: reasons, prompts and what findings say; to be compared."""
    hindrances = tuple((finding.clause, finding.refused) for finding in ruling.findings)
    effects = tuple(map(_unprompted, ruling.decision.effects))
    return ruling.state, effects, ruling.decision.outcome, hindrances


def _unprompted(effect: Effect) -> Effect:
    asks = effect.value
    return evolve(effect, value=evolve(asks, prompt="")) if isinstance(asks, Owed) else effect
