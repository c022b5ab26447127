"""Corrections that umpires make: the orders as entered, the correction, and its consequences.

Unless a case says differently, ships fire on any black die and are a 200% match for each other: a white 1
or 3 scores G, a 2 or 4 S, a 5 G and S, a 12 nothing; a long shot's blast is E on a total of 2 and D on 3.
"""

from random import Random

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Entry, State, build_timeline
from qf_tui.core.values import Chart, ChartCell, ChartRow, Provenance
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session
from tests.core.random_play import FirstTime
from tests.corrections.scripts import (
    Follows,
    build_two_a_side,
    correct,
    find_consequences,
    format_entry,
    list_clauses,
    list_owed,
    play_table,
    read_value,
)
from tests.rules.advanced_quickfire.tables import battle, craft, ship

EXPLODED = """
    1 fire ajax heavy rook long 1 1
    2 roll 6
    3 next
    4 next
    5 roll 5
    6 next
    7 next
    8 next
    9 next
    10 next
    11 next
    12 roll 5
"""


def test_dice_left_spare_by_a_struck_explosion_answer_again() -> None:
    """“The explosion roll was for another ship.” The fire checks that it caused become spare."""
    before = play_table(EXPLODED)
    struck = correct(before, "strike 2")
    assert find_consequences(struck) == Follows(
        kept=5,
        spare=(5, 12),
        owed=("1/explosion/rook/1",),
        changes={"rook speed_hits": (1, 0), "rook fires": (1, 0), "rook available_speed": (7, 8)},
        table=("Rook: speed back to 8″", "Rook: remove a fire marker"),
    )
    back = correct(struck.after, "restore 2")
    assert find_consequences(back).reread == {
        5: "fire check 5 on Rook: burns on",
        12: "fire check 5 on Rook: burns on",
    }
    assert find_consequences(back).table == ("Rook: speed 7″", "Rook: place a fire marker")
    assert back.after.battle == before.battle


def test_a_torpedo_remembered_next_turn_brings_its_checks() -> None:
    """“And my torpedo?” Launched last turn: its SX check and its sinking roll belong to last turn too."""
    before = play_table(
        """
        1 next
        2 note all torpedoes are in the water
        3 next
        4 next
        5 next
        6 next
        """
    )
    launched = correct(before, "insert 2 torpedo rook ajax in 1 9")
    assert find_consequences(launched) == Follows(
        kept=2,
        reread={3: "Rook is out of torpedoes · turn 1, Recurring hits"},
        owed=("3/sx-check/ajax/1", "5/sinking/ajax/1"),
        changes={"ajax speed_lost": (0, 3), "ajax available_speed": (8, 5), "rook torpedo_reload": (8, 0)},
        table=("Ajax: speed 5″", "Rook: has no torpedoes left"),
    )
    checked = correct(launched.after, "roll 12")
    sunk = correct(checked.after, "roll 1")
    assert sunk.after.play_order == (1, 2, 7, 3, 8, 4, 5, 9, 6)
    assert format_entry(sunk.after, 9) == "roll 5/sinking/ajax/1 1: Ajax with 4 SX: 1≤3, sinks †"
    assert find_consequences(sunk).table == ("Ajax: SUNK: remove the model",)
    assert sunk.after.battle.phase == "movement"


def test_a_shot_moved_to_the_other_phase_takes_its_explosion_with_it() -> None:
    """“She fired in the second phase, not in the first.” The shot moves with its dice and explosion roll."""
    before = play_table(
        """
        1 option untried_refire yes
        2 fire ajax heavy rook long 1 1
        3 roll 6
        4 fire boyne heavy rival long 3 4
        5 next
        6 next
        7 roll 8
        """
    )
    moved = correct(before, "shift 2 after 5")
    assert moved.after.play_order == (1, 4, 5, 2, 3, 6, 7)
    assert find_consequences(moved) == Follows(kept=4)
    back = correct(moved.after, "undo")
    assert (back.after.play_order, back.after.battle) == (before.play_order, before.battle)


ONE_SHOT = """
    1 fire ajax heavy rook long 3 4
    2 next
    3 next
"""


def test_a_shot_moved_to_a_phase_that_refuses_it_stays_where_it_is() -> None:
    """Allow fire in the second phase only to ships that tried in the first (no house rule)."""
    before = play_table(ONE_SHOT)
    with pytest.raises(OrderRefused) as refusal:
        correct(before, "shift 1 after 2")
    assert refusal.value.clause == "AQF-PH-3"
    assert all(finding.refused for finding in refusal.value.findings)


