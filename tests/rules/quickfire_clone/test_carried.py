"""Attacks whose dice come after their phase, by the umpire's word (QFC-PH-2)."""

import pytest

from tests.rules.playing import reasons, result, values
from tests.rules.quickfire_clone.tables import USED, battle, played, ship


@pytest.mark.clause("QFC-PH-2")
def test_a_shot_carried_over_has_the_rof_of_its_own_phase() -> None:
    """Catches hits of its own phase that count against it."""
    start = battle(ship("ajax", rof=(4, 4), log=USED), ship("rook", "red"))
    session = played(start, "fire ajax heavy rook 130cm", "damage ajax G", "force next")
    assert values(session, "ajax")["rof_heavy"] == 3
    assert result(session, "roll 4 6")["fired"] is True


@pytest.mark.clause("QFC-PH-2")
@pytest.mark.clause("QFC-TOR-2")
def test_a_torpedo_carried_over_has_the_rating_and_motion_of_its_phase() -> None:
    """Catches a rating lowered by the hits of its own phase, and a target that moves again."""
    start = battle(ship("ajax", torpedo=2), ship("rook", "red"), phase="move")
    session = played(start, "move rook 20mm", "next", "torpedo ajax rook 20cm", "damage ajax T")
    while session.battle.turn == 1:
        session.enter("force next")
    session.enter("move rook 40mm")
    told = [reason.text for reason in reasons(session, "roll 1 2 2")]
    assert told[0] == "torpedo rating 2, static target: 5≤5, a strike"
