"""What is counted of many battles: whole numbers, and intervals that hold what they say."""

import pytest

from qf_tui.simulation.playing import Ending
from qf_tui.simulation.tally import Tally, summed, tally_of, wilson

SIDES = {"ant": "north", "bee": "south", "cat": "south"}
ENDINGS = (
    Ending("north", 4, ("south",), ("bee", "cat")),
    Ending("", 30),
    Ending("south", 7, ("north",), ("ant",)),
    Ending("north", 9, ("south",), ("bee",)),
)


@pytest.mark.parametrize(
    ("count", "of", "least", "most"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_intervals_are_wilsons(count: int, of: int, least: float, most: float) -> None:
    """The last one is the example of Newcombe, 1998."""
    found = wilson(count, of)
    assert (round(found.least, 4), round(found.most, 4)) == (least, most)


def test_battles_are_added_up_in_any_order() -> None:
    tallies = [tally_of(ending, SIDES) for ending in ENDINGS]
    total = summed(tallies)
    assert total == summed(reversed(tallies))
    assert (total.battles, total.won) == (4, {"north": 2, "": 1, "south": 1})
    assert total.chance("north").part == 2.5 / 4
    assert total.chance("north").part + total.chance("south").part == 1
    assert total.early.part == 0.25
    assert total.length == (7, 4, 30)
    assert total.broken("south").part == 0.5
    assert total.breaks_on("south") == (4, 4, 9)
    assert total.loss("bee").part == 0.5
    assert total.mean_lost("south")[0] == 0.75
    assert total.mean_lost("south")[1] == pytest.approx(1.96 * (11 / 12) ** 0.5 / 2, abs=0.03)


def test_battles_that_could_not_go_on_count_nowhere_else() -> None:
    one, two = Tally(apart=1, why=(8, "later")), Tally(apart=1, why=(3, "first"))
    assert (one + two).apart == 2
    assert (one + two).why == (two + one).why == (3, "first")
    assert (one + two).battles == 0
