"""Reading the tables: odds columns, boxes in halves, and what an overlay may hold (GQ2-CHA)."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.charts import ChartCell, Provenance
from qf_tui.core.system import ChartShape
from qf_tui.core.values import Battle
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.sticks import SHAPES as STICKS

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

COLUMNS = tuple(ODDS)
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
ARMORED = " (A)"
"""Ends a critical hit that needs penetration (GQ2-CRI-A)."""

FLASH, LISTED, OTHERS = "flash protection", "listed navies", "others"

_BOXES = r"(?:-|[0-9]{0,2}½|[0-9]{1,2})"
_GUNNERY = re.compile(rf"(?:({_BOXES})|({_BOXES})\+C|C)", re.ASCII)
_TORPEDO = re.compile(rf"({_BOXES})/({_BOXES})(\+C)?", re.ASCII)


@frozen
class BoxLoss:
    """What a cell takes, in halves of boxes, and whether it calls for a critical hit."""

    hull: int = 0
    armament: int = 0
    critical: bool = False
    sunk: bool = False


def in_halves(text: str) -> int:
    """Boxes as printed, `1½` or `-`, in halves."""
    if text in ("", NONE):
        return 0
    whole = text.removesuffix("½")
    return 2 * int(whole or 0) + text.endswith("½")


def gunnery_cell(battle: Battle, column: str, die: int) -> tuple[int, bool, ChartCell]:
    """Halves of boxes, whether there is a C, and the cell of a die that bands have changed already."""
    cell = cell_of(battle, "gunnery", str(die) if die < 6 else "6+", column)
    boxes, plus, critical = cell.text.partition("+")
    if boxes == "C":
        return 0, True, cell
    return in_halves(boxes), bool(plus and critical), cell


def torpedo_cell(battle: Battle, column: str, die: int) -> tuple[BoxLoss, ChartCell]:
    """What a die does in a column of the torpedo table, and its cell."""
    cell = cell_of(battle, "torpedo", str(die), column)
    if cell.text == SUNK:
        return BoxLoss(sunk=True), cell
    hull, armament = cell.text.removesuffix("+C").split("/")
    return BoxLoss(in_halves(hull), in_halves(armament), cell.text.endswith("+C")), cell


def cell_of(battle: Battle, table: str, row: str, column: str) -> ChartCell:
    """A cell; one that an overlay took away has nothing in it."""
    rows = battle.charts[table].rows
    blank = ChartCell(
        "-/-" if table == "torpedo" else NONE, Provenance.OWN, "the umpire's chart has no such line"
    )
    return rows[row].cells.get(column, blank) if row in rows else blank


def odds_column(battle: Battle, af: Fraction, df: Fraction, *, he: bool = False) -> str | None:
    """The column of AF over DF; None below 1:3 (GQ2-GUN-3, GQ2-GUN-7)."""
    ratios = list(ODDS.values())
    place = sum(ratio * df <= af for ratio in ratios) - 1
    rounding = option(battle, "odds_rounding")
    if rounding != "down" and 0 <= place < len(ratios) - 1 and af != ratios[place] * df:
        above = ratios[place + 1] * df - af
        place += rounding == "up" or above < af - ratios[place] * df
    if he:
        place = min(place + 1, len(ratios) - 1)
    return COLUMNS[place] if place >= 0 else None


def df_column(battle: Battle, df: Fraction, *, light: bool = False) -> str:
    """The column of a DF for a torpedo, one to the right for light ones (GQ2-TOR-3, GQ2-TOR-5)."""
    columns = list(DF_COLUMNS)
    place = max(0, sum(least <= df for least, _ in DF_COLUMNS.values()) - 1)
    most = DF_COLUMNS[columns[place]][1]
    place += option(battle, "df_between") == "right" and most is not None and df > most
    return columns[min(place + light, len(columns) - 1)]


def _gunnery_fault(text: str) -> str | None:
    if _GUNNERY.fullmatch(text):
        return None
    return f"expected {NONE}, boxes as `1½`, C, or both as `½+C`"


def _torpedo_fault(text: str) -> str | None:
    if text == SUNK or _TORPEDO.fullmatch(text):
        return None
    return f"expected {SUNK}, or hull and armament as `2/1`, `½/-` or `3/2+C`"


def _critical_fault(text: str) -> str | None:
    known = {name + end for name in HITS for end in ("", ARMORED)}
    return None if text in known else f"expected one of {', '.join(HITS)}, each with (A) behind it or not"


def _barbette_fault(text: str) -> str | None:
    fine = text == EXPLODES or (text.isascii() and text.isdigit() and len(text) < 3)
    return None if fine else f"expected armament boxes, or {EXPLODES}"


def _named(*names: str) -> Callable[[str], str | None]:
    return lambda name: None if name in names else f"expected one of {', '.join(names)}"


_D6 = tuple(str(face) for face in range(1, 7))

SHAPES: Mapping[str, ChartShape] = {
    "gunnery": ChartShape(COLUMNS, _gunnery_fault, _named(*ROWS)),
    "torpedo": ChartShape(tuple(DF_COLUMNS), _torpedo_fault, _named(*_D6)),
    "critical": ChartShape(tuple(str(face) for face in range(10)), _critical_fault, _named("hit")),
    "barbette": ChartShape(_D6, _barbette_fault, _named(FLASH, LISTED, OTHERS)),
    **STICKS,
}
