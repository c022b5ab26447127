"""The classes in which a rule system declares itself, and an order that its rules have checked.

A system declares phases, fields of a ship, columns, scales, switches, odds, worth of ships and chart shapes.
`PreparedOrder`, the checked order, is at the end.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, compress, repeat
from operator import is_not
from typing import Any, Literal

from attrs import Converter, Factory, evolve, field, fields, frozen

from qf_tui.core.decisions import DecisionBuilder, Effect
from qf_tui.core.errors import Finding, QfError, impossible, refused
from qf_tui.core.text import Scalar
from qf_tui.core.values import AFLOAT, SUNK, WITHDRAWN, Battle, Die, Faces, Form, Order, Owed, Ship

FieldKind = Literal["count", "number", "bool", "words", "marks", "texts", "status"]
"""The kinds of values that a field of a ship may hold; `Field` explains them."""

CardKind = Literal[
    "int",
    "number",
    "bool",
    "has",
    "text",
    "notes",
    "word",
    "numbers",
    "series",
    "table",
    "tables",
    "id",
    "path",
    "texts",
    "map",
    "cells",
    "named",
    "counts",
    "systems",
]
"""The kinds of values that a key of a file may hold.

`FieldSpec` explains the first eleven; the library explains the others.
"""

Tone = Literal["", "slash", "cross", "repaired", "alert", "dim"]
"""How a span of a cell is drawn. "dim" text is left out first if the cell is narrow."""


@frozen
class Phase:
    """A phase of the turn.

    Attributes:
        name: Name in files and orders.
        title: Name for people.
        slashes: True if damage in this phase counts only from its end.
        advice: Reminder for people, or "".
        again: Function that says, at the end of the phase, whether the turn has another such phase.
        passes: True if the phase is skipped when nothing is owed and no ship may act, even if orders belong
            to it.
        moves: True if ships move in it, so that measured ranges become old.
        clauses: Clauses that people want at hand during the phase.
    """

    name: str
    title: str
    slashes: bool = False
    advice: str = ""
    again: Callable[[Battle], bool] = lambda battle: False
    passes: bool = False
    moves: bool = False
    clauses: tuple[str, ...] = ()


def convert_parts(count: int, denominator: int) -> int | float:
    """Convert a count of parts into a number for people: 3 halves become 1.5, and 4 halves become 2."""
    return count // denominator if count % denominator == 0 else count / denominator


@frozen
class Field:
    """A field of a ship that the umpire may set by hand.

    Attributes:
        name: Name in orders and files.
        title: Name for people.
        kind: Kind of its value: "count" (a whole number), "number", "bool", "words" (one of `words`, or any
            text if there are none), "marks" (a number of marks), "texts" (marks with a text) or "status".
        least: Least number.
        most: Greatest number.
        words: Texts that it may hold.
        card: True for a field of the card, False for one of the log.
        empty: True if it may also be set to `none`.
        clause: Clause of the rules about it, or "".
        denominator: Number of parts in one unit (2: the log counts halves). People read and write units,
            with decimals.
        lasting_turns: Turns after the current one during which a mark written by hand holds, or None if it
            holds until it is lifted.
        ships: True if the texts of its marks are ids of ships.
        most_on: Function that gives the greatest count on a ship, if other fields limit it.
        on_set: Function that writes further changes after the field is set by hand.
        seen: True if the models show it, so that every side may know it. Name and status are always known.
        seen_as: Function that words what the models show, if title and value are not enough.
    """

    name: str
    title: str
    kind: FieldKind = "count"
    least: int = 0
    most: int = 999
    words: tuple[str, ...] = ()
    card: bool = False
    empty: bool = False
    clause: str = ""
    denominator: int = 1
    lasting_turns: int | None = None
    ships: bool = False
    most_on: Callable[[Ship], int] | None = None
    on_set: Callable[[DecisionBuilder, str], None] | None = None
    seen: bool = False
    seen_as: Callable[[Battle, Ship], str] | None = None

    def convert_value(self, value: Scalar | tuple[str, ...]) -> Scalar | tuple[str, ...]:
        """Convert a value of the log into one for people: 3 halves become 1.5.

        A field of texts without a value becomes ().
        """
        if self.kind == "texts" and not isinstance(value, tuple):
            return ()
        if self.denominator == 1 or not isinstance(value, int) or isinstance(value, bool):
            return value
        return convert_parts(value, self.denominator)


@frozen
class Column:
    """A column of the grid, the console's list of ships.

    Attributes:
        width: Width in cells of the terminal.
        rank: Order in which narrow screens drop columns: the highest rank goes first.
        fields: Fields that it shows. They explain its cells and can be edited there.
        right: True if its text is aligned to the right.
        beside: Function that lists fields of other ships its cell depends on, as (ship, field).
        most: Greatest width, if there is room; 0 for none.
        widest: Text that must fit, with Unicode or ASCII signs, or "".
        help: Explanation for people.
        passing: True if it shows acts of this turn, and nothing that lasts.
    """

    name: str
    title: str
    width: int
    rank: int
    fields: tuple[str, ...] = ()
    right: bool = False
    beside: Callable[[Battle, Ship], tuple[tuple[str, str], ...]] | None = None
    most: int = 0
    widest: str = ""
    help: str = ""
    passing: bool = False


@frozen
class Span:
    """A piece of a cell's text with its style."""

    text: str
    tone: Tone = ""


