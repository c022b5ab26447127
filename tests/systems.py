"""The rule systems of the program, whichever others are installed."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from attrs import evolve

from qf_tui.core.crews import CREW_KEYS
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, LogAct
from qf_tui.core.values import Battle
from qf_tui.library.books import KIND, SUFFIX
from qf_tui.library.declared import DIVISION_FIELDS, SIDE_FIELDS
from qf_tui.library.paths import find_shipped_folder, list_files, read_toml
from qf_tui.library.scenarios import find_scenario, load_scenario
from qf_tui.library.systems import find_systems

OURS = ("advanced-quickfire", "gq2", "quickfire", "quickfire-clone")
BOOKS = tuple(path.name.removesuffix(SUFFIX) for path in list_files(find_shipped_folder(KIND), SUFFIX))
"""The books of the program, by the name that files use."""


def find_our_systems() -> Mapping[str, RuleSystem]:
    """Find the four rule systems of the program, by the name that files use."""
    systems = find_systems()
    return {name: systems[name] for name in OURS}


def find_systems_and_books() -> Mapping[str, RuleSystem]:
    """Find the program's four systems and its books, as for a shipped scenario."""
    systems = find_systems()
    return {name: systems[name] for name in (*OURS, *BOOKS)}


def is_read_by_hand(scenario: str) -> bool:
    """Return whether the book of a scenario has charts that only the umpire reads."""
    return find_systems_and_books()[read_toml(find_scenario(scenario))["ruleset"]].read_by_hand


BENCHES = (
    *("examples-d6", "gq2-dogger-bank-1915", "gq2-fourth-flotilla-1916", "port-arthur-1904-evening"),
    *("rulebook-examples", "yellow-sea-1904"),
)
"""Scenarios tried with thousands of keys and orders; `tests.battles` plays the others."""
EVERYBODYS = "yellow-sea-1904"
"""A scenario that all of them can play."""


def drop_nonces(log: Iterable[LogAct]) -> list[LogAct]:
    """Drop the random bits of phase ends, which differ in every battle."""
    return [evolve(act, extra={}) if isinstance(act, Entry) else act for act in log]


@cache
def load_start(scenario: str, rules: str = "") -> tuple[RuleSystem, Battle]:
    """Load the start of a shipped scenario, under its own rules or others."""
    return load_scenario(scenario, find_systems_and_books(), rules)


def write_without_crews(scenario: str, folder: Path) -> Path:
    """Write a shipped scenario into a folder without stated crews and values for `simulate`."""
    ours = find_scenario(scenario)
    lines = ours.read_text(encoding="utf-8").splitlines(keepends=True)
    path = folder / ours.name
    keys = (*CREW_KEYS, *(field.name for field in (*SIDE_FIELDS, *DIVISION_FIELDS)))
    path.write_text("".join(line for line in lines if not line.startswith(keys)), encoding="utf-8")
    return path


@cache
def load_our_battles() -> Mapping[str, tuple[RuleSystem, Battle]]:
    """Load the benches under their own rules; EVERYBODYS under the systems that have no bench."""
    battles = {name: load_start(name) for name in BENCHES}
    missing = [name for name in OURS if name not in {system.name for system, _ in battles.values()}]
    return battles | {f"{EVERYBODYS} {name}": load_start(EVERYBODYS, name) for name in missing}
