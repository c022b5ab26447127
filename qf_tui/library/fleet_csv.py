"""Ready values of ships under one rule system as CSV, out and in: a list typed off a ship book is a fleet.

The columns are the keys of a fleet's ships, those of parts by their dotted names (`guns.bow`, `mast.1.name`);
a series is one cell, its numbers with spaces between them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve

from qf_tui.core.measure import Scalar
from qf_tui.core.ratings import listed_in
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.library.checking import Checker, absent
from qf_tui.library.csv_text import Row, by_rows, plain_number, read_table, table_text
from qf_tui.library.declared import ship_fields
from qf_tui.library.faults import FileFaults, FileItem, FilePlace
from qf_tui.library.fleets import Card, read_fleet
from qf_tui.library.ships.navies import identified

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
