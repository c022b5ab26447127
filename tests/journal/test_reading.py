"""A save read: whole, torn, damaged, or no save at all; by its ends, and by what is remembered of them."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.timeline import Correction, CorrectionKind, LogAct
from qf_tui.journal.codec import Header, encode_act, encode_header
from qf_tui.journal.disk import END, EndMark, find_end_file, open_plain_file, read_end_mark
from qf_tui.journal.lines import SAVE_MOST, SIGNATURE, encode_json
from qf_tui.journal.reading import Save, SaveFault, read_save
from qf_tui.journal.save_summary import SaveSummary, summarize_save
from qf_tui.journal.saving import Journal, copy_save
from tests.journal.making import HEADERS, JSON, entries, entry, header, logs, save_bytes, saved, sealed
from tests.posix import make_link, make_pipe

SOUND = save_bytes(header(), entries(6))
LINES = SOUND.splitlines(keepends=True)
HEAD = encode_json(encode_header(header()))
DEEP = 100_000
"""Lists within lists: more than any Python reads."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("saves") / "yellow-sea.jsonl"


def _read(file: Path, data: bytes) -> Save:
    file.write_bytes(data)
    return read_save(file)


def _fault(file: Path, data: bytes) -> str:
    with pytest.raises(SaveFault) as fault:
        _read(file, data)
    assert file.read_bytes() == data
    assert str(fault.value).startswith(file.name)
    return str(fault.value)


@given(HEADERS, logs())
def test_a_save_comes_back_whole(file: Path, head: Header, log: tuple[LogAct, ...]) -> None:
    data = save_bytes(head, log)
    save = _read(file, data)
    assert (save.header, tuple(save.log), save.torn, save.length) == (head, log, b"", len(data))
    assert repr(tuple(save.log)) == repr(log)


@given(st.integers(len(LINES[0]), len(SOUND)))
def test_a_save_cut_anywhere_behind_its_header_keeps_its_whole_lines(file: Path, at: int) -> None:
    """What is torn off is one line that nobody was told about; the bytes before it stand."""
    save = _read(file, SOUND[:at])
    assert SOUND[: save.length] + save.torn == SOUND[:at]
    assert b"\n" not in save.torn
    assert save.log == entries(SOUND[:at].count(b"\n") - 1)


@given(st.integers(0, len(LINES[0]) - 1))
def test_a_save_cut_within_its_header_is_refused(file: Path, at: int) -> None:
    assert "holds no battle" in _fault(file, SOUND[:at])


def test_a_last_line_of_zeros_or_without_its_end_is_torn_and_a_whole_one_damaged(file: Path) -> None:
    """Catches an act that was recorded and of which it is said that it never was."""
    before = b"".join(LINES[:-1])
    torn, damaged = "act 6 was not recorded", "its last line, line 7, is damaged"
    for tail, words in (
        (b"\0" * 300, torn),
        (LINES[-1][:-1], torn),
        (LINES[-1][:40] + b"\0" * 9 + LINES[-1][49:], damaged),
        (b"{\n", damaged),
    ):
        save = _read(file, before + tail)
        assert (save.torn, save.length, tuple(save.log)) == (tail, len(before), entries(5))
        assert words in save.end_notice
        assert save.lacks_acts == (words == damaged)


@given(st.integers(0, len(SOUND) - len(LINES[-1]) - 2), st.integers(1, 255))
def test_any_byte_changed_in_the_middle_is_reported_with_its_line(file: Path, at: int, flip: int) -> None:
    data = bytearray(SOUND)
    data[at] ^= flip
    line = SOUND[:at].count(b"\n") + 1
    assert f", line {line}" in _fault(file, bytes(data))


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ({2: b"order"}, "line 3 (act 2): damaged: its checksum does not fit"),
        ({2: b"order", 4: b"order"}, "written. Line 5 too. Nothing"),
        ({1: b"order", 3: b"order", 4: b"order"}, "written. Lines 4, 5 too. Nothing"),
        ({0: b"program", 3: b"order"}, "written. Line 4 too. Nothing"),
        ({1: b'"sum":"', 3: b'"sum":"'}, "written. Line 4 too. Nothing"),
    ],
)
def test_every_damaged_line_is_told_and_no_sound_one(file: Path, spoilt: dict[int, bytes], said: str) -> None:
    lines = list(LINES)
    for place, text in spoilt.items():
        at = lines[place].index(text) + len(text)
        lines[place] = lines[place][:at] + bytes([lines[place][at] ^ 1]) + lines[place][at + 1 :]
    assert said in _fault(file, b"".join(lines))