@frozen
class FieldSpec:
    """The declaration of a key that a fleet file gives for a ship, or a scenario for its table.

    On a card, a part has a dotted name: `guns.bow`, `boat.crew`, `mast.1.name`. `mast` then counts the masts.

    Attributes:
        kind: Kind of its value: "int", "number", "bool", "has" (true, false or a number, kept as 1 or 0),
            "text" (one line), "notes" (lines, kept as one), "word" (one of `words`), "numbers" (a list, one
            for each of `parts`), "series" (a number or a list: the card keeps the first, and each as `name.1`
            and so on), "table" (a table with the keys `parts`) or "tables" (a list of such tables).
        label: Name for people.
        least: Least number.
        most: Greatest number, or the most tables.
        only: The only numbers allowed, or ().
        words: Words allowed for the kind "word".
        parts: Keys of the parts. A part that is required must be given only if the whole is given; if the
            whole is missing, all parts have their defaults.
        required: True if the file must give it.
        default: Value if the file does not give it.
        alias: Another name for the key in files, or "".
        longest: Most numbers in a series.
        of_fleet: True if a fleet file may give it once for all its ships.
    """

    name: str
    kind: CardKind
    label: str
    least: float = 0
    most: float = 999
    only: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    parts: tuple["FieldSpec", ...] = ()
    required: bool = False
    default: Scalar = None
    alias: str = ""
    longest: int = 99
    of_fleet: bool = False


_ABSENT: Mapping[str, Any] = {
    "bool": False,
    "int": None,
    "number": None,
    "texts": (),
    "tables": (),
    "table": {},
    "map": {},
    "counts": {},
}
"""The value of an attribute whose key is missing, by kind; for other kinds it is ""."""


def declare_key(
    kind: CardKind, label: str, default: Scalar = None, converter: Any = None, **limits: Any
) -> Any:
    """Declare an attribute of an attrs class as a key of a table in a file.

    Args:
        kind: Kind of its value.
        label: Meaning of the key, for people and schemas.
        default: Value if the file does not give the key.
        converter: Converter for the attribute, passed to attrs.
        limits: Other attributes of `FieldSpec`.
    """
    declared = FieldSpec("", kind, label, default=default, **limits)
    absent = _ABSENT.get(kind, "") if default is None else default
    return field(default=absent, converter=converter, metadata={FieldSpec: declared})


def list_keys(attrs_class: type[Any], **parts: tuple[FieldSpec, ...]) -> tuple[FieldSpec, ...]:
    """List the keys that an attrs class declares, in the order of its attributes.

    Args:
        parts: Parts of a key, by its name; they replace those that it declares.
    """
    declared = ((each.name, each.metadata.get(FieldSpec)) for each in fields(attrs_class))
    return tuple(
        evolve(spec, name=name, parts=parts.get(name, spec.parts)) for name, spec in declared if spec
    )


def _use_name(text: str, item: Any) -> str:
    """Return a text, or the name of its item if the text is empty."""
    return text or str(item.name)


OR_NAME = Converter(_use_name, takes_self=True)
"""A converter that fills an empty attribute with the name of its table."""


ONLY = "only"
"""The name of the scale in a system that has a single scale."""


