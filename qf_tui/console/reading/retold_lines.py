"""A report as lines for a width: its headline, curve, sentences and tables, each with its entry."""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.reading.curve import curve_lines
from qf_tui.console.reading.lookup import Rank
from qf_tui.console.widgets.text import fit, literal, width_of
from qf_tui.report.telling import LUCK, VICTORY
from qf_tui.report.values import Report, Section, Sentence, Table, TableRow

GAP = 2
NUMBER = 5
"""Cells of the number of an entry."""


@frozen
class RetoldLine:
    """One line; `entry` is what it tells of, 0 for none. `section`: it begins one."""

    content: Content
    entry: int = 0
    section: bool = False
    rank: Rank = Rank.ITEM


BLANK = RetoldLine(Content(""), rank=Rank.GAP)


def head_line(text: str) -> RetoldLine:
    """A line that begins a section."""
    return RetoldLine(literal(text, "bold $secondary"), section=True, rank=Rank.HEADING)


def first_lines(report: Report, width: int, high: int) -> Iterator[RetoldLine]:
    """What the report says first: how the battle stands, its curve, so many lines high, and luck."""
    luck = report.section(LUCK)
    yield from (_sentence(one, False) for one in (*report.headline, *(luck.sentences if luck else ())))
    if report.curve:
        yield BLANK
        yield head_line("Advantage and luck")
        # A picture is found as a whole.
        yield from (RetoldLine(line, rank=Rank.BELOW) for line in curve_lines(report.curve, width - 2, high))
    if luck is not None and luck.table is not None:
        yield from section_lines(evolve(luck, sentences=()), width)


def other_sections(report: Report, width: int) -> Iterator[RetoldLine]:
    """All else of it but what stands with the battle as it is now."""
    for section in report.sections:
        if section.id not in (LUCK, VICTORY):
            yield from section_lines(section, width)


def section_lines(section: Section, width: int) -> Iterator[RetoldLine]:
    """A section with its parts."""
    yield BLANK
    yield head_line(section.title)
    yield from _section(section, width)
    for part in section.parts:
        yield RetoldLine(literal(f"  {part.title}", "bold"))
        yield from _section(part, width)


def _section(section: Section, width: int) -> Iterator[RetoldLine]:
    numbered = any(one.entry for one in section.sentences)
    yield from (_sentence(one, numbered) for one in section.sentences)
    if section.table and section.table.rows:
        yield from table_lines(section.table, width)


def _sentence(one: Sentence, numbered: bool) -> RetoldLine:
    """A sentence, behind the number of its entry where its neighbours have one."""
    number = f"{one.entry or '':>{NUMBER}}  " if numbered else "  "
    text = literal(one.text, "bold" if one.strong else "")
    return RetoldLine(
        Content.assemble(literal(number, "$quiet"), text), one.entry, rank=_rank(one.entry, numbered)
    )


def _rank(entry: int, numbered: bool) -> Rank:
    """What has no number among lines that have one goes on with the line above it."""
    return Rank.BELOW if numbered and not entry else Rank.ITEM


def table_lines(table: Table, width: int) -> Iterator[RetoldLine]:
    """A table in columns where they fit; else each row in words under its first cell."""
    rows = table.rows
    numbered = any(row.entry for row in rows)
    widths = [
        max(width_of(column.title), *(width_of(row.cells[at]) for row in rows))
        for at, column in enumerate(table.columns)
    ]
    if sum(widths) + GAP * len(widths) + (NUMBER + GAP if numbered else 0) > width:
        yield from _in_words(table, numbered)
        return
    rights = [column.figures for column in table.columns]
    titles = _cells((column.title for column in table.columns), widths, rights)
    lead = " " * (NUMBER + GAP) if numbered else "  "
    yield RetoldLine(literal(f"{lead}{titles}", "$quiet"), rank=Rank.BELOW)
    for row in rows:
        line = Content.assemble(_lead(row, numbered), literal(_cells(row.cells, widths, rights)))
        yield RetoldLine(line, row.entry, rank=_rank(row.entry, numbered))


def _cells(texts: Iterable[str], widths: list[int], rights: list[bool]) -> str:
    fitted = (fit(text, width, right) for text, width, right in zip(texts, widths, rights, strict=True))
    return (" " * GAP).join(fitted).rstrip()


def _lead(row: TableRow, numbered: bool) -> Content:
    return literal(f"{row.entry or '':>{NUMBER}}  " if numbered else "  ", "$quiet")


def _in_words(table: Table, numbered: bool) -> Iterator[RetoldLine]:
    for row in table.rows:
        first, *rest = row.cells
        named = zip(table.columns[1:], rest, strict=True)
        said = " · ".join(f"{column.title} {text}" for column, text in named if text)
        line = Content.assemble(_lead(row, numbered), literal(first, "bold"), literal(f"  {said}"))
        yield RetoldLine(line, row.entry, rank=_rank(row.entry, numbered))
