"""Draws documents (titled texts and tables) on the screen, and the card of the ship under the cursor."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from textual.content import Content

from qf_tui.console.reading.lookup import GAP, LookupLine, Rank
from qf_tui.console.widgets.text import (
    Signs,
    TextPane,
    cut,
    literal,
    measure_width,
    render_spans,
    wrap_hanging,
    wrap_words,
)
from qf_tui.core.system import RuleSystem, Span
from qf_tui.core.values import Battle, Ship
from qf_tui.document.glance import build_card_document
from qf_tui.document.text import NOTHING, lay_out_table, measure_columns
from qf_tui.document.values import Block, Document, Line, LogBoxes, Row, Section, Table, Tone

LOOKS: Mapping[Tone, str] = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.QUIET: "$quiet",
    Tone.CHANGED: "bold $text-warning",
    Tone.WARNING: "$text-warning",
    Tone.ASKED: "$accent",
    Tone.CLAUSE: "italic",
    Tone.QUIET_CLAUSE: "italic $quiet",
    Tone.FIRST: "$primary",
    Tone.SECOND: "$secondary",
}
BETWEEN = 2
"""Cells between columns."""
NUMBER = 5
"""Cells of an entry's number."""
TITLE = 11
"""Cells of the title of a log's line."""


def render_document_line(line: Line) -> Content:
    """Render a line, each span in the style of its tone."""
    parts = (literal(str(span), LOOKS[span.tone]) for span in line.spans)
    return Content.assemble(" " * line.indent, *parts) if line.indent else Content("").join(parts)


def render_blocks(blocks: Iterable[Block]) -> list[Content]:
    """Render the blocks of a document as lines of a panel."""
    lines: list[Content] = []
    for block in blocks:
        if isinstance(block, Line):
            lines.append(render_document_line(block))
        elif isinstance(block, LogBoxes):
            lines.append(
                Content.assemble(literal(f"{block.title:<{TITLE}}", "$quiet"), render_spans(block.boxes))
            )
        elif isinstance(block, Table):
            lines += map(literal, lay_out_table(block))
        elif isinstance(block, Section):
            lines += [literal(block.title, "bold"), *render_blocks(block.blocks)]
    return lines


def build_card_lines(
    system: RuleSystem, battle: Battle, ship: Ship, remarks: Iterable[str] = ()
) -> list[Content]:
    """Render the title of a ship's card, then the lines of her card and log with the remarks on her."""
    return _build_card_lines(build_card_document(system, battle, ship, remarks))


def _build_card_lines(card: Document) -> list[Content]:
    """Render the document of a card: its title, then its blocks."""
    return [literal(card.title, "bold $primary"), *render_blocks(card.blocks)]