@frozen
class Scale:
    """A scale of the table in one family of units.

    Attributes:
        name: Name in scenarios.
        units: Family of units, such as `metric`.
        unit: Unit of its distances.
        usual: True if it is the default when a scenario names no scale. Without a usual scale the first is.
        measures: Other units that distances may be typed in, each as an amount of `unit`.
        figures: Figures that the rules print for the scale, by name.
    """

    name: str
    units: str
    unit: str
    usual: bool = False
    measures: Mapping[str, Fraction] = field(factory=dict)
    figures: Mapping[str, str] = field(factory=dict)


@frozen
class Option:
    """A switch of the rules.

    Attributes:
        name: Name in orders and scenarios.
        clause: Clause that allows it.
        values: Values that it may have.
        default: Value if a scenario does not set it.
        text: Explanation for people.
        measured_only: Value under which orders with an estimated range are refused, or "".
    """

    name: str
    clause: str
    values: tuple[str, ...]
    default: str
    text: str
    measured_only: str = ""


def parse_switches(*rows: str) -> tuple[Option, ...]:
    """Declare switches, one for each text: name, clause, values with the default first, and explanation.

    Example: `boat_guns_in AQF-BG-2 one-phase/each-phase gunnery phases of a turn for boat guns`.
    """
    parts = (row.split(" ", 3) for row in rows)
    switches = ((name, clause, tuple(values.split("/")), text) for name, clause, values, text in parts)
    return tuple(Option(name, clause, values, values[0], text) for name, clause, values, text in switches)


@frozen
class ChangedRuling:
    """A clause that older versions of the program decided differently.

    Attributes:
        clause: The clause.
        since: First version with the new ruling, such as `0.2`.
        seen_in: Fields of effects, and other clauses of reasons and findings, that the change affects.
    """

    clause: str
    since: str
    seen_in: tuple[str, ...] = ()


@frozen
class Available:
    """A ship that may still act in this phase, and what she may do.

    Attributes:
        ship: Id of the ship.
        what: Short text of what she may do.
        order: Word of the first order that she may be given.
        letters: Letters for the things she may do (`HL`: both batteries); `RuleSystem.letters` explains them.
        ways: Order of each of these things, as its word and the slots that distinguish it; () if none of
            them depends on the range.
    """

    ship: str
    what: str
    order: str = ""
    letters: str = ""
    ways: tuple[tuple[str, Mapping[str, str]], ...] = field(default=(), hash=False)


@frozen
class Measure:
    """A figure of the odds, computed from what `judge` returns for all faces.

    Attributes:
        label: Name for people.
        place: Index in the result of `judge`.
        mean: True for the average of that number, False for the chance that it is not 0.
        denominator: Number of counts in one unit (2: `judge` counts halves).
    """

    label: str
    place: int
    mean: bool = False
    denominator: int = 1


@frozen
class Need:
    """A result that people hope for when they throw, decided by the sum of some dice.

    Attributes:
        does: Result as a verb ("fires").
        place: Index in the result of `judge`; the result is reached if that number is not 0.
        dice: Indexes of the dice whose sum decides.
        when: Index of a result that must be reached first, or None.
        each: True if every die of a pool decides on its own.
        at: Note after the faces ("150% line"), or "".
    """

    does: str
    place: int = 0
    dice: tuple[int, ...] = (0,)
    when: int | None = None
    each: bool = False
    at: str = ""


GUNNERY, SHELLS = "gunnery", "shells"
"""The two qualities of a crew that have steps: how well it shoots, and how good its shells are."""
CREW_MOST = 3
"""The greatest number of steps, up or down."""


@frozen
class CrewStep:
    """The effect of crew quality, counted in steps, on a value of the ship's card.

    Attributes:
        of: Quality that is stepped, `gunnery` or `shells`.
        key: Key of the value, without numbers: `battery.af`.
        worked: Function that gives the value after 1 to 3 steps up or down; an empty value stays empty.
    """

    of: str
    key: str
    worked: Callable[[Scalar, int], Scalar]


@frozen
class Setup:
    """The parts of a scenario that a rule system may need when it musters a ship.

    Attributes:
        options: Switches, by name.
        at_start: State of this ship at the start, as the scenario gives it.
    """

    scale: str
    units: str
    options: Mapping[str, Scalar] = field(factory=dict)
    at_start: Mapping[str, Scalar] = field(factory=dict)


