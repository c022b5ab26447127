"""Finds, reads and checks the rule books that people write as files, `NAME.rules.toml`; writes new examples.

A book is found next to a scenario, in the user's folder `rules`, or among the books of the program. A save
holds its book as plain data.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from qf_tui.core.declarations import FieldSpec, list_keys
from qf_tui.core.errors import QfError
from qf_tui.core.system import ENTRY_POINTS, RuleLanguage, RuleSystem
from qf_tui.journal.disk import write_file
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    Fault,
    FileFaults,
    FilePlace,
    is_id,
    make_printable,
    structure,
)
from qf_tui.library.paths import (
    decode_text,
    find_own_folder,
    find_shipped_folder,
    is_there,
    list_files,
    list_folders,
    parse_toml,
    read_bytes,
)

SUFFIX = ".rules.toml"
KIND = "rules"
"""The kind of these files: the name of their folder, and of the part of a save that holds one."""
_LANGUAGE = f"{ENTRY_POINTS}.book"
_COPY = "open a copy of the save, or the codes of its sheet"
_TABLE = re.compile(r"\s*\[\[\s*([\w-]+)\s*\]\]")
_KEY = re.compile(r"\s*([\w-]+)\s*[=.]")


@lru_cache(maxsize=1)
def load_language() -> RuleLanguage:
    """Load the language of rule books.

    The module of the language is imported by its name at first use, so that the library imports no rules.
    """
    language: RuleLanguage = import_module(_LANGUAGE).LANGUAGE
    return language


def list_book_fields() -> tuple[FieldSpec, ...]:
    """List the fields of a rule book."""
    return list_keys(load_language().shape)


def find_book_files(first_folder: Path | None = None) -> dict[str, Path]:
    """Find the files of all books, without reading them.

    Args:
        first_folder: A folder to search before the user's folder and the program's, or None.

    Returns:
        The path of each book, by its name. If several books have one name, the first found counts. Files
        whose name is no id are left out.
    """
    files: dict[str, Path] = {}
    first_folders = [first_folder] if first_folder is not None else []
    for folder in (*first_folders, *list_folders(KIND)):
        for path in list_files(folder, SUFFIX):
            files.setdefault(path.name.removesuffix(SUFFIX), path)
    return {name: path for name, path in files.items() if is_id(name)}


def find_book(name: str, first_folder: Path | None = None) -> Path | None:
    """Find the file of a book by its name, in `first_folder`, then the user's folder, then the program's.

    Returns:
        The path, or None if there is no such book.
    """
    if not is_id(name):
        return None
    first_folders = [first_folder] if first_folder is not None else []
    paths = (folder / f"{name}{SUFFIX}" for folder in (*first_folders, *list_folders(KIND)))
    return next(filter(is_there, paths), None)


def load_book(path: Path) -> RuleSystem:
    """Load the rule system that a book's file declares.

    Raises:
        FileFaults: All faults of the file.
    """
    data = read_bytes(path)
    return _load_cached(path, path.name.removesuffix(SUFFIX), data)


@lru_cache(maxsize=64)
def _load_cached(path: Path, name: str, data: bytes) -> RuleSystem:
    """Load a book's file, or raise its FileFaults.

    Its bytes are in the key of the cache, so that a changed file is read again.
    """
    system, faults = read_book(parse_toml(data, path), name, decode_text(data, path))
    if system is None:
        raise FileFaults(path, faults)
    return system


def load_saved_book(name: str, data: object) -> RuleSystem:
    """Build the rule system of the book that a save holds.

    Raises:
        QfError: The save's data is no sound book.
    """
    try:
        return _load_saved_cached(name, json.dumps(data, sort_keys=True))
    except (RecursionError, ValueError):
        raise QfError(
            f"the rule book in the save is not valid: lists or tables nested too deep; {_COPY}"
        ) from None


@lru_cache(maxsize=16)
def _load_saved_cached(name: str, text: str) -> RuleSystem:
    """Load a saved book from JSON text, which can be the key of a cache; QfError if it is not sound."""
    system, faults = read_book(json.loads(text), name)
    if system is None:
        raise QfError(f"the rule book in the save is not valid: {faults[0]}; {_COPY}")
    return system


def read_book(data: object, name: str, text: str = "") -> tuple[RuleSystem | None, tuple[Fault, ...]]:
    """Build the rule system of a book from its plain data.

    Args:
        text: The text of the file, to find the lines of faults; "" if there is no file.

    Returns:
        The system and no faults, or None and all faults.
    """
    checker = Checker()
    # Checking a book of a newer language would only give misleading faults.
    if isinstance(data, Mapping) and data.get("language") not in (None, 1):
        checker.add_fault(
            WHOLE_FILE.add_key("language"), "this program reads language 1; use a newer program for this book"
        )
        return None, _add_lines(checker.faults, text)
    table = checker.check_table(data, list_book_fields(), WHOLE_FILE)
    book = structure(table, load_language().shape)
    # Besides the fields, the language checks how the tables of a book fit each other.
    for fault in load_language().list_faults(book):
        place = WHOLE_FILE
        if fault.table:
            place = place.add_item(fault.table, fault.number, table[fault.table][fault.number - 1])
        checker.add_fault(place.add_key(fault.key), make_printable(fault.text, most=300))
    if checker.faults or not isinstance(data, Mapping):
        return None, _add_lines(checker.faults, text)
    return load_language().build_system(name, book, data), ()


def _add_lines(faults: Iterable[Fault], text: str) -> tuple[Fault, ...]:
    """Sort faults by their lines in the file, and add the line to the place of each fault.

    Faults without a known line come first, unchanged.
    """
    line_by_place = dict(_list_key_lines(text)) if text else {}
    lines_and_faults = [(_find_line(fault.found, line_by_place), fault) for fault in faults]
    lines_and_faults.sort(key=lambda line_and_fault: line_and_fault[0])
    sorted_faults: list[Fault] = []
    for line, fault in lines_and_faults:
        if not line:
            sorted_faults.append(fault)
        else:
            place = f"line {line}, {fault.place}" if fault.place else f"line {line}"
            sorted_faults.append(Fault(place, fault.text, fault.found))
    return tuple(sorted_faults)


_Place = tuple[str, int, str]
"""A table's name, its number from 1, and a key. The key "" means the header of the table; keys before the
first table have the table "" and the number 0.
"""


def _find_line(place: FilePlace, line_by_place: Mapping[_Place, int]) -> int:
    """Return the line of a place; 0 means unknown.

    A key that is not in the file has the line of its table's header.
    """
    table, number = (place.items[0].kind, place.items[0].number) if place.items else ("", 0)
    key = place.keys[0] if place.keys else ""
    header_line = line_by_place.get((table, number, ""), 0)
    return line_by_place.get((table, number, key), header_line)


def _list_key_lines(text: str) -> Iterator[tuple[_Place, int]]:
    """Yield the place of each key and table header with its line, from 1; skip texts of several lines."""
    counts: dict[str, int] = {}
    table = ""
    number = 0
    in_long_text = False
    for line, line_text in enumerate(text.split("\n"), 1):
        starts_in_long_text = in_long_text
        quotes = line_text.count('"""') + line_text.count("'''")
        # An odd number of triple quotes opens or closes a text of several lines.
        in_long_text ^= bool(quotes % 2)
        if starts_in_long_text:
            continue
        if match := _TABLE.match(line_text):
            table = match[1]
            number = counts[table] = counts.get(table, 0) + 1
            yield (table, number, ""), line
        elif match := _KEY.match(line_text):
            yield (table, number, match[1]), line


def is_book(path: Path, data: Data) -> bool:
    """Return whether a file is a rule book, by its name or by its contents."""
    return path.name.endswith(SUFFIX) or "language" in data


def write_new_book(name: str) -> Path:
    """Write a new book into the user's folder, as a commented example to change, and return its path.

    Raises:
        QfError: The name is not allowed or taken, or the file cannot be written.
    """
    if not is_id(name):
        raise QfError(
            f"“{make_printable(name)}” is not a name for a book; use lower case letters a-z, digits and “-”"
        )
    path = find_own_folder(KIND) / f"{name}{SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, (find_shipped_folder(KIND) / "new.toml").read_bytes(), over=False)
    except FileExistsError:
        raise QfError(f"{path}: this book already exists; choose another name") from None
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {fault.strerror}") from None
    return path


def read_book_title(path: Path) -> str:
    """Return the title of a book, or its name if the file has no title or cannot be read."""
    data: dict[str, Any] = {}
    with suppress(FileFaults):
        data = parse_toml(read_bytes(path), path)
    title = data.get("title")
    return make_printable(title if isinstance(title, str) else path.name.removesuffix(SUFFIX), most=120)
