"""The first screen, what it opens, and what it says of faulty files."""

from pathlib import Path

import pytest

from qf_tui.console.opening import open_target
from qf_tui.core.errors import QfError
from qf_tui.library.systems import find_systems
from tests.console.playing import Table, play, saved


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    return tmp_path


def test_the_save_written_last_is_offered_first_with_where_it_stands(home: Path) -> None:
    session = saved(home / "saves" / "bench.qfb")
    session.enter("next")
    session.close()

    async def steps(table: Table) -> None:
        assert "Continue" in table.text()
        assert "turn 1, First gunnery · 1 acts" in table.text()
        await table.press("enter")
        assert table.battle.phase == "first-gunnery"
        assert "NOT SAVED" not in table.text()
        table.session.close()

    play(None, steps)


def test_a_battle_begun_here_has_a_save_of_its_own(home: Path) -> None:
    async def steps(table: Table) -> None:
        await table.press("enter", "n", "enter")
        assert table.log() == ["next"]
        assert [path.suffix for path in (home / "saves").iterdir() if path.suffix != ".lock"] == [".qfb"]
        table.session.close()

    play(None, steps)


def test_a_faulty_scenario_is_told_in_plain_words(home: Path) -> None:
    (home / "scenarios").mkdir()
    (home / "scenarios" / "wrong.toml").write_text('title = "[/ wrong"\nruleset = "nothing"\n')

    async def steps(table: Table) -> None:
        assert "[/ wrong" in table.text()
        await table.press("enter")
        assert "cannot be opened" in table.text()
        assert "ruleset" in table.text()

    play(None, steps)


def test_what_was_asked_for_and_is_not_there_is_told_on_the_first_screen(home: Path) -> None:
    with pytest.raises(QfError) as fault:
        open_target("no-such-battle", None, find_systems())

    async def steps(table: Table) -> None:
        assert "no-such-battle" in table.text()

    play(None, steps, fault=str(fault.value))


def test_a_sample_battle_is_opened_as_a_copy_that_is_saved(home: Path) -> None:
    async def steps(table: Table) -> None:
        await table.press("end", "enter")
        assert "NOT SAVED" not in table.text()
        before = len(table.session.timeline.log)
        await table.order("note from here on")
        assert len(table.session.timeline.log) == before + 1
        assert table.session.journal.path.parent == home / "saves"
        table.session.close()

    play(None, steps)
