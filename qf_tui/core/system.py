"""The seam: what a rule system declares and does.

A rule system is found by the entry point group `qf_tui.rules`. The console draws its grids, forms, prompts, odds
and explanations from the declarations here; the core and the console never name a system or a field of one.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from attrs import field as attr_field
from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding
from qf_tui.core.facts import FactSchema
from qf_tui.core.grammar.forms import Form
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Scalar
from qf_tui.core.values import Battle, Die, Owed, Ship

ENTRY_POINTS = "qf_tui.rules"

Faces = tuple[int, ...]
Shape = Scalar | list[object] | dict[str, object]


@frozen
class Phase:
    """One phase of the turn. `slashes`: what happens to a ship in it counts only from its end.

    `again` tells, as the phase ends, whether the turn has another one of it.
    `passes`: with nothing owed and nobody who may act it is passed over, though orders belong to it.
    """

    name: str
    title: str
    slashes: bool = False
    advice: str = ""
    again: Callable[[Battle], bool] = lambda battle: False
    passes: bool = False


def of_parts(count: int, parts: int) -> int | float:
    """A count of parts as people read it: 3 halves are 1.5, and 4 of them 2."""
    return count // parts if count % parts == 0 else count / parts


@frozen
class Field:
    """One field of a ship that the umpire may set by hand.

    `kind` is "count" (a whole number from `least` to `most`), "number", "words" (one of `words`, or any text if
    there are none), "marks" (a count of marks), "texts" (marks that carry a text of `words`) or "status".
    `empty`: it may also be set to `none`. `parts`: the log counts so many to one (2: halves); people read and write
    whole ones and decimals. `lasts`: turns after this one that a mark written by hand holds (None: until lifted).
    `room` is the most of a count on a ship as it stands, where other fields leave it less; `then` writes what makes
    way for what was set by hand.
    """

    name: str
    title: str
    kind: str = "count"
    least: int = 0
    most: int = 999
    words: tuple[str, ...] = ()
    card: bool = False
    empty: bool = False
    clause: str = ""
    parts: int = 1
    lasts: int | None = None
    room: Callable[[Ship], int] | None = None
    then: Callable[[DecisionBuilder, str], None] | None = None

    def shown(self, value: Scalar | tuple[str, ...]) -> Scalar | tuple[str, ...]:
        """A value of the log as people read it: 3 halves are 1.5, no mark with a text is none."""
        if self.kind == "texts" and not isinstance(value, tuple):
            return ()
        if self.parts == 1 or not isinstance(value, int) or isinstance(value, bool):
            return value
        return of_parts(value, self.parts)


@frozen
class Column:
    """One column of the grid: the lower its `rank`, the longer it stays as the screen narrows.

    It is `width` cells wide, and up to `most` where there is room; `help` says what stands in it. `fields` are those
    that it shows: they explain its cells and can be edited in it. `beside` tells the fields of other ships that its
    cells are drawn from too, each as (ship, field).
    """

    name: str
    title: str
    width: int
    rank: int
    fields: tuple[str, ...] = ()
    right: bool = False
    beside: Callable[[Battle, Ship], tuple[tuple[str, str], ...]] | None = None
    most: int = 0
    help: str = ""


@frozen
class Span:
    """A stretch of a cell. `tone` is "", "slash", "cross", "repaired", "alert", or "dim", which gives way in a narrow
    cell.
    """

    text: str
    tone: str = ""


@frozen
class CardField:
    """One field that a fleet file gives of a ship, or a scenario of its table.

    `kind` is "int", "number", "bool", "has" (true or false or how many, kept as 1 or 0), "text" (one line), "notes"
    (lines, kept as one), "word" (one of `words`), "numbers" (a list, one for each of `parts`), "table" (a sub-table
    of `parts`) or "tables" (up to `most` of them).
    On the card a part has a dotted name: `guns.bow`, `boat.crew`, `mast.1.name` (and `mast`: how many).
    `only` are the only numbers that it may be. A part is `required` where its whole is given; where the whole is
    left out the parts have their defaults.
    """

    name: str
    kind: str
    label: str
    least: float = 0
    most: float = 999
    only: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    parts: tuple["CardField", ...] = ()
    required: bool = False
    default: Scalar = None
    alias: str = ""


@frozen
class Scale:
    """One table scale in one family of units: `unit` is what its distances are in."""

    name: str
    units: str
    unit: str


@frozen
class Option:
    """A switch of the rules: its clause, the values it may take, its default, and what it does."""

    name: str
    clause: str
    values: tuple[str, ...]
    default: str
    text: str


@frozen
class Available:
    """A ship that may still act in this phase, and with what in short (`L` for a light battery)."""

    ship: str
    what: str
    order: str = ""


@frozen
class Measure:
    """One figure of the odds: over all faces, how often or how much `judge` gives at `place`, in `parts` to one."""

    label: str
    place: int
    mean: bool = False
    parts: int = 1


@frozen
class PreparedOrder:
    """An order made ready on a battle.

    `findings` stand against it. `missing(faces)` names the dice that are still needed after those faces;
    `judge(faces)` gives small integers, `decide(faces, builder)` the same judgement with effects and reasons.
    `declare(builder)` is what the order does before its dice are thrown. `dice` are the most that it can need.
    """

    findings: tuple[Finding, ...] = ()
    dice: tuple[Die, ...] = ()
    missing: Callable[[Faces], tuple[Die, ...]] = lambda faces: ()
    judge: Callable[[Faces], tuple[int, ...]] = lambda faces: ()
    decide: Callable[[Faces, DecisionBuilder], None] = lambda faces, builder: None
    declare: Callable[[DecisionBuilder], None] = lambda builder: None
    owes: str = ""
    prompt: str = ""
    ship: str = ""
    odds: tuple[Measure, ...] = ()
    assumes: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()
    may_wait: bool = True


def _no_column(name: str) -> str | None:
    return "no such column"


@frozen
class ChartShape:
    """What a table of the charts may hold: its columns, and what is wrong with a cell's text, if anything.

    `row_fault` judges the name of any row, `column_fault` that of a column beyond `columns`. `own`: only an
    umpire's file has it; none comes with the rules.
    """

    columns: tuple[str, ...]
    fault: Callable[[str], str | None]
    row_fault: Callable[[str], str | None] = lambda name: None
    column_fault: Callable[[str], str | None] = _no_column
    own: bool = False


@frozen
class Setup:
    """The words of a scenario that a rule system may want when it musters ships."""

    scale: str
    units: str
    options: Mapping[str, Scalar] = attr_field(factory=dict)


class RuleSystem(Protocol):
    """One rule system: frozen declarations, and pure functions of a battle."""

    @property
    def name(self) -> str:
        """The id that files use."""

    @property
    def title(self) -> str: ...

    @property
    def phases(self) -> tuple[Phase, ...]: ...

    @property
    def fields(self) -> tuple[Field, ...]: ...

    @property
    def columns(self) -> tuple[Column, ...]: ...

    @property
    def card(self) -> tuple[CardField, ...]: ...

    @property
    def conditions(self) -> tuple[CardField, ...]:
        """What a scenario may say of the table beside what every system has."""

    @property
    def scales(self) -> tuple[Scale, ...]: ...

    @property
    def forms(self) -> tuple[Form, ...]: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    @property
    def clauses(self) -> Mapping[str, str]:
        """Each clause in our own words, for the help and for refusals."""

    @property
    def charts(self) -> tuple[str, str]:
        """Package and file name of the shipped charts; the library reads it."""

    @property
    def chart_shapes(self) -> Mapping[str, ChartShape]: ...

    @property
    def departure_statuses(self) -> tuple[str, ...]:
        """What may become of a ship by the umpire's word: the words of `leave`, the first the default."""

    @property
    def facts(self) -> FactSchema:
        """The facts that its acts and questions keep: a save that has others is refused."""

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        """A ship's log at the start of the battle."""

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """One of the system's own orders, made ready."""

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """The dice of an owed roll, made ready; faces are all of its dice, those already thrown included."""

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        """The answer in words to an owed question, made ready."""

    def prepare_damage(self, battle: Battle, ship: str, codes: tuple[str, ...]) -> PreparedOrder:
        """Damage by the umpire's word, through the rules' own cascade."""

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Writes what the phase now beginning owes."""

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        """Writes what ending the phase does; False if the phase goes on because something more is owed.

        What it asked once it must not ask again; with `carried` it lets the phase end, whatever is owed.
        """

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Writes what falls due after an entry, looked at when no roll of this phase is owed any more."""

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        """Who may still act in this phase."""

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        """A ship's values for scripts, all marks made so far included."""

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        """What a column shows of a ship, slashes told from crosses."""

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """The ship's card and log in full: titled lines, for the panel of the ship under the cursor."""

    def advice(self, battle: Battle) -> tuple[str, ...]:
        """What the console reminds people of in this phase."""

    def on_table(self, before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
        """What hands must change on the table to go from one battle to the other: (side, words)."""

    def ended(self, battle: Battle) -> str:
        """Words that offer the end of the battle, or nothing."""


def find_phase(system: RuleSystem, name: str) -> Phase:
    """A phase by its name."""
    return next(phase for phase in system.phases if phase.name == name)


def find_field(system: RuleSystem, name: str) -> Field | None:
    """A field by its name, or None."""
    return next((field for field in system.fields if field.name == name), None)
