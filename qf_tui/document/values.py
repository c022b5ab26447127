"""The parts of a document as values; renderers draw them and add no words.

A text may contain names that people typed, so each renderer escapes it for its medium. No text contains line
breaks or markup.
"""

from collections.abc import Iterable
from enum import Enum
from typing import ClassVar, TypeVar

from attrs import frozen

from qf_tui.core.declarations import Span as CellSpan


class Tone(Enum):
    """The meaning of a span, from which a renderer chooses its look."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    CHANGED = "changed"
    WARNING = "warning"
    ASKED = "asked"
    CLAUSE = "clause"
    QUIET_CLAUSE = "quiet clause"
    FIRST = "first"
    SECOND = "second"


@frozen
class TextSpan:
    """A piece of a line.

    Attributes:
        entry: Number of the entry that it is about, or 0; `?` explains that entry.
        clause: Clause that it depends on, or "".
        mark: Sign drawn after the text, such as † for a reconstructed cell.
    """

    text: str
    tone: Tone = Tone.PLAIN
    entry: int = 0
    clause: str = ""
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.text} {self.mark}" if self.mark else self.text


@frozen
class Line:
    """A sentence or a row of spans, indented by `indent` characters; without spans it is blank."""

    spans: tuple[TextSpan, ...]
    indent: int = 0

    @property
    def text(self) -> str:
        return "".join(map(str, self.spans))

    @property
    def entry(self) -> int:
        """The number of the entry that it is about, or 0."""
        return next((span.entry for span in self.spans if span.entry), 0)

    @property
    def strong(self) -> bool:
        """True if it tells an important event, such as a sinking."""
        return any(span.tone is Tone.STRONG for span in self.spans)


def text_line(text: str, entry: int = 0, tone: Tone = Tone.PLAIN, *, indent: int = 0) -> Line:
    """Build a line of one span."""
    return Line((TextSpan(text, tone, entry),), indent)


GAP = Line(())
"""A blank line between lines."""


@frozen
class TableColumn:
    """A column of a table.

    Attributes:
        right: True for numbers, which are aligned to the right.
        least: Least width on a screen, in characters.
        most: Greatest width; 0 for the width of its cells.
    """

    title: str
    right: bool = False
    least: int = 0
    most: int = 0


def word_columns(*titles: str) -> tuple[TableColumn, ...]:
    """Build columns for text."""
    return tuple(map(TableColumn, titles))


def figure_columns(*titles: str) -> tuple[TableColumn, ...]:
    """Build columns for numbers."""
    return tuple(TableColumn(title, right=True) for title in titles)


@frozen
class Row:
    """A row of a table.

    Attributes:
        cells: A text for each column.
        entry: Number of the entry that it is about, or 0.
        boxes: The same cells with their tones as on a log, or ().
    """

    cells: tuple[str, ...]
    entry: int = 0
    boxes: tuple[tuple[CellSpan, ...], ...] = ()


@frozen
class Table:
    """Rows under column titles."""

    columns: tuple[TableColumn, ...]
    rows: tuple[Row, ...]

    @property
    def numbered(self) -> bool:
        """True if entry numbers are written before the rows."""
        return any(row.entry for row in self.rows)


def table_blocks(columns: tuple[TableColumn, ...], rows: Iterable[Row]) -> tuple[Table, ...]:
    """Build a table as a block, or no block if it has no rows."""
    table = Table(columns, tuple(rows))
    return (table,) if table.rows else ()


def signed(value: float, places: int = 1) -> str:
    """Format a number with its sign."""
    rounded = round(value, places)
    return f"{'−' if rounded < 0 else '+' if rounded > 0 else ''}{abs(rounded):.{places}f}"


@frozen
class CurvePoint:
    """The end of a phase: `advantage` and `luck` are above 0 where they are good for the first side.

    `advantage` is what it has gained on the second since the start, both 0 there; ships that joined are left
    out of it, as they were worth then. `luck` is how much of that the dice brought, `gained` what they
    brought in this phase. `phase` is its title; `worth` each side's, in the order of `Curve.sides`.
    """

    turn: int
    phase: str
    worth: tuple[float, ...]
    advantage: float
    luck: float
    gained: float

    @property
    def text(self) -> str:
        return (
            f"turn {self.turn}, {self.phase}: advantage {signed(self.advantage, 2)}, "
            f"luck {signed(self.luck, 2)} ({signed(self.gained, 2)} in this phase)"
        )


@frozen
class Curve:
    """Advantage and luck from phase to phase, for the first two sides.

    `sides` are their names; `turning` is the place of the turning point among the points, None without one.
    `above`, `below` say what is meant above and below the zero line, `unit` what worth is counted in.
    """

    title: ClassVar = "Advantage and luck by phase"
    bars_title: ClassVar = "luck of each phase"
    figures_title: ClassVar = "The curve in figures"
    luck_title: ClassVar = "The luck in it, on the same scale"

    sides: tuple[str, ...]
    points: tuple[CurvePoint, ...]
    turning: int | None
    above: str
    below: str
    unit: str

    @property
    def about(self) -> str:
        """The same for those who do not see the drawing."""
        last, turned = self.points[-1], f" The phase of {self.turning_text}." if self.turned else ""
        return (
            f"Above the zero line: {self.above}; below it: {self.below}. At the end advantage "
            f"{signed(last.advantage, 2)}, luck {signed(last.luck, 2)}.{turned} All figures are in the "
            "table below."
        )

    @property
    def figures(self) -> Table:
        """All of it in figures, the turning point marked."""
        columns = (
            *figure_columns("turn"),
            *word_columns("phase"),
            *figure_columns(*self.sides, "advantage", "luck", "of this phase"),
        )
        rows = (
            (
                str(point.turn),
                f"{point.phase} ▲" if at == self.turning else point.phase,
                *(f"{worth:.2f}" for worth in point.worth),
                *(signed(value, 2) for value in (point.advantage, point.luck, point.gained)),
            )
            for at, point in enumerate(self.points)
        )
        return Table(columns, tuple(map(Row, rows)))

    @property
    def turned(self) -> str:
        """The phase in which the battle turned, "" without one."""
        if self.turning is None:
            return ""
        point = self.points[self.turning]
        return f"turn {point.turn}, {point.phase}"

    @property
    def turning_text(self) -> str:
        """What is said of that phase, "" without one."""
        return f"most luck: {self.turned}" if self.turned else ""

    @property
    def advantage_text(self) -> str:
        return f"Advantage: above the line {self.above}, below it {self.below}"


@frozen
class Outcomes:
    """What a side threw among all that it could have: `ways` of each count, `of` all, their `mean`.

    `first`: it has the first side's colour. Only a page draws it.
    """

    side: str
    first: bool
    thrown: int
    mean: float
    ways: tuple[int, ...]
    of: int

    @property
    def due_text(self) -> str:
        return f"{self.mean:.1f} due"

    @property
    def thrown_text(self) -> str:
        return f"{self.thrown} thrown"

    @property
    def about(self) -> str:
        """The same for those who do not see the drawing."""
        return (
            f"{self.side}: {self.thrown_text}, {self.due_text}; "
            "the bars show how often the same throws bring each count"
        )


@frozen
class ShownInterval:
    """A part from 0 to 1 with its interval."""

    label: str
    part: float
    least: float
    most: float


@frozen
class Intervals:
    """Parts with their intervals under a title; `about` says the same for those who do not see the drawing.

    Only a page draws it.
    """

    title: str
    about: str
    rows: tuple[ShownInterval, ...]


_Kind = TypeVar("_Kind")


@frozen
class LogBoxes:
    """A line of a ship's card or log: its title and its boxes."""

    title: str
    boxes: tuple[CellSpan, ...]


