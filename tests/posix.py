"""Functions that only some systems support; tests that need them are skipped elsewhere."""

import os
import signal
import sys
from pathlib import Path

import pytest

POSIX = sys.platform != "win32"
posix_only = pytest.mark.skipif(not POSIX, reason="only on Linux and macOS")
open_files_go = pytest.mark.skipif(not POSIX, reason="Windows lets nobody take away a file that is open")


def make_link(path: Path, to: str | Path) -> None:
    """Make a link, even to a missing file; few users may do so on Windows."""
    try:
        path.symlink_to(to)
    except OSError:
        pytest.skip("whoever runs this may make no links")
    if not path.is_symlink():
        pytest.skip("links are no links here")


def read_memory_kb(process: int, of: str = "VmHWM") -> int:
    """Read the KB that a process has used at most, or uses now (`VmRSS`); 0 if unknown."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(of)), 0)


def is_mine_alone(path: Path) -> bool:
    """Return whether only the owner may read a file; on Windows its folder decides."""
    return not POSIX or path.stat().st_mode & 0o777 == 0o600


if sys.platform == "win32":
    KILL = STOP = GO_ON = signal.SIGTERM

    def make_pipe(path: Path) -> None:
        pytest.skip("Windows has no pipes in folders")

    def load() -> float:
        """Return how many processes have been at work lately."""
        return 0.0

else:
    KILL, STOP, GO_ON = signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT

    def make_pipe(path: Path) -> None:
        os.mkfifo(path)

    def load() -> float:
        """Return the load of the last minute, in processes."""
        return os.getloadavg()[0]
