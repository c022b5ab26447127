"""Luck and the rest add up to what changed, in every battle and by any worth."""

import pytest

from qf_tui.analysis.throws import advantage, throws_of
from qf_tui.analysis.whole import analyse
from tests.analysis.battles import GOLDEN, golden, worths_of


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.parametrize("kind", ["afloat", "everything"])
def test_luck_and_rest_are_all_that_changed_in_a_golden_battle(name: str, kind: str) -> None:
    system, timeline = golden(name)
    found = analyse(system, timeline, worths_of(system)[kind])
    start = advantage(tuple(found.start.values()))
    for end in found.phases:
        assert advantage(tuple(end.worth.values())) == pytest.approx(start + end.luck + end.rest, abs=1e-9)
    assert found.phases[-1].luck == pytest.approx(sum(throw.luck or 0 for throw in found.throws), abs=1e-9)


@pytest.mark.parametrize("name", GOLDEN)
def test_slices_find_the_same_as_the_whole(name: str) -> None:
    system, timeline = golden(name)
    worth = worths_of(system)["everything"]
    places = range(len(timeline.play_order))
    whole = throws_of(system, worth, timeline, places)
    apart = [
        step
        for at in range(0, len(places), 17)
        for step in throws_of(system, worth, timeline, places[at : at + 17])
    ]
    assert tuple(apart) == whole
