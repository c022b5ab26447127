"""Keeps a second copy of a save in another folder, in a thread for which the console never waits.

Missing lines are appended and synced, so the copy is always a beginning of the save, except for a line cut
off when a stick was pulled. If another file has the copy's name and is not a beginning of this save, that
file stays as it is, and the copy takes another name. A folder that is gone, full or does not respond is
reported, and the copy catches up when the folder is back.
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

RETRY_S = 3.0
"""Seconds until the copy is tried again after a fault."""
SILENT_S = 3.0
"""Seconds after which a folder that does not respond is reported; closing waits no longer than this."""


class SecondCopy:
    """The copy of a journal's save in `folder`, updated after each act until it is closed."""

    def __init__(
        self, journal: Journal, folder: str, disk: Disk = SYSTEM_DISK, retry_s: float = RETRY_S
    ) -> None:
        self.folder = folder
        self._journal, self._disk, self._retry_s = journal, disk, retry_s
        # The name of the copy, and the stamp of its file after the last write (zeros: none yet).
        self._name, self._stamp = journal.path.name, (0, 0, 0, 0)
        # The fault of the last try, and when the present try began (0: none runs).
        self._fault, self._try_began = "", 0.0
        # Whether the folder was the mount point of a disk at the last try.
        self._was_mount = False
        self._closing = False
        self._wake = Event()
        # The thread begins with the lines that the save has already.
        self._wake.set()
        self._thread = Thread(target=self._keep, daemon=True)
        self._thread.start()

    def record(self, act: LogAct) -> None:
        """Wake the thread to copy new lines, and return at once."""
        self._wake.set()

    def warn(self) -> str:
        """Return a warning if the copy fails or has another name than the save; "" if all is well."""
        began = self._try_began
        is_silent = began and monotonic() - began >= SILENT_S
        fault = "it does not respond" if is_silent else self._fault
        folder = replace_unprintable(self.folder)
        if fault:
            return f"No second copy in {folder}: {fault}. It catches up as soon as it can."
        name = self._journal.path.name
        if self._name == name:
            return ""
        reason = f"{replace_unprintable(name)} in {folder} is another battle, or has more of this one"
        return f"The second copy is called {replace_unprintable(self._name)}: {reason}."

    def close(self) -> str:
        """Wait a few seconds for the last lines to be copied, and return the warning."""
        self._closing = True
        self._wake.set()
        self._thread.join(SILENT_S)
        if self._thread.is_alive():
            # The warning then says that the folder does not respond.
            self._try_began = -SILENT_S
        return self.warn()

    def _keep(self) -> None:
        """Copy new lines whenever the thread is woken, until the copy is closed.

        After a fault, it tries again every `_retry_s` seconds, even if it is not woken.
        """
        closing = False
        while not closing:
            self._wake.wait(self._retry_s if self._fault else None)
            self._wake.clear()
            # Read before the copying: lines recorded before the copy was closed are still copied.
            closing = self._closing
            self._try_began = monotonic()
            try:
                self._catch_up()
                fault_text = ""
            except (OSError, ValueError, RuntimeError) as fault:
                fault_text = format_disk_fault(fault)
            self._fault, self._try_began = fault_text, 0.0

    def _catch_up(self) -> None:
        """Append the lines that the copy lacks.

        Files in the folder may have the save's name, or this name with a number from 2 on. The copy is the
        first of them that is empty or holds only a beginning of the save.

        Raises:
            OSError, ValueError, RuntimeError: The copy cannot be written; the text says why.
        """
        save, folder = self._journal.path, Path(self.folder).expanduser()
        is_mount = os.path.ismount(folder)
        # A disk that is unplugged may leave an empty folder in its place, which must not get a copy.
        if not folder.is_dir() or (self._was_mount and not is_mount):
            raise OSError("there is no such folder; make it, put the disk back, or name another")
        if folder.samefile(save.parent):
            raise OSError("it is the folder of the save itself; name another")
        self._was_mount = is_mount
        other_names = (f"{save.stem}-{number}{save.suffix}" for number in count(2))
        for name in chain((save.name,), other_names):
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
        """Return how many bytes at the start of a file are a copy of this save; None if it is no copy."""
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > SAVE_MOST:
            return None
        # The file is unchanged since the last lines were appended.
        if _build_stamp(status) == self._stamp:
            return status.st_size
        with os.fdopen(os.dup(file), "rb") as stream:
            copied, recorded = stream.read(), self._journal.read_recorded()
        if recorded.startswith(copied):
            return len(copied)
        # A pulled stick may leave a part of a line at the end; only the whole lines before it count.
        whole_lines = copied[: copied.rfind(b"\n") + 1]
        return len(whole_lines) if whole_lines and recorded.startswith(whole_lines) else None

    def _append(self, file: int, length: int, to: Path) -> None:
        """Append the bytes of the save after the first `length`, and sync the file to the disk.

        Args:
            file: Open file of the copy; anything after `length` is cut off.

        Raises:
            OSError: The copy cannot be written.
        """
        missing = self._journal.read_recorded(length)
        self._disk.truncate(file, length)
        os.lseek(file, length, os.SEEK_SET)
        if self._disk.write(file, missing) != len(missing):
            raise OSError("its disk is full")
        self._disk.fsync(file)
        # A new file survives a power cut only if its folder is synced, too.
        if not length:
            sync_folder(to)
        status = os.fstat(file)
        # Another program may have added to the file; then it is checked in full next time.
        if status.st_size == length + len(missing):
            self._stamp = _build_stamp(status)


def _build_stamp(status: os.stat_result) -> tuple[int, int, int, int]:
    """Return figures that differ once another program has written the file."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
