"""Attacks whose dice come after their phase (AQF-PH-2, AQF-GUN-3, AQF-TOR-4, AQF-TOR-7)."""

import pytest

from qf_tui.core.values import Battle
from qf_tui.core.verify import differences
from tests.rules.advanced_quickfire.tables import battle, played, ship
from tests.rules.family import Card
from tests.rules.playing import allowed, question, reasons, refusal, result, values

SLOW: Card = {"rof": (6, 12)}


def duel(**options: str) -> Battle:
    """Ajax with heavy ROF 6 against Rook."""
    return battle(ship("ajax", **SLOW), ship("rook", "red"), **options)


@pytest.mark.clause("AQF-PH-2")
@pytest.mark.parametrize("phases", [1, 2, 5])
def test_a_shot_carried_over_is_judged_with_the_rof_that_its_own_phase_began_with(phases: int) -> None:
    """Catches hits of its own phase that count against it, one phase later or next turn."""
    session = played(duel(), "fire ajax heavy rook medium", "damage ajax G", *["force next"] * phases)
    assert values(session, "ajax")["rof_heavy"] == 5
    assert result(session, "roll 6 1")["fired"] is True
    assert differences(session.system, session.timeline, session.program) == ()


@pytest.mark.clause("AQF-PH-2")
def test_the_shot_after_it_has_the_rof_of_its_own_phase() -> None:
    """Catches a carried shot whose ROF stays for the shots of the new phase."""
    session = played(duel(untried_refire="yes"), "fire ajax light rook medium", "damage ajax G", "force next")
    session.enter("roll 12 12")
    assert result(session, "fire ajax heavy rook medium 6")["fired"] is False


@pytest.mark.clause("AQF-PH-2")
def test_a_correction_of_its_phase_reaches_a_shot_carried_over() -> None:
    """Catches a ROF that is kept from before the correction."""
    session = played(duel(), "fire ajax heavy rook medium", "damage ajax G", "force next", "roll 6 12")
    entered = session.enter("insert 0 mark ajax rof_heavy 5")
    assert [each.entry for each in entered.consequences.reread] == [4]
    assert dict(session.timeline.rulings[4].decision.outcome)["fired"] is False


@pytest.mark.clause("AQF-GUN-3")
def test_a_shot_carried_over_knows_only_the_misses_before_it() -> None:
    """Catches a miss of the phase after it taken off its own roll, and its own miss lost to the next shot."""
    session = played(duel(), "fire ajax heavy rook medium", "force next")
    session.enter("force fire ajax heavy rook medium 7")
    told = [reason.text for reason in reasons(session, "roll 7")]
    assert told == ["heavy ROF 7>6: misses"]


@pytest.mark.clause("AQF-PH-3")
def test_its_roll_still_belongs_to_the_first_gunnery_phase() -> None:
    """Catches a battery that may not try again, or may after it fired, because its dice came late."""
    failed = played(duel(), "fire ajax heavy rook medium", "force next")
    assert refusal(failed, "fire ajax heavy rook medium 7 5") == "AQF-PH-3"
    failed.enter("roll 7")
    assert allowed(failed, "fire ajax heavy rook medium 7 5")
    passed = played(duel(), "fire ajax heavy rook medium", "force next", "roll 6 12")
    assert refusal(passed, "fire ajax heavy rook medium 6 5") == "AQF-PH-3"


@pytest.mark.clause("AQF-TOR-4")
@pytest.mark.clause("AQF-TOR-7")
def test_a_torpedo_carried_into_the_next_turn_keeps_its_target_s_motion_and_its_reload() -> None:
    """Catches a static target that moves again, and a reload lowered by the hits of its own phase."""
    session = played(battle(phase="movement"), "move rook 1", "next", "next")
    session.enter("torpedo ajax rook in")
    session.enter("damage ajax T")
    while session.battle.turn == 1:
        session.enter("force next")
    session.enter("move rook 4")
    told = [reason.text for reason in reasons(session, f"roll {question(session, 'torpedo').key} 2 7")]
    assert told[0] == "torpedo 2 -1 static target: a strike"
    assert not [text for text in told if "out of torpedoes" in text]


@pytest.mark.clause("AQF-CHA-3")
@pytest.mark.clause("AQF-PH-2")
def test_a_cell_read_out_a_phase_later_decides_the_shot_as_it_was_thrown() -> None:
    """Catches a shot that no longer fires once its chart is read."""
    start = battle(ship("ajax", **SLOW), ship("rook", "red"), strict=True)
    session = played(start, "fire ajax heavy rook long 6 1", "damage ajax G", "force next")
    session.enter(f"answer {question(session, 'chart').key} 1")
    session.enter(f"answer {question(session, 'chart').key} none")
    assert values(session, "rook")["rof_heavy"] == 11
