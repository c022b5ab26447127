"""What is told of a thousand battles in lines: columns where there is room, rows by themselves where not."""

from qf_tui.document.simulation import NONE, FigureTable, SimulationText, columns_of, lines_of

TABLE = FigureTable(
    "Who wins",
    ("doctrines", "battles", "Japan wins", ""),
    (("Japan hold", "200", "62% (55–68)", "even"), ("Japan close", "200", NONE, "")),
)


def test_columns_stand_under_each_other_where_there_is_room() -> None:
    assert list(columns_of(TABLE)) == [
        "doctrines    battles   Japan wins",
        "Japan hold       200  62% (55–68)  even",
        "Japan close      200            –",
    ]
    assert list(columns_of(TABLE, 40)) == list(columns_of(TABLE))


def test_a_table_that_is_too_wide_has_each_row_by_itself() -> None:
    """Catches cells that are cut, and those without anything to say."""
    assert list(columns_of(TABLE, 30)) == [
        "Japan hold",
        "  battles 200",
        "  Japan wins 62% (55–68)",
        "  even",
        "Japan close",
        "  battles 200",
    ]


def test_sentences_are_wrapped_where_there_is_a_width() -> None:
    told = SimulationText("Duel", ("one two three",), (TABLE,), ("four",))
    assert list(lines_of(told, 9))[:3] == ["Duel", "one two", "three"]
    assert list(lines_of(told))[:2] == ["Duel", "one two three"]
