"""Reads chart files: the charts of a rule system, and the umpire's overlays (cells that replace others).

It also builds overlays, and warns of cells of an overlay that contradict attested cells.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from pkgutil import get_data
from typing import Any

from attrs import define, field

from qf_tui.core.declarations import AttestedSet, ChartShape
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Chart, ChartCell, ChartRow, Charts, Provenance
from qf_tui.library.declared import check_system, list_chart_fields
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    FilePlace,
    Values,
    format_hint,
    make_printable,
    raise_faults,
)
from qf_tui.library.paths import parse_toml, read_toml


def load_shipped_charts(system: RuleSystem) -> Charts:
    """Load the charts that come with a rule system, or return its built-in charts if it has no file.

    Raises:
        FileFaults: The file differs from what the system declares.
    """
    package, file = system.charts
    if not package:
        return system.own_charts
    if id(system) in _shipped:
        _, charts = _shipped[id(system)]
        return charts
    checker = Checker()
    data = parse_toml(get_data(package, file) or b"", f"{package}/{file}")
    charts = read_charts(data, system, checker)
    for name, shape in system.chart_shapes.items():
        # Tables marked `own` come only from an umpire's file. With other faults, a table may be missing
        # because it was refused.
        if name not in charts and not shape.own and not checker.faults:
            checker.add_fault(WHOLE_FILE.add_key("table"), f"the table “{name}” is missing")
    raise_faults({f"{package}/{file}": checker.faults})
    # The cache keeps the system too, so that no other system gets its id.
    _shipped[id(system)] = system, charts
    return charts


_shipped: dict[int, tuple[RuleSystem, Charts]] = {}
"""Cache of the charts by the id of their system: files of the program do not change while it runs."""


def load_overlay(path: Path, system: RuleSystem, data: Data | None = None) -> Charts:
    """Load the umpire's overlay, and mark every cell as the umpire's own.

    A row without cells means that the overlay drops this row.

    Args:
        data: The plain data of a file that is not written yet; None to read the file.

    Raises:
        FileFaults: All faults of the file.
    """
    checker = Checker()
    content = read_toml(path) if data is None else data
    # The name of an overlay makes all cells the umpire's own.
    charts = read_charts(content, system, checker, overlay=path.stem)
    raise_faults({str(path): checker.faults})
    return charts


def build_overlay(base: Charts, charts: Charts) -> Charts:
    """Build the overlay that turns `base` into `charts`: the umpire's cells and the rows that he dropped."""
    overlay: dict[str, Chart] = {}
    for name, chart in charts.items():
        rows: dict[str, ChartRow] = {}
        for row in chart.rows.values():
            own_cells = {key: cell for key, cell in row.cells.items() if cell.status is Provenance.OWN}
            if own_cells:
                rows[row.name] = ChartRow(row.name, own_cells)
        base_rows = base[name].rows if name in base else {}
        # A row without cells drops the row of `base`.
        rows |= {
            row_name: ChartRow(row_name, cells={}) for row_name in base_rows if row_name not in chart.rows
        }
        if rows:
            overlay[name] = Chart(name, chart.title, rows)
    return overlay


def build_overlay_document(system: RuleSystem, charts: Charts, title: str) -> dict[str, Any]:
    """Build the plain data of an overlay's TOML file.

    The cell `9-7` of a span becomes the numbers [9, 7]. A row without cells gets `drop = true`.
    """
    tables = []
    for chart in charts.values():
        shape = system.chart_shapes.get(chart.name)
        rows = []
        spans = [span.name for span in shape.spans] if shape else []
        for row in chart.rows.values():
            cells = {column: cell.text for column, cell in row.cells.items()}
            span_cells = {name: cells.pop(name) for name in spans if name in cells}
            ends = {name: [int(end) for end in text.split("-")] for name, text in span_cells.items()}
            content: dict[str, object] = {"cells": cells} if cells else {"drop": True}
            rows.append({"name": row.name, **ends, **content})
        tables.append({"name": chart.name, "row": rows})
    return {"ruleset": system.name, "title": title, "table": tables}


def list_chart_contradictions(
    base: Charts, overlay: Charts, shapes: Mapping[str, ChartShape]
) -> tuple[str, ...]:
    """List warnings about an overlay: attested cells of `base` that it changes, missing rows that it drops.

    Args:
        shapes: The shapes of the tables, which declare cells that are attested only together.
    """
    warnings: list[str] = []
    for name, chart in overlay.items():
        base_rows = base[name].rows if name in base else {}
        for row in chart.rows.values():
            if not row.cells and row.name not in base_rows:
                warnings.append(f"{name}, {row.name}: no such row to drop")
            elif row.name in base_rows:
                warnings.extend(_list_cell_contradictions(f"{name}, {row.name}", base_rows[row.name], row))
                warnings.extend(_list_set_contradictions(name, shapes[name].sets, base_rows[row.name], row))
    return tuple(warnings)


