"""Scenario files: the battle that they start, and faults of all files told together."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.values import Battle, Division, Provenance
from qf_tui.library.faults import Faults, FileFaults
from qf_tui.library.paths import HOME
from qf_tui.library.scenarios import find_scenario, load_scenario, read_scenario
from tests.library.sloops import FLEET, SYSTEM, SYSTEMS, ship, write

HEAD = 'title = "A day"\nruleset = "sloops"\n'
EAST = '\n[[side]]\nname = "The East"\nfleet = "east.toml"\n'
WEST = '\n[[side]]\nname = "West"\nfleet = "west.toml"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two fleets in a folder, and a home of the user's own."""
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    write(tmp_path, "east.toml", FLEET + ship("wren") + ship("owl") + ship("crane"))
    write(tmp_path, "west.toml", FLEET + ship("gull") + ship("tern"))
    return tmp_path


def start(folder: Path, text: str) -> Battle:
    system, battle = load_scenario(write(folder, "day.toml", text), SYSTEMS)
    assert system is SYSTEM
    return battle


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        start(folder, text)
    assert caught.value.file == str(folder / "day.toml")
    return [str(fault) for fault in caught.value.faults]


def test_a_scenario_says_how_ships_begin(folder: Path) -> None:
    """Catches what is said of one ship given to all, or lost for one that joins later."""
    said = "\n[start]\nowl = { crew = 3 }\ncrane = { crew = 5 }\n"
    battle = start(folder, HEAD + EAST + 'ships = ["owl", "wren"]\n' + said)
    crews = {id: one.log.get("crew") for id, one in {**battle.ships, **battle.reserve}.items()}
    assert crews == {"owl": 3, "wren": None, "crane": 5}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("[start]\nolw = { crew = 3 }", "start.olw: no ship “olw”; did you mean owl?"),
        ("[start]\nowl = { crow = 3 }", "start.owl.crow: no such key; did you mean crew?"),
        ("[start]\nowl = { crew = 10 }", "start.owl.crew: expected a whole number from 0 to 9, found 10"),
        ("[start]\nowl = 3", "start.owl: expected a table, found 3"),
        ("start = 3", "start: expected a table for each (crew), found 3"),
    ],
)
def test_what_is_said_of_ships_at_the_start_is_checked(folder: Path, said: str, expected: str) -> None:
    text = HEAD + said + EAST if said.startswith("start =") else HEAD + EAST + f"\n{said}\n"
    assert faults(folder, text) == [expected]


def test_a_battle_begins_with_its_sides_ships_and_table(folder: Path) -> None:
    battle = start(folder, HEAD + EAST + 'ships = ["owl", "wren"]\n' + WEST)
    assert (battle.turn, battle.phase, battle.began, battle.opened) == (1, "sail", None, 0)
    assert [(side.id, side.name) for side in battle.sides] == [("the-east", "The East"), ("west", "West")]
    assert [(one.id, one.side) for one in battle.ships.values()] == [
        ("owl", "the-east"),
        ("wren", "the-east"),
        ("gull", "west"),
        ("tern", "west"),
    ]
    assert [(one.id, one.side) for one in battle.reserve.values()] == [("crane", "the-east")]
    assert battle.ships["owl"].card["gunnery.heavy"] == 20
    assert battle.ships["owl"].log == {"boats": 0, "scale": "medium in", "drift": "no"}
    assert battle.table == {
        "title": "A day",
        "scale": "medium",
        "units": "in",
        "dice": "table",
        "fog": False,
        "notes": "",
        "light": "day",
    }
    assert battle.options == {"leak_check": "11-12", "drift": "no"}
    assert battle.charts["shot"].rows["50"].cells["1"].text == "hit"


