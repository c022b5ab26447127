"""The user's own ships: rows of a CSV file a navy in his folder, which win over ours; ours are never written.

A file is written whole or not at all, and with what another console has put there in the meantime.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import folded, nearest, spelt
from qf_tui.core.ship_facts import (
    YEARS,
    GunArmor,
    HandValue,
    ShipFacts,
    light_bearing,
    main_bearing,
    read_gun_armor,
    read_guns,
    read_small,
)
from qf_tui.core.text import TEXT_MOST, decimal
from qf_tui.journal.disk import alone, in_words, write_whole
from qf_tui.library.checking import ID_MOST, is_id, text_fault
from qf_tui.library.csv_text import CsvTable, Row, plain_number, read_table, row_place, table_text
from qf_tui.library.faults import Fault, FileFaults, near, refuse, shown
from qf_tui.library.paths import folders, is_there, own, read_bytes

KINDS = (
    *("battleship", "coast-defence", "ironclad", "monitor", "battery", "dreadnought", "battlecruiser"),
    *("armored-cruiser", "protected-cruiser", "unprotected-cruiser", "light-cruiser"),
    *("gunboat", "torpedo-gunboat", "destroyer", "torpedo-boat", "auxiliary"),
)
_WITH_TURRETS = (
    *("battleship", "coast-defence", "monitor", "dreadnought", "battlecruiser"),
    "armored-cruiser",
)
PLATES = ("Krupp", "Harvey", "nickel", "steel", "compound", "iron")
MOUNTS = ("turrets", "barbettes", "casemates", "shields", "broadside", "battery")
SUFFIX = ".csv"
_HAND = re.compile(r"([a-z0-9-]{1,60}) +([a-z0-9_.-]{1,80})=([^;=]{1,120})")

_Reader = Callable[[str], object]


def _whole(least: int, most: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise ValueError(f"expected a whole number from {least} to {most}")
    return int(text)


@lru_cache(maxsize=4096)
def _amount(most: int, text: str) -> Fraction:
    if not text:
        return Fraction(0)
    text = plain_number(text)
    whole, _, part = text.partition(".")
    good = whole.isascii() and whole.isdigit() and (not part or (part.isascii() and part.isdigit()))
    if not good or text.endswith(".") or len(text) > 9 or Fraction(text) > most:
        raise ValueError(f"expected a number from 0 to {most}")
    return Fraction(text)


def _gun_armor(text: str) -> GunArmor | None:
    return read_gun_armor(plain_number(text))


def _perhaps(read: _Reader, text: str) -> object:
    return read(text) if text else None


def _of(words: tuple[str, ...], joint: str, text: str) -> str:
    for word in text.split(joint) if text else ():
        if word not in words:
            raise ValueError(f"expected {', '.join(words)}", near(word, words))
    return text


def _id(text: str) -> str:
    if not is_id(text):
        raise ValueError('expected up to 60 lower case letters a-z, digits and "-"')
    return text


def _listed(joint: str, text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(joint) if part.strip())


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(_whole(0, 24, part) for part in text.split("+") if part not in ("", "0"))


def _hand_values(text: str) -> tuple[HandValue, ...]:
    found = []
    for part in _listed(";", text):
        read = _HAND.fullmatch(part)
        if read is None:
            raise ValueError("expected a rule system, a value of hers, = and what it is")
        found.append(HandValue(*read.groups()))
    return tuple(found)


@frozen
class FactColumn:
    """One column of a navy's file: its heading, the fact that it holds, and how its text is read."""

    heading: str
    fact: str
    read: _Reader
    label: str


