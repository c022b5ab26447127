"""The turn and the ship log (QFC-PH, QFC-LOG)."""

import pytest

from qf_tui.session import Session
from tests.rules.playing import allowed, drawn, owed, refusal, values, written
from tests.rules.quickfire_clone.tables import USED, battle, played, ship, to_turn
from tests.systems import started


def shown(session: Session, id: str) -> dict[str, str]:
    """A ship's card and log in full, as text."""
    lines = session.system.sheet(session.battle, session.battle.ships[id])
    return {title: written(spans) for title, spans in lines}


@pytest.mark.clause("QFC-PH-1")
def test_a_turn_has_three_phases_in_their_order() -> None:
    """Catches a phase out of place, and a turn that is not counted."""
    session, seen = played(battle(phase="move")), []
    for _ in range(4):
        seen.append((session.battle.turn, session.battle.phase))
        session.enter("next")
    assert seen == [(1, "move"), (1, "gunnery"), (1, "repair"), (2, "move")]


@pytest.mark.clause("QFC-PH-1")
@pytest.mark.parametrize(
    ("order", "phase"),
    [
        ("move ajax 60mm", "move"),
        ("collide ajax rook 6 6", "move"),
        ("fire ajax heavy rook 100cm 1 6", "gunnery"),
        ("repair rook 4 4", "repair"),
    ],
)
def test_each_order_has_its_phase(order: str, phase: str) -> None:
    """Catches an order given at another time."""
    for other in ("move", "gunnery", "repair"):
        rook = ship("rook", "red", log={"speed_hits": 1})
        session = played(battle(ship("ajax"), rook, phase=other))
        assert allowed(session, order) is (other == phase)
        if other != phase:
            assert refusal(session, order) == "QFC-PH-1"


@pytest.mark.clause("QFC-PH-1")
def test_the_end_is_offered_when_a_side_has_no_ship_left() -> None:
    """Catches a battle that goes on against nobody without a word."""
    session = played(battle())
    assert session.system.ended(session.battle) == ""
    session.enter("leave rook sunk")
    assert "Red has no ship left" in session.system.ended(session.battle)


@pytest.mark.clause("QFC-PH-2")
def test_a_battery_knocked_out_in_this_phase_still_fires_in_it() -> None:
    """Catches fire that is not simultaneous."""
    start = battle(ship("ajax", rof=(1, 6), log=USED), ship("rook", "red"))
    session = played(start, "fire rook heavy ajax 130cm 4 3")
    assert values(session, "ajax")["rof_heavy"] == 0
    session.enter("fire ajax heavy rook 130cm 1 3")
    assert values(session, "rook")["rof_heavy"] == 5
    to_turn(session, 2, "gunnery")
    assert refusal(session, "fire ajax heavy rook 130cm 1 3") == "QFC-RUL-5"


@pytest.mark.clause("QFC-PH-2")
def test_torpedoes_that_are_hit_in_this_phase_still_leave_in_it() -> None:
    """Catches a launch read from the rating of the moment."""
    session = played(battle(), "damage ajax T T")
    assert values(session, "ajax")["torpedo"] == 0
    assert "torpedo rating 2" in str(session.enter("torpedo ajax rook 20cm 6 6 6").ruling)
    assert refusal(to_turn(session, 2, "gunnery"), "torpedo ajax rook 20cm 6 6 6") == "QFC-TOR-1"


@pytest.mark.clause("QFC-PH-2")
def test_hits_are_slashes_until_their_phase_ends_and_crosses_afterwards() -> None:
    """Catches hits that count at once, and slashes that never turn."""
    session = played(battle(), "damage rook G S T F", "fire rook light ajax 100cm 6 6")
    assert drawn(session, "rook", "rof") == "6(/)-6"
    assert drawn(session, "rook", "boxes") == "(/)□□□□□□□"
    assert drawn(session, "rook", "torpedo") == "2(/)"
    assert drawn(session, "rook", "blast") == "(F)"
    assert drawn(session, "rook", "auto") == "(x)"
    session.enter("next")
    assert drawn(session, "rook", "rof") == "5-6"
    assert drawn(session, "rook", "boxes") == "[x]□□□□□□□"
    assert drawn(session, "rook", "torpedo") == "1"
    assert drawn(session, "rook", "blast") == "F"
    assert drawn(session, "rook", "auto") == "[x]"


