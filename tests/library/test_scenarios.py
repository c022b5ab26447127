"""Scenario files: the start of a battle, its later events, and faults of all files at once."""

import re
from pathlib import Path
from typing import cast

import pytest

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Condition, Division, Due, Plan, Points, Provenance, Ship
from qf_tui.document.muster import list_plan_texts
from qf_tui.features.editor.drafts import Draft, DraftPlace
from qf_tui.features.editor.writers import build_documents, read_draft
from qf_tui.features.editor.writers import write_draft as write_draft
from qf_tui.library.check import check_file
from qf_tui.library.declared import FleetShip, FleetSource
from qf_tui.library.faults import Faults, FileFaults
from qf_tui.library.paths import HOME_VARIABLE
from qf_tui.library.plans import list_plan_warnings
from qf_tui.library.scenarios import find_scenario, load_scenario
from tests.library.sloops import FLEET, SYSTEM, SYSTEMS, Sloops, format_sloop, write
from tests.systems import find_our_systems

HEAD = 'title = "A day"\nruleset = "sloops"\n'
EAST = '\n[[side]]\nname = "The East"\nfleet = "east.toml"\n'
WEST = '\n[[side]]\nname = "West"\nfleet = "west"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put two fleets on the user's shelf, and the first in a folder too."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    fleets = tmp_path / "home" / "fleets"
    for place in (tmp_path, fleets):
        write(place, "east.toml", FLEET + format_sloop("wren") + format_sloop("owl") + format_sloop("crane"))
    write(fleets, "west.toml", FLEET + format_sloop("gull") + format_sloop("tern"))
    return tmp_path


def load_start(folder: Path, text: str) -> Battle:
    system, battle = load_scenario(write(folder, "day.toml", text), SYSTEMS)
    assert system is SYSTEM
    return battle


def read_faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        load_start(folder, text)
    assert caught.value.file == str(folder / "day.toml")
    return [str(fault) for fault in caught.value.faults]


def test_a_scenario_states_how_ships_begin(folder: Path) -> None:
    """Detect one ship's values given to all, or lost for a ship that joins later."""
    said = "\n[start]\nowl = { crew = 3 }\ncrane = { crew = 5 }\n"
    battle = load_start(folder, HEAD + EAST + 'ships = ["owl", "wren"]\n' + said)
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
def test_values_of_ships_at_the_start_are_checked(folder: Path, said: str, expected: str) -> None:
    text = HEAD + said + EAST if said.startswith("start =") else HEAD + EAST + f"\n{said}\n"
    assert read_faults(folder, text) == [expected]


def test_a_battle_begins_with_its_sides_ships_and_table(folder: Path) -> None:
    battle = load_start(folder, HEAD + EAST + 'ships = ["owl", "wren"]\n' + WEST)
    assert (battle.turn, battle.phase, battle.began, battle.opened) == (1, "sail", None, 0)
    assert [(side.id, side.name) for side in battle.sides] == [("the-east", "The East"), ("west", "West")]
    sides = {id: ship.side for id, ship in battle.ships.items()}
    assert sides == {"owl": "the-east", "wren": "the-east", "gull": "west", "tern": "west"}
    assert [(one.id, one.side) for one in battle.reserve.values()] == [("crane", "the-east")]
    assert battle.ships["owl"].card["gunnery.heavy"] == 20
    assert battle.ships["owl"].log == {"boats": 0, "scale": "medium in", "drift": "no"}
    table = {"title": "A day", "scale": "medium", "units": "in", "dice": "table", "notes": ""}
    assert battle.table == {**table, "fog": False, "light": "day"}
    assert battle.options == {"leak_check": "11-12", "drift": "no"}
    assert battle.charts["shot"].rows["50"].cells["1"].text == "hit"


def test_the_scenario_sets_the_table_and_switches(folder: Path) -> None:
    more = 'units = "metric"\ndice = "console"\nfog = true\nlight = "night"\nnotes = "a\\nb"\n'
    more += '[options]\ndrift = "yes"\n'
    battle = load_start(folder, HEAD + more + EAST + WEST)
    table = [battle.table[key] for key in ("scale", "units", "dice", "fog", "light", "notes")]
    assert table == ["medium", "metric", "console", True, "night", "a b"]
    assert battle.options == {"leak_check": "11-12", "drift": "yes"}
    assert battle.ships["owl"].log["drift"] == "yes"
    assert load_start(folder, HEAD + 'scale = "small"\n' + EAST + WEST).table["units"] == "in"


