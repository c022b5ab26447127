"""The wander checks that the end of movement asks for, a row a division (GQ2-MV-6, GQ2-MV-2, GQ2-NIT-1)."""

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.session import Session
from tests.console.playing import Table, play
from tests.rules.gq2.tables import battle, destroyer, played, ship, to_phase, waits
from tests.rules.playing import enter, owed, question, reasons, refusal, result, values


def moving(*orders: str, light: str = "day") -> Session:
    """The first movement phase."""
    return played(battle(phase="movement", light=light), *orders)


ABREAST = ("formation @blue-line abreast", "move ajax 8 turns 2", "move boyne 7.5in")


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.clause("GQ2-MV-2")
def test_the_first_next_asks_for_a_divisions_checks_in_one_row_with_what_is_recorded() -> None:
    """Catches checks that nobody asks for, one row a ship, and inches asked again.

    Ajax moved 8 inches and turned 90 degrees, which is eight points: her red 6 and blue 1 are below, her 9 is
    not; Boyne moved 7 and a half and turned not at all: her 7 is below, and no other die can be.
    """
    session = moving(*ABREAST, "next")
    assert session.battle.phase == "movement"
    assert owed(session) == ["wander-checks ajax"]
    row = question(session, "wander-checks")
    assert [str(die) for die in row.dice] == [
        *("Ajax red D6", "Ajax blue D6", "Ajax D10"),
        *("Boyne red D6", "Boyne blue D6", "Boyne D10"),
    ]
    assert row.prompt == "wander checks of @blue-line: Ajax, Boyne"
    assert session.preview_order("roll").reminders == ("Ajax moved 8″, 8 points", "Boyne moved 7½″, 0 points")
    assert "boyne" not in waits(session)
    assert refusal(session, "wander boyne 7.5in 0") == "GQ2-MV-6"
    assert refusal(session, "next") == ""
    told = {"set": ("Ajax ½″ to starboard", "Ajax ½″ to port", "Boyne ½″ aft")}
    assert result(session, "roll 6 1 9 1 1 7") == told
    enter(session, "next")
    assert session.battle.phase != "movement"


@pytest.mark.clause("GQ2-MV-6")
def test_all_dice_of_a_row_are_wanted_and_each_ship_is_told() -> None:
    session = moving(*ABREAST, "next")
    with pytest.raises(OrderRefused, match="Boyne red D6"):
        enter(session, "roll 6 6 9")
    said = [reason.text for reason in reasons(session, "roll 6 6 9 6 6 9")]
    assert said == [
        "Ajax, d10 9, red 6, blue 6: ½″ to starboard and ½″ to port",
        "Boyne, d10 9, red 6, blue 6: holds its place",
        "a contact means a collision check at once",
    ]


@pytest.mark.clause("GQ2-MV-6")
def test_what_is_not_recorded_is_asked_for_first_and_then_recorded() -> None:
    """Catches a check by an assumption, and a record that nobody keeps."""
    session = moving("formation @blue-line quarter", "move ajax 8", "next")
    asked = question(session, "wander-moves")
    assert (asked.key, asked.dice) == ("0/wander-moves/ajax/1", ())
    assert asked.prompt.endswith("for the wander checks of @blue-line: Boyne")
    for wrong in ("8", "8 0 7", "x 0", "8 1.5", "7½½ 0", "8cm 0"):
        with pytest.raises(OrderRefused, match="inches and points for each of Boyne, as `8 0`"):
            enter(session, f"answer {wrong}")
    enter(session, 'answer 7½" 4')
    assert owed(session) == ["wander-checks ajax"]
    assert session.preview_order("roll").reminders == ("Ajax moved 8″, 0 points", "Boyne moved 7½″, 4 points")
    assert values(session, "boyne")["moved"] == 7.5
    assert session.battle.ships["boyne"].count("turned") == 1


