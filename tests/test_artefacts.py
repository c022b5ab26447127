"""Wheel and sdist: the same bytes in every build, and all files in them."""

import subprocess
import sys
import tarfile
from importlib.metadata import Distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.tools.onefile import find_licence, list_distributions

ROOT = Path(__file__).parent.parent
OURS = ("qf_tui", "fleets", "saves", "tests", ".ci", ".pictures")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "pyproject.toml", ".gitattributes")


def build(folder: Path) -> dict[str, bytes]:
    """Build wheel and sdist; return the files by name."""
    asked = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    subprocess.run(asked, cwd=ROOT, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_builds_are_the_same_bytes_and_hold_every_file(tmp_path: Path) -> None:
    first, second = (build(tmp_path / name) for name in ("first", "second"))
    assert len(first) == 2
    assert first == second
    with tarfile.open(next((tmp_path / "first").glob("*.tar.gz"))) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    ours = {
        path.relative_to(ROOT).as_posix()
        for folder in OURS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {*ours, *PAGES} <= inside
    with ZipFile(next((tmp_path / "first").glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert {"qf_tui/help/keys.md", "qf_tui/py.typed", "qf_tui/saves/yellow-sea-1904.qfb"} <= set(names)
    assert not [name for name in names if name.startswith("tests")]


@pytest.mark.parametrize("made", list_distributions(), ids=lambda made: str(made.name))
def test_every_part_of_the_one_file_states_its_licence(made: Distribution) -> None:
    assert find_licence(made) != "not stated"
