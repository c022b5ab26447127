"""Rule systems are found by their entry points, and loaded when they are asked for."""

from importlib.metadata import EntryPoint
from itertools import permutations
from pathlib import Path

import pytest

from qf_tui.cli import main
from qf_tui.core.errors import QfError
from qf_tui.core.system import ENTRY_POINTS
from qf_tui.library.systems import Systems, find_systems, usable
from tests.tiny import SYSTEM


def _systems(**points: str) -> Systems:
    return Systems(lambda: {name: EntryPoint(name, value, ENTRY_POINTS) for name, value in points.items()})


def test_one_that_is_broken_hinders_no_other() -> None:
    """The fault it catches: no battle at all can be opened because somebody's package is half installed."""
    systems = _systems(tiny="tests.tiny:SYSTEM", broken="tests.no_such_module:SYSTEM")
    assert systems["tiny"] is SYSTEM
    assert list(usable(systems)) == ["tiny"]
    with pytest.raises(QfError, match=r"broken .* cannot be loaded"):
        systems["broken"]
    told: list[str] = []
    assert list(usable(systems, told.append)) == ["tiny"]
    assert len(told) == 1


def test_one_that_ends_the_program_as_it_is_loaded_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_rules.py").write_text("import sys\nsys.exit(7)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    systems = _systems(tiny="tests.tiny:SYSTEM", leaving="leaving_rules:SYSTEM")
    assert list(usable(systems)) == ["tiny"]
    with pytest.raises(QfError, match=r"leaving .* cannot be loaded: SystemExit: 7"):
        systems["leaving"]


@pytest.mark.parametrize("values", list(permutations(("qf_tui.rules.gq2:SYSTEM", "strange:SYSTEM"))))
def test_of_two_with_one_name_the_stranger_is_to_go(
    values: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches words that have an umpire take our own rules away."""
    points = [EntryPoint("gq2", value, ENTRY_POINTS) for value in values]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    with pytest.raises(QfError, match="two rule systems are called gq2; uninstall the package of strange:"):
        list(find_systems())


@pytest.mark.parametrize("command", [["ratings"], ["ships", "mikasa"], ["ships", "mikasa", "--json"]])
def test_what_lists_all_systems_goes_on_without_a_broken_one(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = {"quickfire": "qf_tui.rules.quickfire:SYSTEM", "broken": "tests.no_such_module:SYSTEM"}
    for module in ("qf_tui.cli.opening", "qf_tui.cli.ships"):
        monkeypatch.setattr(f"{module}.find_systems", lambda: _systems(**points))
    assert main(command) == 0
    said = capsys.readouterr()
    assert "quickfire" in said.out.lower()
    assert "rule system broken (tests.no_such_module:SYSTEM) cannot be loaded" in said.err


def test_one_that_calls_itself_otherwise_is_refused() -> None:
    with pytest.raises(QfError, match="calls itself tiny"):
        _systems(other="tests.tiny:SYSTEM")["other"]


def test_the_installed_ones_are_known_by_name_before_they_are_loaded() -> None:
    systems = find_systems()
    assert "advanced-quickfire" in systems
    assert "no-such-rules" not in systems
    assert len(systems) == len(list(systems))
    assert systems["advanced-quickfire"] is systems["advanced-quickfire"]
