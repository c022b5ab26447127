"""Benchmarks: each figure beside a limit that is measured in the same run. Run it as a script.

    python -m tests.tools.benchmark   (what is drawn: tests.tools.benchmark_console)

Prints ratios; it asserts nothing, for machines differ and drift.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from qf_tui.core.timeline import opened
from qf_tui.journal.reading import read_save
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session

SCENARIO = "yellow-sea-1904"
RUNS = 7


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median time of several runs, after one that does not count."""
    work()
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def show(what: str, ours: float, limit: float, of: str) -> None:
    print(f"{what:<44} {ours * 1000:9.2f} ms   {of:<28} {limit * 1000:9.2f} ms   ratio {ours / limit:6.2f}")


def append(folder: Path) -> None:
    """An entry on the disk and decided, against a bare write and fsync of a line as long."""
    system, start = load_scenario(SCENARIO, find_systems())
    session = Session.begin(system, start, folder / "append.qfb")
    note = "note the umpire writes a line of about this length"
    ours = seconds(lambda: session.enter(note), 200)
    line = (folder / "append.qfb").read_bytes().splitlines(keepends=True)[-1]
    descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def bare() -> None:
        os.write(descriptor, line)
        os.fsync(descriptor)

    show("an entry, recorded", ours, seconds(bare, 200), "bare write + fsync")
    os.close(descriptor)
    session.close()


def opening(folder: Path) -> None:
    """Opening a save of 600 entries, against one of none."""
    system, start = load_scenario(SCENARIO, find_systems())
    empty, full = folder / "empty.qfb", folder / "full.qfb"
    Session.begin(system, start, empty).close()
    session = Session.begin(system, start, full)
    entries = Path(__file__).parent.parent / "golden" / f"{SCENARIO}.orders"
    orders = [line for line in entries.read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")]
    while len(session.timeline.log) < 600:
        done = len(session.timeline.log)
        session.enter(orders[done] if done < len(orders) else f"note entry {done + 1}")
    session.close()

    def read(path: Path) -> None:
        save = read_save(path)
        opened(save.header.start, save.log)

    show("opening 600 entries", seconds(lambda: read(full)), seconds(lambda: read(empty)), "an empty battle")
    print(f"{'bytes an entry':<44} {(full.stat().st_size - empty.stat().st_size) / 600:9.0f}")


def main() -> None:
    """All benchmarks, one line each."""
    with tempfile.TemporaryDirectory() as folder:
        append(Path(folder))
        opening(Path(folder))


if __name__ == "__main__":
    main()
