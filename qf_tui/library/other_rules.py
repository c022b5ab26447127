"""A scenario under other rules than its own: what of it holds, what `for` states, what is left out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from qf_tui.core.crews import CREW_KEYS, CREWS
from qf_tui.core.system import RuleSystem
from qf_tui.library.declared import (
    FOR,
    OF_DIVISION,
    SCHEDULE,
    START,
    SUITS,
    VICTORY,
    find_scenario_keys,
    for_fields,
    list_ship_keys,
)
from qf_tui.library.faults import WHOLE_FILE, Checker, Data, Fault, FilePlace, near, shown, value_text

_OF_ALL = (
    *("ruleset", "title", "date", "dice", "notes", "side", SUITS, "formerly", FOR, SCHEDULE, VICTORY),
    *("war", CREWS),
)

OF_DIVISIONS = ("name", "player", "ships", *CREW_KEYS, *(each.name for each in OF_DIVISION))
"""Those of a division."""
SCALE, UNITS, OPTIONS, DIVISION = "scale", "units", "options", "division"
_FEW = 3
"""Ships that are named; of more the others are counted."""


def list_common_keys() -> tuple[str, ...]:
    """List the keys of a scenario that hold under every rule system."""
    return (*_OF_ALL, *(key for keys in find_scenario_keys() for key in keys.of_all))


@frozen
class Rebased:
    """A scenario's data as it would be written for a rule system; `left_out`: what does not hold under it.

    `moved` are the keys that stand under `for`.
    """

    data: Data
    system: RuleSystem
    moved: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def placed(self, fault: Fault) -> Fault:
        """A fault of the data at its place in the file."""
        keys = fault.found.keys
        if fault.found.items or not keys or keys[0] not in self.moved:
            return fault
        return Fault.at(FilePlace(keys=(FOR, self.system.name, *keys)), fault.text)


def rebased(data: Data, system: RuleSystem, checker: Checker) -> Rebased:
    """The data for this rule system, what stands for it under `for` in the place of the rest."""
    other = data.get("ruleset") != system.name
    own = _for_system(data, system, checker)
    kept = {key: value for key, value in data.items() if not other or key in list_common_keys()}
    if data.get(UNITS) in [scale.units for scale in system.scales]:
        kept[UNITS] = data[UNITS]
    if other and _start_holds(data, own, system):
        kept[START] = data[START]
    sides = data.get("side")
    if isinstance(sides, list):
        kept["side"] = [_side(side, own.get(DIVISION, {}), other) for side in sides]
    moved = {key: value for key, value in own.items() if key != DIVISION}
    left = (*(_left_out(data, kept, own) if other else ()), *(() if system.crews else _crews(data)))
    named = {"ruleset": system.name} if isinstance(data.get("ruleset"), str) else {}
    return Rebased({**kept, **moved, **named}, system, tuple(moved), left)


def swapped(data: Data, system: RuleSystem) -> dict[str, Any]:
    """A sound scenario written for this rule system; what held under its own is kept under `for`."""
    made = dict(rebased(data, system, Checker()).data)
    if data["ruleset"] == system.name:
        return made
    own = {key: value for key, value in data.items() if key not in list_common_keys()}
    divisions = {
        str(division["name"]): conditions
        for division in divisions_in(data)
        if (conditions := {key: value for key, value in division.items() if key not in OF_DIVISIONS})
    }
    others = {name: table for name, table in data.get(FOR, {}).items() if name != system.name}
    kept = {**own, **({DIVISION: divisions} if divisions else {})}
    return {**made, FOR: {data["ruleset"]: kept, **others}}


def _for_system(data: Data, system: RuleSystem, checker: Checker) -> Data:
    """The table under `for` of a rule system, without unknown keys."""
    systems = data.get(FOR)
    table = systems.get(system.name) if isinstance(systems, Mapping) else None
    if not isinstance(table, Mapping):
        return {}
    known = [field.name for field in for_fields(system)]
    place = WHOLE_FILE.key(FOR, system.name)
    for key in table:
        if key not in known:
            hint = near(key, known) or f"; known keys: {', '.join(known)}"
            checker.fault(place.key(key), f"no such key{hint}")
    divisions = table.get(DIVISION, {})
    names = [str(division.get("name")) for division in divisions_in(data)]
    if not isinstance(divisions, Mapping) or not all(isinstance(own, Mapping) for own in divisions.values()):
        checker.fault(
            place.key(DIVISION), f"expected a table for each division, found {value_text(divisions)}"
        )
        divisions = {}
    for name in divisions:
        if name not in names:
            checker.fault(place.key(DIVISION, name), f"no division “{shown(name)}”{near(name, names)}")
    sound = {key: value for key, value in table.items() if key in known}
    return {**sound, DIVISION: divisions} if DIVISION in sound else sound


def tables_in(data: Data, key: str) -> Iterator[Data]:
    """List the tables under a key, whatever else stands there."""
    items = data.get(key)
    return (item for item in items if isinstance(item, Mapping)) if isinstance(items, list) else iter(())


def divisions_in(data: Data) -> Iterator[Data]:
    """List the tables of all divisions of a scenario."""
    return (division for side in tables_in(data, "side") for division in tables_in(side, DIVISION))


def _start_holds(data: Data, own: Data, system: RuleSystem) -> bool:
    """Whether the start of the ships holds for a system: it knows every key, at the same scale and units.

    `own` must state the scale, as names of scales differ.
    """
    start = data.get(START)
    if not isinstance(start, Mapping) or START in own or SCALE not in own:
        return False
    measured = (own[SCALE], own.get(UNITS, data.get(UNITS)))
    keys = {key for ship in start.values() if isinstance(ship, Mapping) for key in ship}
    known = {field.name for field in system.at_start}
    return measured == (data.get(SCALE), data.get(UNITS)) and keys <= known


def _side(side: object, own: Data, other: bool) -> object:
    """A side with the keys of its divisions for the rule system."""
    if not isinstance(side, Mapping) or not isinstance(side.get(DIVISION), list):
        return side
    divisions = []
    for division in side[DIVISION]:
        if isinstance(division, Mapping):
            kept = {key: value for key, value in division.items() if not other or key in OF_DIVISIONS}
            divisions.append({**kept, **own.get(str(division.get("name")), {})})
        else:
            divisions.append(division)
    return {**side, DIVISION: divisions}


def _left_out(data: Data, kept: Data, own: Data) -> Iterator[str]:
    """What is written for another rule system and has no place under this one, in words."""
    for key, value in data.items():
        if key in kept or (key in own and key != OPTIONS):
            continue
        if key == OPTIONS and isinstance(value, Mapping):
            replaced = own.get(OPTIONS, {})
            yield from (_words(name, option) for name, option in value.items() if name not in replaced)
        elif key in list_ship_keys() and isinstance(value, Mapping):
            ships = [shown(str(ship)) for ship in value]
            more = len(ships) - _FEW
            few = ", ".join(ships) if more <= 1 else f"{', '.join(ships[:_FEW])} and {more} more"
            yield f"the {'start' if key == START else 'state'} of {few}"
        elif value not in (False, ""):
            yield _words(key, value)
    for division in divisions_in(data):
        name = str(division.get("name"))
        for key, value in division.items():
            if key not in OF_DIVISIONS and key not in own.get(DIVISION, {}).get(name, {}):
                yield f"{shown(name)}: {_words(key, value)}"


def _crews(data: Data) -> Iterator[str]:
    """The steps of crews of sides and divisions, in words."""
    for said in (*tables_in(data, "side"), *divisions_in(data)):
        steps = {key: said[key] for key in CREW_KEYS[:-1] if said.get(key)}
        yield from (f"{shown(str(said.get('name')))}: {_words(key, value)}" for key, value in steps.items())


def left_out_text(system: RuleSystem, left_out: Iterable[str]) -> str:
    """What does not hold under the rules that were chosen, in one line; nothing where all does."""
    listed = ", ".join(left_out)
    return f"left out under {system.title}: {listed}" if listed else ""


def _words(key: str, value: object) -> str:
    return shown(key) if value is True else f"{shown(key)} {shown(str(value))}"
