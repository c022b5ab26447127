"""Text and JSON to standard output, whatever its encoding and whatever the text holds."""

import json
import os
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Self

from qf_tui.core.errors import QfError
from qf_tui.core.text import unprintable
from qf_tui.journal.disk import BESIDE, fault_words, write_whole
from qf_tui.journal.reading import is_save


def named(file: object) -> str:
    """A file's path in a message: its own line ends would make lines that nobody said."""
    return printable(str(file)).replace("\n", "�")


def printable(text: str) -> str:
    """Text that may reach a terminal: signs in place of what is not printable; line ends stay."""
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return "".join("�" if sign != "\n" and unprintable(sign) else sign for sign in text)


def print_lines(*lines: str, at_once: bool = True) -> None:
    """Prints lines, at once unless more follow: a reader at the other end of a pipe may answer them."""
    for line in lines:
        print(printable(line).rstrip())
    if at_once:
        print(end="", flush=True)


def terminal_width() -> int:
    """The places of a line of the terminal that is printed to; 0 of a file or a pipe, which has no end."""
    if sys.stdout is None or not sys.stdout.isatty():
        return 0
    # It brings all that packs archives.
    from shutil import get_terminal_size

    return get_terminal_size().columns


def warn(text: str) -> None:
    """Prints a word to the person on standard error, behind what was printed before."""
    with suppress(OSError):
        if sys.stdout is not None:
            sys.stdout.flush()
    if sys.stderr is not None:
        # The exit status still says it.
        with suppress(OSError):
            print(f"qf-tui: {printable(text)}", file=sys.stderr, flush=True)


def print_json(value: object, *, indent: int | None = None) -> None:
    """Prints a value as JSON in ASCII, which every standard output can write."""
    print(json.dumps(value, indent=indent), flush=True)


def give(text: str, out: str | None, *, over: bool | None, encoding: str = "utf-8") -> None:
    """Prints a text, or writes it into a file, whole or not at all; QfError says why not.

    `over`: whether that may write over another, as `--replace` says; None of a command without that switch.
    """
    if out is None:
        print_lines(*text.splitlines())
        return
    refuse_taken(out, over=over)
    path = Path(out)
    try:
        # A file's name may hold what no text can.
        write_whole(path, text.encode(encoding, "replace"), over=bool(over))
    except FileExistsError:
        raise _taken(path, over) from None
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {fault_words(fault)}") from None
    print_lines(str(path))


def kind_of(arguments: Namespace) -> str:
    """The kind of file that is asked for, by its switch or by the suffix of its name; "" for neither."""
    kind: str = arguments.kind or Path(arguments.out or "").suffix.lower().removeprefix(".")
    return kind


def file_named(text: str) -> Path:
    """The file that a person names; QfError where that is no name of one, or a save's own.

    What stands beside a save is its own also where it is not there yet: nothing else may be read as its seed.
    """
    if not Path(text).name:
        raise QfError(f"“{text}” is not a file name; give one")
    if is_save(text) or any(text.endswith(end) and is_save(text.removesuffix(end)) for end in BESIDE):
        raise QfError(
            f"{text}: this is a save, or belongs to one, and is never overwritten; choose another name"
        )
    return Path(text)


def refuse_taken(out: str | None, *, over: bool | None) -> None:
    """QfError if there is such a file already: long work need not begin.

    What is no file, as a device, is never written over.
    """
    if out is None:
        return
    file_named(out)
    if not os.path.lexists(out):
        return
    if not over:
        raise _taken(Path(out), over)
    if Path(out).exists() and not Path(out).is_file():
        raise QfError(f"{out}: not a file, and never overwritten; choose another name")


def _taken(path: Path, over: bool | None) -> QfError:
    does = "choose another name" if over is None else "--replace overwrites it"
    return QfError(f"{path}: this file already exists; {does}")


QUIET = 1.0
"""Seconds of work without a sign of progress."""
BETWEEN = 10.0
"""Seconds between two lines, where there is no terminal."""
_CELLS = 30
_CLEAR = "\r\x1b[K"


class Progress:
    """Told how much is done of how much; within `with`, behind which the bar is gone."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = monotonic()
        self._said = self._began
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int, of: int, step: str = "") -> None:
        at, what = monotonic(), ", ".join(filter(None, (self._what, step)))
        if sys.stderr is None or at - self._began < QUIET:
            return
        if sys.stderr.isatty():
            cells = _CELLS * done // max(1, of)
            bar = "━" * cells + "─" * (_CELLS - cells)
            print(f"{_CLEAR}{bar} {done:,} of {of:,} {what}", end="", file=sys.stderr, flush=True)
            self._drawn = True
        elif at - self._said >= BETWEEN:
            warn(f"{done:,} of {of:,} {what}")
            self._said = at

    def __exit__(self, *raised: object) -> None:
        if self._drawn and sys.stderr is not None:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
