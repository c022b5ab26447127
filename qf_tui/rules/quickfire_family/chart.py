"""The charts of the Quickfire games: damage codes, lines by 100 x gunnery / armor, the reader of cells.

In strict mode the reader stops at cells that only the umpire can read on the printed chart.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import field, frozen

from qf_tui.core.declarations import build_text_check
from qf_tui.core.values import Battle, ChartCell, Charts, Provenance

NONE = "-"
CHECK_WORDS = ("out", "fix")
"""The codes that belong to checks and repairs and are no damage."""

_CODE = re.compile(r"([1-9]?)(SX|out|fix|[BDEFGRST])", re.ASCII)
_TOTALS = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3})|(\+))?", re.ASCII)
_OPEN = 2000
"""A number above any real breadth, so that a column without an upper end is the broadest."""

CellFault = Callable[[str], str | None]
"""A check of a cell or name. It returns the fault as text, or None."""


@lru_cache(maxsize=256)
def split_codes(text: str) -> tuple[str, ...]:
    """Split a cell into its damage codes: `SX 2G` gives SX, G, G, and `-` gives none.

    Raises:
        ValueError: A word is no code; the word is the argument.
    """
    codes: list[str] = []
    for word in re.split(r"[\s,+]+", text.strip()):
        if word in ("", NONE):
            continue
        match = _CODE.fullmatch(word)
        if match is None:
            raise ValueError(word)
        codes.extend([match[2]] * int(match[1] or 1))
    return tuple(codes)


@frozen
class Totals:
    """The range of dice totals or sizes that a column or line is for.

    Attributes:
        most: Greatest number; None if there is no upper end.
        span: True if the name gives both ends.
    """

    least: int
    most: int | None
    span: bool = False

    def __contains__(self, number: int) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)

    @property
    def breadth(self) -> int:
        """The greatest number less the least; without an upper end, more than in any closed range."""
        return _OPEN - self.least if self.most is None else self.most - self.least


@lru_cache(maxsize=256)
def parse_totals(name: str) -> Totals | None:
    """Parse the name of a column, such as `7`, `2-7` or `13+`; return None for any other name."""
    match = _TOTALS.fullmatch(name)
    if match is None:
        return None
    least, most, endless = match.groups()
    return Totals(int(least), None if endless else int(most or least), span=most is not None)


def build_codes_check(known: tuple[str, ...], example: str) -> CellFault:
    """Build the check of a cell that holds damage codes.

    Args:
        known: The codes of this chart.
        example: Some of these codes, for the message.
    """

    def check_codes(text: str) -> str | None:
        expected = f"expected {NONE}, or codes like {example}"
        try:
            codes = split_codes(text)
        except ValueError as fault:
            # The text of the fault is the wrong word.
            return f"“{fault}” is not a damage code; {expected}"
        if any(code in CHECK_WORDS and code not in known for code in codes):
            return f"“{text}” is for checks and repairs; {expected}"
        wrong = next((code for code in codes if code not in known), "")
        return f"“{wrong}” is not a code of this chart; {expected}" if wrong else None

    return check_codes


def _is_number(text: str) -> bool:
    """Return whether a text is a whole number in ASCII digits."""
    return text.isascii() and text.isdigit()


check_hits = build_text_check(f"{NONE}, 1, 2 or 3 hits", lambda text: text in (NONE, "0", "1", "2", "3"))
"""The check of a cell that counts hits."""
check_percent = build_text_check(
    "a percentage line, like `150`", lambda name: _is_number(name) and 0 < int(name[:5]) <= 9999
)
"""The check of a row name that is a percentage line."""


def build_number_check(what: str, least: int, most: int) -> CellFault:
    """Build the check of a cell that holds the greatest roll that succeeds, or `-` if none does.

    Args:
        what: Description of the roll, for the message.
        least: Least roll possible, for the message only.
    """
    # The first three digits show that a longer number is too great.
    return build_text_check(
        f"{NONE} or {what}, {least} to {most}",
        lambda text: text == NONE or (_is_number(text) and int(text[:3]) <= most),
    )


def build_total_check(least: int, most: int, example: str) -> CellFault:
    """Build the check of a column name for one dice total, or for a total and all above it, as `13+`."""
    return build_text_check(
        f"a total from {least} to {most}, or one with all above it, like `{example}`",
        lambda name: bool(
            (totals := parse_totals(name)) and not totals.span and least <= totals.least <= most
        ),
    )


def build_span_check(least: int, most: int) -> CellFault:
    """Build the check of a column name for one dice total, or for a range of totals, as `2-7`."""
    return build_text_check(
        f"a total from {least} to {most}, or several, like `{least}-{most}`",
        lambda name: bool(
            (totals := parse_totals(name)) and totals.most and least <= totals.least <= totals.most <= most
        ),
    )


@frozen
class CellPlace:
    """The place of a cell on the charts."""

    table: str
    row: str
    column: str

    def __str__(self) -> str:
        return f"{self.table} {self.row}, {self.column}"


class Unread(Exception):
    """Raised if a roll in strict mode needs a reconstructed cell, which the umpire must read out first."""

    def __init__(self, place: CellPlace) -> None:
        self.place = place
        super().__init__(str(place))


@frozen(eq=False)
class ChartReader:
    """A reader of the charts of a battle.

    Attributes:
        answers: Texts of the cells that the umpire read out in strict mode.
        strict: True if reconstructed cells raise `Unread`.
    """

    charts: Charts
    answers: Mapping[CellPlace, str] = field(factory=dict)
    strict: bool = False
    _cells_found: dict[tuple[str, str, str], ChartCell] = field(
        factory=dict, init=False, eq=False, repr=False
    )

    def find_cell(self, table: str, row: str, column: str) -> ChartCell:
        """Return the cell of a row that covers a column, such as `9`.

        If several columns cover it, a cell that the umpire set comes before one of ours. Among equals the
        narrowest column counts.

        Raises:
            Unread: In strict mode, the cell is reconstructed and was not read out.
        """
        cell = self._cells_found.get((table, row, column))
        if cell is None:
            cell = self._cells_found[table, row, column] = self._find_cell(table, row, column)
        return cell

    def _find_cell(self, table: str, row: str, column: str) -> ChartCell:
        """Find a cell as `find_cell` does, but without its cache.

        A cell of a row that the chart lacks is empty.

        Raises:
            Unread: In strict mode, the cell is reconstructed and was not read out.
        """
        line = self.charts[table].rows.get(row)
        if line is None:
            return ChartCell(NONE, Provenance.OWN, "the umpire's chart has no such line")
        cells = line.cells
        column_name = _find_column(cells, column)
        # Only strict mode, and the answers that it brought, need the place.
        place = CellPlace(table, row, column_name) if self.answers or self.strict else None
        if place and place in self.answers:
            return ChartCell(self.answers[place], Provenance.OWN, "read out by the umpire")
        # A cell that the chart leaves out is empty, which is attested.
        cell = cells.get(column_name) or ChartCell(NONE, Provenance.ATTESTED)
        if place and self.strict and cell.status is Provenance.RECONSTRUCTED:
            raise Unread(place)
        return cell

    def read_codes(self, table: str, row: str, column: int) -> tuple[tuple[str, ...], ChartCell]:
        """Return the damage codes of a cell, and the cell."""
        cell = self.find_cell(table, row, str(column))
        return split_codes(cell.text), cell

    def read_greatest_roll(self, table: str, row: str, column: str) -> tuple[int, ChartCell]:
        """Return the greatest roll that succeeds by a cell (0 if none does), and the cell."""
        cell = self.find_cell(table, row, column)
        return (0 if cell.text == NONE else int(cell.text)), cell


def _find_column(cells: Mapping[str, ChartCell], column: str) -> str:
    """Return the name of the column that covers a number, or the number itself if no column does.

    A column that the umpire set comes first, then one of exactly this number, then the narrowest. A name that
    is no number is returned as it is.
    """
    if not column.isdecimal():
        return column
    fitting = _list_fitting_columns(tuple(cells), int(column))
    if len(fitting) == 1:
        return fitting[0]
    umpire_columns = [name for name in fitting if cells[name].status is Provenance.OWN]
    if column in cells and not umpire_columns:
        return column
    return next(iter(umpire_columns or fitting), column)


@lru_cache(maxsize=4096)
def _list_fitting_columns(names: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Return the column names that cover a number, the narrowest first."""
    breadths = {name: totals.breadth for name in names if (totals := parse_totals(name)) and number in totals}
    return tuple(sorted(breadths, key=breadths.__getitem__))


