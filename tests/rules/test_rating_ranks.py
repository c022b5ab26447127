"""The rank of ships by their guns, as books have it: old guns below new ones, cruisers below battleships.

Heavy worth is heavy ROF x heavy gunnery. The year of a ship is the year of her launch.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from statistics import median

import pytest

from qf_tui.core.ship_facts import ShipFacts, collect_values
from qf_tui.core.text import to_fraction
from qf_tui.library.navies import load_register
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
QUICKFIRES = ("advanced-quickfire", "quickfire", "quickfire-clone")
BATTLESHIPS = ("battleship", "ironclad")


@cache
def find_worth(system: str, ship: ShipFacts) -> Fraction:
    """Find a ship's heavy worth; in General Quarters 2 the attack factors of her guns from 7.5 inches."""
    card = collect_values(SYSTEMS[system].rate(ship))
    if system != "gq2":
        return to_fraction(card["rof.heavy"]) * to_fraction(card["gunnery.heavy"])
    keys = [key.removesuffix(".af") for key in card if key.endswith(".af")]
    heavy = [key for key in keys if to_fraction(card[f"{key}.calibre"]) >= Fraction(15, 2)]
    return sum((to_fraction(card[f"{key}.af"]) for key in heavy), Fraction(0))


@cache
def list_first_rows() -> tuple[ShipFacts, ...]:
    """List the first row of each hull."""
    return tuple({ship.hull_name: ship for ship in reversed(tuple(load_register().ships))}.values())


def find_row(name: str) -> ShipFacts:
    """Find the row of `navy/id`, or of `navy/id year` after a refit."""
    name, _, year = name.partition(" ")
    rows = [ship for ship in load_register().ships if ship.row_name == name]
    return next(ship for ship in rows if not year or ship.since == int(year))


def list_ships(right: Callable[[ShipFacts], bool]) -> list[ShipFacts]:
    return [ship for ship in list_first_rows() if right(ship)]


JANE = (
    "Jane, The Imperial Japanese Navy (1904), table of guns: 12in Elswick of 40 calibers, 2,423 foot seconds"
)
EARDLEY_WILMOT = (
    "Eardley-Wilmot, The Development of Navies (1892), table of Woolwich guns in the chapter Ordnance"
)
BRAMWELL = "Bramwell, Our Big Guns (1886)"
FLETCHER = "Fletcher, Warships and their Story (1911)"
YEAR_BOOK = "Statesman's Year-Book 1899, American edition"


@pytest.mark.parametrize("system", QUICKFIRES)
@pytest.mark.parametrize(
    ("better", "worse", "source"),
    [
        (
            "britain/majestic",
            "britain/royal-sovereign",
            "NavWeaps, 12in/35 Mark VIII: better ballistics make up for the smaller caliber than 13.5in/30",
        ),
        (
            "britain/formidable",
            "britain/majestic",
            f"{FLETCHER}: ten rounds of each 12in in ten minutes, against six of the Majestic",
        ),
        ("britain/duncan", "britain/majestic", f"{FLETCHER}: ten rounds in ten minutes, against six"),
        (
            "britain/royal-sovereign",
            "britain/centurion",
            f"{YEAR_BOOK}: the heavy armament of the Centurions is less powerful",
        ),
        ("britain/majestic", "britain/renown", f"{YEAR_BOOK}: Renown has four 10in, as the Centurions"),
        (
            "britain/colossus",
            "britain/agamemnon",
            f"{BRAMWELL}: the 12in breech loader has 1,900 foot seconds, the 38-ton muzzle loader 1,410",
        ),
        (
            "britain/inflexible",
            "britain/sultan",
            f"{EARDLEY_WILMOT}: the 80-ton gun pierces 23in of iron at 1,000 yards, the 18-ton gun 12in",
        ),
        (
            "britain/dreadnought",
            "britain/temeraire",
            f"{EARDLEY_WILMOT}: the 12.5in of 38 tons pierces 17in of iron, the 11in of 25 tons 13in",
        ),
        ("japan/fuji", "japan/chin-yen", f"{JANE}, against 1,755 of Krupp's 12in of 20"),
        ("japan/mikasa", "japan/chin-yen", f"{JANE}, against 1,755 of Krupp's 12in of 20"),
        (
            "japan/fuji",
            "germany/brandenburg",
            "german-navy.de, Brandenburg class: 28 cm guns loaded only end on, with a slow firing rate",
        ),
        (
            "italy/enrico-dandolo",
            "italy/duilio",
            f"{YEAR_BOOK}: 10in breech loaders in place of the four 100-ton muzzle loaders",
        ),
        (
            "russia/tri-sviatitelia",
            "russia/navarin",
            "navalgazing.net, Russian Battleships Part 2: a derivative of Navarin with the new 12in/40",
        ),
    ],
)
def test_a_ship_with_better_guns_ranks_higher(system: str, better: str, worse: str, source: str) -> None:
    above, below = (find_worth(system, find_row(name)) for name in (better, worse))
    # The other games round the same values to fewer steps, which may move near ships by a tenth.
    assert above > below if system == "advanced-quickfire" else above * 10 > below * 9, source


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_ironclad_of_the_sixties_ranks_as_high_as_majestic(system: str) -> None:
    least = find_worth(system, find_row("britain/majestic"))
    old = list_ships(lambda ship: ship.kind in (*BATTLESHIPS, "monitor") and ship.launched < 1870)
    assert len(old) > 30
    assert [ship.row_name for ship in old if find_worth(system, ship) >= least] == []


@pytest.mark.parametrize("system", QUICKFIRES)
def test_no_gun_of_up_to_20_calibers_ranks_as_high_as_royal_sovereign(system: str) -> None:
    least = find_worth(system, find_row("britain/royal-sovereign"))
    old = list_ships(
        lambda ship: any(guns.length and guns.length <= 20 and guns.caliber_in > 8 for guns in ship.heavy)
    )
    assert len(old) > 50
    assert [ship.row_name for ship in old if find_worth(system, ship) >= least] == []


@pytest.mark.parametrize("system", QUICKFIRES)
def test_no_ship_launched_until_1902_ranks_above_mikasa(system: str) -> None:
    most = find_worth(system, find_row("japan/mikasa"))
    older = list_ships(lambda ship: ship.launched <= 1902)
    assert [ship.row_name for ship in older if find_worth(system, ship) > most] == []


@pytest.mark.parametrize("system", QUICKFIRES)
def test_no_cruiser_ranks_above_the_battleships_of_her_year(system: str) -> None:
    """Compare with the middle one of the battleships launched in the same year, the one before or after."""
    battleships = list_ships(lambda ship: ship.kind in BATTLESHIPS)
    above = []
    for ship in list_ships(lambda ship: "cruiser" in ship.kind and 1875 <= ship.launched <= 1906):
        near = [one for one in battleships if abs(one.launched - ship.launched) <= 1]
        if find_worth(system, ship) > median(find_worth(system, one) for one in near):
            above.append(ship.row_name)
    assert above == []
