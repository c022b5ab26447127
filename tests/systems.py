"""The rule systems that come with the program.

What the tests go through, whatever else is installed beside them.
"""

from collections.abc import Mapping
from functools import cache

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.library.paths import shipped
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems

OURS = ("advanced-quickfire", "gq2", "quickfire", "quickfire-clone")


def our_systems() -> Mapping[str, RuleSystem]:
    """Our four, by the name that files use."""
    found = find_systems()
    return {name: found[name] for name in OURS}


EVERYBODYS = "yellow-sea-1904"
"""A scenario that can be played by all of them."""


@cache
def our_battles() -> Mapping[str, tuple[RuleSystem, Battle]]:
    """The scenarios on our shelf by their own rules, and one of them by those that have none of their own."""
    systems = our_systems()
    paths = sorted(shipped("scenarios").glob("*.toml"))
    found = {path.stem: load_scenario(path, systems) for path in paths}
    missing = [name for name in OURS if name not in {system.name for system, _ in found.values()}]
    return found | {f"{EVERYBODYS} {name}": load_scenario(EVERYBODYS, systems, name) for name in missing}
