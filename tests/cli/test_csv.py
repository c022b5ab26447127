"""Ships and fleets through spreadsheets, and reports of Springsharp, by the commands that a person types."""

from pathlib import Path

import pytest

from tests.cli.calling import Caller, process
from tests.library.springsharp_texts import VERSION_2, VERSION_3

BOOK = """name;kind;size;gunnery.heavy;gunnery.light;armor.heavy;armor.light;rof.heavy;rof.light;speed;repair
Swan;battleship;15;20;13;11;16;4;5;6,75;6
Teal;cruiser;6;9;8;2;8;4;4;8;3
"""


def test_ships_go_out_into_a_spreadsheet_and_come_back_as_ones_own(call: Caller) -> None:
    assert call("ships", "japan", "battle", "1904", "--csv", "--out", "jp.csv").out == "jp.csv\n"
    refused = call("ships", "mikasa", "--csv", "--out", "jp.csv")
    assert (refused.status, "--replace writes over it" in refused.err) == (2, True)
    taken = call("ships", "--import", "jp.csv")
    assert taken.status == 0, taken.err
    assert taken.out.splitlines()[0] == "12 new, 0 in the place of others, 0 as before"
    assert "your own row" in call("ships", "mikasa").out
    text = Path("jp.csv").read_text(encoding="utf-8-sig")
    Path("jp.csv").write_text(text.replace(",18,4x12in", ",41,4x12in"), encoding="utf-8")
    refused = call("ships", "--import", "jp.csv")
    assert (refused.status, "rows of yours say otherwise of" in refused.err) == (2, True)
    taken = call("ships", "--import", "jp.csv", "--replace")
    assert "odd: 41 knots" in taken.err


def test_csv_goes_through_a_pipe(call: Caller, tmp_path: Path) -> None:
    text = call("ships", "fuji", "1898", "--csv").out
    home = {"QF_TUI_HOME": str(tmp_path / "home")}
    assert process("ships", "--import", "-", text=text, more=home).out.startswith("2 new")


def test_the_faults_of_a_file_keep_all_of_it_out(call: Caller) -> None:
    Path("swans.csv").write_text("name,kind,launched,completed,tons,knots\nSwan,x,1,1,1,1\n")
    refused = call("ships", "--import", "swans.csv", "--navy", "chile")
    assert refused.status == 2
    assert [line.split(": ")[0].strip() for line in refused.err.splitlines()[1:]] == [
        "row 2 (Swan), kind",
        "row 2 (Swan), launched",
        "row 2 (Swan), completed",
    ]
    assert not (call.folder / "home").exists()


def test_a_navy_that_nobody_knows_is_told_with_what_is_near(call: Caller) -> None:
    """Catches a slip of the pen that becomes a navy."""
    heading = "navy,name,kind,launched,completed,tons,knots\n"
    Path("swans.csv").write_text(f"{heading}jappan,Swan,battleship,1899,1901,12000,18\n")
    taken = call("ships", "--import", "swans.csv")
    assert (taken.status, taken.err) == (
        0,
        "qf-tui: jappan: a new navy of your own; did you mean japan?\n",
    )
    assert call("ships", "--import", "swans.csv").err == ""


def test_a_spreadsheet_of_facts_is_checked_as_any_file(call: Caller) -> None:
    head = "name,kind,launched,completed,tons,knots,belt"
    Path("swans.csv").write_text(f"{head}\nSwan,battleship,1899,1901,12000,40,9\n")
    told = call("check", "swans.csv")
    assert (told.status, "warning: Swan: 40 knots" in told.out) == (0, True)
    Path("swans.csv").write_text(f"{head}\nSwan,battleship,1899,1901,12000,18,thick\n")
    told = call("check", "swans.csv")
    assert (told.status, "row 2 (Swan), belt: expected a number" in told.out) == (1, True)


def test_a_list_typed_off_a_ship_book_becomes_a_fleet_and_goes_out_again(call: Caller) -> None:
    Path("My book.csv").write_text(BOOK)
    taken = call("fleets", "--import", "My book.csv", "--rules", "quickfire")
    assert taken.status == 0, taken.err
    path = Path(taken.out.splitlines()[1])
    assert path == call.folder / "home" / "fleets" / "my-book.toml"
    assert call("check", path).status == 0
    assert "my-book" in call("fleets").out
    again = call("fleets", "--import", "My book.csv", "--rules", "quickfire")
    assert (again.status, "there is such a fleet already" in again.err) == (2, True)
    out = call("fleets", "my-book", "--csv").out
    assert [line.split(",")[:5] for line in out.splitlines()[1:]] == [
        ["swan", "Swan", "battleship", "15", "20"],
        ["teal", "Teal", "cruiser", "6", "9"],
    ]


def test_a_navy_of_a_year_goes_out_as_values_and_comes_back_as_a_fleet(call: Caller) -> None:
    call("ships", "japan", "battle", "1904", "--csv", "--rules", "gq2", "--out", "values.csv")
    taken = call("fleets", "togo", "--import", "values.csv", "--rules", "gq2", "--title", "Togo")
    assert (taken.status, taken.out.splitlines()[0]) == (0, "12 ships")
    assert call("fleets").out.split()[:3] == ["togo", "Togo", "yours"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fleets", "japan-1904"), "--csv gives out the ships"),
        (("fleets", "--import", "none.csv"), "name a rule system with --rules"),
        (("fleets", "--import", "none.csv", "--rules", "gq2"), "there is no such file"),
        (("ships", "--import", "none.csv"), "there is no such file"),
        (("ship", "--springsharp", "none.txt"), "there is no such file"),
    ],
)
def test_what_is_missing_is_said(call: Caller, arguments: tuple[str, ...], words: str) -> None:
    refused = call(*arguments)
    assert (refused.status, words in refused.err) == (2, True), refused.err


def test_a_springsharp_report_becomes_a_ship_of_ones_own(call: Caller) -> None:
    Path("kestrel.txt").write_text(VERSION_3)
    told = call("ship", "--springsharp", "kestrel.txt", "--rules", "quickfire")
    assert told.status == 0
    assert told.out.startswith("Kestrel, Britain\n")
    assert "assumed: launched 1897, completed 1898" in told.err
    assert "not kept" in told.err
    Path("lion.txt").write_text(VERSION_2)
    kept = call("ship", "chile/Leon", "plate=Harvey", "--springsharp", "lion.txt", "--save")
    assert kept.status == 0, kept.err
    assert call("ships", "chile", "leon").out.startswith("Leon, Chile (your own row)")


def test_a_piece_of_a_report_is_a_draft_that_says_what_is_missing(call: Caller) -> None:
    Path("piece.txt").write_text(VERSION_3[VERSION_3.index("Main Torpedoes") :])
    draft = call("ship", "--springsharp", "piece.txt")
    assert draft.status == 1
    assert "knots        19.5" in draft.out
    assert "not read: displacement" in draft.err
    assert "tons is missing" in draft.err
    filled = ("chile/Leon", "kind=gunboat", "launched=1890", "tons=900")
    assert call("ship", "--springsharp", "piece.txt", *filled).status == 0
    Path("piece.txt").write_text("no report")
    refused = call("ship", "--springsharp", "piece.txt")
    assert (refused.status, "nothing there is of a Springsharp report" in refused.err) == (2, True)