def test_a_shot_is_forced_into_a_phase_that_refuses_it() -> None:
    """Count it there with the clause that it overrides; undo puts it back."""
    before = play_table(ONE_SHOT)
    moved = correct(before, "shift 1 after 2 force")
    assert (tuple(moved.after.play_order), moved.after.list_in_state(State.PARKED)) == ((2, 1, 3), ())
    assert (moved.after.versions[1].forced, moved.after.versions[1].overrode) == (True, ("AQF-PH-3",))
    assert read_value(moved.after, "rook", "speed_hits") == 1
    assert build_timeline(before.start, moved.after.log) == moved.after
    back = correct(moved.after, "undo").after
    assert (back.battle, back.versions[1]) == (before.battle, before.versions[1])


def test_a_shift_without_effect_is_refused_with_advice() -> None:
    """Advise another shift where an inserted entry 4 already follows entry 2."""
    before = correct(play_table(ONE_SHOT), "insert 2 note forgotten").after
    assert before.play_order == (1, 2, 4, 3)
    with pytest.raises(OrderRefused, match=r"after 4, .* `shift 4 after 3` puts 4 after it"):
        correct(before, "shift 3 after 2")
    with pytest.raises(OrderRefused, match="it is there already"):
        correct(before, "shift 4 after 2")
    assert correct(before, "insert 2 note and this").after.play_order == (1, 2, 4, 5, 3)
    with pytest.raises(OrderRefused, match="shift 1: it is struck; restore it first"):
        correct(correct(before, "strike 1").after, "shift 1 after 2")


@pytest.mark.parametrize(
    ("away", "back"),
    [
        (("strike 1", "insert 0 leave ajax withdrawn"), "restore 1"),
        (("strike 1", "insert 0 leave ajax withdrawn"), "strike 4"),
        (("undo 3", "insert 0 leave ajax withdrawn"), "redo 3"),
        (("insert 0 leave ajax withdrawn", "strike 1"), "undo"),
    ],
)
def test_a_restored_entry_that_is_parked_is_named(away: tuple[str, ...], back: str) -> None:
    """Name each entry that restore, undo or redo brings back only to be parked."""
    timeline = play_table(ONE_SHOT)
    for text in away:
        timeline = correct(timeline, text).after
    revision = correct(timeline, back)
    assert revision.consequences.parked == revision.after.list_in_state(State.PARKED) == (1,)


def test_restored_dice_that_become_spare_are_named() -> None:
    before = correct(correct(play_table(EXPLODED), "strike 2").after, "strike 1").after
    revision = correct(before, "restore 2")
    assert revision.consequences.spare == (2,)


def test_an_explosion_of_this_turn_moves_no_check_of_the_last() -> None:
    """“Rook was on fire a turn ago.” The older check comes first, whichever is rolled first."""
    before = play_table("\n".join(f"{number} next" for number in range(1, 9)))
    burning = correct(before, "insert 1 mark rook fires 1").after
    assert list_owed(burning) == ["2/fire-check/rook/1", "8/fire-check/rook/1"]
    exploded = correct(burning, "roll 8/fire-check/rook/1 12").after
    out = correct(exploded, "roll 2/fire-check/rook/1 1").after
    assert out.play_order[:4] == (1, 9, 2, 11)
    assert out.list_in_state(State.SPARE) == (10,)
    assert read_value(out, "rook", "fires") == 0
    assert list_owed(out) == []


@pytest.mark.parametrize("fire_first", [True, False])
@pytest.mark.clause("AQF-REC-2")
def test_late_checks_keep_their_order_whichever_is_rolled_first(fire_first: bool) -> None:
    """Insert a `next`, so that Skiff owes two checks at once, though SX is checked only after fires."""
    ships = (ship("ajax", rof=(6, 9), repair=2), ship("rook", "red", rof=(7, 7)), craft("skiff"))
    before = play_table(
        """
        1 next
        2 boats ajax skiff 5 5
        3 roll 5
        4 roll 5
        5 roll 11
        6 next
        7 next
        8 insert 0 force next
        """,
        battle(*ships, phase="movement"),
    )
    late = ["roll 6/fire-check/skiff/1 3", "roll 6/sx-check/skiff/1 5"]
    assert list_owed(before) == [one.split()[1] for one in late]
    timeline = before
    for order in late if fire_first else late[::-1]:
        timeline = correct(timeline, order).after
    checks = [n for n in timeline.play_order if timeline.versions[n].order.line in late]
    assert [timeline.versions[number].order.line for number in checks] == late
    assert build_timeline(timeline.start, timeline.log) == timeline
    assert FirstTime(timeline, SYSTEM).expected == FirstTime(timeline, SYSTEM).battle


