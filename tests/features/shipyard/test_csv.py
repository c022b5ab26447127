"""Ships and fleets in spreadsheets: CSV dialects, facts of ships, computed values."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import read_gun_armor
from qf_tui.core.text import find_unprintable
from qf_tui.features.shipyard import own_ships
from qf_tui.features.shipyard.cards import (
    find_own_fleet,
    format_cards_csv,
    format_fleet_toml,
    read_cards,
    write_fleet,
)
from qf_tui.features.shipyard.own_ships import format_ships_csv, keep_ships
from qf_tui.library.csv_rows import COLUMNS_MOST, ROWS_MOST, format_csv_table, read_table
from qf_tui.library.faults import FileFaults, replace_decimal_comma
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import HEADINGS, find_own_navy, load_register, read_ships
from qf_tui.library.paths import find_own_folder, find_shipped_folder, parse_toml, read_toml
from qf_tui.library.ratings import fill_card, rate_ship
from tests.systems import find_our_systems

NOTED = ("id", "name", "note")
PLAIN = 'id,name,note\nfuji,Fuji,"one, two"\n\nasahi,Asahi,\n'
ROWS = [{"id": "fuji", "name": "Fuji", "note": "one, two"}, {}, {"id": "asahi", "name": "Asahi", "note": ""}]
SHIPS_FILE = Path("ships.csv")


def read_rows(data: bytes) -> list[dict[str, str]]:
    return [dict(row) for row in read_table(data, SHIPS_FILE, NOTED).rows]


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
def test_every_dialect_of_csv_is_read_alike(data: bytes) -> None:
    assert read_rows(data) == ROWS


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"id,name\nfuji,F\xfcji\n", "line 2: not UTF-8; save the file as UTF-8 (in Excel: “CSV UTF-8”)"),
        (b'id,name\nfuji,"Fuji\n', "row 2: not CSV: unexpected end of data"),
        (b"id,name\n" + b"\n" * (ROWS_MOST + 1), "more than 10,000 rows"),
        (b"x," * (COLUMNS_MOST + 1) + b"x", "row 1: more than 1,000 columns"),
    ],
)
def test_invalid_csv_is_refused_with_its_line(data: bytes, words: str) -> None:
    with pytest.raises(FileFaults) as caught:
        read_table(data, SHIPS_FILE, NOTED)
    assert words in str(caught.value)


def test_rows_under_wrong_headings_take_no_memory() -> None:
    """Guard against a small file that becomes ten thousand rows of a thousand empty cells."""
    head = ",".join(f"x{number}" for number in range(COLUMNS_MOST))
    table = read_table(f"{head}\n1\n1\n".encode(), SHIPS_FILE, NOTED)
    assert table.faults
    assert not any(table.rows)


def test_wrong_headings_and_extra_cells_are_reported_together() -> None:
    table = read_table(b"id,nmae,id\n1,2,3\n1,2,3,4\n", SHIPS_FILE, NOTED, ["note"])
    assert [str(fault) for fault in table.faults] == [
        "row 1: column “id” appears more than once",
        "row 1: no column “nmae”; did you mean name?",
        "row 1: missing: note",
        "row 3: 4 cells under 3 headings",
    ]


def test_no_spreadsheet_takes_a_written_cell_for_a_formula() -> None:
    """Guard against a formula at the start of a cell, or after a semicolon that splits it elsewhere."""
    for text in ('=cmd|"x"!A1', "+1+1", "@SUM(A1)", "-2+3", "＝1", "A;=1+1", "'=1"):
        written = format_csv_table(["note"], [{"note": text}])
        cells = [cell for line in written.splitlines()[1:] for cell in line.strip('"').split(";")]
        assert not [cell for cell in cells if cell[0] in "=+@-＝＋＠－"]
        assert read_rows(written.encode()) == [{"note": text}]
    assert format_csv_table(["note"], [{"note": "-5"}]) == "note\n-5\n"


CELL = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"])).map(str.strip)


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(NOTED, CELL))))
def test_written_rows_are_read_unchanged(given_rows: list[dict[str, str]]) -> None:
    kept = [{key: cell for key, cell in row.items() if cell} for row in given_rows]
    read = read_rows(format_csv_table(NOTED, given_rows).encode())
    assert [{key: cell for key, cell in row.items() if cell} for row in read] == [row for row in kept if row]


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for more in (b"", b"id,name\n", b"id;name\n", b"\xff\xfe"):
        words = ""
        try:
            read_table(more + data, SHIPS_FILE, NOTED)
        except FileFaults as faults:
            words = str(faults)
        assert not find_unprintable(words.replace("\n", ""))


@pytest.mark.parametrize(
    ("text", "number"), [("18,25", "18.25"), ("18.25", "18.25"), ("4", "4"), ("a,b", "a,b")]
)
def test_a_decimal_comma_is_read(text: str, number: str) -> None:
    assert replace_decimal_comma(text) == number


def test_a_comma_that_may_group_thousands_is_refused() -> None:
    with pytest.raises(ValueError, match="before three digits"):
        replace_decimal_comma("12,533")


pytestmark = pytest.mark.usefixtures("home")

FILE = Path("ruritania.csv")
HEAD = "name,kind,launched,completed,tons,knots,heavy,belt"
GOOD = "Swan{0},battleship,1899,1901,12000,18,4x12in/40,9"
FAULTS = {
    3: ("Teal1,battle-ship,1899,1901,12000,18,4x12in/40,9", "kind"),
    8: ("Teal2,battleship,in 1899,1901,12000,18,4x12in/40,9", "launched"),
    9: ("Teal3,battleship,1899,1,12000,18,4x12in/40,9", "completed"),
    15: ('Gull,battleship,1899,1901,"12,53",18,4x12in/40,9', "tons"),
    21: ("Teal4,battleship,1899,1901,12000,fast,4x12in/40,9", "knots"),
    22: ("Teal5,battleship,1899,1901,12000,18,four,9", "heavy"),
    30: ('Skua,battleship,1899,1901,12000,18,4x12in/40,"9,1,25"', "belt"),
    41: (",battleship,1899,1901,12000,18,4x12in/40,9", "name"),
    44: ("Teal6,battleship,1899,1901,12000,=2*9,4x12in/40,9", "knots"),
    50: ("Swan45,battleship,1899,1901,12000,18,4x12in/40,9", "id"),
}


def collect_faults(text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        read_ships(text.encode(), FILE)
    return [str(fault) for fault in caught.value.faults]


def test_all_ships_are_read_back_unchanged() -> None:
    ships = tuple(evolve(ship, class_row="") for ship in load_register().ships)
    assert read_ships(format_ships_csv(ships).encode(), FILE) == ships


def test_all_faults_of_fifty_ships_are_reported_by_row_and_column() -> None:
    """Guard against a reader that stops at the first fault, or counts rows unlike a spreadsheet."""
    lines = [FAULTS[number][0] if number in FAULTS else GOOD.format(number) for number in range(2, 52)]
    told = collect_faults("\n".join((HEAD, *lines)))
    places = [fault.partition(": ")[0] for fault in told]
    wanted = [(f"row {number}", column) for number, (_, column) in FAULTS.items()]
    assert [
        (place.partition(" (")[0].partition(",")[0], place.rpartition(", ")[2]) for place in places
    ] == wanted
    assert find_own_folder("navies").exists() is False


def test_a_row_belongs_to_its_navy_or_to_that_of_the_file_name() -> None:
    text = f"navy,{HEAD}\n,{GOOD.format(1)}\nusa,{GOOD.format(2)}\n"
    ships = read_ships(text.encode(), FILE)
    assert [(ship.navy, ship.id) for ship in ships] == [("Ruritania", "swan1"), ("USA", "swan2")]
    assert {ship.navy for ship in read_ships(text.encode(), FILE, "chile")} == {"Chile", "USA"}
    assert (
        "row 2 (Swan1), navy: “no navy”: expected letters"
        in collect_faults(text.replace("\n,", "\nno navy,"))[0]
    )


def test_guns_may_be_abbreviated() -> None:
    """Guard against a list that copies the form's abbreviations."""
    row = "Swan,battleship,1899,1901,12000,18,4x12/40,14x6/40,16+8,6 4/10\n"
    text = "name,kind,launched,completed,tons,knots,heavy,light,small,light_armor\n" + row
    (swan,) = read_ships(text.encode(), FILE)
    assert [guns.text for guns in (*swan.heavy, *swan.light)] == ["4x12in/40", "14x6in/40"]
    assert (str(swan.small), swan.light_armor) == ("16x75-100mm + 8x37-65mm", read_gun_armor("6 (4 of 10)"))


