"""Torpedo attacks (AQF-TOR) and boat guns (AQF-BG)."""

from fractions import Fraction
from itertools import product
from typing import Unpack

import pytest

from qf_tui.core.grammar.kinds import as_read_kind
from qf_tui.core.grammar.names import WordCursor
from qf_tui.core.values import Battle
from qf_tui.rules.advanced_quickfire.game import BOATS, TORPEDO
from qf_tui.rules.advanced_quickfire.gunnery import TorpedoAttack, build_torpedo_throw
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import (
    Card,
    changed,
    draw_cell,
    is_allowed,
    list_clauses,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
)


def begin_strait(
    *orders: str, boxes: int = 8, phase: str = "second-gunnery", **card: Unpack[Card]
) -> Session:
    """Begin phase 3 with ajax and rook, who has moved this many boxes."""
    rook = ship("rook", "red", log={"moved": boxes})
    start = battle(ship("ajax", **card), rook, ship("rival", "red", log={"moved": 8}), phase=phase)
    return played(start, *orders)


@pytest.mark.clause("AQF-TOR-1")
def test_a_refused_range_and_the_empty_field_show_both_limits() -> None:
    session = begin_strait()
    (against,) = session.preview_order("torpedo ajax rook 8in").findings
    assert against.text == "8in is out of torpedo range, 1″ to 4″"
    slot = TORPEDO.slots[2]
    offers = as_read_kind(slot).list_candidates(
        "", WordCursor(session.find_scope(), TORPEDO, [], {}).with_slot(slot)
    )
    assert [(offer.text, offer.label) for offer in offers] == [("in", "in (1″ to 4″)")]


@pytest.mark.clause("AQF-LOG-1")
def test_a_crossed_torpedo_keeps_its_size_and_reload_until_the_phase_ends() -> None:
    """Let `18/8` not become `8///`, which reads as a size."""
    session = begin_strait("damage ajax T")
    assert draw_cell(session, "ajax", "torpedo") == "18/8(→5)"
    session.enter("damage ajax T T")
    assert draw_cell(session, "ajax", "torpedo") == "18/[8](×)"
    session.enter("force next")
    assert draw_cell(session, "ajax", "torpedo") == "[out]"


@pytest.mark.clause("AQF-TOR-1")
def test_one_target_a_turn_and_again_in_the_next() -> None:
    session = begin_strait("torpedo ajax rook in 12")
    assert refusal(session, "torpedo ajax rival in 12") == "AQF-TOR-1"
    to_phase(to_phase(session, "movement"), "second-gunnery")
    assert is_allowed(session, "torpedo ajax rival in 12")
    assert refusal(begin_strait("torpedo ajax rook in"), "torpedo ajax rival in 12") == "AQF-TOR-1"


MODIFIERS = [
    ("", 8, "battleship", 0),
    ("converging", 8, "battleship", 1),
    ("", 1, "battleship", 1),
    ("", 0, "battleship", 1),
    ("", 2, "battleship", 0),
    ("", 8, "destroyer", 1),
    ("", 8, "torpedo-boat", 1),
    ("", 8, "gunboat", 0),
    ("converging", 1, "battleship", 2),
    ("converging", 1, "destroyer", 3),
]


@pytest.mark.clause("AQF-TOR-2", "AQF-TOR-3", "AQF-TOR-4", "AQF-TOR-5")
@pytest.mark.parametrize(("word", "boxes", "kind", "off"), MODIFIERS)
def test_black_less_its_modifiers_strikes_on_1_or_less(word: str, boxes: int, kind: str, off: int) -> None:
    for black in range(1, 13):
        session = begin_strait(boxes=boxes, kind=kind)
        white = "1" if black <= 1 + off else ""
        strikes = result(session, f"torpedo ajax rook in {word} {black} {white}")["struck"]
        assert strikes is (black <= 1 + off), black


