"""A night shot through core and script.

Who is hit, damage in halves, and the turn that a steam line binds.
"""

from itertools import product
from pathlib import Path

import pytest

from qf_tui.core.decide import decide_again
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import State
from qf_tui.session import Session
from tests.core.playing import renumbered
from tests.rules.playing import enter
from tests.seam.battles import NIGHT_CARD, SYSTEMS, begin, night, owed, report, row, states
from tests.seam.night import SYSTEM

SHOT = "fire ant 12 dog straddle 8 penetrates"
"""Entry 2; its targeting roll is entry 3."""
STEAM = (SHOT, "roll 5 4", "roll 2 4 1", "roll 5")
"""Dog loses 1 of armament, 2 of hull, and a steam line."""


def test_at_night_the_targeting_roll_is_owed_before_the_dice_of_the_shot() -> None:
    session = night()
    assert row(session, SHOT)["owed"] == [
        {"key": "2/targeting/ant/1", "line": "targeting", "ship": "ant", "dice": "2d6"}
    ]
    told = row(session, "roll 5 4")
    assert told["owed"] == [{"key": "2/fire/ant/1", "line": "fire", "ship": "ant", "dice": "3d10"}]
    assert row(session, "roll 0 0 0")["effects"] == []
    assert owed(session) == []


def test_by_day_the_dice_of_the_shot_stand_in_the_order() -> None:
    session = begin(SYSTEM, NIGHT_CARD, "next", f"{SHOT} 4 4 2")
    assert report(session, "dog")["hull_lost"] == 1
    assert owed(enter(session, "fire bee 6 dog straddle 3")) == ["3/fire/bee/1"]


@pytest.mark.parametrize(
    ("dice", "place"),
    [
        ("6 3", "one ship to the right of HMS Dog"),
        ("2 5", "one ship to the left of HMS Dog"),
        ("1 3", "two ships to the left of HMS Dog"),
        ("6 2", "two ships to the right of HMS Dog"),
    ],
)
def test_a_die_double_the_other_asks_who_is_there(dice: str, place: str) -> None:
    asked = enter(night(SHOT), f"roll {dice}").battle.owed[0]
    assert asked.prompt == f"{place}, from HMS Ant: who is there?"
    assert asked.words == ("bee", "cat", "elk", "nobody")


@pytest.mark.parametrize(
    ("answer", "kept", "hit"),
    [
        ("cat", "cat", "cat"),
        ("HMS Ca", "cat", "cat"),
        ("e", "elk", "elk"),
        ("bee straddle 4", "bee straddle 4", "bee"),
        ("no", "nobody", "dog"),
    ],
)
def test_the_ship_named_is_the_one_that_is_hit(answer: str, kept: str, hit: str) -> None:
    session = night(SHOT, "roll 6 3")
    assert row(session, f"answer {answer}")["order"] == f"answer 2/who/ant/1 {kept}"
    enter(session, "roll 2 4 2")
    assert [id for id in session.battle.ships if report(session, id)["hull_lost"]] == [hit]


@pytest.mark.parametrize(
    "answer", ["yak", "ant", "dog", "cat straddle", "cat straddle 10", "cat in smoke", "HMS"]
)
def test_what_is_no_answer_is_refused_with_what_may_be(answer: str) -> None:
    session = night(SHOT, "roll 6 3")
    with pytest.raises(OrderRefused, match="bee or cat or elk or nobody, then `straddle N`"):
        session.enter(f"answer {answer}")
    assert owed(session) == ["2/who/ant/1"]


def test_a_band_measured_to_the_ship_that_is_there_counts_for_it() -> None:
    session = night(SHOT, "roll 6 3", "answer cat straddle 3 penetrates")
    assert row(session, "roll 2 4 2")["because"] == [
        {"text": "2+2 against 3: misses HMS Cat", "rule": "N-GUN-1"}
    ]


def test_halves_are_counted_whole_and_shown_as_decimals() -> None:
    session = night("fire ant 12 dog straddle 6", "roll 5 4")
    told = row(session, "roll 1 4 4")
    assert told["effects"] == [
        {"ship": "dog", "field": "armament_lost", "from": 0, "to": 0.5},
        {"ship": "dog", "field": "hull_lost", "from": 0, "to": 0.5},
    ]
    assert session.battle.ships["dog"].count("hull_lost") == 1
    assert report(session, "dog")["hull_lost"] == 0.5


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("½", 0.5), ("2½", 2.5), ("+.5", 1.5), ("-1", 0), ("3", 3), ("+1½", 2.5)],
)
def test_a_field_in_halves_is_set_by_hand_in_halves(text: str, value: float) -> None:
    session = night("mark dog hull_lost 1", f"mark dog hull_lost {text}")
    assert report(session, "dog")["hull_lost"] == value


