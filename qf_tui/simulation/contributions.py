"""What each ship is good for: the same battles, by the same seeds, without each of them in turn."""

from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from qf_tui.simulation.executor import Run
from qf_tui.simulation.job import Pair, Variant
from qf_tui.simulation.simulate import Progress, Question, SimulationResult, simulate


@frozen
class Contribution:
    """What a ship is good for: how far her side's score moves without her, by each pair of doctrines.

    `unseen`: by none of them does it move by as much as half the width of the score's interval.
    """

    ship: str
    moves: Mapping[Pair, float]
    unseen: bool


def without_each(
    question: Question,
    found: SimulationResult,
    ships: Mapping[str, str],
    run: Run,
    progress: Progress = lambda done, of: None,
) -> Iterator[Contribution]:
    """Plays all battles without each ship in turn; `ships` gives the side of each that is asked about.

    It ends early where somebody stops it: a ship is told of only when all her battles are played.
    """
    battles = max(tally.battles + tally.apart for tally in found.tallies.values())
    for place, (ship, side) in enumerate(ships.items()):
        spec = evolve(question.spec, variant=Variant(without=(ship,)))
        of, before = len(ships), place

        def told(done: int, each: int, before: int = before, of: int = of) -> None:
            progress(before * each + done, of * each)

        other = simulate(evolve(question, spec=spec, battles=battles, within=None), run, told)
        if not other.whole:
            return
        moves, unseen = {}, True
        for pair, tally in found.tallies.items():
            score = tally.score(side)
            moves[pair] = other.tallies[pair].score(side).part - score.part
            unseen = unseen and abs(moves[pair]) < score.half
        yield Contribution(ship, moves, unseen)
