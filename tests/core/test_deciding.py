"""One order on one battle: what is refused, what is owed, what is decided."""

import pytest

from qf_tui.core.decisions import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Chart, ChartCell, ChartRow, Die
from tests.core.playing import keys, play, revise, ship, shooting, start
from tests.tiny import SYSTEM


def refusal(timeline: Timeline, order: str) -> OrderRefused:
    """Why an order is refused."""
    with pytest.raises(OrderRefused) as refused:
        play(timeline, order)
    return refused.value


def test_a_declaration_owes_its_dice_and_counts_at_once() -> None:
    declared = shooting("shoot ant cat")
    assert keys(declared.battle) == ["2/shoot/ant/1"]
    assert declared.battle.owed[0].declared.resolved == "shoot ant cat"
    assert refusal(declared, "shoot ant dog 6").clause == "T-SHO-1"


def test_the_roll_of_a_declaration_decides_as_the_shot_itself() -> None:
    at_once = shooting("shoot ant cat 1 6")
    in_two = shooting("shoot ant cat", "roll 1 6")
    assert in_two.battle.ships == at_once.battle.ships
    assert keys(at_once.battle) == ["2/blaze/cat/1"]
    assert keys(in_two.battle) == ["3/blaze/cat/1"]


def test_black_alone_is_enough_where_it_fails() -> None:
    missed = shooting("shoot ant cat 6")
    assert missed.battle.owed == ()
    assert missed.rulings[2].decision.outcome == (("hits", 0),)


@pytest.mark.parametrize("order", ["shoot ant cat 2", "roll 2"])
def test_some_but_not_all_dice_are_refused_with_what_is_missing(order: str) -> None:
    before = shooting("shoot ant cat") if order.startswith("roll") else shooting()
    assert "still missing white D6" in str(refusal(before, order))


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("shoot ant cat 7 1", "a 7 on the black D6: its faces are 1 to 6"),
        ("shoot ant cat 0", "a 0 on the black D6"),
        ("shoot ant cat 8 1", "an 8 on the black D6"),
        ("doubt 9", "doubt 9: there is no entry 9"),
        ("doubt 0", "doubt 0: there is no entry 0"),
        ("shoot ant cat 6 13", "a 13 on the white D6"),
        ("shoot ant cat 1 2 3", "too many dice: 3 given, wanted at most black D6, white D6"),
        ("sail ant 3 3", "sail takes no dice"),
        ("roll 3", "roll: nothing is owed"),
        ("answer port", "answer: nothing is owed"),
        ("settle 1", "1 is not in doubt"),
        ("mark ant masts 3", "no field “masts”"),
        ("mark ant hull 21", "whole number from 0 to 20"),
        ("mark ant hull -9", "whole number from 0 to 20"),
        ("mark ant leak bow", "not one of port, starboard"),
        ("damage ant X", "not H, G or F"),
        ("option masts 3", "no switch “masts”: blaze"),
        ("option blaze 5", "not one of 4-6, 6"),
        ("leave ant home", "not one of withdrawn, sunk"),
        ("chart own.toml", "was not read"),
        ("shoot ant ant 1 1", "cannot shoot at itself"),
    ],
)
@pytest.mark.parametrize("force", ["", "force "])
def test_what_is_impossible_cannot_be_forced(order: str, said: str, force: str) -> None:
    refused = refusal(shooting(), force + order)
    assert said in str(refused)
    assert not refused.findings[0].refused


def test_a_rule_refuses_with_its_clause_and_can_be_forced() -> None:
    before = shooting("shoot ant cat 6")
    assert refusal(before, "shoot ant dog 9in 6").clause == "T-SHO-1"
    forced = play(before, "force shoot ant dog 9in 1 3")
    assert forced.versions[3].overrode == ("T-SHO-1", "T-SHO-3")
    assert forced.battle.ships["dog"].count("hull") == 2


