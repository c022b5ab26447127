"""Battles played out beside keys: in the background, by other processes, until they are stopped."""

import os
from threading import Thread
from time import monotonic
from traceback import format_exception

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.library.crash_report import keep_fault
from qf_tui.simulation.executor import in_processes
from qf_tui.simulation.simulate import Found, Question, pairs_of, simulate, spec_of

BATTLES, SEED = 200, "1"
"""Battles of each pair of doctrines, and their seed."""
JOBS_MOST = 8


class Beside:
    """The battles of one scenario; `found` once they are played or stopped, `fault` where they cannot be."""

    def __init__(self, system: RuleSystem, battle: Battle) -> None:
        self.system, self.battle = system, battle
        self.found: Found | None = None
        self.fault = ""
        self.done, self.of = 0, BATTLES * len(pairs_of(()))
        self.stopping, self._began = False, monotonic()
        self._thread = Thread(target=self._work, daemon=True)

    @property
    def working(self) -> bool:
        return self._thread.is_alive()

    def begin(self) -> None:
        self._began = monotonic()
        self._thread.start()

    @property
    def left(self) -> float | None:
        """Seconds that the battles still to be played may take; None before the first."""
        if not self.done:
            return None
        return (monotonic() - self._began) * (self.of - self.done) / self.done

    def stop(self) -> None:
        """Ends it as soon as the next share is played."""
        self.stopping = True

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        if self.stopping:
            raise KeyboardInterrupt

    def _work(self) -> None:
        try:
            question = Question(spec_of(self.system, self.battle, SEED), pairs_of(()), BATTLES)
            with in_processes(min(os.cpu_count() or 1, JOBS_MOST)) as run:
                self.found = simulate(question, run, self._count)
        except QfError as fault:
            self.fault = str(fault)
        except Exception as fault:  # noqa: BLE001 - in a thread of its own nobody else hears of it
            kept = keep_fault("".join(format_exception(fault)))
            where = f": what went wrong is written down in {kept}" if kept else ""
            self.fault = f"the battles could not be played, this program is at fault{where}"
