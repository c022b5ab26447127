"""Scenario files: the start of a battle, with its sides, their fleets, its switches and its charts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from attrs import field, frozen

from qf_tui.core.charts import Charts
from qf_tui.core.declarations import usual_scale
from qf_tui.core.effects import with_overlay
from qf_tui.core.measure import Scalar
from qf_tui.core.system import RuleSystem, Scale
from qf_tui.core.values import Battle, replace
from qf_tui.library.charts import contradictions, load_overlay, shipped_charts
from qf_tui.library.checking import Checker, FilePlace, Read, flat
from qf_tui.library.declared import START, named_system, option_fields, scenario_fields
from qf_tui.library.faults import Fault, Faults, FileFaults, refuse
from qf_tui.library.paths import find, find_typed, missing
from qf_tui.library.reading import read_toml
from qf_tui.library.sides import Sides


@frozen
class ScenarioRead:
    """A scenario as far as it can be read: no battle where there are faults; they go by file."""

    system: RuleSystem | None
    battle: Battle | None
    faults: Mapping[str, tuple[Fault, ...]] = field(factory=dict)
    warnings: tuple[str, ...] = ()


def load_scenario(wanted: str | Path, systems: Mapping[str, RuleSystem]) -> tuple[RuleSystem, Battle]:
    """The rule system of a scenario, by path or name, and its battle before the first order.

    Faults lists all that is wrong with it and with the files that it names; QfError if there is no such file.
    """
    path = find_scenario(wanted)
    return battle_of(read_scenario(read_toml(path), path, systems))


def battle_of(reading: ScenarioRead) -> tuple[RuleSystem, Battle]:
    """The rule system and the battle of a scenario that was read; Faults if it is not sound."""
    refuse(reading.faults)
    assert reading.system is not None
    assert reading.battle is not None
    return reading.system, reading.battle


def find_scenario(wanted: str | Path) -> Path:
    """The file of a scenario: a path, or a name on the shelf as people type it; QfError if there is none."""
    return wanted if isinstance(wanted, Path) else find_typed("scenarios", wanted)


def read_scenario(
    data: Mapping[str, Any],
    path: Path,
    systems: Mapping[str, RuleSystem],
    unwritten: Mapping[str, Mapping[str, Any]] | None = None,
) -> ScenarioRead:
    """A scenario's plain data, with the files that it names beside `path`.

    `unwritten` are fleets that are to be files, by the names that the scenario has for them.
    """
    checker = Checker()
    system = named_system(data, systems, checker)
    if system is None:
        return ScenarioRead(None, None, {str(path): tuple(checker.faults)})
    read = checker.table(data, scenario_fields(system), FilePlace())
    scale = _scale(read, system, checker)
    options = _options(read, system)
    others: list[FileFaults] = []
    charts, warnings = _charts(read, path, system, checker, others)
    sides = Sides(system, path.parent, checker, others, unwritten or {})
    sides.read(cast(list[Read], read.get("side", [])))
    warnings += sides.warnings
    sides.read_start(cast(Mapping[str, Read] | None, read.get(START)) or {})
    faults = {str(path): tuple(checker.faults)} if checker.faults else {}
    for file in others:
        faults[file.file] = faults.get(file.file, ()) + file.faults
    if faults or scale is None:
        return ScenarioRead(system, None, faults, warnings)
    ships, reserve = sides.muster(scale, options)
    table = _table(read, scale, system, path) | sides.table
    battle = Battle(1, system.phases[0].name, sides.sides, ships, table, options, charts, reserve)
    if system.phases[0].slashes:
        battle = replace(battle, began=battle)
    return ScenarioRead(system, battle, {}, warnings)


def _table(read: Read, scale: Scale, system: RuleSystem, path: Path) -> dict[str, Scalar]:
    return {
        "title": str(read["title"] or path.stem),
        "scale": scale.name,
        "units": scale.units,
        "dice": str(read["dice"]),
        "notes": str(read["notes"]),
        **flat(system.conditions, read),
    }


def _options(read: Read, system: RuleSystem) -> dict[str, Scalar]:
    given = cast(Read | None, read.get("options")) or {}
    defaults: dict[str, Scalar] = {switch.name: switch.default for switch in system.options}
    return defaults | flat([switch for switch in option_fields(system) if switch.name in given], given)


def _scale(read: Read, system: RuleSystem, checker: Checker) -> Scale | None:
    """The scale that is named, or the default as far as it is not."""
    if "scale" not in read or "units" not in read:
        return None
    name, units = read["scale"], read["units"]
    fitting = [
        scale for scale in system.scales if name in (None, scale.name) and units in (None, scale.units)
    ]
    if not fitting:
        known = ", ".join(f"{scale.name} {scale.units}" for scale in system.scales)
        checker.fault(FilePlace().key("units"), f"no scale {name} in {units}; expected one of {known}")
        return None
    return usual_scale(fitting)


def _charts(
    read: Read, path: Path, system: RuleSystem, checker: Checker, others: list[FileFaults]
) -> tuple[Charts, tuple[str, ...]]:
    """Our charts with the scenario's overlay, and what it contradicts."""
    base: Charts = {}
    try:
        base = shipped_charts(system)
        name = read.get("charts")
        if not name:
            return base, ()
        file = find("charts", str(name), path.parent)
        if file is None:
            checker.fault(FilePlace().key("charts"), missing("charts", str(name)))
            return base, ()
        overlay = load_overlay(file, system)
    except Faults as faults:
        others.extend(faults.files)
        return base, ()
    return with_overlay(base, overlay), contradictions(base, overlay, system.chart_shapes)