@pytest.mark.clause("GQ2-MV-6")
def test_what_is_asked_for_and_then_recorded_by_a_move_is_not_asked_for_any_more() -> None:
    """Catches a question that no answer fits, as the ship's move was entered meanwhile."""
    session = moving("formation @blue-line quarter", "move ajax 8", "next", "move boyne 7½")
    assert owed(session) == ["wander-checks ajax"]
    assert session.preview_order("roll").reminders == ("Ajax moved 8″, 0 points", "Boyne moved 7½″, 0 points")


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.clause("GQ2-CRI-2")
def test_what_is_told_of_a_move_is_held_to_the_rules_of_moves() -> None:
    """Catches inches that no `move` would take, and a rudder that costs nothing."""
    session = moving("mark boyne rudder 1", "formation @blue-line quarter", "move ajax 8", "next")
    assert refusal(session, "answer 13 0") == "GQ2-LOG-2"
    assert refusal(session, "answer 11 4") == "GQ2-CRI-2"
    enter(session, "answer 10½ 4")
    assert session.battle.ships["boyne"].log["made"] == 12
    enter(session, "undo", "force answer 13 0")
    assert values(session, "boyne")["moved"] == 13


@pytest.mark.clause("GQ2-MV-6")
def test_force_next_carries_the_checks_over_and_they_are_asked_once() -> None:
    """Catches a check that is lost, one that is asked twice, and stokers that are counted twice."""
    session = moving(
        "mark ajax flank_turns 3", "formation @blue-line abreast", "move @blue-line 12", "force next"
    )
    assert session.battle.phase == "searchlights"
    assert owed(session) == ["wander-checks ajax"]
    assert session.battle.ships["ajax"].count("flank_turns") == 4
    enter(session, *["force next"] * 4)
    assert session.battle.phase == "movement"
    assert owed(session) == ["wander-checks ajax"]
    enter(session, "roll 6 6 0 6 6 0", "formation @blue-line quarter", "move @blue-line 12", "next")
    assert owed(session) == ["wander-checks ajax"], "the carried one is not this turn's"


@pytest.mark.clause("GQ2-MV-6")
def test_what_was_asked_of_an_earlier_turn_is_no_move_of_this_one() -> None:
    """Catches a check of turn 1 by the inches of turn 2, and one of turn 2 that nobody asks for."""
    session = moving("formation @blue-line quarter", "move ajax 8", "next", *["force next"] * 5)
    assert (session.battle.turn, session.battle.phase) == (2, "movement")
    enter(session, "move ajax 9", "move boyne 11")
    assert owed(session) == ["wander-moves ajax"], "moves of turn 2 answer nothing of turn 1"
    assert session.preview_order("wander ajax 9 0").fine, "a check of this turn by hand is another"
    assert session.preview_order("answer 3 4").fine, "no speed of turn 2 bars it"
    enter(session, "formation @blue-line abreast", "force next")
    assert owed(session) == ["wander-moves ajax", "wander-checks ajax"]
    assert session.preview_order("roll").reminders == ("Ajax moved 9″, 0 points", "Boyne moved 11″, 0 points")
    enter(session, "answer 3 4")
    assert (values(session, "ajax")["moved"], values(session, "boyne")["moved"]) == (9, 11)
    late = [one for one in session.battle.owed if one.number("turn") == 1]
    assert session.preview_order(f"roll {late[0].key}").reminders == (
        "Ajax moved 8″, 0 points",
        "Boyne moved 3″, 4 points",
    )


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.parametrize("older", [True, False])
def test_by_the_switch_and_in_a_battle_older_than_it_checks_are_only_reminded_of(older: bool) -> None:
    """Catches an old save that is asked what it was never asked."""
    start = battle(phase="movement", wander_checks="by-hand")
    if older:
        start = evolve(start, options={}, began=None)
    session = played(start, *ABREAST)
    assert waits(session)["ajax"] == "wander check"
    enter(session, "next")
    assert session.battle.phase == "searchlights"


@pytest.mark.clause("GQ2-MV-6")
def test_a_division_is_asked_once_a_turn() -> None:
    """Catches a second `next` that asks whoever leads once the leader has gone with its check."""
    session = moving("move @blue-line 8", "move rook,rival,kobold 0", "next", light="night")
    assert owed(session) == ["wander-checks ajax"]
    enter(session, "leave ajax sunk")
    assert owed(session) == []
    enter(session, "next")
    assert (session.battle.phase, owed(session)) == ("searchlights", [])


