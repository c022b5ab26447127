"""The journal of an open battle: an acknowledged act is on the disk and stays there."""

import random
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from attrs import evolve

from qf_tui.core.decisions import Decision, Effect, Op
from qf_tui.core.grammar.reader import build_unread_order
from qf_tui.core.timeline import Entry, Ruling, Version
from qf_tui.journal.disk import Lock, hold_lock, is_held, keep_torn_end, write_file
from qf_tui.journal.lines import LINE_MOST
from qf_tui.journal.reading import SaveExists, SaveFault, read_save
from qf_tui.journal.saving import Journal, NoJournal, NotRecorded, copy_save
from tests.journal.limits import limit_file_size
from tests.journal.making import (
    FailingDisk,
    build_shot,
    build_shots,
    build_small_header,
    save_bytes,
    write_small_save,
)
from tests.killing import Tell, run_until_killed
from tests.long import Share
from tests.posix import make_link, open_files_go


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "yellow-sea.jsonl"


def test_an_appended_act_is_in_the_file_at_once(path: Path) -> None:
    journal = Journal.create(path, build_small_header())
    for number, act in enumerate(build_shots(3), start=1):
        journal.append(act)
        assert path.read_bytes() == save_bytes(build_small_header(), build_shots(number))
    assert (journal.path, journal.writable, journal.notice) == (path, True, "")


def test_a_line_is_written_once_and_then_synced(path: Path) -> None:
    disk = FailingDisk()
    journal = Journal.create(path, build_small_header(), disk)
    disk.done.clear()
    journal.append(build_shot(1))
    assert disk.done == ["write", "fsync"]


def test_a_save_opened_again_goes_on_where_it_stopped(path: Path) -> None:
    write_small_save(path, 2)
    journal, save = Journal.open(path)
    assert (save.header, tuple(save.log), journal.notice) == (build_small_header(), build_shots(2), "")
    journal.append(build_shot(3))
    journal.close()
    assert path.read_bytes() == save_bytes(build_small_header(), build_shots(3))


def test_no_file_is_overwritten(path: Path) -> None:
    path.write_bytes(b"somebody's")
    with pytest.raises(SaveFault, match="this file exists already"):
        Journal.create(path, build_small_header())
    assert path.read_bytes() == b"somebody's"


@pytest.mark.parametrize("name", ["none/battle.jsonl", "x" * 300, "a\0b", "", "folder"])
def test_a_save_that_cannot_be_made_is_a_fault_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(SaveFault):
        Journal.create(tmp_path / name, build_small_header())
    assert [found.name for found in tmp_path.iterdir()] == ["folder"]


def test_a_battle_that_could_not_be_reopened_is_not_saved(path: Path) -> None:
    with pytest.raises(SaveFault, match=r"cannot be saved: unprintable character|cannot be saved: escaped"):
        Journal.create(path, evolve(build_small_header(), system="bell\a"))
    assert not path.exists()


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_a_save_whose_header_is_not_on_the_disk_is_not_made(path: Path, broken: str) -> None:
    disk = FailingDisk()
    disk.broken = {broken}
    with pytest.raises(SaveFault, match="Input/output error"):
        Journal.create(path, build_small_header(), disk)
    assert list(path.parent.iterdir()) == []
    disk.mend()
    Journal.create(path, build_small_header(), disk).append(build_shot(1))


def test_a_torn_end_is_set_aside_cut_and_reported(path: Path) -> None:
    sound = write_small_save(path, 2)
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
    journal.append(build_shot(3))
    assert read_save(path).log == build_shots(3)


def test_a_damaged_save_is_neither_opened_nor_held(path: Path) -> None:
    sound = write_small_save(path, 3)
    path.write_bytes(sound.replace(b"[5,8]", b"[5,9]", 1))
    with pytest.raises(SaveFault, match=r"line 2 \(act 1\): damaged"):
        Journal.open(path)
    path.write_bytes(sound)
    journal, _ = Journal.open(path)
    assert journal.writable


