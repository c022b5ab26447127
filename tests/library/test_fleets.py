"""Fleet files: stated cards and ships of facts, under each rule system."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from qf_tui.core.declarations import FieldSpec, Setup
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle
from qf_tui.library.check import check_file
from qf_tui.library.declared import Fleet, complete_card, flatten_values, list_ship_fields
from qf_tui.library.faults import WHOLE_FILE, Checker, FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import NavyShips
from qf_tui.library.other_rules import rebase_scenario
from qf_tui.library.paths import HOME_VARIABLE, read_toml
from qf_tui.library.scenarios import load_scenario, read_scenario
from qf_tui.rules.quickfire_family.ship import OPENING
from tests.library.sloops import FLEET, SYSTEM, format_sloop, write
from tests.systems import OURS, find_our_systems


def load(folder: Path, text: str) -> Fleet:
    return load_fleet(write(folder, "sloops.toml", text), SYSTEM)


def read_faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        load(folder, text)
    told = [str(fault) for fault in caught.value.faults]
    assert str(caught.value).startswith(f"{folder / 'sloops.toml'}: ")
    assert str(caught.value).endswith("\n  ".join(told))
    return told


def test_a_card_is_flat_and_has_every_field(tmp_path: Path) -> None:
    fleet = load(tmp_path, FLEET + format_sloop("wren"))
    assert (fleet.name, fleet.title) == ("sloops", "Sloops of the line")
    card = fleet.find_card("wren")
    assert card is not None
    assert " ".join(card) == (
        "id name kind size gunnery.heavy gunnery.light armor.heavy armor.light torpedo.size torpedo.reload "
        "battery hull.1 hull.2 hull.3 boats speed protected end_arc notes values attested hull_of"
    )
    assert (card["gunnery.light"], card["armor.light"], card["speed"]) == (13, 0.5, 6.75)
    assert (card["torpedo.size"], card["battery"], card["boats"], card["end_arc"]) == (None, 0, 0, "halved")
    assert (card["protected"], card["notes"], card["values"]) == (False, "", "published")


def test_parts_tables_words_and_lists_reach_the_card_under_dotted_names(tmp_path: Path) -> None:
    more = (
        'torpedo = { size = 18, reload = 8 }\nhull = [24, 22, 6.5]\nend_arc = "full"\nprotected = true\n'
        'values = "attested"\nnotes = """one\n\ttwo"""\n'
        'attested = ["torpedo", "armour.heavy", "battery.2", "speed"]\n'
        '[[ship.battery]]\nname = "fore"\ncalibre = 12\n'
        '[[ship.battery]]\nname = "aft"\ncalibre = 7.5\narcs = "A"\n'
    )
    card = load(tmp_path, FLEET + format_sloop("wren", more=more)).cards[0]
    assert (card["torpedo.size"], card["torpedo.reload"], card["hull.3"]) == (18, 8, 6.5)
    assert (card["battery"], card["battery.1.name"], card["battery.2.calibre"]) == (2, "fore", 7.5)
    assert (card["battery.1.arcs"], card["end_arc"], card["protected"]) == ("", "full", True)
    assert (card["notes"], card["values"]) == ("one two", "attested")
    battery = "battery.2.name,battery.2.calibre,battery.2.arcs"
    assert card["attested"] == f"torpedo.size,torpedo.reload,armor.heavy,{battery},speed"


def test_armour_may_replace_armor_but_not_accompany_it(tmp_path: Path) -> None:
    british = format_sloop("wren").replace("armor", "armour")
    assert load(tmp_path, FLEET + british).cards[0]["armor.heavy"] == 11
    (fault,) = read_faults(tmp_path, FLEET + format_sloop("wren", more="armour = [1, 1]"))
    assert fault.startswith("ship 1 (wren), armour: ")


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("boats = 3.7", "boats", "expected a whole number from 0 to 999, found 3.7"),
        ("boats = 4.0", "boats", "expected a whole number"),
        ('boats = "5"', "boats", "found the text “5”"),
        ("boats = true", "boats", "found true"),
        ("boats = -1", "boats", "found -1"),
        ("boats = 1000", "boats", "found 1000"),
        (f"boats = 0x{'f' * 5000}", "boats", "far too large"),
        ("boats = 1904-08-10", "boats", "a date or time"),
        ("boats = [1]", "boats", "found a list"),
        ("protected = 1", "protected", "expected true or false, found 1"),
        ('end_arc = "ful"', "end_arc", 'expected one of "halved", "full", found the text “ful”; did'),
        ("hull = [1, 2]", "hull", "expected a list of 3 numbers"),
        ("hull = [1, nan, 3]", "hull.2", "found nan"),
        ("hull = [1, 2, inf]", "hull.3", "found inf"),
        ("torpedo = 18", "torpedo", "expected a table (size, reload), found 18"),
        ("torpedo = { size = 18 }", "torpedo.reload", "is missing"),
        ("torpedo = { size = 17, reload = 8 }", "torpedo.size", "expected 14, 15, 18 or 21, found 17"),
        ("torpedo = { size = 18, reload = 8, tubes = 2 }", "torpedo.tubes", "no such key; known keys: size"),
        ("boat = 4", "boat", "no such key; did you mean boats?"),
        ('"\\u001b[2J" = 4', "<U+001B>[2J", "no such key"),
        ('attested = ["boat"]', "attested", "no field “boat”; did you mean boats?"),
        ('attested = ["boats", "boats"]', "attested", "more than once"),
        ("attested = [1]", "attested.1", "found 1"),
        ('values = "guessed"', "values", "expected one of"),
        ('battery = ["x"]', "", "ship 1 (wren), battery 1: expected a table"),
        ('[[ship.battery]]\nname = "a"\ncalibre = 99', "", "ship 1 (wren), battery 1 (a), calibre: expected"),
        ("[[ship.battery]]\n" * 5, "battery", "expected at most 4, found 5"),
        ('notes = "a\\u001bb"', "notes", "expected printable text, found U+001B at 2"),
        ('notes = "a\\u202eb"', "notes", "expected printable text"),
        (f'notes = "{"x" * 2001}"', "notes", "at most 2000 characters"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(tmp_path: Path, line: str, place: str, words: str) -> None:
    (fault,) = read_faults(tmp_path, FLEET + format_sloop("wren", more=line))[:1]
    assert words in fault
    if place:
        assert fault.startswith(f"ship 1 (wren), {place}: ")


NAME = 'one word of lower case letters a-z, digits and "-"'


def test_all_faults_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    text = 'ruleset = "sloops"\nvalue = "estimated"\n' + format_sloop("wren", gunnery="[20.5, 13]")
    text += format_sloop("Big Wren") + format_sloop("wren", more="boats = -1") + '\n[[ship]]\nid = "owl"\n'
    assert read_faults(tmp_path, text) == [
        "value: no such key; did you mean values?",
        "ship 1 (wren), gunnery.heavy: expected a whole number from 0 to 999, found 20.5",
        f"ship 2 (Big Wren), id: expected {NAME}, found the text “Big Wren”; write big-wren",
        "ship 3 (wren), boats: expected a whole number from 0 to 999, found -1",
        "ship 4 (owl), name: is missing; expected text on one line",
        "ship 4 (owl), size: is missing; expected a number from 0.25 to 999",
        "ship 4 (owl), gunnery: is missing; expected a list of 2 numbers (heavy, light)",
        "ship 4 (owl), armor: is missing; expected a list of 2 numbers (heavy, light)",
        "ship 4 (owl), speed: is missing; expected a number from 0.25 to 99",
        "ship 3 (wren), id: ship 1 already has the id “wren”",
    ]


@pytest.mark.parametrize("name", ["x" * 121, "a\\u0007b", "a\\nb", "a\\u200bb", "a\\tb", " "])
def test_long_blank_and_unprintable_names_are_refused(tmp_path: Path, name: str) -> None:
    (fault,) = read_faults(tmp_path, FLEET + format_sloop("wren", name))
    assert ", name: " in fault


def test_five_hundred_ships_are_read_and_no_more(tmp_path: Path) -> None:
    ships = [format_sloop(f"s{number}") for number in range(501)]
    assert len(load(tmp_path, FLEET + "".join(ships[:500])).cards) == 500
    assert read_faults(tmp_path, FLEET + "".join(ships)) == ["ship: expected at most 500, found 501"]


def test_a_fleet_of_another_system_is_the_only_fault(tmp_path: Path) -> None:
    (fault,) = read_faults(tmp_path, 'ruleset = "brigs"\n[[ship]]\nx = 1')
    assert fault.startswith("ruleset: ")


def test_a_fleet_without_ships_or_system_is_refused(tmp_path: Path) -> None:
    assert [fault.split(":")[0] for fault in read_faults(tmp_path, 'title = "x"')] == ["ruleset", "ship"]
    assert len(read_faults(tmp_path, FLEET + "ship = []")) == 1


def test_many_unknown_keys_are_reported_quickly(tmp_path: Path) -> None:
    keys = "".join(f"key{number} = 1\n" for number in range(20_000))
    assert len(read_faults(tmp_path, keys + FLEET + format_sloop("wren"))) == 20_000


SYSTEMS = find_our_systems()
AQF, GQ2, QF, CLONE = (SYSTEMS[name] for name in OURS)

NAVY_FLEET = 'title = "Some"\nnavy = "japan"\nyear = 1904\n'
HEAD = 'title = "A day"\nruleset = "advanced-quickfire"\n'
ROWS = "id,name,kind,launched,completed,tons,knots,heavy,heavy_bear,sisters,from\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path


def load_facts(folder: Path, text: str, system: RuleSystem = AQF, name: str = "") -> Fleet:
    return load_fleet(write(folder, "some.toml", NAVY_FLEET + text), system, name=name)


def list_ids(found: Fleet) -> list[object]:
    return [card["id"] for card in found.cards]


def read_facts_faults(folder: Path, text: str, system: RuleSystem = AQF) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        load_facts(folder, text, system)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_a_fleet_of_facts_has_complete_cards_under_every_rule_system(home: Path, system: RuleSystem) -> None:
    """Detect a key that facts alone leave out, and a ship that cannot be mustered."""
    found = load_facts(home, 'ships = ["mikasa", "ikazuchi", "china/ting-yuen"]\n', system)
    usual: dict[str, Scalar] = {switch.name: switch.default for switch in system.options}
    assert list_ids(found) == ["mikasa", "ikazuchi", "ting-yuen"]
    for card in found.cards:
        assert flatten_values(list_ship_fields(system), {}).keys() <= card.keys()
        assert list(card)[:2] == ["id", "name"]
        assert system.muster(card, Setup(system.scales[0].name, system.scales[0].units, usual))


def test_no_name_of_a_navy_leads_out_of_the_folder_of_navies(home: Path, tmp_path: Path) -> None:
    """Try either slash in a name, and a whole path."""
    (home / "navies").mkdir(parents=True)
    write(home, "up.csv", f"{ROWS}ox,Ox,gunboat,1900,1901,900,12,,,,\n")
    for name in ("../up", "..\\up", str(home / "up")):
        assert not NavyShips(name).exists


def test_a_navy_and_a_year_give_all_ships_of_that_year(home: Path) -> None:
    """Detect ships of later years, a class as one ship, and a ship before her refit."""
    found = {card["id"]: card for card in load_facts(home, "").cards}
    assert {"mikasa", "ikazuchi", "murasame", "no-39"} <= found.keys()
    assert not {"kashima", "ikazuchi-class", "harusame-class"} & found.keys()
    assert found["ikazuchi"]["name"] == "Ikazuchi"
    assert "16+8" in str(found["fuji"]["notes"])
    old = load_fleet(write(home, "old.toml", NAVY_FLEET.replace("1904", "1898")), AQF)
    assert "0+24" in str(next(card for card in old.cards if card["id"] == "fuji")["notes"])
    assert "mikasa" not in list_ids(old)


def test_a_stated_value_wins_over_attested_and_computed_ones(home: Path) -> None:
    """Detect one system's value in another, and an attested mark on another value."""
    more = """ships = ["mikasa", "asahi"]
[[ship]]
id = "mikasa"
name = "MIKASA"
notes = "the flagship"
[ship.for.advanced-quickfire]
gunnery = [21, 14]
torpedo = { size = 14, reload = 5 }
attested = ["torpedo"]
[ship.for.gq2]
df = 9
[[ship]]
id = "kaiser"
facts = "germany/kaiser-wilhelm-ii"
year = 1900
"""
    mikasa, asahi, kaiser = load_facts(home, more).cards
    assert mikasa["name"] == "MIKASA"
    assert str(mikasa["notes"]).startswith("the flagship; 15,140 t; 4x12in/40 (4 bear)")
    values = [mikasa[key] for key in ("gunnery.heavy", "gunnery.light", "torpedo.size", "rof.heavy")]
    assert values == [21, 14, 14, 7]
    assert (mikasa["protected"], mikasa["kind"]) == (True, "battleship")
    assert mikasa["attested"] == "rof.heavy,torpedo.size,torpedo.reload"
    assert (asahi["name"], asahi["attested"]) == ("Asahi", "")
    assert (kaiser["id"], kaiser["name"]) == ("kaiser", "Kaiser Wilhelm II")
    on_gq2 = load_facts(home, more, GQ2).cards[0]
    assert [on_gq2[key] for key in ("df", "class", "nation")] == [9, "B", "Japanese"]
    assert load_facts(home, more, QF).cards[0]["gunnery.heavy"] == 20


def test_attested_values_are_on_the_card(home: Path) -> None:
    (card,) = load_facts(home, 'ships = ["mikasa"]\n', CLONE).cards
    assert [card[key] for key in ("gunnery.heavy", "armor.light", "speed")] == [10, 16, 120]
    assert str(card["attested"]).split(",")[:2] == ["size", "gunnery.heavy"]
    massena = NavyShips("france").find_ship("massena", 1904)
    assert massena is not None
    gunnery = next(one for one in AQF.rate(massena) if one.key == "gunnery.heavy")
    assert (gunnery.value, gunnery.working) == (16, "attested (AQF-EX-8)")


def test_a_fleet_under_a_former_name_has_its_former_ships(home: Path) -> None:
    more = 'ships = ["mikasa", "asahi"]\n[formerly]\nlittle = { ships = ["asahi"] }\nwhole = {}\n'
    assert list_ids(load_facts(home, more, name="little")) == ["asahi"]
    assert list_ids(load_facts(home, more, name="whole")) == ["mikasa", "asahi"]
    write(home / "home" / "fleets", "some.toml", NAVY_FLEET + more)
    day = HEAD + '[[side]]\nname = "Japan"\nfleet = "little"\n'
    assert list(load_start(home, day).ships) == ["asahi"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('ships = ["mikasaa"]', "ships: no ship “mikasaa” in navy japan; did you mean mikasa?"),
        ('ships = ["ruritania/kii"]', "ships: no navy “ruritania”; known navies: argentina"),
        ('ships = ["kashima"]', "ships: “kashima” is known from 1906 on, not in 1904"),
        ('ships = []\n[[ship]]\nid = "x"\nfacts = "chinna/y"', "ship 1 (x): no navy “chinna”; did you mean"),
        (
            'ships = []\n[[ship]]\nid = "mikasa"\n[ship.for.advanced-quickfire]\ngunery = [1, 2]',
            "ship 1 (mikasa), for.advanced-quickfire.gunery: no such key; did you mean gunnery?",
        ),
        (
            'ships = []\n[[ship]]\nid = "mikasa"\n[ship.for.advanced-quickfire]\nattested = ["gunn"]',
            "ship 1 (mikasa), for.advanced-quickfire.attested: no field “gunn”",
        ),
        ('ships = []\n[[ship]]\nid = "asahi"\n[[ship]]\nid = "asahi"', "ship 1 already has the id"),
        ('ship = [{ id = "asahi", for = 3 }]', "ship 1 (asahi), for: expected a table for each rule system"),
        ('ship = [{ id = "asahi", for = { gq2 = 3 } }]', "for.gq2: expected a table, found 3"),
    ],
)
def test_faults_have_their_place(home: Path, text: str, told: str) -> None:
    assert any(told in fault for fault in read_facts_faults(home, text)), read_facts_faults(home, text)
    found = check_file(write(home, "some.toml", NAVY_FLEET + text), SYSTEMS).faults
    assert any(told in str(fault) for fault in found), found


def test_check_finds_the_faults_of_all_rule_systems(home: Path) -> None:
    stated = '[ship.for.gq2]\ndf = "much"\n[ship.for.quickfire]\nspeed = "x"\n'
    text = f'{NAVY_FLEET}ships = []\n[[ship]]\nid = "mikasa"\n{stated}'
    found = [str(fault) for fault in check_file(write(home, "some.toml", text), SYSTEMS).faults]
    assert len(found) == 2, found
    strange = check_file(write(home, "some.toml", text.replace("for.gq2", "for.gq3")), SYSTEMS)
    assert strange.warnings == ("for.gq3: no rule system of this name is installed; did you mean gq2?",)


def test_a_users_row_is_read_strictly_and_wins(home: Path) -> None:
    rows = "mikasa,Mikasa,battleship,1900,1902,99,18,,,,\nkii,Kii,gunboat,1890,1891,x,9,,,,\n"
    write(home / "home" / "navies", "japan.csv", ROWS + rows)
    (card,) = load_facts(home, 'ships = ["mikasa"]\n').cards
    assert card["size"] == 0.25
    told = read_facts_faults(home, 'ships = ["kii"]\n')
    assert "row 3 (kii), tons: expected a whole number" in told[0]


def load_start(folder: Path, text: str, rules: str = "") -> Battle:
    return load_scenario(write(folder, "day.toml", text), SYSTEMS, rules)[1]


