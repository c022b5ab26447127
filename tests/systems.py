"""The rule systems that come with the program, whatever else is installed beside them."""

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
"""The books that come with the program, by the name that files use."""


def find_our_systems() -> Mapping[str, RuleSystem]:
    """Our four, by the name that files use."""
    systems = find_systems()
    return {name: systems[name] for name in OURS}


def find_systems_and_books() -> Mapping[str, RuleSystem]:
    """Our four and our books, as the program finds them for a scenario of ours."""
    systems = find_systems()
    return {name: systems[name] for name in (*OURS, *BOOKS)}


def is_read_by_hand(scenario: str) -> bool:
    """Whether a scenario of ours is played by a book whose charts only the umpire reads."""
    return find_systems_and_books()[read_toml(find_scenario(scenario))["ruleset"]].read_by_hand


BENCHES = (
    *("examples-d6", "gq2-dogger-bank-1915", "gq2-fourth-flotilla-1916", "port-arthur-1904-evening"),
    *("rulebook-examples", "yellow-sea-1904"),
)
"""Scenarios for what is tried with thousands of keys and orders; `tests.battles` plays the others."""
EVERYBODYS = "yellow-sea-1904"
"""A scenario that can be played by all of them."""


def drop_nonces(log: Iterable[LogAct]) -> list[LogAct]:
    """The acts of a log without the random bits of phase ends, by which no two battles are the same."""
    return [evolve(act, extra={}) if isinstance(act, Entry) else act for act in log]


@cache
def load_start(scenario: str, rules: str = "") -> tuple[RuleSystem, Battle]:
    """A scenario of ours as it begins, by its own rules or others; read once for all that begin it."""
    return load_scenario(scenario, find_systems_and_books(), rules)


def write_without_crews(scenario: str, folder: Path) -> Path:
    """The file of a scenario of ours with all crews as built and nothing for `simulate`, in a folder."""
    ours = find_scenario(scenario)
    lines = ours.read_text(encoding="utf-8").splitlines(keepends=True)
    path = folder / ours.name
    keys = (*CREW_KEYS, *(field.name for field in (*SIDE_FIELDS, *DIVISION_FIELDS)))
    path.write_text("".join(line for line in lines if not line.startswith(keys)), encoding="utf-8")
    return path


@cache
def load_our_battles() -> Mapping[str, tuple[RuleSystem, Battle]]:
    """The benches by their own rules, and one of them by the rules that have none of their own."""
    battles = {name: load_start(name) for name in BENCHES}
    missing = [name for name in OURS if name not in {system.name for system, _ in battles.values()}]
    return battles | {f"{EVERYBODYS} {name}": load_start(EVERYBODYS, name) for name in missing}
