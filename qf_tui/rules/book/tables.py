"""Tables of a rule book: rows, columns, modifiers, and how dice are looked up.

Tables add values, as in `guns + 2 - target.armor`, and compare them, as in `target.speed < 3`, but do nothing
else with them. The caller passes the function that gives the value of a name (`Look`), so this module knows
no ships.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from operator import eq, ge, gt, le, lt

from attrs import field, frozen

from qf_tui.core.declarations import Measure, Need
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.grammar.names import list_similar_names
from qf_tui.core.text import Distance
from qf_tui.core.values import Chart, ChartCell, ChartRow, Die, Faces, Provenance
from qf_tui.rules.book.changes import NOTHING, SELF, Change, DeclaredNames, read_changes, split_words

Value = int | str | Distance | None
"""A number, a word or a range; None for a word or a range that the order leaves out."""
Look = Callable[[str], Value]
"""A function that gives the value of a name."""

NUMBER, RANGE = "number", "range"
Type = str | tuple[str, ...]
"""The type of a value: `number`, `range`, or the words that it may be."""
ROLL = "roll"
"""The word in a cell before the name of a table on which the ship owes a roll."""
TERMS_MOST, CHANGES_MOST, ROLLS_MOST, MARKS_MOST, DEEPEST, ROWS_MOST = 6, 8, 2, 9, 3, 60
WAYS_MOST = 10_000
"""The greatest number of ways in which the dice of a table may fall."""
ONLY = "result"
"""The column's name in a table with a single column."""
HALF = "half"
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
_SPAN = re.compile(r"(-?\d{1,3})(?:(?:-| to )(-?\d{1,3}))?", re.ASCII)
_DISTANCE = re.compile(r"(\d{1,4}(?:\.\d)?)(in|mm|cm)", re.ASCII)
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
_COMPARISON = re.compile("<=|>=|[<>=]")
_SIGNED = re.compile(r"[+-]\d{1,2}", re.ASCII)


