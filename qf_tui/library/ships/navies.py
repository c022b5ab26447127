"""The facts of ships by navy: CSV files that a spreadsheet edits, read strictly.

A later row of a ship (`from`) is a refit: from that year on she is as it says.
"""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.grammar.names import folded
from qf_tui.core.measure import decimal
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
from qf_tui.core.text import TEXT_MOST
from qf_tui.library.checking import ID_MOST, is_id, text_fault
from qf_tui.library.csv_text import CsvTable, Row, plain_number, read_table, row_place
from qf_tui.library.fault_words import near
from qf_tui.library.faults import Fault, refuse, shown

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
