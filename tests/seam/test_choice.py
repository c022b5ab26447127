"""A repair through core and script: two dice, and then a choice."""

from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.values import Form, Slot
from qf_tui.session import Session
from tests.core.playing import renumbered
from tests.core.reading import parse
from tests.rules.playing import enter
from tests.seam.battles import SYSTEMS, choice, owed, report, row, states


@pytest.mark.parametrize(
    ("word", "field", "value"),
    [("gunnery-heavy", "rof_heavy", 5), ("gunnery-l", "rof_light", 6), ("speed", "speed_hits", 1)],
)
@pytest.mark.parametrize("orders", [("repair dog 3 4",), ("repair dog", "roll 3 4")])
def test_low_dice_leave_a_choice_of_what_is_damaged(
    orders: tuple[str, ...], word: str, field: str, value: int
) -> None:
    session = choice(*orders)
    assert owed(session) == ["3/choice/dog/1"]
    assert session.battle.owed[0].words == ("gunnery-heavy", "gunnery-light", "speed")
    enter(session, f"answer {word}")
    assert report(session, "dog")[field] == value
    assert owed(session) == []


@pytest.mark.parametrize(("dice", "left"), [("4 4", 1), ("5 6", 1), ("6 6", 2)])
def test_higher_dice_leave_no_choice(dice: str, left: int) -> None:
    session = choice(f"repair dog {dice}")
    assert owed(session) == []
    assert report(session, "dog")["speed_hits"] == left


def test_nothing_is_asked_where_one_thing_alone_is_damaged() -> None:
    session = choice("mark dog rof_heavy 5", "mark dog rof_light 6", "repair dog 1 1")
    assert report(session, "dog")["speed_hits"] == 1


@pytest.mark.parametrize("word", ["course", "gunnery", "speed course", "7"])
def test_what_cannot_be_chosen_is_refused_with_what_can(word: str) -> None:
    with pytest.raises(OrderRefused, match="gunnery-heavy or gunnery-light or speed"):
        choice("repair dog 3 4", f"answer {word}")


def test_a_choice_may_be_made_after_the_next_repair_and_by_its_key() -> None:
    session = choice("repair dog 3 4", "repair dog 1 1", "answer 4/choice/dog/1 speed", "answer speed")
    assert report(session, "dog")["speed_hits"] == 0
    assert row(session, "repair dog 1 1")["rule"] == "C-REP-1"


def test_the_phase_is_held_while_a_choice_is_open() -> None:
    with pytest.raises(OrderRefused, match="what does HMS Dog repair"):
        choice("repair dog 3 4", "next")


def test_a_choice_that_nothing_is_left_for_lapses_and_comes_back() -> None:
    session = choice("mark dog speed_hits 0", "repair dog 3 4", "mark dog rof_heavy 5")
    assert owed(session) == ["4/choice/dog/1"]
    lapsed = row(session, "mark dog rof_light 6")
    assert owed(session) == []
    assert "the question lapses" in str(lapsed["because"])
    enter(session, "strike 6")
    assert owed(session) == ["4/choice/dog/1"]


def test_a_late_choice_waits_though_nothing_is_left_by_then() -> None:
    session = choice("next", "insert 2 repair dog 2 2", "mark dog rof_heavy 5", "mark dog rof_light 6")
    enter(session, "mark dog speed_hits 0")
    assert owed(session) == ["4/choice/dog/1"]
    enter(session, "answer speed")
    assert owed(session) == []


def test_amended_dice_make_the_choice_spare_and_bring_it_back() -> None:
    session = choice("repair dog", "roll 3 4", "answer gunnery-heavy", "next")
    before = renumbered(session.timeline)
    enter(session, "amend 4 5 5")
    assert states(session) == {5: "spare"}
    assert report(session, "dog")["rof_heavy"] == 4
    enter(session, "amend 4 1 2")
    assert states(session) == {}
    assert renumbered(session.timeline) == before


def test_a_choice_that_the_damage_no_longer_allows_is_parked_and_asked_again() -> None:
    session = choice("repair dog 3 4", "answer gunnery-heavy", "next")
    assert session.enter("amend 1 damage dog L S").consequences.parked == (4,)
    assert owed(session) == ["3/choice/dog/1"]
    enter(session, "amend 4 answer speed")
    assert states(session) == {}
    assert report(session, "dog")["speed_hits"] == 0


def test_a_late_repair_asks_late_and_its_answer_goes_where_it_belongs() -> None:
    session = choice("next", "damage dog H", "insert 2 repair dog 2 2")
    assert owed(session) == ["5/choice/dog/1"]
    told = row(session, "answer gunnery-heavy")
    assert told["consequences"]["kept"] == 2
    right = choice("repair dog 2 2", "answer gunnery-heavy", "next", "damage dog H")
    assert renumbered(session.timeline) == renumbered(right.timeline)


@pytest.mark.parametrize(
    ("words", "resolved", "dice"),
    [
        ("off 3 4", "off", (3, 4)),
        ("guess 110 base 4 3 4", "guess 110 base 4", (3, 4)),
        ("end base 4 guess 110 3", "end guess 110 base 4", (3,)),
        ("guess 11.5cm base 4cm", "guess 11.5cm base 4cm", ()),
    ],
)
def test_measures_behind_their_words_leave_the_dice_to_the_end(
    words: str, resolved: str, dice: tuple[int, ...]
) -> None:
    battle = choice().battle
    battle = evolve(battle, table={**battle.table, "units": "metric"})
    order = parse(f"fire dog heavy ant 112cm {words}", {"fire": GUESSED}, battle)
    assert order.resolved == f"fire dog heavy ant 112cm {resolved}"
    assert order.dice == dice


GUESSED = Form(
    "fire",
    "f",
    "Fire",
    (
        Slot("ship", kinds.SHIP, "the ship"),
        Slot("battery", kinds.CHOICE, "the battery", choices=("heavy", "light")),
        Slot("target", kinds.SHIP, "the target"),
        Slot("range", kinds.MEASURE, "the range"),
        flag("end", "in the bow or stern arc"),
        flag("off", "the estimate is off the base"),
        Slot("guess", kinds.MEASURE, "the estimate", keyword="guess", optional=True, bare=True),
        Slot("base", kinds.MEASURE, "the base", keyword="base", optional=True, bare=True),
    ),
    dice="BLACK WHITE",
)


def test_odds_of_two_equal_dice_are_exact() -> None:
    session = choice()
    assert [str(chance) for chance in session.preview_order("repair dog").chances] == [
        "a choice 58%",
        "speed at least 97%",
    ]


def test_the_console_throws_the_dice_and_never_the_choice() -> None:
    played = choice()
    session = Session(played.system, played.timeline, seed=4)
    enter(session, "repair dog")
    dice = session.timeline.versions[3].dice
    assert len(dice) == 2
    assert bool(session.battle.owed) == (sum(dice) <= 7)


def test_a_save_opens_again_with_its_question_open(tmp_path: Path) -> None:
    path = tmp_path / "choice.qfb"
    choice("damage dog D", "repair dog 3 4", save=path).close()
    session = Session.resume(path, SYSTEMS)
    assert session.battle.owed[0].words == ("gunnery-heavy", "gunnery-light", "speed", "course")
    enter(session, "answer course")
    session.close()
    assert report(Session.look(path, SYSTEMS), "dog")["course"] == []
