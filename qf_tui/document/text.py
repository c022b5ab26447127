"""Documents as plain text and as Markdown, the curve in letters, and the layout of columns."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil, inf
from textwrap import wrap
from typing import TypeVar
from unicodedata import combining, east_asian_width

from attrs import frozen

from qf_tui.document.values import (
    Block,
    Curve,
    CurvePoint,
    Document,
    Line,
    Section,
    Table,
    TextSpan,
    Tone,
    signed,
    text_line,
)

GAP = "  "
NOTHING = "–"
"""Table cell for a missing value."""
REPORT_WIDTH = 98
_BETWEEN = " · "
_ENTRY = 5
"""Width of an entry number, in characters."""
_TERM = 20
"""Width of a term with its explanation next to it, in characters."""


def width(text: str) -> int:
    """Return the width of a text in a terminal, in cells."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def table(rows: Iterable[Sequence[str]], rights: Sequence[bool] = ()) -> list[str]:
    """Lay out rows of equal length as lines, each column as wide as its widest cell.

    Args:
        rights: Which columns are aligned to the right; missing ones are not.
    """
    rows = [list(row) for row in rows]
    widths = [max(width(cell) for cell in column) for column in zip(*rows, strict=True)]
    right = [*rights, *[False] * (len(widths) - len(rights))]
    return [
        GAP.join(
            padded(cell, wide, to_right) for cell, wide, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    ]


def column_widths(given: Table, measure: Callable[[str], int] = width) -> list[int]:
    """Return the width of each column: its widest cell, within the column's limits."""
    columns = zip(given.columns, *(row.cells for row in given.rows), strict=True)
    widths = (max(column.least, *map(measure, (column.title, *cells))) for column, *cells in columns)
    return [min(wide, column.most or wide) for wide, column in zip(widths, given.columns, strict=True)]


def padded(text: str, wide: int, to_right: bool = False) -> str:
    """Pad a text with blanks to a width."""
    blank = " " * (wide - width(text))
    return blank + text if to_right else text + blank


def table_lines(given: Table, most: int = 0) -> list[str]:
    """Lay out a table as lines; if it is wider than `most`, lay out each row separately (0: never)."""
    rights, rows = _cells(given)
    lines = table(rows, rights)
    if not most or max(map(width, lines)) <= most:
        return lines
    if len(rows[0]) == 2:
        return [line for row in rows[1:] for line in _hanging(row, most)]
    return [line for row in rows[1:] for line in (row[0], *_folded(rows[0], row, most))]


def _wrapped(text: str, indent: str, most: int) -> Iterable[str]:
    if not most or not text:
        return (f"{indent}{text}",)
    return wrap(text, most, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _hanging(row: Sequence[str], most: int) -> Iterator[str]:
    """Lay out a term and its explanation with a hanging indent."""
    word, text = row
    beside = width(word) <= _TERM - len(GAP)
    lead = padded(word, _TERM) if beside else " " * _TERM
    yield from () if beside else (word,)
    yield from wrap(text, most, initial_indent=lead, subsequent_indent=" " * _TERM, break_on_hyphens=False)


def _cells(given: Table) -> tuple[list[bool], list[tuple[str, ...]]]:
    """Return which columns are aligned to the right, and all rows with the titles first.

    Entry numbers, if there are any, are the first column.
    """
    rights = [column.right for column in given.columns]
    rows = [tuple(column.title for column in given.columns), *(row.cells for row in given.rows)]
    if not given.numbered:
        return rights, rows
    numbers = ["", *(str(row.entry or "") for row in given.rows)]
    return [True, *rights], [(number, *row) for number, row in zip(numbers, rows, strict=True)]


def _folded(head: Sequence[str], row: Sequence[str], most: int) -> Iterator[str]:
    """Lay out the cells of a row after the first, each with its title."""
    line = ""
    for title, cell in zip(head[1:], row[1:], strict=True):
        part = f"{title} {cell}".strip()
        if cell in ("", NOTHING):
            continue
        if line and len(GAP + line + _BETWEEN + part) > most:
            yield from _wrapped(line, GAP, most)
            line = part
        else:
            line = f"{line}{_BETWEEN}{part}" if line else part
    yield from _wrapped(line, GAP, most)


def text_lines(document: Document, most: int = 0) -> Iterator[str]:
    """Lay out a document as lines of at most `most` characters, if possible; 0 for no limit."""
    yield from [document.title] if document.title else []
    yield from plain_lines(document.blocks, most)


def plain_lines(blocks: Iterable[Block], most: int = 0, depth: str = "") -> Iterator[str]:
    """Lay out blocks as lines."""
    for block in blocks:
        if isinstance(block, Line):
            yield from _wrapped(block.text, " " * block.indent, most)
        elif isinstance(block, Table):
            yield from table_lines(block, most)
        elif isinstance(block, Section):
            yield from ("", f"{depth}{block.title}")
            yield from plain_lines(block.blocks, most, depth + GAP)


def report_lines(report: Document) -> Iterator[str]:
    """Lay out a report as lines: headings in capitals, entry numbers before the lines."""
    yield from wrap(report.title, REPORT_WIDTH)
    yield ""
    for block in report.blocks:
        if isinstance(block, Line):
            yield from wrap(block.text, REPORT_WIDTH)
        elif isinstance(block, Curve):
            yield from ("", *curve_lines(block))
        elif isinstance(block, Section):
            yield from ("", block.title.upper(), *_numbered(block))


def _numbered(section: Section) -> Iterator[str]:
    for block in section.blocks:
        if isinstance(block, Line):
            lead = f"{block.entry or '':>{_ENTRY}}{GAP}"
            rest = " " * len(lead)
            yield from wrap(block.text, REPORT_WIDTH, initial_indent=lead, subsequent_indent=rest) or [lead]
        elif isinstance(block, Table):
            yield from (f"{GAP}{line}" for line in table_lines(block))
        elif isinstance(block, Section):
            yield from ("", block.title, *_numbered(block))


_MEANS = r"[\\`*_\[\]|~#$^]"
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_BEGINS = r"^(\s*)([-+=]|[0-9]+(?=[.)]))"


def markdown_text(document: Document) -> str:
    """Format a document as Markdown for a forum, with all text escaped."""
    return "\n".join((f"# {literal(document.title)}", "", *_markdown(document.blocks, 2))) + "\n"


def literal(text: str) -> str:
    """Escape a text so that Markdown shows it unchanged within a line."""
    return re.sub(_MEANS, r"\\\g<0>", text).translate(_HTML)


def _begin(text: str) -> str:
    """Escape a text at the beginning of a line, where it must not start a list or a heading."""

    def unlisted(match: re.Match[str]) -> str:
        before, sign = match.groups()
        return f"{before}{sign}\\" if sign.isdigit() else f"{before}\\{sign}"

    return re.sub(_BEGINS, unlisted, literal(text))


def _markdown(blocks: Sequence[Block], depth: int) -> Iterator[str]:
    """Format blocks: lines of the document as paragraphs, lines of sections as list items."""
    for block, follows in zip(blocks, (*blocks[1:], None), strict=True):
        if isinstance(block, Line) and block.spans:
            text = f"**{literal(block.text)}**" if block.strong else _begin(block.text)
            number = f" ({block.entry})" if block.entry and depth > 2 else ""
            yield f"- {text}{number}" if depth > 2 else text
            yield from () if depth > 2 and isinstance(follows, Line) else ("",)
        elif isinstance(block, Table):
            rights, rows = _cells(block)
            heads, *others = (f"| {' | '.join(map(literal, row))} |" for row in rows)
            rule = "|".join("---:" if right else "---" for right in rights)
            yield from (heads, f"|{rule}|", *others, "")
        elif isinstance(block, Curve):
            # Text in a code block is literal; only a backquote in a name could end the block.
            yield from ("```text", *(line.replace("`", "'") for line in curve_lines(block)), "```", "")
        elif isinstance(block, Section):
            yield from (f"{'#' * depth} {literal(block.title)}", "", *_markdown(block.blocks, depth + 1))


BLOCKS = "▁▂▃▄▅▆▇█"
_Value = TypeVar("_Value")


def blocks(values: Sequence[float], bounds: tuple[float, float] | None = None, most: int = 60) -> str:
    """Draw values as block letters, taller for larger values.

    Args:
        bounds: Values of the lowest and the tallest letter; by default the smallest and largest value.
        most: Most letters; with more values, each letter shows the last of several.
    """
    if not values:
        return ""
    least, greatest = bounds or (min(values), max(values))
    shown = _sampled(values, most)
    steps = (greatest - least) / (len(BLOCKS) - 1)
    if not steps:
        return BLOCKS[0] * len(shown)
    places = (round((value - least) / steps) for value in shown)
    return "".join(BLOCKS[max(0, min(len(BLOCKS) - 1, place))] for place in places)


def _sampled(values: Sequence[_Value], most: int) -> Sequence[_Value]:
    """Take at most `most` values: the last of each group of neighbours."""
    each = ceil(len(values) / most)
    return [values[min(at + each, len(values)) - 1] for at in range(0, len(values), each)]


def curve_lines(curve: Curve, most: int = 60) -> list[str]:
    """Draw advantage and luck in block letters, with the last value and ▲ at the turning point."""
    advantages = [point.advantage for point in curve.points]
    lucks = [point.luck for point in curve.points]
    bounds = min(*advantages, *lucks), max(*advantages, *lucks)
    rows = (("advantage", advantages), ("luck", lucks))
    lines = [f"{title:<9}  {blocks(values, bounds, most)}  {signed(values[-1], 2)}" for title, values in rows]
    scale = f"{'from':<9}  {signed(bounds[0], 2)} to {signed(bounds[1], 2)}; + {curve.above}, − {curve.below}"
    lines.append(f"{'turn':<9}  {_turn_line(curve, most)}".rstrip())
    if curve.turning is not None:
        place = curve.turning // ceil(len(curve.points) / most)
        lines.append(f"{'':<9}  {'▲':>{place + 1}} {curve.turning_text}")
    return [*lines, scale]


def _turn_line(curve: Curve, most: int) -> str:
    """Write the number of each turn below its first letter, where there is room."""
    each, line, last = ceil(len(curve.points) / most), "", 0
    for at, point in enumerate(curve.points):
        if point.turn != last:
            last = point.turn
            if not line or len(line) < at // each:
                line = f"{line:<{at // each}}{point.turn}"
    return line


UP = " ▁▂▃▄▅▆▇█"
DOWN = " ▔▔▀▀▀▀██"
"""Letters for eighths of a line, above and below zero; no font has all eight for below."""
MARGIN = 9
"""Width of the scale at the left, in characters."""
_LAST = 8
"""Width of the last value at the right."""
_CELLS_MOST = 3
"""Greatest width of a phase."""


@frozen
class _Scale:
    """The value of one line of a chart, and its number of lines above and below zero."""

    each: float
    above: int
    below: int


def tall_curve(curve: Curve, most: int, high: int) -> list[Line]:
    """Draw advantage and luck as charts of at most `high` lines, with the turning point."""
    points = _sampled(curve.points, room := max(1, most - MARGIN - _LAST))
    cells = max(1, min(_CELLS_MOST, room // len(points)))
    scale = _scale(curve.points, high)
    return [
        text_line(curve.advantage_text, tone=Tone.QUIET),
        *_chart([point.advantage for point in points], scale, cells, Tone.FIRST),
        text_line(curve.luck_title, tone=Tone.QUIET),
        *_chart([point.luck for point in points], scale, cells, Tone.SECOND),
        _turns(points, cells),
        *_mark(curve, len(points), cells, most),
    ]


def _scale(points: Sequence[CurvePoint], high: int) -> _Scale:
    """Choose one scale for both charts that splits `high` lines best above and below zero."""
    values = [value for point in points for value in (point.advantage, point.luck)]
    top, bottom = max(0.0, *values), max(0.0, *(-value for value in values))
    if not top and not bottom:
        return _Scale(1.0, 0, 0)
    least = min(max(_share(top, above), _share(bottom, high - above)) for above in range(high + 1))
    return _Scale(least, ceil(round(top / least, 6)), ceil(round(bottom / least, 6)))


def _share(value: float, lines: int) -> float:
    """Return the value of each line if `lines` lines together show `value`."""
    return value / lines if lines else inf if value else 0.0


def _chart(values: Sequence[float], scale: _Scale, cells: int, tone: Tone) -> Iterator[Line]:
    """Draw one curve with only the lines that it needs; a label gives the value of the outermost line."""
    downward = [-value for value in values]
    above = [line for line in range(scale.above, 0, -1) if any(_eighths(values, line, scale))]
    below = [line for line in range(1, scale.below + 1) if any(_eighths(downward, line, scale))]
    for line in above:
        label = f"+{scale.each * line:.1f}" if line == above[0] else ""
        yield _drawn(label, [UP[eighths] for eighths in _eighths(values, line, scale)], cells, tone)
    zero = _drawn("0", ["─"] * len(values), cells, Tone.QUIET)
    yield Line((*zero.spans, TextSpan(f" {values[-1]:+.1f}", Tone.STRONG)))
    for line in below:
        label = f"-{scale.each * line:.1f}" if line == below[-1] else ""
        yield _drawn(label, [DOWN[eighths] for eighths in _eighths(downward, line, scale)], cells, tone)


def _eighths(values: Iterable[float], line: int, scale: _Scale) -> list[int]:
    """Return how many eighths of a line, counted from zero, each value fills."""
    return [max(0, min(8, round((value / scale.each - (line - 1)) * 8))) for value in values]


def _drawn(label: str, letters: Iterable[str], cells: int, tone: Tone) -> Line:
    drawn = "".join(letter * cells for letter in letters)
    return Line((TextSpan(f"{label:>{MARGIN - 1}} ", Tone.QUIET), TextSpan(drawn, tone)))


def _turns(points: Sequence[CurvePoint], cells: int) -> Line:
    """Write the turns below their first phase, where there is room."""
    line, turn = "", 0
    for at, point in enumerate(points):
        if point.turn != turn and len(line) <= at * cells:
            line = f"{line:<{at * cells}}{point.turn} "
            turn = point.turn
    return text_line(f"{'turn':>{MARGIN - 1}} {line.rstrip()}", tone=Tone.QUIET)


def _mark(curve: Curve, shown: int, cells: int, most: int) -> Iterator[Line]:
    """Mark the turning point below its phase, with its name where there is room."""
    if curve.turning is None:
        return
    place, name = curve.turning // ceil(len(curve.points) / shown) * cells, curve.turned
    if MARGIN + place + 2 + width(name) <= most:
        lines = [f"{'':<{MARGIN + place}}▲ {name}"]
    elif width(name) < place:
        lines = [f"{'':<{MARGIN + place - width(name) - 1}}{name} ▲"]
    else:
        lines = [f"{'':<{MARGIN + place}}▲", f"  {name}"]
    yield from (text_line(line, tone=Tone.STRONG) for line in lines)
