"""Where battles are played: here, by other processes, or by a cluster. Nothing else differs."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice

from qf_tui.analysis.whole import Stopped
from qf_tui.core.errors import QfError
from qf_tui.library import processes
from qf_tui.library.processes import LOOKS, begin_worker, stop_pool, without_interrupts
from qf_tui.simulation.job import Job, play
from qf_tui.simulation.tally import Tally

AHEAD = 4
"""Shares that wait for each process, so that none is idle and memory stays flat."""
DEATHS_MOST = 5
"""Times that processes may end in the middle of their work before it is given up."""

Done = tuple[Job, Tally]
Run = Callable[[Sequence[Job]], Iterator[Done]]
"""Plays shares of the work anywhere, in any order, and gives each with what came of it."""


def here(jobs: Sequence[Job]) -> Iterator[Done]:
    """Plays the shares one after the other, in this process."""
    return ((job, play(job)) for job in jobs)


def executor(processes: int, cluster: str | None) -> AbstractContextManager[Run]:
    """Where to play: on a cluster by its address, or in so many processes, of which one is this one."""
    if cluster is not None:
        from qf_tui.simulation.cluster import on_cluster

        return on_cluster(cluster)
    return nullcontext(here) if processes == 1 else in_processes(processes)


@contextmanager
def in_processes(count: int, stopped: Callable[[], bool] = lambda: False) -> Iterator[Run]:
    """So many processes, which end with the block; a share whose process ends is played again.

    Stopped soon after `stopped` says so, however long a share takes.
    """
    crew = _Crew(count, stopped)
    try:
        yield crew.run
    finally:
        crew.stop()


class _Crew:
    """Processes that play shares."""

    def __init__(self, count: int, stopped: Callable[[], bool]) -> None:
        self._count, self._stopped = count, stopped
        self._deaths = 0
        self._pool = processes.new_pool(count, begin_worker)

    def stop(self) -> None:
        stop_pool(self._pool)

    def run(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """The shares as they are done."""
        left, waiting = iter(jobs), dict[Future[Tally], Job]()
        again: list[Job] = []
        while True:
            for job in (*again, *islice(left, self._count * AHEAD - len(waiting) - len(again))):
                waiting[self._submit(job)] = job
            again = []
            if not waiting:
                return
            done, _ = wait(waiting, LOOKS, FIRST_COMPLETED)
            if self._stopped():
                raise Stopped
            for future in done:
                job = waiting.pop(future)
                try:
                    yield job, future.result()
                except BrokenProcessPool:
                    again.append(job)
            if again:
                again += waiting.values()
                waiting = {}
                self._begin_anew()

    def _submit(self, job: Job) -> "Future[Tally]":
        try:
            with without_interrupts():
                return self._pool.submit(play, job)
        except BrokenProcessPool:
            self._begin_anew()
            return self._submit(job)

    def _begin_anew(self) -> None:
        """Other processes, where one has ended in the middle of its work."""
        self._deaths += 1
        if self._deaths > DEATHS_MOST:
            raise QfError("the battles cannot be played: processes end again and again; memory may be short")
        stop_pool(self._pool)
        self._pool = processes.new_pool(self._count, begin_worker)
