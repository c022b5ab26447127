"""Another battle without leaving the program; copies; and what remains after a fault of the program."""

import subprocess
import sys
from asyncio import sleep
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from qf_tui.console.app import FAULTS_MOST, FAULTS_WITHIN_S, FaultLog
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.setup.start import StartScreen
from qf_tui.features.second_copy import copying
from qf_tui.journal.saving import Journal
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from qf_tui.session.session import copy_to
from tests.console.playing import Table, begin_gunnery, begin_saved, list_keys, play, with_console
from tests.posix import open_files_go
from tests.systems import find_our_systems


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


async def choose_action(table: Table, words: str) -> None:
    """Choose an action in the palette."""
    await table.press("f4", *list_keys(words))
    await table.press("enter")


@with_console(lambda tmp_path: begin_saved(tmp_path / "evening.qfb"))
async def test_a_branch_a_new_name_and_another_battle_work_from_the_palette(
    table: Table, tmp_path: Path, home: Path
) -> None:
    save = tmp_path / "evening.qfb"
    await table.order("next")
    await choose_action(table, "branch")
    branch = tmp_path / "evening-branch-1.qfb"
    assert "evening-branch-1" in table.text()
    assert branch.read_bytes() == save.read_bytes()
    await choose_action(table, "save as")
    await table.type("later enter")
    later = home / "saves" / "later.qfb"
    assert table.session.journal.path == later
    await table.order("next")
    assert len(later.read_bytes()) > len(save.read_bytes()) == len(branch.read_bytes())
    await choose_action(table, "save as")
    await table.type("later enter")
    assert "no save is overwritten" in table.text()
    await table.press("escape")
    await choose_action(table, "other battle")
    assert isinstance(table.app.screen, StartScreen)
    assert table.app.session is None
    assert not any(isinstance(screen, BattleScreen) for screen in table.app.screen_stack)
    Session.resume(later, find_our_systems()).close()
    await table.press("enter")
    assert table.session.journal.path == later
    await choose_action(table, "other battle")
    assert isinstance(table.app.screen, StartScreen)
    assert len(table.app.screen_stack) == 2


@with_console(lambda tmp_path: begin_saved(tmp_path / "evening.qfb"))
async def test_a_name_without_letters_is_refused_and_can_be_corrected(table: Table, tmp_path: Path) -> None:
    """Detect such a name that ends in a fault of the program."""
    save = tmp_path / "evening.qfb"
    said = {" ": "“” is not a file name", ".": "“.” is not a file name", "/": "“/” is not a file name"}
    for name, refusal in (said | {"~nobody-there/later": "cannot be made"}).items():
        await choose_action(table, "save as")
        await table.press(*list_keys(name), "enter")
        assert "internal error" not in table.text()
        assert refusal in table.text()
        await table.press("escape")
    assert table.session.journal.path == save


