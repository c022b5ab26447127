"""Scenario files: the start of a battle, with its sides, their fleets, its switches and its charts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from attrs import evolve, field, frozen

from qf_tui.core.charts import Charts
from qf_tui.core.declarations import usual_scale
from qf_tui.core.effects import with_overlay
from qf_tui.core.measure import Scalar
from qf_tui.core.system import RuleSystem, Scale
from qf_tui.core.values import Battle, replace
from qf_tui.library.cards import flat
from qf_tui.library.charts import contradictions, load_overlay, shipped_charts
from qf_tui.library.checking import Checker, Read
from qf_tui.library.declared import APPROACH, FOR, START, SUITS, named_system, option_fields, scenario_fields
from qf_tui.library.fault_words import not_installed
from qf_tui.library.faults import Fault, Faults, FileFaults, FilePlace, refuse, shown
from qf_tui.library.paths import find, find_typed, former_system, missing
from qf_tui.library.plans import for_rules, hardly_meant
from qf_tui.library.reading import read_toml
from qf_tui.library.rebased import rebased
from qf_tui.library.sides import Sides


@frozen
class ScenarioRead:
    """A scenario as far as it can be read: no battle where there are faults; they go by file.

    `charts` is the name of its overlay; `left_out` what does not hold under the rules that were chosen;
    `suits` the rule systems that suit it, each with why.
    """

    system: RuleSystem | None
    battle: Battle | None
    faults: Mapping[str, tuple[Fault, ...]] = field(factory=dict)
    warnings: tuple[str, ...] = ()
    charts: str = ""
    left_out: tuple[str, ...] = ()
    suits: Mapping[str, str] = field(factory=dict)


def load_scenario(
    wanted: str | Path, systems: Mapping[str, RuleSystem], rules: str = ""
) -> tuple[RuleSystem, Battle]:
    """The rule system of a scenario, by path or name, and its battle before the first order.

    `rules`: another rule system than the scenario's own. Faults lists all that is wrong with it and with the
    files that it names; QfError if there is no such file.
    """
    return battle_of(read_named(wanted, systems, rules))


def read_named(wanted: str | Path, systems: Mapping[str, RuleSystem], rules: str = "") -> ScenarioRead:
    """A scenario by path or name, as `read_scenario`; QfError if there is no such file."""
    path = find_scenario(wanted)
    return read_scenario(read_toml(path), path, systems, rules=rules or rules_named(wanted))


def battle_of(reading: ScenarioRead) -> tuple[RuleSystem, Battle]:
    """The rule system and the battle of a scenario that was read; Faults if it is not sound."""
    refuse(reading.faults)
    assert reading.system is not None
    assert reading.battle is not None
    return reading.system, reading.battle


def find_scenario(wanted: str | Path) -> Path:
    """The file of a scenario: a path, or a name on the shelf as people type it; QfError if there is none."""
    return wanted if isinstance(wanted, Path) else find_typed("scenarios", wanted)


def rules_named(wanted: str | Path) -> str:
    """The rule system that goes with the name of a scenario, if that is a former one; else ""."""
    return former_system(wanted, find_scenario(wanted)) if isinstance(wanted, str) else ""


def read_scenario(
    data: Mapping[str, Any],
    path: Path,
    systems: Mapping[str, RuleSystem],
    unwritten: Mapping[str, Mapping[str, Any]] | None = None,
    rules: str = "",
) -> ScenarioRead:
    """A scenario's plain data, with the files that it names beside `path`, under its own rules or others.

    `unwritten` are fleets that are to be files, by the names that the scenario has for them.
    """
    checker = Checker()
    system = named_system({"ruleset": rules} if rules else data, systems, checker)
    if system is None:
        return ScenarioRead(None, None, {str(path): tuple(checker.faults)})
    based = rebased(data, system, checker)
    reading = _read(based.data, path, system, checker, unwritten or {})
    faults = dict(reading.faults)
    if str(path) in faults:
        faults[str(path)] = tuple(map(based.placed, faults[str(path)]))
    warnings = (*reading.warnings, *_strangers(data, systems))
    return evolve(reading, faults=faults, warnings=warnings, left_out=based.left_out)


def _strangers(data: Mapping[str, Any], systems: Mapping[str, RuleSystem]) -> Iterator[str]:
    """What is said for rule systems that are not installed: a slip perhaps, and looked into by nobody."""
    for key in (SUITS, FOR):
        for name in data[key] if isinstance(data.get(key), Mapping) else ():
            if name not in systems:
                yield f"{key}.{shown(name)}: {not_installed(name, systems)}"


def _read(
    data: Mapping[str, Any],
    path: Path,
    system: RuleSystem,
    checker: Checker,
    unwritten: Mapping[str, Mapping[str, Any]],
) -> ScenarioRead:
    read = checker.table(for_rules(data, system), scenario_fields(system), FilePlace())
    scale = _scale(read, system, checker)
    options = _options(read, system)
    others: list[FileFaults] = []
    charts, warnings = _charts(read, path, system, checker, others)
    sides = Sides(system, path.parent, checker, others, unwritten, str(read.get("date") or ""))
    sides.read(cast(list[Read], read.get("side", [])))
    warnings += sides.warnings
    plan = sides.read_plan(read, data)
    sides.read_start(cast(Mapping[str, Read] | None, read.get(START)) or {})
    faults = {str(path): tuple(checker.faults)} if checker.faults else {}
    for file in others:
        faults[file.file] = faults.get(file.file, ()) + file.faults
    if faults or scale is None:
        return ScenarioRead(system, None, faults, warnings)
    ships, reserve = sides.muster(scale, options)
    table = _table(read, scale, system, path) | sides.table
    battle = Battle(1, system.phases[0].name, sides.sides, ships, table, options, charts, reserve, plan=plan)
    warnings += hardly_meant(plan, (*ships.values(), *reserve.values()))
    if system.phases[0].slashes:
        battle = replace(battle, began=battle)
    suits = cast(Mapping[str, str] | None, read.get(SUITS)) or {}
    return ScenarioRead(system, battle, {}, warnings, str(read.get("charts") or ""), suits=suits)


def _table(read: Read, scale: Scale, system: RuleSystem, path: Path) -> dict[str, Scalar]:
    return {
        "title": str(read["title"] or path.stem),
        **({"date": str(read["date"])} if read.get("date") else {}),
        "scale": scale.name,
        "units": scale.units,
        "dice": str(read["dice"]),
        "notes": str(read["notes"]),
        **_approach(read.get(APPROACH)),
        **flat(system.conditions, read),
    }


def _approach(given: object) -> dict[str, Scalar]:
    """The ranges of the turns as the table keeps them: in one text."""
    if given is None:
        return {}
    return {APPROACH: " ".join(f"{one:g}" for one in (given if isinstance(given, tuple) else (given,)))}


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
