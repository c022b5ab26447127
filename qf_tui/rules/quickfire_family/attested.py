"""What the Advanced Quickfire rules state of ships in their examples; the other games go by it too."""

from collections.abc import Mapping

from qf_tui.core.ratings import Attested

ATTESTED: Mapping[tuple[str, str], tuple[Attested, ...]] = {
    ("Japan", "mikasa"): (
        Attested("gunnery.heavy", 20, "AQF-EX-5"),
        Attested("rof.heavy", 7, "AQF-EX-5"),
    ),
    ("Russia", "borodino"): (Attested("armor.heavy", 10, "AQF-EX-5"),),
    ("France", "massena"): (
        Attested("gunnery.heavy", 16, "AQF-EX-8"),
        Attested("armor.heavy", 12, "AQF-EX-9"),
    ),
    ("USA", "ohio"): (
        Attested("gunnery.heavy", 19, "AQF-EX-9"),
        Attested("armor.heavy", 11, "AQF-EX-8"),
        Attested("rof.heavy", 6, "AQF-EX-9"),
    ),
    ("Britain", "sans-pareil"): (Attested("rof.heavy", 5, "AQF-EX-6"),),
    ("Britain", "hannibal"): (Attested("speed", 6, "AQF-EX-3"),),
}