def test_a_copy_under_a_name_with_a_tilde_is_kept(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Detect one written next to the home folder: Windows takes any name after ~ as a user's."""
    monkeypatch.setenv("HOME", str(tmp_path / "umpire"))
    monkeypatch.setattr(Path, "expanduser", lambda path: tmp_path / f"umpire{path}")
    copy = copy_to(begin_saved(tmp_path / "evening.qfb"), "~")
    assert copy == home / "saves" / "~.qfb"
    assert not list(tmp_path.glob("umpire*"))


def test_a_copy_in_the_home_of_an_unknown_user_is_refused(tmp_path: Path) -> None:
    """Detect a setting that keeps every battle from opening."""
    session = begin_saved(tmp_path / "evening.qfb")
    session.listen(Settings(more={"copy_to": "~nobody-of-that-name/copies"}))
    assert session.close().startswith("No second copy in ~nobody-of-that-name/copies: ")


@open_files_go
@pytest.mark.parametrize("instead", ["", "another battle"])
@with_console(lambda tmp_path: begin_saved(tmp_path / "evening.qfb"))
async def test_a_lost_save_is_kept_elsewhere(table: Table, instead: str, tmp_path: Path, home: Path) -> None:
    """Detect an evening lost with its file, and another battle that takes its name."""
    save = tmp_path / "evening.qfb"
    await table.order("next")
    await table.order("note what was said")
    before = table.session.timeline
    save.unlink()
    if instead:
        other = tmp_path / "other.qfb"
        begin_saved(other).close()
        other.rename(save)
    await choose_action(table, "branch")
    branch = Session.view(tmp_path / "evening-branch-1.qfb", find_our_systems())
    assert branch.timeline.log == before.log
    await choose_action(table, "save as")
    await table.type("later enter")
    assert table.session.journal.path == home / "saves" / "later.qfb"
    assert (table.session.timeline.log, table.session.battle) == (before.log, before.battle)
    await table.order("next")
    assert len(table.session.timeline.log) == len(before.log) + 1


@open_files_go
@with_console(lambda tmp_path: begin_saved(tmp_path / "evening.qfb"))
async def test_a_lost_save_is_kept_when_another_battle_is_chosen(table: Table, tmp_path: Path) -> None:
    save = tmp_path / "evening.qfb"
    await table.order("next")
    save.unlink()
    await choose_action(table, "other battle")
    assert isinstance(table.app.screen, StartScreen)
    assert "This copy holds the battle of the console" in " ".join(table.text().split())
    assert len(Session.view(tmp_path / "evening-branch-1.qfb", find_our_systems()).timeline.log) == 1


@with_console(begin_gunnery)
async def test_a_battle_without_a_save_has_nothing_to_copy(table: Table) -> None:
    await choose_action(table, "branch")
    assert "no save to copy" in table.text()


def test_a_second_copy_is_kept_and_its_fault_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hasty(copying.SecondCopy):
        def __init__(self, journal: Journal, folder: str) -> None:
            super().__init__(journal, folder, retry_s=0.05)

    monkeypatch.setattr(copying, "SecondCopy", Hasty)
    save, stick = tmp_path / "evening.qfb", tmp_path / "stick"
    stick.mkdir()

    def is_copied() -> bool:
        return (stick / save.name).exists() and (stick / save.name).read_bytes() == save.read_bytes()

    async def steps(table: Table) -> None:
        await table.order("leave hannibal sunk")
        await wait_until(table, is_copied)
        stick.rename(tmp_path / "pulled")
        await table.order("note this is not on the stick")
        await wait_until(table, lambda: "No second copy in" in table.text())
        await table.order("note nor is this")
        assert "no such folder" in table.text()
        (tmp_path / "pulled").rename(stick)
        await wait_until(table, is_copied)
        await wait_until(table, lambda: "No second copy in" not in table.text())
        other = tmp_path / "other"
        other.mkdir()
        assert isinstance(table.app.screen, BattleScreen)
        table.app.screen.take_settings(Settings(more={"copy_to": str(other)}))
        await wait_until(table, (other / save.name).exists)
        await table.order("note on the other disk")
        assert table.session.close() == ""
        assert (other / save.name).read_bytes() == save.read_bytes() != (stick / save.name).read_bytes()

    play(begin_saved(save), steps, (200, 60), settings=Settings(more={"copy_to": str(stick)}))


async def wait_until(table: Table, condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, however busy the machine is."""
    end = monotonic() + 60
    while not condition():
        assert monotonic() < end, table.text()
        await sleep(0.05)
        await table.press()


SCRIPT = """
import asyncio, sys
from pathlib import Path
from qf_tui.console.app import Console
from qf_tui.console.app import keep_open
from qf_tui.library.systems import find_systems
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session

wrong = int(sys.argv[2])
class Faulty(Console):
    def on_mount(self):
        self.set_timer(0.05, self.fail)
    def fail(self):
        global wrong
        wrong -= 1
        if wrong >= 0:
            raise RuntimeError("a fault of ours")
        screen = self.screen
        print("opened:", type(screen).__name__, screen.query_one("#alarm").text, file=sys.__stderr__)
        self.exit()

systems = find_systems()
system, start = load_scenario("rulebook-examples", systems)
session = Session.begin(system, start, Path(sys.argv[1]))
session.enter("next")
def run(app):
    app.run(headless=True)
    print("acts:", len(app.session.timeline.log), app.session.writable, file=sys.stderr)
def made(session, fault, faults):
    return Faulty(systems, session, fault, faults=faults)
raise SystemExit(keep_open(made, systems, session, run=run)[0])
"""


def run_faulty(home: Path, faults: int) -> "subprocess.CompletedProcess[str]":
    """Run a console with a saved battle that fails each time it is opened."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(home / "battle.qfb"), str(faults)],
        capture_output=True,
        text=True,
        env={"QF_TUI_HOME": str(home), "PATH": "", "COLUMNS": "300"},
        check=False,
        encoding="utf-8",
    )


def test_after_a_fault_the_battle_is_opened_again_at_the_same_entry(tmp_path: Path) -> None:
    """Detect a console that a fault ends, and a message without the file of the fault."""
    done = run_faulty(tmp_path, 1)
    said = done.stderr.splitlines()
    assert said[0] == "acts: 1 True"
    assert said[1].startswith("opened: BattleScreen An internal error (RuntimeError: a fault of ours)")
    assert str(tmp_path / "fault.txt") in done.stderr
    assert said[2:] == ["acts: 1 True"]
    assert done.returncode == 0
    assert "a fault of ours" in (tmp_path / "fault.txt").read_text(encoding="utf-8")


def test_a_repeated_fault_ends_with_a_plain_message(tmp_path: Path) -> None:
    """Detect an endless loop of openings, and a traceback shown to the umpire."""
    done = run_faulty(tmp_path, 99)
    assert done.returncode == 1
    assert done.stderr.count("acts:") == FAULTS_MOST + 1
    assert f"qf-tui play {tmp_path / 'battle.qfb'}" in done.stderr
    assert f"details are in {tmp_path / 'fault.txt'}" in done.stderr
    assert "Traceback" not in done.stderr


@with_console(begin_gunnery, size=(200, 60))
async def test_an_action_that_fails_leaves_its_screen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def trips(screen: BattleScreen) -> None:
        raise KeyError("no such line")

    monkeypatch.setattr(BattleScreen, "action_history", trips)
    table.faults_wanted = 1
    await table.press("h")
    assert "‼ An internal error (KeyError: 'no such line')" in table.text()
    assert table.top is table.screen
    await table.order("note all is well")
    assert table.list_orders()[-1] == "note all is well"


def test_faults_long_apart_never_end_the_console() -> None:
    now = [0.0]
    faults = FaultLog(lambda: now[0])
    for _ in range(3 * FAULTS_MOST):
        faults.record(ValueError("odd"))
        assert not faults.too_many
        now[0] += FAULTS_WITHIN_S / FAULTS_MOST
    for _ in range(FAULTS_MOST + 1):
        faults.record(ValueError("odd"))
    assert faults.too_many