def test_a_side_may_take_ships_directly_from_the_facts(home: Path) -> None:
    """Detect a forgotten year, a lost foreign ship, and later ships that count as present."""
    side = """[[side]]
name = "Japan"
navy = "japan"
ships = ["fuji", "china/ting-yuen"]
[[side.division]]
name = "first"
ships = ["fuji"]
[[side.division]]
name = "late"
ships = ["asahi", "asama"]
"""
    battle = load_start(home, HEAD + 'date = "10 August 1904"\n' + side)
    assert {id: one.division for id, one in battle.ships.items()} == {"fuji": "first", "ting-yuen": "japan"}
    assert {id: one.division for id, one in battle.reserve.items()} == {"asahi": "late", "asama": "late"}
    assert "16+8" in str(battle.ships["fuji"].card["notes"])
    side = side.replace('navy = "japan"', 'navy = "japan"\nyear = 1899')
    old = load_start(home, HEAD + side.replace('"asahi", "asama"', '"yashima"'))
    assert "0+24" in str(old.ships["fuji"].card["notes"])


@pytest.mark.parametrize(
    ("side", "told"),
    [
        ('navy = "japan"', "side 1 (J), year: is missing; expected the year of the ships, or a date"),
        ('navy = "japan"\nfleet = "x"\nyear = 1904', "side 1 (J), navy: a fleet is given as well"),
        ("year = 1904", "side 1 (J), fleet: is missing; expected a fleet, or a navy"),
        ('navy = "japn"\nyear = 1904', "side 1 (J), navy: no navy “japn”; did you mean japan?"),
        ('navy = "japan"\nyear = 1904\nships = ["fiji"]', "side 1 (J), ships: no ship “fiji” in navy japan"),
        (
            'navy = "japan"\nyear = 1904\nships = ["..\\\\up/mikasa"]',
            "ships: no navy “..\\up”; known navies:",
        ),
        ('navy = "japan"\nyear = 1790', "side 1 (J), year: expected a whole number from 1850 to 1950"),
    ],
)
def test_faults_of_such_a_side_are_reported(home: Path, side: str, told: str) -> None:
    with pytest.raises(FileFaults) as caught:
        load_start(home, f'{HEAD}[[side]]\nname = "J"\n{side}\n')
    assert any(told in str(fault) for fault in caught.value.faults), caught.value


