"""An umpire's own weights for what ships are worth: a TOML file of numbers by the parts of a rule system."""

from collections.abc import Mapping
from pathlib import Path

from qf_tui.core.system import CardField, RuleSystem
from qf_tui.library.checking import Checker
from qf_tui.library.faults import FileFaults, FilePlace
from qf_tui.library.reading import read_toml


def load_weights(path: Path, system: RuleSystem) -> Mapping[str, float]:
    """The weights of a file, by part; what it leaves out stays as the rules have it.

    FileFaults names all that is wrong with it.
    """
    fields = [CardField(part.name, "number", part.text) for part in system.worth.parts]
    checker = Checker()
    read = checker.table(read_toml(path), fields, FilePlace())
    if checker.faults:
        raise FileFaults(path, checker.faults)
    return {name: float(weight) for name, weight in read.items() if isinstance(weight, int | float)}
