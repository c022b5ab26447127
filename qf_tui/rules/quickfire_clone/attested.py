"""What the Quickfire-Clone rules state of ships: Mikasa's sheet."""

from collections.abc import Mapping

from qf_tui.core.ratings import Attested

ATTESTED: Mapping[tuple[str, str], tuple[Attested, ...]] = {
    ("Japan", "mikasa"): (
        Attested("size", 15, "QFC-LOG-1"),
        Attested("gunnery.heavy", 10, "QFC-LOG-1"),
        Attested("gunnery.light", 8, "QFC-LOG-1"),
        Attested("armor.heavy", 8, "QFC-LOG-1"),
        Attested("armor.light", 16, "QFC-LOG-1"),
        Attested("rof.heavy", 5, "QFC-LOG-1"),
        Attested("rof.light", 6, "QFC-LOG-1"),
        Attested("torpedo", 2, "QFC-LOG-1"),
        Attested("speed", 120, "QFC-LOG-1"),
        Attested("repair", 7, "QFC-LOG-1"),
    ),
}
