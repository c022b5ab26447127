"""`qf-tui settings`."""

from pathlib import Path

from tests.cli.calling import Caller


def test_settings_are_shown_explained_and_set(call: Caller, tmp_path: Path) -> None:
    shown = call("settings")
    file = tmp_path / "home" / "settings.toml"
    assert shown.status == 0
    assert str(file) in shown.out
    assert "# the colours of the console" in file.read_text()
    assert "theme  light" in call("settings", "theme", "light").out
    assert 'theme = "light"' in file.read_text()


def test_a_setting_that_is_not_there_is_said(call: Caller) -> None:
    refused = call("settings", "them", "light")
    assert refused.status == 2
    assert "no setting “them”" in refused.err