@pytest.mark.clause("AQF-TOR-2")
def test_white_is_asked_only_for_a_strike() -> None:
    assert refusal(begin_strait(), "torpedo ajax rook in 1") == ""
    assert result(begin_strait(), "torpedo ajax rook in 2") == {"struck": False, "points": 0, "sx": 0}


@pytest.mark.clause("AQF-TOR-1", "AQF-TOR-3")
@pytest.mark.parametrize("switch", ["apart", "converging"])
def test_the_arc_and_how_parallel_courses_count_are_reminded(switch: str) -> None:
    session = played(battle(phase="second-gunnery", parallel=switch))
    reminders = session.preview_order("torpedo ajax rook in").reminders
    together = "courses converge if they come closer at all"
    assert f"{together}; exactly parallel ones count as {switch}" in reminders
    assert any("270°" in text for text in reminders)


@pytest.mark.clause("AQF-TOR-4")
def test_an_assumed_movement_is_reported() -> None:
    session = played(battle(phase="second-gunnery"))
    assert session.preview_order("torpedo ajax rook in").assumes == ("assumed: Rook moved 8 boxes (8″)",)
    assert any("assumed" in reason.text for reason in reasons(session, "torpedo ajax rook in 12"))


SX = {
    14: "00000000111111111122222",
    15: "00000111111122222223333",
    18: "01112223334445556667778",
    21: "11223344556677889900112",
}
"""SX by total from 2 to 24, the last digit of each."""


@pytest.mark.clause("AQF-TOR-6")
@pytest.mark.parametrize("size", SX)
def test_the_torpedo_table_over_all_totals(size: int) -> None:
    rook = ship("rook", "red")
    attack = TorpedoAttack(rook, rook, (("a", ""),) * 11, 99, size)
    for black, white in product(range(1, 13), repeat=2):
        sx = build_torpedo_throw(attack).judge((black, white))[2]
        assert sx % 10 == int(SX[size][black + white - 2]), (black, white)


@pytest.mark.clause("AQF-TOR-6")
@pytest.mark.parametrize(
    ("inches", "said"),
    [
        (14, "one SX per 10 (14″)"),
        (16, "one SX per 7 (16″, as 15″)"),
        (20, "one SX per 3 (20″, as 18″)"),
        (21, "one SX per 2 (21″)"),
    ],
)
def test_another_torpedo_size_uses_the_next_smaller_line_and_reports_it(inches: int, said: str) -> None:
    told = reasons(begin_strait(torpedo=(inches, 8)), "torpedo ajax rook in 1 6")
    assert any(reason.clause == "AQF-TOR-6" and said in reason.of for reason in told)


@pytest.mark.clause("AQF-TOR-7")
@pytest.mark.parametrize(("white", "left"), [(7, 8), (8, 0), (12, 0)])
def test_white_at_the_reload_rating_empties_the_tubes_when_the_phase_ends(white: int, left: int) -> None:
    session = begin_strait(f"torpedo ajax rook in 1 {white}")
    assert values(session, "ajax")["torpedo_reload"] == 8
    session.enter("next")
    assert values(session, "ajax")["torpedo_reload"] == left
    if not left:
        assert refusal(to_phase(session, "second-gunnery"), "torpedo ajax rival in 12") == "AQF-TOR-8"


@pytest.mark.clause("AQF-TOR-7")
def test_a_strike_of_no_sx_runs_out_too_and_a_miss_does_not() -> None:
    weak = begin_strait("torpedo ajax rook in 1 8", "next", torpedo=(14, 8))
    assert values(weak, "rook")["speed_lost"] == 0
    assert values(weak, "ajax")["torpedo_reload"] == 0
    assert values(begin_strait("torpedo ajax rook in 2", "next"), "ajax")["torpedo_reload"] == 8


