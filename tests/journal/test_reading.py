"""A save read: whole, torn, damaged, or no save at all."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.timeline import Correction, CorrectionKind, LogAct
from qf_tui.journal.codec import Header, encode_act, encode_header
from qf_tui.journal.lines import SAVE_MOST, SIGNATURE, written
from qf_tui.journal.reading import Save, SaveFault, read_save
from tests.journal.making import HEADERS, entries, entry, header, logs, save_bytes, sealed

SOUND = save_bytes(header(), entries(6))
LINES = SOUND.splitlines(keepends=True)
HEAD = written(encode_header(header()))


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
    assert (save.header, save.log, save.torn, save.length) == (head, log, b"", len(data))
    assert repr(save.log) == repr(log)


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
        assert (save.torn, save.length, save.log) == (tail, len(before), entries(5))
        assert words in save.end_notice
        assert save.short == (words == damaged)


@given(st.integers(0, len(SOUND) - len(LINES[-1]) - 2), st.integers(1, 255))
def test_any_byte_changed_in_the_middle_is_reported_with_its_line(file: Path, at: int, flip: int) -> None:
    data = bytearray(SOUND)
    data[at] ^= flip
    line = SOUND[:at].count(b"\n") + 1
    assert f", line {line}" in _fault(file, bytes(data))


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (
            {2: b"order"},
            "line 3 (act 2): damaged: its checksum does not fit",
        ),
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
    assert "line 1 (the header): its ends of lines were changed" in said
    assert said.endswith("Turn CR LF back into LF (`dos2unix` does), or take a copy of the file from before.")


def test_two_lines_run_together_at_the_end_are_damage_and_not_a_torn_end(file: Path) -> None:
    """The line before the last was acknowledged: it must not go with a torn end."""
    data = b"".join(LINES[:-2]) + LINES[-2].rstrip(b"\n") + b" " + LINES[-1]
    for tail in (data, data.rstrip(b"\n")):
        assert "line 6 (act 5): damaged" in _fault(file, tail)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ((0, 1, 3, 4, 5, 6), "line 3 (act 2): it bears the number 3"),
        ((0, 1, 2, 2, 3, 4), "line 4 (act 3): it bears the number 2"),
        ((0, 2, 1, 3, 4, 5), "line 2 (act 1): it bears the number 2"),
        ((1, 2, 3), "line 1: not a save"),
    ],
)
def test_a_line_lost_doubled_or_moved_is_reported(file: Path, order: tuple[int, ...], words: str) -> None:
    assert words in _fault(file, b"".join(LINES[at] for at in order))


def test_a_line_of_another_save_does_not_fit(file: Path) -> None:
    other = save_bytes(evolve(header(), system="tiny"), entries(6)).splitlines(keepends=True)
    assert "line 3 (act 2): damaged" in _fault(file, b"".join((*LINES[:2], other[2], *LINES[3:])))


def test_a_damaged_line_says_that_nothing_was_overwritten(file: Path) -> None:
    assert "Nothing was overwritten." in _fault(file, SOUND.replace(b"mikasa", b"asahi!", 1))


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


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=5), part, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_any_json_document_is_a_fault(file: Path, document: object) -> None:
    _fault(file, json.dumps(document).encode() or b" ")


@given(st.lists(JSON.map(lambda part: json.dumps(part).encode()) | st.binary(max_size=30), min_size=1))
def test_any_line_with_a_right_checksum_is_a_fault_or_sound(file: Path, bodies: list[bytes]) -> None:
    file.write_bytes(sealed(HEAD, *bodies))
    with suppress(SaveFault):
        assert read_save(file).log == ()


def _body(**changes: object) -> bytes:
    return written({**encode_act(entry(1)), **changes})


UNDO_2 = written(encode_act(Correction(2, CorrectionKind.UNDO, (2,))))
AMEND = {"n": 2, "correction": "amend", "targets": [1]}


@pytest.mark.parametrize(
    ("bodies", "words"),
    [
        ((_body(n=2),), "line 2 (act 1): it bears the number 2"),
        ((_body(rulings={}),), "line 2 (act 1): it does not say what became of it"),
        ((_body(rulings={"1": {}, "4": {}}),), "line 2 (act 1): it rules on 4"),
        ((_body(after=1),), "line 2 (act 1): it stands after 1"),
        ((_body(after=0, before=1),), "line 2 (act 1): it stands ahead of 1"),
        ((_body(), UNDO_2), "line 3 (act 2): it corrects 2"),
        ((_body(), written({**AMEND, "correction": "undo", "targets": []})), "it corrects nothing"),
        ((_body(), written(AMEND)), "too much or too little"),
        ((_body(), written({**AMEND, "correction": "shift"})), "too much or too little"),
        ((_body(forced="yes"),), "line 2 (act 1): “yes” is not true or false"),
        ((b'{"n":' + b"[" * 10_000 + b"]" * 10_000 + b"}",), "line 2 (act 1): nested too deep"),
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
        (HEAD.replace(b'"format":2', b'"format":3'), "line 1: a save of format 3; this program reads up to"),
        (HEAD.replace(b'"format":2', b'"format":true'), "line 1 (the header): “True” is not a whole number"),
        (HEAD.replace(b'"turn":1', b'"turn":"1"'), "line 1 (the header): “1” is not a whole number @ $.turn"),
        (HEAD.replace(b'"Mikasa"', b'"Mik\\u001basa"'), "line 1 (the header): escaped character"),
        (SIGNATURE + b"[" * 10_000 + b"}", "line 1 (the header): nested too deep"),
        (b"[" * 10_000, "line 1: not a save of qf-tui"),
        (b"hello \x1b[2J\xff", "it begins with “hello ·[2J"),
    ],
)
def test_a_header_that_cannot_be_is_refused(file: Path, head: bytes, words: str) -> None:
    assert words in _fault(file, sealed(head))


def _no_file(path: Path) -> None:
    """There is none."""


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.write(SOUND)
        file.truncate(SAVE_MOST + 1)


def _looped(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_no_file, "there is no such file"),
        (_folder, "cannot be read: Is a directory"),
        (_pipe, "not a file"),
        (_huge, "50 MB; no save is larger"),
        (_looped, "cannot be read"),
    ],
)
def test_what_is_no_readable_file_is_refused(
    tmp_path: Path, make: Callable[[Path], None], words: str
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
