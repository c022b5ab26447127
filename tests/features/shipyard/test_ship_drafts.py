"""A ship during entry: abbreviations, defaults, and Springsharp reports."""

import csv
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.text import find_unprintable
from qf_tui.features.shipyard.facts import list_assumed_facts
from qf_tui.features.shipyard.own_ships import ShipDraft
from qf_tui.features.shipyard.springsharp import READ_MOST, decode_report, find_country_navy, read_springsharp
from qf_tui.library.csv_rows import COLUMNS, list_meant_words, make_ascii_id, spell_typed
from qf_tui.library.navies import list_navies, load_register, read_own_ships
from tests.features.shipyard.springsharp_texts import VERSION_2, VERSION_3

pytestmark = pytest.mark.usefixtures("home")


def build_draft(navy: str = "Ruritania", **texts: str) -> ShipDraft:
    return ShipDraft(navy, texts)


WREN = {"name": "Wren", "kind": "g", "launched": "90", "tons": "1,800", "knots": "13.5"}


@pytest.mark.parametrize(
    ("heading", "typed", "text"),
    [
        ("kind", "b", "battleship"),
        ("kind", "ac", "armored-cruiser"),
        ("kind", "bat", "battleship"),
        ("kind", "batte", "battery"),
        ("kind", "tg", "torpedo-gunboat"),
        ("kind", "zeppelin", "zeppelin"),
        ("plate", "k", "Krupp"),
        ("plate", "h/n", "Harvey/nickel"),
        ("heavy_mount", "t", "turrets"),
        ("light_mount", "c+s", "casemates + shields"),
        ("heavy", "4x12/40", "4x12in/40"),
        ("heavy", "2x16.25/30+1x10", "2x16.25in/30 + 1x10in"),
        ("light", "10 x 150/40", "10x150mm/40"),
        ("light", "8x15cm L35", "8x150mm/35"),
        ("light", "8×6in", "8x6in"),
        ("light", "many", "many"),
        ("heavy_bear", "2+1", "2 + 1"),
        ("small", "16+8", "16x75-100mm + 8x37-65mm"),
        ("small", "16", "16x75-100mm + 0x37-65mm"),
        ("light_armor", "6 4/10", "6 (4 of 10)"),
        ("light_armor", "6in", "6"),
        ("launched", "04", "1904"),
        ("completed", "98", "1898"),
        ("tons", "15,140 t", "15140"),
        ("belt", '9"', "9"),
        ("name", " Kii ", "Kii"),
    ],
)
def test_abbreviations_are_spelled_out(heading: str, typed: str, text: str) -> None:
    assert spell_typed(heading, typed) == text
    assert spell_typed(heading, text) == text


@pytest.mark.parametrize(
    ("heading", "letters", "words"),
    [
        ("kind", "b", ("battleship", "battery", "battlecruiser")),
        ("plate", "h/s", ("steel",)),
        ("plate", "h/", ("Krupp", "Harvey", "nickel", "steel", "compound", "iron")),
        ("tons", "1", ()),
    ],
)
def test_letters_offer_matching_words(heading: str, letters: str, words: tuple[str, ...]) -> None:
    assert list_meant_words(heading, letters) == words


def test_every_fact_of_every_ship_is_spelled_unchanged() -> None:
    """Guard against an abbreviation with another meaning when a ship is opened and kept unchanged."""
    for ship in load_register().ships:
        draft = ShipDraft.from_ship(ship)
        read = draft.reading
        assert read.ship == evolve(ship, class_row=""), (read.wrong, read.missing)


def test_missing_facts_get_defaults_that_are_listed() -> None:
    read = build_draft(**WREN, heavy="4x8/35", heavy_mount="s").reading
    assert read.ship is not None
    ship = read.ship
    assert (ship.id, ship.ship_class, ship.completed, ship.tons) == ("wren", "Wren", 1892, 1800)
    assert (ship.heavy[0].bearing, read.contradictions, list_assumed_facts(ship)) == (
        2,
        (),
        ("4x8in/35: 2 bear",),
    )
    assert build_draft(completed="1892").defaults["launched"] == "1890"


