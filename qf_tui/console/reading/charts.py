"""The charts of the open battle as tables: reconstructed cells and the umpire's own marked."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from qf_tui.console.reading.lookup import GAP, LookupLine, Rank, heading
from qf_tui.console.widgets.text import cut, fit, literal, width_of, wrapped
from qf_tui.core.charts import Chart, ChartCell, Provenance
from qf_tui.core.declarations import find_scale
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.session.act_words import OWN, RECONSTRUCTED, SIGNS

STYLES = {Provenance.ATTESTED: "", Provenance.RECONSTRUCTED: "$text-warning", Provenance.OWN: "$text-success"}
INDENT = "  "


def chart_lines(system: RuleSystem, battle: Battle, width: int) -> list[LookupLine]:
    """The scale, and all charts of a battle as they are now, overlays included, in at most `width` cells."""
    ours = f"{RECONSTRUCTED} reconstructed by us"
    signs = f"{ours}   {OWN} your own   rest: published"
    lines = [*(LookupLine(literal(line, "$quiet")) for line in wrapped(signs, width)), GAP]
    lines += _scale(system, battle, width)
    for chart in battle.charts.values():
        lines.append(heading(cut(f"{chart.title}  [{chart.name}]", width)))
        lines.extend(_table(chart, width))
        notes = wrapped(chart.note, width - len(INDENT))
        lines.extend(LookupLine(literal(f"{INDENT}{line}", "$quiet")) for line in notes)
        lines.append(GAP)
    return lines


def _scale(system: RuleSystem, battle: Battle, width: int) -> list[LookupLine]:
    """The line of the battle's scale as it is printed; nothing where the rules print none."""
    scale = find_scale(system.scales, battle.table)
    if scale is None or not scale.figures:
        return []
    figures = "   ".join(f"{name} {figure}" for name, figure in scale.figures.items())
    lines = (LookupLine(literal(f"{INDENT}{line}")) for line in wrapped(figures, width - len(INDENT)))
    return [heading(cut(f"Scale {scale.name}, {scale.unit}", width)), *lines, GAP]


def _table(chart: Chart, width: int) -> Iterator[LookupLine]:
    columns = list(dict.fromkeys(column for row in chart.rows.values() for column in row.cells))
    names = max((width_of(row) for row in chart.rows), default=0)
    wide = {column: _needs(chart, column) for column in columns}
    for block in _side_by_side(columns, wide, width - names - len(INDENT) - 1):
        heads = "".join(f" {fit(column, wide[column], True)} " for column in block)
        yield LookupLine(literal(f"{INDENT}{fit('', names)} {heads}", "$quiet"), Rank.BELOW)
        for row in chart.rows.values():
            cells = [_cell(row.cells.get(column), wide[column]) for column in block]
            if any(cell.plain.strip() for cell in cells):
                yield LookupLine(Content.assemble(literal(f"{INDENT}{fit(row.name, names)} "), *cells))


def _needs(chart: Chart, column: str) -> int:
    texts = [row.cells[column].text for row in chart.rows.values() if column in row.cells]
    return max(width_of(text) for text in (column, *texts))


def _side_by_side(columns: Sequence[str], wide: dict[str, int], width: int) -> Iterator[list[str]]:
    """The columns in as many tables below each other as the width needs."""
    block: list[str] = []
    used = 0
    for column in columns:
        if block and used + wide[column] + 2 > width:
            yield block
            block, used = [], 0
        block.append(column)
        used += wide[column] + 2
    if block:
        yield block


def _cell(cell: ChartCell | None, width: int) -> Content:
    if cell is None:
        return literal(" " * (width + 2))
    return literal(f" {fit(cell.text, width, True)}{SIGNS[cell.status] or ' '}", STYLES[cell.status])
