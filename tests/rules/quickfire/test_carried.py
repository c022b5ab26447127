"""Attacks whose dice come after their phase, by the umpire's word (QF-PH-2, QF-TOR-1)."""

import pytest

from tests.rules.playing import owed, reasons, result, values
from tests.rules.quickfire.tables import battle, played, ship


@pytest.mark.clause("QF-PH-2")
@pytest.mark.clause("QF-OPT-1")
def test_a_shot_carried_into_the_next_gunnery_phase_has_the_rof_of_its_own() -> None:
    """Catches hits of its own phase that count against it, and its ROF lent to the shot after it."""
    start = battle(ship("ajax", rof=(4, 4)), ship("rook", "red"), gunnery_phases="2")
    session = played(start, "fire ajax heavy rook short", "damage ajax G", "force next")
    assert values(session, "ajax")["rof_heavy"] == 3
    assert result(session, "roll 4 6 6")["fired"] is True
    assert result(session, "fire ajax heavy rook short 4")["fired"] is False


@pytest.mark.clause("QF-TOR-1")
@pytest.mark.clause("QF-TOR-2")
def test_a_torpedo_carried_over_has_the_rating_and_motion_of_its_phase() -> None:
    """Catches a rating lowered by the hits of its own phase, and a target that moves again."""
    start = battle(ship("ajax", torpedo=4), ship("rook", "red"), phase="movement")
    session = played(start, "move rook 1", "next", "torpedo ajax rook in", "damage ajax T T")
    while session.battle.turn == 1:
        session.enter("force next")
    session.enter("move rook 3")
    told = [reason.text for reason in reasons(session, "roll 3 3")]
    assert told[0] == "torpedo rating 4, static target: 6≤6, a strike"
    assert owed(session) == ["speed-hits rook"]
