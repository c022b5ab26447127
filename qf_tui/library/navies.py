"""The historical facts of ships, from files of navies, the user's own ships, and spreadsheets.

A navy is a CSV file of the program or in the user's folder. The user's rows win over the program's, which are
never written.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import drop_titles, fold_name, fold_shelf_name, list_similar_names
from qf_tui.core.ship_facts import ShipFacts, find_vague_date, is_in_service, read_date
from qf_tui.library.csv_rows import (
    FAULTS_MOST,
    NEEDED,
    OWN_COLUMNS,
    CsvTable,
    build_row_place,
    make_ascii_id,
    place_row_faults,
    read_row,
    read_table,
    sort_by_row,
    spell_typed,
)
from qf_tui.library.faults import Fault, FileFaults, is_id, make_printable, raise_faults
from qf_tui.library.paths import find_own_folder, is_there, list_files, list_folders, read_bytes

SUFFIX = ".csv"
YEAR_DIGITS = 4
_WORD_START = "\n"
ShipKey = tuple[str, int]
"""The key of a row in its navy: the ship's id, and the year from which the row holds."""


def format_navy_title(name: str) -> str:
    """Format the name of a navy's file for people: `austria-hungary` is Austria-Hungary, `usa` USA."""
    # So short a name is an abbreviation.
    if len(name) <= 3:
        return name.upper()
    return "-".join(" ".join(word.capitalize() for word in part.split()) for part in name.split("-"))


_REMARK = re.compile(r"\s*\(.*\)\s*")
_MANY = re.compile(r"^Nos\b|\d ?(?:-|to) ?\d")
_SERVED = re.compile(r"\((?:([\d-]{4,10}) )?to ([\d-]{4,10})(?: ([a-z]+))?\)")
"""The remark with a sister's own service, such as `(1900-03 to 1916-10 sold)` or `(to 1916 sold)`."""


@frozen(slots=False)
class _NavyRow:
    """A row in a navy's file. Its facts are read once, at first use.

    Attributes:
        number: Its number in the file.
        own: Whether it is in a user's file.
    """

    path: Path
    number: int
    row: Mapping[str, str]
    own: bool = False

    @property
    def since(self) -> str:
        """The year from which the row holds, as text; reading the row reports text that is no year."""
        return self.row.get("from") or self.row.get("completed", "")

    def has_served(self, id: str, when: str) -> bool | None:
        """Return whether a ship of the row was in service in a year or on a date.

        Returns:
            None if the date is in the year in which she began or ended, and the day is not known.
        """
        row_service = tuple(self.row.get(heading, "") for heading in ("serves_from", "serves_until", "ended"))
        begins, until, _ = read_sister_service(self.sisters.get(id, "")) or row_service
        begins = begins or self.row.get("completed", "")
        if not is_in_service(begins, until, when):
            return False
        return None if find_vague_date(begins, until, when) else True

    @cached_property
    def sisters(self) -> dict[str, str]:
        """The ships that the row of a class names, by their ids, with their remarks."""
        text = self.row.get("sisters")
        return list_sisters(text.split(";")) if text else {}

    @cached_property
    def ship(self) -> ShipFacts:
        """The ship of the row. Raises FileFaults if the row is not sound."""
        ship, faults = read_row(self.row, format_navy_title(self.path.stem))
        if ship is None:
            raise FileFaults(self.path, place_row_faults(self.number, self.row, faults))
        return evolve(ship, own=True) if self.own else ship


def read_navy_table(data: bytes, path: Path) -> CsvTable:
    """Read the table of a navy's file without checking its rows.

    Raises:
        FileFaults: The file is no CSV file with the known columns.
    """
    table = read_table(data, path, [column.heading for column in OWN_COLUMNS], NEEDED)
    raise_faults({str(path): table.faults})
    return table


@lru_cache(maxsize=64)
def _read_navy_rows(data: bytes, path: Path) -> tuple[_NavyRow, ...]:
    """List the rows of a file that are not blank. The cache spares reading the same bytes twice."""
    is_users_file = path.parent == find_own_folder("navies")
    return tuple(
        _NavyRow(path, number, row, is_users_file)
        for number, row in read_navy_table(data, path).numbered_rows
    )


@lru_cache(maxsize=64)
def read_navy(data: bytes, path: Path) -> tuple[ShipFacts, ...]:
    """Read the ships of one file. The cache spares reading the same bytes twice.

    Raises:
        FileFaults: All faults of the file.
    """
    return _read_sound_ships(_read_navy_rows(data, path), path)


