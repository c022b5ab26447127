"""What a file beside a save remembers of its end: a cut at the end of a line is told, and nothing else is."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

import pytest
from attrs import evolve

from qf_tui.journal.disk import END, EndMark, ending_of, opened_plainly, remembered
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal, copy_save
from tests.journal.making import entries, entry, header, saved

ACTS = 4


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "battle.qfb"
    saved(path, ACTS)
    return path


def _cut(path: Path, acts: int) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: acts + 1]))


def test_each_act_is_remembered_beside_the_save(path: Path) -> None:
    save = read_save(path)
    assert save.ends_as_written
    assert (save.end_notice, save.short) == ("", False)
    assert remembered(path) == EndMark(ACTS, save.last_sum, save.first_sum)


@pytest.mark.parametrize("left", range(ACTS))
def test_a_cut_at_the_end_of_any_line_is_told_until_the_battle_goes_on(path: Path, left: int) -> None:
    _cut(path, left)
    missing = f"acts {left + 1} to {ACTS} are" if left + 1 < ACTS else f"act {ACTS} is"
    words = (
        f"lines are gone from its end: {missing} missing; it ended with act {ACTS} when it was last written"
    )
    save = read_save(path)
    assert save.short
    assert save.end_notice.startswith(words)
    for _ in range(2):
        journal, _ = Journal.open(path)
        assert words in journal.notice
        assert journal.writable
        journal.close()
    journal, _ = Journal.open(path)
    journal.append(entry(left + 1))
    journal.close()
    assert Journal.open(path)[0].notice == ""


def test_a_cut_within_a_line_that_was_recorded_is_not_called_unrecorded(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])
    notice = Journal.open(path)[0].notice
    assert "cut off within line 5: act 4 is missing; it ended with act 4" in notice
    assert f"{path.name}.torn-1" in notice


def test_a_torn_line_is_called_unrecorded_for_certain_only_where_that_is_remembered(path: Path) -> None:
    sound = path.read_bytes()
    path.write_bytes(sound + b'{"n":5,')
    assert read_save(path).end_notice == "its last line was cut off (7 bytes): act 5 was not recorded"
    ending_of(path).unlink()
    assert read_save(path).end_notice.endswith("was not recorded, unless something has cut it since")


@pytest.mark.parametrize("behind", [b"\n", b" \r\n", b"again"])
def test_a_line_behind_the_last_act_that_is_none_is_no_act_lost(path: Path, behind: bytes) -> None:
    """Catches an umpire who is told to enter again what an editor's blank line is."""
    last = path.read_bytes().splitlines(keepends=True)[-1]
    path.write_bytes(path.read_bytes() + (last if behind == b"again" else behind))
    save = read_save(path)
    assert (len(save.log), save.short) == (ACTS, False)
    assert save.end_notice.startswith(f"a line that is no act stands behind act {ACTS}")
    journal, opened = Journal.open(path)
    assert journal.writable
    assert "Enter again" not in journal.notice
    journal.append(entry(ACTS + 1))
    journal.close()
    assert read_save(path).end_notice == ""
    assert len(opened.log) == ACTS


def test_a_memory_that_is_lost_or_older_than_the_save_says_nothing(path: Path) -> None:
    older = ending_of(path).read_bytes()
    journal, _ = Journal.open(path)
    journal.append(entry(ACTS + 1))
    journal.close()
    for memory in (older, None):
        ending_of(path).unlink()
        if memory:
            ending_of(path).write_bytes(memory)
        save = read_save(path)
        assert (save.end_notice, save.ends_as_written) == ("", False)


@pytest.mark.parametrize(
    "memory",
    [
        *(b"", b"\0" * 60, b"[]", b"7", b"{", b"[" * 4000, b'{"n":9}', b"\xff"),
        b'{"n":"9","sum":"","first":""}',
        b'{"n":9,"sum":"0","first":[]}',
        b'{"n":9e99,"sum":"0","first":"0"}',
        b'{"n":9,"sum":"0000000000000000","first":"0000000000000000"}',
    ],
)
def test_a_memory_that_makes_no_sense_or_is_of_another_save_says_nothing(path: Path, memory: bytes) -> None:
    ending_of(path).write_bytes(memory)
    _cut(path, 2)
    assert read_save(path).end_notice == ""


