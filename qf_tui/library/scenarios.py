"""Scenario files: the start of a battle, with its sides, their fleets, its switches and its charts."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from qf_tui.core.decisions import with_overlay
from qf_tui.core.declarations import usual_scale
from qf_tui.core.system import RuleSystem, Scale
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Charts, replace
from qf_tui.library.charts import contradictions, load_overlay, shipped_charts
from qf_tui.library.declared import (
    APPROACH,
    FOR,
    SCHEDULE,
    START,
    SUITS,
    VICTORY,
    for_fields,
    named_system,
    option_fields,
    scenario_fields,
)
from qf_tui.library.faults import (
    Checker,
    Fault,
    Faults,
    FileFaults,
    FilePlace,
    Read,
    found,
    near,
    not_installed,
    refuse,
    shown,
)
from qf_tui.library.fleets import flat
from qf_tui.library.paths import find, find_typed, former_system, missing, read_toml
from qf_tui.library.sides import Sides, for_rules, hardly_meant

Document = Mapping[str, Any]

OF_ALL = ("ruleset", "title", "date", "dice", "notes", "side", SUITS, "formerly", FOR, SCHEDULE, VICTORY)
"""The keys of a scenario that hold under every rule system."""

_OF_DIVISIONS = ("name", "player", "ships")
_SCALE, _UNITS, _OPTIONS, _DIVISION = "scale", "units", "options", "division"
_FEW = 3
"""Ships that are named; of more the others are counted."""


@frozen
class Rebased:
    """A scenario's data as it would be written for a rule system; `left_out`: what does not hold under it.

    `moved` are the keys that stand under `for`.
    """

    data: Document
    system: RuleSystem
    moved: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def placed(self, fault: Fault) -> Fault:
        """A fault of the data at its place in the file."""
        keys = fault.found.keys
        if fault.found.items or not keys or keys[0] not in self.moved:
            return fault
        return Fault.at(FilePlace(keys=(FOR, self.system.name, *keys)), fault.text)


def rebased(data: Document, system: RuleSystem, checker: Checker) -> Rebased:
    """The data for this rule system, what stands for it under `for` in the place of the rest."""
    other = data.get("ruleset") != system.name
    said = _said(data, system, checker)
    kept = {key: value for key, value in data.items() if not other or key in OF_ALL}
    if data.get(_UNITS) in [scale.units for scale in system.scales]:
        kept[_UNITS] = data[_UNITS]
    if other and _start_holds(data, said, system):
        kept[START] = data[START]
    sides = data.get("side")
    if isinstance(sides, list):
        kept["side"] = [_side(side, said.get(_DIVISION, {}), other) for side in sides]
    moved = {key: value for key, value in said.items() if key != _DIVISION}
    left = tuple(_left_out(data, kept, said)) if other else ()
    named = {"ruleset": system.name} if isinstance(data.get("ruleset"), str) else {}
    return Rebased({**kept, **moved, **named}, system, tuple(moved), left)


def swapped(data: Document, system: RuleSystem) -> dict[str, Any]:
    """A sound scenario written for this rule system, what was said for its own kept under `for`."""
    made = dict(rebased(data, system, Checker()).data)
    if data["ruleset"] == system.name:
        return made
    own = {key: value for key, value in data.items() if key not in OF_ALL}
    divisions = {
        str(one["name"]): said
        for one in _divisions(data)
        if (said := {key: value for key, value in one.items() if key not in _OF_DIVISIONS})
    }
    others = {name: said for name, said in data.get(FOR, {}).items() if name != system.name}
    kept = {**own, **({_DIVISION: divisions} if divisions else {})}
    return {**made, FOR: {data["ruleset"]: kept, **others}}


def _said(data: Document, system: RuleSystem, checker: Checker) -> Document:
    """What stands under `for` for a rule system, without unknown keys."""
    systems = data.get(FOR)
    said = systems.get(system.name) if isinstance(systems, Mapping) else None
    if not isinstance(said, Mapping):
        return {}
    known = [field.name for field in for_fields(system)]
    place = FilePlace().key(FOR, system.name)
    for key in said:
        if key not in known:
            hint = near(key, known) or f"; known are {', '.join(known)}"
            checker.fault(place.key(key), f"no such key{hint}")
    divisions = said.get(_DIVISION, {})
    names = [str(one.get("name")) for one in _divisions(data)]
    if not isinstance(divisions, Mapping) or not all(isinstance(one, Mapping) for one in divisions.values()):
        checker.fault(place.key(_DIVISION), f"expected a table for each division, found {found(divisions)}")
        divisions = {}
    for name in divisions:
        if name not in names:
            checker.fault(place.key(_DIVISION, name), f"no division “{shown(name)}”{near(name, names)}")
    sound = {key: value for key, value in said.items() if key in known}
    return {**sound, _DIVISION: divisions} if _DIVISION in sound else sound


def _divisions(data: Document) -> Iterator[Document]:
    """The divisions of all sides."""
    sides = data.get("side")
    for side in sides if isinstance(sides, list) else ():
        divisions = side.get(_DIVISION) if isinstance(side, Mapping) else None
        for one in divisions if isinstance(divisions, list) else ():
            if isinstance(one, Mapping):
                yield one


def _start_holds(data: Document, said: Document, system: RuleSystem) -> bool:
    """Whether what is said of ships at the start holds: it has all of it, at the same scale and units.

    The scale must be stated for it, as names of scales differ.
    """
    start = data.get(START)
    if not isinstance(start, Mapping) or START in said or _SCALE not in said:
        return False
    measured = (said[_SCALE], said.get(_UNITS, data.get(_UNITS)))
    keys = {key for one in start.values() if isinstance(one, Mapping) for key in one}
    known = {field.name for field in system.at_start}
    return measured == (data.get(_SCALE), data.get(_UNITS)) and keys <= known


def _side(side: object, said: Document, other: bool) -> object:
    """A side with the keys of its divisions for the rule system."""
    if not isinstance(side, Mapping) or not isinstance(side.get(_DIVISION), list):
        return side
    divisions = []
    for one in side[_DIVISION]:
        if isinstance(one, Mapping):
            kept = {key: value for key, value in one.items() if not other or key in _OF_DIVISIONS}
            divisions.append({**kept, **said.get(str(one.get("name")), {})})
        else:
            divisions.append(one)
    return {**side, _DIVISION: divisions}


def _left_out(data: Document, kept: Document, said: Document) -> Iterator[str]:
    """What is written for another rule system and stands for this one nowhere, in words."""
    for key, value in data.items():
        if key in kept or (key in said and key != _OPTIONS):
            continue
        if key == _OPTIONS and isinstance(value, Mapping):
            instead = said.get(_OPTIONS, {})
            yield from (_words(name, one) for name, one in value.items() if name not in instead)
        elif key == START and isinstance(value, Mapping):
            ships = [shown(str(one)) for one in value]
            more = len(ships) - _FEW
            few = ", ".join(ships) if more <= 1 else f"{', '.join(ships[:_FEW])} and {more} more"
            yield f"how the battle begins for {few}"
        elif value not in (False, ""):
            yield _words(key, value)
    for one in _divisions(data):
        name = str(one.get("name"))
        for key, value in one.items():
            if key not in _OF_DIVISIONS and key not in said.get(_DIVISION, {}).get(name, {}):
                yield f"{shown(name)}: {_words(key, value)}"


def left_out_text(system: RuleSystem, left_out: Iterable[str]) -> str:
    """What does not hold under the rules that were chosen, in one line; nothing where all does."""
    listed = ", ".join(left_out)
    return f"left out under {system.title}: {listed}" if listed else ""


def _words(key: str, value: object) -> str:
    return shown(key) if value is True else f"{shown(key)} {shown(str(value))}"


@frozen
class ScenarioRead:
    """A scenario that was read: no battle where there are faults; faults are kept by file.

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
    """Warnings of what is meant for rule systems that are not installed; it may be a slip."""
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
    options: dict[str, Scalar] = {switch.name: switch.default for switch in system.options}
    given = read.get("options") or {}
    options |= flat([switch for switch in option_fields(system) if switch.name in given], given)
    others: list[FileFaults] = []
    charts, warnings = _charts(read, path, system, checker, others)
    sides = Sides(system, path.parent, checker, others, unwritten, str(read.get("date") or ""))
    sides.read(read.get("side", []))
    warnings += sides.warnings
    plan = sides.read_plan(read, data)
    sides.read_start(read.get(START) or {})
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
    suits = read.get(SUITS) or {}
    return ScenarioRead(system, battle, {}, warnings, str(read.get("charts") or ""), suits=suits)


def _table(read: Read, scale: Scale, system: RuleSystem, path: Path) -> dict[str, Scalar]:
    given = read.get(APPROACH)
    ranges = given if isinstance(given, tuple) else () if given is None else (given,)
    return {
        "title": read["title"] or path.stem,
        **({"date": read["date"]} if read.get("date") else {}),
        "scale": scale.name,
        "units": scale.units,
        "dice": read["dice"],
        "notes": read["notes"],
        **({APPROACH: " ".join(f"{one:g}" for one in ranges)} if ranges else {}),
        **flat(system.conditions, read),
    }


def _scale(read: Read, system: RuleSystem, checker: Checker) -> Scale | None:
    """The scale that is named, or the usual one where none is."""
    if "scale" not in read or "units" not in read:
        return None
    name, units = read["scale"], read["units"]
    known = system.scales
    fitting = [scale for scale in known if name in (None, scale.name) and units in (None, scale.units)]
    if fitting:
        return usual_scale(fitting)
    every = ", ".join(f"{scale.name} {scale.units}" for scale in known)
    checker.fault(FilePlace().key("units"), f"no scale {name} in {units}; expected one of {every}")
    return None


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
