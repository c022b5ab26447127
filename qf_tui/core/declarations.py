"""What a rule system declares, as values: phases, fields, columns, scales, switches, figures, charts."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import chain, compress, repeat
from operator import is_not
from typing import Any, Literal

from attrs import Converter, Factory, evolve, field, fields, frozen

from qf_tui.core.decisions import DecisionBuilder, Effect
from qf_tui.core.errors import Finding, QfError, impossible, refused
from qf_tui.core.text import Scalar
from qf_tui.core.values import AFLOAT, SUNK, WITHDRAWN, Battle, Die, Faces, Form, Mark, Order, Owed, Ship

FieldKind = Literal["count", "number", "bool", "words", "marks", "texts", "status"]
"""What a field of a ship holds; `Field` says what each means."""

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
"""What a key of a file holds: `FieldSpec` says what the first eleven mean, the library what the others do."""

Tone = Literal["", "slash", "cross", "repaired", "alert", "dim"]
"""How a stretch of a cell is drawn; "dim" gives way in a narrow cell."""


@frozen
class Phase:
    """One phase of the turn. `slashes`: what happens to a ship in it counts only from its end.

    `again` says, as the phase ends, whether the turn has another one of it.
    `passes`: if nothing is owed and no ship may act it is skipped, though orders belong to it.
    `moves`: ships move in it, so that what was measured before holds no more. `clauses`: wanted at hand.
    """

    name: str
    title: str
    slashes: bool = False
    advice: str = ""
    again: Callable[[Battle], bool] = lambda battle: False
    passes: bool = False
    moves: bool = False
    clauses: tuple[str, ...] = ()


def of_parts(count: int, denominator: int) -> int | float:
    """A count of parts as people read it: 3 halves are 1.5, and 4 of them 2."""
    return count // denominator if count % denominator == 0 else count / denominator


@frozen
class Field:
    """One field of a ship that the umpire may set by hand.

    `kind` is "count" (a whole number from `least` to `most`), "number", "bool", "words" (one of `words`, or
    any text if there are none), "marks" (a count of marks), "texts" (marks that carry a text of `words`, or
    with `ships` the id of a ship) or "status". `empty`: it may also be set to `none`. `denominator`: how many
    counts make one (2: halves); people read and write whole ones and decimals. `lasting_turns`: turns after
    this one that a mark written by hand holds (None: until lifted). `most_on` is the most of a count on a
    ship as it stands, where other fields leave it less; `on_set` writes what else changes when it is set by
    hand. `seen`: the models show it, so that every side may know it; of a ship's name and status that goes
    without saying. `seen_as`: the words for what they show, where its title and value are not all of it.
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

    def shown(self, value: Scalar | tuple[str, ...]) -> Scalar | tuple[str, ...]:
        """A value of the log as people read it: 3 halves are 1.5, no mark with a text is none."""
        if self.kind == "texts" and not isinstance(value, tuple):
            return ()
        if self.denominator == 1 or not isinstance(value, int) or isinstance(value, bool):
            return value
        return of_parts(value, self.denominator)


@frozen
class Column:
    """One column of the grid: the lower its `rank`, the longer it stays as the screen narrows.

    It is `width` cells wide, and up to `most` where there is room; `widest` is a text that must fit however
    its signs are written. `help` says what it shows. `fields` are those that it shows: they explain its cells
    and can be edited in it. `beside` gives the fields of other ships that its cells are drawn from too, each
    as (ship, field). `passing`: it shows what a ship did in this turn, nothing that stays.
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
    """A stretch of a cell, and how it is drawn."""

    text: str
    tone: Tone = ""


@frozen
class FieldSpec:
    """One field that a fleet file gives of a ship, or a scenario of its table.

    `kind` is "int", "number", "bool", "has" (true or false or how many, kept as 1 or 0), "text" (one line),
    "notes" (lines, kept as one), "word" (one of `words`), "numbers" (a list, one for each of `parts`),
    "series" (a number, or up to `longest` in a list: the card keeps its first, and each as `name.1`, ...),
    "table" (a sub-table of `parts`) or "tables" (up to `most` of them). On the card a part has a dotted name:
    `guns.bow`, `boat.crew`, `mast.1.name` (and `mast`: how many). `only` are the only numbers that it may be.
    A part is `required` where its whole is given; where the whole is left out the parts have their defaults.
    `of_fleet`: a fleet file may give it for all its ships.
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
"""The value of an attribute whose key is absent, by its kind; any other is an empty text."""


