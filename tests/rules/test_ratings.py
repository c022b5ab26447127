"""Facts into cards, in every rule system: figures worked by hand, and all cards readable."""

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from attrs import evolve

from qf_tui.core.ship_facts import (
    ShipFacts,
    collect_values,
    find_gun_worth,
    list_assumptions,
    read_guns,
    round_to_step,
)
from qf_tui.core.text import Scalar
from qf_tui.library.declared import list_ship_fields
from qf_tui.library.faults import Checker, FilePlace
from qf_tui.library.navies import Register, load_register
from qf_tui.rules.quickfire_family.rating import find_rounds_a_minute, rate_gunnery, round_log2
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()


@pytest.fixture(scope="module")
def ships() -> Register:
    return load_register()


def find_ship(ships: Register, *words: str) -> ShipFacts:
    return next(one for one in ships.find_ships(words) if one.id == words[0])


def rate_card(ships: Register, system: str, *words: str) -> Mapping[str, Scalar]:
    return collect_values(SYSTEMS[system].rate(find_ship(ships, *words)))


def nest(card: Mapping[str, Scalar]) -> dict[str, Any]:
    """Nest a card as in a file: `armor.heavy` in a table, pairs as lists, batteries as a list of tables."""
    made: dict[str, Any] = {}
    for key, value in card.items():
        *tables, last = key.split(".")
        place = made
        for name in tables:
            place = place.setdefault(name, {})
        place[last] = value
    for name, value in made.items():
        if isinstance(value, dict) and (set(value) <= {"heavy", "light"} or all(map(str.isdigit, value))):
            made[name] = list(value.values())
    return made


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_ship_of_the_register_has_a_card_that_can_be_read(
    ships: Register, system: Any, each: int
) -> None:
    for one in islice(ships.ships, 0, None, each):
        rating = system.rate(one)
        assert rating
        checker = Checker()
        made = {"id": one.id, "name": one.name, **nest(collect_values(rating))}
        checker.check_table(made, list_ship_fields(system), FilePlace())
        assert not checker.faults, (one.id, [str(fault) for fault in checker.faults])


MIKASA: Mapping[str, Mapping[str, Scalar]] = {
    "advanced-quickfire": {
        "size": 15,
        "gunnery.heavy": 20,
        "gunnery.light": 13,
        "armor.heavy": 11,
        "armor.light": 16,
        "rof.heavy": 7,
        "rof.light": 10,
        "torpedo.reload": 8,
        "boat_guns": 4,
        "speed": 6.75,
        "protected": True,
        "repair": 6,
    },
    "quickfire": {"rof.heavy": 4, "rof.light": 5, "torpedo": 2, "boat_guns": True, "repair": 6},
    "quickfire-clone": {
        "gunnery.heavy": 10,
        "gunnery.light": 8,
        "armor.heavy": 8,
        "armor.light": 16,
        "rof.heavy": 5,
        "rof.light": 6,
        "torpedo": 2,
        "speed": 120,
        "repair": 7,
    },
    "gq2": {"class": "B", "nation": "Japanese", "df": 8, "hull.1": 9, "hull.5": 2.5, "battery.1.af": 6},
}
"""Mikasa worked by hand: 15,140 t, 18 kn, 4x12in/40 and 14x6in/40, belt 9, barbettes 14, sides 6, Krupp."""


