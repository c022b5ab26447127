"""Benchmarks of corrections, each beside folding alone. Run it as a module.

    python -m tests.tools.benchmark_corrections

Prints milliseconds and the aims for them; it asserts nothing, for machines differ and drift.
"""

import gc
import statistics
import time
from collections.abc import Iterable

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Timeline, opened
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.corrections.long_battles import long_battle

SYSTEM = find_systems()["advanced-quickfire"]


def preview_times(timeline: Timeline, corrections: Iterable[str]) -> list[float]:
    """Seconds of each preview that is not refused; none of them is recorded."""
    session = Session(SYSTEM, timeline)
    times = []
    for text in corrections:
        gc.collect()
        begun = time.perf_counter()
        try:
            session.preview(text)
        except OrderRefused:
            continue
        times.append(time.perf_counter() - begun)
    return times


def folding_time(timeline: Timeline, runs: int = 5) -> float:
    """The median time of opening the log, which asks no rule."""
    times = []
    for _ in range(runs):
        gc.collect()
        begun = time.perf_counter()
        opened(timeline.start, timeline.log)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def corrections(timeline: Timeline, entries: Iterable[int]) -> list[str]:
    """Other dice, where an entry has dice.

    A strike, where it has none and does not end a phase; a remark else.
    """
    texts = []
    for number in entries:
        version = timeline.versions[number]
        if version.dice:
            texts.append(f"amend {number} {' '.join(str(face % 12 + 1) for face in version.dice)}")
        elif version.order.resolved == "next":
            texts.append(f"insert {number} note remembered")
        else:
            texts.append(f"strike {number}")
    return texts


def spread(first: int, last: int, count: int) -> list[int]:
    """So many places from the first to the last, evenly."""
    return [first + (last - first) * at // (count - 1) for at in range(count)]


def show(what: str, times: list[float], aim: float, folding: float) -> None:
    median, most = statistics.median(times) * 1000, max(times) * 1000
    met = "met" if most <= aim else "MISSED"
    print(
        f"{what:<40} {len(times):3} previews: median {median:8.1f} ms, most {most:8.1f} ms   "
        f"aim {aim:6.0f} ms {met}"
        f"   folding {folding * 1000:7.1f} ms, ratio {median / 1000 / folding:5.2f}"
    )


def main() -> None:
    """All benchmarks, one line each."""
    usual = long_battle(600)
    folding = folding_time(usual)
    show("any entry of 600", preview_times(usual, corrections(usual, spread(1, 600, 40))), 100, folding)
    show("one of the last 100 of 600", preview_times(usual, corrections(usual, range(501, 601))), 16, folding)
    nexts = [number for number in usual.play_order if usual.versions[number].order.resolved == "next"]
    strikes = [f"strike {number}" for number in nexts[:: max(1, len(nexts) // 8)]]
    show("the end of a phase of 600, struck", preview_times(usual, strikes), 100, folding)
    long = long_battle(10_000)
    folding = folding_time(long, 3)
    places = spread(1, 10_000, 9)
    show("any entry of 10,000", preview_times(long, corrections(long, places)), 1000, folding)
    last = preview_times(long, corrections(long, range(9901, 10_001, 5)))
    show("one of the last 100 of 10,000", last, 16, folding)


if __name__ == "__main__":
    main()
