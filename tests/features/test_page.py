"""The small feature that the page for authors shows: taken from the page, and used by command and by keys."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import qf_tui.features
from qf_tui.library.paths import shipped

FIRST, LAST = "    from collections import Counter", "listen=watch)"
LINES_MOST = 100
WITH_IT = """
import asyncio
import qf_tui.features

qf_tui.features.BUNDLED = (*qf_tui.features.BUNDLED, "shots:SHOTS")
from qf_tui.cli import main
from qf_tui.console.app import Console
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.opening import open_target

assert main(["shots", {sample!r}]) == 0
systems = find_systems()
session, _ = open_target("yellow-sea-1904", None, systems)
session.enter("force next")
for target in ("tsesarevich", "retvizan", "pobeda"):
    session.enter(f"force fire mikasa heavy {{target}} 24in 12 8")


async def play():
    app = Console(systems, session)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("S")
        await pilot.pause(0.2)
        print(app.screen.__class__.__name__, session.warnings())


asyncio.run(play())
"""


def read_page() -> str:
    """Return the feature as the page shows it."""
    text = qf_tui.features.__doc__
    assert text is not None
    return dedent(text[text.index(FIRST) : text.index(LAST) + len(LAST)]) + "\n"


def test_the_page_is_short() -> None:
    assert len(read_page().splitlines()) < LINES_MOST


def test_the_feature_of_the_page_works(tmp_path: Path) -> None:
    (tmp_path / "shots.py").write_text(read_page(), encoding="utf-8")
    sample = str(shipped("saves") / "yellow-sea-1904.qfb")
    done = subprocess.run(
        [sys.executable, "-c", WITH_IT.format(sample=sample)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "QF_TUI_HOME": str(tmp_path / "home")},
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    *counts, shown = done.stdout.splitlines()
    assert "Mikasa: 10" in counts
    assert shown == "Panel Mikasa has fired 3 times"
