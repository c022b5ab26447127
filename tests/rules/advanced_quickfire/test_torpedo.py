"""Torpedo attacks (AQF-TOR)."""

from itertools import product
from typing import Unpack

import pytest

from qf_tui.core.grammar.names import Words
from qf_tui.rules.advanced_quickfire.game import TORPEDO
from qf_tui.rules.advanced_quickfire.torpedo import TorpedoAttack, throw_of
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.family import Card
from tests.rules.playing import allowed, changed, drawn, owed, reasons, refusal, result, values


def strait(*orders: str, boxes: int = 8, phase: str = "second-gunnery", **card: Unpack[Card]) -> Session:
    """Ajax and Rook, who has moved so many boxes, in phase 3."""
    rook = ship("rook", "red", log={"moved": boxes})
    start = battle(ship("ajax", **card), rook, ship("rival", "red", log={"moved": 8}), phase=phase)
    return played(start, *orders)


@pytest.mark.clause("AQF-TOR-1")
@pytest.mark.parametrize(
    ("range", "fine"),
    [("in", True), ("0.9in", False), ("1in", True), ("2.5in", True), ("4in", True), ("4.1in", False)],
)
def test_torpedoes_reach_from_the_least_to_the_most_range(range: str, fine: bool) -> None:
    """Catches torpedoes launched too near, and an edge left out."""
    session = strait()
    assert allowed(session, f"torpedo ajax rook {range} 12") is fine
    if not fine:
        assert refusal(session, f"torpedo ajax rook {range} 12") == "AQF-TOR-1"


@pytest.mark.clause("AQF-TOR-1")
def test_a_refused_range_and_the_empty_field_tell_the_least_and_the_most() -> None:
    """Catches an umpire who must find the two figures by trying."""
    session = strait()
    (against,) = session.preview_order("torpedo ajax rook 8in").findings
    assert against.text == "8in is out of torpedo range, 1″ to 4″"
    slot = TORPEDO.slots[2]
    offers = slot.kind.candidates("", Words(session.scope(), TORPEDO, [], {}).on(slot))
    assert [(one.text, one.label) for one in offers] == [("in", "in (1″ to 4″)")]


@pytest.mark.clause("AQF-LOG-1")
def test_a_crossed_torpedo_keeps_its_size_and_reload_until_the_phase_ends() -> None:
    """Catches `18/8` that becomes `8///`, which reads as a size."""
    session = strait("damage ajax T")
    assert drawn(session, "ajax", "torpedo") == "18/8(→5)"
    session.enter("damage ajax T T")
    assert drawn(session, "ajax", "torpedo") == "18/[8](×)"
    session.enter("force next")
    assert drawn(session, "ajax", "torpedo") == "[out]"


@pytest.mark.clause("AQF-TOR-1")
def test_a_declared_attack_is_not_called_launched() -> None:
    """Catches a second attack refused for one that nobody has rolled for, without its cure."""
    session = strait("torpedo ajax rook in")
    text = session.preview_order("torpedo ajax rival in").findings[0].text
    assert text == "Ajax's torpedo attack is declared already: roll the dice, or amend entry 1"


@pytest.mark.clause("AQF-TOR-1")
def test_one_target_a_turn_and_again_in_the_next() -> None:
    """Catches a second attack of the turn, and one that is barred for ever."""
    session = strait("torpedo ajax rook in 12")
    assert refusal(session, "torpedo ajax rival in 12") == "AQF-TOR-1"
    to_phase(to_phase(session, "movement"), "second-gunnery")
    assert allowed(session, "torpedo ajax rival in 12")
    assert refusal(strait("torpedo ajax rook in"), "torpedo ajax rival in 12") == "AQF-TOR-1"


@pytest.mark.clause("AQF-TOR-1")
def test_the_arc_and_the_declaration_are_left_to_people() -> None:
    """Catches reminders that are missing."""
    session = strait()
    assert any("270°" in text for text in session.preview_order("torpedo ajax rook in").reminders)
    advice = session.system.advice(session.battle)
    assert any("AQF-TOR-1" in text and "declare" in text for text in advice)


@pytest.mark.clause("AQF-TOR-1")
def test_torpedoes_are_never_compulsory() -> None:
    """Catches a phase that does not end while somebody could launch."""
    assert strait("next").battle.phase == "recurring"


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


