"""Works out the report of a battle, and writes its files.

The work is done here or in other processes that open the save again. Other processes keep the keys of the
console responsive and share long work among the processors.
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
from qf_tui.features.report.document import BattleReport, make_report
from qf_tui.features.report.rows import format_analysis_json
from qf_tui.features.report.story import analyse, build_analysis, cut_slices
from qf_tui.features.report.text import format_csv, format_markdown
from qf_tui.features.report.throws import compute_steps
from qf_tui.features.report.values import Analysis, LuckStep
from qf_tui.journal.disk import write_file
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.library.paths import SAVE, find_own_folder, list_free_names
from qf_tui.library.processes import STOP_CHECK_S, Stopped, prepare_worker, start_pool, stop_pool
from qf_tui.library.settings import load_worth
from qf_tui.library.systems import find_systems
from qf_tui.operating_systems import delay_interrupts
from qf_tui.session.saves import build_header, make_rules_finder, open_timeline

WORKERS_FROM = 400
"""A command starts other processes for battles with at least this number of entries."""
WORKERS_MOST = 8
UNSAVED_WORKERS_FROM = 60
"""The console starts other processes for unsaved battles with at least this number of entries."""
PIECE_SIZE = 2
"""Number of entries worked out at once when the work shares the process with the keys."""
PAUSE_S = 0.005
"""Seconds of pause after each such piece of work, in which keys are handled."""
THREAD_SLICE_S = 0.0002
"""Seconds that such work may run while another thread waits."""

UNSAVED = "battle"
"""File name of the report of an unsaved battle, before `-report`."""

Progress = Callable[[int, int], object]
"""Function that takes the number of entries done and the number of all entries."""
Projection = Callable[[RuleSystem, Timeline], Timeline]
"""Function that reduces a timeline to what a viewer may know."""
_Result = TypeVar("_Result")


@frozen
class ReportSource:
    """The battle that worker processes open.

    Attributes:
        save: Path of the save.
        acts: Number of acts to read.
        weights: Weights of the umpire, by part of the worth.
        known: Function that reduces the battle to what a viewer may know, or None for the whole battle.
    """

    save: Path
    acts: int
    weights: Mapping[str, float]
    known: Projection | None = None


def analyse_battle(
    system: RuleSystem,
    timeline: Timeline,
    save: Path | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    progress: Progress = lambda done, of: None,
    stopped: Callable[[], bool] = lambda: False,
    known: Projection | None = None,
) -> Analysis:
    """Work out the analysis of a battle; several processes share a long battle that has a save.

    Args:
        save: Path of the save, or None if the battle is not saved.
        weights: Weights for parts of the worth, by name.
        progress: Function to call with the number of entries done and of all entries.
        stopped: Function that returns True once the work should stop.
        known: Function that reduces the battle to what a viewer may know, or None for the whole battle.

    Raises:
        Stopped: `stopped` returned True.
        QfError: A weight names an unknown part.
    """
    report_progress = _build_progress_check(progress, stopped)
    worth = system.worth.replace_weights(weights or {})
    known_timeline = known(system, timeline) if known else timeline
    if save is None or len(known_timeline.play_order) < WORKERS_FROM:
        return analyse(system, known_timeline, worth, report_progress=report_progress)
    with _start_workers(ReportSource(save, len(timeline.log), weights or {}, known), stopped) as workers:
        return analyse(
            system,
            known_timeline,
            worth,
            run=partial(workers.run, known_timeline),
            report_progress=report_progress,
        )


def work_out_report(
    system: RuleSystem,
    timeline: Timeline,
    save: Path | None,
    progress: Progress,
    stopped: Callable[[], bool],
) -> BattleReport:
    """Work out the report of a battle while keys stay responsive, with the umpire's own weights.

    Other processes do the work. A battle without a save is worked out here, in small pieces, if it is short
    or if other processes could not find its rule system.

    Raises:
        Stopped: `stopped` returned True.
        FileFaults: The file of weights is faulty.
    """
    worth = load_worth(system)
    report_progress = _build_progress_check(progress, stopped)
    is_short = len(timeline.play_order) < UNSAVED_WORKERS_FROM
    if save is None and (is_short or system.name not in find_systems()):
        with _switch_threads_often():
            analysis = _analyse_in_background(system, timeline, worth, report_progress, stopped)
            return make_report(system, timeline, analysis, worth)
    weights = {part.name: part.weight for part in worth.parts}
    steps: list[LuckStep] = []
    opened_save = nullcontext(save) if save else _write_temporary_save(system, timeline)
    with (
        opened_save as path,
        _start_workers(ReportSource(path, len(timeline.log), weights), stopped) as workers,
    ):
        for slice_steps in workers.run(timeline, cut_slices(timeline)):
            steps.extend(slice_steps)
            if not report_progress(len(steps), len(timeline.play_order)):
                raise Stopped
        return workers.build_report(steps)


@contextmanager
def _write_temporary_save(system: RuleSystem, timeline: Timeline) -> Iterator[Path]:
    """Write an unsaved battle to a temporary file for other processes; delete it when the block ends."""
    with TemporaryDirectory(prefix="qf-tui-") as folder:
        path = Path(folder) / f"battle{SAVE}"
        journal = Journal.create(path, build_header(system, timeline.start))
        try:
            for act in timeline.log:
                journal.append(act)
        finally:
            journal.close()
        yield path


@contextmanager
def _switch_threads_often() -> Iterator[None]:
    """Switch threads more often inside the block, because a key press needs many such switches."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(THREAD_SLICE_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _analyse_in_background(
    system: RuleSystem,
    timeline: Timeline,
    worth: Worth,
    report_progress: Callable[[int, int], bool],
    stopped: Callable[[], bool],
) -> Analysis:
    """Work out the analysis in this process, in small pieces with pauses that leave time to the keys.

    Raises:
        Stopped: The work should stop.
    """

    def run(places: Sequence[range]) -> Iterator[tuple[LuckStep, ...]]:
        for part in places:
            steps: list[LuckStep] = []
            for first_place in range(part.start, part.stop, PIECE_SIZE):
                if stopped():
                    raise Stopped
                piece = range(first_place, min(first_place + PIECE_SIZE, part.stop))
                steps.extend(compute_steps(system, worth, timeline, piece))
                sleep(PAUSE_S)
            yield tuple(steps)

    return analyse(system, timeline, worth, run=run, report_progress=report_progress)


