"""CSV as spreadsheets write it, whatever their locale; and written so that none takes a cell for a formula.

Text that begins as a formula does (`=`, `+`, `@`, `-`) is text: written, it has an apostrophe before it,
which reading takes away. The same holds behind a semicolon, where a spreadsheet of another locale may cut.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path

from attrs import frozen

from qf_tui.library.faults import Fault, FileFaults, FileItem, FilePlace, near, shown
from qf_tui.library.paths import decoded

Row = Mapping[str, str]
"""Cells by their headings."""

ROWS_MOST = 10_000
"""Rows of the longest file that is read."""

COLUMNS_MOST = 1_000
FAULTS_MOST = 1_000
"""Faults after which no further row is looked into."""

_SEPARATORS = (",", ";", "\t")
_SAID = re.compile(r"sep=(.)\r?\n")
_BEGINS = "=+@\\-\t\r＝＋＠－"
_WRITTEN = re.compile(f"(^|;)('+[{_BEGINS}])")
_MEANT = re.compile(f"(^|;)('*[{_BEGINS}])")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_COMMA = re.compile(r"([0-9]+),([0-9]+)")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")


@frozen
class CsvTable:
    """The cells of a file: its rows (the first is row 2 of the file), and what is wrong with its form.

    A row of nothing is an empty one. Cells are stripped; empty ones at a row's end are none.
    """

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    headed: bool
    """Whether nothing is wrong with the headings: otherwise the rows tell nothing."""

    @property
    def numbered(self) -> tuple[tuple[int, Row], ...]:
        """The rows that say anything, with their numbers in the file."""
        return tuple((number, row) for number, row in enumerate(self.rows, 2) if any(row.values()))


def read_table(data: bytes, path: Path, known: Collection[str], needed: Collection[str] = ()) -> CsvTable:
    """A file whose headings are among those `known`; FileFaults where it is no CSV at all.

    Its separator is a comma, a semicolon or a tab, whichever parts the most known headings.
    """
    text = decoded(data, path)
    said = _SAID.match(text)
    if said:
        text = text[said.end() :]
    separators = (said[1],) if said and said[1] in _SEPARATORS else _SEPARATORS
    separator = max(separators, key=lambda one: len(set(_first(text, one)) & set(known)))
    lines = _lines(text, separator, path)
    headings = tuple(lines[0]) if lines else ()
    if len(headings) > COLUMNS_MOST:
        raise FileFaults(path, [Fault.at(row_place(1), f"more than {COLUMNS_MOST:,} columns; break it up")])
    wrong = tuple(_heading_faults(headings, known, needed))
    rows, faults = [], []
    for number, cells in enumerate(lines[1:], 2):
        # Under wrong headings there may be a thousand cells a row, and nobody asks for them.
        told = any(cells) and not wrong
        rows.append(dict(zip(headings, chain(cells, repeat("")), strict=False)) if told else {})
        if cells and len(cells) > len(headings):
            faults.append(Fault.at(row_place(number), f"{len(cells)} cells under {len(headings)} headings"))
    return CsvTable(tuple(rows), (*wrong, *faults), not wrong)


def table_text(headings: Sequence[str], rows: Iterable[Row]) -> str:
    """Rows as the text of a file; what `read_table` reads as the same. Empty rows are left out."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(headings)
    out.writerows([_safe(row.get(heading, "")) for heading in headings] for row in rows if any(row.values()))
    return text.getvalue()


def plain_number(text: str) -> str:
    """A number with a point for a decimal comma; ValueError where the comma may group thousands as well."""
    if _GROUPED.fullmatch(text):
        raise ValueError("a comma before three figures may mean either; leave it out, or write a point")
    comma = _COMMA.fullmatch(text)
    return f"{comma[1]}.{comma[2]}" if comma else text


def row_place(number: int, label: str = "") -> FilePlace:
    """A row of a file, counted from 1 as spreadsheets do, and what stands in it."""
    return FilePlace((FileItem("row", number, label),))


def by_rows(faults: Iterable[Fault]) -> list[Fault]:
    """Faults in the order of the rows that their places are in; those of no row first."""
    return sorted(faults, key=lambda fault: fault.found.items[0].number if fault.found.items else 0)


def _safe(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else _MEANT.sub(r"\1'\2", text)


def _meant(cell: str) -> str:
    cell = cell.strip()
    return _WRITTEN.sub(lambda found: found[1] + found[2][1:], cell) if "'" in cell else cell


def _first(text: str, separator: str) -> list[str]:
    """The cells of the first row, if it is one."""
    try:
        return next(_reader(text, separator), [])
    except csv.Error:
        return []


def _lines(text: str, separator: str, path: Path) -> list[list[str]]:
    lines: list[list[str]] = []
    try:
        for line in _reader(text, separator):
            if len(lines) > ROWS_MOST:
                raise FileFaults(path, [Fault("", f"more than {ROWS_MOST:,} rows; break it up")])
            cells = [_meant(cell) for cell in line]
            while cells and not cells[-1]:
                cells.pop()
            lines.append(cells)
    except csv.Error as error:
        what = f"it is not CSV: {shown(str(error))}"
        raise FileFaults(path, [Fault.at(row_place(len(lines) + 1), what)]) from None
    return lines


def _reader(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)


def _heading_faults(
    headings: Sequence[str], known: Collection[str], needed: Collection[str]
) -> Iterable[Fault]:
    for heading in dict.fromkeys(headings):
        if heading not in known:
            hint = near(heading, known)
            yield Fault.at(row_place(1), f"no column “{shown(heading)}”{hint}")
        elif headings.count(heading) > 1:
            yield Fault.at(row_place(1), f"“{heading}” stands there more than once")
    missing = [heading for heading in needed if heading not in headings]
    if missing:
        yield Fault.at(row_place(1), f"missing: {', '.join(missing)}")
