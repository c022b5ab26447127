"""Turns documents into lines for a screen reader: a line for each row of a table, words in place of signs."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from qf_tui.core.declarations import Span as CellSpan
from qf_tui.document.text import NOTHING
from qf_tui.document.values import Block, Line, LogBoxes, Section, Table

FRACTIONS = {
    "1/4": "¼", "1/2": "½", "3/4": "¾", "1/3": "⅓", "2/3": "⅔",
    "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞",
}  # fmt: skip
"""The sign for each fraction that is written with a slash."""
_FRACTION = re.compile(r"(?:(?<=\d) |(?<![\w./])(?=\d/\d(?:″| in\b| inch)))(\d/\d)(?![\w/])")
"""A fraction after a whole number, or before inches; elsewhere `1/4` may mean one of four."""
SIGNS = {
    "→": " to ",
    "†": ", reconstructed",
    "″": " inches",
    "°": " degrees",
    "≤": " at most ",
    "≥": " at least ",
    "×": " times ",
    "−": " minus ",
    "–": " to ",
    "¼": " and a quarter",
    "½": " and a half",
    "¾": " and three quarters",
    "⅓": " and a third",
    "⅔": " and two thirds",
    "⅛": " and an eighth",
    "⅜": " and three eighths",
    "⅝": " and five eighths",
    "⅞": " and seven eighths",
    "·": ", ",
    "✗": " refused: ",
    "✓": "",
    "‼": " warning: ",
    "▸": "",
    "▲": "",
    "…": " and more",
    "“": "",
    "”": "",
    "’": "'",
    "□": " open box ",
    "●": " full box ",
    "‡": " the umpire's own",
    "±": " plus or minus ",
    "|": " or ",
    "‘": "",
    "`": "",
}
"""Words for each sign."""
_SIGN = re.compile("|".join(map(re.escape, SIGNS)))
NEAR_FIGURES = {
    r"(?<=\d)>(?=\d)": " above ",
    r"(?<=\d):(?=\d(?!\d))": " to ",
    r"(?<=\d) (?=\d/\d)": " and ",
    r"(?<![/\w.])(\d+)/(?=\d+(?![/\w]))": r"\1 over ",
    r"(?<![\w-])(\d{1,2})-(?=\d{1,2}(?![\w-]))": r"\1 to ",
    r"(?<![\w-])-(?=\d)": "minus ",
    r"~(?=\d)": "about ",
    r"(?<!\d) and (?=a quarter|a half|three quarters|a third|two thirds|an eighth|\w+ eighths)": " ",
    r"(?<![\w.])(1|(?<! and )a half) inches": r"\1 inch",
    r" {2,}": " ",
    r" +(?=[,.;:)])": "",
    r",(?: ?,)+": ",",
}
"""Words for signs and blanks that mean something only next to figures; applied in this order."""
BOXES = {"□": "open", "x": "crossed", "X": "crossed", "½": "half crossed", "/": "lost in this phase"}
"""Words for the boxes of a log, by their signs."""


def speak_text(text: str) -> str:
    """Return a text with words in place of its signs, and commas in place of wide gaps."""
    speech = _FRACTION.sub(lambda found: FRACTIONS.get(found[1], found[0]), text)
    speech = _SIGN.sub(lambda sign: SIGNS[sign[0]], re.sub(r"(?<=[^\s:;,.]) {2,}(?=\S)", ", ", speech))
    for sign, word in NEAR_FIGURES.items():
        speech = re.sub(sign, word, speech)
    # A sign at an end may leave a comma there.
    return speech.strip(" ,") if speech != text else text.strip()


def speak_blocks(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield blocks as lines to be read aloud; none is blank."""
    for block in blocks:
        if isinstance(block, Line):
            yield from filter(None, (speak_text(block.text),))
        elif isinstance(block, LogBoxes):
            yield f"{block.title}: {_speak_boxes(block.boxes) or 'none'}"
        elif isinstance(block, Table):
            yield from _speak_rows(block)
        elif isinstance(block, Section):
            yield f"{speak_text(block.title)}:"
            yield from speak_blocks(block.blocks)


def _speak_boxes(parts: Iterable[CellSpan]) -> str:
    """Return a row of a log as speech: boxes as counts (`3 lost`), and the text between them."""

    def is_all_boxes(part: CellSpan) -> bool:
        return part.text != "" and set(part.text) <= set(BOXES)

    speech = ""
    for are_boxes, same_kind in groupby(parts, is_all_boxes):
        # The sign of an empty cell is not spoken.
        texts = [part.text for part in same_kind if part.text != NOTHING]
        if are_boxes:
            signs = groupby("".join(texts), BOXES.get)
            speech += "".join(f", {len(list(run))} {name}" for name, run in signs) + ", "
        else:
            # Blanks at an end of a part become a comma, a pause in speech. `-` or `/` between two figures
            # separates the figures of several guns.
            separated = "".join(re.sub(r"^ +| +$", ", ", text) for text in texts)
            speech += re.sub(r"(?<=\d)[-/](?=\d)", " and ", separated)
    return speak_text(speech).strip(" ,")


def _speak_rows(table: Table) -> Iterator[str]:
    """Yield each row as a line: its first cell, then the title of each further column with its cell.

    Empty cells are left out.
    """
    for row in table.rows:
        first_cell, *other_cells = map(_speak_boxes, row.boxes or [(CellSpan(cell),) for cell in row.cells])
        titled_cells = zip(table.columns[1:], other_cells, strict=True)
        cells = (f"{column.title} {cell}".strip() for column, cell in titled_cells if cell.strip(NOTHING))
        number = f"{row.entry}: " if row.entry else ""
        yield speak_text(f"{number}{', '.join((first_cell, *cells))}")
