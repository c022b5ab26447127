"""Ships of fleet files: keys that the Quickfire games share, and ratings of any size."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import tomli_w

from qf_tui.core.errors import QfError
from qf_tui.core.text import Scalar
from qf_tui.library.check import check_file
from qf_tui.library.declared import list_scenario_fields
from qf_tui.library.fleets import load_fleet
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
SHIP: Mapping[str, object] = {"id": "ajax", "name": "Ajax", "kind": "battleship"}
SHARED: Mapping[str, object] = {
    "size": 12,
    "gunnery": [20, 13],
    "armour": [11, 22],
    "rof": [7, 10],
    "speed": 6.75,
    "boat_guns": 4,
    "protected": True,
    "repair": 6,
    "torpedo_boat": True,
    "end_arc": "full",
    "arcs": {"bow": {"heavy": "halved"}, "stern": {"heavy": "none", "light": "full"}},
}
GQ2: Mapping[str, object] = {
    "class": "BB",
    "nation": "British",
    "df": 9,
    "hull": [12, 10, 8, 6, 3],
    "armament": 6,
}


def load_card(folder: Path, system: str, **keys: object) -> Mapping[str, Scalar]:
    """Load the card of a fleet file of one ship."""
    path = folder / "fleet.toml"
    fleet = {"ruleset": system, "title": "One", "source": "a test", "values": "estimated"}
    path.write_text(tomli_w.dumps({**fleet, "ship": [{**SHIP, **keys}]}), encoding="utf-8")
    return load_fleet(path, SYSTEMS[system]).cards[0]


@pytest.mark.parametrize(
    ("system", "torpedo"),
    [("advanced-quickfire", {"size": 18, "reload": 8}), ("quickfire", 2), ("quickfire-clone", 2)],
)
def test_the_quickfire_games_take_the_same_keys(tmp_path: Path, system: str, torpedo: object) -> None:
    read = load_card(tmp_path, system, **SHARED, torpedo=torpedo)
    assert (read["protected"], read["torpedo_boat"], read["end_arc"]) == (True, True, "full")
    assert (read["arcs.bow.heavy"], read["arcs.bow.light"]) == ("halved", None)
    assert (read["arcs.stern.heavy"], read["arcs.stern.light"]) == ("none", "full")
    assert read["boat_guns"] == (4 if system == "advanced-quickfire" else 1)


@pytest.mark.parametrize(
    ("system", "keys", "fields"),
    [
        (
            "advanced-quickfire",
            {**SHARED, "torpedo": {"size": 18, "reload": 999}, "boat_guns": 999, "repair": 999},
            ("torpedo.reload", "boat_guns", "repair"),
        ),
        ("quickfire", {**SHARED, "torpedo": 999, "repair": 999}, ("torpedo", "repair")),
        ("quickfire-clone", {**SHARED, "repair": 999}, ("repair",)),
        (
            "gq2",
            {**GQ2, "df": 999, "armament": 999, "battery": [{"name": "main", "calibre": 12, "af": 999}]},
            ("df", "armament", "battery.1.af"),
        ),
    ],
)
def test_ratings_may_be_large(
    tmp_path: Path, system: str, keys: Mapping[str, object], fields: tuple[str, ...]
) -> None:
    read = load_card(tmp_path, system, **keys)
    assert {field: read[field] for field in fields} == dict.fromkeys(fields, 999)


@pytest.mark.parametrize("system", ["advanced-quickfire", "quickfire", "quickfire-clone"])
def test_a_quickfire_ship_has_a_size(tmp_path: Path, system: str) -> None:
    keys = {key: value for key, value in SHARED.items() if key != "size"}
    with pytest.raises(QfError, match=r"ship 1 \(ajax\), size: is missing"):
        load_card(tmp_path, system, **keys)


def test_a_ship_of_general_quarters_has_no_size(tmp_path: Path) -> None:
    assert "size" not in load_card(tmp_path, "gq2", **GQ2)
    with pytest.raises(QfError, match=r"ship 1 \(ajax\), size: no such key"):
        load_card(tmp_path, "gq2", **GQ2, size=12)


@pytest.mark.parametrize("system", SYSTEMS)
def test_only_the_quickfire_games_read_a_printed_chart_out(tmp_path: Path, system: str) -> None:
    path = tmp_path / "battle.toml"
    path.write_text(f'ruleset = "{system}"\nstrict = true\n[[side]]\nname = "Blue"\n', encoding="utf-8")
    (found,) = check_file(path, SYSTEMS).faulty_files
    told = any("strict: no such key" in str(fault) for fault in found.faults)
    assert told == ("quickfire" not in system)
    assert [field.name for field in list_scenario_fields(SYSTEMS[system])].count("strict") == (not told)
