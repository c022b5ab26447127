"""Facts of ships as CSV, out and in: ships of any navies in one file, by a column `navy`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ShipFacts, listed_in
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.journal.disk import write_whole
from qf_tui.library.checking import Checker, absent, is_id
from qf_tui.library.csv_text import FAULTS_MOST, Row, by_rows, plain_number, read_table, row_place, table_text
from qf_tui.library.declared import ship_fields
from qf_tui.library.faults import Fault, FileFaults, FileItem, FilePlace, refuse, shown
from qf_tui.library.fleets import Card, read_fleet
from qf_tui.library.navies import (
    NEEDED,
    OWN_COLUMNS,
    identified,
    key_of,
    navy_title,
    own_navy,
    own_rows,
    read_row,
    row_faults,
    row_of,
    save_ships,
    ships_of_rows,
)
from qf_tui.library.ship_drafts import spelled

_WHOLE, _DECIMAL = re.compile(r"-?[0-9]{1,15}"), re.compile(r"-?[0-9]{1,15}\.[0-9]{1,15}")
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def typed(field: CardField, text: str) -> object:
    """What a text means as a value of a field: `18,25` is 18.25, `9 7 5` of a series a list, `yes` true."""
    if field.kind in ("bool", "has") and text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    if field.kind in ("int", "number", "has"):
        return _number(text)
    if field.kind == "series":
        every = [_number(part) for part in text.split()]
        return every[0] if len(every) == 1 else every
    if field.kind == "texts":
        return [part.strip() for part in text.split(";") if part.strip()]
    return text


def _number(text: str) -> object:
    with suppress(ValueError):
        text = plain_number(text)
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def as_typed(field: CardField, value: object) -> str:
    """A value as text that `typed` reads as the same; nothing for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return (" " if field.kind == "series" else "; ").join(as_typed(field, one) for one in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


Document = dict[str, Any]


def cards_text(cards: Sequence[Card], system: RuleSystem, navies: Sequence[str] = ()) -> str:
    """Cards, each of its navy if told, as text that `read_cards` reads as the same; no empty columns."""
    leaves = dict(_leaves(ship_fields(system), "", cards))
    rows = [{name: _cell(name, field, card) for name, field in leaves.items()} for card in cards]
    headings = [name for name, field in leaves.items() if field.required or any(row[name] for row in rows)]
    if navies:
        rows = [{"navy": navy, **row} for navy, row in zip(navies, rows, strict=True)]
    return table_text(["navy", *headings] if navies else headings, rows)


def read_cards(data: bytes, path: Path, system: RuleSystem, said: Mapping[str, str]) -> Document:
    """The document of a fleet from a file's rows; FileFaults names all that is wrong, by row and column.

    `said` is what the fleet says of all its ships, as its title. A row without an id has that of her name.
    """
    fields = ship_fields(system)
    needed = [name for name, field in _leaves(fields, "", None) if field.required and name != "id"]
    table = read_table(data, path, ["navy", *(name for name, _ in _leaves(fields, "", None))], needed)
    checker = _RowChecker([number for number, _ in table.numbered])
    checker.faults += table.faults
    ships = [_ship(fields, row) for _, row in table.numbered]
    document = {"ruleset": system.name, **said, "ship": ships}
    if table.headed:
        read_fleet(document, path.stem, system, checker)
    if checker.faults:
        raise FileFaults(path, by_rows(checker.faults))
    return document


class _RowChecker(Checker):
    """A checker that says rows and columns where a fleet has ships and keys."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__()
        self._rows = rows

    def fault(self, place: FilePlace, text: str) -> None:
        if place.items and place.items[0].kind == "ship":
            ship, *parts = place.items
            keys = (key for part in parts for key in (part.kind, str(part.number)))
            row = FileItem("row", self._rows[ship.number - 1], ship.label)
            place = FilePlace((row,), (*keys, *place.keys))
        super().fault(place, text)


def _leaves(
    fields: Iterable[CardField], prefix: str, cards: Sequence[Card] | None
) -> Iterator[tuple[str, CardField]]:
    """Every column with its field; of what there may be several of, as many as the cards have or may be."""
    for field in fields:
        name = prefix + field.name
        if field.kind in ("table", "numbers"):
            whole = field.required and field.kind == "numbers"
            for part, leaf in _leaves(field.parts, f"{name}.", cards):
                yield part, evolve(leaf, required=whole or (field.required and leaf.required))
        elif field.kind == "tables":
            most = (
                int(field.most) if cards is None else max((_count(card, name) for card in cards), default=0)
            )
            for number in range(1, most + 1):
                for part, leaf in _leaves(field.parts, f"{name}.{number}.", cards):
                    yield part, evolve(leaf, required=False)
        else:
            yield name, field


def _count(card: Card, name: str) -> int:
    value = card.get(name)
    return value if isinstance(value, int) else 0


def _cell(name: str, field: CardField, card: Card) -> str:
    value: Scalar | list[Scalar] = card.get(name)
    if field.kind == "series" and f"{name}.1" in card:
        places = sorted(int(key.rpartition(".")[2]) for key in card if key.startswith(f"{name}."))
        value = [card[f"{name}.{place}"] for place in places]
    if field.kind == "texts":
        value = list(listed_in(card, name))
    return "" if value == absent(field) and not field.required else as_typed(field, value)


def _ship(fields: Iterable[CardField], row: Row) -> Document:
    ship = _given(fields, row, "")
    if "id" not in ship and identified(str(ship.get("name", ""))):
        ship = {"id": identified(str(ship["name"])), **ship}
    return ship


def _given(fields: Iterable[CardField], row: Row, prefix: str) -> Document:
    """What a row gives, as a fleet file has it; an empty cell gives nothing."""
    given: Document = {}
    for field in fields:
        name = prefix + field.name
        if field.kind in ("table", "numbers"):
            parts = _given(field.parts, row, f"{name}.")
            if parts:
                # A part that is missing beside others is told by its column.
                every = [parts.get(part.name, "") for part in field.parts]
                given[field.name] = every if field.kind == "numbers" else parts
        elif field.kind == "tables":
            numbered = (_given(field.parts, row, f"{name}.{n}.") for n in range(1, int(field.most) + 1))
            some = [parts for parts in numbered if parts]
            given |= {field.name: some} if some else {}
        elif row.get(name):
            given[field.name] = typed(field, row[name])
    return given


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
