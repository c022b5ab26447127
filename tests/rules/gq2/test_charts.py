"""The tables, cell by cell against their printed form, and what an umpire may lay over them (GQ2-CHA)."""

from fractions import Fraction

import pytest

from qf_tui.core.values import Provenance
from qf_tui.rules.gq2.charts import (
    DF_COLUMNS,
    ODDS_COLUMNS,
    SHAPES,
    BarbetteLoss,
    BoxLoss,
    CriticalHit,
    GunLoss,
    barbette_cell,
    critical_cell,
    df_column,
    gunnery_cell,
    torpedo_cell,
)
from tests.rules.gq2.tables import battle, charts, played
from tests.rules.playing import laid, reasons, result

GUNNERY = """
0  ½ 1 1 1 1½ 2 2 3 4 5
1  C ½+C ½+C 1+C 1½+C 2+C 2+C 2+C 3+C 4+C
2  - - ½ 1 1 1 2 2 3 3
3  - - - ½ 1 1 1 1½ 2 2
4  - - - - - ½ 1 1 1 1
5  - - - - - - - - ½ ½
6+ - - - - - - - - - -
"""
TORPEDO = """
1 Sunk 2/1 2/1 2/- 1/- 1/- 1/- ½/-
2 5/3+C 4/3+C 3/2+C 2/2+C 2/1+C 2/1+C 1/1+C 1/-+C
3 Sunk Sunk 4/2 3/2 2/2 2/2 2/1 1/1
4 Sunk Sunk Sunk 4/2 3/2 3/1 2/1 2/1
5 Sunk Sunk 5/3 3/2 3/2 2/2 2/2 2/1
6 Sunk Sunk 2/2 2/2 2/1 1/1 1/- 1/-
"""
ATTESTED_COUNT = {
    "0": 10,
    "1": 10,
    "2": 8,
    "3": 7,
    "4": 5,
    "5": 2,
}
"""Values that the reference prints in each row of the gunnery table."""


def printed(text: str) -> dict[str, list[str]]:
    """A printed table: its rows by name."""
    return {line.split()[0]: line.split()[1:] for line in text.strip().splitlines()}


@pytest.mark.clause("GQ2-CHA-1")
@pytest.mark.parametrize(
    ("name", "text", "columns"), [("gunnery", GUNNERY, ODDS_COLUMNS), ("torpedo", TORPEDO, tuple(DF_COLUMNS))]
)
def test_every_cell_is_as_printed_and_attested(name: str, text: str, columns: tuple[str, ...]) -> None:
    """Catches any cell mistyped, moved, or without its source."""
    chart, rows = charts()[name], printed(text)
    assert list(chart.rows) == list(rows)
    for row, cells in rows.items():
        assert [chart.rows[row].cells[column].text for column in columns] == cells, row
        assert list(chart.rows[row].cells) == list(columns)
        assert all(
            cell.status is Provenance.ATTESTED and cell.source for cell in chart.rows[row].cells.values()
        )


@pytest.mark.clause("GQ2-CHA-1")
def test_better_odds_never_do_less_damage() -> None:
    """Catches a value put into the wrong column of the rows whose columns are inferred."""
    start = battle()
    for die in range(7):
        taken = [gunnery_cell(start, column, die)[0].halves for column in ODDS_COLUMNS]
        assert taken == sorted(taken), die
    for row, count in ATTESTED_COUNT.items():
        assert sum(cell.text != "-" for cell in charts()["gunnery"].rows[row].cells.values()) == count


@pytest.mark.clause("GQ2-CHA-1")
def test_the_critical_and_barbette_tables_are_as_printed() -> None:
    """Catches a critical hit on the wrong face, or one that lost its (A)."""
    hits = [cell.text for cell in charts()["critical"].rows["hit"].cells.values()]
    assert hits == [
        "fire control",
        "bridge",
        "rudder",
        "damage control",
        "damage control",
        "steam line (A)",
        "boiler room (A)",
        "boiler room (A)",
        "bulkhead (A)",
        "barbette (A)",
    ]
    barbettes = {
        name: [c.text for c in row.cells.values()] for name, row in charts()["barbette"].rows.items()
    }
    assert barbettes == {
        "flash protection": ["1", "1", "1", "1", "1", "explodes"],
        "listed navies": ["1", "2", "2", "explodes", "explodes", "explodes"],
        "others": ["1", "2", "2", "2", "2", "explodes"],
    }


@pytest.mark.parametrize(
    ("text", "halves", "critical"),
    [("½", 1, False), ("1½+C", 3, True), ("C", 0, True), ("-", 0, False), ("4", 8, False)],
)
def test_a_cell_is_read_in_halves(text: str, halves: int, critical: bool) -> None:
    start = laid(battle(), "gunnery", "3", {"1:1": text})
    assert gunnery_cell(start, "1:1", 3)[0] == GunLoss(halves, critical)


