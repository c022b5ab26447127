"""The base class for work on a battle in a background thread: its start and stop, its progress, its fault."""

from collections.abc import Callable
from threading import Thread
from time import monotonic, sleep
from traceback import format_exception

from qf_tui.core.errors import QfError
from qf_tui.library.faults import format_faults
from qf_tui.library.paths import write_crash_report
from qf_tui.library.processes import Stopped

WORK_S, PAUSE_S = 0.004, 0.001
"""Seconds of work, and of the pause after it."""


class Background:
    """The base of background work on a battle, which runs in a thread.

    Attributes:
        done: Number of entries that are done.
        total: Number of all entries.
        fault_lines: Why it failed, or ().
    """

    def __init__(self, verb: str) -> None:
        """Prepare the work.

        Args:
            verb: What is done to the battle, as a fault calls it, such as "worked out".
        """
        self.fault_lines: tuple[str, ...] = ()
        self.done, self.total = 0, 0
        self._what = verb
        self._thread: Thread | None = None
        self._stop = False
        self._paused_at = 0.0

    @property
    def fault(self) -> str:
        """The whole fault, or ""."""
        return "\n".join(self.fault_lines)

    @property
    def working(self) -> bool:
        """True while the thread works."""
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """End the work at its next pause, and keep the results so far."""
        self._stop = True

    def _start(self, work: Callable[[], None]) -> None:
        """Run a piece of work in a new thread. It must call `_pause` often, so that it can be stopped."""
        self._stop, self.fault_lines = False, ()
        self._thread = Thread(target=self._run_guarded, args=(work,), daemon=True)
        self._thread.start()

    def _count(self, done: int, total: int) -> None:
        """Record how many entries are done, of how many."""
        self.done, self.total = done, total

    def _pause(self) -> None:
        """Pause for a moment after a few milliseconds of work, so that keys are handled.

        Raises:
            Stopped: The work was stopped.
        """
        if self._stop:
            raise Stopped
        if monotonic() - self._paused_at > WORK_S:
            sleep(PAUSE_S)
            self._paused_at = monotonic()

    def _run_guarded(self, work: Callable[[], None]) -> None:
        """Run the work, and turn a fault into lines of text; an unexpected one is also written to a file.

        Work that was stopped leaves no lines.
        """
        try:
            work()
        except Stopped:
            return
        except QfError as fault:
            self.fault_lines = format_faults(fault)
        except Exception as fault:  # noqa: BLE001 - in a thread of its own nobody else hears of it
            report_path = write_crash_report("".join(format_exception(fault)))
            where = f" The details are in {report_path}." if report_path else ""
            text = (
                f"the battle could not be {self._what} ({type(fault).__name__}): these rules did not "
                f"make this save, or this program has an error. Every entry is kept.{where}"
            )
            self.fault_lines = (text,)