@pytest.mark.parametrize("content", [None, b"", b"a letter to somebody\n"])
def test_opening_another_file_leaves_no_new_file(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "letter.txt"
    if content is not None:
        path.write_bytes(content)
    before = list(tmp_path.iterdir())
    with pytest.raises(SaveFault):
        Journal.open(path)
    assert list(tmp_path.iterdir()) == before


def test_a_second_console_may_only_read(path: Path, tmp_path: Path) -> None:
    first = Journal.create(path, build_small_header())
    first.append(build_shot(1))
    alias = tmp_path / "alias.jsonl"
    make_link(alias, path)
    for name in (path, alias):
        second, save = Journal.open(name)
        assert save.log == build_shots(1)
        assert not second.writable
        assert "another console has it open" in second.notice
        with pytest.raises(NotRecorded, match=r"Entry 2 is NOT recorded: .*another console"):
            second.append(build_shot(2))
        second.close()
    first.append(build_shot(2))
    first.close()
    third, save = Journal.open(path)
    assert third.writable
    assert save.log == build_shots(2)


def test_a_reader_leaves_a_torn_end_to_the_writer(path: Path) -> None:
    """Assume that the writer may be in the middle of its line."""
    journal = Journal.create(path, build_small_header())
    path.write_bytes(path.read_bytes() + b'{"n":1,')
    second, save = Journal.open(path)
    assert save.torn == b'{"n":1,'
    assert path.read_bytes().endswith(b'{"n":1,')
    assert not second.writable
    journal.close()


def test_a_save_that_cannot_be_written_or_locked_is_read(path: Path) -> None:
    write_small_save(path, 1)
    lock = path.with_name(f"{path.name}.lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    journal, save = Journal.open(path)
    assert save.log == build_shots(1)
    assert not journal.writable
    assert "a lock against other consoles cannot be made" in journal.notice


def test_a_torn_end_that_cannot_be_set_aside_stays_where_it_is(path: Path) -> None:
    sound = write_small_save(path, 1)
    path.write_bytes(sound + b"{")
    disk = FailingDisk()
    disk.broken = {"truncate"}
    journal, _ = Journal.open(path, disk)
    assert not journal.writable
    assert "cannot be written: Input/output error" in journal.notice
    assert path.read_bytes() == sound + b"{"


@pytest.mark.parametrize(
    ("room", "broken", "words"),
    [
        *((room, "", "the disk is full") for room in (0, 1, 100)),
        *((None, broken, "Input/output error") for broken in ("write", "fsync")),
    ],
)
def test_a_failed_write_is_cut_back_and_retried(
    path: Path, room: int | None, broken: str, words: str
) -> None:
    disk = FailingDisk()
    journal = Journal.create(path, build_small_header(), disk)
    journal.append(build_shot(1))
    sound = path.read_bytes()
    disk.room, disk.broken = room, {broken}
    for _ in range(2):
        with pytest.raises(NotRecorded, match=f"Entry 2 is NOT recorded: {words}"):
            journal.append(build_shot(2))
        assert path.read_bytes() == sound
    disk.mend()
    journal.append(build_shot(2))
    assert read_save(path).log == build_shots(2)


def test_a_failed_cut_is_repeated_before_anything_else(path: Path) -> None:
    disk = FailingDisk()
    journal = Journal.create(path, build_small_header(), disk)
    sound = path.read_bytes()
    disk.room, disk.broken = 30, {"truncate"}
    for _ in range(2):
        with pytest.raises(NotRecorded, match="could not be cut back yet"):
            journal.append(build_shot(1))
        assert len(path.read_bytes()) == len(sound) + 30
    disk.mend()
    disk.done.clear()
    journal.append(build_shot(1))
    assert disk.done == ["truncate", "fsync", "write", "fsync"]
    assert read_save(path).log == build_shots(1)


@pytest.mark.parametrize("room", [0, 50])
def test_a_real_short_write_is_cut_back_and_retried(path: Path, room: int) -> None:
    journal = Journal.create(path, build_small_header())
    journal.append(build_shot(1))
    sound = path.read_bytes()
    with limit_file_size(len(sound) + room):
        try:
            journal.append(build_shot(2))
            words = ""
        except NotRecorded as fault:
            words = str(fault)
    assert "Entry 2 is NOT recorded" in words
    assert path.read_bytes() == sound
    journal.append(build_shot(2))
    assert read_save(path).log == build_shots(2)


def build_note(text: str, *effects: Effect, **outcome: int) -> Entry:
    decision = Decision(effects, outcome=tuple(outcome.items()) * 2)
    return Entry(1, Version(build_unread_order(f"note {text}")), None, {1: Ruling(decision)})


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (build_shot(2), "the next act is 1"),
        (build_note("\x1b[2J"), "escaped character"),
        (build_note("\u202e"), "unprintable character"),
        (build_note("\ud800"), "unprintable character"),
        (build_note("x" * LINE_MOST), "longer than 8 MB"),
        (build_note("x", Effect(Op.ADD, "a", "b", 1.5)), "not a whole number"),
        (build_note("x", Effect(Op.SET, "a", "b", float("nan"))), "JSON"),
        (build_note("x", a=1), "read back differently"),
    ],
)
def test_an_act_that_could_not_be_read_again_is_not_written(path: Path, act: Entry, words: str) -> None:
    journal = Journal.create(path, build_small_header())
    sound = path.read_bytes()
    with pytest.raises(NotRecorded) as fault:
        journal.append(act)
    assert words in str(fault.value)
    assert path.read_bytes() == sound
    journal.append(build_shot(1))


