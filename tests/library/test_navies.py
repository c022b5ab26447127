"""The facts of ships, shipped and the user's, and their values under a rule system."""

from itertools import islice
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.declarations import Setup, find_usual_scale
from qf_tui.core.ship_facts import HandValue, ShipFacts, collect_values, list_assumptions, list_contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.features.shipyard.methods import list_attested_errors, list_odd_values
from qf_tui.features.shipyard.own_ships import build_row, format_own_navy, save_ships
from qf_tui.library.check import check_file
from qf_tui.library.csv_rows import COLUMNS
from qf_tui.library.faults import FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import Register, load_register, read_navy
from qf_tui.library.paths import find_own_folder, find_shipped_folder
from qf_tui.library.ratings import find_card_field, list_value_keys, make_card, rate_ship, read_hand_value
from tests.features.shipyard.test_own_ships import WREN
from tests.systems import OURS, find_our_systems
from tests.tiny import SYSTEM as TINY

HEAD = "id,name,kind,launched,completed,tons,knots"


@pytest.fixture(scope="module")
def all_ships() -> Register:
    return load_register()


@pytest.fixture
def own_navies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    find_own_folder("navies").mkdir(parents=True)
    return find_own_folder("navies")


def read_faults(text: str) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        read_navy(text.encode(), Path("ruritania.csv"))
    return [str(fault) for fault in caught.value.faults]


def test_every_shipped_navy_can_be_read(all_ships: Register) -> None:
    assert all_ships.faulty == ()
    assert len(all_ships.navies) == 21
    assert sum(1 for _ in all_ships.ships) > 1170
    assert {"Japan", "USA", "Austria-Hungary", "Ottoman-Empire"} <= set(all_ships.navies)


def test_no_shipped_row_contradicts_itself_without_a_note(all_ships: Register) -> None:
    """Require odd facts to be in a row's note or among its differences."""
    odd = [ship for ship in all_ships.ships if list_contradictions(ship)]
    assert [ship.id for ship in odd if not (ship.note or ship.differ)] == []


def test_shipped_files_have_the_declared_columns() -> None:
    for path in find_shipped_folder("navies").glob("*.csv"):
        head = path.read_text(encoding="utf-8").partition("\n")[0]
        assert head.split(",") == [column.heading for column in COLUMNS]


def test_ships_are_found_by_the_beginnings_of_words_without_accents(all_ships: Register) -> None:
    assert [ship.name for ship in all_ships.find_ships(["jaure"])] == ["Jauréguiberry"]
    for letters in ("ohigg", "o'higg", "O’Higg", "o-higg"):
        assert [ship.name for ship in all_ships.find_ships([letters])] == ["O'Higgins"]
    assert [(ship.id, ship.class_row) for ship in all_ships.find_ships(["no-69"])] == [("no-69", "")]
    assert [(ship.id, ship.class_row) for ship in all_ships.find_ships(["no-70"])] == [
        ("no-70", "no-67-class")
    ]
    assert all_ships.find_ships(["-"]) == ()


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("Dingyuan", "Ting Yuen"),
        ("zhenyuan", "Chen Yuen"),
        ("HMS Majestic", "Majestic"),
        ("H.M.S. Majestic", "Majestic"),
        ("SMS Wien", "Wien"),
    ],
)
def test_a_ship_is_found_by_another_spelling_and_with_her_prefix(
    all_ships: Register, letters: str, name: str
) -> None:
    assert all_ships.find_ships(letters.split())[0].name == name


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("mikassa", "Mikasa"),
        ("mikas", "Mikasa"),
        ("hms dreadnougt", "Dreadnought"),
        ("H.M.S. Majestik", "Majestic"),
        ("ohigins", "O'Higgins"),
        ("jaurreguiberry", "Jauréguiberry"),
        ("fuij", "Fuji"),
    ],
)
def test_letters_that_find_no_ship_suggest_similar_names(
    all_ships: Register, letters: str, name: str
) -> None:
    """Detect a misspelt name or a title that finds nothing."""
    assert all_ships.find_similar_ships(letters)[0].name == name


def test_unlike_letters_suggest_no_ship(all_ships: Register) -> None:
    assert all_ships.find_similar_ships("xqzzy") == ()
    assert all_ships.find_similar_ships("") == ()
    assert all_ships.find_similar_ships("hms") == ()
    assert {ship.navy for ship in all_ships.find_ships(["russia", "battle", "1904"])} == {"Russia"}
    assert all_ships.find_ships(["no-such-ship"]) == ()


