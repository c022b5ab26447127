"""Faults of the program itself: each is written down and said in a line, and the battle goes on.

A fault that comes again and again ends the console in plain words instead.
"""

import traceback
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from qf_tui.library.paths import keep_fault

MOST, WITHIN = 3, 60.0
"""Faults that are survived, and the seconds in which there may be so many."""
_SAID_MOST = 120


class FaultLog:
    """The faults of one evening; `clock` gives seconds from any beginning."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._times: list[float] = []
        self.kept: Path | None = None
        self.said = ""
        self.count = 0

    def keep(self, fault: Exception) -> str:
        """Writes a fault down, and gives what to say of it."""
        now = self._clock()
        self.count += 1
        self._times = [one for one in self._times if now - one < WITHIN] + [now]
        self.kept = keep_fault("".join(traceback.format_exception(fault)))
        name = f"{type(fault).__name__}: {fault}".splitlines()[0][:_SAID_MOST]
        where = f" What went wrong is written down in {self.kept}." if self.kept else ""
        self.said = f"A fault of qf-tui itself ({name}). All that was entered is kept: go on.{where}"
        return self.said

    def news(self) -> str:
        """What is to be told of the last fault, once; or nothing."""
        told, self.said = self.said, ""
        return told

    @property
    def too_many(self) -> bool:
        """Whether they come so often that going on leads nowhere."""
        return len(self._times) > MOST

    def last_words(self, save: Path | None) -> str:
        """What is said where the console ends by them."""
        lines = ["qf-tui has stopped by a fault of its own. Every entry that it took is saved."]
        if save:
            lines.append(f"The battle goes on with: qf-tui play {save}")
        if self.kept:
            lines.append(f"What went wrong is written down in {self.kept}")
        return "\n".join(lines)
