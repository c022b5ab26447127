"""Work on a battle beside the keys: in a thread of its own, until it is stopped, its faults in a sentence."""

from collections.abc import Callable
from threading import Thread
from traceback import format_exception

from qf_tui.analysis.story import Stopped
from qf_tui.core.errors import QfError
from qf_tui.library.faults import fault_lines
from qf_tui.library.paths import keep_fault


class Background:
    """What is worked on; `fault_lines` are what ended the work, none if nothing did."""

    def __init__(self, what: str) -> None:
        """`what` is done to the battle, as a fault says it: "worked out"."""
        self.fault_lines: tuple[str, ...] = ()
        self._what = what
        self._thread: Thread | None = None
        self._stop = False

    @property
    def fault(self) -> str:
        """All of the fault; "" without one."""
        return "\n".join(self.fault_lines)

    @property
    def fault_head(self) -> str:
        """The first line of the fault; "" without one."""
        return self.fault_lines[0] if self.fault_lines else ""

    @property
    def fault_parts(self) -> tuple[str, ...]:
        """The lines of the fault behind the first, as of a file with several faults."""
        return self.fault_lines[1:]

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

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Stopped:
            return
        except QfError as fault:
            self.fault_lines = fault_lines(fault)
        except Exception as fault:  # noqa: BLE001 - in a thread of its own nobody else hears of it
            kept = keep_fault("".join(format_exception(fault)))
            where = f" What went wrong is written down in {kept}." if kept else ""
            said = (
                f"the battle could not be {self._what} ({type(fault).__name__}): either a stranger's save "
                f"says what no rules made, or this program is at fault. All that was entered is kept.{where}"
            )
            self.fault_lines = (said,)
