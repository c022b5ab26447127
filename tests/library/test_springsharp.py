"""Springsharp reports: two versions, pieces of them, and texts that are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.text import unprintable
from qf_tui.library.navies import COLUMNS, navy_names
from qf_tui.library.springsharp import READ_MOST, navy_of_country, read_springsharp
from tests.library.springsharp_texts import VERSION_2, VERSION_3

HEADINGS = {column.heading for column in COLUMNS}


def test_a_report_of_version_2_is_read() -> None:
    report = read_springsharp(VERSION_2)
    assert (report.version, report.country, report.unread) == (2, "Ruritania", ())
    assert report.assumed == ("launched 1899, completed 1900: it says only that she was laid down 1897",)
    assert report.cells == {
        "id": "vasa-lejon",
        "name": "Vasa Lejon",
        "kind": "battleship",
        "note": "Laid down 1897.",
        "launched": "1899",
        "completed": "1900",
        "tons": "12650",
        "knots": "18.25",
        "heavy": "4x12in",
        "heavy_bear": "4",
        "heavy_mount": "turrets",
        "heavy_armor": "10",
        "light": "10x152mm + 4x4.7in",
        "light_bear": "5 + 2",
        "light_mount": "casemates + shields",
        "light_armor": "5 (10 of 14)",
        "small": "16x75-100mm + 8x37-65mm",
        "belt": "9",
        "belt_ends": "4",
        "upper_side": "6",
        "deck": "2.5",
        "ct": "10",
        "tubes": "5",
        "tube_size": "18",
        "tubes_below": "4",
        "sources": "a Springsharp report",
    }


def test_a_report_of_version_3_is_read() -> None:
    """Catches lengths of guns, and mounts in two groups, that only version 3 prints."""
    report = read_springsharp(VERSION_3)
    assert (report.version, report.country, report.unread) == (3, "Great Britain", ())
    assert report.cells == {
        "id": "kestrel",
        "name": "Kestrel",
        "kind": "protected-cruiser",
        "note": "Laid down 1895.",
        "launched": "1897",
        "completed": "1898",
        "tons": "5600",
        "knots": "19.5",
        "heavy": "2x8in/40",
        "heavy_bear": "2",
        "heavy_mount": "shields",
        "heavy_armor": "3",
        "light": "9x6in/45",
        "light_bear": "5",
        "light_mount": "casemates",
        "light_armor": "4.5",
        "small": "8x75-100mm + 0x37-65mm",
        "deck": "2.25",
        "ct": "6",
        "tubes": "5",
        "tube_size": "14+18",
        "tubes_below": "2",
        "sources": "a Springsharp report",
    }


def test_lines_run_together_and_signs_of_forums_read_alike() -> None:
    for text in (VERSION_2, VERSION_3):
        plain = read_springsharp(text).cells
        assert read_springsharp(" ".join(text.split())).cells == plain
        assert read_springsharp(text.replace("    ", "\t").replace("\n", "\r\n")).cells == plain
        quoted = text.replace('"', "&quot;")
        assert read_springsharp(f"[code]{quoted}[/code]").cells == plain
        assert read_springsharp("\n".join(f"> {line}" for line in text.splitlines())).cells == plain
        assert read_springsharp(text.replace('"', "”").replace(" - ", " – ")).cells == plain


def test_the_figures_of_another_locale_read_alike() -> None:
    head, _, rest = VERSION_3.partition("\n")
    turned = rest.translate(str.maketrans(",.", ".,"))
    assert read_springsharp(f"{head}\n{turned}").cells == read_springsharp(VERSION_3).cells


def test_a_piece_says_what_is_missing_and_gives_the_rest() -> None:
    """Catches a text cut off at either end: nothing is made up for what is not there."""
    begun = read_springsharp(VERSION_2[: VERSION_2.index("Weight of broadside")])
    assert begun.cells["heavy"] == "4x12in"
    assert not {"tubes", "belt", "knots"} & set(begun.cells)
    assert [text.partition(":")[0] for text in begun.unread] == ["knots", "what follows the guns", "plate"]
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


def test_a_kind_that_is_none_of_ours_is_told_and_a_cruiser_is_one_by_her_armor() -> None:
    frigate = read_springsharp("Swan, France Screw Frigate laid down 1870")
    assert "her kind: “France Screw Frigate”" in frigate.unread
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
def test_the_first_line_tells_country_and_kind(line: str, country: str, kind: str) -> None:
    report = read_springsharp(line)
    assert (report.country, report.cells["kind"]) == (country, kind)


@pytest.mark.parametrize(
    ("country", "navy"),
    [
        *(("Great Britain", "britain"), ("Russian", "russia"), ("Japanese Empire", "japan"), ("US", "usa")),
        *(("French", "france"), ("Austria-Hungary", "austria-hungary"), ("Ruritania", "ruritania")),
    ],
)
def test_a_country_is_a_navy_of_ours_or_a_new_one(country: str, navy: str) -> None:
    assert navy_of_country(country, navy_names()) == navy


def test_the_first_of_several_reports_is_read_and_the_others_are_told() -> None:
    both = read_springsharp(VERSION_2 + VERSION_3)
    assert both.cells == read_springsharp(VERSION_2).cells
    assert both.unread == ("1 more behind the first report; give each a text of its own",)
    assert "100,000" in read_springsharp(" " * (READ_MOST + 1)).unread[0]


@settings(max_examples=settings().max_examples * 2)
@given(
    text=st.sampled_from((VERSION_2, VERSION_3)),
    cuts=st.lists(st.tuples(st.integers(0, 2500), st.integers(0, 400), st.text(max_size=30)), max_size=6),
)
def test_no_text_is_too_odd(text: str, cuts: list[tuple[int, int, str]]) -> None:
    """Catches a spoilt report that ends in a traceback, or that fills a cell which no navy has."""
    for at, long, put in cuts:
        text = text[:at] + put + text[at + long :]
    report = read_springsharp(text)
    assert set(report.cells) <= HEADINGS
    assert all(report.cells.values())
    assert not unprintable("".join((*report.unread, *report.assumed, *report.cells.values(), report.country)))


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    read_springsharp(text)


@pytest.mark.parametrize(
    ("line", "tubes", "unread"),
    [
        ('3 - 18.0" / 457 mm submerged torpedo tubes', "3", ()),
        ('3 - 18.0" submerged torpedo tubes', "3", ()),
        ('Main Torpedoes 4 - 18.0", 15.00 ft torpedoes - 0.700 t each', "4", ()),
        ('3 - 18" torpedo tubes 4 torpedo reloads', "3", ()),
        ("3 torpedo tubes, 450 mm", "0", ("3 torpedo tubes",)),
        ('2 - 18.0" torpedo tubes Weight of broadside 9 lbs 2 - 450 mm torpedo tubes', "2", ("2 - 450 mm",)),
        ("Torpedo boat ram", "0", ()),
    ],
)
def test_a_line_of_torpedoes_is_read_or_named(line: str, tubes: str, unread: tuple[str, ...]) -> None:
    """Catches tubes that are dropped without a word."""
    guns = '4 - 8.00" / 203 mm guns in turrets'
    text = f"{guns} {line} Armour: - Torpedo Bulkhead: Survivability: 1.2 torpedoes"
    read = read_springsharp(text)
    assert read.cells["tubes"] == tubes
    told = [one for one in read.unread if "not understood" in one]
    assert len(told) == len(unread)
    assert all(words in one for words, one in zip(unread, told, strict=True))
