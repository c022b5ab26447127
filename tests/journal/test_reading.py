"""Reading a save that is whole, torn, damaged or no save, and its remembered end."""

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
from qf_tui.journal.disk import END, EndMark, find_end_file, open_without_waiting, read_end_mark
from qf_tui.journal.lines import SAVE_MOST, SIGNATURE, encode_json
from qf_tui.journal.reading import Save, SaveFault, is_save, read_save
from qf_tui.journal.save_summary import SaveSummary, summarize_save
from qf_tui.journal.saving import Journal, copy_save
from tests.journal.making import (
    HEADERS,
    JSON,
    build_shot,
    build_shots,
    build_small_header,
    draw_logs,
    save_bytes,
    seal_lines,
    write_small_save,
)
from tests.posix import make_link, make_pipe

SOUND = save_bytes(build_small_header(), build_shots(6))
LINES = SOUND.splitlines(keepends=True)
HEAD = encode_json(encode_header(build_small_header()))
DEEP = 100_000
"""A nesting of lists that is too deep for any Python."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("saves") / "yellow-sea.jsonl"


def _read(file: Path, data: bytes) -> Save:
    file.write_bytes(data)
    return read_save(file)


def _read_fault(file: Path, data: bytes) -> str:
    with pytest.raises(SaveFault) as fault:
        _read(file, data)
    assert file.read_bytes() == data
    assert str(fault.value).startswith(file.name)
    return str(fault.value)


@given(HEADERS, draw_logs())
def test_a_save_is_read_back_whole(file: Path, head: Header, log: tuple[LogAct, ...]) -> None:
    data = save_bytes(head, log)
    save = _read(file, data)
    assert (save.header, tuple(save.log), save.torn, save.length) == (head, log, b"", len(data))
    assert repr(tuple(save.log)) == repr(log)


@given(st.integers(len(LINES[0]), len(SOUND)))
def test_a_save_cut_after_its_header_keeps_its_whole_lines(file: Path, at: int) -> None:
    """Lose only the one line that was never acknowledged."""
    save = _read(file, SOUND[:at])
    assert SOUND[: save.length] + save.torn == SOUND[:at]
    assert b"\n" not in save.torn
    assert save.log == build_shots(SOUND[:at].count(b"\n") - 1)


@given(st.integers(0, len(LINES[0]) - 1))
def test_a_save_cut_within_its_header_is_refused(file: Path, at: int) -> None:
    assert "holds no battle" in _read_fault(file, SOUND[:at])


def test_an_unfinished_last_line_is_torn_and_a_finished_one_damaged(file: Path) -> None:
    """Call no act unrecorded that was recorded."""
    before = b"".join(LINES[:-1])
    torn, damaged = "act 6 was not recorded", "its last line, line 7, is damaged"
    for tail, words in (
        (b"\0" * 300, torn),
        (LINES[-1][:-1], torn),
        (LINES[-1][:40] + b"\0" * 9 + LINES[-1][49:], damaged),
        (b"{\n", damaged),
    ):
        save = _read(file, before + tail)
        assert (save.torn, save.length, tuple(save.log)) == (tail, len(before), build_shots(5))
        assert words in save.end_notice
        assert save.lacks_acts == (words == damaged)


@pytest.mark.parametrize("changed_end", [b" ", b"\r", b"\t "])
@pytest.mark.parametrize("blank_lines", [b"", b"\n", b" \r\n"])
def test_a_damaged_last_line_that_ends_blank_is_kept_aside(
    file: Path, changed_end: bytes, blank_lines: bytes
) -> None:
    """Refuse no save because an editor's blank line follows its damaged last line."""
    before = b"".join(LINES[:-1])
    tail = LINES[-1].removesuffix(b"}\n") + changed_end + b"\n" + blank_lines
    save = _read(file, before + tail)
    assert (save.torn, save.length, len(save.log)) == (tail, len(before), 5)
    assert "its last line, line 7, is damaged" in save.end_notice
    assert save.lacks_acts


