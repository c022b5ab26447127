"""Distances and turning, as far as Quickfire reads them as its sister does (QF-MV-1, QF-MV-2, QF-SCA-1)."""

import pytest

from qf_tui.rules.quickfire import SYSTEM
from tests.rules.playing import allowed, reasons, refusal, values
from tests.rules.quickfire.tables import battle, played, ship


@pytest.mark.clause("QF-MV-1")
@pytest.mark.parametrize(("typed", "fine"), [("5⅞in", True), ("5.91in", True), ("5.97in", False)])
def test_the_limit_as_it_is_shown_can_be_typed(typed: str, fine: bool) -> None:
    """Catches the available speed refused as it is shown: 5.90625″."""
    start = battle(ship("ajax", speed=6.75, log={"speed_hits": 1}), ship("rook", "red"), phase="movement")
    session = played(start)
    assert allowed(session, f"move ajax {typed}") is fine
    if fine:
        session.enter(f"move ajax {typed}")
        assert values(session, "ajax")["moved"] == 7
        assert session.battle.ships["ajax"].log["distance"] == "189/32"
    else:
        assert refusal(session, f"move ajax {typed}") == "QF-MV-1"


@pytest.mark.clause("QF-MV-2")
def test_pivots_are_paid_for_and_need_steerageway() -> None:
    """Catches a second pivot taken off a measured distance, and one in the first box."""
    session = played(battle(phase="movement"))
    assert refusal(session, "move ajax 1 pivots 1") == "QF-MV-2"
    assert refusal(session, "move ajax 8in pivots 2") == "QF-MV-2"
    session.enter("move ajax 7in pivots 2")
    assert values(session, "ajax")["moved"] == 8
    templates = played(battle(phase="movement", turning="templates"))
    assert allowed(templates, "move ajax 8 pivots 2")


@pytest.mark.clause("QF-DAM-2")
def test_damage_that_steers_works_the_move_out() -> None:
    """Catches a steered ship that goes as it likes, and pivots worked out where templates turn it."""
    ships = (ship("ajax", courses=("45 left",)), ship("rook", "red"))
    session = played(battle(*ships, phase="movement"))
    assert refusal(session, "move ajax 6 pivots 1") == "QF-DAM-2"
    said = [reason.text for reason in reasons(session, "move ajax 6")]
    assert said[:2] == [
        "Ajax: 5″, 6 boxes",
        "steered by its damage, 45° left: two pivots of 45° left",
    ]
    templates = played(battle(*ships, phase="movement", turning="templates"))
    assert [reason.text for reason in reasons(templates, "move ajax 6")] == [
        "Ajax: 6″, 6 boxes",
        "steered by its damage, 45° left",
    ]


@pytest.mark.clause("QF-DAM-2")
def test_a_full_turn_is_left_to_the_table() -> None:
    """Catches degrees made up for a course that has none."""
    ajax = ship("ajax", courses=("full turn left",))
    session = played(battle(ajax, ship("rook", "red"), phase="movement", direction_by="full-turn"))
    assert reasons(session, "move ajax 6")[0].text == "Ajax: 6″, 6 boxes"


@pytest.mark.clause("QF-SCA-1")
@pytest.mark.parametrize(("scale", "kept"), [("old-small", "13in"), ("old-large", "26in")])
def test_ranges_in_the_measures_of_the_sea(scale: str, kept: str) -> None:
    """Catches a sea mile of another scale, and lines that nobody can look up."""
    session = played(battle(scale=scale))
    session.enter("fire ajax heavy rook 1nm 1 1 1")
    assert session.timeline.versions[1].order.resolved == f"fire ajax heavy rook {kept}"
    figures = {(one.name, one.unit): one.figures for one in SYSTEM.scales}
    assert figures["old-small", "in"]["short"] == "4-24"
