"""The umpire's own chart grows cell by cell and can be laid over a battle."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qf_tui.core.errors import QfError
from qf_tui.core.values import Provenance
from qf_tui.library.charts import load_overlay
from qf_tui.library.faults import Faults
from qf_tui.library.paths import FAULT, keep_fault
from qf_tui.library.settings import keep_cell, own_chart
from qf_tui.library.systems import find_systems
from tests.journal.limits import grown_at_most

pytestmark = pytest.mark.usefixtures("home")

SYSTEM = find_systems()["advanced-quickfire"]


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


def test_two_consoles_that_keep_cells_at_once_lose_none() -> None:
    """Catches a read, a change and a write between which another console has written."""
    columns = [str(number) for number in range(1, 9)]
    with ThreadPoolExecutor(len(columns)) as consoles:
        for column in columns:
            consoles.submit(keep_cell, SYSTEM, ("battery", "200", column), "1")
    assert set(load_overlay(own_chart(SYSTEM), SYSTEM)["battery"].rows["200"].cells) == set(columns)


def test_a_chart_for_which_there_is_no_room_is_as_it_was() -> None:
    path = keep_cell(SYSTEM, ("battery", "200", "3"), "2")
    before = path.read_bytes()
    with pytest.raises(QfError, match="cannot be written: File too large"), grown_at_most(20):
        keep_cell(SYSTEM, ("battery", "200", "4"), "1")
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir() if found.suffix == ".new"] == []


def test_a_fault_is_kept_whole_and_writes_over_nothing_by_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("somebody's")
    (tmp_path / FAULT).symlink_to(victim)
    assert keep_fault("what went wrong \ud800") == tmp_path / FAULT
    assert (tmp_path / FAULT).read_text() == "what went wrong ?"
    assert victim.read_text() == "somebody's"
    with grown_at_most(3):
        assert keep_fault("again") is None
    assert (tmp_path / FAULT).read_text() == "what went wrong ?"