def list_columns(battle: Battle, table: str, row: str) -> tuple[str, ...]:
    """Return the column names of a line; empty if the umpire's chart has no such line."""
    line = battle.charts[table].rows.get(row)
    return tuple(line.cells) if line else ()


_last_plain: list[ChartReader] = []


def build_plain_reader(battle: Battle) -> ChartReader:
    """Return a reader that is never strict, for odds. It is kept until the charts change."""
    if not _last_plain or _last_plain[0].charts is not battle.charts:
        _last_plain[:] = [ChartReader(battle.charts)]
    return _last_plain[0]


def build_reader(battle: Battle, answers: Mapping[CellPlace, str] | None = None) -> ChartReader:
    """Return the reader for decisions: in strict mode it stops at reconstructed cells.

    Args:
        answers: Texts of the cells that the umpire read out.
    """
    return ChartReader(battle.charts, answers or {}, strict=battle.table.get("strict") is True)


@lru_cache(maxsize=16)
def sort_lines(rows: tuple[str, ...]) -> Sequence[int]:
    """Return the percentage lines of a battery chart as numbers, lowest first."""
    return sorted(map(int, rows))


def find_percentage_line(
    lines: Sequence[int],
    gunnery: Fraction,
    armor: Fraction,
    *,
    zero_is_top: bool,
    raised: bool = False,
    from_below: bool = False,
) -> int | None:
    """Return the highest percentage line that 100 x gunnery / armor reaches, or None if it reaches none.

    Args:
        lines: Percentage lines of the chart, lowest first.
        zero_is_top: True if armor 0 meets the top line; if false, armor 0 counts as a half.
        raised: True to go one line higher.
        from_below: True to use the lowest line if none is reached.
    """
    if armor == 0:
        if zero_is_top:
            return lines[-1] if gunnery > 0 and lines else None
        armor = Fraction(1, 2)
    # Multiply both sides out to whole numbers: fractions take ten times as long.
    scaled_gunnery = 100 * gunnery.numerator * armor.denominator
    scaled_armor = armor.numerator * gunnery.denominator
    lines_reached = sum(line * scaled_armor <= scaled_gunnery for line in lines)
    if not lines_reached:
        return lines[0] if from_below and gunnery > 0 and lines else None
    return lines[min(lines_reached - 1 + raised, len(lines) - 1)]
