"""The book of tables, whose every number is invented: ironclads on a river."""

from collections.abc import Iterable
from pathlib import Path

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.library.books import load_book
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import Systems
from qf_tui.session import Session

HERE = Path(__file__).parent
FILE, SCENARIO = HERE / "river-1863.rules.toml", HERE / "river-bend-1863.toml"
TO_FIRE, TO_RAM = ("next",), ("next", "next")


def book() -> RuleSystem:
    """The book as a rule system."""
    return load_book(FILE)


def start() -> Battle:
    """The battle before its first order."""
    return load_scenario(SCENARIO, Systems())[1]


def played(orders: Iterable[str]) -> Session:
    """The battle in memory, with orders entered."""
    session = Session.begin(book(), start())
    for order in orders:
        session.enter(order)
    return session
