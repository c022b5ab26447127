"""What is counted over throws, and the turning point."""

from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve

from qf_tui.analysis.story import (
    cells_of,
    count_of,
    counts_of,
    damage_of,
    phase_ends,
    stretches,
    struck_throws,
    turning_point,
)
from qf_tui.analysis.throws import throws_of
from qf_tui.analysis.values import NOTHING, Cells, Distribution, LeftOut, LuckStep, ThrownDice, total
from qf_tui.core.timeline import Timeline, opened
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.analysis.battles import golden
from tests.core.playing import play
from tests.corrections.scripts import two_a_side

COIN, HALF = Distribution((1, 1), 2), Fraction(1, 2)
SHOT = "fire ajax heavy rook pb 3 12"


def throw(entry: int, side: str = "blue", kind: str = "guns", **more: Any) -> ThrownDice:
    usual = ThrownDice(entry, 1, "first-gunnery", side, "ajax", "rook", "fire", kind, (1,), 1, COIN, 0.5)
    return evolve(usual, **more)


def test_results_are_counted_by_side_and_kind_and_damage_in_one_sum() -> None:
    throws = (
        throw(1),
        throw(2, results=0),
        throw(3, kind="torpedoes"),
        throw(4, side="red", kind="repairs"),
        throw(5, left_out=LeftOut.JUDGED_OTHERWISE, chances=NOTHING),
        throw(6, kind=""),
    )
    counts = counts_of(SYSTEM, ("blue", "red"), throws)
    found = {(count.side, count.kind): (count.throws, count.results, count.chances.mean) for count in counts}
    assert found == {
        ("blue", "guns"): (2, 1, 2 * HALF),
        ("blue", "torpedoes"): (1, 1, HALF),
        ("red", "repairs"): (1, 1, HALF),
    }
    blue, red = damage_of(SYSTEM, ("blue", "red"), counts)
    assert (blue.kind, blue.throws, blue.results, blue.chances) == ("", 3, 2, total((COIN,) * 3))
    assert (red.throws, red.results, red.chances) == (0, 0, NOTHING)
    assert count_of(throws, "blue", "guns", "torpedoes") == blue


@pytest.mark.parametrize(
    ("orders", "blue", "red"),
    [
        ((SHOT,), 0, 0),
        ((SHOT, "undo"), 1, 0),
        ((SHOT, "undo", "redo"), 0, 0),
        ((SHOT, "strike 1", "restore 1"), 0, 0),
        ((SHOT, "amend 1 4 12"), 1, 0),
        ((SHOT, "amend 1 fire ajax heavy rook long 3 12"), 0, 0),
        ((SHOT, "amend 1 4 12", "strike 2"), 1, 0),
        ((SHOT, "amend 1 4 12", "amend 1 3 12"), 1, 0),
        ((SHOT, "amend 1 4 12", "strike 1"), 2, 0),
        ((SHOT, "amend 1 fire rook heavy ajax pb 4 12"), 1, 0),
        (("damage rook E", "roll 4", "undo"), 0, 1),
        (("damage rook E", "undo"), 0, 0),
    ],
)
def test_throws_taken_back_are_counted_for_their_side(orders: tuple[str, ...], blue: int, red: int) -> None:
    timeline = play(opened(two_a_side(), ()), *orders, system=SYSTEM)
    assert struck_throws(timeline) == {"blue": blue, "red": red}


def test_cells_are_those_that_entries_in_force_read() -> None:
    timeline = play(opened(two_a_side(), ()), SHOT, SHOT.replace("heavy", "light"), system=SYSTEM)
    assert _cells(timeline) == Cells(3, 3)
    assert _cells(play(timeline, "undo 2", system=SYSTEM)) == Cells()


def _cells(timeline: Timeline) -> Cells:
    return cells_of(throws_of(SYSTEM, SYSTEM.worth, timeline, range(len(timeline.play_order))))


def test_the_turning_point_is_the_phase_and_the_throw_with_the_most_luck() -> None:
    _, timeline = golden("port-arthur-1904-evening")
    first = [number for number in timeline.play_order if not timeline.versions[number].order.is_phase_end]
    by_entry = {first[0]: 1.0, first[1]: 1.5, first[-1]: -2.25}
    steps = [
        LuckStep(number, (0.0, 0.0), by_entry.get(number, 0), 0, throw(number, luck=by_entry.get(number)))
        for number in timeline.play_order
    ]
    every = stretches(timeline, steps)
    found = turning_point(every)
    assert found is not None
    assert (found.luck, found.throws, found.throw) == (2.5, (first[1], first[0]), first[-1])
    assert (found.turn, found.phase) == (timeline.start.turn, timeline.start.phase)
    ends = phase_ends(("one", "other"), (0, 0), every)
    assert [end.luck for end in ends][:1] == [2.5]
    assert ends[-1].luck == 0.25
    assert ends[-1].entry == 0
    assert turning_point(stretches(timeline, [])) is None
    worse = [
        evolve(one, throw=throw(one.entry, luck=-2.75)) if one.entry == first[-1] else one for one in steps
    ]
    last = turning_point(stretches(timeline, worse))
    assert last is not None
    assert (last.luck, last.throws) == (-2.75, (first[-1],))
