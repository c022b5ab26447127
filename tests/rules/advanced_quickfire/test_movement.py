"""Movement, its scales, pivots, and courses that damage forces (AQF-MV, AQF-SCA)."""

from fractions import Fraction

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.text import Distance, Scalar
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.rules.quickfire_family.game import FIVE, POINT_BLANK
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import changed, draw_cell, is_allowed, list_clauses, reasons, refusal, values

PRINTED_SCALES = """
tiny   mm 50  300 600  12 50  165 16 82 89
tiny   in 2   12  24   ½ 2    6½ ¾ 3¼ 3½
small  mm 75  450 900  20 75  250 25 123 135
small  in 3   18  36   ¾ 3    10 1 5 5½
medium mm 100 600 1200 25 100 330 33 163 178
medium in 4   24  48   1 4    13 1¼ 6½ 7
large  cm 15  90  180  4 15   50 5 25 27
large  in 6   36  72   1 6    20 2 9¾ 10¾
jumbo  cm 20  120 240  5 20   65 6.5 32 35
jumbo  in 8   48  96   2 8    26 2½ 12¾ 14
"""
COLUMNS = [line.split() for line in PRINTED_SCALES.strip().splitlines()]


def parse_number(text: str) -> Fraction:
    """Parse a printed number: 6½, 0.5, 330."""
    vulgar = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4)}
    rest = vulgar.get(text[-1])
    return Fraction(text) if rest is None else Fraction(text[:-1] or 0) + rest


@pytest.mark.clause("AQF-SCA-1")
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: " ".join(column[:2]))
def test_the_scales_are_the_printed_ones(column: list[str]) -> None:
    name, unit, *figures = column
    scale = FIVE[name, "in" if unit == "in" else "metric"]
    assert scale.unit == unit
    assert len(COLUMNS) == len(SYSTEM.scales)
    assert [
        scale.point_blank,
        scale.middle,
        scale.long,
        scale.torpedo_least,
        scale.torpedo_most,
        scale.nautical_mile,
        scale.cable,
        scale.thousand_yards,
        scale.kilometre,
    ] == [parse_number(figure) for figure in figures]


@pytest.mark.clause("AQF-SCA-2")
@pytest.mark.parametrize("switch", ["shorter", "longer"])
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: " ".join(column[:2]))
def test_a_measured_distance_gives_its_bracket(column: list[str], switch: str) -> None:
    name, unit, *figures = column
    pb, medium, far = (parse_number(figure) for figure in figures[:3])
    units = "in" if unit == "in" else "metric"
    session = played(battle(scale=name, units=units, shared_edge=switch))
    step = Fraction(1, 4)
    brackets = {
        Fraction(0): POINT_BLANK,
        pb - step: POINT_BLANK,
        pb: "medium" if switch == "longer" else POINT_BLANK,
        pb + step: "medium",
        medium: "long" if switch == "longer" else "medium",
        medium + step: "long",
        far: "long",
    }
    for distance, bracket in brackets.items():
        order = f"fire ajax heavy rook {Distance(distance, unit)}"
        session.enter(order)
        assert session.battle.acts[-1].read_text("range") == bracket, distance
        session.enter("undo")
    assert refusal(session, f"fire ajax heavy rook {Distance(far + step, unit)} 1 1") == "AQF-SCA-2"


@pytest.mark.clause("AQF-SCA-2")
def test_millimetres_and_centimetres_are_one_family() -> None:
    session = played(battle(scale="large", units="metric"), "fire ajax heavy rook 150mm")
    assert session.battle.acts[-1].read_text("range") == POINT_BLANK


@pytest.mark.clause("AQF-TOR-1")
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: " ".join(column[:2]))
def test_torpedo_range_at_every_scale(column: list[str]) -> None:
    name, unit, *figures = column
    least, most = parse_number(figures[3]), parse_number(figures[4])
    units = "in" if unit == "in" else "metric"
    session = played(battle(scale=name, units=units, phase="second-gunnery"))
    for distance, fine in (
        (least, True),
        (most, True),
        (least - Fraction(1, 4), False),
        (most + Fraction(1, 4), False),
    ):
        order = f"torpedo ajax rook {Distance(distance, unit)} 12"
        assert list_clauses(session, order) == ([] if fine else ["AQF-TOR-1"]), distance


