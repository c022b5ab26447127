"""Luck and the rest add up to what changed, in every battle and by any worth."""

from itertools import chain

import pytest

from qf_tui.analysis.pricing import advantage
from qf_tui.analysis.story import Stopped, analyse, slices
from qf_tui.analysis.throws import throws_of
from qf_tui.core.declarations import AFLOAT_ALONE
from tests.analysis.battles import EACH_OPENING, OPENING, analysed, golden


@EACH_OPENING
@pytest.mark.parametrize("kind", ["its own", pytest.param("everything", marks=pytest.mark.long)])
def test_luck_and_rest_are_all_that_changed_in_a_golden_battle(
    name: str, orders: int | None, kind: str
) -> None:
    found = analysed(name, orders, kind)
    start = advantage(tuple(found.start.values()))
    for end in found.phases:
        assert advantage(tuple(end.worth.values())) == pytest.approx(start + end.luck + end.rest, abs=1e-9)
    assert found.phases[-1].luck == pytest.approx(sum(throw.luck or 0 for throw in found.throws), abs=1e-9)


@pytest.mark.parametrize("name", ["yellow-sea-1904-clone", "port-arthur-1904-evening"])
def test_slices_find_the_same_as_the_whole(name: str) -> None:
    system, timeline = golden(name, OPENING)
    places = range(len(timeline.play_order))
    whole = throws_of(system, system.worth, timeline, places)
    apart = [throws_of(system, system.worth, timeline, places[at : at + 23]) for at in places[::23]]
    assert tuple(chain.from_iterable(apart)) == whole


def test_slices_are_the_whole_play_order_and_end_with_phases() -> None:
    _, timeline = golden("yellow-sea-1904")
    cut = slices(timeline)
    assert [place for each in cut for place in each] == list(range(len(timeline.play_order)))
    starts = [timeline.versions[timeline.play_order[each.start]].order for each in cut[1:]]
    assert len(cut) > 3
    assert all(order.is_phase_end for order in starts)


def test_the_work_can_be_stopped_and_tells_how_far_it_is() -> None:
    system, timeline = golden("port-arthur-1904-evening")
    told: list[tuple[int, int]] = []

    def goes_on(done: int, of: int) -> bool:
        told.append((done, of))
        return len(told) < 2

    with pytest.raises(Stopped):
        analyse(system, timeline, AFLOAT_ALONE, goes_on=goes_on)
    assert [done for done, _ in told] == [slices(timeline)[0].stop, slices(timeline)[1].stop]
    assert {of for _, of in told} == {len(timeline.play_order)}