@pytest.mark.clause("AQF-TOR-7", "AQF-PH-2")
def test_the_reload_is_read_as_the_phase_began() -> None:
    session = begin_strait("damage ajax T T", "roll 5", "roll 5")
    assert values(session, "ajax")["torpedo_reload"] == 2
    session.enter("torpedo ajax rook in 1 7")
    session.enter("next")
    assert values(session, "ajax")["torpedo_reload"] == 2
    gone = begin_strait("damage ajax T T T", "roll 5", "roll 5", "roll 5")
    assert is_allowed(gone, "torpedo ajax rook in 12")
    gone.enter("next")
    assert refusal(to_phase(gone, "second-gunnery"), "torpedo ajax rook in 12") == "AQF-TOR-8"


@pytest.mark.clause("AQF-TOR-7")
def test_running_out_is_taken_back_with_the_attack_that_caused_it() -> None:
    session = begin_strait("torpedo ajax rook in 1 8", "next", "amend 1 1 7")
    assert values(session, "ajax")["torpedo_reload"] == 8


@pytest.mark.clause("AQF-TOR-8")
def test_reload_0_and_no_torpedoes_at_all_mean_no_attack() -> None:
    assert refusal(begin_strait(torpedo=(18, 0)), "torpedo ajax rook in 12") == "AQF-TOR-8"
    assert refusal(begin_strait(torpedo=None), "torpedo ajax rook in 12") == "AQF-TOR-8"


@pytest.mark.clause("AQF-PH-4")
@pytest.mark.parametrize("phase", ["movement", "first-gunnery", "recurring", "repair", "sinking"])
def test_torpedoes_leave_in_phase_3_only(phase: str) -> None:
    assert refusal(begin_strait(phase=phase), "torpedo ajax rook in 12") == "AQF-PH-4"
    assert owed(begin_strait(phase=phase)) == []


@pytest.mark.clause("AQF-TOR-5")
@pytest.mark.parametrize(
    ("card", "counts"),
    [
        ({"kind": "Torpedo boat"}, True),
        ({"kind": "Destroyer"}, True),
        ({"kind": "torpedo gunboat"}, False),
        ({"kind": "torpedo-boat carrier"}, False),
        ({"kind": "gunboat", "torpedo_boat": True}, True),
    ],
)
def test_a_torpedo_craft_counts_by_any_spelling_of_its_kind_or_its_mark(card: Card, counts: bool) -> None:
    assert result(begin_strait(**card), "torpedo ajax rook in 2 1")["struck"] is counts


@pytest.mark.clause("AQF-TOR-6")
def test_a_forced_attack_of_a_ship_without_torpedoes_is_reckoned_as_14_inch() -> None:
    told = reasons(begin_strait(torpedo=None), "force torpedo ajax rook in 1 12")
    assert "13 points, one SX per 10 (14″): 1 SX" in [each.text for each in told]


def build_harbour(**options: str) -> Battle:
    """Build ajax with three boat gun points among two destroyers and a battleship."""
    return battle(ship("ajax"), craft("rook"), craft("rival"), ship("rodney", "red"), **options)


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.parametrize(
    ("size", "armor", "light"),
    [
        (1, (0.5, 0.5), True),
        (1, (0, 0), True),
        (0.25, (0.5, 0), True),
        (1, (1, 0.5), False),
        (1, (0.5, 1), False),
        (2, (0.5, 0.5), False),
    ],
)
def test_boat_guns_fire_at_light_craft_only(size: float, armor: tuple[float, float], light: bool) -> None:
    session = played(battle(ship("ajax"), craft("rook", size=size, armor=armor)))
    assert list_clauses(session, "boats ajax rook 4") == ([] if light else ["AQF-BG-1"])


@pytest.mark.clause("AQF-BG-1")
def test_boat_guns_need_no_rof() -> None:
    start = battle(ship("ajax", log={"rof_heavy": 0, "rof_light": 0}), craft("rook"))
    assert result(played(start), "boats ajax rook 7")["hits"] == ("S",)