def test_a_year_finds_ships_as_they_were_then(all_ships: Register) -> None:
    (built,), (refitted,) = (
        all_ships.find_ships(["fuji", "1898", "battle", "japan"])[:1],
        all_ships.find_ships(["fuji", "1904", "battle", "japan"])[:1],
    )
    assert (str(built.small), str(refitted.small)) == ("0x75-100mm + 24x37-65mm", "16x75-100mm + 8x37-65mm")
    assert all_ships.find_in_year(built, 1904) == refitted
    assert all_ships.find_in_year(built, 1890) is None


def test_a_file_with_faults_hides_no_other_navy(own_navies: Path) -> None:
    (own_navies / "ruritania.csv").write_text("id,name\n")
    known = load_register()
    assert len(known.faulty) == 1
    assert len(known.navies) == 21


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "missing: id, name"),
        (f"{HEAD}\na,,gunboat,1890,1891,800,13\n", "name: is missing"),
        (f"{HEAD}\na,{'A' * 5000},gunboat,1890,1891,800,13\n", "name: expected at most"),
        (f'{HEAD}\na,"A\x1b",gunboat,1890,1891,800,13\n', "U+001B"),
        (f"{HEAD}\n" + "a,A,gunboat,1890,1891,800,13\n" * 2, "more than once for 1891"),
        (f"{HEAD},heavy,heavy_bear\na,A,gunboat,1890,1891,800,13,2x6,2\n", "expected guns like"),
    ],
)
def test_a_fault_of_a_file_is_reported(text: str, says: str) -> None:
    assert any(says in fault for fault in read_faults(text)), read_faults(text)


SYSTEMS = find_our_systems()


@pytest.fixture(scope="module")
def mikasa() -> ShipFacts:
    return load_register(["japan"]).find_ships(["mikasa"])[0]


def set_values(ship: ShipFacts, *values: str) -> ShipFacts:
    """Set values of a ship by hand, each as `system key=text`."""
    read = [one.replace("=", " ", 1).split(" ", 2) for one in values]
    return evolve(ship, by_hand=tuple(HandValue(*one) for one in read))


def test_a_value_set_by_hand_wins_and_shows_the_computed_one(mikasa: ShipFacts) -> None:
    system = SYSTEMS["advanced-quickfire"]
    plain = rate_ship(system, mikasa)
    hers = rate_ship(system, set_values(mikasa, "advanced-quickfire gunnery.heavy=24", "gq2 df=3"))
    assert collect_values(hers) == {**collect_values(plain), "gunnery.heavy": 24}
    (hand,) = (one for one in hers if one.by_hand)
    worked = next(one for one in plain if one.key == hand.key)
    assert hand.working == f"set by hand; worked out {worked.value}: {worked.working}"


@pytest.mark.parametrize(
    ("system", "key", "text", "value", "says"),
    [
        ("advanced-quickfire", "gunnery.heavy", "24", 24, ""),
        ("advanced-quickfire", "gunnery.heavy", "many", None, "expected a whole number"),
        ("advanced-quickfire", "gunery.heavy", "24", None, "no value gunery.heavy; did you mean gunn"),
        ("advanced-quickfire", "gunnery", "24", None, "there is no value gunnery"),
        ("advanced-quickfire", "speed", "6.25", 6.25, ""),
        ("advanced-quickfire", "protected", "yes", True, ""),
        ("advanced-quickfire", "protected", "perhaps", None, "expected true or false"),
        ("advanced-quickfire", "torpedo.size", "99", None, "14 to 21"),
        ("gq2", "class", "CA", "CA", ""),
        ("gq2", "battery.2.af", "3.5", 3.5, ""),
        ("gq2", "battery.x.af", "3", None, "there is no value"),
        ("gq2", "torpedoes.kind", "heavy", None, 'one of "standard", "light"'),
        ("gq2", "kind", "cruiser", "cruiser", ""),
        ("gq2", "id", "x", None, "there is no value id"),
    ],
)
def test_a_value_set_by_hand_is_read_as_in_a_file(
    system: str, key: str, text: str, value: object, says: str
) -> None:
    found, fault = read_hand_value(SYSTEMS[system], HandValue(system, key, text))
    assert found == value
    assert says in fault
    assert bool(says) == bool(fault)