def test_a_scenarios_overlay_is_applied_to_shipped_charts(folder: Path) -> None:
    text = (
        'ruleset = "sloops"\n[[table]]\nname = "shot"\n[[table.row]]\nname = "50"\ncells = { "1" = "miss" }\n'
    )
    write(folder, "mine.toml", text)
    battle = load_start(folder, HEAD + 'charts = "mine.toml"\n' + EAST + WEST)
    assert battle.charts["shot"].rows["50"].cells["1"].status is Provenance.OWN
    assert battle.charts["shot"].rows["50"].cells["2"].status is Provenance.RECONSTRUCTED


def test_without_divisions_a_side_is_one(folder: Path) -> None:
    battle = load_start(folder, HEAD + EAST + WEST)
    divisions = [division for side in battle.sides for division in side.divisions]
    assert divisions == [Division("the-east", "The East"), Division("west", "West")]
    assert {one.division for one in battle.ships.values()} == {"the-east", "west"}


def format_division(name: str, *ships: str, more: str = "") -> str:
    listed = ", ".join(f'"{id}"' for id in ships)
    return f'\n[[side.division]]\nname = "{name}"\nships = [{listed}]\n{more}\n'


def test_divisions_have_players_and_the_rest_of_a_side_is_a_division_too(folder: Path) -> None:
    text = HEAD + EAST + format_division("Van Guard", "owl", "wren", more='player = "Anna"') + WEST
    battle = load_start(folder, text)
    van, rest = battle.sides[0].divisions
    assert (van, rest) == (Division("van-guard", "Van Guard", "Anna"), Division("the-east", "The East"))
    divisions = [ship.division for ship in battle.ships.values()]
    assert divisions == ["van-guard", "van-guard", "the-east", "west", "west"]


def test_values_of_a_division_are_on_the_table(folder: Path) -> None:
    text = (
        HEAD
        + EAST
        + format_division("van", "owl", more='course = "north"')
        + format_division("rear", "wren")
        + WEST
    )
    table = load_start(folder, text).table
    assert {key: value for key, value in table.items() if "@" in key} == {"course.@van": "north"}
    wrong = HEAD + EAST + format_division("van", "owl", more='course = "nort"') + WEST
    assert "division 1 (van), course: expected one of" in read_faults(folder, wrong)[0]


def test_a_division_name_on_both_sides_is_distinguished_by_side(folder: Path) -> None:
    text = HEAD + EAST + format_division("first", "owl") + WEST + format_division("First", "gull", "tern")
    battle = load_start(folder, text)
    assert battle.ships["owl"].division == "the-east-first"
    assert battle.ships["tern"].division == "west-first"


def test_a_division_may_arrive_later_as_a_whole(folder: Path) -> None:
    battle = load_start(
        folder, HEAD + EAST + 'ships = ["owl"]\n' + format_division("late", "wren", "crane") + WEST
    )
    assert {one.division for one in battle.reserve.values()} == {"late"}


@pytest.mark.parametrize("ships", ['["owl"]', '["r-owl"]'])
def test_a_prefix_keeps_the_ids_of_one_fleet_apart(folder: Path, ships: str) -> None:
    again = (
        EAST.replace("The East", "Rebels") + f'prefix = "r-"\nships = {ships}\n' + format_division("a", "owl")
    )
    battle = load_start(folder, HEAD + EAST + again)
    assert [one.id for one in battle.ships.values()] == ["wren", "owl", "crane", "r-owl"]
    assert (battle.ships["r-owl"].card["id"], battle.ships["r-owl"].name) == ("r-owl", "Owl")
    assert battle.ships["r-owl"].division == "a"
    assert list(battle.reserve) == ["r-wren", "r-crane"]


def test_two_sides_may_share_one_fleet(folder: Path) -> None:
    rebels = EAST.replace("The East", "Rebels") + 'ships = ["owl"]\n'
    battle = load_start(folder, HEAD + EAST + 'ships = ["wren"]\n' + rebels)
    assert [(one.id, one.side) for one in battle.ships.values()] == [("wren", "the-east"), ("owl", "rebels")]
    assert list(battle.reserve) == ["crane"]


def test_a_fleet_is_found_by_name_the_users_own_first(folder: Path) -> None:
    text = HEAD + '[[side]]\nname = "Japan"\nfleet = "japan-1904"\n'
    write(folder / "home" / "fleets", "japan-1904.toml", FLEET + format_sloop("junk"))
    assert list(load_start(folder, text).ships) == ["junk"]


