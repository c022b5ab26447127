"""Reads the tables of General Quarters 2: odds columns, the meaning of each cell, the shape of an overlay.

Battles, saves and overlays (an umpire's own cells) hold each cell as its printed text. Each table has a
reader for these texts, which caches what it has read. The check of an overlay uses the same readers.

Rule: GQ2-CHA.
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
"""Text of a band that a stick lacks, or in which a gun penetrates nothing."""

BANDS = tuple(str(band) for band in range(9, -1, -1))
"""Bands of a gunnery stick, from the nearest to the farthest."""

STICK_MOST = 20
"""Greatest number on a torpedo stick."""

SMALLEST_STICK_IN = Fraction(3)
"""Caliber in inches of the smallest stick, which smaller guns use too (GQ2-GUN-9)."""

RED, BLUE = "red", "blue"
ZONES: Mapping[str, tuple[int, int]] = {RED: (9, 7), BLUE: (2, 0)}
"""Nearest and farthest band of each color on the usual stick (GQ2-GUN-4)."""

TORPEDOES = ("standard", "light")
"""Kinds of torpedoes; each has a stick."""

CALIBRE_MOST_IN = 24
"""Greatest caliber of a stick."""

_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?", re.ASCII)

NONE, SUNK, EXPLODES = "-", "Sunk", "explodes"
"""Texts of cells: no effect, a torpedo that sinks the ship, a barbette hit that blows her up."""

LEAST_RATIO_BY_COLUMN: Mapping[str, Fraction] = {
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

GUNNERY_COLUMNS = tuple(LEAST_RATIO_BY_COLUMN)
GUNNERY_ROWS = ("0", "1", "2", "3", "4", "5", "6+")
"""Rows of the gunnery table, by the red or the blue die."""

DF_RANGE_BY_COLUMN: Mapping[str, tuple[Fraction, int | None]] = {
    "½-1": (Fraction(1, 2), 1),
    "1½-2": (Fraction(3, 2), 2),
    "3-4": (Fraction(3), 4),
    "5-6": (Fraction(5), 6),
    "7-8": (Fraction(7), 8),
    "9-10": (Fraction(9), 10),
    "11-12": (Fraction(11), 12),
    "13+": (Fraction(13), None),
}
"""Columns of the torpedo table, each with its least and greatest DF; None for no greatest."""

FIRE_CONTROL, BRIDGE, RUDDER = "fire control", "bridge", "rudder"
DAMAGE_CONTROL, STEAM_LINE, BOILER_ROOM = "damage control", "steam line", "boiler room"
BULKHEAD, BARBETTE = "bulkhead", "barbette"
HITS = (FIRE_CONTROL, BRIDGE, RUDDER, DAMAGE_CONTROL, STEAM_LINE, BOILER_ROOM, BULKHEAD, BARBETTE)
_ARMORED = " (A)"
"""End of the printed text of a critical hit that needs penetration (GQ2-CRI-A)."""

FLASH, LISTED, OTHERS = "flash protection", "listed navies", "others"
"""Rows of the barbette table."""

_BOXES = r"(?:-|[0-9]{0,2}½|[0-9]{1,2})"
_GUNNERY = re.compile(rf"({_BOXES})(\+C)?|(C)", re.ASCII)
_TORPEDO = re.compile(rf"({_BOXES})/({_BOXES})(\+C)?", re.ASCII)


@frozen
class GunLoss:
    """The effect of a gunnery cell: half boxes lost, and whether the blue die causes a critical hit there."""

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
    """Find the band that a distance falls in; at the edge of two bands, the nearer one.

    Returns:
        The number of the band; None beyond the stick, or if there is no stick for the caliber.
    """
    row = _find_row(battle, "stick", calibre)
    if row is None:
        return None
    # The band with the greatest number lies at the shooter. The other cells hold the zones of the colors.
    bands = sorted((int(name) for name in row.cells if name.isdigit()), reverse=True)
    far_edge = Fraction(0)
    for band in bands:
        # A band of length 0 is not on this stick.
        length = _read_number(row.cells[str(band)].text)
        far_edge += length
        if length and distance <= far_edge:
            return band
    return None


def has_stick(battle: Battle, calibre: Fraction | str) -> bool:
    """Return whether the umpire's file has a stick for a caliber, or for `standard` or `light` torpedoes."""
    row = _find_row(battle, "stick", calibre)
    # A row may hold only the bands of colors.
    return row is not None and any(name.isdigit() for name in row.cells)


