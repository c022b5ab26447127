"""Reads and writes CSV as spreadsheets do, and reads the facts of a ship from a row.

Cells are separated by a comma, a semicolon or a tab, depending on the spreadsheet's locale. Text that begins
like a formula (`=`, `+`, `@`, `-`) is written with an apostrophe before it, which reading removes. The same
holds for text after a semicolon, because a spreadsheet of another locale may split there.
"""

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from qf_tui.core.grammar.names import fold_name
from qf_tui.core.ship_facts import (
    SERVING,
    YEARS,
    GunArmor,
    HandValue,
    ShipFacts,
    estimate_light_bearing,
    estimate_main_bearing,
    read_date,
    read_gun_armor,
    read_guns,
    read_small,
)
from qf_tui.core.text import TEXT_MOST
from qf_tui.library.faults import (
    ID_MOST,
    Fault,
    FileFaults,
    FileItem,
    FilePlace,
    find_text_fault,
    format_hint,
    is_id,
    make_printable,
)
from qf_tui.library.paths import decode_text

_Reader = Callable[[str], object]

ROWS_MOST = 10_000
"""Most rows that a file may have."""

COLUMNS_MOST = 1_000
FAULTS_MOST = 1_000
"""Number of faults after which no further row is checked."""

_SEPARATORS: tuple[str, ...] = (",", ";", "\t")
_FORMULA_STARTS = "-=+@\t\r＝＋＠－"
# Few files need these patterns, so they are compiled at first use.
_SEPARATOR_LINE = r"sep=(.)\r?\n"
_ESCAPED_FORMULA = f"(^|;)'('*[{_FORMULA_STARTS}])"
_FORMULA = f"(^|;)('*[{_FORMULA_STARTS}])"
_GROUPED = r"[1-9]\d{0,2}([., '’\u00a0\u202f])\d{3}(\1\d{3})*"
_HEADINGS_ROW = 1
_ZERO_DECIMALS = r"(?<=\d)[.,]0{1,2}$"
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?"
_MARKS_TO_DASHES = str.maketrans(dict.fromkeys("'’‘.", "-"))

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
BECAME = ("converted", "auxiliary", "training", "target", "museum")
"""Words for a ship that served on, but no longer as a ship of her kind."""
ENDS = ("lost", "taken", "sold", "stricken", "rebuilt", "withdrawn", *BECAME, SERVING)
"""Words for the end of a service under one flag, or for a service that has not ended."""
MOUNTS = ("turrets", "barbettes", "casemates", "shields", "broadside", "battery")
# Patterns of what people type; they are compiled at first use.
_HAND_VALUE = r"([a-z0-9-]{1,60}) +([a-z0-9_.-]{1,80})=([^;=]{1,120})"
_GUN_GROUP = r"(\d+) *[x*×] *(\d+(?:\.\d+)?) *(in|mm|cm|\"|″)?(?: *[/lL] *(\d+(?:\.\d+)?))?"
_ARMOR_OF_SOME = r"(\d+(?:\.\d+)?) +\(?(\d+) *(?:/|of) *(\d+)\)?"
_FIRST_OF_CENTURY = 50
"""First year of two digits that means the 1800s; smaller numbers mean the 1900s."""
_INCHES_BELOW = 25
"""Calibers without a unit are in inches below this number, and in millimetres from this number on."""


@frozen
class CsvTable:
    """The cells of a CSV file. Cells are stripped, and empty cells at the end of a row are dropped.

    Attributes:
        rows: The rows by heading; the first is row 2 of the file. A blank row is an empty mapping.
        faults: Faults of the headings and of rows that are too long.
    """

    rows: tuple[Mapping[str, str], ...]
    faults: tuple[Fault, ...]
    has_sound_headings: bool
    """Whether the headings have no fault. If they have, all rows are empty."""

    @property
    def numbered_rows(self) -> tuple[tuple[int, Mapping[str, str]], ...]:
        """The rows that are not blank, with their numbers in the file."""
        return tuple((number, row) for number, row in enumerate(self.rows, 2) if any(row.values()))