def test_a_scenario_is_found_by_name(folder: Path) -> None:
    write(folder / "home" / "fleets", "east.toml", FLEET + format_sloop("wren"))
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
        ("u", "ulsan-1904"),
        ("yellow-sea-1904", "yellow-sea-1904"),
    ],
)
def test_a_scenario_is_found_by_the_beginning_of_its_words(folder: Path, typed: str, name: str) -> None:
    """Detect a name that must be typed in full, and one that loses to a longer name."""
    assert find_scenario(typed).stem == name


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("gq2", "“gq2” may be gq2-dogger-bank-1915 or gq2-fourth-flotilla-1916: type more of the name"),
        ("forth", "no scenario “forth”; did you mean gq2-fourth-flotilla-1916?"),
        ("ellow", "no scenario “ellow”; did you mean yellow-sea-1904"),
        ("", "no scenario “”; give a path"),
    ],
)
def test_an_unknown_or_ambiguous_name_suggests_scenarios(folder: Path, typed: str, told: str) -> None:
    """Detect an unintended battle, and a misspelt letter without a suggestion."""
    with pytest.raises(QfError, match=re.escape(told)):
        find_scenario(typed)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (EAST + 'ships = ["owll"]' + WEST, "ships: no ship “owll” in fleet east; did you mean owl?"),
        (EAST + 'ships = ["owl", "owl"]' + WEST, "side 1 (The East), ships: “owl” is listed more"),
        (EAST + EAST.replace("The East", "Rebels"), "ships: “wren” is already on side the-east"),
        (EAST + WEST.replace("West", "the  EAST"), "name: another side already has the id “the-east”"),
        (EAST + format_division("a", "gull"), "division 1 (a), ships: no ship “gull” in fleet east"),
        (
            EAST + format_division("a", "owl") + format_division("b", "owl"),
            "ships: “owl” is already in division a",
        ),
        (
            EAST + format_division("a", "owl") + format_division("A", "wren"),
            "division 2 (A), name: another division",
        ),
        (
            EAST + 'ships = ["owl"]\n' + format_division("a", "owl", "wren"),
            "side 1 (The East), division 1 (a), ships: “wren” is not among the ships of its side",
        ),
        (EAST.replace("east.toml", "eest.toml"), "side 1 (The East), fleet: no fleet “eest.toml”"),
        (EAST.replace("east.toml", "japan-1905"), "side 1 (The East), fleet: no fleet “japan-1905”"),
        ("", "side: is missing"),
        ('scale = "small"\nunits = "metric"' + EAST, "no scale small in metric; expected one of small in"),
        ('scale = "smal"' + EAST, 'scale: expected one of "small", "medium", found the text “smal”'),
        ("fog = 1" + EAST, "fog: expected true or false, found 1"),
        ('dice = "mine"' + EAST, "dice: expected one of"),
        ('light = "noon"' + EAST, "light: expected one of"),
        ('charts = "none.toml"' + EAST, "charts: no chart “none.toml”"),
        ("[options]\ndrift = true" + EAST, 'options.drift: expected one of "no", "yes", found true'),
        ("[options]\nleek_check = 1" + EAST, "options.leek_check: no such key; did you mean leak_check?"),
        ("[options]\nleak_check = 12" + EAST, "options.leak_check: expected one of"),
        (EAST + 'prefix = "R "', "side 1 (The East), prefix: expected one word of lower case"),
        (EAST.replace("The East", "a\\u0007"), "name: expected printable text, found U+0007 at 2"),
    ],
)
def test_a_faulty_scenario_is_refused_with_the_place(folder: Path, text: str, told: str) -> None:
    assert any(told in fault for fault in read_faults(folder, HEAD + text))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('ruleset = "sloop"', "no rule system “sloop”; did you mean sloops?"),
        ("ruleset = 1", "expected the name of a rule system"),
        ("", "expected the name of a rule system"),
    ],
)
def test_a_scenario_names_a_rule_system_that_is_installed(folder: Path, line: str, told: str) -> None:
    (fault,) = read_faults(folder, line + EAST)
    assert told in fault


