"""The charts that a battle can need, cell by cell with their standing, as they are printed."""

from collections.abc import Collection, Iterator, Mapping

from attrs import frozen

from qf_tui.core.charts import Chart, ChartCell, Provenance
from qf_tui.core.declarations import find_scale
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.session.act_words import SIGNS


@frozen
class PrintedCell:
    """A cell with the sign of its standing; `needed`: the battle can come to it."""

    text: str = ""
    sign: str = ""
    needed: bool = True


@frozen
class PrintedChart:
    """A chart with the rows and columns that hold a cell which the battle can need."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[PrintedCell, ...]], ...]
    note: str
    counts: str


def printed_charts(system: RuleSystem, battle: Battle) -> tuple[PrintedChart, ...]:
    """The charts of a battle as they are now, overlays included."""
    cells = system.needed_cells(battle)
    made = (_printed(chart, cells.get(chart.name, _ALL)) for chart in battle.charts.values())
    return tuple(chart for chart in made if chart.rows)


_ALL = (("", ""),)


def _printed(chart: Chart, cells: Collection[tuple[str, str]]) -> PrintedChart:
    needed = {
        (row.name, column)
        for row in chart.rows.values()
        for column in row.cells
        if any(one in cells for one in ((row.name, column), (row.name, ""), ("", column), ("", "")))
    }
    every = dict.fromkeys(column for row in chart.rows.values() for column in row.cells)
    columns = tuple(one for one in every if any(column == one for _, column in needed))
    rows = tuple(
        (row.name, tuple(_cell(row.cells.get(one), (row.name, one) in needed) for one in columns))
        for row in chart.rows.values()
        if any(name == row.name for name, _ in needed)
    )
    return PrintedChart(chart.title, columns, rows, chart.note, ", ".join(_counts(chart, needed)))


def _cell(cell: ChartCell | None, needed: bool) -> PrintedCell:
    return PrintedCell(cell.text, SIGNS[cell.status], needed) if cell else PrintedCell()


def _counts(chart: Chart, needed: set[tuple[str, str]]) -> Iterator[str]:
    """How many of the cells that can be needed are of which standing."""
    standing = [chart.rows[row].cells[column].status for row, column in needed]
    for one in Provenance:
        if standing.count(one):
            yield f"{standing.count(one)} {one.value}"


def scale_figures(system: RuleSystem, battle: Battle) -> Mapping[str, str]:
    """The line of the battle's scale as it is printed; empty where the rules print none."""
    scale = find_scale(system.scales, battle.table)
    return scale.figures if scale else {}