_YEAR = partial(_whole, *YEARS)
_INCHES = partial(_amount, 40)
COLUMNS = (
    FactColumn("id", "id", _id, "her id, once in the navy"),
    FactColumn("name", "name", str, "her name"),
    FactColumn("class", "ship_class", str, "her class"),
    FactColumn("kind", "kind", partial(_of, KINDS, "\n"), "what she is"),
    FactColumn("from", "since", partial(_perhaps, _YEAR), "the year of a refit; empty: as completed"),
    FactColumn("launched", "launched", _YEAR, "the year"),
    FactColumn("completed", "completed", _YEAR, "the year"),
    FactColumn("tons", "tons", partial(_whole, 1, 99999), "long tons, normal or design"),
    FactColumn("knots", "knots", partial(_amount, 99), "knots"),
    FactColumn("heavy", "heavy", str, "the main battery, as 4x12in/40"),
    FactColumn("heavy_bear", "", str, "how many of them bear on a broadside"),
    FactColumn("heavy_mount", "heavy_mount", partial(_of, MOUNTS, " + "), "how they are mounted"),
    FactColumn("light", "light", str, "the other guns from 4 in or 100 mm up"),
    FactColumn("light_bear", "", str, "how many of them bear on a broadside"),
    FactColumn("light_mount", "light_mount", partial(_of, MOUNTS, " + "), "how they are mounted"),
    FactColumn("small", "small", read_small, "as 16x75-100mm + 8x37-65mm"),
    FactColumn("belt", "belt", _INCHES, "greatest thickness of the belt, inches"),
    FactColumn("belt_ends", "belt_ends", _INCHES, "the belt at her ends, inches"),
    FactColumn("upper_side", "upper_side", _INCHES, "side armor above the belt, inches"),
    FactColumn("heavy_armor", "heavy_armor", _INCHES, "turrets or barbettes, the thicker, inches"),
    FactColumn("light_armor", "light_armor", _gun_armor, "of the light guns, as 6 (4 of 10)"),
    FactColumn("deck", "deck", _INCHES, "inches"),
    FactColumn("deck_slope", "deck_slope", partial(_perhaps, _INCHES), "inches"),
    FactColumn("ct", "conning_tower", _INCHES, "conning tower, inches"),
    FactColumn("plate", "plate", partial(_of, PLATES, "/"), "what the plate is of"),
    FactColumn("tubes", "tubes", partial(_perhaps, partial(_whole, 0, 99)), "tubes above and below water"),
    FactColumn("tube_size", "tube_size_in", _sizes, "bore, inches; 15+18: more tubes of 15"),
    FactColumn("tubes_below", "tubes_below", partial(_perhaps, partial(_whole, 0, 99)), "submerged tubes"),
    FactColumn("sisters", "sisters", partial(_listed, ";"), "others of her class that the row stands for"),
    FactColumn("fought", "fought", partial(_listed, ";"), "where she fought"),
    FactColumn("sources", "sources", partial(_listed, "|"), "what was read"),
    FactColumn("differ", "differ", str, "where sources disagree"),
    FactColumn("note", "note", str, "what else is to be known"),
)
"""The columns in the order of our files; a user's file may leave out what it does not know."""
BY_HAND = FactColumn(
    "by_hand", "by_hand", _hand_values, "values of yours, as RULESET VALUE=6; RULESET VALUE=5"
)
OWN_COLUMNS = (*COLUMNS, BY_HAND)
"""Those of a user's file: what he knows better than the methods too, by the names of rule systems."""

NEEDED = ("id", "name", "kind", "launched", "completed", "tons", "knots")


def navy_title(name: str) -> str:
    """A navy by the name of its file: `austria-hungary` is Austria-Hungary, `usa` USA."""
    return (
        name.upper()
        if len(name) <= 3
        else "-".join(" ".join(word.capitalize() for word in part.split()) for part in name.split("-"))
    )


def identified(name: str) -> str:
    """An id made of a name; nothing where the name has no letter or figure of ours."""
    return re.sub(r"[^a-z0-9]+", "-", folded(re.sub("['’‘.]", "-", name))).strip("-")[:ID_MOST].strip("-")


def navy_table(data: bytes, path: Path) -> CsvTable:
    """The rows of a file, not looked into; FileFaults where it is no CSV file with our columns."""
    table = read_table(data, path, [column.heading for column in OWN_COLUMNS], NEEDED)
    refuse({str(path): table.faults})
    return table


