"""What is done to files: durable writes, whole files, names as durable as bytes, a torn end set aside."""

import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from attrs import frozen

from qf_tui.journal.lines import SIGNATURE

BINARY = getattr(os, "O_BINARY", 0)
"""What a file is opened with so that its bytes are kept as they are."""
PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | BINARY
"""How a file beside a save is opened: no link is followed, no pipe waited for."""


class Disk(Protocol):
    """What the journal does to an open file."""

    def write(self, file: int, data: bytes) -> int:
        """Writes, and gives the count of bytes written, which a full disk makes less than asked."""

    def fsync(self, file: int) -> None: ...

    def truncate(self, file: int, length: int) -> None: ...


class SystemDisk:
    """The disk itself."""

    def write(self, file: int, data: bytes) -> int:
        return os.write(file, data)

    def fsync(self, file: int) -> None:
        os.fsync(file)

    def truncate(self, file: int, length: int) -> None:
        os.ftruncate(file, length)


SYSTEM_DISK = SystemDisk()


def set_aside(path: Path, torn: bytes) -> Path:
    """Keeps a torn end in another file beside the save; never over another."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.torn-{number}")):
        number += 1
    with aside.open("xb") as file:
        file.write(torn)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path)
    return aside


def write_whole(path: Path, data: bytes, *, over: bool = False, mode: int = 0o666) -> None:
    """Writes a file whole and durably, or not at all; FileExistsError where one is there, unless `over` it.

    OSError leaves what was there before. A link of that name is replaced, never followed. `mode` is who may
    read it, from the first byte on.
    """
    beside = path.with_name(f".qf-tui-{os.urandom(8).hex()}.new")
    try:
        with open(beside, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if over:
            beside.replace(path)
        else:
            _take_name(beside, path)
        sync_folder(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _take_name(beside: Path, path: Path) -> None:
    """Gives a finished file its name, if nobody else has it."""
    if os.name == "nt":
        beside.rename(path)
        return
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        raise
    except OSError:
        # A disk without hard links: the name is taken first, and then filled.
        path.open("xb").close()
        beside.replace(path)


def sync_folder(path: Path) -> None:
    """Makes a new file's name as durable as its bytes; Windows has no way to, and needs none."""
    if os.name == "nt":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def name_of(path: str | os.PathLike[str]) -> str:
    """The name of a file as it may be shown: a name can hold what a terminal must not get."""
    return printable(Path(path).name or str(path))


def printable(text: str) -> str:
    """A text with signs in place of what no terminal must get."""
    return "".join(character if character.isprintable() else "�" for character in text)


def in_words(fault: Exception) -> str:
    """Why the disk refused, without numbers and paths."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)


END, SEED, LOCK, BOARD = ".end", ".seed", ".lock", ".board"
"""Of the file that remembers the save's end, of the secret seed, of the lock, and of the links to a board."""
BESIDE = (END, SEED, LOCK, BOARD)


def ending_beside(name: str) -> str:
    """The ending by which a name is that of a file beside a save; "" where it is none.

    Some disks know no capitals.
    """
    return next((ending for ending in BESIDE if name.lower().endswith(ending)), "")


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
