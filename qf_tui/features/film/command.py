"""`qf-tui replay`: the film of a battle."""

from argparse import Namespace
from functools import partial

from qf_tui.cli.opening import looked_at, save_named
from qf_tui.cli.output import Progress, refuse_existing_file, write_output
from qf_tui.core.errors import QfError
from qf_tui.core.values import Battle
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.board.view import find_known_timeline
from qf_tui.features.film.film import build_film, render_film
from qf_tui.features.report.document import build_film_curve
from qf_tui.features.report.work import Projection, analyse_battle
from qf_tui.library.settings import load_worth
from qf_tui.session.saves import report_meaningless_save


def replay(arguments: Namespace) -> int:
    """Print the film of a save, or write it to a file."""
    refuse_existing_file(arguments.out, over=arguments.replace)
    save = save_named(arguments.battle)
    session = looked_at(save)
    system, timeline = session.system, session.timeline
    viewer = _find_viewer(timeline.start, arguments.viewer) if arguments.viewer is not None else None
    known: Projection | None = None
    if viewer is not None:
        known = partial(find_known_timeline, viewer=viewer, switch=BoardSwitch.OWN_SIDE)
    worth = load_worth(system)
    weights = {part.name: part.weight for part in worth.parts}
    with report_meaningless_save(system), Progress("entries") as progress:
        shown = known(system, timeline) if known else timeline
        film = build_film(system, shown, viewer)
        curve = None
        if not arguments.no_luck:
            analysis = analyse_battle(system, timeline, save, weights=weights, progress=progress, known=known)
            curve = build_film_curve(system, shown, worth, analysis, film.frames[1:])
        text = render_film(film, curve)
    write_output(text, arguments.out, over=arguments.replace)
    return 0


def _find_viewer(battle: Battle, given: str) -> str:
    """Return the id of the named side, or `ALL`."""
    if given.casefold() == "all":
        return ALL
    for side in battle.sides:
        if given.casefold() in (side.id, side.name.casefold()):
            return side.id
    raise QfError(f"“{given}” is no side of this battle: {', '.join(side.id for side in battle.sides)}, all")
