"""The report of a battle, worked out in a thread beside the keys."""

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
    """A finished report, and its timeline."""

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
    """The report of one battle: the last finished one, and the one under way, if any."""

    def __init__(self, source: PlayedBattle, save: Path | None) -> None:
        super().__init__("worked out")
        self.source, self.save = source, save
        self.finished: Finished | None = None

    @property
    def stopped(self) -> bool:
        """Whether the last one was stopped early."""
        return self._stop and not self.working

    @property
    def up_to_date(self) -> bool:
        """Whether the last finished one is of the battle as it stands."""
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
