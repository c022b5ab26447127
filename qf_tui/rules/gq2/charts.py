"""Reading the tables: odds columns, what each cell means, and what an overlay may hold (GQ2-CHA).

A cell of a battle is its print, as saves and overlays have it. Each print is read once, by the reader of its
table, which also says what a file may hold.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

from qf_tui.core.declarations import ChartShape, FieldSpec, expecting, named, numbers, unread
from qf_tui.core.values import Battle, ChartCell, ChartRow, Provenance
from qf_tui.rules.gq2.clauses import option

NO_BAND = "-"
BANDS = tuple(str(band) for band in range(9, -1, -1))
MOST = 20
"""The greatest number that a torpedo stick may print."""

SMALLEST = Fraction(3)
"""Guns below this many inches use the stick of these (GQ2-GUN-9)."""

RED, BLUE = "red", "blue"
ZONES: Mapping[str, tuple[int, int]] = {RED: (9, 7), BLUE: (2, 0)}
"""The bands of each colour on the usual stick, the nearest and the farthest (GQ2-GUN-4)."""

TORPEDOES = ("standard", "light")
CALIBRE_MOST = 24
"""The greatest calibre of a stick, in inches."""

_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?", re.ASCII)

NONE, SUNK, EXPLODES = "-", "Sunk", "explodes"

ODDS: Mapping[str, Fraction] = {
    "1:3": Fraction(1, 3),
    "1:2": Fraction(1, 2),
    "1:1½": Fraction(2, 3),
    "1:1": Fraction(1),
    "1½:1": Fraction(3, 2),
    "2:1": Fraction(2),
    "3:1": Fraction(3),
    "4:1": Fraction(4),
    "5:1": Fraction(5),
    "6:1": Fraction(6),
}
"""The columns of the gunnery table, and what AF over DF each wants."""

ODDS_COLUMNS = tuple(ODDS)
ROWS = ("0", "1", "2", "3", "4", "5", "6+")

DF_COLUMNS: Mapping[str, tuple[Fraction, int | None]] = {
    "½-1": (Fraction(1, 2), 1),
    "1½-2": (Fraction(3, 2), 2),
    "3-4": (Fraction(3), 4),
    "5-6": (Fraction(5), 6),
    "7-8": (Fraction(7), 8),
    "9-10": (Fraction(9), 10),
    "11-12": (Fraction(11), 12),
    "13+": (Fraction(13), None),
}
"""The columns of the torpedo table, and the least and the greatest DF of each."""

FIRE_CONTROL, BRIDGE, RUDDER = "fire control", "bridge", "rudder"
DAMAGE_CONTROL, STEAM_LINE, BOILER_ROOM = "damage control", "steam line", "boiler room"
BULKHEAD, BARBETTE = "bulkhead", "barbette"
HITS = (FIRE_CONTROL, BRIDGE, RUDDER, DAMAGE_CONTROL, STEAM_LINE, BOILER_ROOM, BULKHEAD, BARBETTE)
_ARMORED = " (A)"
"""Ends the print of a critical hit that needs penetration (GQ2-CRI-A)."""

FLASH, LISTED, OTHERS = "flash protection", "listed navies", "others"

_BOXES = r"(?:-|[0-9]{0,2}½|[0-9]{1,2})"
_GUNNERY = re.compile(rf"({_BOXES})(\+C)?|(C)", re.ASCII)
_TORPEDO = re.compile(rf"({_BOXES})/({_BOXES})(\+C)?", re.ASCII)


@frozen
class GunLoss:
    """What a cell of the gunnery table does: halves of boxes, and whether blue calls for a critical hit."""

    halves: int = 0
    critical: bool = False


@frozen
class BoxLoss:
    """What a cell of the torpedo table takes, in halves of boxes, and whether it calls for a critical hit."""

    hull: int = 0
    armament: int = 0
    critical: bool = False
    sunk: bool = False


@frozen
class CriticalHit:
    """A critical hit by its name, and whether it needs penetration (GQ2-CRI-A)."""

    name: str = NONE
    armored: bool = False


@frozen
class BarbetteLoss:
    """What a hit on a barbette does: armament boxes, or the ship explodes (GQ2-CRI-9)."""

    boxes: int = 0
    explodes: bool = False


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
    return ZONES[colour] if cell is None else _bands(cell.text)


def in_zone(battle: Battle, calibre: Fraction, colour: str, band: int) -> bool:
    """Whether a band is of a colour on the stick of a calibre (GQ2-GUN-4)."""
    nearest, farthest = zone(battle, calibre, colour)
    return farthest <= band <= nearest


def penetrated(battle: Battle, calibre: Fraction, band: int, df: Fraction, *, he: bool) -> bool:
    """Whether a band penetrates a DF, if a file says so (GQ2-GUN-10).

    HE penetrates three levels worse than printed, guns that borrow a stick one (GQ2-GUN-7, GQ2-GUN-9).
    """
    row, levels = _row(battle, "penetration", calibre), 3 * he + (calibre < SMALLEST)
    if row is None:
        return False
    by_band = option(battle, "penetration_level") == "band"
    cell = row.cells.get(str(band - levels if by_band else band))
    if cell is None or cell.text == NO_BAND:
        return False
    return df <= _number(cell.text) - (0 if by_band else levels)


def _row(battle: Battle, table: str, calibre: Fraction | str) -> ChartRow | None:
    """The line of a calibre: its own, or one that spans it, as `3-4`."""
    chart = battle.charts.get(table)
    rows = chart.rows if chart else {}
    if isinstance(calibre, str):
        return rows.get(calibre)
    wanted = max(calibre, SMALLEST)
    lines = ((_calibres(name), row) for name, row in rows.items())
    fitting = [row for of, row in lines if of and of[0] <= wanted <= of[1]]
    return min(fitting, key=lambda row: "-" in row.name, default=None)


@lru_cache(maxsize=256)
def _calibres(name: str) -> tuple[Fraction, Fraction] | None:
    """The least and the greatest calibre that the name of a line means; None if it names none."""
    parts = name.split("-")
    if len(parts) > 2 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    least, most = Fraction(parts[0]), Fraction(parts[-1])
    return (least, most) if 0 < least <= most <= CALIBRE_MOST else None


@lru_cache(maxsize=256)
def _bands(text: str) -> tuple[int, int]:
    """The bands of a colour as a file's reader puts them into a cell, `9-7`."""
    first, last = text.split("-")
    return int(first), int(last)


