"""What a scenario says of later, `[[schedule]]` and `[[victory]]`: read, refused, and kept by a set-up."""

import tomllib
from pathlib import Path
from typing import cast

import pytest

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Condition, Due, Plan
from qf_tui.library.check import check, schema
from qf_tui.library.drafts import Draft, DraftPlace, FleetShip, ShelfFleet
from qf_tui.library.faults import FileFaults
from qf_tui.library.paths import HOME
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.writers import compose, draft_of, write
from tests.library.sloops import FLEET, SYSTEM, SYSTEMS, Sloops, ship
from tests.library.sloops import write as put

EAST = """
title = "A day"
ruleset = "sloops"

[[side]]
name = "The East"
fleet = "east"

[[side.division]]
name = "Van"
ships = ["wren", "owl"]

[[side.division]]
name = "Rear"
ships = ["crane"]
"""
WEST = '\n[[side]]\nname = "West"\nfleet = "west"\n'
ARRIVES = '\n[[schedule]]\nturn = 4\narrives = ["Rear"]\nwhere = "from the north"\n'
DUSK = '\n[[schedule]]\nturn = 3\ntable = { light = "dusk" }\nnote = "Dusk."\n'
WINS = """
[[victory]]
side = "West"
count = 2
of = "The East"
kind = "sloop"
status = ["sunk", "withdrawn"]
edge = "South East"
note = "with a mast"
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shelf with two fleets."""
    monkeypatch.setenv(HOME, str(tmp_path))
    put(tmp_path / "fleets", "east.toml", FLEET + ship("wren") + ship("owl") + ship("crane"))
    put(tmp_path / "fleets", "west.toml", FLEET + ship("gull") + ship("tern"))
    return tmp_path


def file(home: Path, text: str) -> Path:
    return put(home / "scenarios", "day.toml", text)


def start(home: Path, text: str) -> Battle:
    return load_scenario(file(home, text), SYSTEMS)[1]


def faults(home: Path, text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        start(home, EAST + WEST + text)
    return [str(fault) for fault in caught.value.faults]


def test_a_plan_is_read_turn_by_turn_and_who_arrives_is_not_there(home: Path) -> None:
    """Catches a division that arrives later among the ships of the start, or nowhere at all."""
    battle = start(home, EAST + WEST + ARRIVES + DUSK + WINS)
    assert battle.plan == Plan(
        (Due(3, table={"light": "dusk"}, note="Dusk."), Due(4, ("crane",), "from the north")),
        (Condition("west", 2, "the-east", ("sunk", "withdrawn"), "sloop", "south-east", "with a mast"),),
    )
    assert list(battle.ships) == ["wren", "owl", "gull", "tern"]
    assert (battle.reserve["crane"].side, battle.reserve["crane"].division) == ("the-east", "rear")


def test_a_whole_side_may_arrive_and_ships_that_the_side_does_not_list(home: Path) -> None:
    both = '\n[[schedule]]\nturn = 2\narrives = ["West", "rear"]\n'
    listed = EAST.replace('fleet = "east"', 'fleet = "east"\nships = ["wren", "owl"]')
    for text in (EAST, listed):
        battle = start(home, text + WEST + both)
        assert battle.plan.arriving == ("gull", "tern", "crane")
        assert list(battle.ships) == ["wren", "owl"]


def test_two_divisions_of_one_name_are_told_by_their_sides(home: Path) -> None:
    west = WEST + '\n[[side.division]]\nname = "Rear"\nships = ["tern"]\n'
    with pytest.raises(FileFaults) as caught:
        start(home, EAST + west + ARRIVES)
    assert str(caught.value.faults[0]) == (
        "schedule 1, arrives: two divisions are called “Rear”: write the-east-rear or west-rear"
    )
    assert start(home, EAST + west + ARRIVES.replace('"Rear"', '"west-rear"')).plan.arriving == ("tern",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ARRIVES.replace("4", "1"), "schedule 1, turn: expected a whole number from 2 to 999, found 1"),
        (ARRIVES.replace("turn = 4", ""), "schedule 1, turn: is missing"),
        (ARRIVES.replace("Rear", "Reer"), "schedule 1, arrives: no division “Reer”; did you mean rear?"),
        (ARRIVES.replace("Rear", "Fleet"), "no division “Fleet”; there are van, rear, west"),
        (ARRIVES + ARRIVES, "schedule 2, arrives: “Rear” arrives more than once"),
        ("\n[[schedule]]\nturn = 2\n", "schedule 1: says nothing of what falls due"),
        (DUSK.replace("dusk", "dust"), "schedule 1, table.light: expected one of"),
        (DUSK.replace('{ light = "dusk" }', "nan"), "schedule 1, table: expected"),
        (DUSK.replace("light =", "ligth ="), "table.ligth: no such key; did you mean light?"),
        (DUSK.replace("Dusk.", "\\u0007"), "schedule 1, note: expected printable text"),
        (
            WINS.replace('side = "West"', 'side = "Wets"'),
            "victory 1, side: no side “Wets”; did you mean west?",
        ),
        (WINS.replace("sunk", "sunken"), "victory 1, status: no status “sunken”; did you mean sunk?"),
        (WINS.replace('["sunk", "withdrawn"]', "[]"), "status: expected any of withdrawn, struck, sunk"),
        (
            WINS.replace(', "withdrawn"', ""),
            "victory 1, edge: only a ship that is withdrawn leaves by an edge",
        ),
        (WINS.replace("2", "0"), "victory 1, count: expected a whole number from 1 to 500, found 0"),
        (WINS.replace("count", "cuont"), "victory 1, cuont: no such key; did you mean count?"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(home: Path, text: str, told: str) -> None:
    assert any(told in fault for fault in faults(home, text)), faults(home, text)


def test_all_faults_are_told_at_once(home: Path) -> None:
    found = faults(home, ARRIVES.replace("4", "0") + DUSK.replace("dusk", "dust") + WINS.replace("sunk", "x"))
    assert [fault.partition(":")[0] for fault in found] == [
        "schedule 1, turn",
        "schedule 2, table.light",
        "victory 1, status",
    ]


def test_what_only_another_rule_system_has_is_taken_as_a_remark(home: Path) -> None:
    """Catches a scenario that can be begun under one rule system alone because it knows of dusk."""
    dark = cast(RuleSystem, Sloops(name="dark", title="Dark", conditions=(), charts=("", "")))
    both = {**SYSTEMS, dark.name: dark}
    path = file(home, EAST.replace('"sloops"', '"dark"') + WEST + DUSK)
    for fleet in ("east", "west"):
        fleets = home / "fleets" / f"{fleet}.toml"
        fleets.write_text(fleets.read_text().replace('"sloops"', '"dark"'))
    assert load_scenario(path, both)[1].plan.schedule[0].table == {"light": "dusk"}
    assert not check(path, both).warnings
    alone = check(path, {dark.name: dark})
    assert (alone.faults, alone.warnings) == (
        (),
        ("schedule 1, table.light: no rule system has this of the table",),
    )


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (
            WINS.replace("sloop", "slop"),
            "victory 1: the-east has 0 slops and 2 are asked; did you mean sloop?",
        ),
        (
            WINS.replace('kind = "sloop"', "").replace("2", "9"),
            "victory 1: the-east has 3 ships and 9 are asked",
        ),
        (WINS.replace("South East", "harbour"), "victory 1: “harbour” is no point of the compass"),
    ],
)
def test_what_a_victory_hardly_means_is_a_warning(home: Path, text: str, warning: str) -> None:
    assert warning in check(file(home, EAST + WEST + text), SYSTEMS).warnings


