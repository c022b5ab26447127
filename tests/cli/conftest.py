"""Each test has a folder of its own, which is also the user's folder of saves, fleets and scenarios."""

from pathlib import Path

import pytest

from tests.cli.calling import Caller


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caller:
    """Calls commands in an empty folder."""
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.chdir(tmp_path)
    return Caller(tmp_path, capsys)
