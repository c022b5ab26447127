"""Rule books that people declare in a file, `NAME.rules.toml`: found, read, checked, begun.

They lie beside a scenario, in the user's folder `rules`, or in ours; a save holds its own as plain data.
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
    shown,
    structure,
)
from qf_tui.library.paths import decoded, files_in, folders, is_there, own, parse_toml, read_bytes, shipped

SUFFIX = ".rules.toml"
KIND = "rules"
"""The kind of such files: the folder in which they lie, and the part of a save that holds one."""
_LANGUAGE = f"{ENTRY_POINTS}.book"
_COPY = "open a copy of the save, or the codes of its sheet"
_TABLE = re.compile(r"\s*\[\[\s*([\w-]+)\s*\]\]")
_KEY = re.compile(r"\s*([\w-]+)\s*[=.]")


@lru_cache(maxsize=1)
def language() -> RuleLanguage:
    """The language of such files; rules are found by name, as all rule systems are."""
    found: RuleLanguage = import_module(_LANGUAGE).LANGUAGE
    return found


def book_fields() -> tuple[FieldSpec, ...]:
    """All that such a file may say."""
    return list_keys(language().shape)


def book_files(beside: Path | None = None) -> dict[str, Path]:
    """The books at hand by name: those in a folder, the user's own, ours; none of them is read."""
    files: dict[str, Path] = {}
    for folder in (*([beside] if beside is not None else ()), *folders(KIND)):
        for path in files_in(folder, SUFFIX):
            files.setdefault(path.name.removesuffix(SUFFIX), path)
    return {name: path for name, path in files.items() if is_id(name)}


def find_book(name: str, beside: Path | None = None) -> Path | None:
    """The file of a book, or None."""
    places = (*([beside] if beside is not None else ()), *folders(KIND))
    paths = (folder / f"{name}{SUFFIX}" for folder in places) if is_id(name) else ()
    return next(filter(is_there, paths), None)


def load_book(path: Path) -> RuleSystem:
    """The rule system that a file declares; FileFaults lists all that is wrong with it."""
    data = read_bytes(path)
    return _loaded(path, path.name.removesuffix(SUFFIX), data)


@lru_cache(maxsize=64)
def _loaded(path: Path, name: str, data: bytes) -> RuleSystem:
    system, faults = read_book(parse_toml(data, path), name, decoded(data, path))
    if system is None:
        raise FileFaults(path, faults)
    return system


def saved_book(name: str, data: object) -> RuleSystem:
    """The rule system of a book that a save holds; QfError where that is none."""
    try:
        return _saved(name, json.dumps(data, sort_keys=True))
    except (RecursionError, ValueError):
        raise QfError(
            f"the rule book in the save is none: lists or tables nested too deep; {_COPY}"
        ) from None


@lru_cache(maxsize=16)
def _saved(name: str, text: str) -> RuleSystem:
    system, faults = read_book(json.loads(text), name)
    if system is None:
        raise QfError(f"the rule book in the save is not sound: {faults[0]}; {_COPY}")
    return system


def read_book(data: object, name: str, text: str = "") -> tuple[RuleSystem | None, tuple[Fault, ...]]:
    """The rule system of a book's plain data, or all that is wrong; by the file's `text` with lines."""
    checker = Checker()
    if isinstance(data, Mapping) and data.get("language") not in (None, 1):
        checker.fault(
            WHOLE_FILE.key("language"), "this program reads language 1; the book needs a newer program"
        )
        return None, _with_lines(checker.faults, text)
    read = checker.table(data, book_fields(), WHOLE_FILE)
    book = structure(read, language().shape)
    for fault in language().faults(book):
        place = WHOLE_FILE
        if fault.table:
            place = place.item(fault.table, fault.number, read[fault.table][fault.number - 1])
        checker.fault(place.key(fault.key), shown(fault.text, 300))
    if checker.faults or not isinstance(data, Mapping):
        return None, _with_lines(checker.faults, text)
    return language().system(name, book, data), ()


def _with_lines(faults: Iterable[Fault], text: str) -> tuple[Fault, ...]:
    """Faults in the order of the file, each with its line where that is known."""
    known = dict(_places(text)) if text else {}
    placed = [(_line(fault.found, known), fault) for fault in faults]
    placed.sort(key=lambda each: each[0])
    return tuple(
        Fault(f"line {line}, {fault.place}" if fault.place else f"line {line}", fault.text, fault.found)
        if line
        else fault
        for line, fault in placed
    )


_Place = tuple[str, int, str]


def _line(place: FilePlace, known: Mapping[_Place, int]) -> int:
    """The line of a place; of a key that is missing that of its table; 0 where none is known."""
    table, number = (place.items[0].kind, place.items[0].number) if place.items else ("", 0)
    key = place.keys[0] if place.keys else ""
    return known.get((table, number, key)) or known.get((table, number, ""), 0)


def _places(text: str) -> Iterator[tuple[_Place, int]]:
    """Each key of the file and of its tables with its line, from 1; what stands within long texts is none."""
    counts: dict[str, int] = {}
    table, number, within = "", 0, False
    for line, written in enumerate(text.split("\n"), 1):
        was, marks = within, written.count('"""') + written.count("'''")
        within ^= bool(marks % 2)
        if was:
            continue
        if match := _TABLE.match(written):
            table = match[1]
            number = counts[table] = counts.get(table, 0) + 1
            yield (table, number, ""), line
        elif match := _KEY.match(written):
            yield (table, number, match[1]), line


def is_book(path: Path, data: Data) -> bool:
    """Whether a file is such a book, by its name or by what it holds."""
    return path.name.endswith(SUFFIX) or "language" in data


def begin_book(name: str) -> Path:
    """Writes a book with comments to start from into the user's folder; QfError where it cannot be."""
    if not is_id(name):
        raise QfError(f"“{shown(name)}” is not a name for a book; use lower case letters a-z, digits and “-”")
    path = own(KIND) / f"{name}{SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, (shipped(KIND) / "new.toml").read_bytes(), over=False)
    except FileExistsError:
        raise QfError(f"{path}: there is such a book already; choose another name") from None
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {fault.strerror}") from None
    return path


def title_of(path: Path) -> str:
    """What people call a book; its name where it cannot be read."""
    data: dict[str, Any] = {}
    with suppress(FileFaults):
        data = parse_toml(read_bytes(path), path)
    title = data.get("title")
    return shown(title if isinstance(title, str) else path.name.removesuffix(SUFFIX), 120)
