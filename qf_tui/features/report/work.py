"""Works out the report of a battle and writes it into a file: here, or in processes that open its save again.

Other processes keep a console's keys free, and share long work among the processors.
"""

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import TypeVar

from attrs import evolve, frozen

from qf_tui.core.declarations import Worth
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.scripts import csv_text
from qf_tui.document.text import markdown_text
from qf_tui.features.report.document import BattleReport, make_report
from qf_tui.features.report.rows import json_text
from qf_tui.features.report.story import analyse, gathered, slices
from qf_tui.features.report.throws import throws_of
from qf_tui.features.report.values import Analysis, LuckStep
from qf_tui.journal.disk import write_whole
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.library.paths import SAVE, free_names, own
from qf_tui.library.processes import LOOKS, Stopped, begin_worker, new_pool, stop_pool
from qf_tui.library.settings import load_worth
from qf_tui.library.systems import find_systems
from qf_tui.operating_systems import without_interrupts
from qf_tui.session.saves import header_of, open_timeline, rules_by

MANY = 400
"""Entries from which other processes are worth their start, where nobody waits at keys."""
WORKERS_MOST = 8
FEW = 60
"""Entries of a battle without a save up to which other processes are not worth their start."""
SMALL = 2
"""Entries worked at once in one process beside keys."""
PAUSE = 0.005
"""Seconds then left to the keys."""
TURN = 0.0002
"""Seconds that a thread keeps the processor there while another waits for it."""

UNSAVED = "battle"
"""What the report of a battle without a save is called after."""

Progress = Callable[[int, int], object]
"""Takes how many entries are done, and of how many."""
Projection = Callable[[RuleSystem, Timeline], Timeline]
"""What may be known of a battle; None where it stands: all."""
_Result = TypeVar("_Result")


@frozen
class ReportSource:
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
    """The analysis of what is `known` of a battle; of a long one by several processes, if it has a save.

    Stopped if `stopped` says so; QfError for weights of parts that do not exist.
    """
    goes_on = _goes_on(progress, stopped)
    worth = system.worth.weighted(weights or {})
    shown = known(system, timeline) if known else timeline
    if save is None or len(shown.play_order) < MANY:
        return analyse(system, shown, worth, goes_on=goes_on)
    with _crew(ReportSource(save, len(timeline.log), weights or {}, known), stopped) as crew:
        return analyse(system, shown, worth, run=partial(crew.run, shown), goes_on=goes_on)


def work_out_report(
    system: RuleSystem,
    timeline: Timeline,
    save: Path | None,
    progress: Progress,
    stopped: Callable[[], bool],
) -> BattleReport:
    """The report of a battle, worked out beside keys: by other processes, or if it is short, here in slices.

    Worth is by the umpire's own weights. Stopped if `stopped` says so; FileFaults for a faulty file of
    weights.
    """
    worth, goes_on = load_worth(system), _goes_on(progress, stopped)
    if save is None and (len(timeline.play_order) < FEW or system.name not in find_systems()):
        with _quick_turns():
            analysis = _beside_keys(system, timeline, worth, goes_on, stopped)
            return make_report(system, timeline, analysis, worth)
    weights = {part.name: part.weight for part in worth.parts}
    steps: list[LuckStep] = []
    with (
        nullcontext(save) if save else _written(system, timeline) as path,
        _crew(ReportSource(path, len(timeline.log), weights), stopped) as crew,
    ):
        for few in crew.run(timeline, slices(timeline)):
            steps.extend(few)
            if not goes_on(len(steps), len(timeline.play_order)):
                raise Stopped
        return crew.report(steps)


@contextmanager
def _written(system: RuleSystem, timeline: Timeline) -> Iterator[Path]:
    """A battle that is only in memory, in a file for others to open; the file goes with the block."""
    with TemporaryDirectory(prefix="qf-tui-") as folder:
        path = Path(folder) / f"battle{SAVE}"
        journal = Journal.create(path, header_of(system, timeline.start))
        try:
            for act in timeline.log:
                journal.append(act)
        finally:
            journal.close()
        yield path


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
    system: RuleSystem,
    timeline: Timeline,
    worth: Worth,
    goes_on: Callable[[int, int], bool],
    stopped: Callable[[], bool],
) -> Analysis:
    def run(places: Sequence[range]) -> Iterator[tuple[LuckStep, ...]]:
        for part in places:
            steps: list[LuckStep] = []
            for at in range(part.start, part.stop, SMALL):
                if stopped():
                    raise Stopped
                few = range(at, min(at + SMALL, part.stop))
                steps.extend(throws_of(system, worth, timeline, few))
                sleep(PAUSE)
            yield tuple(steps)

    return analyse(system, timeline, worth, run=run, goes_on=goes_on)


def _goes_on(progress: Progress, stopped: Callable[[], bool]) -> Callable[[int, int], bool]:
    """Reports how far the work has come, and asks whether it is to go on."""

    def ask(done: int, of: int) -> bool:
        progress(done, of)
        return not stopped()

    return ask


