"""Facts of ships: the files of navies, the user's own ships, and ships as people describe them.

A navy is a CSV file of ours or in the user's folder; his rows win over ours, and ours are never written. A
file is written whole or not at all, and keeps what another console has added in the meantime.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import fold_name, fold_shelf_name, list_similar_names
from qf_tui.core.ship_facts import HandValue, ShipFacts, is_in_service, list_contradictions, read_date
from qf_tui.journal.disk import format_disk_fault, hold_lock, write_file
from qf_tui.library.csv_rows import (
    BY_HAND,
    FAULTS_MOST,
    NEEDED,
    OWN_COLUMNS,
    CsvTable,
    by_rows,
    identified,
    read_row,
    read_table,
    row_faults,
    row_of,
    row_place,
    spelled,
    table_text,
)
from qf_tui.library.faults import Fault, FileFaults, is_id, refuse, shown
from qf_tui.library.paths import files_in, folders, is_there, own, read_bytes

SUFFIX = ".csv"
YEAR_DIGITS = 4
_BEGINS = "\n"
ShipKey = tuple[str, int]
"""The key of a row in its navy: the ship's id, and the year from which it holds."""


def navy_title(name: str) -> str:
    """A navy by the name of its file: `austria-hungary` is Austria-Hungary, `usa` USA."""
    if len(name) <= 3:
        return name.upper()
    return "-".join(" ".join(word.capitalize() for word in part.split()) for part in name.split("-"))


_REMARK = re.compile(r"\s*\(.*\)\s*")
_MANY = re.compile(r"^Nos\b|\d ?(?:-|to) ?\d")


@frozen(slots=False)
class _NavyRow:
    """A row in its file, perhaps one of the user's `own`; it is read once, when somebody asks for it."""

    path: Path
    number: int
    row: Mapping[str, str]
    own: bool = False

    @property
    def since(self) -> str:
        """The year from which she is so; what is no year is a fault of the row."""
        return self.row.get("from") or self.row.get("completed", "")

    def served(self, when: str) -> bool:
        """Whether her service meets a year or a date."""
        begins = self.row.get("serves_from") or self.row.get("completed", "")
        return is_in_service(begins, self.row.get("serves_until", ""), when)

    @cached_property
    def sisters(self) -> dict[str, str]:
        """The ships that a row of a class names, by their ids."""
        text = self.row.get("sisters")
        return {identified(name): name for name in sister_names(text.split(";"))} if text else {}

    @cached_property
    def ship(self) -> ShipFacts:
        """The ship of the row; FileFaults where it is not sound."""
        ship, wrong = read_row(self.row, navy_title(self.path.stem))
        if ship is None:
            raise FileFaults(self.path, row_faults(self.number, self.row, wrong))
        return evolve(ship, own=True) if self.own else ship


def navy_table(data: bytes, path: Path) -> CsvTable:
    """The rows of a file, none of them read; FileFaults where it is no CSV file with our columns."""
    table = read_table(data, path, [column.heading for column in OWN_COLUMNS], NEEDED)
    refuse({str(path): table.faults})
    return table


@lru_cache(maxsize=64)
def _navy_rows(data: bytes, path: Path) -> tuple[_NavyRow, ...]:
    """The rows of a file as it is now: the same bytes are taken apart once."""
    users = path.parent == own("navies")
    return tuple(_NavyRow(path, number, row, users) for number, row in navy_table(data, path).numbered)


@lru_cache(maxsize=64)
def read_navy(data: bytes, path: Path) -> tuple[ShipFacts, ...]:
    """The ships of one file; FileFaults names all that is wrong. The same bytes are read once."""
    return _sound_ships(_navy_rows(data, path), path)


def ships_of_rows(rows: Iterable[Mapping[str, str]], path: Path) -> tuple[ShipFacts, ...]:
    """The ships of rows, the first of which is the second of its file; empty rows are none."""
    users = path.parent == own("navies")
    numbered = ((number, row) for number, row in enumerate(rows, 2) if any(row.values()))
    return _sound_ships((_NavyRow(path, number, row, users) for number, row in numbered), path)