def test_shots_of_one_phase_are_simultaneous() -> None:
    """Bee loses her only gun and fires all the same."""
    before = play(start(ship("ant"), ship("bee", "south", guns=1)), "next", "shoot ant bee 1 4")
    assert before.battle.ships["bee"].count("guns") == 0
    assert play(before, "shoot bee ant 1 2").battle.ships["ant"].count("hull") == 2
    later = play(before, "next", "next", "next")
    assert refusal(later, "shoot bee ant 1 2").clause == "T-SHO-2"


def test_a_hand_entry_counts_at_once() -> None:
    before = play(start(ship("ant"), ship("bee", "south", guns=1)), "next", "mark bee guns 0")
    assert refusal(before, "shoot bee ant 1 2").clause == "T-SHO-2"


def test_a_question_in_words_is_answered_with_one_of_its_words() -> None:
    asked = shooting("shoot ant cat 1 5")
    assert keys(asked.battle) == ["2/side/cat/1"]
    assert "port or starboard" in str(refusal(asked, "answer bow"))
    assert "wants words" in str(refusal(asked, "roll 2/side/cat/1 3"))
    assert play(asked, "answer port").battle.ships["cat"].live("leak")[0].text == "port"


def test_a_roll_without_its_key_answers_the_first_that_wants_dice() -> None:
    asked = shooting("shoot ant cat 1 5", "shoot bee cat 1 6", "shoot dog bee")
    assert keys(play(asked, "roll 6").battle) == ["2/side/cat/1", "4/shoot/dog/1"]
    assert play(asked, "roll 6").versions[5].order.resolved == "roll 3/blaze/cat/1"


def test_the_end_of_the_phase_waits_for_what_is_owed_or_in_doubt_and_can_be_forced() -> None:
    asked = shooting("shoot ant cat 1 6", "doubt 2 was it a 6?")
    refused = refusal(asked, "next")
    assert "2/blaze/cat/1" in str(refused)
    assert "still in doubt: 2" in str(refused)
    carried = play(asked, "force next")
    assert (carried.battle.phase, keys(carried.battle)) == ("tend", ["2/blaze/cat/1"])
    assert not carried.battle.owed[0].late
    answered = play(carried, "roll 6", "settle 2", "next", "next")
    assert (answered.battle.turn, answered.battle.phase) == (2, "shoot")
    assert len(answered.battle.ships["cat"].live("fires")) == 1


def test_a_phase_asks_as_it_begins_then_follows_up_then_asks_as_it_ends() -> None:
    tending = play(
        shooting("damage cat F H H", "shoot ant cat 1 5", "answer port"),
        "next",
    )
    assert keys(tending.battle) == ["5/fire-check/cat/1"]
    leaking = play(tending, "roll 1")
    assert keys(leaking.battle) == ["5/flood/cat/1"]
    sinking = play(leaking, "roll 3", "next")
    assert (keys(sinking.battle), sinking.battle.phase) == (["5/sinking/cat/1"], "tend")
    sunk = play(sinking, "roll 2", "next")
    assert (sunk.battle.ships["cat"].status, sunk.battle.turn) == ("sunk", 2)


def test_leaving_a_phase_clears_what_belonged_to_it() -> None:
    moved = play(start(), "sail ant 5", "next")
    assert moved.battle.ships["ant"].log["moved"] == 5
    assert play(moved, "next").battle.ships["ant"].log["moved"] is None


def test_the_console_throws_only_for_an_order_that_is_accepted_and_only_what_it_needs() -> None:
    asked: list[Die] = []

    def throw(die: Die) -> int:
        asked.append(die)
        return 6

    with pytest.raises(OrderRefused):
        play(shooting(), "shoot ant ant", throw=throw)
    with pytest.raises(OrderRefused):
        play(shooting(), "shoot ant cat 20in", throw=throw)
    assert asked == []
    missed = play(shooting(), "shoot ant cat", throw=throw)
    assert [die.name for die in asked] == ["black"]
    assert missed.versions[2].dice == (6,)
    finished = play(shooting(), "shoot ant cat 1", throw=throw)
    assert finished.versions[2].dice == (1, 6)


