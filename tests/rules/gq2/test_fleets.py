"""The shipped fleets and scenarios.

Eight a side and more, and values that follow from the facts.
"""

from pathlib import Path

import pytest

from qf_tui.core.text import exact
from qf_tui.core.values import Ship
from qf_tui.library.check import check
from qf_tui.library.scenarios import find_scenario
from qf_tui.library.systems import find_systems
from qf_tui.rules.gq2.rating import CLASSES
from qf_tui.rules.gq2.ship import batteries
from qf_tui.rules.gq2.targets import light
from qf_tui.rules.gq2.torpedo import DOUBLED
from tests.rules.gq2.tables import battle, of_class, played, ship, words
from tests.systems import started

SCENARIOS = {"gq2-dogger-bank-1915": "day", "gq2-fourth-flotilla-1916": "night"}


def ships() -> dict[str, Ship]:
    """Every ship of both fleets."""
    found: dict[str, Ship] = {}
    for name in SCENARIOS:
        battle = started(name)[1]
        found |= {**battle.reserve, **battle.ships}
    return found


SHIPS = ships()


@pytest.mark.parametrize(("name", "told"), SCENARIOS.items())
def test_eight_ships_and_more_are_on_either_side(name: str, told: str) -> None:
    system, battle = started(name)
    assert system.name == "gq2"
    assert light(battle) == told
    for side in battle.sides:
        assert sum(ship.side == side.id for ship in battle.ships.values()) >= 8
        assert len(side.divisions) > 1
    assert all(ship.card["values"] == "estimated" for ship in battle.ships.values())


FIGURES: dict[str, tuple[str, float, list[float], int, list[tuple[float, float]], tuple[str, int]]] = {
    "lion": ("BC", 9.5, [13.5, 11.5, 9, 7, 3.5], 8, [(13.5, 14.5), (4, 2)], ("standard", 2)),
    "tiger": ("BC", 9.5, [14, 11.5, 9.5, 7, 3.5], 7, [(13.5, 14.5), (6, 3)], ("standard", 4)),
    "new-zealand": ("BC", 6.5, [12.5, 10.5, 8.5, 6.5, 3], 8, [(12, 8.5), (4, 2)], ("light", 2)),
    "southampton": ("CL", 2, [13, 11, 8.5, 6.5, 3.5], 2, [(6, 2.5)], ("standard", 2)),
    "tipperary": ("TBD", 0.5, [15.5, 13, 10.5, 8, 4], 2, [(4, 1)], ("standard", 4)),
    "bluecher": ("CA", 6.5, [12.5, 10.5, 8.5, 6.5, 3], 8, [(8.2, 5.5), (5.9, 2)], ("light", 4)),
    "kolberg": ("CL", 1.5, [13, 11, 8.5, 6.5, 3.5], 3, [(4.1, 2)], ("light", 2)),
    "westfalen": ("BB", 10, [10, 8.5, 6.5, 5, 2.5], 8, [(11, 9.5), (5.9, 3), (3.5, 1.5)], ("light", 6)),
}
"""Worked by hand: class, DF, speeds, armament boxes, calibre and AF of each battery, torpedoes."""


@pytest.mark.parametrize("id", FIGURES)
def test_the_values_follow_from_the_facts(id: str) -> None:
    """Catches a value that nobody can work out again."""
    card = SHIPS[id].card
    code, df, hull, boxes, guns, torpedoes = FIGURES[id]
    assert (card["class"], card["df"], card["armament"]) == (code, df, boxes)
    assert [card[f"hull.{box}"] for box in range(1, 6)] == hull
    assert [(each.calibre, each.af) for each in batteries(SHIPS[id])] == [
        (exact(inches), exact(af)) for inches, af in guns
    ]
    assert (card["torpedoes.kind"], card["torpedoes.count"]) == torpedoes


def test_flash_protection_is_fitted_to_german_capital_ships_after_dogger_bank() -> None:
    fitted = {id for id, ship in SHIPS.items() if ship.card["flash_protection"]}
    assert fitted == {"westfalen", "nassau", "rheinland", "posen"}


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
        ("[]", "or up to 99 in a list"),
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


@pytest.mark.clause("GQ2-LOG-3")
@pytest.mark.parametrize("code", ["PB", "predreadnought", "Pre-Dreadnought"])
def test_a_predreadnought_is_read_as_b(tmp_path: Path, code: str) -> None:
    """Catches the advice of a check that names a code of which no clause speaks."""
    assert not check(written(tmp_path, code, "British"), find_systems()).warnings
    session = played(battle(ship("ajax"), ship("rook", "red", **of_class(code)), phase="movement"))
    assert "doubled" in words(session, "mine rook 6")
    (told,) = check(written(tmp_path, "predreadnougt", "British"), find_systems()).warnings
    assert "the nearest known one is B" in told


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_shipped_fleets_use_known_words(name: str) -> None:
    found = check(find_scenario(name), find_systems())
    assert (found.kind, found.faults, found.warnings) == ("scenario", (), ())


@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(
    ("kind", "double"), [("battleship", True), ("armored-cruiser", True), ("dreadnought", False)]
)
def test_a_card_worked_out_has_the_code_by_which_a_torpedo_damages_double(kind: str, double: bool) -> None:
    """Catches a pre-dreadnought with a code that no clause names."""
    assert (CLASSES[kind] in DOUBLED) is double