def _sound_ships(rows: Iterable[_NavyRow], path: Path) -> tuple[ShipFacts, ...]:
    faults: list[Fault] = []
    ships: list[ShipFacts] = []
    for row in rows:
        try:
            ships.append(row.ship)
        except FileFaults as wrong:
            faults += wrong.faults
    times: Counter[ShipKey] = Counter()
    for ship in ships:
        times[key_of(ship)] += 1
        if times[key_of(ship)] == 2:
            text = f"is listed more than once for {ship.since}; give a refit its year"
            faults.append(Fault(ship.id, text))
    refuse({str(path): faults})
    return tuple(ships)


@frozen(slots=False)
class NavyShips:
    """One navy by the name of its file; FileFaults where a file is none of a navy."""

    name: str

    @cached_property
    def _rows(self) -> dict[str, dict[str, _NavyRow]]:
        """The rows of each ship or class by the year from which they hold, the user's over ours."""
        rows: dict[str, dict[str, _NavyRow]] = {}
        for folder in reversed(folders("navies")) if is_id(self.name) else ():
            path = folder / f"{self.name}{SUFFIX}"
            for placed in _navy_rows(read_bytes(path), path) if is_there(path) else ():
                rows.setdefault(placed.row.get("id", ""), {})[placed.since] = placed
        return rows

    @cached_property
    def _sisters(self) -> dict[str, list[str]]:
        """The ids of the rows of classes that have a ship, by hers."""
        rows: dict[str, list[str]] = {}
        for id, placed in self._rows.items():
            for row in placed.values():
                for sister in row.sisters:
                    rows.setdefault(sister, []).append(id)
        return rows

    @property
    def known(self) -> bool:
        return bool(self._rows)

    def ids(self, year: int, when: str = "") -> list[str]:
        """All ships completed by a year, a class by each of its ships; with `when` those who served then."""
        ids: dict[str, None] = {}
        for id, placed in self._rows.items():
            row = _latest(placed, year)
            if row is not None:
                ids.update(dict.fromkeys(row.sisters or [id]))
        return [id for id in ids if not when or ((row := self._row(id, year)) and row.served(when))]

    @property
    def every_id(self) -> list[str]:
        """All ships and classes of any year."""
        return list({**self._rows, **self._sisters})

    def first_year(self, id: str) -> str:
        """The year from which a ship is known; "" where none is."""
        years = [since for placed in self._of(id) for since in placed]
        return min(years, default="")

    def ship(self, id: str, year: int) -> ShipFacts | None:
        """A ship as she was in a year; None if there was none. FileFaults has what is wrong with her row."""
        row = self._row(id, year)
        if row is None:
            return None
        names = {ship_id(name): name for name in row.ship.sisters}
        return evolve(row.ship, id=id, name=bare(names[id]), sisters=()) if id in names else row.ship

    def _row(self, id: str, year: int) -> _NavyRow | None:
        return next(filter(None, (_latest(placed, year) for placed in self._of(id))), None)

    @cached_property
    def _users(self) -> bool:
        """Whether some rows are the user's own."""
        return any(row.own for placed in self._rows.values() for row in placed.values())

    def _of(self, id: str) -> Iterable[dict[str, _NavyRow]]:
        """The rows that a ship may stand in: the user's first, then her own before those of her class."""
        rows = self._hers(id)
        if not self._users:
            return rows
        return sorted(rows, key=lambda placed: not any(row.own for row in placed.values()))

    def _hers(self, id: str) -> Iterator[dict[str, _NavyRow]]:
        if id in self._rows:
            yield self._rows[id]
        for row_id in self._sisters.get(id, ()):
            yield {since: row for since, row in self._rows[row_id].items() if id in row.sisters}


def _latest(placed: dict[str, _NavyRow], year: int) -> _NavyRow | None:
    by_then = [row for since, row in placed.items() if not since.isdigit() or int(since) <= year]
    return max(by_then, key=lambda row: row.since, default=None)


