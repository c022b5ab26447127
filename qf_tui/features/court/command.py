"""`qf-tui court`: plays a battle again with the same dice, under other rules switches and chart cells."""

from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

from qf_tui.cli.opening import looked_at, read_new_save, save_named
from qf_tui.cli.output import Progress, format_path, print_json, print_lines, warn
from qf_tui.core.errors import QfError
from qf_tui.document.text import lay_out_document
from qf_tui.features.court.branch import make_branch
from qf_tui.features.court.court import (
    Baseline,
    CellsFound,
    Variant,
    Verdict,
    build_baseline,
    build_cases,
    list_switch_values,
    replay,
)
from qf_tui.features.court.document import build_court_document, format_variant
from qf_tui.features.court.rows import build_court_row, build_reading_row
from qf_tui.journal.saving import copy_save, refuse_existing
from qf_tui.library.settings import load_worth
from qf_tui.session import Session
from qf_tui.session.saves import report_meaningless_save


def print_court(arguments: Namespace) -> int:
    """Print what other switches, a chart, or neighbours of reconstructed cells would have changed; return 0.

    With `--branch` the one reading is also saved as a branch.
    """
    save = save_named(arguments.battle)
    branch_path = read_new_save(arguments.branch) if arguments.branch is not None else None
    if branch_path is not None:
        refuse_existing(branch_path)
    session = looked_at(save)
    system, timeline = session.system, session.timeline
    with report_meaningless_save(system):
        baseline, cells, verdicts = _work_out(session, arguments)
        if arguments.json:
            for verdict in verdicts:
                print_json(build_reading_row(verdict))
            print_json(build_court_row(baseline, cells))
        else:
            print_lines(*lay_out_document(build_court_document(system, timeline, baseline, verdicts, cells)))
    if branch_path is not None:
        (verdict,) = verdicts
        make_branch(system, timeline, verdict, partial(_copy_save_to, save, branch_path))
        note = f"{format_path(branch_path)}: a branch with {format_variant(verdict.variant)} from the start; "
        warn(f"{note}{format_path(save)} is unchanged")
    return 0


def _copy_save_to(save: Path, copy_path: Path) -> Path:
    copy_save(save, copy_path)
    return copy_path


def _work_out(
    session: Session, arguments: Namespace
) -> tuple[Baseline, CellsFound | None, tuple[Verdict, ...]]:
    """Work out the variants that are asked for, by default all, with a progress bar.

    Returns:
        The baseline; the cells, or None if single variants are asked for; and a verdict for each variant.

    Raises:
        QfError: A branch is asked for, but not exactly one variant; or a variant does not fit the battle.
    """
    system, timeline = session.system, session.timeline
    worth = load_worth(system)
    with Progress("entries decided again") as bar:
        entries, steps = len(timeline.play_order), count(1)

        def step() -> None:
            bar(next(steps), entries)

        cells: CellsFound | None = None
        if arguments.option or arguments.chart is not None:
            baseline = build_baseline(system, timeline, step, worth)
            variants = tuple(_list_asked_variants(session, baseline, arguments))
        else:
            cases = build_cases(system, timeline, step, worth)
            baseline, cells, variants = cases.baseline, cases.cells, cases.variants
    # The number of variants is known only now.
    if arguments.branch is not None and len(variants) != 1:
        raise QfError("--branch needs exactly one reading: --option NAME=VALUE, or --chart FILE")
    verdicts = []
    with Progress("readings") as bar:
        for at, variant in enumerate(variants):
            bar(at, len(variants))
            verdicts.append(replay(baseline, variant))
    return baseline, cells, tuple(verdicts)


def _list_asked_variants(session: Session, baseline: Baseline, arguments: Namespace) -> Iterator[Variant]:
    """Yield the variants asked for: `NAME=VALUE`, or `NAME` with each other value, then the chart."""
    for text in arguments.option or ():
        name, equals, value = text.partition("=")
        yield from list_switch_values(baseline, name, value if equals else None)
    if arguments.chart is not None:
        yield Variant(cells=session.load_overlay(arguments.chart), source=arguments.chart)