def read_row_ships(rows: Iterable[Mapping[str, str]], path: Path) -> tuple[ShipFacts, ...]:
    """Read the ships of a file's rows. The first row is row 2 of the file; blank rows are skipped.

    Raises:
        FileFaults: All faults of the rows.
    """
    is_users_file = path.parent == find_own_folder("navies")
    numbered_rows = ((number, row) for number, row in enumerate(rows, 2) if any(row.values()))
    return _read_sound_ships(
        (_NavyRow(path, number, row, is_users_file) for number, row in numbered_rows), path
    )


def _read_sound_ships(rows: Iterable[_NavyRow], path: Path) -> tuple[ShipFacts, ...]:
    """Return the ships of the rows of a file.

    Raises:
        FileFaults: A row is not sound, or a ship has two rows for the same year.
    """
    faults: list[Fault] = []
    ships: list[ShipFacts] = []
    for row in rows:
        try:
            ships.append(row.ship)
        except FileFaults as row_faults:
            faults += row_faults.faults
    count_by_key: Counter[ShipKey] = Counter()
    for ship in ships:
        count_by_key[build_ship_key(ship)] += 1
        # A ship with three rows is one fault.
        if count_by_key[build_ship_key(ship)] == 2:
            text = f"is listed more than once for {ship.since}; give a refit its year"
            faults.append(Fault(ship.id, text))
    raise_faults({str(path): faults})
    return tuple(ships)


@frozen(slots=False)
class NavyShips:
    """The ships of one navy, which is given by the name of its file.

    Reading it raises FileFaults if a file of the navy is not sound.
    """

    name: str

    @cached_property
    def _rows(self) -> dict[str, dict[str, _NavyRow]]:
        """The rows of each ship or class, by the year from which they hold; the user's rows win."""
        rows: dict[str, dict[str, _NavyRow]] = {}
        # A name that is no id could lead out of the folder.
        if not is_id(self.name):
            return rows
        # The user's folder is read last, so its rows replace the program's.
        for folder in reversed(list_folders("navies")):
            path = folder / f"{self.name}{SUFFIX}"
            if is_there(path):
                for row in _read_navy_rows(read_bytes(path), path):
                    rows.setdefault(row.row.get("id", ""), {})[row.since] = row
        return rows

    @cached_property
    def _class_ids_by_ship(self) -> dict[str, list[str]]:
        """The ids of the class rows that include a ship, by the ship's id."""
        class_ids: dict[str, list[str]] = {}
        for id, rows_by_year in self._rows.items():
            for row in rows_by_year.values():
                for sister in row.sisters:
                    class_ids.setdefault(sister, []).append(id)
        return class_ids

    @property
    def exists(self) -> bool:
        """Whether any file has a row of this navy."""
        return bool(self._rows)

    def list_ids(self, year: int, when: str = "", *, vague: bool = False) -> list[str]:
        """List the ids of all ships completed by a year; a class is replaced by its ships.

        Args:
            when: A year or date on which the ships must have been in service, or "".
            vague: True to list instead the ships that may or may not have served on `when`.
        """
        # `has_served` returns None if it is not known whether she served.
        wanted_answer = None if vague else True
        ids: dict[str, None] = {}
        for id, rows_by_year in self._rows.items():
            row = _find_latest(rows_by_year, year)
            if row is not None:
                ids.update(dict.fromkeys(row.sisters or [id]))
        if not when:
            return list(ids)
        row_by_id = {id: self._find_row(id, year) for id in ids}
        return [id for id, row in row_by_id.items() if row and row.has_served(id, when) is wanted_answer]

    @property
    def every_id(self) -> list[str]:
        """The ids of all ships and classes of any year."""
        return list({**self._rows, **self._class_ids_by_ship})

    def find_first_year(self, id: str) -> str:
        """Return the first year for which the navy has a ship, or "" if it never has her."""
        years = [since for rows_by_year in self._list_rows_by_owner(id) for since in rows_by_year]
        return min(years, default="")

    def find_ship(self, id: str, year: int) -> ShipFacts | None:
        """Return a ship with the facts that held in a year, or None if the navy had no such ship.

        Raises:
            FileFaults: Her row is not sound.
        """
        row = self._find_row(id, year)
        if row is None:
            return None
        # The row of a class holds for each of its ships, but has the id and name of the class.
        names = {make_ship_id(name): name for name in row.ship.sisters}
        return pick_sister(row.ship, id, names[id]) if id in names else row.ship

    def _find_row(self, id: str, year: int) -> _NavyRow | None:
        """Return the row that held for a ship in a year, or None if no row did."""
        for rows_by_year in self._list_rows_by_owner(id):
            row = _find_latest(rows_by_year, year)
            if row is not None:
                return row
        return None

    @cached_property
    def _has_users_row(self) -> bool:
        """Whether any row is from a user's file."""
        return any(row.own for rows_by_year in self._rows.values() for row in rows_by_year.values())

    def _list_rows_by_owner(self, id: str) -> Iterable[dict[str, _NavyRow]]:
        """List the groups of rows that `_list_rows` yields, those with a row of the user first."""
        rows = self._list_rows(id)
        if not self._has_users_row:
            return rows
        # sorted() keeps the order of _list_rows among the user's groups, and among the others.
        return sorted(rows, key=lambda rows_by_year: not any(row.own for row in rows_by_year.values()))

    def _list_rows(self, id: str) -> Iterator[dict[str, _NavyRow]]:
        """Yield the rows of a ship by year: those with her id, then those of each class that includes her."""
        if id in self._rows:
            yield self._rows[id]
        for class_id in self._class_ids_by_ship.get(id, ()):
            yield {since: row for since, row in self._rows[class_id].items() if id in row.sisters}


