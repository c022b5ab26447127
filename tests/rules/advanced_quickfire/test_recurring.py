"""Recurring hits: fire checks, what they cause, and SX checks (AQF-REC, AQF-DAM-8)."""

import pytest

from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, played, ship, to_phase
from tests.rules.playing import changed, laid, owed, question, values


def recurring(*orders: str, fires: int = 0, lost: int = 0, **options: str) -> Session:
    """Rook with fires and SX as phase 4 opens (`next` was entry 1), some orders played."""
    rook = ship("rook", "red", fires=fires, log={"speed_lost": lost})
    start = battle(ship("ajax"), rook, phase="second-gunnery", **options)
    return played(start, "next", *orders)


@pytest.mark.clause("AQF-REC-1")
@pytest.mark.parametrize("fires", [0, 1, 3])
def test_phase_4_owes_a_check_for_each_fire(fires: int) -> None:
    """Catches fires without a check, and checks without a fire."""
    session = recurring(fires=fires)
    assert owed(session) == ["fire-check rook"] * fires
    assert [each.key for each in session.battle.owed] == [f"1/fire-check/rook/{n + 1}" for n in range(fires)]


@pytest.mark.clause("AQF-REC-1")
@pytest.mark.parametrize(
    ("face", "change"),
    [*((face, {"fires": 0}) for face in (1, 2, 3, 4)), *((face, {}) for face in (5, 6, 7, 8, 9)),
     (10, {"boat_guns": 2}), (11, {"boat_guns": 2}), (12, {})],
)  # fmt: skip
def test_a_fire_goes_out_takes_a_boat_gun_explodes_or_burns_on(face: int, change: dict[str, int]) -> None:
    """Catches a face of the fire check in the wrong cell."""
    session = recurring(fires=1)
    assert changed(session, f"roll {face}") == change
    assert owed(session) == (["explosion rook"] if face == 12 else [])


@pytest.mark.clause("AQF-REC-1")
def test_a_fire_lit_in_phase_4_waits_a_turn() -> None:
    """Catches a fire that is checked in the phase that lit it."""
    session = recurring("roll 12", "roll 1", fires=1)
    assert values(session, "rook")["fires"] == 2
    assert owed(session) == []
    to_phase(to_phase(session, "movement"), "recurring")
    assert owed(session) == ["fire-check rook", "fire-check rook"]


@pytest.mark.clause("AQF-REC-1")
def test_each_check_is_of_its_own_fire() -> None:
    """Catches a fire put out twice, and one put out in place of another."""
    session = recurring("roll 1/fire-check/rook/2 1", fires=3)
    left = [mark.id for mark in session.battle.ships["rook"].live("fires")]
    assert left == ["0.f0", "0.f2"]


@pytest.mark.clause("AQF-REC-1")
def test_a_fire_taken_off_by_hand_takes_no_other_with_it() -> None:
    """Catches a check that puts out a fire it was not thrown for."""
    session = recurring("mark rook fires 1", fires=2)
    assert changed(session, "roll 1/fire-check/rook/2 1") == {}


@pytest.mark.clause("AQF-DAM-8")
def test_an_explosion_met_in_a_check_is_rolled_next_and_its_fire_burns_on() -> None:
    """Catches an explosion that waits behind other checks, or puts out the fire that caused it."""
    session = recurring("roll 12", fires=3)
    assert owed(session) == ["explosion rook", "fire-check rook", "fire-check rook"]
    assert [each.key for each in session.battle.owed][1:] == ["1/fire-check/rook/2", "1/fire-check/rook/3"]
    assert changed(session, "roll 1") == {"rof_heavy": 11, "fires": 4}
    assert owed(session) == ["fire-check rook", "fire-check rook"]


@pytest.mark.clause("AQF-DAM-8")
def test_two_explosions_are_two_rolls_in_order_of_cause_and_the_second_sees_the_first() -> None:
    """Catches explosions drawn together or in the wrong order."""
    rook = ship("rook", "red", fires=2, log={"rof_heavy": 1, "rof_light": 9})
    session = played(
        battle(ship("ajax"), rook, phase="second-gunnery"),
        "next",
        "roll 1/fire-check/rook/1 12",
        "roll 1/fire-check/rook/2 12",
    )
    assert [each.key for each in session.battle.owed] == ["2/explosion/rook/1", "3/explosion/rook/1"]
    assert changed(session, "roll 1") == {"rof_heavy": 0, "fires": 3}
    assert changed(session, "roll 1") == {"rof_light": 8, "fires": 4}


@pytest.mark.clause("AQF-REC-2")
def test_the_sx_check_is_owed_at_once_where_nothing_burns() -> None:
    """Catches an SX check that needs a fire, and its key not of the `next` that opened the phase."""
    session = recurring(lost=1)
    assert [each.key for each in session.battle.owed] == ["1/sx-check/rook/1"]


@pytest.mark.clause("AQF-REC-2")
def test_sx_checks_come_after_the_fire_checks_and_what_they_caused() -> None:
    """Catches SX checks asked too early, a key of the wrong entry, and a second round."""
    session = recurring(fires=2, lost=1)
    assert owed(session) == ["fire-check rook", "fire-check rook"]
    session.enter("roll 5")
    assert owed(session) == ["fire-check rook"]
    session.enter("roll 12")
    assert owed(session) == ["explosion rook"]
    session.enter("roll 1")
    assert [each.key for each in session.battle.owed] == ["1/sx-check/rook/1"]
    session.enter("roll 5")
    assert owed(session) == []
    session.enter("next")
    assert session.battle.phase == "repair"