def find_zone(battle: Battle, calibre: Fraction, colour: str) -> tuple[int, int]:
    """Return the nearest and the farthest band of a color on the stick of a caliber.

    They are the usual bands unless the umpire's file names others.

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
    # The nearer a band, the greater its number.
    return farthest <= band <= nearest


def is_penetrated(battle: Battle, calibre: Fraction, band: int, df: Fraction, *, he: bool) -> bool:
    """Return whether a gun penetrates a DF at a band; False if the umpire's file has no figure for it.

    HE penetrates three levels worse than printed, and guns below the smallest stick one level worse. A level
    is a point of DF, or by a switch a band.

    Rule: GQ2-GUN-7, GQ2-GUN-9, GQ2-GUN-10.
    """
    row = _find_row(battle, "penetration", calibre)
    if row is None:
        return False
    levels_worse = 3 * he + (calibre < SMALLEST_STICK_IN)
    by_band = read_option(battle, "penetration_level") == "band"
    bands_worse, df_worse = (levels_worse, 0) if by_band else (0, levels_worse)
    cell = row.cells.get(str(band - bands_worse))
    if cell is None or cell.text == NO_BAND:
        return False
    return df <= _read_number(cell.text) - df_worse


def _find_row(battle: Battle, table: str, calibre: Fraction | str) -> ChartRow | None:
    """Find the row for a caliber or a kind of torpedo; None if the umpire's file has none.

    A row for just this caliber comes before one for a range, such as `3-4`. Guns below the smallest stick use
    its row.
    """
    chart = battle.charts.get(table)
    rows = chart.rows if chart else {}
    if isinstance(calibre, str):
        return rows.get(calibre)
    stick_calibre = max(calibre, SMALLEST_STICK_IN)
    spans = ((_read_calibres(name), row) for name, row in rows.items())
    fitting = [row for span, row in spans if span and span[0] <= stick_calibre <= span[1]]
    # False sorts before True, so a single caliber comes before a range.
    return min(fitting, key=lambda row: "-" in row.name, default=None)


@lru_cache(maxsize=256)
def _read_calibres(name: str) -> tuple[Fraction, Fraction] | None:
    """Read the least and the greatest caliber from a row's name, `12` or `3-4`; None if it names none."""
    parts = name.split("-")
    if len(parts) > 2 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    least, most = Fraction(parts[0]), Fraction(parts[-1])
    return (least, most) if 0 < least <= most <= CALIBRE_MOST_IN else None


@lru_cache(maxsize=256)
def _read_bands(text: str) -> tuple[int, int]:
    """Read the nearest and the farthest band from a cell: `9-7` gives (9, 7).

    The nearer a band, the greater its number.
    """
    nearest, farthest = text.split("-")
    return int(nearest), int(farthest)


@lru_cache(maxsize=256)
def _read_number(text: str) -> Fraction:
    """Read a printed length or DF, such as `3.5`; `-` is 0.

    Raises:
        ValueError: The text is neither a number nor `-`.
    """
    if text == NO_BAND:
        return Fraction(0)
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(text)
    return Fraction(text)


def look_up_gunnery(battle: Battle, column: str, die: int) -> tuple[GunLoss, ChartCell]:
    """Look up the effect of a die in a gunnery column, and its cell.

    Args:
        die: Face of the red or the blue die, less one if the bands take one off.
    """
    cell = _find_cell(battle, "gunnery", str(die) if die < 6 else "6+", column)
    return _read_gunnery(cell.text), cell


def look_up_torpedo(battle: Battle, column: str, die: int) -> tuple[BoxLoss, ChartCell]:
    """Look up the effect of a die in a torpedo column, and its cell."""
    cell = _find_cell(battle, "torpedo", str(die), column)
    return _read_torpedo(cell.text), cell


def look_up_critical(battle: Battle, die: int) -> tuple[CriticalHit, ChartCell]:
    """Look up the critical hit of a die, and its cell."""
    cell = _find_cell(battle, "critical", "hit", str(die))
    # Only a cell that an overlay removed has no effect.
    return CriticalHit() if cell.text == NONE else _read_critical(cell.text), cell


def look_up_barbette(battle: Battle, row: str, die: int) -> tuple[BarbetteLoss, ChartCell]:
    """Look up the effect of a die in a row of the barbette table, and its cell."""
    cell = _find_cell(battle, "barbette", row, str(die))
    # Only a cell that an overlay removed has no effect.
    return BarbetteLoss() if cell.text == NONE else _read_barbette(cell.text), cell


def _find_cell(battle: Battle, table: str, row: str, column: str) -> ChartCell:
    """Return a cell of a table, or a cell without effect if the umpire's chart removed it."""
    rows = battle.charts[table].rows
    # A torpedo cell has two parts: hull and armament.
    blank = ChartCell(
        "-/-" if table == "torpedo" else NONE, Provenance.OWN, "the umpire's chart has no such line"
    )
    return rows[row].cells.get(column, blank) if row in rows else blank


