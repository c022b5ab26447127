"""Repair attempts (AQF-REP) and checks for sinking (AQF-SNK)."""

from typing import Unpack

import pytest

from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import Card, changed, draw_cell, is_allowed, owed, reasons, refusal, values

WORN = {"rof_heavy": 9, "rof_light": 9, "boat_guns": 1, "speed_hits": 2, "speed_lost": 1}


def begin_repair(*orders: str, points: int = 5, phase: str = "repair", **card: Unpack[Card]) -> Session:
    """Begin phase 5 with rook damaged in every kind."""
    rook = ship("rook", "red", log={**WORN, "repair_points": points}, courses=("90 left", "45 right"), **card)
    return played(battle(ship("ajax"), rook, phase=phase), *orders)


@pytest.mark.clause("AQF-REP-1")
@pytest.mark.parametrize("points", [0, 1, 3, 5, 9])
def test_attempts_number_at_most_the_points_as_the_phase_began(points: int) -> None:
    session, made = begin_repair(points=points), 0
    for kind in ("heavy", "light", "boats", "speed", "course"):
        if is_allowed(session, f"repair rook {kind} 5"):
            session.enter(f"repair rook {kind} 5")
            made += 1
        else:
            assert refusal(session, f"repair rook {kind} 5") == "AQF-REP-1"
    assert made == min(points, 5)
    assert values(session, "rook")["repair_points"] == points - made


@pytest.mark.clause("AQF-REP-1")
def test_points_lost_or_won_within_the_phase_do_not_change_the_attempts() -> None:
    """Read attempts from the start of the phase; an entry by hand counts at once."""
    assert is_allowed(begin_repair("damage rook R", points=1), "repair rook heavy 5")
    assert not is_allowed(begin_repair("mark rook repair_points 0", points=1), "repair rook heavy 5")


@pytest.mark.clause("AQF-REP-1")
def test_each_kind_has_one_repair_attempt_a_turn_even_if_only_declared() -> None:
    assert refusal(begin_repair("repair rook heavy 1"), "repair rook heavy 5") == "AQF-REP-1"
    assert refusal(begin_repair("repair rook heavy"), "repair rook heavy 5") == "AQF-REP-1"
    session = to_phase(begin_repair("repair rook heavy 1"), "movement")
    assert is_allowed(to_phase(session, "repair"), "repair rook heavy 5")


@pytest.mark.clause("AQF-REP-1")
@pytest.mark.parametrize("kind", ["heavy", "light", "boats", "speed", "course"])
def test_only_a_damaged_kind_can_be_repaired(kind: str) -> None:
    session = played(battle(phase="repair"))
    assert refusal(session, f"repair rook {kind} 5") == "AQF-REP-1"
    assert changed(session, f"force repair rook {kind} 5") == {}


@pytest.mark.clause("AQF-REP-2")
@pytest.mark.parametrize(
    ("kind", "protected"),
    [("heavy", True), ("light", True), ("boats", True), ("course", True), ("speed", False), ("speed", True)],
)
def test_3_to_7_repairs_and_on_a_protected_ship_1_to_7_an_s(kind: str, protected: bool) -> None:
    least = 1 if protected and kind == "speed" else 3
    for face in range(1, 13):
        fixed = bool(changed(begin_repair(protected=protected), f"repair rook {kind} {face}"))
        assert fixed is (least <= face <= 7), face


@pytest.mark.clause("AQF-REP-2")
@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("heavy", {"rof_heavy": 10}),
        ("light", {"rof_light": 10}),
        ("boats", {"boat_guns": 2}),
        ("speed", {"speed_hits": 1, "available_speed": 6}),
        ("course", {"course": ["90 left"]}),
    ],
)
def test_a_repair_restores_exactly_one_and_uses_a_point_up(kind: str, change: dict[str, object]) -> None:
    assert changed(begin_repair(), f"repair rook {kind} 5") == {**change, "repair_points": 4}


@pytest.mark.clause("AQF-REP-2")
def test_a_repair_never_goes_above_the_printed_value() -> None:
    """Roll a declared attempt when nothing is left to repair."""
    session = begin_repair("repair rook heavy", "mark rook rof_heavy 12")
    assert changed(session, "roll 5") == {}


@pytest.mark.clause("AQF-REP-3")
def test_a_failure_keeps_the_point_for_future_turns() -> None:
    session = begin_repair("repair rook heavy 8", points=1)
    assert values(session, "rook")["repair_points"] == 1
    assert refusal(session, "repair rook light 5") == "AQF-REP-1"
    to_phase(session, "movement")
    assert is_allowed(to_phase(session, "repair"), "repair rook light 5")


@pytest.mark.clause("AQF-REP-3")
@pytest.mark.parametrize("kind", ["sx", "torpedo", "repair", "fires", "fire"])
def test_sx_t_r_and_f_are_no_kinds_of_repair(kind: str) -> None:
    assert not is_allowed(begin_repair(), f"force repair rook {kind} 5")


@pytest.mark.clause("AQF-REP-4")
def test_a_repaired_direction_returns_control_next_turn() -> None:
    session = begin_repair()
    said = [reason.clause for reason in reasons(session, "repair rook course 5")]
    assert "AQF-REP-4" in said
    session.enter("mark rook course none")
    to_phase(session, "movement")
    assert not any("steered" in text for text in session.system.advice(session.battle))


