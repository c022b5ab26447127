"""The report as Markdown that pastes into a forum: what comes from a battle is text in it, never markup."""

import re
from collections.abc import Iterable, Iterator

from qf_tui.document.curve import curve_lines
from qf_tui.document.values import Report, Section, Sentence, Table

_MEANS = re.compile(r"[\\`*_\[\]|~#$^]")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_BEGINS = re.compile(r"^(\s*)([-+=]|[0-9]+(?=[.)]))")


def markdown_text(report: Report) -> str:
    """The report as a text."""
    return "\n".join(_report(report)) + "\n"


def literal(text: str) -> str:
    """A text that Markdown shows as it stands, wherever in a line."""
    return _MEANS.sub(r"\\\g<0>", text).translate(_HTML)


def _begin(text: str) -> str:
    """A literal text at the beginning of a line, where it must make no list and no heading."""
    return _BEGINS.sub(_unlisted, literal(text))


def _unlisted(found: re.Match[str]) -> str:
    sign = found[2]
    return f"{found[1]}{sign}\\" if sign[0].isdigit() else f"{found[1]}\\{sign}"


def _report(report: Report) -> Iterator[str]:
    yield f"# {literal(report.title)}"
    yield ""
    for sentence in report.headline:
        yield from (_said(sentence), "")
    if report.curve:
        # What stands between such lines is shown as it is; a name could end it only by that sign.
        yield from ("```text", *(line.replace("`", "'") for line in curve_lines(report.curve)), "```", "")
    for section in report.sections:
        yield from _section(section, 2)


def _section(section: Section, depth: int) -> Iterator[str]:
    yield from (f"{'#' * depth} {literal(section.title)}", "")
    yield from _sentences(section.sentences)
    if section.table:
        yield from (*_table(section.table), "")
    for part in section.parts:
        yield from _section(part, depth + 1)


def _sentences(sentences: Iterable[Sentence]) -> Iterator[str]:
    lines = [f"- {_said(one)}{f' ({one.entry})' if one.entry else ''}" for one in sentences]
    yield from (*lines, *([""] if lines else []))


def _said(sentence: Sentence) -> str:
    return f"**{literal(sentence.text)}**" if sentence.strong else _begin(sentence.text)


def _table(table: Table) -> Iterator[str]:
    numbered = any(row.entry for row in table.rows)
    titles = [column.title for column in table.columns]
    rules = ["---:" if column.figures else "---" for column in table.columns]
    yield _row([*([""] if numbered else []), *titles])
    yield f"|{'|'.join([*(['---:'] if numbered else []), *rules])}|"
    for row in table.rows:
        yield _row([*([str(row.entry or "")] if numbered else []), *row.cells])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(literal, cells))} |"
