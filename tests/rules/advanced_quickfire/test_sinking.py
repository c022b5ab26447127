"""Checks for sinking (AQF-SNK)."""

import pytest

from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship
from tests.rules.playing import allowed, drawn, owed, reasons, refusal, values


def sinking(lost: int, *orders: str) -> Session:
    """Rook with so many SX as phase 6 opens."""
    rook = ship("rook", "red", log={"speed_lost": lost})
    return played(battle(ship("ajax"), rook, phase="repair"), "next", *orders)


@pytest.mark.clause("AQF-SNK-1")
@pytest.mark.parametrize(("lost", "asked"), [(0, False), (1, False), (2, True), (8, True), (12, True)])
def test_two_sx_and_more_owe_a_roll(lost: int, asked: bool) -> None:
    """Catches a roll for one SX, and one only for all boxes."""
    assert owed(sinking(lost)) == (["sinking rook"] if asked else [])


@pytest.mark.clause("AQF-SNK-1")
@pytest.mark.parametrize(
    ("lost", "most"),
    [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 7), (9, 8), (10, 9), (12, 11), (13, 12), (20, 12)],
)
def test_each_row_sinks_up_to_its_roll_and_the_margin_helps(lost: int, most: int) -> None:
    """Catches a row read one off, and a margin that is not taken off the die."""
    for face in range(1, 13):
        session = sinking(lost, f"roll {face}")
        assert values(session, "rook")["sunk"] is (face <= most), face


@pytest.mark.clause("AQF-SNK-1")
@pytest.mark.parametrize(("lost", "asked"), [(2, False), (7, False), (8, True), (12, True)])
def test_by_the_switch_only_ships_with_nothing_but_sx_roll(lost: int, asked: bool) -> None:
    """Catches a switch that still asks ships with open boxes."""
    rook = ship("rook", "red", log={"speed_lost": lost})
    start = battle(ship("ajax"), rook, phase="repair", sinking_at="all-boxes")
    assert owed(played(start, "next")) == (["sinking rook"] if asked else [])


@pytest.mark.clause("AQF-SNK-1")
def test_no_ship_sinks_before_phase_6() -> None:
    """Catches a ship without a box left that no longer fires, launches or is a target."""
    rook = ship("rook", "red", log={"speed_lost": 11})
    session = played(battle(ship("ajax"), rook, craft("boat", "blue"), phase="first-gunnery"))
    assert values(session, "rook")["status"] == "afloat"
    assert allowed(session, "fire rook heavy ajax medium 1 1")
    assert allowed(session, "fire ajax heavy rook medium 1 1")
    assert allowed(session, "boats rook boat 4")
    session.enter("next")
    assert allowed(session, "torpedo rook ajax in 12")


@pytest.mark.clause("AQF-SNK-2")
@pytest.mark.parametrize(
    "order",
    ["fire rook heavy ajax medium 1 1", "fire ajax heavy rook medium 1 1", "move rook 4",
     "torpedo rook ajax in 12", "torpedo ajax rook in 12", "repair rook heavy 5", "boats ajax rook 5"],
)  # fmt: skip
def test_a_sunk_ship_takes_no_orders_and_is_no_target(order: str) -> None:
    """Catches wrecks that fight on."""
    session = sinking(8, "roll 1")
    assert "AQF-SNK-2" in [finding.clause for finding in session.preview_order(order).findings]


@pytest.mark.clause("AQF-SNK-2")
def test_a_sunk_ship_owes_nothing_and_what_it_did_stands() -> None:
    """Catches rolls owed by a wreck, and its hits undone."""
    rook = ship("rook", "red", log={"speed_lost": 2}, fires=1)
    session = played(
        battle(ship("ajax"), rook, phase="first-gunnery"),
        "fire rook heavy ajax medium 12 1",
        "damage rook D",
        *["force next"] * 4,
    )
    session.enter(f"roll {session.battle.owed[-1].key} 1")
    assert owed(session) == []
    assert values(session, "rook")["sunk"] is True
    assert drawn(session, "rook", "blast") == "SUNK"
    assert values(session, "ajax")["rof_heavy"] == 11
    for _ in range(4):
        session.enter("next")
    assert owed(session) == []