def test_a_roll_carried_over_by_force_is_answered_there() -> None:
    """“That check was hers, not Boyne's.” The phase was forced to end; the roll belongs after it."""
    before = play_table(
        """
        1 damage boyne SX
        2 damage rook F
        3 next
        4 next
        5 force next
        6 roll 4/sx-check/boyne/1 1
        7 roll 4/fire-check/rook/1 8
        8 next
        """
    )
    struck = correct(before, "strike 6")
    assert find_consequences(struck).owed == ("4/sx-check/boyne/1",)
    answered = correct(struck.after, "roll 12")
    assert answered.after.play_order == (1, 2, 3, 4, 5, 10, 7, 8)
    assert find_consequences(answered).changes["boyne speed_lost"] == (1, 2)


def test_a_late_answer_keeps_its_phase_though_a_shot_was_carried_over() -> None:
    """“That check was not hers.” Rook's own is asked again; Ajax's shot of this turn still waits."""
    before = play_table(
        """
        1 damage rook F
        2 next
        3 next
        4 roll 8
        5 next
        6 next
        7 next
        8 next
        9 fire ajax heavy rook long
        10 force next
        """
    )
    struck = correct(before, "strike 4")
    assert find_consequences(struck) == Follows(kept=4, owed=("3/fire-check/rook/1",))
    assert list_owed(struck.after) == ["3/fire-check/rook/1", "9/fire/ajax/1"]
    answered = correct(struck.after, "roll 3/fire-check/rook/1 1")
    assert answered.after.play_order == (1, 2, 3, 12, 5, 6, 7, 8, 9, 10)
    assert find_consequences(answered).changes == {"rook fires": (1, 0)}
    assert list_owed(answered.after) == ["9/fire/ajax/1"]


REPAIRED = """
    1 fire ajax heavy rook long 3 4
    2 next
    3 next
    4 next
    5 repair rook speed 5
    6 next
"""


def test_a_repair_of_damage_that_never_was_is_parked() -> None:
    """“That hit was a miss.” Rook had repaired the box it cost; the repair point comes back."""
    revision = correct(play_table(REPAIRED), "amend 1 12 12")
    assert find_consequences(revision) == Follows(kept=4, parked=(5,), changes={"rook repair_points": (4, 5)})
    assert list_clauses(revision.after, 5) == ("AQF-REP-1",)


@pytest.mark.parametrize(
    ("then", "points", "state"),
    [
        ("amend 5 force repair rook speed", 5, State.STANDS),
        ("strike 5", 5, None),
        ("amend 1 3 4", 4, State.STANDS),
        ("undo", 4, State.STANDS),
        ("insert 1 damage rook S", 4, State.STANDS),
    ],
)
def test_a_parked_repair_is_forced_struck_or_corrected(then: str, points: int, state: State | None) -> None:
    """Leave nothing parked."""
    parked = correct(play_table(REPAIRED), "amend 1 12 12").after
    after = correct(parked, then).after
    assert after.list_in_state(State.PARKED) == ()
    assert read_value(after, "rook", "repair_points") == points
    assert (after.rulings[5].state if 5 in after.play_order else None) is state


def test_the_target_is_corrected_and_the_dice_stay() -> None:
    """“At Rival, I said!” The same dice hit the other ship; her own later shot is unchanged."""
    before = play_table(
        """
        1 fire ajax heavy rook long 3 5
        2 fire rook heavy ajax long 12 1
        3 next
        """
    )
    revision = correct(before, "amend 1 fire ajax heavy rival long")
    assert format_entry(revision.after, 1).startswith("fire ajax heavy rival long 3 5: heavy ROF 3≤12: fires")
    assert find_consequences(revision) == Follows(
        kept=2,
        changes={
            "rook rof_heavy": (11, 12),
            "rook speed_hits": (1, 0),
            "rook available_speed": (7, 8),
            "rival rof_heavy": (12, 11),
            "rival speed_hits": (0, 1),
            "rival available_speed": (8, 7),
        },
        table=("Rook: speed back to 8″", "Rival: speed 7″"),
    )


def test_a_phase_that_never_ended_is_merged_with_the_next() -> None:
    """“We were still in the first phase.” Her second shot is one too many there."""
    before = play_table(
        """
        1 fire ajax heavy rook long 12 5
        2 next
        3 fire ajax heavy rook long 10 4
        4 next
        """,
        build_two_a_side(rof=(11, 11)),
    )
    merged = correct(before, "strike 2")
    assert find_consequences(merged) == Follows(
        kept=0,
        reread={4: "turn 1, Second gunnery + torpedo"},
        parked=(3,),
        changes={"rook speed_hits": (1, 0), "rook available_speed": (7, 8)},
        table=("Rook: speed back to 8″",),
    )
    assert list_clauses(merged.after, 3) == ("AQF-GUN-9",)
    assert merged.after.battle.phase == "second-gunnery"
    assert correct(merged.after, "restore 2").after.battle == before.battle