@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(
    ("df", "column", "light"),
    [
        ("1/4", "½-1", "1½-2"),
        ("1", "½-1", "1½-2"),
        ("3/2", "1½-2", "3-4"),
        ("5/2", "1½-2", "3-4"),
        ("4", "3-4", "5-6"),
        ("3", "3-4", "5-6"),
        ("9/2", "3-4", "5-6"),
        ("5", "5-6", "7-8"),
        ("13/2", "5-6", "7-8"),
        ("7", "7-8", "9-10"),
        ("8", "7-8", "9-10"),
        ("9", "9-10", "11-12"),
        ("10", "9-10", "11-12"),
        ("11", "11-12", "13+"),
        ("12", "11-12", "13+"),
        ("13", "13+", "13+"),
        ("20", "13+", "13+"),
    ],
)
def test_the_column_is_the_rightmost_that_the_df_reaches_and_one_on_for_light_torpedoes(
    df: str, column: str, light: str
) -> None:
    """Catches a DF between two columns put into the right one, or a column past the last."""
    assert df_column(battle(), Fraction(df)) == column
    assert df_column(battle(), Fraction(df), light=True) == light


@pytest.mark.clause("GQ2-TOR-5")
@pytest.mark.parametrize(
    ("df", "left", "right"),
    [
        ("1/4", "½-1", "½-1"),
        ("5/4", "½-1", "1½-2"),
        ("2", "1½-2", "1½-2"),
        ("5/2", "1½-2", "3-4"),
        ("13/2", "5-6", "7-8"),
        ("25/2", "11-12", "13+"),
        ("14", "13+", "13+"),
    ],
)
def test_a_df_between_two_columns_goes_left_or_by_the_switch_right(df: str, left: str, right: str) -> None:
    """Catches a DF that a column prints moved by the switch."""
    assert df_column(battle(), Fraction(df)) == left
    assert df_column(battle(df_between="right"), Fraction(df)) == right
    session = played(battle(df_between="right"), f"mark rook df {float(Fraction(df))}")
    assert f"column {right}" in reasons(session, "mine rook 3")[0].text


def test_a_torpedo_cell_is_read_hull_first() -> None:
    loss, _ = torpedo_cell(battle(), "½-1", 2)
    assert (loss.hull, loss.armament, loss.critical, loss.sunk) == (10, 6, True, False)
    assert torpedo_cell(battle(), "½-1", 1)[0].sunk


def test_a_critical_hit_is_read_with_what_it_needs() -> None:
    assert critical_cell(battle(), 1)[0] == CriticalHit("bridge")
    assert critical_cell(battle(), 9)[0] == CriticalHit("barbette", armored=True)


def test_a_barbette_takes_boxes_or_explodes() -> None:
    assert barbette_cell(battle(), "others", 5)[0] == BarbetteLoss(2)
    assert barbette_cell(battle(), "others", 6)[0] == BarbetteLoss(explodes=True)


def test_a_line_that_was_dropped_does_nothing() -> None:
    """Catches a hit on a table whose line the umpire took away, which stopped the decision."""
    bare = battle()
    for table, row in (("gunnery", "3"), ("torpedo", "2"), ("critical", "hit"), ("barbette", "others")):
        bare = laid(bare, table, row, {})
    assert gunnery_cell(bare, "1:1", 3)[0] == GunLoss()
    assert torpedo_cell(bare, "½-1", 2)[0] == BoxLoss()
    assert critical_cell(bare, 9)[0] == CriticalHit()
    assert barbette_cell(bare, "others", 6)[0] == BarbetteLoss()


@pytest.mark.clause("GQ2-CHA-2")
def test_an_overlay_changes_a_cell() -> None:
    """Catches a shot read on our own table where the umpire's says otherwise."""
    start = laid(battle(), "gunnery", "6+", {"1:1": "2"})
    assert result(played(start), "fire ajax 6 rook straddle 5 0 6 9")["hits"] == ("A2", "H2")


@pytest.mark.parametrize(
    ("table", "good", "bad"),
    [
        ("gunnery", ("½", "12", "1½+C", "C", "-", "-+C"), ("1/2", "C+1", "1.5", "", "1+D")),
        ("torpedo", ("Sunk", "½/-", "5/3+C", "-/-"), ("sunk", "2", "2/1+D", "2-1")),
        ("critical", ("bridge", "bridge (A)"), ("Bridge", "engine", "")),
        ("barbette", ("1", "explodes", "0"), ("-", "boom", "1½")),
        ("stick", ("3.5", "0", "-"), ("", "3,5", "-1", "far")),
        ("penetration", ("9", "-", "0.5"), ("all", "½")),
    ],
)
def test_what_a_cell_may_hold(table: str, good: tuple[str, ...], bad: tuple[str, ...]) -> None:
    shape = SHAPES[table]
    assert [shape.fault(text) for text in good] == [None] * len(good)
    assert all(shape.fault(text) for text in bad)
