"""What a command has made: onto standard output, or into a file of its own."""

import os
from pathlib import Path

from qf_tui.cli.output import say
from qf_tui.core.errors import QfError
from qf_tui.journal.beside import BESIDE
from qf_tui.journal.disk import write_whole
from qf_tui.journal.disk_words import in_words
from qf_tui.journal.reading import is_save


def give(text: str, out: str | None, *, over: bool | None, encoding: str = "utf-8") -> None:
    """Prints a text, or writes it into a file, whole or not at all; QfError says why not.

    `over`: whether that may write over another, as `--replace` says; None of a command without that switch.
    """
    if out is None:
        say(*text.splitlines())
        return
    refuse_taken(out, over=over)
    path = Path(out)
    try:
        write_whole(path, text.encode(encoding), over=bool(over))
    except FileExistsError:
        raise _taken(path, over) from None
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {in_words(fault)}") from None
    say(str(path))


def file_named(text: str) -> Path:
    """The file that a person names; QfError where that is no name of one, or a save's own.

    What stands beside a save is its own also where it is not there yet: nothing else may be read as its seed.
    """
    if not Path(text).name:
        raise QfError(f"“{text}” is no name of a file; name one")
    if is_save(text) or any(text.endswith(end) and is_save(text.removesuffix(end)) for end in BESIDE):
        raise QfError(f"{text}: this is a save, or belongs to one, and is not written over; name another")
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
        raise QfError(f"{out}: not a file, and not written over; name another")


def _taken(path: Path, over: bool | None) -> QfError:
    does = "name another" if over is None else "--replace writes over it"
    return QfError(f"{path}: there is such a file already; {does}")
