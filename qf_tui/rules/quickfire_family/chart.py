"""Reading a combat chart: codes, lines, and in strict mode the cells that only the umpire can read."""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import field, frozen

from qf_tui.core.declarations import expecting
from qf_tui.core.values import Battle, ChartCell, Charts, Provenance

NONE = "-"
CHECK_WORDS = ("out", "fix")
"""The codes of checks and repairs, which are no damage."""

_CODE = re.compile(r"([1-9]?)(SX|out|fix|[BDEFGRST])", re.ASCII)
_TOTALS = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3})|(\+))?", re.ASCII)
_OPEN = 2000
"""More than the breadth of any span: a column without end comes last."""

CellFault = Callable[[str], str | None]
"""What is wrong with a text, or None."""


@lru_cache(maxsize=256)
def codes(text: str) -> tuple[str, ...]:
    """The damage codes of a cell one by one: `SX 2G` is SX, G, G; ValueError for what is no code."""
    read: list[str] = []
    for word in re.split(r"[\s,+]+", text.strip()):
        if word in ("", NONE):
            continue
        match = _CODE.fullmatch(word)
        if match is None:
            raise ValueError(word)
        read.extend([match[2]] * int(match[1] or 1))
    return tuple(read)


@frozen
class Totals:
    """The numbers of a roll or a size that a column or line is for; `most` is None where it has no end.

    `span`: it names both its ends.
    """

    least: int
    most: int | None
    span: bool = False

    def __contains__(self, number: int) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)

    @property
    def breadth(self) -> int:
        """How many numbers more than one, without an end the more the lower it begins."""
        return _OPEN - self.least if self.most is None else self.most - self.least


@lru_cache(maxsize=256)
def totals_of(name: str) -> Totals | None:
    """What a name as `7`, `2-7` or `13+` means; None if it is no such name."""
    match = _TOTALS.fullmatch(name)
    if match is None:
        return None
    least, most, endless = match.groups()
    return Totals(int(least), None if endless else int(most or least), span=most is not None)


def codes_fault(known: tuple[str, ...], example: str) -> CellFault:
    """The rule of a cell of damage codes: of those known, `example` being some of them."""

    def fault(text: str) -> str | None:
        expected = f"expected {NONE}, or codes as {example}"
        try:
            read = codes(text)
        except ValueError as word:
            return f"“{word}” is no damage code; {expected}"
        if any(code in CHECK_WORDS and code not in known for code in read):
            return f"“{text}” is for checks and repairs; {expected}"
        wrong = next((code for code in read if code not in known), "")
        return f"“{wrong}” is no code of this chart; {expected}" if wrong else None

    return fault


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


hits_fault = expecting(f"{NONE}, 1, 2 or 3 hits", lambda text: text in (NONE, "0", "1", "2", "3"))
"""The rule of a cell that counts hits."""
percent_fault = expecting(
    "a percentage line, as `150`", lambda name: _is_number(name) and 0 < int(name[:5]) <= 9999
)
"""The rule of a row that is a percentage line."""


def number_fault(what: str, least: int, most: int) -> CellFault:
    """The rule of a cell that holds a roll: a whole number within its dice, or none."""
    return expecting(
        f"{NONE} or {what}, {least} to {most}",
        lambda text: text == NONE or (_is_number(text) and int(text[:3]) <= most),
    )


def total_fault(least: int, most: int, example: str) -> CellFault:
    """The rule of a column that is a total of dice, or one with all above it."""
    return expecting(
        f"a total from {least} to {most}, or one with all above it, as `{example}`",
        lambda name: bool((of := totals_of(name)) and not of.span and least <= of.least <= most),
    )


def span_fault(least: int, most: int) -> CellFault:
    """The rule of a column that is a total of dice, or several in a row, as `2-7`."""
    return expecting(
        f"a total from {least} to {most}, or several, as `{least}-{most}`",
        lambda name: bool((of := totals_of(name)) and of.most and least <= of.least <= of.most <= most),
    )


@frozen
class CellPlace:
    """Where a cell is on the chart."""

    table: str
    row: str
    column: str

    def __str__(self) -> str:
        return f"{self.table} {self.row}, {self.column}"


class Unread(Exception):
    """Strict mode: a roll landed on a cell that is neither attested nor the umpire's own."""

    def __init__(self, place: CellPlace) -> None:
        self.place = place
        super().__init__(str(place))