def _find_latest(rows_by_year: dict[str, _NavyRow], year: int) -> _NavyRow | None:
    """Return the latest row up to a year, or None.

    A row whose year is no number counts too, so that it is read and refused.
    """
    rows = [row for since, row in rows_by_year.items() if not since.isdigit() or int(since) <= year]
    return max(rows, key=lambda row: row.since, default=None)


def list_sisters(sisters: Iterable[str]) -> dict[str, str]:
    """List the ships that a class names one by one, by their ids.

    Ranges such as `Nos 1-5` are skipped, and text that begins with no capital letter.

    Returns:
        The names with their remarks.
    """
    names = ((strip_remark(text), text) for text in sisters)
    return {
        make_ascii_id(name): text for name, text in names if name[:1].isupper() and not _MANY.search(name)
    }


def read_sister_service(name: str) -> tuple[str, ...]:
    """Read the service of a sister from the remark after her name.

    Returns:
        Its first date, its last date and how it ended; () if the dates of the class hold for her.
    """
    match = _SERVED.search(name)
    return match.groups("") if match else ()


def pick_sister(ship: ShipFacts, id: str, name: str, class_row: str = "") -> ShipFacts:
    """Return a ship of a class, with the facts of the class and the dates of her own service.

    If her name has no remark with these dates, the dates of the class hold.

    Args:
        ship: The ship of the class's row.
        name: Her name with its remark.
        class_row: The id of the row, or "".
    """
    begins, until, ended = read_sister_service(name) or (ship.serves_from, ship.serves_until, ship.ended)
    sister = evolve(ship, id=id, name=strip_remark(name), sisters=(), class_row=class_row)
    return evolve(sister, serves_from=begins, serves_until=until, ended=ended)


def strip_remark(name: str) -> str:
    """Remove the remark in brackets from a ship's name."""
    return (_REMARK.sub("", name) if "(" in name else name).strip()


def make_ship_id(name: str) -> str:
    """Make the id of a ship that is listed among the sisters of a class, from her name."""
    return make_ascii_id(strip_remark(name))


def list_navies() -> tuple[str, ...]:
    """List the navies on the shelf, by the names of their files."""
    return tuple(
        dict.fromkeys(path.stem for folder in list_folders("navies") for path in list_files(folder, SUFFIX))
    )


