"""Processes that are killed at work, and the lines that they reported before."""

import os
import signal
import sys
import time
from collections.abc import Callable

import pytest

Tell = Callable[[object], object]
"""Reports that a piece of work is done."""


def run_until_killed(work: Callable[[Tell], object], least: int, seconds: float) -> list[str]:
    """Return the lines that a process reported before `kill -9`.

    The kill comes `seconds` after the first `least` lines, however slow the machine is.
    """
    if sys.platform == "win32":
        pytest.skip("Windows forks no processes")
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _work_for_ever(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        lines = [pipe.readline().decode().strip() for _ in range(least)]
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
        lines += pipe.read().decode().split("\n")[:-1]
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status), f"the process ended by itself, after {lines[-3:]}"
    assert len(lines) >= least
    return lines


def _work_for_ever(work: Callable[[Tell], object], writing: int) -> None:
    """Run the work in the process to be killed; end by `_exit`, so that no test runs twice."""
    try:
        work(lambda word: os.write(writing, f"{word}\n".encode()))
    finally:
        os._exit(1)