def test_the_table_and_switches_are_as_the_scenario_says(folder: Path) -> None:
    more = 'units = "metric"\ndice = "console"\nfog = true\nlight = "night"\nnotes = "a\\nb"\n'
    more += '[options]\ndrift = "yes"\n'
    battle = start(folder, HEAD + more + EAST + WEST)
    assert (battle.table["scale"], battle.table["units"], battle.table["dice"]) == (
        "medium",
        "metric",
        "console",
    )
    assert (battle.table["fog"], battle.table["light"], battle.table["notes"]) == (True, "night", "a b")
    assert battle.options == {"leak_check": "11-12", "drift": "yes"}
    assert battle.ships["owl"].log["drift"] == "yes"
    assert start(folder, HEAD + 'scale = "small"\n' + EAST + WEST).table["units"] == "in"


def test_a_scenarios_overlay_is_laid_over_our_charts(folder: Path) -> None:
    text = (
        'ruleset = "sloops"\n[[table]]\nname = "shot"\n[[table.row]]\nname = "50"\ncells = { "1" = "miss" }\n'
    )
    write(folder, "mine.toml", text)
    battle = start(folder, HEAD + 'charts = "mine.toml"\n' + EAST + WEST)
    assert battle.charts["shot"].rows["50"].cells["1"].status is Provenance.OWN
    assert battle.charts["shot"].rows["50"].cells["2"].status is Provenance.RECONSTRUCTED


def test_without_divisions_a_side_is_one(folder: Path) -> None:
    battle = start(folder, HEAD + EAST + WEST)
    assert [side.divisions for side in battle.sides] == [
        (Division("the-east", "The East"),),
        (Division("west", "West"),),
    ]
    assert {one.division for one in battle.ships.values()} == {"the-east", "west"}


def division(name: str, *ships: str, more: str = "") -> str:
    listed = ", ".join(f'"{id}"' for id in ships)
    return f'\n[[side.division]]\nname = "{name}"\nships = [{listed}]\n{more}\n'


def test_divisions_have_players_and_the_rest_of_a_side_is_a_division_too(folder: Path) -> None:
    text = HEAD + EAST + division("Van Guard", "owl", "wren", more='player = "Anna"') + WEST
    battle = start(folder, text)
    assert battle.sides[0].divisions == (
        Division("van-guard", "Van Guard", "Anna"),
        Division("the-east", "The East"),
    )
    assert [one.division for one in battle.ships.values()] == [
        "van-guard",
        "van-guard",
        "the-east",
        "west",
        "west",
    ]


def test_what_is_said_of_a_division_is_on_the_table(folder: Path) -> None:
    text = HEAD + EAST + division("van", "owl", more='course = "north"') + division("rear", "wren") + WEST
    table = start(folder, text).table
    assert {key: value for key, value in table.items() if "@" in key} == {"course.@van": "north"}
    wrong = HEAD + EAST + division("van", "owl", more='course = "nort"') + WEST
    assert "division 1 (van), course: expected one of" in faults(folder, wrong)[0]


def test_a_division_of_the_same_name_on_both_sides_is_told_by_its_side(folder: Path) -> None:
    text = HEAD + EAST + division("first", "owl") + WEST + division("First", "gull", "tern")
    battle = start(folder, text)
    assert battle.ships["owl"].division == "the-east-first"
    assert battle.ships["tern"].division == "west-first"


def test_a_division_may_arrive_later_as_a_whole(folder: Path) -> None:
    battle = start(folder, HEAD + EAST + 'ships = ["owl"]\n' + division("late", "wren", "crane") + WEST)
    assert {one.division for one in battle.reserve.values()} == {"late"}


@pytest.mark.parametrize("ships", ['["owl"]', '["r-owl"]'])
def test_a_prefix_keeps_the_ids_of_one_fleet_apart(folder: Path, ships: str) -> None:
    again = EAST.replace("The East", "Rebels") + f'prefix = "r-"\nships = {ships}\n' + division("a", "owl")
    battle = start(folder, HEAD + EAST + again)
    assert [one.id for one in battle.ships.values()] == ["wren", "owl", "crane", "r-owl"]
    assert (battle.ships["r-owl"].card["id"], battle.ships["r-owl"].name) == ("r-owl", "Owl")
    assert battle.ships["r-owl"].division == "a"
    assert list(battle.reserve) == ["r-wren", "r-crane"]


