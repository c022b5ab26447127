"""Which ships cannot keep their place among others, by the rule system's own word."""

import pytest

from qf_tui.session import Session
from tests.console.playing import bench
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import enter

FAMILY = [
    ((), False),
    (("mark ohio speed_hits 6",), False),
    (("mark ohio speed_hits 7",), True),
    (("mark ohio speed_hits 8",), True),
    (("mark ohio speed_lost 8",), True),
    (("damage ohio D",), False),
    (("damage ohio D", "roll 1/direction/ohio/1 5"), True),
    (("damage ohio F F",), False),
]


@pytest.mark.clause("AQF-MV-2")
@pytest.mark.parametrize(("orders", "left"), FAMILY)
def test_a_ship_that_is_steered_or_cannot_pivot_leaves_the_line(orders: tuple[str, ...], left: bool) -> None:
    session = bench()
    for order in orders:
        session.enter(order)
    assert out_of_line(session, "ohio") is left
    assert not out_of_line(session, "mikasa")


@pytest.mark.clause("GQ2-CRI-2")
@pytest.mark.parametrize(
    ("orders", "left"),
    [
        ((), False),
        (("damage rook CA", "roll 2"), True),
        (("damage rook CA", "roll 0"), False),
        (("mark rook hull_lost 4",), False),
        (("mark rook hull_lost 5",), True),
    ],
)
def test_a_damaged_rudder_or_a_hull_without_speed_leaves_the_line(
    orders: tuple[str, ...], left: bool
) -> None:
    session = gq2.played(gq2.battle())
    enter(session, *orders)
    assert out_of_line(session, "rook") is left


def out_of_line(session: Session, ship: str) -> bool:
    return session.system.out_of_line(session.battle, session.battle.ships[ship])