@pytest.mark.parametrize(("kind", "bearing"), [("b", 4), ("ac", 4), ("pc", 2), ("i", 2)])
def test_four_main_guns_are_in_turrets_if_her_kind_has_them(kind: str, bearing: int) -> None:
    """Guard against a battleship from memory that fires with half of her guns."""
    ship = build_draft(**{**WREN, "kind": kind}, heavy="4x8/35").reading.ship
    assert ship is not None
    assert (ship.heavy[0].bearing, ship.heavy[0].assumed) == (bearing, True)


def test_missing_and_wrong_facts_are_listed_by_column() -> None:
    read = build_draft(name="Wren", tons="some", heavy="4x12in/40+many").reading
    assert read.ship is None
    assert read.missing == ("kind", "launched", "completed", "knots")
    assert set(read.wrong) == {"tons", "heavy"}
    assert "found “many”" in read.wrong["heavy"]


def test_contradictory_facts_are_listed_and_kept() -> None:
    draft = build_draft(**{**WREN, "knots": "40"}, belt="30", light="12x6/40", light_bear="13")
    assert draft.reading.contradictions == ("12x6in/40: 13 bear of 12", "a belt of 30 in", "40 knots")
    odd = build_draft(**WREN, tubes="18", deck="10", deck_slope="9", heavy="4x20/35").reading.contradictions
    assert odd == ("a deck of 10 in", "a deck slope of 9 in", "18 tubes", "guns of 20 in")
    draft.keep()
    assert read_own_ships("Ruritania")[0].knots == 40


def test_a_sister_copies_all_but_individual_facts() -> None:
    katori = load_register(["japan"]).find_ships(["katori"])[0]
    sister = ShipDraft.from_sister(katori).with_text("name", "Ikoma")
    read = sister.reading
    assert read.ship is not None
    assert (read.ship.id, read.ship.heavy, read.ship.ship_class) == ("ikoma", katori.heavy, katori.ship_class)
    assert (read.ship.fought, read.ship.note, read.ship.sources) == ((), "as Katori", katori.sources)


def find_ship(name: str, navy: str = "ruritania") -> ShipFacts:
    return load_register([navy]).find_ships([name])[0]


def test_a_ship_kept_with_another_id_or_navy_leaves_no_duplicate() -> None:
    build_draft(**WREN).keep()
    ShipDraft.from_ship(find_ship("wren")).with_text("id", "owl").with_text("name", "Owl").keep()
    assert [ship.name for ship in read_own_ships("Ruritania")] == ["Owl"]
    moved = ShipDraft.from_ship(find_ship("owl"))
    ShipDraft("Graustark", moved.texts, moved.by_hand, moved.own_row).keep()
    assert read_own_ships("Ruritania") == ()
    assert [ship.name for ship in read_own_ships("Graustark")] == ["Owl"]


def test_a_ship_that_would_replace_another_is_named() -> None:
    assert build_draft(**WREN).replaced_name == ""
    build_draft(**WREN).keep()
    assert build_draft(**WREN).replaced_name == "Wren"
    assert ShipDraft.from_ship(find_ship("wren")).replaced_name == ""
    assert build_draft(**{**WREN, "launched": "91"}).replaced_name == ""


def test_own_values_are_kept_for_each_system_and_can_be_removed() -> None:
    draft = build_draft(**WREN).with_hand_value("quickfire", "speed", "9").with_hand_value("gq2", "df", "3")
    draft.keep()
    ship = find_ship("wren")
    assert [str(one) for one in ship.by_hand] == ["quickfire speed=9", "gq2 df=3"]
    again = ShipDraft.from_ship(ship).with_hand_value("quickfire", "speed", "")
    assert (again.find_hand_value("quickfire", "speed"), again.find_hand_value("gq2", "df")) == ("", "3")
    again.keep()
    assert [str(one) for one in find_ship("wren").by_hand] == ["gq2 df=3"]


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Jauréguiberry", "jaureguiberry"),
        ("Ting-Yuen (2)", "ting-yuen-2"),
        ("三笠", "u4e09-u7b20"),
        ("–", ""),
    ],
)
def test_an_id_is_made_from_the_name(name: str, id: str) -> None:
    assert make_ascii_id(name) == id


