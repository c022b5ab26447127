"""A second copy of a save on another disk: always a beginning of the save, and never an obstacle."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from threading import Event

import pytest
from attrs import define, evolve

from qf_tui.features.second_copy import copying
from qf_tui.features.second_copy.copying import SecondCopy
from qf_tui.journal.disk import Disk, SystemDisk
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from tests.journal.making import build_shot, build_shots, write_small_save
from tests.posix import KILL, make_link, make_pipe

PATIENCE = 60.0
"""Seconds to wait for a brief operation on a busy machine."""
AGAIN = 0.01


@define
class Table:
    """A save that is being written, and a folder for its copy."""

    save: Path
    stick: Path
    journal: Journal

    @property
    def copy(self) -> Path:
        return self.stick / self.save.name

    def start_copy(self, disk: Disk | None = None) -> SecondCopy:
        return SecondCopy(self.journal, str(self.stick), disk or SystemDisk(), AGAIN)

    def enter(self, copy: SecondCopy, *numbers: int) -> None:
        for number in numbers:
            self.journal.append(build_shot(number))
            copy.record(build_shot(number))

    def is_same(self) -> bool:
        return self.copy.exists() and self.copy.read_bytes() == self.save.read_bytes()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    save, stick = tmp_path / "laptop" / "evening.qfb", tmp_path / "stick"
    save.parent.mkdir()
    stick.mkdir()
    write_small_save(save, 3)
    journal, _ = Journal.open(save)
    yield Table(save, stick, journal)
    journal.close()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "SILENT_S", PATIENCE)


def wait_until(what: Callable[[], object]) -> bool:
    """Wait for a condition and return whether it came true."""
    until = time.monotonic() + PATIENCE
    while not what() and time.monotonic() < until:
        time.sleep(0.005)
    return bool(what())


def test_each_act_is_appended_to_a_copy_that_another_laptop_can_continue(table: Table) -> None:
    copy = table.start_copy()
    assert wait_until(table.is_same)
    first = table.copy.stat().st_ino
    table.enter(copy, 4)
    assert wait_until(table.is_same)
    table.enter(copy, 5, 6, 7)
    assert copy.close() == ""
    assert table.is_same()
    assert table.copy.stat().st_ino == first
    plain = table.stick / "plain"
    plain.touch()
    assert table.copy.stat().st_mode == plain.stat().st_mode, "as any file of the umpire's"
    journal, opened = Journal.open(table.copy)
    assert (journal.writable, journal.notice, tuple(opened.log)) == (True, "", build_shots(7))
    journal.append(build_shot(8))
    journal.close()


def test_only_a_torn_end_is_cut(table: Table) -> None:
    for torn in (b"", b'{"n":2,"half', b"\0" * 700, table.save.read_bytes()[-40:-1]):
        whole = b"".join(table.save.read_bytes().splitlines(keepends=True)[:2])
        table.copy.write_bytes(whole + torn)
        assert table.start_copy().close() == ""
        assert table.is_same()
    table.copy.write_bytes(table.save.read_bytes()[:-30])
    assert table.start_copy().close() == ""
    assert table.is_same()
    assert list(table.stick.iterdir()) == [table.copy]


@pytest.mark.parametrize(
    "there", ["another battle\n", "half a line of another", "more of it", "more of it, and other"]
)
def test_another_battle_or_a_longer_save_is_never_touched(there: str, table: Table) -> None:
    """Guard against a copy over the evening that was continued on the other laptop."""
    if "more" in there:
        table.copy.write_bytes(table.save.read_bytes())
        journal, _ = Journal.open(table.copy)
        journal.append(evolve(build_shot(4), at=7.5))
        journal.close()
        if "other" in there:
            table.journal.append(build_shot(4))
            table.journal.append(build_shot(5))
    else:
        table.copy.write_text(there)
    before = table.copy.read_bytes()
    for _ in range(2):
        copy = table.start_copy()
        table.enter(copy, 1 + len(read_save(table.save).log))
        assert "The second copy is called evening-2.qfb" in copy.close()
        assert table.copy.read_bytes() == before
        assert (table.stick / "evening-2.qfb").read_bytes() == table.save.read_bytes()
    assert not (table.stick / "evening-3.qfb").exists()


def test_a_pipe_with_the_name_of_the_copy_is_left_alone(table: Table) -> None:
    make_pipe(table.copy)
    assert "evening-2.qfb" in table.start_copy().close()
    assert table.copy.is_fifo()
    assert (table.stick / "evening-2.qfb").read_bytes() == table.save.read_bytes()


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_file_longer_than_any_save_is_left_alone(
    beyond: int, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a large file cut down to the save at its beginning; within the limit its end is torn."""
    most = len(table.save.read_bytes()) + 100
    monkeypatch.setattr(copying, "SAVE_MOST", most)
    table.copy.write_bytes(table.save.read_bytes())
    os.truncate(table.copy, most + beyond)
    assert ("evening-2.qfb" in table.start_copy().close()) is bool(beyond)
    assert table.is_same() is not bool(beyond)
    assert not beyond or table.copy.stat().st_size == most + beyond


