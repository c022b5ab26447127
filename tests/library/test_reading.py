"""Bytes of a file: what is refused before anything is open_timeline."""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.library.faults import Fault, Faults, FileFaults, fault_lines, refuse, shown
from qf_tui.library.paths import BYTES_MOST, parse_toml, read_toml
from tests.library.sloops import write


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"title = \xff\xfe", "line 1", "UTF-8"),
        (b"a = 1\nb = \n", "line 2, column 5", "not TOML"),
        (b"a = 1\na = 2\n", "line 2, column 6", "not TOML"),
        (b'a = "\x1b[2J"', "line 1, column 6", "not TOML"),
        (b"a = " + b"[" * 10_000, "", "nested too deep"),
        (b"a = " + b"{b = " * 10_000, "", "nested too deep"),
        (b"\na = " + b"9" * 5_000, "line 2", "a number of 5,000 digits"),
        (b"\n" + b"a." * 5_000 + b"a = 1", "line 2", "dots"),
    ],
)
def test_what_is_not_toml_is_refused_with_its_place(data: bytes, place: str, words: str) -> None:
    with pytest.raises(FileFaults) as caught:
        parse_toml(data, "x.toml")
    (fault,) = caught.value.faults
    assert fault.place == place
    assert words in fault.text


def test_a_byte_order_mark_and_line_ends_of_windows_are_welcome() -> None:
    assert parse_toml(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n", "x.toml") == {"a": 1, "b": 2}


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(FileFaults, match=f"60,000,000 bytes; at most {BYTES_MOST:,}"):
        read_toml(path)


def test_what_is_no_file_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, words in (
        (tmp_path / "none.toml", "no such file"),
        (tmp_path, "not a file"),
        (tmp_path / "pipe", "not a file"),
        (tmp_path / ("x" * 400), "cannot be read"),
        (tmp_path / "a\0b", "no such file"),
    ):
        with pytest.raises(FileFaults, match=words):
            read_toml(path)


def test_every_fault_is_said_with_its_place(tmp_path: Path) -> None:
    one = FileFaults("a.toml", [Fault("ship 1", "odd"), Fault("", "empty")])
    two = FileFaults("b.toml", [Fault("side 1", "gone")])
    assert str(one) == "a.toml: 2 faults\n  ship 1: odd\n  empty"
    assert fault_lines(Faults([one, two])) == (*one.lines, *two.lines)
    assert (one.lines[0], two.lines) == ("a.toml: 2 faults", ("b.toml: side 1: gone",))
    assert str(Faults([one, two])) == f"{one}\nb.toml: side 1: gone"
    with pytest.raises(FileFaults) as caught:
        refuse({"a.toml": one.faults, "b.toml": ()})
    assert caught.value.file == "a.toml"
    with pytest.raises(Faults) as several:
        refuse({"a.toml": one.faults, "b.toml": two.faults})
    assert several.value.faults == (*one.faults, *two.faults)


def test_a_message_never_carries_what_is_not_printable() -> None:
    assert shown("a\x1b[2Jb") == "a<U+001B>[2Jb"
    assert shown("x" * 100, 5) == "xxxxx…"


@given(st.binary())
def test_no_bytes_raise_anything_but_our_own(data: bytes) -> None:
    with suppress(QfError):
        parse_toml(data, "x.toml")


def test_a_directory_in_the_way_of_a_name_is_no_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a/b.toml", "a = 1").parent
    with pytest.raises(FileFaults):
        read_toml(path)
