"""`qf-tui simulate`: plays a scenario or a save many times by its own rules, and prints the results."""

from argparse import Namespace
from collections.abc import Sequence

from qf_tui.cli.opening import find_save, open_battle, read_new_save
from qf_tui.cli.output import (
    Progress,
    format_path,
    measure_terminal,
    print_json,
    print_lines,
    refuse_existing_file,
    warn,
    write_output,
)
from qf_tui.core.crews import STATED
from qf_tui.core.errors import QfError
from qf_tui.core.text import format_count
from qf_tui.document.text import lay_out_document
from qf_tui.features.simulation.again import Which, choose_battle, mark_simulated, play_again
from qf_tui.features.simulation.document import (
    Subject,
    build_page_document,
    build_simulation_document,
    format_choice,
    render_page,
)
from qf_tui.features.simulation.even import TriedStep, search_levers
from qf_tui.features.simulation.jobs import Run, open_executor
from qf_tui.features.simulation.rows import build_simulation_row
from qf_tui.features.simulation.simulate import (
    BATTLES_MOST,
    Contribution,
    Question,
    SimulationResult,
    build_spec,
    compute_worth_at_start,
    list_pairs,
    play_without_each,
    simulate_battles,
)
from qf_tui.journal.saving import refuse_existing
from qf_tui.session.saves import report_meaningless_save
from qf_tui.session.session import Session, write_copy

JOBS_MOST = 256
STOPPED = 130


def simulate(arguments: Namespace) -> int:
    """Play a battle many times and print the results, or write them into a file.

    With `--save`, one of these battles is played again into a save.

    Returns:
        The exit status: 0, or 130 if the work was stopped.

    Raises:
        QfError: An argument is wrong, or a file that would be written exists already.
    """
    battles, within = arguments.battles, _parse_within(arguments.within)
    _check_arguments(arguments)
    new_save = read_new_save(arguments.save) if arguments.save is not None else None
    if new_save is not None:
        refuse_existing(new_save)
    doctrines = [name for name in (arguments.doctrine or "").replace(" ", "").split(",") if name]
    # Refuse unknown doctrines before the battle is read.
    list_pairs(doctrines)
    crews = arguments.crews
    # A save keeps its crews. The crews that a scenario states count unless the user chooses others.
    if crews is None and find_save(arguments.battle) is None:
        crews = STATED
    session = open_battle(arguments.battle, rules=arguments.rules, crews=crews)
    system, start = session.system, session.battle
    pairs = list_pairs(doctrines, start)
    contributions: Sequence[Contribution] | None = None
    tried: Sequence[TriedStep] | None = None
    with report_meaningless_save(system), open_executor(arguments.jobs, arguments.dask) as run:
        spec = build_spec(system, start, arguments.seed, compute_worth_at_start(system, session.timeline))
        subject = Subject(system, start, arguments.seed, within)
        question = Question(spec, pairs, battles, within)
        with Progress("battles") as progress:
            result = simulate_battles(question, run, progress)
        if arguments.ships and result.complete:
            contributions = _compute_contributions(subject, question, result, run)
        if arguments.even and result.complete:
            tried = _try_levers(subject, question, result, run)
    document = build_simulation_document(subject, result, contributions, tried)
    if arguments.html is not None:
        write_output(render_page(build_page_document(document)), arguments.html, over=None)
    elif arguments.json:
        print_json(build_simulation_row(subject, result, contributions, tried))
    else:
        print_lines(*lay_out_document(document, measure_terminal()))
    if new_save is not None:
        choice = choose_battle(result.tallies, Which(arguments.play or Which.MEDIAN.value))
        # A save goes on in its log; a scenario becomes a new battle that is marked as simulated.
        playing_session = session if session.timeline.log else Session.begin(system, mark_simulated(start))
        ending = play_again(playing_session, spec, choice)
        path = write_copy(playing_session, new_save)
        warn(f"{format_choice(subject, choice, ending)}: {format_path(path)}")
    return 0 if result.complete else STOPPED


def _check_arguments(arguments: Namespace) -> None:
    """Raise QfError if a number is out of range, the page exists already, or `--play` has no `--save`."""
    if not 0 < arguments.battles <= BATTLES_MOST:
        raise QfError(
            f"-n {arguments.battles:,}: battles for each pair of doctrines, from 1 to {BATTLES_MOST:,}"
        )
    if not 0 < arguments.jobs <= JOBS_MOST:
        raise QfError(f"--jobs {arguments.jobs}: processes, from 1 to {JOBS_MOST}")
    refuse_existing_file(arguments.html, over=None)
    if arguments.play and arguments.save is None:
        raise QfError(f"--play {arguments.play}: name the new save, too: --save FILE")


def _compute_contributions(
    subject: Subject, question: Question, result: SimulationResult, run: Run
) -> Sequence[Contribution]:
    """Compute what each ship contributes, except one alone on her side; after a stop, only those so far."""
    sides = [ship.side for ship in subject.battle.ships.values()]
    ships = {ship.id: ship.side for ship in subject.battle.ships.values() if sides.count(ship.side) > 1}
    with Progress("battles, each ship left out in turn") as progress:
        contributions = list(play_without_each(question, result, ships, run, progress))
    if len(contributions) < len(ships):
        warn(f"stopped after {len(contributions)} of {len(ships)} ships")
    return contributions


def _try_levers(
    subject: Subject, question: Question, result: SimulationResult, run: Run
) -> Sequence[TriedStep]:
    """Search for levers that make the battle even; after a stop, return the levers tried so far."""
    tried: dict[str, TriedStep] = {}
    with Progress("levers and pairs of them") as progress:
        try:
            for step in search_levers(subject.system, subject.battle, question, result, run, progress):
                # A result that was checked with fresh seeds replaces the first result of its lever.
                tried[step.lever] = step
        except KeyboardInterrupt:
            warn(f"stopped after {format_count(len(tried), 'lever or pair', 'levers and pairs')}")
    return tuple(tried.values())


def _parse_within(text: str | None) -> float | None:
    """Convert the per cent of `--within` to a share; None stays None.

    Raises:
        QfError: The text is no number from 0.1 to 50.
    """
    if text is None:
        return None
    try:
        within = float(text.removesuffix("%")) / 100
    except ValueError:
        within = 0.0
    if not 0.001 <= within <= 0.5:
        raise QfError(f"--within {text}: per cent from 0.1 to 50, like 3%")
    return within
