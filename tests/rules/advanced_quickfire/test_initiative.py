"""Who moves first (AQF-PH-5), and the end of a battle in scripts (AQF-PH-7)."""

from pathlib import Path

import pytest

from qf_tui.core.timeline import State
from qf_tui.document.acts import act_text
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, played, ship, to_phase
from tests.rules.playing import allowed, owed, reasons, refusal
from tests.systems import our_systems


def waiting(switch: str = "each-turn", *orders: str, sides: int = 2) -> Session:
    """The movement phase of a battle whose sides move in turn."""
    ships = [ship("ajax"), ship("rook", "red"), ship("gull", "green"), ship("yawl", "yellow")][:sides]
    return played(battle(*ships, phase="movement", initiative=switch), *orders)


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize("switch", ["once", "each-turn"])
def test_movement_owes_a_die_of_each_side(switch: str) -> None:
    """Catches a throw that nobody is asked for, in the first turn or a later one."""
    session = waiting(switch, sides=3)
    question = session.battle.owed[0]
    assert (question.key, question.prompt) == ("0/initiative//1", "initiative: Blue, Red, Green")
    assert [str(die) for die in question.dice] == ["Blue D12", "Red D12", "Green D12"]
    session.enter("roll 4 9 7")
    assert session.system.phase_title(session.battle) == "Movement: Red, then Green, then Blue"
    session.enter("move rook 4")
    for _ in range(6):
        session.enter("next")
    assert owed(session) == ([] if switch == "once" else ["initiative "])


@pytest.mark.clause("AQF-PH-5")
def test_the_switch_turned_in_mid_battle_owes_the_throw() -> None:
    """Catches a switch that counts from the next turn only, and one that asks where all move at once."""
    session = played(battle(phase="movement"))
    assert owed(session) == []
    session.enter("option initiative each-turn")
    assert owed(session) == ["initiative "]


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize(
    ("rolls", "order"),
    [
        (["5 5 5 2", "3 9 9", "4 8"], "Green, then Red, then Blue, then Yellow"),
        (["5 5 2 2", "3 9 9 1"], "Red, then Blue, then Green, then Yellow"),
        (["1 5 5 9", "12 2"], "Yellow, then Red, then Green, then Blue"),
        (["7 7 7 7", "1 2 3 4"], "Yellow, then Green, then Red, then Blue"),
    ],
)
def test_those_who_tie_throw_again(rolls: list[str], order: str) -> None:
    """Catches a tie that goes to the first, and a second throw that lifts a side over one that beat it."""
    session = waiting(sides=4)
    for roll in rolls[:-1]:
        session.enter(f"roll {roll}")
        assert session.battle.owed[0].prompt.startswith("initiative again: ")
        assert refusal(session, "move ajax 4") == "AQF-PH-5"
    session.enter(f"roll {rolls[-1]}")
    assert session.system.phase_title(session.battle) == f"Movement: {order}"


@pytest.mark.clause("AQF-PH-5")
def test_moves_wait_for_the_throw_and_may_be_forced() -> None:
    """Catches a ship that moves before its side may, and who may act told otherwise."""
    session = waiting()
    assert refusal(session, "move ajax 4") == "AQF-PH-5"
    assert session.system.may_act(session.battle) == ()
    assert allowed(session, "force move ajax 4")
    session.enter("roll 9 3")
    assert [who.ship for who in session.system.may_act(session.battle)] == ["ajax"]
    assert allowed(session, "move ajax 4")


@pytest.mark.clause("AQF-PH-10")
@pytest.mark.parametrize("gone", ["aground", "sunk"])
def test_a_later_side_waits_until_the_first_has_moved_a_ship(gone: str) -> None:
    """Catches a slip that costs the winner its move, and a side that waits for one that cannot move."""
    session = waiting("once", "roll 9 3 1", sides=3)
    assert refusal(session, "move rook 4") == refusal(session, "move gull 4") == "AQF-PH-10"
    assert allowed(session, "force move rook 4")
    session.enter("move ajax 4")
    assert allowed(session, "move rook 4")
    assert refusal(session, "move gull 4") == "AQF-PH-10"
    session.enter(f"leave rook {gone}")
    assert allowed(session, "move gull 4")


@pytest.mark.clause("AQF-PH-5")
def test_an_earlier_side_moves_no_more_once_a_later_one_has() -> None:
    """Catches an order of moves that nobody holds to."""
    start = battle(ship("ajax"), ship("boyne"), ship("rook", "red"), phase="movement", initiative="once")
    session = played(start, "roll 9 3", "move ajax 4", "move rook 4")
    assert refusal(session, "move boyne 4") == "AQF-PH-5"
    assert allowed(session, "force move boyne 4")
    session.enter("undo")
    assert allowed(session, "move boyne 4")


@pytest.mark.clause("AQF-PH-5")
def test_a_side_without_ships_throws_no_die() -> None:
    """Catches a die asked of those who have gone."""
    session = waiting(sides=3)
    assert session.battle.owed[0].prompt == "initiative: Blue, Red, Green"
    session = waiting("each-turn", "roll 9 3 1", "mark gull status sunk", sides=3)
    to_phase(session, "movement")
    assert session.battle.owed[0].prompt == "initiative: Blue, Red"


@pytest.mark.clause("AQF-PH-5")
def test_the_order_of_two_sides_answers_what_is_owed() -> None:
    """Catches a throw that stays owed, and an order that leaves a third side out."""
    session = waiting("each-turn", "initiative red 2 blue 11")
    assert owed(session) == []
    assert session.system.phase_title(session.battle) == "Movement: Blue, then Red"
    assert not allowed(waiting(sides=3), "force initiative blue 4 red 7")
    session = waiting("each-turn", "roll 9 4 4", "initiative green 3 red 8", sides=3)
    assert session.system.phase_title(session.battle) == "Movement: Blue, then Red, then Green"


@pytest.mark.clause("AQF-PH-5")
def test_the_switch_turned_back_takes_the_throw_off_the_queue() -> None:
    """Catches a throw that holds the phase although all move at once."""
    session = waiting()
    said = [reason.text for reason in reasons(session, "option initiative simultaneous")]
    assert said[-1] == "initiative: Blue, Red: it is not asked for"
    assert owed(session) == []
    assert allowed(session, "move ajax 4")
    session.enter("undo")
    assert owed(session) == ["initiative "]


@pytest.mark.clause("AQF-PH-5")
def test_a_corrected_throw_is_a_throw_of_its_own() -> None:
    """Catches an answer to the start of the battle that cannot be taken back or changed."""
    session = waiting("each-turn", "roll 9 3", "undo")
    assert owed(session) == ["initiative "]
    session.enter("redo")
    session.enter("move ajax 4")
    session.enter("amend 1 3 9")
    assert session.system.phase_title(session.battle) == "Movement: Red, then Blue"


@pytest.mark.clause("AQF-PH-5")
@pytest.mark.parametrize("later", [[], ["next", "next"]])
def test_a_throw_of_the_start_struck_and_thrown_again_stands_at_the_start(later: list[str]) -> None:
    """Catches moves that stay parked for want of a throw that was given behind them."""
    session = waiting("each-turn", "roll 9 3", "move ajax 4", "move rook 4", *later, "strike 1")
    assert [session.timeline.rulings[number].state for number in (2, 3)] == [State.PARKED] * 2
    session.enter("roll 8 2")
    assert session.timeline.play_order[0] == session.timeline.log[-1].number
    assert [session.timeline.rulings[number].state for number in (2, 3)] == [State.STANDS] * 2
    assert owed(session) == []


@pytest.mark.clause("AQF-PH-5")
def test_a_throw_that_waited_stands_where_it_was_given() -> None:
    """Catches a first answer to the start that is brought ahead of forced moves."""
    session = waiting("each-turn", "force move ajax 4", "force next", "roll 8 2")
    assert session.timeline.play_order == (1, 2, 3)


@pytest.mark.clause("AQF-PH-5")
def test_a_throw_owed_from_the_start_is_kept_in_a_save(tmp_path: Path) -> None:
    """Catches a question of the start that a save loses, or a history that cannot say what was rolled."""
    save = tmp_path / "battle.qfb"
    Session.begin(SYSTEM, battle(phase="movement", initiative="once"), save).close()
    session = Session.resume(save, our_systems())
    assert owed(session) == ["initiative "]
    session.enter("roll 4 9")
    assert act_text(session.timeline, session.timeline.log[0]).title == "roll 4 9 for initiative: Blue, Red"
    session.close()
    again = Session.look(save, our_systems())
    assert again.system.phase_title(again.battle) == "Movement: Red, then Blue"


@pytest.mark.clause("AQF-PH-7")
@pytest.mark.parametrize(
    "order", ["mark rook status sunk", "leave rook withdrawn", "mark rook status struck"]
)
def test_the_entry_that_leaves_a_side_without_ships_says_that_it_may_end(order: str) -> None:
    """Catches a script that is never told, and one that is told on every entry after."""
    session = played(battle())
    said = [(reason.text, reason.clause) for reason in reasons(session, order)]
    assert said[-1] == ("Red has no ship left in the battle: it may end here", "AQF-PH-7")
    after = reasons(session, "next")
    assert not any("may end" in reason.text for reason in after)