def _build_progress_check(progress: Progress, stopped: Callable[[], bool]) -> Callable[[int, int], bool]:
    """Build a function that reports progress and returns False once the work should stop."""

    def report_progress(done: int, of: int) -> bool:
        progress(done, of)
        return not stopped()

    return report_progress


@contextmanager
def _start_workers(source: ReportSource, stopped: Callable[[], bool]) -> Iterator["_ReportWorkers"]:
    """Start worker processes that open a save, and stop them when the block ends."""
    pool = start_pool(min(os.cpu_count() or 1, WORKERS_MOST), _begin_process, (source,))
    try:
        yield _ReportWorkers(pool, stopped)
    finally:
        stop_pool(pool)


@frozen
class _ReportWorkers:
    """A pool of worker processes that have opened the same save."""

    pool: ProcessPoolExecutor
    stopped: Callable[[], bool]

    def run(self, timeline: Timeline, slices: Sequence[range]) -> Iterator[tuple[LuckStep, ...]]:
        """Start all slices in the workers, and return an iterator over their steps, in their order.

        Slices of the last quarter are started in the order of how many rolls they hold, the most first.
        """

        def count_rolls(part: range) -> int:
            return sum(timeline.versions[timeline.play_order[place]].order.is_answer for place in part)

        # A long slice at the end would keep one process busy while the others wait.
        last_quarter_at = len(slices) * 3 // 4
        order = [*slices[:last_quarter_at], *sorted(slices[last_quarter_at:], key=count_rolls, reverse=True)]
        with delay_interrupts():  # the first task starts the processes, which inherit the signal mask
            future_by_slice = {part: self.pool.submit(_compute_slice, part) for part in order}
        return map(self.wait_for, [future_by_slice[part] for part in slices])

    def build_report(self, steps: Sequence[LuckStep]) -> BattleReport:
        """Build the report from the steps of all entries, in a worker."""
        return self.wait_for(self.pool.submit(_build_report, tuple(steps)))

    def wait_for(self, future: "Future[_Result]") -> _Result:
        """Wait for the result of a task.

        Raises:
            Stopped: The work should stop.
            QfError: A worker process ended early.
        """
        while True:
            try:
                return future.result(STOP_CHECK_S)
            except TimeoutError:
                if self.stopped():
                    raise Stopped from None
            except BrokenProcessPool as fault:
                raise QfError(
                    "the battle could not be worked out: a process working on it ended; memory may be short"
                ) from fault


