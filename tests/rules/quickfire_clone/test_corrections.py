"""Corrections of what only Quickfire-Clone has.

Choices, sinking that a `next` asks, collisions, estimates.
"""

import pytest

from qf_tui.core.timeline import State
from qf_tui.session import Session
from tests.core.playing import renumbered
from tests.rules.playing import enter, owed, refusal, values
from tests.rules.quickfire_clone.tables import battle, played, ship, to_turn

HURT = {"rof_heavy": 5, "speed_hits": 1}


def states(session: Session) -> dict[int, str]:
    """The entries that do not stand, with how they are."""
    found = (State.PARKED, State.SPARE)
    return {number: state.value for state in found for number in session.timeline.in_state(state)}


@pytest.mark.clause("QFC-PH-3")
def test_a_fire_check_thrown_again_goes_ahead_of_the_next_that_asked_who_sinks() -> None:
    """Catches an answer put behind a `next` that it would have held."""
    rook = ship("rook", "red", log={"speed_hits": 8}, fires=1)
    session = played(battle(ship("ajax"), rook), "next", "roll 4 4", "next", "strike 2")
    assert owed(session) == ["fire-check rook", "sinking rook"]
    enter(session, "roll 1/fire-check/rook/1 6 6", "roll 1/sinking/rook/1 6 6")
    right = played(battle(ship("ajax"), rook), "next", "roll 6 6", "next", "roll 6 6")
    assert renumbered(session.timeline) == renumbered(right.timeline)
    assert session.timeline.play_order[1] == 5


@pytest.mark.clause("QFC-REP-2")
def test_amended_dice_make_a_choice_spare_and_bring_it_back() -> None:
    """Catches a choice that is dropped with its question."""
    rook = ship("rook", "red", log=HURT)
    session = played(
        battle(ship("ajax"), rook, phase="repair"), "repair rook", "roll 3 4", "answer gunnery-heavy", "next"
    )
    before = renumbered(session.timeline)
    session.enter("amend 2 5 5")
    assert states(session) == {3: "spare"}
    assert values(session, "rook")["speed_hits"] == 0
    session.enter("amend 2 1 2")
    assert states(session) == {}
    assert renumbered(session.timeline) == before


@pytest.mark.clause("QFC-REP-2")
def test_a_choice_that_the_damage_no_longer_allows_is_parked_and_asked_again() -> None:
    """Catches a point fixed that was never lost."""
    start = battle(ship("ajax"), ship("rook", "red", log={"rof_light": 5}), phase="repair")
    session = played(start, "damage rook G S", "repair rook 3 4", "answer gunnery-heavy", "next")
    session.enter("amend 1 damage rook S")
    assert states(session) == {3: "parked"}
    assert session.battle.owed[0].words == ("gunnery-light", "speed")
    session.enter("amend 3 answer speed")
    assert states(session) == {}
    assert values(session, "rook")["speed_hits"] == 0


@pytest.mark.clause("QFC-PH-3")
def test_a_ship_that_never_lost_its_boxes_is_not_asked_and_its_sinking_roll_is_spare() -> None:
    """Catches a ship sunk by dice that nobody calls for."""
    start = battle(ship("ajax"), ship("rook", "red"), phase="repair")
    session = played(start, "damage rook S S S S S S S S", "next", "roll 1 1", "next")
    assert values(session, "rook")["sunk"] is True
    session.enter("strike 1")
    assert values(session, "rook")["sunk"] is False
    assert states(session) == {3: "spare"}
    assert session.battle.turn == 2
    session.enter("restore 1")
    assert values(session, "rook")["sunk"] is True


