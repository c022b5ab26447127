"""The facts of ships by navy: CSV files that a spreadsheet edits, read strictly.

A later row of a ship (`from`) is a refit: from that year on she is as it says.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.ship_facts import ShipFacts, read_gun_armor, read_guns, read_small
from qf_tui.core.text import TEXT_MOST, unprintable
from qf_tui.library.checking import ID
from qf_tui.library.faults import Fault, FileFaults, refuse, shown
from qf_tui.library.wording import near

KINDS = (
    *("battleship", "coast-defence", "ironclad", "monitor", "battery", "dreadnought", "battlecruiser"),
    *("armored-cruiser", "protected-cruiser", "unprotected-cruiser", "light-cruiser"),
    *("gunboat", "torpedo-gunboat", "destroyer", "torpedo-boat", "auxiliary"),
)
PLATES = ("Krupp", "Harvey", "nickel", "steel", "compound", "iron")
MOUNTS = ("turrets", "barbettes", "casemates", "shields", "broadside", "battery")
SUFFIX = ".csv"
_YEARS = (1850, 1950)

Row = Mapping[str, str]
_Reader = Callable[[str], object]


def _whole(least: int, most: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise ValueError(f"expected a whole number from {least} to {most}")
    return int(text)


def _amount(most: int, text: str) -> Fraction:
    if not text:
        return Fraction(0)
    whole, _, part = text.partition(".")
    good = whole.isascii() and whole.isdigit() and (not part or (part.isascii() and part.isdigit()))
    if not good or text.endswith(".") or len(text) > 9 or Fraction(text) > most:
        raise ValueError(f"expected a number from 0 to {most}")
    return Fraction(text)


def _perhaps(read: _Reader, text: str) -> object:
    return read(text) if text else None


def _of(words: tuple[str, ...], joint: str, text: str) -> str:
    for word in text.split(joint) if text else ():
        if word not in words:
            raise ValueError(f"expected {', '.join(words)}{near(word, words)}")
    return text


def _id(text: str) -> str:
    if not ID.fullmatch(text):
        raise ValueError('expected lower case letters a-z, digits and "-"')
    return text


def _named(text: str) -> str:
    if not text:
        raise ValueError("is missing")
    return text


def _listed(joint: str, text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(joint) if part.strip())


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(_whole(0, 24, part) for part in text.split("+") if part not in ("", "0"))


@frozen
class FactColumn:
    """One column of a navy's file: its heading, the fact that it holds, and how its text is read."""

    heading: str
    fact: str
    read: _Reader
    label: str


_YEAR = partial(_whole, *_YEARS)
_INCHES = partial(_amount, 40)
COLUMNS = (
    FactColumn("id", "id", _id, "her id, once in the navy"),
    FactColumn("name", "name", _named, "her name"),
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
    FactColumn("light_armor", "light_armor", read_gun_armor, "of the light guns, as 6 (4 of 10)"),
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

NEEDED = ("id", "name", "kind", "launched", "completed", "tons", "knots")
_SURPLUS = ""
"""The key of a row for what is wrong with its length."""
_GUNS = (("heavy", "heavy_bear"), ("light", "light_bear"))


def navy_title(name: str) -> str:
    """A navy by the name of its file: `austria-hungary` is Austria-Hungary, `usa` USA."""
    return (
        name.upper()
        if len(name) <= 3
        else "-".join(" ".join(word.capitalize() for word in part.split()) for part in name.split("-"))
    )


def read_navy(data: bytes, path: Path, *, own_rows: bool = False) -> tuple[ShipFacts, ...]:
    """The ships of one file; FileFaults names all that is wrong, each by its row and column."""
    faults: list[Fault] = []
    navy = navy_title(path.stem)
    read = (read_row(row, number, navy, faults) for number, row in navy_rows(data, path))
    found = [ship for ship in read if ship is not None]
    _check_doubles(found, faults)
    refuse({str(path): faults})
    return tuple(evolve(ship, own=own_rows) for ship in found)


def navy_rows(data: bytes, path: Path) -> list[tuple[int, Row]]:
    """The rows of one file with their numbers, not looked into; FileFaults if it is no such file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFaults(path, [Fault(f"line {line}", "it is not UTF-8; save the file as UTF-8")]) from None
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise FileFaults(path, [Fault("", f"it is not CSV: {shown(str(error))}")]) from None
    faults: list[Fault] = []
    headings = lines[0] if lines else []
    _check_headings(headings, faults)
    refuse({str(path): faults})
    found: list[tuple[int, Row]] = []
    for number, cells in enumerate(lines[1:], 2):
        if any(cell.strip() for cell in cells):
            row = {heading: cell.strip() for heading, cell in zip(headings, cells, strict=False)}
            if len(cells) > len(headings):
                row[_SURPLUS] = f"{len(cells)} cells under {len(headings)} headings"
            found.append((number, row))
    return found


def _check_headings(headings: list[str], faults: list[Fault]) -> None:
    known = [column.heading for column in COLUMNS]
    for heading in headings:
        if heading not in known:
            faults.append(Fault("row 1", f"no column “{shown(heading)}”{near(heading, known)}"))
        elif headings.count(heading) > 1:
            faults.append(Fault("row 1", f"“{heading}” stands there more than once"))
    missing = [heading for heading in NEEDED if heading not in headings]
    if missing:
        faults.append(Fault("row 1", f"missing: {', '.join(missing)}"))


def read_row(row: Row, number: int, navy: str, faults: list[Fault]) -> ShipFacts | None:
    """The ship of a row, none if anything in it is refused."""
    called = shown(row.get("id") or row.get("name") or "")
    place = f"row {number} ({called})" if called else f"row {number}"
    before = len(faults)
    if _SURPLUS in row:
        faults.append(Fault(f"row {number}", row[_SURPLUS]))
    read: dict[str, Any] = {"navy": navy}
    for column in COLUMNS:
        text = row.get(column.heading, "")
        stranger = unprintable(text)
        if stranger or len(text) > TEXT_MOST:
            faults.append(Fault(f"{place}, {column.heading}", f"not printable, or too long: {stranger}"))
        elif column.fact and (text or column.heading in NEEDED or column.heading == "from"):
            try:
                read[column.fact] = column.read(text)
            except ValueError as wrong:
                what = f"{wrong}, found “{shown(text)}”" if text else f"{wrong}"
                faults.append(Fault(f"{place}, {column.heading}", what))
    for heading, bearing in _GUNS:
        try:
            read[heading] = read_guns(row.get(heading, ""), row.get(bearing, "0"))
        except ValueError as wrong:
            faults.append(Fault(f"{place}, {heading}", str(wrong)))
    if len(faults) > before:
        return None
    read["since"] = read.get("since") or read["completed"]
    read.setdefault("ship_class", read["name"])
    return ShipFacts(**read)


def _check_doubles(ships: Iterable[ShipFacts], faults: list[Fault]) -> None:
    seen: dict[tuple[str, int], int] = {}
    for ship in ships:
        key = (ship.id, ship.since)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2:
            faults.append(
                Fault(ship.id, f"stands there more than once for {ship.since}; give a refit its year")
            )
