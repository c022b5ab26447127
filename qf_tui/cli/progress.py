"""How far long work has come, on standard error: a bar on a terminal, elsewhere a line now and then."""

import sys
from time import monotonic
from types import TracebackType
from typing import Self

from qf_tui.cli.output import warn

QUIET = 1.0
"""Seconds of work that nobody needs to be told of."""
BETWEEN = 10.0
"""Seconds between two lines, where there is no terminal."""
_CELLS = 30
_CLEAR = "\r\x1b[K"


class Progress:
    """Told how much is done of how much; within `with`, behind which the bar is gone."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = monotonic()
        self._said = self._began
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def doing(self, what: str) -> None:
        """Says of what from here on."""
        self._what = what

    def __call__(self, done: int, of: int) -> None:
        """Shows that so much is done."""
        at = monotonic()
        if sys.stderr is None or at - self._began < QUIET:
            return
        if sys.stderr.isatty():
            cells = _CELLS * done // max(1, of)
            bar = "━" * cells + "─" * (_CELLS - cells)
            print(f"{_CLEAR}{bar} {done:,} of {of:,} {self._what}", end="", file=sys.stderr, flush=True)
            self._drawn = True
        elif at - self._said >= BETWEEN:
            warn(f"{done:,} of {of:,} {self._what}")
            self._said = at

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn and sys.stderr is not None:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
