"""The charts, all attested, the umpire's own laid over them, and every switch."""

from fractions import Fraction
from pathlib import Path

import pytest

from qf_tui.core.values import Provenance
from qf_tui.library.charts import contradictions, load_overlay
from qf_tui.rules.quickfire_clone import SYSTEM
from qf_tui.rules.quickfire_clone.game import step
from tests.rules.playing import changed, chart_file, laid, owed, reasons, result
from tests.rules.quickfire_clone.tables import battle, charts, played, ship

GUNNERY = """
      ½  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16
 0    4  6  6  6  6  6  6  6  6  6  6  6  6  6  6  6  6
 ½    3  5  6  6  6  6  6  6  6  6  6  6  6  6  6  6  6
 1    2  3  5  6  6  6  6  6  6  6  6  6  6  6  6  6  6
 2    1  2  3  4  5  5  6  6  6  6  6  6  6  6  6  6  6
 3    -  1  2  3  3  4  5  5  5  6  6  6  6  6  6  6  6
 4    -  1  2  2  3  3  4  4  5  5  5  5  6  6  6  6  6
 5    -  -  1  2  2  3  3  3  4  4  5  5  5  5  5  6  6
 6    -  -  1  2  2  2  3  3  3  4  4  4  5  5  5  5  5
 7    -  -  1  1  2  2  2  3  3  3  3  4  4  4  5  5  5
 8    -  -  1  1  2  2  2  2  3  3  3  3  4  4  4  4  5
 9    -  -  -  1  1  2  2  2  2  3  3  3  3  4  4  4  4
10    -  -  -  1  1  2  2  2  2  2  3  3  3  3  3  4  4
11    -  -  -  1  1  1  2  2  2  2  2  3  3  3  3  3  3
12    -  -  -  1  1  1  2  2  2  2  2  2  3  3  3  3  3
13    -  -  -  -  1  1  1  2  2  2  2  2  2  3  3  3  3
14    -  -  -  -  1  1  1  2  2  2  2  2  2  2  3  3  3
15    -  -  -  -  1  1  1  1  2  2  2  2  2  2  2  3  3
16    -  -  -  -  1  1  1  1  2  2  2  2  2  2  2  2  3
"""
"""The gunnery chart in its printed form: armour down, gunnery value across."""

OTHERS = {
    ("blast", "long"): {"2": "-", "3": "F", "4": "F", "5": "-"},
    ("blast", "short"): {"2": "F", "3": "R", "4": "B", "5": "E"},
    ("damage", "explosion"): {"2-7": "2G", "8-11": "2S", "12": "F, 4S, 2G"},
    ("damage", "blast"): {"2-7": "R", "8-11": "T", "12": "D"},
    ("direction", "course"): {"1-2": "full turn left", "3-4": "straight ahead", "5-6": "full turn right"},
    ("torpedo", "moving"): {"1": "3", "2": "4", "3": "5", "4": "6"},
    ("torpedo", "static"): {"1": "4", "2": "5", "3": "6", "4": "7"},
    ("repair", "fire-check"): {"2-7": "-", "8-11": "out", "12": "S"},
    ("repair", "repair"): {"2-7": "G or S", "8-11": "S", "12": "-"},
    ("sinking", "sinks-on"): {"11+": "2", "7-10": "3", "4-6": "4", "2-3": "5", "1": "6"},
}


def printed() -> dict[tuple[str, str], str]:
    """The printed gunnery chart, cell by cell."""
    columns, *rows = (line.split() for line in GUNNERY.strip().splitlines())
    return {(row[0], column): cell for row in rows for column, cell in zip(columns, row[1:], strict=True)}


@pytest.mark.clause("QFC-GUN-8")
def test_the_306_cells_of_the_gunnery_chart_are_the_printed_ones_in_their_order() -> None:
    """Catches one cell, and a row or column that is lost, added or out of place."""
    rows = charts()["gunnery"].rows
    found = {(name, column): cell.text for name, row in rows.items() for column, cell in row.cells.items()}
    assert [*found.items()] == [*printed().items()]
    assert len(found) == 306


@pytest.mark.clause("QFC-BLA-1")
@pytest.mark.clause("QFC-BLA-2")
@pytest.mark.clause("QFC-BLA-3")
@pytest.mark.clause("QFC-TOR-2")
@pytest.mark.clause("QFC-REP-1")
@pytest.mark.clause("QFC-REP-2")
@pytest.mark.clause("QFC-SNK-2")
def test_the_other_tables_are_the_printed_ones() -> None:
    """Catches one cell of the smaller tables, and a table or row too many."""
    tables = {
        (name, row.name): {column: cell.text for column, cell in row.cells.items()}
        for name, chart in charts().items()
        for row in chart.rows.values()
        if name != "gunnery"
    }
    assert tables == OTHERS


def test_every_cell_is_attested_with_its_source() -> None:
    """Catches a cell that loses its provenance: these rules print all of them."""
    cells = [
        cell for chart in charts().values() for row in chart.rows.values() for cell in row.cells.values()
    ]
    assert {cell.status for cell in cells} == {Provenance.ATTESTED}
    assert all(cell.source for cell in cells)


