"""The umpire's own chart grows cell by cell and can be laid over a battle."""

from pathlib import Path

import pytest

from qf_tui.core.charts import Provenance
from qf_tui.library.charts import load_overlay
from qf_tui.library.faults import Faults
from qf_tui.library.own_chart import keep_cell, own_chart
from qf_tui.library.systems import find_systems

SYSTEM = find_systems()["advanced-quickfire"]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))


def test_cells_are_added_one_by_one() -> None:
    """The fault it catches: a second cell that takes the first one's place."""
    keep_cell(SYSTEM, ("battery", "200", "3"), "2")
    path = keep_cell(SYSTEM, ("battery", "200", "4"), "-")
    cells = load_overlay(path, SYSTEM)["battery"].rows["200"].cells
    assert {column: (cell.text, cell.status) for column, cell in cells.items()} == {
        "3": ("2", Provenance.OWN),
        "4": ("-", Provenance.OWN),
    }


def test_a_faulty_chart_is_not_overwritten() -> None:
    path = own_chart(SYSTEM)
    path.parent.mkdir(parents=True)
    path.write_text("what = ", encoding="utf-8")
    with pytest.raises(Faults):
        keep_cell(SYSTEM, ("battery", "200", "3"), "2")
    assert path.read_text(encoding="utf-8") == "what = "
