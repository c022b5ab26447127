"""The user's settings: read strictly, kept with their comments."""

import tomllib
from pathlib import Path

import pytest

from qf_tui.core.errors import QfError
from qf_tui.library.settings import (
    SETTINGS,
    Settings,
    explained,
    keep_setting,
    load_settings,
    make_settings,
    settings_path,
)

pytestmark = pytest.mark.usefixtures("home")


def test_without_a_file_the_defaults_hold_and_the_explained_file_says_the_same() -> None:
    assert load_settings() == Settings()
    make_settings()
    assert load_settings() == Settings()
    assert set(tomllib.loads(explained())) == {one.name for one in SETTINGS}


def test_a_setting_is_kept_and_the_comments_stay() -> None:
    settings_path().write_text('# mine\nclock = true  # yes!\n[keys]\n"grid.undo" = "f8"\n')
    assert keep_setting("theme", "light") == Settings("light", clock=True, keys={"grid.undo": "f8"})
    assert "# mine\nclock = true  # yes!\n" in settings_path().read_text()
    assert keep_setting("walk", "yes").walk
    assert keep_setting("copy_to", "C:\\stick").copy_to == "C:\\stick"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("theme", "red", "theme: expected .*dark.*light"),
        ("them", "light", "no setting “them”.*theme"),
        ("walk", "maybe", "expected yes or no"),
        ("keys", "x", "are set in the file"),
        ("copy_to", "a\x1bb", "copy_to"),
    ],
)
def test_what_cannot_be_set_is_said(name: str, text: str, says: str) -> None:
    with pytest.raises(QfError, match=says):
        keep_setting(name, text)
    assert not settings_path().exists()


def test_all_faults_of_the_file_are_named_and_it_stays_as_it_is() -> None:
    settings_path().write_text('theme = "red"\nclokc = 1\n')
    with pytest.raises(QfError, match=r"(?s)2 faults.*clokc.*theme|2 faults.*theme.*clokc"):
        load_settings()
    with pytest.raises(QfError, match="2 faults"):
        keep_setting("clock", "yes")
    assert settings_path().read_text() == 'theme = "red"\nclokc = 1\n'


def test_where_it_cannot_be_written_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "file"))
    with pytest.raises(QfError, match="cannot be written"):
        keep_setting("theme", "light")