def test_faults_of_scenario_fleets_and_charts_are_reported_together(folder: Path) -> None:
    write(folder, "east.toml", FLEET + format_sloop("wren", more="boats = -1\nsped = 4"))
    write(folder, "mine.toml", 'ruleset = "sloops"\n[[table]]\nname = "shut"\nrow = []\n')
    with pytest.raises(Faults) as caught:
        load_start(
            folder, HEAD + 'dice = 3\ncharts = "mine.toml"\n' + EAST + EAST.replace("The East", "Two") + WEST
        )
    told = {Path(file.file).name: len(file.faults) for file in caught.value.files}
    assert told == {"day.toml": 1, "mine.toml": 2, "east.toml": 2}
    assert all(str(fault) in str(caught.value) for fault in caught.value.faults)


def test_a_scenario_that_names_itself_as_a_fleet_is_refused(folder: Path) -> None:
    told = read_faults(folder, HEAD + "dice = 1" + EAST.replace("east", "day"))
    assert any(fault.startswith("dice") for fault in told)
    assert any(fault.startswith("side: no such key") for fault in told)


DIVISIONS = """
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
SCORES = """
[[victory]]
side = "West"
of = "The East"
points = 2
"""


def read_plan_faults(folder: Path, text: str) -> list[str]:
    return read_faults(folder, DIVISIONS + WEST + text)


def test_ships_that_arrive_later_are_not_in_the_battle_yet(folder: Path) -> None:
    """Detect a later division among the ships of the start, or nowhere."""
    battle = load_start(folder, DIVISIONS + WEST + ARRIVES + DUSK + WINS)
    assert battle.plan == Plan(
        (Due(3, table={"light": "dusk"}, note="Dusk."), Due(4, ("crane",), "from the north")),
        (Condition("west", 2, "the-east", ("sunk", "withdrawn"), "sloop", "south-east", "with a mast"),),
    )
    assert list(battle.ships) == ["wren", "owl", "gull", "tern"]
    assert (battle.reserve["crane"].side, battle.reserve["crane"].division) == ("the-east", "rear")


def test_a_whole_side_may_arrive_and_ships_that_the_side_does_not_list(folder: Path) -> None:
    both = '\n[[schedule]]\nturn = 2\narrives = ["West", "rear"]\n'
    listed = DIVISIONS.replace('fleet = "east"', 'fleet = "east"\nships = ["wren", "owl"]')
    for text in (DIVISIONS, listed):
        battle = load_start(folder, text + WEST + both)
        assert battle.plan.arriving_ids == ("gull", "tern", "crane")
        assert list(battle.ships) == ["wren", "owl"]


def test_two_divisions_of_one_name_are_distinguished_by_their_sides(folder: Path) -> None:
    west = WEST + '\n[[side.division]]\nname = "Rear"\nships = ["tern"]\n'
    assert "write the-east-rear or west-rear" in read_faults(folder, DIVISIONS + west + ARRIVES)[0]
    battle = load_start(folder, DIVISIONS + west + ARRIVES.replace('"Rear"', '"west-rear"'))
    assert battle.plan.arriving_ids == ("tern",)


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        ('status = ["sunk"]', Condition("west", 1, "the-east", ("sunk",), points=Points(2))),
        (
            'status = ["sunk"]\neach = "ship"\nhalf = 1\nby_turn = 4\nsecret = true',
            Condition("west", 1, "the-east", ("sunk",), points=Points(2, "ship", 1, 4, secret=True)),
        ),
        (
            'half = 1\nkind = "sloop"\nstatus = ["sunk"]\ncount = 3',
            Condition("west", 3, "the-east", ("sunk",), "sloop", points=Points(2, half=1)),
        ),
    ],
)
def test_rules_of_points_are_no_conditions_of_victory(folder: Path, keys: str, rule: Condition) -> None:
    plan = load_start(folder, DIVISIONS + WEST + WINS + SCORES + keys).plan
    assert plan.victory[1:] == (rule,)
    assert plan.winning == plan.victory[:1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ARRIVES.replace("4", "1"), "schedule 1, turn: expected a whole number from 2 to 999, found 1"),
        (ARRIVES.replace("turn = 4", ""), "schedule 1, turn: is missing"),
        (ARRIVES.replace("Rear", "Reer"), "schedule 1, arrives: no division “Reer”; did you mean rear?"),
        (ARRIVES.replace("Rear", "Fleet"), "no division “Fleet”; known: van, rear, west"),
        (ARRIVES + ARRIVES, "schedule 2, arrives: “Rear” arrives more than once"),
        ("\n[[schedule]]\nturn = 2\n", "schedule 1: nothing happens on this turn"),
        (DUSK.replace("dusk", "dust"), "schedule 1, table.light: expected one of"),
        (DUSK.replace('{ light = "dusk" }', "nan"), "schedule 1, table: expected"),
        (DUSK.replace("light =", "ligth ="), "table.ligth: no such key; did you mean light?"),
        (DUSK.replace("Dusk.", "\\u0007"), "schedule 1, note: expected printable text"),
        (WINS.replace('side = "West"', 'side = "Wets"'), "side: no side “Wets”; did you mean west?"),
        (WINS.replace("sunk", "sunken"), "victory 1, status: no status “sunken”; did you mean sunk?"),
        (WINS.replace('["sunk", "withdrawn"]', "[]"), "status: expected any of withdrawn, struck, sunk"),
        (WINS.replace(', "withdrawn"', ""), "edge: only a withdrawn ship leaves by an edge"),
        (WINS.replace("2", "0"), "victory 1, count: expected a whole number from 1 to 500, found 0"),
        (WINS.replace("count", "cuont"), "victory 1, cuont: no such key; did you mean count?"),
        (WINS.replace("count = 2", ""), "victory 1, count: is missing; expected count or points"),
        (WINS + "secret = true\n", "victory 1: it gives no points: add points or half"),
        (WINS + "by_turn = 3\n", "victory 1: it gives no points: add points or half"),
        (WINS + "points = 0\n", "victory 1, points: expected a whole number from 1 to 9999, found 0"),
        (SCORES.replace("points", "pionts"), "victory 1, pionts: no such key; did you mean points?"),
        (SCORES + 'each = "shpi"\n', "victory 1, each: no field “shpi”; expected any of ship"),
        (SCORES + 'each = "ship"\n', "victory 1, status: expected any of withdrawn, struck, sunk"),
    ],
)
def test_faults_of_a_plan_have_their_places(folder: Path, text: str, told: str) -> None:
    assert any(told in fault for fault in read_plan_faults(folder, text)), read_plan_faults(folder, text)


def test_a_condition_of_another_rule_system_is_a_remark(folder: Path) -> None:
    """Detect a scenario that begins under only one rule system because it names dusk."""
    dark = cast(RuleSystem, Sloops(name="dark", title="Dark", conditions=(), charts=("", "")))
    both = {**SYSTEMS, dark.name: dark}
    path = write(folder, "day.toml", DIVISIONS.replace('"sloops"', '"dark"') + WEST + DUSK)
    for fleet in ("east", "west"):
        fleets = folder / "home" / "fleets" / f"{fleet}.toml"
        fleets.write_text(fleets.read_text().replace('"sloops"', '"dark"'))
    assert load_scenario(path, both)[1].plan.schedule[0].table == {"light": "dusk"}
    assert not check_file(path, both).warnings
    alone = check_file(path, {dark.name: dark})
    assert not alone.faults
    assert alone.warnings[0].startswith("schedule 1, table.light: no rule system knows")


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (
            WINS.replace("sloop", "slop"),
            "victory 1: the-east has 0 slops but 2 are needed; did you mean sloop?",
        ),
        (
            WINS.replace('kind = "sloop"', "").replace("2", "9"),
            "victory 1: the-east has 3 ships but 9 are needed",
        ),
        (WINS.replace("South East", "harbour"), "victory 1: “harbour” is not a point of the compass"),
    ],
)
def test_an_unlikely_victory_is_a_warning(folder: Path, text: str, warning: str) -> None:
    assert warning in check_file(write(folder, "day.toml", DIVISIONS + WEST + text), SYSTEMS).warnings


@pytest.mark.parametrize(
    ("kind", "points", "obstacle"),
    [
        ("", Points(1, "speed_hits"), ""),
        ("", Points(1, "rof_light"), ""),
        ("", Points(1, "boat_guns"), "none of its ships has boat_guns"),
        ("", Points(1, "boat_guns", half=1), ""),
        ("", Points(1, "rof_light", by_turn=3), ""),
        ("cruiser", Points(1, "rof_light", by_turn=4), ""),
        ("cruiser", Points(1, by_turn=3), "its ships arrive after turn 3"),
    ],
)
def test_points_that_no_side_can_win_are_a_warning(kind: str, points: Points, obstacle: str) -> None:
    """Warn if all ships come too late, or none has anything of the field that is counted."""
    log = {"boat_guns": 0, "rof_light": 5, "speed_hits": 0}
    ships = [Ship(kind, kind, "russia", "", {"kind": kind}, log) for kind in ("battleship", "cruiser")]
    plan = Plan((Due(4, ("cruiser",)),), (Condition("japan", 1, "russia", ("sunk",), kind, points=points),))
    expected = (f"victory 1: it can give no points: {obstacle}",) if obstacle else ()
    assert list_plan_warnings(find_our_systems()["advanced-quickfire"], plan, ships) == expected


def read_edited(folder: Path, text: str = ARRIVES + DUSK + WINS) -> Draft:
    return read_draft(write(folder, "day.toml", DIVISIONS + WEST + text), SYSTEMS)


def test_an_edited_scenario_keeps_its_plan(folder: Path) -> None:
    """Detect a schedule that is lost when a player's name changes."""
    made = read_edited(folder).change_division(DraftPlace(1), player="Ben")
    plan = load_start(folder, DIVISIONS + WEST + ARRIVES + DUSK + WINS).plan
    assert load_scenario(write_draft(made, SYSTEMS), SYSTEMS)[1].plan == plan


