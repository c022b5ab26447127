"""Corrections of General Quarters 2: what each changes and parks, and which dice become spare."""

from itertools import product

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import State
from qf_tui.document.acts import format_ruling
from qf_tui.session import Session
from tests.core.playing import renumber
from tests.rules.gq2.tables import battle, destroyer, played, ship
from tests.rules.playing import enter, values

SHOT = "fire ajax 12 rook straddle 8 penetrates"


def list_owed(session: Session) -> list[str]:
    return [one.key for one in session.battle.owed]


def list_states(session: Session) -> dict[int, str]:
    """List the entries in force that are parked or spare, with their state."""
    timeline = session.timeline
    found = {number: timeline.rulings[number].state for number in timeline.play_order}
    return {number: state.value for number, state in found.items() if state is not State.STANDS}


def play_night(*orders: str) -> Session:
    return played(battle(light="night"), *orders)


def play_day(*orders: str) -> Session:
    return played(battle(), *orders)


HIT = (SHOT, "roll 5 4", "roll 2 4 1", "roll 5")
"""By night Rook loses two boxes and half an armament box, and has a steam line (entries 1 to 4)."""
NEXT_TURN = ("next", "next", "next")


def test_amended_targeting_takes_the_dice_of_the_shot_to_another_ship() -> None:
    session = play_night(*HIT, *NEXT_TURN, "move rook 5")
    told = session.enter("amend 2 6 3").consequences
    assert told.spare == (3, 4), "until it is told who is there"
    assert [one.key for one in told.owed] == ["1/who/ajax/1"]
    enter(session, "answer rival 8 penetrates")
    assert list_states(session) == {4: "spare"}, "the critical roll was Rook's"
    assert list_owed(session) == ["1/critical/rival/1"]
    enter(session, "roll 5")
    assert (values(session, "rival")["hull_lost"], values(session, "rook")["hull_lost"]) == (2, 0)
    right = play_night(
        SHOT, "roll 6 3", "answer rival 8 penetrates", "roll 2 4 1", "roll 5", *NEXT_TURN, "move rook 5"
    )
    assert renumber(session.timeline) == renumber(right.timeline)


def play_strayed(targeting: str) -> Session:
    """Play a shot with this targeting, which hits Rival if it strays, and begin the next turn."""
    session = settle(play_night(SHOT, f"roll {targeting}"))
    return enter(session, "roll 2 4 2", *NEXT_TURN, "move rook 8")


def settle(session: Session) -> Session:
    """Answer which ship is there, if that is asked."""
    if session.battle.owed and not session.battle.owed[0].dice:
        session.enter("answer rival 8 penetrates")
    return session


@pytest.mark.parametrize("first", ["5 4", "6 3"])
def test_an_amended_targeting_equals_one_rolled_right_the_first_time(first: str) -> None:
    start = play_strayed(first)
    for red, blue in product(range(1, 7), repeat=2):
        session = Session(start.system, start.timeline)
        settle(enter(session, f"amend 2 {red} {blue}"))
        assert renumber(session.timeline) == renumber(play_strayed(f"{red} {blue}").timeline)
        settle(enter(session, f"amend 2 {first}"))
        assert renumber(session.timeline) == renumber(start.timeline)


def test_a_struck_targeting_roll_leaves_the_shots_dice_spare_until_rerolled() -> None:
    session = play_night(*HIT)
    before = renumber(session.timeline)
    enter(session, "strike 2")
    assert (list_states(session), list_owed(session)) == ({3: "spare", 4: "spare"}, ["1/targeting/ajax/1"])
    enter(session, "roll 5 4")
    assert list_states(session) == {}
    assert renumber(session.timeline) == before
    enter(session, "undo", "restore 2")
    assert renumber(session.timeline) == before


def test_a_forgotten_shot_is_inserted_and_asks_for_its_dice_late() -> None:
    session = play_night(*HIT, "next")
    enter(session, "insert 4 fire boyne 6 rival straddle 9")
    assert list_owed(session) == ["6/targeting/boyne/1"]
    shots = ("roll 1 3", "answer kobold 8", "roll 3 9 2")
    enter(session, *shots)
    right = play_night(*HIT, "fire boyne 6 rival straddle 9", *shots, "next")
    assert renumber(session.timeline) == renumber(right.timeline)


