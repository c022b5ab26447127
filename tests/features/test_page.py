"""The sample feature on the page for authors: read from it, installed, used by command and keys."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import qf_tui.features
from qf_tui.library.paths import find_shipped_folder

FIRST, LAST = "    from collections import Counter", "extras=(SHOT,))"
LINES_MOST = 100
SAMPLE = str(find_shipped_folder("saves") / "yellow-sea-1904.qfb")
PLAYED = """
import asyncio, sys
from pathlib import Path
from qf_tui.console.app import Console
from qf_tui.library.systems import find_systems
from qf_tui.registry import find_features, show_extras
from qf_tui.session import Session
from qf_tui.session.opening import open_target

known = len(find_features())
systems = find_systems()
session, _ = open_target("yellow-sea-1904", Path("battle.qfb"), systems)
session.enter("force next")


async def play():
    app = Console(systems, session)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("S")
        first = app.screen.__class__.__name__, "importlib.metadata" in sys.modules
        while len(find_features()) == known:
            await pilot.pause(0.1)
        await pilot.pause(0.1)
        for target in ("tsesarevich", "retvizan", "pobeda"):
            session.enter(f"force fire mikasa heavy {target} 24in 12 8")
        await pilot.press("S")
        print(*first, app.screen.__class__.__name__, session.collect_warnings())


asyncio.run(play())
last = session.timeline.log[-1].extra
print(last["shot"]["shot"], [list(show_extras(last, viewer)) for viewer in ("japan", "russia", "all")])
"""


def read_page() -> str:
    """Return the feature as the page shows it."""
    text = qf_tui.features.__doc__
    assert text is not None
    return dedent(text[text.index(FIRST) : text.index(LAST) + len(LAST)]) + "\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Make a folder of packages in which the sample feature is installed."""
    (tmp_path / "shots.py").write_text(read_page(), encoding="utf-8")
    package = tmp_path / "shots-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: shots\nVersion: 1\n", encoding="utf-8")
    points = "[qf_tui.features]\nshots = shots:SHOTS\nbroken = nowhere:NOTHING\nboard = shots:COMMAND\n"
    (package / "entry_points.txt").write_text(points, encoding="utf-8")
    return tmp_path


def run_python(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=site,
        env={
            **os.environ,
            "PYTHONPATH": str(site),
            "PYTHONIOENCODING": "utf-8",
            "QF_TUI_HOME": str(site / "home"),
        },
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


def test_the_page_is_short() -> None:
    assert len(read_page().splitlines()) < LINES_MOST


def test_a_command_of_another_package_runs(site: Path) -> None:
    """Report other features of its package that cannot be loaded, and go on."""
    done = run_python(site, "-m", "qf_tui", "shots", SAMPLE)
    assert (done.returncode, "Mikasa: 10" in done.stdout.splitlines()) == (0, True)
    broken, board = done.stderr.splitlines()
    assert "the feature broken (nowhere:NOTHING) cannot be loaded: ModuleNotFoundError" in broken
    assert "the feature board (shots:COMMAND) cannot be loaded: TypeError: it is a Command" in board


def test_the_sample_feature_works_once_the_first_screen_is_open(site: Path) -> None:
    """Guard against a search before the first screen, and an extra that the other side sees."""
    done = run_python(site, "-c", PLAYED)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "BattleScreen False Panel Mikasa has fired 3 times",
        "3 [['shot'], [], []]",
    ]
    acts = [json.loads(line) for line in (site / "battle.qfb").read_text(encoding="utf-8").splitlines()]
    assert acts[-1]["extra"] == {"shot": {"ship": "mikasa", "side": "japan", "shot": 3}}
    # Without the package the save still opens, and says so.
    (site / "shots-1.dist-info" / "entry_points.txt").write_text("", encoding="utf-8")
    shown = run_python(site, "-m", "qf_tui", "show", "battle.qfb")
    assert (shown.returncode, "it also holds “shot”" in shown.stdout) == (0, True)


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("show", SAMPLE), ("fleets",)])
def test_known_commands_start_no_search_for_features(site: Path, words: tuple[str, ...]) -> None:
    code = "import sys, qf_tui.cli; qf_tui.cli.main(sys.argv[1:]); print('searched', 'shots' in sys.modules)"
    assert run_python(site, "-c", code, *words).stdout.endswith("searched False\n")
