"""Scenarios of no rule system set up again: ships by facts, and what is said for other rules, is kept."""

from pathlib import Path
from typing import Any

import pytest

from qf_tui.core.values import Battle
from qf_tui.library.drafts import Draft, DraftPlace, FleetShip, NavyYear, ShelfFleet, fleets_of
from qf_tui.library.paths import HOME, read_toml
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.ship_drafts import ShipDraft
from qf_tui.library.writers import compose, draft_of, write
from tests.library.sloops import write as put
from tests.systems import OURS, our_systems

SYSTEMS = our_systems()
AQF, GQ2, QF, CLONE = (SYSTEMS[name] for name in OURS)

SCENARIO = """title = "A night"
date = "10 August 1904"
ruleset = "advanced-quickfire"
scale = "small"
units = "in"
strict = true
[suits]
gq2 = "a night attack"
[options]
sx_check = "12"
[start]
fuji = { speed = 5 }
[formerly]
a-night-gq2 = "gq2"
[for.gq2]
light = "night"
[for.gq2.division.van]
formation = "abreast"
[[side]]
name = "Japan"
navy = "japan"
ships = ["fuji", "asahi", "china/ting-yuen"]
[[side.division]]
name = "van"
player = "Anna"
ships = ["fuji", "china/ting-yuen"]
[[side]]
name = "Russia"
navy = "russia"
year = 1903
prefix = "r-"
ships = ["poltava", "boiki"]
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    return tmp_path


def places(battle: Battle) -> dict[str, tuple[str, str, object]]:
    return {id: (one.side, one.division, dict(one.card)) for id, one in battle.ships.items()}


def loaded(path: Path, rules: str = "") -> Battle:
    return load_scenario(path, SYSTEMS, rules)[1]


@pytest.mark.parametrize("rules", ["", "gq2", "quickfire"])
def test_a_copy_is_the_same_battle_under_every_rule_system(home: Path, rules: str) -> None:
    """Catches a ship of another navy, a year, or what holds for other rules lost as a scenario is copied."""
    path = put(home, "night.toml", SCENARIO)
    copy = write(draft_of(path, SYSTEMS), SYSTEMS)
    assert "formerly" not in read_toml(copy)
    first, second = loaded(path, rules), loaded(copy, rules)
    assert places(first).keys() == {"fuji", "asahi", "ting-yuen", "r-poltava", "r-boiki"}
    assert {id.removeprefix("r-") for id in places(second)} == {id.removeprefix("r-") for id in places(first)}
    assert second.table == first.table
    assert second.options == first.options
    assert read_toml(copy)["suits"] == {"gq2": "a night attack"}


def test_a_copy_for_other_rules_keeps_what_held_before_under_for(home: Path) -> None:
    """Catches switches and scale that a copy loses for the rules that they were written for."""
    path = put(home, "night.toml", SCENARIO)
    copy = write(draft_of(path, SYSTEMS, "gq2"), SYSTEMS)
    data = read_toml(copy)
    assert (data["ruleset"], data["light"]) == ("gq2", "night")
    assert data["side"][0]["division"][0]["formation"] == "abreast"
    assert loaded(copy).table["formation.@van"] == "abreast"
    back, first = loaded(copy, "advanced-quickfire"), loaded(path)
    assert back.options == first.options
    assert back.table == {**first.table, "units": "in"}


def test_what_is_said_of_a_division_goes_with_it(home: Path) -> None:
    """Catches a scenario that cannot be written because it speaks of a division that was taken away."""
    draft = draft_of(put(home, "night.toml", SCENARIO), SYSTEMS).without_division(DraftPlace(0, 0))
    document = compose(draft, AQF).scenario
    assert document["for"]["gq2"]["division"] == {}
    assert "start" not in document or "fuji" not in document["start"]
    assert places(loaded(write(draft, SYSTEMS), "gq2"))


def side_of(*berths: FleetShip) -> dict[str, Any]:
    draft = Draft.begun(AQF)
    for berth in berths:
        draft = draft.put(berth, DraftPlace(0))
    draft = draft.put(FleetShip(NavyYear("russia", 1904), "poltava"), DraftPlace(1))
    path = write(draft, SYSTEMS)
    side: dict[str, Any] = read_toml(path)["side"][0]
    ships = [one.name for one in loaded(path).ships.values() if one.side == "blue"]
    fleet = read_toml(path.parent / side["fleet"]) if str(side.get("fleet")).endswith(".toml") else {}
    return {**side, "names": ships, "made": fleet}


MIKASA, ASAHI = FleetShip(NavyYear("japan", 1904), "mikasa"), FleetShip(ShelfFleet("japan-1904"), "asahi")
VSADNIK = FleetShip(ShelfFleet("russia-pacific-1904"), "vsadnik")


def test_a_side_of_navies_names_them_and_makes_no_fleet(home: Path) -> None:
    side = side_of(MIKASA, FleetShip(NavyYear("china", 1904), "ting-yuen"))
    assert [side[key] for key in ("navy", "year", "ships")] == ["japan", 1904, ["mikasa", "china/ting-yuen"]]
    assert side["names"] == ["Mikasa", "Ting Yuen"]


def test_a_side_of_several_years_and_fleets_of_no_rules_has_a_fleet_of_none(home: Path) -> None:
    """Catches a fleet that binds a scenario to one rule system though its ships do not."""
    side = side_of(MIKASA, FleetShip(NavyYear("japan", 1898), "fuji"), VSADNIK, ASAHI)
    assert "ruleset" not in side["made"]
    assert [one["facts"] for one in side["made"]["ship"]] == [
        "japan/mikasa",
        "japan/fuji",
        "russia/vsadnik",
        "japan/asahi",
    ]
    assert side["names"] == ["Mikasa", "Fuji", "Vsadnik", "Asahi"]


def test_a_side_with_ships_that_one_system_states_has_a_fleet_of_that(home: Path) -> None:
    """Catches worked out values that are not those of the card once they are stated."""
    side = side_of(MIKASA, FleetShip(ShelfFleet("rulebook-examples"), "borodino"))
    assert side["made"]["ruleset"] == "advanced-quickfire"
    mikasa, borodino = side["made"]["ship"]
    assert (mikasa["gunnery"], mikasa["torpedo"]) == ([20, 13], {"size": 18, "reload": 8})
    assert mikasa["attested"] == ["gunnery.heavy", "rof.heavy"]
    assert borodino["gunnery"] == [20, 13]


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_a_navy_of_a_year_can_be_picked_from_once_a_draft_names_it(home: Path, system: Any) -> None:
    draft = Draft.begun(system).put(MIKASA, DraftPlace(0))
    fleets = fleets_of(system, draft)
    assert fleets.card(MIKASA)["name"] == "Mikasa"
    assert fleets.sound[NavyYear("japan", 1904)].card("asahi")


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_a_ship_of_the_shipyard_is_picked_and_sails(home: Path, system: Any) -> None:
    """Catches an own ship that joins a running battle and can begin none."""
    texts = {"name": "Wren", "kind": "b", "launched": "03", "completed": "05", "tons": "14000", "knots": "18"}
    ShipDraft("Japan", {**texts, "heavy": "4x12/40", "belt": "9"}).keep()
    wren = FleetShip(NavyYear("japan", 1905), "wren")
    draft = Draft.begun(system).put(wren, DraftPlace(0)).put(ASAHI, DraftPlace(1))
    fleet = fleets_of(system, Draft.begun(system)).sound[NavyYear("japan", 1905)]
    assert (fleet.title, [card["id"] for card in fleet.cards]) == ("Japan 1905, yours", ["wren"])
    battle = load_scenario(write(draft, SYSTEMS), SYSTEMS)[1]
    assert battle.ships["wren"].card["name"] == "Wren"
    assert NavyYear("japan", 1905) not in fleets_of(system).sound
