"""Faults of a book whose values all have the right kind.

Such faults are unknown names, names given twice, and parts that do not fit together.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise, takewhile
from math import prod
from typing import Any

from qf_tui.core.builtin_forms import BUILTIN, CORRECTIONS
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import list_similar_names
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import LanguageFault
from qf_tui.core.text import make_id
from qf_tui.core.values import CALL, READ_FOR, Die
from qf_tui.rules.book.changes import NOTHING, OTHER, SELF, DeclaredNames, read_changes, split_words
from qf_tui.rules.book.declaration import (
    KIND,
    ONE_DIE,
    PLAIN_SLOTS,
    RANGE,
    READ,
    SHIP,
    SHIPS,
    STATUSES,
    TARGET,
    BookFile,
    CheckItem,
    OrderItem,
    TableItem,
    list_own_statuses,
    read_pool,
    read_when,
    split_cells,
)
from qf_tui.rules.book.tables import (
    DEEPEST,
    HALF,
    NUMBER,
    ROLL,
    ROWS_MOST,
    WAYS_MOST,
    Type,
    check_columns,
    check_modifier,
    check_spans,
    find_type,
    read_cell,
    read_span,
    read_sum,
)

OWN_WORDS = {form.word for form in (*BUILTIN, *CORRECTIONS)} | {"force", "preview", CALL}
"""The words of the program's own orders, which no book may use."""
RESERVED = {"id", "name", "kind", "notes", "side", "edge", "status", "marks", READ, SCHEDULE}
RESERVED |= {NOTHING, SELF, OTHER, READ_FOR, ROLL, *PLAIN_SLOTS}
"""The names that no track, mark, slot or question may have."""
NAMED = ("phase", "track", "mark", "kind", "slot", "owes", "table", "switch")
_TABLES = (*NAMED, "order", "threshold")
_SHARE = re.compile(rf"{HALF}|\d{{1,3}}", re.ASCII)
_CALLED = {"track": "a track", "order": "an order", "owes": "a roll that a phase owes"}
_NAME = re.compile(r"[a-z][a-z0-9-]*")

Fault = tuple[str, str]
"""The key that has a fault, and the text of the fault."""


def _add_target_names(*names: str) -> tuple[str, ...]:
    """Return the names for the ship that acts, then the same names after `target.` for her target."""
    return (*names, *(f"{TARGET}.{name}" for name in names))


