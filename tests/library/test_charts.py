"""Charts: the origin of each cell, the limits of an overlay, and the umpire's own cells."""

from pathlib import Path

import pytest

from qf_tui.core.decisions import with_overlay
from qf_tui.core.values import ChartCell, Provenance
from qf_tui.library.charts import list_chart_contradictions, load_overlay, load_shipped_charts, read_charts
from qf_tui.library.faults import Checker, FileFaults
from qf_tui.library.own_charts import add_own_cell
from qf_tui.library.paths import FAULT, write_crash_report
from qf_tui.library.systems import find_systems
from tests.journal.limits import limit_file_size
from tests.library.sloops import SYSTEM, write
from tests.posix import make_link

HEAD = 'ruleset = "sloops"\ntitle = "My chart"\n[[table]]\nname = "shot"\n'


def format_row(name: str, rest: str) -> str:
    return f'[[table.row]]\nname = "{name}"\n{rest}\n'


def test_shipped_cells_are_attested_with_their_source_or_reconstructed() -> None:
    shot = load_shipped_charts(SYSTEM)["shot"]
    assert list(shot.rows) == ["100", "50"]
    assert list(shot.rows["100"].cells) == ["1", "2", "3", "4-5", "6+"]
    assert list(shot.rows["100"].cells.values()) == [
        ChartCell("hit", Provenance.ATTESTED, "book, 3"),
        ChartCell("hit"),
        ChartCell("miss", Provenance.ATTESTED, "book, 4"),
        ChartCell("miss", Provenance.ATTESTED, "book, 4"),
        ChartCell("miss"),
    ]


def test_every_cell_of_an_overlay_is_the_umpires_own(tmp_path: Path) -> None:
    rows = format_row("50", 'cells = { "2" = "hit", "7" = "miss" }') + format_row(
        "75", f"cells = {['hit'] * 5}"
    )
    overlay = load_overlay(write(tmp_path, "mine.toml", HEAD + rows), SYSTEM)
    assert overlay["shot"].rows["50"].cells == {
        "2": ChartCell("hit", Provenance.OWN, "My chart"),
        "7": ChartCell("miss", Provenance.OWN, "My chart"),
    }
    laid = with_overlay(load_shipped_charts(SYSTEM), overlay)["shot"].rows
    assert [cell.text for cell in laid["50"].cells.values()] == ["hit", "hit", "miss", "miss", "miss", "miss"]
    assert list(laid) == ["100", "50", "75"]


def test_contradicting_an_attested_cell_is_a_warning(tmp_path: Path) -> None:
    text = (
        HEAD
        + format_row("100", 'cells = { "1" = "miss", "2" = "miss", "3" = "miss" }')
        + format_row("9", "drop = true")
    )
    text += '[[table]]\nname = "leak"\n' + format_row("any", "drop = true")
    overlay = load_overlay(write(tmp_path, "mine.toml", text), SYSTEM)
    assert list_chart_contradictions(load_shipped_charts(SYSTEM), overlay, SYSTEM.chart_shapes) == (
        "shot, 100, 1: miss, but attested: hit (book, 3)",
        "shot, 9: no such row to drop",
        "leak, any, 1: dropped, but attested: leak (book, 5)",
        "leak, any, 2: dropped, but attested: dry (book, 5)",
    )
    assert with_overlay(load_shipped_charts(SYSTEM), overlay)["leak"].rows == {}


