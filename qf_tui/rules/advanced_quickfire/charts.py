"""What the tables of the Advanced Quickfire chart may hold (AQF-CHA-2)."""

from collections.abc import Mapping

from qf_tui.core.system import AttestedSet, ChartShape
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
    NONE,
    codes_fault,
    hits_fault,
    named,
    number_fault,
    numbers,
    percent_fault,
    total_fault,
)

CODES = ("B", "D", "E", "F", "G", "R", "S", "SX", "T")
"""The damage codes that an order or a chart may hold."""

_DAMAGE_ROWS = ("explosion", "t-hit", "fire-check", "sx-check", "repair", "repair-p", "boat-guns")
_EXAMPLE = "`2G` or `SX G`"
_FACES = numbers(1, 12)
_BLAST = codes_fault(CODES, _EXAMPLE)
_DAMAGE = codes_fault((*CODES, *CHECK_WORDS), _EXAMPLE)

_GUIDE_BOATS = AttestedSet(
    "boat-guns",
    ("2", "5", "9"),
    lambda texts: sorted(texts) == ["B", "S", "T"],
    "one of them is attested as B, one as S and one as T (G, boat guns at a destroyer)",
)
_GUIDE_125 = AttestedSet(
    "125",
    numbers(1, 9),
    lambda texts: not {NONE, "0"} & set(texts),
    "all of them are attested as hits (G, Massena at Ohio)",
)

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(_FACES, hits_fault, percent_fault, sets=(_GUIDE_125,)),
    "blast": ChartShape(
        (*numbers(2, 12), "13+"), _BLAST, named("long", "medium", "pb"), total_fault(2, 24, "13+")
    ),
    "damage": ChartShape(_FACES, _DAMAGE, named(*_DAMAGE_ROWS), sets=(_GUIDE_BOATS,), apart=True),
    "sinking": ChartShape(
        ("2", "3", "4", "5", "6", "7", "8+"),
        number_fault("the greatest roll that sinks", 1, 12),
        named("sinks-on"),
    ),
}