def test_a_save_changed_by_another_program_refuses_acts(path: Path) -> None:
    journal = Journal.create(path, build_small_header())
    sound = path.read_bytes()
    for content, words in ((sound + b"more", "become longer"), (sound[:-5], "become shorter")):
        path.write_bytes(content)
        with pytest.raises(NotRecorded, match=words):
            journal.append(build_shot(1))
        assert path.read_bytes() == content
        assert words in journal.file_fault
    path.write_bytes(sound)
    assert journal.file_fault == ""


@open_files_go
def test_a_moved_save_refuses_acts(path: Path, tmp_path: Path) -> None:
    journal = Journal.create(path, build_small_header())
    path.rename(tmp_path / "elsewhere")
    assert "No such file" in journal.file_fault
    with pytest.raises(NotRecorded, match="No such file"):
        journal.append(build_shot(1))
    shutil.copy(tmp_path / "elsewhere", path)
    with pytest.raises(NotRecorded, match="another file is in its place"):
        journal.append(build_shot(1))
    (tmp_path / "elsewhere").rename(path)
    journal.append(build_shot(1))
    assert read_save(path).log == build_shots(1)


def test_a_closed_journal_refuses_acts(path: Path) -> None:
    journal = Journal.create(path, build_small_header())
    journal.close()
    journal.close()
    with pytest.raises(NotRecorded, match="closed"):
        journal.append(build_shot(1))


def test_a_battle_without_a_save_accepts_all_acts() -> None:
    journal: Journal | NoJournal = NoJournal()
    journal.append(build_shot(1))
    journal.close()
    assert (journal.path, journal.writable, journal.notice) == (None, True, "")