def read_table(data: bytes, path: Path, known: Collection[str], needed: Collection[str] = ()) -> CsvTable:
    """Read a CSV file.

    Args:
        known: All headings that the file may have.
        needed: The headings that it must have.

    Returns:
        The rows, and the faults of headings and of rows that are too long. A row is {} if it is blank, or if
        a heading has a fault.

    Raises:
        FileFaults: The file is no CSV, or has too many rows or columns.
    """
    whole_text = decode_text(data, path, " (in Excel: “CSV UTF-8”)")
    separator, text = _find_separator(whole_text, known)
    lines = _read_lines(text, separator, path)
    headings = tuple(lines[0]) if lines else ()
    if len(headings) > COLUMNS_MOST:
        place = build_row_place(_HEADINGS_ROW)
        raise FileFaults(path, [Fault.build_at(place, f"more than {COLUMNS_MOST:,} columns; split the file")])
    heading_faults = tuple(_list_heading_faults(headings, known, needed))
    rows: list[dict[str, str]] = []
    faults: list[Fault] = []
    blanks = [""] * len(headings)
    for number, cells in enumerate(lines[1:], _HEADINGS_ROW + 1):
        # Rows under wrong headings are of no use, so their cells are not read.
        is_read = any(cells) and not heading_faults
        filled_cells = cells + blanks[len(cells) :]
        rows.append(dict(zip(headings, filled_cells, strict=False)) if is_read else {})
        if len(cells) > len(headings):
            faults.append(
                Fault.build_at(build_row_place(number), f"{len(cells)} cells under {len(headings)} headings")
            )
    return CsvTable(tuple(rows), (*heading_faults, *faults), has_sound_headings=not heading_faults)


def _find_separator(text: str, known_headings: Collection[str]) -> tuple[str, str]:
    """Find the separator of CSV text, and return it with the text after a first line `sep=;`.

    That line names the separator. Without it, the comma, semicolon or tab is taken that gives the most known
    headings.
    """
    separator_line = re.match(_SEPARATOR_LINE, text) if text.startswith("sep=") else None
    table_text = text[separator_line.end() :] if separator_line else text
    if separator_line and separator_line[1] in _SEPARATORS:
        return separator_line[1], table_text

    def count_known_headings(separator: str) -> int:
        with suppress(csv.Error):
            headings = next(_make_csv_reader(table_text, separator), [])
            return len(set(headings) & set(known_headings))
        return 0

    return max(_SEPARATORS, key=count_known_headings), table_text