def test_the_schema_names_what_a_plan_may_say() -> None:
    made = schema("scenario", SYSTEM, SYSTEMS.values())["properties"]
    assert isinstance(made, dict)
    due, wins = (made[name]["items"] for name in ("schedule", "victory"))
    assert due["properties"]["turn"]["minimum"] == 2
    assert due["properties"]["table"]["properties"]["light"] == {
        "description": "light",
        "enum": ["day", "dusk", "night"],
    }
    assert wins["required"] == ["side", "count", "of", "status"]


def edited(home: Path, text: str = ARRIVES + DUSK + WINS) -> Draft:
    return draft_of(file(home, EAST + WEST + text), SYSTEMS)


def test_a_scenario_set_up_anew_keeps_its_plan(home: Path) -> None:
    """Catches a schedule that is lost because somebody changed a player's name."""
    made = edited(home).with_player(DraftPlace(1), "Ben")
    assert (
        load_scenario(write(made, SYSTEMS), SYSTEMS)[1].plan
        == start(home, EAST + WEST + ARRIVES + DUSK + WINS).plan
    )


def test_a_plan_follows_the_names_of_divisions_and_sides(home: Path) -> None:
    made = edited(home).named_division(DraftPlace(0, 1), "Reserve").named_side(0, "Orient")
    document = tomllib.loads(tomllib_text(made))
    assert document["schedule"][0]["arrives"] == ["Reserve"]
    assert [document["victory"][0][key] for key in ("side", "of")] == ["West", "Orient"]
    alike = made.with_division(1, "Reserve").put(FleetShip(ShelfFleet("west"), "tern"), DraftPlace(1, 1))
    assert compose(alike, SYSTEM).scenario["schedule"][0]["arrives"] == ["orient-reserve"]


def tomllib_text(made: Draft) -> str:
    """The scenario file that a draft becomes."""
    return write(made, SYSTEMS).read_text(encoding="utf-8")


def test_what_names_a_division_or_side_that_is_gone_goes_with_it(home: Path) -> None:
    made = edited(home, ARRIVES + DUSK.replace("table", "# table") + WINS)
    left = compose(made.without_division(DraftPlace(0, 1)), SYSTEM).scenario
    assert left["schedule"] == [{"turn": 3, "note": "Dusk."}]
    assert "victory" not in compose(made.without_side(1), SYSTEM).scenario
