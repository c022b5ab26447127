"""How much the tests look at: little and always the same, much and by fresh chance in `tests.long`."""

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
"""The tests keep 300,000 objects for good, which the default goes through again and again for nothing."""
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""Without bytecode each program that a test starts compiles the whole package again."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `tests.long` tells its rounds."""
    parser.addoption("--until", type=float, help="begins no further test after this second of the epoch")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffles the tests of a round that may be cut short, so that no test is always the one left out."""
    if config.getoption("--until"):
        Random(find_seed(config)).shuffle(items)


WITH_FEATURES = {
    "book/test_saves.py::test_every_command_opens_a_save_without_the_file_of_its_book": "every command",
    "book/test_saves.py::test_careers_leave_out_what_was_read_by_hand_and_say_so": "reports of books",
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
"""Tests of the whole program, files or single tests, which run with the features that come with it."""


@pytest.fixture(scope="module", autouse=True)
def base_alone(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run the base's tests as if no feature were there; the features' own have all of them."""
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
    """Whether all tests of a file are of features or of the whole program."""
    place = file.relative_to(TESTS).as_posix()
    return place.startswith("features/") or place in WITH_FEATURES


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Workers of a whole run load its modules from different places on: each is compiled by one of them."""
    number, workers = (os.environ.get(f"PYTEST_XDIST_{name}", "") for name in ("WORKER", "WORKER_COUNT"))
    if not number or session.config.args != session.config.getini("testpaths"):
        return
    names = sorted(path.relative_to(TESTS.parent).with_suffix("") for path in TESTS.rglob("test_*.py"))
    first = len(names) * int(number.removeprefix("gw")) // int(workers)
    for name in (*names[first:], *names[:first]):
        import_module(".".join(name.parts))


def pytest_collection_finish() -> None:
    """What has been read and collected is nobody's garbage, and no collection looks at it again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """What is left at the end ends with the process."""
    gc.freeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than there are processors: now and then one waits, and each has all tests to read."""
    return 1 + (os.cpu_count() or 1)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Ends a round in time: what has not begun is skipped."""
    until = item.config.getoption("--until")
    if until and time.time() > until:
        pytest.skip("the minutes are used")


def find_seed(config: pytest.Config) -> int:
    """What chance begins from, for tests that throw dice of their own."""
    return int(config.getoption("--hypothesis-seed") or EVER_THE_SAME)


_PARSED: dict[bytes, bytes] = {}


def _parsed_once(data: bytes, file: Path | str) -> dict[str, Any]:
    """What some bytes of TOML hold, which is the same each time; whoever reads it may change his own."""
    if data not in _PARSED:
        _PARSED[data] = pickle.dumps(parse_toml(data, file))
    parsed: dict[str, Any] = pickle.loads(_PARSED[data])
    return parsed


@pytest.fixture(scope="session", autouse=True)
def no_file_is_parsed_twice() -> Iterator[None]:
    """Our scenarios and fleets are read by thousands of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qf_tui.library.paths.parse_toml", _parsed_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def nobody_is_at_home() -> Iterator[None]:
    """What the user of this computer has on his shelf is no part of a test."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setenv("QF_TUI_HOME", folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def nobody_pulls_the_plug() -> Iterator[None]:
    """What is written need not be on the disk to outlive a process: nothing waits for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(SystemDisk, "fsync", staticmethod(lambda file: None))
        yield


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """What chance begins from: always the same, but for each round of `tests.long`."""
    return find_seed(request.config)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the program looks for all that is the user's."""
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def share(request: pytest.FixtureRequest) -> Share:
    """How long a test that loops goes on: half a minute in a round of `tests.long`, and not beyond it."""
    return Share(request.config.getoption("--until"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser with one page for all that look at pages; whoever wants a size or a theme sets it."""
    with open_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened
