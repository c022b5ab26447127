"""The turn, the ship log, and corrections of rules that only Quickfire-Clone has (QFC-PH, QFC-LOG)."""

import pytest

from qf_tui.core.timeline import State
from qf_tui.session import Session
from tests.console.playing import Table, play
from tests.core.playing import renumber
from tests.rules.playing import draw_cell, enter, format_spans, owed, refusal, values
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone.tables import USED, battle, play_to_turn, played, ship
from tests.systems import load_start


@pytest.mark.clause("QFC-PH-2")
def test_torpedoes_that_are_hit_in_this_phase_still_leave_in_it() -> None:
    """Use the rating of the start of the phase."""
    session = played(battle(), "damage ajax T T")
    assert values(session, "ajax")["torpedo"] == 0
    assert "torpedo rating 2" in str(session.enter("torpedo ajax rook 20cm 6 6 6").ruling)
    assert refusal(play_to_turn(session, 2, "gunnery"), "torpedo ajax rook 20cm 6 6 6") == "QFC-TOR-1"


@pytest.mark.clause("QFC-PH-3")
def test_fire_checks_come_first_then_repairs_then_sinking_rolls() -> None:
    rook = ship("rook", "red", log={"speed_hits": 8}, fires=1)
    session = played(battle(ship("ajax"), rook), "next")
    assert owed(session) == ["fire-check rook"]
    assert refusal(session, "repair rook 6 6") == "QFC-PH-3"
    assert any("fire checks, then repairs" in text for text in session.system.advice(session.battle))
    session.enter("roll 4 3")
    session.enter("repair rook 6 6")
    session.enter("next")
    assert (session.battle.turn, session.battle.phase) == (1, "repair")
    assert owed(session) == ["sinking rook"]
    assert refusal(session, "repair rook 6 6") == "QFC-PH-3"
    assert refusal(session, "next") == ""
    enter(session, "roll 6 6", "damage ajax S S S S S S S S", "next")
    assert owed(session) == ["sinking ajax"], "who loses the last box since is asked too, and rook only once"
    enter(session, "roll 6 6", "next")
    assert (session.battle.turn, session.battle.phase) == (2, "move")