def sister_names(sisters: Iterable[str]) -> list[str]:
    """The ships of a class that are named one by one; what is a remark, or many in a word, is none."""
    return [name for name in map(bare, sisters) if name[:1].isupper() and not _MANY.search(name)]


def bare(name: str) -> str:
    """A ship's name without the remark in brackets behind it."""
    return (_REMARK.sub("", name) if "(" in name else name).strip()


def ship_id(name: str) -> str:
    """The id of a ship that stands among the sisters of a class: her name, in plain small letters."""
    return identified(bare(name))


def navy_names() -> tuple[str, ...]:
    """The navies on the shelf, by the names of their files."""
    return tuple(
        dict.fromkeys(path.stem for folder in folders("navies") for path in files_in(folder, SUFFIX))
    )


@frozen(slots=False)
class Register:
    """Ships by navy, a class by each of its ships whose name is known; `classes` are the rows of such.

    `faulty` are files that cannot be read.
    """

    navies: Mapping[str, tuple[ShipFacts, ...]]
    faulty: tuple[FileFaults, ...] = ()
    classes: tuple[ShipFacts, ...] = ()

    @property
    def ships(self) -> Iterator[ShipFacts]:
        """All of them, refits as ships of their own."""
        return (ship for ships in self.navies.values() for ship in ships)

    @cached_property
    def _by_id(self) -> Mapping[tuple[str, str], Sequence[ShipFacts]]:
        """The rows of each ship, the latest first."""
        rows: dict[tuple[str, str], list[ShipFacts]] = {}
        for ship in sorted(self.ships, key=lambda ship: -ship.since):
            rows.setdefault((ship.navy, ship.id), []).append(ship)
        return rows

    @cached_property
    def _words(self) -> tuple[tuple[ShipFacts, str], ...]:
        """Each ship with the words that she is found by, in one text: a sign precedes each."""
        return tuple((ship, _BEGINS + _BEGINS.join(_words_of(ship))) for ship in self.ships)

    def found(self, words: Sequence[str]) -> tuple[ShipFacts, ...]:
        """The ships that all the words fit: each begins a word of hers, or is a date of her service."""
        dates = [when for word in words if (when := date_in(word))]
        rest = [_BEGINS + (fold_shelf_name(word) or word) for word in words if not date_in(word)]
        fitting = [ship for ship, text in self._words if all(word in text for word in rest)]
        return tuple(ship for ship in fitting if all(self._was_so(ship, when) for when in dates))

    def _was_so(self, ship: ShipFacts, when: str) -> bool:
        return self.in_year(ship, int(when[:YEAR_DIGITS])) is ship and ship.is_serving(when)

    def near(self, letters: str) -> tuple[ShipFacts, ...]:
        """The ships whose names letters come near to, the nearest first; for letters that find none."""
        named = {name: ship for ship in self.ships for name in (ship.name, *ship.sisters)}
        wanted = " ".join(word for word in letters.split() if not date_in(word))
        return tuple(dict.fromkeys(named[name] for name in list_similar_names(wanted, named)))

    def in_year(self, ship: ShipFacts, year: int) -> ShipFacts | None:
        """A ship as she was in a year, or None before she was completed."""
        rows = self._by_id.get((ship.navy, ship.id), ())
        return next((row for row in rows if row.since <= year), None)


def date_in(word: str) -> str:
    """The year or date that a word is, as `1905` or `1905-05-27`; "" where it is none."""
    with suppress(ValueError):
        return read_date(fold_name(word))
    return ""


def _named(rows: Mapping[ShipKey, ShipFacts]) -> Iterator[ShipFacts]:
    """The ships of a navy's rows: for a class its ships, each once; where none is named the class."""
    given: set[ShipKey] = set()
    for ship in rows.values():
        names = {ship_id(name): name for name in sister_names(ship.sisters)}
        if not names:
            yield ship
        for id, name in names.items():
            key = (id, ship.since)
            hers = rows.get(key)
            if key not in given and (hers is None or hers is ship or (ship.own and not hers.own)):
                yield evolve(ship, id=id, name=bare(name), sisters=(), class_row=ship.id)
                given.add(key)


