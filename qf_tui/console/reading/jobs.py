"""Work on a battle in a thread beside the keys: the base of all such work."""

from collections.abc import Callable
from threading import Thread
from traceback import format_exception

from qf_tui.core.errors import QfError
from qf_tui.library.faults import fault_lines
from qf_tui.library.paths import keep_fault
from qf_tui.library.processes import Stopped


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


PAUSE = 0.001
"""Seconds that are left to the keys after each entry."""
