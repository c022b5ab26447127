"""A battle retold as plain text: for a terminal, a pipe, and mail."""

from collections.abc import Iterator
from textwrap import wrap

from qf_tui.cli.tables import table
from qf_tui.report.blocks import curve_lines
from qf_tui.report.values import Report, Section, Sentence, Table

WIDTH = 98
_INDENT = "  "
_ENTRY = 5
"""Cells of the number of an entry."""


def report_lines(report: Report) -> Iterator[str]:
    """All of a report."""
    yield from wrap(report.title, WIDTH)
    yield ""
    for sentence in report.headline:
        yield from wrap(sentence.text, WIDTH)
    if report.curve:
        yield from ("", *curve_lines(report.curve))
    for section in report.sections:
        yield from ("", section.title.upper(), *_section(section))
        for part in section.parts:
            yield from ("", part.title, *_section(part))


def _section(section: Section) -> Iterator[str]:
    for sentence in section.sentences:
        yield from _sentence(sentence)
    if section.table:
        yield from _table(section.table)


def _sentence(sentence: Sentence) -> list[str]:
    number = f"{sentence.entry or '':>{_ENTRY}}{_INDENT}"
    return wrap(sentence.text, WIDTH, initial_indent=number, subsequent_indent=" " * len(number)) or [number]


def _table(given: Table) -> list[str]:
    numbered = any(row.entry for row in given.rows)
    heads = [*([""] if numbered else []), *(column.title for column in given.columns)]
    rows = [[*([str(row.entry or "")] if numbered else []), *row.cells] for row in given.rows]
    rights = [*([True] if numbered else []), *(column.figures for column in given.columns)]
    return [f"{_INDENT}{line}" for line in table([heads, *rows], rights)]
