"""Reading the charts, and laying the umpire's own over them."""

from fractions import Fraction
from pathlib import Path

import pytest

from qf_tui.library.charts import list_chart_contradictions, load_overlay
from qf_tui.rules.quickfire_clone import SYSTEM
from qf_tui.rules.quickfire_clone.game import find_line_name
from tests.rules.playing import changed, lay_cells, owed, reasons, result, write_chart
from tests.rules.quickfire_clone.tables import battle, charts, played, ship


@pytest.mark.clause("QFC-GUN-8")
@pytest.mark.parametrize(
    ("gunnery", "armor", "white", "hits"),
    [(10, 8, 3, ("G",)), (10, 8, 4, ()), (2, 9, 1, ()), (0.5, 0.5, 3, ("G",)), (2.5, 2, 3, ("G",))],
)
def test_white_at_or_below_the_cell_is_one_hit(
    gunnery: float, armor: float, white: int, hits: tuple[str, ...]
) -> None:
    """Check the edge of each cell, its row and column, and ½."""
    ajax, rook = ship("ajax", gunnery=(gunnery, 1)), ship("rook", "red", armor=(armor, 16))
    session = played(battle(ajax, rook))
    assert result(session, f"fire ajax heavy rook 130cm 6 {white}")["hits"] == hits


@pytest.mark.clause("QFC-GUN-8")
def test_heavy_meets_heavy_armour_and_light_meets_light() -> None:
    rook = ship("rook", "red", armor=(16, 0))
    assert result(played(battle(ship("ajax"), rook)), "fire ajax heavy rook 100cm 6 3")["hits"] == ()
    assert result(played(battle(ship("ajax"), rook)), "fire ajax light rook 100cm 6 3")["hits"] == ("G",)


def test_each_result_names_its_cell() -> None:
    """Mark no attested cell as ours."""
    told = reasons(played(battle()), "fire ajax heavy rook 100cm 1 3")
    cells = [(reason.cell, reason.chart) for reason in told if reason.chart]
    assert cells == [
        ("gunnery 8, 10 (section 2, gunnery chart)", "attested"),
        ("blast short 4 (section 2, blast damage)", "attested"),
    ]


@pytest.mark.clause("QFC-RUL-4")
@pytest.mark.parametrize(
    ("gunnery", "armor", "beyond", "cell"),
    [
        (20, 8, "edge", "gunnery 8, 16"),
        (10, 20, "edge", "gunnery 16, 10"),
        (20, 10, "in-proportion", "gunnery 8, 16"),
        (10, 20, "in-proportion", "gunnery 16, 8"),
        (16, 16, "in-proportion", "gunnery 16, 16"),
    ],
)
def test_a_value_beyond_16_is_read_at_16(gunnery: int, armor: int, beyond: str, cell: str) -> None:
    """Reduce both values in proportion by the switch."""
    ajax, rook = ship("ajax", gunnery=(gunnery, 1)), ship("rook", "red", armor=(armor, 1))
    session = played(battle(ajax, rook, beyond_chart=beyond))
    told = [reason.cell for reason in reasons(session, "fire ajax heavy rook 130cm 6 5") if reason.cell]
    assert told[0].startswith(f"{cell} (")


@pytest.mark.clause("QFC-RUL-10")
@pytest.mark.parametrize(
    ("armor", "switch", "row"),
    [
        (8.5, "lower", "8"),
        (0.75, "lower", "½"),
        (0.25, "lower", "0"),
        (8.5, "higher", "9"),
        (0.75, "higher", "1"),
        (8, "higher", "8"),
    ],
)
def test_armour_between_two_rows_uses_the_lower(armor: float, switch: str, row: str) -> None:
    """Round no armour, except by the switch."""
    rook = ship("rook", "red", armor=(armor, 1))
    session = played(battle(ship("ajax"), rook, armor_between=switch))
    told = [reason.cell for reason in reasons(session, "fire ajax heavy rook 130cm 6 6") if reason.cell]
    assert told[0].startswith(f"gunnery {row}, 10 (")


