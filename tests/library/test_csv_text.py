"""CSV in the dialects of spreadsheets, and cells that none of them may take for a formula."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.text import unprintable
from qf_tui.library.csv_text import COLUMNS_MOST, ROWS_MOST, plain_number, read_table, table_text
from qf_tui.library.faults import FileFaults

HEADINGS = ("id", "name", "note")
PLAIN = 'id,name,note\nfuji,Fuji,"one, two"\n\nasahi,Asahi,\n'
ROWS = [{"id": "fuji", "name": "Fuji", "note": "one, two"}, {}, {"id": "asahi", "name": "Asahi", "note": ""}]
FILE = Path("ships.csv")


def rows(data: bytes) -> list[dict[str, str]]:
    return [dict(row) for row in read_table(data, FILE, HEADINGS).rows]


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.encode("utf-8-sig"),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace(",", ";").replace("one;", "one,").encode(),
        PLAIN.replace(",", "\t").replace("one\t", "one,").encode("utf-16"),
        f"sep=;\r\n{PLAIN.replace(',', ';').replace('one;', 'one,')}".encode(),
        PLAIN.replace("\n", ",,\n").encode(),
        PLAIN.replace("id,name,note", '"id"," name","note "').encode(),
    ],
    ids=["plain", "BOM", "CRLF", "semicolons", "tabs in UTF-16", "sep=", "empty cells behind", "quoted"],
)
def test_what_spreadsheets_write_is_read_alike(data: bytes) -> None:
    assert rows(data) == ROWS


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"id,name\nfuji,F\xfcji\n", "line 2: it is not UTF-8"),
        (b'id,name\nfuji,"Fuji\n', "row 2: it is not CSV: unexpected end of data"),
        (b"id,name\n" + b"\n" * (ROWS_MOST + 1), "more than 10,000 rows"),
        (b"x," * (COLUMNS_MOST + 1) + b"x", "row 1: more than 1,000 columns"),
    ],
)
def test_what_is_no_csv_is_refused_with_its_line(data: bytes, words: str) -> None:
    with pytest.raises(FileFaults) as caught:
        read_table(data, FILE, HEADINGS)
    assert words in str(caught.value)


def test_rows_under_wrong_headings_take_no_room() -> None:
    """Catches ten thousand rows of a thousand empty cells each, out of a small file."""
    head = ",".join(f"x{number}" for number in range(COLUMNS_MOST))
    table = read_table(f"{head}\n1\n1\n".encode(), FILE, HEADINGS)
    assert table.faults
    assert not any(table.rows)


def test_headings_and_cells_too_many_are_told_together() -> None:
    table = read_table(b"id,nmae,id\n1,2,3\n1,2,3,4\n", FILE, HEADINGS, ["note"])
    assert [str(fault) for fault in table.faults] == [
        "row 1: “id” stands there more than once",
        "row 1: no column “nmae”; did you mean name?",
        "row 1: missing: note",
        "row 3: 4 cells under 3 headings",
    ]


def test_no_spreadsheet_takes_what_is_written_for_a_formula() -> None:
    """Catches a formula at the start of a cell, or behind the semicolon at which another locale cuts."""
    for text in ('=cmd|"x"!A1', "+1+1", "@SUM(A1)", "-2+3", "＝1", "A;=1+1", "'=1"):
        written = table_text(["note"], [{"note": text}])
        cells = [cell for line in written.splitlines()[1:] for cell in line.strip('"').split(";")]
        assert not [cell for cell in cells if cell[0] in "=+@-＝＋＠－"]
        assert rows(written.encode()) == [{"note": text}]
    assert table_text(["note"], [{"note": "-5"}]) == "note\n-5\n"


CELL = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"])).map(str.strip)


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(HEADINGS, CELL))))
def test_what_is_written_is_read_as_the_same(given_rows: list[dict[str, str]]) -> None:
    kept = [{key: cell for key, cell in row.items() if cell} for row in given_rows]
    read = rows(table_text(HEADINGS, given_rows).encode())
    assert [{key: cell for key, cell in row.items() if cell} for row in read] == [row for row in kept if row]


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for more in (b"", b"id,name\n", b"id;name\n", b"\xff\xfe"):
        words = ""
        try:
            read_table(more + data, FILE, HEADINGS)
        except FileFaults as faults:
            words = str(faults)
        assert not unprintable(words.replace("\n", ""))


@pytest.mark.parametrize(
    ("text", "number"), [("18,25", "18.25"), ("18.25", "18.25"), ("4", "4"), ("a,b", "a,b")]
)
def test_a_decimal_comma_is_read(text: str, number: str) -> None:
    assert plain_number(text) == number


def test_a_comma_that_may_group_thousands_is_refused() -> None:
    with pytest.raises(ValueError, match="before three figures"):
        plain_number("12,533")