def test_a_copy_that_another_program_changes_is_left_alone(table: Table) -> None:
    copy = table.start_copy()
    assert wait_until(table.is_same)
    other = Journal.open(table.copy)[0]
    other.append(evolve(build_shot(4), at=7.5))
    other.close()
    before = table.copy.read_bytes()
    table.enter(copy, 4, 5)
    assert "evening-2.qfb" in copy.close()
    assert table.copy.read_bytes() == before
    assert (table.stick / "evening-2.qfb").read_bytes() == table.save.read_bytes()


def test_a_pulled_stick_is_reported_and_catches_up_once_it_is_back(table: Table) -> None:
    copy = table.start_copy()
    assert wait_until(table.is_same)
    away = table.stick.rename(table.stick.with_name("pulled"))
    table.enter(copy, 4, 5)
    assert wait_until(lambda: "there is no such folder" in copy.warn())
    assert not table.stick.exists()
    away.rename(table.stick)
    assert wait_until(table.is_same)
    assert wait_until(lambda: not copy.warn())
    copy.close()


@pytest.mark.parametrize(
    ("link", "says"), [("", "the folder of the save itself"), ("elsewhere", "No second copy")]
)
def test_a_place_where_no_copy_can_go_is_reported(link: str, says: str, table: Table) -> None:
    if link:
        (table.stick / link).write_bytes(b"somebody's")
        make_link(table.copy, table.stick / link)
    folder = table.stick if link else table.save.parent
    before = table.save.read_bytes()
    assert says in SecondCopy(table.journal, str(folder), retry_s=AGAIN).close()
    assert table.save.read_bytes() == before
    if link:
        assert (table.stick / link).read_bytes() == b"somebody's"
    assert not (table.save.parent / "evening-2.qfb").exists()


class Full(SystemDisk):
    """A disk that is full until a test makes room: a short write, or an error."""

    def __init__(self, short: bool) -> None:
        self.full, self.short = True, short

    def write(self, file: int, data: bytes) -> int:
        if not self.full:
            return super().write(file, data)
        if self.short:
            return super().write(file, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("short", [True, False])
def test_a_full_stick_is_reported_and_catches_up(short: bool, table: Table) -> None:
    disk = Full(short)
    copy = table.start_copy(disk)
    assert wait_until(lambda: "No second copy" in copy.warn())
    table.enter(copy, 4, 5)
    assert table.save.read_bytes().startswith(table.copy.read_bytes())
    disk.full = False
    assert wait_until(table.is_same)
    assert copy.close() == ""


class Mute(SystemDisk):
    """A disk that stops responding."""

    def __init__(self) -> None:
        self.answer = Event()

    def fsync(self, file: int) -> None:
        self.answer.wait()


def test_a_folder_that_stops_responding_delays_no_act_and_no_exit(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a network folder that delays an Enter, or the end of the evening."""
    monkeypatch.setattr(copying, "SILENT_S", 0.05)
    disk = Mute()
    copy = table.start_copy(disk)
    table.enter(copy, 4, 5)
    assert read_save(table.save).log == build_shots(5)
    assert wait_until(lambda: "does not respond" in copy.warn())
    assert "does not respond" in copy.close()
    disk.answer.set()


class Fatal(SystemDisk):
    """A disk on which the process is killed at one of its steps."""

    def __init__(self, step: str, spared: int) -> None:
        self.step, self.spared = step, spared

    def _kill_at(self, step: str) -> None:
        if step == self.step:
            self.spared -= 1
            if self.spared < 0:
                os.kill(os.getpid(), KILL)

    def write(self, file: int, data: bytes) -> int:
        self._kill_at("before it is written")
        written = super().write(file, data[: len(data) // 2])
        self._kill_at("half of it is written")
        written += super().write(file, data[len(data) // 2 :])
        self._kill_at("before it is synced")
        return written

    def fsync(self, file: int) -> None:
        super().fsync(file)
        self._kill_at("behind it")


@pytest.mark.parametrize("spared", [0, 2])
@pytest.mark.parametrize(
    "step", ["before it is written", "half of it is written", "before it is synced", "behind it"]
)
def test_a_kill_at_any_step_leaves_the_save_whole_and_the_copy_a_part_of_it(
    step: str, spared: int, table: Table
) -> None:
    table.journal.close()

    def play() -> None:
        table.journal = Journal.open(table.save)[0]
        copy = table.start_copy(Fatal(step, spared))
        for number in range(4, 10):
            wait_until(table.is_same)
            table.enter(copy, number)
        wait_until(lambda: False)

    if sys.platform == "win32":
        pytest.skip("Windows forks no processes")
    process = get_context("fork").Process(target=play)
    process.start()
    process.join()
    assert process.exitcode == -KILL
    whole = table.save.read_bytes()
    assert read_save(table.save).log == build_shots(len(whole.splitlines()) - 1)
    assert whole.startswith(table.copy.read_bytes())
    if spared:
        # The other laptop cuts a torn end and says so.
        other = table.stick / "taken.qfb"
        other.write_bytes(table.copy.read_bytes())
        journal, opened = Journal.open(other)
        assert journal.writable
        assert bool(journal.notice) == (step == "half of it is written")
        assert opened.log == build_shots(len(opened.log))
        journal.close()
    table.journal = Journal.open(table.save)[0]
    assert table.start_copy().close() == ""
    assert table.is_same()