def find_usual_scale(scales: Iterable[Scale]) -> Scale:
    """Return the default scale: the first that is `usual`, or the first of all."""
    return min(scales, key=lambda scale: not scale.usual)


def format_scale(table: Mapping[str, object]) -> str:
    """Format the scale and the units of a table; a system's only scale is not named."""
    return ", ".join(str(table[name]) for name in ("scale", "units") if table.get(name, ONLY) != ONLY)


def find_scale(scales: Iterable[Scale], table: Mapping[str, object]) -> Scale | None:
    """Find the scale that the table of a battle names by `scale` and `units`, or return None."""
    wanted = (table.get("scale"), table.get("units"))
    return next((scale for scale in scales if (scale.name, scale.units) == wanted), None)


def _count_one(word: str) -> int:
    return 1


@frozen
class ResultKind:
    """A kind of result that reports count, from the facts in the outcomes of entries.

    A text counts as `each` says, also in a list; a whole number counts itself, and true counts 1.

    Attributes:
        name: Name in code and files.
        title: Name for people.
        lines: Words of orders and lines of owed rolls whose outcomes count (see `RuleSystem.counted_as`).
        outcome: Names of the facts that are counted.
        damage: True if the results belong to the side that throws (for an owed roll, the side of the entry
            that caused it) and are added to its other results of damage. False if they belong to the ship
            that is rolled for, in a row of their own.
        each: Function that says what one text counts.
        harm: What damages the ship that is rolled for, such as "a fire", or "".
        told: Words before codes that do not explain themselves, or "".
    """

    name: str
    title: str
    lines: tuple[str, ...]
    outcome: tuple[str, ...]
    damage: bool = False
    each: Callable[[str], int] = field(default=_count_one, eq=False)
    harm: str = ""
    told: str = ""

    def count_results(self, outcome: Mapping[str, Scalar | tuple[str, ...]]) -> int:
        """Count the results that an outcome states."""
        return sum(self._count_fact(outcome.get(name)) for name in self.outcome)

    def _count_fact(self, value: Scalar | tuple[str, ...]) -> int:
        """Count one fact: a text as `each` says, a list by its texts, a whole number as itself, True as 1.

        Anything else counts 0.
        """
        if isinstance(value, tuple):
            return sum(map(self.each, value))
        if isinstance(value, str):
            return self.each(value)
        return int(value) if isinstance(value, bool | int) else 0


def list_damage_kinds(kinds: Iterable[ResultKind]) -> tuple[str, ...]:
    """List the names of the kinds that are results of damage."""
    return tuple(kind.name for kind in kinds if kind.damage)


def find_result_kind(kinds: Iterable[ResultKind], line: str) -> ResultKind | None:
    """Find the kind that the dice of a line count for, or return None."""
    return next((kind for kind in kinds if line in kind.lines), None)


@frozen
class Event:
    """An event for the story of the battle.

    Attributes:
        text: The event, for people.
        ship: Id of the ship it happened to, or "".
        lost: True if she is no longer afloat.
    """

    text: str
    ship: str = ""
    lost: bool = False


def list_losses(before: Battle, after: Battle) -> Iterator[Event]:
    """Yield an event for each ship whose status has changed between two battles to one that is not afloat."""
    if before.ships is after.ships:
        return
    # Compared by identity first, because few of many ships are new values. Ships that join come last.
    change_flags = map(is_not, after.ships.values(), chain(before.ships.values(), repeat(None)))
    for id, ship in compress(after.ships.items(), change_flags):
        old = before.ships.get(id)
        if old is not None and old.status != ship.status and not ship.afloat:
            text = f"{ship.name} {'sinks' if ship.status == SUNK else f'is {ship.status}'}"
            yield Event(text, ship.id, lost=True)


@frozen
class WorthPart:
    """A part of the worth of a ship. Weights and points are never negative, so damage never adds worth.

    Attributes:
        name: Name in settings.
        text: Unit for people, such as "each course".
        weight: Worth of one point.
        of: Function that counts the points of a ship.
        less: True if the part is subtracted.
    """

    name: str
    text: str
    weight: float
    of: Callable[[Ship], float] = field(eq=False)
    less: bool = False

    @property
    def description(self) -> str:
        """The weight and its unit, for people: `less 0.5 for each course`."""
        return f"{'less ' if self.less else ''}{self.weight:g} for {self.text}"