@pytest.mark.clause("AQF-REP-1", "AQF-REP-3")
def test_a_forced_repair_without_damage_keeps_its_point() -> None:
    session = played(battle(phase="repair"))
    assert str(session.preview_order("force repair rook heavy").chances[0]) == "repairs 0%"
    entered = session.enter("force repair rook heavy 5")
    assert entered.ruling is not None
    decision = entered.ruling.decision
    assert dict(decision.outcome)["mended"] is False
    assert [reason.text for reason in decision.reasons] == ["Rook: 5, nothing of heavy to repair; point kept"]
    assert values(session, "rook")["repair_points"] == 5


ALL_BOXES = {"sinking_at": "all-boxes"}


def begin_sinking(lost: int, *orders: str, **switch: str) -> Session:
    """Begin phase 6 with SX on rook."""
    rook = ship("rook", "red", log={"speed_lost": lost})
    return played(battle(ship("ajax"), rook, phase="repair", **switch), "next", *orders)


@pytest.mark.clause("AQF-SNK-1")
@pytest.mark.parametrize(
    ("options", "lost", "asked"),
    [({}, 0, False), ({}, 1, False), ({}, 2, True), ({}, 12, True),
     (ALL_BOXES, 2, False), (ALL_BOXES, 7, False), (ALL_BOXES, 8, True), (ALL_BOXES, 12, True)],
)  # fmt: skip
def test_two_or_more_sx_owe_a_sinking_roll_or_by_a_switch_only_full_sx(
    options: dict[str, str], lost: int, asked: bool
) -> None:
    assert owed(begin_sinking(lost, **options)) == (["sinking rook"] if asked else [])


@pytest.mark.clause("AQF-SNK-1")
@pytest.mark.parametrize(
    ("lost", "most"),
    [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 7), (9, 8), (10, 9), (12, 11), (13, 12), (20, 12)],
)
def test_each_row_sinks_up_to_its_roll_and_the_margin_helps(lost: int, most: int) -> None:
    for face in range(1, 13):
        session = begin_sinking(lost, f"roll {face}")
        assert values(session, "rook")["sunk"] is (face <= most), face


@pytest.mark.clause("AQF-SNK-1")
def test_no_ship_sinks_before_phase_6() -> None:
    rook = ship("rook", "red", log={"speed_lost": 11})
    session = played(battle(ship("ajax"), rook, craft("boat", "blue"), phase="first-gunnery"))
    assert values(session, "rook")["status"] == "afloat"
    assert is_allowed(session, "fire rook heavy ajax medium 1 1")
    assert is_allowed(session, "fire ajax heavy rook medium 1 1")
    assert is_allowed(session, "boats rook boat 4")
    session.enter("next")
    assert is_allowed(session, "torpedo rook ajax in 12")


@pytest.mark.clause("AQF-SNK-2")
def test_a_sunk_ship_owes_nothing_and_its_entries_stay_in_force() -> None:
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
    assert draw_cell(session, "rook", "blast") == "SUNK"
    assert values(session, "ajax")["rof_heavy"] == 11
    for _ in range(4):
        session.enter("next")
    assert owed(session) == []


@pytest.mark.clause("AQF-SNK-2")
def test_a_ship_sunk_by_the_umpire_s_word_owes_no_declared_shot() -> None:
    session = played(battle(), "fire rook heavy ajax medium", "fire ajax heavy rook pb", "leave rook sunk")
    assert owed(session) == ["fire ajax"]
    session.enter("roll 2 1")
    assert owed(session) == []


@pytest.mark.clause("AQF-PH-7")
def test_a_ship_that_withdraws_still_owes_the_dice_of_its_declared_shot() -> None:
    session = played(battle(), "damage rook D", "fire rook heavy ajax medium", "fire ajax heavy rook medium")
    assert owed(session) == ["direction rook", "fire rook", "fire ajax"]
    session.enter("leave rook withdrawn")
    assert owed(session) == ["fire rook", "fire ajax"]


@pytest.mark.clause("AQF-SNK-2")
def test_a_ship_without_movement_tracks_everything_aboard() -> None:
    rook = ship("rook", "red", fires=1, log={"speed_lost": 8})
    session = played(battle(ship("ajax"), rook, phase="second-gunnery"), "next", "roll 5", "roll 5", "next")
    assert is_allowed(session, "damage rook G")
    session.enter("next")
    assert owed(session) == ["sinking rook"]


@pytest.mark.clause("AQF-PH-7")
def test_the_end_is_offered_and_never_forced() -> None:
    session = begin_sinking(8)
    assert session.system.ended(session.battle) == ""
    last = reasons(session, "roll 1")[-1]
    assert (last.text, last.clause) == ("Red has no ship left in the battle: it may end here", "AQF-PH-7")
    assert "Red has no ship left" in session.system.ended(session.battle)
    session.enter("next")
    assert session.battle.turn == 2


@pytest.mark.clause("AQF-SNK-1")
def test_a_ship_that_comes_to_two_sx_in_the_sinking_phase_rolls_in_it_once() -> None:
    """Ask also after SX by the umpire's hand, or from a check carried over."""
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
def test_a_wreck_still_owes_a_corrected_roll_of_an_earlier_phase() -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", log={"speed_lost": 2})), "note here", "next")
    for order in ("next", "roll 1", "next", "next", "roll 1", "next"):
        session.enter(order)
    assert values(session, "rook")["sunk"] is True
    session.enter("insert 1 fire ajax heavy rook medium 1 2")
    assert owed(session) == ["explosion rook"]
    session.enter("roll 3")
    assert values(session, "rook")["rof_heavy"] == 11