def test_two_sides_may_share_out_one_fleet(folder: Path) -> None:
    rebels = EAST.replace("The East", "Rebels") + 'ships = ["owl"]\n'
    battle = start(folder, HEAD + EAST + 'ships = ["wren"]\n' + rebels)
    assert [(one.id, one.side) for one in battle.ships.values()] == [("wren", "the-east"), ("owl", "rebels")]
    assert list(battle.reserve) == ["crane"]


def test_a_fleet_is_found_by_name_the_users_own_first(folder: Path) -> None:
    text = HEAD + '[[side]]\nname = "Japan"\nfleet = "japan-1904"\n'
    write(folder / "home" / "fleets", "japan-1904.toml", FLEET + ship("junk"))
    assert list(start(folder, text).ships) == ["junk"]


def test_a_scenario_is_found_by_name(folder: Path) -> None:
    write(folder / "home" / "fleets", "east.toml", FLEET + ship("wren"))
    write(folder / "home" / "scenarios", "day.toml", HEAD + EAST.replace(".toml", ""))
    assert list(load_scenario("day", SYSTEMS)[1].ships) == ["wren"]
    with pytest.raises(QfError, match=r"no scenario “dax”; did you mean day\?"):
        load_scenario("dax", SYSTEMS)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("fourth", "gq2-fourth-flotilla-1916"),
        ("Fourth flo", "gq2-fourth-flotilla-1916"),
        ("gq2-fo", "gq2-fourth-flotilla-1916"),
        ("yellow-sea-1904", "yellow-sea-1904"),
    ],
)
def test_a_scenario_is_found_by_the_beginning_of_its_words(folder: Path, typed: str, name: str) -> None:
    """Catches a name that must be typed in full, and one that gives way to a longer one."""
    assert find_scenario(typed).stem == name


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("gq2", "“gq2” may be gq2-dogger-bank-1915 or gq2-fourth-flotilla-1916: type more of the name"),
        ("forth", "no scenario “forth”; did you mean gq2-fourth-flotilla-1916?"),
        ("ellow", "no scenario “ellow”; did you mean yellow-sea-1904"),
        ("", "no scenario “”; a path"),
    ],
)
def test_what_fits_no_scenario_or_several_is_told_with_the_nearest(
    folder: Path, typed: str, told: str
) -> None:
    """Catches a battle begun that nobody meant, and a slip of one letter that leads nowhere."""
    with pytest.raises(QfError, match=re.escape(told)):
        find_scenario(typed)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            EAST + 'ships = ["owll"]' + WEST,
            "side 1 (The East), ships: no ship “owll” in fleet east; did you mean owl?",
        ),
        (
            EAST + 'ships = ["owl", "owl"]' + WEST,
            "side 1 (The East), ships: “owl” stands there more than once",
        ),
        (
            EAST + EAST.replace("The East", "Rebels"),
            "side 2 (Rebels), ships: “wren” is on side the-east already",
        ),
        (
            EAST + WEST.replace("West", "the  EAST"),
            "side 2 (the  EAST), name: another side has the id “the-east”",
        ),
        (
            EAST + division("a", "gull"),
            "side 1 (The East), division 1 (a), ships: no ship “gull” in fleet east",
        ),
        (
            EAST + division("a", "owl") + division("b", "owl"),
            "side 1 (The East), division 2 (b), ships: “owl” is in division a already",
        ),
        (
            EAST + division("a", "owl") + division("A", "wren"),
            "side 1 (The East), division 2 (A), name: another division",
        ),
        (
            EAST + 'ships = ["owl"]\n' + division("a", "owl", "wren"),
            "side 1 (The East), division 1 (a), ships: “wren” is not among the ships of its side",
        ),
        (EAST.replace("east.toml", "eest.toml"), "side 1 (The East), fleet: no fleet “eest.toml”"),
        (EAST.replace("east.toml", "japan-1905"), "side 1 (The East), fleet: no fleet “japan-1905”"),
        ("", "side: is missing"),
        (
            'scale = "small"\nunits = "metric"' + EAST,
            "units: no scale small in metric; expected one of small in, medium",
        ),
        (
            'scale = "smal"' + EAST,
            'scale: expected one of "small", "medium", found the text “smal”; did you mean small?',
        ),
        ("fog = 1" + EAST, "fog: expected true or false, found 1"),
        ('dice = "mine"' + EAST, "dice: expected one of"),
        ('light = "noon"' + EAST, "light: expected one of"),
        ('charts = "none.toml"' + EAST, "charts: no chart “none.toml”"),
        ("[options]\ndrift = true" + EAST, 'options.drift: expected one of "no", "yes", found true'),
        ("[options]\nleek_check = 1" + EAST, "options.leek_check: no such key; did you mean leak_check?"),
        ("[options]\nleak_check = 12" + EAST, "options.leak_check: expected one of"),
        (EAST + 'prefix = "R "', "side 1 (The East), prefix: expected lower case"),
        (EAST.replace("The East", "a\\u0007"), "name: expected printable text, found U+0007 at 2"),
    ],
)
def test_a_faulty_scenario_is_refused_with_the_place(folder: Path, text: str, told: str) -> None:
    assert any(told in fault for fault in faults(folder, HEAD + text))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('ruleset = "sloop"', "no rule system “sloop”; did you mean sloops?"),
        ("ruleset = 1", "expected the name of a rule system"),
        ("", "expected the name of a rule system"),
    ],
)
def test_a_scenario_names_a_rule_system_that_is_installed(folder: Path, line: str, told: str) -> None:
    (fault,) = faults(folder, line + EAST)
    assert told in fault


