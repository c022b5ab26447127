"""Converts a scenario to a rule system for which it was not written; lists the parts that do not hold.

It changes only the plain data of the file, which `scenarios` then reads.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from qf_tui.core.crews import CREW_KEYS, CREWS
from qf_tui.core.system import RuleSystem
from qf_tui.library.declared import (
    DIVISION_FIELDS,
    FOR,
    SCHEDULE,
    START,
    SUITS,
    VICTORY,
    find_scenario_keys,
    list_for_fields,
    list_ship_keys,
)
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    Fault,
    FilePlace,
    describe_value,
    format_hint,
    make_printable,
)

_COMMON_KEYS = (
    *("ruleset", "title", "date", "dice", "notes", "side", SUITS, "formerly", FOR, SCHEDULE, VICTORY),
    *("war", "weather", CREWS),
)

COMMON_DIVISION_KEYS = ("name", "player", "ships", *CREW_KEYS, *(each.name for each in DIVISION_FIELDS))
"""The keys of a division that hold under every rule system."""
SCALE, UNITS, OPTIONS, DIVISION = "scale", "units", "options", "division"
_SHIPS_NAMED_MOST = 3
"""Most ships that a message names; any others are counted."""


def list_common_keys() -> tuple[str, ...]:
    """List the keys of a scenario that hold under every rule system."""
    return (*_COMMON_KEYS, *(key for keys in find_scenario_keys() for key in keys.of_all))


@frozen
class RebasedScenario:
    """A scenario's data as if written for one rule system.

    Attributes:
        for_keys: The keys whose values are from the table under `for`.
        left_out: Texts for the keys that do not hold under this system.
    """

    data: Data
    system: RuleSystem
    for_keys: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def place_fault(self, fault: Fault) -> Fault:
        """Put the place of a fault under `for` if the value is from there; return other faults unchanged."""
        keys = fault.found.keys
        first_key = keys[0] if keys else None
        # The table under `for` has no lists of tables, so a fault in one of these is from elsewhere.
        if fault.found.items or first_key not in self.for_keys:
            return fault
        return Fault.build_at(FilePlace(keys=(FOR, self.system.name, *keys)), fault.text)


def rebase_scenario(data: Data, system: RuleSystem, checker: Checker) -> RebasedScenario:
    """Build a scenario's data for a rule system: the keys that hold, replaced by those of its `for` table.

    All keys hold under the scenario's own system. Under another, the common keys hold, and the units and the
    ships' state at the start if they fit.
    """
    is_foreign = data.get("ruleset") != system.name
    for_table = _read_for_table(data, system, checker)
    values = {key: value for key, value in data.items() if not is_foreign or key in list_common_keys()}
    if data.get(UNITS) in [scale.units for scale in system.scales]:
        values[UNITS] = data[UNITS]
    if is_foreign and _is_start_valid(data, for_table, system):
        values[START] = data[START]
    sides = data.get("side")
    if isinstance(sides, list):
        values["side"] = [_convert_side(side, for_table.get(DIVISION, {}), is_foreign) for side in sides]
    for_values = {key: value for key, value in for_table.items() if key != DIVISION}
    left_out = list(_list_left_out(data, values, for_table)) if is_foreign else []
    # Stated crews belong to no rule system, but a system without crews does not use them.
    if not system.crews:
        left_out += _list_crew_steps(data)
    # A missing name stays missing, so that the check of the fields reports it.
    ruleset = {"ruleset": system.name} if isinstance(data.get("ruleset"), str) else {}
    return RebasedScenario({**values, **for_values, **ruleset}, system, tuple(for_values), tuple(left_out))


def swap_rules(data: Data, system: RuleSystem) -> dict[str, Any]:
    """Rewrite a sound scenario for a rule system; what only its former system knows moves under `for`.

    If the scenario is for this system already, only its table under `for` is applied, if there is one.
    """
    swapped_data = dict(rebase_scenario(data, system, Checker()).data)
    if data["ruleset"] == system.name:
        return swapped_data
    own_values = {key: value for key, value in data.items() if key not in list_common_keys()}
    conditions_by_division = {}
    for division in list_division_tables(data):
        conditions = {key: value for key, value in division.items() if key not in COMMON_DIVISION_KEYS}
        if conditions:
            conditions_by_division[str(division["name"])] = conditions
    if conditions_by_division:
        own_values[DIVISION] = conditions_by_division
    others = {name: table for name, table in data.get(FOR, {}).items() if name != system.name}
    return {**swapped_data, FOR: {data["ruleset"]: own_values, **others}}


def _read_for_table(data: Data, system: RuleSystem, checker: Checker) -> Data:
    """Return the sound part of a rule system's table under `for`; add a fault for each other part."""
    systems = data.get(FOR)
    table = systems.get(system.name) if isinstance(systems, Mapping) else None
    if not isinstance(table, Mapping):
        return {}
    known = [field.name for field in list_for_fields(system)]
    place = WHOLE_FILE.add_key(FOR, system.name)
    for key in table:
        if key not in known:
            hint = format_hint(key, known) or f"; known keys: {', '.join(known)}"
            checker.add_fault(place.add_key(key), f"no such key{hint}")
    divisions = table.get(DIVISION, {})
    tables = divisions.values() if isinstance(divisions, Mapping) else (divisions,)
    if not all(isinstance(item, Mapping) for item in tables):
        checker.add_fault(
            place.add_key(DIVISION), f"expected a table for each division, found {describe_value(divisions)}"
        )
        divisions = {}
    names = [str(division.get("name")) for division in list_division_tables(data)]
    for name in divisions:
        if name not in names:
            checker.add_fault(
                place.add_key(DIVISION, name),
                f"no division “{make_printable(name)}”{format_hint(name, names)}",
            )
    sound_values = {key: value for key, value in table.items() if key in known}
    if DIVISION in sound_values:
        sound_values[DIVISION] = divisions
    return sound_values


