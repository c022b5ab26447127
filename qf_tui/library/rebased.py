"""A scenario for another rule system than the one that it is written for, as plain data."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from qf_tui.core.system import RuleSystem
from qf_tui.library.checking import Checker
from qf_tui.library.declared import FOR, START, SUITS, for_fields
from qf_tui.library.fault_words import found, near
from qf_tui.library.faults import Fault, FilePlace, shown
from qf_tui.library.plans import SCHEDULE, VICTORY

Document = Mapping[str, Any]

OF_ALL = (
    *("ruleset", "title", "date", "dice", "notes", "side", SUITS, "formerly", FOR),
    *(SCHEDULE, VICTORY),
)
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
    kept = {key: value for key, value in data.items() if not other or _holds(key, value, system)}
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
        for side in data["side"]
        for one in _divisions(side)
        if (said := {key: value for key, value in one.items() if key not in _OF_DIVISIONS})
    }
    others = {name: said for name, said in data.get(FOR, {}).items() if name != system.name}
    kept = {**own, **({_DIVISION: divisions} if divisions else {})}
    return {**made, FOR: {data["ruleset"]: kept, **others}}


def _said(data: Document, system: RuleSystem, checker: Checker) -> Document:
    """What stands under `for` for a rule system, without keys that it cannot have there."""
    systems = data.get(FOR)
    said = systems.get(system.name) if isinstance(systems, Mapping) else None
    if not isinstance(said, Mapping):
        return {}
    known = [field.name for field in for_fields(system)]
    place = FilePlace().key(FOR).key(system.name)
    for key in said:
        if key not in known:
            hint = near(key, known) or f"; known are {', '.join(known)}"
            checker.fault(place.key(key), f"no such key{hint}")
    divisions = said.get(_DIVISION, {})
    names = _division_names(data.get("side"))
    if not isinstance(divisions, Mapping) or not all(isinstance(one, Mapping) for one in divisions.values()):
        checker.fault(place.key(_DIVISION), f"expected a table for each division, found {found(divisions)}")
        divisions = {}
    for name in divisions:
        if name not in names:
            checker.fault(place.key(_DIVISION).key(name), f"no division “{shown(name)}”{near(name, names)}")
    sound = {key: value for key, value in said.items() if key in known}
    return {**sound, _DIVISION: divisions} if _DIVISION in sound else sound


def _divisions(side: object) -> list[Document]:
    divisions = side.get(_DIVISION) if isinstance(side, Mapping) else None
    return [one for one in divisions if isinstance(one, Mapping)] if isinstance(divisions, list) else []


def _division_names(sides: object) -> list[str]:
    read = sides if isinstance(sides, list) else []
    return [str(one.get("name")) for side in read for one in _divisions(side)]


def _holds(key: str, value: object, system: RuleSystem) -> bool:
    """Whether what stands at the top holds under any rule system, or units that this one has too."""
    return key in OF_ALL or (key == _UNITS and value in [scale.units for scale in system.scales])


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
    """A side with what is said of its divisions for the rule system."""
    if not isinstance(side, Mapping) or not isinstance(side.get(_DIVISION), list):
        return side
    divisions = [
        {
            **{key: value for key, value in one.items() if not other or key in _OF_DIVISIONS},
            **said.get(str(one.get("name")), {}),
        }
        if isinstance(one, Mapping)
        else one
        for one in side[_DIVISION]
    ]
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
            yield f"how the battle begins for {_few(value)}"
        elif value not in (False, ""):
            yield _words(key, value)
    for side in data["side"] if isinstance(data.get("side"), list) else ():
        for one in _divisions(side):
            here = said.get(_DIVISION, {}).get(str(one.get("name")), {})
            for key, value in one.items():
                if key not in _OF_DIVISIONS and key not in here:
                    yield f"{shown(str(one.get('name')))}: {_words(key, value)}"


def _few(ships: Iterable[object]) -> str:
    """Ships by id, as far as one takes them in: `mikasa, asahi, fuji and 21 more`."""
    names = [shown(str(one)) for one in ships]
    more = len(names) - _FEW
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:_FEW])} and {more} more"


def left_out_text(system: RuleSystem, left_out: Iterable[str]) -> str:
    """What does not hold under the rules that were chosen, in one line; nothing where all does."""
    listed = ", ".join(left_out)
    return f"left out under {system.title}: {listed}" if listed else ""


def _words(key: str, value: object) -> str:
    return shown(key) if value is True else f"{shown(key)} {shown(str(value))}"
