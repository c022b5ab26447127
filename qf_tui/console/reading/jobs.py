"""Work on a battle beside the keys: the report, and the rules court."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import sleep
from typing import Protocol

from attrs import frozen

from qf_tui.analysis.court import CourtCases, Verdict, cases_of, heard
from qf_tui.analysis.story import Stopped
from qf_tui.console.reading.background import Background
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.report import BattleReport
from qf_tui.library.check import load_worth
from qf_tui.report.workers import work_out_report


@frozen
class Finished:
    """What came of it: the report, and the timeline that it is of."""

    report: BattleReport
    timeline: Timeline


class PlayedBattle(Protocol):
    """A battle that is played, by its rules; its `timeline` is another value after each entry."""

    @property
    def system(self) -> RuleSystem:
        """The rules."""

    @property
    def timeline(self) -> Timeline:
        """The log as it stands."""


class ReportJob(Background):
    """The report of one battle: the last that is finished, and the one that is under way, if any.

    `done` and `of` count entries.
    """

    def __init__(self, source: PlayedBattle, save: Path | None) -> None:
        super().__init__("worked out")
        self.source, self.save = source, save
        self.finished: Finished | None = None
        self.done, self.of = 0, 0

    @property
    def stopped(self) -> bool:
        """Whether the last one was stopped before its end."""
        return self._stop and not self.working

    @property
    def up_to_date(self) -> bool:
        """Whether the last one that is finished is of the battle as it stands."""
        return self.finished is not None and self.finished.timeline is self.source.timeline

    def begin(self) -> None:
        """Begins one of the battle as it stands, unless one is under way."""
        if self.working:
            return
        self.done, self.of = 0, len(self.source.timeline.play_order)
        self._start(partial(self._work, self.source.timeline))

    def _work(self, timeline: Timeline) -> None:
        report = work_out_report(self.source.system, timeline, self.save, self._count, lambda: self._stop)
        self.finished = Finished(report, timeline)

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of


PAUSE = 0.001
"""Seconds that are left to the keys after each entry."""


class CourtJob(Background):
    """The readings of one battle as it stood when they were begun, as far as they are there.

    `present` gives the log as it stands. `verdicts` stand in the order of the cases's tries.
    """

    def __init__(self, system: RuleSystem, present: Callable[[], Timeline], save: Path | None) -> None:
        super().__init__("decided again")
        self.system, self.present, self.save = system, present, save
        self.timeline = present()
        self.cases: CourtCases | None = None
        self.verdicts: tuple[Verdict, ...] = ()
        self.decided = 0

    @property
    def complete(self) -> bool:
        """Whether every reading is there."""
        return self.cases is not None and len(self.verdicts) == len(self.cases.tries)

    @property
    def up_to_date(self) -> bool:
        """Whether it is of the battle as it stands."""
        return self.timeline is self.present()

    def begin(self) -> None:
        """Goes on, or begins anew where the battle has gone on; not while it is at work."""
        if self.working or (self.complete and self.up_to_date):
            return
        if not self.up_to_date:
            self.timeline, self.cases, self.verdicts = self.present(), None, ()
        self.decided = 0
        self._start(partial(self._work, self.timeline))

    def _work(self, timeline: Timeline) -> None:
        if self.cases is None:
            self.cases = cases_of(self.system, timeline, self._step, load_worth(self.system))
        for instead in self.cases.tries[len(self.verdicts) :]:
            self.verdicts += (heard(self.cases.control, instead, self._step),)

    def _step(self) -> None:
        self.decided += 1
        if self._stop:
            raise Stopped
        sleep(PAUSE)
