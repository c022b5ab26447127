"""A battle worked out for a report: here, or by processes that open its save again, and stopped when asked.

Other processes leave the keys of a console alone, and share long work among the processors.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from types import TracebackType
from typing import Self, TypeVar

from attrs import evolve, frozen

from qf_tui.analysis.court import Variant, Verdict
from qf_tui.analysis.story import Stopped, analyse, gathered, slices
from qf_tui.analysis.throws import throws_of
from qf_tui.analysis.values import Analysis, LuckStep
from qf_tui.core.builtin_forms import AMEND, CHART, INSERT, OPTION
from qf_tui.core.declarations import Worth
from qf_tui.core.errors import QfError
from qf_tui.core.revisions import Revision, work_out
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, Version
from qf_tui.core.values import Order
from qf_tui.document.report import BattleReport, make_report
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.library.paths import SAVE
from qf_tui.library.processes import LOOKS, begin_worker, new_pool, stop_pool, without_interrupts
from qf_tui.library.settings import load_worth
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import header_of, open_timeline, rules_by, worked_out_by

MANY = 400
"""Entries from which on it is worth starting other processes, where nobody waits at keys."""
WORKERS_MOST = 8
FEW = 60
"""Entries of a battle without a save up to which other processes are not worth their start."""
SMALL = 2
"""Entries that are worked at once beside keys in one process."""
PAUSE = 0.005
"""Seconds that are left to the keys then."""
TURN = 0.0002
"""Seconds that a thread keeps the processor there while another waits for it."""

Progress = Callable[[int, int], object]
"""Told how many entries are done, and of how many."""
_Result = TypeVar("_Result")
Projection = Callable[[RuleSystem, Timeline], Timeline]
"""What may be known of a battle; None where it stands: all."""


@frozen
class SavedBattle:
    """What is `known` of the first acts of a save; `weights` are the umpire's own."""

    save: Path
    acts: int
    weights: Mapping[str, float]
    known: Projection | None = None


def full_analysis(
    system: RuleSystem,
    timeline: Timeline,
    save: Path | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    progress: Progress = lambda done, of: None,
    stopped: Callable[[], bool] = lambda: False,
    known: Projection | None = None,
) -> Analysis:
    """All that is found of what is `known` of a battle; of a long one by several processes, if it has a save.

    Stopped if `stopped` says so; QfError for weights of parts that there are not.
    """
    goes_on = _goes_on(progress, stopped)
    worth = system.worth.weighted(weights or {})
    shown = known(system, timeline) if known else timeline
    if save is None or len(shown.play_order) < MANY:
        return analyse(system, shown, worth, goes_on=goes_on)
    with _Crew(SavedBattle(save, len(timeline.log), weights or {}, known), stopped) as crew:
        return analyse(system, shown, worth, run=crew.run, goes_on=goes_on)


def work_out_report(
    system: RuleSystem,
    timeline: Timeline,
    save: Path | None,
    progress: Progress,
    stopped: Callable[[], bool],
) -> BattleReport:
    """The report of a battle, worked out beside keys: by other processes, or if it is short, here in slices.

    Worth is by the umpire's own weights. Stopped if `stopped` says so; FileFaults for a file of weights with
    faults.
    """
    worth = load_worth(system)
    if save is None and (len(timeline.play_order) < FEW or system.name not in find_systems()):
        with _quick_turns():
            found = _beside_keys(system, timeline, worth, progress, stopped)
            return make_report(system, timeline, found, worth)
    with nullcontext(save) if save else _written(system, timeline) as path:
        weights = {part.name: part.weight for part in worth.parts}
        return _by_others(SavedBattle(path, len(timeline.log), weights), timeline, progress, stopped)


@contextmanager
def _written(system: RuleSystem, timeline: Timeline) -> Iterator[Path]:
    """A file that a battle in memory alone is written into for others to open; it is gone behind it."""
    with TemporaryDirectory(prefix="qf-tui-") as folder:
        path = Path(folder) / f"battle{SAVE}"
        journal = Journal.create(path, header_of(system, timeline.start))
        try:
            for act in timeline.log:
                journal.append(act)
        finally:
            journal.close()
        yield path


def _by_others(
    kept: SavedBattle, timeline: Timeline, progress: Progress, stopped: Callable[[], bool]
) -> BattleReport:
    of, steps = len(timeline.play_order), list[LuckStep]()
    with _Crew(kept, stopped) as crew:
        for found_of_slice in crew.run(slices(timeline)):
            steps.extend(found_of_slice)
            progress(len(steps), of)
            if stopped():
                raise Stopped
        return crew.report(steps)


