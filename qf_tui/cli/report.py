"""A battle retold: read, worked out, and told as text or as a file."""

from argparse import Namespace
from functools import partial
from pathlib import Path

from qf_tui.board.values import BoardSwitch
from qf_tui.board.view import retold
from qf_tui.cli.opening import save_named
from qf_tui.cli.out_file import give, refuse_taken
from qf_tui.cli.output import warn
from qf_tui.cli.progress import Progress
from qf_tui.cli.report_lines import report_lines
from qf_tui.library.processes import end_after, input_ends
from qf_tui.library.systems import find_systems
from qf_tui.library.worth_file import load_worth
from qf_tui.report.files import FileKind, Retold, report_text
from qf_tui.report.telling import tell
from qf_tui.report.workers import Known, work_out
from qf_tui.session import Session
from qf_tui.session.open_save import sense_of


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