@lru_cache(maxsize=64)
def read_navy(data: bytes, path: Path, *, own_rows: bool = False) -> tuple[ShipFacts, ...]:
    """The ships of one file; FileFaults names all that is wrong, each by its row and column.

    The same bytes are read once.
    """
    return ships_of_rows(navy_table(data, path).rows, path, own_rows=own_rows)


def ships_of_rows(rows: Iterable[Row], path: Path, *, own_rows: bool = False) -> tuple[ShipFacts, ...]:
    """The ships of rows, the first of which is the second of its file; empty rows are none."""
    faults: list[Fault] = []
    navy, found = navy_title(path.stem), []
    for number, row in enumerate(rows, 2):
        if any(row.values()):
            ship, wrong = read_row(row, navy)
            faults += row_faults(number, row, wrong)
            found += [evolve(ship, own=own_rows)] if ship else []
    _check_doubles(found, faults)
    refuse({str(path): faults})
    return tuple(found)


def row_faults(number: int, row: Row, wrong: Iterable[Fault]) -> list[Fault]:
    """What is wrong with a row, by its number and ship, then the column."""
    place = row_place(number, row.get("id") or row.get("name") or "")
    return [Fault.at(place.key(fault.place), fault.text) for fault in wrong]


def read_row(row: Row, navy: str) -> tuple[ShipFacts | None, tuple[Fault, ...]]:
    """The ship of a row and nothing, or None and all that is refused, each by its column."""
    faults: list[Fault] = []
    read: dict[str, Any] = {"navy": navy}
    for column in OWN_COLUMNS:
        text = row.get(column.heading, "")
        if fault := text_fault(text, TEXT_MOST):
            faults.append(Fault(column.heading, fault))
        elif column.heading in NEEDED and not text:
            faults.append(Fault(column.heading, "is missing"))
        elif column.fact and (text or column.heading == "from"):
            try:
                read[column.fact] = column.read(text)
            except ValueError as wrong:
                expected, *hints = wrong.args
                faults.append(Fault(column.heading, "".join((f"{expected}, found “{shown(text)}”", *hints))))
    main = partial(main_bearing, row.get("heavy_mount") or _usual_mount(row.get("kind", "")))
    for heading, bearing, usual in (("heavy", "heavy_bear", main), ("light", "light_bear", light_bearing)):
        try:
            read[heading] = read_guns(row.get(heading, ""), row.get(bearing, ""), usual)
        except ValueError as wrong:
            faults.append(Fault(heading, shown(str(wrong), 200)))
    if faults:
        return None, tuple(faults)
    read["since"] = read.get("since") or read["completed"]
    read.setdefault("ship_class", read["name"])
    return ShipFacts(**read), ()


def _usual_mount(kind: str) -> str:
    """How the main guns of a kind stand where nobody says."""
    return "turrets" if kind in _WITH_TURRETS else ""


def row_of(ship: ShipFacts) -> dict[str, str]:
    """A ship as a row of a user's file: what `read_row` reads as the same."""
    row = {column.heading: _cell(getattr(ship, column.fact)) for column in OWN_COLUMNS if column.fact}
    for heading, bearing, guns in (("heavy", "heavy_bear", ship.heavy), ("light", "light_bear", ship.light)):
        row[heading] = " + ".join(one.text for one in guns)
        known = () if any(one.assumed for one in guns) else guns
        row[bearing] = " + ".join(str(one.bearing) for one in known)
    row["from"] = "" if ship.since == ship.completed else str(ship.since)
    row["sources"] = " | ".join(ship.sources)
    row["tube_size"] = "+".join(map(str, ship.tube_size_in))
    return {column.heading: row[column.heading] for column in OWN_COLUMNS}


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return "; ".join(map(str, value))
    if isinstance(value, Fraction):
        return decimal(value)
    return "" if value is None else str(value)


def _check_doubles(ships: Iterable[ShipFacts], faults: list[Fault]) -> None:
    seen: dict[tuple[str, int], int] = {}
    for ship in ships:
        key = (ship.id, ship.since)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2:
            faults.append(
                Fault(ship.id, f"stands there more than once for {ship.since}; give a refit its year")
            )


