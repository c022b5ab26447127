"""The charts of the Quickfire games against their printed form: each cell once, with its provenance."""

from collections.abc import Mapping

import pytest
from attrs import frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Provenance
from qf_tui.library.charts import load_shipped_charts
from qf_tui.rules.advanced_quickfire import SYSTEM as ADVANCED
from qf_tui.rules.quickfire import SYSTEM as QUICKFIRE
from qf_tui.rules.quickfire_clone import SYSTEM as CLONE

ALL = frozenset({"*"})
"""Every column of a row."""


@frozen
class Printed:
    """A chart as printed: the cells of each row in order, and the attested ones."""

    system: RuleSystem
    rows: Mapping[tuple[str, str], str]
    attested: Mapping[tuple[str, str], frozenset[str]]


def write_hits(spans: str) -> str:
    """Write printed spans of white dice for one, two and three hits as cells of twelve faces."""
    cells = ["-"] * 12
    for count, span in enumerate(spans.split(), 1):
        first, _, last = span.partition("-")
        for face in range(int(first), int(last) + 1):
            cells[face - 1] = str(count)
    return " ".join(cells)


BATTERY = {
    "25": "1-3",
    "50": "1-5",
    "75": "1-7",
    "100": "1-7 8-8",
    "125": "1-6 7-9",
    "150": "1-5 6-10",
    "200": "1-4 5-9 10-11",
    "300": "1-3 4-8 9-12",
    "400": "1-2 3-7 8-12",
}
ADVANCED_CHART = Printed(
    ADVANCED,
    {("battery", line): write_hits(spans) for line, spans in BATTERY.items()}
    | {
        ("blast", "long"): "E D R F - - - - - - - -",
        ("blast", "medium"): "E E D T R F F - - - - -",
        ("blast", "pb"): "E E E D T R B F F F - -",
        ("damage", "explosion"): "G G G 2G 2G S S 2S SX SX,G 2SX 3SX,2G",
        ("damage", "t-hit"): "- - - - - - - - - - F F",
        ("damage", "fire-check"): "out out out out - - - - - B B E",
        ("damage", "sx-check"): "- - - - - - - - - - SX SX",
        ("damage", "repair"): "- - fix fix fix fix fix - - - - -",
        ("damage", "repair-p"): "fix fix fix fix fix fix fix - - - - -",
        ("damage", "boat-guns"): "E B F - T - S - S - S -",
        ("sinking", "sinks-on"): "1 2 3 4 5 6 7",
    },
    {
        ("battery", "125"): frozenset({"2", "10", "11", "12"}),
        ("battery", "150"): ALL,
        ("battery", "200"): frozenset({"5", "6", "7", "8", "9", "11"}),
        ("blast", "long"): frozenset({"13+"}),
        ("damage", "t-hit"): frozenset({"11"}),
        ("damage", "sx-check"): ALL,
        ("damage", "repair"): ALL,
        ("damage", "repair-p"): ALL,
        ("sinking", "sinks-on"): frozenset({"5"}),
    },
)
LINES = {"25": 3, "50": 4, "75": 5, "100": 6, "125": 7, "150": 8, "200": 9, "300": 10, "400": 11}
QUICKFIRE_CHART = Printed(
    QUICKFIRE,
    {("battery", name): str(total) for name, total in LINES.items()}
    | {
        ("hits", "hits"): "1 1 1 1 1 1 1 2 2 3",
        ("blast", "long"): "E F F - - - -",
        ("blast", "short"): "E D R F - - -",
        ("blast", "pb"): "E E D R F F -",
        ("damage", "explosion"): "2G 2G 2G 2G 2G 2G 2S 2S 2S 2S F,4S,2G",
        ("damage", "fire-check"): "- - - - - - out out out out E",
        ("damage", "repair"): "- - - fix fix fix - - - - -",
        ("damage", "repair-p"): "- - - fix fix fix fix fix fix - -",
        ("torpedo", "moving"): "2 3 4 5",
        ("torpedo", "static"): "3 4 5 6",
        ("boat-guns", "boat-guns"): "- - - G T S",
        ("sinking", "sinks-on"): "2 3 4 5 6",
    },
    {
        ("battery", "125"): ALL,
        ("hits", "hits"): frozenset({"4", "6", "9"}),
        ("torpedo", "moving"): frozenset({"4"}),
        ("boat-guns", "boat-guns"): frozenset({"5"}),
        ("damage", "repair"): ALL,
        ("damage", "repair-p"): ALL,
    },
)
GUNNERY = """
 0 4 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
 ½ 3 5 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
 1 2 3 5 6 6 6 6 6 6 6 6 6 6 6 6 6 6
 2 1 2 3 4 5 5 6 6 6 6 6 6 6 6 6 6 6
 3 - 1 2 3 3 4 5 5 5 6 6 6 6 6 6 6 6
 4 - 1 2 2 3 3 4 4 5 5 5 5 6 6 6 6 6
 5 - - 1 2 2 3 3 3 4 4 5 5 5 5 5 6 6
 6 - - 1 2 2 2 3 3 3 4 4 4 5 5 5 5 5
 7 - - 1 1 2 2 2 3 3 3 3 4 4 4 5 5 5
 8 - - 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5
 9 - - - 1 1 2 2 2 2 3 3 3 3 4 4 4 4
10 - - - 1 1 2 2 2 2 2 3 3 3 3 3 4 4
11 - - - 1 1 1 2 2 2 2 2 3 3 3 3 3 3
12 - - - 1 1 1 2 2 2 2 2 2 3 3 3 3 3
13 - - - - 1 1 1 2 2 2 2 2 2 3 3 3 3
14 - - - - 1 1 1 2 2 2 2 2 2 2 3 3 3
15 - - - - 1 1 1 1 2 2 2 2 2 2 2 3 3
16 - - - - 1 1 1 1 2 2 2 2 2 2 2 2 3
"""
"""Armor down; gunnery ½, 1, 2 ... 16 across."""
CLONE_ROWS = {
    ("gunnery", line.split()[0]): " ".join(line.split()[1:]) for line in GUNNERY.strip().splitlines()
} | {
    ("blast", "long"): "- F F -",
    ("blast", "short"): "F R B E",
    ("damage", "explosion"): "2G 2S F,4S,2G",
    ("damage", "blast"): "R T D",
    ("direction", "course"): "full,turn,left straight,ahead full,turn,right",
    ("torpedo", "moving"): "3 4 5 6",
    ("torpedo", "static"): "4 5 6 7",
    ("repair", "fire-check"): "- out S",
    ("repair", "repair"): "G,or,S S -",
    ("sinking", "sinks-on"): "2 3 4 5 6",
}
CLONE_CHART = Printed(CLONE, CLONE_ROWS, dict.fromkeys(CLONE_ROWS, ALL))
EACH = pytest.mark.parametrize(
    "chart", [ADVANCED_CHART, QUICKFIRE_CHART, CLONE_CHART], ids=lambda chart: chart.system.name
)


