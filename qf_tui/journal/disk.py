"""Files on the disk: durable writes, the lock of a save, and the file that remembers its last act.

A cut-off last line is kept in a file of its own.
"""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from attrs import frozen

from qf_tui.journal.lines import SIGNATURE
from qf_tui.operating_systems import PATIENTLY, PLAIN, retry_while_held, sync_folder, take_name

if TYPE_CHECKING:
    from filelock import FileLock


END, SEED, LOCK, BOARD, TRAY, REPLIES = ".end", ".seed", ".lock", ".board", ".tray", ".replies"
"""Endings of the files next to a save: remembered end, secret seed, lock, links to a board, players'
proposals, and the replies to them.
"""
BESIDE = (END, SEED, LOCK, BOARD, TRAY, REPLIES)
_READ_MOST = 4096
HELD = "another console has it open"
WAIT = 0.25
"""Seconds to try to take a lock: another console holds it for a moment when it only looks."""
_POLL_S = 0.01
"""Seconds between two tries to take a lock."""
PATIENCE = 5.0
"""Seconds to wait while another console changes a file, which takes milliseconds."""


class Disk(Protocol):
    """The calls that the journal makes on an open file, so that tests can replace the disk."""

    def write(self, file: int, data: bytes, /) -> int:
        """Write bytes and return how many were written: fewer than given if the disk is full."""

    def fsync(self, file: int, /) -> None: ...

    def truncate(self, file: int, length: int, /) -> None: ...


class SystemDisk:
    """The disk of the machine."""

    write: Callable[[int, bytes], int] = staticmethod(os.write)
    fsync: Callable[[int], None] = staticmethod(os.fsync)
    truncate: Callable[[int, int], None] = staticmethod(os.ftruncate)


SYSTEM_DISK = SystemDisk()