def declare_key(
    kind: CardKind, label: str, default: Scalar = None, converter: Any = None, **limits: Any
) -> Any:
    """Declare an attribute of a class as the key of a table in a file.

    Args:
        kind: the kind of its value.
        label: its meaning, for people and schemas.
        default: its value where the file leaves it out.
        converter: what attrs makes the value of the attribute with.
        limits: the others of `FieldSpec`.
    """
    declared = FieldSpec("", kind, label, default=default, **limits)
    absent = _ABSENT.get(kind, "") if default is None else default
    return field(default=absent, converter=converter, metadata={FieldSpec: declared})


def list_keys(declaring: type[Any], **parts: tuple[FieldSpec, ...]) -> tuple[FieldSpec, ...]:
    """List the keys that a class declares, in its order; `parts` are those that it leaves open."""
    declared = ((each.name, each.metadata.get(FieldSpec)) for each in fields(declaring))
    return tuple(
        evolve(spec, name=name, parts=parts.get(name, spec.parts)) for name, spec in declared if spec
    )


def _use_name(text: str, item: Any) -> str:
    return text or str(item.name)


OR_NAME = Converter(_use_name, takes_self=True)
"""Makes an attribute that is left out what its table is called."""


ONLY = "only"
"""The name of the one scale of a system that has no more."""


@frozen
class Scale:
    """One table scale in one family of units: `unit` is what its distances are in.

    Where a scenario names none, it is the first that is `usual`, else the first of all. `measures` are the
    other units that a distance may be typed in, each as an amount of `unit`; `figures` its line as printed.
    """

    name: str
    units: str
    unit: str
    usual: bool = False
    measures: Mapping[str, Fraction] = field(factory=dict)
    figures: Mapping[str, str] = field(factory=dict)


@frozen
class Option:
    """A switch of the rules: its clause, the values it may take, its default, and what it does.

    `measured_only` is the value, if any, under which an order with an estimated range is refused.
    """

    name: str
    clause: str
    values: tuple[str, ...]
    default: str
    text: str
    measured_only: str = ""


def switches(*rows: str) -> tuple[Option, ...]:
    """Switches, a line each: its name, its clause, its values, the default first, and what it does.

    As `boat_guns_in AQF-BG-2 one-phase/each-phase gunnery phases of a turn for boat guns`.
    """
    each = (row.split(" ", 3) for row in rows)
    read = ((name, clause, tuple(values.split("/")), text) for name, clause, values, text in each)
    return tuple(Option(name, clause, values, values[0], text) for name, clause, values, text in read)


@frozen
class ChangedRuling:
    """A clause by which the system decides otherwise than an older version of the program did.

    `since` is the first version that decides so, as `0.2`. `seen_in` are the fields of effects (of a log, an
    act or an owed line) and the other clauses of reasons and findings that differ by it.
    """

    clause: str
    since: str
    seen_in: tuple[str, ...] = ()


@frozen
class Available:
    """A ship that may still act in this phase, with what in short, and by which order.

    `letters` are one for each thing that it may still do (`HL`: both batteries), as `letters` of its system
    explains them. Where that depends on the range, `ways` are the order of each, with the slots that tell it.
    """

    ship: str
    what: str
    order: str = ""
    letters: str = ""
    ways: tuple[tuple[str, Mapping[str, str]], ...] = field(default=(), hash=False)


