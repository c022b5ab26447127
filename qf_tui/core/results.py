"""What of the throws of a rule system is counted as results, as it declares it."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import field, frozen

from qf_tui.core.measure import Scalar
from qf_tui.core.values import SUNK, Battle


def _one(word: str) -> int:
    """Every word counts as one."""
    return 1


@frozen
class ResultKind:
    """Results that a report counts: what the throws of some lines state in `outcome`, by name.

    `lines` are the words of orders and the lines of owed rolls, as `RuleSystem.counted_as` has them. `each`
    says what a text counts, or each one of a list; a number counts itself, true 1. `damage`: they are for the
    side that throws, of an owed roll for that of the entry that caused it, and of one sum with all others
    that are; else for the ship that is rolled for, in a row of their own. `harm` says by what they
    damage that ship: "a fire". `told` stands before codes that do not say themselves that they are results.
    """

    name: str
    title: str
    lines: tuple[str, ...]
    outcome: tuple[str, ...]
    damage: bool = False
    each: Callable[[str], int] = field(default=_one, eq=False)
    harm: str = ""
    told: str = ""

    def counted(self, outcome: Mapping[str, Scalar | tuple[str, ...]]) -> int:
        """The results that a decision states."""
        return sum(self._count(outcome.get(name)) for name in self.outcome)

    def _count(self, value: Scalar | tuple[str, ...]) -> int:
        """How much a fact of an outcome counts."""
        if isinstance(value, tuple):
            return sum(map(self.each, value))
        if isinstance(value, str):
            return self.each(value)
        return int(value) if isinstance(value, bool | int) else 0


def of_damage(kinds: Iterable[ResultKind]) -> tuple[str, ...]:
    """The names of those that are results of damage."""
    return tuple(kind.name for kind in kinds if kind.damage)


def kind_of(kinds: Iterable[ResultKind], line: str) -> ResultKind | None:
    """The kind that the dice of a line count for, or None."""
    return next((kind for kind in kinds if line in kind.lines), None)


@frozen
class Event:
    """Something that an evening is told by, in words; `ship` is the one that it happened to, "" for none.

    `lost`: she is not afloat any more.
    """

    text: str
    ship: str = ""
    lost: bool = False


def losses(before: Battle, after: Battle) -> Iterator[Event]:
    """The ships of which something became between two battles."""
    if before.ships is after.ships:
        return
    for ship in after.ships.values():
        old = before.ships.get(ship.id)
        if old is not None and old.status != ship.status and not ship.afloat:
            text = f"{ship.name} {'sinks' if ship.status == SUNK else f'is {ship.status}'}"
            yield Event(text, ship.id, lost=True)