@given(st.integers(0, len(SOUND) - len(LINES[-1]) - 2), st.integers(1, 255))
def test_any_byte_changed_in_the_middle_is_reported_with_its_line(file: Path, at: int, flip: int) -> None:
    data = bytearray(SOUND)
    data[at] ^= flip
    line = SOUND[:at].count(b"\n") + 1
    assert f", line {line}" in _read_fault(file, bytes(data))


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ({2: b"order"}, "line 3 (act 2): damaged: its checksum does not match"),
        ({2: b"order", 4: b"order"}, "written. Line 5 too. Nothing"),
        ({1: b"order", 3: b"order", 4: b"order"}, "written. Lines 4, 5 too. Nothing"),
        ({0: b"program", 3: b"order"}, "written. Line 4 too. Nothing"),
        ({1: b'"sum":"', 3: b'"sum":"'}, "written. Line 4 too. Nothing"),
    ],
)
def test_exactly_the_damaged_lines_are_reported(file: Path, spoilt: dict[int, bytes], said: str) -> None:
    lines = list(LINES)
    for place, text in spoilt.items():
        at = lines[place].index(text) + len(text)
        lines[place] = lines[place][:at] + bytes([lines[place][at] ^ 1]) + lines[place][at + 1 :]
    assert said in _read_fault(file, b"".join(lines))


def test_changed_line_ends_are_reported_with_the_remedy(file: Path) -> None:
    """Give no advice to keep the lines before the header."""
    said = _read_fault(file, b"".join(LINES).replace(b"\n", b"\r\n"))
    assert "line 1 (the header): a program changed its line ends" in said
    assert said.endswith("Change CR LF back to LF (`dos2unix` does), or use an older copy of the file.")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_reported_with_the_remedy(file: Path, encoding: str) -> None:
    said = _read_fault(file, SOUND.decode().encode(encoding))
    assert "line 1: a program saved it as a text with a byte-order mark at its beginning. Nothing was" in said
    assert said.endswith("Save it as UTF-8 without this mark, or use an older copy of the file.")
    assert is_save(file) == (encoding == "utf-8-sig")


def test_two_lines_run_together_at_the_end_are_damaged_not_torn(file: Path) -> None:
    """Keep the first of them, which was acknowledged."""
    data = b"".join(LINES[:-2]) + LINES[-2].rstrip(b"\n") + b" " + LINES[-1]
    for tail in (data, data.rstrip(b"\n")):
        assert "line 6 (act 5): damaged" in _read_fault(file, tail)


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
    assert words in _read_fault(file, b"".join(LINES[at] for at in order))


def test_a_line_of_another_save_does_not_fit(file: Path) -> None:
    other = save_bytes(evolve(build_small_header(), system="tiny"), build_shots(6)).splitlines(keepends=True)
    told = _read_fault(file, b"".join((*LINES[:2], other[2], *LINES[3:])))
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
    """Insert and remove bytes: no other error is raised, and no entry is read that was not written."""
    data = SOUND
    for at, gone, put in changes:
        data = data[:at] + put + data[at + gone :]
    with suppress(SaveFault):
        save = _read(file, data)
        assert save.log == build_shots(len(save.log))
        assert data[: save.length] == SOUND[: save.length]


@given(JSON)
def test_any_json_document_is_a_fault(file: Path, document: object) -> None:
    _read_fault(file, json.dumps(document).encode() or b" ")


@given(st.lists(JSON.map(lambda part: json.dumps(part).encode()) | st.binary(max_size=30), min_size=1))
def test_any_line_with_a_right_checksum_is_a_fault_or_sound(file: Path, bodies: list[bytes]) -> None:
    file.write_bytes(seal_lines(HEAD, *bodies))
    with suppress(SaveFault):
        assert read_save(file).log == ()


def _encode_body(**changes: object) -> bytes:
    return encode_json({**encode_act(build_shot(1)), **changes})


UNDO_2 = encode_json(encode_act(Correction(2, CorrectionKind.UNDO, (2,))))
AMEND = {"n": 2, "correction": "amend", "targets": [1]}


