"""Corrections around answers at the end of a phase, and battles whose rules were corrected later."""

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import State, Timeline, build_timeline
from qf_tui.core.verify import list_differences
from qf_tui.rules import quickfire_clone
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.core.playing import play
from tests.core.random_play import FirstTime, NotPlayable
from tests.corrections.scripts import correct, list_owed, play_table
from tests.rules.advanced_quickfire.tables import battle, ship
from tests.rules.quickfire_clone import tables as clone


def _is_as_played_right(system: RuleSystem, timeline: Timeline) -> bool:
    """Return whether it equals the battle played right, and is unchanged when decided again."""
    first_time = FirstTime(timeline, system)
    noted = play(timeline, "insert 0 note set up", system=system)
    assert list_differences(system, timeline, "99") == ()
    return first_time.expected == first_time.battle and noted.battle == timeline.battle


@pytest.fixture
def checked_too_soon() -> Timeline:
    """Check Rook for SX, by a forced end of the phase, before Boyne's fire lets water in."""
    before = play_table(
        """
        1 mark rook speed_lost 1
        2 mark boyne speed_hits 7
        3 damage boyne F
        4 next
        5 force next
        6 roll 4/sx-check/rook/1 12
        7 roll 4/fire-check/boyne/1 12
        8 roll 7/explosion/boyne/1 8
        9 next
        """,
        battle(ship("boyne"), ship("rook", "red"), phase="second-gunnery"),
    )
    return correct(before, "strike 5").after


@pytest.mark.clause("AQF-REC-2")
def test_without_the_forced_end_ships_are_checked_after_the_fires(
    checked_too_soon: Timeline,
) -> None:
    """“We were still rolling for fires.” Boyne took water by then, so she is checked too."""
    assert checked_too_soon.list_in_state(State.SPARE) == (6,)
    assert list_owed(checked_too_soon) == ["4/sx-check/boyne/1", "4/sx-check/rook/1"]
    timeline = checked_too_soon
    for key in list_owed(timeline):
        timeline = correct(timeline, f"roll {key} 5").after
    assert timeline.play_order == (1, 2, 3, 4, 6, 7, 8, 11, 12, 9)
    assert _is_as_played_right(SYSTEM, timeline)


@pytest.mark.clause("AQF-REC-2")
def test_other_dice_do_not_bring_back_a_check_rolled_too_soon() -> None:
    """“It was an 11.” The check is not asked for while the fire is open, whatever was thrown."""
    before = play_table(
        """
        1 mark rook speed_lost 1
        2 damage boyne F
        3 next
        4 force next
        5 roll 3/sx-check/rook/1 12
        6 strike 4
        """,
        battle(ship("boyne"), ship("rook", "red"), phase="second-gunnery"),
    )
    assert before.list_in_state(State.SPARE) == (5,)
    with pytest.raises(OrderRefused, match="owed: 3/fire-check/boyne/1"):
        correct(before, "amend 5 11")


@pytest.mark.clause("AQF-REC-2")
def test_a_check_rolled_too_soon_answers_where_it_is_moved(checked_too_soon: Timeline) -> None:
    """“Use the 12 that we rolled.” After the fires the check is asked for, and Rook takes water."""
    shifted = correct(checked_too_soon, "shift 6 after 8").after
    assert shifted.list_in_state(State.SPARE) == ()
    assert list_owed(shifted) == ["4/sx-check/boyne/1"]
    answered = correct(shifted, "roll 4/sx-check/boyne/1 5").after
    assert answered.battle.ships["rook"].count("speed_lost") == 2
    assert _is_as_played_right(SYSTEM, answered)


@pytest.mark.clause("QFC-PH-3")
def test_a_sinking_roll_moves_after_an_explosion_if_its_end_asks_nothing() -> None:
    """“She had no such damage yet.” It is marked later, so her roll follows the explosion."""
    system = quickfire_clone.SYSTEM
    timeline = build_timeline(
        clone.battle(clone.ship("rival"), clone.ship("skiff", "red"), phase="repair"), ()
    )
    orders = (
        "mark rival speed_hits 8",
        "next",
        "mark rival speed_hits 9",
        "damage skiff E",
        "roll 0/sinking/rival/1 2 3",
        "roll 4/explosion/skiff/1 3 1",
        "next",
    )
    struck = play(timeline, *orders, "strike 1", system=system)
    assert (struck.list_in_state(State.SPARE), list_owed(struck)) == ((5,), ["0/sinking/rival/1"])
    answered = play(struck, "roll 0/sinking/rival/1 2 3", system=system)
    assert answered.play_order == (2, 3, 4, 5, 6, 9, 7)
    assert _is_as_played_right(system, answered)


