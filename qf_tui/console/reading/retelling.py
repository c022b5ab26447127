"""A battle worked out beside the keys: in the background, while orders are entered, until it is stopped."""

from pathlib import Path
from threading import Thread
from traceback import format_exception
from typing import Protocol

from attrs import frozen

from qf_tui.analysis.whole import Stopped
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.library.crash_report import keep_fault
from qf_tui.report.working import retell
from qf_tui.report.writing import Retold


@frozen
class Finished:
    """What came of it: the battle retold, and the timeline that it is of."""

    retold: Retold
    timeline: Timeline


class Played(Protocol):
    """A battle that is played, by its rules; its `timeline` is another value after each entry."""

    @property
    def system(self) -> RuleSystem:
        """The rules."""

    @property
    def timeline(self) -> Timeline:
        """The log as it stands."""


class Retelling:
    """The retelling of one battle: the last that is finished, and the one that is under way, if any.

    `fault` is what ended the last one, "" if nothing did; `done` and `of` count entries.
    """

    def __init__(self, source: Played, save: Path | None) -> None:
        self.source, self.save = source, save
        self.finished: Finished | None = None
        self.fault = ""
        self.done, self.of = 0, 0
        self._thread: Thread | None = None
        self._stop = False

    @property
    def working(self) -> bool:
        """Whether one is under way."""
        return self._thread is not None and self._thread.is_alive()

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
        self._stop, self.fault = False, ""
        self.done, self.of = 0, len(self.source.timeline.play_order)
        self._thread = Thread(target=self._work, args=(self.source.timeline,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the one that is under way, soon."""
        self._stop = True

    def _work(self, timeline: Timeline) -> None:
        system = self.source.system
        try:
            analysis, report = retell(system, timeline, self.save, self._count, lambda: self._stop)
        except Stopped:
            return
        except QfError as fault:
            self.fault = str(fault)
            return
        except Exception as fault:  # noqa: BLE001 - in a thread of its own nobody else hears of it
            kept = keep_fault("".join(format_exception(fault)))
            where = f" What went wrong is written down in {kept}." if kept else ""
            self.fault = (
                f"the battle could not be worked out ({type(fault).__name__}): either a stranger's save says "
                f"what no rules made, or this program is at fault. All that was entered is kept.{where}"
            )
            return
        self.finished = Finished(Retold(analysis, report), timeline)

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of