@pytest.mark.parametrize(
    ("value", "up", "name"), [(0, False, "½"), ("1/4", False, "½"), (7, True, "7"), (99, True, "9")]
)
def test_a_value_finds_its_column_in_an_own_chart_with_few_columns(
    value: int | str, up: bool, name: str
) -> None:
    """Find one for values below the first column and above the last."""
    assert find_line_name(("9", "½", "7"), Fraction(value), up=up) == name


OWN = """
[[table]]
name = "gunnery"
[[table.row]]
name = "9"
cells = { "13" = "3" }
[[table]]
name = "damage"
[[table.row]]
name = "explosion"
cells = { "5" = "D" }
[[table]]
name = "blast"
columns = ["11-12"]
[[table.row]]
name = "short"
cells = { "11-12" = "F" }
"""


def test_an_umpire_s_chart_is_laid_over_cell_by_cell(tmp_path: Path) -> None:
    """Let single totals win over printed spans, and read spans."""
    path = write_chart(SYSTEM, tmp_path, OWN)
    ajax, rook = ship("ajax", gunnery=(13, 1)), ship("rook", "red", armor=(9, 9))
    session = played(battle(ajax, rook), f"chart {path}")
    assert result(session, "fire ajax heavy rook 100cm 6 4")["hits"] == ()
    session.enter("damage rook E")
    assert result(session, "roll 2 3")["hits"] == ("D",)
    assert owed(session) == ["direction rook"]
    soft = played(battle(ship("ajax", gunnery=(16, 1)), ship("rook", "red", armor=(1, 1))), f"chart {path}")
    assert result(soft, "fire ajax heavy rook 100cm 6 6")["blast"] == ("F",)
    assert len(list_chart_contradictions(charts(), load_overlay(path, SYSTEM), SYSTEM.chart_shapes)) == 1


def test_the_umpire_s_own_repair_line_may_offer_more() -> None:
    """Read every kind in a cell."""
    rook = ship("rook", "red", log={"rof_heavy": 5, "speed_hits": 1}, courses=("straight ahead",))
    start = lay_cells(battle(ship("ajax"), rook, phase="repair"), "repair", "repair", {"12": "S or D"})
    session = played(start, "repair rook 6 6")
    assert session.battle.owed[0].words == ("speed", "course")
    assert changed(session, "answer course") == {"course": []}


def test_a_span_of_the_umpire_goes_before_ours_that_overlaps_it() -> None:
    """Use the umpire's 2-6 in place of our 2-7; nothing goes beyond it."""
    start = lay_cells(battle(phase="repair"), "damage", "explosion", {"2-6": "F"})
    assert result(played(start, "damage rook E"), "roll 1 5")["hits"] == ("F",)
    assert result(played(start, "damage rook E"), "roll 1 6")["hits"] == ("G", "G")


@pytest.mark.clause("QFC-BLA-4")
@pytest.mark.parametrize(("face", "course"), [(3, "full turn right"), (4, "straight ahead")])
def test_a_direction_is_read_from_the_umpire_s_own_columns(face: int, course: str) -> None:
    """Use the umpire's 1-3 in place of our 3-4."""
    start = lay_cells(battle(phase="repair"), "direction", "course", {"1-3": "full turn right"})
    assert changed(played(start, "damage rook D"), f"roll {face}") == {"course": [course]}


def test_rolls_on_rows_that_the_umpire_has_dropped_do_nothing() -> None:
    """Drop the direction row, and the whole gunnery chart."""
    start = lay_cells(battle(phase="repair"), "direction", "course", {})
    assert changed(played(start, "damage rook D"), "roll 3") == {}
    bare = battle()
    for row in charts()["gunnery"].rows:
        bare = lay_cells(bare, "gunnery", row, {})
    shot = result(played(bare), "fire ajax heavy rook 100cm 1 1")
    assert shot == {"fired": True, "hits": (), "blast": ()}