def begin_sailing(*orders: str, speed: float = 8, courses: tuple[str, ...] = (), **log: Scalar) -> Session:
    """Begin the movement phase of ajax, by default at 8″ printed."""
    ajax = ship("ajax", speed=speed, courses=courses, log=log)
    return played(battle(ajax, ship("rook", "red"), phase="movement"), *orders)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("speed", "distance", "boxes"),
    [(8, "0in", 0), (8, "0.1in", 1), (8, "1in", 1), (8, "1.1in", 2), (8, "8in", 8), (6, "0.75in", 1),
     (6, "0.82in", 2), (6, "5¼in", 7), (6.75, "6.75in", 8), (6.75, "5.9in", 7), (6.75, "5.97in", 8)],
)  # fmt: skip
def test_boxes_are_the_least_eighths_of_the_printed_speed_that_reach(
    speed: float, distance: str, boxes: int
) -> None:
    assert values(begin_sailing(f"move ajax {distance}", speed=speed), "ajax")["moved"] == boxes


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("hits", "order", "fine"), [(2, "6", True), (2, "7", False), (2, "6.1in", False), (8, "0", True)]
)
def test_a_ship_moves_at_most_its_available_speed(hits: int, order: str, fine: bool) -> None:
    session = begin_sailing(speed_hits=hits)
    assert list_clauses(session, f"move ajax {order}") == ([] if fine else ["AQF-MV-1"])


@pytest.mark.clause("AQF-MV-1")
def test_boxes_count_by_the_printed_speed_of_a_damaged_ship() -> None:
    assert values(begin_sailing("move ajax 3in", speed_hits=4), "ajax")["moved"] == 3


@pytest.mark.clause("AQF-MV-1")
def test_a_ship_moves_once_a_turn() -> None:
    assert refusal(begin_sailing("move ajax 4"), "move ajax 5") == "AQF-MV-1"


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("orders", "boxes"),
    [
        ([], 8),
        (["move rook 3"], 3),
        (["move rook 3", *["next"] * 6], 3),
        (["move rook 6", "mark rook speed_hits 4", *["next"] * 6], 4),
    ],
)
def test_without_a_record_a_ship_moves_as_last_recorded_at_first_at_full_speed(
    orders: list[str], boxes: int
) -> None:
    session = played(battle(ship("ajax"), craft("rook"), phase="movement"), *orders)
    to_phase(session, "second-gunnery")
    assumed = f"assumed: Rook moved {boxes} boxes ({boxes}″)"
    expected = () if orders == ["move rook 3"] else (assumed,)
    assert session.preview_order("torpedo ajax rook in").assumes == expected


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("scale", "units", "full"),
    [
        ("medium", "in", 6),
        ("medium", "metric", Fraction(6 * 330, 13)),
        ("tiny", "in", 3),
        ("jumbo", "metric", 30),
        ("large", "in", Fraction(120, 13)),
    ],
)
def test_speed_is_in_proportion_to_the_nautical_mile(scale: str, units: str, full: Fraction | int) -> None:
    start = battle(ship("ajax", speed=6), phase="movement", scale=scale, units=units)
    assert values(played(start), "ajax")["available_speed"] == pytest.approx(float(full), abs=1e-4)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("speed", "order", "expected"),
    [
        (6, "move ajax 6", ["Ajax: 4½″, 6 boxes", "pivots of at most 90°"]),
        (6, "move ajax,boyne 6", ["Ajax, Boyne: 4½″, 6 boxes", "pivots of at most 90°"]),
        (8, "move ajax,boyne 6", ["Ajax: 4½″, 6 boxes", "Boyne: 6″, 6 boxes", "pivots of at most 90°"]),
        (
            8,
            "move ajax,boyne 6in",
            [
                "Ajax: 6″, 8 boxes",
                "Boyne: 6″, 6 boxes",
                "Ajax: pivots of at most 45°",
                "Boyne: pivots of at most 90°",
            ],
        ),
    ],
)
def test_a_move_of_several_ships_names_only_their_differences(
    speed: float, order: str, expected: list[str]
) -> None:
    session = played(battle(ship("ajax", speed=6), ship("boyne", speed=speed), phase="movement"))
    assert [reason.text for reason in reasons(session, order)] == expected