@frozen(slots=False)
class Register:
    """The ships of several navies. A class with named ships is replaced by these ships.

    Attributes:
        navies: The ships by the title of their navy.
        faulty: The faults of files that cannot be read.
        classes: The rows that cover several sisters.
    """

    navies: Mapping[str, tuple[ShipFacts, ...]]
    faulty: tuple[FileFaults, ...] = ()
    classes: tuple[ShipFacts, ...] = ()

    @property
    def ships(self) -> Iterator[ShipFacts]:
        """All ships; a ship with refits is listed once for each."""
        return (ship for ships in self.navies.values() for ship in ships)

    @cached_property
    def _by_id(self) -> Mapping[tuple[str, str], Sequence[ShipFacts]]:
        """The rows of each ship by navy and id, the latest first."""
        rows: dict[tuple[str, str], list[ShipFacts]] = {}
        for ship in sorted(self.ships, key=lambda ship: -ship.since):
            rows.setdefault((ship.navy, ship.id), []).append(ship)
        return rows

    @cached_property
    def _words(self) -> tuple[tuple[ShipFacts, str], ...]:
        """Each ship with her search words in one text, where `_WORD_START` precedes each word."""
        return tuple((ship, _WORD_START + _WORD_START.join(_list_search_words(ship))) for ship in self.ships)

    def find_ships(self, words: Sequence[str]) -> tuple[ShipFacts, ...]:
        """List the ships that match every word.

        A word matches if a search word of the ship begins with it, or if it is a date of her service. A
        prefix such as HMS is skipped, unless there are no other words.
        """
        words = drop_titles(words)
        dates = [find_date(word) for word in words if find_date(word)]
        other_words = [word for word in words if not find_date(word)]
        # A word of signs only stays as it is: folded, the word would be "", which would fit every ship.
        beginnings = [_WORD_START + (fold_shelf_name(word) or word) for word in other_words]
        fitting_ships = [
            ship for ship, text in self._words if all(beginning in text for beginning in beginnings)
        ]
        return tuple(ship for ship in fitting_ships if all(self._was_serving(ship, when) for when in dates))

    def _was_serving(self, ship: ShipFacts, when: str) -> bool:
        """Return whether these facts of a ship held in a year or on a date, and she was in service then."""
        return self.find_in_year(ship, int(when[:YEAR_DIGITS])) is ship and ship.is_serving(when)

    def find_similar_ships(self, letters: str) -> tuple[ShipFacts, ...]:
        """List ships whose names are similar to the letters, the most similar first; dates are ignored."""
        ship_by_name = {
            name: ship for ship in self.ships for name in (ship.name, *ship.other_names, *ship.sisters)
        }
        wanted = " ".join(word for word in letters.split() if not find_date(word))
        return tuple(dict.fromkeys(ship_by_name[name] for name in list_similar_names(wanted, ship_by_name)))

    def find_in_year(self, ship: ShipFacts, year: int) -> ShipFacts | None:
        """Return a ship with the facts that held in a year, or None before her completion."""
        rows = self._by_id.get((ship.navy, ship.id), ())
        return next((row for row in rows if row.since <= year), None)


def find_date(word: str) -> str:
    """Return the year or date that a word is, such as `1905` or `1905-05-27`, or "" if it is none."""
    with suppress(ValueError):
        return read_date(fold_name(word))
    return ""


def find_first_date(letters: str) -> str:
    """Return the first word that is a year or date, or "" if none is."""
    return next(filter(None, map(find_date, letters.split())), "")


def _list_named_ships(rows: Mapping[ShipKey, ShipFacts]) -> Iterator[ShipFacts]:
    """Yield the ships of a navy's rows. A class row that names its ships gives a ship for each name."""
    listed_keys: set[ShipKey] = set()
    for ship in rows.values():
        names = list_sisters(ship.sisters)
        if not names:
            yield ship
        for id, name in names.items():
            key = (id, ship.since)
            own_row = rows.get(key)
            # A class row may have the id of one of its ships.
            other_row = None if own_row is ship else own_row
            # Another row of the ship wins, unless only the class's row is the user's.
            class_row_wins = other_row is None or (ship.own and not other_row.own)
            if class_row_wins and key not in listed_keys:
                yield pick_sister(ship, id, name, class_row=ship.id)
                listed_keys.add(key)


def _list_search_words(ship: ShipFacts) -> Iterator[str]:
    """Yield the texts by which a ship is found, and each of their words, in the form used for searches."""
    names = (ship.name, *ship.other_names, ship.id, *ship.sisters)
    for text in (*names, ship.navy, ship.ship_class, ship.kind, ship.class_row):
        yield fold_shelf_name(text)
        yield from fold_shelf_name(text).split()


def load_register(wanted: Iterable[str] = ()) -> Register:
    """Read the ships of some navies, by the names of their files, or of all navies if none is given.

    Faulty files are left out; the register lists their faults.
    """
    names = set(wanted)
    by_navy: dict[str, dict[ShipKey, ShipFacts]] = {}
    faulty = []
    for folder in reversed(list_folders("navies")):
        for path in list_files(folder, SUFFIX):
            if names and path.stem not in names:
                continue
            try:
                ships = read_navy(read_bytes(path), path)
            except FileFaults as faults:
                faulty.append(faults)
                continue
            for ship in ships:
                # The user's folder is read last, so its rows replace the program's.
                by_navy.setdefault(ship.navy, {})[ship.id, ship.since] = ship
    navies = {navy: tuple(_list_named_ships(ships)) for navy, ships in sorted(by_navy.items())}
    classes = (ship for ships in by_navy.values() for ship in ships.values() if ship.sisters)
    return Register(navies, tuple(faulty), tuple(classes))


