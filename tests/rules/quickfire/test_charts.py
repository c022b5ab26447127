"""The umpire's chart over ours, strict mode, pivots and forced courses (QF-CHA, QF-MV-2, QF-DAM-2)."""

from pathlib import Path

import pytest

from qf_tui.library.charts import list_chart_contradictions, load_overlay
from qf_tui.rules.quickfire import SYSTEM
from tests.rules.playing import (
    changed,
    format_cell,
    lay_cells,
    owed,
    question,
    reasons,
    refusal,
    values,
    write_chart,
)
from tests.rules.quickfire.tables import battle, charts, played, ship


@pytest.mark.clause("QF-CHA-1")
def test_a_result_on_a_reconstructed_cell_is_marked() -> None:
    session = played(battle(ship("ajax", gunnery=(16, 16)), ship("rook", "red", armor=(11, 11))))
    marks = [reason.chart for reason in reasons(session, "fire ajax heavy rook long 1 2 4")]
    assert marks == ["", "attested", "attested", "reconstructed"]


@pytest.mark.clause("QF-CHA-2")
def test_the_umpire_lays_his_chart_over_ours(tmp_path: Path) -> None:
    """Read the overlay, report contradictions, and refuse cells that the game lacks."""
    text = format_cell("battery", "125", "total", "8")
    own = write_chart(SYSTEM, tmp_path, f'{text}[[table.row]]\nname = "175"\ncells = {{ "total" = "9" }}\n')
    overlay = load_overlay(own, SYSTEM)
    assert [
        warning
        for warning in list_chart_contradictions(charts(), overlay, SYSTEM.chart_shapes)
        if "125" in warning
    ]
    start = lay_cells(
        battle(ship("ajax", gunnery=(18, 0)), ship("rook", "red")), "battery", "175", {"total": "10"}
    )
    assert "175% line, 10 or less" in reasons(played(start), "fire ajax heavy rook long 1 5 5")[1].text


@pytest.mark.clause("QF-CHA-3")
def test_strict_mode_asks_for_each_reconstructed_cell_in_turn() -> None:
    """Ask for the line, the hits and the blast of one shot."""
    session = played(battle(strict=True), "fire ajax heavy rook long 1 1 1")
    for cell, answer in (
        (("battery", "200", "total"), "9"),
        (("hits", "hits", "2"), "2"),
        (("blast", "long", "3"), "F T"),
    ):
        assert owed(session) == ["chart ajax"]
        assert question(session, "chart").cell == cell
        assert not session.preview_order("answer perhaps").fine
        last = session.enter(f"answer {answer}")
    assert last.ruling is not None
    assert dict(last.ruling.decision.outcome)["blast"] == ("F", "T")
    told = values(session, "rook")
    assert (told["speed_hits"], told["fires"], told["torpedo"]) == (2, 1, 1)


@pytest.mark.clause("QF-CHA-3")
def test_strict_mode_asks_in_checks_and_sinking() -> None:
    lost = ship("rook", "red", fires=1, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), lost, strict=True), "next", "roll 6 5")
    assert question(session, "chart").cell == ("damage", "fire-check", "11")
    assert changed(session, "answer out") == {"fires": 0}
    to_sinking = played(battle(ship("ajax"), lost, phase="repair", strict=True), "next", "roll 1 2")
    assert question(to_sinking, "chart").cell == ("sinking", "sinks-on", "11+")
    assert changed(to_sinking, "answer 3") == {"status": "sunk", "sunk": True}


@pytest.mark.clause("QF-MV-2")
def test_pivots_cost_boxes_and_need_steerageway() -> None:
    """Take no second pivot off a measured distance, and allow none in the first box."""
    session = played(battle(phase="movement"))
    assert refusal(session, "move ajax 1 pivots 1") == "QF-MV-2"
    assert refusal(session, "move ajax 8in pivots 2") == "QF-MV-2"
    session.enter("move ajax 7in pivots 2")
    assert values(session, "ajax")["moved"] == 8
    templates = played(battle(phase="movement", turning="templates"))
    templates.enter("move ajax 8 pivots 2")


@pytest.mark.clause("QF-DAM-2")
def test_a_full_turn_is_left_to_the_table() -> None:
    """Make up no degrees for a course that has none."""
    ajax = ship("ajax", courses=("full turn left",))
    session = played(battle(ajax, ship("rook", "red"), phase="movement", direction_by="full-turn"))
    assert reasons(session, "move ajax 6")[0].text == "Ajax: 6″, 6 boxes"