@pytest.mark.parametrize(
    ("heading", "written", "number"),
    [
        *(
            ("tons", text, 8232)
            for text in ("8.232", "8,232", "8 232", "8'232", "8\u202f232", "8232,0", "8.232,00")
        ),
        *(("tons", "14,900", 14900), ("launched", "1.899", 1899), ("launched", "1899.0", 1899)),
        *(("knots", "19,6", "19.6"), ("knots", "18,125", "18.125"), ("belt", "9,125", "9.125")),
        ("heavy", "4x30,5cm/40", "4x305mm/40"),
    ],
)
def test_numbers_with_one_reading_are_read(heading: str, written: str, number: str | int) -> None:
    row = dict(zip(HEAD.split(","), GOOD.format(1).split(","), strict=True)) | {heading: f'"{written}"'}
    (ship,) = read_ships(f"{HEAD}\n{','.join(row.values())}\n".encode(), FILE)
    read = getattr(ship, heading)
    wanted = Fraction(number) if "." in str(number) else number
    assert (read[0].text if heading == "heavy" else read) == wanted


@pytest.mark.parametrize(
    ("heading", "written", "words"),
    [
        *(
            ("tons", text, "from 1 to 99999")
            for text in ("8.23", "8,2320", "0.500", "82.32.000", "8,232.000", "8.232 t")
        ),
        ("tons", "120.000", "from 1 to 99999"),
        ("knots", "1,812,5", "from 0 to 99"),
        ("knots", "125", "from 0 to 99"),
        ("launched", "1.951", "from 1850 to 1950"),
    ],
)
def test_numbers_with_no_reading_are_refused_with_their_limits(
    heading: str, written: str, words: str
) -> None:
    row = dict(zip(HEAD.split(","), GOOD.format(1).split(","), strict=True)) | {heading: f'"{written}"'}
    (fault,) = collect_faults(f"{HEAD}\n{','.join(row.values())}\n")
    assert words in fault
    assert f"found “{written}”" in fault


