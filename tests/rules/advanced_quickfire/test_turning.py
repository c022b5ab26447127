"""Pivots, and courses that damage forces (AQF-MV-2, AQF-MV-3, AQF-MV-6)."""

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import allowed, drawn, reasons, refusal, values


def sailing(*orders: str, speed: float = 8, courses: tuple[str, ...] = (), hits: int = 0) -> Session:
    """Ajax in the movement phase."""
    ajax = ship("ajax", speed=speed, courses=courses, log={"speed_hits": hits})
    return played(battle(ajax, ship("rook", "red"), phase="movement"), *orders)


@pytest.mark.clause("AQF-MV-2")
@pytest.mark.parametrize(
    ("order", "fine"),
    [
        ("1 pivots 1", False),
        ("1 pivots 2", False),
        ("0 pivots 1", False),
        ("0 pivots 2", False),
        ("1in pivots 1", False),
        ("0in pivots 2", False),
        ("1 pivots 0", True),
        ("2 pivots 1", True),
        ("2 pivots 2", True),
        ("1in pivots 2", True),
    ],
)
def test_there_is_no_pivot_in_the_first_box(order: str, fine: bool) -> None:
    """Catches a ship that turns without steerageway."""
    session = sailing()
    assert allowed(session, f"move ajax {order}") is fine
    if not fine:
        assert refusal(session, f"move ajax {order}") == "AQF-MV-2"
        assert allowed(session, f"force move ajax {order}")


@pytest.mark.clause("AQF-MV-3")
@pytest.mark.parametrize(
    ("order", "boxes", "distance"),
    [
        ("5.25in pivots 2", 8, "5¼″"),
        ("8 pivots 2", 8, "5¼″"),
        ("5.25in", 7, "5¼″"),
        ("5.25in pivots 1", 7, "5¼″"),
        ("3in pivots 2", 5, "3″"),
        ("4 pivots 2", 4, "2¼″"),
    ],
)
def test_a_distance_is_what_was_moved_and_boxes_are_what_was_used_up(
    order: str, boxes: int, distance: str
) -> None:
    """Catches the box of a second pivot taken off a measured distance."""
    session = sailing(speed=6)
    assert reasons(session, f"move ajax {order}")[0].text == f"Ajax: {distance}, {boxes} boxes"
    assert values(session, "ajax")["moved"] == boxes


@pytest.mark.clause("AQF-MV-3")
def test_two_pivots_leave_a_box_less() -> None:
    """Catches a ship that turns twice and goes as far."""
    session = sailing(speed=6, hits=2)
    assert refusal(session, "move ajax 4½in pivots 2") == "AQF-MV-3"
    assert allowed(session, "move ajax 3¾in pivots 2")
    assert allowed(session, "move ajax 3.8in pivots 2")
    assert refusal(session, "move ajax 5in pivots 2") == "AQF-MV-1"


@pytest.mark.clause("AQF-MV-3")
@pytest.mark.clause("AQF-MV-4")
def test_by_the_switch_the_next_change_of_speed_goes_by_the_distance() -> None:
    """Catches the box of a pivot taken for speed."""
    session = to_phase(sailing("option speed_by moved", "move ajax 5 pivots 2"), "movement")
    assert refusal(session, "move ajax 8") == "AQF-MV-4"
    assert allowed(session, "move ajax 7")
    assert allowed(session, "move ajax 8 pivots 2")


