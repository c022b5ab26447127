"""The journal of an open battle: what is acknowledged is on the disk, and nothing is taken out again."""

import os
import shutil
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.decisions import Decision, Effect, Op
from qf_tui.core.grammar.reader import unread
from qf_tui.core.timeline import Entry, Ruling, Version
from qf_tui.journal.lines import LINE_MOST
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.journal.saving import Journal, NoJournal, NotRecorded
from tests.journal.limits import grown_at_most
from tests.journal.making import FailingDisk, entries, entry, header, save_bytes, saved


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "yellow-sea.jsonl"


def test_what_is_appended_is_in_the_file_at_once(path: Path) -> None:
    journal = Journal.create(path, header())
    for number, act in enumerate(entries(3), start=1):
        journal.append(act)
        assert path.read_bytes() == save_bytes(header(), entries(number))
    assert (journal.path, journal.writable, journal.notice) == (path, True, "")


def test_a_line_is_written_once_and_then_synced(path: Path) -> None:
    disk = FailingDisk()
    journal = Journal.create(path, header(), disk)
    disk.done.clear()
    journal.append(entry(1))
    assert disk.done == ["write", "fsync"]


def test_a_save_opened_again_goes_on_where_it_stopped(path: Path) -> None:
    saved(path, 2)
    journal, save = Journal.open(path)
    assert (save.header, save.log, journal.notice) == (header(), entries(2), "")
    journal.append(entry(3))
    journal.close()
    assert path.read_bytes() == save_bytes(header(), entries(3))


def test_no_file_is_overwritten(path: Path) -> None:
    path.write_bytes(b"somebody's")
    with pytest.raises(SaveFault, match="there is such a file already"):
        Journal.create(path, header())
    assert path.read_bytes() == b"somebody's"


@pytest.mark.parametrize("name", ["none/battle.jsonl", "x" * 300, "a\0b", "", "folder"])
def test_a_save_that_cannot_be_made_is_a_fault_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(SaveFault):
        Journal.create(tmp_path / name, header())
    assert [found.name for found in tmp_path.iterdir()] == ["folder"]


def test_a_battle_that_could_not_be_opened_again_is_not_saved(path: Path) -> None:
    with pytest.raises(SaveFault, match=r"cannot be saved: unprintable character|cannot be saved: escaped"):
        Journal.create(path, evolve(header(), system="bell\a"))
    assert not path.exists()


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_a_save_whose_header_is_not_on_the_disk_is_not_made(path: Path, broken: str) -> None:
    disk = FailingDisk()
    disk.broken = {broken}
    with pytest.raises(SaveFault, match="Input/output error"):
        Journal.create(path, header(), disk)
    assert list(path.parent.iterdir()) == []
    disk.mend()
    Journal.create(path, header(), disk).append(entry(1))


def test_a_torn_end_is_set_aside_and_cut_with_a_word(path: Path) -> None:
    sound = saved(path, 2)
    for round, torn in enumerate((b'{"n":3,"order":"fi', b"\0" * 40), start=1):
        path.write_bytes(sound + torn)
        journal, save = Journal.open(path)
        aside = path.with_name(f"{path.name}.torn-{round}")
        assert (save.torn, aside.read_bytes(), path.read_bytes()) == (torn, torn, sound)
        assert "act 3 was not recorded" in journal.notice
        assert aside.name in journal.notice
        assert journal.writable
        journal.close()
    journal, save = Journal.open(path)
    journal.append(entry(3))
    assert read_save(path).log == entries(3)


def test_a_damaged_save_is_neither_opened_nor_held(path: Path) -> None:
    sound = saved(path, 3)
    path.write_bytes(sound.replace(b"[5,8]", b"[5,9]", 1))
    with pytest.raises(SaveFault, match=r"line 2 \(act 1\): damaged"):
        Journal.open(path)
    path.write_bytes(sound)
    journal, _ = Journal.open(path)
    assert journal.writable


