"""The clock of the open battle: seconds since it began."""

from collections.abc import Callable, Iterable

from qf_tui.core.acts import LogAct


class BattleClock:
    """Counts seconds since the battle began; one that is gone on with counts on from its last act.

    `read` gives seconds from any beginning, and never runs back, as `time.monotonic` does.
    """

    def __init__(self, read: Callable[[], float], log: Iterable[LogAct]) -> None:
        self._read = read
        self._began = read() - max((act.at or 0.0 for act in log), default=0.0)

    def seconds(self) -> float:
        """Seconds since the battle began, to a tenth."""
        return round(self._read() - self._began, 1)
