"""The made-up book of these tests; it is in this folder with its fleet and a scenario."""

import shutil
from pathlib import Path

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, replace
from qf_tui.library.books import load_book
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import Systems
from qf_tui.session import Session

HERE = Path(__file__).parent
FILE, SCENARIO = HERE / "convoy.rules.toml", HERE / "strait.toml"


def load_convoys() -> RuleSystem:
    """Load the book as a rule system."""
    return load_book(FILE)


def load_battle() -> Battle:
    """Load the battle before its first order."""
    return load_scenario(SCENARIO, Systems())[1]


def begin(*orders: str) -> Session:
    """Begin the battle in memory, in its gunnery phase, and enter orders."""
    session = Session.begin(load_convoys(), load_battle())
    for order in ("next", *orders):
        session.enter(order)
    return session


def copy_book(folder: Path) -> Path:
    """Copy the book, its fleet and its scenario to a folder; return the scenario."""
    for path in (FILE, HERE / "escorts.toml", SCENARIO):
        shutil.copy(path, folder)
    return folder / SCENARIO.name


def rename_ships(battle: Battle, **names: str) -> Battle:
    """Give some ships of a battle other names."""
    ships = {id: replace(ship, name=names.get(id, ship.name)) for id, ship in battle.ships.items()}
    made = replace(battle, ships=ships)
    return made if battle.began is None else replace(made, began=made)
