"""Repair and sinking (QF-REP, QF-SNK, QF-OPT-5)."""

import pytest

from tests.rules.playing import changed, drawn, owed, reasons, refusal, result, values
from tests.rules.quickfire.tables import battle, played, ship, to_phase

HURT = {"rof_heavy": 4, "rof_light": 3, "boat_guns": 0, "speed_hits": 2}


def dice(total: int) -> str:
    low = max(1, total - 6)
    return f"{low} {total - low}"


@pytest.mark.clause("QF-REP-1")
@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("heavy", {"rof_heavy": 5}),
        ("light", {"rof_light": 4}),
        ("boats", {"boat_guns": 1}),
        ("speed", {"speed_hits": 1, "available_speed": 7}),
        ("course", {"course": ["45 left"]}),
    ],
)
def test_g_s_and_d_are_repaired_on_5_to_7(total: int, kind: str, after: dict[str, object]) -> None:
    """Catches a bound of the line, more than one mended, and the older of two courses."""
    hurt = ship("rook", "red", log=HURT, courses=("45 left", "90 right"))
    session = played(battle(ship("ajax"), hurt, phase="repair"))
    told = changed(session, f"repair rook {kind} {dice(total)}")
    assert told == {**(after if 5 <= total <= 7 else {}), "repair_points": 4}


@pytest.mark.clause("QF-REP-2")
@pytest.mark.parametrize("total", range(2, 13))
def test_s_of_a_protected_ship_is_repaired_on_5_to_10(total: int) -> None:
    hurt = ship("rook", "red", log=HURT, protected=True)
    session = played(battle(ship("ajax"), hurt, phase="repair"))
    told = result(session, f"repair rook speed {dice(total)}")
    assert told["mended"] is (5 <= total <= 10)
    other = played(battle(ship("ajax"), hurt, phase="repair"))
    assert result(other, f"repair rook heavy {dice(8)}")["mended"] is False


@pytest.mark.clause("QF-REP-2")
@pytest.mark.parametrize(("switch", "left"), [("always", 4), ("on-success", 5)])
def test_a_roll_spends_its_point_or_by_the_switch_only_when_it_mends(switch: str, left: int) -> None:
    hurt = ship("rook", "red", log=HURT)
    session = played(battle(ship("ajax"), hurt, phase="repair", repair_spent=switch), "repair rook speed 6 6")
    assert values(session, "rook")["repair_points"] == left
    session.enter("repair rook speed 3 3")
    assert values(session, "rook")["repair_points"] == left - 1


@pytest.mark.clause("QF-REP-1")
def test_a_ship_rolls_as_often_as_it_has_repair_dice() -> None:
    """Catches one attempt a kind, and more rolls than points; mended damage stays legible."""
    start = battle(ship("ajax"), ship("rook", "red", log=HURT, repair=2), phase="repair")
    session = played(start, "repair rook speed 3 3", "repair rook speed 3 3")
    assert values(session, "rook")["speed_hits"] == 0
    assert refusal(session, "repair rook heavy 3 3") == "QF-REP-1"


@pytest.mark.clause("QF-REP-1")
def test_what_is_whole_is_not_repaired() -> None:
    session = played(battle(phase="repair"))
    for kind in ("heavy", "light", "boats", "speed", "course"):
        assert refusal(session, f"repair rook {kind} 3 3") == "QF-REP-1"


@pytest.mark.clause("QF-REP-1")
def test_a_declared_repair_owes_its_dice() -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"), "repair rook heavy")
    assert owed(session) == ["repair rook"]
    assert changed(session, "roll 3 3") == {"rof_heavy": 5, "repair_points": 4}


