"""Fire checks and repairs (QFC-REP, QFC-RUL-6, 8, 9)."""

from fractions import Fraction

import pytest

from qf_tui.console.entry.preview import foresee
from qf_tui.document.acts import summary
from tests.rules.playing import allowed, changed, drawn, owed, question, reasons, refusal, values, written
from tests.rules.quickfire_clone.tables import battle, played, ship, to_turn

HURT = {"rof_heavy": 5, "rof_light": 4, "speed_hits": 2}


@pytest.mark.clause("QFC-REP-1")
def test_each_fire_is_checked_and_costs_no_repair_point() -> None:
    """Catches a fire that is passed over, checks of a wreck, and points spent on fires."""
    start = battle(ship("ajax", fires=1), ship("rook", "red", fires=2), ship("rival", "red", fires=1))
    session = played(start, "leave ajax aground", "leave rival sunk", "next")
    assert owed(session) == ["fire-check ajax", "fire-check rook", "fire-check rook"]
    session.enter("roll 4 4")
    assert changed(session, "roll 4 4") == {"fires": 1}
    assert changed(session, "roll 4 4") == {"fires": 0}


@pytest.mark.clause("QFC-REP-1")
@pytest.mark.parametrize(
    ("dice", "change"),
    [
        ("1 1", {}),
        ("6 1", {}),
        ("6 2", {"fires": 0}),
        ("6 5", {"fires": 0}),
        ("6 6", {"speed_hits": 1, "available_speed": 105}),
    ],
)
def test_a_fire_check_by_two_dice(dice: str, change: dict[str, object]) -> None:
    """Catches an edge of the fire check line."""
    session = played(battle(ship("ajax"), ship("rook", "red", fires=1)), "next")
    assert changed(session, f"roll {dice}") == change


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(("switch", "fires"), [("burns-on", 1), ("goes-out", 0)])
def test_a_fire_that_costs_speed_burns_on(switch: str, fires: int) -> None:
    """Catches a fire that goes out with its damage, and the switch."""
    start = battle(ship("ajax"), ship("rook", "red", fires=1), speed_loss_fire=switch)
    session = played(start, "next", "roll 6 6")
    assert values(session, "rook")["fires"] == fires
    assert values(session, "rook")["speed_hits"] == 1


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.parametrize(
    ("answer", "change"),
    [
        ("gunnery-heavy", {"rof_heavy": 6}),
        ("gunnery-light", {"rof_light": 5}),
        ("gunnery-l", {"rof_light": 5}),
        ("speed", {"speed_hits": 1, "available_speed": 105}),
    ],
)
@pytest.mark.parametrize("orders", [("repair rook 3 4",), ("repair rook", "roll 3 4")])
def test_low_dice_let_the_player_choose_what_is_fixed(
    orders: tuple[str, ...], answer: str, change: dict[str, object]
) -> None:
    """Catches a choice made by the console, and two points fixed."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"), *orders)
    asked = question(session, "choice")
    assert asked.key == "1/choice/rook/1"
    assert asked.words == ("gunnery-heavy", "gunnery-light", "speed")
    assert changed(session, f"answer {answer}") == change
    assert owed(session) == []


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.parametrize(("dice", "hits"), [("1 1", 2), ("6 1", 2), ("6 2", 1), ("6 5", 1), ("6 6", 2)])
def test_middling_dice_fix_one_s_and_12_nothing(dice: str, hits: int) -> None:
    """Catches an edge of the repair line; 2 to 7 wait for the player."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"))
    session.enter(f"repair rook {dice}")
    assert values(session, "rook")["speed_hits"] == hits
    assert bool(owed(session)) is (sum(map(int, dice.split())) <= 7)


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.parametrize(
    ("log", "dice", "change"),
    [
        ({"rof_light": 4}, "3 4", {"rof_light": 5}),
        ({"speed_hits": 9}, "3 4", {"speed_hits": 8}),
        ({"rof_light": 4}, "4 4", {}),
    ],
)
def test_where_one_thing_alone_can_be_fixed_nothing_is_asked(
    log: dict[str, int], dice: str, change: dict[str, object]
) -> None:
    """Catches a question with one answer, and an S fixed that is not there."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=log), phase="repair"))
    assert changed(session, f"repair rook {dice}") == {**change, "repair_points": 4}
    assert owed(session) == []


@pytest.mark.clause("QFC-REP-2")
def test_a_ship_repairs_as_often_as_it_has_points() -> None:
    """Catches a limit of one a turn, and repairs beyond the points."""
    rook = ship("rook", "red", repair=3, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"))
    for _ in range(3):
        session.enter("repair rook 4 4")
    assert values(session, "rook")["speed_hits"] == 5
    assert values(session, "rook")["repair_points"] == 0
    assert refusal(session, "repair rook 4 4") == "QFC-REP-2"
    to_turn(session, 2, "repair")
    assert refusal(session, "repair rook 4 4") == "QFC-REP-2"


@pytest.mark.clause("QFC-REP-2")
def test_a_sound_ship_has_nothing_to_repair_and_never_beyond_the_printed() -> None:
    """Catches ROF above the card."""
    session = played(battle(ship("ajax"), ship("rook", "red", log={"rof_light": 5}), phase="repair"))
    assert refusal(session, "repair ajax 1 1") == "QFC-REP-2"
    session.enter("repair rook 1 1")
    assert refusal(session, "repair rook 1 1") == "QFC-REP-2"


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.parametrize("word", ["course", "gunnery", "speed course", "7"])
def test_what_cannot_be_chosen_is_refused(word: str) -> None:
    """Catches an answer that fixes what is whole."""
    rook = ship("rook", "red", log=HURT)
    session = played(battle(ship("ajax"), rook, phase="repair"), "repair rook 3 4")
    assert refusal(session, f"force answer {word}") == ""
    assert refusal(session, "next") == ""


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.clause("QFC-RUL-6")
@pytest.mark.parametrize("switch", ["each-roll", "success"])
def test_a_choice_that_nothing_is_left_for_lapses_and_keeps_its_point(switch: str) -> None:
    """Catches one point fixed twice, a question that nobody can answer, and a point that is lost with it."""
    rook = ship("rook", "red", log={"rof_heavy": 5, "speed_hits": 1})
    start = battle(ship("ajax"), rook, phase="repair", repair_point=switch)
    session = played(start, *["repair rook 1 1"] * 3, "answer speed")
    assert refusal(session, "answer speed") == ""
    told = reasons(session, "answer gunnery-heavy")
    assert told[-1].text == "Rook keeps the repair point"
    assert owed(session) == []
    assert values(session, "rook")["repair_points"] == 3
    session.enter("strike 4")
    assert owed(session) == ["choice rook", "choice rook"]
    assert values(session, "rook")["repair_points"] == (2 if switch == "each-roll" else 4)
    session.enter("answer speed")
    assert owed(session) == []
    assert values(session, "rook")["repair_points"] == 3


@pytest.mark.clause("QFC-REP-2")
def test_what_was_fixed_stays_legible() -> None:
    """Catches repairs that erase what was damaged."""
    rook = ship("rook", "red", log={"speed_hits": 1}, fires=1)
    session = played(battle(ship("ajax"), rook), "next", "roll 4 4", "repair rook 1 1")
    shown = dict(session.system.sheet(session.battle, session.battle.ships["rook"]))
    assert (written(shown["repaired"]), written(shown["blast"])) == ("{speed}", "{(F)}")
    assert drawn(session, "rook", "boxes") == "□□□□□□□□"


@pytest.mark.clause("QFC-RUL-6")
@pytest.mark.parametrize(
    ("switch", "dice", "freed"),
    [
        ("2-7", "3 4", True),
        ("2-7", "4 4", False),
        ("2-11", "4 4", True),
        ("2-11", "6 5", True),
        ("2-11", "6 6", False),
    ],
)
def test_a_direction_hit_is_repaired_as_a_g_would_be(switch: str, dice: str, freed: bool) -> None:
    """Catches a course that no repair reaches, or any, and the switch."""
    rook = ship("rook", "red", courses=("full turn left",))
    session = played(battle(ship("ajax"), rook, phase="repair", course_repaired_on=switch))
    session.enter(f"repair rook {dice}")
    assert values(session, "rook")["course"] == ([] if freed else ["full turn left"])


@pytest.mark.clause("QFC-RUL-6")
def test_a_direction_hit_is_one_of_the_choices() -> None:
    """Catches a choice that leaves the helm out."""
    rook = ship("rook", "red", log={"speed_hits": 1}, courses=("straight ahead", "full turn left"))
    session = played(battle(ship("ajax"), rook, phase="repair"), "repair rook 3 4")
    assert question(session, "choice").words == ("speed", "course")
    assert changed(session, "answer course") == {"course": ["straight ahead"]}


@pytest.mark.clause("QFC-RUL-8")
@pytest.mark.parametrize(
    ("switch", "dice", "points"),
    [("each-roll", "6 6", 4), ("each-roll", "4 4", 4), ("success", "6 6", 5), ("success", "4 4", 4)],
)
def test_a_repair_roll_spends_its_point_whatever_it_shows(switch: str, dice: str, points: int) -> None:
    """Catches a failure that is free, and the switch."""
    rook = ship("rook", "red", log={"speed_hits": 1})
    session = played(battle(ship("ajax"), rook, phase="repair", repair_point=switch))
    session.enter(f"repair rook {dice}")
    assert values(session, "rook")["repair_points"] == points


@pytest.mark.clause("QFC-RUL-8")
@pytest.mark.parametrize(("switch", "before"), [("each-roll", 4), ("success", 5)])
def test_a_choice_spends_one_point_in_all(switch: str, before: int) -> None:
    """Catches a point spent twice, by the roll and by the choice."""
    rook = ship("rook", "red", log=HURT)
    session = played(battle(ship("ajax"), rook, phase="repair", repair_point=switch), "repair rook 1 1")
    assert values(session, "rook")["repair_points"] == before
    session.enter("answer speed")
    assert values(session, "rook")["repair_points"] == 4


@pytest.mark.clause("QFC-RUL-8")
@pytest.mark.parametrize("switch", ["each-roll", "success"])
def test_no_more_tries_than_points_in_a_turn(switch: str) -> None:
    """Catches tries without end where failures are free."""
    rook = ship("rook", "red", repair=1, log={"speed_hits": 2})
    session = played(battle(ship("ajax"), rook, phase="repair", repair_point=switch), "repair rook 6 6")
    assert refusal(session, "repair rook 4 4") == "QFC-REP-2"
    assert allowed(to_turn(session, 2, "repair"), "repair rook 4 4") is (switch == "success")


def test_the_odds_of_a_repair_are_exact() -> None:
    """Catches chances that are not those of two dice."""
    rook = ship("rook", "red", log=HURT)
    prospect = played(battle(ship("ajax"), rook, phase="repair")).preview_order("repair rook")
    assert [str(chance) for chance in prospect.chances] == ["a G can be fixed 58%", "an S can be fixed 97%"]


@pytest.mark.clause("QFC-REP-2")
def test_the_odds_of_a_repair_are_of_what_the_ship_has_to_fix() -> None:
    """Catches a G that can be fixed where no G is."""
    slow = ship("rook", "red", log={"speed_hits": 1})
    said = played(battle(ship("ajax"), slow, phase="repair")).preview_order("repair rook").chances
    assert [(chance.label, chance.value) for chance in said] == [
        ("a G can be fixed", 0),
        ("an S can be fixed", Fraction(35, 36)),
    ]


@pytest.mark.clause("QFC-RUL-6")
@pytest.mark.parametrize(("switch", "most"), [("2-7", "7"), ("2-11", "11")])
def test_the_odds_of_a_repair_tell_of_a_d(switch: str, most: str) -> None:
    """Catches a ship of which only the course is damaged told that nothing of hers can be fixed."""
    rook = ship("rook", "red", courses=("full turn left",))
    start = battle(ship("ajax"), rook, phase="repair", course_repaired_on=switch)
    seen = played(start).preview_order("repair rook")
    told = ["never fixes G", "never fixes S", f"fixes D on total {most} or less"]
    assert [str(need) for need in seen.needs] == told
    assert seen.chances[-1].value == Fraction(21 if switch == "2-7" else 35, 36)


@pytest.mark.clause("QFC-REP-2")
def test_an_answer_is_told_with_what_it_changed_and_asked_without_its_key() -> None:
    """Catches a fixed S without its count, and the key of a question where its answer belongs."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"), "repair rook 1 1")
    assert foresee(session, "sp", question(session, "choice").key)[1].text == "what does Rook fix? ✓ speed"
    session.enter("answer speed")
    told = summary(session.system, session.timeline, session.timeline.log[-1])
    assert told.effect == "Rook fixes speed · S hits 2→1"
    assert told.by == "what does Rook fix? speed"


@pytest.mark.clause("QFC-RUL-6")
def test_the_umpire_s_hand_that_mends_all_ends_the_choice() -> None:
    """Catches a choice that holds the phase although the ship is whole."""
    session = played(
        battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"),
        "repair rook 1 2",
        "mark rook rof_heavy 6",
        "mark rook rof_light 6",
    )
    assert owed(session) == ["choice rook"]
    assert changed(session, "mark rook speed_hits 0")["repair_points"] == 5
    session.enter("next")
    assert session.battle.turn == 2


@pytest.mark.clause("QFC-RUL-6")
def test_a_ship_with_two_direction_hits_steers_again_when_both_are_repaired() -> None:
    """Catches a helm that is said to be free while the older hit still holds it."""
    rook = ship("rook", "red", courses=("full turn left", "straight ahead"))
    session = played(battle(ship("ajax"), rook, phase="repair"))
    assert reasons(session, "repair rook 1 1")[-1].text == "Rook is still steered full turn left"
    assert values(session, "rook")["course"] == ["full turn left"]
    assert reasons(session, "repair rook 1 1")[-1].text == "Rook steers again from the next turn"


@pytest.mark.clause("QFC-REP-1")
@pytest.mark.parametrize(("dice", "fires", "speed_hits"), [("3 4", 2, 0), ("4 4", 0, 0), ("6 6", 2, 1)])
def test_by_a_switch_one_check_is_for_all_fires_of_a_ship(dice: str, fires: int, speed_hits: int) -> None:
    """Catches a check for each fire all the same, and one that puts out a single fire."""
    start = battle(ship("ajax"), ship("rook", "red", fires=2), fire_checks="each-ship")
    session = played(start, "next")
    assert owed(session) == ["fire-check rook"]
    session.enter(f"roll {dice}")
    assert (values(session, "rook")["fires"], values(session, "rook")["speed_hits"]) == (fires, speed_hits)


@pytest.mark.clause("QFC-REP-1")
def test_a_check_of_all_fires_does_nothing_where_none_burns_any_more() -> None:
    """Catches harm of fires that the umpire's hand put out."""
    start = battle(ship("ajax"), ship("rook", "red", fires=2), fire_checks="each-ship")
    session = played(start, "next", "mark rook fires 0")
    assert reasons(session, "roll 6 6")[-1].text == "fire check on Rook: its fires are out"
    assert values(session, "rook")["speed_hits"] == 0