def read_own_state() -> tuple[tuple[str, int, int], ...]:
    """List name, time of change and size of each of the user's own navy files, to notice a change."""
    states = []
    for path in list_files(find_own_folder("navies"), SUFFIX):
        try:
            state = path.stat()
        except OSError:
            continue
        states.append((path.name, state.st_mtime_ns, state.st_size))
    return tuple(states)


def find_own_navy(navy: str) -> Path:
    """Return the path of the user's file of a navy; the file need not exist.

    Args:
        navy: The title of the navy, or the name of its file.

    Raises:
        QfError: No file can have this name.
    """
    name = "-".join(navy.casefold().split())
    if not is_id(name):
        raise QfError(f"“{make_printable(navy)}” cannot name a navy: use letters a-z, digits and “-”")
    return find_own_folder("navies") / f"{name}.csv"


def read_own_rows(navy: str) -> tuple[Mapping[str, str], ...]:
    """Read the rows of the user's file of a navy; return () if there is no file.

    Raises:
        FileFaults: The file cannot be read.
    """
    path = find_own_navy(navy)
    if not path.exists():
        return ()
    return read_navy_table(read_bytes(path), path).rows


def read_own_ships(navy: str) -> tuple[ShipFacts, ...]:
    """Read the ships of the user's file of a navy.

    Raises:
        FileFaults: The file cannot be read, or its rows have faults.
    """
    return read_row_ships(read_own_rows(navy), find_own_navy(navy))


def build_ship_key(ship: ShipFacts) -> ShipKey:
    """Return the key of the row that has a ship, which may be the row of her class."""
    return ship.class_row or ship.id, ship.since


NAVY = "navy"
HEADINGS = (NAVY, *(column.heading for column in OWN_COLUMNS))
_AS_TYPED = ("heavy", "heavy_bear", "light", "light_bear", "small", "light_armor")
"""Columns that an import accepts as people type them, such as `4x12/40`; other numbers are read strictly."""
_NEEDED_TO_IMPORT = [heading for heading in NEEDED if heading != "id"]


def read_ships(data: bytes, path: Path, navy: str = "") -> tuple[ShipFacts, ...]:
    """Read the ships of a CSV file to import. A row without an id gets one from the ship's name.

    Args:
        navy: The navy of rows that name none; "" for the name of the file.

    Raises:
        FileFaults: All faults, each with its row and column.
    """
    table = read_table(data, path, HEADINGS, _NEEDED_TO_IMPORT)
    faults = list(table.faults)
    default_navy = (navy or path.stem).lower()
    ships: list[ShipFacts] = []
    number_by_key: dict[object, int] = {}
    for number, row in table.numbered_rows:
        if len(faults) > FAULTS_MOST:
            text = "the check stops here: correct the faults above first"
            faults.append(Fault.build_at(build_row_place(number), text))
            break
        row_navy = row.get(NAVY, "").lower() or default_navy
        # A row without id and name gets the id `x`, so that only the missing name is a fault.
        id = row.get("id") or make_ascii_id(row.get("name") or "x")
        ship, row_faults = _read_row_to_import({**row, "id": id}, row_navy)
        key = (row_navy, id, row.get("from") or row.get("completed"))
        earlier = number_by_key.setdefault(key, number)
        if earlier != number:
            row_faults = (*row_faults, Fault("id", f"row {earlier} is the same ship; give a refit its year"))
        faults += place_row_faults(number, row, row_faults)
        if ship is not None:
            ships.append(ship)
    if not ships and not faults:
        faults.append(Fault("", "the file has no ships"))
    raise_faults({str(path): sort_by_row(faults)})
    return tuple(ships)


def _read_row_to_import(row: Mapping[str, str], navy: str) -> tuple[ShipFacts | None, tuple[Fault, ...]]:
    """Read the ship of a row whose guns may be as people type them.

    Returns:
        The ship, or None, and the faults of the row and of the navy's name.
    """
    guns = {heading: spell_typed(heading, row[heading]) for heading in _AS_TYPED if heading in row}
    ship, faults = read_row({**row, **guns}, format_navy_title(navy))
    if is_id(navy):
        return ship, faults
    navy_fault = Fault(NAVY, f"“{make_printable(navy)}”: expected letters a-z, digits and “-”")
    return ship, (navy_fault, *faults)