def test_a_roll_made_while_its_phase_end_is_struck_comes_before_that_end() -> None:
    """“Back: her white die was a 12. So, phase over.” The restored `next` finds the roll made."""
    before = play_table(
        """
        1 fire ajax heavy rook medium
        2 roll 1/fire/ajax/1 3 3
        3 next
        4 strike 3
        5 strike 2
        6 roll 1/fire/ajax/1 3 12
        """
    )
    again = correct(before, "restore 3").after
    assert again.play_order == (1, 6, 3)
    assert (again.list_in_state(State.SPARE), list_owed(again), again.battle.phase) == (
        (),
        [],
        "second-gunnery",
    )
    assert _is_as_played_right(SYSTEM, again)


@pytest.mark.clause("QFC-PH-3")
def test_a_roll_carried_over_stays_there_though_it_is_asked_for_sooner() -> None:
    """“Skiff's boxes were gone from the start.” The umpire put her roll off, so it stays there.

    It could not be played so: asked with Rival, she would have blocked the second `next`, which only asks for
    Rook. With her roll moved to Rival's, the battle is as played right.
    """
    system = quickfire_clone.SYSTEM
    ships = clone.ship("rival"), clone.ship("rook"), clone.ship("skiff", "red")
    carried = play(
        build_timeline(clone.battle(*ships, phase="repair"), ()),
        *("mark rival speed_hits 8", "next", "roll 0/sinking/rival/1 6 6"),
        *("mark rook speed_hits 8", "next", "roll 0/sinking/rook/1 6 6"),
        *("mark skiff speed_hits 8", "force next", "roll 0/sinking/skiff/1 6 6"),
        system=system,
    )
    timeline = play(carried, "insert 0 mark skiff speed_hits 8", system=system)
    assert timeline.play_order == (10, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert (timeline.list_in_state(State.SPARE), list_owed(timeline)) == ((), [])
    with pytest.raises(NotPlayable):
        FirstTime(timeline, system)
    assert _is_as_played_right(system, play(timeline, "shift 9 after 3", system=system))


ROLLED = """
    1 fire ajax heavy rook medium
    2 roll 1/fire/ajax/1 3 12
    3 next
"""


def test_a_phase_end_is_moved_before_an_open_roll_only_by_force() -> None:
    """“The phase ended before those dice.” A `next` entered there waits for them or carries them over."""
    before = play_table(ROLLED)
    with pytest.raises(OrderRefused, match=r"still owed: 1/fire/ajax/1.*`shift 3 after 1 force` carries"):
        correct(before, "shift 3 after 1")
    forced = correct(before, "shift 3 after 1 force").after
    assert (tuple(forced.play_order), forced.versions[3].forced) == ((1, 3, 2), True)
    assert _is_as_played_right(SYSTEM, forced)
    assert correct(before, "shift 3 after 0").after.rulings[3] == before.rulings[3]


def test_a_roll_moved_after_the_end_of_its_phase_stays_there() -> None:
    """“Those dice came later.” Only the umpire can say so: that `next` would have waited for them."""
    timeline = correct(play_table(ROLLED), "shift 2 after 3").after
    order = tuple(timeline.play_order)
    assert (order, timeline.list_in_state(State.SPARE), list_owed(timeline)) == ((1, 3, 2), (), [])
    with pytest.raises(NotPlayable):
        FirstTime(timeline, SYSTEM)
    assert _is_as_played_right(SYSTEM, correct(timeline, "shift 2 after 1").after)


@pytest.mark.clause("QFC-BLA-4")
def test_a_question_of_a_sunk_ship_is_dropped_though_a_next_came_after_it() -> None:
    """“Skiff's rudder jammed before that, but she has sunk since.” Her roll is no longer owed.

    Played right, the `next` that only asked for Rival would have waited for Skiff's direction.
    """
    system = quickfire_clone.SYSTEM
    start = clone.battle(clone.ship("rival"), clone.ship("skiff", "red"), phase="repair")
    asked = play(
        build_timeline(start, ()),
        *("mark rival speed_hits 8", "next", "roll 0/sinking/rival/1 6 6", "insert 0 damage skiff D"),
        system=system,
    )
    assert list_owed(asked) == ["4/direction/skiff/1"]
    gone = play(asked, "leave skiff sunk", system=system)
    assert list_owed(gone) == []
    with pytest.raises(NotPlayable):
        FirstTime(gone, system)
    answered = play(asked, "roll 4/direction/skiff/1 1", "leave skiff sunk", system=system)
    assert _is_as_played_right(system, answered)
