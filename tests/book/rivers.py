"""The book of tables, with invented numbers: ironclads on a river."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.scenarios import find_scenario
from qf_tui.session import Session
from tests.systems import load_start

SCENARIO = find_scenario("river-bend-1863")
FILE = find_shipped_folder("rules") / "river-1863.rules.toml"
BOOK, START = load_start("river-bend-1863")
TO_FIRE, TO_RAM = ("next",), ("next", "next")


def play(orders: Iterable[str]) -> Session:
    """Begin the battle in memory and enter orders."""
    session = Session.begin(BOOK, START)
    for order in orders:
        session.enter(order)
    return session


def copy_book(folder: Path) -> Path:
    """Copy the book and its scenario to a folder; return the scenario."""
    shutil.copy(FILE, folder)
    return Path(shutil.copy(SCENARIO, folder))