def open_without_waiting(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading. A pipe is opened too, without waiting: callers check what kind of file it is.

    Raises:
        OSError: If it cannot be opened; IsADirectoryError for a folder, on Windows too.
    """
    try:
        return retry_while_held(lambda: open(path, "rb", opener=_open_without_waiting))
    except PermissionError as refusal:
        # Windows refuses to open a folder without giving the reason.
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path) from refusal
        raise


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file for `open`, without waiting on a pipe."""
    return os.open(path, flags | PATIENTLY)


def keep_torn_end(path: Path, torn: bytes) -> Path:
    """Keep a torn end in a new file `SAVE.torn-N` next to the save, and return the path of this file."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.torn-{number}")):
        number += 1
    with aside.open("xb") as file:
        file.write(torn)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path)
    return aside


def write_file(path: Path, data: bytes, *, over: bool = False, mode: int = 0o666) -> None:
    """Write a file completely and durably, or leave everything unchanged.

    A link with this name is replaced, never followed.

    Args:
        over: Replace a file that exists.
        mode: Permissions of the file from its first byte on.

    Raises:
        FileExistsError: If a file exists, unless `over` is true.
        OSError: If the disk refuses.
    """
    temporary = path.with_name(f".qf-tui-{os.urandom(8).hex()}.new")
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if over:
            retry_while_held(lambda: temporary.replace(path))
        else:
            take_name(temporary, path)
        sync_folder(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def format_file_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a file with unprintable characters replaced, so that it can be shown."""
    return replace_unprintable(Path(path).name or str(path))


def replace_unprintable(text: str) -> str:
    """Replace the characters that must not reach a terminal."""
    return "".join(character if character.isprintable() else "�" for character in text)


def format_disk_fault(fault: Exception) -> str:
    """Return the reason for a disk error, without numbers and paths."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)


def find_companion_ending(name: str) -> str:
    """Return the ending if a name belongs to a file next to a save, such as `.lock`, or "".

    Capitals are ignored, because some disks ignore them.
    """
    return next((ending for ending in BESIDE if name.lower().endswith(ending)), "")


@frozen
class EndMark:
    """The remembered end of a save: the last act when the save was last written.

    Attributes:
        number: Number of the last act; 0 for the header.
        last_sum: Checksum of the act's line.
        first_sum: Checksum of the header.
    """

    number: int
    last_sum: str
    first_sum: str


def find_end_file(save: str | os.PathLike[str]) -> Path:
    """Return the path of the file that remembers where a save ends, the same for all names of one save."""
    return Path(f"{os.path.realpath(save)}{END}")


def write_end_mark(end_file: Path, ending: EndMark) -> None:
    """Write down where a save ends; ignore a disk that refuses.

    If the file at the path `end_file` is itself a save, it is left alone.
    """
    # The line has the same length each time, so one write replaces it in place.
    line = f'{{"n":{ending.number:>9},"sum":"{ending.last_sum}","first":"{ending.first_sum}"}}\n'
    with suppress(OSError, ValueError):
        file = os.open(end_file, os.O_RDWR | os.O_CREAT | PLAIN, 0o666)
        try:
            if stat.S_ISREG(os.fstat(file).st_mode) and os.read(file, len(SIGNATURE)) != SIGNATURE:
                os.lseek(file, 0, os.SEEK_SET)
                os.write(file, line.encode())
        finally:
            os.close(file)


def read_end_mark(save: str | os.PathLike[str]) -> EndMark | None:
    """Return where a save ended when it was last written, or None if no file next to it says so."""
    try:
        first_line, _, _ = _read_beginning(find_end_file(save)).partition(b"\n")
        mark = json.loads(first_line)
        number = mark["n"]
        last_sum = mark["sum"]
        first_sum = mark["first"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    if type(number) is not int or not isinstance(last_sum, str) or not isinstance(first_sum, str):
        return None
    # `write_end_mark` has nine places for the number.
    return EndMark(number, last_sum, first_sum) if 0 < number < 10**9 else None


def delete_end_mark(save: str | os.PathLike[str]) -> None:
    """Delete the file with the remembered end of a save that no longer exists; ignore a disk that refuses.

    If the file of that name is itself a save, it is left alone.
    """
    with suppress(OSError, ValueError):
        end_file = find_end_file(save)
        if not _read_beginning(end_file).startswith(SIGNATURE):
            end_file.unlink(missing_ok=True)


def _read_beginning(path: Path) -> bytes:
    """Read the first bytes of a file next to a save, or b"" if it is not a plain file.

    Raises:
        OSError: If there is no such file.
    """
    file = os.open(path, os.O_RDONLY | PLAIN)
    try:
        return os.read(file, _READ_MOST) if stat.S_ISREG(os.fstat(file).st_mode) else b""
    finally:
        os.close(file)


class Lock:
    """The lock of one save, in a file next to it; all names of one save share one lock."""

    def __init__(self, path: Path) -> None:
        """Prepare the lock of the save at `path`, without taking it."""
        self._folder = path.parent
        name = os.fspath(path)
        # A link and its target share a lock. `realpath` refuses a null character; `take` gives the reason.
        real = name if "\0" in name else os.path.realpath(name)
        self._path = Path(f"{real}{LOCK}")
        self._has_made_file = False

    @cached_property
    def _file(self) -> "FileLock":
        """The lock of the operating system."""
        # Imported late: reading a save needs no lock.
        from filelock import FileLock

        # One thread may open a save, and another one close it.
        return FileLock(self._path, thread_local=False)

    def take(self, wait: float = WAIT) -> str:
        """Take the lock; return why it cannot be taken (HELD if another console has it), or "".

        Args:
            wait: Seconds to keep trying.
        """
        if not self._folder.is_dir():
            return f"there is no folder {replace_unprintable(str(self._folder))}"
        try:
            # For `remove`: this lock makes the file if there was none before.
            self._has_made_file = not self._path.exists()
            self._file.acquire(timeout=wait, poll_interval=_POLL_S)
        except TimeoutError:
            # A folder that allows no new file gives the same error, but then there is no lock file.
            has_lock_file = self._path.exists()
            return HELD if has_lock_file else "a lock against other consoles cannot be made there"
        except (OSError, NotImplementedError, ValueError) as fault:
            return f"a lock against other consoles cannot be made: {format_disk_fault(fault)}"
        return ""

    def release(self) -> None:
        """Release the save for another console."""
        # `_file` exists only if the lock was tried; asking for the attribute would make it.
        if "_file" in vars(self):
            self._file.release(force=True)

    def remove(self) -> None:
        """Delete the lock file of a save that could not be made, but only if this lock made the file."""
        if self._has_made_file and self._file.is_locked:
            with suppress(OSError):
                self._path.unlink()

    @property
    def held(self) -> bool:
        """True if another console holds the lock; False also if a lock cannot be made there."""
        if not self._path.exists():
            return False
        # The way to find out is to take the lock for a moment. It tries more than once, so that a console
        # that only finds out at the same moment does not count as the holder.
        try:
            self._file.acquire(timeout=2 * _POLL_S, poll_interval=_POLL_S)
        except TimeoutError:
            return True
        except (OSError, NotImplementedError, ValueError):
            return False
        self.release()
        return False


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file while the body runs, so that no other console changes the file.

    Raises:
        OSError: If another console keeps the lock too long.
    """
    lock = Lock(path)
    refusal = lock.take(PATIENCE)
    if refusal:
        raise OSError(refusal)
    try:
        yield
    finally:
        lock.release()


def is_held(path: str | os.PathLike[str]) -> bool:
    """Return whether another console has a save open, so that this one can only view it."""
    return Lock(Path(path)).held
