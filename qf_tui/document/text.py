"""Documents as plain text and as Markdown, the curve in letters, and the one layout of columns."""

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
"""A cell of a table that says that there is nothing."""
REPORT_WIDTH = 98
_BETWEEN = " · "
_ENTRY = 5
"""Places of the number of an entry."""
_TERM = 20
"""Places of a word that the text beside it explains."""


def width(text: str) -> int:
    """The places that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def table(rows: Iterable[Sequence[str]], rights: Sequence[bool] = ()) -> list[str]:
    """Rows of equal length as lines, each column as wide as its widest cell."""
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
    """The places of each column: those of its widest cell, within what the column allows."""
    columns = zip(given.columns, *(row.cells for row in given.rows), strict=True)
    widths = (max(column.least, *map(measure, (column.title, *cells))) for column, *cells in columns)
    return [min(wide, column.most or wide) for wide, column in zip(widths, given.columns, strict=True)]


def padded(text: str, wide: int, to_right: bool = False) -> str:
    """A text with blanks, as many places wide."""
    blank = " " * (wide - width(text))
    return blank + text if to_right else text + blank


def table_lines(given: Table, most: int = 0) -> list[str]:
    """A table as lines, the columns under each other; wider than `most`, each row by itself (0: never)."""
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
    """A word and what is said of it, under it and `_TERM` places in; beside it where the word is short."""
    word, text = row
    beside = width(word) <= _TERM - len(GAP)
    lead = padded(word, _TERM) if beside else " " * _TERM
    yield from () if beside else (word,)
    yield from wrap(text, most, initial_indent=lead, subsequent_indent=" " * _TERM, break_on_hyphens=False)


def _cells(given: Table) -> tuple[list[bool], list[tuple[str, ...]]]:
    """Which columns end at the right, and all rows, titles first; behind the entries' numbers, if any."""
    rights = [column.right for column in given.columns]
    rows = [tuple(column.title for column in given.columns), *(row.cells for row in given.rows)]
    if not given.numbered:
        return rights, rows
    numbers = ["", *(str(row.entry or "") for row in given.rows)]
    return [True, *rights], [(number, *row) for number, row in zip(numbers, rows, strict=True)]


def _folded(head: Sequence[str], row: Sequence[str], most: int) -> Iterator[str]:
    """The cells of a row behind its first, each with its title, on as many lines as they need."""
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
    """A document as lines, none wider than `most` places if it can be; 0: as wide as it is."""
    yield from [document.title] if document.title else []
    yield from plain_lines(document.blocks, most)


def plain_lines(blocks: Iterable[Block], most: int = 0, depth: str = "") -> Iterator[str]:
    """Blocks as lines."""
    for block in blocks:
        if isinstance(block, Line):
            yield from _wrapped(block.text, " " * block.indent, most)
        elif isinstance(block, Table):
            yield from table_lines(block, most)
        elif isinstance(block, Section):
            yield from ("", f"{depth}{block.title}")
            yield from plain_lines(block.blocks, most, depth + GAP)


def report_lines(report: Document) -> Iterator[str]:
    """A report as lines: headings in capitals, below them each line behind the number of its entry."""
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
    """A document as Markdown that pastes into a forum: what comes from a battle is never markup in it."""
    return "\n".join((f"# {literal(document.title)}", "", *_markdown(document.blocks, 2))) + "\n"


def literal(text: str) -> str:
    """A text that Markdown shows as it stands, wherever in a line."""
    return re.sub(_MEANS, r"\\\g<0>", text).translate(_HTML)


def _begin(text: str) -> str:
    """A literal text at the beginning of a line, where it must make no list and no heading."""

    def unlisted(match: re.Match[str]) -> str:
        before, sign = match.groups()
        return f"{before}{sign}\\" if sign.isdigit() else f"{before}\\{sign}"

    return re.sub(_BEGINS, unlisted, literal(text))