def test_a_late_steam_line_parks_the_move_that_was_too_fast() -> None:
    session = play_night(*HIT[:3], "roll 2", *NEXT_TURN, "move rook 8")
    told = session.enter("amend 4 5").consequences
    assert told.parked == (8,)
    assert ("rook", "speed") in [(one.ship, one.field) for one in told.changes]
    enter(session, "amend 8 move rook 5")
    assert list_states(session) == {}
    assert values(session, "rook")["moved"] == 5


def test_a_struck_hit_gives_boxes_speed_and_next_turns_modifier_back() -> None:
    session = play_day(f"{SHOT} 2 4 2", *NEXT_TURN, "next", "next", f"{SHOT} 9 9 9")
    assert "-1 damaged last turn" in str(session.timeline.rulings[7].decision.reasons)
    told = session.enter("strike 1").consequences
    assert [one.entry for one in told.reread] == [7]
    assert "white 9>8" in format_ruling(told.reread[0].now)
    assert values(session, "rook")["hull_lost"] == 0
    enter(session, "undo")
    assert values(session, "rook")["hull_lost"] == 1


def test_a_corrected_explosion_leaves_its_marker_spare_and_the_ship_afloat() -> None:
    session = play_day("damage rook CA", "roll 9", "roll 6", "roll 4", *NEXT_TURN[:2], "roll 3")
    assert values(session, "rook")["status"] == "sunk"
    told = session.enter("amend 3 1").consequences
    assert told.spare == (4, 7)
    assert any("afloat again" in words for _, words in told.table)
    assert values(session, "rook")["armament_lost"] == 1
    enter(session, "amend 3 6")
    assert list_states(session) == {}
    assert values(session, "rook")["status"] == "sunk"


def test_a_struck_searchlight_makes_the_shot_wait_for_its_targeting() -> None:
    session = played(
        battle(phase="searchlights", light="night"), "light boyne rook", "roll 3 4", "next", f"{SHOT} 2 4 2"
    )
    assert values(session, "rook")["hull_lost"] == 1
    session.enter("strike 1")
    assert list_states(session) == {2: "spare"}
    assert list_owed(session) == ["4/targeting/ajax/1"]
    enter(session, "roll 6 3", "answer rival 8 penetrates")
    assert values(session, "rival")["hull_lost"] == 1, "its dice had waited"


@pytest.mark.parametrize(
    ("order", "clause"),
    [("amend 1 move ajax 13", "GQ2-LOG-2"), ("amend 2 formation @blue-line turnabout", "GQ2-MV-3")],
)
def test_an_amendment_that_the_rules_refuse_changes_nothing(order: str, clause: str) -> None:
    session = played(battle(phase="movement"), "move ajax 12", "formation @blue-line abreast")
    before = session.timeline
    with pytest.raises(OrderRefused, match=r"can make|German") as refused:
        session.enter(order)
    assert refused.value.clause == clause
    assert session.timeline is before


FLOTILLA = "torpedo kobold,kelpie ajax stick 7 9"
STRAYED = ("roll 6 3", "answer boyne stick 5")
"""Kobold's torpedo strays to Boyne, one ship to the right of Ajax."""


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize("mended", ["amend 2 6 3", "strike 2; roll 6 3"])
def test_a_strayed_torpedo_is_rolled_after_the_targeting_of_its_flotilla(mended: str) -> None:
    """“Kobold's was a 6 and a 3.” The die at Boyne is thrown only after Kelpie's torpedo has found Ajax."""
    start = battle(
        *(ship(id) for id in ("ajax", "boyne")),
        *(destroyer(id) for id in ("kobold", "kelpie")),
        phase="torpedo",
        light="night",
    )
    session = played(start, FLOTILLA, "roll 3 4", "roll 3 4", "next", *mended.split("; "))
    enter(session, STRAYED[1])
    assert list_owed(session) == ["1/torpedo/kobold/1"]
    assert session.battle.owed[0].prompt == "torpedo of Kobold at Boyne"
    enter(session, "roll 2")
    assert (list_owed(session), list_states(session)) == ([], {})
    right = played(start, FLOTILLA, STRAYED[0], "roll 3 4", STRAYED[1], "roll 2", "next")
    assert renumber(session.timeline) == renumber(right.timeline)
