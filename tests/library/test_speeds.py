"""Speeds in files of the Quickfire games: printed for another scale, and at the start of a battle."""

from pathlib import Path

import pytest

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.features.editor.drafts import Draft
from qf_tui.features.editor.writers import build_documents, check_documents, read_draft
from qf_tui.library.faults import FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.library.scenarios import load_scenario
from tests.library.sloops import write
from tests.systems import find_our_systems

SHIP = (
    '[[ship]]\nid = "{id}"\nname = "{id}"\nkind = "cruiser"\nsize = 5\ngunnery = [9, 9]\narmor = [9, 9]\n'
    "rof = [5, 5]\nspeed = 4.5\n{more}"
)
BOTH = pytest.mark.parametrize("name", ["advanced-quickfire", "quickfire"])


def write_fleet(folder: Path, name: str, head: str = "", more: str = "") -> Path:
    """Write a fleet of two: only boyne has further values."""
    text = (
        f'ruleset = "{name}"\n{head}' + SHIP.format(id="ajax", more="") + SHIP.format(id="boyne", more=more)
    )
    return write(folder, "east.toml", text)


def load_start(folder: Path, name: str, text: str, scale: str = "medium") -> tuple[RuleSystem, Battle]:
    head = f'ruleset = "{name}"\nscale = "{scale}"\n'
    sides = '[[side]]\nname = "East"\nfleet = "east.toml"\nships = ["ajax", "boyne"]\n'
    return load_scenario(write(folder, "day.toml", head + sides + text), find_our_systems())


@pytest.mark.clause("AQF-SCA-4")
@BOTH
def test_a_fleet_states_the_scale_of_its_speeds_and_a_ship_may_state_another(
    tmp_path: Path, name: str
) -> None:
    """Detect a key of the fleet that its ships do not get, or that a ship cannot override."""
    path = write_fleet(tmp_path, name, 'speed_scale = "small"\n', 'speed_scale = "large"\n')
    cards = load_fleet(path, find_our_systems()[name]).cards
    assert [card["speed_scale"] for card in cards] == ["small", "large"]
    unstated = load_fleet(write_fleet(tmp_path / "other", name), find_our_systems()[name]).cards
    assert [card["speed_scale"] for card in unstated] == ["medium", "medium"]
    system, battle = load_start(tmp_path, name, "", "small")
    speeds = [system.report(battle, one)["available_speed"] for one in battle.ships.values()]
    assert speeds == [4.5, 2.25]


@pytest.mark.clause("AQF-SCA-4")
def test_an_unknown_scale_is_refused(tmp_path: Path) -> None:
    path = write_fleet(tmp_path, "advanced-quickfire", 'speed_scale = "old-small"\n')
    with pytest.raises(FileFaults, match="speed_scale: expected one of"):
        load_fleet(path, find_our_systems()["advanced-quickfire"])


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(("scale", "went"), [("medium", "2¼″"), ("large", "3⅜″")])
def test_an_opening_speed_has_the_scale_of_the_card(tmp_path: Path, scale: str, went: str) -> None:
    """Detect an opening speed of another scale, and one that the ship cannot reach."""
    write_fleet(tmp_path, "advanced-quickfire")
    start = "[start]\najax = { speed = 2.25 }\nboyne = { speed = 40 }\n"
    system, battle = load_start(tmp_path, "advanced-quickfire", start, scale)
    moved = next(column for column in system.columns if column.name == "moved")
    drawn = [system.cell(battle, one, moved)[0].text for one in battle.ships.values()]
    assert drawn == ["4", "8"]
    sheet = dict(system.sheet(battle, battle.ships["ajax"]))["moved"][0].text
    assert sheet.split(", ")[1] == went


@pytest.mark.clause("AQF-MV-1")
def test_a_draft_keeps_opening_speeds_of_the_remaining_ships(tmp_path: Path) -> None:
    """Detect a scenario that cannot be written again after one of its ships was removed."""
    write_fleet(tmp_path, "advanced-quickfire", 'speed_scale = "small"\n')
    load_start(tmp_path, "advanced-quickfire", "[start]\najax = { speed = 2 }\nboyne = { speed = 3 }\n")
    draft = read_draft(tmp_path / "day.toml", find_our_systems())
    gone = next(ship for ship in draft.ships if ship.ship == "boyne")
    left: Draft = draft.remove_ship(gone, 0)
    composed = build_documents(left, find_our_systems()["advanced-quickfire"])
    assert composed.scenario["start"] == {"ajax": {"speed": 2}}
    _, battle = check_documents(composed, find_our_systems())
    assert battle.ships["ajax"].card["speed_scale"] == "small"
    assert battle.ships["ajax"].log["opening"] == 2
