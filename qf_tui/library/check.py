"""Any file that people write, recognised by what it holds, with all that is wrong with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from qf_tui.core.ship_facts import contradictions as contradictions_of
from qf_tui.core.system import RuleSystem
from qf_tui.library.charts import contradictions, read_charts, shipped_charts
from qf_tui.library.checking import Checker
from qf_tui.library.declared import FOR, named_system, of_no_system
from qf_tui.library.fault_words import not_installed
from qf_tui.library.faults import Fault, Faults, FileFaults, shown
from qf_tui.library.fleets import read_fleet
from qf_tui.library.paths import begins_as_save
from qf_tui.library.plans import SCHEDULE, check_tables
from qf_tui.library.reading import parse_toml, read_bytes
from qf_tui.library.scenarios import read_scenario
from qf_tui.library.ships.navies import BY_HAND, SUFFIX
from qf_tui.library.ships.ship_csv import read_ships
from qf_tui.library.ships.values import hand_faults
from qf_tui.library.systems import usable
from qf_tui.library.worth_file import read_weights

FLEET, SCENARIO, CHART, SAVE, NAVY = "fleet", "scenario", "chart", "save", "navy"
WEIGHTS = "table of weights"
_BY_KEY = {"side": SCENARIO, "ship": FLEET, "navy": FLEET, "table": CHART}


@frozen
class Checked:
    """What a file is ("" if unknown), and what is wrong with it and with the files that it names.

    A save is only recognised: the journal looks into it.
    """

    kind: str
    files: tuple[FileFaults, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of all files, in order."""
        return tuple(fault for file in self.files for fault in file.faults)


def check(path: Path, systems: Mapping[str, RuleSystem]) -> Checked:
    """Checks a fleet, a scenario, a chart, a navy or weights; raises nothing for what is wrong with it."""
    # A save may be larger than the files that people write.
    if begins_as_save(path):
        return Checked(SAVE)
    if path.suffix.lower() == SUFFIX:
        return _check_navy(path, systems)
    try:
        data = parse_toml(read_bytes(path), path)
    except Faults as faults:
        return Checked("", faults.files)
    kind = next((kind for key, kind in _BY_KEY.items() if key in data), "")
    if not kind and any(name in systems for name in data):
        _, wrong = read_weights(data, systems, usable(systems).values())
        return Checked(WEIGHTS, (FileFaults(path, wrong),) if wrong else ())
    if not kind:
        known = "a fleet ([[ship]]), a scenario ([[side]]), a chart ([[table]])"
        text = f"neither {known}, weights ([RULESET]) nor a save"
        return Checked("", (FileFaults(path, (Fault("", text),)),))
    if kind == SCENARIO:
        return _check_scenario(data, path, systems)
    if kind == FLEET and of_no_system(data):
        return _check_facts(data, path, systems)
    return _check_alone(kind, path, data, systems)


def _check_navy(path: Path, systems: Mapping[str, RuleSystem]) -> Checked:
    try:
        ships = read_ships(read_bytes(path), path)
    except Faults as faults:
        return Checked(NAVY, faults.files)
    odd = tuple(f"{ship.name}: {text}" for ship in ships for text in contradictions_of(ship))
    hand = [(ship, text) for ship in ships for text in hand_faults(ship.by_hand, systems)]
    wrong = [Fault(f"{ship.id}, {BY_HAND.heading}", text) for ship, text in hand]
    return Checked(NAVY, (FileFaults(path, wrong),) if wrong else (), odd)


def _check_scenario(data: Mapping[str, Any], path: Path, systems: Mapping[str, RuleSystem]) -> Checked:
    """A scenario as it begins by its own rules, and by each other system that it says something for."""
    said = data.get(FOR)
    others = [name for name in said if name in systems] if isinstance(said, Mapping) else []
    readings = [read_scenario(data, path, systems, rules=name) for name in ("", *others)]
    faults: dict[str, dict[Fault, None]] = {}
    for reading in readings:
        for file, found in reading.faults.items():
            faults.setdefault(file, {}).update(dict.fromkeys(found))
    warnings = dict.fromkeys(text for reading in readings for text in reading.warnings)
    checker = Checker()
    strange = check_tables(data, usable(systems).values(), checker) if SCHEDULE in data else ()
    if checker.faults:
        faults.setdefault(str(path), {}).update(dict.fromkeys(checker.faults))
    files = tuple(FileFaults(file, found) for file, found in faults.items())
    return Checked(SCENARIO, files, (*warnings, *strange))


def _check_facts(data: Mapping[str, Any], path: Path, systems: Mapping[str, RuleSystem]) -> Checked:
    """A fleet of no rule system, as each of them reads it."""
    found: dict[Fault, None] = {}
    for system in (one for one in usable(systems).values() if one.rates):
        checker = Checker()
        read_fleet(data, path.stem, system, checker)
        found.update(dict.fromkeys(checker.faults))
    ships = data["ship"] if isinstance(data.get("ship"), list) else []
    said = (one.get(FOR) for one in ships if isinstance(one, Mapping))
    strange = dict.fromkeys(
        name for one in said if isinstance(one, Mapping) for name in one if name not in systems
    )
    warnings = tuple(f"{FOR}.{shown(name)}: {not_installed(name, systems)}" for name in strange)
    return Checked(FLEET, (FileFaults(path, found),) if found else (), warnings)


def _check_alone(
    kind: str, path: Path, data: Mapping[str, Any], systems: Mapping[str, RuleSystem]
) -> Checked:
    checker = Checker()
    warnings: tuple[str, ...] = ()
    system = named_system(data, systems, checker)
    if system is not None and kind == FLEET:
        warnings = read_fleet(data, path.stem, system, checker).warnings
    elif system is not None:
        overlay = read_charts(data, system, checker, path.stem)
        try:
            warnings = contradictions(shipped_charts(system), overlay, system.chart_shapes)
        except Faults as faults:
            return Checked(kind, faults.files)
    files = (FileFaults(path, checker.faults),) if checker.faults else ()
    return Checked(kind, files, warnings)
