"""Crews in simulated battles: a card with steps has other odds, and so other battles."""

import pytest

from qf_tui.core.crews import AS_BUILT, Crew, with_crews
from qf_tui.features.simulation.jobs import play_here
from qf_tui.features.simulation.simulate import Question, build_spec, simulate_battles
from tests.features.simulation.duels import UNLIKE, load_duel

BATTLES = 8


@pytest.mark.parametrize("rules", ["quickfire", "advanced-quickfire"])
def test_the_worse_crew_of_two_sisters_loses(rules: str) -> None:
    """Guard against a simulation that reads ships as built."""
    system, start = load_duel(("asama",), ("asama",), rules)

    def count_wins(crew: Crew) -> int:
        crewed = with_crews(system, start, lambda ship: crew if ship.side == "red" else AS_BUILT)
        found = simulate_battles(Question(build_spec(system, crewed, "1"), UNLIKE, BATTLES, None), play_here)
        return sum(tally.won.get("red", 0) for tally in found.tallies.values())

    assert count_wins(Crew(-3, -3)) < count_wins(AS_BUILT) < count_wins(Crew(3, 3))
