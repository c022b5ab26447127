"""What the Quickfire chart guide states of ships: the values of its example."""

from collections.abc import Mapping

from qf_tui.core.ratings import Attested

ATTESTED: Mapping[tuple[str, str], tuple[Attested, ...]] = {
    ("France", "massena"): (Attested("gunnery.heavy", 16, "QF-EX-1"),),
    ("USA", "ohio"): (Attested("armor.heavy", 11, "QF-EX-1"),),
}