def test_a_name_without_latin_letters_gets_an_id() -> None:
    text = f"{HEAD}\n{GOOD.format('').replace('Swan', '三笠')}\n{GOOD.format('').replace('Swan', '敷島')}\n"
    assert [ship.id for ship in read_ships(text.encode(), FILE)] == ["u4e09-u7b20", "u6577-u5cf6"]


def test_faults_are_in_the_order_of_the_rows() -> None:
    lines = [HEAD, GOOD.format(1).replace("12000", "heavy"), f"{GOOD.format(2)},more"]
    places = [fault.partition(":")[0] for fault in collect_faults("\n".join(lines))]
    assert places == ["row 2 (Swan1), tons", "row 3"]


def test_a_file_without_ships_or_with_other_headings_is_refused() -> None:
    assert collect_faults(HEAD) == ["the file has no ships"]
    assert collect_faults("name,kindd\nSwan,x\n") == [
        "row 1: no column “kindd”; did you mean kind?",
        "row 1: missing: kind, launched, completed, tons, knots",
    ]


def test_a_file_full_of_faults_is_reported_quickly() -> None:
    """Guard against minutes of suggestions for a large foreign file."""
    told = collect_faults("\n".join((HEAD, *["x,batleship,y,y,y,y,y,y"] * 9000)))
    assert told[-1].endswith("the check stops here: correct the faults above first")
    assert len(told) < 1100


def test_ships_are_kept_all_or_none_and_never_replaced_silently() -> None:
    ships = read_ships(f"{HEAD}\n{GOOD.format(1)}\n{GOOD.format(2)}\n".encode(), FILE)
    kept = keep_ships(ships)
    assert (kept.new, kept.replaced, kept.same) == (2, 0, 0)
    text = f"{HEAD}\n{GOOD.format(2)}\n{GOOD.format(3)}\n".replace(",18,", ",17,")
    changed = read_ships(text.encode(), FILE)
    before = find_own_navy("ruritania").read_bytes()
    with pytest.raises(QfError, match=r"your own rows differ for Swan2 \(Ruritania, 1901\); --replace"):
        keep_ships(changed)
    assert find_own_navy("ruritania").read_bytes() == before
    kept = keep_ships(changed, replace=True)
    assert (kept.new, kept.replaced, kept.same) == (1, 1, 0)
    assert [str(ship.knots) for ship in load_register(["ruritania"]).ships] == ["18", "17", "17"]


