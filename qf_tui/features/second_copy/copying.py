"""The second copy, kept by a thread that nobody waits for.

Recorded lines that are missing there are appended and synced, so the copy is always the beginning of the
save, apart from a line cut off when a stick was pulled. A file that has its name but is not the beginning of
this save is never touched: the copy then takes another name. A folder that is gone, full or silent is
reported, and the copy catches up when it is back.
"""

import os
import stat
from itertools import chain, count
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from qf_tui.core.timeline import LogAct
from qf_tui.journal.disk import SYSTEM_DISK, Disk, format_disk_fault, replace_unprintable
from qf_tui.journal.lines import SAVE_MOST
from qf_tui.journal.saving import Journal
from qf_tui.operating_systems import PLAIN, sync_folder

AGAIN_S = 3.0
"""Seconds after which it is tried again where something is wrong."""
MUTE_S = 3.0
"""Seconds after which a folder counts as silent, and is not waited for at the end."""


class SecondCopy:
    """The copy of a journal's save in `folder`, caught up after each act until it is closed."""

    def __init__(
        self, journal: Journal, folder: str, disk: Disk = SYSTEM_DISK, again: float = AGAIN_S
    ) -> None:
        self.folder = folder
        self._journal, self._disk, self._again = journal, disk, again
        self._name, self._stamp = journal.path.name, (0, 0, 0, 0)
        self._why, self._began = "", 0.0
        self._was_mount = self._ends = False
        self._wake = Event()
        self._wake.set()
        self._thread = Thread(target=self._keep, daemon=True)
        self._thread.start()

    def record(self, act: LogAct) -> None:
        """Wake the thread to copy new lines, and return at once."""
        self._wake.set()

    def warn(self) -> str:
        """Return a warning if the copy fails or has another name; "" if all is well."""
        began, folder, name = self._began, replace_unprintable(self.folder), self._journal.path.name
        why = "it does not respond" if began and monotonic() - began >= MUTE_S else self._why
        if why:
            return f"No second copy in {folder}: {why}. It catches up as soon as it can."
        if self._name == name:
            return ""
        other = f"{replace_unprintable(name)} in {folder} is another battle, or has more of this one"
        return f"The second copy is called {replace_unprintable(self._name)}: {other}."

    def close(self) -> str:
        """Wait a few seconds for the last lines to be copied, and return the warning."""
        self._ends = True
        self._wake.set()
        self._thread.join(MUTE_S)
        if self._thread.is_alive():
            self._began = -MUTE_S
        return self.warn()

    def _keep(self) -> None:
        ends = False
        while not ends:
            self._wake.wait(self._again if self._why else None)
            self._wake.clear()
            ends, self._began = self._ends, monotonic()
            try:
                self._catch_up()
                why = ""
            except (OSError, ValueError, RuntimeError) as fault:
                why = format_disk_fault(fault)
            self._why, self._began = why, 0.0

    def _catch_up(self) -> None:
        """Append what the copy lacks.

        Raises:
            OSError, ValueError, RuntimeError: The copy cannot be written; the text says why.
        """
        save, folder = self._journal.path, Path(self.folder).expanduser()
        mount = os.path.ismount(folder)
        if not folder.is_dir() or (self._was_mount and not mount):
            raise OSError("there is no such folder; make it, put the disk back, or name another")
        if folder.samefile(save.parent):
            raise OSError("it is the folder of the save itself; name another")
        self._was_mount = mount
        others = (f"{save.stem}-{number}{save.suffix}" for number in count(2))
        for name in chain((save.name,), others):
            file = os.open(folder / name, os.O_RDWR | os.O_CREAT | PLAIN, 0o666)
            try:
                length = self._measure_copied(file)
                if length is not None:
                    self._append(file, length, folder / name)
                    self._name = name
                    return
            finally:
                os.close(file)

    def _measure_copied(self, file: int) -> int | None:
        """Return the length up to which a file is a copy of this save; None if it holds anything else."""
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > SAVE_MOST:
            return None
        if _stamp(status) == self._stamp:
            return status.st_size
        with os.fdopen(os.dup(file), "rb") as stream:
            copied, recorded = stream.read(), self._journal.read_recorded()
        if recorded.startswith(copied):
            return len(copied)
        # A pulled stick leaves part of a line: only what ends with one counts.
        whole = copied[: copied.rfind(b"\n") + 1]
        return len(whole) if whole and recorded.startswith(whole) else None

    def _append(self, file: int, length: int, to: Path) -> None:
        """Append what a copy of `length` bytes lacks, and sync it to the disk."""
        missing = self._journal.read_recorded(length)
        self._disk.truncate(file, length)
        os.lseek(file, length, os.SEEK_SET)
        if self._disk.write(file, missing) != len(missing):
            raise OSError("its disk is full")
        self._disk.fsync(file)
        if not length:
            sync_folder(to)
        status = os.fstat(file)
        # Another program may have added to the file; then it is checked in full next time.
        if status.st_size == length + len(missing):
            self._stamp = _stamp(status)


def _stamp(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
