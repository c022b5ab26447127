"""Fleets as files: written as TOML; the values of their ships as CSV, written and read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from qf_tui.core.declarations import FieldSpec
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import read_card_list
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.journal.disk import format_disk_fault, write_file
from qf_tui.library.check import format_schema_line, write_schema_for
from qf_tui.library.csv_rows import format_csv_table, make_ascii_id, read_table, sort_by_row
from qf_tui.library.declared import (
    Card,
    Systems,
    list_card_scalars,
    list_ship_fields,
)
from qf_tui.library.faults import (
    Checker,
    Data,
    FileItem,
    FilePlace,
    find_default_value,
    is_id,
    make_printable,
    parse_typed_value,
    raise_faults,
)
from qf_tui.library.fleets import read_fleet
from qf_tui.library.paths import find_own_folder


def find_own_fleet(name: str) -> Path:
    """Return the path of a user's fleet; the file need not exist.

    Raises:
        QfError: The name has other signs than a-z, digits and “-”.
    """
    if not is_id(name):
        raise QfError(f"“{make_printable(name)}” cannot name a fleet: use letters a-z, digits and “-”")
    return find_own_folder("fleets") / f"{name}.toml"


def write_fleet(document: Data, path: Path, systems: Systems, *, replace: bool = False) -> None:
    """Write a fleet's file whole or not at all, and the schema by which editors check it.

    Args:
        document: The document of the fleet.
        path: The file.
        systems: The installed rule systems, for the schema.
        replace: Whether to overwrite a file that exists.

    Raises:
        QfError: The file exists and must not be replaced, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, format_fleet_toml(document).encode(), over=replace)
    except FileExistsError:
        raise QfError(f"{path}: this fleet exists already; --replace overwrites it") from None
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {format_disk_fault(fault)}") from None
    except UnicodeEncodeError:
        raise QfError(f"{path}: cannot be written: a text has characters that no file can hold") from None
    write_schema_for(path, "fleet", str(document.get("ruleset", "")), systems)


def format_fleet_toml(document: Data) -> str:
    """Format the document of a fleet as TOML, below a line that names its schema."""
    schema_line = format_schema_line("fleet", str(document.get("ruleset", "")))
    return schema_line + "\n".join(_format_lines(document, prefix="")) + "\n"


def _format_lines(table: Data, prefix: str) -> Iterator[str]:
    """Yield the lines of a TOML table: first its keys, then its arrays of tables.

    Args:
        table: The table.
        prefix: The path to the table, with a dot at its end; "" for the whole document.
    """
    tables = {
        key: value
        for key, value in table.items()
        if value and isinstance(value, list) and all(isinstance(entry, Mapping) for entry in value)
    }
    for key, value in table.items():
        if key not in tables:
            yield f"{key} = {_format_value(value)}"
    for key, value in tables.items():
        for entry in value:
            yield ""
            yield f"[[{prefix}{key}]]"
            yield from _format_lines(entry, f"{prefix}{key}.")


def _format_value(value: object) -> str:
    """Format a TOML value on one line."""
    if isinstance(value, list):
        return f"[{', '.join(map(_format_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_format_value(part)}' for key, part in value.items())} }}"
    # `tomli_w` writes no single value, so write a document with one key and cut the key off.
    return tomli_w.dumps({"value": value}).partition(" = ")[2].strip()