@frozen
class Sum:
    """A sum of names and numbers, or a single name, whose value may also be a word or a range.

    Attributes:
        terms: The terms, each with its sign (1 or -1) and its name or number as text.
    """

    terms: tuple[tuple[int, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.terms if not _NUMBER.fullmatch(name))

    def compute_value(self, look: Look) -> Value:
        """Return the value of the sum, with the values that `look` gives for names."""
        values = [(sign, int(name) if _NUMBER.fullmatch(name) else look(name)) for sign, name in self.terms]
        if len(values) == 1:
            return values[0][1]
        return sum(sign * value for sign, value in values if isinstance(value, int))


def find_type(each: Sum, types: Mapping[str, Type]) -> Type:
    """Return the type of a sum.

    Raises:
        QfError: A name is unknown, or a word or a range is added to something.
    """
    for name in each.names:
        if name not in types:
            close = list_similar_names(name, types)
            hint = f"did you mean {close[0]}?" if close else "it is not a track"
            hint = f"write it with spaces, like {name.replace('+', ' + ')}" if "+" in name else hint
            raise QfError(f"no value “{name}”; {hint}")
    if len(each.terms) == len(each.names) == 1:
        return types[each.names[0]]
    if any(types[name] != NUMBER for name in each.names):
        raise QfError(f"only numbers can be added, not {', '.join(each.names)}")
    return NUMBER


def read_sum(words: Sequence[str]) -> Sum:
    """Read a sum from its words: names and numbers, with a sign between each two.

    Raises:
        QfError: The words are no sum, or the sum has too many terms.
    """
    signs, names = ("+", *words[1::2]), words[::2]
    if len(words) % 2 == 0 or len(names) > TERMS_MOST or any(sign not in ("+", "-") for sign in signs):
        raise QfError(f"“{' '.join(words)}” is not a sum; write it with spaces, like guns + 2 - target.armor")
    return Sum(tuple((-1 if sign == "-" else 1, name) for sign, name in zip(signs, names, strict=True)))


@frozen
class Modifier:
    """A number that is added to the dice while a comparison holds.

    A comparison is of two numbers, or of a value with a word.

    Attributes:
        text: Comparison as the file has it.
        by: Number that is added.
        left: Value on the left.
        sign: Comparison sign: `=`, `<`, `<=`, `>` or `>=`.
        right: Value on the right; a word appears as the name of a single term.
    """

    text: str
    by: int
    left: Sum
    sign: str
    right: Sum

    def is_met(self, look: Look) -> bool:
        """Return whether the comparison holds, with the values that `look` gives for names."""
        value = self.left.compute_value(look)
        if not isinstance(value, int):
            return value == self.right.terms[0][1]
        other = self.right.compute_value(look)
        return isinstance(other, int) and _COMPARED[self.sign](value, other)

    def __str__(self) -> str:
        return f"{self.by:+d} {self.text}"


def read_modifier(text: str) -> Modifier:
    """Read a modifier, such as `rake +1`, `no guns -2` or `target.speed < 3 +1`.

    Raises:
        QfError: The text is no modifier.
    """
    *words, last = _COMPARISON.sub(r" \g<0> ", text).split() or [""]
    if not words or not _SIGNED.fullmatch(last):
        example = f"{text} -1" if words else "target.smoke -2"
        raise QfError(f"“{text}” is not a modifier; write the condition, then the number, like {example}")
    said, by = " ".join(words), int(last)
    at = next((place for place, word in enumerate(words) if word in _COMPARED), 0)
    if not at:
        # A name alone means that its value is above 0; “no” before the name means that it is 0.
        without = words[0] == "no"
        if len(words[without:]) == 2:
            one, other = words[without:]
            between = f"write < <= = >= or > between {one} and {other}, like {one} <= {other} {last}"
            raise QfError(f"“{text}” compares nothing; {between}")
        words, at = [*words[without:], "=" if without else ">", "0"], -2
    return Modifier(said, by, read_sum(words[:at]), words[at], read_sum(words[at:][1:]))


def check_modifier(text: str, types: Mapping[str, Type]) -> None:
    """Check that a text is a modifier and compares values of types that can be compared.

    Args:
        types: Type of the value of each name.

    Raises:
        QfError: The text is no modifier, or the types do not allow the comparison.
    """
    modifier = read_modifier(text)
    kind, words = find_type(modifier.left, types), [word for _, word in modifier.right.terms]
    if isinstance(kind, tuple):
        if modifier.sign != "=" or words not in ([word] for word in kind):
            raise QfError(f"“{text}”: expected “=” and one of {', '.join(kind)}")
    elif kind != NUMBER or find_type(modifier.right, types) != NUMBER:
        raise QfError(f"“{text}”: only numbers can be compared; a range chooses a column")


@frozen
class Cell:
    """The content of a table cell: changes of a ship, and the rolls that she owes.

    Attributes:
        text: Content for people.
        changes: Changes of the ship that is hit or of the ship that acts.
        rolls: Names of tables, one for each owed roll.
        amounts: Amount of each result by its name in the odds, such as `hull lost`, `fire`, `fire out` or
            `self guns lost`.
    """

    text: str
    changes: tuple[Change, ...] = ()
    rolls: tuple[str, ...] = ()
    amounts: Counter[str] = field(factory=Counter)


def read_cell(text: str, names: DeclaredNames, tables: Collection[str]) -> Cell:
    """Read a table cell, such as `hull 2 fire`, `roll fires 2` or `-`.

    Args:
        names: Names that changes may use.
        tables: Names of the tables that it may roll on.

    Raises:
        QfError: The text has a word or a number that no cell may have, or is too long.
    """
    left, rolls, others = split_words(text), list[str](), list[str]()
    while left:
        word = left.pop(0)
        if word != ROLL:
            others.append(word)
            continue
        name = left.pop(0) if left else ""
        if name not in tables:
            raise QfError(f"a roll needs a table; one of {', '.join(tables) or 'none'}")
        rolls += [name] * (int(left.pop(0)) if left and _NUMBER.fullmatch(left[0]) else 1)
    changes = read_changes([] if others == ["-"] else others, names)
    if len(changes) > CHANGES_MOST or len(rolls) > ROLLS_MOST:
        raise QfError(f"a cell has at most {CHANGES_MOST} changes and {ROLLS_MOST} rolls")
    amounts = Counter(f"{ROLL} {name}" for name in rolls)
    for change in changes:
        if change.to is not None or (change.name in names.marks and abs(change.by) > MARKS_MOST):
            raise QfError(f"a cell states how many more or fewer, at most {MARKS_MOST} of a mark")
        amounts[_name_result(change, names)] += abs(change.by) or 1
    return Cell(" ".join(text.split()) if amounts else NOTHING, changes, tuple(rolls), amounts)


def name_loss(track: str) -> str:
    """Return the name of the loss of a track in the odds."""
    return f"{track} lost"


def _name_result(change: Change, names: DeclaredNames) -> str:
    own = f"{SELF} {change.name}" if change.own else change.name
    if change.name in names.tracks:
        return name_loss(own) if change.by < 0 else f"{own} back"
    return f"{own} out" if change.by < 0 else own


@lru_cache(maxsize=4096)
def read_span(text: str) -> tuple[int, int] | None:
    """Read the least and the greatest number of a row or column, such as `7` or `2-5`.

    Returns:
        Both numbers, which are equal for a single number; None if the name is not numeric.
    """
    match = _SPAN.fullmatch(text)
    return (int(match[1]), int(match[2] or match[1])) if match else None


def read_distance(text: str) -> Distance | None:
    """Read the farthest range of a column, such as `6in`; return None if the name is no range."""
    match = _DISTANCE.fullmatch(text)
    return Distance(Fraction(match[1]), match[2]) if match else None


def check_columns(columns: Sequence[str], kind: Type) -> None:
    """Check that the columns of a table fit the type of the value that chooses among them.

    Raises:
        QfError: The columns are not exactly the words of the type, not ranges in one unit with the nearest
            first, or not consecutive numbers.
    """
    if isinstance(kind, tuple):
        if sorted(columns) != sorted(kind):
            raise QfError(f"expected a column for each of {', '.join(kind)}")
    elif kind == RANGE:
        ends = [far for far in map(read_distance, columns) if far is not None]
        nearest_first = all(near.amount < far.amount for near, far in pairwise(ends))
        if len(ends) < len(columns) or len({far.unit for far in ends}) > 1 or not nearest_first:
            raise QfError(
                "expected ranges in one unit, the nearest first, like 6in, 12in: each is the far end"
            )
    else:
        check_spans(columns)


def check_spans(names: Sequence[str]) -> None:
    """Check that the names of rows or columns are consecutive numbers, the least first, each number once.

    Raises:
        QfError: A name is not numeric, a number is missing or repeated, or there are too many names.
    """
    if not 0 < len(names) <= ROWS_MOST:
        raise QfError(f"expected 1 to {ROWS_MOST}, found {len(names)}")
    last: int | None = None
    for name in names:
        span = read_span(name)
        if span is None or span[0] > span[1]:
            raise QfError(f"“{name}” is not a number, nor numbers like 2-5")
        if last is not None and span[0] != last + 1:
            raise QfError(f"“{name}” does not follow {last}: write every number once, the least first")
        last = span[1]


@frozen
class BookTable:
    """A table of a rule book.

    Attributes:
        name: Name in files.
        title: Name for people.
        dice: Dice to throw.
        difference: True if the second of two dice is subtracted from the first.
        by: Value that chooses the column; None if there is a single column.
        columns: Names of the columns.
        rows: Cells of each row as the file has them, in the order of `columns`.
        modifiers: Modifiers of the dice total.
        clause: Clause of the rules, or "".
    """

    name: str
    title: str
    dice: tuple[Die, ...]
    difference: bool
    by: Sum | None
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    modifiers: tuple[Modifier, ...]
    clause: str

    @property
    def chart(self) -> Chart:
        """The table as a chart, for display, print and the umpire's changes."""
        rows = {}
        for row, cells in self.rows.items():
            written = zip(self.columns, cells, strict=True)
            rows[row] = ChartRow(
                row, {column: ChartCell(text, Provenance.ATTESTED) for column, text in written}
            )
        return Chart(self.name, self.title, rows, "; ".join(map(str, self.modifiers)))

    def find_column(self, value: Value) -> str:
        """Find the column for a value; a number outside all columns takes the nearest.

        Raises:
            OrderRefused: No column fits the value.
            ValueError: The value is a range in inches and the table is metric, or the reverse.
        """
        if self.by is None or isinstance(value, int):
            return _find_nearest(self.columns, value) if isinstance(value, int) else self.columns[0]
        for name in self.columns:
            far = read_distance(name) if isinstance(value, Distance) else None
            if name == value or (far and isinstance(value, Distance) and value.to(far.unit) <= far.amount):
                return name
        raise OrderRefused(f"{self.title} has no column for {value}; known: {', '.join(self.columns)}")

    def find_row(self, total: int) -> str:
        """Find the row for a total; a total outside all rows takes the nearest."""
        return _find_nearest(self.rows, total)


def _find_nearest(names: Collection[str], number: int) -> str:
    """Return the name whose span contains a number or comes nearest to it."""
    spans = {name: span for name in names if (span := read_span(name))}
    return min(spans, key=lambda name: max(spans[name][0] - number, number - spans[name][1], 0))


@frozen
class TableReading:
    """A table made ready for one roll: its column, the modifiers that hold, and the content of each row.

    Attributes:
        table: The table.
        chart: The chart of the battle, which the umpire may have changed.
        column: Name of the column that counts.
        added: Modifiers that hold.
        cells: Content of that column's cell, by row.
        each: True if every die is looked up alone, False if the dice give a single total.
        outs: Statuses that the ship that is hit may get by the loss of all of a track; for each status its
            tracks, each with the amount that she has left.
        figures: Names of the results in the odds; True to show the mean amount, False for the chance.
    """

    table: BookTable
    chart: Chart
    column: str
    added: tuple[Modifier, ...]
    cells: Mapping[str, Cell]
    each: bool = False
    outs: Mapping[str, tuple[tuple[str, int], ...]] = field(factory=dict)
    figures: Mapping[str, bool] = field(factory=dict)

    def add_modifiers(self, faces: Faces) -> tuple[int, ...]:
        """Add the modifiers that hold to the dice.

        Returns:
            One total, or a total for each die if every die is looked up by itself.
        """
        more = sum(modifier.by for modifier in self.added)
        if self.each:
            return tuple(face + more for face in faces)
        return ((faces[0] - faces[1] if self.table.difference else sum(faces)) + more,)

    def find_rows(self, faces: Faces) -> tuple[str, ...]:
        """Find the row of each total, sorted, so that the order of the dice makes no difference."""
        return tuple(sorted(map(self.table.find_row, self.add_modifiers(faces))))

    def judge(self, faces: Faces) -> tuple[int, ...]:
        """Judge the faces of a roll.

        Returns:
            1 if the roll has any effect and 0 if not, then the amount of each of `figures`.
        """
        said = sum((self.cells[row].amounts for row in self.find_rows(faces)), Counter[str]())
        ends = {out: any(said[name_loss(of)] >= left for of, left in each) for out, each in self.outs.items()}
        return (int(bool(said)), *[said[name] + ends.get(name, 0) for name in self.figures])

    @property
    def odds(self) -> tuple[Measure, ...]:
        """The figures of the odds: the chance of any effect, then the mean or chance of each result."""
        counted = enumerate(self.figures.items(), 1)
        return (Measure("effect", 0), *(Measure(name, place, mean) for place, (name, mean) in counted))

    @property
    def needs(self) -> tuple[Need, ...]:
        """The result that people hope for: a total, or any die, with an effect; () for a difference."""
        dice = tuple(range(len(self.table.dice)))
        return () if self.table.difference else (Need("has effect", dice=dice, each=self.each),)

    def look_up(self, total: int) -> tuple[Cell, ChartCell | None]:
        """Look up the content of the cell for a total, and the cell on the chart.

        Reports note which chart cell is read here, and take it as the cell that decided.

        Returns:
            The content, and the chart's cell or None if the umpire's chart has no such cell.
        """
        row = self.table.find_row(total)
        line = self.chart.rows.get(row)
        return self.cells[row], line.cells[self.column] if line and self.column in line.cells else None


def prepare_reading(
    table: BookTable,
    chart: Chart,
    look: Look,
    names: DeclaredNames,
    tables: Collection[str],
    outs: Mapping[str, tuple[tuple[str, int], ...]],
    *,
    each: bool = False,
) -> TableReading:
    """Make a table ready for one roll.

    Args:
        chart: Chart of the battle. Rows that it lacks have no effect.
        look: Function that gives the value of a name.
        names: Names that changes may use.
        tables: Names of the tables that cells may roll on.
        outs: Statuses that the loss of all of a track may give the ship that is hit; see `TableReading`.
        each: True if every die is looked up by itself.

    Raises:
        OrderRefused: No column fits the value, or the chart has a cell that cannot be read.
    """
    try:
        column = table.find_column(table.by.compute_value(look) if table.by is not None else None)
        cells = {}
        for row in table.rows:
            line = chart.rows.get(row)
            cell = line.cells.get(column) if line else None
            cells[row] = read_cell(cell.text if cell else "-", names, tables)
    except (QfError, ValueError) as fault:
        raise OrderRefused(str(fault)) from None
    added = tuple(modifier for modifier in table.modifiers if modifier.is_met(look))
    results = dict.fromkeys(name for cell in cells.values() for name in cell.amounts)
    track_results = {name for track in names.tracks for name in (name_loss(track), f"{track} back")}
    figures = {name: name.removeprefix(f"{SELF} ") in track_results for name in results}
    for out, tracks in outs.items():
        costs = [(cell.amounts[name_loss(track)], left) for cell in cells.values() for track, left in tracks]
        # With a die each, losses add up: any loss may end a track.
        figures |= {out: False} if any(cost >= (1 if each else left) for cost, left in costs) else {}
    return TableReading(table, chart, column, added, cells, each, outs, figures)
