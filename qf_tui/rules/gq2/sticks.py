"""The umpire's sticks: from a measured range to the number of its band, and what it penetrates (GQ2-CHA-2).

A stick file is a chart file with a table `stick` (a line a calibre, or `standard` and `light` for torpedoes;
a cell a band, its length in inches of the rules, from 9 at the shooter outward) and a table `penetration`
(the greatest DF that each band penetrates). `red` and `blue`, of the file or of a line of `stick`, are the
bands of that colour where they are not the usual ones (GQ2-GUN-4).
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

from qf_tui.core.chart_shapes import unread
from qf_tui.core.charts import ChartRow
from qf_tui.core.system import CardField, ChartShape
from qf_tui.core.values import Battle
from qf_tui.rules.gq2.options import option

NONE = "-"
BANDS = tuple(str(band) for band in range(9, -1, -1))
MOST = 20
"""The greatest number that a torpedo stick may print."""

SMALLEST = Fraction(3)
"""Guns below this many inches use the stick of these (GQ2-GUN-9)."""

RED, BLUE = "red", "blue"
ZONES: Mapping[str, tuple[int, int]] = {RED: (9, 7), BLUE: (2, 0)}
"""The bands of each colour on the usual stick, the nearest and the farthest (GQ2-GUN-4)."""

HE_LEVELS, SMALL_LEVELS = 3, 1
TORPEDOES = ("standard", "light")
CALIBRE_MOST = 24
"""The greatest calibre of a stick, in inches."""

_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?", re.ASCII)


@frozen
class Calibres:
    """What guns a line of a stick file is for; `several`: for all from the least to the most."""

    least: Fraction
    most: Fraction
    several: bool = False


def band_at(battle: Battle, calibre: Fraction | str, distance: Fraction) -> int | None:
    """The number of the band that a distance falls in, the nearer one on an edge; None beyond the stick."""
    row = _row(battle, "stick", calibre)
    if row is None:
        return None
    edge = Fraction(0)
    for band in sorted((int(name) for name in row.cells if name.isdigit()), reverse=True):
        length = _number(row.cells[str(band)].text)
        edge += length
        if length and distance <= edge:
            return band
    return None


def has_stick(battle: Battle, calibre: Fraction | str) -> bool:
    """Whether the umpire's file has a stick for that calibre, or for `standard` or `light` torpedoes."""
    row = _row(battle, "stick", calibre)
    return row is not None and any(name.isdigit() for name in row.cells)


def zone(battle: Battle, calibre: Fraction, colour: str) -> tuple[int, int]:
    """The bands of a colour on the stick of a calibre, the nearest and the farthest (GQ2-GUN-4)."""
    row = _row(battle, "stick", calibre)
    cell = row.cells.get(colour) if row else None
    if cell is None:
        return ZONES[colour]
    return _bands(cell.text)


def penetrated(battle: Battle, calibre: Fraction, band: int, df: Fraction, levels: int) -> bool | None:
    """Whether a band penetrates a DF so many levels worse than printed; None if no file says (GQ2-GUN-10)."""
    row = _row(battle, "penetration", calibre)
    if row is None:
        return None
    by_band = option(battle, "penetration_level") == "band"
    cell = row.cells.get(str(band - levels if by_band else band))
    if cell is None or cell.text == NONE:
        return False
    return df <= _number(cell.text) - (0 if by_band else levels)


def levels_worse(calibre: Fraction, *, he: bool) -> int:
    """Levels by which HE, and guns that borrow another's stick, penetrate worse (GQ2-GUN-7, GQ2-GUN-9)."""
    return HE_LEVELS * he + SMALL_LEVELS * (calibre < SMALLEST)


def _row(battle: Battle, table: str, calibre: Fraction | str) -> ChartRow | None:
    """The line of a calibre: its own, or one that spans it, as `3-4`."""
    chart = battle.charts.get(table)
    rows = chart.rows if chart else {}
    if isinstance(calibre, str):
        return rows.get(calibre)
    wanted = max(calibre, SMALLEST)
    lines = ((_calibres(name), row) for name, row in rows.items())
    fitting = [(of.several, row) for of, row in lines if of and of.least <= wanted <= of.most]
    return min(fitting, key=lambda one: one[0], default=(False, None))[1]


@lru_cache(maxsize=256)
def _calibres(name: str) -> Calibres | None:
    """The calibres that the name of a line means: one, or a span of them; None if it names none."""
    parts = name.split("-")
    if len(parts) > 2 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    least, most = Fraction(parts[0]), Fraction(parts[-1])
    return Calibres(least, most, len(parts) > 1) if 0 < least <= most <= CALIBRE_MOST else None


@lru_cache(maxsize=256)
def _bands(text: str) -> tuple[int, int]:
    """The bands of a colour as a file's reader puts them into a cell, `9-7`."""
    first, last = text.split("-")
    return int(first), int(last)


@lru_cache(maxsize=256)
def _number(text: str) -> Fraction:
    """A length or a DF as printed; ValueError for what is neither."""
    if text == NONE:
        return Fraction(0)
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(text)
    return Fraction(text)


def _calibre_fault(name: str) -> str | None:
    if _calibres(name):
        return None
    return "expected a calibre in inches, as `12`, or a span of them, as `3-4`"


def _stick_fault(name: str) -> str | None:
    fault = _calibre_fault(name)
    return None if name in TORPEDOES or fault is None else f"{fault}; or {' or '.join(TORPEDOES)}"


def _band_fault(name: str) -> str | None:
    fine = name.isascii() and name.isdigit() and int(name[:3]) <= MOST
    return (
        None if fine else f"expected a band's number, 0 to 9 on a rangefinder, to {MOST} on a torpedo stick"
    )


_ENDS = (
    CardField("nearest", "int", "its nearest band", most=int(BANDS[0])),
    CardField("farthest", "int", "its farthest band", most=int(BANDS[0])),
)
_SPANS = tuple(
    CardField(colour, "numbers", f"the {colour} bands of a stick, if not {near} to {far}", parts=_ENDS)
    for colour, (near, far) in ZONES.items()
)
_LENGTH = f"the band's length in inches, as `3.5`, or {NONE} for no such band"
_DF = f"the greatest DF penetrated, as `9`, or {NONE} for none"
SHAPES: Mapping[str, ChartShape] = {
    "stick": ChartShape(BANDS, unread(_number, _LENGTH), _stick_fault, _band_fault, own=True, spans=_SPANS),
    "penetration": ChartShape(BANDS, unread(_number, _DF), _calibre_fault, own=True),
}
