"""From one battle to another without leaving the program: first screen, branch, another name; copies."""

from asyncio import sleep
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.setup.start import StartScreen
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from qf_tui.session.new_save import copy_as
from tests.console.playing import Table, gunnery, keys_of, play, saved
from tests.systems import our_systems


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


async def chosen(table: Table, words: str) -> None:
    """Chooses an action in the palette."""
    await table.press("f4", *keys_of(words))
    await table.press("enter")


def test_a_branch_another_name_and_another_battle_from_inside(tmp_path: Path, home: Path) -> None:
    save = tmp_path / "evening.qfb"

    async def steps(table: Table) -> None:
        await table.order("next")
        await chosen(table, "branch")
        branch = tmp_path / "evening-branch-1.qfb"
        assert "evening-branch-1" in table.text()
        assert branch.read_bytes() == save.read_bytes()
        await chosen(table, "save as")
        await table.press(*"later", "enter")
        later = home / "saves" / "later.qfb"
        assert table.session.journal.path == later
        await table.order("next")
        assert len(later.read_bytes()) > len(save.read_bytes()) == len(branch.read_bytes())
        await chosen(table, "save as")
        await table.press(*"later", "enter")
        assert "no save is overwritten" in table.text()
        await table.press("escape")
        await chosen(table, "other battle")
        assert isinstance(table.app.screen, StartScreen)
        assert table.app.session is None
        assert not any(isinstance(screen, BattleScreen) for screen in table.app.screen_stack)
        Session.resume(later, our_systems()).close()
        await table.press("enter")
        assert table.session.journal.path == later
        await chosen(table, "other battle")
        assert isinstance(table.app.screen, StartScreen)
        assert len(table.app.screen_stack) == 2

    play(saved(save), steps)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (" ", "“” is no name"),
        (".", "“.” is no name"),
        ("/", "“/” is no name"),
        ("~nobody-there/later", "cannot be made"),
    ],
)
def test_a_name_that_is_none_is_said_to_be_and_can_be_mended(tmp_path: Path, name: str, said: str) -> None:
    """Catches a name without letters that ends in a fault of the program."""
    save = tmp_path / "evening.qfb"

    async def steps(table: Table) -> None:
        await chosen(table, "save as")
        await table.press(*keys_of(name), "enter")
        assert "fault of qf-tui" not in table.text()
        assert said in table.text()
        assert table.session.journal.path == save

    play(saved(save), steps)


def test_a_copy_called_as_the_home_folder_lies_on_the_shelf(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches one that is written beside the home folder, under its name."""
    monkeypatch.setenv("HOME", str(tmp_path / "umpire"))
    copy = copy_as(saved(tmp_path / "evening.qfb"), "~")
    assert copy == home / "saves" / "~.qfb"
    assert not list(tmp_path.glob("umpire*"))


def test_a_copy_in_the_home_of_nobody_is_said_not_to_be_made(tmp_path: Path) -> None:
    """Catches a setting by which no battle can be opened any more."""
    session = saved(tmp_path / "evening.qfb")
    session.copy_to("~nobody-of-that-name/copies")
    assert session.close().startswith("No second copy in ~nobody-of-that-name/copies: ")


@pytest.mark.parametrize("instead", ["", "another battle"])
def test_a_battle_whose_save_was_taken_away_is_kept_under_another_name(
    instead: str, tmp_path: Path, home: Path
) -> None:
    """Catches an evening that is lost with its file, and a stranger's battle that takes its name."""
    save = tmp_path / "evening.qfb"

    async def steps(table: Table) -> None:
        await table.order("next")
        await table.order("note what was said")
        before = table.session.timeline
        save.unlink()
        if instead:
            other = tmp_path / "other.qfb"
            saved(other).close()
            other.rename(save)
        await chosen(table, "branch")
        branch = Session.look(tmp_path / "evening-branch-1.qfb", our_systems())
        assert branch.timeline.log == before.log
        await chosen(table, "save as")
        await table.press(*"later", "enter")
        assert table.session.journal.path == home / "saves" / "later.qfb"
        assert (table.session.timeline.log, table.session.battle) == (before.log, before.battle)
        await table.order("next")
        assert len(table.session.timeline.log) == len(before.log) + 1

    play(saved(save), steps)


def test_a_battle_whose_save_is_gone_is_kept_as_another_battle_is_chosen(tmp_path: Path) -> None:
    save = tmp_path / "evening.qfb"

    async def steps(table: Table) -> None:
        await table.order("next")
        save.unlink()
        await chosen(table, "other battle")
        assert isinstance(table.app.screen, StartScreen)
        assert "It is kept as it stood in the console" in " ".join(table.text().split())
        assert len(Session.look(tmp_path / "evening-branch-1.qfb", our_systems()).timeline.log) == 1

    play(saved(save), steps)


def test_a_battle_without_a_save_has_nothing_to_copy() -> None:
    async def steps(table: Table) -> None:
        await chosen(table, "branch")
        assert "no save to copy" in table.text()

    play(gunnery(), steps)


def test_a_second_copy_is_kept_and_a_fault_is_said_until_it_is_mended(tmp_path: Path) -> None:
    save, stick = tmp_path / "evening.qfb", tmp_path / "stick"
    stick.mkdir()

    def same() -> bool:
        return (stick / save.name).exists() and (stick / save.name).read_bytes() == save.read_bytes()

    async def steps(table: Table) -> None:
        await table.order("leave hannibal sunk")
        await until(table, same)
        stick.rename(tmp_path / "pulled")
        await table.order("note this is not on the stick")
        await until(table, lambda: "No second copy in" in table.text())
        await table.order("note nor is this")
        assert "no such folder" in table.text()
        (tmp_path / "pulled").rename(stick)
        await until(table, same)
        await until(table, lambda: "No second copy in" not in table.text())
        other = tmp_path / "other"
        other.mkdir()
        assert isinstance(table.app.screen, BattleScreen)
        table.app.screen.take_settings(Settings(copy_to=str(other)))
        await until(table, (other / save.name).exists)
        await table.order("note on the other disk")
        assert table.session.close() == ""
        assert (other / save.name).read_bytes() == save.read_bytes() != (stick / save.name).read_bytes()

    play(saved(save), steps, (200, 60), settings=Settings(copy_to=str(stick)))


async def until(table: Table, what: Callable[[], bool]) -> None:
    """Waits until something has come about, however busy the machine is."""
    end = monotonic() + 60
    while not what():
        assert monotonic() < end, table.text()
        await sleep(0.05)
        await table.press()
