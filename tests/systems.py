"""The rule systems that come with the program.

What the tests go through, whatever else is installed beside them.
"""

from collections.abc import Mapping

from qf_tui.core.system import RuleSystem
from qf_tui.library.systems import find_systems

OURS = ("advanced-quickfire", "gq2", "quickfire", "quickfire-clone")


def our_systems() -> Mapping[str, RuleSystem]:
    """Our four, by the name that files use."""
    found = find_systems()
    return {name: found[name] for name in OURS}
