"""`qf-tui simulate`: a scenario or a save played out by its own rules, a thousand times."""

from argparse import Namespace

from qf_tui.cli.opening import open_battle
from qf_tui.cli.output import say, say_json
from qf_tui.cli.progress import Progress
from qf_tui.core.errors import QfError
from qf_tui.simulation.executor import executor
from qf_tui.simulation.simulate import (
    BATTLES_MOST,
    Question,
    pairs_of,
    spec_of,
    worth_at_start,
)
from qf_tui.simulation.simulate import (
    simulate as play_out,
)
from qf_tui.simulation.telling import Asked, lines_of, row_of, told

JOBS_MOST = 256


def simulate(arguments: Namespace) -> int:
    """Prints how a battle comes out by the doctrines; 0, or 130 where it was stopped."""
    battles = _battles(arguments.battles)
    if arguments.jobs < 1 or arguments.jobs > JOBS_MOST:
        raise QfError(f"--jobs {arguments.jobs}: processes, from 1 to {JOBS_MOST}")
    session = open_battle(arguments.battle, rules=arguments.rules)
    system, start = session.system, session.battle
    spec = spec_of(system, start, arguments.seed, worth_at_start(system, session.timeline))
    doctrines = [name for name in (arguments.doctrine or "").replace(" ", "").split(",") if name]
    question = Question(spec, pairs_of(doctrines), battles, _within(arguments.within))
    with executor(arguments.jobs, arguments.dask) as run, Progress("battles") as progress:
        found = play_out(question, run, progress)
    asked = Asked(system, start, arguments.seed)
    if arguments.json:
        say_json(row_of(asked, found))
    else:
        say(*lines_of(told(asked, found)))
    return 0 if found.whole else 130


def _battles(number: int) -> int:
    if not 0 < number <= BATTLES_MOST:
        raise QfError(f"-n {number}: battles of each pair of doctrines, from 1 to {BATTLES_MOST}")
    return number


def _within(text: str | None) -> float | None:
    """Half the width of an interval, from per cent to a part."""
    if text is None:
        return None
    try:
        found = float(text.removesuffix("%")) / 100
    except ValueError:
        found = 0.0
    if not 0.001 <= found <= 0.5:
        raise QfError(f"--within {text}: per cent from 0.1 to 50, as 3%")
    return found
