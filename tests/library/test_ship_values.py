"""A ship's values: worked out, set by hand over it, and made into a card that musters."""

from itertools import islice
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.declarations import usual_scale
from qf_tui.core.ship_facts import HandValue, ShipFacts
from qf_tui.core.system import RuleSystem, Setup
from qf_tui.library.check import check
from qf_tui.library.fleets import load_fleet
from qf_tui.library.navies import register, row_of, save_ships, written
from qf_tui.library.rated_cards import RatedCards, card_value, hand_value, rated, value_keys
from tests.library.test_own_ships import WREN
from tests.systems import OURS, our_systems
from tests.tiny import SYSTEM as TINY

SYSTEMS = our_systems()


@pytest.fixture(scope="module")
def mikasa() -> ShipFacts:
    return register(["japan"]).found(["mikasa"])[0]


def set_by(ship: ShipFacts, *values: str) -> ShipFacts:
    """A ship with values set by hand, each as `system key=text`."""
    read = [one.replace("=", " ", 1).split(" ", 2) for one in values]
    return evolve(ship, by_hand=tuple(HandValue(*one) for one in read))


def test_a_value_set_by_hand_wins_and_says_what_was_worked_out(mikasa: ShipFacts) -> None:
    system = SYSTEMS["advanced-quickfire"]
    plain = rated(system, mikasa)
    hers = rated(system, set_by(mikasa, "advanced-quickfire gunnery.heavy=24", "gq2 df=3"))
    assert plain is not None
    assert hers is not None
    assert hers.card == {**plain.card, "gunnery.heavy": 24}
    (hand,) = (one for one in hers.values if one.by_hand)
    worked = next(one for one in plain.values if one.key == hand.key)
    assert hand.working == f"set by hand; worked out {worked.value}: {worked.working}"


@pytest.mark.parametrize(
    ("system", "key", "text", "value", "says"),
    [
        ("advanced-quickfire", "gunnery.heavy", "24", 24, ""),
        ("advanced-quickfire", "gunnery.heavy", "many", None, "expected a whole number"),
        (
            "advanced-quickfire",
            "gunery.heavy",
            "24",
            None,
            "there is no value gunery.heavy; did you mean gunn",
        ),
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
def test_what_is_set_by_hand_is_read_as_a_file_would_have_it(
    system: str, key: str, text: str, value: object, says: str
) -> None:
    found, fault = hand_value(SYSTEMS[system], HandValue(system, key, text))
    assert found == value
    assert says in fault
    assert bool(says) == bool(fault)


def test_a_value_that_cannot_be_so_is_told_and_changes_nothing(mikasa: ShipFacts) -> None:
    system = SYSTEMS["quickfire"]
    plain, hers = rated(system, mikasa), rated(system, set_by(mikasa, "quickfire speed=fast"))
    assert plain is not None
    assert hers is not None
    assert hers.card == plain.card
    assert any("expected a number" in text for text in hers.assumptions)


def test_a_system_without_a_method_has_no_values(mikasa: ShipFacts) -> None:
    assert rated(TINY, set_by(mikasa, "tiny hull=3")) is None


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_value_of_every_ship_is_a_value_of_a_sound_card_that_musters(name: str, each: int) -> None:
    system: RuleSystem = SYSTEMS[name]
    scale = usual_scale(system.scales)
    setup, cards = Setup(scale.name, scale.units), RatedCards(system)
    for ship in islice(register().ships, 0, None, each):
        rating = rated(system, ship)
        assert rating is not None
        card = cards.plain(ship, rating)
        assert set(rating.card) <= set(card)
        assert [key for key in rating.card if card_value(system, key) is None] == []
        assert list(system.card_faults(card)) == [], ship.name
        assert system.muster(card, setup)


@pytest.mark.parametrize("name", OURS)
def test_every_value_that_can_be_set_is_declared(name: str) -> None:
    keys = value_keys(SYSTEMS[name])
    assert keys
    assert all(card_value(SYSTEMS[name], key) for key in keys)


def test_what_is_set_by_hand_holds_in_every_fleet_that_names_the_ship_by_her_facts(
    mikasa: ShipFacts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Over what the rules attest; a fleet that states another value wins over both."""
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    hers = evolve(mikasa, by_hand=(HandValue("advanced-quickfire", "gunnery.heavy", "24"),))
    save_ships("Japan", [row_of(hers)])
    system = SYSTEMS["advanced-quickfire"]
    data = {"navy": "japan", "year": 1904, "ships": ["mikasa", "asahi"]}
    card = load_fleet(Path("japan.toml"), system, data).card("mikasa")
    assert card is not None
    assert (card["gunnery.heavy"], "gunnery.heavy" in str(card["attested"])) == (24, False)
    said = {"id": "mikasa", "for": {"advanced-quickfire": {"gunnery": [25, 13]}}}
    stated = load_fleet(Path("japan.toml"), system, {**data, "ship": [said]}).card("mikasa")
    assert stated is not None
    assert stated["gunnery.heavy"] == 25
    assert load_fleet(Path("japan.toml"), SYSTEMS["quickfire"], data).card("mikasa") is not None


def test_all_that_is_wrong_with_values_set_by_hand_is_told_of_a_file(tmp_path: Path) -> None:
    text = "gq2 df=4; gq2 hull.6=4; gq3 df=4; quickfire speed=fast"
    path = tmp_path / "ruritania.csv"
    path.write_text(written([{**WREN, "by_hand": text}]))
    assert [str(fault) for fault in check(path, SYSTEMS).faults] == [
        "wren, by_hand: gq2: there is no value hull.6; did you mean hull.5?",
        "wren, by_hand: gq3: no such rule system; did you mean gq2?",
        "wren, by_hand: quickfire: speed: expected a number from 0 to 99, found the text “fast”",
    ]
