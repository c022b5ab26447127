"""An umpire's own weights of what ships are worth: a TOML file with a table for each rule system."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve

from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.worth import Worth
from qf_tui.library.checking import Checker
from qf_tui.library.fault_words import not_installed
from qf_tui.library.faults import Fault, FileFaults, FilePlace
from qf_tui.library.paths import home
from qf_tui.library.reading import read_toml
from qf_tui.library.systems import find_systems

WEIGHT_MOST = 1000


def worth_path() -> Path:
    """The file of the umpire's own weights; it need not exist."""
    return home() / "worth.toml"


def load_worth(system: RuleSystem, path: Path | None = None) -> Worth:
    """What ships are worth by a file, or by the umpire's own where none is named and there is one.

    A part that the file leaves out keeps its weight. FileFaults names all that is wrong: a part or a rule
    system that there is not, a weight that is no number from 0 to WEIGHT_MOST, and in a file that was named
    that it has no table for this system.
    """
    if path is None and not worth_path().exists():
        return system.worth
    file = path or worth_path()
    data = read_toml(file)
    weights, faults = read_weights(data, find_systems(), (system,))
    if path is not None and system.name not in data:
        known = ", ".join(part.name for part in system.worth.parts)
        faults = (Fault("", f"expected a table [{system.name}] with weights for {known}"), *faults)
    if faults:
        raise FileFaults(file, faults)
    return system.worth.weighted(weights.get(system.name, {}))


def read_weights(
    data: Mapping[str, Any], systems: Mapping[str, RuleSystem], judged: Iterable[RuleSystem]
) -> tuple[Mapping[str, Mapping[str, float]], tuple[Fault, ...]]:
    """The weights by rule system and part, and all that is wrong; only those `judged` are looked into."""
    checker, known = Checker(), {system.name: system for system in judged}
    for name in data:
        if name not in systems:
            checker.fault(FilePlace().key(name), not_installed(name, systems))
    tables = tuple(CardField(name, "table", "", parts=_weights(system)) for name, system in known.items())
    read: tuple[Any, ...] = checker.value(data, CardField("worth", "systems", "", parts=tables), FilePlace())
    return read[0], tuple(_explained(known, fault) for fault in checker.faults)


def _weights(system: RuleSystem) -> tuple[CardField, ...]:
    return tuple(
        CardField(part.name, "number", part.text, least=0, most=WEIGHT_MOST) for part in system.worth.parts
    )


def _explained(systems: Mapping[str, RuleSystem], fault: Fault) -> Fault:
    """A fault, of a weight with what its part counts: nobody need give a sign to what is taken off."""
    keys = fault.found.keys
    parts = [(name, part) for name, system in systems.items() for part in system.worth.parts]
    part = next((part for name, part in parts if keys == (name, part.name)), None)
    if part is None:
        return fault
    does = "it is taken off" if part.less else "it counts"
    return evolve(fault, text=f"{fault.text}; {does} for {part.text}")
