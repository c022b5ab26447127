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
"""Limits: terms of a sum, changes and rolls of a cell, marks of a change, levels of owed rolls, rows."""
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
        """The terms that are names, not numbers."""
        return tuple(name for _, name in self.terms if not _NUMBER.fullmatch(name))

    def compute_value(self, look: Look) -> Value:
        """Return the sum of all terms, or the value of a single term, which may also be a word or None.

        Args:
            look: Function that gives the value of a name; None if there is no value.
        """
        values = [(sign, int(name) if _NUMBER.fullmatch(name) else look(name)) for sign, name in self.terms]
        if len(values) == 1:
            # `read_sum` gives the first term no sign.
            _, value = values[0]
            return value
        # `find_type` has refused sums of words or ranges, so only missing values are left out here.
        return sum(sign * value for sign, value in values if isinstance(value, int))


def find_type(expression: Sum, types: Mapping[str, Type]) -> Type:
    """Return the type of the value of a sum or a single name.

    Args:
        types: Type of the value of each name.

    Raises:
        QfError: A name is unknown, or a word or a range is added to something.
    """
    for name in expression.names:
        if name not in types:
            if "+" in name:
                hint = f"write it with spaces, like {name.replace('+', ' + ')}"
            elif similar_names := list_similar_names(name, types):
                hint = f"did you mean {similar_names[0]}?"
            else:
                hint = "it is not a track"
            raise QfError(f"no value “{name}”; {hint}")
    if len(expression.terms) == len(expression.names) == 1:
        return types[expression.names[0]]
    if any(types[name] != NUMBER for name in expression.names):
        raise QfError(f"only numbers can be added, not {', '.join(expression.names)}")
    return NUMBER


def read_sum(words: Sequence[str]) -> Sum:
    """Read a sum from its words: names and numbers, with a sign between each two.

    Raises:
        QfError: The words are no sum, or the sum has too many terms.
    """
    # Names and signs alternate. The first name counts as if it had a plus.
    names = words[::2]
    signs = ("+", *words[1::2])
    is_complete = len(words) % 2 == 1 and all(sign in ("+", "-") for sign in signs)
    if not is_complete or len(names) > TERMS_MOST:
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
        """Return whether the comparison holds.

        Args:
            look: Function that gives the value of a name.
        """
        left_value = self.left.compute_value(look)
        if not isinstance(left_value, int):
            # A value that is a word is compared with the word on the right, not with the value of a name.
            _, right_word = self.right.terms[0]
            return left_value == right_word
        right_value = self.right.compute_value(look)
        return isinstance(right_value, int) and _COMPARED[self.sign](left_value, right_value)

    def __str__(self) -> str:
        """Return the number, then the comparison, such as `-2 no guns`."""
        return f"{self.by:+d} {self.text}"


def read_modifier(text: str) -> Modifier:
    """Read a modifier, such as `rake +1`, `no guns -2` or `target.speed < 3 +1`.

    Raises:
        QfError: The text is no modifier.
    """
    # Signs such as `<` need no spaces around them.
    *words, number = _COMPARISON.sub(r" \g<0> ", text).split() or [""]
    if not words or not _SIGNED.fullmatch(number):
        example = f"{text} -1" if words else "target.smoke -2"
        raise QfError(f"“{text}” is not a modifier; write the condition, then the number, like {example}")
    condition = " ".join(words)
    by = int(number)
    sign_index = next((index for index, word in enumerate(words) if word in _COMPARED), 0)
    if sign_index:
        left, right = words[:sign_index], words[sign_index + 1 :]
        return Modifier(condition, by, read_sum(left), words[sign_index], read_sum(right))
    # Without a comparison, a name means that its value is above 0; “no” before the name means that it is 0.
    sign = ">"
    if words[0] == "no":
        del words[0]
        sign = "="
    if len(words) == 2:
        left_name, right_name = words
        between = f"write < <= = >= or > between {left_name} and {right_name}"
        raise QfError(f"“{text}” compares nothing; {between}, like {left_name} <= {right_name} {number}")
    return Modifier(condition, by, read_sum(words), sign, read_sum(["0"]))