@contextmanager
def _crew(battle: ReportSource, stopped: Callable[[], bool]) -> Iterator["_ReportWorkers"]:
    """Processes that have a save open; none is left behind the block."""
    pool = new_pool(min(os.cpu_count() or 1, WORKERS_MOST), _begin, (battle,))
    try:
        yield _ReportWorkers(pool, stopped)
    finally:
        stop_pool(pool)


@frozen
class _ReportWorkers:
    """Processes that have a save open."""

    pool: ProcessPoolExecutor
    stopped: Callable[[], bool]

    def run(self, timeline: Timeline, places: Sequence[range]) -> Iterator[tuple[LuckStep, ...]]:
        """The steps of slices, in their order; what the last quarter has most to roll in is worked first."""

        def rolls(part: range) -> int:
            return sum(timeline.versions[timeline.play_order[at]].order.is_answer for at in part)

        # Else one process would wait for a long slice of another at the end.
        late = len(places) * 3 // 4
        order = [*places[:late], *sorted(places[late:], key=rolls, reverse=True)]
        with without_interrupts():  # the first of them starts the processes, which take this over
            waiting = {part: self.pool.submit(_work, part) for part in order}
        return map(self.result, [waiting[part] for part in places])

    def report(self, steps: Sequence[LuckStep]) -> BattleReport:
        """The report that follows from all steps."""
        return self.result(self.pool.submit(_report, tuple(steps)))

    def result(self, future: "Future[_Result]") -> _Result:
        """The result of a piece of work; Stopped soon after that is asked for."""
        while True:
            try:
                return future.result(LOOKS)
            except TimeoutError:
                if self.stopped():
                    raise Stopped from None
            except BrokenProcessPool as fault:
                raise QfError(
                    "the battle could not be worked out: a process working on it ended; memory may be short"
                ) from fault


_MANY_LEFT = 100_000
"""Values that came and did not go, after which the collector has a look."""
_given: list[ReportSource] = []
"""The battle that this process is to work on."""


def _begin(battle: ReportSource) -> None:
    begin_worker()
    _given.append(battle)
    # Prices are made of values that go when the last of those who hold them does: of them no more is left.
    gc.disable()


@cache
def _opened() -> tuple[RuleSystem, Timeline, Worth]:
    """The save as it was when the work began; what is wrong with it is a fault of the first slice."""
    (battle,), systems = _given, find_systems()
    save = battle.save
    read = read_save(save, rules_by(systems))
    if len(read.log) < battle.acts:
        raise QfError(f"{save.name}: it has fewer acts than when the work began. Start again.")
    system, timeline = open_timeline(evolve(read, log=read.log[: battle.acts]), systems)
    shown = battle.known(system, timeline) if battle.known else timeline
    gc.freeze()
    return system, shown, system.worth.weighted(battle.weights)


def _work(places: range) -> tuple[LuckStep, ...]:
    system, timeline, worth = _opened()
    steps = throws_of(system, worth, timeline, places)
    # To go through all that is read of the battle takes longer with each slice.
    if gc.get_count()[0] > _MANY_LEFT:
        gc.collect()
    return steps


def _report(steps: Sequence[LuckStep]) -> BattleReport:
    system, timeline, worth = _opened()
    return make_report(system, timeline, gathered(system, timeline, worth, steps), worth)


class FileKind(StrEnum):
    """A kind of file, by its suffix."""

    HTML = "html"
    MARKDOWN = "md"
    CSV = "csv"
    JSON = "json"

    @property
    def encoding(self) -> str:
        """With a mark for spreadsheets, which take a file without it for one of their own code page."""
        return "utf-8-sig" if self is FileKind.CSV else "utf-8"


def report_text(report: BattleReport, kind: FileKind) -> str:
    """The text of a file."""
    if kind is FileKind.HTML:
        from qf_tui.features.report.page import html_text

        return html_text(report.document)
    if kind is FileKind.MARKDOWN:
        return markdown_text(report.document)
    return json_text(report.analysis) if kind is FileKind.JSON else csv_text(report.throws)


def keep_report(report: BattleReport, save: Path | None, kind: FileKind) -> Path:
    """Writes a report beside its save, or into the user's own folder, under the first name that is free.

    Gives that path; QfError where it cannot be written.
    """
    folder = own("reports") if save is None else save.parent
    stem = UNSAVED if save is None else save.stem
    text = report_text(report, kind).encode(kind.encoding)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in free_names(folder / f"{stem}-report.{kind.value}"):
            try:
                write_whole(path, text)
            except FileExistsError:
                continue
            return path
    except OSError as fault:
        why = fault.strerror or str(fault)
        raise QfError(f"the report could not be written to {folder}: {why}. Nothing was changed.") from fault
    raise AssertionError
