"""The made-up book of these tests, which lies here with its fleet and a scenario."""

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
    """The book as a rule system."""
    return load_book(FILE)


def load_battle() -> Battle:
    """The battle before its first order."""
    return load_scenario(SCENARIO, Systems())[1]


def begin(*orders: str) -> Session:
    """The battle in memory, in its gunnery phase, with orders entered."""
    session = Session.begin(load_convoys(), load_battle())
    for order in ("next", *orders):
        session.enter(order)
    return session


def copy_book(folder: Path) -> Path:
    """The book, its fleet and its scenario in another folder; gives the scenario."""
    for path in (FILE, HERE / "escorts.toml", SCENARIO):
        shutil.copy(path, folder)
    return folder / SCENARIO.name


def rename_ships(battle: Battle, **names: str) -> Battle:
    """A battle with other names for some ships."""
    ships = {id: replace(ship, name=names.get(id, ship.name)) for id, ship in battle.ships.items()}
    made = replace(battle, ships=ships)
    return made if battle.began is None else replace(made, began=made)
