"""Background work on a battle in a thread: the base class."""

from collections.abc import Callable
from threading import Thread
from time import monotonic, sleep
from traceback import format_exception

from qf_tui.core.errors import QfError
from qf_tui.library.faults import format_faults
from qf_tui.library.paths import write_crash_report
from qf_tui.library.processes import Stopped

WORK, PAUSE = 0.004, 0.001
"""Seconds of work, and of the pause after it."""


class Background:
    """Work in a thread.

    Attributes:
        done: Number of entries that are done.
        of: Number of all entries.
        fault_lines: Reason for its end, if it failed.
    """

    def __init__(self, what: str) -> None:
        """Set what the work is called in a fault, such as "worked out"."""
        self.fault_lines: tuple[str, ...] = ()
        self.done, self.of = 0, 0
        self._what = what
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
        """End the work soon, and keep what is done."""
        self._stop = True

    def _start(self, work: Callable[[], None]) -> None:
        """Start a piece of work, which checks `_stop` and raises Stopped."""
        self._stop, self.fault_lines = False, ()
        self._thread = Thread(target=self._run_guarded, args=(work,), daemon=True)
        self._thread.start()

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of

    def _pause(self) -> None:
        """Give the keys their turn after a few milliseconds of work.

        Raises:
            Stopped: The work was stopped.
        """
        if self._stop:
            raise Stopped
        if monotonic() - self._paused_at > WORK:
            sleep(PAUSE)
            self._paused_at = monotonic()

    def _run_guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Stopped:
            return
        except QfError as fault:
            self.fault_lines = format_faults(fault)
        except Exception as fault:  # noqa: BLE001 - in a thread of its own nobody else hears of it
            kept = write_crash_report("".join(format_exception(fault)))
            where = f" The details are in {kept}." if kept else ""
            text = (
                f"the battle could not be {self._what} ({type(fault).__name__}): these rules did not "
                f"make this save, or this program has an error. Every entry is kept.{where}"
            )
            self.fault_lines = (text,)
