"""What the tables of the Quickfire chart may hold (QF-CHA-2)."""

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

CODES = ("D", "E", "F", "G", "R", "S", "T")
"""The damage codes that an order or a chart may hold."""

SIZES = ("11+", "7-10", "4-6", "2-3", "1")
"""The columns of the sinking table."""

_EXAMPLE = "`2G` or `F 4S`"
_TWO_DICE = numbers(2, 12)
_CODES = codes_fault(CODES, _EXAMPLE)

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(("total",), number_fault("the greatest total that hits", 2, 12), percent_fault),
    "hits": ChartShape(numbers(2, 12), hits_fault, named("hits")),
    "blast": ChartShape(
        (*numbers(3, 8), "9+"), _CODES, named("long", "short", "pb"), total_fault(3, 18, "9+")
    ),
    "damage": ChartShape(
        _TWO_DICE,
        codes_fault((*CODES, *CHECK_WORDS), _EXAMPLE),
        named("explosion", "fire-check", "repair", "repair-p"),
        apart=True,
    ),
    "torpedo": ChartShape(
        numbers(1, 4), number_fault("the greatest roll that strikes", 2, 12), named("moving", "static")
    ),
    "boat-guns": ChartShape(numbers(1, 6), _CODES, named("boat-guns")),
    "sinking": ChartShape(SIZES, number_fault("the greatest roll that sinks", 2, 12), named("sinks-on")),
}