_REMARK = re.compile(r"\s*\(.*\)\s*")
_MANY = re.compile(r"^Nos\b|\d ?(?:-|to) ?\d")


@frozen
class _Placed:
    """A row in its file; it is looked into once."""

    path: Path
    number: int
    row: Row

    @property
    def since(self) -> str:
        """The year from which she is so; what is no year is found when the row is looked into."""
        return self.row.get("from") or self.row.get("completed", "")

    @cached_property
    def sisters(self) -> dict[str, str]:
        """The ships that a row of a class names, by their ids."""
        return {ship_id(name): name for name in sister_names(self.row.get("sisters", "").split(";"))}

    @cached_property
    def ship(self) -> ShipFacts:
        """What the row says; FileFaults has what is wrong with it."""
        ship, wrong = read_row(self.row, navy_title(self.path.stem))
        if ship is None:
            raise FileFaults(self.path, row_faults(self.number, self.row, wrong))
        return ship


@lru_cache(maxsize=64)
def _placed(data: bytes, path: Path) -> tuple[_Placed, ...]:
    """The rows of a file as it is now: the same bytes are taken apart once, for every battle of the shelf."""
    return tuple(_Placed(path, number, row) for number, row in navy_table(data, path).numbered)


class NavyShips:
    """One navy by the name of its file; FileFaults where a file is none of a navy."""

    def __init__(self, name: str) -> None:
        self.name, self._own = name, own("navies")

    @cached_property
    def _rows(self) -> dict[str, dict[str, _Placed]]:
        """The rows of each ship or class by the year from which they hold, the user's over ours."""
        rows: dict[str, dict[str, _Placed]] = {}
        for folder in reversed(folders("navies")) if is_id(self.name) else ():
            path = folder / f"{self.name}{SUFFIX}"
            for placed in _placed(read_bytes(path), path) if is_there(path) else ():
                rows.setdefault(placed.row.get("id", ""), {})[placed.since] = placed
        return rows

    @cached_property
    def _sisters(self) -> dict[str, list[tuple[str, str]]]:
        """Each ship that a class row names, with its name: the rows that have her."""
        found: dict[str, list[tuple[str, str]]] = {}
        for id, placed in self._rows.items():
            for one in placed.values():
                for sister, name in one.sisters.items():
                    found.setdefault(sister, []).append((id, name))
        return found

    @property
    def known(self) -> bool:
        """Whether there is such a navy."""
        return bool(self._rows)

    def ids(self, year: int) -> list[str]:
        """All ships completed by a year, a class by each of its ships."""
        found: dict[str, None] = {}
        for id, placed in self._rows.items():
            row = _latest(placed, year)
            if row is not None:
                found.update(dict.fromkeys(row.sisters or [id]))
        return list(found)

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
        row = next(filter(None, (_latest(placed, year) for placed in self._of(id))), None)
        if row is None:
            return None
        ship = evolve(row.ship, own=True) if row.path.parent == self._own else row.ship
        names = {ship_id(name): name for name in ship.sisters}
        return evolve(ship, id=id, name=bare(names[id]), sisters=()) if id in names else ship

    def _of(self, id: str) -> Iterator[dict[str, _Placed]]:
        """The rows that a ship may stand in: her own, then those of her class."""
        if id in self._rows:
            yield self._rows[id]
        for row_id, _ in self._sisters.get(id, ()):
            yield {since: one for since, one in self._rows[row_id].items() if id in one.sisters}


def _latest(placed: dict[str, _Placed], year: int) -> _Placed | None:
    by_then = [one for since, one in placed.items() if not since.isdigit() or int(since) <= year]
    return max(by_then, key=lambda one: one.since, default=None)


def sister_names(sisters: Iterable[str]) -> list[str]:
    """The ships of a class that are named one by one; what is a remark, or many in a word, is none."""
    return [name for name in map(bare, sisters) if name[:1].isupper() and not _MANY.search(name)]


def bare(name: str) -> str:
    """A ship's name without the remark in brackets behind it."""
    return _REMARK.sub("", name).strip()


