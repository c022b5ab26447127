"""The acts of a log as values: what the umpire entered or corrected, and how each entry was decided.

Each act has its number for life and records what it changed, so that the battle is folded from the log
without asking a rule.
"""

from collections.abc import Mapping
from enum import StrEnum

from attrs import field, frozen

from qf_tui.core.charts import Charts
from qf_tui.core.decisions import Decision
from qf_tui.core.errors import Finding
from qf_tui.core.grammar.order import Order
from qf_tui.core.values import Ship


@frozen
class Version:
    """What the umpire entered: the order, and the clauses that he overrode if he forced it.

    `overlay` and `arrivals` are what the order brought from files: a chart, the ships that join. `estimated`:
    what it measures was estimated. `thrown`: the console threw some of its dice. Of a battle with sealed dice
    `context` is what tells the throws of the order from all others, and `between` has the least and the
    greatest face of each die that a call threw.
    """

    order: Order
    overrode: tuple[str, ...] = ()
    overlay: Charts | None = None
    arrivals: tuple[Ship, ...] = ()
    estimated: bool = False
    thrown: bool = False
    context: tuple[str, ...] = ()
    between: tuple[tuple[int, int], ...] = ()

    @property
    def dice(self) -> tuple[int, ...]:
        return self.order.dice

    @property
    def call(self) -> int | None:
        return self.order.call

    @property
    def forced(self) -> bool:
        return self.order.forced


class State(StrEnum):
    """The state of an entry in force: it counts, a rule now refuses it, or its dice are not asked for."""

    STANDS = "stands"
    PARKED = "parked"
    SPARE = "spare"


@frozen
class Ruling:
    """The state of an entry, what it did, and its findings."""

    decision: Decision = Decision()
    state: State = State.STANDS
    findings: tuple[Finding, ...] = ()


class CorrectionKind(StrEnum):
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

    `before` is the answer behind that entry that it stands ahead of all the same, as it was owed first.
    `rulings` are those that it changed, its own among them; `at` is when it was entered, in seconds since the
    battle began (None: unknown).
    """

    number: int
    version: Version
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)
    at: float | None = None
    before: int | None = None


@frozen
class Correction:
    """A correction of `targets`: a new `version` (amend), or a place `after` an entry (shift).

    A shift that is forced has both: its first target with the clauses that it overrides there.

    `at` is as of an entry.
    """

    number: int
    kind: CorrectionKind
    targets: tuple[int, ...]
    version: Version | None = None
    after: int | None = None
    rulings: Mapping[int, Ruling] = field(factory=dict)
    at: float | None = None


LogAct = Entry | Correction

STRIKES = {CorrectionKind.STRIKE, CorrectionKind.UNDO}
RESTORES = {CorrectionKind.RESTORE, CorrectionKind.REDO}
"""The corrections that take acts out of force, and those that bring them back."""