_MANY_LEFT = 100_000
"""A worker collects garbage if more values than this were created and not freed."""
_sources: list[ReportSource] = []
"""The battle that this process works on, as the only item; empty outside of a worker."""


def _begin_process(source: ReportSource) -> None:
    """Set a worker process up for a battle."""
    prepare_worker()
    _sources.append(source)
    # Values of the pricing are freed without the collector, which would only cost time.
    gc.disable()


@cache
def _open_battle() -> tuple[RuleSystem, Timeline, Worth]:
    """Open the save with the acts that it had when the work began, reduced to what a viewer may know.

    The first slice opens it, rather than `_begin_process`, so that `wait_for` can raise a fault of the save.

    Raises:
        QfError: The save has fewer acts than when the work began.
    """
    (source,) = _sources
    systems = find_systems()
    save = source.save
    save_content = read_save(save, make_rules_finder(systems))
    if len(save_content.log) < source.acts:
        raise QfError(f"{save.name}: it has fewer acts than when the work began. Start again.")
    system, timeline = open_timeline(evolve(save_content, log=save_content.log[: source.acts]), systems)
    known_timeline = source.known(system, timeline) if source.known else timeline
    # Later collections skip the objects that exist now.
    gc.freeze()
    return system, known_timeline, system.worth.replace_weights(source.weights)


def _compute_slice(places: range) -> tuple[LuckStep, ...]:
    """Work out the steps of a slice, in a worker."""
    system, timeline, worth = _open_battle()
    steps = compute_steps(system, worth, timeline, places)
    # A collection takes longer with each slice, so it waits until it may free much.
    if gc.get_count()[0] > _MANY_LEFT:
        gc.collect()
    return steps


def _build_report(steps: Sequence[LuckStep]) -> BattleReport:
    """Build the report from the steps of all entries, in a worker."""
    system, timeline, worth = _open_battle()
    return make_report(system, timeline, build_analysis(system, timeline, worth, steps), worth)


class FileKind(StrEnum):
    """A kind of report file; the value is its suffix."""

    HTML = "html"
    MARKDOWN = "md"
    CSV = "csv"
    JSON = "json"

    @property
    def encoding(self) -> str:
        """The text encoding; CSV has a byte order mark.

        Without the mark, a spreadsheet reads the file in a code page of its own.
        """
        return "utf-8-sig" if self is FileKind.CSV else "utf-8"


def format_report(report: BattleReport, kind: FileKind) -> str:
    """Format a report as the text of a file."""
    if kind is FileKind.HTML:
        from qf_tui.features.report.page import render_report

        return render_report(report.document)
    if kind is FileKind.MARKDOWN:
        return format_markdown(report.document)
    return format_analysis_json(report.analysis) if kind is FileKind.JSON else format_csv(report.throws)


def save_report(report: BattleReport, save: Path | None, kind: FileKind) -> Path:
    """Write a report to the first free name next to its save; without a save, in the user's folder `reports`.

    Returns:
        The path of the new file.

    Raises:
        QfError: The file cannot be written.
    """
    folder = find_own_folder("reports") if save is None else save.parent
    stem = UNSAVED if save is None else save.stem
    text = format_report(report, kind).encode(kind.encoding)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in list_free_names(folder / f"{stem}-report.{kind.value}"):
            try:
                write_file(path, text)
            except FileExistsError:
                continue
            return path
    except OSError as fault:
        why = fault.strerror or str(fault)
        raise QfError(f"the report could not be written to {folder}: {why}. Nothing was changed.") from fault
    raise AssertionError  # the free names never end