SOME, ALL = 4, 100
ROUNDS_A_SAVE = 10


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_no_acknowledged_entry_is_lost_to_kill_9(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Kill a process again and again at any moment while it appends and reports each number."""
    chance = random.Random(seed)
    for round in share.take(range(rounds)):
        path = tmp_path / f"battle-{round // ROUNDS_A_SAVE}.jsonl"
        before = path.read_bytes() if path.exists() else write_small_save(path)
        told = run_until_killed(
            partial(_append_for_ever, path), chance.randint(0, 4), chance.uniform(0, 0.03)
        )
        save = read_save(path)
        assert path.read_bytes().startswith(before[: len(before) - len(save.torn)])
        assert len(save.log) >= int(told[-1] if told else 0)
        assert save.log == build_shots(len(save.log))
        journal, opened = Journal.open(path)
        assert journal.writable
        assert opened.log == save.log
        journal.close()


def _append_for_ever(path: Path, tell: Tell) -> None:
    journal, save = Journal.open(path)
    for number in count(len(save.log) + 1):
        journal.append(build_shot(number))
        tell(number)


ROUNDS, LOOKERS = 20, 3


@pytest.fixture
def held(tmp_path: Path) -> Path:
    held = tmp_path / "battle.qfb"
    write_small_save(held, 1)
    return held


@pytest.fixture
def looked_at(held: Path) -> Iterator[None]:
    """Let several others look at a save all the time."""
    done = Event()

    def look() -> None:
        while not done.is_set():
            is_held(held)

    with ThreadPoolExecutor(LOOKERS) as lookers:
        for _ in range(LOOKERS):
            lookers.submit(look)
        yield
        done.set()


@pytest.mark.usefixtures("looked_at")
def test_looking_at_a_save_does_not_prevent_writing(held: Path) -> None:
    """Open a console for writing while another draws its list of saves."""
    for _ in range(ROUNDS):
        journal, _ = Journal.open(held)
        assert journal.writable
        journal.close()


def test_a_lock_held_by_another_is_reported(held: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.journal.disk.PATIENCE", 0.02)
    other = Lock(held)
    assert other.take() == ""
    with pytest.raises(OSError, match="another console"), hold_lock(held):
        pass
    other.release()
    with hold_lock(held):
        assert is_held(held)


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return tmp_path / "chart.toml"


def _list_names(chart: Path) -> list[str]:
    return sorted(found.name for found in chart.parent.iterdir())


@pytest.mark.parametrize("over", [False, True])
def test_a_file_appears_only_when_complete(chart: Path, over: bool) -> None:
    write_file(chart, b"cells", over=over)
    assert chart.read_bytes() == b"cells"
    assert _list_names(chart) == ["chart.toml"]


def test_a_file_is_overwritten_only_on_request(chart: Path) -> None:
    chart.write_bytes(b"somebody's")
    with pytest.raises(FileExistsError):
        write_file(chart, b"cells")
    assert chart.read_bytes() == b"somebody's"
    write_file(chart, b"cells", over=True)
    assert chart.read_bytes() == b"cells"
    assert _list_names(chart) == ["chart.toml"]


@pytest.mark.parametrize("over", [False, True])
def test_a_full_disk_changes_no_file(chart: Path, over: bool) -> None:
    if over:
        chart.write_bytes(b"old")
    before = _list_names(chart)
    with pytest.raises(OSError, match="too large"), limit_file_size(3):
        write_file(chart, b"cells", over=over)
    assert _list_names(chart) == before
    assert not over or chart.read_bytes() == b"old"


def test_a_link_is_replaced_and_its_target_left_alone(chart: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"somebody's")
    make_link(chart, victim)
    with pytest.raises(FileExistsError):
        write_file(chart, b"cells")
    write_file(chart, b"cells", over=True)
    assert victim.read_bytes() == b"somebody's"
    assert not chart.is_symlink()


def test_a_file_is_written_on_a_disk_without_hard_links(chart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write_file(chart, b"cells")
    with pytest.raises(FileExistsError):
        write_file(chart, b"others")
    assert chart.read_bytes() == b"cells"
    assert _list_names(chart) == ["chart.toml"]


def test_a_torn_end_is_never_written_through_a_link(chart: Path) -> None:
    make_link(chart.with_name("chart.toml.torn-1"), "nowhere")
    assert keep_torn_end(chart, b"torn").name == "chart.toml.torn-2"


def test_a_copy_that_does_not_fit_on_the_disk_leaves_nothing(tmp_path: Path) -> None:
    source, to = tmp_path / "battle.qfb", tmp_path / "copy.qfb"
    room = len(write_small_save(source, 3)) - 10
    with pytest.raises(SaveFault, match=r"^copy\.qfb: cannot be made: File too large"), limit_file_size(room):
        copy_save(source, to)
    assert not to.exists()


def test_a_copy_overwrites_no_file(tmp_path: Path) -> None:
    source, to = tmp_path / "battle.qfb", tmp_path / "copy.qfb"
    write_small_save(source, 3)
    to.write_bytes(b"somebody's")
    with pytest.raises(SaveExists, match="no save is overwritten"):
        copy_save(source, to)
    assert to.read_bytes() == b"somebody's"