def test_changed_ends_of_lines_are_told_with_what_to_do(file: Path) -> None:
    """Catches the advice to take the lines above the first one."""
    said = _fault(file, b"".join(LINES).replace(b"\n", b"\r\n"))
    assert "line 1 (the header): its line ends were changed" in said
    assert said.endswith("Change CR LF back to LF (`dos2unix` does), or use an older copy of the file.")


def test_two_lines_run_together_at_the_end_are_damage_and_not_a_torn_end(file: Path) -> None:
    """The line before the last was acknowledged: it must not go with a torn end."""
    data = b"".join(LINES[:-2]) + LINES[-2].rstrip(b"\n") + b" " + LINES[-1]
    for tail in (data, data.rstrip(b"\n")):
        assert "line 6 (act 5): damaged" in _fault(file, tail)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ((0, 1, 3, 4, 5, 6), "line 3 (act 2): its number is 3"),
        ((0, 1, 2, 2, 3, 4), "line 4 (act 3): its number is 2"),
        ((0, 2, 1, 3, 4, 5), "line 2 (act 1): its number is 2"),
        ((1, 2, 3), "line 1: not a save"),
    ],
)
def test_a_line_lost_doubled_or_moved_is_reported(file: Path, order: tuple[int, ...], words: str) -> None:
    assert words in _fault(file, b"".join(LINES[at] for at in order))


def test_a_line_of_another_save_does_not_fit(file: Path) -> None:
    other = save_bytes(evolve(header(), system="tiny"), entries(6)).splitlines(keepends=True)
    told = _fault(file, b"".join((*LINES[:2], other[2], *LINES[3:])))
    assert "line 3 (act 2): damaged" in told
    assert "Nothing was overwritten." in told


GARBAGE = st.one_of(
    st.binary(min_size=1, max_size=40),
    st.sampled_from((b"\n", b"\r", b"\0", b"[" * 50, b'{"n":1}\n', b"\xff", *LINES, SIGNATURE)),
)


@given(st.lists(st.tuples(st.integers(0, len(SOUND)), st.integers(0, 60), GARBAGE), min_size=1, max_size=3))
def test_garbage_anywhere_is_a_fault_or_a_sound_beginning(
    file: Path, changes: list[tuple[int, int, bytes]]
) -> None:
    """Bytes put in and taken out: never another error, and what is read is what was written."""
    data = SOUND
    for at, gone, put in changes:
        data = data[:at] + put + data[at + gone :]
    with suppress(SaveFault):
        save = _read(file, data)
        assert save.log == entries(len(save.log))
        assert data[: save.length] == SOUND[: save.length]


@given(JSON)
def test_any_json_document_is_a_fault(file: Path, document: object) -> None:
    _fault(file, json.dumps(document).encode() or b" ")


@given(st.lists(JSON.map(lambda part: json.dumps(part).encode()) | st.binary(max_size=30), min_size=1))
def test_any_line_with_a_right_checksum_is_a_fault_or_sound(file: Path, bodies: list[bytes]) -> None:
    file.write_bytes(sealed(HEAD, *bodies))
    with suppress(SaveFault):
        assert read_save(file).log == ()


def _body(**changes: object) -> bytes:
    return encode_json({**encode_act(entry(1)), **changes})


UNDO_2 = encode_json(encode_act(Correction(2, CorrectionKind.UNDO, (2,))))
AMEND = {"n": 2, "correction": "amend", "targets": [1]}


