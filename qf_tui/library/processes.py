"""Starts and stops worker processes for long work. They ignore Ctrl+C, and end with the work.

Each worker watches its parent, so a worker never outlives the process that began it.
"""

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process
from threading import Thread

from qf_tui.operating_systems import lower_priority, start_process_cleaner

NICENESS = 5
"""Niceness added to these processes, so that keys are handled first, on systems that support it."""

STOP_CHECK_S = 0.1
"""Seconds between two checks whether the work shall stop."""

TERMINATE_WAIT_S = 1.0
"""Seconds to wait for a process to end after it was terminated."""


class Stopped(Exception):
    """Raised when the work was stopped before its end."""


def start_pool(
    count: int, prepare: Callable[..., object], arguments: tuple[object, ...] = ()
) -> ProcessPoolExecutor:
    """Start a pool of worker processes.

    Args:
        prepare: The function that each process calls first, with `arguments`.
    """
    start_process_cleaner()
    return ProcessPoolExecutor(count, get_context("spawn"), initializer=prepare, initargs=arguments)


def stop_pool(pool: ProcessPoolExecutor) -> None:
    """Stop all processes of a pool at once, even if they are working."""
    processes = list((pool._processes or {}).values())  # before Python 3.14 no public list exists
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(TERMINATE_WAIT_S)


def prepare_worker() -> None:
    """Prepare a worker process: ignore Ctrl+C, lower its priority, and end it with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lower_priority(NICENESS)
    parent = parent_process()
    if parent is not None:
        call_after(parent.join)


def call_after(wait: Callable[[], object], end: Callable[[], object] = lambda: os._exit(1)) -> None:
    """Wait in a thread until `wait` returns, then call `end`, which exits this process at once by default."""

    def watch() -> None:
        wait()
        end()

    Thread(target=watch, daemon=True).start()


def wait_for_input_end() -> None:
    """Wait until the other end of standard input is closed, which means that the parent process is gone."""
    with suppress(OSError, ValueError):
        # A read through `sys.stdin` would hold the lock of its buffer, which Python needs at its exit.
        while sys.stdin is not None and os.read(sys.stdin.fileno(), 1):
            pass
