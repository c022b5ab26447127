"""What only some systems have, for tests that need it: elsewhere they are left out with a word."""

import os
import signal
import sys
from pathlib import Path

import pytest

POSIX = sys.platform != "win32"
posix_only = pytest.mark.skipif(not POSIX, reason="only on Linux and macOS")

if sys.platform == "win32":
    KILL = STOP = GO_ON = signal.SIGTERM

    def make_pipe(path: Path) -> None:
        pytest.skip("Windows has no pipes in folders")

    def load() -> float:
        return 0.0

else:
    KILL, STOP, GO_ON = signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT

    def make_pipe(path: Path) -> None:
        os.mkfifo(path)

    def load() -> float:
        """How many processes have been at work lately."""
        return os.getloadavg()[0]