@pytest.mark.parametrize(
    ("bodies", "words"),
    [
        ((_body(n=2),), "line 2 (act 1): its number is 2"),
        ((_body(rulings={}),), "line 2 (act 1): it has no ruling of its own"),
        ((_body(rulings={"1": {}, "4": {}}),), "line 2 (act 1): it rules on 4"),
        ((_body(after=1),), "line 2 (act 1): it stands after 1"),
        ((_body(after=0, before=1),), "line 2 (act 1): it stands ahead of 1"),
        ((_body(), UNDO_2), "line 3 (act 2): it corrects 2"),
        ((_body(), encode_json({**AMEND, "correction": "undo", "targets": []})), "it corrects nothing"),
        ((_body(), encode_json(AMEND)), "missing or extra parts"),
        ((_body(), encode_json({**AMEND, "correction": "shift"})), "missing or extra parts"),
        ((_body(forced="yes"),), "line 2 (act 1): “yes” is not true or false"),
        ((b'{"n":' + b"[" * DEEP + b"]" * DEEP + b"}",), "line 2 (act 1): nested too deep"),
        ((b'{"n":1,"order":' + b"[" * 900 + b"]" * 900 + b"}",), "line 2 (act 1): a list is not a text"),
        ((b'{"n":' + b"1" * 5000 + b"}",), "line 2 (act 1): not JSON"),
        ((b'{"n":1,"order":"a"},{"n":2,"order":"b"}',), "line 2 (act 1): not JSON"),
        ((b'{"n":1,"order":"note \xff"}',), "line 2 (act 1): not UTF-8 at byte 22"),
        ((b'{"n":1,"order":"note \x1b[2J"}',), "line 2 (act 1): unprintable character U+001B"),
        ((b'{"n":1,"order":"note \\u001b[2J"}',), "line 2 (act 1): escaped character"),
        ((b'{"n":1,"order":"note \\ud800"}',), "line 2 (act 1): escaped character"),
        ((b'{"n":1,"order":"note \\n"}',), "line 2 (act 1): escaped character"),
        (('{"n":1,"order":"note \u202e"}'.encode(),), "line 2 (act 1): unprintable character U+202E"),
        ((b'{"n":1,"order":"' + b"x" * 8_000_000 + b'"}',), "line 2 (act 1): 8 MB long"),
    ],
)
def test_what_no_log_holds_is_refused_though_its_checksum_fits(
    file: Path, bodies: tuple[bytes, ...], words: str
) -> None:
    assert words in _fault(file, sealed(HEAD, *bodies, b"{}"))


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (
            HEAD.replace(b'"format":3', b'"format":4'),
            "line 1: a save of format 4; this program reads format 3",
        ),
        (HEAD.replace(b'"format":3', b'"format":true'), "line 1 (the header): “True” is not a whole number"),
        (
            HEAD.replace(b'"turn":1', b'"turn":"1"'),
            "line 1 (the header): “1” is not a whole number @ $.start.turn",
        ),
        (HEAD.replace(b'"Mikasa"', b'"Mik\\u001basa"'), "line 1 (the header): escaped character"),
        (SIGNATURE + b"[" * DEEP + b"}", "line 1 (the header): nested too deep"),
        (b"[" * 10_000, "line 1: not a save of qf-tui"),
        (b"hello \x1b[2J\xff", "it begins with “hello ·[2J"),
    ],
)
def test_a_header_that_cannot_be_is_refused(file: Path, head: bytes, words: str) -> None:
    assert words in _fault(file, sealed(head))


