"""Saves in commands: unique names, and a lost end that every command reports."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from qf_tui.core.errors import QfError
from qf_tui.journal.disk import find_end_file
from qf_tui.journal.reading import read_save
from qf_tui.library.paths import HOME_VARIABLE, find_own_folder
from qf_tui.session import Session
from qf_tui.session.session import begin_on_shelf, copy_on_shelf
from tests.cli.calling import Caller
from tests.posix import POSIX, open_files_go
from tests.systems import load_our_battles, load_start

CONSOLES = 12


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


def begin(name: str) -> Session:
    return begin_on_shelf(*load_start("rulebook-examples"), name)


def test_each_new_battle_gets_the_next_name() -> None:
    sessions = [begin("mine") for _ in range(3)]
    assert [session.journal.path for session in sessions] == [
        find_own_folder("saves") / f"mine-{number}.qfb" for number in (1, 2, 3)
    ]


def test_consoles_that_begin_at_once_get_different_saves() -> None:
    """Detect two consoles that choose one free name, so that the slower one is refused."""
    together = Barrier(CONSOLES)

    def begin_at_once(number: int) -> Path | None:
        together.wait()
        session = begin("mine")
        session.enter(f"note console {number}")
        return session.journal.path

    with ThreadPoolExecutor(CONSOLES) as consoles:
        saves = list(consoles.map(begin_at_once, range(CONSOLES)))
    assert len(set(saves)) == CONSOLES
    notes = [read_save(save).log[0] for save in saves if save is not None]
    assert len(notes) == CONSOLES


@open_files_go
def test_a_name_locked_by_another_console_is_skipped() -> None:
    """Delete the file but keep its lock: the other console still writes there."""
    held = begin("mine")
    assert held.journal.path is not None
    held.journal.path.unlink()
    assert begin("mine").journal.path == find_own_folder("saves") / "mine-2.qfb"


def test_copies_made_at_once_are_whole_and_different(tmp_path: Path) -> None:
    session = begin("mine")
    session.enter("note x")
    source = session.journal.path
    assert source is not None
    with ThreadPoolExecutor(CONSOLES) as consoles:
        copies = list(consoles.map(copy_on_shelf, [source] * CONSOLES))
    assert len(set(copies)) == CONSOLES
    assert {copy.read_bytes() for copy in copies} == {source.read_bytes()}


def test_a_long_name_is_cut_to_the_limit_of_a_disk() -> None:
    save = begin("艦" * 300).journal.path
    assert save is not None
    assert save.is_file()


def test_a_shelf_that_cannot_be_made_is_reported(home: Path) -> None:
    home.write_text("in the way")
    with pytest.raises(QfError, match="cannot be made"):
        begin("mine")


ORDERS = "note one\nnote two\nnote three"
DOORS = ("check", "verify", "show", "show --json", "run", "run --json", "odds")


def _cut_in_line(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _cut_at_line(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))


def _flip(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"note three", b"note thrEe"))


def _tear(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b'{"n":4,"or')


ENDS = [
    pytest.param(_tear, True, "its last line was cut off (10 bytes): act 4 was not recorded", 0, id="torn"),
    pytest.param(_cut_in_line, False, "act 3 was not recorded, unless the file was cut later", 0, id="cut"),
    pytest.param(_cut_in_line, True, "cut off in line 4: act 3 is missing", 1, id="cut, remembered"),
    pytest.param(
        _cut_at_line,
        True,
        "acts 2 to 3 are missing; battle.qfb.end says that it ended with act 3",
        1,
        id="cut at a line",
    ),
    pytest.param(_flip, True, "its last line, line 4, is damaged", 1, id="damaged"),
    pytest.param(_flip, False, "its last line, line 4, is damaged", 1, id="damaged, alone"),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a save of three notes, and close it."""
    path = tmp_path_factory.mktemp("written") / "battle.qfb"
    session = Session.begin(*load_our_battles()["rulebook-examples"], path)
    for line in ORDERS.splitlines():
        session.enter(line)
    session.close()
    return path


@pytest.fixture
def save(written: Path, call: Caller) -> Path:
    """Copy the save for each test."""
    for path in (written, find_end_file(written)):
        shutil.copy(path, call.folder)
    return call.folder / written.name


@pytest.mark.parametrize(("spoil", "remembers", "words", "status"), ENDS)
@pytest.mark.parametrize("door", DOORS)
def test_every_command_reports_a_lost_end_of_a_save(
    call: Caller, save: Path, spoil: object, remembers: bool, words: str, status: int, door: str
) -> None:
    assert callable(spoil)
    spoil(save)
    if not remembers:
        find_end_file(save).unlink()
    before = save.read_bytes()
    command, *options = door.split()
    more: list[str | Path] = []
    if command in ("run", "odds"):
        more = ["note x"] if command == "odds" else ["--orders", call.write_orders("note x")]
    called = call(command, save, *more, *options)
    said = " ".join(f"{called.out} {called.err}".split())
    assert words in said
    assert "all checksums match" not in said or words in said.partition("all checksums match")[0]
    if command in ("check", "verify"):
        assert called.status == status
    if "--json" in options:
        assert called.rows
    assert save.read_bytes() == before


def test_verify_explains_what_a_save_alone_cannot_show(call: Caller, save: Path) -> None:
    assert f"no acts are missing at its end, according to {save.name}.end" in call("verify", save).out
    find_end_file(save).unlink()
    called = call("verify", save)
    assert called.status == 0
    assert "a save alone cannot show whether acts are missing at its end" in called.out


def test_a_line_end_in_a_name_starts_no_new_line(call: Caller, save: Path) -> None:
    """Detect a file whose name claims that another one is faultless."""
    forged = "x\nfleet.toml: a fleet, no faults\n\x1b]0;"
    name = f"{forged}.qfb"
    if POSIX:
        (call.folder / name.replace("/", "")).write_bytes(save.read_bytes())
    for arguments in (
        ("check", name),
        ("check", forged),
        ("show", forged),
        ("verify", "x", forged),
        ("branch", name, "--at", "1", "--save", f"{forged}2.qfb"),
        ("run", save, "--orders", forged),
        ("run", forged, "--orders", save),
        ("play", save, "--save", forged),
    ):
        called = call(*arguments)
        said = f"{called.out}{called.err}"
        assert not [line for line in said.splitlines() if line.startswith("fleet.toml")], arguments
        assert "\x1b" not in said, arguments