@pytest.mark.clause("AQF-MV-2")
@pytest.mark.parametrize(
    ("boxes", "degrees"), [(8, 45), (7, 90), (6, 90), (5, 90), (4, 90), (3, 45), (2, 45), (1, 0)]
)
def test_the_greatest_pivot_by_the_box_in_use_is_reminded(boxes: int, degrees: int) -> None:
    session = begin_sailing()
    assert session.preview_order(f"move ajax {boxes}").reminders == (f"pivots of at most {degrees}°",)
    assert "AQF-MV-2" in [reason.clause for reason in reasons(session, f"move ajax {boxes}")]


@pytest.mark.clause("AQF-MV-3")
def test_a_second_pivot_costs_a_box_that_is_not_marked_off() -> None:
    session = begin_sailing()
    assert len(session.preview_order("move ajax 8 pivots 1").reminders) == 1
    assert session.preview_order("move ajax 8 pivots 2").reminders[1] == (
        "two pivots, so 7″ of movement, 1″ at least between them"
    )
    assert changed(session, "move ajax 8 pivots 2", "ajax") == {"moved": 8}
    assert not is_allowed(session, "move ajax 8 pivots 3")


@pytest.mark.clause("AQF-MV-1")
def test_several_ships_and_a_division_move_in_one_order() -> None:
    start = battle(ship("ajax"), ship("boyne"), ship("rook", "red"), phase="movement")
    assert values(played(start, "move ajax,boyne 4"), "boyne")["moved"] == 4
    assert values(played(start, "move @blue-line 4"), "ajax")["moved"] == 4


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
    session = begin_sailing()
    assert list_clauses(session, f"move ajax {order}") == ([] if fine else ["AQF-MV-2"])
    assert is_allowed(session, f"force move ajax {order}")


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
def test_a_distance_is_the_way_moved_and_boxes_are_the_speed_used(
    order: str, boxes: int, distance: str
) -> None:
    session = begin_sailing(speed=6)
    assert reasons(session, f"move ajax {order}")[0].text == f"Ajax: {distance}, {boxes} boxes"
    assert values(session, "ajax")["moved"] == boxes


@pytest.mark.clause("AQF-MV-3")
def test_two_pivots_leave_a_box_less() -> None:
    session = begin_sailing(speed=6, speed_hits=2)
    assert refusal(session, "move ajax 4½in pivots 2") == "AQF-MV-3"
    assert is_allowed(session, "move ajax 3¾in pivots 2")
    assert is_allowed(session, "move ajax 3.8in pivots 2")
    assert refusal(session, "move ajax 5in pivots 2") == "AQF-MV-1"


TURN = ("next",) * 6
LAMED = ("move ajax 8", "mark ajax speed_hits 6", *TURN)


