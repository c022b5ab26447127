"""Processes that are killed in the middle of their work, and what they had told before."""

import os
import signal
import sys
import time
from collections.abc import Callable

import pytest

Tell = Callable[[object], object]
"""Says of a piece of work that it is done."""


def run_until_killed(work: Callable[[Tell], object], least: int, seconds: float) -> list[str]:
    """What a process told before `kill -9`, which came so long after its first so many words.

    However slow the machine is, it told those.
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
    """In the process to be killed; it leaves only by `_exit`, so that no test goes on in two processes."""
    try:
        work(lambda word: os.write(writing, f"{word}\n".encode()))
    finally:
        os._exit(1)