class ShipCard(TextPane):
    """The card and log of the ship under the cursor, next to the logs."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._battle: Battle | None = None
        # Cards with their lines, by ship, remarks, width and signs.
        self._cards: dict[tuple[object, ...], tuple[Document, list[Content]]] = {}
        # The keys of the cards that are up to date in this battle.
        self._current_keys: set[tuple[object, ...]] = set()

    def show_ship(
        self, system: RuleSystem, battle: Battle, ship: Ship | None, remarks: tuple[str, ...] = ()
    ) -> None:
        """Show a ship's card and log with long lines wrapped; redraw only lines that differ.

        Args:
            ship: None to show nothing.
        """
        if battle is not self._battle:
            self._battle, self._current_keys = battle, set()

        def wrap_card(width: int) -> Sequence[Content]:
            # For each battle a card is built once; its lines are wrapped again only if the card has changed.
            key = ship.id if ship else "", remarks, width, Signs.ascii
            if key not in self._current_keys:
                card = build_card_document(system, battle, ship, remarks) if ship else Document("")
                if key not in self._cards or self._cards[key][0] != card:
                    lines = _build_card_lines(card) if ship else []
                    self._cards[key] = card, [part for line in lines for part in wrap_hanging(line, width)]
                self._current_keys.add(key)
            return self._cards[key][1]

        self.show(wrap_card)


def wrap_lines(lines: Iterable[Line], hang: int, width: int) -> list[Content]:
    """Wrap lines to a width, each in the tone of its first span.

    Args:
        hang: Cells before the second and later parts of a line.
    """
    broken_lines, room = [], max(20, width - hang)
    for line in lines:
        style = LOOKS[line.spans[0].tone] if line.spans else ""
        first, *rest = wrap_words(line.text, room)
        broken_lines.append(literal(f"{' ' * line.indent}{first}", style))
        broken_lines += [literal(f"{' ' * hang}{part}", style) for part in rest]
    return broken_lines


def build_head_line(text: str) -> LookupLine:
    """Build the line that begins a section."""
    return LookupLine(literal(text, "bold $secondary"), Rank.HEADING, section=True)


def build_section_lines(section: Section, width: int) -> Iterator[LookupLine]:
    """Yield the lines of a section: a gap, its title, and its blocks."""
    yield GAP
    yield build_head_line(section.title)
    yield from build_block_lines(section, width)


def build_block_lines(section: Section, width: int) -> Iterator[LookupLine]:
    """Yield the lines below the title of a section."""
    for block in section.blocks:
        if isinstance(block, Line):
            yield build_numbered_line(block, section.numbered)
        elif isinstance(block, Table):
            yield from _build_table_lines(block, width)
        elif isinstance(block, Section):
            yield LookupLine(literal(f"  {block.title}", "bold"))
            yield from build_block_lines(block, width)


def build_numbered_line(line: Line, numbered: bool) -> LookupLine:
    """Build a line; in a numbered section the number of its entry comes first."""
    lead = _format_lead(line.entry, numbered)
    content = Content.assemble(literal(lead, "$quiet"), render_document_line(line))
    return LookupLine(content, _find_rank(line.entry, numbered), line.entry)


def _format_lead(entry: int, numbered: bool) -> str:
    """Format the beginning of a line: in a numbered section its number or blanks, elsewhere two blanks."""
    return f"{entry or '':>{NUMBER}}  " if numbered else "  "


def _find_rank(entry: int, numbered: bool) -> Rank:
    """Return the rank of a line: in a numbered section, one without a number belongs to the line above."""
    return Rank.BELOW if numbered and not entry else Rank.ITEM


def _build_table_lines(table: Table, width: int) -> Iterator[LookupLine]:
    """Yield a table in columns if they fit, else each row as its first cell and the others as text."""
    numbered, widths = table.numbered, measure_columns(table, measure_width)
    number_width = NUMBER + BETWEEN if numbered else 0
    fits = sum(widths) + BETWEEN * len(widths) + number_width <= width
    if fits:
        titles = tuple((Span(column.title),) for column in table.columns)
        lead = literal(_format_lead(0, numbered))
        yield LookupLine((lead + _render_columns(table, widths, titles)).stylize("$quiet"), Rank.BELOW)
    for row in table.rows:
        boxes = row.boxes or tuple((Span(cell),) for cell in row.cells)
        cells = _render_columns(table, widths, boxes) if fits else _render_words(table, row)
        line = Content.assemble(literal(_format_lead(row.entry, numbered), "$quiet"), cells)
        yield LookupLine(line, _find_rank(row.entry, numbered), row.entry)


def _render_columns(table: Table, widths: Sequence[int], cells: Sequence[Sequence[Span]]) -> Content:
    """Render the cells of a row in their columns, cut to the columns' widths."""
    parts = []
    for cell, width, column in zip(cells, widths, table.columns, strict=True):
        content = render_spans(cell)
        if content.cell_length > width:
            content = literal(cut(content.plain, width))
        blank = literal(" " * (width - content.cell_length))
        parts.append(Content.assemble(blank, content) if column.right else Content.assemble(content, blank))
    return literal(" " * BETWEEN).join(parts).rstrip()


def _render_words(table: Table, row: Row) -> Content:
    """Render a row as text: its first cell, then each other cell that is not empty, with its title."""
    first, *rest = row.cells
    titled_cells = zip(table.columns[1:], rest, strict=True)
    parts = " · ".join(f"{column.title} {text}" for column, text in titled_cells if text not in ("", NOTHING))
    return Content.assemble(literal(first, "bold"), literal(f"  {parts}"))
