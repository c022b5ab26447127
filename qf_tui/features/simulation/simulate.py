"""Plays simulated battles until the results are precise enough, and again without each ship in turn."""

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
"""Battles in one share of the work; small shares keep all processes busy until the end."""
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
        spec: The battle, seed and turns.
        pairs: Pairs of doctrines.
        battles: Largest number of battles of each pair.
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
    """Build the specification of a battle to play, from any moment of the battle on.

    Args:
        start: The battle where it is played from.
        seed: The seed.
        whole: Worth of each ship when the battle began; None if it begins at `start`.

    Raises:
        QfError: The battle cannot be played out.
    """
    if len(start.sides) != 2:
        raise QfError(f"only a battle of two sides can be played out; this one has {len(start.sides)}")
    if system.read_by_hand:
        raise QfError(f"{system.title}: its results are read by hand from a chart, so it is not playable")
    model = BattleModel(system, start, whole)
    empty_side = next(
        (side.name for side in start.sides if all(ship.side != side.id for ship in model.all_ships.values())),
        "",
    )
    if empty_side:
        raise QfError(f"{empty_side} has no ships: there is nothing to play out")
    for key, name in start.table.items():
        if key.startswith(f"{DOCTRINE}."):
            find_doctrine(str(name))  # QfError if it is unknown
    last_turn = TURNS_MOST + start.turn - 1
    ending = Playout.from_model(model).find_ending(last_turn)
    if ending is not None:
        broken_sides = " and ".join(f"{start.find_side_name(side)} is broken" for side in ending.broken)
        won = f"{start.find_side_name(ending.winner)} has won" if ending.winner else "no side has won"
        raise QfError(f"the battle is already over: {', '.join(filter(None, (broken_sides, won)))}")
    _ = model.reach  # QfError if no ship can attack at any range
    return Spec(pack_battle(system, start), tuple(sorted(model.whole.items())), seed, last_turn)


def compute_worth_at_start(system: RuleSystem, timeline: Timeline) -> dict[str, float]:
    """Return the worth of each ship as she came into the battle."""
    start, reserve = timeline.start, timeline.battle.reserve
    # The later mappings replace the earlier: a ship in several counts in her state at the start.
    return {
        id: system.worth.value_ship(ship) for id, ship in {**reserve, **start.reserve, **start.ships}.items()
    }


def list_pairs(doctrines: Sequence[str], start: Battle | None = None) -> tuple[Pair, ...]:
    """Return all pairs of doctrines, one for each side.

    Each side gets each of the doctrines. If none are given, a side gets the one that the scenario states for
    it, or the two usual ones if it states none.

    Raises:
        QfError: A doctrine in `doctrines` is unknown.
    """
    for name in doctrines:
        find_doctrine(name)
    if doctrines or start is None:
        names = tuple(dict.fromkeys(doctrines)) or USUAL
        return tuple(product(names, repeat=2))
    stated_names = (str(start.table.get(f"{DOCTRINE}.{side.id}") or "") for side in start.sides)
    return tuple(product(*((name,) if name else USUAL for name in stated_names)))


def simulate_battles(
    question: Question, run: Run, progress: Progress = lambda done, of: None
) -> SimulationResult:
    """Play until the result is precise enough or all battles are played.

    The precision is checked after the same numbers of battles on every computer, so the result is the same.
    If KeyboardInterrupt, or Stopped from `run` or `progress`, ends the work, the result so far is returned.
    """
    within = question.within
    for result in play_by_looks(question, list_looks(question.battles, within), run, progress):
        estimates = (
            tally.estimate_wins(winner) for tally in result.tallies.values() for winner in ("", *tally.won)
        )
        if within is not None and all(wins.half <= within for wins in estimates):
            break
    return result


def play_by_looks(
    question: Question, looks: Iterable[int], run: Run, progress: Progress = lambda done, of: None
) -> Iterator[SimulationResult]:
    """Yield the result after each number of battles in `looks`.

    After KeyboardInterrupt, or Stopped from `run` or `progress`, the result so far is yielded last; it is not
    complete.

    Args:
        question: The battles.
        looks: Increasing numbers of battles of each pair.
        run: Plays shares of the work.
        progress: Receives the number of battles played, and the number of all battles.
    """
    tallies = {pair: Tally() for pair in question.pairs}
    all_battles = question.battles * len(question.pairs)
    battles_done = 0
    first_index = 0
    for look in looks:
        jobs = [
            Job(question.spec, pair, start, min(look, start + SHARE))
            for start in range(first_index, look, SHARE)
            for pair in question.pairs
        ]
        try:
            for job, tally in run(jobs):
                tallies[job.pair] += tally
                battles_done += job.stop - job.start
                progress(battles_done, all_battles)
        except (KeyboardInterrupt, Stopped):
            yield SimulationResult(tallies, complete=False)
            return
        first_index = look
        yield SimulationResult(dict(tallies))


def list_looks(battles: int, within: float | None) -> Iterator[int]:
    """Yield the numbers of battles after which to look at the result; only the last if `within` is None."""
    look = FIRST_LOOK
    while within is not None and look < battles:
        yield look
        look *= 2
    yield battles


@frozen
class Contribution:
    """What a ship contributes: the change of her side's score without her.

    Attributes:
        score_changes: Change of the score, by pair of doctrines.
        no_effect_seen: True if every change is smaller than half the width of the score's interval.
    """

    ship: str
    score_changes: Mapping[Pair, float]
    no_effect_seen: bool


def play_without_each(
    question: Question,
    result: SimulationResult,
    ships: Mapping[str, str],
    run: Run,
    progress: Progress = lambda done, of: None,
) -> Iterator[Contribution]:
    """Play all battles without each ship in turn, and yield what the ship contributes.

    A ship has no effect seen if by all doctrines the score changes by less than half its interval. If the
    work is stopped, the iterator ends; a ship is yielded only once all her battles are played.

    Args:
        question: The battles, without a variant.
        result: Their result with all ships.
        ships: The ships to leave out, each with her side.
        run: Plays shares of the work.
        progress: Receives the number of battles played, and the number of all battles.
    """
    # Play as many battles as with all ships, also those that could not continue (`apart`).
    battles = max(tally.battles + tally.apart for tally in result.tallies.values())
    for place, (ship, side) in enumerate(ships.items()):
        spec = evolve(question.spec, variant=BattleVariant(without=(ship,)))

        # The default of `ships_done` keeps the value that `place` has now.
        def report_progress(done: int, battles_each: int, ships_done: int = place) -> None:
            progress(ships_done * battles_each + done, len(ships) * battles_each)

        # `within=None`: play all these battles, whatever precision is reached.
        question_without = evolve(question, spec=spec, battles=battles, within=None)
        result_without = simulate_battles(question_without, run, report_progress)
        if not result_without.complete:
            return
        score_changes = {}
        no_effect_seen = True
        for pair, tally in result.tallies.items():
            score = tally.estimate_score(side)
            change = result_without.tallies[pair].estimate_score(side).part - score.part
            score_changes[pair] = change
            if abs(change) >= score.half:
                no_effect_seen = False
        yield Contribution(ship, score_changes, no_effect_seen)
