"""A battle retold: read, worked out, and told as text or as a file."""

from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from textwrap import wrap

from qf_tui.board.values import BoardSwitch
from qf_tui.board.view import retold
from qf_tui.cli.opening import save_named
from qf_tui.cli.out_file import give, refuse_taken
from qf_tui.cli.output import warn
from qf_tui.cli.progress import Progress
from qf_tui.cli.tables import table
from qf_tui.library.processes import end_after, input_ends
from qf_tui.library.systems import find_systems
from qf_tui.library.worth_file import load_worth
from qf_tui.report.blocks import curve_lines
from qf_tui.report.files import FileKind, Retold, report_text
from qf_tui.report.telling import tell
from qf_tui.report.values import Report, Section, Sentence, Table
from qf_tui.report.workers import Known, work_out
from qf_tui.session import Session
from qf_tui.session.open_save import sense_of

WIDTH = 98
_INDENT = "  "
_ENTRY = 5
"""Cells of the number of an entry."""


def report_lines(report: Report) -> Iterator[str]:
    """All of a report."""
    yield from wrap(report.title, WIDTH)
    yield ""
    for sentence in report.headline:
        yield from wrap(sentence.text, WIDTH)
    if report.curve:
        yield from ("", *curve_lines(report.curve))
    for section in report.sections:
        yield from ("", section.title.upper(), *_section(section))
        for part in section.parts:
            yield from ("", part.title, *_section(part))


def _section(section: Section) -> Iterator[str]:
    for sentence in section.sentences:
        yield from _sentence(sentence)
    if section.table:
        yield from _table(section.table)


def _sentence(sentence: Sentence) -> list[str]:
    number = f"{sentence.entry or '':>{_ENTRY}}{_INDENT}"
    return wrap(sentence.text, WIDTH, initial_indent=number, subsequent_indent=" " * len(number)) or [number]


def _table(given: Table) -> list[str]:
    numbered = any(row.entry for row in given.rows)
    heads = [*([""] if numbered else []), *(column.title for column in given.columns)]
    rows = [[*([str(row.entry or "")] if numbered else []), *row.cells] for row in given.rows]
    rights = [*([True] if numbered else []), *(column.figures for column in given.columns)]
    return [f"{_INDENT}{line}" for line in table([heads, *rows], rights)]


def report(arguments: Namespace) -> int:
    """Prints the report of a save, or writes it into a file."""
    kind = _kind(arguments)
    refuse_taken(arguments.out, over=arguments.replace)
    save = save_named(arguments.battle)
    session = Session.look(save, find_systems())
    if session.notice:
        warn(session.notice)
    system = session.system
    known: Known | None = None
    if arguments.under_board:
        end_after(input_ends)
        viewer, switch = arguments.under_board
        known = partial(retold, viewer=viewer, switch=BoardSwitch(switch))
    worth = load_worth(system, Path(arguments.worth) if arguments.worth is not None else None)
    weights = {part.name: part.weight for part in worth.parts}
    with sense_of(system), Progress("entries") as progress:
        timeline = known(system, session.timeline) if known else session.timeline
        found = work_out(system, session.timeline, save, weights=weights, progress=progress, known=known)
        told = Retold(found, tell(system, timeline, found, worth))
        text = "\n".join(report_lines(told.report)) + "\n" if kind is None else report_text(told, kind)
    give(text, arguments.out, over=arguments.replace, encoding=kind.encoding if kind else "utf-8")
    return 0


def _kind(arguments: Namespace) -> FileKind | None:
    """The kind of file that is asked for, by its switch or by the suffix of its name; None for plain text."""
    if arguments.kind is not None:
        return FileKind(arguments.kind)
    suffix = Path(arguments.out or "").suffix.lower().removeprefix(".")
    return FileKind(suffix) if suffix in list(FileKind) else None
