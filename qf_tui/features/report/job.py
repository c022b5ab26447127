"""The background job that works out the report of a battle in a thread while keys stay responsive."""

from functools import partial
from pathlib import Path
from typing import Protocol

from attrs import frozen

from qf_tui.console.reading.jobs import Background
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.features.report.document import BattleReport
from qf_tui.features.report.work import work_out_report


@frozen
class Finished:
    """A finished report and the timeline that it was made from."""

    report: BattleReport
    timeline: Timeline


class PlayedBattle(Protocol):
    """A battle in play and its rule system; `timeline` is a new value after each entry."""

    @property
    def system(self) -> RuleSystem:
        """The rule system of the battle."""

    @property
    def timeline(self) -> Timeline:
        """The current timeline."""


class ReportJob(Background):
    """The report job of one battle: the last finished report, and the run in progress, if any."""

    def __init__(self, source: PlayedBattle, save: Path | None) -> None:
        super().__init__("worked out")
        self.source, self.save = source, save
        self.finished: Finished | None = None

    @property
    def stopped(self) -> bool:
        """True if the last run was stopped before its end."""
        return self._stop and not self.working

    @property
    def up_to_date(self) -> bool:
        """True if the last finished report was made from the current timeline."""
        return self.finished is not None and self.finished.timeline is self.source.timeline

    def begin(self) -> None:
        """Start a run for the current timeline, unless a run is in progress."""
        if self.working:
            return
        self.done, self.of = 0, len(self.source.timeline.play_order)
        self._start(partial(self._work, self.source.timeline))

    def _work(self, timeline: Timeline) -> None:
        """Work out the report of a timeline and keep it as finished."""
        report = work_out_report(self.source.system, timeline, self.save, self._count, lambda: self._stop)
        self.finished = Finished(report, timeline)
