"""The chances of an order against a count of every throw."""

from fractions import Fraction
from itertools import product

import pytest

from qf_tui.core.odds import chances, throws
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.values import Die
from tests.core.playing import battle, ship
from tests.core.reading import parse
from tests.tiny import SHOOT, SYSTEM

D6 = Die(6)


@pytest.mark.parametrize("guns", range(6))
@pytest.mark.parametrize("raking", ["", "raking"])
def test_the_chances_of_a_shot_are_those_of_all_its_throws(guns: int, raking: str) -> None:
    here = battle(ship("ant", guns=guns), ship("cat", "south"))
    ready = SYSTEM.prepare(here, parse(f"shoot ant cat {raking}", {"shoot": SHOOT}, here))
    need = guns + (raking == "raking")
    hits = Fraction(sum(black <= need for black, _ in product(range(1, 7), repeat=2)), 36)
    hulls = Fraction(sum(b <= need and w != 4 for b, w in product(range(1, 7), repeat=2)), 36)
    assert [chance.value for chance in chances(ready)] == [hits, hulls]


def test_dice_already_thrown_are_not_thrown_again() -> None:
    here = battle()
    ready = SYSTEM.prepare(here, parse("shoot ant cat", {"shoot": SHOOT}, here))
    assert [chance.value for chance in chances(ready, (1,))] == [1, Fraction(5, 6)]
    assert list(throws(ready, (6,))) == [((1, 1), (6,))]


def test_a_pool_counts_each_throw_as_often_as_it_falls() -> None:
    ready = PreparedOrder(
        dice=(D6,) * 4,
        missing=lambda faces: (D6,) * (4 - len(faces)),
        judge=lambda faces: (sum(face >= 5 for face in faces), int(max(faces) == 6)),
        odds=(Measure("hits", 0, mean=True), Measure("a six", 1)),
    )
    every = list(product(range(1, 7), repeat=4))
    sixes = Fraction(sum(max(faces) == 6 for faces in every), len(every))
    assert [chance.value for chance in chances(ready)] == [Fraction(4, 3), sixes]


def test_a_pool_that_asks_for_more_dice_is_thrown_to_its_end() -> None:
    """Two dice, and a third where they are a double."""

    def missing(faces: Faces) -> tuple[Die, ...]:
        wanted = 3 if len(faces) >= 2 and faces[0] == faces[1] else 2
        return (D6,) * (wanted - len(faces))

    ready = PreparedOrder(
        dice=(D6,) * 3,
        missing=missing,
        judge=lambda faces: (int(len(faces) == 3 and faces[2] == 6),),
        odds=(Measure("six", 0),),
    )
    assert [chance.value for chance in chances(ready)] == [Fraction(1, 36)]
    assert sum(Fraction(*weight) for weight, _ in throws(ready)) == 1


def test_an_order_without_figures_or_with_too_many_dice_shows_none() -> None:
    assert chances(PreparedOrder()) == ()
    many = PreparedOrder(dice=(D6,) * 20, missing=lambda faces: (D6,) * 20, odds=(Measure("hits", 0),))
    assert chances(many) == ()
