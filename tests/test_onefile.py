"""The program as one file, run by a Python without packages, in a folder without the source."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.tools.onefile import COMPILED, build

BARE = Path(sys.base_prefix) / ("python.exe" if os.name == "nt" else "bin/python3")


@pytest.fixture(scope="module")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("one file") / "qf-tui.pyz"
    build(file)
    return file


def build_environment(place: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    own = {"HOME": str(place), "USERPROFILE": str(place), "SHIV_ROOT": str(place / "shiv")}
    return {**kept, **own, "QF_TUI_HOME": str(place / "own")}


def call(one_file: Path, tmp_path: Path, *words: str) -> str:
    """Run a command of the one file; return its output."""
    asked = [str(BARE), str(one_file), *words]
    done = subprocess.run(
        asked,
        check=False,
        cwd=tmp_path,
        env=build_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_holds_no_compiled_code_and_no_paths_of_this_computer(one_file: Path) -> None:
    with ZipFile(one_file) as packed:
        names = packed.namelist()
        assert not [name for name in names if Path(name).suffix in COMPILED]
        assert not [name for name in names if name.endswith(("direct_url.json", "RECORD"))]
    assert one_file.stat().st_size < 6_000_000


def test_it_plays_the_sample_lists_ships_and_simulates(one_file: Path, tmp_path: Path) -> None:
    assert "Mikasa" in call(one_file, tmp_path, "sample")
    assert "Mikasa, Japan" in call(one_file, tmp_path, "ships", "mikasa", "japan")
    assert "keys" in call(one_file, tmp_path, "help")
    figures = call(one_file, tmp_path, "simulate", "yellow-sea-1904", "-n", "2", "--jobs", "2")
    assert "Japan" in figures


@contextmanager
def serve(one_file: Path, tmp_path: Path) -> Iterator[str]:
    """Serve a board from the one file, and return its link."""
    asked = [str(BARE), str(one_file), "board", "own.qfb", "--port", "0"]
    with subprocess.Popen(asked, cwd=tmp_path, env=build_environment(tmp_path), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:  # fmt: skip
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.search(r"http://\S+", line):
                    yield found[0]
                    break
        finally:
            process.terminate()


def test_it_serves_a_board(one_file: Path, tmp_path: Path) -> None:
    call(one_file, tmp_path, "run", "yellow-sea-1904", "--save", "own.qfb")
    with serve(one_file, tmp_path) as link, urlopen(link, timeout=10) as page:
        assert b"Yellow Sea" in page.read()