def format_typed_value(field: FieldSpec, value: object) -> str:
    """Format a value as text that `parse_typed_value` converts back to the same value; "" for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        joint = " " if field.kind == "series" else "; "
        return joint.join(format_typed_value(field, part) for part in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def format_cards_csv(cards: Sequence[Card], system: RuleSystem, navies: Sequence[str] = ()) -> str:
    """Format cards as CSV text that `read_cards` reads back unchanged.

    A column that no card fills is left out, unless it is required.

    Args:
        cards: The cards.
        system: Their rule system.
        navies: The navy of each card for a first column, or () for no such column.
    """

    def count_largest(name: str, _: FieldSpec) -> int:
        # A card states the number of rows of a table under the table's name.
        return max((int(card.get(name) or 0) for card in cards), default=0)

    columns = dict(list_card_scalars(list_ship_fields(system), count_largest))
    rows = [{name: _format_cell(name, field, card) for name, field in columns.items()} for card in cards]
    headings = [name for name, field in columns.items() if field.required or any(row[name] for row in rows)]
    if navies:
        rows = [{"navy": navy, **row} for navy, row in zip(navies, rows, strict=True)]
    return format_csv_table(["navy", *headings] if navies else headings, rows)


def read_cards(data: bytes, path: Path, system: RuleSystem, common: Mapping[str, str]) -> dict[str, Any]:
    """Read the document of a fleet from the rows of a CSV file. A row without an id gets one from its name.

    Args:
        data: The bytes of the file.
        path: The path, for messages.
        common: Keys of the fleet itself, such as its title.

    Raises:
        FileFaults: All faults, each with its row and column.
    """
    fields = list_ship_fields(system)
    # The file may have columns for every row of a table that a card can have.
    columns = dict(list_card_scalars(fields, lambda _, field: int(field.most)))
    needed = [name for name, field in columns.items() if field.required and name != "id"]
    table = read_table(data, path, ["navy", *columns], needed)
    checker = _RowChecker([number for number, _ in table.numbered_rows])
    checker.faults += table.faults
    ships = []
    for _, row in table.numbered_rows:
        ship = _read_row_values(fields, row, prefix="")
        # Without a name either, the id stays missing, which is a fault.
        id = "" if "id" in ship else make_ascii_id(str(ship.get("name", "")))
        ships.append({"id": id, **ship} if id else ship)
    document = {"ruleset": system.name, **common, "ship": ships}
    # If headings are faulty, every row would also be reported to lack their values.
    if table.has_sound_headings:
        read_fleet(document, path.stem, system, checker)
    raise_faults({str(path): sort_by_row(checker.faults)})
    return document


class _RowChecker(Checker):
    """A checker that names the row and column of the CSV file instead of the ship and key of the fleet."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__()
        self._rows = rows

    def add_fault(self, place: FilePlace, text: str) -> None:
        """Add a fault; a place in a ship becomes the row that she was read from, and a column of it."""
        if place.items and place.items[0].kind == "ship":
            ship, *parts = place.items
            # The parts of a place in a ship are the keys of its column, such as `mast` and `2`.
            keys = (key for part in parts for key in (part.kind, str(part.number)))
            row = FileItem("row", self._rows[ship.number - 1], ship.label)
            place = FilePlace((row,), (*keys, *place.keys))
        super().add_fault(place, text)


def _format_cell(name: str, field: FieldSpec, card: Card) -> str:
    """Format a card's value for a cell; "" for the default value of an optional field."""
    value: Scalar | list[Scalar] = card.get(name)
    # A card has the parts of a series under `name.1`, `name.2` and so on.
    if field.kind == "series" and f"{name}.1" in card:
        places = sorted(int(key.rpartition(".")[2]) for key in card if key.startswith(f"{name}."))
        value = [card[f"{name}.{place}"] for place in places]
    if field.kind == "texts":
        value = list(read_card_list(card, name))
    return (
        "" if value == find_default_value(field) and not field.required else format_typed_value(field, value)
    )


def _read_row_values(fields: Iterable[FieldSpec], row: Mapping[str, str], prefix: str) -> dict[str, Any]:
    """Build a ship's table from the cells of a row; empty cells are left out.

    Args:
        fields: The fields of the table.
        row: The text of each column, by its heading.
        prefix: The start of the headings for this table, with a dot at its end; "" for the whole row.
    """
    values: dict[str, Any] = {}
    for field in fields:
        name = prefix + field.name
        if field.kind in ("table", "numbers"):
            parts = _read_row_values(field.parts, row, f"{name}.")
            if parts:
                # Keep missing parts as "", so that the checker reports a fault at their columns.
                all_parts = [parts.get(part.name, "") for part in field.parts]
                values[field.name] = all_parts if field.kind == "numbers" else parts
        elif field.kind == "tables":
            numbered = (
                _read_row_values(field.parts, row, f"{name}.{number}.")
                for number in range(1, int(field.most) + 1)
            )
            filled_tables = [parts for parts in numbered if parts]
            values |= {field.name: filled_tables} if filled_tables else {}
        elif row.get(name):
            values[field.name] = parse_typed_value(field, row[name])
    return values