@pytest.mark.clause("GQ2-MV-6")
def test_the_switch_turned_to_by_hand_takes_the_checks_off_the_queue() -> None:
    """Catches checks that hold movement although nobody asks for them."""
    session = moving(*ABREAST, "next")
    assert owed(session) == ["wander-checks ajax"]
    enter(session, "option wander_checks by-hand")
    assert owed(session) == []
    enter(session, "next")
    assert session.battle.phase == "searchlights"


@pytest.mark.clause("GQ2-NIT-1")
@pytest.mark.clause("GQ2-MV-6")
def test_by_night_every_division_has_a_row() -> None:
    """Catches followers that check, ships that lie still, and a check that was made by hand."""
    moves = ("move @blue-line 8", "move rook,rival 6", "move kobold 0")
    session = moving(*moves, "next", light="night")
    assert owed(session) == ["wander-checks ajax", "wander-checks rook"]
    enter(session, "roll 0/wander-checks/rook/1 1 1 0", "roll 1 1 9", "next")
    assert session.battle.phase == "searchlights"
    session = moving(*moves, "wander ajax 8 0 1 1 9", "formation @red-line quarter", "next", light="night")
    assert owed(session) == ["wander-checks rook"]
    assert len(question(session, "wander-checks").dice) == 6, "all but Kobold, who lies still"
    session = moving(*(f"{move}" for move in ("move ajax 0", "move rook 0")), "next", light="night")
    assert session.battle.phase == "searchlights"


@pytest.mark.clause("GQ2-MV-6")
def test_the_odds_of_a_row_of_one_ship_are_those_of_its_check() -> None:
    start = battle(ship("ajax"), destroyer("kobold"), phase="movement", light="night")
    session = played(start, "move ajax 8 turns 1", "move kobold 0", "next")
    odds = [str(chance) for chance in session.preview_order("roll").chances]
    assert odds == ["aft 80%", "starboard 50%", "port 50%"]


@pytest.mark.clause("GQ2-MV-6")
def test_a_move_mended_behind_the_checks_reads_their_dice_again() -> None:
    """Catches a row that keeps the inches of an old move, and a late one that loses its answer."""
    session = moving(*ABREAST, "next", "roll 6 6 8 6 6 9", "next", "amend 2 move ajax 9 turns 2")
    ruling = session.timeline.rulings[5]
    assert "½″ aft" in ruling.decision.reasons[0].text
    session = moving("move ajax 8", "move boyne 8", "next", "insert 0 formation @blue-line abreast")
    assert session.battle.phase == "searchlights"
    assert [(one.line, one.late) for one in session.battle.owed] == [("wander-checks", True)]
    enter(session, "roll 6 6 7 6 6 9")
    assert owed(session) == []


@pytest.mark.clause("GQ2-MV-2")
def test_a_division_begins_in_the_formation_of_its_scenario() -> None:
    """Catches a stated formation that counts as a change, by day, and one that does not wander by night."""
    start = battle(phase="movement")
    start = evolve(start, table={**start.table, "formation.@blue-line": "abreast"}, began=None)
    session = played(start, "move @blue-line 8", "next")
    assert session.battle.phase == "searchlights"
    assert refusal(played(start), "formation @blue-line abreast") == "GQ2-MV-2"


@pytest.mark.clause("GQ2-MV-6")
def test_the_console_takes_the_dice_of_a_row_at_once() -> None:
    """Catches a row that the owed line does not show, and dice that must be given ship by ship."""

    async def steps(table: Table) -> None:
        await table.press("n", "enter")
        assert "wander checks of @blue-line: Ajax, Boyne" in table.text()
        await table.press("o", *"669667", "enter")
        assert table.log()[-1] == "roll 0/wander-checks/ajax/1"
        await table.press("n", "enter")
        assert table.battle.phase == "gunnery"

    play(moving(*ABREAST), steps, (100, 30))


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.clause("GQ2-TOR-2")
def test_what_is_told_for_a_check_says_nothing_of_evasion_or_a_straight_course() -> None:
    """Catches a ship that evades in this turn because it did in the one before."""
    start = battle(phase="movement", light="night")
    session = to_phase(played(start, "move ajax 8 evasive", "move rook 8 straight"), "movement")
    ships = to_phase(session, "gunnery").battle.ships
    assert [ships[id].log["moved"] for id in ("ajax", "rook")] == [8, 8]
    assert not ships["ajax"].log["evasive"]
    assert not ships["rook"].log["straight"]