@pytest.mark.clause("QFC-PH-2")
def test_a_hand_entry_counts_at_once() -> None:
    """Catches the umpire's own writing that waits for the end of the phase."""
    session = played(battle(), "mark ajax rof_heavy 0", "mark ajax auto_shot yes")
    assert refusal(session, "fire ajax heavy rook 100cm 1 6") == "QFC-RUL-5"
    assert drawn(session, "ajax", "auto") == "[x]"


@pytest.mark.clause("QFC-PH-3")
def test_fires_are_checked_first_then_repairs_are_made_then_sinking_is_rolled_for() -> None:
    """Catches the last phase out of order, sinking asked too early, and a turn that ends before it."""
    rook = ship("rook", "red", log={"speed_hits": 8}, fires=1)
    session = played(battle(ship("ajax"), rook), "next")
    assert owed(session) == ["fire-check rook"]
    assert refusal(session, "repair rook 6 6") == "QFC-PH-3"
    session.enter("roll 4 3")
    session.enter("repair rook 6 6")
    session.enter("next")
    assert (session.battle.turn, session.battle.phase) == (1, "repair")
    assert owed(session) == ["sinking rook"]
    assert refusal(session, "repair rook 6 6") == "QFC-PH-3"
    assert refusal(session, "next") == ""
    session.enter("roll 6 6")
    session.enter("next")
    assert (session.battle.turn, session.battle.phase) == (2, "move")


@pytest.mark.clause("QFC-PH-3")
def test_without_a_sinking_ship_one_next_ends_the_turn() -> None:
    """Catches a turn that must be ended twice for nothing."""
    session = played(battle(phase="repair"), "next")
    assert (session.battle.turn, session.battle.phase) == (2, "move")