@frozen
class Measure:
    """A figure of the odds: over all faces, how often `judge` gives something at `place`, or the `mean`.

    `denominator`: how many of `judge`'s counts make one (2: halves).
    """

    label: str
    place: int
    mean: bool = False
    denominator: int = 1


@frozen
class Need:
    """A result that people throw for: what `judge` gives at `place`, by the sum of some dice.

    `does` is the result as a verb ("fires"), `dice` are the places of those dice, `when` is the place of
    what must come before it. `each`: every die of a pool counts by itself. `at` is said behind the faces
    ("150% line").
    """

    does: str
    place: int = 0
    dice: tuple[int, ...] = (0,)
    when: int | None = None
    each: bool = False
    at: str = ""


GUNNERY, SHELLS = "gunnery", "shells"
"""What steps of a crew are of: how well it shoots, and what its shells are worth."""
CREW_MOST = 3
"""The most steps, up or down."""


@frozen
class CrewStep:
    """What steps of gunnery or of shells do to a value of a card; `key` is without numbers: `battery.af`.

    `worked` gives the value after 1 to 3 steps up or down; what a ship has none of stays as it is.
    """

    of: str
    key: str
    worked: Callable[[Scalar, int], Scalar]


@frozen
class Setup:
    """The words of a scenario that a rule system may want when it musters ships.

    `at_start` is what it says of the ship as the battle begins.
    """

    scale: str
    units: str
    options: Mapping[str, Scalar] = field(factory=dict)
    at_start: Mapping[str, Scalar] = field(factory=dict)


def usual_scale(scales: Iterable[Scale]) -> Scale:
    """The scale to play in where several fit and none is named."""
    return min(scales, key=lambda scale: not scale.usual)


def scale_text(table: Mapping[str, object]) -> str:
    """The scale and the units of a table in words; a scale that is the only one needs no name."""
    return ", ".join(str(table[name]) for name in ("scale", "units") if table.get(name, ONLY) != ONLY)


def find_scale(scales: Iterable[Scale], table: Mapping[str, object]) -> Scale | None:
    """The scale that a battle with such a table is played at, or None."""
    at = (table.get("scale"), table.get("units"))
    return next((scale for scale in scales if (scale.name, scale.units) == at), None)


def _one(word: str) -> int:
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
    """An event for the story of the evening, in words; `ship` is the one that it happened to, "" for none.

    `lost`: she is not afloat any more.
    """

    text: str
    ship: str = ""
    lost: bool = False


def losses(before: Battle, after: Battle) -> Iterator[Event]:
    """The ships lost between two battles."""
    if before.ships is after.ships:
        return
    # Of many ships few are new values.
    new = map(is_not, after.ships.values(), chain(before.ships.values(), repeat(None)))
    for id, ship in compress(after.ships.items(), new):
        old = before.ships.get(id)
        if old is not None and old.status != ship.status and not ship.afloat:
            text = f"{ship.name} {'sinks' if ship.status == SUNK else f'is {ship.status}'}"
            yield Event(text, ship.id, lost=True)


@frozen
class WorthPart:
    """One part of a ship's worth: `of` gives how many points of it she has, `text` says it in words.

    `less`: they are taken off. Weights and points are never below 0, so that what is lost never adds to it.
    """

    name: str
    text: str
    weight: float
    of: Callable[[Ship], float] = field(eq=False)
    less: bool = False

    @property
    def words(self) -> str:
        """Its weight, and for what: `less 0.5 for each course`."""
        return f"{'less ' if self.less else ''}{self.weight:g} for {self.text}"


