"""A new folder for each test, which is also the user's folder of saves, fleets and scenarios."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from qf_tui.core.system import RuleSystem
from qf_tui.library.paths import find_home, find_shipped_folder
from qf_tui.library.scenarios import ScenarioRead, read_scenario
from tests.cli.calling import Caller

_READ: dict[object, ScenarioRead] = {}


def _read_once(
    document: Any, path: Path, systems: Mapping[str, RuleSystem], *unwritten: Any, **more: Any
) -> ScenarioRead:
    """Read a shipped scenario only once while the user has no files."""
    if unwritten or path.parent != find_shipped_folder("scenarios") or find_home().exists():
        return read_scenario(document, path, systems, *unwritten, **more)
    key = path, tuple(systems), tuple(more.items())
    if key not in _READ:
        _READ[key] = read_scenario(document, path, systems, **more)
    return _READ[key]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caller:
    """Build a caller of commands in an empty folder."""
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("qf_tui.library.scenarios.read_scenario", _read_once)
    return Caller(tmp_path, capsys)
