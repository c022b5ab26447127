"""How much the tests try: a small fixed set, or in `tests.long` a large one with new seeds."""

import gc
import os
import pickle
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from qf_tui.journal.disk import SystemDisk
from qf_tui.library.paths import parse_toml
from qf_tui.registry import load_bundled
from tests.browser import Browser, open_browser
from tests.long import Share

EVER_THE_SAME = 1904
TESTS = Path(__file__).parent
_SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)

settings.register_profile(
    "default", max_examples=5, derandomize=True, database=None, deadline=None, suppress_health_check=_SLOW
)
for _name, _examples in (("round", 200), ("long", 1500)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        database=None,
        deadline=None,
        print_blob=True,
        suppress_health_check=_SLOW,
    )
settings.load_profile("default")
gc.set_threshold(100_000, 20, 50)
"""The tests keep 300,000 objects; the default threshold scans them again and again."""
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""Without bytecode each program of a test compiles the whole package again."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option by which `tests.long` limits its rounds."""
    parser.addoption("--until", type=float, help="begins no further test after this second of the epoch")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the tests of a round that may be cut short, so that each has a chance to run."""
    if config.getoption("--until"):
        Random(find_seed(config)).shuffle(items)


WITH_FEATURES = {
    "book/test_saves.py::test_every_command_opens_a_save_without_the_file_of_its_book": "every command",
    "book/test_saves.py::test_careers_omit_results_read_by_hand_with_a_note": "reports of books",
    "cli/test_commands.py": "every command refuses and lists",
    "cli/test_crews.py": "commands that play, print and tell with crews",
    "cli/test_kill.py": "every command is killed, and so are boards",
    "console/test_evenings.py": "whole evenings, with phones",
    "console/test_fuzz.py": "keys by chance on every screen",
    "console/test_keys.py": "all keys and settings of the program",
    "console/test_leaving.py": "what is closed as a battle is left",
    "console/test_reminders.py": "the key that an ended battle offers",
    "console/test_start.py": "the first screen as the program draws it",
    "journal/test_formats.py": "every command",
    "library/test_every_system.py": "every command",
    "library/test_schema_files.py": "the schemas as they are shipped",
    "library/test_settings.py": "all settings of the program",
    "rules/test_page.py": "every command",
    "session/test_figures.py": "every command",
    "test_outside_names.py": "the names of the features too",
    "test_installed.py": "the program as it is installed",
    "test_walls.py": "all packages",
}
"""Tests of the whole program, files or single tests, that run with the bundled features."""


@pytest.fixture(scope="module", autouse=True)
def base_alone(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run the base's tests without features; tests of features have all of them."""
    with pytest.MonkeyPatch.context() as patch:
        if not is_whole(request.path):
            patch.setattr("qf_tui.registry.load_bundled", tuple)
        yield


@pytest.fixture(autouse=True)
def whole_program(request: pytest.FixtureRequest, base_alone: None) -> Iterator[None]:
    """Run a single test of the whole program with the features."""
    name = request.node.name.partition("[")[0]
    with pytest.MonkeyPatch.context() as patch:
        if f"{request.path.relative_to(TESTS).as_posix()}::{name}" in WITH_FEATURES:
            patch.setattr("qf_tui.registry.load_bundled", load_bundled)
        yield


def is_whole(file: Path) -> bool:
    """Return whether all tests of a file are of features or of the whole program."""
    place = file.relative_to(TESTS).as_posix()
    return place.startswith("features/") or place in WITH_FEATURES


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Load the test modules in a different order in each worker, so that each is compiled once."""
    number, workers = (os.environ.get(f"PYTEST_XDIST_{name}", "") for name in ("WORKER", "WORKER_COUNT"))
    if not number or session.config.args != session.config.getini("testpaths"):
        return
    names = sorted(path.relative_to(TESTS.parent).with_suffix("") for path in TESTS.rglob("test_*.py"))
    first = len(names) * int(number.removeprefix("gw")) // int(workers)
    for name in (*names[first:], *names[:first]):
        import_module(".".join(name.parts))


def pytest_collection_finish() -> None:
    """Exclude all imported and collected objects from later garbage collections."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Skip a last garbage collection: the process ends anyway."""
    gc.freeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use one worker more than processors, since a worker sometimes waits."""
    return 1 + (os.cpu_count() or 1)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the remaining tests once a round's time is used."""
    until = item.config.getoption("--until")
    if until and time.time() > until:
        pytest.skip("the minutes are used")


def find_seed(config: pytest.Config) -> int:
    """Return the seed of tests that throw their own dice."""
    return int(config.getoption("--hypothesis-seed") or EVER_THE_SAME)


_PARSED: dict[bytes, bytes] = {}


def _parse_once(data: bytes, file: Path | str) -> dict[str, Any]:
    """Parse the same TOML bytes once; each caller gets its own copy."""
    if data not in _PARSED:
        _PARSED[data] = pickle.dumps(parse_toml(data, file))
    parsed: dict[str, Any] = pickle.loads(_PARSED[data])
    return parsed


@pytest.fixture(scope="session", autouse=True)
def toml_cache() -> Iterator[None]:
    """Cache parsed TOML: thousands of tests read the shipped scenarios and fleets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qf_tui.library.paths.parse_toml", _parse_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def empty_home() -> Iterator[None]:
    """Hide the files of this computer's user from the tests."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setenv("QF_TUI_HOME", folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_fsync() -> Iterator[None]:
    """Skip fsync: written data need not survive a power cut here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(SystemDisk, "fsync", staticmethod(lambda file: None))
        yield


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of random tests: fixed, except in rounds of `tests.long`."""
    return find_seed(request.config)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the user's folder of the program."""
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def share(request: pytest.FixtureRequest) -> Share:
    """The time limit of a test that loops: half a minute in a round of `tests.long`."""
    return Share(request.config.getoption("--until"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with one page for all tests of pages; each test sets size and theme."""
    with open_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened
