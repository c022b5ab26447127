"""Damage codes, fire checks, repairs and sinking (QFC-GUN-10, QFC-BLA, QFC-REP, QFC-SNK)."""

from fractions import Fraction

import pytest

from qf_tui.console.entry.preview import preview_line
from qf_tui.document.acts import summarize_act
from qf_tui.rules.quickfire_clone import SYSTEM
from qf_tui.session import Session
from tests.rules.playing import (
    changed,
    draw_cell,
    enter,
    format_spans,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
)
from tests.rules.quickfire_clone.tables import battle, play_to_turn, played, ship


def shot(black: int, white: int, range: str, battery: str = "heavy", **options: str) -> tuple[str, ...]:
    """Play a shot that hits on any white die, and return its blast."""
    start = battle(ship("ajax", gunnery=(16, 16)), ship("rook", "red", armor=(0, 0)), **options)
    blast = result(played(start), f"fire ajax {battery} rook {range} {black} {white}")["blast"]
    assert isinstance(blast, tuple)
    return blast


@pytest.mark.clause("QFC-BLA-1")
@pytest.mark.parametrize(
    ("range", "codes"),
    [
        ("121cm", {2: (), 3: ("F",), 4: ("F",), 5: (), 6: (), 7: (), 12: ()}),
        ("120cm", {2: ("F",), 3: ("R",), 4: ("B",), 5: ("E",), 6: (), 7: (), 12: ()}),
    ],
)
def test_heavy_fire_that_does_damage_brings_blast_by_its_total_and_range(
    range: str, codes: dict[int, tuple[str, ...]]
) -> None:
    """Check every range edge and total."""
    found = {total: shot(max(1, total - 6), min(6, total - 1), range) for total in codes}
    assert found == codes
    missed = played(battle(ship("ajax", gunnery=(1, 1)), ship("rook", "red", armor=(3, 3))))
    assert changed(missed, f"fire ajax heavy rook {range} 1 2") == {}
    assert owed(missed) == [], "without damage"


@pytest.mark.clause("QFC-BLA-1")
@pytest.mark.clause("QFC-RUL-2")
@pytest.mark.parametrize(("switch", "codes"), [("no", ()), ("yes", ("R",))])
def test_light_fire_brings_no_blast(switch: str, codes: tuple[str, ...]) -> None:
    """Let the switch give blast to light guns, but never to a torpedo."""
    assert shot(1, 2, "100cm", "light", light_blast=switch) == codes
    session = played(battle(light_blast=switch), "torpedo ajax rook 20cm 1 1 1", "roll 1")
    assert owed(session) == [], "nor does a torpedo by its three dice"


@pytest.mark.clause("QFC-BLA-1")
@pytest.mark.clause("QFC-BLA-2")
@pytest.mark.clause("QFC-BLA-3")
@pytest.mark.clause("QFC-BLA-4")
@pytest.mark.clause("QFC-BLA-5")
@pytest.mark.clause("QFC-REP-1")
@pytest.mark.parametrize(
    ("orders", "order", "change", "then"),
    [
        ((), "damage rook T", {"torpedo": 1}, []),
        ((), "damage rook R", {"repair_points": 4}, []),
        ((), "damage rook F", {"fires": 1}, []),
        ((), "damage rook E", {}, ["explosion rook"]),
        (("damage rook E",), "roll 6 1", {"rof_heavy": 5, "rof_light": 5}, []),
        (("damage rook E",), "roll 6 2", {"speed_hits": 2, "available_speed": 90}, []),
        (
            ("damage rook E",),
            "roll 6 6",
            {"fires": 1, "speed_hits": 4, "available_speed": 60, "rof_heavy": 5, "rof_light": 5},
            [],
        ),
        ((), "damage rook B", {}, ["blast rook"]),
        (("damage rook B",), "roll 6 1", {"repair_points": 4}, []),
        (("damage rook B",), "roll 6 2", {"torpedo": 1}, []),
        (("damage rook B",), "roll 6 6", {}, ["direction rook"]),
        ((), "damage rook D", {}, ["direction rook"]),
        (("damage rook D",), "roll 2", {"course": ["full turn left"]}, []),
        (("damage rook D",), "roll 3", {"course": ["straight ahead"]}, []),
        (("damage rook D",), "roll 5", {"course": ["full turn right"]}, []),
        (("damage rook F", "next"), "roll 6 1", {}, []),
        (("damage rook F", "next"), "roll 6 2", {"fires": 0}, []),
        (("damage rook F", "next"), "roll 6 6", {"speed_hits": 1, "available_speed": 105}, []),
    ],
)
def test_each_code_takes_its_damage_and_owes_its_roll(
    orders: tuple[str, ...], order: str, change: dict[str, object], then: list[str]
) -> None:
    """Check every edge of the lines of the chart."""
    session = played(battle(), *orders)
    assert changed(session, order) == change
    assert owed(session) == then


@pytest.mark.clause("QFC-BLA-4")
def test_a_direction_hit_lasts_until_it_is_repaired() -> None:
    session = play_to_turn(played(battle(), "damage rook D", "roll 6"), 3, "repair")
    assert values(session, "rook")["course"] == ["full turn right"]
    assert changed(session, "repair rook 1 1") == {"course": [], "repair_points": 4}


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(
    ("switch", "asked", "course"),
    [("once", [], ["full turn right"]), ("each-turn", ["direction rook"], ["full turn left"])],
)
def test_the_die_of_a_direction_hit_is_thrown_once(switch: str, asked: list[str], course: list[str]) -> None:
    """Throw it again each turn only by the switch."""
    session = played(battle(direction_die=switch), "damage rook D", "roll 6", "next", "next")
    assert session.battle.phase == "move"
    assert owed(session) == asked
    if asked:
        session.enter("roll 1")
    assert values(session, "rook")["course"] == course


@pytest.mark.clause("QFC-BLA-5")
@pytest.mark.parametrize(("switch", "change"), [("nothing", {}), ("fire", {"fires": 1})])
def test_with_nothing_left_t_and_r_do_nothing(switch: str, change: dict[str, object]) -> None:
    """Let R light a fire only by the switch."""
    rook = ship("rook", "red", torpedo=0, repair=0)
    session = played(battle(ship("ajax"), rook, r_without_points=switch))
    assert changed(session, "damage rook T") == {}
    assert changed(session, "damage rook R") == change


@pytest.mark.clause("QFC-RUL-7")
@pytest.mark.parametrize(
    ("by", "rof", "switches", "after"),
    [
        ("heavy", (4, 4), {}, (3, 4)),
        ("light", (4, 4), {}, (4, 3)),
        ("heavy", (0, 4), {}, (0, 3)),
        ("light", (4, 0), {}, (3, 0)),
        ("light", (0, 0), {}, (0, 0)),
        ("light", (4, 4), {"g_falls_on": "heavy"}, (3, 4)),
        ("light", (0, 4), {"g_falls_on": "heavy"}, (0, 3)),
        ("heavy", (0, 4), {"g_at_zero": "nothing"}, (0, 4)),
        ("light", (4, 0), {"g_at_zero": "nothing"}, (4, 0)),
        ("light", (4, 4), {"g_at_zero": "nothing"}, (4, 3)),
        ("explosion", (4, 4), {}, (3, 3)),
        ("explosion", (0, 4), {}, (0, 2)),
        ("explosion", (4, 0), {}, (2, 0)),
        ("explosion", (1, 1), {}, (0, 0)),
        ("explosion", (0, 0), {}, (0, 0)),
        ("explosion", (4, 4), {"explosion_g": "heavy"}, (2, 4)),
        ("explosion", (1, 4), {"explosion_g": "heavy"}, (0, 3)),
        ("explosion", (0, 4), {"g_at_zero": "nothing"}, (0, 3)),
        ("explosion", (4, 4), {"g_falls_on": "heavy"}, (3, 3)),
    ],
)
def test_g_falls_on_the_kind_of_battery_that_fired(
    by: str, rof: tuple[int, int], switches: dict[str, str], after: tuple[int, int]
) -> None:
    """Check both batteries of an explosion, ROF at zero, and the switches."""
    session = played(battle(ship("ajax"), ship("rook", "red", rof=rof), **switches))
    blow = ("damage rook E", "roll 1 1") if by == "explosion" else (f"fire ajax {by} rook 100cm 6 3",)
    seen = values(enter(session, *blow), "rook")
    assert (seen["rof_heavy"], seen["rof_light"]) == after


@pytest.mark.clause("QFC-RUL-7")
def test_a_battery_that_is_not_aboard_loses_nothing() -> None:
    start = battle(ship("ajax"), ship("rook", "red", gunnery=(0, 8), rof=(3, 5)))
    assert changed(played(start), "fire ajax heavy rook 100cm 6 3") == {"rof_light": 4}


@pytest.mark.clause("QFC-GUN-10")
@pytest.mark.clause("QFC-BLA-5")
def test_damage_by_the_umpire_s_word_goes_through_the_same_cascade() -> None:
    """Refuse codes of other games."""
    session = played(battle())
    assert changed(session, "damage rook g s s") == {
        "rof_heavy": 5, "speed_hits": 2, "available_speed": 90,
    }  # fmt: skip
    told = reasons(played(battle()), "damage rook g s s t e")
    said = [(each.text, each.clause) for each in told if "umpire's word" in each.text]
    assert said == [
        ("Rook: G, by the umpire's word", "QFC-GUN-10"),
        ("Rook: S S, by the umpire's word", "QFC-GUN-9"),
        ("Rook: T, by the umpire's word", "QFC-BLA-5"),
        ("Rook: E, by the umpire's word", "QFC-BLA-2"),
    ]
    assert refusal(session, "force damage rook SX") == ""
    assert refusal(session, "damage rook") == ""
    session.enter("leave rook sunk")
    assert refusal(session, "damage rook G") == "QFC-SNK-2"


HURT = {"rof_heavy": 5, "rof_light": 4, "speed_hits": 2}


@pytest.mark.clause("QFC-REP-1")
def test_each_fire_is_checked_and_costs_no_repair_point() -> None:
    """Check no wreck."""
    start = battle(ship("ajax", fires=1), ship("rook", "red", fires=2), ship("rival", "red", fires=1))
    session = played(start, "leave ajax aground", "leave rival sunk", "next")
    assert owed(session) == ["fire-check ajax", "fire-check rook", "fire-check rook"]
    session.enter("roll 4 4")
    assert changed(session, "roll 4 4") == {"fires": 1}
    assert changed(session, "roll 4 4") == {"fires": 0}


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(("switch", "fires"), [("burns-on", 1), ("goes-out", 0)])
def test_a_fire_that_costs_speed_burns_on(switch: str, fires: int) -> None:
    """Put it out only by the switch."""
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
def test_low_dice_let_the_player_choose_the_repair(
    orders: tuple[str, ...], answer: str, change: dict[str, object]
) -> None:
    """Let the console make no choice, and fix one point only."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"), *orders)
    asked = question(session, "choice")
    assert asked.key == "1/choice/rook/1"
    assert asked.words == ("gunnery-heavy", "gunnery-light", "speed")
    assert changed(session, f"answer {answer}") == change
    assert owed(session) == []


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.parametrize(("dice", "hits"), [("1 1", 2), ("6 1", 2), ("6 2", 1), ("6 5", 1), ("6 6", 2)])
def test_middling_dice_fix_one_s_and_12_nothing(dice: str, hits: int) -> None:
    """Check the edges of the repair line; 2 to 7 wait for the player."""
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
def test_a_single_possible_repair_is_made_without_a_question(
    log: dict[str, int], dice: str, change: dict[str, object]
) -> None:
    """Repair no S that is not there."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=log), phase="repair"))
    assert changed(session, f"repair rook {dice}") == {**change, "repair_points": 4}
    assert owed(session) == []


@pytest.mark.clause("QFC-REP-2")
def test_a_ship_repairs_as_often_as_it_has_points() -> None:
    """Allow several repairs a turn, but none beyond the points."""
    rook = ship("rook", "red", repair=3, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"))
    for _ in range(3):
        session.enter("repair rook 4 4")
    assert values(session, "rook")["speed_hits"] == 5
    assert values(session, "rook")["repair_points"] == 0
    assert refusal(session, "repair rook 4 4") == "QFC-REP-2"
    play_to_turn(session, 2, "repair")
    assert refusal(session, "repair rook 4 4") == "QFC-REP-2"


@pytest.mark.clause("QFC-REP-2")
def test_a_sound_ship_has_nothing_to_repair_and_never_beyond_the_printed() -> None:
    """Let ROF never exceed the card."""
    session = played(battle(ship("ajax"), ship("rook", "red", log={"rof_light": 5}), phase="repair"))
    assert refusal(session, "repair ajax 1 1") == "QFC-REP-2"
    session.enter("repair rook 1 1")
    assert refusal(session, "repair rook 1 1") == "QFC-REP-2"


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.parametrize("word", ["course", "gunnery", "speed course", "7"])
def test_an_impossible_repair_choice_is_refused(word: str) -> None:
    """Refuse an answer that repairs an undamaged part."""
    rook = ship("rook", "red", log=HURT)
    session = played(battle(ship("ajax"), rook, phase="repair"), "repair rook 3 4")
    assert refusal(session, f"force answer {word}") == ""
    assert refusal(session, "next") == ""


@pytest.mark.clause("QFC-REP-2")
@pytest.mark.clause("QFC-RUL-6")
@pytest.mark.parametrize("switch", ["each-roll", "success"])
def test_a_choice_with_nothing_left_to_repair_lapses_and_keeps_its_point(switch: str) -> None:
    """Drop the question, fix no point twice, and give the repair point back."""
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
def test_repaired_damage_stays_legible() -> None:
    rook = ship("rook", "red", log={"speed_hits": 1}, fires=1)
    session = played(battle(ship("ajax"), rook), "next", "roll 4 4", "repair rook 1 1")
    shown = dict(session.system.sheet(session.battle, session.battle.ships["rook"]))
    assert (format_spans(shown["repaired"]), format_spans(shown["blast"])) == ("{speed}", "{(F)}")
    assert draw_cell(session, "rook", "boxes") == "□□□□□□□□"


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
    """Check the switch for the dice that reach it."""
    rook = ship("rook", "red", courses=("full turn left",))
    session = played(battle(ship("ajax"), rook, phase="repair", course_repaired_on=switch))
    session.enter(f"repair rook {dice}")
    assert values(session, "rook")["course"] == ([] if freed else ["full turn left"])


@pytest.mark.clause("QFC-RUL-6")
def test_a_direction_hit_is_one_of_the_choices() -> None:
    rook = ship("rook", "red", log={"speed_hits": 1}, courses=("straight ahead", "full turn left"))
    session = played(battle(ship("ajax"), rook, phase="repair"), "repair rook 3 4")
    assert question(session, "choice").words == ("speed", "course")
    assert changed(session, "answer course") == {"course": ["straight ahead"]}


@pytest.mark.clause("QFC-RUL-8")
@pytest.mark.parametrize(
    ("switch", "log", "orders", "points"),
    [
        ("each-roll", {"speed_hits": 1}, ("repair rook 6 6",), 4),
        ("each-roll", {"speed_hits": 1}, ("repair rook 4 4",), 4),
        ("success", {"speed_hits": 1}, ("repair rook 6 6",), 5),
        ("success", {"speed_hits": 1}, ("repair rook 4 4",), 4),
        ("each-roll", HURT, ("repair rook 1 1",), 4),
        ("each-roll", HURT, ("repair rook 1 1", "answer speed"), 4),
        ("success", HURT, ("repair rook 1 1",), 5),
        ("success", HURT, ("repair rook 1 1", "answer speed"), 4),
    ],
)
def test_a_repair_roll_spends_its_point_even_on_failure(
    switch: str, log: dict[str, int], orders: tuple[str, ...], points: int
) -> None:
    """Spend one point, not another for the choice, and keep it on failure only by the switch."""
    start = battle(ship("ajax"), ship("rook", "red", log=log), phase="repair", repair_point=switch)
    assert values(played(start, *orders), "rook")["repair_points"] == points


@pytest.mark.clause("QFC-RUL-8")
@pytest.mark.parametrize("switch", ["each-roll", "success"])
def test_no_more_tries_than_points_in_a_turn(switch: str) -> None:
    """Limit tries also where failures cost nothing."""
    rook = ship("rook", "red", repair=1, log={"speed_hits": 2})
    session = played(battle(ship("ajax"), rook, phase="repair", repair_point=switch), "repair rook 6 6")
    assert refusal(session, "repair rook 4 4") == "QFC-REP-2"
    assert play_to_turn(session, 2, "repair").preview_order("repair rook 4 4").fine is (switch == "success")


def test_the_console_throws_the_dice_of_a_repair_and_never_its_choice() -> None:
    rook = ship("rook", "red", log=HURT)
    for seed in range(6):
        session = Session.begin(SYSTEM, battle(ship("ajax"), rook, phase="repair"), seed=seed)
        session.enter("repair rook")
        dice = session.timeline.versions[1].dice
        assert len(dice) == 2
        assert bool(session.battle.owed) is (sum(dice) <= 7)


def test_the_odds_of_a_repair_are_exact() -> None:
    rook = ship("rook", "red", log=HURT)
    prospect = played(battle(ship("ajax"), rook, phase="repair")).preview_order("repair rook")
    assert [str(chance) for chance in prospect.chances] == ["a G can be fixed 58%", "an S can be fixed 97%"]
    slow = ship("rook", "red", log={"speed_hits": 1})
    said = played(battle(ship("ajax"), slow, phase="repair")).preview_order("repair rook").chances
    assert [chance.value for chance in said] == [0, Fraction(35, 36)], "of what the ship has to fix"


@pytest.mark.clause("QFC-RUL-6")
@pytest.mark.parametrize(("switch", "most"), [("2-7", "7"), ("2-11", "11")])
def test_the_odds_of_a_repair_include_a_direction_hit(switch: str, most: str) -> None:
    """Give odds to a ship with only her course damaged."""
    rook = ship("rook", "red", courses=("full turn left",))
    start = battle(ship("ajax"), rook, phase="repair", course_repaired_on=switch)
    seen = played(start).preview_order("repair rook")
    told = ["never fixes G", "never fixes S", f"fixes D on total {most} or less"]
    assert [str(need) for need in seen.needs] == told
    assert seen.chances[-1].value == Fraction(21 if switch == "2-7" else 35, 36)


@pytest.mark.clause("QFC-REP-2")
def test_a_repair_answer_is_shown_with_its_change_and_without_its_key() -> None:
    """Show a fixed S with its count."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"), "repair rook 1 1")
    assert (
        preview_line(session, "sp", question(session, "choice").key)[1].text == "what does Rook fix? ✓ speed"
    )
    session.enter("answer speed")
    told = summarize_act(session.system, session.timeline, session.timeline.log[-1])
    assert told.effect == "Rook fixes speed · S hits 2→1"
    assert told.by == "what does Rook fix? speed"


@pytest.mark.clause("QFC-RUL-6")
def test_a_choice_lapses_when_the_umpire_repairs_everything() -> None:
    """Let the choice not hold the phase when the ship is undamaged."""
    session = played(battle(ship("ajax"), ship("rook", "red", log=HURT), phase="repair"))
    enter(session, "repair rook 1 2", "mark rook rof_heavy 6", "mark rook rof_light 6")
    assert owed(session) == ["choice rook"]
    assert changed(session, "mark rook speed_hits 0")["repair_points"] == 5
    session.enter("next")
    assert session.battle.turn == 2


@pytest.mark.clause("QFC-RUL-6")
def test_a_ship_with_two_direction_hits_steers_again_when_both_are_repaired() -> None:
    rook = ship("rook", "red", courses=("full turn left", "straight ahead"))
    session = played(battle(ship("ajax"), rook, phase="repair"))
    assert reasons(session, "repair rook 1 1")[-1].text == "Rook is still steered full turn left"
    assert values(session, "rook")["course"] == ["full turn left"]
    assert reasons(session, "repair rook 1 1")[-1].text == "Rook steers again from the next turn"


@pytest.mark.clause("QFC-REP-1")
@pytest.mark.parametrize(("dice", "fires", "speed_hits"), [("3 4", 2, 0), ("4 4", 0, 0), ("6 6", 2, 1)])
def test_a_switch_gives_all_fires_of_a_ship_one_check(dice: str, fires: int, speed_hits: int) -> None:
    """Put all her fires out with one roll."""
    start = battle(ship("ajax"), ship("rook", "red", fires=2), fire_checks="each-ship")
    session = played(start, "next")
    assert owed(session) == ["fire-check rook"]
    session.enter(f"roll {dice}")
    assert (values(session, "rook")["fires"], values(session, "rook")["speed_hits"]) == (fires, speed_hits)
    mended = played(start, "next", "mark rook fires 0")
    assert reasons(mended, f"roll {dice}")[-1].text == "fire check on Rook: its fires are out"
    assert values(mended, "rook")["speed_hits"] == 0


def is_sunk_by(total: int, size: float = 12, hits: int = 8, fires: int = 0, **options: str) -> bool:
    """Return whether rook sinks on a total of two dice at the end of a turn."""
    rook = ship("rook", "red", size=size, log={"speed_hits": hits}, fires=fires)
    session = played(battle(ship("ajax"), rook, phase="repair", **options), "next")
    assert owed(session) == ["sinking rook"]
    session.enter(f"roll {max(1, total - 6)} {min(6, total - 1)}")
    return values(session, "rook")["sunk"] is True


@pytest.mark.clause("QFC-SNK-1")
@pytest.mark.parametrize(("hits", "asked"), [(0, False), (7, False), (8, True), (12, True)])
def test_a_ship_without_an_open_box_rolls(hits: int, asked: bool) -> None:
    rook = ship("rook", "red", log={"speed_hits": hits})
    session = played(battle(ship("ajax"), rook, phase="repair"), "next")
    assert bool(owed(session)) is asked
    assert session.battle.turn == (1 if asked else 2)


@pytest.mark.clause("QFC-SNK-1")
@pytest.mark.clause("QFC-SNK-2")
@pytest.mark.parametrize(
    ("size", "hits", "fires", "most"),
    [
        *((12, 8, 0, 2), (12, 9, 0, 3), (12, 11, 0, 5), (12, 8, 1, 3), (12, 8, 3, 5), (12, 10, 2, 6)),
        *((11, 8, 0, 2), (10.5, 8, 0, 3), (7, 8, 0, 3), (4, 8, 0, 4), (3, 8, 0, 5), (1, 8, 0, 6)),
    ],
)
def test_one_comes_off_for_each_fire_and_each_s_beyond_the_eighth(
    size: float, hits: int, fires: int, most: int
) -> None:
    """Check every edge of the sinking table."""
    assert is_sunk_by(most, size=size, hits=hits, fires=fires)
    assert not is_sunk_by(most + 1, size=size, hits=hits, fires=fires)


@pytest.mark.clause("QFC-RUL-11")
@pytest.mark.parametrize(("size", "lower", "higher"), [(10.5, 3, 2), (6.5, 4, 3), (3.5, 5, 4), (1.5, 6, 5)])
def test_a_size_between_two_rows_counts_as_the_lower(size: float, lower: int, higher: int) -> None:
    """Round up only by the switch."""
    for most, switch in ((lower, "lower"), (higher, "higher")):
        assert is_sunk_by(most, size=size, size_between=switch)
        assert not is_sunk_by(most + 1, size=size, size_between=switch)
    rook = ship("rook", "red", size=10.5, log={"speed_hits": 8})
    told = reasons(played(battle(ship("ajax"), rook, phase="repair"), "next"), "roll 6 6")
    assert ("Rook: size 10.5 counts as 7-10", "QFC-RUL-11") in [(each.text, each.clause) for each in told]


@pytest.mark.clause("QFC-RUL-10")
def test_below_size_1_the_row_of_1_counts() -> None:
    """Let the switch save a boat the roll."""
    assert is_sunk_by(6, size=0.25)
    assert not is_sunk_by(7, size=0.25)
    rook = ship("rook", "red", size=0.5, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair", below_size_1="no-roll"), "next")
    assert values(session, "rook")["sunk"] is True
    assert (owed(session), session.battle.turn) == ([], 2)
    whole = ship("rook", "red", size=1, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), whole, phase="repair", below_size_1="no-roll"), "next")
    assert owed(session) == ["sinking rook"]


@pytest.mark.clause("QFC-SNK-1")
def test_a_ship_that_stays_afloat_rolls_again_next_turn() -> None:
    """Ask no roll of a ship that has repaired a box."""
    rook = ship("rook", "red", log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"), "next", "roll 6 6", "next")
    play_to_turn(session, 2, "repair").enter("next")
    assert owed(session) == ["sinking rook"]
    session = played(battle(ship("ajax"), rook, phase="repair"), "repair rook 4 4", "next")
    assert session.battle.turn == 2, "a repair in time saves the roll"
