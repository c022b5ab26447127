"""Golden battles: order files with transcripts that a person has read.

`QF_TUI_REGENERATE=1 pytest tests/golden` rewrites the transcripts; read the diff.
"""

import os
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.cli import main
from qf_tui.journal.reading import read_save
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.scenarios import find_named_rules
from qf_tui.library.systems import find_systems
from qf_tui.session.saves import make_rules_finder
from tests.systems import drop_nonces, write_without_crews

HERE = Path(__file__).parent
BATTLES = sorted(HERE.glob("*.orders"))


def read_scenario_name(orders: Path) -> str:
    """Return the scenario that an order file names in its first comment."""
    for line in orders.read_text(encoding="utf-8").splitlines():
        if line.startswith("# scenario: "):
            return line.removeprefix("# scenario: ").strip()
    raise AssertionError(f"{orders.name} names no scenario")


@pytest.mark.parametrize("orders", BATTLES, ids=lambda path: path.stem)
def test_a_battle_gives_its_transcript(
    orders: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Detect any unintended change of a rule, an order or a word."""
    name = read_scenario_name(orders)
    rules = ["--rules", system] if (system := find_named_rules(name)) else []
    status = main(["run", str(write_without_crews(name, tmp_path)), *rules, "--orders", str(orders)])
    told = capsys.readouterr().out
    golden = orders.with_suffix(".transcript")
    if os.environ.get("QF_TUI_REGENERATE"):
        golden.write_text(told, encoding="utf-8")
    assert status == 0
    assert told == golden.read_text(encoding="utf-8")


def test_there_are_golden_battles() -> None:
    assert BATTLES


def test_the_sample_save_is_the_golden_battle_in_mid_course(tmp_path: Path) -> None:
    """Detect an outdated sample after a change of rules or save format."""
    orders = HERE / "yellow-sea-1904.orders"
    first = orders.read_text(encoding="utf-8").partition("# the sample save ends here")[0]
    cut, made = tmp_path / "cut.orders", tmp_path / "made.qfb"
    cut.write_text(first, encoding="utf-8")
    start = str(write_without_crews(read_scenario_name(orders), tmp_path))
    assert main(["run", start, "--orders", str(cut), "--save", str(made)]) == 0
    sample = find_shipped_folder("saves") / "yellow-sea-1904.qfb"
    if os.environ.get("QF_TUI_REGENERATE"):
        sample.write_bytes(made.read_bytes())
    names = make_rules_finder(find_systems())
    old, today = read_save(sample, names), read_save(made, names)
    assert drop_nonces(old.log) == drop_nonces(today.log)
    assert evolve(old.header.start, reserve={}) == today.header.start


def test_a_save_keeps_the_cards_that_it_was_begun_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Read and decide the sample again without rating any ship."""
    sample = find_shipped_folder("saves") / "yellow-sea-1904.qfb"
    for module in (
        "advanced_quickfire.system.AdvancedQuickfire.work_out",
        "quickfire_family.rating.find_gun_worth",
    ):
        monkeypatch.setattr(f"qf_tui.rules.{module}", None)
    assert main(["verify", str(sample)]) == 0
    assert "none is decided differently" in capsys.readouterr().out
