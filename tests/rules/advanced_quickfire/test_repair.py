"""Repair attempts (AQF-REP)."""

from typing import Unpack

import pytest

from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, played, ship, to_phase
from tests.rules.family import Card
from tests.rules.playing import allowed, changed, reasons, refusal, values

WORN = {"rof_heavy": 9, "rof_light": 9, "boat_guns": 1, "speed_hits": 2, "speed_lost": 1}


def dock(*orders: str, points: int = 5, phase: str = "repair", **card: Unpack[Card]) -> Session:
    """Rook in phase 5, worn in every kind."""
    rook = ship("rook", "red", log={**WORN, "repair_points": points}, courses=("90 left", "45 right"), **card)
    return played(battle(ship("ajax"), rook, phase=phase), *orders)


@pytest.mark.clause("AQF-REP-1")
@pytest.mark.parametrize("points", [0, 1, 3, 5, 9])
def test_attempts_number_at_most_the_points_as_the_phase_began(points: int) -> None:
    """Catches attempts beyond the points, and a success that costs an attempt."""
    session, made = dock(points=points), 0
    for kind in ("heavy", "light", "boats", "speed", "course"):
        if allowed(session, f"repair rook {kind} 5"):
            session.enter(f"repair rook {kind} 5")
            made += 1
        else:
            assert refusal(session, f"repair rook {kind} 5") == "AQF-REP-1"
    assert made == min(points, 5)
    assert values(session, "rook")["repair_points"] == points - made


@pytest.mark.clause("AQF-REP-1")
def test_points_lost_or_won_within_the_phase_do_not_change_the_attempts() -> None:
    """Catches attempts read from the present log; a hand entry counts at once."""
    assert allowed(dock("damage rook R", points=1), "repair rook heavy 5")
    assert not allowed(dock("mark rook repair_points 0", points=1), "repair rook heavy 5")


@pytest.mark.clause("AQF-REP-1")
def test_one_attempt_for_each_kind_a_turn_also_where_it_is_only_declared() -> None:
    """Catches a second attempt on one kind."""
    assert refusal(dock("repair rook heavy 1"), "repair rook heavy 5") == "AQF-REP-1"
    assert refusal(dock("repair rook heavy"), "repair rook heavy 5") == "AQF-REP-1"
    session = to_phase(dock("repair rook heavy 1"), "movement")
    assert allowed(to_phase(session, "repair"), "repair rook heavy 5")


@pytest.mark.clause("AQF-REP-1")
@pytest.mark.parametrize("kind", ["heavy", "light", "boats", "speed", "course"])
def test_only_what_is_damaged_can_be_tried(kind: str) -> None:
    """Catches repairs beyond the printed value."""
    session = played(battle(phase="repair"))
    assert refusal(session, f"repair rook {kind} 5") == "AQF-REP-1"
    assert changed(session, f"force repair rook {kind} 5") == {}


@pytest.mark.clause("AQF-REP-1")
@pytest.mark.parametrize("phase", ["movement", "first-gunnery", "recurring", "sinking"])
def test_repairs_are_tried_in_phase_5(phase: str) -> None:
    """Catches repairs at another time."""
    assert refusal(dock(phase=phase), "repair rook heavy 5") == "AQF-PH-1"


@pytest.mark.clause("AQF-REP-2")
@pytest.mark.parametrize(
    ("kind", "protected"),
    [("heavy", True), ("light", True), ("boats", True), ("course", True), ("speed", False), ("speed", True)],
)
def test_3_to_7_repairs_and_on_a_protected_ship_1_to_7_an_s(kind: str, protected: bool) -> None:
    """Catches an edge of either line, and +P used for anything but S."""
    least = 1 if protected and kind == "speed" else 3
    for face in range(1, 13):
        fixed = bool(changed(dock(protected=protected), f"repair rook {kind} {face}"))
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
    """Catches a repair of all, of the oldest direction, or for nothing."""
    assert changed(dock(), f"repair rook {kind} 5") == {**change, "repair_points": 4}


@pytest.mark.clause("AQF-REP-2")
def test_a_repair_never_goes_above_the_printed_value() -> None:
    """Catches a declared attempt that is rolled when nothing is left to mend."""
    session = dock("repair rook heavy", "mark rook rof_heavy 12")
    assert changed(session, "roll 5") == {}


@pytest.mark.clause("AQF-REP-3")
def test_a_failure_keeps_the_point_for_future_turns() -> None:
    """Catches a point that a failure uses up."""
    session = dock("repair rook heavy 8", points=1)
    assert values(session, "rook")["repair_points"] == 1
    assert refusal(session, "repair rook light 5") == "AQF-REP-1"
    to_phase(session, "movement")
    assert allowed(to_phase(session, "repair"), "repair rook light 5")


@pytest.mark.clause("AQF-REP-3")
@pytest.mark.parametrize("kind", ["sx", "torpedo", "repair", "fires", "fire"])
def test_sx_t_r_and_f_are_no_kinds_of_repair(kind: str) -> None:
    """Catches an order that would mend them."""
    assert not allowed(dock(), f"force repair rook {kind} 5")


@pytest.mark.clause("AQF-REP-4")
def test_a_repaired_direction_is_told_to_return_control_next_turn() -> None:
    """Catches a course that still steers in the next movement, or a repair without that word."""
    session = dock()
    said = [reason.clause for reason in reasons(session, "repair rook course 5")]
    assert "AQF-REP-4" in said
    session.enter("mark rook course none")
    to_phase(session, "movement")
    assert not any("steered" in text for text in session.system.advice(session.battle))


@pytest.mark.clause("AQF-REP-4")
def test_everything_else_is_restored_at_once() -> None:
    """Catches speed that comes back a turn late."""
    assert values(dock("repair rook speed 5"), "rook")["available_speed"] == 6


@pytest.mark.clause("AQF-REP-1")
@pytest.mark.clause("AQF-REP-3")
def test_a_forced_repair_of_nothing_mends_nothing_and_keeps_its_point() -> None:
    """Catches “mended” where there was nothing to mend, and odds of it."""
    session = played(battle(phase="repair"))
    assert str(session.preview_order("force repair rook heavy").chances[0]) == "repairs 0%"
    entered = session.enter("force repair rook heavy 5")
    assert entered.ruling is not None
    decision = entered.ruling.decision
    assert dict(decision.outcome)["mended"] is False
    assert [each.text for each in decision.reasons] == ["Rook: 5, nothing of heavy to repair; point kept"]
    assert values(session, "rook")["repair_points"] == 5