TWICE = {"boat_guns_in": "each-phase"}


@pytest.mark.clause("AQF-BG-1", "AQF-BG-2", "AQF-PH-2")
@pytest.mark.parametrize(
    ("options", "before", "order", "clauses"),
    [
        ({}, (), "boats ajax rook 1 2 3 4", ["AQF-BG-1"]),
        ({}, ("boats ajax rook 4 8",), "boats ajax rival 4 8", ["AQF-BG-1"]),
        ({}, ("boats ajax rook 4 8",), "boats ajax rival 4", []),
        ({}, ("boats ajax rook 4",), "boats ajax rook 4", ["AQF-BG-1"]),
        ({}, ("boats ajax rook",), "boats ajax rival 4", ["AQF-BG-1"]),
        (TWICE, ("boats ajax rook",), "boats ajax rook", ["AQF-BG-1"] * 2),
        ({}, ("damage ajax B B",), "boats ajax rook 4 8 10", []),
        ({}, ("damage ajax B B", "next"), "boats ajax rook 4 8", ["AQF-BG-1"]),
        ({}, ("damage ajax B B", "next"), "boats ajax rook 4", []),
        ({}, ("next",), "boats ajax rook 4", []),
        ({}, ("next",) * 5, "boats ajax rook 4", ["AQF-BG-2"]),
        ({}, ("boats ajax rook 4", "next"), "boats ajax rook 4", ["AQF-BG-2"]),
        ({}, ("boats ajax rook 4", "next"), "boats ajax rival 4", ["AQF-BG-2"]),
        (TWICE, ("boats ajax rook 4", "next"), "boats ajax rival 4", []),
        ({}, ("boats ajax rook 4", *("next",) * 6), "boats ajax rook 4", []),
    ],
)
def test_boat_gun_points_are_split_in_one_phase_or_by_a_switch_in_each(
    options: dict[str, str], before: tuple[str, ...], order: str, clauses: list[str]
) -> None:
    session = played(build_harbour(**options), *before)
    assert list_clauses(session, order) == clauses
    assert is_allowed(session, f"force {order}")


@pytest.mark.clause("AQF-BG-1")
def test_an_undeclared_number_means_all_points_and_all_are_thrown() -> None:
    session = played(build_harbour(), "boats ajax rook")
    assert len(question(session, "boats").dice) == 3
    assert refusal(session, "roll 4 8") == ""
    assert result(session, "roll 4 8 7")["hits"] == ("S",)
    assert owed(session) == []


@pytest.mark.clause("AQF-BG-1", "AQF-BG-3")
@pytest.mark.parametrize(
    ("words", "reach", "apart"), [("", True, True), ("3in", False, True), ("3in dice 1", False, False)]
)
def test_boat_guns_remind_of_point_blank_and_of_the_explosion(words: str, reach: bool, apart: bool) -> None:
    told = "\n".join(played(build_harbour()).preview_order(f"boats ajax rook {words}").reminders)
    assert ("point blank" in told, "as well as their hits" in told) == (reach, apart)


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.parametrize(
    ("at", "fine"), [("pb", True), ("3in", True), ('4"', True), ("4.1in", False), ("48in", False)]
)
def test_an_order_may_state_the_range_and_is_refused_beyond_point_blank(at: str, fine: bool) -> None:
    session = played(build_harbour())
    assert list_clauses(session, f"boats ajax rook {at} 4 8") == ([] if fine else ["AQF-BG-1"])
    assert session.preview_order(f"boats ajax rook {at} dice 1").reminders == ()


@pytest.mark.clause("AQF-BG-1")
def test_a_declaration_may_state_its_points_so_that_a_split_is_declared() -> None:
    session = played(build_harbour(), "boats ajax rook 3in dice 2")
    assert len(question(session, "boats").dice) == 2
    assert refusal(session, "boats ajax rival dice 2") == "AQF-BG-1"
    session.enter("boats ajax rival pb dice 1")
    assert owed(session) == ["boats ajax", "boats ajax"]
    assert refusal(session, "roll 4") == ""
    session.enter("roll 4 8")
    assert result(session, "roll 7")["hits"] == ("S",)


