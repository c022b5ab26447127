"""Files on the disk: durable writes, whole files, a torn end set aside; the files beside a save."""

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
from qf_tui.operating_systems import PATIENTLY, PLAIN, retried, sync_folder, take_name

if TYPE_CHECKING:
    from filelock import FileLock


END, SEED, LOCK, BOARD, TRAY, REPLIES = ".end", ".seed", ".lock", ".board", ".tray", ".replies"
"""Of the file that remembers the save's end, of the secret seed, of the lock, of the links to a board; of
what players propose, and of what they are answered."""
BESIDE = (END, SEED, LOCK, BOARD, TRAY, REPLIES)
_READ_MOST = 4096
HELD = "another console has it open"
WAIT = 0.25
"""Seconds to try for: who only looks whether a save is held has its lock for a moment."""
_AGAIN = 0.01
PATIENCE = 5.0
"""Seconds to wait for another console's change of a file, which takes milliseconds."""


class Disk(Protocol):
    """What the journal does to an open file."""

    def write(self, file: int, data: bytes, /) -> int:
        """Writes, and gives the count of bytes written, which a full disk makes less than asked."""

    def fsync(self, file: int, /) -> None: ...

    def truncate(self, file: int, length: int, /) -> None: ...


class SystemDisk:
    """The disk itself."""

    write: Callable[[int, bytes], int] = staticmethod(os.write)
    fsync: Callable[[int], None] = staticmethod(os.fsync)
    truncate: Callable[[int, int], None] = staticmethod(os.ftruncate)


SYSTEM_DISK = SystemDisk()


def open_plain_file(path: str | os.PathLike[str]) -> BinaryIO:
    """A file opened to be read; a pipe makes nobody wait. OSError where it cannot be."""
    try:
        return retried(lambda: open(path, "rb", opener=_open_patiently))
    except PermissionError as refusal:
        # Windows permits nobody to open a folder, and says no more.
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path) from refusal
        raise


def _open_patiently(path: str, flags: int) -> int:
    return os.open(path, flags | PATIENTLY)


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
            retried(lambda: beside.replace(path))
        else:
            take_name(beside, path)
        sync_folder(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def name_of(path: str | os.PathLike[str]) -> str:
    """The name of a file as it may be shown: a name can hold what a terminal must not get."""
    return printable(Path(path).name or str(path))


def printable(text: str) -> str:
    """A text with signs in place of what no terminal must get."""
    return "".join(character if character.isprintable() else "�" for character in text)


def fault_words(fault: Exception) -> str:
    """Why the disk refused, without numbers and paths."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)


def ending_beside(name: str) -> str:
    """The ending by which a name is that of a file beside a save; "" where it is none.

    Some disks know no capitals.
    """
    return next((ending for ending in BESIDE if name.lower().endswith(ending)), "")


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
        kept = json.loads(_beginning(ending_of(save)).partition(b"\n")[0])
        number, last_sum, first_sum = kept["n"], kept["sum"], kept["first"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    if type(number) is not int or not isinstance(last_sum, str) or not isinstance(first_sum, str):
        return None
    return EndMark(number, last_sum, first_sum) if 0 < number < 10**9 else None


def forget(save: str | os.PathLike[str]) -> None:
    """Takes away what is remembered of a save of that name which is gone; never another save."""
    with suppress(OSError, ValueError):
        beside = ending_of(save)
        if not _beginning(beside).startswith(SIGNATURE):
            beside.unlink(missing_ok=True)


def _beginning(beside: Path) -> bytes:
    """How a file beside a save begins; b"" of what is no plain file, OSError where there is none."""
    file = os.open(beside, os.O_RDONLY | PLAIN)
    try:
        return os.read(file, _READ_MOST) if stat.S_ISREG(os.fstat(file).st_mode) else b""
    finally:
        os.close(file)


class Lock:
    """The lock of one save, beside it; two names of one file meet at one lock."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        name = os.fspath(path)
        real = name if "\0" in name else os.path.realpath(name)
        self._path = Path(f"{real}{LOCK}")
        self._made = False

    @cached_property
    def _file(self) -> "FileLock":
        # Who only looks at a save loads none of this. A save may be closed by another thread than opened it.
        from filelock import FileLock

        return FileLock(self._path, thread_local=False)

    def take(self, wait: float = WAIT) -> str:
        """Takes it; gives the reason if it cannot, else "".

        `wait` is for how many seconds it is tried.
        """
        if not self._folder.is_dir():
            return f"there is no folder {printable(str(self._folder))}"
        try:
            self._made = not self._path.exists()
            self._file.acquire(timeout=wait, poll_interval=_AGAIN)
        except TimeoutError:
            # A place where no file can be made looks like one that is held, but has no lock.
            held = self._path.exists()
            return HELD if held else "it cannot be locked against another console there"
        except (OSError, NotImplementedError, ValueError) as fault:
            return f"it cannot be locked against another console: {fault_words(fault)}"
        return ""

    def release(self) -> None:
        """Releases the save for another console."""
        if "_file" in vars(self):
            self._file.release(force=True)

    def remove(self) -> None:
        """Takes away a lock that was first taken here, for a save that was never made."""
        if self._made and self._file.is_locked:
            with suppress(OSError):
                self._path.unlink()

    @property
    def held(self) -> bool:
        """Whether another console holds it."""
        if not self._path.exists():
            return False
        try:
            self._file.acquire(timeout=2 * _AGAIN, poll_interval=_AGAIN)
        except TimeoutError:
            return True
        except (OSError, NotImplementedError, ValueError):
            return False
        self.release()
        return False


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Within it no other console changes a file; OSError if another keeps it too long."""
    lock = Lock(path)
    refusal = lock.take(PATIENCE)
    if refusal:
        raise OSError(refusal)
    try:
        yield
    finally:
        lock.release()


def is_held(path: str | os.PathLike[str]) -> bool:
    """Whether another console has a save open, so that it could only be viewed."""
    return Lock(Path(path)).held
