"""Reads the state of ships from a CSV file, and finds the hand entries that lead to it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import field, frozen

from qf_tui.core.builtin_forms import MARK, STATE
from qf_tui.core.builtin_orders import prepare_mark, read_value
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.names import fold_name
from qf_tui.core.system import Field, RuleSystem
from qf_tui.core.text import format_count
from qf_tui.core.values import Battle, Order, Ship
from qf_tui.document.text import lay_out_rows
from qf_tui.features.state.table import (
    ID,
    NAME,
    SHIP_COLUMNS,
    SIDE,
    format_field,
    format_value,
    list_log_fields,
)
from qf_tui.library.csv_rows import build_row_place, read_table, sort_by_row
from qf_tui.library.faults import Fault, FileFaults, FilePlace, format_hint, make_printable

NO_CHANGE = "the file changes nothing"
ROUNDS_MOST = 4
"""How often all cells are entered, because the rules may change one field when another is set."""
_BOOLS = {"1": "yes", "y": "yes", "true": "yes", "0": "no", "n": "no", "false": "no"}
_ZERO_DECIMALS = r"(?<=\d)\.0+"


@frozen
class StateCell:
    """A cell of a spreadsheet that states a field of a ship.

    Attributes:
        place: Its row and column.
        ship: Id of the ship.
        text: The value as `mark` reads it.
    """

    place: FilePlace
    ship: str
    field: Field
    text: str


@frozen
class StateChange:
    """A field that an import changes.

    Attributes:
        side: Name of the ship's side.
        ship: Name of the ship.
        field: Title of the field.
        before: Its value now.
        after: Its value after the import.
        stated: False if no cell states the value, but the rules change it too.
    """

    side: str
    ship: str
    field: str
    before: str
    after: str
    stated: bool = True


@frozen
class StateImport:
    """The changes in a file: each field with its values, and the order that enters them all."""

    changes: tuple[StateChange, ...] = ()
    order: Order = field(factory=lambda: Order(STATE, {}))


def read_state(data: bytes, path: Path, system: RuleSystem, battle: Battle) -> StateImport:
    """Read a CSV file, and work out its changes in a battle.

    An empty cell, a missing column and a missing ship change nothing.

    Raises:
        FileFaults: All that is wrong with the file, each with its row and column.
    """
    fields = {log_field.name: log_field for log_field in list_log_fields(system)}
    known_columns = (*SHIP_COLUMNS, *fields)
    table = read_table(data, path, known_columns)
    faults = list(table.faults)
    if not faults and not any(ID in row or NAME in row for _, row in table.numbered_rows):
        faults.append(Fault.build_at(build_row_place(1), f"expected a column {ID} or {NAME}, then the ships"))
    cells: dict[tuple[str, str], StateCell] = {}
    row_by_ship: dict[str, int] = {}
    for number, row in table.numbered_rows:
        place = build_row_place(number, row.get(ID) or row.get(NAME) or "")
        ship, fault = _find_ship(battle, row, place)
        if ship is not None and ship.id in row_by_ship:
            fault = Fault.build_at(place, f"{ship.name} is in row {row_by_ship[ship.id]} already")
        if fault is not None:
            faults.append(fault)
        elif ship is not None:
            row_by_ship[ship.id] = number
            for name, text in row.items():
                if text and name in fields:
                    spelled = _spell_value(battle, fields[name], text)
                    cells[ship.id, name] = StateCell(place.add_key(name), ship.id, fields[name], spelled)
    entries, after, cell_faults = _enter_cells(system, battle, cells.values())
    faults += cell_faults
    if faults:
        raise FileFaults(path, sort_by_row(faults))
    # The order has all hand entries as words, separated by `;`.
    order = Order(STATE, {"entries": tuple("; ".join(entries).split())})
    return StateImport(tuple(_list_changes(system, battle, after, cells)), order)


def _find_ship(battle: Battle, row: Mapping[str, str], place: FilePlace) -> tuple[Ship | None, Fault | None]:
    """Find the ship of a row by the cell of her id, or by that of her name if the id is empty.

    Upper and lower case do not matter.

    Returns:
        The ship or None, and the fault or None. A name or a side that is not hers is a fault: a spreadsheet
        that sorted one column alone makes such rows.
    """
    id, name, side = (row.get(heading, "") for heading in (ID, NAME, SIDE))
    heading, wanted = (ID, id) if id else (NAME, name)

    def refuse(column: str, text: str) -> tuple[None, Fault]:
        return None, Fault.build_at(place.add_key(column), text)

    if not wanted:
        return refuse(ID, "which ship? The cells for her id and her name are empty")
    by_id = battle.ships.get(id.casefold())
    fitting = [by_id] if by_id else _list_called(battle, wanted)
    # The side chooses among ships of the same name; a side that fits none is refused below.
    if side:
        fitting = [ship for ship in fitting if _is_side(battle, ship, side)] or fitting
    if not fitting:
        known_words = (word for ship in battle.ships.values() for word in (ship.id, ship.name))
        return refuse(heading, f"no ship “{make_printable(wanted)}”{format_hint(wanted, known_words)}")
    if len(fitting) > 1:
        ids = ", ".join(ship.id for ship in fitting)
        return refuse(heading, f"“{make_printable(wanted)}” may be {ids}; give the id")
    (ship,) = fitting
    if side and not _is_side(battle, ship, side):
        return refuse(SIDE, f"{ship.name} belongs to {ship.side}, not to “{make_printable(side)}”")
    if name and ship not in _list_called(battle, name):
        return refuse(NAME, f"{ship.id} is {ship.name}, not “{make_printable(name)}”")
    return ship, None


def _list_called(battle: Battle, name: str) -> list[Ship]:
    """List the ships with a name or an id; upper and lower case and accents do not matter."""
    return [ship for ship in battle.ships.values() if fold_name(name) in (fold_name(ship.name), ship.id)]


def _is_side(battle: Battle, ship: Ship, text: str) -> bool:
    """Return whether a text is the id or the name of a ship's side."""
    side = battle.find_side(ship.side)
    return fold_name(text) in (fold_name(ship.side), fold_name(side.name if side else ""))


