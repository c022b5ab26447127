"""A battle worked out beside the keys: in the background, while orders are entered, until it is stopped."""

from functools import partial
from pathlib import Path
from typing import Protocol

from attrs import frozen

from qf_tui.console.reading.background import Background
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.report.files import Retold
from qf_tui.report.workers import retell


@frozen
class Finished:
    """What came of it: the battle retold, and the timeline that it is of."""

    retold: Retold
    timeline: Timeline


class PlayedBattle(Protocol):
    """A battle that is played, by its rules; its `timeline` is another value after each entry."""

    @property
    def system(self) -> RuleSystem:
        """The rules."""

    @property
    def timeline(self) -> Timeline:
        """The log as it stands."""


class Retelling(Background):
    """The retelling of one battle: the last that is finished, and the one that is under way, if any.

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
        told = retell(self.source.system, timeline, self.save, self._count, lambda: self._stop)
        self.finished = Finished(Retold(*told), timeline)

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of
