"""The check of a log: today's rules decide every entry again, on the battle as recorded before it."""

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
    apply_ruling,
)


class DifferenceKind(Enum):
    """The cause of a difference: a changed ruling, other words for the same decision, or neither."""

    RULING = "by a changed ruling"
    WORDS = "in wording only"
    OTHER = "otherwise"


@frozen
class Difference:
    """An entry of a save that today's rules decide differently than recorded.

    Attributes:
        number: Number of the entry.
        version: Its order as entered.
        was: Recorded ruling.
        now: Ruling by today's rules.
        by: Changed rulings that explain the difference.
    """

    number: int
    version: Version
    was: Ruling
    now: Ruling
    by: tuple[ChangedRuling, ...] = ()

    @property
    def kind(self) -> DifferenceKind:
        """The cause of the difference: a changed ruling, only other words, or something else."""
        if self.by:
            return DifferenceKind.RULING
        return DifferenceKind.WORDS if self.was.substance == self.now.substance else DifferenceKind.OTHER


def list_differences(system: RuleSystem, timeline: Timeline, program: str) -> tuple[Difference, ...]:
    """List the entries in force that today's rules decide differently, in play order.

    Args:
        program: Version of the program that began the save. Only rulings changed since then can explain a
            difference.
    """
    changed_rulings = tuple(
        ruling for ruling in system.changed_rulings if _read_version(program) < _read_version(ruling.since)
    )
    differences = []
    battle = timeline.start
    for number in timeline.play_order:
        recorded = timeline.rulings[number]
        version = timeline.versions[number]
        ruling, after = play_again(system, battle, number, version, recorded)
        if ruling != recorded:
            causes = tuple(_list_explaining(changed_rulings, recorded, ruling))
            differences.append(Difference(number, version, recorded, ruling, causes))
            # Later entries were decided on the battle after the recorded ruling.
            after = apply_ruling(battle, number, recorded)
        battle = after
    return tuple(differences)


def _read_version(version: str) -> tuple[int, ...]:
    """Return the numbers at the start of a version, for comparison: `0.1.9` < `0.2` < `0.2.0`."""
    parts = takewhile(lambda part: part.isascii() and part.isdigit(), version.split("."))
    return tuple(map(int, parts))


def _list_explaining(changed: Iterable[ChangedRuling], was: Ruling, now: Ruling) -> Iterator[ChangedRuling]:
    """Yield the changed rulings that affect a clause or a field in which two rulings of an entry differ.

    Reasons and effects are compared only if the state of the entry is the same.
    """
    affected_names = {*_list_blocking_clauses(was, now), *_list_blocking_clauses(now, was)}
    if was.state is now.state:
        affected_names.update(_list_reason_clauses(was.decision.reasons, now.decision.reasons))
        affected_names.update(_list_fields_only_in(was, now), _list_fields_only_in(now, was))
    return (ruling for ruling in changed if not affected_names.isdisjoint((ruling.clause, *ruling.seen_in)))


def _list_blocking_clauses(ruling: Ruling, other_ruling: Ruling) -> Iterator[str]:
    """Yield the clauses of findings that a ruling has and the other lacks."""
    return (finding.clause for finding in ruling.findings if finding not in other_ruling.findings)


def _list_reason_clauses(was: Sequence[Reason], now: Sequence[Reason]) -> Iterator[str]:
    """Yield the clauses of reasons that differ, in order.

    It stops at the first pair with different clauses, and yields both of these only if no earlier pair
    differed. Later differences follow from earlier ones: a shot that is not fired has no percentage either.
    """
    has_differed = False
    old_reasons, new_reasons = (
        [reason for reason in reasons if not reason.is_remark] for reasons in (was, now)
    )
    for old, new in zip_longest(old_reasons, new_reasons):
        if old is None or new is None or old.clause != new.clause:
            if not has_differed:
                yield from (reason.clause for reason in (old, new) if reason is not None)
            return
        if old != new:
            has_differed = True
            yield old.clause


def _list_fields_only_in(ruling: Ruling, other_ruling: Ruling) -> Iterator[str]:
    """Yield the fields of effects that a ruling has and the other lacks, or has less often."""
    unmatched = list(other_ruling.decision.effects)
    for effect in ruling.decision.effects:
        if effect in unmatched:
            unmatched.remove(effect)
        else:
            yield effect.field