@frozen
class Worth:
    """What ships are worth: the sum of their parts by weight, and never less than nothing.

    A ship whose status is not one of `keeps` is worth nothing: she is sunk, struck, aground. One that
    withdrew keeps what she was worth, for she is out of this battle and not lost.
    """

    parts: tuple[WorthPart, ...]
    keeps: tuple[str, ...] = (AFLOAT, WITHDRAWN)

    def of_ship(self, ship: Ship) -> float:
        """A ship's worth as she stands."""
        if ship.status not in self.keeps:
            return 0.0
        worth = 0.0
        for part in self.parts:
            if part.weight:
                points = part.weight * part.of(ship)
                worth += -points if part.less else points
        return max(0.0, worth)

    def of_side(self, battle: Battle, side: str) -> float:
        """The worth of all ships of a side that are in the battle."""
        return sum(self.of_ship(ship) for ship in battle.ships.values() if ship.side == side)

    def weighted(self, weights: Mapping[str, float]) -> "Worth":
        """The same parts by other weights; QfError names a part that there is not."""
        unknown = sorted(set(weights) - {part.name for part in self.parts})
        if unknown:
            known = ", ".join(part.name for part in self.parts)
            raise QfError(f"worth: no part {unknown[0]}; the parts are {known}")
        parts = (evolve(part, weight=weights.get(part.name, part.weight)) for part in self.parts)
        return evolve(self, parts=tuple(parts))

    def words(self) -> Iterable[str]:
        """Each part that counts, with its weight."""
        return (part.words for part in self.parts if part.weight)


AFLOAT_ALONE = Worth((WorthPart("ship", "each ship in the battle", 1, lambda ship: float(not ship.gone)),))
"""The worth of ships by a rule system that declares none."""

BOXES_MOST = 24
"""Boxes of the longest row: a greater count is printed as a figure."""


class BoxState(StrEnum):
    """How a box is marked: a slash counts from the phase's end; what was repaired stays legible."""

    OPEN = ""
    SLASH = "slash"
    CROSS = "cross"
    HALF = "half"
    REPAIRED = "repaired"


@frozen
class Box:
    """One box: what is printed in it, how it is marked, and whether that can never be repaired."""

    text: str = ""
    state: BoxState = BoxState.OPEN
    for_good: bool = False


@frozen
class SheetPart:
    """A title with a figure, a row of boxes, and what stands beside.

    `written` are the marks that are there; `room` is for more of them, in boxes. `reconstructed`: its figure
    or its boxes are nobody's printed values.
    """

    title: str
    text: str = ""
    boxes: tuple[Box, ...] = ()
    written: tuple[Span, ...] = ()
    room: int = 0
    reconstructed: bool = False


SheetLine = tuple[SheetPart, ...]

NeededCells = Mapping[str, Collection[tuple[str, str]]]
"""The cells that a battle can come to, as (row, column) by table of its charts.

"" is any row or any column; a table that is left out is needed whole.
"""


def crossed(
    texts: Sequence[str], crosses: int, slashes: int = 0, repaired: int = 0, *, for_good: bool = False
) -> tuple[Box, ...]:
    """A row of boxes, marked from the left: crosses, then slashes, then as many that were repaired."""
    states = (
        *[BoxState.CROSS] * max(0, crosses),
        *[BoxState.SLASH] * max(0, slashes),
        *[BoxState.REPAIRED] * max(0, repaired),
    )
    marked = [Box(text, state, for_good) for text, state in zip(texts, states, strict=False)]
    return (*marked, *map(Box, texts[len(marked) :]))


def countdown(printed: int, stood: int, stands: int, repaired: int = 0) -> tuple[Box, ...]:
    """A count that damage lowers, its greatest figure first: the first open box says what is left.

    `stood` is the count as the phase began; of one too great for boxes there are none.
    """
    most = max(printed, stands)
    if most > BOXES_MOST:
        return ()
    texts = [str(figure) for figure in range(most, 0, -1)]
    before = min(most, max(stood, stands))
    return crossed(texts, most - before, before - stands, repaired)


def counted(part: SheetPart, stands: int) -> SheetPart:
    """A part with its count in the figure, if it has no boxes for it."""
    return part if part.boxes or not stands else evolve(part, text=f"{part.text} {stands}".strip())


