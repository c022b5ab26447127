"""The book of tables, whose every number is invented: ironclads on a river."""

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
    """The battle in memory, with orders entered."""
    session = Session.begin(BOOK, START)
    for order in orders:
        session.enter(order)
    return session


def copy_book(folder: Path) -> Path:
    """The book and its scenario in another folder; gives the scenario."""
    shutil.copy(FILE, folder)
    return Path(shutil.copy(SCENARIO, folder))