@pytest.mark.clause("QF-OPT-5")
def test_by_the_switch_a_torpedo_point_comes_back_on_a_2_once_a_turn() -> None:
    """Catches a repair point spent, a second roll, and a point above the printed rating."""
    hurt = ship("rook", "red", log={"torpedo": 0})
    start = battle(ship("ajax"), hurt, phase="repair", torpedo_regained="yes")
    session = played(start)
    assert refusal(session, "repair ajax torpedo 1 1") == "QF-OPT-5"
    assert changed(session, "repair rook torpedo 1 1") == {"torpedo": 1}
    assert refusal(session, "repair rook torpedo 1 1") == "QF-OPT-5"
    assert changed(played(start), "repair rook torpedo 1 2") == {}
    declared = played(start, "repair rook torpedo")
    assert changed(declared, "roll 1 1") == {"torpedo": 1}
    assert (
        refusal(played(battle(ship("ajax"), hurt, phase="repair")), "repair rook torpedo 1 1") == "QF-OPT-5"
    )
    assert refusal(played(start, "leave rook sunk"), "repair rook torpedo 1 1") == "QF-SNK-1"


SINKS = [(15, 2), (11, 2), (10, 3), (7, 3), (6, 4), (4, 4), (3, 5), (2, 5), (1, 6), (0.25, 6)]


@pytest.mark.clause("QF-SNK-1")
@pytest.mark.parametrize(("size", "most"), SINKS)
def test_a_ship_sinks_by_its_size(size: float, most: int) -> None:
    """Catches any cell of the sinking table."""
    for total, sinks in ((most, True), (most + 1, False)):
        lost = ship("rook", "red", size=size, log={"speed_hits": 8})
        session = to_phase(played(battle(ship("ajax"), lost, phase="repair")), "sinking")
        assert owed(session) == ["sinking rook"]
        session.enter(f"roll {dice(total)}")
        assert values(session, "rook")["sunk"] is sinks, total


@pytest.mark.clause("QF-SNK-1")
@pytest.mark.parametrize(("hits", "total", "sinks"), [(9, 3, True), (10, 4, True), (10, 5, False)])
def test_each_s_beyond_the_eighth_takes_one_off(hits: int, total: int, sinks: bool) -> None:
    lost = ship("rook", "red", log={"speed_hits": hits})
    session = to_phase(played(battle(ship("ajax"), lost, phase="repair")), "sinking")
    session.enter(f"roll {dice(total)}")
    assert values(session, "rook")["sunk"] is sinks


@pytest.mark.clause("QF-SNK-1")
def test_only_ships_with_all_boxes_marked_roll_and_wrecks_owe_nothing() -> None:
    afloat = ship("rook", "red", log={"speed_hits": 7})
    lost = ship("rival", "red", log={"speed_hits": 8}, fires=1)
    session = to_phase(played(battle(ship("ajax"), afloat, lost, phase="repair")), "sinking")
    assert owed(session) == ["sinking rival"]
    session.enter("roll 1 1")
    assert drawn(session, "rival", "blast") == "SUNK"
    to_phase(session, "gunnery")
    assert refusal(session, "fire rival heavy ajax short 1 2 2") == "QF-SNK-1"
    to_phase(session, "recurring")
    assert owed(session) == []


@pytest.mark.clause("QF-REP-1")
@pytest.mark.clause("QF-REP-2")
@pytest.mark.parametrize(("switch", "left", "point"), [("always", 4, "spent"), ("on-success", 5, "kept")])
def test_a_forced_repair_of_nothing_mends_nothing(switch: str, left: int, point: str) -> None:
    """Catches “mended” where there was nothing to mend, and a point by the wrong switch."""
    session = played(battle(phase="repair", repair_spent=switch))
    told = reasons(session, "force repair rook heavy 3 3")
    assert [each.text for each in told] == [f"Rook: 6, nothing of heavy to repair; point {point}"]
    assert values(session, "rook")["repair_points"] == left


@pytest.mark.clause("QF-SNK-1")
def test_a_ship_that_loses_its_last_box_in_the_sinking_phase_rolls_in_it_once() -> None:
    """Catches S by the umpire's hand for which nobody asks."""
    session = played(battle(phase="repair"), "next", "mark rook speed_hits 8")
    assert owed(session) == ["sinking rook"]
    session.enter("roll 6 6")
    session.enter("mark rook speed_hits 9")
    assert owed(session) == []