def written(began: Ship, ship: Ship, kind: str, sign: Callable[[Mark], str]) -> tuple[Span, ...]:
    """Marks of a kind by their signs; those that went out or were repaired scribbled out."""
    before = {mark.id for mark in began.marks}
    return tuple(
        Span(sign(mark), "repaired" if mark.lifted else "" if mark.id in before else "slash")
        for mark in ship.marks
        if mark.kind == kind
    )


Shape = Scalar | list[object] | dict[str, object]


def plain_report(fields: Iterable[Field], ship: Ship) -> Mapping[str, Shape]:
    """All fields of a ship and its status: marks counted, those with a text listed."""
    report: dict[str, Shape] = {}
    for shown in fields:
        marks = ship.live(shown.name)
        if shown.kind == "marks":
            report[shown.name] = len(marks)
        elif shown.kind == "texts":
            report[shown.name] = [mark.text for mark in marks]
        elif shown.kind != "status":
            value = shown.shown((ship.card if shown.card else ship.log).get(shown.name))
            report[shown.name] = list(value) if isinstance(value, tuple) else value
    return {**report, "status": ship.status}


def plain_cell(
    column: Column, began: Mapping[str, Shape], now: Mapping[str, Shape], *, slashes: bool
) -> tuple[Span, ...]:
    """The fields of a column, with a slash for each point lost since the phase began."""
    spans: list[Span] = []
    for name in column.fields:
        stood, stands = began[name], now[name]
        lost = stood - stands if isinstance(stood, int) and isinstance(stands, int) and slashes else 0
        text = "" if stands in (None, [], AFLOAT) else str(stood if lost > 0 else stands)
        spans.extend((Span(f" {text}" if spans else text), Span("/" * lost, "slash")))
    return tuple(span for span in spans if span.text)


@frozen
class AttestedSet:
    """Cells of one row that a source attests together, without saying which is which.

    `fits` judges their texts in the order of `columns`; `words` say what is attested, and where.
    """

    row: str
    columns: tuple[str, ...]
    fits: Callable[[tuple[str, ...]], bool]
    words: str


@frozen
class ChartShape:
    """What a table of the charts may hold: its columns, and what is wrong with a cell's text, if anything.

    `row_fault` judges the name of any row, `column_fault` that of a column beyond `columns`. `own`: only an
    umpire's file has it; none comes with the rules. `sets` are cells that are attested together. `spans` are
    keys of a file, or of one of its rows, of two whole numbers each, the greater first: every row of the
    table keeps them as a cell, `9-7`. `apart`: its lines are tables of their own, printed in one; no step
    leads from one to the next.
    """

    columns: tuple[str, ...]
    fault: Callable[[str], str | None]
    row_fault: Callable[[str], str | None] = lambda name: None
    column_fault: Callable[[str], str | None] = lambda name: "no such column"
    own: bool = False
    spans: tuple[FieldSpec, ...] = ()
    sets: tuple[AttestedSet, ...] = ()
    apart: bool = False


def numbers(least: int, most: int) -> tuple[str, ...]:
    """Columns for every number of a roll."""
    return tuple(str(number) for number in range(least, most + 1))


def expecting(expected: str, fine: Callable[[str], bool]) -> Callable[[str], str | None]:
    """The rule of texts that are fine, or else something was expected."""
    return lambda text: None if fine(text) else f"expected {expected}"


def named(*names: str) -> Callable[[str], str | None]:
    """The rule of texts that are one of some names."""
    return expecting(f"one of {', '.join(names)}", lambda name: name in names)


def unread(read: Callable[[str], object], expected: str) -> Callable[[str], str | None]:
    """The rule of cells that a reader takes: a text that it refuses by ValueError is wrong."""

    def fault(text: str) -> str | None:
        try:
            read(text)
        except ValueError:
            return f"expected {expected}"
        return None

    return fault


def nothing_declared(builder: DecisionBuilder) -> None:
    """What an order does by default before its dice are thrown."""


