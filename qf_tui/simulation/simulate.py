"""Battles played until enough is known: how many, by which doctrines, and where it may stop."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from attrs import frozen

from qf_tui.analysis.whole import Stopped
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.session.open_save import packed
from qf_tui.simulation.doctrine import DOCTRINES, doctrine_named
from qf_tui.simulation.executor import Run
from qf_tui.simulation.ground import Ground
from qf_tui.simulation.job import Job, Pair, Spec
from qf_tui.simulation.playing import Playing
from qf_tui.simulation.tally import Tally

SHARE = 10
"""Battles in one share of the work."""
FIRST_LOOK = 200
"""Battles of each pair behind which it is first asked whether enough is known; then twice as many."""
BATTLES_MOST = 100_000
TURNS_MOST = 30
"""Turns behind which a battle that nobody has won is nobody's."""

Progress = Callable[[int, int], object]


@frozen
class Question:
    """What is to be simulated: at most `battles` of each pair of doctrines, as many as `within` wants.

    `within`: half the width of the interval of each side's wins and of the draws.
    """

    spec: Spec
    pairs: tuple[Pair, ...]
    battles: int
    within: float | None = None


@frozen
class SimulationResult:
    """What is known of each pair of doctrines; `whole` unless somebody stopped it before."""

    tallies: Mapping[Pair, Tally]
    whole: bool = True


def spec_of(system: RuleSystem, start: Battle, seed: str, whole: Mapping[str, float] | None = None) -> Spec:
    """What is to be played out, from a battle at any moment on; QfError where nothing can be.

    `whole`: what each ship was worth as the battle began, if that was before.
    """
    if len(start.sides) != 2:
        raise QfError(f"a battle of {len(start.sides)} sides cannot be played out, only one of two")
    ground = Ground(system, start, whole)
    none = next(
        (side.name for side in start.sides if not any(one.side == side.id for one in ground.every.values())),
        "",
    )
    if none:
        raise QfError(f"{none} has no ship: there is nothing to be played out")
    turns = TURNS_MOST + start.turn - 1
    ending = Playing.opened(ground).ending(turns)
    if ending is not None:
        raise QfError(f"the battle is at its end already: {_said(start, ending.winner, ending.broken)}")
    _ = ground.reach  # QfError where nobody can attack at any range
    return Spec(packed(system, start), tuple(sorted(ground.whole.items())), seed, turns)


def worth_at_start(system: RuleSystem, timeline: Timeline) -> dict[str, float]:
    """What the ships of a battle were worth as they came into it."""
    start, reserve = timeline.start, timeline.battle.reserve
    return {
        id: system.worth.of_ship(ship) for id, ship in {**reserve, **start.reserve, **start.ships}.items()
    }


def _said(start: Battle, winner: str, broken: tuple[str, ...]) -> str:
    names = {side.id: side.name for side in start.sides}
    gone = " and ".join(f"{names[side]} is broken" for side in broken)
    return ", ".join(
        part for part in (gone, f"{names[winner]} has won" if winner else "nobody has won") if part
    )


def pairs_of(doctrines: Sequence[str], sides: int = 2) -> tuple[Pair, ...]:
    """All pairs of the doctrines that are named, of each side; of all that there are unless some are."""
    for name in doctrines:
        doctrine_named(name)
    return tuple(product(tuple(dict.fromkeys(doctrines)) or tuple(DOCTRINES), repeat=sides))


def simulate(question: Question, run: Run, progress: Progress = lambda done, of: None) -> SimulationResult:
    """Plays until enough is known or all is played; a look comes at the same battles whoever plays them.

    KeyboardInterrupt, or Stopped by `progress`, ends it with what is known.
    """
    tallies = {pair: Tally() for pair in question.pairs}
    most, done = question.battles * len(question.pairs), 0
    began = 0
    try:
        for look in looks(question.battles, question.within):
            jobs = list(_jobs(question, began, look))
            for job, tally in run(jobs):
                tallies[job.pair] += tally
                done += job.stop - job.start
                progress(done, most)
            began = look
            if question.within is not None and all(
                _narrow(tally, question.within) for tally in tallies.values()
            ):
                break
    except (KeyboardInterrupt, Stopped):
        return SimulationResult(tallies, whole=False)
    return SimulationResult(tallies)


def looks(battles: int, within: float | None) -> Iterator[int]:
    """The numbers of battles at which it is asked whether enough is known."""
    at = FIRST_LOOK
    while within is not None and at < battles:
        yield at
        at *= 2
    yield battles


def _jobs(question: Question, start: int, stop: int) -> Iterator[Job]:
    for at in range(start, stop, SHARE):
        for pair in question.pairs:
            yield Job(question.spec, pair, at, min(stop, at + SHARE))


def _narrow(tally: Tally, within: float) -> bool:
    """Whether neither the wins of a side nor the draws are known less well than that."""
    return all(tally.wins(winner).half <= within for winner in ("", *tally.won))