HEADINGS = {column.heading for column in COLUMNS}
REPORTS = Path(__file__).parent / "springsharp.csv"
with REPORTS.open(encoding="utf-8", newline="") as file:
    REPORTED = tuple(csv.DictReader(file))


@pytest.mark.parametrize(
    ("text", "version", "country"), [(VERSION_2, 2, "Ruritania"), (VERSION_3, 3, "Great Britain")]
)
def test_a_report_becomes_a_row(text: str, version: int, country: str) -> None:
    """Guard against lost gun lengths and double mount groups, which only version 3 prints."""
    report = read_springsharp(text)
    assert (report.version, report.country, report.unread) == (version, country, ())
    assert len(report.assumed) == 1
    assert report.cells == {heading: cell for heading, cell in REPORTED[version - 2].items() if cell}


def test_joined_lines_and_forum_markup_are_read_alike() -> None:
    for text in (VERSION_2, VERSION_3):
        plain = read_springsharp(text).cells
        assert read_springsharp(" ".join(text.split())).cells == plain
        assert read_springsharp(text.replace("    ", "\t").replace("\n", "\r\n")).cells == plain
        quoted = text.replace('"', "&quot;")
        assert read_springsharp(f"[code]{quoted}[/code]").cells == plain
        assert read_springsharp("\n".join(f"> {line}" for line in text.splitlines())).cells == plain
        assert read_springsharp(text.replace('"', "”").replace(" - ", " – ")).cells == plain


def test_numbers_of_another_locale_are_read_alike() -> None:
    head, _, rest = VERSION_3.partition("\n")
    turned = rest.translate(str.maketrans(",.", ".,"))
    assert read_springsharp(f"{head}\n{turned}").cells == read_springsharp(VERSION_3).cells


def test_a_part_of_a_report_says_what_is_missing_and_gives_the_rest() -> None:
    """Guard against invented facts for a text that is cut off at either end."""
    begun = read_springsharp(VERSION_2[: VERSION_2.index("Weight of broadside")])
    assert begun.cells["heavy"] == "4x12in"
    assert not {"tubes", "belt", "knots"} & set(begun.cells)
    assert [text.partition(":")[0] for text in begun.unread] == ["knots", "what follows the guns", "armor"]
    ended = read_springsharp(VERSION_3[VERSION_3.index("Main Torpedoes") :])
    assert (ended.cells["tubes"], ended.cells["deck"], ended.cells["knots"]) == ("5", "2.25", "19.5")
    assert [text.partition(":")[0] for text in ended.unread] == [
        "name, kind and year",
        "displacement",
        "guns",
    ]
    assert "small" not in ended.cells
    spoilt = read_springsharp(VERSION_2.replace("305 mm guns", "305 mm gnus"))
    assert spoilt.unread == (
        'not understood: “4 - 12.00" / 305 mm gnus (2x2 guns), 850.00lbs / 385.55kg sh”',
    )


def test_an_unknown_kind_is_listed_and_a_cruiser_gets_her_kind_from_her_armor() -> None:
    frigate = read_springsharp("Swan, France Screw Frigate laid down 1870")
    assert "her kind: “France Screw Frigate”; give it yourself, like kind=battleship" in frigate.unread
    for armor, kind in (
        ('Main: 6.00" / 152 mm 200.00 ft / 60.96 m', "armored-cruiser"),
        ('Armour deck: 2.00" / 51 mm', "protected-cruiser"),
        ("", "unprotected-cruiser"),
    ):
        assert read_springsharp(f"Swan, France Cruiser laid down 1890\n{armor}").cells["kind"] == kind


@pytest.mark.parametrize(
    ("line", "country", "kind"),
    [
        ("Swan, Great Britain Battlecruiser laid down 1911", "Great Britain", "battlecruiser"),
        ("Swan, France Pre-Dreadnought Battleship laid down 1899", "France", "battleship"),
        ("Swan, US Dreadnought Battleship laid down 1911 (Engine 1912)", "US", "dreadnought"),
        ("Swan, Chile Light Cruiser laid down 1905", "Chile", "light-cruiser"),
        ("Swan, Russian Sloop Gunboat laid down 1893", "Russian", "gunboat"),
        ("Swan, Dutch Coastal Defence Ship laid down 1893", "Dutch", "coast-defence"),
        ("Swan, Japan Torpedo Boat Destroyer laid down 1899", "Japan", "destroyer"),
    ],
)
def test_the_first_line_gives_country_and_kind(line: str, country: str, kind: str) -> None:
    report = read_springsharp(line)
    assert (report.country, report.cells["kind"]) == (country, kind)