def test_an_impossible_value_is_reported_and_changes_nothing(mikasa: ShipFacts) -> None:
    system = SYSTEMS["quickfire"]
    plain, hers = rate_ship(system, mikasa), rate_ship(system, set_values(mikasa, "quickfire speed=fast"))
    assert collect_values(hers) == collect_values(plain)
    assert any("expected a number" in text for text in list_assumptions(hers))


def test_a_system_without_a_method_has_no_values(mikasa: ShipFacts) -> None:
    assert rate_ship(TINY, set_values(mikasa, "tiny hull=3")) == ()


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_value_of_every_ship_makes_a_valid_card_that_musters(name: str, each: int) -> None:
    system: RuleSystem = SYSTEMS[name]
    scale = find_usual_scale(system.scales)
    setup = Setup(scale.name, scale.units)
    for ship in islice(load_register().ships, 0, None, each):
        values, card = collect_values(rate_ship(system, ship)), make_card(system, ship)
        assert values
        assert set(values) <= set(card)
        assert [key for key in values if find_card_field(system, key) is None] == []
        assert list(system.list_card_faults(card)) == [], ship.name
        assert system.muster(card, setup)


@pytest.mark.parametrize("name", OURS)
def test_every_value_that_can_be_set_is_declared(name: str) -> None:
    keys = list_value_keys(SYSTEMS[name])
    assert keys
    assert all(find_card_field(SYSTEMS[name], key) for key in keys)


def test_a_value_set_by_hand_applies_in_every_fleet_of_facts(
    mikasa: ShipFacts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Use it over attested values; a fleet that states another value wins over both."""
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    hers = evolve(mikasa, by_hand=(HandValue("advanced-quickfire", "gunnery.heavy", "24"),))
    save_ships("Japan", [build_row(hers)])
    system = SYSTEMS["advanced-quickfire"]
    data = {"navy": "japan", "year": 1904, "ships": ["mikasa", "asahi"]}
    card = load_fleet(Path("japan.toml"), system, data).find_card("mikasa")
    assert card is not None
    assert (card["gunnery.heavy"], "gunnery.heavy" in str(card["attested"])) == (24, False)
    said = {"id": "mikasa", "for": {"advanced-quickfire": {"gunnery": [25, 13]}}}
    stated = load_fleet(Path("japan.toml"), system, {**data, "ship": [said]}).find_card("mikasa")
    assert stated is not None
    assert stated["gunnery.heavy"] == 25
    assert load_fleet(Path("japan.toml"), SYSTEMS["quickfire"], data).find_card("mikasa") is not None


def test_all_faults_of_values_set_by_hand_are_reported(tmp_path: Path) -> None:
    text = "gq2 df=4; gq2 hull.6=4; gq3 df=4; quickfire speed=fast"
    path = tmp_path / "ruritania.csv"
    path.write_text(format_own_navy([{**WREN, "by_hand": text}]))
    assert [str(fault) for fault in check_file(path, SYSTEMS).faults] == [
        "wren, by_hand: gq2: there is no value hull.6; did you mean hull.5?",
        "wren, by_hand: gq3: no such rule system; did you mean gq2?",
        "wren, by_hand: quickfire: speed: expected a number from 0 to 99, found the text “fast”",
    ]


@pytest.mark.parametrize(
    ("system", "least"), [("advanced-quickfire", 10), ("quickfire", 2), ("quickfire-clone", 7), ("gq2", 0)]
)
def test_attested_values_are_reproduced_within_one_point(
    system: str, least: int, all_ships: Register
) -> None:
    errors = list_attested_errors(SYSTEMS[system], all_ships.ships)
    assert len(errors) >= least
    assert [one for one in errors if abs(one.error) > 1] == []


def test_extremes_and_values_far_from_their_kind_are_odd(all_ships: Register) -> None:
    odd = list_odd_values(SYSTEMS["advanced-quickfire"], all_ships.ships)
    assert [one.ship for one in odd if one.key == "speed" and one.why == "highest"] == ["Leitenant Burakov"]
    assert any(one.ship == "Powerful" and "protected-cruiser" in one.why for one in odd)