@EACH
@pytest.mark.clause(
    "AQF-CHA-1",
    "QF-CHA-1",
    "QFC-GUN-8",
    "QFC-BLA-1",
    "QFC-BLA-2",
    "QFC-BLA-3",
    "QFC-TOR-2",
    "QFC-REP-1",
    "QFC-REP-2",
    "QFC-SNK-2",
)
def test_every_cell_is_as_printed(chart: Printed) -> None:
    shapes = chart.system.chart_shapes
    found = {}
    for table in load_shipped_charts(chart.system).values():
        for row in table.rows.values():
            columns = shapes[table.name].columns[: len(row.cells)]
            assert tuple(row.cells) == columns, (table.name, row.name)
            texts = (cell.text.replace(", ", ",").replace(" ", ",") for cell in row.cells.values())
            found[table.name, row.name] = " ".join(texts)
    assert list(found.items()) == list(chart.rows.items())


@EACH
@pytest.mark.clause("AQF-CHA-1", "QF-CHA-1")
def test_exactly_the_attested_cells_name_their_source(chart: Printed) -> None:
    for table in load_shipped_charts(chart.system).values():
        for row in table.rows.values():
            stated = chart.attested.get((table.name, row.name), frozenset())
            for column, cell in row.cells.items():
                attested = stated == ALL or column in stated
                place = table.name, row.name, column
                assert cell.status is (Provenance.ATTESTED if attested else Provenance.RECONSTRUCTED), place
                assert bool(cell.source) is attested, place