@pytest.mark.parametrize(
    ("country", "navy"),
    [
        *(("Great Britain", "britain"), ("Russian", "russia"), ("Japanese Empire", "japan"), ("US", "usa")),
        *(("French", "france"), ("Austria-Hungary", "austria-hungary"), ("Ruritania", "ruritania")),
    ],
)
def test_a_country_is_a_known_navy_or_a_new_one(country: str, navy: str) -> None:
    assert find_country_navy(country, list_navies()) == navy


def test_the_first_of_several_reports_is_read_and_the_others_are_counted() -> None:
    both = read_springsharp(VERSION_2 + VERSION_3)
    assert both.cells == read_springsharp(VERSION_2).cells
    assert both.unread == ("1 more after the first report; paste them one by one",)
    assert "100,000" in read_springsharp(" " * (READ_MOST + 1)).unread[0]


@settings(max_examples=settings().max_examples * 2)
@given(
    text=st.sampled_from((VERSION_2, VERSION_3)),
    cuts=st.lists(st.tuples(st.integers(0, 2500), st.integers(0, 400), st.text(max_size=30)), max_size=6),
)
def test_any_damaged_report_is_read(text: str, cuts: list[tuple[int, int, str]]) -> None:
    """Guard against a traceback, and against text in a cell that no navy has."""
    for at, long, put in cuts:
        text = text[:at] + put + text[at + long :]
    report = read_springsharp(text)
    assert set(report.cells) <= HEADINGS
    assert all(report.cells.values())
    assert not find_unprintable(
        "".join((*report.unread, *report.assumed, *report.cells.values(), report.country))
    )


V3_TUBES = '2 - 15.0" / 381 mm, 15.00 ft / 4.57 m torpedoes - 0.420 t each, 0.840 t total'


@pytest.mark.parametrize(
    ("line", "tubes", "unread"),
    [
        ('3 - 18.0" / 457 mm submerged torpedo tubes', "3", ()),
        ('3 - 18.0" submerged torpedo tubes', "3", ()),
        ('Main Torpedoes 4 - 18.0", 15.00 ft torpedoes - 0.700 t each', "4", ()),
        ('3 - 18" torpedo tubes 4 torpedo reloads', "3", ()),
        ('3 - 18" torpedo tubes with reloads', "3", ()),
        (f"{V3_TUBES} submerged side tubes 2nd Torpedoes {V3_TUBES} below water reloads", "2", ()),
        (f"{V3_TUBES} In 1 sets of deck mounted reloads", "0", ()),
        (f"{V3_TUBES.replace('.', ',')} deck mounted reloads", "0", ()),
        (f"{V3_TUBES} In 2 sets of deck mounted side rotating tubes", "2", ()),
        ("3 torpedo tubes, 450 mm", "0", ("3 torpedo tubes",)),
        ('2 - 18.0" torpedo tubes Weight of broadside 9 lbs 2 - 450 mm torpedo tubes', "2", ("2 - 450 mm",)),
        ("Torpedo boat ram", "0", ()),
    ],
)
def test_a_line_of_torpedoes_is_read_or_named(line: str, tubes: str, unread: tuple[str, ...]) -> None:
    """Guard against tubes that are dropped silently."""
    guns = '4 - 8.00" / 203 mm guns in turrets'
    text = f"{guns} {line} Armour: - Torpedo Bulkhead: Survivability: 1.2 torpedoes"
    read = read_springsharp(text)
    assert read.cells["tubes"] == tubes
    told = [one for one in read.unread if "not understood" in one]
    assert len(told) == len(unread)
    assert all(words in one for words, one in zip(unread, told, strict=True))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_report_keeps_its_letters_in_every_encoding_of_windows(encoding: str) -> None:
    text = "Île Noire, France Battleship laid down 1898 – “sketch”"
    assert decode_report(text.encode(encoding)) == text
