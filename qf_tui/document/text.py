"""Documents as plain text: columns of tables are aligned by the width of their texts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap
from unicodedata import combining, east_asian_width

from qf_tui.document.values import Block, Document, Line, Section, Table

GAP = "  "
NOTHING = "–"
"""Table cell for a missing value."""
_SEPARATOR = " · "
_TERM_WIDTH = 20
"""Width of a term with its explanation next to it, in characters."""


def measure_width(text: str) -> int:
    """Return the width of a text in a terminal, in cells."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def lay_out_rows(rows: Iterable[Sequence[str]], rights: Sequence[bool] = ()) -> list[str]:
    """Lay out rows of equal length as lines, each column as wide as its widest cell.

    Args:
        rights: Which columns are aligned to the right; missing ones are not.
    """
    rows = [list(row) for row in rows]
    widths = [max(measure_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    all_rights = [*rights, *[False] * (len(widths) - len(rights))]
    return [
        GAP.join(
            pad_text(cell, width, right) for cell, width, right in zip(row, widths, all_rights, strict=True)
        ).rstrip()
        for row in rows
    ]


def measure_columns(table: Table, measure: Callable[[str], int] = measure_width) -> list[int]:
    """Return the width of each column: its widest cell, within the column's limits."""
    columns = zip(table.columns, *(row.cells for row in table.rows), strict=True)
    widths = (max(column.least, *map(measure, (column.title, *cells))) for column, *cells in columns)
    return [min(width, column.most or width) for width, column in zip(widths, table.columns, strict=True)]


def pad_text(text: str, width: int, to_right: bool = False) -> str:
    """Pad a text with blanks to a width, at its start if `to_right`; a wider text is returned unchanged."""
    blank = " " * (width - measure_width(text))
    return blank + text if to_right else text + blank


def lay_out_table(table: Table, most: int = 0) -> list[str]:
    """Lay out a table as lines of at most `most` characters, if possible; 0 for no limit.

    If it is too wide, each row is laid out separately: in a table of two columns as a term with its
    explanation, in other tables as the first cell with the other cells below it, each with its title.
    """
    rights, all_rows = lay_out_cells(table)
    lines = lay_out_rows(all_rows, rights)
    if not most or max(map(measure_width, lines)) <= most:
        return lines
    titles, *rows = all_rows
    if len(titles) == 2:
        return [line for row in rows for line in _wrap_hanging(row, most)]
    return [line for row in rows for line in (row[0], *_fold_row(titles, row, most))]


def _wrap(text: str, indent: str, most: int) -> Iterable[str]:
    """Break a text into indented lines of at most `most` characters; if `most` is 0, return one line."""
    if not most or not text:
        return (f"{indent}{text}",)
    return wrap(text, most, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _wrap_hanging(row: Sequence[str], most: int) -> Iterator[str]:
    """Lay out a term and its explanation with a hanging indent; a long term is a line by itself."""
    word, text = row
    fits_next_to_text = measure_width(word) <= _TERM_WIDTH - len(GAP)
    lead = pad_text(word, _TERM_WIDTH) if fits_next_to_text else " " * _TERM_WIDTH
    yield from () if fits_next_to_text else (word,)
    yield from wrap(
        text, most, initial_indent=lead, subsequent_indent=" " * _TERM_WIDTH, break_on_hyphens=False
    )


def lay_out_cells(table: Table) -> tuple[list[bool], list[tuple[str, ...]]]:
    """Return which columns are aligned to the right, and all rows with the titles first.

    Entry numbers, if there are any, are the first column.
    """
    rights = [column.right for column in table.columns]
    rows = [tuple(column.title for column in table.columns), *(row.cells for row in table.rows)]
    if not table.numbered:
        return rights, rows
    numbers = ["", *(str(row.entry or "") for row in table.rows)]
    return [True, *rights], [(number, *row) for number, row in zip(numbers, rows, strict=True)]


def _fold_row(titles: Sequence[str], row: Sequence[str], most: int) -> Iterator[str]:
    """Lay out all but the first cell of a row, each with its title, as indented lines; skip empty cells."""
    line = ""
    for title, cell in zip(titles[1:], row[1:], strict=True):
        part = f"{title} {cell}".strip()
        if cell in ("", NOTHING):
            continue
        if line and len(GAP + line + _SEPARATOR + part) > most:
            yield from _wrap(line, GAP, most)
            line = part
        else:
            line = f"{line}{_SEPARATOR}{part}" if line else part
    yield from _wrap(line, GAP, most)


def lay_out_document(document: Document, most: int = 0) -> Iterator[str]:
    """Lay out a document as lines of at most `most` characters, if possible; 0 for no limit."""
    yield from [document.title] if document.title else []
    yield from lay_out_blocks(document.blocks, most)


def lay_out_blocks(blocks: Iterable[Block], most: int = 0, depth: str = "") -> Iterator[str]:
    """Lay out lines, tables and sections; drawings and log boxes are left out.

    Args:
        most: Most characters of a line; 0 for no limit.
        depth: Indent of the titles of sections.
    """
    for block in blocks:
        if isinstance(block, Line):
            yield from _wrap(block.text, " " * block.indent, most)
        elif isinstance(block, Table):
            yield from lay_out_table(block, most)
        elif isinstance(block, Section):
            yield from ("", f"{depth}{block.title}")
            yield from lay_out_blocks(block.blocks, most, depth + GAP)