@pytest.mark.parametrize("system", MIKASA)
def test_the_rating_of_mikasa_equals_the_one_worked_by_hand(ships: Register, system: str) -> None:
    made = rate_card(ships, system, "mikasa")
    assert {key: made[key] for key in MIKASA[system]} == MIKASA[system]


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        (("askold",), "gunnery.heavy", 0),
        (("askold",), "gunnery.light", 14),
        (("tsesarevich", "russia"), "rof.light", 9),
        (("matsushima", "japan"), "rof.heavy", 2),
        (("ohio", "usa"), "gunnery.light", 16),
        (("sans-pareil",), "rof.heavy", 5),
        (("oregon",), "gunnery.heavy", 18),
        (("oregon",), "rof.heavy", 6),
        (("olympia",), "gunnery.heavy", 12),
        (("olympia",), "rof.heavy", 6),
        (("konig-wilhelm",), "gunnery.heavy", 7),
        (("konig-wilhelm",), "rof.heavy", 7),
        (("duilio", "italy"), "gunnery.heavy", 14),
        (("duilio", "italy"), "rof.heavy", 4),
        (("baltimore",), "rof.heavy", 5),
        (("edgar",), "rof.heavy", 4),
        (("yoshino", "japan"), "armor.heavy", 4),
    ],
)
def test_unusual_ships_are_rated_as_worked_by_hand(
    ships: Register, words: tuple[str, ...], key: str, value: int
) -> None:
    """Rate light guns alone, turrets, a slow giant, two calibers, and old guns."""
    assert rate_card(ships, "advanced-quickfire", *words)[key] == value


def test_a_value_has_its_working_and_assumptions(ships: Register) -> None:
    rating = SYSTEMS["advanced-quickfire"].work_out(find_ship(ships, "mikasa"))
    gunnery = next(value for value in rating if value.key == "gunnery.heavy")
    assert gunnery.working == "5/3 x 1 (4 bear) x 12 x (1/2 + 40/80)"
    assert not list_assumptions(rating)
    assumed = SYSTEMS["advanced-quickfire"].rate(evolve(find_ship(ships, "mikasa"), plate=""))
    assert "plate as good as steel" in list_assumptions(assumed)


def test_smaller_guns_of_one_age_and_breech_fire_faster(ships: Register) -> None:
    for navy in ("France", "Britain"):
        short, long = (
            read_guns(" + ".join(f"2x{size}in/{length}" for size in SIZES), "") for length in (37, 42)
        )
        old, new = (evolve(find_ship(ships, "mikasa"), navy=navy, launched=year) for year in (1885, 1897))
        for guns, one in ((short, old), (long, new)):
            rates = [find_rounds_a_minute(gun, one)[0] for gun in guns]
            assert rates == sorted(rates), (navy, one.launched)
        for before, after in zip(short, long, strict=True):
            rate, reason = find_rounds_a_minute(before, old)
            assert reason == "old gun"
            assert rate < find_rounds_a_minute(after, new)[0]
            assert find_rounds_a_minute(after, old) == find_rounds_a_minute(after, new)


SIZES = (12, 10, 8, 7.5, 6.5, 6, 4.7)


@pytest.mark.parametrize(
    ("guns", "launched", "worth", "working"),
    [
        ("4x12in/40", 1900, "12", "12 x (1/2 + 40/80)"),
        ("4x12in/35", 1895, "11.25", "12 x (1/2 + 35/80)"),
        ("4x12in/40", 1885, "12", "12 x (1/2 + 40/80)"),
        ("4x10in/32", 1871, "7.38", "10 x (1/2 + 32/80) x 0.82 (gun of 1885)"),
        ("4x12in/13", 1868, "3.816", "12 x (1/2 + 13/80) x 0.48 (gun of 1868)"),
        ("4x12in/13", 1885, "4.293", "12 x (1/2 + 13/80) x 0.54 (gun of 1871)"),
        ("4x12in", 1870, "4.68", "12 x (1/2 + 20/80) x 0.52 (gun of 1870)"),
        ("4x12in", 1850, "2.496", "12 x (1/2 + 12/80) x 0.32 (gun of 1860)"),
    ],
)
def test_the_worth_of_a_gun_follows_from_its_length_and_age(
    guns: str, launched: int, worth: str, working: str
) -> None:
    """Find new guns, a new gun in an old hull, an old one in a new hull, and guns of unknown length."""
    assert find_gun_worth(read_guns(guns, "")[0], launched) == (Fraction(worth), working)