def test_all_navies_are_unchanged_if_one_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"navy,{HEAD}\nruritania,{GOOD.format(1)}\nusa,{GOOD.format(2)}\n"
    keep_ships(read_ships(f"{HEAD}\n{GOOD.format(7)}\n".encode(), FILE))
    before = find_own_navy("ruritania").read_bytes()
    save = own_ships.save_ships

    def fail_for_usa(navy: str, rows: list[dict[str, str]]) -> Path:
        if navy == "USA":
            raise QfError("the disk is full")
        return save(navy, rows)

    monkeypatch.setattr(own_ships, "save_ships", fail_for_usa)
    with pytest.raises(QfError, match="the disk is full"):
        keep_ships(read_ships(text.encode(), FILE))
    assert find_own_navy("ruritania").read_bytes() == before
    assert not find_own_navy("usa").exists()


SHIP_CELL = st.text(max_size=12) | st.sampled_from(
    ("4x12in/40", "18,25", "1899", "battleship", "=1", "'", "6 (4 of 10)")
)


@settings(max_examples=settings().max_examples * 2)
@given(st.lists(st.lists(SHIP_CELL, max_size=40), max_size=4), st.sampled_from(",;\t"))
def test_any_cells_are_read_or_refused_with_printable_faults(rows: list[list[str]], separator: str) -> None:
    lines = [separator.join(HEADINGS), *(separator.join(cells) for cells in rows)]
    data = "\n".join(lines).encode("utf-8", "replace")
    try:
        read_ships(data, FILE)
    except FileFaults as faults:
        words = str(faults)
    else:
        words = ""
    assert not find_unprintable(words.replace("\n", ""))


SYSTEMS = find_our_systems()
BOOK = Path("book.csv")
FLEETS = [
    (path, name)
    for path in sorted(find_shipped_folder("fleets").glob("*.toml"))
    for own in [read_toml(path).get("ruleset")]
    for name in SYSTEMS
    if own in (None, name)
]
BOOK_HEAD = "name;kind;size;gunnery.heavy;gunnery.light;armor.heavy;armor.light;rof.heavy;rof.light;speed"
BOOK_ROW = "Swan {0};battleship;15;20;13;11;16;7;10;6,75"


@pytest.mark.parametrize(("path", "name"), FLEETS, ids=[f"{path.stem}-{name}" for path, name in FLEETS])
def test_the_cards_of_a_fleet_are_read_back_unchanged(path: Path, name: str) -> None:
    """Guard against a column that is written and not read: parts, series, tables, lists."""
    system = SYSTEMS[name]
    fleet = load_fleet(path, system)
    document = read_cards(format_cards_csv(fleet.cards, system).encode(), BOOK, system, {})
    assert load_fleet(BOOK, system, document).cards == fleet.cards


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_navy_of_a_year_is_read_back_as_values(name: str) -> None:
    system = SYSTEMS[name]
    found = load_register(["japan"]).find_ships(["battle", "1904"])
    cards = [
        fill_card(system, rating, {"id": ship.id, "name": ship.name}, {})
        for ship in found
        if (rating := rate_ship(system, ship))
    ]
    assert cards
    document = read_cards(format_cards_csv(cards, system).encode(), BOOK, system, {})
    names = [card["name"] for card in load_fleet(BOOK, system, document).cards]
    assert names == [ship.name for ship in found]


def test_a_list_from_a_book_becomes_a_fleet_that_can_be_edited() -> None:
    """Make ids from names, read decimal commas, and write one key on each line."""
    text = "\n".join((BOOK_HEAD, BOOK_ROW.format(1), "", BOOK_ROW.format("Ä")))
    system = SYSTEMS["advanced-quickfire"]
    document = read_cards(text.encode(), BOOK, system, {"title": "My book"})
    assert [ship["id"] for ship in document["ship"]] == ["swan-1", "swan-a"]
    written = format_fleet_toml(document)
    assert "gunnery = [20, 13]\narmor = [11, 16]\nrof = [7, 10]\nspeed = 6.75\n" in written
    assert parse_toml(written.encode(), BOOK) == document