@pytest.mark.clause("AQF-SNK-2")
def test_a_ship_sunk_by_the_umpire_s_word_owes_nothing_of_what_it_declared() -> None:
    """Catches the dice of a wreck, and hits of others at it that ask for more rolls."""
    session = played(battle(), "fire rook heavy ajax medium", "fire ajax heavy rook pb", "leave rook sunk")
    assert owed(session) == ["fire ajax"]
    session.enter("roll 2 1")
    assert owed(session) == []


@pytest.mark.clause("AQF-PH-7")
def test_a_ship_that_withdraws_still_owes_the_dice_of_the_shot_that_it_declared() -> None:
    """Catches a shot that was declared with all others and is lost because its firer left the table."""
    session = played(battle(), "damage rook D", "fire rook heavy ajax medium", "fire ajax heavy rook medium")
    assert owed(session) == ["direction rook", "fire rook", "fire ajax"]
    session.enter("leave rook withdrawn")
    assert owed(session) == ["fire rook", "fire ajax"]


@pytest.mark.clause("AQF-SNK-2")
def test_a_ship_without_movement_tracks_everything_aboard() -> None:
    """Catches checks that are spared a ship that lies still."""
    rook = ship("rook", "red", fires=1, log={"speed_lost": 8})
    session = played(battle(ship("ajax"), rook, phase="second-gunnery"), "next", "roll 5", "roll 5", "next")
    assert allowed(session, "damage rook G")
    session.enter("next")
    assert owed(session) == ["sinking rook"]


@pytest.mark.clause("AQF-PH-7")
def test_the_end_is_offered_and_never_forced() -> None:
    """Catches a battle that stops by itself, or never says that one side is gone."""
    session = sinking(8)
    assert session.system.ended(session.battle) == ""
    last = reasons(session, "roll 1")[-1]
    assert (last.text, last.clause) == ("Red has no ship left in the battle: it may end here", "AQF-PH-7")
    assert "Red has no ship left" in session.system.ended(session.battle)
    session.enter("next")
    assert session.battle.turn == 2


@pytest.mark.clause("AQF-PH-7")
def test_a_side_that_withdraws_may_end_the_battle() -> None:
    """Catches a withdrawal that counts as still afloat."""
    session = played(battle(), "leave rook withdrawn")
    assert "Red" in session.system.ended(session.battle)
    assert refusal(session, "fire rook heavy ajax medium 1 1") == "AQF-PH-9"


@pytest.mark.clause("AQF-SNK-1")
def test_a_ship_that_comes_to_two_sx_in_the_sinking_phase_rolls_in_it_once() -> None:
    """Catches SX by the umpire's hand, or of a check carried over, for which nobody asks."""
    session = played(battle(phase="repair"), "next")
    assert owed(session) == []
    session.enter("mark rook speed_lost 3")
    assert owed(session) == ["sinking rook"]
    session.enter("roll 12")
    session.enter("mark rook speed_lost 5")
    assert owed(session) == []
    late = played(
        battle(ship("ajax"), ship("rook", "red", log={"speed_lost": 1}), phase="second-gunnery"), "next"
    )
    for order in ("force next", "force next", "roll 12"):
        late.enter(order)
    assert owed(late) == ["sinking rook"]


@pytest.mark.clause("AQF-SNK-2")
def test_a_wreck_still_owes_what_a_correction_asks_of_a_phase_before_it_sank() -> None:
    """Catches a question of a past turn that the later loss of its ship takes away unasked."""
    session = played(battle(ship("ajax"), ship("rook", "red", log={"speed_lost": 2})), "note here", "next")
    for order in ("next", "roll 1", "next", "next", "roll 1", "next"):
        session.enter(order)
    assert values(session, "rook")["sunk"] is True
    session.enter("insert 1 fire ajax heavy rook medium 1 2")
    assert owed(session) == ["explosion rook"]
    session.enter("roll 3")
    assert values(session, "rook")["rof_heavy"] == 11