@pytest.mark.parametrize("content", [None, b"", b"a letter to somebody\n"])
def test_opening_what_is_no_save_leaves_nothing_behind(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "letter.txt"
    if content is not None:
        path.write_bytes(content)
    before = list(tmp_path.iterdir())
    with pytest.raises(SaveFault):
        Journal.open(path)
    assert list(tmp_path.iterdir()) == before


def test_a_second_console_may_only_read(path: Path, tmp_path: Path) -> None:
    first = Journal.create(path, header())
    first.append(entry(1))
    alias = tmp_path / "alias.jsonl"
    alias.symlink_to(path)
    for name in (path, alias):
        second, save = Journal.open(name)
        assert save.log == entries(1)
        assert not second.writable
        assert "another console has it open" in second.notice
        with pytest.raises(NotRecorded, match=r"Entry 2 is NOT recorded: .*another console"):
            second.append(entry(2))
        second.close()
    first.append(entry(2))
    first.close()
    third, save = Journal.open(path)
    assert third.writable
    assert save.log == entries(2)


def test_a_reader_leaves_a_torn_end_to_the_writer(path: Path) -> None:
    """The writer may be in the middle of its line."""
    journal = Journal.create(path, header())
    path.write_bytes(path.read_bytes() + b'{"n":1,')
    second, save = Journal.open(path)
    assert save.torn == b'{"n":1,'
    assert path.read_bytes().endswith(b'{"n":1,')
    assert not second.writable
    journal.close()


def test_a_save_that_cannot_be_written_or_locked_is_read(path: Path) -> None:
    saved(path, 1)
    lock = path.with_name(f"{path.name}.lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    journal, save = Journal.open(path)
    assert save.log == entries(1)
    assert not journal.writable
    assert "cannot be locked" in journal.notice


def test_a_torn_end_that_cannot_be_set_aside_stays_where_it_is(path: Path) -> None:
    sound = saved(path, 1)
    path.write_bytes(sound + b"{")
    disk = FailingDisk()
    disk.broken = {"truncate"}
    journal, _ = Journal.open(path, disk)
    assert not journal.writable
    assert "cannot be written: Input/output error" in journal.notice
    assert path.read_bytes() == sound + b"{"


@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_short_write_is_cut_back_and_retried(path: Path, room: int) -> None:
    disk = FailingDisk()
    journal = Journal.create(path, header(), disk)
    journal.append(entry(1))
    sound = path.read_bytes()
    disk.room = room
    for _ in range(2):
        with pytest.raises(NotRecorded, match=r"Entry 2 is NOT recorded: the disk is full"):
            journal.append(entry(2))
        assert path.read_bytes() == sound
    disk.mend()
    journal.append(entry(2))
    assert read_save(path).log == entries(2)


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_an_error_of_the_disk_is_cut_back_and_retried(path: Path, broken: str) -> None:
    disk = FailingDisk()
    journal = Journal.create(path, header(), disk)
    journal.append(entry(1))
    sound = path.read_bytes()
    disk.broken = {broken}
    with pytest.raises(NotRecorded, match=r"NOT recorded: Input/output error"):
        journal.append(entry(2))
    assert path.read_bytes() == sound
    disk.mend()
    journal.append(entry(2))
    assert read_save(path).log == entries(2)


def test_a_cut_that_fails_is_made_good_before_anything_else(path: Path) -> None:
    disk = FailingDisk()
    journal = Journal.create(path, header(), disk)
    sound = path.read_bytes()
    disk.room, disk.broken = 30, {"truncate"}
    for _ in range(2):
        with pytest.raises(NotRecorded, match="could not be cut back yet"):
            journal.append(entry(1))
        assert len(path.read_bytes()) == len(sound) + 30
    disk.mend()
    disk.done.clear()
    journal.append(entry(1))
    assert disk.done == ["truncate", "fsync", "write", "fsync"]
    assert read_save(path).log == entries(1)


@pytest.mark.parametrize("room", [0, 50])
def test_a_real_short_write_is_cut_back_and_retried(path: Path, room: int) -> None:
    journal = Journal.create(path, header())
    journal.append(entry(1))
    sound = path.read_bytes()
    with grown_at_most(len(sound) + room):
        try:
            journal.append(entry(2))
            words = ""
        except NotRecorded as fault:
            words = str(fault)
    assert "Entry 2 is NOT recorded" in words
    assert path.read_bytes() == sound
    journal.append(entry(2))
    assert read_save(path).log == entries(2)


def test_a_really_full_disk_takes_nothing_and_harms_nothing(path: Path) -> None:
    class FullDisk(FailingDisk):
        def write(self, file: int, data: bytes) -> int:
            full = os.open("/dev/full", os.O_WRONLY)
            try:
                return os.write(full, data)
            finally:
                os.close(full)

    sound = saved(path, 1)
    journal, _ = Journal.open(path, FullDisk())
    with pytest.raises(NotRecorded, match="No space left on device"):
        journal.append(entry(2))
    assert path.read_bytes() == sound


NOT_AS_IT_WAS = Entry(1, Version(unread("note x")), None, {1: Ruling(Decision(outcome=(("a", 1), ("a", 2))))})


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (entry(2), "the next act is 1"),
        (Entry(1, Version(unread("note \x1b[2J")), None, {1: Ruling()}), "escaped character"),
        (Entry(1, Version(unread("note \u202e")), None, {1: Ruling()}), "unprintable character"),
        (Entry(1, Version(unread("note \ud800")), None, {1: Ruling()}), "unprintable character"),
        (Entry(1, Version(unread("note " + "x" * LINE_MOST)), None, {1: Ruling()}), "longer than 8 MB"),
        (
            Entry(1, Version(unread("x")), None, {1: Ruling(Decision((Effect(Op.ADD, "a", "b", 1.5),)))}),
            "not a whole number",
        ),
        (
            Entry(
                1,
                Version(unread("x")),
                None,
                {1: Ruling(Decision((Effect(Op.SET, "a", "b", float("nan")),)))},
            ),
            "JSON",
        ),
        (NOT_AS_IT_WAS, "does not read back"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(path: Path, act: Entry, words: str) -> None:
    journal = Journal.create(path, header())
    sound = path.read_bytes()
    with pytest.raises(NotRecorded) as fault:
        journal.append(act)
    assert words in str(fault.value)
    assert path.read_bytes() == sound
    journal.append(entry(1))


def test_a_save_changed_by_another_program_takes_nothing(path: Path, tmp_path: Path) -> None:
    journal = Journal.create(path, header())
    sound = path.read_bytes()
    for content, words in ((sound + b"more", "become longer"), (sound[:-5], "become shorter")):
        path.write_bytes(content)
        with pytest.raises(NotRecorded, match=words):
            journal.append(entry(1))
        assert path.read_bytes() == content
        assert words in journal.astray
    path.write_bytes(sound)
    assert journal.astray == ""
    path.rename(tmp_path / "elsewhere")
    assert "No such file" in journal.astray
    with pytest.raises(NotRecorded, match="No such file"):
        journal.append(entry(1))
    shutil.copy(tmp_path / "elsewhere", path)
    with pytest.raises(NotRecorded, match="another file is in its place"):
        journal.append(entry(1))
    (tmp_path / "elsewhere").rename(path)
    journal.append(entry(1))
    assert read_save(path).log == entries(1)


def test_a_closed_journal_takes_nothing(path: Path) -> None:
    journal = Journal.create(path, header())
    journal.close()
    journal.close()
    with pytest.raises(NotRecorded, match="closed"):
        journal.append(entry(1))


def test_a_battle_that_is_not_saved_takes_everything() -> None:
    journal: Journal | NoJournal = NoJournal()
    journal.append(entry(1))
    journal.close()
    assert (journal.path, journal.writable, journal.notice) == (None, True, "")
