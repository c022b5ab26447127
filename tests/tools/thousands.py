"""Battles by the thousand, measured: `python -m tests.tools.thousands WHAT [battles]`.

`workers`: battles a second by one process, by two, and by two workers of a local cluster, with the processor
seconds of each. `fair`: mirror matches of two ships by each doctrine in turn, whose intervals should hold
50%. `memory`: the memory of a process as battles go by.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from time import monotonic
from typing import Any

from distributed import LocalCluster

from qf_tui.features.simulation.doctrines import DOCTRINES, RUN
from qf_tui.features.simulation.jobs import Job, Run, open_executor, play_share
from qf_tui.features.simulation.simulate import (
    Question,
    SimulationResult,
    build_spec,
    list_pairs,
    simulate_battles,
)
from qf_tui.library.scenarios import load_scenario
from tests.features.simulation.duels import SYSTEMS, build_duel_spec
from tests.posix import load
from tests.systems import EVERYBODYS

resource: Any = import_module("resource")
"""Only Linux and macOS have it."""

PAIRS = list_pairs(())
LIKE = tuple((name, name) for name in DOCTRINES if name != RUN.name)
RUNS, OF_EACH, INSIDE_LEAST = 200, 200, 180
"""Runs of mirror matches, battles of each, and how many of the runs must hold 50%."""


def workers(battles: int) -> None:
    """Print battles a second of the clock, and the seconds of the processor."""
    alone = _measure("1 process", battles, open_executor(1, None))
    assert alone == _measure("2 processes", battles, open_executor(2, None))
    assert alone == _measure("2 workers of a cluster", battles, _start_cluster())


@contextmanager
def _start_cluster() -> Iterator[Run]:
    with (
        LocalCluster(  # type: ignore[no-untyped-call]  # it has no types
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=None
        ) as local,
        open_executor(1, local.scheduler_address) as run,
    ):
        yield run


def _measure(who: str, battles: int, opened: AbstractContextManager[Run]) -> SimulationResult:
    """Simulate the battles, print their speed and return the result; all processes have ended."""
    asked = build_spec(*load_scenario(EVERYBODYS, SYSTEMS), "workers")
    began, used = monotonic(), _read_processor_time()
    with opened as run:
        result = simulate_battles(Question(asked, PAIRS, battles), run)
        count = sum(tally.battles for tally in result.tallies.values())
    clock, processor = monotonic() - began, _read_processor_time() - used
    print(
        f"{who}: {count} battles, {count / clock:.2f} a second of the clock, "
        f"{processor:.1f} s of processor, load {load():.1f}",
        flush=True,
    )
    return result


def _read_processor_time() -> float:
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return float(own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime)


def fair(runs: int) -> None:
    """Print how many runs of mirror matches have an interval that holds 50%."""
    with open_executor(os.cpu_count() or 1, None) as run:
        inside = sum(_holds_half(seed, run) for seed in range(runs))
    least = runs * INSIDE_LEAST // RUNS
    print(f"50% inside in {inside} of {runs} runs of {OF_EACH} battles; at least {least} are wanted")


def _holds_half(seed: int, run: Run) -> bool:
    pair = LIKE[seed % len(LIKE)]
    asked = Question(build_duel_spec(f"fair {seed}", rules="advanced-quickfire"), (pair,), OF_EACH)
    chance = simulate_battles(asked, run).tallies[pair].estimate_score("blue")
    return chance.least <= 0.5 <= chance.most


def memory(battles: int) -> None:
    """Print the peak memory of the process, ten times as battles go by."""
    asked, each = build_duel_spec("memory", rules="advanced-quickfire"), max(1, battles // 10)
    for at in range(0, battles, each):
        play_share(Job(asked, PAIRS[at // each % len(PAIRS)], at, at + each))
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{at + each:,} battles: {held:.1f} MB at most", flush=True)


WHAT: dict[str, tuple[Callable[[int], None], int]] = {
    "workers": (workers, 50),
    "fair": (fair, RUNS),
    "memory": (memory, 10_000),
}

if __name__ == "__main__":
    work, usual = WHAT[sys.argv[1]]
    work(int(sys.argv[2]) if len(sys.argv) > 2 else usual)
