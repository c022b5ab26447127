"""Facts of ships out of the program and in, through a spreadsheet's hands."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import read_gun_armor
from qf_tui.core.text import unprintable
from qf_tui.library import navies as own_ships
from qf_tui.library import ship_csv
from qf_tui.library.faults import FileFaults
from qf_tui.library.navies import register
from qf_tui.library.paths import own
from qf_tui.library.ship_csv import HEADINGS, keep_ships, read_ships, ships_text

pytestmark = pytest.mark.usefixtures("home")

FILE = Path("ruritania.csv")
HEAD = "name,kind,launched,completed,tons,knots,heavy,belt"
GOOD = "Swan{0},battleship,1899,1901,12000,18,4x12in/40,9"
FAULTS = {
    3: ("Teal1,battle-ship,1899,1901,12000,18,4x12in/40,9", "kind"),
    8: ("Teal2,battleship,in 1899,1901,12000,18,4x12in/40,9", "launched"),
    9: ("Teal3,battleship,1899,1,12000,18,4x12in/40,9", "completed"),
    15: ('Gull,battleship,1899,1901,"12,533",18,4x12in/40,9', "tons"),
    21: ("Teal4,battleship,1899,1901,12000,fast,4x12in/40,9", "knots"),
    22: ("Teal5,battleship,1899,1901,12000,18,four,9", "heavy"),
    30: ('Skua,battleship,1899,1901,12000,18,4x12in/40,"9,125"', "belt"),
    41: (",battleship,1899,1901,12000,18,4x12in/40,9", "name"),
    44: ("Teal6,battleship,1899,1901,12000,=2*9,4x12in/40,9", "knots"),
    50: ("Swan45,battleship,1899,1901,12000,18,4x12in/40,9", "id"),
}


def faults_of(text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        read_ships(text.encode(), FILE)
    return [str(fault) for fault in caught.value.faults]


def test_all_ships_of_all_navies_come_back_as_they_went_out() -> None:
    ships = tuple(register().ships)
    assert read_ships(ships_text(ships).encode(), FILE) == ships


def test_the_ten_faults_of_fifty_ships_are_told_by_row_and_column() -> None:
    """Catches a reader that stops at the first fault, or that counts rows otherwise than a spreadsheet."""
    lines = [FAULTS[number][0] if number in FAULTS else GOOD.format(number) for number in range(2, 52)]
    told = faults_of("\n".join((HEAD, *lines)))
    places = [fault.partition(": ")[0] for fault in told]
    wanted = [(f"row {number}", column) for number, (_, column) in FAULTS.items()]
    assert [
        (place.partition(" (")[0].partition(",")[0], place.rpartition(", ")[2]) for place in places
    ] == wanted
    assert own("navies").exists() is False


def test_a_row_is_of_its_navy_or_of_what_the_file_is_called() -> None:
    text = f"navy,{HEAD}\n,{GOOD.format(1)}\nusa,{GOOD.format(2)}\n"
    assert [(ship.navy, ship.id) for ship in read_ships(text.encode(), FILE)] == [
        ("Ruritania", "swan1"),
        ("USA", "swan2"),
    ]
    assert {ship.navy for ship in read_ships(text.encode(), FILE, "chile")} == {"Chile", "USA"}
    assert (
        "row 2 (Swan1), navy: “no navy”: expected letters" in faults_of(text.replace("\n,", "\nno navy,"))[0]
    )


def test_guns_may_be_written_as_in_the_shipyard_and_figures_may_not() -> None:
    """Catches a list that copies what the form takes, and thousands that are guessed."""
    row = "Swan,battleship,1899,1901,{},18,4x12/40,14x6/40,16+8,6 4/10\n"
    text = "name,kind,launched,completed,tons,knots,heavy,light,small,light_armor\n" + row
    (swan,) = read_ships(text.format("12000").encode(), FILE)
    assert [guns.text for guns in (*swan.heavy, *swan.light)] == ["4x12in/40", "14x6in/40"]
    assert (str(swan.small), swan.light_armor) == ("16x75-100mm + 8x37-65mm", read_gun_armor("6 (4 of 10)"))
    assert faults_of(text.format('"12,533"'))[0].startswith("row 2 (Swan), tons: ")


def test_faults_are_told_in_the_order_of_the_rows() -> None:
    lines = [HEAD, GOOD.format(1).replace("12000", "heavy"), f"{GOOD.format(2)},more"]
    assert [fault.partition(":")[0] for fault in faults_of("\n".join(lines))] == [
        "row 2 (Swan1), tons",
        "row 3",
    ]


def test_a_file_without_ships_or_with_other_headings_is_refused() -> None:
    assert faults_of(HEAD) == ["there is no ship in it"]
    assert faults_of("name,kindd\nSwan,x\n") == [
        "row 1: no column “kindd”; did you mean kind?",
        "row 1: missing: kind, launched, completed, tons, knots",
    ]


def test_a_file_of_faults_alone_is_soon_told() -> None:
    """Catches minutes of guessing what was meant in a large file that is none of ours."""
    told = faults_of("\n".join((HEAD, *["x,batleship,y,y,y,y,y,y"] * 9000)))
    assert told[-1].endswith("nothing is looked into from here on: mend the others")
    assert len(told) < 1100


def test_ships_are_kept_all_or_none_and_nothing_is_replaced_untold() -> None:
    ships = read_ships(f"{HEAD}\n{GOOD.format(1)}\n{GOOD.format(2)}\n".encode(), FILE)
    kept = keep_ships(ships)
    assert (kept.new, kept.replaced, kept.same) == (2, 0, 0)
    text = f"{HEAD}\n{GOOD.format(2)}\n{GOOD.format(3)}\n".replace(",18,", ",17,")
    changed = read_ships(text.encode(), FILE)
    before = own_ships.own_navy("ruritania").read_bytes()
    with pytest.raises(QfError, match=r"rows of yours say otherwise of Swan2 \(Ruritania, 1901\); --replace"):
        keep_ships(changed)
    assert own_ships.own_navy("ruritania").read_bytes() == before
    kept = keep_ships(changed, replace=True)
    assert (kept.new, kept.replaced, kept.same) == (1, 1, 0)
    assert [str(ship.knots) for ship in register(["ruritania"]).ships] == ["18", "17", "17"]


def test_where_one_navy_cannot_be_written_all_are_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"navy,{HEAD}\nruritania,{GOOD.format(1)}\nusa,{GOOD.format(2)}\n"
    keep_ships(read_ships(f"{HEAD}\n{GOOD.format(7)}\n".encode(), FILE))
    before = own_ships.own_navy("ruritania").read_bytes()
    save = own_ships.save_ships

    def full(navy: str, rows: list[dict[str, str]]) -> Path:
        if navy == "USA":
            raise QfError("the disk is full")
        return save(navy, rows)

    monkeypatch.setattr(ship_csv, "save_ships", full)
    with pytest.raises(QfError, match="the disk is full"):
        keep_ships(read_ships(text.encode(), FILE))
    assert own_ships.own_navy("ruritania").read_bytes() == before
    assert not own_ships.own_navy("usa").exists()


CELL = st.text(max_size=12) | st.sampled_from(
    ("4x12in/40", "18,25", "1899", "battleship", "=1", "'", "6 (4 of 10)")
)


@settings(max_examples=settings().max_examples * 2)
@given(st.lists(st.lists(CELL, max_size=40), max_size=4), st.sampled_from(",;\t"))
def test_any_cells_are_read_or_refused_in_words(rows: list[list[str]], separator: str) -> None:
    lines = [separator.join(HEADINGS), *(separator.join(cells) for cells in rows)]
    data = "\n".join(lines).encode("utf-8", "replace")
    try:
        read_ships(data, FILE)
    except FileFaults as faults:
        words = str(faults)
    else:
        words = ""
    assert not unprintable(words.replace("\n", ""))
