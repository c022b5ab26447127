"""A figure of speed: its times, those of its limit in the same run, and how it is printed."""

import statistics
import time
from collections.abc import Callable

from attrs import frozen

SCENARIO = "yellow-sea-1904"


@frozen
class Row:
    """What was measured and its limit, in seconds; `count` bytes on the median, -1 where none are counted."""

    what: str
    ours: list[float]
    limit: list[float] | None = None
    aim: str = ""
    count: int = -1

    def __str__(self) -> str:
        median, late = _median(self.ours), _late(self.ours)
        words = f"{self.what:<46} {median:9.2f} ms  p99 {late:8.2f}"
        if self.limit:
            least = _median(self.limit)
            words += f"  limit {least:8.2f}  {median / least:5.2f}x  {(median - least) * 1000:+9.0f} us"
        words += f"  {self.count} bytes" if self.count >= 0 else ""
        return f"{words}  aim {self.aim}"


def _median(times: list[float]) -> float:
    return statistics.median(times) * 1000


def _late(times: list[float]) -> float:
    """The time that 99 of 100 stay under."""
    return sorted(times)[min(len(times) - 1, len(times) * 99 // 100)] * 1000


def times(work: Callable[[], object], runs: int) -> list[float]:
    """The seconds of each of several runs, after one that does not count."""
    work()
    return [seconds(work) for _ in range(runs)]


def seconds(work: Callable[[], object]) -> float:
    """The seconds of one run."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def by_turns(
    ours: Callable[[], object], limit: Callable[[], object], runs: int
) -> tuple[list[float], list[float]]:
    """The seconds of two, taken by turns, so that a busy moment is in both."""
    ours(), limit()
    pairs = [(seconds(ours), seconds(limit)) for _ in range(runs)]
    return [one for one, _ in pairs], [other for _, other in pairs]