@frozen
class Section:
    """A heading with blocks; sections within it are its parts, such as a turn or a side.

    Attributes:
        id: Unique among sections of the same depth; small letters, digits and "-", fit for a page anchor.
    """

    title: str
    blocks: tuple["Block", ...] = ()
    id: str = ""

    def _of(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        """Return the section's own blocks of a kind."""
        return tuple(block for block in self.blocks if isinstance(block, kind))

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._of(Line)

    @property
    def numbered(self) -> bool:
        """True if entry numbers are written before its lines."""
        return any(line.entry for line in self.lines)

    @property
    def table(self) -> Table | None:
        return next(iter(self._of(Table)), None)

    @property
    def curve(self) -> Curve | None:
        return next(iter(self._of(Curve)), None)

    @property
    def outcomes(self) -> tuple[Outcomes, ...]:
        return self._of(Outcomes)

    @property
    def sections(self) -> tuple["Section", ...]:
        return self._of(Section)

    def section(self, id: str) -> "Section | None":
        return next((section for section in self.sections if section.id == id), None)


PAGE_NOTE = "The small figures are entry numbers in its log."
"""Text at the foot of a page, after the program's name."""

Block = Line | Table | Curve | Outcomes | Intervals | LogBoxes | Section


@frozen
class Document(Section):
    """Everything that a person reads at one time: a title and blocks."""
