"""Plays battles until the results are precise enough; also without each ship in turn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from attrs import evolve, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.features.simulation.doctrines import USUAL, find_doctrine
from qf_tui.features.simulation.jobs import BattleVariant, Job, Pair, Run, Spec, pack_battle
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from qf_tui.features.simulation.tally import Tally
from qf_tui.library.declared import DOCTRINE
from qf_tui.library.processes import Stopped

SHARE = 2
"""Battles in one share of the work; a small share keeps all processes busy until the end."""
FIRST_LOOK = 200
"""Battles of each pair before the first check of the precision; each later check needs twice as many."""
BATTLES_MOST = 100_000
TURNS_MOST = 30
"""Turns after which a battle that nobody has won is a draw."""

Progress = Callable[[int, int], object]


@frozen
class Question:
    """The battles that are to be simulated.

    Attributes:
        battles: Number of battles of each pair of doctrines at most.
        within: Largest half width of the intervals of wins and draws; None to play all battles.
    """

    spec: Spec
    pairs: tuple[Pair, ...]
    battles: int
    within: float | None = None


@frozen
class SimulationResult:
    """The results of a simulation.

    Attributes:
        tallies: Tally of each pair of doctrines.
        complete: False if the simulation was stopped early.
    """

    tallies: Mapping[Pair, Tally]
    complete: bool = True


def build_spec(
    system: RuleSystem, start: Battle, seed: str, whole: Mapping[str, float] | None = None
) -> Spec:
    """Build the specification of a battle to play, which may begin at any moment.

    Args:
        whole: Worth of each ship as the battle began, if that was earlier.

    Raises:
        QfError: The battle cannot be played out.
    """
    if len(start.sides) != 2:
        raise QfError(f"only a battle of two sides can be played out; this one has {len(start.sides)}")
    if system.read_by_hand:
        raise QfError(f"{system.title}: its results are read by hand from a chart, so it is not playable")
    model = BattleModel(system, start, whole)
    none = next(
        (side.name for side in start.sides if all(ship.side != side.id for ship in model.every.values())), ""
    )
    if none:
        raise QfError(f"{none} has no ships: there is nothing to play out")
    for key, name in start.table.items():
        if key.startswith(f"{DOCTRINE}."):
            find_doctrine(str(name))
    turns = TURNS_MOST + start.turn - 1
    ending = Playout.from_model(model).find_ending(turns)
    if ending is not None:
        gone = " and ".join(f"{start.find_side_name(side)} is broken" for side in ending.broken)
        won = f"{start.find_side_name(ending.winner)} has won" if ending.winner else "no side has won"
        raise QfError(f"the battle is already over: {', '.join(filter(None, (gone, won)))}")
    _ = model.reach  # QfError if no ship can attack at any range
    return Spec(pack_battle(system, start), tuple(sorted(model.whole.items())), seed, turns)


def compute_worth_at_start(system: RuleSystem, timeline: Timeline) -> dict[str, float]:
    """Return the worth of each ship as she came into the battle."""
    start, reserve = timeline.start, timeline.battle.reserve
    return {
        id: system.worth.value_ship(ship) for id, ship in {**reserve, **start.reserve, **start.ships}.items()
    }


def list_pairs(doctrines: Sequence[str], start: Battle | None = None) -> tuple[Pair, ...]:
    """Return all pairs of doctrines, one for each side.

    Without doctrines each side has the one that the scenario states, or else the two usual ones.
    """
    for name in doctrines:
        find_doctrine(name)
    if doctrines or start is None:
        return tuple(product(tuple(dict.fromkeys(doctrines)) or USUAL, repeat=2))
    stated = (str(start.table.get(f"{DOCTRINE}.{side.id}") or "") for side in start.sides)
    return tuple(product(*((name,) if name else USUAL for name in stated)))


def simulate_battles(
    question: Question, run: Run, progress: Progress = lambda done, of: None
) -> SimulationResult:
    """Play until the result is precise enough or all battles are played.

    The precision is checked after the same numbers of battles on every computer. If KeyboardInterrupt, or
    Stopped raised by `progress`, ends the work, the result so far is returned.
    """
    within = question.within
    for result in play_by_looks(question, list_looks(question.battles, within), run, progress):
        known = (
            tally.estimate_wins(winner) for tally in result.tallies.values() for winner in ("", *tally.won)
        )
        if within is not None and all(wins.half <= within for wins in known):
            break
    return result


def play_by_looks(
    question: Question, looks: Iterable[int], run: Run, progress: Progress = lambda done, of: None
) -> Iterator[SimulationResult]:
    """Yield the result at each look; a look is a number of battles of each pair.

    KeyboardInterrupt, or Stopped by `progress`, ends it with the result so far, which is incomplete.
    """
    tallies = {pair: Tally() for pair in question.pairs}
    most, done, began = question.battles * len(question.pairs), 0, 0
    for look in looks:
        jobs = [
            Job(question.spec, pair, at, min(look, at + SHARE))
            for at in range(began, look, SHARE)
            for pair in question.pairs
        ]
        try:
            for job, tally in run(jobs):
                tallies[job.pair] += tally
                done += job.stop - job.start
                progress(done, most)
        except (KeyboardInterrupt, Stopped):
            yield SimulationResult(tallies, complete=False)
            return
        began = look
        yield SimulationResult(dict(tallies))


def list_looks(battles: int, within: float | None) -> Iterator[int]:
    """Yield the numbers of battles after which the precision is checked."""
    at = FIRST_LOOK
    while within is not None and at < battles:
        yield at
        at *= 2
    yield battles


@frozen
class Contribution:
    """The contribution of a ship: the change of her side's score without her.

    Attributes:
        moves: Change of the score, by pair of doctrines.
        unseen: True if no change reaches half the width of the score's interval.
    """

    ship: str
    moves: Mapping[Pair, float]
    unseen: bool


def play_without_each(
    question: Question,
    result: SimulationResult,
    ships: Mapping[str, str],
    run: Run,
    progress: Progress = lambda done, of: None,
) -> Iterator[Contribution]:
    """Play all battles without each ship in turn.

    If the work is stopped, the iterator ends; a ship is yielded only once all her battles are played.

    Args:
        ships: Side of each ship in question.
    """
    battles = max(tally.battles + tally.apart for tally in result.tallies.values())
    for place, (ship, side) in enumerate(ships.items()):
        spec = evolve(question.spec, variant=BattleVariant(without=(ship,)))

        def report_progress(done: int, each: int, before: int = place) -> None:
            progress(before * each + done, len(ships) * each)

        other = simulate_battles(
            evolve(question, spec=spec, battles=battles, within=None), run, report_progress
        )
        if not other.complete:
            return
        moves, unseen = {}, True
        for pair, tally in result.tallies.items():
            score = tally.estimate_score(side)
            moves[pair] = other.tallies[pair].estimate_score(side).part - score.part
            unseen = unseen and abs(moves[pair]) < score.half
        yield Contribution(ship, moves, unseen)