@pytest.mark.clause("QFC-GUN-8")
@pytest.mark.parametrize(
    ("gunnery", "armor", "white", "hits"),
    [
        (10, 8, 3, ("G",)),
        (10, 8, 4, ()),
        (13, 9, 4, ("S",)),
        (13, 9, 5, ()),
        (2, 9, 1, ()),
        (1, 0, 6, ("S",)),
        (0.5, 0.5, 3, ("G",)),
        (0.5, 0.5, 4, ()),
        (2.5, 2, 3, ("G",)),
        (2.5, 2, 4, ()),
    ],
)
def test_white_at_or_below_the_cell_is_one_hit(
    gunnery: float, armor: float, white: int, hits: tuple[str, ...]
) -> None:
    """Catches an off-by-one at the cell, a row or column read beside it, and ½ read as nothing."""
    ajax, rook = ship("ajax", gunnery=(gunnery, 1)), ship("rook", "red", armor=(armor, 16))
    session = played(battle(ajax, rook))
    assert result(session, f"fire ajax heavy rook 130cm 6 {white}")["hits"] == hits


@pytest.mark.clause("QFC-GUN-8")
def test_heavy_meets_heavy_armour_and_light_meets_light() -> None:
    """Catches the two armours exchanged."""
    rook = ship("rook", "red", armor=(16, 0))
    assert result(played(battle(ship("ajax"), rook)), "fire ajax heavy rook 100cm 6 3")["hits"] == ()
    assert result(played(battle(ship("ajax"), rook)), "fire ajax light rook 100cm 6 3")["hits"] == ("G",)


def test_each_result_names_its_cell() -> None:
    """Catches a result that does not say what it rests on, and one marked as ours."""
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
        (32, 30, "edge", "gunnery 16, 16"),
        (20, 10, "in-proportion", "gunnery 8, 16"),
        (10, 20, "in-proportion", "gunnery 16, 8"),
        (32, 24, "in-proportion", "gunnery 12, 16"),
        (16, 16, "in-proportion", "gunnery 16, 16"),
        (10, 8, "in-proportion", "gunnery 8, 10"),
    ],
)
def test_what_lies_beyond_16_is_read_at_16(gunnery: int, armor: int, beyond: str, cell: str) -> None:
    """Catches values off the chart, and the switch that brings both down in proportion."""
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
    """Catches armour rounded, and the switch."""
    rook = ship("rook", "red", armor=(armor, 1))
    session = played(battle(ship("ajax"), rook, armor_between=switch))
    told = [reason.cell for reason in reasons(session, "fire ajax heavy rook 130cm 6 6") if reason.cell]
    assert told[0].startswith(f"gunnery {row}, 10 (")


@pytest.mark.parametrize(
    ("value", "up", "name"), [(0, False, "½"), ("1/4", False, "½"), (7, True, "7"), (99, True, "9")]
)
def test_a_value_finds_its_column_even_where_the_umpire_s_chart_has_few(
    value: int | str, up: bool, name: str
) -> None:
    """Catches a value below the first column or above the last that finds none."""
    assert step(("9", "½", "7"), Fraction(value), up=up) == name


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
    """Catches an overlay whose single totals lose against the printed spans, and spans that are not read."""
    path = chart_file(SYSTEM, tmp_path, OWN)
    ajax, rook = ship("ajax", gunnery=(13, 1)), ship("rook", "red", armor=(9, 9))
    session = played(battle(ajax, rook), f"chart {path}")
    assert result(session, "fire ajax heavy rook 100cm 6 4")["hits"] == ()
    session.enter("damage rook E")
    assert result(session, "roll 2 3")["hits"] == ("D",)
    assert owed(session) == ["direction rook"]
    soft = played(battle(ship("ajax", gunnery=(16, 1)), ship("rook", "red", armor=(1, 1))), f"chart {path}")
    assert result(soft, "fire ajax heavy rook 100cm 6 6")["blast"] == ("F",)
    assert len(contradictions(charts(), load_overlay(path, SYSTEM), SYSTEM.chart_shapes)) == 1


def test_the_umpire_s_own_repair_line_may_offer_more() -> None:
    """Catches kinds of a cell that are not read."""
    rook = ship("rook", "red", log={"rof_heavy": 5, "speed_hits": 1}, courses=("straight ahead",))
    start = laid(battle(ship("ajax"), rook, phase="repair"), "repair", "repair", {"12": "S or D"})
    session = played(start, "repair rook 6 6")
    assert session.battle.owed[0].words == ("speed", "course")
    assert changed(session, "answer course") == {"course": []}


def test_a_span_of_the_umpire_goes_before_ours_that_overlaps_it() -> None:
    """Catches our 2-7 where the umpire's chart says 2-6, and his cell beyond it."""
    start = laid(battle(phase="repair"), "damage", "explosion", {"2-6": "F"})
    assert result(played(start, "damage rook E"), "roll 1 5")["hits"] == ("F",)
    assert result(played(start, "damage rook E"), "roll 1 6")["hits"] == ("G", "G")


@pytest.mark.clause("QFC-BLA-4")
@pytest.mark.parametrize(("face", "course"), [(3, "full turn right"), (4, "straight ahead")])
def test_a_direction_is_read_from_the_umpire_s_own_columns(face: int, course: str) -> None:
    """Catches our 3-4 where the umpire's chart says 1-3."""
    start = laid(battle(phase="repair"), "direction", "course", {"1-3": "full turn right"})
    assert changed(played(start, "damage rook D"), f"roll {face}") == {"course": [course]}


def test_rolls_on_rows_that_the_umpire_has_dropped_do_nothing() -> None:
    """Catches a roll that falls through the chart: direction, and the whole gunnery chart."""
    start = laid(battle(phase="repair"), "direction", "course", {})
    assert changed(played(start, "damage rook D"), "roll 3") == {}
    bare = battle()
    for row in charts()["gunnery"].rows:
        bare = laid(bare, "gunnery", row, {})
    shot = result(played(bare), "fire ajax heavy rook 100cm 1 1")
    assert shot == {"fired": True, "hits": (), "blast": ()}