OTHERS = """
title = "A night"
ruleset = "advanced-quickfire"
scale = "medium"
units = "in"
strict = true
notes = "by day"
[suits]
gq2 = "a night attack"
[options]
sx_check = "12"
[start]
fuji = { speed = 5 }
[for.gq2]
light = "night"
notes = "by night"
[for.gq2.options]
armament_af = "by-hand"
[for.gq2.division.van]
formation = "abreast"
[[side]]
name = "Japan"
navy = "japan"
year = 1904
ships = ["fuji", "asahi"]
[[side.division]]
name = "van"
ships = ["fuji", "asahi"]
"""


def read(folder: Path, text: str, rules: str = "") -> Any:
    path = write(folder, "day.toml", text)
    return read_scenario(read_toml(path), path, SYSTEMS, rules=rules)


def test_a_scenario_begins_under_its_own_rules(home: Path) -> None:
    found = read(home, OTHERS)
    assert not found.faults
    assert (found.system, found.left_out, found.battle.options["sx_check"]) == (AQF, (), "12")
    assert found.suits == {"gq2": "a night attack"}


def test_other_rules_use_their_own_values_and_leave_out_the_rest(home: Path) -> None:
    """Detect a switch given to another system, and one that is dropped silently."""
    found = read(home, OTHERS, "gq2")
    assert not found.faults, found.faults
    table = found.battle.table
    values = [table[key] for key in ("light", "notes", "units", "title")]
    assert values == ["night", "by night", "in", "A night"]
    assert table["formation.@van"] == "abreast"
    assert found.battle.options["armament_af"] == "by-hand"
    assert found.left_out == ("scale medium", "strict", "sx_check 12", "the start of fuji")
    plain = read(home, OTHERS, "quickfire")
    assert not plain.faults
    assert plain.battle.table["notes"] == "by day"
    assert plain.battle.table["strict"] is False


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('light = "nigth"', "for.gq2.light: expected one of"),
        ("dice = 3", "for.gq2.dice: no such key"),
        ('charts = "no.toml"', "for.gq2.charts: no chart “no.toml”"),
        ("[for.gq2.division.van]\nformations = 3", "division 1 (van), formations: no such key"),
        ("[for.gq2.division.vann]\nformation = 3", "division.vann: no division “vann”; did you mean van?"),
        ("[for.gq2.options]\nfoo = 3", "for.gq2.options.foo: no such key"),
        ("[for.gq2.start]\nfoo = 3", "for.gq2.start"),
    ],
)
def test_a_fault_for_another_system_has_its_place(home: Path, text: str, told: str) -> None:
    """Detect a fault that only players of that system meet: `check` tries all systems."""
    whole = OTHERS[: OTHERS.index("[for.gq2]")] + f"[for.gq2]\n{text}\n" + OTHERS[OTHERS.index("[[side]]") :]
    path = write(home, "day.toml", whole)
    assert not read(home, whole).faults
    found = [str(fault) for fault in check_file(path, SYSTEMS).faults]
    assert any(told in fault for fault in found), found
    assert any(told in str(fault) for fault in read(home, whole, "gq2").faults[str(path)])