@pytest.mark.parametrize("text", ["1.3", "-.5", "9.5", "1/2", "½½", "two", "+", "1e1", "٣"])
def test_what_is_no_number_of_halves_is_refused(text: str) -> None:
    with pytest.raises(OrderRefused, match=r"in steps of 0\.5 from 0 to 9"):
        night(f"mark dog hull_lost {text}")


def test_a_steam_line_binds_the_next_turn_and_lapses_with_it() -> None:
    session = night(*STEAM)
    assert report(session, "dog")["speed"] == 6
    enter(session, "next")
    assert row(session, "move dog 4")["rule"] == "N-MV-1"
    enter(session, "move dog 3", "next")
    lapsed = row(session, "next")
    assert {"text": "over on HMS Dog: steam lines"} in lapsed["because"]
    assert report(session, "dog")["speed"] == 6
    assert report(session, "dog")["steam"] == 0
    assert [mark.lifted for mark in session.battle.ships["dog"].marks] == [True]


def test_a_steam_line_written_by_hand_lapses_as_one_that_was_rolled() -> None:
    session = night("mark dog steam 2", "next")
    assert report(session, "dog")["speed"] == 12
    assert report(enter(session, "next", "next"), "dog")["speed"] == 18


def test_a_critical_hit_without_penetration_does_nothing() -> None:
    session = night("fire ant 12 dog straddle 8", "roll 5 4", "roll 2 4 1", "roll 5")
    assert report(session, "dog")["steam"] == 0


def test_a_ship_that_is_sinking_stays_to_be_fired_at_and_fires_no_more() -> None:
    session = night("mark dog hull_lost 2", "fire ant 12 dog straddle 8", "roll 5 4", "roll 2 4 2")
    assert report(session, "dog")["status"] == "sinking"
    assert row(session, "fire dog 12 ant straddle 8")["ok"], "damage counts from the end of the phase"
    enter(session, "roll 5 4", "roll 9", "next", "next")
    assert row(session, "fire dog 12 ant straddle 8")["rule"] == "N-GUN-9"
    assert row(session, "fire ant 12 dog straddle 8")["ok"]


def test_who_was_damaged_last_turn_is_easier_to_straddle() -> None:
    session = night(SHOT, "roll 5 4", "roll 2 4 2", "next", "next", SHOT, "roll 5 4")
    assert row(session, "roll 7 9 9")["because"] == [
        {"text": "7+1 against 8: straddles HMS Dog", "rule": "N-GUN-1"}
    ]


def test_amended_targeting_gives_the_dice_of_the_shot_to_the_ship_that_is_there() -> None:
    session = night(*STEAM, "next", "move dog 3")
    told = session.enter("amend 3 6 3").consequences
    assert told.spare == (4, 5)
    assert owed(session) == ["2/who/ant/1"]
    told = session.enter("answer cat").consequences
    assert states(session) == {5: "spare"}, "the critical roll was dog's"
    assert told.spare == (), "it was spare before"
    enter(session, "roll 5")
    assert report(session, "cat") == {
        "hull_lost": 2,
        "armament_lost": 1,
        "speed": 3,
        "steam": 1,
        "status": "afloat",
    }
    assert report(session, "dog")["speed"] == 18
    right = night(SHOT, "roll 6 3", "answer cat", "roll 2 4 1", "roll 5", "next", "move dog 3")
    assert renumbered(session.timeline) == renumbered(right.timeline)


@pytest.mark.parametrize("first", ["5 4", "6 3"])
def test_any_targeting_amended_is_the_targeting_rolled_right_the_first_time(first: str) -> None:
    start = played(first)
    for red, blue in product(range(1, 7), repeat=2):
        session = Session(start.system, start.timeline)
        settle(enter(session, f"amend 3 {red} {blue}"))
        assert renumbered(session.timeline) == renumbered(played(f"{red} {blue}").timeline)
        settle(enter(session, f"amend 3 {first}"))
        assert renumbered(session.timeline) == renumbered(start.timeline)


def played(targeting: str) -> Session:
    """A shot with that targeting, cat there if it strays, dice that hit without a critical, a turn more."""
    session = night(SHOT, f"roll {targeting}")
    settle(session)
    return enter(session, "roll 2 4 2", "next", "move dog 3", "next", SHOT)


def settle(session: Session) -> None:
    """Answers who is there, if that is asked."""
    if session.battle.owed and not session.battle.owed[0].dice:
        session.enter("answer cat")


def test_a_late_steam_line_parks_the_move_that_was_too_fast() -> None:
    session = night(SHOT, "roll 5 4", "roll 2 4 1", "roll 4", "next", "move dog 6")
    told = session.enter("amend 5 5").consequences
    assert told.parked == (7,)
    enter(session, "amend 7 move dog 3")
    assert states(session) == {}
    assert row(session, "preview strike 8")["ok"]


