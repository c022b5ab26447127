"""Other processes for long work: begun without the keys' interrupts, and gone when the work is done.

None outlives the process that began it, however that ends: each holds a pipe of it.
"""

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process
from threading import Thread

from qf_tui.operating_systems import begin_tracker, give_way

GIVES_WAY = 5
"""How far other processes give way to the keys, where there is such a measure."""

LOOKS = 0.1
"""Seconds between two looks whether the work is to stop."""

PATIENCE = 1.0
"""Seconds that an ended process may take to be gone."""


class Stopped(Exception):
    """The work was stopped before its end."""


def new_pool(count: int, begin: Callable[..., object], given: tuple[object, ...] = ()) -> ProcessPoolExecutor:
    """So many processes, each of which first calls `begin` with what is given."""
    begin_tracker()
    return ProcessPoolExecutor(count, get_context("spawn"), initializer=begin, initargs=given)


def stop_pool(pool: ProcessPoolExecutor) -> None:
    """Ends a pool at once, whatever its processes do."""
    processes = list((pool._processes or {}).values())  # Python has no public way before 3.14
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(PATIENCE)


def begin_worker() -> None:
    """What a process does first: whoever began the work ends it, and keys go before it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    give_way(GIVES_WAY)
    parent = parent_process()
    if parent is not None:
        end_after(parent.join)


def end_after(wait: Callable[[], object], end: Callable[[], object] = lambda: os._exit(1)) -> None:
    """Has this process end, at once or by `end`, when `wait` returns in a thread of its own."""

    def watch() -> None:
        wait()
        end()

    Thread(target=watch, daemon=True).start()


def input_ends() -> None:
    """Waits until nobody holds the other end of standard input: whoever began this process is gone."""
    with suppress(OSError, ValueError):
        # Read the descriptor: the buffer's lock would still be held while Python exits.
        while sys.stdin is not None and os.read(sys.stdin.fileno(), 1):
            pass
