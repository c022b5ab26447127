"""Reads the tables: odds columns, the meaning of each cell, and what an overlay may hold (GQ2-CHA).

A battle holds each cell as its printed text, like saves and overlays. The reader of its table reads each text
once, and also says which texts a file may hold.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

from qf_tui.core.declarations import (
    ChartShape,
    FieldSpec,
    build_choice_check,
    build_reader_check,
    build_text_check,
    list_numbers,
)
from qf_tui.core.values import Battle, ChartCell, ChartRow, Provenance
from qf_tui.rules.gq2.clauses import read_option

NO_BAND = "-"
BANDS = tuple(str(band) for band in range(9, -1, -1))
STICK_MOST = 20
"""Greatest number on a torpedo stick."""

SMALLEST_STICK_IN = Fraction(3)
"""Caliber in inches of the smallest stick, which smaller guns use too (GQ2-GUN-9)."""

RED, BLUE = "red", "blue"
ZONES: Mapping[str, tuple[int, int]] = {RED: (9, 7), BLUE: (2, 0)}
"""Nearest and farthest band of each color on the usual stick (GQ2-GUN-4)."""

TORPEDOES = ("standard", "light")
CALIBRE_MOST_IN = 24
"""Greatest caliber of a stick, in inches."""

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
"""Columns of the gunnery table, each with the least AF over DF."""

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
"""Columns of the torpedo table, each with its least and greatest DF."""

FIRE_CONTROL, BRIDGE, RUDDER = "fire control", "bridge", "rudder"
DAMAGE_CONTROL, STEAM_LINE, BOILER_ROOM = "damage control", "steam line", "boiler room"
BULKHEAD, BARBETTE = "bulkhead", "barbette"
HITS = (FIRE_CONTROL, BRIDGE, RUDDER, DAMAGE_CONTROL, STEAM_LINE, BOILER_ROOM, BULKHEAD, BARBETTE)
_ARMORED = " (A)"
"""End of the printed text of a critical hit that needs penetration (GQ2-CRI-A)."""

FLASH, LISTED, OTHERS = "flash protection", "listed navies", "others"

_BOXES = r"(?:-|[0-9]{0,2}½|[0-9]{1,2})"
_GUNNERY = re.compile(rf"({_BOXES})(\+C)?|(C)", re.ASCII)
_TORPEDO = re.compile(rf"({_BOXES})/({_BOXES})(\+C)?", re.ASCII)


@frozen
class GunLoss:
    """The effect of a gunnery cell: half boxes lost, and whether blue causes a critical hit."""

    halves: int = 0
    critical: bool = False


@frozen
class BoxLoss:
    """The effect of a torpedo cell: half boxes of hull and armament lost, a critical hit, or the sinking."""

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
    """The effect of a barbette hit: armament boxes lost, or the ship explodes (GQ2-CRI-9)."""

    boxes: int = 0
    explodes: bool = False


def find_band(battle: Battle, calibre: Fraction | str, distance: Fraction) -> int | None:
    """Find the band of a distance, the nearer one at an edge.

    Returns:
        The number of the band, or None beyond the stick or without one.
    """
    row = _find_row(battle, "stick", calibre)
    if row is None:
        return None
    edge = Fraction(0)
    for band in sorted((int(name) for name in row.cells if name.isdigit()), reverse=True):
        length = _read_number(row.cells[str(band)].text)
        edge += length
        if length and distance <= edge:
            return band
    return None


def has_stick(battle: Battle, calibre: Fraction | str) -> bool:
    """Return whether the umpire's file has a stick for a caliber, or for `standard` or `light` torpedoes."""
    row = _find_row(battle, "stick", calibre)
    return row is not None and any(name.isdigit() for name in row.cells)


def find_zone(battle: Battle, calibre: Fraction, colour: str) -> tuple[int, int]:
    """Return the nearest and the farthest band of a color on the stick of a caliber.

    Rule: GQ2-GUN-4.
    """
    row = _find_row(battle, "stick", calibre)
    cell = row.cells.get(colour) if row else None
    return ZONES[colour] if cell is None else _read_bands(cell.text)


def is_in_zone(battle: Battle, calibre: Fraction, colour: str, band: int) -> bool:
    """Return whether a band has a color on the stick of a caliber.

    Rule: GQ2-GUN-4.
    """
    nearest, farthest = find_zone(battle, calibre, colour)
    return farthest <= band <= nearest


