"""The lock that keeps a second console from writing to a save, or to a chart while one is."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from qf_tui.journal.beside import LOCK
from qf_tui.journal.disk_words import in_words, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from filelock import FileLock

HELD = "another console has it open"
WAIT = 0.25
"""Seconds to try for: who only looks whether a save is held has its lock for a moment."""
_AGAIN = 0.01
PATIENCE = 5.0
"""Seconds to wait for another console's change of a file, which takes milliseconds."""


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
            return f"it cannot be locked against another console: {in_words(fault)}"
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
