"""What is told of a thousand battles in lines: columns where there is room, rows by themselves where not."""

from qf_tui.document.text import NOTHING, table_lines, text_lines
from qf_tui.document.values import Document, Row, Section, Table, figure_columns, text_line, word_columns

TABLE = Table(
    (*word_columns("doctrines"), *figure_columns("battles", "Japan wins", "")),
    (Row(("Japan hold", "200", "62% (55–68)", "even")), Row(("Japan close", "200", NOTHING, ""))),
)


def test_columns_stand_under_each_other_where_there_is_room() -> None:
    assert list(table_lines(TABLE)) == [
        "doctrines    battles   Japan wins",
        "Japan hold       200  62% (55–68)  even",
        "Japan close      200            –",
    ]
    assert list(table_lines(TABLE, 40)) == list(table_lines(TABLE))


def test_a_table_that_is_too_wide_has_each_row_by_itself() -> None:
    """Catches cells that are cut, and those without anything to say."""
    assert list(table_lines(TABLE, 30)) == [
        "Japan hold",
        "  battles 200",
        "  Japan wins 62% (55–68)",
        "  even",
        "Japan close",
        "  battles 200",
    ]


def test_sentences_are_wrapped_where_there_is_a_width() -> None:
    told = Document("Duel", (text_line("one two three"), Section("Who wins", (TABLE,)), text_line("four")))
    assert list(text_lines(told, 9))[:3] == ["Duel", "one two", "three"]
    assert list(text_lines(told))[:2] == ["Duel", "one two three"]