def _spell_value(battle: Battle, field: Field, text: str) -> str:
    """Spell a cell as `mark` reads it: a decimal point, words as declared, commas between several.

    Text that it does not understand is unchanged.
    """
    folded = " ".join(text.casefold().split())
    if folded == "none":
        return folded
    if field.kind in ("count", "marks", "number"):
        return re.sub(f"{_ZERO_DECIMALS}$", "", folded.replace(",", "."))
    if field.kind == "bool":
        return _BOOLS.get(folded, folded)
    word_by_folded = {word.casefold(): word for word in field.words}
    if field.kind != "texts":
        return word_by_folded.get(folded, text)
    parts = [part.strip() for part in re.split("[;,+/]", folded) if part.strip()]
    if field.ships:
        called = [_list_called(battle, part) for part in parts]
        return ", ".join(
            ships[0].id if len(ships) == 1 else part for part, ships in zip(parts, called, strict=True)
        )
    return ", ".join(word_by_folded.get(part, part) for part in parts)


def _enter_cells(
    system: RuleSystem, battle: Battle, cells: Iterable[StateCell]
) -> tuple[list[str], Battle, list[Fault]]:
    """Enter cells by hand on a copy of the battle, until the battle has all their values.

    Several rounds may be needed: a value may be allowed only after another, or the rules may change a value
    with another.

    Returns:
        The hand entries as text, the battle after them, and a fault for each cell that cannot be entered.
    """
    builder = DecisionBuilder(battle, entry=0)
    entries: list[str] = []
    faults: dict[FilePlace, str] = {}
    for _ in range(ROUNDS_MOST):
        # A fault of an earlier round may be gone.
        faults = {}
        has_entered = False
        for cell in cells:
            entry, fault = _enter_cell(system, builder, cell)
            if entry:
                entries.append(entry)
                has_entered = True
            if fault:
                # The place names the column already.
                faults[cell.place] = fault.removeprefix(f"{cell.field.name}: ")
        if not has_entered:
            break
    for cell in cells:
        ship = builder.ship(cell.ship)
        if cell.place not in faults and not _has_value(cell, ship):
            value = format_field(cell.field, ship)
            faults[cell.place] = f"cannot be {cell.text} with the other values of the row: it becomes {value}"
    return entries, builder.battle, [Fault.build_at(place, text) for place, text in faults.items()]