def is_penetrated(battle: Battle, calibre: Fraction, band: int, df: Fraction, *, he: bool) -> bool:
    """Return whether a gun penetrates a DF at a band, by the umpire's file; False without a file.

    HE penetrates three levels worse than printed, and guns that borrow a stick one level worse.

    Rule: GQ2-GUN-7, GQ2-GUN-9, GQ2-GUN-10.
    """
    row, levels = _find_row(battle, "penetration", calibre), 3 * he + (calibre < SMALLEST_STICK_IN)
    if row is None:
        return False
    by_band = read_option(battle, "penetration_level") == "band"
    cell = row.cells.get(str(band - levels if by_band else band))
    if cell is None or cell.text == NO_BAND:
        return False
    return df <= _read_number(cell.text) - (0 if by_band else levels)


def _find_row(battle: Battle, table: str, calibre: Fraction | str) -> ChartRow | None:
    """Find the row of a caliber: its own, or one that spans it, such as `3-4`."""
    chart = battle.charts.get(table)
    rows = chart.rows if chart else {}
    if isinstance(calibre, str):
        return rows.get(calibre)
    wanted = max(calibre, SMALLEST_STICK_IN)
    lines = ((_read_calibres(name), row) for name, row in rows.items())
    fitting = [row for of, row in lines if of and of[0] <= wanted <= of[1]]
    return min(fitting, key=lambda row: "-" in row.name, default=None)


@lru_cache(maxsize=256)
def _read_calibres(name: str) -> tuple[Fraction, Fraction] | None:
    """Read the least and the greatest caliber from the name of a row; None if it names none."""
    parts = name.split("-")
    if len(parts) > 2 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    least, most = Fraction(parts[0]), Fraction(parts[-1])
    return (least, most) if 0 < least <= most <= CALIBRE_MOST_IN else None


@lru_cache(maxsize=256)
def _read_bands(text: str) -> tuple[int, int]:
    """Read the nearest and the farthest band from a cell such as `9-7`."""
    first, last = text.split("-")
    return int(first), int(last)


@lru_cache(maxsize=256)
def _read_number(text: str) -> Fraction:
    """Read a printed length or DF, or raise ValueError."""
    if text == NO_BAND:
        return Fraction(0)
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(text)
    return Fraction(text)


def look_up_gunnery(battle: Battle, column: str, die: int) -> tuple[GunLoss, ChartCell]:
    """Look up the effect of a die in a gunnery column, after the bands have changed the die."""
    cell = _find_cell(battle, "gunnery", str(die) if die < 6 else "6+", column)
    return _read_gunnery(cell.text), cell


def look_up_torpedo(battle: Battle, column: str, die: int) -> tuple[BoxLoss, ChartCell]:
    """Look up the effect of a die in a torpedo column."""
    cell = _find_cell(battle, "torpedo", str(die), column)
    return _read_torpedo(cell.text), cell


def look_up_critical(battle: Battle, die: int) -> tuple[CriticalHit, ChartCell]:
    """Look up the critical hit of a die."""
    cell = _find_cell(battle, "critical", "hit", str(die))
    return CriticalHit() if cell.text == NONE else _read_critical(cell.text), cell


def look_up_barbette(battle: Battle, row: str, die: int) -> tuple[BarbetteLoss, ChartCell]:
    """Look up the effect of a die in a row of the barbette table."""
    cell = _find_cell(battle, "barbette", row, str(die))
    return BarbetteLoss() if cell.text == NONE else _read_barbette(cell.text), cell


def _find_cell(battle: Battle, table: str, row: str, column: str) -> ChartCell:
    """Return a cell of a table, or a blank cell if an overlay removed it."""
    rows = battle.charts[table].rows
    blank = ChartCell(
        "-/-" if table == "torpedo" else NONE, Provenance.OWN, "the umpire's chart has no such line"
    )
    return rows[row].cells.get(column, blank) if row in rows else blank