@pytest.mark.clause("QFC-PH-3")
def test_boxes_lost_by_a_correction_ask_who_sinks_in_the_turn_in_which_they_were_lost() -> None:
    """Catches a sinking roll that is asked a turn late, or never."""
    start = battle(ship("ajax"), ship("rook", "red"), phase="repair")
    session = played(start, "damage rook S", "next", "next", "note turn 2")
    session.enter("amend 1 damage rook S S S S S S S S")
    assert owed(session) == ["sinking rook"]
    session.enter("roll 1 1")
    right = played(start, "damage rook S S S S S S S S", "next", "roll 1 1", "next", "next", "note turn 2")
    assert session.battle.ships == right.battle.ships


@pytest.mark.clause("QFC-COL-1")
def test_a_forgotten_collision_parks_the_shots_of_both_ships() -> None:
    """Catches stopped ships whose shots stand."""
    session = played(
        battle(phase="move"),
        "move ajax 60mm",
        "next",
        "fire ajax heavy rook 100cm 1 2",
        "torpedo rook ajax 20cm 6 6 6",
    )
    session.enter("insert 1 collide ajax rook 6 6")
    assert states(session) == {3: "parked", 4: "parked"}
    assert values(session, "ajax")["auto_shot"] is False
    session.enter("undo")
    assert states(session) == {}


@pytest.mark.clause("QFC-GUN-4")
@pytest.mark.clause("QFC-GUN-5")
def test_an_estimate_found_off_the_base_gives_the_auto_shot_to_the_next_shot() -> None:
    """Catches an auto shot that stays spent, and later dice that are not read again."""
    start = battle(ship("ajax", rof=(1, 1)), ship("rook", "red"))
    session = played(start, "fire ajax heavy rook 100cm 6 3")
    to_turn(session, 2, "gunnery").enter("fire ajax heavy rook 130cm 6")
    last = session.timeline.log[-1].number
    assert values(session, "rook")["rof_heavy"] == 5
    session.enter("amend 1 fire ajax heavy rook 100cm off")
    assert values(session, "rook")["rof_heavy"] == 6
    assert owed(session) == ["fire ajax"]
    session.enter(f"roll {last}/fire/ajax/1 1")
    assert values(session, "ajax")["auto_shot"] is True
    assert values(session, "rook")["rof_heavy"] == 5


@pytest.mark.clause("QFC-REP-2")
def test_a_late_repair_asks_late_and_its_answer_goes_where_it_belongs() -> None:
    """Catches a choice answered in the turn after."""
    rook = ship("rook", "red", log=HURT)
    session = played(
        battle(ship("ajax"), rook, phase="repair"), "next", "note turn 2", "insert 0 repair rook 2 2"
    )
    assert owed(session) == ["choice rook"]
    session.enter("answer gunnery-heavy")
    right = played(
        battle(ship("ajax"), rook, phase="repair"),
        "repair rook 2 2",
        "answer gunnery-heavy",
        "next",
        "note turn 2",
    )
    assert renumbered(session.timeline) == renumbered(right.timeline)


def test_a_refused_order_changes_nothing_and_a_preview_neither() -> None:
    """Catches a preview that is entered."""
    session = played(battle(), "fire ajax heavy rook 100cm 1 2")
    before = session.timeline
    assert refusal(session, "fire ajax light rook 100cm 1 2") == "QFC-GUN-2"
    assert session.preview("amend 1 fire ajax heavy rook 100cm off").after.battle != session.battle
    assert session.timeline is before


@pytest.mark.clause("QFC-SNK-1")
def test_a_sinking_roll_of_a_past_turn_is_asked_though_the_ship_sank_since() -> None:
    """Catches a question brought up by a correction that the later loss of its ship takes away unasked."""
    start = battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 7}))
    session = played(start, "fire ajax heavy rook 130cm 6 6", "next", "next", "next", "damage rook S")
    for order in ("next", "next", "roll 1 1", "next", "amend 1 6 2"):
        session.enter(order)
    assert owed(session) == ["sinking rook"]
    session.enter("roll 6 6")
    assert owed(session) == []
    assert (values(session, "rook")["speed_hits"], values(session, "rook")["sunk"]) == (9, True)
