"""`qf-tui report`, `replay` and `court`: a battle looked back upon, as it was and under other rulings."""

from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

from qf_tui.analysis.court import CellsFound, Control, Variant, Verdict, cases_of, control_of, switch
from qf_tui.analysis.court import replay as verdict_of
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.board.view import known_timeline
from qf_tui.cli.opening import looked_at, new_save, save_named
from qf_tui.cli.output import Progress, give, kind_of, named, print_json, print_lines, refuse_taken, warn
from qf_tui.core.errors import QfError
from qf_tui.core.values import Battle
from qf_tui.document.court import court_document, variant_text
from qf_tui.document.report import film_curve, make_report
from qf_tui.document.scripts import court_row, reading_row
from qf_tui.document.text import report_lines, text_lines
from qf_tui.journal.saving import copy_save, refuse_existing
from qf_tui.library.processes import end_after, input_ends
from qf_tui.library.settings import load_worth
from qf_tui.report import FileKind, Projection, full_analysis, make_branch, report_text
from qf_tui.session import Session
from qf_tui.session.saves import sense_of


def report(arguments: Namespace) -> int:
    """Prints the report of a save, or writes it into a file."""
    named_kind = kind_of(arguments)
    kind = FileKind(named_kind) if named_kind in list(FileKind) else None
    refuse_taken(arguments.out, over=arguments.replace)
    save = save_named(arguments.battle)
    session = looked_at(save)
    system = session.system
    known: Projection | None = None
    if arguments.under_board:
        end_after(input_ends)
        viewer, switch = arguments.under_board
        known = partial(known_timeline, viewer=viewer, switch=BoardSwitch(switch))
    worth = load_worth(system, Path(arguments.worth) if arguments.worth is not None else None)
    weights = {part.name: part.weight for part in worth.parts}
    with sense_of(system), Progress("entries") as progress:
        timeline = known(system, session.timeline) if known else session.timeline
        analysis = full_analysis(
            system, session.timeline, save, weights=weights, progress=progress, known=known
        )
        made = make_report(system, timeline, analysis, worth)
        text = report_text(made, kind) if kind else "\n".join(report_lines(made.document)) + "\n"
    give(text, arguments.out, over=arguments.replace, encoding=kind.encoding if kind else "utf-8")
    return 0


def replay(arguments: Namespace) -> int:
    """Prints the film of a save, or writes it into a file."""
    from qf_tui.board.film import film_of, film_page

    refuse_taken(arguments.out, over=arguments.replace)
    save = save_named(arguments.battle)
    session = looked_at(save)
    system, timeline = session.system, session.timeline
    viewer = _viewer(timeline.start, arguments.viewer) if arguments.viewer is not None else None
    known: Projection | None = None
    if viewer is not None:
        known = partial(known_timeline, viewer=viewer, switch=BoardSwitch.OWN_SIDE)
    worth = load_worth(system)
    weights = {part.name: part.weight for part in worth.parts}
    with sense_of(system), Progress("entries") as progress:
        shown = known(system, timeline) if known else timeline
        film = film_of(system, shown, viewer)
        curve = None
        if not arguments.no_luck:
            analysis = full_analysis(system, timeline, save, weights=weights, progress=progress, known=known)
            curve = film_curve(system, shown, worth, analysis, film.frames[1:])
        text = film_page(film, curve)
    give(text, arguments.out, over=arguments.replace)
    return 0


def _viewer(battle: Battle, given: str) -> str:
    """The id of the side that is named, or `ALL`."""
    if given.casefold() == "all":
        return ALL
    for side in battle.sides:
        if given.casefold() in (side.id, side.name.casefold()):
            return side.id
    raise QfError(f"“{given}” is no side of this battle: {', '.join(side.id for side in battle.sides)}, all")


def court(arguments: Namespace) -> int:
    """Prints what other switches, a chart, or neighbours of reconstructed cells would have changed."""
    save = save_named(arguments.battle)
    to = new_save(arguments.branch) if arguments.branch is not None else None
    if to is not None:
        refuse_existing(to)
    session = looked_at(save)
    system, timeline = session.system, session.timeline
    with sense_of(system):
        control, cells, verdicts = _heard(session, arguments)
        if arguments.json:
            for verdict in verdicts:
                print_json(reading_row(verdict))
            print_json(court_row(control, cells))
        else:
            print_lines(*text_lines(court_document(system, timeline, control, verdicts, cells)))
    if to is not None:
        (verdict,) = verdicts
        make_branch(system, timeline, verdict, partial(_copied, save, to))
        note = f"{named(to)}: a branch with {variant_text(verdict.variant)} from the start; "
        warn(f"{note}{named(save)} is unchanged")
    return 0


def _copied(save: Path, to: Path) -> Path:
    copy_save(save, to)
    return to


def _heard(session: Session, arguments: Namespace) -> tuple[Control, CellsFound | None, tuple[Verdict, ...]]:
    """What is asked about, worked out with progress; without cells where something else was asked about."""
    system, timeline = session.system, session.timeline
    worth = load_worth(system)
    with Progress("entries decided again") as bar:
        entries, steps = len(timeline.play_order), count(1)

        def step() -> None:
            bar(next(steps), entries)

        cells: CellsFound | None = None
        if arguments.option or arguments.chart is not None:
            control = control_of(system, timeline, step, worth)
            tries = tuple(_asked_for(session, control, arguments))
        else:
            cases = cases_of(system, timeline, step, worth)
            control, cells, tries = cases.control, cases.cells, cases.tries
        if arguments.branch is not None and len(tries) != 1:
            raise QfError("--branch needs exactly one reading: --option NAME=VALUE, or --chart FILE")
        verdicts = []
        for at, variant in enumerate(tries):
            bar(at, len(tries))
            verdicts.append(verdict_of(control, variant))
    return control, cells, tuple(verdicts)


def _asked_for(session: Session, control: Control, arguments: Namespace) -> Iterator[Variant]:
    """The switches that `NAME=VALUE` names, or `NAME` with each other value, and the chart."""
    for text in arguments.option or ():
        name, given, value = text.partition("=")
        yield from switch(control, name, value if given else None)
    if arguments.chart is not None:
        yield Variant(cells=session.overlay(arguments.chart), source=arguments.chart)
