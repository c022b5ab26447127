"""Faults of the program itself: each is written down and shown in a line, and the battle goes on.

A fault that comes again and again ends the console in plain words instead.
"""

import traceback
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from qf_tui.library.paths import keep_fault

MOST, WITHIN = 3, 60.0
"""Faults that are survived, and the seconds in which there may be so many."""
_NAME_MOST = 120


class FaultLog:
    """The faults of one evening; `clock` gives seconds from any beginning."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._times: list[float] = []
        self.kept: Path | None = None
        self.message = ""
        self.count = 0

    def keep(self, fault: Exception) -> str:
        """Writes a fault down, and gives the message about it."""
        now = self._clock()
        self.count += 1
        self._times = [time for time in self._times if now - time < WITHIN] + [now]
        self.kept = keep_fault("".join(traceback.format_exception(fault)))
        name = f"{type(fault).__name__}: {fault}".splitlines()[0][:_NAME_MOST]
        where = f" What went wrong is written down in {self.kept}." if self.kept else ""
        self.message = f"A fault of qf-tui itself ({name}). All that was entered is kept: go on.{where}"
        return self.message

    def news(self) -> str:
        """The message about the last fault, once; or nothing."""
        message, self.message = self.message, ""
        return message

    @property
    def too_many(self) -> bool:
        """Whether they come so often that going on leads nowhere."""
        return len(self._times) > MOST

    def last_words(self, save: Path | None) -> str:
        """The message where the console ends by them."""
        lines = ["qf-tui has stopped by a fault of its own. Every entry that it took is saved."]
        if save:
            lines.append(f"The battle goes on with: qf-tui play {save}")
        if self.kept:
            lines.append(f"What went wrong is written down in {self.kept}")
        return "\n".join(lines)