def _list_cell_contradictions(place: str, base_row: ChartRow, row: ChartRow) -> Iterator[str]:
    """Yield a warning for each attested cell that a row of an overlay changes or drops."""
    for column, cell in base_row.cells.items():
        new_cell = row.cells.get(column)
        # Tables of a rule book have no source: the club may change them as it likes.
        is_attested = cell.status is Provenance.ATTESTED and cell.source
        # A row without cells drops the whole row; any other row changes only the cells that it has.
        is_unchanged = bool(row.cells) and (new_cell is None or new_cell.text == cell.text)
        if is_unchanged or not is_attested:
            continue
        change = new_cell.text if new_cell else "dropped"
        yield f"{place}, {column}: {change}, but attested: {cell.text} ({cell.source})"


def _list_set_contradictions(
    table: str, sets: Iterable[AttestedSet], base_row: ChartRow, row: ChartRow
) -> Iterator[str]:
    """Yield a warning for each set of cells attested together that a row of an overlay breaks."""
    for group in sets:
        cells = {**base_row.cells, **row.cells}
        texts = tuple(cells[column].text for column in group.columns if column in cells)
        changes_group = group.row == row.name and any(column in row.cells for column in group.columns)
        if changes_group and not group.fits(texts):
            yield f"{table}, {group.row}, {', '.join(group.columns)}: {', '.join(texts)}, but {group.words}"


def read_charts(data: Data, system: RuleSystem, checker: Checker, overlay: str = "") -> Charts:
    """Read the charts in a file's plain data; the checker gathers the faults.

    Args:
        overlay: The name of an umpire's overlay; "" for the charts of a rule system.

    Returns:
        The charts by name, without unknown or repeated tables; {} if the file is for another rule system.
    """
    if not check_system(data, system, checker):
        return {}
    values = checker.check_table(data, list_chart_fields(system), WHOLE_FILE)
    source = str(values.get("title") or overlay) if overlay else ""
    charts: dict[str, Chart] = {}
    for number, table in enumerate(values.get("table", []), 1):
        place = WHOLE_FILE.add_item("table", number, table)
        name = table.get("name")
        # A name that is missing or refused is a fault already.
        if name is None:
            continue
        shape = system.chart_shapes.get(name)
        if shape is None:
            shapes = system.chart_shapes
            hint = format_hint(name, shapes) or f"; expected one of {', '.join(shapes)}"
            checker.add_fault(place.add_key("name"), f"no table “{make_printable(name)}”{hint}")
        elif name in charts:
            checker.add_fault(place.add_key("name"), f"the table “{name}” is already in this file")
        else:
            rows = _RowsReader(shape, checker, place, source, values).read(table)
            charts[name] = Chart(name, table.get("title") or name, rows, table.get("note") or "")
    # A span at the top of the file holds for all rows of a table, so the file needs that table.
    for name, shape in system.chart_shapes.items():
        for span in shape.spans:
            if values.get(span.name) is not None and name not in charts:
                checker.add_fault(WHOLE_FILE.add_key(span.name), f"no table “{name}” in this file uses it")
    return charts