def test_a_struck_targeting_roll_leaves_the_dice_of_the_shot_spare_until_it_is_rolled_anew() -> None:
    session = night(*STEAM)
    before = renumbered(session.timeline)
    enter(session, "strike 3")
    assert states(session) == {4: "spare", 5: "spare"}
    assert owed(session) == ["2/targeting/ant/1"]
    enter(session, "roll 5 4")
    assert states(session) == {}
    assert renumbered(session.timeline) == before
    enter(session, "undo", "restore 3")
    assert renumbered(session.timeline) == before


def test_a_forgotten_shot_is_inserted_and_asks_late() -> None:
    session = night(*STEAM, "next")
    enter(session, "insert 5 fire bee 6 cat straddle 9")
    assert owed(session) == ["7/targeting/bee/1"]
    enter(session, "roll 1 3", "answer elk", "roll 3 9 2")
    assert report(session, "elk")["hull_lost"] == 1
    shots = ("fire bee 6 cat straddle 9", "roll 1 3", "answer elk", "roll 3 9 2")
    assert renumbered(session.timeline) == renumbered(night(*STEAM, *shots, "next").timeline)


def test_a_shot_moved_to_another_target_keeps_its_dice() -> None:
    session = night(*STEAM)
    enter(session, "amend 2 fire ant 12 elk straddle 8 penetrates")
    assert states(session) == {5: "spare"}
    assert report(session, "elk")["hull_lost"] == 2


def test_night_that_falls_late_lets_the_shots_wait_for_their_targeting() -> None:
    session = begin(SYSTEM, NIGHT_CARD, "next", f"{SHOT} 2 4 2", "insert 1 table light night")
    assert owed(session) == ["2/targeting/ant/1"]
    assert states(session) == {}
    enter(session, "roll 6 3", "answer elk")
    assert owed(session) == [], "the dice were thrown"
    assert report(session, "elk")["hull_lost"] == 1
    enter(session, "strike 3")
    assert report(session, "dog")["hull_lost"] == 1


def test_night_that_falls_late_leaves_dice_rolled_apart_spare_until_the_targeting() -> None:
    session = begin(SYSTEM, NIGHT_CARD, "next", SHOT, "roll 2 4 2", "next", "insert 1 table light night")
    assert states(session) == {3: "spare"}
    enter(session, "roll 6 3", "answer elk")
    assert states(session) == {}
    assert report(session, "elk")["hull_lost"] == 1
    right = night(SHOT, "roll 6 3", "answer elk", "roll 2 4 2", "next")
    assert right.battle.ships == session.battle.ships


def test_questions_of_one_cause_have_keys_of_their_own_whoever_asks_them() -> None:
    first = DecisionBuilder(night().battle, 3)
    first.owe("critical", "dog", "critical hit on Dog", cause=2)
    second = DecisionBuilder(first.battle, 4)
    assert second.owe("critical", "dog", "critical hit on Dog", cause=2).key == "2/critical/dog/2"


def test_a_division_changes_its_formation_once_a_turn() -> None:
    session = begin(SYSTEM, NIGHT_CARD, "formation @nor abreast")
    assert session.battle.table["formation.@north-one"] == "abreast"
    assert row(session, "formation @north-one astern")["rule"] == "N-MV-2"
    enter(session, "next", "next", "formation @north-one astern")


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("fire ant 12 dog", "fire: straddle N is missing"),
        ("fire ant 12 dog 4 4 4", "fire: straddle N is missing"),
        ("fire ant 12 dog straddle", "the number on the stick is missing"),
        ("fire ant 12 dog straddle 10", "is not a number from 0 to 9"),
        ("fire ant 8 dog straddle 4", "HMS Ant has 12-inch, 6-inch, not “8”"),
        ("fire ant dog straddle 4", "HMS Ant has 12-inch, 6-inch"),
    ],
)
def test_a_shot_that_lacks_something_says_what(order: str, message: str) -> None:
    with pytest.raises(OrderRefused, match=message):
        night(order)


@pytest.mark.parametrize("words", ["low 2 straddle 8 penetrates", "penetrates straddle 8 low 2"])
def test_words_of_a_shot_stand_in_any_order(words: str) -> None:
    told = row(night(), f"fire ant 12-inch dog {words}")
    assert told["order"] == "fire ant 12-inch dog straddle 8 penetrates low 2"


def test_a_save_opens_again_and_every_entry_decides_as_it_did(tmp_path: Path) -> None:
    path = tmp_path / "night.qfb"
    session = night(
        *STEAM, "mark dog hull_lost 1.5", "next", "amend 3 6 3", "answer cat", "roll 5", save=path
    )
    session.close()
    again = Session.look(path, SYSTEMS)
    assert again.timeline == session.timeline
    for place, number in enumerate(again.timeline.play_order):
        ruling = again.timeline.rulings[number]
        version, before = again.timeline.versions[number], again.timeline.battle_at(place)
        assert decide_again(SYSTEM, before, number, version, ruling) == ruling
        assert ruling.state is State.STANDS or number == 5