def _enter_cell(system: RuleSystem, builder: DecisionBuilder, cell: StateCell) -> tuple[str, str]:
    """Enter a cell by hand, unless the ship has its value already.

    Returns:
        The hand entry as text, or "", and why the cell cannot be entered, or "".
    """
    ship = builder.ship(cell.ship)
    # The text that `--csv` writes for the present value is never a fault.
    fault = "" if cell.text == format_field(cell.field, ship) else _find_fault(cell, ship)
    if fault or _has_value(cell, ship):
        return "", fault
    mark = Order(MARK, {"ship": ship.id, "field": cell.field.name, "value": tuple(cell.text.split())})
    prepared = prepare_mark(system, builder.battle, mark)
    if prepared.findings:
        return "", str(prepared.findings[0])
    no_faces = ()
    prepared.decide(no_faces, builder)
    return f"{ship.id} {cell.field.name} {cell.text}", ""


def _find_fault(cell: StateCell, ship: Ship) -> str:
    """Return why a cell is no value of its field, or "". A cell is never a change, as `+1` is in an order."""
    text = make_printable(cell.text)
    if cell.text[:1] in ("+", "-"):
        return f"{cell.field.title}: “{text}” is no value; write the value after the change"
    # In the order that enters all cells, `;` separates the cells.
    if ";" in cell.text or not cell.text.isprintable():
        return f"{cell.field.title}: “{text}” cannot be read"
    _, fault = read_value(cell.field, ship, cell.text)
    return make_printable(fault, 300)


def _has_value(cell: StateCell, ship: Ship) -> bool:
    """Return whether a ship has the value of a cell."""
    present = format_field(cell.field, ship)
    if cell.text == present:
        return True
    value, fault = read_value(cell.field, ship, cell.text)
    return not fault and format_value(cell.field, value) == present


def _list_changes(
    system: RuleSystem, before: Battle, after: Battle, cells: Mapping[tuple[str, str], StateCell]
) -> Iterator[StateChange]:
    """Yield each field that differs between two battles, by ship."""
    for ship in before.ships.values():
        side = before.find_side(ship.side)
        for log_field in list_log_fields(system):
            was, now = (format_field(log_field, either) for either in (ship, after.ships[ship.id]))
            if was != now:
                is_stated = (ship.id, log_field.name) in cells
                yield StateChange(side.name if side else "", ship.name, log_field.title, was, now, is_stated)


def build_preview_lines(imported: StateImport) -> list[str]:
    """Build the lines of a preview: the number of changes, then each change with ship, field and values."""
    if not imported.changes:
        return [NO_CHANGE]
    count = len(imported.changes)
    rows = [
        (
            change.side,
            change.ship,
            change.field,
            change.before,
            "→",
            change.after,
            "" if change.stated else "by the rules",
        )
        for change in imported.changes
    ]
    ship_count = len({(change.side, change.ship) for change in imported.changes})
    counts = f"{count} {'change' if count == 1 else 'changes'} of {format_count(ship_count, 'ship')}"
    before_is_right = (False, False, False, True)
    return [counts, *lay_out_rows(rows, before_is_right)]