@pytest.mark.parametrize(
    ("order", "thrown"),
    [("shoot ant cat", True), ("shoot ant cat 1", True), ("shoot ant cat 1 6", False), ("note x", False)],
)
def test_an_entry_says_that_the_console_threw_some_of_its_dice(order: str, thrown: bool) -> None:
    """Catches typed dice that count as the console's, and dice of the console that count as typed."""
    played = play(shooting(), order, throw=lambda die: 1)
    assert played.versions[2].thrown is thrown
    assert play(shooting(), "shoot ant cat").versions[2].thrown is False


def test_a_roll_that_the_console_throws_says_so_and_its_order_does_not() -> None:
    declared = shooting("shoot ant cat")
    rolled = play(declared, "roll", throw=lambda die: 6)
    assert [rolled.versions[number].thrown for number in (2, 3)] == [False, True]


def test_an_option_counts_from_here_on() -> None:
    strict = shooting("option blaze 6", "shoot ant cat 1 6", "roll 5")
    assert strict.battle.ships["cat"].live("fires") == ()
    assert strict.rulings[2].decision.reasons[0].clause == "T-FIR-1"


def test_a_chart_is_laid_over_from_here_on() -> None:
    chart = Chart("hits", "Hits", {"1": ChartRow("1", {"near": ChartCell("H")})})
    laid = revise(start(), "chart own charts.toml", overlay={"hits": chart}).after
    assert laid.battle.charts == {"hits": chart}
    assert laid.versions[1].order.resolved == "chart own charts.toml"


def test_ships_join_and_leave_by_the_umpires_word() -> None:
    before = start(ship("ant"), reserve=[ship("eel", "south")])
    joined = play(before, "join south ee", "leave eel")
    assert joined.battle.ships["eel"].status == "withdrawn"
    assert joined.battle.reserve == {}
    back = play(joined, "join south eel")
    assert back.battle.ships["eel"].status == "afloat"
    assert "Eel is in the battle already, afloat" in str(refusal(back, "join south eel"))
    assert "in the battle already" in str(refusal(joined, "join north eel")), "on its own side"
    assert "already, sunk" in str(refusal(play(back, "leave eel sunk"), "join south eel"))


def test_a_ship_sunk_by_the_umpires_word_owes_nothing_any_more() -> None:
    assert keys(shooting("shoot ant cat 1 6", "shoot bee dog 1 6", "leave cat sunk").battle) == [
        "3/blaze/dog/1"
    ]


@pytest.mark.parametrize(
    ("order", "field", "value"),
    [
        ("mark ant hull 7", "hull", 7),
        ("mark ant hull +2", "hull", 5),
        ("mark ant hull -1", "hull", 2),
        ("mark ant fires 2", "fires", 2),
        ("mark ant fires 0", "fires", 0),
        ("mark ant leak port, starboard", "leak", ["port", "starboard"]),
        ("mark ant leak none", "leak", []),
        ("mark ant status sunk", "status", "sunk"),
    ],
)
def test_any_field_is_set_by_hand(order: str, field: str, value: object) -> None:
    now = shooting("damage ant F", order).battle
    assert SYSTEM.report(now, now.ships["ant"])[field] == value
    assert SYSTEM.report(now.start, now.start.ships["ant"])[field] == value


def test_an_entry_keeps_the_resolved_order_and_its_dice_apart() -> None:
    order = revise(shooting(), "shoot A c far 6").after.versions[2].order
    assert (order.resolved, order.dice, order.line) == ("shoot ant cat far", (6,), "shoot ant cat far 6")


def test_a_hit_is_written_in_the_smallest_unit() -> None:
    effects = shooting("shoot ant cat 1 3").rulings[2].decision.effects
    assert [(effect.op, effect.field, effect.value) for effect in effects if effect.op is Op.ADD] == [
        (Op.ADD, "hull", -1)
    ]