@frozen(eq=False)
class ChartReader:
    """Reads the charts of a battle; `answers` are the cells that the umpire has read out, in strict mode."""

    charts: Charts
    answers: Mapping[CellPlace, str] = field(factory=dict)
    strict: bool = False
    _read: dict[tuple[str, str, str], ChartCell] = field(factory=dict, init=False, eq=False, repr=False)

    def cell(self, table: str, row: str, column: str) -> ChartCell:
        """The cell of a line and a column; a column `2-7` or `13+` means several; Unread in strict mode.

        Where several columns hold a number the umpire's own count before ours, then the narrowest.
        """
        known = self._read.get((table, row, column))
        if known is None:
            known = self._read[table, row, column] = self._find(table, row, column)
        return known

    def _find(self, table: str, row: str, column: str) -> ChartCell:
        line = self.charts[table].rows.get(row)
        if line is None:
            return ChartCell(NONE, Provenance.OWN, "the umpire's chart has no such line")
        cells = line.cells
        name = _column(cells, column)
        place = CellPlace(table, row, name) if self.answers or self.strict else None
        if place and place in self.answers:
            return ChartCell(self.answers[place], Provenance.OWN, "read out by the umpire")
        cell = cells.get(name) or ChartCell(NONE, Provenance.ATTESTED)
        if place and self.strict and cell.status is Provenance.RECONSTRUCTED:
            raise Unread(place)
        return cell

    def codes(self, table: str, row: str, column: int) -> tuple[tuple[str, ...], ChartCell]:
        """The codes of a cell, and the cell."""
        read = self.cell(table, row, str(column))
        return codes(read.text), read

    def most(self, table: str, row: str, column: str) -> tuple[int, ChartCell]:
        """The greatest roll that a cell gives, 0 where there is none, and the cell."""
        cell = self.cell(table, row, column)
        return (0 if cell.text == NONE else int(cell.text)), cell


def _column(cells: Mapping[str, ChartCell], column: str) -> str:
    """The name of the column that holds a number, as `2-7` or `13+`; else the column itself."""
    if not column.isdecimal():
        return column
    fitting = _fitting(tuple(cells), int(column))
    if len(fitting) == 1:
        return fitting[0]
    own = [name for name, cell in cells.items() if name in fitting and cell.status is Provenance.OWN]
    if column in cells and not own:
        return column
    return next((name for name in fitting if not own or name in own), column)


@lru_cache(maxsize=4096)
def _fitting(names: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The columns that hold a number, the narrowest first."""
    held = {name: of.breadth for name in names if (of := totals_of(name)) and number in of}
    return tuple(sorted(held, key=held.__getitem__))


def columns_of(battle: Battle, table: str, row: str) -> tuple[str, ...]:
    """The columns of a line as charts name them; none where the umpire has dropped the line."""
    line = battle.charts[table].rows.get(row)
    return tuple(line.cells) if line else ()


_last_plain: list[ChartReader] = []


def plain_reader(battle: Battle) -> ChartReader:
    """The reader of judgements, which asks for no cell: one as long as the charts are the same."""
    if not _last_plain or _last_plain[0].charts is not battle.charts:
        _last_plain[:] = [ChartReader(battle.charts)]
    return _last_plain[0]


def reader(battle: Battle, answers: Mapping[CellPlace, str] | None = None) -> ChartReader:
    """The reader that decides: in strict mode it asks for cells that are ours alone."""
    return ChartReader(battle.charts, answers or {}, strict=battle.table.get("strict") is True)


@lru_cache(maxsize=16)
def lines_of(rows: tuple[str, ...]) -> Sequence[int]:
    """The lines of a battery chart, lowest first."""
    return sorted(map(int, rows))


def line_against(
    lines: Sequence[int],
    gunnery: Fraction,
    armor: Fraction,
    *,
    zero_is_top: bool,
    raised: bool = False,
    from_below: bool = False,
) -> int | None:
    """The highest line L with 100 x gunnery >= L x armor, one line up if `raised`; None below the lowest.

    Armor 0 meets the top line, or counts as a half. With `from_below` what is below the lowest reaches it.
    """
    if armor == 0:
        if zero_is_top:
            return lines[-1] if gunnery > 0 and lines else None
        armor = Fraction(1, 2)
    # In whole numbers, both sides multiplied out: fractions take ten times as long.
    most = 100 * gunnery.numerator * armor.denominator
    unit = armor.numerator * gunnery.denominator
    reached = sum(line * unit <= most for line in lines)
    if not reached:
        return lines[0] if from_below and gunnery > 0 and lines else None
    return lines[min(reached - 1 + raised, len(lines) - 1)]
