"""Answers at the end of a phase under corrections, and battles whose rules have been mended since."""

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import State, Timeline, build_timeline
from qf_tui.core.verify import list_differences
from qf_tui.rules import quickfire_clone
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.core.playing import play
from tests.core.random_play import FirstTime, NotPlayable
from tests.corrections.scripts import corrected, owing, played
from tests.rules.advanced_quickfire.tables import battle, ship
from tests.rules.quickfire_clone import tables as clone


def _as_played_right(system: RuleSystem, timeline: Timeline) -> bool:
    """Whether it equals the battle played right the first time, and nothing changes by deciding it again."""
    first_time = FirstTime(timeline, system)
    noted = play(timeline, "insert 0 note set up", system=system)
    assert list_differences(system, timeline, "99") == ()
    return first_time.expected == first_time.battle and noted.battle == timeline.battle


@pytest.fixture
def checked_too_soon() -> Timeline:
    """Rook is checked for SX, by a forced end of the phase, before Boyne's fire lets water in."""
    before = played(
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
    return corrected(before, "strike 5").after


@pytest.mark.clause("AQF-REC-2")
def test_without_the_forced_end_every_ship_is_checked_when_the_fires_are_done(
    checked_too_soon: Timeline,
) -> None:
    """“We were still rolling for fires.” Boyne took water by then, so she is checked beside Rook."""
    assert checked_too_soon.list_in_state(State.SPARE) == (6,)
    assert owing(checked_too_soon) == ["4/sx-check/boyne/1", "4/sx-check/rook/1"]
    timeline = checked_too_soon
    for key in owing(timeline):
        timeline = corrected(timeline, f"roll {key} 5").after
    assert timeline.play_order == (1, 2, 3, 4, 6, 7, 8, 11, 12, 9)
    assert _as_played_right(SYSTEM, timeline)


@pytest.mark.clause("AQF-REC-2")
def test_other_dice_bring_no_check_back_that_came_too_soon() -> None:
    """“It was an 11.” Nothing asks for it as long as the fire is open, whatever was thrown."""
    before = played(
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
    with pytest.raises(OrderRefused, match="owed is 3/fire-check/boyne/1"):
        corrected(before, "amend 5 11")


@pytest.mark.clause("AQF-REC-2")
def test_a_check_rolled_too_soon_answers_where_it_is_shifted(checked_too_soon: Timeline) -> None:
    """“Use the 12 that we rolled.” Behind the fires it is asked for, and Rook takes water."""
    shifted = corrected(checked_too_soon, "shift 6 after 8").after
    assert shifted.list_in_state(State.SPARE) == ()
    assert owing(shifted) == ["4/sx-check/boyne/1"]
    answered = corrected(shifted, "roll 4/sx-check/boyne/1 5").after
    assert answered.battle.ships["rook"].count("speed_lost") == 2
    assert _as_played_right(SYSTEM, answered)


@pytest.mark.clause("QFC-PH-3")
def test_who_sinks_is_asked_behind_an_explosion_once_the_first_end_asks_nothing() -> None:
    """“She had no such damage yet.” Marked later, she is asked for when the explosion is done."""
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
    assert (struck.list_in_state(State.SPARE), owing(struck)) == ((5,), ["0/sinking/rival/1"])
    answered = play(struck, "roll 0/sinking/rival/1 2 3", system=system)
    assert answered.play_order == (2, 3, 4, 5, 6, 9, 7)
    assert _as_played_right(system, answered)


def test_a_roll_made_while_the_end_of_its_phase_is_struck_stands_ahead_of_that_end() -> None:
    """“Back: her white die was a 12. So, phase over.” The `next` that comes back finds the roll made."""
    before = played(
        """
        1 fire ajax heavy rook medium
        2 roll 1/fire/ajax/1 3 3
        3 next
        4 strike 3
        5 strike 2
        6 roll 1/fire/ajax/1 3 12
        """
    )
    again = corrected(before, "restore 3").after
    assert again.play_order == (1, 6, 3)
    assert (again.list_in_state(State.SPARE), owing(again), again.battle.phase) == ((), [], "second-gunnery")
    assert _as_played_right(SYSTEM, again)


@pytest.mark.clause("QFC-PH-3")
def test_a_roll_that_the_umpire_carried_over_stays_there_though_it_is_asked_for_sooner() -> None:
    """“Skiff's boxes were gone from the start.” Her roll was put off by his word, so it is not called back.

    Played right, she would have been asked for beside Rival, and the second `next` had to wait for her:
    nobody could have played it so. It only asks for Rook; with her roll moved to Rival's, all is as played.
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
    assert (timeline.list_in_state(State.SPARE), owing(timeline)) == ((), [])
    with pytest.raises(NotPlayable):
        FirstTime(timeline, system)
    assert _as_played_right(system, play(timeline, "shift 9 after 3", system=system))


ROLLED = """
    1 fire ajax heavy rook medium
    2 roll 1/fire/ajax/1 3 12
    3 next
"""


def test_the_end_of_a_phase_is_moved_ahead_of_an_open_roll_only_by_force() -> None:
    """“The phase ended before those dice.” A `next` typed there waits for them or carries them over."""
    before = played(ROLLED)
    with pytest.raises(OrderRefused, match=r"still owed: 1/fire/ajax/1.*`shift 3 after 1 force` carries"):
        corrected(before, "shift 3 after 1")
    forced = corrected(before, "shift 3 after 1 force").after
    assert (tuple(forced.play_order), forced.versions[3].forced) == ((1, 3, 2), True)
    assert _as_played_right(SYSTEM, forced)
    assert corrected(before, "shift 3 after 0").after.rulings[3] == before.rulings[3]


def test_a_roll_moved_behind_the_end_of_its_phase_stays_there() -> None:
    """“Those dice came later.” By the umpire's word alone: that `next` would have waited for them."""
    timeline = corrected(played(ROLLED), "shift 2 after 3").after
    order = tuple(timeline.play_order)
    assert (order, timeline.list_in_state(State.SPARE), owing(timeline)) == ((1, 3, 2), (), [])
    with pytest.raises(NotPlayable):
        FirstTime(timeline, SYSTEM)
    assert _as_played_right(SYSTEM, corrected(timeline, "shift 2 after 1").after)


@pytest.mark.clause("QFC-BLA-4")
def test_a_question_of_a_ship_that_is_gone_is_let_go_though_a_next_was_made_over_it() -> None:
    """“Skiff's rudder jammed before that — but she has sunk since.” Nobody rolls for her, and nothing waits.

    Played right, the `next` that only asked for Rival would have waited for Skiff's direction.
    """
    system = quickfire_clone.SYSTEM
    start = clone.battle(clone.ship("rival"), clone.ship("skiff", "red"), phase="repair")
    asked = play(
        build_timeline(start, ()),
        *("mark rival speed_hits 8", "next", "roll 0/sinking/rival/1 6 6", "insert 0 damage skiff D"),
        system=system,
    )
    assert owing(asked) == ["4/direction/skiff/1"]
    gone = play(asked, "leave skiff sunk", system=system)
    assert owing(gone) == []
    with pytest.raises(NotPlayable):
        FirstTime(gone, system)
    answered = play(asked, "roll 4/direction/skiff/1 1", "leave skiff sunk", system=system)
    assert _as_played_right(system, answered)
