"""A battle that is set up, composed into a scenario and loaded is the battle that was chosen."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.values import Battle
from qf_tui.features.editor.drafts import (
    Draft,
    DraftPlace,
    DraftSide,
    build_fleet_ship,
    list_own_charts,
    load_draft_fleets,
)
from qf_tui.features.editor.table import list_draft_settings, list_plan_texts
from qf_tui.features.editor.writers import (
    begin_draft,
    build_documents,
    check_documents,
    find_direct_source,
    find_draft_place,
    find_sources,
    read_draft,
    write_draft,
)
from qf_tui.features.shipyard.own_ships import ShipDraft
from qf_tui.library.declared import FleetShip, FleetSource
from qf_tui.library.faults import Faults, FileFaults
from qf_tui.library.joining import list_shelf, load_fleets
from qf_tui.library.navies import load_register
from qf_tui.library.paths import HOME_VARIABLE, find_own_folder, read_toml
from qf_tui.library.scenarios import find_scenario, load_scenario
from tests.features.points.test_evening import ORDERS
from tests.journal.limits import limit_file_size
from tests.library.sloops import FLEET, SYSTEM, SYSTEMS, format_sloop
from tests.library.sloops import write as put
from tests.systems import OURS, find_our_systems

HOSTILE = ("[/", "HMS [Red] Lion", '"""\\', "艦 Kongō", "a = 1 # b", "../../etc", "'", "\\u0007", "[[side]]")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a shelf with two fleets that share one id."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    put(
        tmp_path / "fleets",
        "east.toml",
        FLEET + format_sloop("wren") + format_sloop("owl") + format_sloop("crane", more="boats = 3"),
    )
    estimated = FLEET.replace("published", "estimated")
    put(
        tmp_path / "fleets",
        "west.toml",
        estimated + format_sloop("gull") + format_sloop("wren", "The other Wren"),
    )
    return tmp_path


WREN, OWL, CRANE = (FleetShip(FleetSource("east"), id) for id in ("wren", "owl", "crane"))
GULL, OTHER_WREN = FleetShip(FleetSource("west"), "gull"), FleetShip(FleetSource("west"), "wren")


def build_draft(*sides: tuple[FleetShip, ...]) -> Draft:
    made = Draft.begin(SYSTEM)
    for number, ships in enumerate(sides):
        for berth in ships:
            made = made.put_ship(berth, DraftPlace(number))
    return made


def check_draft(made: Draft) -> Battle:
    return check_documents(build_documents(made, SYSTEM), SYSTEMS)[1]


def list_places(found: Battle) -> list[str]:
    """Return each ship with her side and division."""
    return [f"{ship.id} {ship.side} {ship.division}" for ship in found.ships.values()]


def test_the_chosen_battle_is_loaded() -> None:
    made = build_draft((OWL, WREN), (GULL,)).change_side(0, name="The East").with_scale(SYSTEM, "small")
    made = made.with_table("dice", "console").with_table("fog", True).with_table("light", "night")
    made = made.with_option(SYSTEM, "drift", "yes").with_division(0, "Van").put_ship(WREN, DraftPlace(0, 1))
    made = made.change_division(DraftPlace(0, 1), player="Anna").change_division(DraftPlace(1), player="Ben")
    found = check_draft(made)
    assert [(side.id, side.name) for side in found.sides] == [("the-east", "The East"), ("red", "Red")]
    assert list_places(found) == ["owl the-east the-east", "wren the-east van", "gull red red"]
    players = {one.id: one.player for side in found.sides for one in side.divisions if one.player}
    assert players == {"van": "Anna", "red": "Ben"}
    table = [found.table[key] for key in ("title", "scale", "units", "dice", "fog", "light", "notes")]
    assert table == ["My battle", "small", "in", "console", True, "night", ""]
    assert found.options == {"leak_check": "11-12", "drift": "yes"}


def test_only_settings_that_differ_are_written() -> None:
    made = (
        build_draft((WREN,), (GULL,)).with_option(SYSTEM, "drift", "yes").with_option(SYSTEM, "drift", "no")
    )
    document = build_documents(made, SYSTEM).scenario
    assert document == {
        "ruleset": "sloops",
        "title": "My battle",
        "scale": "medium",
        "units": "in",
        "side": [
            {"name": "Blue", "fleet": "east", "ships": ["wren"]},
            {"name": "Red", "fleet": "west", "ships": ["gull"]},
        ],
    }