def find_odds_column(battle: Battle, af: Fraction, df: Fraction, *, he: bool = False) -> str | None:
    """Find the gunnery column for AF over DF, one to the right for HE; None below 1:3.

    Rule: GQ2-GUN-3, GQ2-GUN-7.
    """
    wanted = [ratio * df for ratio in ODDS.values()]
    place, last = sum(least <= af for least in wanted) - 1, len(wanted) - 1
    rounding = read_option(battle, "odds_rounding")
    if rounding != "down" and 0 <= place < last and af != wanted[place]:
        place += rounding == "up" or wanted[place + 1] - af < af - wanted[place]
    place = min(place + he, last)
    return ODDS_COLUMNS[place] if place >= 0 else None


def find_df_column(battle: Battle, df: Fraction, *, light: bool = False) -> str:
    """Find the torpedo column for a DF, one to the right for light torpedoes.

    Rule: GQ2-TOR-3, GQ2-TOR-5.
    """
    columns = list(DF_COLUMNS)
    place = max(0, sum(least <= df for least, _ in DF_COLUMNS.values()) - 1)
    most = DF_COLUMNS[columns[place]][1]
    place += read_option(battle, "df_between") == "right" and most is not None and df > most
    return columns[min(place + light, len(columns) - 1)]


@lru_cache(maxsize=256)
def _read_gunnery(text: str) -> GunLoss:
    match = _GUNNERY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return GunLoss(_read_half_boxes(match[1] or NONE), bool(match[2] or match[3]))


@lru_cache(maxsize=256)
def _read_torpedo(text: str) -> BoxLoss:
    if text == SUNK:
        return BoxLoss(sunk=True)
    match = _TORPEDO.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return BoxLoss(_read_half_boxes(match[1]), _read_half_boxes(match[2]), bool(match[3]))


@lru_cache(maxsize=256)
def _read_critical(text: str) -> CriticalHit:
    name = text.removesuffix(_ARMORED)
    if name not in HITS:
        raise ValueError(text)
    return CriticalHit(name, name != text)


@lru_cache(maxsize=256)
def _read_barbette(text: str) -> BarbetteLoss:
    if text == EXPLODES:
        return BarbetteLoss(explodes=True)
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise ValueError(text)
    return BarbetteLoss(int(text))


def _read_half_boxes(text: str) -> int:
    """Convert printed boxes, such as `1½` or `-`, to half boxes."""
    whole = text.removesuffix("½")
    return 0 if text == NONE else 2 * int(whole or 0) + (whole != text)


_calibre_fault = build_text_check(
    "a calibre in inches, like `12`, or a range, like `3-4`", lambda name: _read_calibres(name) is not None
)


def _find_stick_fault(name: str) -> str | None:
    fault = _calibre_fault(name)
    return None if name in TORPEDOES or fault is None else f"{fault}; or {' or '.join(TORPEDOES)}"


_band_fault = build_text_check(
    f"a band's number, 0 to 9 on a rangefinder, to {STICK_MOST} on a torpedo stick",
    lambda name: name.isascii() and name.isdigit() and int(name[:3]) <= STICK_MOST,
)


_D6 = list_numbers(1, 6)
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
        ODDS_COLUMNS,
        build_reader_check(_read_gunnery, f"{NONE}, boxes like `1½`, C, or both like `½+C`"),
        build_choice_check(*ROWS),
    ),
    "torpedo": ChartShape(
        tuple(DF_COLUMNS),
        build_reader_check(_read_torpedo, f"{SUNK}, or hull and armament like `2/1`, `½/-` or `3/2+C`"),
        build_choice_check(*_D6),
    ),
    "critical": ChartShape(
        list_numbers(0, 9),
        build_reader_check(_read_critical, f"one of {', '.join(HITS)}, with or without (A) after it"),
        build_choice_check("hit"),
    ),
    "barbette": ChartShape(
        _D6,
        build_reader_check(_read_barbette, f"armament boxes, or {EXPLODES}"),
        build_choice_check(FLASH, LISTED, OTHERS),
    ),
    "stick": ChartShape(
        BANDS,
        build_reader_check(
            _read_number, f"the band's length in inches, like `3.5`, or {NO_BAND} for no band"
        ),
        _find_stick_fault,
        _band_fault,
        own=True,
        spans=_SPANS,
    ),
    "penetration": ChartShape(
        BANDS,
        build_reader_check(_read_number, f"the greatest DF penetrated, like `9`, or {NO_BAND} for none"),
        _calibre_fault,
        own=True,
    ),
}
