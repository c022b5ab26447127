"""The rule systems that are installed, ours and others', by their entry points."""

from collections.abc import Mapping
from importlib.metadata import entry_points

from qf_tui.core.errors import QfError
from qf_tui.core.system import ENTRY_POINTS, RuleSystem


def find_systems() -> Mapping[str, RuleSystem]:
    """Every rule system by the name that files use; QfError names one that cannot be loaded."""
    systems: dict[str, RuleSystem] = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            system: RuleSystem = point.load()
            name = system.name
        except Exception as error:
            raise QfError(
                f"rule system {point.name} ({point.value}) cannot be loaded: {type(error).__name__}: {error}; "
                "mend or uninstall the package that brings it"
            ) from error
        if systems.setdefault(name, system) is not system:
            raise QfError(f"two rule systems are called {name}; uninstall the package of one ({point.value})")
    return systems
