"""The lock that keeps a second console from writing to a save."""

import os
from pathlib import Path

from filelock import FileLock, Timeout

from qf_tui.journal.reading import in_words, printable

HELD = "another console has it open"


class Lock:
    """The lock of one save, beside it; two names of one file meet at one lock."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        name = os.fspath(path)
        real = name if "\0" in name else os.path.realpath(name)
        # A save may be closed by another thread than opened it.
        self._path = Path(f"{real}.lock")
        self._file = FileLock(self._path, thread_local=False)

    def take(self) -> str:
        """Takes it; why not, if not."""
        if not self._folder.is_dir():
            return f"there is no folder {printable(str(self._folder))}"
        try:
            self._file.acquire(blocking=False)
        except Timeout:
            # A place where no file can be made looks like one that is held, but has no lock.
            held = self._path.exists()
            return HELD if held else "it cannot be locked against another console there"
        except (OSError, NotImplementedError, ValueError) as fault:
            return f"it cannot be locked against another console: {in_words(fault)}"
        return ""

    def release(self) -> None:
        """Lets another console have the save."""
        self._file.release(force=True)

    @property
    def held(self) -> bool:
        """Whether another console holds it."""
        if not self._path.exists():
            return False
        try:
            self._file.acquire(blocking=False)
        except Timeout:
            return True
        except (OSError, NotImplementedError, ValueError):
            return False
        self.release()
        return False


def is_held(path: str | os.PathLike[str]) -> bool:
    """Whether another console has a save open, so that it could only be viewed."""
    return Lock(Path(path)).held