def test_the_same_id_on_two_sides_has_a_prefix_on_the_second() -> None:
    found = check_draft(build_draft((WREN, OWL), (OTHER_WREN, GULL)))
    assert list_places(found) == ["wren blue blue", "owl blue blue", "r-wren red red", "r-gull red red"]
    assert found.ships["r-wren"].name == "The other Wren"


def test_one_ship_may_fight_on_both_sides() -> None:
    made = build_draft((WREN, OWL), (WREN,))
    assert made.list_places(WREN) == (DraftPlace(0), DraftPlace(1))
    assert list_places(check_draft(made)) == ["wren blue blue", "owl blue blue", "r-wren red red"]


def test_prefixes_are_unique_for_many_sides_without_letters_in_their_names(home: Path) -> None:
    ships = [(FleetShip(FleetSource(f"f{number}"), "wren"),) for number in range(6)]
    for number in range(6):
        put(home / "fleets", f"f{number}.toml", FLEET + format_sloop("wren"))
    made = build_draft()
    for _ in range(4):
        made = made.with_side()
    for number, (berth,) in enumerate(ships):
        made = made.put_ship(berth, DraftPlace(number)).change_side(number, name="艦" * (number + 1))
    assert len(check_draft(made).ships) == 6


def test_a_side_from_two_fleets_gets_its_own_fleet_with_their_cards() -> None:
    made = build_draft((WREN, CRANE, OTHER_WREN), (GULL,))
    found = check_draft(made)
    assert [(one.id, one.name, one.card["values"]) for one in found.ships.values() if one.side == "blue"] == [
        ("wren", "Wren", "published"),
        ("crane", "Crane", "published"),
        ("wren-2", "The other Wren", "estimated"),
    ]
    assert found.ships["crane"].card["boats"] == 3
    path = write_draft(made, SYSTEMS)
    assert load_scenario(path, SYSTEMS)[1].ships == found.ships
    assert (path.parent / path.stem / "side-1.toml").is_file()


def test_a_scenario_is_written_under_a_new_name_and_can_be_set_up_again() -> None:
    made = build_draft((OWL,), (GULL,)).change_division(DraftPlace(1), player="Ben")
    made = made.with_option(SYSTEM, "drift", "yes")
    first, second = write_draft(made, SYSTEMS), write_draft(made, SYSTEMS)
    assert [path.name for path in (first, second)] == ["my-battle.toml", "my-battle-2.toml"]
    assert first.parent == find_own_folder("scenarios")
    assert read_draft(first, SYSTEMS) == made.change_division(DraftPlace(1), name="Red")
    assert load_scenario("my-battle", SYSTEMS)[1] == load_scenario(second, SYSTEMS)[1]


def test_settings_of_a_division_that_are_not_shown_are_kept() -> None:
    first = write_draft(
        build_draft((OWL, WREN), (GULL,)).with_division(0, "van").put_ship(OWL, DraftPlace(0, 1)), SYSTEMS
    )
    text = first.read_text(encoding="utf-8").replace('name = "van"', 'name = "van"\ncourse = "north"')
    first.write_text(text, encoding="utf-8")
    again = load_scenario(write_draft(read_draft(first, SYSTEMS), SYSTEMS), SYSTEMS)[1]
    assert again.table["course.@van"] == "north"


def test_a_scenario_of_several_fleets_and_prefixes_can_be_set_up_again() -> None:
    made = build_draft((WREN, GULL), (OWL, OTHER_WREN))
    again = read_draft(write_draft(made, SYSTEMS), SYSTEMS)
    assert len(again.ships) == 4
    card = load_draft_fleets(SYSTEM, again).find_card(again.sides[0].ships[1])
    assert card["name"] == "Gull"
    assert list_places(check_draft(again)) == list_places(check_draft(made))


