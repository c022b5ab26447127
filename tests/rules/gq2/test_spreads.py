"""Spreads of torpedoes: flotillas, and by night to which ships they are led (GQ2-TOR-1, GQ2-NIT-5)."""

from fractions import Fraction
from typing import Any

import pytest

from qf_tui.session import Session
from tests.rules.gq2.tables import battle, destroyer, of_class, played, ship, words
from tests.rules.playing import enter, owed, question, reasons, refusal, result

SPREAD = "torpedo dee,dun rook stick 7 spread 2"
QUIET = "mark rook moved 4"


def sea(*orders: str, light: str = "day", **options: Any) -> Session:
    """Two destroyers and a cruiser against Rook, at 4 inches, Rival and Raven, which have all turned."""
    start = battle(
        destroyer("dee", "blue"),
        destroyer("dun", "blue"),
        ship("ajax"),
        ship("rook", "red", log={"turned": 1}),
        ship("rival", "red", log={"turned": 1}),
        ship("raven", "red", log={"turned": 1}),
        phase="torpedo",
        light=light,
        **options,
    )
    return played(start, QUIET, "mark rival moved 4", "mark raven moved 4", *orders)


def tubes(session: Session) -> tuple[object, ...]:
    """The torpedoes left aboard Dee and Dun."""
    return tuple(session.battle.ships[id].log["torpedoes"] for id in ("dee", "dun"))


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.clause("GQ2-TOR-2")
def test_a_flotilla_launches_one_spread_with_one_die_and_each_ship_spends_its_own() -> None:
    """Catches a spread beyond one ship that cannot be entered, and torpedoes of the first ship alone."""
    session = sea()
    shown = session.preview_order(SPREAD)
    assert [str(need) for need in shown.needs] == ["always hits (stick 7, -3 spread)"]
    assert any("those of the worst placed ship" in text for text in shown.reminders)
    assert {each.label: each.value for each in shown.chances} == {"hits": 1, "mean hits": 1}
    assert "torpedo 9 -3 spread: 6≤7, hits Rook" in words(session, f"{SPREAD} 9")
    assert owed(session) == ["torpedo-damage rook"]
    assert tubes(session) == (2, 2)
    assert words(session, "torpedo dun rook stick 0 1").startswith("torpedo 1>0")
    session = sea()
    assert question(enter(session, SPREAD), "torpedo").prompt == "torpedo of Dee, Dun at Rook"


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize(
    ("marks", "order", "clause"),
    [
        ((), "torpedo dee,ajax rook stick 5", "GQ2-TOR-1"),
        ((), "torpedo dee,dun rook stick 5 spread 5", "GQ2-LOG-1"),
        (("mark dun torpedoes 1",), SPREAD, "GQ2-LOG-1"),
        (("leave dun sunk",), SPREAD, "GQ2-SNK-2"),
        ((), "torpedo dee,rook rival stick 5", "GQ2-TOR-1"),
    ],
)
def test_every_ship_of_a_flotilla_must_be_able_to_launch(
    marks: tuple[str, ...], order: str, clause: str
) -> None:
    """Catches a flotilla of which only the first ship is looked at."""
    session = sea(*marks)
    assert clause in [finding.clause for finding in session.preview_order(order).findings]
    assert session.preview_order("torpedo dee rook stick 5 spread 2").fine


@pytest.mark.clause("GQ2-TOR-1")
def test_a_flotilla_is_of_destroyers_and_torpedo_boats() -> None:
    """Catches a cruiser that is kept out only because her torpedoes are of another kind."""
    said = [finding.text for finding in sea().preview_order("torpedo dee,ajax rook stick 5").findings]
    assert any(text.endswith("launch as a flotilla: not Ajax") for text in said)