def test_slow_guns_beyond_four_add_less_than_a_tenth(ships: Register) -> None:
    ship = find_ship(ships, "konig-wilhelm")
    value = rate_gunnery("gunnery.heavy", ship.heavy, ship)
    assert value.working.startswith("5/3 x 1.21 (11 bear at 0.3 rounds a minute) x 9.448819 x ")


@pytest.mark.parametrize(
    ("words", "keys"),
    [(("massena",), ("gunnery.heavy", "armor.heavy")), (("ohio", "usa"), ("gunnery.heavy", "armor.heavy"))],
)
def test_a_value_stated_by_one_game_counts_in_the_other(
    ships: Register, words: tuple[str, ...], keys: tuple[str, ...]
) -> None:
    full, small = (rate_card(ships, system, *words) for system in ("advanced-quickfire", "quickfire"))
    assert [full[key] for key in keys] == [small[key] for key in keys]
    clone = SYSTEMS["quickfire-clone"].rate(find_ship(ships, *words))
    assert any("attested (AQF-EX-" in value.working for value in clone)


def test_every_armor_value_follows_from_its_working(ships: Register) -> None:
    """Name the slope, the share of the guns and the plate in the working."""
    for one in ships.ships:
        for value in SYSTEMS["advanced-quickfire"].work_out(one):
            if value.key in ("armor.heavy", "armor.light") and "craft" not in value.working:
                assert compute(value.working) == value.value, (one.id, value.working)


def compute(working: str) -> int:
    """Compute a working after striking its words."""
    root = working.startswith("3.3 x root of ")
    text = working.removeprefix("3.3 x root of ").partition(",")[0].replace(" x ", "*")
    result = eval(re.sub(r"[A-Za-z]+(/[A-Za-z]+)?", "", text).strip(), {"__builtins__": {}})
    return int((3.3 * result**0.5 if root else result) + 0.5)


@pytest.mark.parametrize(
    ("rounds", "power"),
    [
        ("0.1", -3),
        ("0.3", -2),
        ("0.71", 0),
        ("0.7", -1),
        ("1", 0),
        ("1.41", 0),
        ("1.42", 1),
        ("42", 5),
        ("90.6", 7),
    ],
)
def test_a_logarithm_uses_the_nearest_power(rounds: str, power: int) -> None:
    assert round_log2(Fraction(rounds)) == power


def test_halves_are_rounded_up() -> None:
    assert round_to_step(Fraction(5, 2)) == 3
    assert round_to_step(Fraction("10.875"), Fraction(1, 4)) == 11


@pytest.mark.clause("GQ2-LOG-3")
@pytest.mark.parametrize(
    ("id", "code"),
    [
        ("polyphemus", "C"),
        ("nictheroy", "PC"),
        ("shinano-maru", "PC"),
        ("amur", "C"),
        ("gloucester", "C"),
        ("kowshing", "merchant"),
        ("svir", "merchant"),
    ],
)
def test_the_class_of_an_auxiliary_follows_from_guns_and_tonnage(ships: Register, id: str, code: str) -> None:
    assert rate_card(ships, "gq2", id)["class"] == code


@pytest.mark.clause("GQ2-LOG-3")
@pytest.mark.parametrize(
    ("tons", "guns", "code"),
    [(5000, "2x6in/40", "PC"), (4999, "2x6in/40", "C"), (9000, "2x4.7in/40", "C"), (5000, "2x8in/40", "PC")],
)
def test_an_auxiliary_is_a_larger_cruiser_by_both_her_tons_and_her_guns(
    ships: Register, tons: int, guns: str, code: str
) -> None:
    liner = evolve(find_ship(ships, "shinano-maru"), tons=tons, heavy=read_guns(guns, ""))
    assert collect_values(SYSTEMS["gq2"].rate(liner))["class"] == code
