"""Named facts of acts and ships, and rows of boxes."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from attrs import evolve

from qf_tui.core.facts import Fact, FactField, find_facts_fault
from qf_tui.core.printed_logs import BOXES_MOST, BoxState, SheetPart, add_count, draw_countdown
from qf_tui.core.ship_facts import (
    ESTIMATED,
    Guns,
    ShipFacts,
    has_reconstructed_fields,
    list_contradictions,
    read_gun_armor,
    read_guns,
    read_small,
)
from qf_tui.core.system import Field
from qf_tui.core.values import Act
from tests.corrections.scripts import build_two_a_side

FIELDS = (
    FactField("target"),
    FactField("dice", "int"),
    FactField("faces", "ints", optional=True),
    FactField("words", "texts", optional=True),
    FactField("fired", "bool", optional=True),
    FactField("declared.turn", "int", group="declared"),
    FactField("firer.*", "scalar", group="declared"),
)
FITTING: dict[str, Fact] = {"target": "ant", "dice": 0}


def test_facts_are_read_by_name_and_type() -> None:
    act = Act(
        1, "shoot", "shot", "ant", {**FITTING, "faces": (5, 8), "words": ("a",), "fired": True, "a.x": None}
    )
    assert (act.read_text("target"), act.read_number("dice"), act.has("fired")) == ("ant", 0, True)
    assert (act.read_numbers("faces"), act.read_texts("words"), act.list_scalars("a.")) == (
        (5, 8),
        ("a",),
        {"x": None},
    )
    assert (act.read_text("dice"), act.read_number("target"), act.read_number("fired"), act.has("dice")) == (
        "",
        0,
        0,
        False,
    )
    assert (
        act.read_text("x"),
        act.read_number("x"),
        act.has("x"),
        act.read_numbers("x"),
        act.read_texts("x"),
    ) == (
        "",
        0,
        False,
        (),
        (),
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, ""),
        ({"faces": (), "words": (), "fired": False}, ""),
        ({"declared.turn": 2}, ""),
        ({"declared.turn": 2, "firer.moved": None, "firer.distance": "27/4"}, ""),
        ({"firer.moved": None}, "fact “declared.turn” is missing"),
        ({"target": 5}, "fact “target”: a text was expected"),
        ({"dice": True}, "fact “dice”: a whole number was expected"),
        ({"dice": 1.0}, "fact “dice”: a whole number was expected"),
        ({"faces": (5, "8")}, "fact “faces”: a list of whole numbers was expected"),
        ({"faces": 5}, "fact “faces”: a list of whole numbers was expected"),
        ({"words": (5,)}, "fact “words”: a list of texts was expected"),
        ({"fired": 1}, "fact “fired”: true or false was expected"),
        ({"declared.turn": 2, "firer.x": ()}, "fact “firer.x”: a text or a number was expected"),
        ({"firer": 1}, "unknown fact “firer”"),
        ({"range": "long"}, "unknown fact “range”"),
    ],
)
def test_a_fact_that_does_not_fit_its_declaration_is_named(changes: Mapping[str, Fact], fault: str) -> None:
    assert find_facts_fault(FIELDS, {**FITTING, **changes}) == fault


@pytest.mark.parametrize("name", ["target", "dice"])
def test_a_missing_fact_is_named(name: str) -> None:
    facts = {key: fact for key, fact in FITTING.items() if key != name}
    assert find_facts_fault(FIELDS, facts) == f"fact “{name}” is missing"


SHIP = ShipFacts(
    "fuji", "Fuji", "Japan", "Fuji", "battleship", 1897, 1896, 1897, 12533, Fraction(73, 4), belt=Fraction(18)
)


def test_guns_of_several_kinds_each_have_their_figures() -> None:
    turrets, chaser = read_guns("2x16.25in/30 + 1x254mm", "2 + 1")
    assert turrets == Guns(2, Fraction(65, 4), Fraction(30), 2, "2x16.25in/30")
    assert chaser == Guns(1, Fraction(10), None, 1, "1x254mm")
    assert read_guns("", "0") == ()


@pytest.mark.parametrize(
    ("text", "bearing"),
    [
        ("4x12", "4"),
        ("4 x 12in", "4"),
        ("0x12in", "0"),
        ("4x12in/40 + 2x6in", "4 + 2 + 1"),
        ("4x12in", "four"),
    ],
)
def test_guns_in_another_notation_are_refused(text: str, bearing: str) -> None:
    with pytest.raises(ValueError, match=r"expected|kinds of guns"):
        read_guns(text, bearing)


def test_armor_of_light_guns_may_cover_only_some() -> None:
    armor = read_gun_armor("6 (4 of 10)")
    assert armor is not None
    assert armor.inches == Fraction(6)
    assert armor.share == Fraction(2, 5)
    bulkheads = read_gun_armor("1 (6in end bulkheads)")
    assert bulkheads is not None
    assert bulkheads.note == "6in end bulkheads"
    assert read_gun_armor("") is None
    for wrong in ("six", "6 (11 of 10)", "6 (4 of 0)", "6 ("):
        with pytest.raises(ValueError, match="expected inches"):
            read_gun_armor(wrong)


def test_small_guns_are_two_figures() -> None:
    assert str(read_small("16x75-100mm + 8x37-65mm")) == "16x75-100mm + 8x37-65mm"
    with pytest.raises(ValueError, match="expected small guns"):
        read_small("16 + 8")


@pytest.mark.parametrize(
    ("ship", "says"),
    [
        (evolve(SHIP, heavy=read_guns("8x12in/40", "12")), "8x12in/40: 12 bear of 8"),
        (evolve(SHIP, knots=Fraction(40)), "40 knots"),
        (evolve(SHIP, belt=Fraction(30)), "a belt of 30 in"),
        (evolve(SHIP, belt_ends=Fraction(20)), "ends of 20 in, a belt of 18 in"),
        (evolve(SHIP, completed=1895), "completed 1895, launched 1896"),
        (evolve(SHIP, tubes=2, tubes_below=4), "4 tubes below water of 2"),
    ],
)
def test_an_implausible_figure_is_pointed_out(ship: ShipFacts, says: str) -> None:
    assert says in list_contradictions(ship)
    assert list_contradictions(SHIP) == ()


@pytest.mark.parametrize(
    ("attested", "fields", "marked"),
    [
        ("", ("speed",), True),
        ("speed", ("speed",), False),
        ("speed", ("speed", "armor"), True),
        ("speed,armor", ("speed", "armor"), False),
    ],
)
def test_a_figure_is_reconstructed_if_one_of_its_fields_is(
    attested: str, fields: tuple[str, ...], marked: bool
) -> None:
    ship = build_two_a_side().ships["rook"]
    card = {**ship.card, "values": ESTIMATED, "attested": attested}
    assert has_reconstructed_fields(evolve(ship, card=card), *fields) is marked
    assert not has_reconstructed_fields(evolve(ship, card={**card, "values": "attested"}), *fields)


def test_a_count_too_great_for_boxes_is_shown_as_a_figure() -> None:
    part = SheetPart("torpedoes", "18″")
    assert len(draw_countdown(BOXES_MOST, BOXES_MOST, 3)) == BOXES_MOST
    assert draw_countdown(BOXES_MOST + 1, BOXES_MOST, 3) == ()
    # The umpire set a larger value than printed: only boxes of the log are crossed.
    assert [box.state for box in draw_countdown(3, 5, 2)] == [BoxState.SLASH, BoxState.OPEN, BoxState.OPEN]
    assert add_count(part, 30).text == "18″ 30"
    assert add_count(evolve(part, boxes=draw_countdown(2, 2, 2)), 2).text == add_count(part, 0).text == "18″"


def test_an_empty_field_of_texts_is_not_read_as_a_count() -> None:
    """Do not show the first direction hit as `0 → 90 right`."""
    course = Field("course", "course", "texts")
    assert (course.convert_value(0), course.convert_value(("90 right",))) == ((), ("90 right",))
