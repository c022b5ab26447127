"""Work on a battle in a thread beside the keys: their base, the report, the rules court."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from time import sleep
from traceback import format_exception
from typing import Protocol

from attrs import frozen

from qf_tui.analysis.court import CourtCases, Verdict, cases_of, replay
from qf_tui.analysis.story import Stopped
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.report import BattleReport
from qf_tui.library.faults import fault_lines
from qf_tui.library.paths import keep_fault
from qf_tui.library.settings import load_worth
from qf_tui.report import work_out_report


class Background:
    """Work in a thread, with how many entries are `done`; `fault_lines` are what ended it, if any."""

    def __init__(self, what: str) -> None:
        """`what` names the work in a fault: "worked out"."""
        self.fault_lines: tuple[str, ...] = ()
        self.done, self.of = 0, 0
        self._what = what
        self._thread: Thread | None = None
        self._stop = False

    @property
    def fault(self) -> str:
        """All of the fault; "" without one."""
        return "\n".join(self.fault_lines)

    @property
    def working(self) -> bool:
        """Whether it is under way."""
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """Ends the work soon; what is there stays."""
        self._stop = True

    def _start(self, work: Callable[[], None]) -> None:
        """Begins a piece of work, which looks at `_stop` and raises Stopped."""
        self._stop, self.fault_lines = False, ()
        self._thread = Thread(target=self._guarded, args=(work,), daemon=True)
        self._thread.start()

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Stopped:
            return
        except QfError as fault:
            self.fault_lines = fault_lines(fault)
        except Exception as fault:  # noqa: BLE001 - in a thread of its own nobody else hears of it
            kept = keep_fault("".join(format_exception(fault)))
            where = f" The details are in {kept}." if kept else ""
            text = (
                f"the battle could not be {self._what} ({type(fault).__name__}): these rules did not "
                f"make this save, or this program has a fault. All that was entered is kept.{where}"
            )
            self.fault_lines = (text,)


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


PAUSE = 0.001
"""Seconds that are left to the keys after each entry."""


class CourtJob(Background):
    """The readings of one battle as it stood when they were begun, as far as they are there.

    `present` gives the log as it stands. `verdicts` stand in the order of the variants of `cases`.
    """

    def __init__(self, system: RuleSystem, present: Callable[[], Timeline], save: Path | None) -> None:
        super().__init__("decided again")
        self.system, self.present, self.save = system, present, save
        self.timeline = present()
        self.cases: CourtCases | None = None
        self.verdicts: tuple[Verdict, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every reading is there."""
        return self.cases is not None and len(self.verdicts) == len(self.cases.tries)

    @property
    def up_to_date(self) -> bool:
        """Whether it is of the battle as it stands."""
        return self.timeline is self.present()

    def begin(self) -> None:
        """Goes on, or begins anew if the battle has gone on; does nothing while it works."""
        if self.working or (self.complete and self.up_to_date):
            return
        if not self.up_to_date:
            self.timeline, self.cases, self.verdicts = self.present(), None, ()
        self.done, self.of = 0, len(self.timeline.play_order)
        self._start(partial(self._work, self.timeline))

    def _work(self, timeline: Timeline) -> None:
        if self.cases is None:
            self.cases = cases_of(self.system, timeline, self._step, load_worth(self.system))
        for instead in self.cases.tries[len(self.verdicts) :]:
            self.verdicts += (replay(self.cases.control, instead, self._step),)

    def _step(self) -> None:
        self.done += 1
        if self._stop:
            raise Stopped
        sleep(PAUSE)
