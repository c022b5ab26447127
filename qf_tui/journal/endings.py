"""What a file beside a save remembers of its end, so that a cut at the end of a line does not go unseen.

The checksums of a save show any change within it, not that whole lines are missing behind its last one. So
`NAME.end` has one line of JSON: `n`, the number of the last act that was recorded; `sum`, the checksum of its
line; `first`, that of the header. It is written after each act and never synced: where it is lost or older
than the save it says nothing. A reader bears with other keys and further lines.
"""

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from qf_tui.journal.beside import END
from qf_tui.journal.disk import PLAIN
from qf_tui.journal.lines import SIGNATURE

_READ_MOST = 4096


@frozen
class EndMark:
    """The last act that was recorded in a save (0: the header), its checksum, and that of the header."""

    number: int
    last_sum: str
    first_sum: str


def ending_of(save: str | os.PathLike[str]) -> Path:
    """The file that remembers a save's end; two names of one save have one."""
    return Path(f"{os.path.realpath(save)}{END}")


def remember(beside: Path, ending: EndMark) -> None:
    """Writes down where a save ends, in the file that remembers it; a disk that refuses is no fault.

    A save of that name is never written over.
    """
    # As long each time, so that it is written over in place and at once.
    line = f'{{"n":{ending.number:>9},"sum":"{ending.last_sum}","first":"{ending.first_sum}"}}\n'
    with suppress(OSError, ValueError):
        file = os.open(beside, os.O_RDWR | os.O_CREAT | PLAIN, 0o666)
        try:
            if stat.S_ISREG(os.fstat(file).st_mode) and os.read(file, len(SIGNATURE)) != SIGNATURE:
                os.lseek(file, 0, os.SEEK_SET)
                os.write(file, line.encode())
        finally:
            os.close(file)


def remembered(save: str | os.PathLike[str]) -> EndMark | None:
    """Where a save ended when it was last written, or None if nothing beside it says so."""
    try:
        file = os.open(ending_of(save), os.O_RDONLY | PLAIN)
        try:
            plain = stat.S_ISREG(os.fstat(file).st_mode)
            first = os.read(file, _READ_MOST).partition(b"\n")[0] if plain else b""
        finally:
            os.close(file)
        said = json.loads(first)
        number, last_sum, first_sum = said["n"], said["sum"], said["first"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    if type(number) is not int or not isinstance(last_sum, str) or not isinstance(first_sum, str):
        return None
    return EndMark(number, last_sum, first_sum) if 0 < number < 10**9 else None


def forget(save: str | os.PathLike[str]) -> None:
    """Takes away what is remembered of a save of that name which is gone; never another save."""
    with suppress(OSError, ValueError):
        beside = ending_of(save)
        file = os.open(beside, os.O_RDONLY | PLAIN)
        try:
            another = os.read(file, len(SIGNATURE)) == SIGNATURE
        finally:
            os.close(file)
        if not another:
            beside.unlink(missing_ok=True)
