"""An order of a whole division, where some of its ships cannot do all of it."""

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.quickfire_clone import tables as clone


def shared(session: Session, line: str) -> list[str]:
    """The orders in whose place a refused one may be entered."""
    order = session.read(line).order
    assert order is not None
    return [one.line for one in session.system.possible(session.battle, order)]


AJAX, BOYNE, CRIPPLE = advanced.ship("ajax"), advanced.ship("boyne"), advanced.ship("cripple")
CRIPPLED = ("mark cripple speed_hits 6",)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("before", "line", "parts"),
    [
        (CRIPPLED, "move ajax,boyne,cripple 6", ["move ajax,boyne 6", "move cripple 2"]),
        (CRIPPLED, "move ajax,boyne,cripple 5.5in", ["move ajax,boyne 5.5in", "move cripple 2"]),
        ((*CRIPPLED, "move ajax 3"), "move ajax,boyne,cripple 6", ["move boyne 6", "move cripple 2"]),
        (("move cripple 3",), "move ajax,boyne,cripple 6", ["move ajax,boyne 6"]),
        (CRIPPLED, "move cripple 6", []),
        ((), "move ajax,boyne,cripple 6", []),
    ],
)
def test_a_move_of_a_division_takes_each_ship_as_far_as_it_can(
    before: tuple[str, ...], line: str, parts: list[str]
) -> None:
    """Catches an order of eight ships that is refused for one of them, with nothing offered in its place."""
    session = advanced.played(advanced.battle(AJAX, BOYNE, CRIPPLE, phase="movement"), *before)
    assert shared(session, line) == parts
    for part in parts:
        session.enter(part)


@pytest.mark.clause("AQF-MV-1")
def test_a_script_is_refused_and_told_what_would_be_possible() -> None:
    """Catches a script whose order is shared out unasked, or that is not told how far the ship can go."""
    session = advanced.played(advanced.battle(AJAX, CRIPPLE, phase="movement"), *CRIPPLED)
    with pytest.raises(OrderRefused, match=r"more than the 2″ available"):
        session.enter("move ajax,cripple 6")


@pytest.mark.clause("GQ2-MV-1")
def test_a_flotilla_of_general_quarters_is_shared_out_in_inches() -> None:
    """Catches the offer of more inches than the ship has."""
    start = gq2.battle(gq2.ship("lion"), gq2.ship("tiger"), phase="movement")
    session = gq2.played(start, "mark tiger hull_lost 4")
    parts = shared(session, "move lion,tiger 9")
    assert parts[0] == "move lion 9"
    assert parts[1].startswith("move tiger ")
    for part in parts:
        session.enter(part)


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize("asked", ["9", "9in"])
def test_the_inches_of_one_offer_are_all_written_in_one_way(asked: str) -> None:
    """Catches `9` beside `7.5in`."""
    slow = gq2.ship("tiger", hull=(7.5, 6, 4.5, 3, 1.5))
    session = gq2.played(gq2.battle(gq2.ship("lion"), slow, phase="movement"))
    parts = shared(session, f"move lion,tiger {asked}")
    assert parts == ["move lion 9in", "move tiger 7.5in"]
    for part in parts:
        session.enter(part)


@pytest.mark.clause("QFC-MV-1")
def test_a_measured_move_is_shared_out_within_the_limits_of_each_ship() -> None:
    """Catches a slow ship that is offered boxes, or more millimetres than it makes."""
    slow = clone.ship("slow", speed=50)
    session = clone.played(clone.battle(clone.ship("ajax"), slow, phase="move"))
    parts = shared(session, "move ajax,slow 90mm")
    assert parts == ["move ajax 90mm", "move slow 50mm"]