@pytest.mark.clause("QFC-PH-3")
def test_who_loses_the_last_box_after_the_question_is_asked_too() -> None:
    """Catches a ship that slips through, and one that is asked twice."""
    rook = ship("rook", "red", log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"), "next", "roll 6 6")
    session.enter("damage ajax S S S S S S S S")
    session.enter("next")
    assert owed(session) == ["sinking ajax"]
    session.enter("roll 6 6")
    session.enter("next")
    assert session.battle.turn == 2


@pytest.mark.clause("QFC-PH-3")
def test_sinking_rolls_are_carried_over_by_the_umpire_s_word_and_not_lost() -> None:
    """Catches a forced end of the turn that saves a wreck."""
    rook = ship("rook", "red", log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"), "force next")
    assert (session.battle.turn, owed(session)) == (2, ["sinking rook"])
    session.enter("roll 1 1")
    assert values(session, "rook")["sunk"] is True


@pytest.mark.clause("QFC-PH-3")
def test_the_order_of_the_last_phase_is_said() -> None:
    """Catches a reminder that is gone."""
    session = played(battle(phase="repair"))
    assert any("fire checks, then repairs" in text for text in session.system.advice(session.battle))


@pytest.mark.clause("QFC-LOG-1")
def test_mikasa_s_log_is_the_sample_of_the_rules() -> None:
    """Catches a printed value of the one ship that the rules give."""
    _, start = started("yellow-sea-1904-clone")
    mikasa = start.ships["mikasa"]
    printed = {
        "size": 15,
        "gunnery.heavy": 10,
        "gunnery.light": 8,
        "armor.heavy": 8,
        "armor.light": 16,
        "rof.heavy": 5,
        "rof.light": 6,
        "torpedo": 2,
        "repair": 7,
        "speed": 120,
    }
    assert {name: mikasa.card[name] for name in printed} == printed
    assert set(printed) == set(str(mikasa.card["attested"]).split(","))
    assert all(ship.card["values"] == "estimated" for ship in start.ships.values())
    assert [ship.id for ship in start.ships.values() if ship.card["attested"]] == ["mikasa"]


@pytest.mark.clause("QFC-LOG-1")
def test_eight_boxes_step_down_by_an_eighth() -> None:
    """Catches a ninth box, and steps of another size."""
    speeds = []
    for hits in range(9):
        mikasa = ship("ajax", log={"speed_hits": hits})
        speeds.append(values(played(battle(mikasa, ship("rook", "red"))), "ajax")["available_speed"])
    assert speeds == [120, 105, 90, 75, 60, 45, 30, 15, 0]


@pytest.mark.clause("QFC-LOG-1")
def test_the_sheet_shows_what_is_printed_and_what_is_left() -> None:
    """Catches a part of the log that nobody can read."""
    rook = ship(
        "rook",
        "red",
        gunnery=(10, 0.5),
        notes="leaks",
        log={"rof_light": 4, "speed_hits": 9, "torpedo": 1, **USED},
        fires=1,
        courses=("full turn left",),
    )
    lines = shown(played(battle(ship("ajax"), rook)), "rook")
    assert lines["kind"] == "battleship, size 12"
    assert lines["gunnery"] == "10-½heavy-light"
    assert lines["armor"] == "8-8heavy-light"
    assert lines["ROF"] == "6-4printed 6-6"
    assert lines["speed"] == "[xxxxxxxx]+10 mmof 120 mm"
    assert lines["auto shot"] == "[x]"
    assert lines["torpedoes"] == "1"
    assert lines["repair"] == "5"
    assert lines["blast"] == "FDL"
    assert lines["notes"] == "leaks"


@pytest.mark.clause("QFC-LOG-1")
def test_a_ship_without_torpedoes_shows_none() -> None:
    """Catches a rating of 0 where there never was one."""
    start = battle(ship("ajax", torpedo=0), ship("rook", "red", log={"torpedo": 0}))
    assert drawn(played(start), "ajax", "torpedo") == "–"
    assert drawn(played(start), "rook", "torpedo") == "0"


@pytest.mark.clause("QFC-LOG-1")
def test_scripts_see_the_same_names_as_in_the_other_games() -> None:
    """Catches a value that scripts look for in vain."""
    session = played(battle(ship("ajax"), ship("rook", "red", fires=2, courses=("straight ahead",))))
    assert values(session, "rook") == {
        "side": "red",
        "rof_heavy": 6,
        "rof_light": 6,
        "boat_guns": 0,
        "torpedo": 2,
        "auto_shot": False,
        "repair_points": 5,
        "speed_hits": 0,
        "speed_lost": 0,
        "fires": 2,
        "course": ["straight ahead"],
        "available_speed": 120,
        "moved": None,
        "status": "afloat",
        "sunk": False,
    }


def test_waiting_names_who_may_still_act() -> None:
    """Catches a phase line that forgets a ship, or names one that is done."""
    rook = ship("rook", "red", torpedo=0, gunnery=(10, 0), log={"speed_hits": 1})
    session = played(battle(ship("ajax"), rook, phase="move"), "move ajax 60mm")

    def waits() -> list[tuple[str, str, str]]:
        return [(each.ship, each.what, each.order) for each in session.system.may_act(session.battle)]

    assert waits() == [("rook", "move", "move")]
    session.enter("next")
    assert waits() == [("ajax", "HLT", "fire"), ("rook", "H", "fire")]
    session.enter("fire ajax light rook 100cm off")
    session.enter("fire rook heavy ajax 100cm off")
    assert waits() == [("ajax", "T", "torpedo")]
    session.enter("next")
    assert waits() == [("rook", "repair", "repair")]


def test_what_hands_change_on_the_table_is_said() -> None:
    """Catches a table-fix list that forgets a speed, a fire or a course."""
    before = played(battle()).battle
    after = played(battle(), "damage rook S F D", "roll 1").battle
    told = played(battle()).system.on_table(before, after)
    assert told == (
        ("red", "Rook: speed 105 mm"),
        ("red", "Rook: place a fire marker"),
        ("red", "Rook: steers full turn left"),
    )
    sunk = played(battle(), "damage rook S F D", "roll 1", "leave rook sunk")
    assert sunk.system.on_table(before, sunk.battle) == (("red", "Rook: SUNK: remove the model"),)
