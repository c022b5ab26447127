"""Ready values out of the program and in: every fleet of ours, and lists typed off a ship book."""

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.text import unprintable
from qf_tui.library.faults import FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import register
from qf_tui.library.paths import parse_toml, read_toml, shipped
from qf_tui.library.rated_cards import RatedCards, rated
from qf_tui.library.ship_csv import cards_text, read_cards
from qf_tui.library.writers import fleet_toml, own_fleet, save_fleet
from tests.systems import our_systems

SYSTEMS = our_systems()
FILE = Path("book.csv")
FLEETS = [
    (path, name)
    for path in sorted(shipped("fleets").glob("*.toml"))
    for own in [read_toml(path).get("ruleset")]
    for name in SYSTEMS
    if own in (None, name)
]
HEAD = "name;kind;size;gunnery.heavy;gunnery.light;armor.heavy;armor.light;rof.heavy;rof.light;speed"
GOOD = "Swan {0};battleship;15;20;13;11;16;7;10;6,75"


@pytest.mark.parametrize(("path", "name"), FLEETS, ids=[f"{path.stem}-{name}" for path, name in FLEETS])
def test_the_cards_of_a_fleet_come_back_as_they_went_out(path: Path, name: str) -> None:
    """Catches a column of any rule system that is written and not read: parts, series, tables, lists."""
    system = SYSTEMS[name]
    fleet = load_fleet(path, system)
    document = read_cards(cards_text(fleet.cards, system).encode(), FILE, system, {})
    assert load_fleet(FILE, system, document).cards == fleet.cards


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_navy_of_a_year_comes_back_as_values(name: str) -> None:
    system = SYSTEMS[name]
    found = register(["japan"]).found(["battle", "1904"])
    made = RatedCards(system)
    cards = [
        made.card(rating, {"id": ship.id, "name": ship.name}, {})
        for ship in found
        if (rating := rated(system, ship))
    ]
    assert cards
    document = read_cards(cards_text(cards, system).encode(), FILE, system, {})
    assert [card["name"] for card in load_fleet(FILE, system, document).cards] == [
        ship.name for ship in found
    ]


def test_a_list_typed_off_a_book_becomes_a_fleet_that_people_edit() -> None:
    """Ids are made of names; a comma is a decimal one; a line a key."""
    text = "\n".join((HEAD, GOOD.format(1), "", GOOD.format("Ä")))
    system = SYSTEMS["advanced-quickfire"]
    document = read_cards(text.encode(), FILE, system, {"title": "My book"})
    assert [ship["id"] for ship in document["ship"]] == ["swan-1", "swan-a"]
    written = fleet_toml(document)
    assert "gunnery = [20, 13]\narmor = [11, 16]\nrof = [7, 10]\nspeed = 6.75\n" in written
    assert parse_toml(written.encode(), FILE) == document


def test_the_faults_of_every_row_are_told_by_row_and_column() -> None:
    lines = [GOOD.format(number) for number in range(2, 52)]
    spoilt = {
        2: ("15", "zero", "size"),
        6: (";20;", ";x;", "gunnery.heavy"),
        7: (";13;", ";1000;", "gunnery.light"),
        10: (";11;", ";;", "armor.heavy"),
        19: (";16;", ";16.000,5;", "armor.light"),
        20: (";7;", ";7,5;", "rof.heavy"),
        33: (";10;", ";-1;", "rof.light"),
        34: ("6,75", "6,750", "speed"),
        35: ("6,75", "=1+1", "speed"),
        51: ("Swan 51", "Swan 50", "id"),
    }
    for number, (old, new, _) in spoilt.items():
        lines[number - 2] = lines[number - 2].replace(old, new)
    with pytest.raises(FileFaults) as caught:
        read_cards("\n".join((HEAD, *lines)).encode(), FILE, SYSTEMS["advanced-quickfire"], {})
    places = [
        (fault.place.partition(" (")[0], fault.place.rpartition("), ")[2]) for fault in caught.value.faults
    ]
    assert sorted(places) == sorted((f"row {number}", column) for number, (*_, column) in spoilt.items())


def test_a_fault_of_a_part_of_several_names_its_column() -> None:
    system = SYSTEMS["gq2"]
    path = shipped("fleets") / "gq2-britain-1916.toml"
    text = cards_text(load_fleet(path, system).cards[:1], system)
    column = text.splitlines()[0].split(",").index("battery.1.calibre")
    head, line = text.splitlines()
    cells = line.split(",")
    cells[column] = "large"
    with pytest.raises(FileFaults) as caught:
        read_cards("\n".join((head, ",".join(cells))).encode(), FILE, system, {})
    assert [fault.place for fault in caught.value.faults] == ["row 2 (lion), battery.1.calibre"]


def test_columns_that_are_missing_or_strange_are_told_once() -> None:
    with pytest.raises(FileFaults) as caught:
        read_cards(b"name,gunery.heavy\nSwan,20\n", FILE, SYSTEMS["quickfire"], {})
    told = [str(fault) for fault in caught.value.faults]
    assert told[0] == "row 1: no column “gunery.heavy”; did you mean gunnery.heavy?"
    assert told[1].startswith("row 1: missing: ")
    assert len(told) == 2


def test_a_fleet_is_never_written_over_untold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    path = own_fleet("my-book")
    save_fleet({"title": "one"}, path, SYSTEMS)
    with pytest.raises(QfError, match="there is such a fleet already; --replace writes over it"):
        save_fleet({"title": "two"}, path, SYSTEMS)
    assert read_toml(path) == {"title": "one"}
    save_fleet({"title": "two"}, path, SYSTEMS, replace=True)
    assert read_toml(path) == {"title": "two"}
    with pytest.raises(QfError, match="is no name of a fleet"):
        own_fleet("../up")


@cache
def few(name: str) -> str:
    """The cards of three ships by a rule system."""
    system = SYSTEMS[name]
    return cards_text(load_fleet(shipped("fleets") / "japan-1904.toml", system).cards[:3], system)


@settings(max_examples=settings().max_examples * 2)
@given(lot=st.integers(0, 2**32), texts=st.lists(st.text(max_size=10), max_size=8))
@pytest.mark.parametrize("name", SYSTEMS)
def test_any_cells_make_a_fleet_or_are_refused_in_words(name: str, lot: int, texts: list[str]) -> None:
    """Catches a fleet that was taken in and that its own reader refuses."""
    system, chance = SYSTEMS[name], Random(lot)
    lines = few(name).splitlines()
    for text in texts:
        row = chance.randrange(len(lines))
        at = chance.randrange(len(lines[row]))
        lines[row] = lines[row][:at] + text + lines[row][at + chance.randrange(6) :]
    words = ""
    try:
        document = read_cards("\n".join(lines).encode("utf-8", "replace"), FILE, system, {})
        load_fleet(FILE, system, parse_toml(fleet_toml(document).encode(), FILE))
    except FileFaults as faults:
        words = str(faults)
        assert not words.startswith("book.csv: ruleset")
    assert not unprintable(words.replace("\n", ""))