@pytest.mark.parametrize(
    ("bodies", "words"),
    [
        ((_encode_body(n=2),), "line 2 (act 1): its number is 2"),
        ((_encode_body(rulings={}),), "line 2 (act 1): it has no ruling of its own"),
        ((_encode_body(rulings={"1": {}, "4": {}}),), "line 2 (act 1): it decides 4"),
        ((_encode_body(after=1),), "line 2 (act 1): its place is after 1"),
        ((_encode_body(after=0, before=1),), "line 2 (act 1): its place is before 1"),
        ((_encode_body(), UNDO_2), "line 3 (act 2): it corrects 2"),
        (
            (_encode_body(), encode_json({**AMEND, "correction": "undo", "targets": []})),
            "it corrects nothing",
        ),
        ((_encode_body(), encode_json(AMEND)), "missing or extra parts"),
        ((_encode_body(), encode_json({**AMEND, "correction": "shift"})), "missing or extra parts"),
        ((_encode_body(forced="yes"),), "line 2 (act 1): “yes” is not true or false"),
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
def test_an_impossible_log_is_refused_though_its_checksums_fit(
    file: Path, bodies: tuple[bytes, ...], words: str
) -> None:
    assert words in _read_fault(file, seal_lines(HEAD, *bodies, b"{}"))


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
def test_an_impossible_header_is_refused(file: Path, head: bytes, words: str) -> None:
    assert words in _read_fault(file, seal_lines(head))


def _write_huge(path: Path) -> None:
    path.write_bytes(SOUND)
    os.truncate(path, SAVE_MOST + 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no such file"),
        (Path.mkdir, "cannot be read: Is a directory"),
        (make_pipe, "not a file"),
        (_write_huge, "50 MB; no save is larger"),
        (lambda path: make_link(path, path), "cannot be read"),
    ],
)
def test_a_path_without_a_readable_file_is_refused(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    path = tmp_path / "battle.jsonl"
    make(path)
    with pytest.raises(SaveFault, match=words):
        read_save(path)


@pytest.mark.parametrize("name", ["a\0b", "", "x" * 300, "\x1b[2J.jsonl"])
def test_an_impossible_file_name_is_refused_in_printable_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(SaveFault) as fault:
        read_save(tmp_path / name)
    assert str(fault.value).isprintable()


ACTS = 4


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "battle.qfb"
    write_small_save(path, ACTS)
    return path


def _cut(path: Path, acts: int) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: acts + 1]))


def test_the_end_file_remembers_each_act(path: Path) -> None:
    save = read_save(path)
    assert save.ends_as_written
    assert (save.end_notice, save.lacks_acts) == ("", False)
    assert read_end_mark(path) == EndMark(ACTS, save.last_sum, save.first_sum)


@pytest.mark.parametrize("left", range(ACTS))
def test_a_cut_at_the_end_of_a_line_is_reported_until_the_battle_goes_on(path: Path, left: int) -> None:
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
    journal.append(build_shot(left + 1))
    journal.close()
    assert Journal.open(path)[0].notice == ""


def test_a_cut_within_a_line_that_was_recorded_is_not_called_unrecorded(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])
    notice = Journal.open(path)[0].notice
    assert "cut off in line 5: act 4 is missing; battle.qfb.end says that it ended with act 4" in notice
    assert f"{path.name}.torn-1" in notice


def test_a_torn_line_is_certainly_unrecorded_only_by_the_end_file(path: Path) -> None:
    sound = path.read_bytes()
    path.write_bytes(sound + b'{"n":5,')
    assert read_save(path).end_notice == "its last line was cut off (7 bytes): act 5 was not recorded"
    find_end_file(path).unlink()
    assert read_save(path).end_notice.endswith("was not recorded, unless the file was cut later")


def test_blank_lines_after_missing_acts_hide_nothing(path: Path) -> None:
    _cut(path, ACTS - 1)
    path.write_bytes(path.read_bytes() + b"\n\n")
    save = read_save(path)
    assert save.lacks_acts
    assert save.end_notice.startswith(f"lines are gone from its end: act {ACTS} is missing")


@pytest.mark.parametrize("behind", [b"\n", b" \r\n", b"\n\n \n", b" ", b"\n\t", b"again"])
def test_a_foreign_line_after_the_last_act_is_no_lost_act(path: Path, behind: bytes) -> None:
    """Ask the umpire to enter nothing again for an editor's blank line."""
    last = path.read_bytes().splitlines(keepends=True)[-1]
    path.write_bytes(path.read_bytes() + (last if behind == b"again" else behind))
    save = read_save(path)
    assert (len(save.log), save.lacks_acts) == (ACTS, False)
    what = "is not an act but repeats one" if behind == b"again" else "is blank: another program added it"
    assert save.end_notice == f"the line after act {ACTS} {what}; the acts before it are sound"
    journal, opened = Journal.open(path)
    assert journal.writable
    assert "Enter what is missing" not in journal.notice
    journal.append(build_shot(ACTS + 1))
    journal.close()
    assert read_save(path).end_notice == ""
    assert len(opened.log) == ACTS


def test_a_missing_or_older_end_file_reports_nothing(path: Path) -> None:
    older = find_end_file(path).read_bytes()
    journal, _ = Journal.open(path)
    journal.append(build_shot(ACTS + 1))
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
def test_a_senseless_or_foreign_end_file_reports_nothing(path: Path, memory: bytes) -> None:
    find_end_file(path).write_bytes(memory)
    _cut(path, 2)
    assert read_save(path).end_notice == ""


