"""`qf-tui branch`: the first acts of a save as a save of its own."""

from pathlib import Path

import pytest

from qf_tui.cli import main
from qf_tui.journal.reading import read_save

ORDERS = "next\nfire mikasa heavy borodino long 5 8\nundo\nnote after\n"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    orders, path = tmp_path / "orders", tmp_path / "battle.qfb"
    orders.write_text(ORDERS, encoding="utf-8")
    assert main(["run", "rulebook-examples", "--orders", str(orders), "--save", str(path)]) == 0
    return path


@pytest.mark.parametrize("upto", [0, 2, 3, 4])
def test_a_branch_holds_the_acts_up_to_the_one_named(save: Path, tmp_path: Path, upto: int) -> None:
    """The fault it catches: an act too many or too few, or a broken chain of checksums."""
    branch = tmp_path / "branch.qfb"
    before = save.read_bytes()
    assert main(["branch", str(save), "--at", str(upto), "--save", str(branch)]) == 0
    assert read_save(branch).log == read_save(save).log[:upto]
    assert read_save(branch).header == read_save(save).header
    assert save.read_bytes() == before


@pytest.mark.parametrize("upto", ["5", "-1"])
def test_an_act_that_is_not_there_is_refused(
    save: Path, tmp_path: Path, upto: str, capsys: pytest.CaptureFixture[str]
) -> None:
    branch = tmp_path / "branch.qfb"
    assert main(["branch", str(save), f"--at={upto}", "--save", str(branch)]) == 2
    assert "its acts are 1 to 4" in capsys.readouterr().err
    assert not branch.exists()


def test_no_file_is_overwritten(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["branch", str(save), "--at", "1", "--save", str(save)]) == 2
    assert "no save is overwritten" in capsys.readouterr().err
