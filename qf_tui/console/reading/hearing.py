"""The rules court at work in the background, while orders are entered, until it is stopped."""

from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import sleep
from traceback import format_exception

from qf_tui.analysis.court import Docket, docket_of, heard
from qf_tui.analysis.verdicts import Verdict
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.library.crash_report import keep_fault
from qf_tui.library.worth_file import load_worth

PAUSE = 0.001
"""Seconds that are left to the keys after each entry."""


class _Stopped(Exception):
    """The work was stopped before its end."""


class Hearing:
    """The readings of one battle as it stood when they were begun, as far as they are there.

    `present` gives the log as it stands. `verdicts` stand in the order of the docket's tries; `fault` is what
    ended the work, "" if nothing did.
    """

    def __init__(self, system: RuleSystem, present: Callable[[], Timeline], save: Path | None) -> None:
        self.system, self.present, self.save = system, present, save
        self.timeline = present()
        self.docket: Docket | None = None
        self.verdicts: tuple[Verdict, ...] = ()
        self.fault = ""
        self.decided = 0
        self._thread: Thread | None = None
        self._stop = False

    @property
    def working(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

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
        self._stop, self.fault, self.decided = False, "", 0
        self._thread = Thread(target=self._work, args=(self.timeline,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the work soon; what is there stays."""
        self._stop = True

    def _work(self, timeline: Timeline) -> None:
        try:
            if self.docket is None:
                self.docket = docket_of(self.system, timeline, self._step, load_worth(self.system))
            for instead in self.docket.tries[len(self.verdicts) :]:
                self.verdicts += (heard(self.docket.control, instead, self._step),)
        except _Stopped:
            return
        except QfError as fault:
            self.fault = str(fault)
        except Exception as fault:  # noqa: BLE001 - in a thread of its own nobody else hears of it
            kept = keep_fault("".join(format_exception(fault)))
            where = f" What went wrong is written down in {kept}." if kept else ""
            self.fault = (
                f"the battle could not be decided again ({type(fault).__name__}): either a stranger's save "
                f"says what no rules made, or this program is at fault. All that was entered is kept.{where}"
            )

    def _step(self) -> None:
        self.decided += 1
        if self._stop:
            raise _Stopped
        sleep(PAUSE)