def test_further_keys_and_lines_leave_room_for_more(path: Path) -> None:
    find_end_file(path).write_bytes(
        find_end_file(path).read_bytes().replace(b"{", b'{"x":1,', 1) + b"more\n" * 9999
    )
    assert read_save(path).ends_as_written


def test_another_file_at_the_place_of_the_end_file_is_left_alone(path: Path, tmp_path: Path) -> None:
    """Follow no link that would overwrite another file, and wait for no pipe."""
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
        journal.append(build_shot(ACTS + number))
        journal.close()
    assert victim.read_bytes() == b"somebody's"
    assert read_save(path).log == build_shots(ACTS + len(places))


@pytest.mark.parametrize(
    "make", [write_small_save, lambda path: copy_save(path.with_name("other.qfb"), path, 0)]
)
def test_a_new_save_ignores_the_end_file_of_an_old_one(path: Path, make: Callable[[Path], object]) -> None:
    """Forget the end of a deleted save once another has its name."""
    path.rename(path.with_name("other.qfb"))
    assert find_end_file(path).exists()
    make(path)
    assert read_save(path).end_notice == ""


@pytest.mark.parametrize("upto", [None, 2, 0])
def test_a_copy_and_a_branch_have_their_own_end_files(path: Path, upto: int | None) -> None:
    copy = path.with_name("copy.qfb")
    copy_save(path, copy, upto)
    save = read_save(copy)
    assert save.end_notice == ""
    assert save.ends_as_written == (upto != 0)


def test_a_save_renamed_or_copied_by_hand_reports_nothing(path: Path) -> None:
    away = path.rename(path.with_name("away.qfb"))
    assert read_save(away).end_notice == ""
    write_small_save(path, 1)
    assert read_save(path).end_notice == ""
    shutil.copy(away, path)
    assert read_save(path).end_notice == ""


def test_two_names_of_a_save_share_one_end_file(path: Path, tmp_path: Path) -> None:
    alias = tmp_path / "alias.qfb"
    make_link(alias, path)
    assert find_end_file(alias) == find_end_file(path) == path.with_name(path.name + END)


def test_an_act_recorded_while_a_reader_opens_is_not_missing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, _ = Journal.open(path)

    @contextmanager
    def slow(path: str) -> Iterator[IO[bytes]]:
        with open_without_waiting(path) as file:
            yield file
        journal.append(build_shot(ACTS + 1))

    monkeypatch.setattr("qf_tui.journal.reading.open_without_waiting", slow)
    save = read_save(path)
    assert (len(save.log), save.end_notice) == (ACTS, "")


def test_a_save_of_another_header_is_another_save(path: Path) -> None:
    path.unlink()
    journal = Journal.create(path.with_name("other.qfb"), evolve(build_small_header(), program="0.0.9"))
    journal.close()
    path.with_name("other.qfb").rename(path)
    assert read_save(path).end_notice == ""


def test_a_save_named_like_the_end_file_of_another_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "evening.end"
    write_small_save(path, ACTS)
    sound = path.read_bytes()
    write_small_save(tmp_path / "evening", ACTS)
    assert path.read_bytes() == sound
    (tmp_path / "evening").unlink()
    copy_save(path, tmp_path / "evening")
    assert path.read_bytes() == sound
    assert read_save(tmp_path / "evening").end_notice == ""


TITLED = evolve(
    build_small_header(),
    start=evolve(build_small_header().start, table={"units": "in", "title": "Yellow Sea"}, turn=3),
)
TITLED_HEAD = encode_json(encode_header(TITLED))
ACT = encode_json(encode_act(build_shot(1)))
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
def test_senseless_first_or_last_lines_are_reported(
    tmp_path: Path, head: bytes, last: tuple[bytes, ...]
) -> None:
    """Start although a foreign save with right checksums is in the folder."""
    path = tmp_path / "stranger.qfb"
    path.write_bytes(seal_lines(head, ACT, *last))
    with pytest.raises(SaveFault) as told:
        summarize_save(path)
    assert str(told.value).startswith("stranger.qfb, line ")
    assert str(told.value).isprintable()


def test_a_save_is_summarized_by_its_first_and_last_line(tmp_path: Path) -> None:
    path = tmp_path / "battle.qfb"
    path.write_bytes(save_bytes(TITLED, (build_shot(1),)))
    assert summarize_save(path) == SaveSummary("Yellow Sea", TITLED.system, 1, (3, "movement"), torn=False)


def test_a_summary_of_no_save_is_a_fault(tmp_path: Path) -> None:
    write_small_save(tmp_path / "battle.qfb")
    for path in (tmp_path, tmp_path / "gone"):
        with pytest.raises(SaveFault):
            summarize_save(path)