def test_a_set_up_can_be_checked_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against a set-up that is lost because the folder for temporary files is full or gone."""
    monkeypatch.setenv("TMPDIR", "/nowhere")
    monkeypatch.setattr("tempfile.tempdir", None)
    made = build_draft((WREN, GULL), (OWL, OTHER_WREN))
    with limit_file_size(0):
        found = check_documents(build_documents(made, SYSTEM), SYSTEMS)[1]
    assert load_scenario(write_draft(made, SYSTEMS), SYSTEMS)[1].ships == found.ships


@pytest.mark.parametrize("room", [0, 30, 400])
def test_a_set_up_that_does_not_fit_on_the_disk_leaves_no_file(room: int) -> None:
    made = build_draft((WREN, GULL), (OWL, OTHER_WREN))
    with (
        pytest.raises(QfError, match="the scenario cannot be written: File too large"),
        limit_file_size(room),
    ):
        write_draft(made, SYSTEMS)
    assert list(find_own_folder("scenarios").iterdir()) == []


def test_a_set_up_whose_save_does_not_fit_leaves_no_scenario() -> None:
    made = build_draft((WREN, GULL), (OWL, OTHER_WREN))
    scenario = write_draft(made, SYSTEMS)
    room = max(file.stat().st_size for file in (scenario, *scenario.with_suffix("").iterdir()))
    kept = sorted(find_own_folder("scenarios").rglob("*"))
    with pytest.raises(QfError, match=r"cannot be made: .*Make room"), limit_file_size(room):
        begin_draft(made, SYSTEMS)
    assert sorted(find_own_folder("scenarios").rglob("*")) == kept
    assert list(find_own_folder("saves").iterdir()) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_titles_and_names_are_preserved(text: str) -> None:
    made = build_draft((WREN,), (GULL,)).with_table("title", text).change_side(0, name=text)
    made = made.with_division(0, text + "!").put_ship(WREN, DraftPlace(0, 1))
    made = made.change_division(DraftPlace(0, 1), player=text)
    path = write_draft(made, SYSTEMS)
    found = load_scenario(path, SYSTEMS)[1]
    assert path.parent == find_own_folder("scenarios")
    assert (found.table["title"], found.sides[0].name) == (text, text)
    assert (found.sides[0].divisions[1].name, found.sides[0].divisions[1].player) == (text + "!", text)


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\x07", "a\u202eb", "a\ud800"])
def test_control_characters_are_refused_and_nothing_is_written(text: str) -> None:
    base = build_draft((WREN,), (GULL,))
    titled, named = base.with_table("title", text), base.change_side(0, name=text)
    for made in (titled, named, base.change_division(DraftPlace(0), player=text)):
        with pytest.raises(Faults):
            write_draft(made, SYSTEMS)
    assert not find_own_folder("scenarios").exists()


BOTH = build_draft((WREN,), (GULL,))


@pytest.mark.parametrize(
    ("made", "told", "place"),
    [
        (build_draft((WREN,)), "side 2 (Red): has no ships", DraftPlace(1)),
        (BOTH.change_side(1, name="BLUE"), "(BLUE), name: another side already has the id", DraftPlace(1)),
        (BOTH.change_side(0, name=""), "side 1, name: expected text on one line", DraftPlace(0)),
        (BOTH.with_division(0, "a").with_division(0, "A"), "division 3 (A)", DraftPlace(0, 2)),
        (BOTH.with_table("light", "noon"), "light: expected one of", "light"),
        (BOTH.with_table("charts", "none"), "charts: no chart “none”", "charts"),
        (BOTH.with_option(SYSTEM, "drift", "so"), "options.drift: expected", "options.drift"),
        (build_draft((WREN,), (FleetShip(FleetSource("gone"), "gull"),)), "no fleet “gone”", None),
    ],
)
def test_faults_of_a_draft_read_like_those_of_a_file_and_have_a_place(
    made: Draft, told: str, place: DraftPlace | str | None
) -> None:
    with pytest.raises(Faults) as caught:
        check_documents(build_documents(made, SYSTEM), SYSTEMS)
    faults = [fault for fault in caught.value.faults if told in str(fault)]
    assert faults, caught.value
    assert place is None or find_draft_place(faults[0]) == place
    if isinstance(place, str):
        # The cursor can go there: the set-up has a line with this key.
        assert place in [field.name for field, _ in list_draft_settings(made, SYSTEMS)]


def test_the_shelf_lists_faulty_fleets_apart_and_omits_those_of_other_rules(home: Path) -> None:
    put(home / "fleets", "broken.toml", "title = ")
    put(home / "fleets", "odd.toml", FLEET + format_sloop("wren", more="sped = 4"))
    put(home / "fleets", "other.toml", FLEET.replace('"sloops"', '"brigs"') + format_sloop("wren"))
    found = load_draft_fleets(SYSTEM, Draft.begin(SYSTEM))
    assert {FleetSource("east"), FleetSource("west")} == found.sound.keys()
    assert [Path(one.file).name for one in found.faulty] == ["broken.toml", "odd.toml"]
    assert all(isinstance(one, FileFaults) for one in found.faulty)


def test_only_own_charts_of_the_rule_system_are_offered(home: Path) -> None:
    put(home / "charts", "mine.toml", 'ruleset = "sloops"\n')
    put(home / "charts", "brigs.toml", 'ruleset = "brigs"\n')
    put(home / "charts", "broken.toml", "= 3")
    assert list_own_charts(SYSTEM) == ("mine",)


def test_a_ship_has_one_berth_on_a_side_and_a_side_keeps_its_last_division() -> None:
    made = build_draft((WREN, OWL)).with_division(0, "van").put_ship(WREN, DraftPlace(0, 1))
    assert made.list_places(WREN) == (DraftPlace(0, 1),)
    made = made.remove_ship(WREN, 0).remove_division(DraftPlace(0, 1)).put_ship(WREN, DraftPlace(1))
    assert [side.ships for side in made.sides] == [(OWL,), (WREN,)]
    assert made.remove_division(DraftPlace(0)).sides[0] == DraftSide("Blue")
    assert made.remove_side(0).sides == (DraftSide("Red", made.sides[1].divisions),)


_BERTHS = st.sampled_from([WREN, OWL, CRANE, GULL, OTHER_WREN])
_NAMES = st.text(max_size=8) | st.sampled_from(HOSTILE)


@given(st.lists(st.tuples(_BERTHS, st.integers(0, 3), st.integers(0, 1)), max_size=8), _NAMES, _NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_draft_loads_unchanged_or_is_refused_with_faults(
    puts: list[tuple[FleetShip, int, int]], title: str, name: str
) -> None:
    made = Draft.begin(SYSTEM).with_side().with_side().with_division(0, name).with_table("title", title)
    places: Mapping[int, int] = {0: 2}
    for berth, side, division in puts:
        made = made.put_ship(berth, DraftPlace(side, division % places.get(side, 1)))
    with suppress(Faults):
        found = check_draft(made)
        cards = load_draft_fleets(SYSTEM, made)
        names = [str(cards.find_card(ship)["name"]) for ship in made.ships]
        assert [one.name for one in found.ships.values()] == names


RULES = find_our_systems()
AQF, GQ2, QF, CLONE = (RULES[name] for name in OURS)

SCENARIO = """title = "A night"
date = "10 August 1904"
ruleset = "advanced-quickfire"
scale = "small"
units = "in"
strict = true
approach = [30, 22.5]
opens = 28
sea_room = 90
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
notes = "Attack by night."
doctrine = "close"
runs = true
ships = ["fuji", "asahi", "china/ting-yuen"]
[[side.division]]
name = "van"
player = "Anna"
apart = true
doctrine = "chase"
knots = 0
ships = ["fuji", "china/ting-yuen"]
[[side]]
name = "Russia"
navy = "russia"
year = 1903
prefix = "r-"
ships = ["poltava", "boiki"]
"""


def load(path: Path, rules: str = "") -> Battle:
    return load_scenario(path, RULES, rules)[1]


@pytest.mark.parametrize("rules", ["", "gq2", "quickfire"])
def test_a_copy_is_the_same_battle_under_every_rule_system(home: Path, rules: str) -> None:
    """Guard against a foreign ship, a year, ranges or settings of other rules lost in a copy."""
    path = put(home, "night.toml", SCENARIO)
    copy = write_draft(read_draft(path, RULES), RULES)
    assert "formerly" not in read_toml(copy)
    first, second = load(path, rules), load(copy, rules)
    assert first.ships.keys() == {"fuji", "asahi", "ting-yuen", "r-poltava", "r-boiki"}
    assert {ship.name for ship in second.ships.values()} == {ship.name for ship in first.ships.values()}
    assert second.table == first.table
    assert (second.table["runs.japan"], second.table["doctrine.@van"], second.table["knots.@van"]) == (
        True,
        "chase",
        0,
    )
    assert second.options == first.options
    assert read_toml(copy)["suits"] == {"gq2": "a night attack"}


def test_a_copy_for_other_rules_keeps_the_old_settings_under_for(home: Path) -> None:
    """Guard against switches and scale that a copy loses for the original rules."""
    path = put(home, "night.toml", SCENARIO)
    copy = write_draft(read_draft(path, RULES, "gq2"), RULES)
    data = read_toml(copy)
    assert (data["ruleset"], data["light"]) == ("gq2", "night")
    assert data["side"][0]["division"][0]["formation"] == "abreast"
    assert load(copy).table["formation.@van"] == "abreast"
    back, first = load(copy, "advanced-quickfire"), load(path)
    assert back.options == first.options
    assert back.table == {**first.table, "units": "in"}


def test_the_settings_of_a_division_are_removed_with_it(home: Path) -> None:
    """Guard against a scenario that cannot be written because it names a removed division."""
    draft = read_draft(put(home, "night.toml", SCENARIO), RULES).remove_division(DraftPlace(0, 0))
    document = build_documents(draft, AQF).scenario
    assert document["for"]["gq2"]["division"] == {}
    assert "start" not in document or "fuji" not in document["start"]
    assert load(write_draft(draft, RULES), "gq2").ships


def write_side(*berths: FleetShip) -> dict[str, Any]:
    draft = Draft.begin(AQF)
    for berth in berths:
        draft = draft.put_ship(berth, DraftPlace(0))
    draft = draft.put_ship(FleetShip(FleetSource("russia", 1904), "poltava"), DraftPlace(1))
    path = write_draft(draft, RULES)
    side: dict[str, Any] = read_toml(path)["side"][0]
    ships = [one.name for one in load(path).ships.values() if one.side == "blue"]
    fleet = read_toml(path.parent / side["fleet"]) if str(side.get("fleet")).endswith(".toml") else {}
    return {**side, "names": ships, "made": fleet}


MIKASA, ASAHI = FleetShip(FleetSource("japan", 1904), "mikasa"), FleetShip(FleetSource("japan-1904"), "asahi")
VSADNIK = FleetShip(FleetSource("russia-pacific-1904"), "vsadnik")


def test_a_side_of_navies_names_them_and_makes_no_fleet(home: Path) -> None:
    side = write_side(MIKASA, FleetShip(FleetSource("china", 1904), "ting-yuen"))
    assert [side[key] for key in ("navy", "year", "ships")] == ["japan", 1904, ["mikasa", "china/ting-yuen"]]
    assert side["names"] == ["Mikasa", "Ting Yuen"]


def test_a_side_of_ships_without_rules_gets_a_fleet_without_rules(home: Path) -> None:
    """Guard against a fleet that binds a scenario to a rule system although its ships do not."""
    side = write_side(MIKASA, FleetShip(FleetSource("japan", 1898), "fuji"), VSADNIK, ASAHI)
    assert "ruleset" not in side["made"]
    facts = [ship["facts"] for ship in side["made"]["ship"]]
    assert facts == ["japan/mikasa", "japan/fuji", "russia/vsadnik", "japan/asahi"]
    assert side["names"] == ["Mikasa", "Fuji", "Vsadnik", "Asahi"]


def test_a_side_with_ships_of_one_rule_system_gets_a_fleet_of_that_system(home: Path) -> None:
    """Guard against computed values that differ from the card once they are stated."""
    side = write_side(MIKASA, FleetShip(FleetSource("rulebook-examples"), "borodino"))
    assert side["made"]["ruleset"] == "advanced-quickfire"
    mikasa, borodino = side["made"]["ship"]
    assert (mikasa["gunnery"], mikasa["torpedo"]) == ([20, 13], {"size": 18, "reload": 8})
    assert mikasa["attested"] == ["gunnery.heavy", "rof.heavy"]
    assert borodino["gunnery"] == [20, 13]


@pytest.mark.parametrize("system", RULES.values(), ids=RULES)
def test_a_navy_of_a_year_is_offered_once_a_draft_names_it(home: Path, system: Any) -> None:
    draft = Draft.begin(system).put_ship(MIKASA, DraftPlace(0))
    fleets = load_draft_fleets(system, draft)
    assert fleets.find_card(MIKASA)["name"] == "Mikasa"
    assert fleets.sound[FleetSource("japan", 1904)].find_card("asahi")


@pytest.mark.parametrize("system", RULES.values(), ids=RULES)
def test_a_ship_from_the_shipyard_can_be_chosen_and_sails(home: Path, system: Any) -> None:
    """Guard against an own ship that can join a running battle but begin none."""
    texts = {"name": "Wren", "kind": "b", "launched": "03", "completed": "05", "tons": "14000", "knots": "18"}
    ShipDraft("Japan", {**texts, "heavy": "4x12/40", "belt": "9"}).keep()
    wren = FleetShip(FleetSource("japan", 1905), "wren")
    draft = Draft.begin(system).put_ship(wren, DraftPlace(0)).put_ship(ASAHI, DraftPlace(1))
    fleet = load_draft_fleets(system, Draft.begin(system)).sound[FleetSource("japan", 1905)]
    assert (fleet.title, [card["id"] for card in fleet.cards]) == ("Japan 1905, yours", ["wren"])
    battle = load_scenario(write_draft(draft, RULES), RULES)[1]
    assert battle.ships["wren"].card["name"] == "Wren"
    assert FleetSource("japan", 1905) not in load_fleets(system, list_shelf(), [])


AT = Path("/battles").resolve()
EAST = AT.with_name("east 1904.toml")


@pytest.mark.parametrize(
    "source", [FleetSource("east"), FleetSource("japan 1904"), FleetSource("japan", 1904)]
)
def test_the_source_of_a_side_is_read_back(source: FleetSource) -> None:
    """Guard against a fleet on the shelf that is taken for a navy because of its name."""
    named = find_direct_source([FleetShip(source, "wren")])
    assert named is not None
    assert find_sources({**named[0], "ships": ["wren"]}, AT, "")[0] == source


@pytest.mark.parametrize(
    ("word", "source", "text"),
    [
        ("east", FleetSource("east"), "east"),
        ("east.toml", FleetSource(str(AT / "east.toml")), str(AT / "east.toml")),
        ("../east 1904.toml", FleetSource(str(EAST)), str(EAST)),
    ],
)
def test_the_fleet_word_of_a_scenario_is_read_and_shown_as_text(
    word: str, source: FleetSource, text: str
) -> None:
    assert FleetSource.from_word(word, AT) == source
    assert source.text == text
    assert FleetSource.from_word(text, AT) == source


@pytest.mark.parametrize("letters", ["asahi 1904", "asahi １９０４", "asahi ¹⁹⁰⁴"])
def test_a_year_is_read_like_the_letters_that_find_ships(letters: str) -> None:
    """Guard against a set-up that stops at digits that the search accepts as a year."""
    ships = load_register(["japan"]).find_ships(letters.split())
    assert [build_fleet_ship(ship, letters).source for ship in ships] == [FleetSource("japan", 1904)]


def test_the_set_up_shows_what_it_keeps_of_the_plan() -> None:
    """Guard against points that a user loses or keeps unseen when he edits a battle."""
    draft = read_draft(ORDERS.with_suffix(".toml"), find_our_systems())
    assert list(list_plan_texts(draft)) == ["points: 5 rules, 1 secret"]
    assert list(list_plan_texts(draft.remove_side(0))) == ["points: 1 rule, 1 secret"]
    draft = read_draft(find_scenario("ulsan-1904"), find_our_systems())
    assert list(list_plan_texts(draft)) == ["schedule: turns 5 and 8", "victory: 2 conditions"]
