"""A battle report as plain text and as Markdown, and its tables as CSV."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from qf_tui.document.text import GAP, lay_out_cells, lay_out_table
from qf_tui.document.values import Block, Document, Line, Section, Table
from qf_tui.features.report.curve import Curve, draw_curve

REPORT_WIDTH = 98
_ENTRY = 5
"""Width of an entry number, in characters."""


def lay_out_report(report: Document) -> Iterator[str]:
    """Lay out a report as lines of text, with the headings of sections in capitals."""
    yield from wrap(report.title, REPORT_WIDTH)
    yield ""
    for block in report.blocks:
        if isinstance(block, Line):
            yield from wrap(block.text, REPORT_WIDTH)
        elif isinstance(block, Curve):
            yield from ("", *draw_curve(block))
        elif isinstance(block, Section):
            yield from ("", block.title.upper(), *_lay_out_section(block))


def _lay_out_section(section: Section) -> Iterator[str]:
    """Yield the lines of a section, each after its entry number; a section in it gets its title as a line."""
    for block in section.blocks:
        if isinstance(block, Line):
            lead = f"{block.entry or '':>{_ENTRY}}{GAP}"
            rest = " " * len(lead)
            yield from wrap(block.text, REPORT_WIDTH, initial_indent=lead, subsequent_indent=rest) or [lead]
        elif isinstance(block, Table):
            yield from (f"{GAP}{line}" for line in lay_out_table(block))
        elif isinstance(block, Section):
            yield from ("", block.title, *_lay_out_section(block))


_SPECIAL_LETTERS = r"[\\`*_\[\]|~#$^]"
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_LIST_STARTS = r"^(\s*)([-+=]|[0-9]+(?=[.)]))"


def format_markdown(document: Document) -> str:
    """Format a document as Markdown for a forum, with all text escaped."""
    return "\n".join((f"# {escape_markdown(document.title)}", "", *_format_blocks(document.blocks, 2))) + "\n"


def escape_markdown(text: str) -> str:
    """Escape a text so that Markdown shows it unchanged within a line."""
    return re.sub(_SPECIAL_LETTERS, r"\\\g<0>", text).translate(_HTML)


def _escape_line_start(text: str) -> str:
    """Escape a text that begins a line, so that Markdown reads no list or heading there."""

    def escape_sign(match: re.Match[str]) -> str:
        before, sign = match.groups()
        # After a number, it is the following `.` or `)` that begins a list.
        return f"{before}{sign}\\" if sign.isdigit() else f"{before}\\{sign}"

    return re.sub(_LIST_STARTS, escape_sign, escape_markdown(text))


def _format_blocks(blocks: Sequence[Block], depth: int) -> Iterator[str]:
    """Format blocks as Markdown: lines of the document as paragraphs, lines of sections as list items.

    Args:
        blocks: Blocks to format.
        depth: Level of the headings of sections among them; 2 for blocks of the document itself.
    """
    in_section = depth > 2
    for block, next_block in zip(blocks, (*blocks[1:], None), strict=True):
        if isinstance(block, Line) and block.spans:
            text = f"**{escape_markdown(block.text)}**" if block.strong else _escape_line_start(block.text)
            number = f" ({block.entry})" if block.entry and in_section else ""
            yield f"- {text}{number}" if in_section else text
            # A blank line ends a paragraph or a list.
            if not (in_section and isinstance(next_block, Line)):
                yield ""
        elif isinstance(block, Table):
            rights, rows = lay_out_cells(block)
            heads, *other_rows = (f"| {' | '.join(map(escape_markdown, row))} |" for row in rows)
            rule = "|".join("---:" if right else "---" for right in rights)
            yield from (heads, f"|{rule}|", *other_rows, "")
        elif isinstance(block, Curve):
            # Text in a code block is literal; only a backquote in a name could end the block.
            yield from ("```text", *(line.replace("`", "'") for line in draw_curve(block)), "```", "")
        elif isinstance(block, Section):
            yield from (
                f"{'#' * depth} {escape_markdown(block.title)}",
                "",
                *_format_blocks(block.blocks, depth + 1),
            )


def format_csv(table: Table) -> str:
    """Format a table as CSV."""
    from qf_tui.library.csv_rows import format_csv_table

    heads = [column.title for column in table.columns]
    return format_csv_table(heads, (dict(zip(heads, row.cells, strict=True)) for row in table.rows))
