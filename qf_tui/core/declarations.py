"""What a rule system declares, as values: phases, fields, columns, scales, switches, figures, charts."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Literal

from attrs import field, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.measure import Scalar
from qf_tui.core.values import Battle, Ship

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
    "systems",
]
"""What a key of a file holds: `CardField` says what the first eleven mean, the library what the others do."""

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
class CardField:
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
    parts: tuple["CardField", ...] = ()
    required: bool = False
    default: Scalar = None
    alias: str = ""
    longest: int = 99
    of_fleet: bool = False


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


def find_scale(scales: Iterable[Scale], table: Mapping[str, object]) -> Scale | None:
    """The scale that a battle with such a table is played at, or None."""
    at = (table.get("scale"), table.get("units"))
    return next((scale for scale in scales if (scale.name, scale.units) == at), None)
