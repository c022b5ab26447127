"""The chart, strict mode, measures and switches (QF-CHA, QF-SCA-1, QF-MV)."""

from pathlib import Path

import pytest

from qf_tui.core.values import Provenance
from qf_tui.library.charts import contradictions, load_overlay
from qf_tui.rules.quickfire import SYSTEM
from tests.rules.playing import (
    allowed,
    changed,
    chart_file,
    laid,
    one_cell,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
)
from tests.rules.quickfire.tables import battle, charts, craft, played, ship, to_phase

LINES = {"25": 3, "50": 4, "75": 5, "100": 6, "125": 7, "150": 8, "200": 9, "300": 10, "400": 11}
PRINTED = {("battery", name): str(total) for name, total in LINES.items()} | {
    ("hits", "hits"): "1 1 1 1 1 1 1 2 2 3",
    ("blast", "long"): "E F F - - - -",
    ("blast", "short"): "E D R F - - -",
    ("blast", "pb"): "E E D R F F -",
    ("damage", "explosion"): "2G 2G 2G 2G 2G 2G 2S 2S 2S 2S F,4S,2G",
    ("damage", "fire-check"): "- - - - - - out out out out E",
    ("damage", "repair"): "- - - fix fix fix - - - - -",
    ("damage", "repair-p"): "- - - fix fix fix fix fix fix - -",
    ("torpedo", "moving"): "2 3 4 5",
    ("torpedo", "static"): "3 4 5 6",
    ("boat-guns", "boat-guns"): "- - - G T S",
    ("sinking", "sinks-on"): "2 3 4 5 6",
}
ATTESTED = {
    ("battery", "125", "total"),
    ("hits", "hits", "4"),
    ("hits", "hits", "6"),
    ("hits", "hits", "9"),
    ("torpedo", "moving", "4"),
    ("boat-guns", "boat-guns", "5"),
    *(("damage", row, str(total)) for row in ("repair", "repair-p") for total in range(2, 13)),
}


@pytest.mark.clause("QF-CHA-1")
def test_every_cell_is_as_printed() -> None:
    """Catches a cell that slipped, and a row or table too many."""
    found = {
        (chart.name, row.name): " ".join(cell.text.replace(" ", ",") for cell in row.cells.values())
        for chart in charts().values()
        for row in chart.rows.values()
    }
    assert found == PRINTED


@pytest.mark.clause("QF-CHA-1")
def test_the_attested_cells_are_those_and_name_their_source() -> None:
    """Catches a reconstructed cell passed off as attested."""
    found = set()
    for chart in charts().values():
        for row in chart.rows.values():
            for column, cell in row.cells.items():
                if cell.status is Provenance.ATTESTED:
                    assert cell.source
                    found.add((chart.name, row.name, column))
    assert found == ATTESTED


@pytest.mark.clause("QF-CHA-1")
def test_a_result_on_a_reconstructed_cell_is_marked() -> None:
    session = played(battle(ship("ajax", gunnery=(16, 16)), ship("rook", "red", armor=(11, 11))))
    marks = [reason.chart for reason in reasons(session, "fire ajax heavy rook long 1 2 4")]
    assert marks == ["", "attested", "attested", "reconstructed"]


@pytest.mark.clause("QF-CHA-2")
def test_the_umpire_lays_his_chart_over_ours(tmp_path: Path) -> None:
    """Catches an overlay not read, a contradiction not told, and cells that the game does not have."""
    text = one_cell("battery", "125", "total", "8")
    own = chart_file(SYSTEM, tmp_path, f'{text}[[table.row]]\nname = "175"\ncells = {{ "total" = "9" }}\n')
    overlay = load_overlay(own, SYSTEM)
    assert [warning for warning in contradictions(charts(), overlay, SYSTEM.chart_shapes) if "125" in warning]
    start = laid(
        battle(ship("ajax", gunnery=(18, 0)), ship("rook", "red")), "battery", "175", {"total": "10"}
    )
    assert "175% line, 10 or less" in reasons(played(start), "fire ajax heavy rook long 1 5 5")[1].text


@pytest.mark.clause("QF-CHA-3")
def test_strict_mode_asks_for_each_reconstructed_cell_in_turn() -> None:
    """Catches a cell read without asking: the line, the hits and the blast of one shot."""
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
@pytest.mark.parametrize(
    ("order", "cell"),
    [
        ("torpedo ajax rook in 1 2", ("torpedo", "moving", "2")),
        ("boats ajax skiff 6", ("boat-guns", "boat-guns", "6")),
    ],
)
def test_strict_mode_asks_outside_gunnery_too(order: str, cell: tuple[str, ...]) -> None:
    session = played(battle(ship("ajax"), ship("rook", "red"), craft("skiff"), strict=True), order)
    assert question(session, "chart").cell == cell


@pytest.mark.clause("QF-CHA-3")
def test_strict_mode_asks_in_checks_and_sinking() -> None:
    lost = ship("rook", "red", fires=1, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), lost, strict=True), "next", "roll 6 5")
    assert question(session, "chart").cell == ("damage", "fire-check", "11")
    assert changed(session, "answer out") == {"fires": 0}
    to_sinking = played(battle(ship("ajax"), lost, phase="repair", strict=True), "next", "roll 1 2")
    assert question(to_sinking, "chart").cell == ("sinking", "sinks-on", "11+")
    assert changed(to_sinking, "answer 3") == {"status": "sunk", "sunk": True}


@pytest.mark.clause("QF-CHA-3")
def test_strict_mode_asks_nothing_of_attested_cells() -> None:
    start = battle(ship("ajax", gunnery=(16, 16)), ship("rook", "red", armor=(11, 11)), strict=True)
    assert result(played(start), "fire ajax heavy rook long 1 6 3")["hits"] == ()
    hurt = battle(ship("ajax"), ship("rook", "red", log={"speed_hits": 1}), phase="repair", strict=True)
    assert result(played(hurt), "repair rook speed 3 3")["mended"] is True
    assert refusal(played(hurt), "answer none") == ""


def test_the_line_of_the_tests_leads_everywhere() -> None:
    """A whole turn with every least roll goes round."""
    assert to_phase(played(battle(phase="movement")), "movement").battle.turn == 2


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
