"""Installed packages: written versions, and rule systems of other authors."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from itertools import product
from pathlib import Path
from textwrap import dedent

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from qf_tui.cli import main
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.board.view import build_view
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.features.simulation.duels import format_scenario
from tests.rules.test_page import FLEET, SCENARIO, extract_file, extract_source, read_page

ROOT = Path(__file__).parent.parent
CONSTRAINTS = {
    needed.name: str(needed.specifier).removeprefix("==")
    for line in (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    if (needed := Requirement(line)).marker is None or needed.marker.evaluate()
}
"""The versions for this Python and this system."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NEEDED = [
    needed
    for needed in map(
        Requirement, [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    )
    if needed.name != PROJECT["name"]
]


def test_the_tests_install_every_extra() -> None:
    (own,) = (needed for line in EXTRAS["dev"] if (needed := Requirement(line)).name == PROJECT["name"])
    assert own.extras == set(EXTRAS) - {"dev"}


def test_installed_versions_are_the_written_ones() -> None:
    """Detect tests that pass only with the versions here; README's "Test it" installs the written ones."""
    assert {name: version(name) for name in CONSTRAINTS} == CONSTRAINTS


def test_every_dependency_has_a_written_version_that_fits() -> None:
    written = {str(needed): CONSTRAINTS[canonicalize_name(needed.name)] for needed in NEEDED}
    assert [needed for needed in NEEDED if not needed.specifier.contains(written[str(needed)])] == []


def test_no_version_whose_lock_follows_links_is_allowed() -> None:
    """Refuse versions before 3.20.3: a link in place of the lock file emptied the linked file."""
    (bound,) = (needed for needed in NEEDED if needed.name == "filelock")
    assert not bound.specifier.contains("3.20.2")


METADATA = "Metadata-Version: 2.1\nName: stranger-rules\nVersion: 1.0\n"
RUN = """
import sys
import pytest
from qf_tui.library.systems import find_systems
assert "tiny" in find_systems()
sys.exit(pytest.main(["--assert=plain", *sys.argv[1:]]))
"""
DOCTRINE_POINT = '    [project.entry-points."qf_tui.doctrines"]'
"""The line that follows the example of a doctrine on the page for authors."""
GENERIC = (
    "tests/cli/test_every_system.py",
    "tests/console/test_keys.py",
    "tests/library/test_every_system.py",
    "tests/rules/test_cards.py",
    "tests/rules/test_clauses.py",
    "tests/rules/test_words.py",
    "tests/test_walls.py::test_no_rule_system_is_named",
)
"""Tests that run every rule system."""
QUICK = GENERIC[3:]


def install(folder: Path, system: str, doctrine: str = "") -> None:
    """Register a rule system, and perhaps a doctrine, as installed in a folder of Python's path."""
    package = folder / "stranger_rules-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text(METADATA, encoding="utf-8")
    points = f"[qf_tui.rules]\n{system}\n[qf_tui.doctrines]\n{doctrine}\n"
    (package / "entry_points.txt").write_text(points, encoding="utf-8")


@pytest.fixture
def beside(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python with a rule system of another author."""
    install(tmp_path, "tiny = tests.tiny:SYSTEM")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}


@pytest.mark.parametrize(
    "tests", [QUICK, pytest.param(GENERIC, marks=pytest.mark.long)], ids=("quick", "all")
)
def test_generic_tests_run_only_the_program_s_own_systems(
    tests: tuple[str, ...], beside: dict[str, str]
) -> None:
    """Detect a test that fails under another author's rules."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *tests],
        cwd=ROOT,
        env=beside,
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_system_on_the_page_for_authors_has_report_screens_and_doctrines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Detect a promise of the page that only the program's own systems keep."""
    (tmp_path / "skiff.py").write_text(extract_source(), encoding="utf-8")
    install(tmp_path, "skiff = skiff:SYSTEM")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "home"))
    (tmp_path / "boats.toml").write_text(extract_file(*FLEET), encoding="utf-8")
    (tmp_path / "pond.toml").write_text(extract_file(*SCENARIO), encoding="utf-8")
    orders = "fire ant bee 4in 6\nfire bee ant 4in 2\nnext\nroll 5\nnext\n"
    (tmp_path / "pond.orders").write_text(orders, encoding="utf-8")

    def call(*arguments: str, status: int = 0) -> str:
        assert main(list(arguments)) == status, capsys.readouterr()
        return "".join(capsys.readouterr())

    call("run", "pond.toml", "--orders", "pond.orders", "--save", "pond.qfb")
    report = call("report", "pond.qfb")
    assert "Bee bails out, dice 5: Bee: stops a hole" in report
    assert "Bee   afloat  2 0 → 1 0" in report
    assert "2 logs, turn 2, Fire" in call("sheets", "pond.qfb", "--out", "pond.html")
    session = Session.view(tmp_path / "pond.qfb", find_systems())
    for switch, viewer in product(BoardSwitch, (ALL, "blue", "red")):
        shown = build_view(session.system, session.timeline, viewer, switch)
        assert shown.title == "The pond"
        assert [row.name for side in shown.fleets for row in side.ships] == ["Ant", "Bee"]
    assert "4 battles by Skiff" in call("simulate", "pond.toml", "-n", "1", "--jobs", "1")


def test_the_doctrine_on_the_page_for_authors_works_from_a_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Detect an example without a doctrine, and an installed doctrine that only one command finds."""
    shown = read_page()[read_page().index("    '''Boarders") : read_page().index(DOCTRINE_POINT)]
    (tmp_path / "boarders.py").write_text(dedent(shown), encoding="utf-8")
    install(tmp_path, "", "boarders = boarders:BOARDERS\nnone = boarders:weakest")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "home"))
    scenario = tmp_path / "close.toml"

    def simulate(*arguments: str) -> str:
        main(["simulate", str(scenario), "-n", "1", "--jobs", "1", *arguments])
        return "".join(capsys.readouterr())

    scenario.write_text(format_scenario(("mikasa",), ("asahi",)), encoding="utf-8")
    assert "boarders: closes to nothing" in simulate("--doctrine", "boarders,hold")
    assert "is called None" in simulate("--doctrine", "none")
    assert "there are hold, close, keep-away, concentrate, chase, run, boarders, none" in simulate(
        "--doctrine", "x"
    )
    of_red = 'doctrine = "boarders"\n'
    scenario.write_text(format_scenario(("mikasa",), ("asahi",), of_red=of_red), encoding="utf-8")
    assert "Blue close, Red boarders" in simulate()
