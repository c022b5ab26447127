"""A rule system that somebody else has installed hinders none of our tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
METADATA = "Metadata-Version: 2.1\nName: stranger-rules\nVersion: 1.0\n"
ENTRY_POINTS = "[qf_tui.rules]\ntiny = tests.tiny:SYSTEM\n"
FOUND = "from qf_tui.library.systems import find_systems; print('tiny' in find_systems())"
GENERIC = (
    "tests/cli/test_every_system.py",
    "tests/console/test_keys.py",
    "tests/library/test_every_system.py",
    "tests/rules/test_cards.py",
    "tests/rules/test_clauses.py",
    "tests/rules/test_words.py",
    "tests/test_walls.py::test_no_rule_system_is_named",
)
"""The tests that go through every rule system."""
QUICK = GENERIC[3:]


@pytest.fixture
def beside(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python in which a stranger's rule system is installed."""
    folder = tmp_path / "stranger_rules-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA, encoding="utf-8")
    (folder / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}


def _python(beside: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=beside,
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    "tests", [QUICK, pytest.param(GENERIC, marks=pytest.mark.long)], ids=("quick", "all")
)
def test_what_goes_through_every_rule_system_goes_through_ours_alone(
    tests: tuple[str, ...], beside: dict[str, str]
) -> None:
    """Catches a test that asks of a stranger's rules what holds of ours."""
    assert _python(beside, "-c", FOUND).stdout.strip() == "True"
    done = _python(beside, "-m", "pytest", "--assert=plain", *tests)
    assert done.returncode == 0, done.stdout