@pytest.mark.clause("GQ2-TOR-1")
def test_a_flotilla_has_one_kind_of_torpedo() -> None:
    start = battle(
        destroyer("dee", "blue"),
        destroyer("dun", "blue", torpedoes=("standard", 2)),
        ship("rook", "red"),
        phase="torpedo",
    )
    session = played(start)
    assert "one kind of torpedo" in session.preview_order("torpedo dee,dun rook stick 5").findings[0].text


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize(
    ("zero", "face", "number", "hits", "told"),
    [
        ("0", 0, 0, True, "hits on 0 (stick 0)"),
        ("10", 0, 9, False, "hits on 1 or more (stick 9, a 0 is 10)"),
        ("10", 0, 10, True, "always hits (stick 10, a 0 is 10)"),
        ("10", 1, 1, True, "hits on 1 (stick 1, a 0 is 10)"),
        ("10", 1, 0, False, "never hits (stick 0, a 0 is 10)"),
    ],
)
def test_the_0_of_a_torpedo_counts_0_or_by_the_switch_10(
    zero: str, face: int, number: int, hits: bool, told: str
) -> None:
    """Catches a 0 that is read in one way and shown in the other."""
    session = sea(torpedo_zero=zero)
    order = f"torpedo dee rook stick {number}"
    shown = session.preview_order(order)
    assert [str(need) for need in shown.needs] == [told]
    faces = number + 1 if zero == "0" else number
    assert shown.chances[0].value == Fraction(min(10, faces), 10)
    assert result(session, f"{order} {face}")["struck"] is hits
    said = reasons(enter(session, "undo"), f"{order} {face}")[0].text
    assert said.startswith(f"torpedo {face or int(zero)}{'≤' if hits else '>'}{number},")


@pytest.mark.clause("GQ2-NIT-5")
def test_by_night_every_torpedo_of_every_ship_has_its_targeting_roll() -> None:
    """Catches one roll for a whole spread, and dice of one ship for another."""
    session = sea(SPREAD, light="night")
    assert owed(session) == ["targeting dee"] * 2 + ["targeting dun"] * 2
    asked = [each.prompt for each in session.battle.owed]
    assert asked[2] == "targeting of Dun at Rook, 3 of 4"
    assert tubes(session) == (2, 2)
    enter(session, "roll 3 4", "roll 3 4")
    assert owed(session) == ["targeting dun", "targeting dun", "torpedo dee"]
    assert refusal(session, f"roll {session.battle.owed[-1].key} 5") == "GQ2-NIT-5", (
        "the spread is not led yet"
    )
    enter(session, "roll 3 4", "roll 3 4")
    assert owed(session) == ["torpedo dee"]
    assert words(session, "roll 9").startswith("torpedo 9 -3 spread +2 night: 8>7")


@pytest.mark.clause("GQ2-NIT-5")
@pytest.mark.clause("GQ2-TOR-1")
def test_each_ship_found_is_measured_once_and_has_a_die_of_its_own() -> None:
    """Catches the number of the ship intended carried over, a second question, and -1 of other torpedoes."""
    session = sea(SPREAD, light="night")
    enter(session, "roll 3 4", "roll 6 3", "answer rival", "roll 6 3", "answer rival", "roll 3 4")
    assert sorted(owed(session)) == ["measure dun", "torpedo dee"]
    assert (
        question(session, "measure").prompt
        == "Dun at Rival: stick N, bow, stern, outside (out of reach or arc)"
    )
    enter(session, "answer 5 stern")
    at = {each.declared.text("target"): each for each in session.battle.owed}
    assert {id: each.number("torpedoes") for id, each in at.items()} == {"rook": 2, "rival": 2}
    assert at["rival"].declared.resolved == "torpedo dee,dun rival stick 5 spread 2 stern"
    assert at["rook"].declared.resolved == SPREAD
    told = session.preview_order(f"roll {at['rival'].key}").needs
    assert [str(need) for need in told] == [
        "hits on 2 or less (stick 5, +2 at the stern, -1 spread, +2 night)"
    ]
    assert words(session, f"roll {at['rook'].key} 6").startswith(
        "torpedo 6 -1 spread +2 night: 7≤7, hits Rook"
    )
    assert words(session, f"roll {at['rival'].key} 3").startswith("torpedo 3 +2 at the stern -1 spread")


@pytest.mark.clause("GQ2-NIT-5")
def test_measured_with_the_answer_it_is_not_asked_again() -> None:
    session = sea(SPREAD, light="night")
    enter(
        session,
        "roll 6 3",
        "answer rival 5 bow",
        "roll 6 3",
        "answer rival",
        "roll 6 3",
        "answer raven outside",
    )
    assert tubes(session) == (2, 3), "what is out of the arc stays in its tube"
    enter(session, "roll 6 3", "answer nobody")
    found = {each.declared.resolved: each.number("torpedoes") for each in session.battle.owed}
    assert found == {"torpedo dee,dun rival stick 5 spread 2 bow": 2, SPREAD: 1}