@frozen
class Worth:
    """The worth of ships: the weighted sum of their parts, at least 0.

    Attributes:
        parts: Parts of the sum.
        keeps: Statuses in which a ship has worth. A ship with another status, such as sunk or struck, is
            worth 0. A withdrawn ship keeps hers, because she is not lost.
    """

    parts: tuple[WorthPart, ...]
    keeps: tuple[str, ...] = (AFLOAT, WITHDRAWN)

    def value_ship(self, ship: Ship) -> float:
        """Return a ship's worth now: the sum of her weighted parts, less those with `less`.

        It is at least 0, and 0 for a status outside `keeps`.
        """
        if ship.status not in self.keeps:
            return 0.0
        worth = 0.0
        for part in self.parts:
            if part.weight:
                amount = part.weight * part.of(ship)
                worth += -amount if part.less else amount
        return max(0.0, worth)

    def value_side(self, battle: Battle, side: str) -> float:
        """Return the worth of all ships of a side that are in the battle."""
        return sum(self.value_ship(ship) for ship in battle.ships.values() if ship.side == side)

    def replace_weights(self, weights: Mapping[str, float]) -> "Worth":
        """Replace weights of the parts.

        Raises:
            QfError: A name in `weights` is not that of a part.
        """
        unknown = sorted(set(weights) - {part.name for part in self.parts})
        if unknown:
            part_names = ", ".join(part.name for part in self.parts)
            raise QfError(f"worth: no part {unknown[0]}; the parts are {part_names}")
        parts = (evolve(part, weight=weights.get(part.name, part.weight)) for part in self.parts)
        return evolve(self, parts=tuple(parts))

    def list_parts(self) -> Iterable[str]:
        """List the parts that have a weight, for people."""
        return (part.description for part in self.parts if part.weight)


AFLOAT_ALONE = Worth(
    (WorthPart("ship", "each ship in the battle", 1, lambda ship: float(not ship.is_off_table)),)
)
"""The worth in rule systems that declare none: 1 for each ship on the table."""


Shape = Scalar | list[object] | dict[str, object]
"""A value in a report for scripts, as JSON has them."""


@frozen
class AttestedSet:
    """Cells of a row that a source attests together, without saying which value is in which cell.

    Attributes:
        columns: Columns of the cells.
        fits: Function that checks their texts, in the order of `columns`.
        words: The attested fact and its source, for people.
    """

    row: str
    columns: tuple[str, ...]
    fits: Callable[[tuple[str, ...]], bool]
    words: str


@frozen
class ChartShape:
    """The shape of a chart table: the rows, columns and cell texts that it may have.

    Attributes:
        columns: Names of its columns.
        fault: Function that returns the fault of a cell's text, or None.
        row_fault: Function that returns the fault of a row's name, or None.
        column_fault: Function that returns the fault of a further column's name, or None.
        own: True if only an umpire's file has this table; the rules come with none.
        spans: Keys of the file, or of a row, with two whole numbers each, the greater first. Each row of the
            table keeps them as a cell, `9-7`.
        sets: Cells that a source attests together.
        apart: True if its rows are separate tables printed as one, so that no step leads from row to row.
    """

    columns: tuple[str, ...]
    fault: Callable[[str], str | None]
    row_fault: Callable[[str], str | None] = lambda name: None
    column_fault: Callable[[str], str | None] = lambda name: "no such column"
    own: bool = False
    spans: tuple[FieldSpec, ...] = ()
    sets: tuple[AttestedSet, ...] = ()
    apart: bool = False


def list_numbers(least: int, most: int) -> tuple[str, ...]:
    """List the names of columns for all numbers of a roll, from `least` to `most`."""
    return tuple(str(number) for number in range(least, most + 1))


def build_text_check(expected: str, is_fine: Callable[[str], bool]) -> Callable[[str], str | None]:
    """Build a check that returns None for a fine text, and `expected ...` for any other."""
    return lambda text: None if is_fine(text) else f"expected {expected}"


def build_choice_check(*names: str) -> Callable[[str], str | None]:
    """Build a check for texts that must be one of some names."""
    return build_text_check(f"one of {', '.join(names)}", lambda name: name in names)


def build_reader_check(read: Callable[[str], object], expected: str) -> Callable[[str], str | None]:
    """Build a check for texts: None if `read` accepts one, a fault if it raises ValueError."""

    def find_fault(text: str) -> str | None:
        try:
            read(text)
        except ValueError:
            return f"expected {expected}"
        return None

    return find_fault


