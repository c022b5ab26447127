"""Reading the combat chart: codes, lines, and in strict mode the cells that only the umpire can read (AQF-CHA)."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from attrs import field, frozen

from qf_tui.core.charts import Cell, Standing
from qf_tui.core.system import ChartShape
from qf_tui.core.values import Battle

NONE = "-"

_DAMAGE_ROWS = ("explosion", "t-hit", "fire-check", "sx-check", "repair", "repair-p", "boat-guns")
_CODE = re.compile(r"([1-9]?)(SX|out|fix|[BDEFGRST])", re.ASCII)
_CHECK_WORDS = ("out", "fix")


def codes(text: str) -> tuple[str, ...]:
    """The damage codes of a cell one by one: `SX 2G` is SX, G, G; ValueError for what is no code."""
    found: list[str] = []
    for word in re.split(r"[\s,+]+", text.strip()):
        if word in ("", NONE):
            continue
        match = _CODE.fullmatch(word)
        if match is None:
            raise ValueError(word)
        found.extend([match[2]] * int(match[1] or 1))
    return tuple(found)


def _blast_fault(text: str) -> str | None:
    fault = _damage_fault(text)
    if fault is None and any(word in codes(text) for word in _CHECK_WORDS):
        return f"“{text}” is for checks and repairs; expected {NONE}, or codes as `2G` or `SX G`"
    return fault


def _damage_fault(text: str) -> str | None:
    try:
        codes(text)
    except ValueError as word:
        return f"“{word}” is no damage code; expected {NONE}, or codes as `2G` or `SX G`"
    return None


def _hits_fault(text: str) -> str | None:
    return None if text in (NONE, "0", "1", "2", "3") else f"expected {NONE}, 1, 2 or 3 hits"


def _roll_fault(text: str) -> str | None:
    if text == NONE or (text.isascii() and text.isdigit() and int(text[:3]) <= 12):
        return None
    return f"expected {NONE} or the greatest roll that sinks, 1 to 12"


def _percent_fault(name: str) -> str | None:
    fine = name.isascii() and name.isdigit() and 0 < int(name[:5]) <= 9999
    return None if fine else "expected a percentage line, as `150`"


def _total_fault(name: str) -> str | None:
    number = name.removesuffix("+")
    fine = number.isascii() and number.isdigit() and 2 <= int(number[:3]) <= 24
    return None if fine else "expected a total from 2 to 24, or one with all above it, as `13+`"


def _named(*names: str) -> Callable[[str], str | None]:
    return lambda name: None if name in names else f"expected one of {', '.join(names)}"


_FACES = tuple(str(face) for face in range(1, 13))
_TOTALS = (*(str(total) for total in range(2, 13)), "13+")

SHAPES: Mapping[str, ChartShape] = {
    "battery": ChartShape(_FACES, _hits_fault, _percent_fault),
    "blast": ChartShape(_TOTALS, _blast_fault, _named("long", "medium", "pb"), _total_fault),
    "damage": ChartShape(_FACES, _damage_fault, _named(*_DAMAGE_ROWS)),
    "sinking": ChartShape(("2", "3", "4", "5", "6", "7", "8+"), _roll_fault, _named("sinks-on")),
}


@frozen
class Place:
    """Where a cell stands on the chart."""

    table: str
    row: str
    column: str

    def __str__(self) -> str:
        return f"{self.table} {self.row}, {self.column}"


class Unread(Exception):
    """Strict mode: a roll landed on a cell that is neither attested nor the umpire's own (AQF-CHA-3)."""

    def __init__(self, place: Place) -> None:
        self.place = place
        super().__init__(str(place))


@frozen
class Reader:
    """Reads the chart of a battle; `answers` are the cells that the umpire has read out, in strict mode."""

    battle: Battle
    answers: Mapping[Place, str] = field(factory=dict)
    strict: bool = False

    def cell(self, table: str, row: str, column: str) -> Cell:
        """The cell of a line and a column; a column `13+` stands for all from 13 on; Unread in strict mode."""
        found_row = self.battle.charts[table].rows.get(row)
        if found_row is None:
            return Cell(NONE, Standing.OWN, "the umpire's chart has no such line")
        cells = found_row.cells
        name = column if column in cells else _last_column(cells, column)
        place = Place(table, row, name)
        if place in self.answers:
            return Cell(self.answers[place], Standing.OWN, "read out by the umpire")
        found = cells.get(name, Cell(NONE, Standing.ATTESTED))
        if self.strict and found.status is Standing.RECONSTRUCTED:
            raise Unread(place)
        return found

    def codes(self, table: str, row: str, column: int) -> tuple[tuple[str, ...], Cell]:
        """The codes of a cell, and the cell."""
        found = self.cell(table, row, str(column))
        return codes(found.text), found


def _last_column(cells: Mapping[str, Cell], column: str) -> str:
    """The open column, `13+`, that a number falls in; else the number itself."""
    open_columns = [(int(name[:-1]), name) for name in cells if name.endswith("+") and name[:-1].isdigit()]
    fitting = [(least, name) for least, name in open_columns if least <= int(column)]
    return max(fitting)[1] if fitting else column


def reader(battle: Battle, answers: Mapping[Place, str] | None = None) -> Reader:
    """The reader that decides: in strict mode it asks for cells that are ours alone."""
    return Reader(battle, answers or {}, strict=battle.table.get("strict") is True)


def battery_lines(battle: Battle) -> list[int]:
    """The percentage lines of the chart, lowest first."""
    return sorted(int(name) for name in battle.charts["battery"].rows)


def line_for(lines: list[int], gunnery: Fraction, armor: Fraction) -> int | None:
    """The place of the highest line L with 100 x gunnery >= L x armor; None below the lowest (AQF-GUN-5)."""
    # In whole numbers, both sides multiplied out: fractions take ten times as long.
    most = 100 * gunnery.numerator * armor.denominator
    unit = armor.numerator * gunnery.denominator
    reached = [place for place, line in enumerate(lines) if line * unit <= most]
    return reached[-1] if reached else None
