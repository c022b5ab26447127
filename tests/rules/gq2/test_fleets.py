"""The shipped fleets and scenarios.

Eight a side and more, and values that follow from the facts in the notes.
"""

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest

from qf_tui.core.measure import exact
from qf_tui.core.values import Ship
from qf_tui.library.check import check
from qf_tui.library.scenarios import find_scenario, load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.rules.gq2.lights import light
from qf_tui.rules.gq2.ship import batteries

SCENARIOS = {"gq2-dogger-bank-1915": "day", "gq2-fourth-flotilla-1916": "night"}
GUNS = re.compile(r"(\d+)x([\d.]+)in \((\d+) bear\)")


def ships() -> dict[str, Ship]:
    """Every ship of both fleets."""
    found: dict[str, Ship] = {}
    for name in SCENARIOS:
        battle = load_scenario(name, find_systems())[1]
        found |= {**battle.reserve, **battle.ships}
    return found


SHIPS = ships()


def half(value: Fraction) -> Fraction:
    """To the nearest half, halves up, a half at least."""
    return max(Fraction(1, 2), Fraction(math.floor(2 * value + Fraction(1, 2)), 2))


@pytest.mark.parametrize(("name", "told"), SCENARIOS.items())
def test_eight_ships_and_more_are_on_either_side(name: str, told: str) -> None:
    system, battle = load_scenario(name, find_systems())
    assert system.name == "gq2"
    assert light(battle) == told
    for side in battle.sides:
        assert sum(ship.side == side.id for ship in battle.ships.values()) >= 8
        assert len(side.divisions) > 1
    assert all(ship.card["values"] == "estimated" for ship in battle.ships.values())


@pytest.mark.parametrize("id", SHIPS)
def test_the_values_follow_from_the_facts_by_the_method_of_the_file(id: str) -> None:
    """Catches a value that nobody can work out again."""
    ship = SHIPS[id]
    notes = str(ship.card["notes"])
    tons, knots = re.match(r"([\d,]+) t, ([\d.]+) kt", notes).groups()  # type: ignore[union-attr]
    belt = re.search(r"belt ([\d.]+)in", notes)
    armor = Fraction(belt[1]) if belt else Fraction(3, 2) * ("; deck;" in notes)
    assert exact(ship.card["df"]) == half(Fraction(tons.replace(",", "")) / 8000 + Fraction(2, 3) * armor)
    flank = half(Fraction(knots) / 2)
    parts = (Fraction(1), Fraction(5, 6), Fraction(2, 3), Fraction(1, 2), Fraction(1, 4))
    assert [exact(ship.card[f"hull.{box}"]) for box in range(1, 6)] == [half(flank * part) for part in parts]
    guns = [(int(count), Fraction(inches), int(bear)) for count, inches, bear in GUNS.findall(notes)]
    assert [(each.calibre, each.af) for each in batteries(ship)] == [
        (inches, half(bear * (inches / 10) ** 2 * (Fraction(3, 2) if inches < 7 else 1)))
        for _, inches, bear in guns
    ]
    turrets = re.search(r"in (\d) turrets", notes)
    light_guns = sum(math.ceil(count / 4) for count, inches, _ in guns if 4 <= inches < 8)
    assert ship.card["armament"] == max(1, min(8, (int(turrets[1]) if turrets else 0) + light_guns))
    tubes, size = re.search(r"(\d+) TT ([\d.]+)in", notes).groups()  # type: ignore[union-attr]
    assert ship.card["torpedoes.count"] == int(tubes)
    assert ship.card["torpedoes.kind"] == ("light" if Fraction(size) <= 18 else "standard")


SHIP = (
    'ruleset = "gq2"\n[[ship]]\nid = "ajax"\nname = "Ajax"\ndf = 4\nclass = "{code}"\nnation = "{nation}"\n'
    'hull = [12, 10, 8, 6, 3]\narmament = 3\n[[ship.battery]]\nname = "main"\ncalibre = 6\naf = {af}\n'
)


def written(folder: Path, code: str = "C", nation: str = "British", af: str = "4") -> Path:
    path = folder / "own.toml"
    path.write_text(SHIP.format(code=code, nation=nation, af=af), encoding="utf-8")
    return path


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize(
    ("af", "told"),
    [
        ("4", ""),
        ("[4, 3, 1.5]", ""),
        ("[4, 3]", "battery.1.af: expected one AF for each of 3 armament boxes, found 2"),
        ("[4, 3, 2, 1]", "found 4"),
        ("[]", "or a list of them"),
        ('[4, "3", 1]', "battery 1 (main), af.2: expected a number"),
        ('"4"', "expected a number"),
    ],
)
def test_a_sheet_lists_the_af_for_each_number_of_boxes_or_states_one(
    tmp_path: Path, af: str, told: str
) -> None:
    """Catches a list that is too short, and a wrong number in it."""
    faults = check(written(tmp_path, af=af), find_systems()).faults
    assert told in " ".join(map(str, faults))
    assert bool(faults) is bool(told)


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize(
    ("code", "nation", "told"),
    [
        ("B", "British", ()),
        ("tbd", "Imperial Japanese Navy", ()),
        ("merchant", "Russia", ()),
        ("destroyer", "French", ("the class “destroyer”", "the nearest known one is DD")),
        ("Torpedo Boat", "Italian", ("the nearest known one is TB",)),
        ("DDD", "k.u.k. Kriegsmarine", ("the nearest known one is DD",)),
        ("XYZ", "Austria-Hungary", ("known are B, CA, DD, TBD, TB, merchant, submarine",)),
        ("BC", "Kaiserliche Marine", ("the navy “Kaiserliche Marine”", "the nearest known one is German")),
        ("BC", "Gremany", ("the nearest known one is German",)),
        ("BC", "Chilean", ("it counts as any other; known are Austro-Hungarian, British",)),
    ],
)
def test_check_names_a_class_and_a_navy_that_no_clause_knows(
    tmp_path: Path, code: str, nation: str, told: tuple[str, ...]
) -> None:
    """Catches a destroyer that is refused her three inches for a word, and a fleet that is refused for it."""
    checked = check(written(tmp_path, code, nation), find_systems())
    assert not checked.faults
    assert len(checked.warnings) == bool(told)
    assert all(text in checked.warnings[0] for text in told)


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_shipped_fleets_use_known_words(name: str) -> None:
    found = check(find_scenario(name), find_systems())
    assert (found.kind, found.faults, found.warnings) == ("scenario", (), ())
