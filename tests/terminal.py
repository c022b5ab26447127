"""A program in its own real terminal: tests write keys to it and read its pictures."""

import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from qf_tui.operating_systems import ENDING_SIGNALS

NOT_WAITING = getattr(os, "WNOHANG", 0)
PATIENCE = 60.0
"""Seconds to wait for an answer, however busy the machine is."""


class Terminal:
    """A real terminal with a program in it; `began` is its start time."""

    def __init__(self, process: int, file: int) -> None:
        self.process, self.file = process, file
        self.seen, self.began = b"", time.monotonic()

    def write(self, data: bytes) -> None:
        os.write(self.file, data)
        self.read(0.02)

    def read(self, seconds: float) -> bytes:
        """Read what the console draws for some seconds."""
        drawn, until = b"", time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and (more := self.read_once(left)):
            drawn += more
        return drawn

    def wait_for(self, path: Path, text: bytes) -> None:
        """Wait until a file holds a text; fail if the console is dead or silent."""
        until = time.monotonic() + PATIENCE
        while not (path.exists() and text in path.read_bytes()):
            self.read(0.05)
            ended, status = os.waitpid(self.process, NOT_WAITING)
            assert not ended, (status, self.seen[-1500:])
            assert time.monotonic() < until, f"no answer in {PATIENCE:.0f} s"

    def read_until(self, text: bytes) -> float:
        """Read until a text has been drawn; return the seconds since the start."""
        while text not in self.seen:
            assert time.monotonic() - self.began < PATIENCE, self.seen[-1500:]
            self.read_once(PATIENCE)
        return time.monotonic() - self.began

    def read_until_quiet(self, silence: float) -> tuple[float, int]:
        """Read until a silence; return the seconds to the last byte (0: none) and the bytes."""
        began = last = time.monotonic()
        count = 0
        while drawn := self.read_once(silence):
            last, count = time.monotonic(), count + len(drawn)
        return last - began, count

    def read_once(self, seconds: float) -> bytes:
        """Read the next output, for some seconds at most."""
        drawn = b""
        if select.select([self.file], [], [], seconds)[0]:
            with suppress(OSError):
                drawn = os.read(self.file, 1 << 20)
        self.seen = (self.seen + drawn)[-200_000:]
        return drawn


def run_module(
    home: Path, module: str, *arguments: str, size: tuple[int, int] = (120, 36)
) -> AbstractContextManager[Terminal]:
    """Run a module as a program in its own terminal of this size."""
    return run_in_terminal(home, [sys.executable, "-m", module, *arguments], size)


@contextmanager
def run_in_terminal(home: Path, command: list[str], size: tuple[int, int]) -> Iterator[Terminal]:
    """Run a program, by its path, in its own terminal of this size."""
    if sys.platform == "win32":
        pytest.skip("Windows has other terminals")
    import pty  # noqa: PLC0415 - only Linux and macOS have them
    import termios  # noqa: PLC0415 - as above

    process, file = pty.fork()
    if process == 0:
        for number in (*ENDING_SIGNALS, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)  # as in a shell, whatever the tests inherited
        os.environ.update(QF_TUI_HOME=str(home), TERM="xterm-256color", COLORTERM="truecolor")
        os.environ.pop("COLUMNS", None)
        os.environ.pop("LINES", None)
        termios.tcsetwinsize(1, size[::-1])
        os.execv(command[0], command)
    terminal = Terminal(process, file)
    try:
        yield terminal
    finally:
        with suppress(ChildProcessError):  # a test may have waited for its end
            if not os.waitpid(process, NOT_WAITING)[0]:
                os.kill(process, 9)
                os.waitpid(process, 0)
        os.close(terminal.file)