def _huge(path: Path) -> None:
    path.write_bytes(SOUND)
    os.truncate(path, SAVE_MOST + 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no such file"),
        (Path.mkdir, "cannot be read: Is a directory"),
        (make_pipe, "not a file"),
        (_huge, "50 MB; no save is larger"),
        (lambda path: make_link(path, path), "cannot be read"),
    ],
)
def test_what_is_no_readable_file_is_refused(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    path = tmp_path / "battle.jsonl"
    make(path)
    with pytest.raises(SaveFault, match=words):
        read_save(path)


@pytest.mark.parametrize("name", ["a\0b", "", "x" * 300, "\x1b[2J.jsonl"])
def test_a_name_that_no_file_can_have_is_refused_in_printable_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(SaveFault) as fault:
        read_save(tmp_path / name)
    assert str(fault.value).isprintable()


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
    assert (save.end_notice, save.lacks_acts) == ("", False)
    assert read_end_mark(path) == EndMark(ACTS, save.last_sum, save.first_sum)


@pytest.mark.parametrize("left", range(ACTS))
def test_a_cut_at_the_end_of_any_line_is_told_until_the_battle_goes_on(path: Path, left: int) -> None:
    _cut(path, left)
    missing = f"acts {left + 1} to {ACTS} are" if left + 1 < ACTS else f"act {ACTS} is"
    words = (
        f"lines are gone from its end: {missing} missing; battle.qfb.end says that it ended with act {ACTS}"
    )
    save = read_save(path)
    assert save.lacks_acts
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
    assert "cut off within line 5: act 4 is missing; battle.qfb.end says that it ended with act 4" in notice
    assert f"{path.name}.torn-1" in notice


def test_a_torn_line_is_called_unrecorded_for_certain_only_where_that_is_remembered(path: Path) -> None:
    sound = path.read_bytes()
    path.write_bytes(sound + b'{"n":5,')
    assert read_save(path).end_notice == "its last line was cut off (7 bytes): act 5 was not recorded"
    find_end_file(path).unlink()
    assert read_save(path).end_notice.endswith("was not recorded, unless something has cut it since")


@pytest.mark.parametrize("behind", [b"\n", b" \r\n", b"again"])
def test_a_line_behind_the_last_act_that_is_none_is_no_act_lost(path: Path, behind: bytes) -> None:
    """Catches an umpire who is told to enter again what an editor's blank line is."""
    last = path.read_bytes().splitlines(keepends=True)[-1]
    path.write_bytes(path.read_bytes() + (last if behind == b"again" else behind))
    save = read_save(path)
    assert (len(save.log), save.lacks_acts) == (ACTS, False)
    assert save.end_notice.startswith(f"after act {ACTS} stands a line that is not an act")
    journal, opened = Journal.open(path)
    assert journal.writable
    assert "Enter what is missing" not in journal.notice
    journal.append(entry(ACTS + 1))
    journal.close()
    assert read_save(path).end_notice == ""
    assert len(opened.log) == ACTS


def test_a_memory_that_is_lost_or_older_than_the_save_says_nothing(path: Path) -> None:
    older = find_end_file(path).read_bytes()
    journal, _ = Journal.open(path)
    journal.append(entry(ACTS + 1))
    journal.close()
    for memory in (older, None):
        find_end_file(path).unlink()
        if memory:
            find_end_file(path).write_bytes(memory)
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
    find_end_file(path).write_bytes(memory)
    _cut(path, 2)
    assert read_save(path).end_notice == ""


def test_further_keys_and_lines_leave_room_for_more(path: Path) -> None:
    find_end_file(path).write_bytes(
        find_end_file(path).read_bytes().replace(b"{", b'{"x":1,', 1) + b"more\n" * 9999
    )
    assert read_save(path).ends_as_written


def test_what_stands_in_the_place_of_the_memory_is_left_alone_and_hinders_nothing(
    path: Path, tmp_path: Path
) -> None:
    """Catches a link in a stranger's folder by which a save writes over a file, and a pipe that waits."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"somebody's")
    places: tuple[Callable[[Path], object], ...] = (
        lambda path: make_link(path, victim),
        make_pipe,
        Path.mkdir,
    )
    for number, put in enumerate(places, start=1):
        find_end_file(path).unlink()
        put(find_end_file(path))
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
    assert find_end_file(path).exists()
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
    make_link(alias, path)
    assert find_end_file(alias) == find_end_file(path) == path.with_name(path.name + END)


def test_what_is_recorded_while_a_reader_opens_the_save_is_not_missing_to_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, _ = Journal.open(path)

    @contextmanager
    def slow(path: str) -> Iterator[IO[bytes]]:
        with open_plain_file(path) as file:
            yield file
        journal.append(entry(ACTS + 1))

    monkeypatch.setattr("qf_tui.journal.reading.open_plain_file", slow)
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


TITLED = evolve(header(), start=evolve(header().start, table={"units": "in", "title": "Yellow Sea"}, turn=3))
TITLED_HEAD = encode_json(encode_header(TITLED))
ACT = encode_json(encode_act(entry(1)))
EFFECT = b'{"n":2,"order":"next","rulings":{"2":{"effects":[%b]}}}'

SENSELESS = [
    pytest.param(
        TITLED_HEAD.replace(b'"title":"Yellow', b'"a":' + b"[" * 39_000 + b',"title":"'), (), id="deep"
    ),
    pytest.param(TITLED_HEAD.replace(b"Yellow", b"\\u001b]0;x"), (), id="title"),
    pytest.param(TITLED_HEAD.replace(b"Yellow", "\u202e".encode()), (), id="title backwards"),
    pytest.param(TITLED_HEAD.replace(b"Yellow", b"\x1b]0;"), (), id="title raw"),
    pytest.param(TITLED_HEAD.replace(b"advanced", b"\x1b]0;"), (), id="system"),
    pytest.param(TITLED_HEAD.replace(b"advanced", b"\xff"), (), id="system not UTF-8"),
    pytest.param(TITLED_HEAD.replace(b'"movement"', b'"\x07"'), (), id="phase"),
    pytest.param(TITLED_HEAD.replace(b'"turn":3', b'"turn":' + b"3" * 5000), (), id="turn"),
    pytest.param(TITLED_HEAD, (b'{"n":2,"correction":garbage}',), id="no JSON"),
    pytest.param(TITLED_HEAD, (b'{"n":2,"correction":"undo","targets":["a",1]}',), id="targets of two kinds"),
    pytest.param(TITLED_HEAD, (b'{"n":2,"correction":"undo","targets":{"a":1}}',), id="targets no list"),
    pytest.param(TITLED_HEAD, (b'{"n":2,"correction":"undo","targets":5}',), id="targets a number"),
    pytest.param(TITLED_HEAD, (b'{"n":2,"correction":"undo","targets":[[]]}',), id="targets lists"),
    pytest.param(TITLED_HEAD, (EFFECT % b'["phase","","fire",[1e999,false]]',), id="turn without end"),
    pytest.param(TITLED_HEAD, (EFFECT % b'["phase","","fire",5]',), id="turn no list"),
    pytest.param(TITLED_HEAD, (EFFECT % b'["phase","",["fire"],[]]',), id="phase no text"),
    pytest.param(TITLED_HEAD, (EFFECT % b'["phase",7]',), id="short"),
    pytest.param(TITLED_HEAD, (b'{"n":2,"correction":' + b"[" * 9000 + b"}",), id="deep correction"),
    pytest.param(TITLED_HEAD, ('{"n":2,"correction":"\u202e"}'.encode(),), id="backwards"),
]


@pytest.mark.parametrize(("head", "last"), SENSELESS)
def test_ends_that_make_no_sense_are_told_and_stop_nobody(
    tmp_path: Path, head: bytes, last: tuple[bytes, ...]
) -> None:
    """Catches a stranger's save in the folder that keeps the program from starting; all checksums fit."""
    path = tmp_path / "stranger.qfb"
    path.write_bytes(sealed(head, ACT, *last))
    with pytest.raises(SaveFault) as told:
        summarize_save(path)
    assert str(told.value).startswith("stranger.qfb, line ")
    assert str(told.value).isprintable()


def test_the_ends_of_a_sound_save_are_told(tmp_path: Path) -> None:
    path = tmp_path / "battle.qfb"
    path.write_bytes(save_bytes(TITLED, (entry(1),)))
    assert summarize_save(path) == SaveSummary("Yellow Sea", TITLED.system, 1, (3, "movement"), torn=False)


def test_what_is_no_save_is_a_fault(tmp_path: Path) -> None:
    saved(tmp_path / "battle.qfb")
    for path in (tmp_path, tmp_path / "gone"):
        with pytest.raises(SaveFault):
            summarize_save(path)