def test_a_plan_follows_the_names_of_divisions_and_sides(folder: Path) -> None:
    made = read_edited(folder).change_division(DraftPlace(0, 1), name="Reserve").change_side(0, name="Orient")
    document = build_documents(made, SYSTEM).scenario
    assert document["schedule"][0]["arrives"] == ["Reserve"]
    assert [document["victory"][0][key] for key in ("side", "of")] == ["West", "Orient"]
    alike = made.with_division(1, "Reserve").put_ship(
        FleetShip(FleetSource("west"), "tern"), DraftPlace(1, 1)
    )
    assert build_documents(alike, SYSTEM).scenario["schedule"][0]["arrives"] == ["orient-reserve"]


def test_a_removed_division_or_side_is_removed_from_the_plan(folder: Path) -> None:
    made = read_edited(folder, ARRIVES + DUSK.replace("table", "# table") + WINS)
    left = build_documents(made.remove_division(DraftPlace(0, 1)), SYSTEM).scenario
    assert left["schedule"] == [{"turn": 3, "note": "Dusk."}]
    assert "victory" not in build_documents(made.remove_side(1), SYSTEM).scenario


@pytest.mark.parametrize(
    "named", ['ships = ["OWL", "Wren"]', format_division("a", "Owl") + format_division("b", "WREN")]
)
def test_ids_of_ships_are_read_in_any_case(folder: Path, named: str) -> None:
    battle = load_start(folder, HEAD + EAST + named + "\n[start]\nOwl = { crew = 3 }\n" + WEST)
    assert battle.ships["owl"].log.get("crew") == 3
    assert "wren" in battle.ships