@pytest.mark.clause("GQ2-NIT-5")
def test_by_the_switch_one_roll_leads_the_whole_spread() -> None:
    session = sea(f"{SPREAD} 8", light="night", spread_targeting="one")
    assert owed(session) == ["targeting dee"]
    assert words(session, "roll 3 4").endswith("torpedo 8 -3 spread +2 night: 7≤7, hits Rook")
    session = sea(SPREAD, "roll 6 3", "answer rival outside", light="night", spread_targeting="one")
    assert tubes(session) == (4, 4)


@pytest.mark.clause("GQ2-TOR-1")
def test_dice_given_early_are_for_the_ship_intended() -> None:
    """Catches a die that is thrown at two ships, or lost."""
    session = sea(f"{SPREAD} 0", "roll 6 3", "answer rival 5", "roll 3 4", "roll 3 4", light="night")
    assert "torpedo 0 -2 spread +2 night: 0≤7, hits Rook" in words(session, "roll 3 4")
    assert owed(session) == ["torpedo dee", "torpedo-damage rook"]
    assert question(session, "torpedo").declared.text("target") == "rival"
    session = sea("torpedo dee rook stick 7 3", "roll 6 3", "answer rival", light="night")
    assert "torpedo 3 +2 night: 5≤5, hits Rival" in words(session, "answer 5")


@pytest.mark.clause("GQ2-TOR-1")
def test_a_die_a_torpedo_goes_to_the_ship_that_each_is_led_to() -> None:
    session = sea("torpedo dee rook stick 7 spread 3", light="night", spread="die-each")
    enter(session, "roll 3 4", "roll 6 3", "answer rival 7", "roll 3 4")
    dice = {each.declared.text("target"): len(each.dice) for each in session.battle.owed}
    assert dice == {"rook": 2, "rival": 1}
    enter(session, "roll 9", "roll 0 0")
    assert owed(session) == ["torpedo-damage rook"] * 2


@pytest.mark.clause("GQ2-NIT-5")
def test_a_targeting_roll_corrected_leads_the_torpedo_elsewhere() -> None:
    """Catches a torpedo that is counted for two ships after a correction."""
    session = sea(SPREAD, "roll 3 4", "roll 3 4", "roll 3 4", "roll 3 4", light="night")
    enter(session, "amend 5 6 3")
    assert sorted(owed(session)) == ["torpedo dee", "who dee"]
    enter(session, "answer rival 5")
    found = {each.declared.text("target"): each.number("torpedoes") for each in session.battle.owed}
    assert found == {"rook": 3, "rival": 1}


@pytest.mark.clause("GQ2-TOR-2")
def test_by_night_an_assumed_speed_is_told_though_the_die_came_early() -> None:
    """Catches a speed that decides a hit and that nobody has told."""
    session = sea("mark rook moved none", "torpedo dee rook stick 6 3", light="night")
    assert words(session, "roll 3 4").endswith("assumed: Rook moved 12″, not straight")


@pytest.mark.clause("GQ2-TOR-2")
@pytest.mark.clause("GQ2-TOR-9")
def test_a_ship_that_turned_about_did_not_move_straight() -> None:
    """Catches a battle turn that counts as a straight course because it was told first."""
    line = (ship("koenig", "red", **of_class("B")), ship("kaiser", "red", **of_class("BC")))
    session = played(battle(*line, destroyer("dee", "blue"), phase="movement"), "move koenig 10 straight")
    enter(session, "formation @red-line turnabout", "next", "next", "next")
    assert "straight" not in words(session, "torpedo dee koenig stick 5 9")


@pytest.mark.clause("GQ2-TOR-2")
def test_a_spread_of_one_ship_reminds_of_its_mounts() -> None:
    told = sea().preview_order("torpedo dee rook stick 5 spread 2").reminders
    assert any("dual mount" in text for text in told)
    assert not any("dual mount" in text for text in sea().preview_order("torpedo dee rook stick 5").reminders)


def test_the_odds_by_night_are_those_at_the_ship_intended() -> None:
    """Catches a player's question that is answered with nothing."""
    shown = sea(light="night").preview_order("torpedo dee rook stick 6")
    assert {each.label: each.value for each in shown.chances}["hits"] == Fraction(5, 10)
    assert shown.reminders[-1] == "at Rook, if it is found:"
    assert [str(need) for need in shown.needs] == ["hits on 4 or less (stick 6, +2 night)"]