def list_tables(data: Data, key: str) -> Iterator[Data]:
    """List the tables under a key; anything else under it is skipped."""
    items = data.get(key)
    return (item for item in items if isinstance(item, Mapping)) if isinstance(items, list) else iter(())


def list_division_tables(data: Data) -> Iterator[Data]:
    """List the tables of all divisions of a scenario."""
    return (division for side in list_tables(data, "side") for division in list_tables(side, DIVISION))


def _is_start_valid(data: Data, for_table: Data, system: RuleSystem) -> bool:
    """Return whether the ships' state at the start holds under another system.

    The system must know every key of the state, and its table under `for` must state the scenario's own
    scale, no other units and no other start.
    """
    start = data.get(START)
    if not isinstance(start, Mapping) or START in for_table or SCALE not in for_table:
        return False
    has_own_scale = for_table[SCALE] == data.get(SCALE)
    has_own_units = UNITS not in for_table or for_table[UNITS] == data.get(UNITS)
    keys = {key for ship in start.values() if isinstance(ship, Mapping) for key in ship}
    known = {field.name for field in system.at_start}
    return has_own_scale and has_own_units and keys <= known


def _convert_side(side: object, conditions_by_division: Data, is_foreign: bool) -> object:
    """Return a side whose divisions have the keys for the rule system.

    Args:
        side: The side as in the file; data that is no table is returned unchanged.
        conditions_by_division: The values of the table under `for`, by the divisions' names.
        is_foreign: True if only the common keys of a division hold.
    """
    if not isinstance(side, Mapping) or not isinstance(side.get(DIVISION), list):
        return side
    divisions = []
    for division in side[DIVISION]:
        if isinstance(division, Mapping):
            values = {
                key: value for key, value in division.items() if not is_foreign or key in COMMON_DIVISION_KEYS
            }
            divisions.append({**values, **conditions_by_division.get(str(division.get("name")), {})})
        else:
            divisions.append(division)
    return {**side, DIVISION: divisions}


def _list_left_out(data: Data, used_values: Data, for_table: Data) -> Iterator[str]:
    """Yield a text for each value of a scenario that does not hold under the chosen rule system.

    A value that is false or empty gets no text.

    Args:
        used_values: The values that hold.
        for_table: The values under `for` that replace others.
    """
    for key, value in data.items():
        # The table may replace only some of the options.
        is_replaced = key in for_table and key != OPTIONS
        if key in used_values or is_replaced:
            continue
        if key == OPTIONS and isinstance(value, Mapping):
            replaced_options = for_table.get(OPTIONS, {})
            yield from (
                _format_value(name, option) for name, option in value.items() if name not in replaced_options
            )
        elif key in list_ship_keys() and isinstance(value, Mapping):
            yield f"the {'start' if key == START else 'state'} of {_format_ships(value)}"
        elif value not in (False, ""):
            yield _format_value(key, value)
    for division in list_division_tables(data):
        name = str(division.get("name"))
        replaced_keys = for_table.get(DIVISION, {}).get(name, {})
        for key, value in division.items():
            if key not in COMMON_DIVISION_KEYS and key not in replaced_keys:
                yield f"{make_printable(name)}: {_format_value(key, value)}"


def _format_ships(ids: Iterable[object]) -> str:
    """List ids of ships in a line; if there are many, only the first and the number of the others."""
    names = [make_printable(str(id)) for id in ids]
    more = len(names) - _SHIPS_NAMED_MOST
    # A single ship too many is named as well: “and 1 more” would be no shorter.
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:_SHIPS_NAMED_MOST])} and {more} more"


def _list_crew_steps(data: Data) -> Iterator[str]:
    """Yield a text for each step of a crew that a side or a division states."""
    # The last key is the source of the steps.
    step_keys = CREW_KEYS[:-1]
    for table in (*list_tables(data, "side"), *list_division_tables(data)):
        name = make_printable(str(table.get("name")))
        yield from (f"{name}: {_format_value(key, table[key])}" for key in step_keys if table.get(key))


def format_left_out(system: RuleSystem, left_out: Iterable[str]) -> str:
    """Format the values that do not hold under the chosen rules as one line; "" if all hold."""
    listed = ", ".join(left_out)
    return f"not used under {system.title}: {listed}" if listed else ""


def _format_value(key: str, value: object) -> str:
    """Format a key with its value, or only the key if its value is true."""
    return make_printable(key) if value is True else f"{make_printable(key)} {make_printable(str(value))}"
