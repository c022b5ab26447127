"""What is stated of ships: by the example of the Quickfire chart guide, else by those of Advanced Quickfire.

These hold where both games have the same value: the guide's example states two of them alike.
"""

from collections.abc import Mapping

from qf_tui.core.ratings import Attested
from qf_tui.rules.quickfire.rating import SAME
from qf_tui.rules.quickfire_family.attested import ATTESTED as ADVANCED

_OWN = {
    ("France", "massena"): (Attested("gunnery.heavy", 16, "QF-EX-1"),),
    ("USA", "ohio"): (Attested("armor.heavy", 11, "QF-EX-1"),),
}
_ALIKE = {
    ship: {one.key: one for one in (*stated, *_OWN.get(ship, ())) if one.key in SAME}
    for ship, stated in ADVANCED.items()
}
ATTESTED: Mapping[tuple[str, str], tuple[Attested, ...]] = {
    ship: tuple(stated.values()) for ship, stated in _ALIKE.items()
}