def ship_id(name: str) -> str:
    """The id of a ship that stands among the sisters of a class: her name, in plain small letters."""
    return identified(bare(name))


def navy_names() -> tuple[str, ...]:
    """The navies on the shelf, by the names of their files."""
    found: dict[str, None] = {}
    for folder in folders("navies"):
        try:
            found.update(dict.fromkeys(sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))))
        except OSError:
            continue
    return tuple(found)


YEAR_DIGITS = 4
_BEGINS = "\n"


@frozen(slots=False)
class Register:
    """Ships by navy, as the files have them, each navy by year; `faulty` are files that cannot be read."""

    navies: Mapping[str, tuple[ShipFacts, ...]]
    faulty: tuple[FileFaults, ...] = field(default=())

    @property
    def ships(self) -> Iterator[ShipFacts]:
        """All of them, refits as ships of their own."""
        return (ship for ships in self.navies.values() for ship in ships)

    @cached_property
    def _words(self) -> tuple[tuple[ShipFacts, str], ...]:
        """Each ship with the words that she is found by, in one text: a sign precedes each."""
        return tuple((ship, _BEGINS + _BEGINS.join(_words_of(ship))) for ship in self.ships)

    def found(self, words: Sequence[str]) -> tuple[ShipFacts, ...]:
        """The ships that all the words fit: each begins a word of hers, or is a year that she was so in."""
        letters = [spelt(word) or word for word in words]
        years = [int(word) for word in letters if _is_year(word)]
        rest = [_BEGINS + word for word in letters if not _is_year(word)]
        fitting = [ship for ship, text in self._words if all(word in text for word in rest)]
        if not years:
            return tuple(fitting)
        return tuple(ship for ship in fitting if all(self.in_year(ship, year) is ship for year in years))

    def near(self, letters: str) -> tuple[ShipFacts, ...]:
        """The ships whose names letters come near to, the nearest first; for letters that find none."""
        named = {name: ship for ship in self.ships for name in (ship.name, *ship.sisters)}
        wanted = " ".join(word for word in letters.split() if not _is_year(word))
        return tuple(dict.fromkeys(named[name] for name in nearest(wanted, named)))

    def in_year(self, ship: ShipFacts, year: int) -> ShipFacts | None:
        """A ship as she was in a year, or None before she was completed."""
        rows = [one for one in self.navies.get(ship.navy, ()) if one.id == ship.id and one.since <= year]
        return max(rows, key=lambda one: one.since, default=None)


def _is_year(word: str) -> bool:
    return len(word) == YEAR_DIGITS and word.isdigit()


def _words_of(ship: ShipFacts) -> Iterator[str]:
    texts = (ship.name, ship.id, ship.navy, ship.ship_class, ship.kind, *ship.sisters)
    for text in texts:
        yield spelt(text)
        yield from spelt(text).split()


def register(wanted: Iterable[str] = ()) -> Register:
    """The ships of some navies by the names of their files, or of all."""
    names = set(wanted)
    found: dict[str, dict[tuple[str, int], ShipFacts]] = {}
    faulty = []
    for folder in reversed(folders("navies")):
        for path in _files(folder):
            if names and path.stem not in names:
                continue
            try:
                ships = read_navy(read_bytes(path), path, own_rows=folder == own("navies"))
            except FileFaults as faults:
                faulty.append(faults)
                continue
            for ship in ships:
                found.setdefault(ship.navy, {})[ship.id, ship.since] = ship
    navies = {navy: tuple(ships.values()) for navy, ships in sorted(found.items())}
    return Register(navies, tuple(faulty))


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.glob(f"*{SUFFIX}") if path.is_file())
    except OSError:
        return []


def own_state() -> tuple[tuple[str, int, int], ...]:
    """What tells whether the user's own files are as they were: when each was written, and its size."""
    found = []
    for path in _files(own("navies")):
        try:
            state = path.stat()
        except OSError:
            continue
        found.append((path.name, state.st_mtime_ns, state.st_size))
    return tuple(found)


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