def _words_of(ship: ShipFacts) -> Iterator[str]:
    for text in (ship.name, ship.id, ship.navy, ship.ship_class, ship.kind, ship.class_row, *ship.sisters):
        yield fold_shelf_name(text)
        yield from fold_shelf_name(text).split()


def register(wanted: Iterable[str] = ()) -> Register:
    """The ships of some navies by the names of their files, or of all."""
    names = set(wanted)
    by_navy: dict[str, dict[ShipKey, ShipFacts]] = {}
    faulty = []
    for folder in reversed(folders("navies")):
        for path in files_in(folder, SUFFIX):
            if names and path.stem not in names:
                continue
            try:
                ships = read_navy(read_bytes(path), path)
            except FileFaults as faults:
                faulty.append(faults)
                continue
            for ship in ships:
                by_navy.setdefault(ship.navy, {})[ship.id, ship.since] = ship
    navies = {navy: tuple(_named(ships)) for navy, ships in sorted(by_navy.items())}
    classes = (ship for ships in by_navy.values() for ship in ships.values() if ship.sisters)
    return Register(navies, tuple(faulty), tuple(classes))


def own_state() -> tuple[tuple[str, int, int], ...]:
    """The times and sizes of the user's own files: equal while nobody changes them."""
    states = []
    for path in files_in(own("navies"), SUFFIX):
        try:
            state = path.stat()
        except OSError:
            continue
        states.append((path.name, state.st_mtime_ns, state.st_size))
    return tuple(states)


_Rows = dict[ShipKey, Mapping[str, str]]


def own_navy(navy: str) -> Path:
    """The user's file of a navy, by its title or its file's name; it need not exist. QfError if none can."""
    name = "-".join(navy.casefold().split())
    if not is_id(name):
        raise QfError(f"“{shown(navy)}” cannot name a navy: use letters a-z, digits and “-”")
    return own("navies") / f"{name}.csv"


def own_rows(navy: str) -> tuple[Mapping[str, str], ...]:
    """The rows of the user's file of a navy as he has them; FileFaults where it cannot be read."""
    path = own_navy(navy)
    return navy_table(read_bytes(path), path).rows if path.exists() else ()


def own_ships(navy: str) -> tuple[ShipFacts, ...]:
    """The ships of the user's file of a navy; FileFaults where it cannot be read."""
    return ships_of_rows(own_rows(navy), own_navy(navy))


def save_ships(navy: str, rows: Iterable[Mapping[str, str]], instead: Iterable[ShipKey] = ()) -> Path:
    """Puts rows into the user's file of a navy, each in place of its ship and year, and gives the file.

    Those of `instead` go, as when a ship gets another id. FileFaults names all that is wrong with the rows or
    with the file that is there; QfError where it cannot be written. Then it is as before.
    """
    path = own_navy(navy)
    coming = _by_key(rows, path)
    gone = set(instead) - coming.keys()
    return _rewrite(path, lambda stood: {key: stood[key] for key in stood if key not in gone} | coming)


def delete_ship(navy: str, key: ShipKey) -> Path:
    """Takes a ship of one year out of the user's file of a navy, so that ours, if any, is seen again."""
    path = own_navy(navy)

    def change(stood: _Rows) -> _Rows:
        if key not in stood:
            raise QfError(
                f"{key[0]} of {key[1]} is not among your own ships in {path}; ours cannot be deleted"
            )
        return {other: row for other, row in stood.items() if other != key}

    return _rewrite(path, change)


def key_of(ship: ShipFacts) -> ShipKey:
    """The key of her row, or of that of her class."""
    return ship.class_row or ship.id, ship.since


def _by_key(rows: Iterable[Mapping[str, str]], path: Path) -> _Rows:
    """The rows that say anything; FileFaults names all that is wrong with them."""
    every = tuple(rows)
    some = (row for row in every if any(row.values()))
    return dict(zip(map(key_of, ships_of_rows(every, path)), some, strict=True))