def test_a_whole_chart_may_be_copied_with_its_sources(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "charts.toml").read_text(encoding="utf-8")
    overlay = load_overlay(write(tmp_path, "mine.toml", text), SYSTEM)
    assert {c.status for c in overlay["leak"].rows["any"].cells.values()} == {Provenance.OWN}
    assert list_chart_contradictions(load_shipped_charts(SYSTEM), overlay, SYSTEM.chart_shapes) == ()


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (format_row("x", 'cells = { "1" = "hit" }'), "row 1 (x), name: “x”: expected a percentage"),
        (
            format_row("50", 'cells = { "x" = "hit" }'),
            "row 1 (50), cells: “x”: expected a number; known columns:",
        ),
        (format_row("50", 'cells = { "1" = "hat" }'), "row 1 (50), cells.1: “hat”: expected hit or miss"),
        (format_row("50", 'cells = ["hit"]'), "row 1 (50), cells: expected 5, one for each column, found 1"),
        (format_row("50", ""), "row 1 (50), cells: is missing; expected the row's cells, or drop = true"),
        (
            format_row("50", 'drop = true\ncells = { "1" = "hit" }'),
            "row 1 (50), cells: a dropped row has no cells",
        ),
        (format_row("50", "cells = [1, 2]"), "row 1 (50), cells.1: expected text on one line, found 1"),
        (format_row("50", "drop = true") * 2, "row 2 (50), name: the row “50” is already in this table"),
        (
            format_row("50", 'cells = { "1" = "hit" }\nattested = { "3-1" = "x" }'),
            "row 1 (50), attested.3-1: no such",
        ),
        (
            format_row("50", 'cells = { "1" = "a\\u001b" }'),
            "row 1 (50), cells.1: expected printable text, found U+001B",
        ),
        (
            '[[table]]\nname = "shots"\nrow = []',
            "table 2 (shots), name: no table “shots”; did you mean shot?",
        ),
        ("", "row: is missing; expected tables [[row]]"),
    ],
)
def test_a_faulty_overlay_is_refused_with_the_place(tmp_path: Path, rows: str, fault: str) -> None:
    with pytest.raises(FileFaults) as caught:
        load_overlay(write(tmp_path, "mine.toml", HEAD + rows), SYSTEM)
    faults = [str(fault).removeprefix("table 1 (shot), ") for fault in caught.value.faults]
    assert [text for text in faults if text.startswith(fault)], faults


def test_only_an_overlay_drops_rows_or_gives_a_few_cells() -> None:
    checker = Checker()
    rows = [{"name": "50", "drop": True}, {"name": "100", "cells": {"1": "hit"}}]
    read_charts({"ruleset": "sloops", "table": [{"name": "shot", "row": rows}]}, SYSTEM, checker)
    places = [fault.found.keys for fault in checker.faults]
    assert places == [("drop",), ("cells",)]


pytestmark = pytest.mark.usefixtures("home")

AQF = find_systems()["advanced-quickfire"]


def test_cells_are_added_one_by_one() -> None:
    """Detect a second cell that replaces the first."""
    add_own_cell(AQF, ("battery", "200", "3"), "2")
    path = add_own_cell(AQF, ("battery", "200", "4"), "-")
    cells = load_overlay(path, AQF)["battery"].rows["200"].cells
    assert {column: (cell.text, cell.status) for column, cell in cells.items()} == {
        "3": ("2", Provenance.OWN),
        "4": ("-", Provenance.OWN),
    }


def test_a_cell_next_to_the_bands_of_a_stick_keeps_them() -> None:
    """Detect bands that come back as a column, so that the file cannot be read again."""
    gq2 = find_systems()["gq2"]
    path = add_own_cell(gq2, ("stick", "12", "5"), "3.5")
    text = path.read_text(encoding="utf-8").replace("title =", "red = [4, 2]\ntitle =")
    path.write_text(text, encoding="utf-8")
    add_own_cell(gq2, ("stick", "12", "6"), "3")
    cells = load_overlay(path, gq2)["stick"].rows["12"].cells
    assert {column: cell.text for column, cell in cells.items()} == {"5": "3.5", "6": "3", "red": "4-2"}


def test_a_fault_report_is_complete_and_follows_no_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("somebody's")
    make_link(tmp_path / FAULT, victim)
    assert write_crash_report("what went wrong \ud800") == tmp_path / FAULT
    assert (tmp_path / FAULT).read_text() == "what went wrong ?"
    assert victim.read_text() == "somebody's"
    with limit_file_size(3):
        assert write_crash_report("again") is None
    assert (tmp_path / FAULT).read_text() == "what went wrong ?"