@define
class _RowsReader:
    """The reader of one table's rows.

    Attributes:
        _source: The source of an overlay's cells; "" for charts of a rule system.
        _file: The checked file, whose spans hold for rows without spans of their own.
        _columns: The columns in the order of the cells.
    """

    _shape: ChartShape
    _checker: Checker
    _place: FilePlace
    _source: str
    _file: Values
    _columns: list[str] = field(init=False, factory=list)

    def read(self, table: Values) -> dict[str, ChartRow]:
        """Read the rows of a table by name, in the order of the file."""
        self._columns = table.get("columns") or list(self._shape.columns)
        for column in self._columns:
            self._check_column(self._place.add_key("columns"), column)
        rows: dict[str, ChartRow] = {}
        for number, row in enumerate(table.get("row", []), 1):
            # A name that is missing or refused is a fault already.
            if "name" not in row:
                continue
            name = str(row["name"])
            place = self._place.add_item("row", number, row)
            fault = self._shape.row_fault(name)
            if fault:
                self._checker.add_fault(place.add_key("name"), f"“{make_printable(name)}”: {fault}")
            if name in rows:
                self._checker.add_fault(
                    place.add_key("name"), f"the row “{make_printable(name)}” is already in this table"
                )
            rows[name] = ChartRow(name, {**self._read_cells(row, place), **self._read_spans(row, place)})
        return rows

    def _read_spans(self, row: Values, place: FilePlace) -> dict[str, ChartCell]:
        """Build the cells of a row's spans, such as `9-7`; a dropped row has none.

        A span that the row does not state is taken from the top of the file, or is left out if that has none.
        """
        cells: dict[str, ChartCell] = {}
        spans = () if row.get("drop") else self._shape.spans
        for span in spans:
            ends = row.get(span.name) or self._file.get(span.name)
            if ends is None:
                continue
            first, last = (ends[part.name] for part in span.parts)
            if first < last:
                stated_at = place if row.get(span.name) else WHOLE_FILE
                self._checker.add_fault(stated_at.add_key(span.name), "expected the larger number first")
            # Only tables that come from an umpire's file have spans.
            cells[span.name] = ChartCell(f"{first}-{last}", Provenance.OWN, self._source)
        return cells

    def _check_column(self, place: FilePlace, column: str) -> None:
        """Add a fault if the table cannot have this column."""
        fault = None if column in self._shape.columns else self._shape.column_fault(column)
        if fault:
            self._checker.add_fault(
                place, f"“{make_printable(column)}”: {fault}; known columns: {', '.join(self._shape.columns)}"
            )

    def _read_cells(self, row: Values, place: FilePlace) -> dict[str, ChartCell]:
        """Read the cells of a row; a dropped row, and a row whose cells are missing, have none."""
        written_cells = row.get("cells")
        if row.get("drop"):
            if not self._source:
                self._checker.add_fault(place.add_key("drop"), "only an overlay can drop a row")
            if written_cells is not None:
                self._checker.add_fault(place.add_key("cells"), "a dropped row has no cells")
            return {}
        if not written_cells:
            # If the cells were refused, the key is missing, and the fault is reported already.
            if "cells" in row:
                hint = ", or drop = true" if self._source else ""
                self._checker.add_fault(place.add_key("cells"), f"is missing; expected the row's cells{hint}")
            return {}
        texts = self._pair_with_columns(written_cells, place.add_key("cells"))
        sources = self._read_sources(row, place.add_key("attested"))
        return {column: self._read_cell(column, text, sources, place) for column, text in texts.items()}

    def _pair_with_columns(self, written_cells: Any, place: FilePlace) -> dict[str, str]:
        """Return the text of each column, from a list of all cells or, in an overlay, a table of some.

        Add a fault for a table outside an overlay, an unknown column, or a list of the wrong length.
        """
        if isinstance(written_cells, Mapping):
            if not self._source:
                self._checker.add_fault(
                    place, "expected a list of all cells; only an overlay may give some of them"
                )
            for column in written_cells:
                self._check_column(place, column)
            return dict(written_cells)
        if len(written_cells) != len(self._columns):
            text = f"expected {len(self._columns)}, one for each column, found {len(written_cells)}"
            self._checker.add_fault(place, text)
        return dict(zip(self._columns, written_cells, strict=False))

    def _read_cell(
        self, column: str, text: str, source_by_column: Mapping[str, str], place: FilePlace
    ) -> ChartCell:
        """Read a cell: the umpire's own in an overlay (a file with a source), else attested or plain."""
        fault = self._shape.fault(text)
        if fault:
            self._checker.add_fault(place.add_key("cells", column), f"“{make_printable(text)}”: {fault}")
        if self._source:
            return ChartCell(text, Provenance.OWN, self._source)
        if column in source_by_column:
            return ChartCell(text, Provenance.ATTESTED, source_by_column[column])
        return ChartCell(text)

    def _read_sources(self, row: Values, place: FilePlace) -> dict[str, str]:
        """Return the source of each attested column; a key that names no column or range is a fault."""
        source_by_column: dict[str, str] = {}
        for key, source in (row.get("attested") or {}).items():
            columns = _list_range_columns(self._columns, key)
            if not columns:
                self._checker.add_fault(place.add_key(key), "no such column or range of columns")
            source_by_column.update(dict.fromkeys(columns, source))
        return source_by_column


def _list_range_columns(columns: list[str], key: str) -> list[str]:
    """List the columns that a key names: one column, or a range such as `A-D`; [] if it names none.

    The name of a column may hold a "-" itself.
    """
    if key in columns:
        return [key]
    parts = key.split("-")
    for cut in range(1, len(parts)):
        first = "-".join(parts[:cut]).strip()
        last = "-".join(parts[cut:]).strip()
        if first in columns and last in columns:
            return columns[columns.index(first) : columns.index(last) + 1]
    return []
