"""Where a draft's ships are from: what is written of a source is read as that source again."""

from pathlib import Path

import pytest

from qf_tui.library.drafts import (
    FleetFile,
    FleetShip,
    NavyYear,
    ShelfFleet,
    Source,
    fleet_source,
    named_directly,
    ship_of_navy,
    sources_of,
)
from qf_tui.library.navies import register

AT = Path("/battles")


@pytest.mark.parametrize("source", [ShelfFleet("east"), ShelfFleet("japan 1904"), NavyYear("japan", 1904)])
def test_what_a_side_says_of_its_source_is_read_as_that_source(source: Source) -> None:
    """Catches a fleet on the shelf that is taken for a navy because of its name."""
    named = named_directly([FleetShip(source, "wren")])
    assert named is not None
    assert sources_of({**named[0], "ships": ["wren"]}, AT, "")[0] == source


@pytest.mark.parametrize(
    ("word", "source", "text"),
    [
        ("east", ShelfFleet("east"), "east"),
        ("east.toml", FleetFile(AT / "east.toml"), "/battles/east.toml"),
        ("../east 1904.toml", FleetFile(Path("/east 1904.toml")), "/east 1904.toml"),
    ],
)
def test_the_word_of_a_scenario_is_a_fleet_and_is_shown_as_text(word: str, source: Source, text: str) -> None:
    assert fleet_source(word, AT) == source
    assert source.text == text
    assert fleet_source(text, AT) == source


@pytest.mark.parametrize("letters", ["asahi 1904", "asahi １９０４", "asahi ¹⁹⁰⁴"])
def test_a_year_is_read_as_the_letters_that_find_ships_are(letters: str) -> None:
    """Catches a set-up that ends at figures which are found as a year, but are none as they are typed."""
    ships = register(["japan"]).found(letters.split())
    assert [ship_of_navy(ship, letters).source for ship in ships] == [NavyYear("japan", 1904)]