@pytest.mark.clause("AQF-TOR-2")
@pytest.mark.clause("AQF-TOR-3")
@pytest.mark.clause("AQF-TOR-4")
@pytest.mark.clause("AQF-TOR-5")
@pytest.mark.parametrize(("word", "boxes", "kind", "off"), MODIFIERS)
def test_black_less_its_modifiers_strikes_on_1_or_less(word: str, boxes: int, kind: str, off: int) -> None:
    """Catches a modifier forgotten, doubled, or given to the wrong side, and an edge of one."""
    for black in range(1, 13):
        session = strait(boxes=boxes, kind=kind)
        white = "1" if black <= 1 + off else ""
        strikes = result(session, f"torpedo ajax rook in {word} {black} {white}")["struck"]
        assert strikes is (black <= 1 + off), black


@pytest.mark.clause("AQF-TOR-2")
def test_white_is_asked_only_for_a_strike() -> None:
    """Catches a strike without damage dice."""
    assert refusal(strait(), "torpedo ajax rook in 1") == ""
    assert result(strait(), "torpedo ajax rook in 2") == {"struck": False, "points": 0, "sx": 0}


@pytest.mark.clause("AQF-TOR-3")
@pytest.mark.parametrize("switch", ["apart", "converging"])
def test_how_parallel_courses_count_is_reminded(switch: str) -> None:
    """Catches a switch that nobody sees."""
    session = played(battle(phase="second-gunnery", parallel=switch))
    reminders = session.preview_order("torpedo ajax rook in").reminders
    assert f"exactly parallel courses count as {switch}" in reminders


@pytest.mark.clause("AQF-TOR-4")
def test_an_assumed_movement_is_said() -> None:
    """Catches a static target that is assumed in silence."""
    session = played(battle(phase="second-gunnery"))
    assert session.preview_order("torpedo ajax rook in").assumes == ("assumed: Rook moved 8 boxes (8″)",)
    assert any("assumed" in reason.text for reason in reasons(session, "torpedo ajax rook in 12"))


@pytest.mark.clause("AQF-TOR-5")
def test_a_gunboat_so_marked_launches_as_a_torpedo_boat() -> None:
    """Catches a mark on the card that does nothing."""
    session = strait(kind="gunboat", torpedo_boat=True)
    assert result(session, "torpedo ajax rook in 2 1")["struck"] is True


PER_SX = {14: 10, 15: 7, 18: 3, 21: 2}
SX = {
    14: "00000000111111111122222",
    15: "00000111111122222223333",
    18: "01112223334445556667778",
    21: "11223344556677889900112",
}
"""SX by the total from 2 to 24, the last digit of each."""


