"""Writes text and JSON to standard output or a file, and shows the progress of long work.

Characters that would disturb a terminal, or that the encoding lacks, are replaced.
"""

import json
import os
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Self

from qf_tui.core.errors import QfError
from qf_tui.core.text import find_unprintable
from qf_tui.journal.disk import BESIDE, format_disk_fault, write_file
from qf_tui.journal.reading import is_save


def format_path(file: object) -> str:
    """Format a path for a message on one line; replace characters that could change the terminal."""
    return replace_unprintable(str(file)).replace("\n", "�")


def replace_unprintable(text: str) -> str:
    """Replace unprintable characters, except line ends, so that the text may reach a terminal."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join("�" if sign != "\n" and find_unprintable(sign) else sign for sign in text)


def print_lines(*lines: str, at_once: bool = True) -> None:
    """Print lines without unprintable characters and blanks at their ends.

    Args:
        at_once: True to flush, because the reader of a pipe may be waiting; False if more lines follow.
    """
    for line in lines:
        print(replace_unprintable(line).rstrip())
    if at_once:
        print(end="", flush=True)


def measure_terminal() -> int:
    """Return the width of the terminal on standard output, or 0 if that is a file or a pipe."""
    if sys.stdout is None or not sys.stdout.isatty():
        return 0
    # Imported late: it imports the modules for archives.
    from shutil import get_terminal_size

    return get_terminal_size().columns


def warn(text: str) -> None:
    """Print a message on standard error, after everything that was printed before."""
    with suppress(OSError):
        if sys.stdout is not None:
            sys.stdout.flush()
    if sys.stderr is not None:
        # The exit status still reports the error.
        with suppress(OSError):
            print(f"qf-tui: {replace_unprintable(text)}", file=sys.stderr, flush=True)


def print_json(value: object, *, indent: int | None = None) -> None:
    """Print a value as JSON in ASCII, which every encoding can write."""
    print(json.dumps(value, indent=indent), flush=True)


def write_output(text: str, out: str | None, *, over: bool | None, encoding: str = "utf-8") -> None:
    """Print a text, or write it to a file, completely or not at all.

    Args:
        out: Path of the file, or None to print.
        over: True to replace a file that exists. None, for a command without `--replace`, means False.

    Raises:
        QfError: If the file exists or cannot be written.
    """
    if out is None:
        print_lines(*text.splitlines())
        return
    refuse_existing_file(out, over=over)
    path = Path(out)
    try:
        # Characters that cannot be encoded, as in file names, are replaced.
        write_file(path, text.encode(encoding, "replace"), over=bool(over))
    except FileExistsError:
        raise _build_exists_fault(path, over) from None
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {format_disk_fault(fault)}") from None
    print_lines(str(path))


def find_format(arguments: Namespace) -> str:
    """Return the format of a report: from a switch such as --json, else from the file's ending, else ""."""
    kind: str = arguments.kind or Path(arguments.out or "").suffix.lower().removeprefix(".")
    return kind


def read_file_name(text: str) -> Path:
    """Return the path that a person typed for a file; the file need not exist.

    Raises:
        QfError: If it is no file name, or the name of a save or of a file next to a save, which are never
            overwritten.
    """
    if not Path(text).name:
        raise QfError(f"“{text}” is not a file name; give one")
    # A file next to a save has the name of the save with one more ending.
    is_next_to_save = any(text.endswith(end) and is_save(text.removesuffix(end)) for end in BESIDE)
    if is_save(text) or is_next_to_save:
        raise QfError(
            f"{text}: this is a save, or belongs to one, and is never overwritten; choose another name"
        )
    return Path(text)


def refuse_existing_file(out: str | None, *, over: bool | None) -> None:
    """Raise QfError if the output file cannot be written because of its name or because it exists.

    Commands call it before long work begins.

    Args:
        out: Path of the file, or None to print.
        over: True if a file that exists is replaced; a folder or a device never is. None, for a command
            without `--replace`, means False.
    """
    if out is None:
        return
    read_file_name(out)
    if not os.path.lexists(out):
        return
    if not over:
        raise _build_exists_fault(Path(out), over)
    if Path(out).exists() and not Path(out).is_file():
        raise QfError(f"{out}: not a file, and never overwritten; choose another name")


def _build_exists_fault(path: Path, over: bool | None) -> QfError:
    """Build the error for a file that exists; it advises `--replace` if the command has that option."""
    advice = "choose another name" if over is None else "--replace overwrites it"
    return QfError(f"{path}: this file already exists; {advice}")


QUIET_S = 1.0
"""Seconds of work before the first sign of progress."""
LINE_INTERVAL_S = 10.0
"""Seconds between two lines of progress without a terminal."""
_CELLS = 30
"""Width of the progress bar, in characters."""
_CLEAR = "\r\x1b[K"
"""Terminal codes that clear the present line."""


class Progress:
    """A progress bar on standard error: call it with how much is done; leaving `with` removes it.

    Without a terminal, it prints a line from time to time.
    """

    def __init__(self, work: str) -> None:
        """Start the clock.

        Args:
            work: Name of the work, which follows the figures.
        """
        self._work = work
        self._start_time = monotonic()
        self._last_line_time = self._start_time
        self._is_drawn = False

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int, total: int, step: str = "") -> None:
        """Show that `done` of `total` parts of the work are done; show nothing in the first second."""
        now = monotonic()
        label = ", ".join(filter(None, (self._work, step)))
        if sys.stderr is None or now - self._start_time < QUIET_S:
            return
        if sys.stderr.isatty():
            cells = _CELLS * done // max(1, total)
            bar = "━" * cells + "─" * (_CELLS - cells)
            print(f"{_CLEAR}{bar} {done:,} of {total:,} {label}", end="", file=sys.stderr, flush=True)
            self._is_drawn = True
        elif now - self._last_line_time >= LINE_INTERVAL_S:
            warn(f"{done:,} of {total:,} {label}")
            self._last_line_time = now

    def __exit__(self, *raised: object) -> None:
        if self._is_drawn and sys.stderr is not None:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
