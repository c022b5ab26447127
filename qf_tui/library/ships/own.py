"""The user's own ships: rows of a CSV file a navy in his folder, which win over ours; ours are never written.

A file is written whole or not at all, and with what another console has put there in the meantime.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.journal.disk import write_whole
from qf_tui.journal.disk_words import in_words
from qf_tui.journal.lock import alone
from qf_tui.library.checking import is_id
from qf_tui.library.csv_text import Row, table_text
from qf_tui.library.faults import shown
from qf_tui.library.paths import own
from qf_tui.library.reading import read_bytes
from qf_tui.library.ships.navies import OWN_COLUMNS, navy_table, navy_title, ships_of_rows

ShipKey = tuple[str, int]
"""What tells the rows of a navy apart: the id, and the year from which she is so."""

_Change = Callable[[tuple[Row, ...], Path], tuple[Row, ...]]


def own_navy(navy: str) -> Path:
    """The user's file of a navy, by its title or its file's name; it need not exist. QfError if none can."""
    name = "-".join(navy.casefold().split())
    if not is_id(name):
        raise QfError(f"“{shown(navy)}” is no name of a navy: letters a-z, digits and “-”")
    return own("navies") / f"{name}.csv"


def own_rows(navy: str) -> tuple[Row, ...]:
    """The rows of the user's file of a navy as he has them; FileFaults where it cannot be read."""
    path = own_navy(navy)
    return navy_table(read_bytes(path), path).rows if path.exists() else ()


def own_ships(navy: str) -> tuple[ShipFacts, ...]:
    """The ships of the user's file of a navy; FileFaults where it cannot be read."""
    return ships_of_rows(own_rows(navy), own_navy(navy), own_rows=True)


def save_ships(navy: str, rows: Iterable[Row], instead: Iterable[ShipKey] = ()) -> Path:
    """Puts rows into the user's file of a navy and gives the file: each where its ship of that year stood.

    Those of `instead` go, as when a ship gets another id. FileFaults names all that is wrong with the rows,
    as if they were a file of their own, or with the file that is there; QfError where it cannot be written.
    Then it is as before.
    """
    path, new = own_navy(navy), tuple(rows)
    ships_of_rows(new, path)
    taken = set(instead)

    def change(stood: tuple[Row, ...], path: Path) -> tuple[Row, ...]:
        coming = {_key(row, path): row for row in new}
        kept = []
        for row in stood:
            key = _key(row, path)
            if key in coming:
                kept.append(coming.pop(key))
            elif key not in taken:
                kept.append(row)
        return (*kept, *coming.values())

    return _rewrite(path, change)


def delete_ship(navy: str, key: ShipKey) -> Path:
    """Takes a ship of one year out of the user's file of a navy, so that ours, if any, is seen again."""

    def change(stood: tuple[Row, ...], path: Path) -> tuple[Row, ...]:
        left = tuple(row for row in stood if _key(row, path) != key)
        if len(left) == len(stood):
            raise QfError(f"{key[0]} of {key[1]} is no row of yours in {path}: ours cannot be deleted")
        return left

    return _rewrite(own_navy(navy), change)


def key_of(ship: ShipFacts) -> ShipKey:
    """What her row is told by."""
    return ship.id, ship.since


def _key(row: Row, path: Path) -> ShipKey:
    ships = ships_of_rows([row], path)
    return key_of(ships[0]) if ships else ("", 0)


def _rewrite(path: Path, change: _Change) -> Path:
    """Reads, changes and writes a file while no other console does."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with alone(path):
            stood = own_rows(navy_title(path.stem))
            ships_of_rows(stood, path)
            # A spreadsheet takes a file without the mark for one of its own code page.
            write_whole(path, written(change(stood, path)).encode("utf-8-sig"), over=True)
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {in_words(fault)}") from None
    return path


def written(rows: Iterable[Row]) -> str:
    """Rows as the text of a file."""
    return table_text([column.heading for column in OWN_COLUMNS], rows)