@pytest.mark.clause("AQF-TOR-6")
@pytest.mark.parametrize(("size", "black"), [*product(PER_SX, (1, 2, 3))])
def test_natural_black_and_white_give_sx_by_the_size_of_the_torpedo(size: int, black: int) -> None:
    """Catches a fraction rounded up, a modified black die, and another size's divisor."""
    for white in range(1, 13):
        boat = craft("boat", "blue", torpedo=(size, 99))
        session = played(battle(boat, ship("rook", "red", log={"moved": 0}), phase="second-gunnery"))
        outcome = result(session, f"torpedo boat rook in converging {black} {white}")
        assert outcome == {"struck": True, "points": black + white, "sx": (black + white) // PER_SX[size]}
        assert values(session, "rook")["speed_lost"] == outcome["sx"]


@pytest.mark.clause("AQF-TOR-6")
@pytest.mark.parametrize("size", PER_SX)
def test_the_torpedo_table_over_all_totals(size: int) -> None:
    """Catches any total of a size that gives other SX than the table written out."""
    rook = ship("rook", "red")
    attack = TorpedoAttack(rook, rook, (("a", ""),) * 11, 99, size)
    for black, white in product(range(1, 13), repeat=2):
        sx = throw_of(attack).judge((black, white))[2]
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
def test_another_size_uses_the_next_smaller_line_and_says_so(inches: int, said: str) -> None:
    """Catches a size that silently counts as another, and one that counts as the next larger."""
    told = reasons(strait(torpedo=(inches, 8)), "torpedo ajax rook in 1 6")
    assert any(reason.clause == "AQF-TOR-6" and said in reason.of for reason in told)


@pytest.mark.clause("AQF-TOR-7")
@pytest.mark.parametrize(("white", "left"), [(7, 8), (8, 0), (12, 0)])
def test_white_at_the_reload_rating_empties_the_tubes_when_the_phase_ends(white: int, left: int) -> None:
    """Catches an off-by-one, and a line crossed out before the end of the phase."""
    session = strait(f"torpedo ajax rook in 1 {white}")
    assert values(session, "ajax")["torpedo_reload"] == 8
    session.enter("next")
    assert values(session, "ajax")["torpedo_reload"] == left
    if not left:
        assert refusal(to_phase(session, "second-gunnery"), "torpedo ajax rival in 12") == "AQF-TOR-8"


@pytest.mark.clause("AQF-TOR-7")
def test_a_strike_of_no_sx_runs_out_too_and_a_miss_does_not() -> None:
    """Catches tubes that are emptied by damage done, or by a miss."""
    weak = strait("torpedo ajax rook in 1 8", "next", torpedo=(14, 8))
    assert values(weak, "rook")["speed_lost"] == 0
    assert values(weak, "ajax")["torpedo_reload"] == 0
    assert values(strait("torpedo ajax rook in 2", "next"), "ajax")["torpedo_reload"] == 8


@pytest.mark.clause("AQF-TOR-7")
@pytest.mark.clause("AQF-PH-2")
def test_the_reload_is_read_as_the_phase_began() -> None:
    """Catches a T hit of the same phase that empties tubes or bars the attack."""
    session = strait("damage ajax T T", "roll 5", "roll 5")
    assert values(session, "ajax")["torpedo_reload"] == 2
    session.enter("torpedo ajax rook in 1 7")
    session.enter("next")
    assert values(session, "ajax")["torpedo_reload"] == 2
    gone = strait("damage ajax T T T", "roll 5", "roll 5", "roll 5")
    assert allowed(gone, "torpedo ajax rook in 12")
    gone.enter("next")
    assert refusal(to_phase(gone, "second-gunnery"), "torpedo ajax rook in 12") == "AQF-TOR-8"


@pytest.mark.clause("AQF-TOR-7")
def test_running_out_is_taken_back_with_the_attack_that_caused_it() -> None:
    """Catches a crossing out that outlives a corrected die."""
    session = strait("torpedo ajax rook in 1 8", "next", "amend 1 1 7")
    assert values(session, "ajax")["torpedo_reload"] == 8


@pytest.mark.clause("AQF-TOR-8")
def test_reload_0_and_no_torpedoes_at_all_mean_no_attack() -> None:
    """Catches a launch from empty tubes."""
    assert refusal(strait(torpedo=(18, 0)), "torpedo ajax rook in 12") == "AQF-TOR-8"
    assert refusal(strait(torpedo=None), "torpedo ajax rook in 12") == "AQF-TOR-8"


@pytest.mark.clause("AQF-PH-4")
@pytest.mark.parametrize("phase", ["movement", "first-gunnery", "recurring", "repair", "sinking"])
def test_torpedoes_leave_in_phase_3_only(phase: str) -> None:
    """Catches torpedoes in any other phase."""
    assert refusal(strait(phase=phase), "torpedo ajax rook in 12") == "AQF-PH-4"
    assert owed(strait(phase=phase)) == []


@pytest.mark.clause("AQF-TOR-6")
def test_a_strike_marks_sx_on_the_target() -> None:
    """Catches SX written on the firer, or as S."""
    session = strait()
    assert changed(session, "torpedo ajax rook in 1 12") == {"speed_lost": 4, "available_speed": 4}


@pytest.mark.clause("AQF-TOR-5")
@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        ("Torpedo boat", True),
        ("Destroyer", True),
        ("torpedo gunboat", False),
        ("torpedo-boat carrier", False),
    ],
)
def test_a_destroyer_or_torpedo_boat_counts_however_its_kind_is_written(kind: str, counts: bool) -> None:
    """Catches a torpedo boat with a capital or a space that launches as a battleship."""
    session = strait(kind=kind)
    assert result(session, "torpedo ajax rook in 2 1")["struck"] is counts


@pytest.mark.clause("AQF-TOR-6")
def test_a_forced_attack_of_a_ship_without_torpedoes_is_reckoned_as_14_inch() -> None:
    """Catches a size that is said to be None."""
    told = reasons(strait(torpedo=None), "force torpedo ajax rook in 1 12")
    assert "13 points, one SX per 10 (14″): 1 SX" in [each.text for each in told]
