"""Verifies a log: decides every entry again on the battle as recorded."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import takewhile, zip_longest

from attrs import frozen

from qf_tui.core.decide import play_again
from qf_tui.core.decisions import Reason
from qf_tui.core.declarations import ChangedRuling
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import (
    Ruling,
    Timeline,
    Version,
    apply,
)


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
        return DifferenceKind.WORDS if self.was.substance == self.now.substance else DifferenceKind.OTHER


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
