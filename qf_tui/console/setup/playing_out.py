"""Battles played out beside the keys, by other processes, until they are played or stopped."""

import os
from time import monotonic

from qf_tui.analysis.whole import Stopped
from qf_tui.console.reading.background import Background
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.simulation.executor import in_processes
from qf_tui.simulation.simulate import Question, SimulationResult, pairs_of, simulate, spec_of

BATTLES, SEED = 200, "1"
"""Battles of each pair of doctrines, and their seed."""
JOBS_MOST = 8


class PlayingOut(Background):
    """The battles of one scenario; `found` once they are played or stopped."""

    def __init__(self, system: RuleSystem, battle: Battle) -> None:
        super().__init__("played out")
        self.system, self.battle = system, battle
        self.found: SimulationResult | None = None
        self.done, self.of = 0, BATTLES * len(pairs_of(()))
        self._began = monotonic()

    def begin(self) -> None:
        self._began = monotonic()
        self._start(self._play)

    @property
    def stopping(self) -> bool:
        """Whether it was told to end."""
        return self._stop

    @property
    def left_s(self) -> float | None:
        """Seconds that the battles still to be played may take; None before the first."""
        if not self.done:
            return None
        return (monotonic() - self._began) * (self.of - self.done) / self.done

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        if self._stop:
            raise Stopped

    def _play(self) -> None:
        question = Question(spec_of(self.system, self.battle, SEED), pairs_of(()), BATTLES)
        with in_processes(min(os.cpu_count() or 1, JOBS_MOST), lambda: self._stop) as run:
            self.found = simulate(question, run, self._count)