def check_modifier(text: str, types: Mapping[str, Type]) -> None:
    """Check that a text is a modifier and compares values of types that can be compared.

    Args:
        types: Type of the value of each name.

    Raises:
        QfError: The text is no modifier, or the types do not allow the comparison.
    """
    modifier = read_modifier(text)
    left_type = find_type(modifier.left, types)
    if isinstance(left_type, tuple):
        right_words = [word for _, word in modifier.right.terms]
        if modifier.sign != "=" or len(right_words) != 1 or right_words[0] not in left_type:
            raise QfError(f"“{text}”: expected “=” and one of {', '.join(left_type)}")
    elif left_type != NUMBER or find_type(modifier.right, types) != NUMBER:
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

    `roll fires 2` owes two rolls on the table `fires`; `-` has no effect.

    Args:
        names: Names that changes may use.
        tables: Names of the tables that the cell may roll on.

    Raises:
        QfError: The text has a word or a number that no cell may have, or too many changes or rolls.
    """
    words = split_words(text)
    rolls: list[str] = []
    change_words: list[str] = []
    while words:
        word = words.pop(0)
        if word != ROLL:
            change_words.append(word)
            continue
        name = words.pop(0) if words else ""
        if name not in tables:
            raise QfError(f"a roll needs a table; one of {', '.join(tables) or 'none'}")
        number = int(words.pop(0)) if words and _NUMBER.fullmatch(words[0]) else 1
        rolls += [name] * number
    changes = read_changes([] if change_words == ["-"] else change_words, names)
    if len(changes) > CHANGES_MOST or len(rolls) > ROLLS_MOST:
        raise QfError(f"a cell has at most {CHANGES_MOST} changes and {ROLLS_MOST} rolls")
    amounts = Counter(f"{ROLL} {name}" for name in rolls)
    for change in changes:
        if change.to is not None or (change.name in names.marks and abs(change.by) > MARKS_MOST):
            raise QfError(f"a cell states how many more or fewer, at most {MARKS_MOST} of a mark")
        # A status has no number and counts as one.
        amounts[_name_result(change, names)] += abs(change.by) or 1
    return Cell(" ".join(text.split()) if amounts else NOTHING, changes, tuple(rolls), amounts)


def name_loss(track: str) -> str:
    """Return the name that the odds use for the loss of a track, such as `hull lost`."""
    return f"{track} lost"


def _name_result(change: Change, names: DeclaredNames) -> str:
    """Return the name that the odds use for a change: `hull lost`, `hull back`, `fire` or `fire out`.

    `self` before the name means a change of the ship that acts.
    """
    name = f"{SELF} {change.name}" if change.for_actor else change.name
    if change.name in names.tracks:
        return name_loss(name) if change.by < 0 else f"{name} back"
    return f"{name} out" if change.by < 0 else name


@lru_cache(maxsize=4096)
def read_span(text: str) -> tuple[int, int] | None:
    """Read the least and the greatest number in the name of a row or column: `7` or `2-5`.

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
        far_ends = [far_end for far_end in map(read_distance, columns) if far_end is not None]
        are_all_ranges = len(far_ends) == len(columns)
        is_nearest_first = all(near.amount < far.amount for near, far in pairwise(far_ends))
        if not are_all_ranges or len({far_end.unit for far_end in far_ends}) > 1 or not is_nearest_first:
            raise QfError(
                "expected ranges in one unit, the nearest first, like 6in, 12in: each is the far end"
            )
    else:
        check_spans(columns)


