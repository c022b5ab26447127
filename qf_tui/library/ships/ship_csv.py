"""Facts of ships as CSV, out and in: ships of any navies in one file, by a column `navy`."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.journal.disk import write_whole
from qf_tui.library.checking import is_id
from qf_tui.library.csv_text import FAULTS_MOST, by_rows, read_table, row_place, table_text
from qf_tui.library.faults import Fault, refuse, shown
from qf_tui.library.ships.navies import (
    NEEDED,
    OWN_COLUMNS,
    identified,
    navy_title,
    read_row,
    row_faults,
    row_of,
    ships_of_rows,
)
from qf_tui.library.ships.own import key_of, own_navy, own_rows, save_ships
from qf_tui.library.ships.spelling import spelled

NAVY = "navy"
HEADINGS = (NAVY, *(column.heading for column in OWN_COLUMNS))
_SPELLED = ("heavy", "heavy_bear", "light", "light_bear", "small", "light_armor")
"""What may be written as it is typed in the shipyard, `4x12/40`: a figure alone is read strictly."""
_NEEDED = [heading for heading in NEEDED if heading != "id"]


@frozen
class ImportResult:
    """What became of ships that were read in: new rows, rows in the place of others, and the files."""

    new: int
    replaced: int
    same: int
    files: tuple[Path, ...]


def ships_text(ships: Iterable[ShipFacts]) -> str:
    """Ships as the text of a file that `read_ships` reads as the same."""
    return table_text(HEADINGS, ({NAVY: ship.navy.lower(), **row_of(ship)} for ship in ships))


def read_ships(data: bytes, path: Path, navy: str = "") -> tuple[ShipFacts, ...]:
    """The ships of a file; FileFaults names all that is wrong, each by its row and column.

    A row without an id has that of her name; one without a navy is of `navy`, or of what the file is called.
    """
    table = read_table(data, path, HEADINGS, _NEEDED)
    faults = list(table.faults)
    usual = (navy or path.stem).lower()
    found: list[ShipFacts] = []
    rows: dict[object, int] = {}
    for number, row in table.numbered if table.headed else ():
        if len(faults) > FAULTS_MOST:
            faults.append(Fault.at(row_place(number), "nothing is looked into from here on: mend the others"))
            break
        of = row.get(NAVY, "").lower() or usual
        # A row without a name is told so once.
        id = row.get("id") or identified(row.get("name") or "x")
        guns = {heading: spelled(heading, row[heading]) for heading in _SPELLED if heading in row}
        ship, wrong = read_row({**row, **guns, "id": id}, navy_title(of))
        if not is_id(of):
            wrong = (Fault(NAVY, f"“{shown(of)}”: expected letters a-z, digits and “-”"), *wrong)
        first = rows.setdefault((of, id, row.get("from") or row.get("completed")), number)
        if first != number:
            wrong = (*wrong, Fault("id", f"row {first} has her already; give a refit its year"))
        faults += row_faults(number, row, wrong)
        found += [ship] if ship is not None else []
    if not found and not faults:
        faults.append(Fault("", "there is no ship in it"))
    refuse({str(path): by_rows(faults)})
    return tuple(found)


def keep_ships(ships: Iterable[ShipFacts], *, replace: bool = False) -> ImportResult:
    """Puts ships into the user's own files, all or none; QfError names rows of his that are there already.

    With `replace` they take the place of those.
    """
    coming: dict[str, list[ShipFacts]] = {}
    for ship in ships:
        coming.setdefault(ship.navy, []).append(ship)
    stood = {
        navy: {key_of(ship): ship for ship in ships_of_rows(own_rows(navy), own_navy(navy), own_rows=True)}
        for navy in coming
    }
    every = [(navy, ship) for navy, some in coming.items() for ship in some]
    there = [(navy, ship) for navy, ship in every if key_of(ship) in stood[navy]]
    other = [ship for navy, ship in there if row_of(ship) != row_of(stood[navy][key_of(ship)])]
    if other and not replace:
        names = ", ".join(f"{ship.name} ({ship.navy}, {ship.since})" for ship in other[:8])
        more = f" and {len(other) - 8} more" if len(other) > 8 else ""
        raise QfError(f"rows of yours say otherwise of {names}{more}; --replace writes over them")
    files = _saved({navy: [row_of(ship) for ship in some] for navy, some in coming.items()})
    return ImportResult(len(every) - len(there), len(other), len(there) - len(other), files)


def _saved(rows: Mapping[str, list[dict[str, str]]]) -> tuple[Path, ...]:
    """Writes each navy's rows; where one cannot be written all files are as before."""
    before: dict[Path, bytes | None] = {}
    try:
        for navy, some in rows.items():
            path = own_navy(navy)
            before[path] = path.read_bytes() if path.exists() else None
            save_ships(navy, some)
    except (QfError, OSError):
        for path, data in before.items():
            with suppress(OSError):
                if data is None:
                    path.unlink(missing_ok=True)
                else:
                    write_whole(path, data, over=True)
        raise
    return tuple(before)
