"""Finds the faults of a rule book whose values all have the right kind.

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
    list_added_statuses,
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
_TITLES = {"track": "a track", "order": "an order", "owes": "a roll that a phase owes"}
"""What items of these tables are called in messages."""
_NAME = re.compile(r"[a-z][a-z0-9-]*")

Fault = tuple[str, str]
"""The key that has a fault, and the text of the fault."""


def _add_target_names(*names: str) -> tuple[str, ...]:
    """Return the names for the ship that acts, then the same names after `target.` for her target."""
    return (*names, *(f"{TARGET}.{name}" for name in names))


class BookFaults:
    """All faults of a book's file; iterate over it to find them.

    Empty names and keys are skipped here, because the reader of the file reports missing keys.
    """

    def __init__(self, file: BookFile) -> None:
        """Collect the names that the file declares, the types of their values, and what tables ask for."""
        self._file = file
        self._names = {key: [item.name for item in getattr(file, key) if item.name] for key in NAMED}
        self._clauses = [clause.id for clause in file.clause if clause.id]
        self._names["order"] = [order.word for order in file.order if order.word]
        self._added_statuses = list_added_statuses(track.out for track in file.track)
        statuses = (*STATUSES, *self._added_statuses)
        self._change_names = DeclaredNames(tuple(self._names["track"]), tuple(self._names["mark"]), statuses)
        self._slots = {slot.name: slot.kind for slot in file.slot if slot.name}
        self._slots |= {kind: kind for kind in PLAIN_SLOTS}
        self._types = dict(self._list_name_types())
        self._tables = {table.name: table for table in file.table if table.name}
        self._asked_names = {name: self._list_asked_names(table) for name, table in self._tables.items()}
        self._owed_tables = {name: self._list_owed_tables(table) for name, table in self._tables.items()}

    def __iter__(self) -> Iterator[LanguageFault]:
        """Yield the faults of the keys before all tables, then those of each table, item by item."""
        for key, text in self._check_file():
            yield LanguageFault("", 0, key, text)
        for table in (*_TABLES, "clause"):
            name_key = {"order": "word", "clause": "id"}.get(table, "name")
            earlier_names: set[str] = set()
            for number, item in enumerate(getattr(self._file, table), 1):
                name = getattr(item, name_key, "")
                if name and name in earlier_names:
                    yield LanguageFault(table, number, name_key, f"another {table} is called “{name}”")
                earlier_names.add(name)
                for key, text in (*self._check_names_used(item), *self._check_item(table, item, name)):
                    yield LanguageFault(table, number, key, text)

    def _check_file(self) -> Iterator[Fault]:
        """List the faults of the keys that come before all tables: `dice` and `columns`."""
        usual_die = self._file.dice
        if ONE_DIE.fullmatch(usual_die):
            # The number of its sides may still be too great.
            yield from self._check_dice("dice", usual_die)
        elif usual_die:
            yield "dice", "expected one die, like d6"
        yield from self._report_unknown("columns", self._file.columns, "track", self._names["track"])

    def _check_names_used(self, item: object) -> Iterator[Fault]:
        """List the names in one table of the file, such as an `[[order]]`, that the book does not declare."""
        tracks, marks = self._names["track"], self._names["mark"]
        known_by_key: Mapping[str, tuple[str, Collection[str]]] = {
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
        for key, (kind, known) in known_by_key.items():
            yield from self._report_unknown(key, getattr(item, key, ()), kind, known)

    def _report_unknown(
        self, key: str, names: Iterable[str], kind: str, known: Collection[str]
    ) -> Iterator[Fault]:
        """List the unknown names under one key, each with a hint.

        The hint is a similar name, or how a name is written, or all known names.

        Args:
            key: Key in the file.
            names: Single name as a text, or several names.
            kind: Kind of the names, for people.
        """
        if isinstance(names, str):
            # A key for a single name may be empty; an empty name in a list is a fault.
            names = [names] if names else []
        for name in names:
            if name in known:
                continue
            if similar_names := list_similar_names(name, known):
                hint = f"did you mean {similar_names[0]}?"
            elif name != make_id(name):
                hint = f"a name is one word in lower case letters, like {make_id(name)}"
            else:
                hint = f"known: {', '.join(known) or 'none'}"
            yield key, f"no {kind} “{name}”; {hint}"

    def _check_item(self, table: str, item: Any, name: str) -> Iterator[Fault]:
        """List the faults of one item, apart from names that the book does not declare.

        Args:
            table: Name of its table, such as "order".
            item: Item of that table, such as an `OrderItem`.
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
        if table == "threshold":
            for key in ("at", "to"):
                if not _SHARE.fullmatch(getattr(item, key)):
                    yield key, f"expected 0, another number, or {HALF}"
        if (used_table := getattr(item, "table", "")) in self._tables:
            yield from self._check_table_use(item, used_table)

    def _check_name(self, table: str, name: str) -> Iterator[Fault]:
        """List the faults of an item's name: its letters, a word of the console, or a name used elsewhere.

        Args:
            table: Name of the item's table, such as "mark".
        """
        key = "word" if table == "order" else "name"
        taken_names = OWN_WORDS if table == "order" else {*RESERVED, *STATUSES, *self._added_statuses}
        if not _NAME.fullmatch(name):
            yield key, "expected a letter before digits"
        elif name in taken_names:
            yield key, f"“{name}” is a word of the console: choose another"
        # These tables may not share names; the later table reports a name that both have.
        earlier_tables = {"mark": ("track",), "owes": ("order",), "table": ("order", "owes")}
        for earlier in earlier_tables.get(table, ()):
            if name in self._names[earlier]:
                yield key, f"“{name}” names {_TITLES[earlier]} already: give this [[{table}]] another name"

    def _check_dice(self, key: str, text: str) -> Iterator[Fault]:
        """List the fault of a text that must be dice, if it has one."""
        yield from report_refusal(key, read_pool, text, self._file.dice)

    def _check_when(self, text: str) -> Iterator[Fault]:
        """Yield the fault, if any, of a condition such as “night = yes”: an unknown switch or value."""
        if not text:
            return
        name, value = read_when(text)
        switch = next((switch for switch in self._file.switch if switch.name == name), None)
        if switch is None:
            yield from self._report_unknown("when", name or "=", "switch", self._names["switch"])
        elif value not in switch.values:
            yield "when", f"expected “{name} = ” and one of {', '.join(switch.values)}"

    def _check_order(self, item: OrderItem) -> Iterator[Fault]:
        """List the faults of an order's key, slots, dice and effects."""
        # Look at earlier orders only, so that of two orders with the same key only the second is reported.
        for earlier in takewhile(lambda order: order is not item, self._file.order):
            shared_phases = {*earlier.phases} & {*item.phases}
            if shared_phases and item.key and earlier.key == item.key:
                owner = f"“{earlier.word or 'another order'}”"
                yield "key", f"{owner} has this key in {min(shared_phases)}: choose another"
        kinds = [self._slots.get(name) for name in item.slots]
        if kinds and kinds[0] not in (SHIP, SHIPS):
            yield "slots", "the first must be the acting ship, or the ships"
        if any((slot.optional or slot.keyword) and slot.name in item.slots[:1] for slot in self._file.slot):
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
        yield from report_refusal("does", read_changes, split_words(item.does), self._change_names)

    def _check_table_use(self, item: OrderItem | CheckItem, name: str) -> Iterator[Fault]:
        """List the faults of an order or check that uses a table for its dice.

        Args:
            name: Name of the table.
        """
        # A check has no slots, like an empty order.
        order = item if isinstance(item, OrderItem) else OrderItem()
        kinds = {slot: self._slots.get(slot) for slot in order.slots}
        if item.dice or order.reads:
            yield "table", f"the table {name} has the dice and results: remove “dice” and “reads”"
        if SHIPS in kinds.values():
            yield "slots", "only one ship throws on a table: use the slot ship"
        for asked_name in sorted(self._asked_names[name] - kinds.keys()):
            if not asked_name.startswith(TARGET) or TARGET not in kinds.values():
                yield "table", f"the table {name} asks for {asked_name}, but there is no slot for it"
        if order.each and len(self._find_dice(name)) != 1:
            yield "each", f"dice are looked up one by one: give the table {name} one die"

    def _find_dice(self, name: str) -> tuple[Die, ...]:
        """Return the dice of a table, or () if they cannot be read."""
        with suppress(QfError):
            return read_pool(self._tables[name].dice, self._file.dice).dice
        return ()

    def _check_table(self, item: TableItem) -> Iterator[Fault]:
        """List the faults of a table's dice, columns, modifiers, rows and cells."""
        dice = self._find_dice(item.name) if item.name else ()
        if prod(die.sides for die in dice) > WAYS_MOST or "-" in item.dice:
            yield "dice", f"a table has a fixed number of dice, with at most {WAYS_MOST} results"
        if item.difference and len(dice) != 2:
            yield "difference", "a difference needs two dice"
        if item.by:
            yield from report_refusal("by", self._read_type, item.by)
            with suppress(QfError):
                # The columns can only be checked if `by` itself has no fault.
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
        """Check the cells of a row.

        Args:
            cells: Text of each cell.
            columns: Number of columns.

        Raises:
            QfError: The row has not one cell for each column, or a cell cannot be read.
        """
        if len(cells) != columns:
            raise QfError(f"expected {columns}, a cell for each column, found {len(cells)}")
        for cell in cells:
            for _, fault in report_refusal("", read_cell, cell, self._change_names, self._tables):
                raise QfError(f"“{cell}”: {fault}")

    def _read_type(self, text: str) -> Type:
        """Return the type of a sum, such as “guns - target.armor”; QfError if it is no sum."""
        return find_type(read_sum(text.split()), self._types)

    def _check_owed_tables(self, name: str) -> Iterator[Fault]:
        """List the faults of the rolls that a table owes on other tables.

        Rolls may owe further rolls, but at most `DEEPEST` levels deep. The table of an owed roll must not ask
        for values that only an order has.
        """
        last_level = {name}
        for _ in range(DEEPEST + 1):
            last_level = {owed for table in last_level for owed in self._owed_tables.get(table, ())}
        if last_level:
            yield "rows", f"these rolls owe more rolls without end, or more than {DEEPEST} deep"
        for owed_table in self._owed_tables.get(name, ()):
            for asked_name in sorted(self._asked_names[owed_table]):
                yield "rows", f"a roll on {owed_table} asks for {asked_name}, which only an order has"

    def _list_asked_names(self, table: TableItem) -> frozenset[str]:
        """Find the names in a table that only an order gives a value: slots, and values of a target."""
        words = " ".join((table.by, *table.modifiers)).split()
        return frozenset(word for word in words if word in self._slots or word.startswith(f"{TARGET}."))

    def _list_owed_tables(self, table: TableItem) -> frozenset[str]:
        """Find the tables on which the cells of a table owe rolls."""
        # More rows are a fault that `check_spans` reports.
        lines = [*table.rows.values()][:ROWS_MOST]
        words = re.split(r"[\s,|]+", " ".join(lines))
        return frozenset(name for roll, name in pairwise(words) if roll == ROLL and name in self._tables)

    def _list_name_types(self) -> Iterator[tuple[str, Type]]:
        """Yield each name that a table may ask for, with the type of its value."""
        for name in _add_target_names(*self._names["track"], *self._names["mark"]):
            yield name, NUMBER
        if self._names["kind"]:
            for name in _add_target_names(KIND):
                yield name, tuple(self._names["kind"])
        for switch in self._file.switch:
            yield switch.name, switch.values
        choices = {slot.name: slot.choices for slot in self._file.slot}
        type_by_kind: Mapping[str, Type] = {"count": NUMBER, "flag": NUMBER, RANGE: RANGE, "choice": ()}
        for name, kind in self._slots.items():
            if kind in type_by_kind:
                # The type of a choice, or of a named range, is its words.
                yield name, choices.get(name) or type_by_kind[kind]


def report_refusal(key: str, attempt: Callable[..., object], *arguments: object) -> Iterator[Fault]:
    """Call a function; if it raises a QfError, yield the error as a fault of the key.

    Args:
        attempt: Function that reads a value of the file.
        arguments: Arguments of that function.
    """
    try:
        attempt(*arguments)
    except QfError as fault:
        yield key, str(fault)
