"""Mirror matches: the same ships on both sides, so that neither may win more often than the other."""

import pytest

from qf_tui.features.simulation.jobs import Pair, play_here
from qf_tui.features.simulation.simulate import Question, list_pairs, simulate_battles
from tests.features.simulation.duels import spec

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
def test_the_same_ships_on_both_sides_win_as_often(battles: int, rules: str) -> None:
    """Catches a side that is steered, ordered or counted better, beyond 3.5 deviations of a coin."""
    asked = Question(spec("mirror", blue=SHIPS, red=SHIPS, rules=rules), LIKE, battles)
    found = simulate_battles(asked, play_here).tallies
    scores = [tally.estimate_score("blue").part for tally in found.values()]
    of_all = len(LIKE) * battles
    assert sum(scores) / len(scores) == pytest.approx(0.5, abs=3.5 * 0.5 / of_all**0.5)
