"""`qf-tui replay`: writes the film of a battle, a web page that plays it entry by entry."""

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
    """Print the film of a save or write it to a file, with `--viewer` only as that side sees it; return 0."""
    refuse_existing_file(arguments.out, over=arguments.replace)
    save = save_named(arguments.battle)
    session = looked_at(save)
    system, timeline = session.system, session.timeline
    viewer = _find_viewer(timeline.start, arguments.viewer) if arguments.viewer is not None else None
    projection: Projection | None = None
    if viewer is not None:
        projection = partial(find_known_timeline, viewer=viewer, switch=BoardSwitch.OWN_SIDE)
    worth = load_worth(system)
    weights = {part.name: part.weight for part in worth.parts}
    with report_meaningless_save(system), Progress("entries") as progress:
        known_timeline = projection(system, timeline) if projection else timeline
        film = build_film(system, known_timeline, viewer)
        curve = None
        if not arguments.no_luck:
            analysis = analyse_battle(
                system, timeline, save, weights=weights, progress=progress, known=projection
            )
            curve = build_film_curve(system, known_timeline, worth, analysis, film.frames[1:])
        text = render_film(film, curve)
    write_output(text, arguments.out, over=arguments.replace)
    return 0


def _find_viewer(battle: Battle, name: str) -> str:
    """Return the id of the side with a name or id, or `ALL` for `all`.

    Raises:
        QfError: There is no such side.
    """
    if name.casefold() == "all":
        return ALL
    for side in battle.sides:
        if name.casefold() in (side.id, side.name.casefold()):
            return side.id
    raise QfError(f"“{name}” is no side of this battle: {', '.join(side.id for side in battle.sides)}, all")