@lru_cache(maxsize=256)
def _number(text: str) -> Fraction:
    """A length or a DF as printed; ValueError for what is neither."""
    if text == NO_BAND:
        return Fraction(0)
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(text)
    return Fraction(text)


def gunnery_cell(battle: Battle, column: str, die: int) -> tuple[GunLoss, ChartCell]:
    """What a die that bands have changed already does in a column, and its cell."""
    cell = _cell(battle, "gunnery", str(die) if die < 6 else "6+", column)
    return _gunnery(cell.text), cell


def torpedo_cell(battle: Battle, column: str, die: int) -> tuple[BoxLoss, ChartCell]:
    """What a die does in a column of the torpedo table, and its cell."""
    cell = _cell(battle, "torpedo", str(die), column)
    return _torpedo(cell.text), cell


def critical_cell(battle: Battle, die: int) -> tuple[CriticalHit, ChartCell]:
    """The critical hit of a die, and its cell."""
    cell = _cell(battle, "critical", "hit", str(die))
    return CriticalHit() if cell.text == NONE else _critical(cell.text), cell


def barbette_cell(battle: Battle, row: str, die: int) -> tuple[BarbetteLoss, ChartCell]:
    """What a die does in a line of the barbette table, and its cell."""
    cell = _cell(battle, "barbette", row, str(die))
    return BarbetteLoss() if cell.text == NONE else _barbette(cell.text), cell


def _cell(battle: Battle, table: str, row: str, column: str) -> ChartCell:
    """A cell; one that an overlay took away has nothing in it."""
    rows = battle.charts[table].rows
    blank = ChartCell(
        "-/-" if table == "torpedo" else NONE, Provenance.OWN, "the umpire's chart has no such line"
    )
    return rows[row].cells.get(column, blank) if row in rows else blank


