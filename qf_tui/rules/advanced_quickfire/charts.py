"""What the tables of the Advanced Quickfire chart may hold (AQF-CHA-2)."""

from collections.abc import Mapping

from qf_tui.core.system import ChartShape
from qf_tui.rules.quickfire_family.chart import (
    CHECK_WORDS,
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

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(_FACES, hits_fault, percent_fault),
    "blast": ChartShape(
        (*numbers(2, 12), "13+"), _BLAST, named("long", "medium", "pb"), total_fault(2, 24, "13+")
    ),
    "damage": ChartShape(_FACES, _DAMAGE, named(*_DAMAGE_ROWS)),
    "sinking": ChartShape(
        ("2", "3", "4", "5", "6", "7", "8+"),
        number_fault("the greatest roll that sinks", 1, 12),
        named("sinks-on"),
    ),
}
