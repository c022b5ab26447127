"""What a correction changes beyond the act itself: later entries, what is owed, the logs, the table."""

from attrs import frozen

from qf_tui.core.acts import Ruling, State
from qf_tui.core.redecide import Redecided
from qf_tui.core.system import RuleSystem, Shape
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Owed


@frozen
class Reread:
    """An entry that is decided otherwise; `same`: by other figures it comes to the same."""

    entry: int
    was: Ruling
    now: Ruling

    @property
    def same(self) -> bool:
        return self.was.state is self.now.state and self.was.decision.effects == self.now.decision.effects


@frozen
class ValueChange:
    """A value of a ship that differs before and after an entry or a correction.

    `before` and `after` are as a rule system reports them, or as a log shows them.
    """

    ship: str
    field: str
    before: Shape | tuple[str, ...]
    after: Shape | tuple[str, ...]


@frozen
class Consequences:
    """What a correction changes beyond the act itself."""

    kept: int = 0
    reread: tuple[Reread, ...] = ()
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[Owed, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    table: tuple[tuple[str, str], ...] = ()
    rules_differ: tuple[int, ...] = ()


def consequences_of(
    system: RuleSystem, before: Timeline, after: Timeline, decided: Redecided, entered: int | None
) -> Consequences:
    """What stands otherwise; `entered` is the entry whose order the act brings: what it does is not told."""
    reread = tuple(
        Reread(number, before.rulings[number], ruling)
        for number, ruling in decided.changed.items()
        if ruling.state is State.STANDS and number in before.rulings and number != entered
        if _reads_otherwise(before.rulings[number], ruling)
    )
    known = {owed.key for owed in before.battle.owed}
    return Consequences(
        decided.kept,
        reread,
        _newly(State.PARKED, before, after, decided),
        _newly(State.SPARE, before, after, decided),
        tuple(owed for owed in after.battle.owed if owed.key not in known),
        differences(system, before.battle, after.battle),
        system.on_table(before.battle, after.battle),
        decided.rules_differ,
    )


def _newly(state: State, before: Timeline, after: Timeline, decided: Redecided) -> tuple[int, ...]:
    """The entries in a state that were not, or were for another reason; those that come back in it too."""
    known = set(before.in_state(state)) - decided.changed.keys()
    return tuple(number for number in after.in_state(state) if number not in known)


def _reads_otherwise(was: Ruling, now: Ruling) -> bool:
    """Whether an entry that counts now did not before, or gives other reasons."""
    return was.state is not now.state or was.decision.reasons != now.decision.reasons


def differences(system: RuleSystem, before: Battle, after: Battle) -> tuple[ValueChange, ...]:
    """Every value of every ship that differs between two battles."""
    found: list[ValueChange] = []
    for id in {**before.ships, **after.ships}:
        old, new = before.ships.get(id), after.ships.get(id)
        if old == new and before.turn == after.turn:
            continue
        was = system.report(before, old) if old else {}
        now = system.report(after, new) if new else {}
        found += [
            ValueChange(id, name, was.get(name), now.get(name))
            for name in {**was, **now}
            if was.get(name) != now.get(name)
        ]
    return tuple(found)
