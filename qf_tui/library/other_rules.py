"""Scenarios under another rule system than their own: which keys hold, and which are left out."""

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
    *("war", CREWS),
)

COMMON_DIVISION_KEYS = ("name", "player", "ships", *CREW_KEYS, *(each.name for each in DIVISION_FIELDS))
"""The keys of a division that hold under every rule system."""
SCALE, UNITS, OPTIONS, DIVISION = "scale", "units", "options", "division"
_FEW = 3
"""Most ships that a message names; any others are counted."""


def list_common_keys() -> tuple[str, ...]:
    """List the keys of a scenario that hold under every rule system."""
    return (*_COMMON_KEYS, *(key for keys in find_scenario_keys() for key in keys.of_all))


@frozen
class RebasedScenario:
    """A scenario's data as if written for one rule system.

    Attributes:
        moved: The keys whose values are from the table under `for`.
        left_out: Texts for the keys that do not hold under this system.
    """

    data: Data
    system: RuleSystem
    moved: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def place_fault(self, fault: Fault) -> Fault:
        """Correct the place of a fault for a value that the file has under `for`."""
        keys = fault.found.keys
        if fault.found.items or not keys or keys[0] not in self.moved:
            return fault
        return Fault.build_at(FilePlace(keys=(FOR, self.system.name, *keys)), fault.text)


def rebase_scenario(data: Data, system: RuleSystem, checker: Checker) -> RebasedScenario:
    """Build a scenario's data for a rule system: common keys, then the values of its table under `for`."""
    other = data.get("ruleset") != system.name
    own = _read_for_table(data, system, checker)
    kept = {key: value for key, value in data.items() if not other or key in list_common_keys()}
    if data.get(UNITS) in [scale.units for scale in system.scales]:
        kept[UNITS] = data[UNITS]
    if other and _is_start_valid(data, own, system):
        kept[START] = data[START]
    sides = data.get("side")
    if isinstance(sides, list):
        kept["side"] = [_convert_side(side, own.get(DIVISION, {}), other) for side in sides]
    moved = {key: value for key, value in own.items() if key != DIVISION}
    left = (
        *(_list_left_out(data, kept, own) if other else ()),
        *(() if system.crews else _list_crew_steps(data)),
    )
    named = {"ruleset": system.name} if isinstance(data.get("ruleset"), str) else {}
    return RebasedScenario({**kept, **moved, **named}, system, tuple(moved), left)


def swap_rules(data: Data, system: RuleSystem) -> dict[str, Any]:
    """Rewrite a sound scenario for another rule system; its former values are kept under `for`."""
    made = dict(rebase_scenario(data, system, Checker()).data)
    if data["ruleset"] == system.name:
        return made
    own = {key: value for key, value in data.items() if key not in list_common_keys()}
    divisions = {
        str(division["name"]): conditions
        for division in list_division_tables(data)
        if (conditions := {key: value for key, value in division.items() if key not in COMMON_DIVISION_KEYS})
    }
    others = {name: table for name, table in data.get(FOR, {}).items() if name != system.name}
    kept = {**own, **({DIVISION: divisions} if divisions else {})}
    return {**made, FOR: {data["ruleset"]: kept, **others}}


def _read_for_table(data: Data, system: RuleSystem, checker: Checker) -> Data:
    """Return the table under `for` of a rule system, and add a fault for each unknown key."""
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
    names = [str(division.get("name")) for division in list_division_tables(data)]
    if not isinstance(divisions, Mapping) or not all(isinstance(own, Mapping) for own in divisions.values()):
        checker.add_fault(
            place.add_key(DIVISION), f"expected a table for each division, found {describe_value(divisions)}"
        )
        divisions = {}
    for name in divisions:
        if name not in names:
            checker.add_fault(
                place.add_key(DIVISION, name),
                f"no division “{make_printable(name)}”{format_hint(name, names)}",
            )
    sound = {key: value for key, value in table.items() if key in known}
    return {**sound, DIVISION: divisions} if DIVISION in sound else sound


def list_tables(data: Data, key: str) -> Iterator[Data]:
    """List the tables under a key; anything else under it is skipped."""
    items = data.get(key)
    return (item for item in items if isinstance(item, Mapping)) if isinstance(items, list) else iter(())


def list_division_tables(data: Data) -> Iterator[Data]:
    """List the tables of all divisions of a scenario."""
    return (division for side in list_tables(data, "side") for division in list_tables(side, DIVISION))


def _is_start_valid(data: Data, own: Data, system: RuleSystem) -> bool:
    """Return whether the ships' state at the start holds under another system.

    It holds if the system knows every key and plays at the same scale and units. Its table `own` must state
    the scale, because the names of scales differ between systems.
    """
    start = data.get(START)
    if not isinstance(start, Mapping) or START in own or SCALE not in own:
        return False
    measured = (own[SCALE], own.get(UNITS, data.get(UNITS)))
    keys = {key for ship in start.values() if isinstance(ship, Mapping) for key in ship}
    known = {field.name for field in system.at_start}
    return measured == (data.get(SCALE), data.get(UNITS)) and keys <= known


def _convert_side(side: object, own: Data, other: bool) -> object:
    """Return a side whose divisions have the keys for the rule system."""
    if not isinstance(side, Mapping) or not isinstance(side.get(DIVISION), list):
        return side
    divisions = []
    for division in side[DIVISION]:
        if isinstance(division, Mapping):
            kept = {key: value for key, value in division.items() if not other or key in COMMON_DIVISION_KEYS}
            divisions.append({**kept, **own.get(str(division.get("name")), {})})
        else:
            divisions.append(division)
    return {**side, DIVISION: divisions}


def _list_left_out(data: Data, kept: Data, own: Data) -> Iterator[str]:
    """Yield a text for each value that does not hold under the chosen rule system."""
    for key, value in data.items():
        if key in kept or (key in own and key != OPTIONS):
            continue
        if key == OPTIONS and isinstance(value, Mapping):
            replaced = own.get(OPTIONS, {})
            yield from (_format_value(name, option) for name, option in value.items() if name not in replaced)
        elif key in list_ship_keys() and isinstance(value, Mapping):
            ships = [make_printable(str(ship)) for ship in value]
            more = len(ships) - _FEW
            few = ", ".join(ships) if more <= 1 else f"{', '.join(ships[:_FEW])} and {more} more"
            yield f"the {'start' if key == START else 'state'} of {few}"
        elif value not in (False, ""):
            yield _format_value(key, value)
    for division in list_division_tables(data):
        name = str(division.get("name"))
        for key, value in division.items():
            if key not in COMMON_DIVISION_KEYS and key not in own.get(DIVISION, {}).get(name, {}):
                yield f"{make_printable(name)}: {_format_value(key, value)}"


def _list_crew_steps(data: Data) -> Iterator[str]:
    """Yield a text for each stated step of a crew, of sides and divisions."""
    for said in (*list_tables(data, "side"), *list_division_tables(data)):
        steps = {key: said[key] for key in CREW_KEYS[:-1] if said.get(key)}
        yield from (
            f"{make_printable(str(said.get('name')))}: {_format_value(key, value)}"
            for key, value in steps.items()
        )


def format_left_out(system: RuleSystem, left_out: Iterable[str]) -> str:
    """Format the values that do not hold under the chosen rules as one line; "" if all hold."""
    listed = ", ".join(left_out)
    return f"not used under {system.title}: {listed}" if listed else ""


def _format_value(key: str, value: object) -> str:
    return make_printable(key) if value is True else f"{make_printable(key)} {make_printable(str(value))}"
