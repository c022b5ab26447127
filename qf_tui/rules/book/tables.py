"""Tables of a book: what dice come to by rows, columns and modifiers, read by one judgement.

Values are added up, as `guns + 2 - target.armor`, and compared, as `target.speed < 3`; that is all. Who asks
gives the value of a name (`Look`), so that nothing here knows a ship.
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
"""A number, a word, a range; None for a word or a range that the order leaves out."""
Look = Callable[[str], Value]

NUMBER, RANGE = "number", "range"
Type = str | tuple[str, ...]
"""A number, a range, or the words that there are."""
ROLL = "roll"
"""Stands before the name of a table on which a cell owes a roll."""
TERMS_MOST, CHANGES_MOST, ROLLS_MOST, MARKS_MOST, DEEPEST, ROWS_MOST = 6, 8, 2, 9, 3, 60
WAYS_MOST = 10_000
"""Ways in which the dice of a table may fall."""
ONLY = "result"
"""The column of a table that has but one."""
HALF = "half"
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
_SPAN = re.compile(r"(-?\d{1,3})(?:(?:-| to )(-?\d{1,3}))?", re.ASCII)
_DISTANCE = re.compile(r"(\d{1,4}(?:\.\d)?)(in|mm|cm)", re.ASCII)
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
_COMPARISON = re.compile("<=|>=|[<>=]")
_SIGNED = re.compile(r"[+-]\d{1,2}", re.ASCII)


@frozen
class Sum:
    """Names and numbers added up; a name alone may stand for a word or a range."""

    terms: tuple[tuple[int, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.terms if not _NUMBER.fullmatch(name))

    def value(self, look: Look) -> Value:
        values = [(sign, int(name) if _NUMBER.fullmatch(name) else look(name)) for sign, name in self.terms]
        if len(values) == 1:
            return values[0][1]
        return sum(sign * value for sign, value in values if isinstance(value, int))


def typed(each: Sum, types: Mapping[str, Type]) -> Type:
    """What a sum comes to; QfError for names that nothing has, and for words that are added up."""
    for name in each.names:
        if name not in types:
            close = list_similar_names(name, types)
            hint = f"did you mean {close[0]}?" if close else "it is no track"
            hint = f"write it with blanks, as {name.replace('+', ' + ')}" if "+" in name else hint
            raise QfError(f"no value “{name}”; {hint}")
    if len(each.terms) == len(each.names) == 1:
        return types[each.names[0]]
    if any(types[name] != NUMBER for name in each.names):
        raise QfError(f"only numbers are added up, and not {', '.join(each.names)}")
    return NUMBER


def read_sum(words: Sequence[str]) -> Sum:
    """A sum of such words, signs among them; QfError for what is none."""
    signs, names = ("+", *words[1::2]), words[::2]
    if len(words) % 2 == 0 or len(names) > TERMS_MOST or any(sign not in ("+", "-") for sign in signs):
        raise QfError(f"“{' '.join(words)}” is no sum; write it with blanks, as guns + 2 - target.armor")
    return Sum(tuple((-1 if sign == "-" else 1, name) for sign, name in zip(signs, names, strict=True)))


@frozen
class Modifier:
    """What is added to the dice while a comparison holds, of numbers or of a word with another."""

    text: str
    by: int
    left: Sum
    sign: str
    right: Sum

    def holds(self, look: Look) -> bool:
        value = self.left.value(look)
        if not isinstance(value, int):
            return value == self.right.terms[0][1]
        other = self.right.value(look)
        return isinstance(other, int) and _COMPARED[self.sign](value, other)

    def __str__(self) -> str:
        return f"{self.by:+d} {self.text}"


def read_modifier(text: str) -> Modifier:
    """A modifier, as `rake +1`, `no guns -2`, `target.speed < 3 +1`; QfError for what is none."""
    *words, last = _COMPARISON.sub(r" \g<0> ", text).split() or [""]
    if not words or not _SIGNED.fullmatch(last):
        example = f"{text} -1" if words else "target.smoke -2"
        raise QfError(f"“{text}” is no modifier; write what must hold, then what it adds, as {example}")
    said, by = " ".join(words), int(last)
    at = next((place for place, word in enumerate(words) if word in _COMPARED), 0)
    if not at:
        # What stands alone is there at all, or behind “no” is not.
        without = words[0] == "no"
        if len(words[without:]) == 2:
            one, other = words[without:]
            between = f"write < <= = >= or > between {one} and {other}, as {one} <= {other} {last}"
            raise QfError(f"“{text}” compares nothing; {between}")
        words, at = [*words[without:], "=" if without else ">", "0"], -2
    return Modifier(said, by, read_sum(words[:at]), words[at], read_sum(words[at:][1:]))


def check_modifier(text: str, types: Mapping[str, Type]) -> None:
    """QfError for what is no modifier, or compares what cannot be compared."""
    modifier = read_modifier(text)
    kind, words = typed(modifier.left, types), [word for _, word in modifier.right.terms]
    if isinstance(kind, tuple):
        if modifier.sign != "=" or words not in ([word] for word in kind):
            raise QfError(f"“{text}”: expected “=” and one of {', '.join(kind)}")
    elif kind != NUMBER or typed(modifier.right, types) != NUMBER:
        raise QfError(f"“{text}”: only numbers are compared; a range chooses a column")


@frozen
class Cell:
    """What a cell says: changes of a ship, and the tables on which it owes rolls.

    `amounts` has how much of what, as the odds call it: `hull lost`, `fire`, `fire out`, `self guns lost`.
    """

    text: str
    changes: tuple[Change, ...] = ()
    rolls: tuple[str, ...] = ()
    amounts: Counter[str] = field(factory=Counter)


def read_cell(text: str, words: DeclaredNames, tables: Collection[str]) -> Cell:
    """What a cell says, as `hull 2 fire`, `roll fires 2`, `-`; QfError for what no cell can."""
    left, rolls, others = split_words(text), list[str](), list[str]()
    while left:
        word = left.pop(0)
        if word != ROLL:
            others.append(word)
            continue
        name = left.pop(0) if left else ""
        if name not in tables:
            raise QfError(f"a roll on which table? One of {', '.join(tables) or 'none'}")
        rolls += [name] * (int(left.pop(0)) if left and _NUMBER.fullmatch(left[0]) else 1)
    changes = read_changes([] if others == ["-"] else others, words)
    if len(changes) > CHANGES_MOST or len(rolls) > ROLLS_MOST:
        raise QfError(f"at most {CHANGES_MOST} changes and {ROLLS_MOST} rolls in a cell")
    amounts = Counter(f"{ROLL} {name}" for name in rolls)
    for change in changes:
        if change.to is not None or (change.name in words.marks and abs(change.by) > MARKS_MOST):
            raise QfError(f"a cell says how many more or fewer, at most {MARKS_MOST} of a mark")
        amounts[_label(change, words)] += abs(change.by) or 1
    return Cell(" ".join(text.split()) if amounts else NOTHING, changes, tuple(rolls), amounts)


def lost(track: str) -> str:
    """What the odds call a track that is crossed off."""
    return f"{track} lost"


def _label(change: Change, words: DeclaredNames) -> str:
    own = f"{SELF} {change.name}" if change.own else change.name
    if change.name in words.tracks:
        return lost(own) if change.by < 0 else f"{own} back"
    return f"{own} out" if change.by < 0 else own


@lru_cache(maxsize=4096)
def span_of(text: str) -> tuple[int, int] | None:
    """The least and the most number of a row or column, of `7` or `2-5`; None for what names no numbers."""
    match = _SPAN.fullmatch(text)
    return (int(match[1]), int(match[2] or match[1])) if match else None


def distance_of(text: str) -> Distance | None:
    """The farthest range of a column, as of `6in`; None for what is none."""
    match = _DISTANCE.fullmatch(text)
    return Distance(Fraction(match[1]), match[2]) if match else None


def check_columns(columns: Sequence[str], kind: Type) -> None:
    """QfError where columns are not those of the words, ranges or numbers that choose among them."""
    if isinstance(kind, tuple):
        if sorted(columns) != sorted(kind):
            raise QfError(f"expected a column for each of {', '.join(kind)}")
    elif kind == RANGE:
        ends = [far for far in map(distance_of, columns) if far is not None]
        nearest_first = all(near.amount < far.amount for near, far in pairwise(ends))
        if len(ends) < len(columns) or len({far.unit for far in ends}) > 1 or not nearest_first:
            raise QfError("expected ranges in one unit, the nearest first, as 6in, 12in: each goes so far")
    else:
        check_spans(columns)


def check_spans(names: Sequence[str]) -> None:
    """QfError for names that are no numbers in a row, each once."""
    if not 0 < len(names) <= ROWS_MOST:
        raise QfError(f"expected 1 to {ROWS_MOST}, found {len(names)}")
    last: int | None = None
    for name in names:
        span = span_of(name)
        if span is None or span[0] > span[1]:
            raise QfError(f"“{name}” is no number, nor numbers as 2-5")
        if last is not None and span[0] != last + 1:
            raise QfError(f"“{name}” does not follow {last}: every number once, the least first")
        last = span[1]


@frozen
class BookTable:
    """A table; `rows` has the cells of each line as they are written, in the order of `columns`."""

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
        """The table as charts are shown, printed and overlaid."""
        rows = {}
        for row, cells in self.rows.items():
            written = zip(self.columns, cells, strict=True)
            rows[row] = ChartRow(
                row, {column: ChartCell(text, Provenance.ATTESTED) for column, text in written}
            )
        return Chart(self.name, self.title, rows, "; ".join(map(str, self.modifiers)))

    def column(self, value: Value) -> str:
        """The column of a value, of numbers beyond them the nearest; OrderRefused where there is none.

        ValueError for a range in inches on a metric table, or the other way round.
        """
        if self.by is None or isinstance(value, int):
            return _nearest(self.columns, value) if isinstance(value, int) else self.columns[0]
        for name in self.columns:
            far = distance_of(name) if isinstance(value, Distance) else None
            if name == value or (far and isinstance(value, Distance) and value.to(far.unit) <= far.amount):
                return name
        raise OrderRefused(f"{self.title} has no column for {value}; there are {', '.join(self.columns)}")

    def row(self, total: int) -> str:
        """The row of a total, of one beyond them the nearest."""
        return _nearest(self.rows, total)


def _nearest(names: Collection[str], number: int) -> str:
    """Of names that are spans, the one that holds a number or comes nearest to it."""
    spans = {name: span for name in names if (span := span_of(name))}
    return min(spans, key=lambda name: max(spans[name][0] - number, number - spans[name][1], 0))


@frozen
class TableReading:
    """A table as a roll reads it: its column, the modifiers that hold, and what each row of it says.

    `each`: every die is looked up by itself. `outs` has, by what becomes of the ship that is hit, the tracks
    by which it does, each with what she has left of it.
    """

    table: BookTable
    chart: Chart
    column: str
    added: tuple[Modifier, ...]
    cells: Mapping[str, Cell]
    each: bool = False
    outs: Mapping[str, tuple[tuple[str, int], ...]] = field(factory=dict)
    figures: Mapping[str, bool] = field(factory=dict)
    """What is counted of a throw, and whether its mean is shown or its chance."""

    def totals(self, faces: Faces) -> tuple[int, ...]:
        """What dice come to with the modifiers, one by one or together."""
        more = sum(modifier.by for modifier in self.added)
        if self.each:
            return tuple(face + more for face in faces)
        return ((faces[0] - faces[1] if self.table.difference else sum(faces)) + more,)

    def rows(self, faces: Faces) -> tuple[str, ...]:
        """The rows that faces come to; of dice that are looked up one by one in no order."""
        return tuple(sorted(map(self.table.row, self.totals(faces))))

    def judge(self, faces: Faces) -> tuple[int, ...]:
        """Whether anything is said at all, then as much as each figure counts."""
        said = sum((self.cells[row].amounts for row in self.rows(faces)), Counter[str]())
        ends = {out: any(said[lost(of)] >= left for of, left in each) for out, each in self.outs.items()}
        return (int(bool(said)), *[said[name] + ends.get(name, 0) for name in self.figures])

    @property
    def odds(self) -> tuple[Measure, ...]:
        """The figures of the odds: whether anything is said, and of each thing how often or how much."""
        counted = enumerate(self.figures.items(), 1)
        return (Measure("effect", 0), *(Measure(name, place, mean) for place, (name, mean) in counted))

    @property
    def needs(self) -> tuple[Need, ...]:
        """What people throw for: a total, or each die, that says anything."""
        dice = tuple(range(len(self.table.dice)))
        return () if self.table.difference else (Need("has effect", dice=dice, each=self.each),)

    def look_up(self, total: int) -> tuple[Cell, ChartCell | None]:
        """What a total comes to, and the cell of the chart: to read it notes that it decided."""
        row = self.table.row(total)
        line = self.chart.rows.get(row)
        return self.cells[row], line.cells[self.column] if line and self.column in line.cells else None


def reading(
    table: BookTable,
    chart: Chart,
    look: Look,
    words: DeclaredNames,
    tables: Collection[str],
    outs: Mapping[str, tuple[tuple[str, int], ...]],
    *,
    each: bool = False,
) -> TableReading:
    """A table made ready for a roll; OrderRefused where it has no column for it, or a cell is none.

    A row that an umpire's chart drops says nothing.
    """
    try:
        column = table.column(table.by.value(look) if table.by is not None else None)
        cells = {}
        for row in table.rows:
            line = chart.rows.get(row)
            cell = line.cells.get(column) if line else None
            cells[row] = read_cell(cell.text if cell else "-", words, tables)
    except (QfError, ValueError) as fault:
        raise OrderRefused(str(fault)) from None
    added = tuple(modifier for modifier in table.modifiers if modifier.holds(look))
    said = dict.fromkeys(name for cell in cells.values() for name in cell.amounts)
    counted = {name for track in words.tracks for name in (lost(track), f"{track} back")}
    figures = {name: name.removeprefix(f"{SELF} ") in counted for name in said}
    for out, tracks in outs.items():
        costs = [(cell.amounts[lost(track)], left) for cell in cells.values() for track, left in tracks]
        figures |= {out: False} if any(cost >= (each or left) for cost, left in costs) else {}
    return TableReading(table, chart, column, added, cells, each, outs, figures)