def _markdown(blocks: Sequence[Block], depth: int) -> Iterator[str]:
    """Lines of a document are paragraphs, those of its sections items of a list."""
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
            # What stands between such lines is shown as it is; a name could end it only by that sign.
            yield from ("```text", *(line.replace("`", "'") for line in curve_lines(block)), "```", "")
        elif isinstance(block, Section):
            yield from (f"{'#' * depth} {literal(block.title)}", "", *_markdown(block.blocks, depth + 1))


BLOCKS = "▁▂▃▄▅▆▇█"
_Value = TypeVar("_Value")


def blocks(values: Sequence[float], bounds: tuple[float, float] | None = None, most: int = 60) -> str:
    """A letter for each value, taller for more, from the least of them to the greatest, or within `bounds`.

    Of more than `most` values each letter stands for the last of several.
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
    """As many values as there is room for: each the last of so many that they do."""
    each = ceil(len(values) / most)
    return [values[min(at + each, len(values)) - 1] for at in range(0, len(values), each)]


def curve_lines(curve: Curve, most: int = 60) -> list[str]:
    """Advantage and luck in block letters, each with its last figure, over the turns; ▲ the turning point."""
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
    """The number of each turn below its first letter, where there is room."""
    each, line, last = ceil(len(curve.points) / most), "", 0
    for at, point in enumerate(curve.points):
        if point.turn != last:
            last = point.turn
            if not line or len(line) < at // each:
                line = f"{line:<{at // each}}{point.turn}"
    return line


UP = " ▁▂▃▄▅▆▇█"
DOWN = " ▔▔▀▀▀▀██"
"""Letters for eighths of a line, above and below zero; no font has all of those below."""
MARGIN = 9
"""Places for the figures at the left."""
_LAST = 8
"""Places for the last figure, behind the line."""
_CELLS_MOST = 3
"""The places of a phase at most."""


@frozen
class _Scale:
    """What a line is worth, and how many lines stand above and below zero."""

    each: float
    above: int
    below: int


def tall_curve(curve: Curve, most: int, high: int) -> list[Line]:
    """Advantage and luck from phase to phase, `high` lines each at most, and the turn where it turned."""
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
    """One scale for both charts, which shares `high` lines out above and below zero best."""
    values = [value for point in points for value in (point.advantage, point.luck)]
    top, bottom = max(0.0, *values), max(0.0, *(-value for value in values))
    if not top and not bottom:
        return _Scale(1.0, 0, 0)
    least = min(max(_share(top, above), _share(bottom, high - above)) for above in range(high + 1))
    return _Scale(least, ceil(round(top / least, 6)), ceil(round(bottom / least, 6)))


def _share(value: float, lines: int) -> float:
    """What each of some lines is worth, where together they are worth a value."""
    return value / lines if lines else inf if value else 0.0


def _chart(values: Sequence[float], scale: _Scale, cells: int, tone: Tone) -> Iterator[Line]:
    """One curve, with no more lines than it fills; the figure at a side is what its last line is worth."""
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
    """How many eighths of a line, counted from zero, each value fills."""
    return [max(0, min(8, round((value / scale.each - (line - 1)) * 8))) for value in values]


def _drawn(label: str, letters: Iterable[str], cells: int, tone: Tone) -> Line:
    drawn = "".join(letter * cells for letter in letters)
    return Line((TextSpan(f"{label:>{MARGIN - 1}} ", Tone.QUIET), TextSpan(drawn, tone)))


def _turns(points: Sequence[CurvePoint], cells: int) -> Line:
    """The turns below their first phase, where there is room."""
    line, turn = "", 0
    for at, point in enumerate(points):
        if point.turn != turn and len(line) <= at * cells:
            line = f"{line:<{at * cells}}{point.turn} "
            turn = point.turn
    return text_line(f"{'turn':>{MARGIN - 1}} {line.rstrip()}", tone=Tone.QUIET)


def _mark(curve: Curve, shown: int, cells: int, most: int) -> Iterator[Line]:
    """The turning point below its phase, with its name on the side that has room, or below."""
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
