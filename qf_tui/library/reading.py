"""Bytes of a file into plain data: TOML, with limits so that a hostile file takes little time and memory."""

import re
from pathlib import Path
from typing import Any, NoReturn

from qf_tui.library.faults import Fault, FileFaults, shown

BYTES_MOST = 5_000_000
"""Bytes of the largest file that is read."""

# A dotted key costs its parser the square of its parts.
_DOTS_MOST = 200
_DIGITS = re.compile(r"[0-9_]{4301,}")
_PLACE = re.compile(r" \(at (line \d+, column \d+|end of document)\)$")


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; FileFaults if it cannot be read or is larger than BYTES_MOST."""
    try:
        if not path.is_file():
            _refuse(path, "", "it is not a file" if path.exists() else "there is no such file")
        size = path.stat().st_size
        if size > BYTES_MOST:
            _refuse_size(path, size)
        with path.open("rb") as file:
            data = file.read(BYTES_MOST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        _refuse(path, "", f"it cannot be read ({shown(reason)})")
    if len(data) > BYTES_MOST:
        _refuse_size(path, len(data))
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """The plain data of a TOML file; FileFaults for what cannot be read, with line and column where known."""
    return parse_toml(read_bytes(path), path)


def parse_toml(data: bytes, file: Path | str) -> dict[str, Any]:
    """The plain data of TOML bytes; FileFaults names `file`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(file, f"line {line}", "it is not UTF-8; save the file as UTF-8")
    for number, line_text in enumerate(text.split("\n"), 1):
        if line_text.count(".") > _DOTS_MOST:
            _refuse(file, f"line {number}", f"more than {_DOTS_MOST} dots in one line; break it up")
    import tomllib  # noqa: PLC0415 - a save needs none of it

    try:
        return tomllib.loads(text)
    except RecursionError:
        _refuse(file, "", "lists or tables nested too deep; no file needs more than four levels")
    except ValueError as error:
        _refuse_digits(text, file)
        words = str(error)
        place = _PLACE.search(words)
        where = place[1] if place else ""
        _refuse(file, where, f"it is not TOML: {shown(_PLACE.sub('', words), 200)}")


def _refuse_digits(text: str, file: Path | str) -> None:
    """Refuses a number that is longer than Python reads; Python's own message names no line."""
    endless = _DIGITS.search(text)
    if endless:
        line = text.count("\n", 0, endless.start()) + 1
        _refuse(
            file, f"line {line}", f"a number of {len(endless[0]):,} digits; no file needs more than fifteen"
        )


def _refuse(file: Path | str, place: str, text: str) -> NoReturn:
    raise FileFaults(file, (Fault(place, text),)) from None


def _refuse_size(path: Path, size: int) -> NoReturn:
    _refuse(path, "", f"it has {size:,} bytes; at most {BYTES_MOST:,} are read")
