"""The base alone: a tree without `features/` plays a battle by script and by keys."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import qf_tui
import qf_tui.features
from qf_tui.journal.reading import read_save
from tests.features.sealed_dice.club import begin_club
from tests.systems import write_without_crews

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "golden" / "yellow-sea-1904"
BY_KEYS = """
import asyncio
from qf_tui.console.app import Console
from qf_tui.library.systems import find_systems
from qf_tui.registry import find_features
from qf_tui.session.opening import open_target

systems = find_systems()
session, _ = open_target("yellow-sea-1904", None, systems)


async def play():
    app = Console(systems, session)
    async with app.run_test(size=(80, 24)) as pilot:
        for line in ("force next", "fire mikasa heavy tsesarevich 24in 4 8"):
            await pilot.press("colon", *("space" if sign == " " else sign for sign in line), "enter")
        await pilot.press("f1", "escape", "h", "escape", "u", "escape")
    print([session.timeline.versions[number].order.line for number in session.timeline.play_order])


print(len(find_features()))
asyncio.run(play())
"""

FROM_THE_START = """
import asyncio
from qf_tui.console.app import Console
from qf_tui.library.systems import find_systems


async def begin():
    app = Console(find_systems(), None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2", "f3", "end")
        offers = app.screen.lazy_offers.offers
        print({offer.kind.name for offer in offers.values() if offer.opens is not None})
        await pilot.press("enter", "enter")
        print(type(app.screen).__name__)


asyncio.run(begin())
"""


PLAYED = "['force next', 'fire mikasa heavy tsesarevich 24in 4 8']\n"
FEATURES = Path(qf_tui.features.__file__).parent
NAMES = sorted(path.parent.name for path in FEATURES.glob("*/__init__.py"))


def list_users(feature: str) -> list[str]:
    """List a feature and the features that use it, by their docstrings."""
    users = {feature}
    while (
        more := {name for name in NAMES if any(f"the {user} feature" in read_doc(name) for user in users)}
        - users
    ):
        users |= more
    return sorted(users)


def read_doc(feature: str) -> str:
    return (FEATURES / feature / "__init__.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program without its features."""
    tree = tmp_path_factory.mktemp("base")
    skipped = shutil.ignore_patterns("features", "__pycache__")
    shutil.copytree(Path(qf_tui.__file__).parent, tree / "qf_tui", ignore=skipped)
    for folder in ("fleets", "saves"):
        shutil.copytree(ROOT / folder, tree / folder)
    return tree


def run_python(tree: Path, *arguments: str) -> str:
    """Run Python in the tree; return its output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={
            **os.environ,
            "PYTHONPATH": str(tree),
            "QF_TUI_HOME": str(tree / "home"),
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_script_gives_its_transcript(tree: Path, tmp_path: Path) -> None:
    scenario = str(write_without_crews("yellow-sea-1904", tmp_path))
    orders = str(GOLDEN.with_suffix(".orders"))
    printed = run_python(tree, "-m", "qf_tui", "run", scenario, "--orders", orders)
    assert printed == GOLDEN.with_suffix(".transcript").read_text(encoding="utf-8")


def test_a_battle_is_played_by_keys(tree: Path) -> None:
    assert run_python(tree, "-c", BY_KEYS) == f"0\n{PLAYED}"


def test_a_scenario_is_begun_from_the_first_screen(tree: Path) -> None:
    """Detect a line or a key of the first screen that needs a feature."""
    assert run_python(tree, "-c", FROM_THE_START) == "set()\nBattleScreen\n"


@pytest.mark.parametrize(
    "words", [("--help",), ("help",), ("help", "keys"), ("show", "saves/yellow-sea-1904.qfb"), ("settings",)]
)
def test_a_command_of_the_base_needs_no_feature(tree: Path, words: tuple[str, ...]) -> None:
    assert run_python(tree, "-m", "qf_tui", *words)


def test_a_save_with_dice_of_a_missing_feature_goes_on_with_table_dice(tree: Path, tmp_path: Path) -> None:
    """Detect a save that cannot be opened, or loses the seal, because a feature was removed."""
    save, copy = tmp_path / "sealed.qfb", tmp_path / "copy.qfb"
    session = begin_club(save)
    session.enter("note one")
    session.close()
    (tmp_path / "orders").write_text("note two\n")
    words = ("run", str(save), "--orders", str(tmp_path / "orders"), "--save", str(copy))
    assert "two" in run_python(tree, "-m", "qf_tui", *words)
    assert "it also holds “dice”" in run_python(tree, "-m", "qf_tui", "show", str(copy))
    assert read_save(copy).header == read_save(save).header


@pytest.mark.parametrize(
    "feature", [NAMES[0], *(pytest.param(name, marks=pytest.mark.long) for name in NAMES[1:])]
)
def test_each_feature_can_be_removed(tree: Path, tmp_path: Path, feature: str) -> None:
    """Remove the features that use it too, and keep all others."""
    gone = list_users(feature)
    for folder in ("qf_tui", "fleets", "saves"):
        shutil.copytree(tree / folder, tmp_path / folder)
    shutil.copytree(
        FEATURES, tmp_path / "qf_tui/features", ignore=shutil.ignore_patterns("__pycache__", *gone)
    )
    assert run_python(tmp_path, "-c", BY_KEYS) == f"{len(NAMES) - len(gone)}\n{PLAYED}"
    assert run_python(tmp_path, "-m", "qf_tui", "--help")