def _rewrite(path: Path, change: Callable[[_Rows], _Rows]) -> Path:
    """Reads, changes and writes a file while no other console does."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with hold_lock(path):
            rows = change(_by_key(own_rows(navy_title(path.stem)), path))
            # Without a byte order mark, spreadsheets read the file in their own code page.
            write_file(path, written(rows.values()).encode("utf-8-sig"), over=True)
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {format_disk_fault(fault)}") from None
    return path


def written(rows: Iterable[Mapping[str, str]]) -> str:
    """Rows as the text of a file."""
    return table_text([column.heading for column in OWN_COLUMNS], rows)


_BUILDING = 2
"""Years from launch to completion where nobody says."""
_HERS = (
    *("id", "name", "from", "sisters", "fought", "differ", "note"),
    *("hull", "serves_from", "serves_until", "ended", "service_source"),
)
"""What a sister does not have of the ship that she is copied from."""


@frozen
class ShipDraft:
    """What is known so far: `texts` as they were typed, by column, and the values set by hand.

    `kept` is the row of the user's own that she stands in, if there is one.
    """

    navy: str = ""
    texts: Mapping[str, str] = field(factory=dict)
    by_hand: tuple[HandValue, ...] = ()
    kept: tuple[str, ShipKey] | None = None

    @classmethod
    def of(cls, ship: ShipFacts) -> "ShipDraft":
        """A ship to be changed; one of ours becomes the user's own by it."""
        row = row_of(ship)
        texts = {heading: text for heading, text in row.items() if text and heading != BY_HAND.heading}
        kept = (ship.navy, key_of(ship)) if ship.own and not ship.class_row else None
        return cls(ship.navy, texts, ship.by_hand, kept)

    @classmethod
    def like(cls, ship: ShipFacts) -> "ShipDraft":
        """A sister of a ship: all but what is the ship's alone."""
        draft = cls.of(ship)
        texts = {heading: text for heading, text in draft.texts.items() if heading not in _HERS}
        return evolve(draft, texts={**texts, "note": f"as {ship.name}"}, kept=None)

    def text(self, heading: str) -> str:
        return self.texts.get(heading, "")

    def with_text(self, heading: str, text: str) -> "ShipDraft":
        return evolve(self, texts={**self.texts, heading: text})

    def set_by_hand(self, system: str, key: str, text: str) -> "ShipDraft":
        """With a value set by hand; "" leaves it to the method again."""
        others = tuple(value for value in self.by_hand if (value.system, value.key) != (system, key))
        return evolve(self, by_hand=(*others, HandValue(system, key, text)) if text else others)

    def hand(self, system: str, key: str) -> str:
        """A value as it was set by hand, or nothing."""
        return next((value.text for value in self.by_hand if (value.system, value.key) == (system, key)), "")

    @property
    def _columns(self) -> Mapping[str, str]:
        return {heading: spelled(heading, text) for heading, text in self.texts.items()}

    @property
    def defaults(self) -> Mapping[str, str]:
        """What columns are taken for that nobody filled."""
        row = self._columns
        usual = {"id": identified(row.get("name", "")), "class": row.get("name", "")}
        launched, completed = row.get("launched", ""), row.get("completed", "")
        if launched.isdecimal():
            usual["completed"] = str(int(launched) + _BUILDING)
        elif completed.isdecimal():
            usual["launched"] = str(int(completed) - _BUILDING)
        return {heading: text for heading, text in usual.items() if text and not row.get(heading)}

    @property
    def row(self) -> Mapping[str, str]:
        by_hand = {BY_HAND.heading: "; ".join(map(str, self.by_hand))} if self.by_hand else {}
        return {**self._columns, **self.defaults, **by_hand}

    @property
    def read(self) -> "DraftReading":
        """The ship, or what is missing and wrong."""
        ship, faults = read_row(self.row, self.navy)
        missing = tuple(fault.place for fault in faults if not self.row.get(fault.place))
        wrong = {fault.place: fault.text for fault in faults if fault.place not in missing}
        return DraftReading(ship, tuple(heading for heading in NEEDED if heading in missing), wrong)

    @property
    def over(self) -> str:
        """The name of another ship of the user's own whose row she would take; "" if there is none."""
        ship = self.read.ship
        if ship is None or self.kept == (self.navy, key_of(ship)):
            return ""
        return next((other.name for other in own_ships(self.navy) if key_of(other) == key_of(ship)), "")

    def keep(self) -> Path:
        """Writes her into the user's file of her navy; QfError says why not, and then nothing is changed."""
        navy, instead = self.kept or (self.navy, None)
        moved = own_navy(navy) != own_navy(self.navy)
        path = save_ships(self.navy, [self.row], [] if moved or instead is None else [instead])
        if moved and instead is not None:
            delete_ship(navy, instead)
        return path