@pytest.mark.clause("AQF-BG-1")
def test_stated_points_are_all_thrown_and_have_odds_of_their_own() -> None:
    session = played(build_harbour())
    one = {chance.label: chance.value for chance in session.preview_order("boats ajax rook dice 1").chances}
    assert one["explosion"] == Fraction(1, 12)
    for dice in ("4", "4 8 10"):
        assert refusal(session, f"boats ajax rook dice 2 {dice}") == ""
    assert result(session, "boats ajax rook dice 2 4 8")["fired"] is True


@pytest.mark.clause("AQF-BG-1")
def test_keys_offer_light_craft_first() -> None:
    session = played(battle(ship("ajax"), ship("rodney", "red"), craft("rook"), craft("boat", "blue")))
    target = BOATS.slots[1]
    offers = as_read_kind(target).list_candidates(
        "", WordCursor(session.find_scope(), BOATS, [], {"ship": "ajax"}).with_slot(target)
    )
    assert [offer.text for offer in offers][:2] == ["rook", "rodney"]


@pytest.mark.clause("AQF-BG-3")
@pytest.mark.parametrize(
    ("dice", "explodes"),
    [("4 4", True), ("8 8 8", True), ("4 4 8", False), ("7 7", True), ("4", False), ("4 8", False)],
)
def test_equal_dice_on_one_target_explode_as_well(dice: str, explodes: bool) -> None:
    session = played(build_harbour())
    assert result(session, f"boats ajax rook {dice}")["blast"] == (("E",) if explodes else ())
    assert owed(session) == (["explosion rook"] if explodes else [])


@pytest.mark.clause("AQF-BG-3")
def test_equal_dice_that_show_explosions_bring_one_more() -> None:
    session = played(build_harbour(), "boats ajax rook 1 1")
    assert owed(session) == ["explosion rook"] * 3


@pytest.mark.clause("AQF-BG-4")
@pytest.mark.parametrize(
    ("face", "change"),
    [(1, {}), (2, {"boat_guns": 0}), (3, {"fires": 1}), (4, {}), (5, {"torpedo_reload": 5}), (6, {}),
     (7, {"speed_hits": 1, "available_speed": 7}), (8, {}), (9, {"speed_hits": 1, "available_speed": 7}),
     (10, {}), (11, {"speed_hits": 1, "available_speed": 7}), (12, {})],
)  # fmt: skip
def test_each_die_counts_in_the_boat_gun_table(face: int, change: dict[str, int]) -> None:
    assert changed(played(build_harbour()), f"boats ajax rook {face}") == change


@pytest.mark.clause("AQF-BG-3", "AQF-BG-4")
def test_the_odds_of_an_explosion_count_both_of_its_causes() -> None:
    """Count an E of the table too: of two dice 23 of 144 throws show a 1, 11 another double."""
    session = played(battle(ship("ajax", boat_guns=2), craft("rook")))
    said = {chance.label: chance.value for chance in session.preview_order("boats ajax rook").chances}
    assert said["explosion"] == Fraction(23 + 11, 144)


@pytest.mark.clause("AQF-BG-1")
@pytest.mark.parametrize(
    ("order", "said"),
    [("boats ajax rook 4", True), ("boats ajax rook 4 4 6", False), ("boats ajax rook dice 1 4", False)],
)
def test_fewer_dice_than_points_get_a_remark_unless_declared(order: str, said: bool) -> None:
    found = [reason for reason in reasons(played(build_harbour()), order) if reason.is_remark]
    assert [(one.clause, one.text) for one in found] == (
        [("AQF-BG-1", "1 of 3 boat gun points used. If these are all, add `dice 1`")] * said
    )