@pytest.mark.clause("AQF-MV-7")
@pytest.mark.parametrize(
    ("last", "fine", "refused"),
    [
        ("5 pivots 2", ("8", "2", "8 pivots 2", "2 pivots 2", "4in pivots 2"), ("1", "0")),
        ("4in pivots 2", ("8", "2", "7in pivots 2"), ("1",)),
        ("8", ("5 pivots 2", "5", "4in pivots 2"), ("4 pivots 2", "4", "3in pivots 2")),
        ("4", ("7 pivots 2", "7", "6in pivots 2", "1"), ("8 pivots 2", "8", "0")),
        ("3 pivots 2", ("6 pivots 2", "6", "0"), ("7", "7 pivots 2")),
    ],
)
def test_speed_is_the_movement_used_with_the_box_of_a_second_pivot(
    last: str, fine: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    """Catches last turn's or this turn's second pivot left out of the speed."""
    session = to_phase(sailing(f"move ajax {last}"), "movement")
    assert [move for move in (*fine, *refused) if allowed(session, f"move ajax {move}")] == [*fine]
    assert {refusal(session, f"move ajax {move}") for move in refused} == {"AQF-MV-4"}
    assert allowed(session, f"force move ajax {refused[0]}")


@pytest.mark.clause("AQF-MV-7")
def test_a_turn_without_a_second_pivot_forgets_the_one_before() -> None:
    """Catches a box that counts for good, and a refusal that says another speed than it counts."""
    session = to_phase(sailing("move ajax 5 pivots 2"), "movement")
    with pytest.raises(OrderRefused, match="from last turn's 5″ used it may go 2″ to 8″, not 1″"):
        session.enter("move ajax 1")
    session.enter("move ajax 5")
    session = to_phase(session, "movement")
    assert refusal(session, "move ajax 1") == "AQF-MV-4"
    session = to_phase(session, "movement")
    assert allowed(session, "move ajax 8")


@pytest.mark.clause("AQF-MV-7")
def test_a_steered_ship_may_keep_its_speed() -> None:
    """Catches a ship that may not use the boxes of last turn because its damage turns it twice."""
    session = to_phase(sailing("move ajax 8", "mark ajax course 45 left"), "movement")
    assert allowed(session, "move ajax 5")
    assert refusal(session, "move ajax 4") == "AQF-MV-4"


@pytest.mark.clause("AQF-MV-3")
@pytest.mark.clause("AQF-TOR-4")
@pytest.mark.parametrize(
    ("order", "fires", "static"),
    [("5 pivots 2", True, False), ("5", False, False), ("2 pivots 2", True, False), ("1", True, True)],
)
def test_heavy_fire_goes_by_the_distance_and_torpedoes_by_the_boxes(
    order: str, fires: bool, static: bool
) -> None:
    """Catches one measure for both: four boxes of distance are half of the speed."""
    session = played(battle(ship("ajax"), craft("rook"), phase="movement"), f"move rook {order}", "next")
    assert allowed(session, "fire ajax heavy rook medium 12 12") is fires
    session.enter("next")
    said = [reason.text for reason in reasons(session, "torpedo ajax rook in 2 1")]
    assert any("static" in text for text in said) is static


@pytest.mark.clause("AQF-MV-3")
def test_boxes_set_by_hand_are_all_distance() -> None:
    """Catches a hand entry of one box more that is taken for a second pivot."""
    start = battle(ship("ajax"), craft("rook"), phase="movement")
    session = played(start, "move rook 4", "mark rook moved 5", "next")
    assert refusal(session, "fire ajax heavy rook medium 12 12") == "AQF-GUN-13"


@pytest.mark.clause("AQF-MV-6")
@pytest.mark.parametrize(
    ("course", "order", "said", "boxes"),
    [
        ("90 left", "8", "7″, 8 boxes|two pivots of 45° left", 8),
        ("90 left", "5", "4″, 5 boxes|two pivots of 90° left", 5),
        ("45 right", "5", "4″, 5 boxes|two pivots of 45° right", 5),
        ("90 right", "2", "1″, 2 boxes|two pivots of 45° right", 2),
        ("90 left", "1", "1″, 1 box|90° left", 1),
        ("90 left", "0", "0″, 0 boxes|90° left", 0),
        ("90 left", "4in", "4″, 5 boxes|two pivots of 90° left", 5),
        ("90 left", "7in pivots 2", "7″, 8 boxes|two pivots of 45° left", 8),
        ("90 left", "1in pivots 0", "1″, 1 box|90° left", 1),
    ],
)
def test_a_steered_ship_pivots_twice_and_pays_a_box(course: str, order: str, said: str, boxes: int) -> None:
    """Catches a move that leaves its pivots, their angle or their box to the umpire."""
    session = sailing(courses=(course,))
    entered = [reason.text for reason in reasons(session, f"move ajax {order}")]
    went, turning = said.split("|")
    assert entered[0] == f"Ajax: {went}"
    assert entered[1].startswith("steered by its damage")
    assert entered[1].endswith(turning)
    assert values(session, "ajax")["moved"] == boxes


@pytest.mark.clause("AQF-MV-6")
@pytest.mark.parametrize(
    "order", ["6 pivots 0", "6 pivots 1", "8in", "3.5in", "6in pivots 1", "2in pivots 0"]
)
def test_what_damage_does_not_offer_is_refused_and_can_be_forced(order: str) -> None:
    """Catches a steered ship that goes as it likes."""
    session = sailing(courses=("90 left",))
    assert refusal(session, f"move ajax {order}") == "AQF-MV-6"
    assert allowed(session, f"force move ajax {order}")


@pytest.mark.clause("AQF-MV-6")
def test_the_refusal_lists_what_is_offered_within_the_change_of_speed() -> None:
    """Catches offers that the ship cannot make."""
    session = to_phase(sailing("move ajax 4", "mark ajax course 90 left"), "movement")
    with pytest.raises(OrderRefused) as refused:
        session.enter("move ajax 4 pivots 0")
    assert str(refused.value).startswith(
        "Ajax is steered 90° left by its damage: 7 boxes 6″, two pivots of 90° left; "
        "6 boxes 5″, two pivots of 90° left; "
    )
    assert str(refused.value).endswith("; 2 boxes 1″, two pivots of 45° left; 1 box 1″")


@pytest.mark.clause("AQF-MV-6")
def test_the_newest_mark_steers_and_is_told_while_it_lasts() -> None:
    """Catches the oldest mark, and one that is shown no more while it lasts."""
    session = played(battle(ship("ajax", courses=("90 left", "45 right")), phase="movement"))
    told = "Ajax is steered 45° right by its damage: 8 boxes 7″, two pivots of 45° right (AQF-MV-6)"
    assert told in session.system.advice(session.battle)
    assert "steered by its damage, 45° right: two pivots of 45° right" in (
        session.preview_order("move ajax 8").reminders
    )
    to_phase(session, "movement")
    assert told in session.system.advice(session.battle)
    session.enter("mark ajax course none")
    assert reasons(session, "move ajax 8")[0].text == "Ajax: 8″, 8 boxes"


@pytest.mark.clause("AQF-MV-6")
def test_in_a_division_only_the_steered_ship_pays() -> None:
    """Catches pivots of one ship given to all."""
    start = battle(ship("ajax", courses=("45 left",)), ship("boyne"), ship("rook", "red"), phase="movement")
    said = [reason.text for reason in reasons(played(start), "move ajax,boyne 6")]
    assert said[:2] == ["Ajax: 5″, 6 boxes", "Boyne: 6″, 6 boxes"]
    assert "Ajax: two pivots, so 5″ of movement, 1″ at least between them" in said


@pytest.mark.clause("AQF-MV-6")
def test_a_ship_that_lies_still_is_offered_nothing_but_that() -> None:
    """Catches pivots of a ship without boxes."""
    session = sailing(courses=("90 left",), hits=8)
    assert "Ajax is steered 90° left by its damage: 0 boxes 0″ (AQF-MV-6)" in (
        session.system.advice(session.battle)
    )
    session.enter("move ajax 0")
    assert drawn(session, "ajax", "moved") == "0"