def find_odds_column(battle: Battle, af: Fraction, df: Fraction, *, he: bool = False) -> str | None:
    """Find the best gunnery column that the ratio of AF to DF reaches; HE takes the next to the right.

    By a switch a ratio between two columns takes the nearest, or always the better one.

    Returns:
        The column; None below 1:3, where HE still uses the column 1:3.

    Rule: GQ2-GUN-3, GQ2-GUN-7.
    """
    least_afs = [ratio * df for ratio in LEAST_RATIO_BY_COLUMN.values()]
    last = len(least_afs) - 1
    # -1 if AF reaches no column.
    index = sum(least <= af for least in least_afs) - 1
    rounding = read_option(battle, "odds_rounding")
    is_between_columns = 0 <= index < last and af != least_afs[index]
    if rounding != "down" and is_between_columns:
        next_is_nearer = least_afs[index + 1] - af < af - least_afs[index]
        if rounding == "up" or next_is_nearer:
            index += 1
    index = min(index + he, last)
    return GUNNERY_COLUMNS[index] if index >= 0 else None


def find_df_column(battle: Battle, df: Fraction, *, light: bool = False) -> str:
    """Find the torpedo column for a DF, one to the right for light torpedoes.

    A DF between two columns takes the one to the left, or by a switch the one to the right.

    Rule: GQ2-TOR-3, GQ2-TOR-5.
    """
    columns = list(DF_RANGE_BY_COLUMN)
    index = max(0, sum(least <= df for least, _ in DF_RANGE_BY_COLUMN.values()) - 1)
    _, greatest_df = DF_RANGE_BY_COLUMN[columns[index]]
    is_between = greatest_df is not None and df > greatest_df
    if is_between and read_option(battle, "df_between") == "right":
        index += 1
    return columns[min(index + light, len(columns) - 1)]


@lru_cache(maxsize=256)
def _read_gunnery(text: str) -> GunLoss:
    """Read a gunnery cell: boxes such as `1½`, `C` for a critical hit, or both.

    Raises:
        ValueError: The text is no such cell.
    """
    match = _GUNNERY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    # `C` stands after boxes in group 2, alone in group 3.
    return GunLoss(_read_half_boxes(match[1] or NONE), critical=bool(match[2] or match[3]))


@lru_cache(maxsize=256)
def _read_torpedo(text: str) -> BoxLoss:
    """Read a torpedo cell: `Sunk`, or boxes of hull and armament such as `2/1`, with `+C` for a critical hit.

    Raises:
        ValueError: The text is no such cell.
    """
    if text == SUNK:
        return BoxLoss(sunk=True)
    match = _TORPEDO.fullmatch(text)
    if match is None:
        raise ValueError(text)
    hull, armament = _read_half_boxes(match[1]), _read_half_boxes(match[2])
    return BoxLoss(hull, armament, critical=bool(match[3]))


@lru_cache(maxsize=256)
def _read_critical(text: str) -> CriticalHit:
    """Read a cell of the critical table: a hit of HITS, with ` (A)` if it needs penetration.

    Raises:
        ValueError: The text is no such cell.
    """
    name = text.removesuffix(_ARMORED)
    if name not in HITS:
        raise ValueError(text)
    return CriticalHit(name, armored=name != text)


@lru_cache(maxsize=256)
def _read_barbette(text: str) -> BarbetteLoss:
    """Read a barbette cell: a number of armament boxes, or `explodes`.

    Raises:
        ValueError: The text is no such cell.
    """
    if text == EXPLODES:
        return BarbetteLoss(explodes=True)
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise ValueError(text)
    return BarbetteLoss(int(text))


def _read_half_boxes(text: str) -> int:
    """Convert printed boxes to half boxes: `1½` gives 3, and `-` gives 0."""
    if text == NONE:
        return 0
    whole = text.removesuffix("½")
    half = whole != text
    return 2 * int(whole or 0) + half


_calibre_fault = build_text_check(
    "a calibre in inches, like `12`, or a range, like `3-4`", lambda name: _read_calibres(name) is not None
)


def _find_stick_fault(name: str) -> str | None:
    """Return the fault of a stick's name; None if it is a caliber or a kind of torpedo."""
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
"""The two numbers of a span of bands in an overlay."""

_SPANS = tuple(
    FieldSpec(colour, "numbers", f"the {colour} bands of a stick, if not {near} to {far}", parts=_ENDS)
    for colour, (near, far) in ZONES.items()
)

"""The bands that a stick may name in an overlay, by color."""

SHAPES: Mapping[str, ChartShape] = {
    "gunnery": ChartShape(
        GUNNERY_COLUMNS,
        build_reader_check(_read_gunnery, f"{NONE}, boxes like `1½`, C, or both like `½+C`"),
        build_choice_check(*GUNNERY_ROWS),
    ),
    "torpedo": ChartShape(
        tuple(DF_RANGE_BY_COLUMN),
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
"""The shape of each table. Sticks and penetration come only from an umpire's file."""