@frozen(kw_only=True, slots=False)
class PreparedOrder:
    """An order, owed roll or answer, prepared on a battle: its hindrances, the dice it needs, its effects."""

    findings: tuple[Finding, ...] = ()
    """What hinders it; if nothing does, it is accepted."""
    dice: tuple[Die, ...] = ()
    """The most dice that it can need, in the order in which they are thrown."""
    missing: Callable[[Faces], tuple[Die, ...]] = field(
        default=Factory(lambda self: lambda faces, dice=self.dice: dice[len(faces) :], takes_self=True)
    )
    """The dice that are still needed after those faces; if left out, all of `dice`.

    Where it needs none without any, it does then what comes before them, and with too few the same.
    """
    judge: Callable[[Faces], tuple[int, ...]] = lambda faces: ()
    """What all faces mean, in small integers, for the odds; it has no effects and no text."""
    alike: Callable[[Faces], Hashable] | None = None
    """What of all faces its effects and its outcome hang on, if that is known before anything is written.

    Faces of one value do the same, and differ in words alone.
    """
    decide: Callable[[Faces, DecisionBuilder], None] = lambda faces, builder: None
    """Writes the effects and the reasons of all faces."""
    declare: Callable[[DecisionBuilder], None] = nothing_declared
    """Writes what the order does before its dice are thrown."""
    waits: Callable[[DecisionBuilder], None] = nothing_declared
    """Writes remarks on it while its dice are still to come."""
    owes: str = ""
    """The line under which its dice are owed, if they are not given with the order."""
    prompt: str = ""
    """What people are asked when they throw those dice."""
    ship: str = ""
    """The ship that throws them, by its id."""
    odds: tuple[Measure, ...] = ()
    """The figures that are shown of it, read from `judge`."""
    needs: tuple[Need, ...] = ()
    """The results that people throw for, read from `judge`."""
    assumes: tuple[str, ...] = ()
    """What it takes as given, in words; recorded with its reasons."""
    reminders: tuple[str, ...] = ()
    """What people should check on the table before they enter it; not recorded."""
    foretold: "PreparedOrder | None" = None
    """What it comes to if a roll before it changes nothing: its odds and needs stand in this one's place."""
    parts: tuple["PreparedOrder", ...] = ()
    """Rolls that stand side by side in it, whose dice are its own in turn: its odds and needs are theirs."""
    may_wait: bool = True
    """Whether it may be entered without its dice, which are then owed."""
    thrown_at_once: bool = True
    """Whether the console's dice are thrown as it is entered; if not they are owed, as the table's are."""

    def parts_with(self, faces: Faces) -> "Iterator[tuple[PreparedOrder, Faces]]":
        """Each of its parts, with those of the faces that are its own."""
        at = 0
        for part in self.parts:
            yield part, faces[at : at + len(part.dice)]
            at += len(part.dice)


def unplayable(text: str) -> PreparedOrder:
    """An order that is impossible, and why."""
    return PreparedOrder(findings=(impossible(text),))


def out_of_phase(battle: Battle, form: Form, clause: str = "") -> tuple[Finding, ...]:
    """Return the finding against an order that is given outside its phases."""
    if not form.phases or battle.phase in form.phases:
        return ()
    text = f"{form.word} is for the phase {' or '.join(form.phases)}; this is {battle.phase}"
    return (refused(text, clause),)


@frozen
class PreparedEntry:
    """An order with what the rules make of it, and the owed question that it answers, if it answers one.

    `asked` are the effects that bring the question up, where only the end of the phase would ask it.
    """

    order: Order
    prepared: PreparedOrder
    question: Owed | None = None
    asked: tuple[Effect, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """All faces that bear on it, those thrown before included."""
        return (*(self.question.faces if self.question else ()), *self.order.dice)

    @property
    def missing(self) -> tuple[Die, ...]:
        return self.prepared.missing(self.faces)
