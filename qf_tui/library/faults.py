"""What is wrong with a file that a person wrote: each fault with its file, place and what was expected."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import nearest
from qf_tui.core.system import CardField
from qf_tui.core.text import unprintable

SHOWN_MOST = 60
"""How many characters of a file's text a message repeats."""


@frozen
class FileItem:
    """One of several tables of a kind, by its number from 1, and what it is called: `ship 3 (mikasa)`."""

    kind: str
    number: int
    label: str = ""

    def __str__(self) -> str:
        called = f" ({shown(self.label)})" if self.label else ""
        return f"{self.kind} {self.number}{called}"


@frozen
class FilePlace:
    """Where in a file: the items (`ship 3`, its `battery 2`), and the keys within these (`armor`, `heavy`).

    Many are made and few are read: it is put into words only for a fault.
    """

    items: tuple[FileItem, ...] = ()
    keys: tuple[str, ...] = ()

    def key(self, name: str) -> "FilePlace":
        """A key of the table here."""
        return FilePlace(self.items, (*self.keys, name))

    def item(self, kind: str, number: int, data: object) -> "FilePlace":
        """One of several tables, counted from 1 and called by its id or name."""
        label = ""
        if isinstance(data, Mapping):
            label = next((str(data[key]) for key in ("id", "name") if isinstance(data.get(key), str)), "")
        return FilePlace((*self.items, FileItem(kind, number, label)))

    def __str__(self) -> str:
        keys = (".".join(map(shown, self.keys)),) if self.keys else ()
        return ", ".join((*map(str, self.items), *keys))


@frozen
class Fault:
    """One thing wrong: `place` in the file (empty for the whole of it), and in words what was expected.

    `found` is the place as a value, where data of a file was checked.
    """

    place: str
    text: str
    found: FilePlace = field(default=FilePlace(), eq=False)

    @classmethod
    def at(cls, place: FilePlace, text: str) -> "Fault":
        """A fault at a place."""
        return cls(str(place), text, place)

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


class Faults(QfError):
    """All that is wrong with one or several files; changes nothing."""

    def __init__(self, files: Iterable["FileFaults"]) -> None:
        self.files: tuple[FileFaults, ...] = tuple(files)
        super().__init__("\n".join(line for file in self.files for line in file.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        """All that is wrong in lines; of a file with several faults the first says which and how many."""
        return tuple(line for file in self.files for line in file.lines)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of all files, in order."""
        return tuple(fault for file in self.files for fault in file.faults)


class FileFaults(Faults):
    """All that is wrong with one file."""

    def __init__(self, file: Path | str, faults: Iterable[Fault]) -> None:
        self.file = str(file)
        self._faults = tuple(faults)
        super().__init__(())
        self.files = (self,)

    @property
    def faults(self) -> tuple[Fault, ...]:
        return self._faults

    @property
    def lines(self) -> tuple[str, ...]:
        if len(self._faults) == 1:
            return (f"{shown(self.file, 400)}: {self._faults[0]}",)
        return (
            f"{shown(self.file, 400)}: {len(self._faults)} faults",
            *(f"  {fault}" for fault in self._faults),
        )

    def __str__(self) -> str:
        return "\n".join(self.lines)


def fault_lines(error: QfError) -> tuple[str, ...]:
    """All that is wrong in lines, as `Faults` has them; what is no fault of a file is one."""
    return error.lines if isinstance(error, Faults) else (str(error),)


def first_fault(error: QfError) -> str:
    """The first thing that is wrong, in one line, without the name of its file."""
    if isinstance(error, Faults):
        return str(error.faults[0])
    return str(error).partition("\n")[0]


def refuse(faults: Mapping[str, Iterable[Fault]]) -> None:
    """Raises the faults of each file, if there are any: FileFaults for one file, Faults for several."""
    files = [FileFaults(file, found) for file, found in faults.items() if found]
    if len(files) == 1:
        raise files[0]
    if files:
        raise Faults(files)


def shown(text: str, most: int = SHOWN_MOST) -> str:
    """A file's text made fit for a message: cut, and with signs in place of what is not printable."""
    cut = text[:most]
    if unprintable(cut):
        cut = "".join(f"<U+{ord(sign):04X}>" if unprintable(sign) else sign for sign in cut)
    return cut + ("…" if len(text) > most else "")


_LARGEST_SHOWN = 10**15


def near(wanted: object, known: Iterable[str]) -> str:
    """`; did you mean mikasa?` where a known name is near, else nothing."""
    if not isinstance(wanted, str):
        return ""
    close = nearest(wanted, known)
    return f"; did you mean {close[0]}?" if close else ""


def not_installed(name: str, systems: Iterable[str]) -> str:
    """What to say of a rule system that a file speaks to, and that nobody can look into."""
    return f"no rule system of this name is installed{near(name, systems)}"


def found(data: object) -> str:
    """A value of a file in words, short and printable."""
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, int) and abs(data) > _LARGEST_SHOWN:
        return "a number beyond all bounds"
    if isinstance(data, int | float):
        return str(data)
    if isinstance(data, str):
        return f"the text “{shown(data)}”"
    if isinstance(data, list):
        return f"a list of {len(data)}"
    return "a table" if isinstance(data, Mapping) else "a date or time"


def expected(field: CardField) -> str:
    """What a field wants, in words."""
    names = ", ".join(part.name for part in field.parts)
    if field.kind in ("int", "number"):
        if field.only:
            return f"{', '.join(f'{number:g}' for number in field.only[:-1])} or {field.only[-1]:g}"
        whole = "a whole number" if field.kind == "int" else "a number"
        return f"{whole} from {field.least:g} to {field.most:g}"
    return {
        "bool": "true or false",
        "has": f"true or false, or a whole number from 0 to {field.most:g}",
        "word": "one of " + ", ".join(f'"{word}"' for word in field.words),
        "text": "text in one line",
        "notes": "text",
        "id": 'lower case letters a-z, digits and "-"',
        "path": "the name of a file",
        "numbers": f"a list of {len(field.parts)} numbers ({names})",
        "series": f"a number from {field.least:g} to {field.most:g}, or up to {field.longest} in a list",
        "table": f"a table ({names})",
        "tables": f"tables [[{field.name}]] ({names})",
        "texts": "a list of texts",
        "map": "a table of texts",
        "systems": "a table for each rule system",
        "named": f"a table for each ({names})",
        "cells": "a list of texts, or a table of them",
    }[field.kind]
