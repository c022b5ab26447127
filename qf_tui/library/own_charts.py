"""Writes the umpire's own chart file for a rule system: the cells that he has read from a printed chart."""

from pathlib import Path

import tomli_w

from qf_tui.core.decisions import with_overlay
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Chart, ChartCell, ChartRow, Charts, Provenance
from qf_tui.journal.disk import format_disk_fault, hold_lock, write_file
from qf_tui.library.charts import build_overlay_document, load_overlay
from qf_tui.library.check import format_schema_line, write_schema_for
from qf_tui.library.paths import find_own_folder


def find_own_chart(system: RuleSystem) -> Path:
    """Return the path of the umpire's own chart for a rule system; the file need not exist."""
    return find_own_folder("charts") / f"{system.name}.toml"


def add_own_cell(system: RuleSystem, cell: tuple[str, ...], text: str) -> Path:
    """Add a cell to the umpire's own chart, and return the path of its file.

    The cell answered a question of the battle, which has recorded the answer before this is called.

    Args:
        cell: The table, row and column.
        text: The cell's text in upper or lower case; `none` for an empty cell, which is written `-`.

    Raises:
        QfError: The chart's file has faults or cannot be written.
    """
    table, row, column = cell
    path = find_own_chart(system)
    # People type in any case. The first spelling that the table allows is taken.
    spellings = ("-" if text.lower() == "none" else text, text.upper(), text.lower())
    if (shape := system.chart_shapes.get(table)) is not None:
        text = next((spelling for spelling in spellings if shape.fault(spelling) is None), text)
    new_charts: Charts = {
        table: Chart(table, "", {row: ChartRow(row, {column: ChartCell(text, Provenance.OWN)})})
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with hold_lock(path):
            charts = with_overlay(load_overlay(path, system), new_charts) if path.exists() else new_charts
            content = format_schema_line("chart", system.name) + tomli_w.dumps(
                build_overlay_document(system, charts, "My chart")
            )
            write_file(path, content.encode(), over=True)
    except OSError as fault:
        raise QfError(
            f"{path}: cannot be written: {format_disk_fault(fault)}. Your answer is recorded."
        ) from None
    write_schema_for(path, "chart", system.name, {system.name: system})
    return path
