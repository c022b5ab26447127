"""What an umpire sees when the program itself is at fault."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from pathlib import Path
from qf_tui.console.app import Console
from qf_tui.library.systems import find_systems
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session

class Faulty(Console):
    def open(self, session):
        super().open(session)
        self.call_later(self.fail)
    def fail(self):
        raise RuntimeError("a fault of ours")

system, start = load_scenario("rulebook-examples", find_systems())
Faulty(find_systems(), Session.begin(system, start, Path(sys.argv[1]))).run(headless=True)
"""


def test_a_fault_of_the_program_says_where_the_battle_is_and_keeps_what_went_wrong(tmp_path: Path) -> None:
    """Catches a screen full of our own code in front of an umpire."""
    save = tmp_path / "battle.qfb"
    environment = {"QF_TUI_HOME": str(tmp_path), "PATH": "", "COLUMNS": "300"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(save)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        encoding="utf-8",
    )
    assert f"qf-tui play {save}" in done.stderr.replace("\n", "")
    assert "Traceback" not in done.stderr
    assert "a fault of ours" in (tmp_path / "fault.txt").read_text(encoding="utf-8")