def test_all_faults_of_cards_are_reported_by_row_and_column() -> None:
    lines = [BOOK_ROW.format(number) for number in range(2, 52)]
    spoilt = {
        2: ("15", "zero", "size"),
        7: (";13;", ";1000;", "gunnery.light"),
        10: (";11;", ";;", "armor.heavy"),
        34: ("6,75", "6,750", "speed"),
        35: ("6,75", "=1+1", "speed"),
        51: ("Swan 51", "Swan 50", "id"),
    }
    for number, (old, new, _) in spoilt.items():
        lines[number - 2] = lines[number - 2].replace(old, new)
    with pytest.raises(FileFaults) as caught:
        read_cards("\n".join((BOOK_HEAD, *lines)).encode(), BOOK, SYSTEMS["advanced-quickfire"], {})
    places = [
        (fault.place.partition(" (")[0], fault.place.rpartition("), ")[2]) for fault in caught.value.faults
    ]
    assert sorted(places) == sorted((f"row {number}", column) for number, (*_, column) in spoilt.items())


def test_a_fault_in_a_repeated_part_names_its_column() -> None:
    system = SYSTEMS["gq2"]
    path = find_shipped_folder("fleets") / "gq2-britain-1916.toml"
    text = format_cards_csv(load_fleet(path, system).cards[:1], system)
    column = text.splitlines()[0].split(",").index("battery.1.calibre")
    head, line = text.splitlines()
    cells = line.split(",")
    cells[column] = "large"
    with pytest.raises(FileFaults) as caught:
        read_cards("\n".join((head, ",".join(cells))).encode(), BOOK, system, {})
    assert [fault.place for fault in caught.value.faults] == ["row 2 (lion), battery.1.calibre"]


def test_missing_and_unknown_columns_are_reported_once() -> None:
    with pytest.raises(FileFaults) as caught:
        read_cards(b"name,gunery.heavy\nSwan,20\n", BOOK, SYSTEMS["quickfire"], {})
    strange, missing = (str(fault) for fault in caught.value.faults)
    assert strange == "row 1: no column “gunery.heavy”; did you mean gunnery.heavy?"
    assert missing.startswith("row 1: missing: ")


def test_a_fleet_is_overwritten_only_on_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    path = find_own_fleet("my-book")
    write_fleet({"title": "one"}, path, SYSTEMS)
    with pytest.raises(QfError, match="this fleet exists already; --replace overwrites it"):
        write_fleet({"title": "two"}, path, SYSTEMS)
    assert read_toml(path) == {"title": "one"}
    write_fleet({"title": "two"}, path, SYSTEMS, replace=True)
    assert read_toml(path) == {"title": "two"}
    with pytest.raises(QfError, match="cannot name a fleet"):
        find_own_fleet("../up")


@cache
def format_few_cards(name: str) -> str:
    """Format the cards of three ships by a rule system."""
    system = SYSTEMS[name]
    return format_cards_csv(
        load_fleet(find_shipped_folder("fleets") / "japan-1904.toml", system).cards[:3], system
    )


@settings(max_examples=settings().max_examples * 2)
@given(lot=st.integers(0, 2**32), texts=st.lists(st.text(max_size=10), max_size=8))
@pytest.mark.parametrize("name", SYSTEMS)
def test_any_cells_make_a_fleet_or_are_refused_with_faults(name: str, lot: int, texts: list[str]) -> None:
    """Guard against an imported fleet that its own reader refuses."""
    system, chance = SYSTEMS[name], Random(lot)
    lines = format_few_cards(name).splitlines()
    for text in texts:
        row = chance.randrange(len(lines))
        at = chance.randrange(len(lines[row]))
        lines[row] = lines[row][:at] + text + lines[row][at + chance.randrange(6) :]
    words = ""
    try:
        document = read_cards("\n".join(lines).encode("utf-8", "replace"), BOOK, system, {})
        load_fleet(BOOK, system, parse_toml(format_fleet_toml(document).encode(), BOOK))
    except FileFaults as faults:
        words = str(faults)
        assert not words.startswith("book.csv: ruleset")
    assert not find_unprintable(words.replace("\n", ""))