def test_a_chart_laid_over_at_the_start_rereads_its_cells() -> None:
    """“Here is my printed chart.” At 200% it has three hits at 5 and one at 12; a 4 is unchanged."""
    cells = {"5": ChartCell("3", Provenance.OWN), "12": ChartCell("1", Provenance.OWN)}
    mine = {"battery": Chart("battery", "Gunnery", {"200": ChartRow("200", cells)})}
    before = play_table(
        """
        1 fire ajax heavy rook long 12 12
        2 fire boyne heavy rook long 3 5
        3 fire rook heavy ajax long 3 4
        4 next
        """
    )
    revision = correct(before, "insert 0 chart mine", overlay=mine)
    assert list(find_consequences(revision).reread) == [1, 2]
    assert find_consequences(revision).kept == 2
    assert find_consequences(revision).changes == {
        "rook rof_heavy": (11, 10),
        "rook speed_hits": (1, 2),
        "rook available_speed": (7, 6),
    }
    assert correct(revision.after, "undo").after.battle == before.battle


@pytest.mark.parametrize(
    ("before", "switch", "dice"),
    [
        ("1 note fog\n2 fire ajax both rook medium 7 8 9 5", "one_roll yes", "7 8"),
        ("1 option explosion_dice 2d6\n2 damage rook E\n3 roll 3 4", "explosion_dice 1d12", "3"),
    ],
)
def test_an_entry_with_too_many_dice_for_a_new_switch_is_parked_with_all(
    before: str, switch: str, dice: str
) -> None:
    """“We play one roll for both.” The second pair is no longer thrown, but is not lost silently."""
    timeline = play_table(before)
    entry = timeline.play_order[-1]
    revision = correct(timeline, f"insert 1 option {switch}")
    assert find_consequences(revision).parked == (entry,)
    assert revision.after.versions[entry].dice == timeline.versions[entry].dice
    assert "too many dice" in revision.after.rulings[entry].findings[0].text
    mended = correct(revision.after, f"amend {entry} {dice}").after
    assert mended.aside == ()
    assert correct(revision.after, "undo").after.battle == timeline.battle


def test_a_ship_that_had_left_parks_its_shots_and_those_at_it() -> None:
    """“Rook had withdrawn before that.” Shots at her and by her are parked; her direction roll is spare."""
    before = play_table(
        """
        1 fire ajax heavy rook long 1 2
        2 roll 4
        3 fire rook heavy ajax long 3 4
        4 fire boyne heavy rival long 3 4
        5 next
        """
    )
    left = correct(before, "insert 0 leave rook withdrawn")
    assert (find_consequences(left).parked, find_consequences(left).spare, find_consequences(left).kept) == (
        (1, 3),
        (2,),
        2,
    )
    assert list_clauses(left.after, 1) == list_clauses(left.after, 3) == ("AQF-PH-9",)
    assert find_consequences(left).table == ("Ajax: speed back to 8″", "Rook: withdrawn: remove the model")
    assert correct(left.after, "strike 6").after.battle == before.battle


@pytest.mark.parametrize(
    ("correction", "state", "clause"),
    [
        ("strike 1", State.STANDS, ()),
        ("amend 1 12 12", State.STANDS, ()),
        ("insert 1 leave rook sunk", State.PARKED, ("AQF-SNK-2",)),
        ("insert 1 leave ajax withdrawn", State.PARKED, ("AQF-PH-9",)),
    ],
)
def test_a_forced_entry_stays_forced_until_another_clause_refuses_it(
    correction: str, state: State, clause: tuple[str, ...]
) -> None:
    """“She may fire twice, I allow it.” The override is kept, and covers no other clause."""
    before = play_table(
        """
        1 fire ajax heavy rook long 3 4
        2 force fire ajax heavy rook long 4 3
        """
    )
    assert before.versions[2].overrode == ("AQF-GUN-9",)
    after = correct(before, correction).after
    assert (after.rulings[2].state, list_clauses(after, 2)) == (state, clause)
    assert after.versions[2].overrode == ("AQF-GUN-9",)


def test_a_preview_throws_nothing_even_with_the_consoles_dice() -> None:
    """“What if Boyne had fired too?” Her dice would be owed; the next throw is unchanged."""
    throws = Random(7)
    expected = [throws.choice(range(1, 13)) for _ in range(2)]
    session = Session(SYSTEM, build_timeline(build_two_a_side(), ()), seed=7)
    previewed = session.preview("insert 0 fire boyne heavy rook long")
    assert [owed.key for owed in previewed.newly_owed] == ["1/fire/boyne/1"]
    entered = session.enter("fire ajax heavy rook long").act
    assert isinstance(entered, Entry)
    assert list(entered.version.dice) == expected