@pytest.mark.clause("QFC-PH-3")
def test_sinking_rolls_are_carried_over_by_the_umpire_s_word_and_not_lost() -> None:
    """Let a forced end of the turn save no wreck."""
    rook = ship("rook", "red", log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"), "force next")
    assert (session.battle.turn, owed(session)) == (2, ["sinking rook"])
    session.enter("roll 1 1")
    assert values(session, "rook")["sunk"] is True


@pytest.mark.clause("QFC-LOG-1")
def test_mikasa_s_log_is_the_sample_of_the_rules() -> None:
    """Check each printed value of the one ship that the rules give."""
    _, start = load_start("yellow-sea-1904-clone")
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
def test_the_sheet_shows_printed_and_remaining_values() -> None:
    rook = ship(
        "rook",
        "red",
        gunnery=(10, 0.5),
        notes="leaks",
        log={"rof_light": 4, "speed_hits": 9, "torpedo": 1, **USED},
        fires=1,
        courses=("full turn left",),
    )
    session = played(battle(ship("ajax"), rook))
    sheet = session.system.sheet(session.battle, session.battle.ships["rook"])
    lines = {title: format_spans(spans) for title, spans in sheet}
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
    start = battle(ship("ajax", torpedo=0), ship("rook", "red", log={"torpedo": 0}))
    assert [draw_cell(played(start), id, "torpedo") for id in ("ajax", "rook")] == ["–", "0"], (
        "none, and none left"
    )


@pytest.mark.clause("QFC-LOG-1")
def test_scripts_see_the_same_names_as_in_the_other_games() -> None:
    session = played(battle(ship("ajax"), ship("rook", "red", fires=2, courses=("straight ahead",))))
    told = values(session, "rook")
    assert told.keys() == values(quickfire.played(quickfire.battle()), "rook").keys()
    assert (told["boat_guns"], told["fires"], told["course"]) == (0, 2, ["straight ahead"])
    assert (told["speed_lost"], told["available_speed"], told["moved"]) == (0, 120, None)


def test_the_ships_that_may_still_act_are_listed() -> None:
    rook = ship("rook", "red", torpedo=0, gunnery=(10, 0), log={"speed_hits": 1})
    session = played(battle(ship("ajax"), rook, phase="move"), "move ajax 60mm")

    def waits() -> list[tuple[str, str, str]]:
        return [(entry.ship, entry.what, entry.order) for entry in session.system.may_act(session.battle)]

    assert waits() == [("rook", "move", "move")]
    session.enter("next")
    assert waits() == [("ajax", "HLT", "fire"), ("rook", "H", "fire")]
    session.enter("fire ajax light rook 100cm off")
    session.enter("fire rook heavy ajax 100cm off")
    assert waits() == [("ajax", "T", "torpedo")]
    session.enter("next")
    assert waits() == [("rook", "repair", "repair")]


def test_the_changes_on_the_table_are_listed() -> None:
    """List speeds, fires and courses."""
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


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.clause("QFC-GUN-14")
def test_bare_figures_of_a_shot_are_centimetres_and_the_base_is_on_the_card() -> None:
    """Read 30 as 30 cm, ask for no known base, and ask for the aspect."""
    session = Session.begin(*load_start("yellow-sea-1904-clone"))
    session.enter("next")

    async def steps(table: Table) -> None:
        await table.press("f", "h", *"tses", "enter", *"30", "enter", "up", "up")
        assert "the guess, in cm, if any" in table.text()
        assert "target base, cm, if any" in table.text()
        assert "= 30cm" in table.text()
        await table.press(*"31", "enter")
        assert "= 31cm" in table.text()
        assert "is Tsesarevich seen `abeam` or `end-on`?" in table.text()
        await table.press("a", "2", "space", "3", "enter")
        assert table.list_orders()[-1] == "fire mikasa heavy tsesarevich 30cm guess 31cm abeam"

    play(session, steps, (80, 24))


HURT = {"rof_heavy": 5, "speed_hits": 1}


def list_states(session: Session) -> dict[int, str]:
    """List the parked and spare entries, with their state."""
    found = (State.PARKED, State.SPARE)
    return {number: state.value for state in found for number in session.timeline.list_in_state(state)}


@pytest.mark.clause("QFC-PH-3")
def test_a_fire_check_thrown_again_comes_before_the_sinking_question() -> None:
    """Place it before the `next`, which would have waited for it."""
    rook = ship("rook", "red", log={"speed_hits": 8}, fires=1)
    session = played(battle(ship("ajax"), rook), "next", "roll 4 4", "next", "strike 2")
    assert owed(session) == ["fire-check rook", "sinking rook"]
    enter(session, "roll 1/fire-check/rook/1 6 6", "roll 1/sinking/rook/1 6 6")
    right = played(battle(ship("ajax"), rook), "next", "roll 6 6", "next", "roll 6 6")
    assert renumber(session.timeline) == renumber(right.timeline)
    assert session.timeline.play_order[1] == 5


@pytest.mark.clause("QFC-REP-2")
def test_amended_dice_make_a_choice_spare_and_bring_it_back() -> None:
    """Do not drop the choice with its question."""
    rook = ship("rook", "red", log=HURT)
    session = played(
        battle(ship("ajax"), rook, phase="repair"), "repair rook", "roll 3 4", "answer gunnery-heavy", "next"
    )
    before = renumber(session.timeline)
    session.enter("amend 2 5 5")
    assert list_states(session) == {3: "spare"}
    assert values(session, "rook")["speed_hits"] == 0
    session.enter("amend 2 1 2")
    assert list_states(session) == {}
    assert renumber(session.timeline) == before


@pytest.mark.clause("QFC-REP-2")
def test_a_choice_that_the_damage_no_longer_allows_is_parked_and_asked_again() -> None:
    """Repair no point that was never lost."""
    start = battle(ship("ajax"), ship("rook", "red", log={"rof_light": 5}), phase="repair")
    session = played(start, "damage rook G S", "repair rook 3 4", "answer gunnery-heavy", "next")
    session.enter("amend 1 damage rook S")
    assert list_states(session) == {3: "parked"}
    assert session.battle.owed[0].words == ("gunnery-light", "speed")
    session.enter("amend 3 answer speed")
    assert list_states(session) == {}
    assert values(session, "rook")["speed_hits"] == 0


@pytest.mark.clause("QFC-PH-3")
def test_the_sinking_roll_of_a_ship_with_boxes_left_is_spare() -> None:
    """Sink no ship by dice that are not asked for."""
    start = battle(ship("ajax"), ship("rook", "red"), phase="repair")
    session = played(start, "damage rook S S S S S S S S", "next", "roll 1 1", "next")
    assert values(session, "rook")["sunk"] is True
    session.enter("strike 1")
    assert values(session, "rook")["sunk"] is False
    assert list_states(session) == {3: "spare"}
    assert session.battle.turn == 2
    session.enter("restore 1")
    assert values(session, "rook")["sunk"] is True


@pytest.mark.clause("QFC-PH-3")
def test_boxes_lost_by_a_correction_ask_for_sinking_in_their_own_turn() -> None:
    """Ask neither a turn late nor never."""
    start = battle(ship("ajax"), ship("rook", "red"), phase="repair")
    session = played(start, "damage rook S", "next", "next", "note turn 2")
    session.enter("amend 1 damage rook S S S S S S S S")
    assert owed(session) == ["sinking rook"]
    session.enter("roll 1 1")
    right = played(start, "damage rook S S S S S S S S", "next", "roll 1 1", "next", "next", "note turn 2")
    assert session.battle.ships == right.battle.ships


@pytest.mark.clause("QFC-COL-1")
def test_a_forgotten_collision_parks_the_shots_of_both_ships() -> None:
    session = played(battle(phase="move"), "move ajax 60mm", "next")
    enter(session, "fire ajax heavy rook 100cm 1 2", "torpedo rook ajax 20cm 6 6 6")
    session.enter("insert 1 collide ajax rook 6 6")
    assert list_states(session) == {3: "parked", 4: "parked"}
    assert values(session, "ajax")["auto_shot"] is False
    session.enter("undo")
    assert list_states(session) == {}


@pytest.mark.clause("QFC-GUN-4")
@pytest.mark.clause("QFC-GUN-5")
def test_an_estimate_found_off_the_base_gives_the_auto_shot_to_the_next_shot() -> None:
    """Read the later dice again."""
    start = battle(ship("ajax", rof=(1, 1)), ship("rook", "red"))
    session = played(start, "fire ajax heavy rook 100cm 6 3")
    play_to_turn(session, 2, "gunnery").enter("fire ajax heavy rook 130cm 6")
    last = session.timeline.log[-1].number
    assert values(session, "rook")["rof_heavy"] == 5
    session.enter("amend 1 fire ajax heavy rook 100cm off")
    assert values(session, "rook")["rof_heavy"] == 6
    assert owed(session) == ["fire ajax"]
    session.enter(f"roll {last}/fire/ajax/1 1")
    assert values(session, "ajax")["auto_shot"] is True
    assert values(session, "rook")["rof_heavy"] == 5


@pytest.mark.clause("QFC-REP-2")
def test_a_choice_lapses_and_returns_and_a_late_one_waits() -> None:
    start = battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair")
    session = played(start, "repair rook 3 4", "mark rook rof_heavy 6", "mark rook speed_hits 0")
    assert owed(session) == []
    session.enter("strike 3")
    assert owed(session) == ["choice rook"]
    late = played(
        start, "next", "insert 0 repair rook 2 2", "mark rook rof_heavy 6", "mark rook speed_hits 0"
    )
    assert owed(late) == ["choice rook"]
    late.enter("answer speed")
    assert owed(late) == []


@pytest.mark.clause("QFC-REP-2")
def test_a_late_repair_asks_late_and_its_answer_goes_where_it_belongs() -> None:
    """Place the answer in the turn of the repair."""
    start = battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair")
    session = played(start, "next", "note turn 2", "insert 0 repair rook 2 2")
    assert owed(session) == ["choice rook"]
    session.enter("answer gunnery-heavy")
    right = played(start, "repair rook 2 2", "answer gunnery-heavy", "next", "note turn 2")
    assert renumber(session.timeline) == renumber(right.timeline)


@pytest.mark.clause("QFC-SNK-1")
def test_a_sinking_roll_of_a_past_turn_is_asked_though_the_ship_sank_since() -> None:
    """Keep the question although the ship is lost later."""
    start = battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 7}))
    session = played(start, "fire ajax heavy rook 130cm 6 6", "next", "next", "next", "damage rook S")
    for order in ("next", "next", "roll 1 1", "next", "amend 1 6 2"):
        session.enter(order)
    assert owed(session) == ["sinking rook"]
    session.enter("roll 6 6")
    assert owed(session) == []
    assert (values(session, "rook")["speed_hits"], values(session, "rook")["sunk"]) == (9, True)