@pytest.mark.parametrize(
    ("said", "speed"),
    [
        ('scale = "medium"', 5),
        ('scale = "medium"\nstart = { fuji = { speed = 2 } }', 2),
        ('scale = "small"', None),
        ('scale = "medium"\nunits = "metric"', None),
        ("", None),
    ],
)
def test_the_start_applies_at_the_same_scale_and_units(home: Path, said: str, speed: int | None) -> None:
    """Detect speeds of one scale used at another."""
    top, side = OTHERS[: OTHERS.index("[for.gq2]")], OTHERS[OTHERS.index("[[side]]") :]
    found = read(home, f"{top}[for.quickfire]\n{said}\n{side}", "quickfire")
    assert not found.faults
    assert found.battle.ships["fuji"].log.get(OPENING) == speed
    assert ("the start of fuji" in found.left_out) is (speed is None)


def test_a_start_with_keys_that_other_rules_lack_does_not_apply() -> None:
    said = {"ruleset": "other", "scale": "standard", "for": {"gq2": {"scale": "standard"}}}
    for start, holds in (({"at_anchor": True}, True), ({"speed": 5}, False)):
        data = {**said, "start": {"fuji": start}}
        assert ("start" in rebase_scenario(data, SYSTEMS["gq2"], Checker()).data) is holds


def test_a_rule_system_that_is_not_installed_is_a_warning(home: Path) -> None:
    found = read(home, OTHERS.replace("for.gq2", "for.gq3"))
    assert not found.faults
    assert "for.gq3: no rule system of this name is installed; did you mean gq2?" in found.warnings


NUMBER = FieldSpec("bow", "int", "", most=9)


def test_a_list_with_one_wrong_value_is_left_out_entirely() -> None:
    """Detect a half-read chart span or arc of guns."""
    checker = Checker()
    pair = FieldSpec("guns", "numbers", "", parts=(NUMBER, evolve(NUMBER, name="stern")))
    assert checker.check_value([5, "x"], pair, WHOLE_FILE) == ()
    assert checker.check_value([5, 6], pair, WHOLE_FILE) == ({"bow": 5, "stern": 6},)
    assert len(checker.faults) == 1


def test_a_computed_card_counts_its_tables() -> None:
    masts = FieldSpec("mast", "tables", "", parts=(NUMBER,), most=3)
    assert complete_card((masts,), {"mast.1.bow": 2, "mast.2.bow": 3.0}) == {
        "mast": 2,
        "mast.1.bow": 2,
        "mast.2.bow": 3,
    }