@frozen
class DraftReading:
    """A draft read: the ship, or what of her is `missing`, by columns, and what is `wrong`."""

    ship: ShipFacts | None
    missing: tuple[str, ...]
    wrong: Mapping[str, str]

    @property
    def odd(self) -> tuple[str, ...]:
        """Facts that are unlikely together."""
        return list_contradictions(self.ship) if self.ship else ()


NAVY = "navy"
HEADINGS = (NAVY, *(column.heading for column in OWN_COLUMNS))
_AS_TYPED = ("heavy", "heavy_bear", "light", "light_bear", "small", "light_armor")
"""What may be written as it is typed in the shipyard, `4x12/40`: a figure alone is read strictly."""
_MUST_STAND = [heading for heading in NEEDED if heading != "id"]


@frozen
class ImportResult:
    """The result of an import: how many rows are new, replaced and unchanged, and their files."""

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
    table = read_table(data, path, HEADINGS, _MUST_STAND)
    faults = list(table.faults)
    usual = (navy or path.stem).lower()
    every: list[ShipFacts] = []
    rows: dict[object, int] = {}
    for number, row in table.numbered if table.headed else ():
        if len(faults) > FAULTS_MOST:
            faults.append(
                Fault.at(row_place(number), "nothing is checked from here on: correct the faults above first")
            )
            break
        of = row.get(NAVY, "").lower() or usual
        # A row without a name gets a stand-in id, so that only the missing name is a fault.
        id = row.get("id") or identified(row.get("name") or "x")
        guns = {heading: spelled(heading, row[heading]) for heading in _AS_TYPED if heading in row}
        ship, wrong = read_row({**row, **guns, "id": id}, navy_title(of))
        if not is_id(of):
            wrong = (Fault(NAVY, f"“{shown(of)}”: expected letters a-z, digits and “-”"), *wrong)
        first = rows.setdefault((of, id, row.get("from") or row.get("completed")), number)
        if first != number:
            wrong = (*wrong, Fault("id", f"row {first} already has her; give a refit its year"))
        faults += row_faults(number, row, wrong)
        every += [ship] if ship is not None else []
    if not every and not faults:
        faults.append(Fault("", "the file has no ships"))
    refuse({str(path): by_rows(faults)})
    return tuple(every)


def keep_ships(ships: Iterable[ShipFacts], *, replace: bool = False) -> ImportResult:
    """Puts ships into the user's own files, all or none; QfError names those there, unless they `replace`."""
    coming: dict[str, list[ShipFacts]] = {}
    for ship in ships:
        coming.setdefault(ship.navy, []).append(ship)
    stood = {navy: {key_of(ship): ship for ship in own_ships(navy)} for navy in coming}
    every = [(navy, ship) for navy, some in coming.items() for ship in some]
    there = [(navy, ship) for navy, ship in every if key_of(ship) in stood[navy]]
    other = [ship for navy, ship in there if row_of(ship) != row_of(stood[navy][key_of(ship)])]
    if other and not replace:
        names = ", ".join(f"{ship.name} ({ship.navy}, {ship.since})" for ship in other[:8])
        more = f" and {len(other) - 8} more" if len(other) > 8 else ""
        raise QfError(f"your own rows differ for {names}{more}; --replace overwrites them")
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
                    write_file(path, data, over=True)
        raise
    return tuple(before)
