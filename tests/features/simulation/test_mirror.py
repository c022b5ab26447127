"""Mirror matches: with the same ships, neither side may win more often than the other."""

import pytest

from qf_tui.features.simulation.jobs import Pair, play_here
from qf_tui.features.simulation.simulate import Question, list_pairs, simulate_battles
from tests.features.simulation.duels import build_duel_spec

SHIPS = ("mikasa", "asama", "niitaka")
LIKE: tuple[Pair, ...] = tuple(
    pair for pair in list_pairs(("hold", "close", "concentrate", "chase")) if len(set(pair)) == 1
)


@pytest.mark.parametrize(
    ("battles", "rules"),
    [
        (12, "advanced-quickfire"),
        *(pytest.param(200, rules, marks=pytest.mark.long) for rules in ("advanced-quickfire", "quickfire")),
    ],
)
def test_the_same_ships_win_equally_often_on_both_sides(battles: int, rules: str) -> None:
    """Guard against a side favoured by more than 3.5 standard deviations of a coin."""
    asked = Question(build_duel_spec("mirror", blue=SHIPS, red=SHIPS, rules=rules), LIKE, battles)
    found = simulate_battles(asked, play_here).tallies
    scores = [tally.estimate_score("blue").part for tally in found.values()]
    of_all = len(LIKE) * battles
    assert sum(scores) / len(scores) == pytest.approx(0.5, abs=3.5 * 0.5 / of_all**0.5)
