"""The rules court at work in the background, while orders are entered, until it is stopped."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import sleep

from qf_tui.analysis.court import Docket, docket_of, heard
from qf_tui.analysis.verdicts import Verdict
from qf_tui.analysis.whole import Stopped
from qf_tui.console.reading.background import Background
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline

PAUSE = 0.001
"""Seconds that are left to the keys after each entry."""


class Hearing(Background):
    """The readings of one battle as it stood when they were begun, as far as they are there.

    `present` gives the log as it stands. `verdicts` stand in the order of the docket's tries.
    """

    def __init__(self, system: RuleSystem, present: Callable[[], Timeline], save: Path | None) -> None:
        super().__init__("decided again")
        self.system, self.present, self.save = system, present, save
        self.timeline = present()
        self.docket: Docket | None = None
        self.verdicts: tuple[Verdict, ...] = ()
        self.decided = 0

    @property
    def complete(self) -> bool:
        """Whether every reading is there."""
        return self.docket is not None and len(self.verdicts) == len(self.docket.tries)

    @property
    def up_to_date(self) -> bool:
        """Whether it is of the battle as it stands."""
        return self.timeline is self.present()

    def begin(self) -> None:
        """Goes on, or begins anew where the battle has gone on; not while it is at work."""
        if self.working or (self.complete and self.up_to_date):
            return
        if not self.up_to_date:
            self.timeline, self.docket, self.verdicts = self.present(), None, ()
        self.decided = 0
        self._start(partial(self._work, self.timeline))

    def _work(self, timeline: Timeline) -> None:
        if self.docket is None:
            self.docket = docket_of(self.system, timeline, self._step)
        for instead in self.docket.tries[len(self.verdicts) :]:
            self.verdicts += (heard(self.docket.control, instead, self._step),)

    def _step(self) -> None:
        self.decided += 1
        if self._stop:
            raise Stopped
        sleep(PAUSE)
