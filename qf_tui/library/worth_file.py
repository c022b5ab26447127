"""An umpire's own weights of what ships are worth: a TOML file with a table for each rule system."""

from pathlib import Path
from typing import Any

from attrs import evolve

from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.worth import Worth
from qf_tui.library.checking import Checker
from qf_tui.library.faults import Fault, FileFaults, FilePlace
from qf_tui.library.paths import home
from qf_tui.library.reading import read_toml
from qf_tui.library.systems import find_systems
from qf_tui.library.wording import not_installed

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
    weights = _weights(system, path or worth_path(), named=path is not None)
    return system.worth.weighted(weights)


def _weights(system: RuleSystem, path: Path, *, named: bool) -> dict[str, float]:
    data, checker = read_toml(path), Checker()
    for name in data:
        if name not in find_systems():
            checker.fault(FilePlace().key(name), not_installed(name, find_systems()))
    known = ", ".join(part.name for part in system.worth.parts)
    if named and system.name not in data:
        checker.faults.append(Fault("", f"expected a table [{system.name}] with weights for {known}"))
    read: tuple[Any, ...] = checker.value(data, _declared(system), FilePlace())
    if checker.faults:
        raise FileFaults(path, [_explained(system, fault) for fault in checker.faults])
    found: dict[str, float] = read[0].get(system.name, {})
    return found


def _declared(system: RuleSystem) -> CardField:
    parts = tuple(
        CardField(part.name, "number", part.text, least=0, most=WEIGHT_MOST) for part in system.worth.parts
    )
    return CardField("worth", "systems", "weights", parts=(CardField(system.name, "table", "", parts=parts),))


def _explained(system: RuleSystem, fault: Fault) -> Fault:
    """A fault, of a weight with what its part counts: nobody need give a sign to what is taken off."""
    part = next((one for one in system.worth.parts if fault.found.keys == (system.name, one.name)), None)
    if part is None:
        return fault
    does = "it is taken off" if part.less else "it counts"
    return evolve(fault, text=f"{fault.text}; {does} for {part.text}")