def odds_column(battle: Battle, af: Fraction, df: Fraction, *, he: bool = False) -> str | None:
    """The column of AF over DF; None below 1:3 (GQ2-GUN-3, GQ2-GUN-7)."""
    wanted = [ratio * df for ratio in ODDS.values()]
    place, last = sum(least <= af for least in wanted) - 1, len(wanted) - 1
    rounding = option(battle, "odds_rounding")
    if rounding != "down" and 0 <= place < last and af != wanted[place]:
        place += rounding == "up" or wanted[place + 1] - af < af - wanted[place]
    place = min(place + he, last)
    return ODDS_COLUMNS[place] if place >= 0 else None


def df_column(battle: Battle, df: Fraction, *, light: bool = False) -> str:
    """The column of a DF for a torpedo, one to the right for light ones (GQ2-TOR-3, GQ2-TOR-5)."""
    columns = list(DF_COLUMNS)
    place = max(0, sum(least <= df for least, _ in DF_COLUMNS.values()) - 1)
    most = DF_COLUMNS[columns[place]][1]
    place += option(battle, "df_between") == "right" and most is not None and df > most
    return columns[min(place + light, len(columns) - 1)]


@lru_cache(maxsize=256)
def _gunnery(text: str) -> GunLoss:
    match = _GUNNERY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return GunLoss(_halves(match[1] or NONE), bool(match[2] or match[3]))


@lru_cache(maxsize=256)
def _torpedo(text: str) -> BoxLoss:
    if text == SUNK:
        return BoxLoss(sunk=True)
    match = _TORPEDO.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return BoxLoss(_halves(match[1]), _halves(match[2]), bool(match[3]))


@lru_cache(maxsize=256)
def _critical(text: str) -> CriticalHit:
    name = text.removesuffix(_ARMORED)
    if name not in HITS:
        raise ValueError(text)
    return CriticalHit(name, name != text)


@lru_cache(maxsize=256)
def _barbette(text: str) -> BarbetteLoss:
    if text == EXPLODES:
        return BarbetteLoss(explodes=True)
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise ValueError(text)
    return BarbetteLoss(int(text))


def _halves(text: str) -> int:
    """Boxes as printed, `1½` or `-`, in halves."""
    whole = text.removesuffix("½")
    return 0 if text == NONE else 2 * int(whole or 0) + (whole != text)


_calibre_fault = expecting(
    "a calibre in inches, as `12`, or a span of them, as `3-4`", lambda name: _calibres(name) is not None
)


def _stick_fault(name: str) -> str | None:
    fault = _calibre_fault(name)
    return None if name in TORPEDOES or fault is None else f"{fault}; or {' or '.join(TORPEDOES)}"


_band_fault = expecting(
    f"a band's number, 0 to 9 on a rangefinder, to {MOST} on a torpedo stick",
    lambda name: name.isascii() and name.isdigit() and int(name[:3]) <= MOST,
)


_D6 = numbers(1, 6)
_ENDS = (
    FieldSpec("nearest", "int", "its nearest band", most=int(BANDS[0])),
    FieldSpec("farthest", "int", "its farthest band", most=int(BANDS[0])),
)
_SPANS = tuple(
    FieldSpec(colour, "numbers", f"the {colour} bands of a stick, if not {near} to {far}", parts=_ENDS)
    for colour, (near, far) in ZONES.items()
)

SHAPES: Mapping[str, ChartShape] = {
    "gunnery": ChartShape(
        ODDS_COLUMNS, unread(_gunnery, f"{NONE}, boxes as `1½`, C, or both as `½+C`"), named(*ROWS)
    ),
    "torpedo": ChartShape(
        tuple(DF_COLUMNS),
        unread(_torpedo, f"{SUNK}, or hull and armament as `2/1`, `½/-` or `3/2+C`"),
        named(*_D6),
    ),
    "critical": ChartShape(
        numbers(0, 9),
        unread(_critical, f"one of {', '.join(HITS)}, each with (A) behind it or not"),
        named("hit"),
    ),
    "barbette": ChartShape(
        _D6, unread(_barbette, f"armament boxes, or {EXPLODES}"), named(FLASH, LISTED, OTHERS)
    ),
    "stick": ChartShape(
        BANDS,
        unread(_number, f"the band's length in inches, as `3.5`, or {NO_BAND} for no such band"),
        _stick_fault,
        _band_fault,
        own=True,
        spans=_SPANS,
    ),
    "penetration": ChartShape(
        BANDS,
        unread(_number, f"the greatest DF penetrated, as `9`, or {NO_BAND} for none"),
        _calibre_fault,
        own=True,
    ),
}
