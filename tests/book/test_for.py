"""Values in a fleet or a scenario for one rule system, if that is a book."""

from pathlib import Path

import pytest

from qf_tui.library.faults import Faults
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import Systems
from tests.book.convoys import copy_book

FLEET = """title = "Any rules"
navy = "japan"
year = 1904
ships = ["mikasa", "asahi"]

[[ship]]
id = "mikasa"
for.convoy = { kind = "cruiser", hull = 9 }
"""
ASAHI = '\n[[ship]]\nid = "asahi"\nfor.convoy = { kind = "destroyer" }\n'
SIDES = """
[[side]]
name = "Blue"
fleet = "any.toml"
ships = ["mikasa"]

[[side]]
name = "Red"
fleet = "any.toml"
ships = ["asahi"]
"""


def write_scenario(folder: Path, fleet: str, head: str = 'ruleset = "convoy"') -> Path:
    path = copy_book(folder).with_name("any-rules.toml")
    path.with_name("any.toml").write_text(fleet, encoding="utf-8")
    path.write_text(f'title = "Any rules"\n{head}\n{SIDES}', encoding="utf-8")
    return path


def test_ships_of_a_navy_sail_by_a_book_if_the_fleet_has_its_values(tmp_path: Path) -> None:
    path = write_scenario(tmp_path, FLEET + ASAHI)
    _, battle = load_scenario(path, Systems())
    logs = {id: (ship.count("hull"), ship.count("guns")) for id, ship in battle.ships.items()}
    assert logs == {"mikasa": (9, 6), "asahi": (3, 2)}
    assert "15,140 t" in str(battle.ships["mikasa"].card["notes"])
    system, _ = load_scenario(path, Systems(), "gq2")
    assert system.name == "gq2"


def test_a_ship_without_values_for_a_book_is_refused_with_their_place(tmp_path: Path) -> None:
    with pytest.raises(Faults, match=r"state kind in \[ship.for.convoy\]") as caught:
        load_scenario(write_scenario(tmp_path, FLEET), Systems())
    assert len(caught.value.lines) == 1


def test_a_scenario_has_values_for_a_book_alone(tmp_path: Path) -> None:
    own = '[for.convoy]\nnotes = "by hand"\noptions = { weather = "foul" }'
    path = write_scenario(tmp_path, FLEET + ASAHI, f'ruleset = "gq2"\nnotes = "by night"\n{own}')
    told = {rules: load_scenario(path, Systems(), rules)[1].table["notes"] for rules in ("", "gq2", "convoy")}
    assert told == {"": "by night", "gq2": "by night", "convoy": "by hand"}
    assert load_scenario(path, Systems(), "convoy")[1].options["weather"] == "foul"
