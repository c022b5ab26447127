"""Facts of ships as they are printed, and what in them can hardly be so."""

from fractions import Fraction

import pytest
from attrs import evolve

from qf_tui.core.ship_facts import Guns, ShipFacts, contradictions, read_gun_armor, read_guns, read_small

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
def test_guns_that_are_not_printed_so_are_refused(text: str, bearing: str) -> None:
    with pytest.raises(ValueError, match=r"expected|kinds of guns"):
        read_guns(text, bearing)


def test_armor_of_light_guns_may_be_that_of_some() -> None:
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
def test_what_can_hardly_be_so_is_pointed_out(ship: ShipFacts, says: str) -> None:
    assert says in contradictions(ship)
    assert contradictions(SHIP) == ()
