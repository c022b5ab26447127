"""The umpire's own chart: cells that he read out of his printed chart, kept for later battles."""

from collections.abc import Mapping
from pathlib import Path

import tomli_w

from qf_tui.core.charts import Chart, ChartCell, ChartRow, Charts, Provenance
from qf_tui.core.effects import with_overlay
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.journal.disk import write_whole
from qf_tui.journal.disk_words import in_words
from qf_tui.journal.lock import alone
from qf_tui.library.charts import load_overlay
from qf_tui.library.paths import own
from qf_tui.library.schema_files import head, put_beside


def own_chart(system: RuleSystem) -> Path:
    """The file of the umpire's own chart for a rule system; it may not be there yet."""
    return own("charts") / f"{system.name}.toml"


def keep_cell(system: RuleSystem, cell: tuple[str, ...], text: str) -> Path:
    """Adds a cell (table, row, column) to the umpire's own chart and gives its file.

    `text` may be as he read it out: in small letters, or `none`.
    QfError if the file that is there is faulty, or if it cannot be written; then the file is as before.
    """
    table, row, column = cell
    path = own_chart(system)
    ways = ("-" if text.lower() == "none" else text, text.upper(), text.lower())
    if (shape := system.chart_shapes.get(table)) is not None:
        text = next((way for way in ways if shape.fault(way) is None), text)
    new: Charts = {table: Chart(table, "", {row: ChartRow(row, {column: ChartCell(text, Provenance.OWN)})})}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with alone(path):
            cells = with_overlay(load_overlay(path, system), new) if path.exists() else new
            text = head("chart", system.name) + tomli_w.dumps(_document(system, cells))
            write_whole(path, text.encode(), over=True)
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {in_words(fault)}. The answer itself stands.") from None
    put_beside(path, "chart", system.name, {system.name: system})
    return path


def _document(system: RuleSystem, charts: Charts) -> Mapping[str, object]:
    tables = [
        {"name": chart.name, "row": [_row(row) for row in chart.rows.values()]} for chart in charts.values()
    ]
    return {"ruleset": system.name, "title": "My chart", "table": tables}


def _row(row: ChartRow) -> Mapping[str, object]:
    if not row.cells:
        return {"name": row.name, "drop": True}
    return {"name": row.name, "cells": {column: cell.text for column, cell in row.cells.items()}}