@pytest.mark.clause("AQF-MV-3", "AQF-MV-4", "AQF-MV-7")
@pytest.mark.parametrize(
    ("before", "fine", "refused"),
    [
        ((), ("0", "8"), ()),
        (TURN, ("5",), ("4",)),
        (("move ajax 5", *TURN), ("2", "8"), ("1.9in",)),
        (("move ajax 8", *TURN), ("5 pivots 2", "5", "4in pivots 2"), ("4 pivots 2", "4", "3in pivots 2")),
        (
            ("move ajax 4", *TURN),
            ("7 pivots 2", "7in", "6in pivots 2", "1"),
            ("8 pivots 2", "7.1in", "0"),
        ),
        (("move ajax 2", *TURN), ("0",), ()),
        (("move ajax 4.3in", *TURN), ("1.3in",), ("1.2in",)),
        (("option speed_change 2", "move ajax 5", *TURN), ("3",), ("2.9in", "7.1in")),
        (("move ajax 5 pivots 2", *TURN), ("8", "2", "8 pivots 2", "2 pivots 2", "4in pivots 2"), ("1", "0")),
        (("move ajax 4in pivots 2", *TURN), ("8", "2", "7in pivots 2"), ("1",)),
        (("move ajax 3 pivots 2", *TURN), ("6 pivots 2", "6", "0"), ("7", "7 pivots 2")),
        (("option speed_by moved", "move ajax 5 pivots 2", *TURN), ("7", "8 pivots 2"), ("8",)),
        (LAMED, ("2",), ("1",)),
        ((*LAMED, *TURN[1:], "mark ajax speed_hits 0", "next"), ("5", "0"), ("6",)),
        (("move ajax 8", "mark ajax moved 3", *TURN), ("6",), ("7",)),
        (("move ajax 8", "mark ajax course 45 left", *TURN), ("5",), ("4",)),
    ],
)
def test_speed_changes_by_at_most_three_boxes_or_by_the_switches(
    before: tuple[str, ...], fine: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    session = begin_sailing(*before)
    assert [move for move in (*fine, *refused) if is_allowed(session, f"move ajax {move}")] == [*fine]
    assert {refusal(session, f"move ajax {move}") for move in refused} <= {"AQF-MV-4"}
    assert all(is_allowed(session, f"force move ajax {move}") for move in refused)


@pytest.mark.clause("AQF-MV-7")
def test_a_turn_without_a_second_pivot_forgets_the_one_before() -> None:
    """Refuse a speed with the speed that counts."""
    session = to_phase(begin_sailing("move ajax 5 pivots 2"), "movement")
    with pytest.raises(OrderRefused, match="from last turn's 5″ used it may move 2″ to 8″, not 1″"):
        session.enter("move ajax 1")
    session.enter("move ajax 5")
    session = to_phase(session, "movement")
    assert refusal(session, "move ajax 1") == "AQF-MV-4"
    session = to_phase(session, "movement")
    assert is_allowed(session, "move ajax 8")


@pytest.mark.clause("AQF-MV-3", "AQF-TOR-4")
@pytest.mark.parametrize(
    ("order", "fires", "static"),
    [("5 pivots 2", True, False), ("5", False, False), ("2 pivots 2", True, False), ("1", True, True)],
)
def test_heavy_fire_goes_by_the_distance_and_torpedoes_by_the_boxes(
    order: str, fires: bool, static: bool
) -> None:
    """Move four boxes of distance, which are half of the speed."""
    session = played(battle(ship("ajax"), craft("rook"), phase="movement"), f"move rook {order}", "next")
    assert is_allowed(session, "fire ajax heavy rook medium 12 12") is fires
    session.enter("next")
    said = [reason.text for reason in reasons(session, "torpedo ajax rook in 2 1")]
    assert any("static" in text for text in said) is static


@pytest.mark.clause("AQF-MV-3")
def test_boxes_set_by_hand_are_all_distance() -> None:
    """Read one box more by hand not as a second pivot."""
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
    session = begin_sailing(courses=(course,))
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
def test_a_move_that_damage_forbids_is_refused_and_can_be_forced(order: str) -> None:
    session = begin_sailing(courses=("90 left",))
    assert refusal(session, f"move ajax {order}") == "AQF-MV-6"
    assert is_allowed(session, f"force move ajax {order}")


@pytest.mark.clause("AQF-MV-6")
def test_the_refusal_lists_the_moves_within_the_change_of_speed() -> None:
    session = to_phase(begin_sailing("move ajax 4", "mark ajax course 90 left"), "movement")
    with pytest.raises(OrderRefused) as refused:
        session.enter("move ajax 4 pivots 0")
    assert str(refused.value).startswith(
        "Ajax is steered 90° left by its damage: 7 boxes 6″, two pivots of 90° left; "
        "6 boxes 5″, two pivots of 90° left; "
    )
    assert str(refused.value).endswith("; 2 boxes 1″, two pivots of 45° left; 1 box 1″")


@pytest.mark.clause("AQF-MV-6")
def test_the_newest_course_mark_steers_and_is_reported() -> None:
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
    start = battle(ship("ajax", courses=("45 left",)), ship("boyne"), ship("rook", "red"), phase="movement")
    said = [reason.text for reason in reasons(played(start), "move ajax,boyne 6")]
    assert said[:2] == ["Ajax: 5″, 6 boxes", "Boyne: 6″, 6 boxes"]
    assert "Ajax: two pivots, so 5″ of movement, 1″ at least between them" in said


@pytest.mark.clause("AQF-MV-6")
def test_a_steered_ship_without_speed_may_only_stay() -> None:
    session = begin_sailing(courses=("90 left",), speed_hits=8)
    assert "Ajax is steered 90° left by its damage: 0 boxes 0″ (AQF-MV-6)" in (
        session.system.advice(session.battle)
    )
    session.enter("move ajax 0")
    assert draw_cell(session, "ajax", "moved") == "0"
