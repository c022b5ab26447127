"""How far long work is, on standard error, where a person looks at it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

SHOWN_AFTER = 0.5
"""Seconds before the first word of progress: what is done by then needs none."""
EACH = 0.1
"""Seconds between two."""
ERASED = "\r\033[K"


class Bar(Protocol):
    """Is told how much is done."""

    def __call__(self, done: int, of: int) -> object: ...


@contextmanager
def progress(what: str) -> Iterator[Bar]:
    """Within it, what it gives shows how much is done; the line is gone at the end, however that comes."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    bar = _Line(what)
    try:
        yield bar
    finally:
        bar.erase()


class _Line:
    """One line of a terminal that is written over."""

    def __init__(self, what: str) -> None:
        self._what, self._next, self._shown = what, monotonic() + SHOWN_AFTER, False

    def __call__(self, done: int, of: int) -> None:
        if monotonic() >= self._next:
            self._next, self._shown = monotonic() + EACH, True
            share = done * 20 // max(of, 1)
            bar = f"{'#' * share}{'.' * (20 - share)}"
            print(f"{ERASED}{self._what} [{bar}] {done} of {of}", end="", file=sys.stderr, flush=True)

    def erase(self) -> None:
        if self._shown:
            print(ERASED, end="", file=sys.stderr, flush=True)
