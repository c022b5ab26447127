"""The state of a battle as CSV: a row for each ship, a column for each field that `mark` sets in a log."""

from qf_tui.core.decisions import find_field_value
from qf_tui.core.system import Field, RuleSystem
from qf_tui.core.text import format_ship_value
from qf_tui.core.values import Battle, Ship
from qf_tui.library.csv_rows import format_csv_table

SIDE, ID, NAME, STATUS = "side", "id", "name", "status"
SHIP_COLUMNS = (SIDE, ID, NAME)
"""The columns that say which ship a row is about."""


def list_log_fields(system: RuleSystem) -> tuple[Field, ...]:
    """List the fields of a ship's log that can be set by hand: her status, then all others in order."""
    fields = [field for field in system.fields if not field.card]
    return tuple(sorted(fields, key=lambda field: field.kind != STATUS))


def format_value(field: Field, value: object) -> str:
    """Format a value of the log as `mark` reads it; texts are sorted, because their order means nothing."""
    if field.kind == "bool" and value is not None:
        return format_ship_value(bool(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, tuple):
        return format_ship_value(sorted(value))
    return format_ship_value(field.convert_value(value) if isinstance(value, int | float | str) else value)


def format_field(field: Field, ship: Ship) -> str:
    """Format the present value of a ship's field; for marks their number, for texts the list of them."""
    if field.kind in ("marks", "texts"):
        live = ship.live(field.name)
        return format_value(field, len(live) if field.kind == "marks" else tuple(mark.text for mark in live))
    return format_value(field, find_field_value(ship, field.name))


def format_state(system: RuleSystem, battle: Battle) -> str:
    """Format the state of all ships as CSV, one side after the other."""
    fields = list_log_fields(system)
    rows = (
        {SIDE: ship.side, ID: ship.id, NAME: ship.name}
        | {field.name: format_field(field, ship) for field in fields}
        for side in battle.sides
        for ship in battle.ships.values()
        if ship.side == side.id
    )
    return format_csv_table((*SHIP_COLUMNS, *(field.name for field in fields)), rows)
