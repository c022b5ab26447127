"""What of the throws of a rule system is counted as results, as it declares it."""

from collections.abc import Mapping

from attrs import frozen

from qf_tui.core.measure import Scalar


@frozen
class ResultKind:
    """Results that a report counts: what the throws of some lines state in `outcome`, by name.

    `lines` are the words of orders and the lines of owed rolls. Of a fact that is a list its length counts,
    of true 1. `damage`: they are for the side that throws, and of one sum with all others that are; else for
    the ship that is rolled for, in a row of their own.
    """

    name: str
    title: str
    lines: tuple[str, ...]
    outcome: tuple[str, ...]
    damage: bool = False

    def counted(self, outcome: Mapping[str, Scalar | tuple[str, ...]]) -> int:
        """The results that a decision states."""
        return sum(_count(outcome.get(name)) for name in self.outcome)


def _count(value: Scalar | tuple[str, ...]) -> int:
    """How much a fact of an outcome counts; words count as none."""
    if isinstance(value, tuple):
        return len(value)
    return int(value) if isinstance(value, bool | int) else 0
