"""New saves on the user's shelf: each console gets a name of its own, however many begin at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from qf_tui.core.errors import QfError
from qf_tui.journal.reading import read_save
from qf_tui.library.paths import HOME, own
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session.new_save import begin_on_shelf, copy_on_shelf

CONSOLES = 12


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    return tmp_path / "home"


def test_battles_begin_one_after_the_other_under_the_next_name() -> None:
    system, start = load_scenario("rulebook-examples", find_systems())
    sessions = [begin_on_shelf(system, start, "mine") for _ in range(3)]
    assert [session.journal.path for session in sessions] == [
        own("saves") / f"mine-{number}.qfb" for number in (1, 2, 3)
    ]


def test_consoles_that_begin_at_once_each_get_a_save_of_their_own() -> None:
    """Catches two who see the same name free, of whom the slower is told that its save is there already."""
    system, start = load_scenario("rulebook-examples", find_systems())
    together = Barrier(CONSOLES)

    def begin(number: int) -> Path | None:
        together.wait()
        session = begin_on_shelf(system, start, "mine")
        session.enter(f"note console {number}")
        return session.journal.path

    with ThreadPoolExecutor(CONSOLES) as consoles:
        saves = list(consoles.map(begin, range(CONSOLES)))
    assert len(set(saves)) == CONSOLES
    notes = [read_save(save).log[0] for save in saves if save is not None]
    assert len(notes) == CONSOLES


def test_a_name_whose_save_another_console_holds_is_passed_over() -> None:
    """Its file is gone, its lock is not: the console that has it still writes there."""
    system, start = load_scenario("rulebook-examples", find_systems())
    held = begin_on_shelf(system, start, "mine")
    assert held.journal.path is not None
    held.journal.path.unlink()
    assert begin_on_shelf(system, start, "mine").journal.path == own("saves") / "mine-2.qfb"


def test_copies_made_at_once_are_whole_and_apart(tmp_path: Path) -> None:
    system, start = load_scenario("rulebook-examples", find_systems())
    session = begin_on_shelf(system, start, "mine")
    session.enter("note x")
    source = session.journal.path
    assert source is not None
    with ThreadPoolExecutor(CONSOLES) as consoles:
        copies = list(consoles.map(copy_on_shelf, [source] * CONSOLES))
    assert len(set(copies)) == CONSOLES
    assert {copy.read_bytes() for copy in copies} == {source.read_bytes()}


def test_a_long_name_is_cut_to_what_a_disk_allows() -> None:
    system, start = load_scenario("rulebook-examples", find_systems())
    save = begin_on_shelf(system, start, "艦" * 300).journal.path
    assert save is not None
    assert save.is_file()


def test_a_shelf_that_cannot_be_made_is_told(home: Path) -> None:
    home.write_text("in the way")
    system, start = load_scenario("rulebook-examples", find_systems())
    with pytest.raises(QfError, match="cannot be made"):
        begin_on_shelf(system, start, "mine")