def format_csv_table(headings: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Format rows as CSV text that `read_table` reads back unchanged; blank rows are left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    number = re.compile(_NUMBER)
    formula = re.compile(_FORMULA)
    writer.writerow(headings)
    for row in rows:
        if any(row.values()):
            cells = (row.get(heading, "") for heading in headings)
            # A spreadsheet would compute a text that begins like a formula, but not a number such as -5.
            writer.writerow(cell if number.fullmatch(cell) else formula.sub(r"\1'\2", cell) for cell in cells)
    return text.getvalue()


def build_row_place(number: int, label: str = "") -> FilePlace:
    """Return the place of a row, counted from 1 as in spreadsheets, with a label such as the ship's id."""
    return FilePlace((FileItem("row", number, label),))


def sort_by_row(faults: Iterable[Fault]) -> list[Fault]:
    """Sort faults by their rows; faults of the whole file come first."""
    return sorted(faults, key=lambda fault: fault.found.items[0].number if fault.found.items else 0)


def _read_lines(text: str, separator: str, path: Path) -> list[list[str]]:
    """Read the lines of CSV text as stripped cells, without empty cells at the end of a line.

    An apostrophe that `format_csv_table` wrote before a formula is removed.

    Raises:
        FileFaults: The text is no CSV, or has too many rows.
    """
    lines: list[list[str]] = []
    # Few files have an apostrophe before a formula; if this one has none, no cell needs a search.
    has_apostrophes = any(after[:1] in _FORMULA_STARTS for after in text.split("'")[1:])
    try:
        for line in _make_csv_reader(text, separator):
            if len(lines) > ROWS_MOST:
                raise FileFaults(path, [Fault("", f"more than {ROWS_MOST:,} rows; split the file")])
            cells = list(map(str.strip, line))
            if has_apostrophes:
                cells = [re.sub(_ESCAPED_FORMULA, r"\1\2", cell) if "'" in cell else cell for cell in cells]
            while cells and not cells[-1]:
                cells.pop()
            lines.append(cells)
    except csv.Error as error:
        message = f"not CSV: {make_printable(str(error))}"
        raise FileFaults(path, [Fault.build_at(build_row_place(len(lines) + 1), message)]) from None
    return lines


def _make_csv_reader(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)


def _list_heading_faults(
    headings: Sequence[str], known: Collection[str], needed: Collection[str]
) -> Iterable[Fault]:
    """Yield a fault for each heading that is unknown or repeated, and one for all missing headings."""
    place = build_row_place(_HEADINGS_ROW)
    for heading in dict.fromkeys(headings):
        if heading not in known:
            hint = format_hint(heading, known)
            yield Fault.build_at(place, f"no column “{make_printable(heading)}”{hint}")
        elif headings.count(heading) > 1:
            yield Fault.build_at(place, f"column “{heading}” appears more than once")
    missing = [heading for heading in needed if heading not in headings]
    if missing:
        yield Fault.build_at(place, f"missing: {', '.join(missing)}")


def _read_whole_number(least: int, most: int, text: str) -> int:
    """Read a whole number from `least` to `most`; raise ValueError for any other text.

    It may have separators of thousands, such as 14.900, or zeros as decimals, because only one whole number
    can be meant.
    """
    if not text.isdigit():
        text = re.sub(_ZERO_DECIMALS, "", text)
        if re.fullmatch(_GROUPED, text):
            text = re.sub(r"\D", "", text)
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise ValueError(f"expected a whole number from {least} to {most}")
    return int(text)


@lru_cache(maxsize=4096)
def _read_amount(most: int, text: str) -> Fraction:
    """Read a number from 0 to `most` in up to 9 characters, or 0 from ""; raise ValueError for other text.

    `most` is below 1,000, so a comma can only be a decimal comma.
    """
    if not text:
        return Fraction(0)
    text = text.replace(",", ".")
    whole, point, decimals = text.partition(".")
    digits = whole + decimals
    has_both_parts = whole != "" and (decimals != "" or not point)
    is_number = has_both_parts and digits.isascii() and digits.isdigit()
    # The length is limited before `Fraction` computes the number, because that takes long for many digits.
    if not is_number or len(text) > 9 or Fraction(text) > most:
        raise ValueError(f"expected a number from 0 to {most}")
    return Fraction(text)


def _read_gun_armor(text: str) -> GunArmor | None:
    return read_gun_armor(text.replace(",", "."))


def _read_optional(read: _Reader, text: str) -> object:
    """Read a text by `read`, or return None if it is empty."""
    return read(text) if text else None


def _check_words(words: tuple[str, ...], joint: str, text: str) -> str:
    """Return the text if it has only allowed words, joined by `joint`; raise ValueError for any other."""
    typed_words = text.split(joint) if text else []
    for word in typed_words:
        if word not in words:
            raise ValueError(f"expected {', '.join(words)}", format_hint(word, words))
    return text


def _check_id(text: str) -> str:
    """Check that a text is an id, and return it; raise ValueError if it is none."""
    if not is_id(text):
        raise ValueError('expected up to 60 lower case letters a-z, digits and "-"')
    return text


def _check_hull(text: str) -> str:
    """Check that a text is a hull, `navy/id`, and return it; raise ValueError if it is none."""
    navy, slash, id = text.partition("/")
    if not (slash and is_id(navy) and is_id(id)):
        raise ValueError("expected a navy and an id, like russia/poltava")
    return text


def _split_list(joint: str, text: str) -> tuple[str, ...]:
    """Split a list of texts at each `joint`, and leave out empty parts."""
    return tuple(part.strip() for part in text.split(joint) if part.strip())


def _read_sizes(text: str) -> tuple[int, ...]:
    """Read the bores of tubes, such as 15+18; a 0 and an empty part are skipped."""
    return tuple(_read_whole_number(0, 24, part) for part in text.split("+") if part not in ("", "0"))


def _read_hand_values(text: str) -> tuple[HandValue, ...]:
    """Read values set by hand, `RULESET VALUE=6; RULESET VALUE=5`; raise ValueError for any other text."""
    values = []
    for part in _split_list(";", text):
        match = re.fullmatch(_HAND_VALUE, part)
        if match is None:
            raise ValueError("expected RULESET VALUE=6")
        values.append(HandValue(*match.groups()))
    return tuple(values)


def list_likely_words(letters: str, words: Sequence[str]) -> tuple[str, ...]:
    """List the words that typed letters may mean.

    Words that begin with the letters come first, then words with these initials: `ac` is armored-cruiser.
    """
    typed_letters = letters.strip().casefold()
    by_beginning = [word for word in words if word.casefold().startswith(typed_letters)]
    by_initials = [
        word for word in words if "".join(part[0] for part in word.split("-")).startswith(typed_letters)
    ]
    return tuple(dict.fromkeys((*by_beginning, *by_initials)))


def _spell_word(words: Sequence[str], text: str) -> str:
    """Return the likeliest of the words that typed letters mean, or the text itself if there is none."""
    likely = list_likely_words(text, words) if text else ()
    return likely[0] if likely else text


def _spell_words(words: Sequence[str], joint: str, text: str) -> str:
    """Spell each word of a typed list, and join them with `joint`."""
    parts = [part for part in re.split(r"[ +/,]+", text) if part]
    return joint.join(_spell_word(words, part) for part in parts)


def _spell_year(text: str) -> str:
    """Complete a year of two digits: 98 is 1898, 05 is 1905."""
    if len(text) == 2 and text.isascii() and text.isdigit():
        return f"{18 if int(text) >= _FIRST_OF_CENTURY else 19}{text}"
    return text


def _spell_figure(text: str) -> str:
    """Remove the unit and the thousands separators from a number."""
    return re.sub(r"(?<=\d)[, '](?=\d{3}\b)", "", re.sub(r" *(in|\"|″|kn|kts?|t|tons?)$", "", text))


def _spell_guns(text: str) -> str:
    """Spell each group of a ship's guns; the groups are joined by `+`."""
    groups = [_spell_gun_group(part.strip()) for part in text.split("+")]
    return " + ".join(group for group in groups if group)


def _spell_gun_group(text: str) -> str:
    """Spell a group of guns: `4 x 30.5cm` is 4x305mm, `4x12/40` is 4x12in/40. Other text is unchanged.

    A caliber without a unit is in inches if it is below `_INCHES_BELOW`, else in mm.
    """
    match = re.fullmatch(_GUN_GROUP, text.replace(",", "."))
    if match is None:
        return text
    count, caliber, unit, length = match.groups()
    if unit == "cm":
        caliber, unit = f"{float(caliber) * 10:g}", "mm"
    elif unit != "mm":
        # Any other unit means inches.
        unit = "in" if unit or float(caliber) < _INCHES_BELOW else "mm"
    return f"{int(count)}x{caliber}{unit}{f'/{length}' if length else ''}"


def _spell_bearing(text: str) -> str:
    """Spell the numbers of guns that bear, with ` + ` between them."""
    return " + ".join(part for part in re.split(r"[ +,/]+", text) if part)


def _spell_small_guns(text: str) -> str:
    """Spell counts of small guns, `8` or `8+4` (larger + smaller), with calibers. Other text is unchanged."""
    parts = [part.strip() for part in text.split("+")]
    if len(parts) <= 2 and all(part.isascii() and part.isdigit() for part in parts):
        # A single count is that of the larger guns.
        larger, smaller = (*parts, "0")[:2]
        return f"{int(larger)}x75-100mm + {int(smaller)}x37-65mm"
    return text


def _spell_armor(text: str) -> str:
    """Spell the armor of light guns: `6 4/10` is 6 (4 of 10 guns). Other text is spelled as one figure."""
    match = re.fullmatch(_ARMOR_OF_SOME, text)
    return f"{match[1]} ({match[2]} of {match[3]})" if match else _spell_figure(text)


@frozen
class FactColumn:
    """A column of a navy's file.

    Attributes:
        heading: Its heading.
        read: Reads its text strictly; raises ValueError that says which text is expected.
        label: Its description for people.
        spell: Turns text that people type into text that `read` accepts.
        words: The words that it allows; () if it is no list of words.
        fact: The name of the ship's fact that it holds; "" if its text is a part of another column's fact.
    """

    heading: str
    read: _Reader
    label: str
    spell: Callable[[str], str] = str
    words: tuple[str, ...] = ()
    fact: str = Factory(lambda column: column.heading, takes_self=True)


_YEAR = partial(_read_whole_number, *YEARS)
_INCHES = partial(_read_amount, 40)
_spell_mounts = partial(_spell_words, MOUNTS, " + ")
COLUMNS = (
    FactColumn("id", _check_id, "her id, unique in the navy"),
    FactColumn("name", str, "her name"),
    FactColumn("class", str, "her class", fact="ship_class"),
    FactColumn("kind", partial(_check_words, KINDS, "\n"), "her kind", partial(_spell_word, KINDS), KINDS),
    FactColumn(
        "from",
        partial(_read_optional, _YEAR),
        "the year of a refit; empty: as completed",
        _spell_year,
        fact="since",
    ),
    FactColumn("launched", _YEAR, "the year", _spell_year),
    FactColumn("completed", _YEAR, "the year", _spell_year),
    FactColumn("tons", partial(_read_whole_number, 1, 99999), "long tons, normal or design", _spell_figure),
    FactColumn("knots", partial(_read_amount, 99), "knots", _spell_figure),
    FactColumn("heavy", str, "the main battery, like 4x12in/40", _spell_guns),
    FactColumn("heavy_bear", str, "how many of them bear on a broadside", _spell_bearing, fact=""),
    FactColumn("heavy_mount", partial(_check_words, MOUNTS, " + "), "their mounts", _spell_mounts, MOUNTS),
    FactColumn("light", str, "the other guns from 4 in or 100 mm up", _spell_guns),
    FactColumn("light_bear", str, "how many of them bear on a broadside", _spell_bearing, fact=""),
    FactColumn("light_mount", partial(_check_words, MOUNTS, " + "), "their mounts", _spell_mounts, MOUNTS),
    FactColumn("small", read_small, "like 16x75-100mm + 8x37-65mm", _spell_small_guns),
    FactColumn("belt", _INCHES, "greatest thickness of the belt, inches", _spell_figure),
    FactColumn("belt_ends", _INCHES, "the belt at her ends, inches", _spell_figure),
    FactColumn("upper_side", _INCHES, "side armor above the belt, inches", _spell_figure),
    FactColumn("heavy_armor", _INCHES, "turrets or barbettes, the thicker, inches", _spell_figure),
    FactColumn("light_armor", _read_gun_armor, "of the light guns, like 6 (4 of 10)", _spell_armor),
    FactColumn("deck", _INCHES, "inches", _spell_figure),
    FactColumn("deck_slope", partial(_read_optional, _INCHES), "inches", _spell_figure),
    FactColumn("ct", _INCHES, "conning tower, inches", _spell_figure, fact="conning_tower"),
    FactColumn(
        "plate",
        partial(_check_words, PLATES, "/"),
        "the plate of her armor",
        partial(_spell_words, PLATES, "/"),
        PLATES,
    ),
    FactColumn(
        "tubes", partial(_read_optional, partial(_read_whole_number, 0, 99)), "tubes above and below water"
    ),
    FactColumn("tube_size", _read_sizes, "bore, inches; 15+18: more tubes of 15", fact="tube_size_in"),
    FactColumn("tubes_below", partial(_read_optional, partial(_read_whole_number, 0, 99)), "submerged tubes"),
    FactColumn("sisters", partial(_split_list, ";"), "other ships of her class in this row"),
    FactColumn("fought", partial(_split_list, ";"), "where she fought"),
    FactColumn("sources", partial(_split_list, "|"), "sources"),
    FactColumn("differ", str, "where sources disagree"),
    FactColumn("note", str, "anything else worth knowing"),
    FactColumn("hull", _check_hull, "navy/id of her first row, if she served under another flag or name"),
    FactColumn("serves_from", read_date, "under this flag, like 1905, 1905-05 or 1905-05-27"),
    FactColumn("serves_until", read_date, "under this flag; empty: no end known"),
    FactColumn(
        "ended", partial(_check_words, ENDS, "\n"), "how her service ended", partial(_spell_word, ENDS), ENDS
    ),
    FactColumn("service_source", str, "the source of these dates"),
    FactColumn("other_names", partial(_split_list, ";"), "other spellings of her name, to find her by"),
)
"""The columns in the order of the program's files; a user's file may leave out some of them."""
BY_HAND = FactColumn("by_hand", _read_hand_values, "your own values, as RULESET VALUE=6; RULESET VALUE=5")
OWN_COLUMNS = (*COLUMNS, BY_HAND)
"""The columns of a user's file, with the values that he sets by hand for rule systems."""
NEEDED = ("id", "name", "kind", "launched", "completed", "tons", "knots")
_BY_HEADING = {column.heading: column for column in OWN_COLUMNS}


def make_ascii_id(name: str) -> str:
    """Make an id from a name; return "" if the name has no letter and no digit.

    A name without Latin letters and digits gets the numbers of its signs in Unicode, such as u4e09-u7b20.
    """
    # Most names need no folding, which takes time.
    if name.isascii() and name.isalnum():
        return name.lower()[:ID_MOST]
    id = re.sub("[^a-z0-9]+", "-", fold_name(name.translate(_MARKS_TO_DASHES))).strip("-")
    id = id or "-".join(f"u{ord(sign):x}" for sign in name if sign.isalnum())
    return id[:ID_MOST].strip("-")


def place_row_faults(number: int, row: Mapping[str, str], faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults of a row with their full place: the row's number and ship, then the column."""
    place = build_row_place(number, row.get("id") or row.get("name") or "")
    return [Fault.build_at(place.add_key(fault.place), fault.text) for fault in faults]


def read_row(row: Mapping[str, str], navy: str) -> tuple[ShipFacts | None, tuple[Fault, ...]]:
    """Read the ship of a row.

    Returns:
        The ship and no faults, or None and all faults, each with its column as its place.
    """
    faults: list[Fault] = []
    facts: dict[str, Any] = {"navy": navy}
    for column in OWN_COLUMNS:
        heading = column.heading
        text = row.get(heading, "")
        if not text:
            # Any other fact keeps its default.
            if heading in NEEDED:
                faults.append(Fault(heading, "is missing"))
        elif fault := find_text_fault(text, TEXT_MOST):
            faults.append(Fault(heading, fault))
        elif column.fact:
            try:
                facts[column.fact] = column.read(text)
            except ValueError as error:
                expected, *hints = error.args
                found = f"{expected}, found “{make_printable(text)}”"
                faults.append(Fault(heading, "".join((found, *hints))))
    # If the file does not say how many guns bear on a broadside, they are estimated from their mounts.
    usual_mount = "turrets" if row.get("kind") in _WITH_TURRETS else ""
    estimate_main = partial(estimate_main_bearing, row.get("heavy_mount") or usual_mount)
    for heading, bearing, estimate in (
        ("heavy", "heavy_bear", estimate_main),
        ("light", "light_bear", estimate_light_bearing),
    ):
        try:
            facts[heading] = read_guns(row.get(heading, ""), row.get(bearing, ""), estimate)
        except ValueError as error:
            faults.append(Fault(heading, make_printable(str(error), most=200)))
    if faults:
        return None, tuple(faults)
    facts["since"] = facts.get("since") or facts["completed"]
    facts.setdefault("ship_class", facts["name"])
    return ShipFacts(**facts), ()


def spell_typed(heading: str, text: str) -> str:
    """Convert typed text into the spelling of the column; text that it cannot convert is unchanged."""
    text = text.strip()
    return _BY_HEADING[heading].spell(text) if text and heading in _BY_HEADING else text


def list_meant_words(heading: str, letters: str) -> tuple[str, ...]:
    """List the words of a column that the last letters typed may mean, the likeliest first."""
    # A ship has only one kind, so all the letters belong to it.
    last = re.split(r"[ +/,]+", letters)[-1] if heading != "kind" else letters
    words = _BY_HEADING[heading].words if heading in _BY_HEADING else ()
    return list_likely_words(last, words)