class BookFaults:
    """All faults of a book's file; iterate over it to find them.

    Empty names and keys are passed over here, because the reader of the file reports missing keys.
    """

    def __init__(self, file: BookFile) -> None:
        self._file = file
        self._names = {key: [item.name for item in getattr(file, key) if item.name] for key in NAMED}
        self._clauses = [clause.id for clause in file.clause if clause.id]
        self._names["order"] = [order.word for order in file.order if order.word]
        self._outs = list_own_statuses(track.out for track in file.track)
        self._words = DeclaredNames(
            tuple(self._names["track"]), tuple(self._names["mark"]), (*STATUSES, *self._outs)
        )
        self._slots = {slot.name: slot.kind for slot in file.slot if slot.name}
        self._slots |= {kind: kind for kind in PLAIN_SLOTS}
        self._types = dict(self._list_name_types())
        self._tables = {table.name: table for table in file.table if table.name}
        self._asked = {name: self._list_names_asked(table) for name, table in self._tables.items()}
        self._owed = {name: self._list_owed_tables(table) for name, table in self._tables.items()}

    def __iter__(self) -> Iterator[LanguageFault]:
        for key, text in self._check_file():
            yield LanguageFault("", 0, key, text)
        for table in (*_TABLES, "clause"):
            id = "word" if table == "order" else "id" if table == "clause" else "name"
            known: set[str] = set()
            for number, item in enumerate(getattr(self._file, table), 1):
                name = getattr(item, id, "")
                if name and name in known:
                    yield LanguageFault(table, number, id, f"another {table} is called “{name}”")
                known.add(name)
                for key, text in (*self._check_names_used(item), *self._check_item(table, item, name)):
                    yield LanguageFault(table, number, key, text)

    def _check_file(self) -> Iterator[Fault]:
        usual = self._file.dice
        if usual and not ONE_DIE.fullmatch(usual):
            yield "dice", "expected one die, like d6"
        yield from self._check_dice("dice", usual if ONE_DIE.fullmatch(usual) else "")
        yield from self._report_unknown("columns", self._file.columns, "track", self._names["track"])

    def _check_names_used(self, item: object) -> Iterator[Fault]:
        """List the names in one table of the file, such as an `[[order]]`, that the book does not declare."""
        tracks, marks = self._names["track"], self._names["mark"]
        known: Mapping[str, tuple[str, Collection[str]]] = {
            "phases": ("phase", self._names["phase"]),
            "phase": ("phase", self._names["phase"]),
            "slots": ("slot", tuple(self._slots)),
            "spends": ("track", tracks),
            "needs": ("track or mark", _add_target_names(*tracks, *marks)),
            "bars": ("track or mark", _add_target_names(*tracks, *marks)),
            "looks_at": ("track or mark", _add_target_names(*tracks, *marks)),
            "on": ("mark", marks),
            "clause": ("clause", self._clauses),
            "tracks": ("track", tracks),
            "track": ("track", tracks),
            "bounds": ("track", tracks),
            "table": ("table", self._names["table"]),
        }
        for key, (what, among) in known.items():
            yield from self._report_unknown(key, getattr(item, key, ()), what, among)

    def _report_unknown(
        self, key: str, value: Iterable[str], what: str, among: Collection[str]
    ) -> Iterator[Fault]:
        """List the unknown names under one key, each with a hint: a similar name, or all known names.

        Args:
            key: Key in the file.
            value: Name, or names.
            what: Kind of the names, for people.
            among: Known names.
        """
        # A key for a single name may be empty; an empty name in a list is a fault.
        for text in [value] if isinstance(value, str) and value else value:
            if text not in among:
                close = list_similar_names(text, among)
                hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(among) or 'none'}"
                if not close and text != make_id(text):
                    hint = f"a name is one word in lower case letters, like {make_id(text)}"
                yield key, f"no {what} “{text}”; {hint}"

    def _check_item(self, table: str, item: Any, name: str) -> Iterator[Fault]:
        """List the faults of one item other than names that the book does not declare.

        Args:
            table: Name of the table.
            name: Name of the item, or "" if it is missing.
        """
        if table in ("track", "mark", "slot", "owes", "order", "table") and name:
            yield from self._check_name(table, name)
        if table == "track" and item.out and not _NAME.fullmatch(item.out):
            yield "out", "expected one word in lower case letters"
        if table != "order":
            yield from self._check_dice("dice", getattr(item, "dice", ""))
        yield from self._check_when(getattr(item, "when", ""))
        if table == "slot" and item.kind == "choice" and not item.choices:
            yield "choices", "a choice needs words"
        if table == "order":
            yield from self._check_order(item)
        elif table == "table":
            yield from self._check_table(item)
        for key in ("at", "to") if table == "threshold" else ():
            if not _SHARE.fullmatch(getattr(item, key)):
                yield key, f"expected 0, another number, or {HALF}"
        if (used := getattr(item, "table", "")) in self._asked:
            yield from self._check_table_use(item, used)

    def _check_name(self, table: str, name: str) -> Iterator[Fault]:
        key = "word" if table == "order" else "name"
        if not _NAME.fullmatch(name):
            yield key, "expected a letter before digits"
        elif name in (OWN_WORDS if table == "order" else {*RESERVED, *STATUSES, *self._outs}):
            yield key, f"“{name}” is a word of the console: choose another"
        others = {"mark": ("track",), "owes": ("order",), "table": ("order", "owes")}
        for other in others.get(table, ()):
            if name in self._names[other]:
                yield key, f"“{name}” names {_CALLED[other]} already: give this [[{table}]] another name"

    def _check_dice(self, key: str, text: str) -> Iterator[Fault]:
        yield from report_refusal(key, read_pool, text, self._file.dice)

    def _check_when(self, text: str) -> Iterator[Fault]:
        name, value = read_when(text)
        switch = next((each for each in self._file.switch if each.name == name), None)
        if text and switch is None:
            yield from self._report_unknown("when", name or "=", "switch", self._names["switch"])
        elif text and switch is not None and value not in switch.values:
            yield "when", f"expected “{name} = ” and one of {', '.join(switch.values)}"

    def _check_order(self, item: OrderItem) -> Iterator[Fault]:
        for other in takewhile(lambda other: other is not item, self._file.order):
            phases = {*other.phases} & {*item.phases}
            if phases and item.key and other.key == item.key:
                yield (
                    "key",
                    f"“{other.word or 'another order'}” has this key in {min(phases)}: choose another",
                )
        kinds = [self._slots.get(name) for name in item.slots]
        if kinds and kinds[0] not in (SHIP, SHIPS):
            yield "slots", "the first must be the acting ship, or the ships"
        if any((each.optional or each.keyword) and each.name in item.slots[:1] for each in self._file.slot):
            yield "slots", "the acting ship comes first and cannot be left out"
        if kinds.count(TARGET) > 1 or any(kind in (SHIP, SHIPS) for kind in kinds[1:]):
            yield "slots", "after the acting ship at most one other ship, a target"
        if kinds.count(RANGE) > 1 or (RANGE in kinds and TARGET not in kinds):
            yield "slots", "a range needs a target, and there is only one range"
        if "text" in kinds[:-1] or ("text" in kinds and item.dice):
            yield "slots", "a text takes the rest of the line: it comes last, and no dice follow"
        yield from self._check_dice("dice", item.dice)
        counts = [name for name in item.slots if self._slots.get(name) == "count"]
        yield from self._report_unknown("each", item.each, "track or count", (*self._names["track"], *counts))
        if item.each and not (item.dice or item.table):
            yield "dice", "a die for each of what? Give one die, like d6"
        yield from report_refusal("does", read_changes, split_words(item.does), self._words)

    def _check_table_use(self, item: OrderItem | CheckItem, name: str) -> Iterator[Fault]:
        """List the faults of an order or check that looks up its dice on a table.

        Args:
            name: Name of that table.
        """
        order = item if isinstance(item, OrderItem) else OrderItem()
        kinds = {slot: self._slots.get(slot) for slot in order.slots}
        if item.dice or order.reads:
            yield "table", f"the table {name} has the dice and results: remove “dice” and “reads”"
        if SHIPS in kinds.values():
            yield "slots", "only one ship throws on a table: use the slot ship"
        for asked in sorted(self._asked[name] - kinds.keys()):
            if not asked.startswith(TARGET) or TARGET not in kinds.values():
                yield "table", f"the table {name} asks for {asked}, but there is no slot for it"
        if order.each and len(self._find_dice(name)) != 1:
            yield "each", f"dice are looked up one by one: give the table {name} one die"

    def _find_dice(self, name: str) -> tuple[Die, ...]:
        with suppress(QfError):
            return read_pool(self._tables[name].dice, self._file.dice).dice
        return ()

    def _check_table(self, item: TableItem) -> Iterator[Fault]:
        dice = self._find_dice(item.name) if item.name else ()
        if prod(die.sides for die in dice) > WAYS_MOST or "-" in item.dice:
            yield "dice", f"a table has a fixed number of dice, with at most {WAYS_MOST} results"
        if item.difference and len(dice) != 2:
            yield "difference", "a difference needs two dice"
        if item.by:
            yield from report_refusal("by", self._read_type, item.by)
            with suppress(QfError):
                kind = self._read_type(item.by)
                yield from report_refusal("columns", check_columns, item.columns, kind)
        elif len(item.columns) > 1:
            yield "by", "what chooses the column? Like range, or target.armor"
        for text in item.modifiers:
            yield from report_refusal("modifiers", check_modifier, text, self._types)
        yield from report_refusal(
            "rows", check_spans, sorted(item.rows, key=lambda row: read_span(row) or (0, 0))
        )
        for row, line in [*item.rows.items()][:ROWS_MOST]:
            yield from report_refusal(row, self._check_cells, split_cells(line), len(item.columns))
        yield from self._check_owed_tables(item.name)

    def _check_cells(self, cells: tuple[str, ...], columns: int) -> None:
        if len(cells) != columns:
            raise QfError(f"expected {columns}, a cell for each column, found {len(cells)}")
        for cell in cells:
            for _, fault in report_refusal("", read_cell, cell, self._words, self._tables):
                raise QfError(f"“{cell}”: {fault}")

    def _read_type(self, text: str) -> Type:
        return find_type(read_sum(text.split()), self._types)

    def _check_owed_tables(self, name: str) -> Iterator[Fault]:
        """List the faults of the rolls that a table owes on other tables.

        Owed rolls may not owe rolls too deep. Their tables may ask for nothing that only an order has.
        """
        reached = {name}
        for _ in range(DEEPEST + 1):
            reached = {each for one in reached for each in self._owed.get(one, ())}
        if reached:
            yield "rows", f"these rolls owe more rolls without end, or more than {DEEPEST} deep"
        for owed in self._owed.get(name, ()):
            for asked in sorted(self._asked[owed]):
                yield "rows", f"a roll on {owed} asks for {asked}, which only an order has"

    def _list_names_asked(self, table: TableItem) -> frozenset[str]:
        """Find the slots of an order, and the values of a target, that a table asks for."""
        words = " ".join((table.by, *table.modifiers)).split()
        return frozenset(word for word in words if word in self._slots or word.startswith(f"{TARGET}."))

    def _list_owed_tables(self, table: TableItem) -> frozenset[str]:
        """Find the tables on which the cells of a table owe rolls."""
        lines = [*table.rows.values()][:ROWS_MOST]
        words = re.split(r"[\s,|]+", " ".join(lines))
        return frozenset(name for roll, name in pairwise(words) if roll == ROLL and name in self._tables)

    def _list_name_types(self) -> Iterator[tuple[str, Type]]:
        """Yield each name that a table may ask for, with the type of its value."""
        for name in _add_target_names(*self._names["track"], *self._names["mark"]):
            yield name, NUMBER
        if self._names["kind"]:
            yield from ((name, tuple(self._names["kind"])) for name in _add_target_names(KIND))
        for switch in self._file.switch:
            yield switch.name, switch.values
        choices = {slot.name: slot.choices for slot in self._file.slot}
        kinds: Mapping[str, Type] = {"count": NUMBER, "flag": NUMBER, RANGE: RANGE, "choice": ()}
        for name, kind in self._slots.items():
            if kind in kinds:
                yield name, choices.get(name) or kinds[kind]


def report_refusal(key: str, attempt: Callable[..., object], *given: object) -> Iterator[Fault]:
    """Call a function that reads a value, and yield its QfError, if it raises one, as a fault of the key.

    Args:
        attempt: Function that reads a value of the file.
        given: Arguments of that function.
    """
    try:
        attempt(*given)
    except QfError as fault:
        yield key, str(fault)
