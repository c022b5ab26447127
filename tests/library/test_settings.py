"""The user's settings and the umpire's weights: read strictly, saved with their comments."""

import tomllib
from pathlib import Path

import pytest

from qf_tui.core.errors import QfError
from qf_tui.library.faults import Faults
from qf_tui.library.settings import (
    Settings,
    change_setting,
    ensure_settings_file,
    find_settings_file,
    find_worth_file,
    format_default_settings,
    list_settings,
    load_settings,
    load_worth,
)
from tests.systems import OURS, find_our_systems

pytestmark = pytest.mark.usefixtures("home")


def test_the_defaults_equal_those_of_the_explained_file() -> None:
    assert load_settings() == Settings()
    ensure_settings_file()
    assert load_settings() == Settings()
    assert set(tomllib.loads(format_default_settings())) == {one.name for one in list_settings()}


def test_a_setting_is_saved_and_the_comments_stay() -> None:
    find_settings_file().write_text('# mine\nclock = true  # yes!\n[keys]\n"grid.undo" = "f8"\n')
    assert change_setting("theme", "light") == Settings("light", clock=True, keys={"grid.undo": "f8"})
    assert "# mine\nclock = true  # yes!\n" in find_settings_file().read_text()
    assert change_setting("walk", "yes").walk
    assert [change_setting("minutes", text).minutes for text in ("15", "none", "600")] == [15, 0, 600]
    assert change_setting("copy_to", "C:\\stick").find_value("copy_to") == "C:\\stick"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("theme", "red", "theme: expected .*dark.*light"),
        ("them", "light", "no setting “them”.*theme"),
        ("walk", "maybe", "expected yes or no"),
        ("minutes", "601", "minutes: expected .*600"),
        ("minutes", "-1", "minutes: expected a whole number"),
        ("keys", "x", "are set in the file"),
        ("copy_to", "a\x1bb", "copy_to"),
    ],
)
def test_an_impossible_setting_is_reported(name: str, text: str, says: str) -> None:
    with pytest.raises(QfError, match=says):
        change_setting(name, text)
    assert not find_settings_file().exists()


def test_all_faults_of_the_file_are_named_and_it_stays_unchanged() -> None:
    find_settings_file().write_text('theme = "red"\nclokc = 1\n')
    with pytest.raises(QfError, match=r"(?s)2 faults.*clokc.*theme|2 faults.*theme.*clokc"):
        load_settings()
    with pytest.raises(QfError, match="2 faults"):
        change_setting("clock", "yes")
    assert find_settings_file().read_text() == 'theme = "red"\nclokc = 1\n'


def test_a_file_that_cannot_be_written_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "file"))
    with pytest.raises(QfError, match="cannot be written"):
        change_setting("theme", "light")


SYSTEM = find_our_systems()["advanced-quickfire"]


def write_file(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def load_weights(path: Path | None = None, name: str = SYSTEM.name) -> dict[str, float]:
    return {part.name: part.weight for part in load_worth(find_our_systems()[name], path).parts}


def test_without_a_file_the_rule_system_s_own_weights_apply() -> None:
    assert load_worth(SYSTEM) is SYSTEM.worth


def test_the_umpire_s_own_file_changes_weights_of_its_rule_system_only() -> None:
    """Detect omitted parts that count for nothing, and weights that reach another system."""
    write_file(find_worth_file().parent, "[advanced-quickfire]\nspeed = 0\nfires = 2.5\n").rename(
        find_worth_file()
    )
    declared = {part.name: part.weight for part in SYSTEM.worth.parts}
    assert load_weights() == {**declared, "speed": 0, "fires": 2.5}
    assert load_worth(find_our_systems()["gq2"]) == find_our_systems()["gq2"].worth


def test_a_named_file_wins_over_the_umpire_s_own(tmp_path: Path) -> None:
    write_file(find_worth_file().parent, "[gq2]\nhull = 9\n").rename(find_worth_file())
    assert load_weights(write_file(tmp_path, "[gq2]\nhull = 3\n"), "gq2")["hull"] == 3
    assert load_weights(name="gq2")["hull"] == 9


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("fires = -1", "advanced-quickfire.fires", "found -1; it is subtracted for each fire"),
        ("heavy = -0.5", "advanced-quickfire.heavy", "found -0.5; it counts for each heavy ROF point"),
        ("heavy = nan", "advanced-quickfire.heavy", "expected a number from 0 to 1000, found nan"),
        ("heavy = inf", "advanced-quickfire.heavy", "expected a number from 0 to 1000, found inf"),
        ("heavy = 1e300", "advanced-quickfire.heavy", "expected a number from 0 to 1000"),
        ('heavy = "2"', "advanced-quickfire.heavy", "found the text “2”"),
        ("heavy = true", "advanced-quickfire.heavy", "found true"),
        ("heavvy = 1", "advanced-quickfire.heavvy", "did you mean heavy?"),
        ('"x\\u001b[2J" = 1', "advanced-quickfire.x<U+001B>[2J", "no such key"),
        ("[quickfyre]\nheavy = 1", "quickfyre", "is installed; did you mean quickfire?"),
        ('[quickfire]\n[gq2]\n"a" = 1\n["x\\u001b"]', "x<U+001B>", "no rule system of this name"),
    ],
)
def test_faults_of_weights_have_their_places(tmp_path: Path, text: str, place: str, words: str) -> None:
    with pytest.raises(Faults) as found:
        load_worth(SYSTEM, write_file(tmp_path, f"[advanced-quickfire]\n{text}\n"))
    (fault,) = found.value.faults
    assert (fault.place, words in fault.text) == (place, True), fault.text
    assert str(found.value).isprintable()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a table [advanced-quickfire] with weights for heavy, light, speed"),
        ("[gq2]\nhull = 1\n", "expected a table [advanced-quickfire]"),
        ("advanced-quickfire = 3\n", "expected a table, found 3"),
        ("[advanced-quickfire\n", "line 1"),
        ("\x00", "line 1"),
    ],
)
def test_a_file_that_holds_no_weights_for_these_rules_is_refused(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(Faults, match=r"mine\.toml") as found:
        load_worth(SYSTEM, write_file(tmp_path, text))
    assert words in str(found.value)


@pytest.mark.parametrize("name", OURS)
def test_every_part_of_every_rule_system_can_be_weighed(tmp_path: Path, name: str) -> None:
    parts = find_our_systems()[name].worth.parts
    text = "".join(f"{part.name} = {at / 8}\n" for at, part in enumerate(parts))
    read = load_weights(write_file(tmp_path, f"[{name}]\n{text}"), name)
    assert list(read.values()) == [at / 8 for at in range(len(parts))]


def test_a_setting_of_a_feature_may_have_the_name_of_a_method() -> None:
    """Detect a lookup of any attribute where only fields are settings."""
    settings = Settings().with_values({"text": "large", "theme": "light"})
    assert (settings.find_value("text"), settings.find_value("theme")) == ("large", "light")