def test_further_keys_and_lines_leave_room_for_more(path: Path) -> None:
    ending_of(path).write_bytes(ending_of(path).read_bytes().replace(b"{", b'{"x":1,', 1) + b"more\n" * 9999)
    assert read_save(path).ends_as_written


def test_what_stands_in_the_place_of_the_memory_is_left_alone_and_hinders_nothing(
    path: Path, tmp_path: Path
) -> None:
    """Catches a link in a stranger's folder by which a save writes over a file, and a pipe that waits."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"somebody's")
    places: tuple[Callable[[Path], object], ...] = (partial(os.symlink, victim), os.mkfifo, Path.mkdir)
    for number, put in enumerate(places, start=1):
        ending_of(path).unlink()
        put(ending_of(path))
        journal, _ = Journal.open(path)
        journal.append(entry(ACTS + number))
        journal.close()
    assert victim.read_bytes() == b"somebody's"
    assert read_save(path).log == entries(ACTS + len(places))


@pytest.mark.parametrize("make", [saved, lambda path: copy_save(path.with_name("other.qfb"), path, 0)])
def test_a_new_save_of_an_old_name_is_not_measured_by_the_old_one(
    path: Path, make: Callable[[Path], object]
) -> None:
    """Catches what is remembered of a save that was deleted, and told of the one in its place."""
    path.rename(path.with_name("other.qfb"))
    assert ending_of(path).exists()
    make(path)
    assert read_save(path).end_notice == ""


@pytest.mark.parametrize("upto", [None, 2, 0])
def test_a_copy_and_a_branch_remember_their_own_end(path: Path, upto: int | None) -> None:
    copy = path.with_name("copy.qfb")
    copy_save(path, copy, upto)
    save = read_save(copy)
    assert save.end_notice == ""
    assert save.ends_as_written == (upto != 0)


def test_a_save_that_was_renamed_or_copied_by_hand_says_nothing(path: Path) -> None:
    away = path.rename(path.with_name("away.qfb"))
    assert read_save(away).end_notice == ""
    saved(path, 1)
    assert read_save(path).end_notice == ""
    shutil.copy(away, path)
    assert read_save(path).end_notice == ""


def test_two_names_of_a_save_have_one_memory(path: Path, tmp_path: Path) -> None:
    alias = tmp_path / "alias.qfb"
    alias.symlink_to(path)
    assert ending_of(alias) == ending_of(path) == path.with_name(path.name + END)


def test_what_is_recorded_while_a_reader_opens_the_save_is_not_missing_to_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, _ = Journal.open(path)

    @contextmanager
    def slow(path: str) -> Iterator[IO[bytes]]:
        with opened_plainly(path) as file:
            yield file
        journal.append(entry(ACTS + 1))

    monkeypatch.setattr("qf_tui.journal.reading.opened_plainly", slow)
    save = read_save(path)
    assert (len(save.log), save.end_notice) == (ACTS, "")


def test_a_save_of_another_header_is_another_save(path: Path) -> None:
    path.unlink()
    journal = Journal.create(path.with_name("other.qfb"), evolve(header(), program="0.0.9"))
    journal.close()
    path.with_name("other.qfb").rename(path)
    assert read_save(path).end_notice == ""


def test_a_save_that_is_called_as_the_memory_of_another_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "evening.end"
    saved(path, ACTS)
    sound = path.read_bytes()
    saved(tmp_path / "evening", ACTS)
    assert path.read_bytes() == sound
    (tmp_path / "evening").unlink()
    copy_save(path, tmp_path / "evening")
    assert path.read_bytes() == sound
    assert read_save(tmp_path / "evening").end_notice == ""