def test_faults_of_the_scenario_its_fleets_and_its_charts_are_told_together(folder: Path) -> None:
    write(folder, "east.toml", FLEET + ship("wren", more="boats = -1\nsped = 4"))
    write(folder, "mine.toml", 'ruleset = "sloops"\n[[table]]\nname = "shut"\nrow = []\n')
    with pytest.raises(Faults) as caught:
        start(
            folder, HEAD + 'dice = 3\ncharts = "mine.toml"\n' + EAST + EAST.replace("The East", "Two") + WEST
        )
    told = {Path(file.file).name: len(file.faults) for file in caught.value.files}
    assert told == {"day.toml": 1, "mine.toml": 2, "east.toml": 2}
    assert all(str(fault) in str(caught.value) for fault in caught.value.faults)


def test_a_scenario_that_takes_itself_for_a_fleet_is_refused(folder: Path) -> None:
    told = faults(folder, HEAD + "dice = 1" + EAST.replace("east", "day"))
    assert any(fault.startswith("dice") for fault in told)
    assert any(fault.startswith("side: no such key") for fault in told)


_KEYS = st.sampled_from(
    ["name", "fleet", "ships", "prefix", "division", "player", "side", "options", "scale", "charts"]
)
_PLAIN = st.recursive(
    st.sampled_from(["east.toml", "west.toml", "wren", "owl", "gull", "small", "metric"])
    | st.text(max_size=5)
    | st.integers()
    | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(st.dictionaries(_KEYS, _PLAIN), st.lists(st.dictionaries(_KEYS, _PLAIN), max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_structure_raises(folder: Path, data: dict[str, Any], sides: list[dict[str, Any]]) -> None:
    named = [{"name": "x", "fleet": "east.toml", **side} for side in sides]
    for table in (data, {**data, "ruleset": "sloops"}, {"ruleset": "sloops", "side": named}):
        reading = read_scenario(table, folder / "day.toml", SYSTEMS)
        assert bool(reading.faults) is (reading.battle is None)
