"""The parts of a document as values, such as lines and tables; renderers draw them and add no words.

A text may contain names that people typed, so each renderer escapes it for its medium. No text contains line
breaks or markup.
"""

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

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
        """The texts of all spans with their marks, without the indent."""
        return "".join(map(str, self.spans))

    @property
    def entry(self) -> int:
        """The number of the entry that it is about, or 0."""
        return next((span.entry for span in self.spans if span.entry), 0)

    @property
    def strong(self) -> bool:
        """True if it tells an important event, such as a sinking."""
        return any(span.tone is Tone.STRONG for span in self.spans)


def build_line(text: str, entry: int = 0, tone: Tone = Tone.PLAIN, *, indent: int = 0) -> Line:
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


def build_text_columns(*titles: str) -> tuple[TableColumn, ...]:
    """Build columns for text."""
    return tuple(map(TableColumn, titles))


def build_number_columns(*titles: str) -> tuple[TableColumn, ...]:
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


def build_table_blocks(columns: tuple[TableColumn, ...], rows: Iterable[Row]) -> tuple[Table, ...]:
    """Build a table as a block, or no block if it has no rows."""
    table = Table(columns, tuple(rows))
    return (table,) if table.rows else ()


class Drawing:
    """A block of a feature that only its own renderers draw; all others leave it out."""


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

    def list_blocks(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        """Return the blocks of a kind directly in this section, not those in sections within it."""
        return tuple(block for block in self.blocks if isinstance(block, kind))

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines directly in this section."""
        return self.list_blocks(Line)

    @property
    def numbered(self) -> bool:
        """True if entry numbers are written before its lines."""
        return any(line.entry for line in self.lines)

    @property
    def table(self) -> Table | None:
        """The first table directly in this section, or None."""
        return next(iter(self.list_blocks(Table)), None)

    @property
    def sections(self) -> tuple["Section", ...]:
        """The sections directly in this section."""
        return self.list_blocks(Section)

    def find_section(self, id: str) -> "Section | None":
        """Return the section with an id directly in this one, or None."""
        return next((section for section in self.sections if section.id == id), None)


Block = Line | Table | Drawing | LogBoxes | Section


@frozen
class Document(Section):
    """Everything that a person reads at one time: a title and blocks."""