@contextmanager
def _quick_turns() -> Iterator[None]:
    """Within it threads take turns more often: keys ask for theirs a hundred times each."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _beside_keys(
    system: RuleSystem, timeline: Timeline, worth: Worth, progress: Progress, stopped: Callable[[], bool]
) -> Analysis:
    def run(places: Sequence[range]) -> Iterator[tuple[LuckStep, ...]]:
        for one in places:
            steps: list[LuckStep] = []
            for at in range(one.start, one.stop, SMALL):
                if stopped():
                    raise Stopped
                few = range(at, min(at + SMALL, one.stop))
                steps.extend(throws_of(system, worth, timeline, few))
                sleep(PAUSE)
            yield tuple(steps)

    return analyse(system, timeline, worth, run=run, goes_on=_goes_on(progress, stopped))


def _goes_on(progress: Progress, stopped: Callable[[], bool]) -> Callable[[int, int], bool]:
    """Tells how far the work has come, and asks whether it is to go on."""

    def ask(done: int, of: int) -> bool:
        progress(done, of)
        return not stopped()

    return ask


class _Crew:
    """Processes that have a save open; within `with`, behind which none of them is left."""

    def __init__(self, kept: SavedBattle, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        self._pool = new_pool(min(os.cpu_count() or 1, WORKERS_MOST), _begin, (kept,))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        stop_pool(self._pool)

    def run(self, places: Sequence[range]) -> Iterator[tuple[LuckStep, ...]]:
        """The steps of slices, in their order."""
        with without_interrupts():  # the first of them starts the processes, which take this over
            waiting = [self._pool.submit(_work, one) for one in places]
        return (self._result(one) for one in waiting)

    def report(self, steps: Sequence[LuckStep]) -> BattleReport:
        """What follows from all steps, as a report."""
        return self._result(self._pool.submit(_report, tuple(steps)))

    def _result(self, future: "Future[_Result]") -> _Result:
        """What came of a piece of work; Stopped soon after that is asked for."""
        while True:
            try:
                return future.result(LOOKS)
            except TimeoutError:
                if self._stopped():
                    raise Stopped from None
            except BrokenProcessPool as fault:
                raise QfError(
                    "the battle could not be worked out: a process for it ended; memory may be short"
                ) from fault


_given: list[SavedBattle] = []
"""The battle that this process is to work on."""


def _begin(kept: SavedBattle) -> None:
    begin_worker()
    _given.append(kept)


@cache
def _opened() -> tuple[RuleSystem, Timeline, Worth]:
    """The save as it was when the work was begun; what is wrong with it is a fault of the first slice."""
    (kept,), systems = _given, find_systems()
    read = read_save(kept.save, rules_by(systems))
    if len(read.log) < kept.acts:
        raise QfError(f"{kept.save.name}: it has fewer acts than it had as the work was begun. Begin again.")
    system, timeline = open_timeline(evolve(read, log=read.log[: kept.acts]), systems)
    shown = kept.known(system, timeline) if kept.known else timeline
    return system, shown, system.worth.weighted(kept.weights)


def _work(places: range) -> tuple[LuckStep, ...]:
    system, timeline, worth = _opened()
    return throws_of(system, worth, timeline, places)


def _report(steps: Sequence[LuckStep]) -> BattleReport:
    system, timeline, worth = _opened()
    return make_report(system, timeline, gathered(system, timeline, worth, steps), worth)


def make_branch(system: RuleSystem, timeline: Timeline, verdict: Verdict, copy: Callable[[], Path]) -> Path:
    """A copy of the save, in which is set from the start what the reading had otherwise.

    QfError if its rules refuse that, before anything is copied, or if no copy can be made.
    """
    for order in _orders(verdict):
        timeline = _worked_out(system, timeline, order, verdict.variant).after
    branch = copy()
    made = Session.resume(branch, {system.name: system})
    try:
        for order in _orders(verdict):
            made.record(_worked_out(made.system, made.timeline, order, verdict.variant))
    finally:
        made.close()
    return branch


def _worked_out(system: RuleSystem, timeline: Timeline, order: Order, instead: Variant) -> Revision:
    overlay = None if instead.option else instead.cells
    with worked_out_by(system):
        return work_out(system, timeline, order, lambda brought: Version(brought, (), overlay))


def _orders(verdict: Verdict) -> tuple[Order, ...]:
    """The correction that sets it from the start, and one for each entry that sets the switch itself."""
    sets = _sets(verdict.variant)
    return (
        Order(INSERT, {"n": 0, "order": sets}),
        *(Order(AMEND, {"n": number, "order": sets}) for number in verdict.overruled),
    )


def _sets(instead: Variant) -> Order:
    if instead.option:
        return Order(OPTION, {"name": instead.option, "value": instead.value})
    words = (instead.source,) if instead.place is None else ("court", *instead.place)
    return Order(CHART, {"file": words})