def check_spans(names: Sequence[str]) -> None:
    """Check that the names of rows or columns are consecutive numbers, the least first, each number once.

    Raises:
        QfError: A name is not numeric, a number is missing or repeated, or there are no or too many names.
    """
    if not 0 < len(names) <= ROWS_MOST:
        raise QfError(f"expected 1 to {ROWS_MOST}, found {len(names)}")
    previous_end: int | None = None
    for name in names:
        span = read_span(name)
        if span is None or span[0] > span[1]:
            raise QfError(f"“{name}” is not a number, nor numbers like 2-5")
        first, last = span
        if previous_end is not None and first != previous_end + 1:
            raise QfError(
                f"“{name}” does not follow {previous_end}: write every number once, the least first"
            )
        previous_end = last


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
            text_by_column = zip(self.columns, cells, strict=True)
            rows[row] = ChartRow(
                row, {column: ChartCell(text, Provenance.ATTESTED) for column, text in text_by_column}
            )
        return Chart(self.name, self.title, rows, "; ".join(map(str, self.modifiers)))

    def find_column(self, value: Value) -> str:
        """Find the column for the value of `by`.

        A number outside all columns takes the nearest column. A range takes the first column that reaches as
        far. A word takes the column of its name.

        Args:
            value: Value of `by`, or None if the table has a single column.

        Raises:
            OrderRefused: No column fits the value.
            ValueError: The value is a range in inches and the table is metric, or the reverse.
        """
        if isinstance(value, int):
            return _find_nearest(self.columns, value)
        if self.by is None:
            return self.columns[0]
        for name in self.columns:
            if isinstance(value, Distance):
                far_end = read_distance(name)
                fits = far_end is not None and value.to(far_end.unit) <= far_end.amount
            else:
                fits = name == value
            if fits:
                return name
        raise OrderRefused(f"{self.title} has no column for {value}; known: {', '.join(self.columns)}")

    def find_row(self, total: int) -> str:
        """Find the row for a total; a total outside all rows takes the nearest."""
        return _find_nearest(self.rows, total)


def _find_nearest(names: Collection[str], number: int) -> str:
    """Return the name whose span contains a number or comes nearest to it."""
    spans = {name: span for name in names if (span := read_span(name))}

    def compute_gap(name: str) -> int:
        """Return how far the number is below or above a span; 0 if it is in the span."""
        least, greatest = spans[name]
        return max(least - number, number - greatest, 0)

    return min(spans, key=compute_gap)


@frozen
class TableReading:
    """A table made ready for one roll: its column, the modifiers that hold, and the content of each row.

    Attributes:
        table: The table.
        chart: The chart of the battle, which the umpire may have changed.
        column: Name of the column that counts.
        met_modifiers: Modifiers whose comparison holds.
        cells: Content of that column's cell, by row.
        per_die: True if every die is looked up by itself, False if the dice give a single total.
        tracks_by_status: Statuses that the hit ship gets when she loses all of a track. Each status has the
            names of those tracks, with the amount that she has left.
        is_amount_by_result: Results in the odds; True to show the mean amount, False for the chance.
    """

    table: BookTable
    chart: Chart
    column: str
    met_modifiers: tuple[Modifier, ...]
    cells: Mapping[str, Cell]
    per_die: bool = False
    tracks_by_status: Mapping[str, tuple[tuple[str, int], ...]] = field(factory=dict)
    is_amount_by_result: Mapping[str, bool] = field(factory=dict)

    def compute_totals(self, faces: Faces) -> tuple[int, ...]:
        """Compute the totals to look up: the dice plus the modifiers that hold.

        Returns:
            A total for each die if every die is looked up by itself. Otherwise a single total: the sum of the
            dice, or the first die less the second if the table takes a difference, plus the modifiers.
        """
        bonus = sum(modifier.by for modifier in self.met_modifiers)
        if self.per_die:
            return tuple(face + bonus for face in faces)
        dice_total = faces[0] - faces[1] if self.table.difference else sum(faces)
        return (dice_total + bonus,)

    def find_rows(self, faces: Faces) -> tuple[str, ...]:
        """Find the row of each total, sorted, so that the order of the dice makes no difference."""
        return tuple(sorted(map(self.table.find_row, self.compute_totals(faces))))

    def judge(self, faces: Faces) -> tuple[int, ...]:
        """Return what a throw does, as the integers that `odds` refers to.

        Returns:
            1 if the throw has any effect and 0 if not, then the amount of each result in the odds.
        """
        amounts = sum((self.cells[row].amounts for row in self.find_rows(faces)), Counter[str]())
        # 1 for a status that the ship gets because this throw costs her all of a track.
        lost_all = {
            status: int(any(amounts[name_loss(track)] >= left for track, left in tracks))
            for status, tracks in self.tracks_by_status.items()
        }
        return (
            int(bool(amounts)),
            *[amounts[name] + lost_all.get(name, 0) for name in self.is_amount_by_result],
        )

    @property
    def odds(self) -> tuple[Measure, ...]:
        """The odds: the chance of any effect, then the mean or chance of each result.

        The number in each is its index in the result of `judge`.
        """
        indexed_results = enumerate(self.is_amount_by_result.items(), 1)
        results = (Measure(name, index, is_amount) for index, (name, is_amount) in indexed_results)
        return (Measure("effect", 0), *results)

    @property
    def needs(self) -> tuple[Need, ...]:
        """What the dice must reach: a result with an effect, by their sum or by each die alone.

        It is () if the table takes the difference of two dice, because a `Need` can only add dice.
        """
        if self.table.difference:
            return ()
        dice = tuple(range(len(self.table.dice)))
        return (Need("has effect", dice=dice, each=self.per_die),)

    def look_up(self, total: int) -> tuple[Cell, ChartCell | None]:
        """Return the content of the cell for a total, and the cell itself from the battle's chart.

        Returns:
            The content, and the chart's cell, or None if the umpire's chart has no such cell.
        """
        row = self.table.find_row(total)
        # Read the chart again: reports count the cells read after the throw as the ones that decided.
        chart_row = self.chart.rows.get(row)
        chart_cell = None
        if chart_row is not None and self.column in chart_row.cells:
            chart_cell = chart_row.cells[self.column]
        return self.cells[row], chart_cell