def declare_nothing(builder: DecisionBuilder) -> None:
    """Write nothing: the default of `PreparedOrder.declare`."""


@frozen(kw_only=True, slots=False)
class PreparedOrder:
    """An order, owed roll or answer after the rules have looked at it: objections, dice and effects."""

    findings: tuple[Finding, ...] = ()
    """The findings against it; if there are none, it is accepted."""
    dice: tuple[Die, ...] = ()
    """The most dice it may need, in the order in which they are thrown."""
    missing: Callable[[Faces], tuple[Die, ...]] = field(
        default=Factory(lambda self: lambda faces, dice=self.dice: dice[len(faces) :], takes_self=True)
    )
    """Function that gives the dice still needed after some faces; by default the rest of `dice`.

    If it returns () for no faces, the order needs no dice now: `decide` then writes only what happens before
    them, also if too few faces are given.
    """
    judge: Callable[[Faces], tuple[int, ...]] = lambda faces: ()
    """Function that turns all faces into small integers, for the odds; it has no effects."""
    alike: Callable[[Faces], Hashable] | None = None
    """Function that returns equal keys for faces with the same effects and outcome, if known in advance.

    Faces with equal keys may still differ in their texts. None if the rules cannot tell.
    """
    decide: Callable[[Faces, DecisionBuilder], None] = lambda faces, builder: None
    """Function that writes the effects and the reasons for all faces."""
    declare: Callable[[DecisionBuilder], None] = declare_nothing
    """Function that writes the effects before the dice are thrown."""
    write_while_owed: Callable[[DecisionBuilder], None] = declare_nothing
    """Function that writes remarks while the dice are still missing."""
    owes: str = ""
    """The line under which its dice are owed, if they are not given with the order."""
    prompt: str = ""
    """The question for people who throw those dice."""
    ship: str = ""
    """The id of the ship that throws them."""
    odds: tuple[Measure, ...] = ()
    """The figures to show, computed from `judge`."""
    needs: tuple[Need, ...] = ()
    """The results that people hope for, computed from `judge`."""
    assumes: tuple[str, ...] = ()
    """The assumptions it makes, as text; recorded with its reasons."""
    reminders: tuple[str, ...] = ()
    """Things for people to check on the table before they enter it; not recorded."""
    foretold: "PreparedOrder | None" = None
    """The order that follows if a roll before it changes nothing; its odds and needs are shown instead."""
    parts: tuple["PreparedOrder", ...] = ()
    """Separate rolls inside the order, which share out its dice in turn; their odds and needs are shown."""
    may_wait: bool = True
    """True if it may be entered without its dice, which are then owed."""
    thrown_at_once: bool = True
    """True if the console throws its dice on entry; False if they are owed, like dice on the table."""

    def split_faces(self, faces: Faces) -> "Iterator[tuple[PreparedOrder, Faces]]":
        """Yield each part with its share of the faces."""
        start = 0
        for part in self.parts:
            yield part, faces[start : start + len(part.dice)]
            start += len(part.dice)


def build_unplayable(text: str) -> PreparedOrder:
    """Build an order that is impossible, with the reason."""
    return PreparedOrder(findings=(impossible(text),))


def out_of_phase(battle: Battle, form: Form, clause: str = "") -> tuple[Finding, ...]:
    """Return the finding against an order outside its phases, or () if it is in time."""
    if not form.phases or battle.phase in form.phases:
        return ()
    text = f"{form.word} is for the phase {' or '.join(form.phases)}; this is {battle.phase}"
    return (refused(text, clause),)


@frozen
class PreparedEntry:
    """An order together with its prepared form.

    Attributes:
        order: The order.
        prepared: The order after the rules have looked at it.
        question: Owed question that the order answers, or None.
        asked: Effects that ask this question early, if only the end of the phase would ask it.
    """

    order: Order
    prepared: PreparedOrder
    question: Owed | None = None
    asked: tuple[Effect, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """All faces that count, with those thrown before."""
        return (*(self.question.faces if self.question else ()), *self.order.dice)

    @property
    def missing(self) -> tuple[Die, ...]:
        """The dice that are still needed after these faces."""
        return self.prepared.missing(self.faces)
