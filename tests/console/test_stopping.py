"""What an umpire sees when the program itself is at fault: a line, and his battle where it stood."""

import subprocess
import sys
from pathlib import Path

import pytest

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.faults import MOST, WITHIN, FaultLog
from tests.console.playing import Table, gunnery, play

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
        self.set_timer(0.3, self.fail)
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


def faulty(home: Path, faults: int) -> "subprocess.CompletedProcess[str]":
    """A console with a saved battle that trips as often as it is opened."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(home / "battle.qfb"), str(faults)],
        capture_output=True,
        text=True,
        env={"QF_TUI_HOME": str(home), "PATH": "", "COLUMNS": "300"},
        check=False,
        encoding="utf-8",
    )


def test_after_a_fault_the_battle_is_opened_again_where_it_stood(tmp_path: Path) -> None:
    """Catches a console that a fault takes down, and one that does not say where the fault is kept."""
    done = faulty(tmp_path, 1)
    said = done.stderr.splitlines()
    assert said[0] == "acts: 1 True"
    assert said[1].startswith("opened: BattleScreen A fault of qf-tui itself (RuntimeError: a fault of ours)")
    assert str(tmp_path / "fault.txt") in done.stderr
    assert said[2:] == ["acts: 1 True"]
    assert done.returncode == 0
    assert "a fault of ours" in (tmp_path / "fault.txt").read_text(encoding="utf-8")


def test_a_fault_that_comes_again_and_again_ends_in_plain_words(tmp_path: Path) -> None:
    """Catches a loop of openings, and a screen full of our own code in front of an umpire."""
    done = faulty(tmp_path, 99)
    assert done.returncode == 1
    assert done.stderr.count("acts:") == MOST + 1
    assert f"qf-tui play {tmp_path / 'battle.qfb'}" in done.stderr
    assert f"written down in {tmp_path / 'fault.txt'}" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_action_that_trips_says_so_and_leaves_its_screen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))

    def trips(screen: BattleScreen) -> None:
        raise KeyError("no such line")

    monkeypatch.setattr(BattleScreen, "action_history", trips)

    async def steps(table: Table) -> None:
        table.faults_wanted = 1
        await table.press("h")
        assert "‼ A fault of qf-tui itself (KeyError: 'no such line')" in table.text()
        assert table.top is table.screen
        await table.order("note all is well")
        assert table.log()[-1] == "note all is well"

    play(gunnery(), steps, (200, 60))


def test_faults_long_apart_never_end_the_console(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    now = [0.0]
    faults = FaultLog(lambda: now[0])
    for _ in range(3 * MOST):
        faults.keep(ValueError("odd"))
        assert not faults.too_many
        now[0] += WITHIN / MOST
    for _ in range(MOST + 1):
        faults.keep(ValueError("odd"))
    assert faults.too_many