def prepare_reading(
    table: BookTable,
    chart: Chart,
    look: Look,
    names: DeclaredNames,
    tables: Collection[str],
    tracks_by_status: Mapping[str, tuple[tuple[str, int], ...]],
    *,
    per_die: bool = False,
) -> TableReading:
    """Read the table for one roll: its column, its cells and the modifiers that hold.

    Args:
        chart: Chart of the battle. Rows that it lacks have no effect.
        look: Function that gives the value of a name.
        names: Names that changes may use.
        tables: Names of the tables that cells may roll on.
        tracks_by_status: Statuses that the hit ship gets when she loses all of a track; see `TableReading`.
        per_die: True if every die is looked up by itself.

    Raises:
        OrderRefused: No column fits the value, or the chart has a cell that cannot be read.
    """
    try:
        value = table.by.compute_value(look) if table.by is not None else None
        column = table.find_column(value)
        cells = {}
        for row in table.rows:
            chart_row = chart.rows.get(row)
            cell = chart_row.cells.get(column) if chart_row else None
            cells[row] = read_cell(cell.text if cell else "-", names, tables)
    except (QfError, ValueError) as fault:
        raise OrderRefused(str(fault)) from None
    met_modifiers = tuple(modifier for modifier in table.modifiers if modifier.is_met(look))
    # For changes of a track the odds show the mean amount; for all other results they show a chance.
    results = dict.fromkeys(name for cell in cells.values() for name in cell.amounts)
    track_results = {name for track in names.tracks for name in (name_loss(track), f"{track} back")}
    is_amount_by_result = {name: name.removeprefix(f"{SELF} ") in track_results for name in results}
    # The odds also show the chance of each status that the loss of a track may give.
    for status, tracks in tracks_by_status.items():
        for track, left in tracks:
            # With a total for each die, losses add up, so any loss may cost all of a track.
            fatal_loss = 1 if per_die else left
            if any(cell.amounts[name_loss(track)] >= fatal_loss for cell in cells.values()):
                is_amount_by_result[status] = False
    return TableReading(
        table, chart, column, met_modifiers, cells, per_die, tracks_by_status, is_amount_by_result
    )
