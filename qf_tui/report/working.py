"""The analysis of a battle that lies in a save: worked by several processes where that is worth it.

A worker opens the save for itself and works slices of the play order; nothing but texts and numbers comes
back. It is started anew (spawn), so that it has nothing of a console that may be running here.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.analysis.deeds import deeds_of
from qf_tui.analysis.losses import losses_of
from qf_tui.analysis.story import story_of
from qf_tui.analysis.throws import throws_of
from qf_tui.analysis.values import Analysis, Step
from qf_tui.analysis.whole import Run, analyse
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, opened
from qf_tui.core.worth import Worth
from qf_tui.library.systems import find_systems
from qf_tui.session import Session

SEVERAL = 400
"""Entries from which on several processes have done sooner what one can."""
WORKERS_MOST = 8

GoesOn = Callable[[int, int], bool]
"""Asked behind each slice, with how many entries are done and of how many, whether to go on."""


def work_out(
    system: RuleSystem,
    timeline: Timeline,
    save: Path | None,
    *,
    weights: Mapping[str, float] | None = None,
    goes_on: GoesOn = lambda done, of: True,
) -> Analysis:
    """All that is found of a battle; `save` is where it lies, None where it is kept in memory alone.

    `weights` are an umpire's own, by the parts of a ship's worth. Stopped where `goes_on` says no.
    """
    worth = system.worth.weighted(weights or {})
    workers = min(os.cpu_count() or 1, WORKERS_MOST)
    if save is not None and workers > 1 and len(timeline.play_order) >= SEVERAL:
        battle = _Saved(save, len(timeline.log), dict(weights or {}))
        try:
            with _working(battle, workers) as run:
                return _whole(system, timeline, analyse(system, timeline, worth, run=run, goes_on=goes_on))
        except (BrokenProcessPool, OSError):
            # There is no memory for more processes, or none may be started: it is only slower so.
            pass
    return _whole(system, timeline, analyse(system, timeline, worth, goes_on=goes_on))


def _whole(system: RuleSystem, timeline: Timeline, found: Analysis) -> Analysis:
    """An analysis with what its throws tell of the battle."""
    throws = found.throws
    return evolve(
        found,
        story=story_of(system, timeline, throws),
        losses=losses_of(system, timeline, throws),
        deeds=deeds_of(system, throws),
    )


@frozen
class _Saved:
    """What a worker needs to have the same battle: the save, how many acts of it, and an umpire's weights."""

    save: Path
    acts: int
    weights: Mapping[str, float]

    def open(self) -> tuple[RuleSystem, Worth, Timeline]:
        """The battle; QfError if it is there no more."""
        session = Session.look(self.save, find_systems())
        timeline = session.timeline
        if len(timeline.log) < self.acts:
            raise QfError(f"{self.save}: it has become shorter while it was read")
        if len(timeline.log) > self.acts:
            timeline = opened(timeline.start, timeline.log[: self.acts])
        return session.system, session.system.worth.weighted(self.weights), timeline


@contextmanager
def _working(battle: _Saved, workers: int) -> Iterator[Run]:
    """Within it, slices are worked by processes; behind it there is none of them, whatever happened."""
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(battle,)
    )

    def run(places: Sequence[range]) -> Iterator[tuple[Step, ...]]:
        return pool.map(_work, places)

    try:
        yield run
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            if worker not in others:
                worker.terminate()


_battle: list[tuple[RuleSystem, Worth, Timeline]] = []
"""The battle of this worker."""


def _begin(battle: _Saved) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    _battle[:] = [battle.open()]


def _work(places: range) -> tuple[Step, ...]:
    system, worth, timeline = _battle[0]
    return throws_of(system, worth, timeline, places)