def test_ids_of_a_navy_and_of_a_fleet_of_facts_are_read_in_any_case(folder: Path) -> None:
    fleet = 'year = 1900\nships = ["Britain/Canopus"]\n[[ship]]\nid = "goliath"\nfacts = "BRITAIN/Goliath"\n'
    write(folder / "home" / "fleets", "home.toml", fleet)
    sides = '[[side]]\nname = "Home"\nfleet = "home"\n[[side]]\nname = "Japan"\nnavy = "japan"\nyear = 1904\n'
    text = f'ruleset = "quickfire"\n{sides}ships = ["Izumo", "ASAMA"]\n'
    _, battle = load_scenario(write(folder, "day.toml", text), find_our_systems())
    assert list(battle.ships) == ["canopus", "goliath", "izumo", "asama"]


def test_weather_and_the_notes_of_a_side_are_in_the_table_of_the_battle(folder: Path) -> None:
    said = 'weather = "Fine,\\nclear"\n'
    east = EAST + 'notes = "Hold the\\nstrait."\n'
    battle = load_start(folder, HEAD + said + east + WEST)
    assert (battle.table["weather"], battle.table["notes.the-east"]) == ("Fine, clear", "Hold the strait.")
    assert "notes.west" not in battle.table
    texts = list_plan_texts(battle)
    assert texts == {"Weather": ("Fine, clear",), "Notes for The East": ("Hold the strait.",)}
    assert read_faults(folder, HEAD + "weather = 3\n" + EAST + "notes = 4\n" + WEST) == [
        "side 1 (The East), notes: expected text, found 4",
        "weather: expected text, found 3",
    ]