@pytest.mark.clause("AQF-REC-2")
def test_an_explosion_in_phase_4_that_brings_the_first_sx_brings_its_check() -> None:
    """Catches ships that are looked at before the explosions of the phase."""
    session = recurring("roll 12", fires=1)
    session.enter("roll 9")
    assert [each.key for each in session.battle.owed] == ["1/sx-check/rook/1"]


@pytest.mark.clause("AQF-REC-2")
def test_a_check_is_one_a_ship_however_many_sx_and_brings_no_second_roll() -> None:
    """Catches a check for each SX, and water that rises without end."""
    session = recurring(lost=5)
    assert owed(session) == ["sx-check rook"]
    assert changed(session, "roll 12") == {"speed_lost": 6, "available_speed": 2}
    assert owed(session) == []


@pytest.mark.clause("AQF-REC-2")
def test_sx_checks_are_owed_once_a_turn() -> None:
    """Catches a round of checks for each entry of the phase, and none in the next turn."""
    session = recurring("roll 5", "damage rook SX", "note nothing owed", lost=1)
    assert owed(session) == []
    to_phase(session, "sinking")
    session.enter("roll 12")
    to_phase(session, "recurring")
    assert session.battle.turn == 2
    assert owed(session) == ["sx-check rook"]


@pytest.mark.clause("AQF-REC-2")
@pytest.mark.parametrize(
    ("switch", "face", "rises"),
    [("11-12", 10, False), ("11-12", 11, True), ("11-12", 12, True), ("12", 11, False), ("12", 12, True)],
)
def test_12_and_by_default_11_adds_an_sx(switch: str, face: int, rises: bool) -> None:
    """Catches the switch between the two texts."""
    session = recurring(lost=1, sx_check=switch)
    change = {"speed_lost": 2, "available_speed": 6} if rises else {}
    assert changed(session, f"roll {face}") == change


@pytest.mark.clause("AQF-REC-2")
def test_rolls_carried_over_bring_the_sx_checks_along() -> None:
    """Catches SX checks that are lost when the umpire ends phase 4 before its rolls."""
    session = recurring("force next", fires=1, lost=1)
    assert session.battle.phase == "repair"
    assert owed(session) == ["fire-check rook", "sx-check rook"]


@pytest.mark.clause("AQF-REC-1")
def test_ships_aground_track_what_burns_aboard_and_those_off_the_table_do_not() -> None:
    """Catches checks for a wreck, and for a ship that has left the battle."""
    start = battle(
        ship("ajax"),
        ship("rook", "red", fires=1),
        ship("rival", "red", fires=1, log={"speed_lost": 2}),
        ship("boyne", fires=1, log={"speed_lost": 2}),
        phase="second-gunnery",
    )
    session = played(start, "leave rook aground", "leave rival sunk", "leave boyne withdrawn", "next")
    assert owed(session) == ["fire-check rook"]


@pytest.mark.clause("AQF-REC-2")
@pytest.mark.parametrize("order", ["leave rook", "mark rook status withdrawn"])
def test_a_ship_that_withdraws_owes_its_checks_no_more(order: str) -> None:
    """Catches an SX check that holds the phase for a ship off the table; striking the entry asks it again."""
    start = battle(
        ship("ajax"),
        ship("rook", "red", fires=1, log={"speed_lost": 2}),
        ship("rival", "red", log={"speed_lost": 2}),
        phase="second-gunnery",
    )
    session = played(start, "next", "roll 5")
    assert owed(session) == ["sx-check rook", "sx-check rival"]
    session.enter(order)
    assert owed(session) == ["sx-check rival"]
    session.enter("strike 3")
    assert owed(session) == ["sx-check rook", "sx-check rival"]


@pytest.mark.clause("AQF-REC-1")
def test_the_umpire_s_own_fire_check_may_do_other_things() -> None:
    """Catches codes of an overlay that are passed over."""
    rook = ship("rook", "red", fires=1)
    start = laid(battle(ship("ajax"), rook, phase="second-gunnery"), "damage", "fire-check", {"5": "R"})
    session = played(start, "next")
    assert question(session, "fire-check").key == "1/fire-check/rook/1"
    assert changed(session, "roll 5") == {"repair_points": 4}


@pytest.mark.clause("AQF-REC-1")
@pytest.mark.parametrize("die", [1, 10, 12])
def test_the_check_of_a_fire_that_the_umpire_has_put_out_does_nothing(die: int) -> None:
    """Catches an explosion, or a boat gun lost, by a fire that does not burn."""
    rook = ship("rook", "red", fires=2)
    session = played(battle(ship("ajax"), rook, phase="second-gunnery"), "next", "mark rook fires 1")
    assert owed(session) == ["fire-check rook", "fire-check rook"]
    gone = session.battle.owed[1]
    assert changed(session, f"roll {gone.key} {die}") == {}
    assert owed(session) == ["fire-check rook"]


@pytest.mark.clause("AQF-DAM-8")
@pytest.mark.clause("AQF-CHA-2")
def test_an_explosion_of_an_explosion_goes_ahead_of_the_checks_too() -> None:
    """Catches an E of the umpire's own explosion line that waits behind the fire checks."""
    start = battle(ship("ajax"), ship("rook", "red", fires=2), phase="second-gunnery")
    session = played(laid(start, "damage", "explosion", {"5": "E"}), "next", "roll 12", "roll 5")
    assert owed(session) == ["explosion rook", "fire-check rook"]
