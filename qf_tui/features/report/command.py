"""`qf-tui report`: writes the report of a battle, its story, losses and luck."""

from argparse import Namespace
from functools import partial
from pathlib import Path

from qf_tui.cli.opening import looked_at, save_named
from qf_tui.cli.output import Progress, find_format, refuse_existing_file, write_output
from qf_tui.features.board.values import BoardSwitch
from qf_tui.features.board.view import find_known_timeline
from qf_tui.features.report.document import make_report
from qf_tui.features.report.text import lay_out_report
from qf_tui.features.report.work import FileKind, Projection, analyse_battle, format_report
from qf_tui.library.processes import call_after, wait_for_input_end
from qf_tui.library.settings import load_worth
from qf_tui.session.saves import report_meaningless_save


def report(arguments: Namespace) -> int:
    """Print the report of a save, or write it to a file; for the board, only what a viewer may know."""
    named_kind = find_format(arguments)
    kind = FileKind(named_kind) if named_kind in list(FileKind) else None
    refuse_existing_file(arguments.out, over=arguments.replace)
    save = save_named(arguments.battle)
    session = looked_at(save)
    system = session.system
    known: Projection | None = None
    if arguments.under_board:
        # End with the board, which holds the other end of standard input.
        call_after(wait_for_input_end)
        viewer, switch = arguments.under_board
        known = partial(find_known_timeline, viewer=viewer, switch=BoardSwitch(switch))
    worth = load_worth(system, Path(arguments.worth) if arguments.worth is not None else None)
    weights = {part.name: part.weight for part in worth.parts}
    with report_meaningless_save(system), Progress("entries") as progress:
        timeline = known(system, session.timeline) if known else session.timeline
        analysis = analyse_battle(
            system, session.timeline, save, weights=weights, progress=progress, known=known
        )
        report_of_battle = make_report(system, timeline, analysis, worth, over=arguments.over)
        text = (
            format_report(report_of_battle, kind)
            if kind
            else "\n".join(lay_out_report(report_of_battle.document)) + "\n"
        )
    write_output(text, arguments.out, over=arguments.replace, encoding=kind.encoding if kind else "utf-8")
    return 0
