"""The checker of a file's data against declared fields. It reports all faults at once, each with its place.

A field of a file is a `FieldSpec`. Besides the kinds that its class lists, a field may be "id" (lower case,
digits, "-"), "path", "texts" (a list without repeated texts, up to `most`), "map" (a table of texts), "cells"
(a list of texts, or a map), "named" (up to `most` tables of `parts`, under names that the writer chooses),
"counts" (whole numbers under chosen names) or "systems" (a table for each rule system; those not named in
`parts` are not checked, and left-out values get no defaults).

A refused value is missing from the result; an absent value has its default.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sized
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import attrs
from attrs import evolve, frozen

from qf_tui.core.declarations import FieldSpec
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import list_similar_names
from qf_tui.core.text import TEXT_MOST, Scalar, find_unprintable, make_id

if TYPE_CHECKING:
    from qf_tui.journal.converting import StrictConverter

Data = Mapping[str, Any]
"""A table of a file, as it was written."""
Values = dict[str, Any]
"""A checked table of a file: the values of its fields, by their names."""

SHOWN_MOST = 60
"""Most characters of a file's text that a message repeats."""
NAME_MOST = 120
"""Most characters of a name or another single line of text."""
ID_MOST = 60
PATH_MOST = 500
MAP_MOST = 999
ID = re.compile(r"[a-z0-9][a-z0-9-]*")

_LENGTHS = {"text": NAME_MOST, "notes": TEXT_MOST, "id": ID_MOST, "path": PATH_MOST}
_EMPTY: Mapping[str, Scalar] = {"bool": False, "text": "", "notes": ""}
"""The value of a field that has no default and is left out, by its kind."""
_SUGGESTED_MOST = 20
"""Most unknown keys of a table for which a message suggests known ones, which takes time."""
_LARGEST_SHOWN = 10**15
_ENTRY = FieldSpec("entry", "text", "an entry")
"""The field of a text in a list or a map."""

_WHOLE, _DECIMAL = re.compile(r"-?[0-9]{1,15}"), re.compile(r"-?[0-9]{1,15}\.[0-9]{1,15}")
_COMMA = re.compile(r"([0-9]+),([0-9]+)")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


@frozen
class FileItem:
    """A table in a file's list of tables, such as `ship 3 (mikasa)`.

    Attributes:
        number: Its number in the file, from 1.
        label: Its id or name, or "".
    """

    kind: str
    number: int
    label: str = ""

    def __str__(self) -> str:
        label = f" ({make_printable(self.label)})" if self.label else ""
        return f"{self.kind} {self.number}{label}"


@frozen
class FilePlace:
    """A place in a file. Many are made and few are shown, so the text is built only for a fault.

    Attributes:
        items: The tables that lead to it, such as `ship 3`, then its `battery 2`.
        keys: The keys within the last table, such as `armor`, `heavy`.
    """

    items: tuple[FileItem, ...] = ()
    keys: tuple[str, ...] = ()

    def add_key(self, *names: str) -> "FilePlace":
        """Return the place of a key in this table, or in a table within it."""
        return FilePlace(self.items, (*self.keys, *names))

    def add_item(self, kind: str, number: int, data: object = None) -> "FilePlace":
        """Return the place of one table of several.

        Args:
            kind: The key of the tables.
            number: The number of this table, from 1.
            data: The table, for its id or name; None if it has neither.
        """
        label = ""
        if isinstance(data, Mapping):
            label = next((str(data[key]) for key in ("id", "name") if isinstance(data.get(key), str)), "")
        return FilePlace((*self.items, FileItem(kind, number, label)))

    def __str__(self) -> str:
        keys = (".".join(map(make_printable, self.keys)),) if self.keys else ()
        return ", ".join((*map(str, self.items), *keys))


WHOLE_FILE = FilePlace()


@frozen
class Fault:
    """A fault at a place of a file.

    Attributes:
        place: The place in the file as text; "" for the whole file.
        text: The message, such as the value expected.
        found: The place as a value, if the data of a file was checked.
    """

    place: str
    text: str
    found: FilePlace = attrs.field(default=WHOLE_FILE, eq=False)

    @classmethod
    def build_at(cls, place: FilePlace, text: str) -> "Fault":
        """Build a fault from its place in the data of a file."""
        return cls(str(place), text, place)

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


class Faults(QfError):
    """All faults of one or several files. When it is raised, nothing has been changed."""

    def __init__(self, files: Iterable["FileFaults"]) -> None:
        self.files: tuple[FileFaults, ...] = tuple(files)
        super().__init__("\n".join(line for file in self.files for line in file.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        """The faults as lines; several faults of one file follow a line with its name and their number."""
        return tuple(line for file in self.files for line in file.lines)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of all files."""
        return tuple(fault for file in self.files for fault in file.faults)


class FileFaults(Faults):
    """All faults of one file."""

    def __init__(self, file: Path | str, faults: Iterable[Fault]) -> None:
        self.file = str(file)
        self._faults = tuple(faults)
        # The base class would build its message from `files`, but this object is not complete yet.
        super().__init__(())
        self.files = (self,)

    @property
    def faults(self) -> tuple[Fault, ...]:
        return self._faults

    @property
    def lines(self) -> tuple[str, ...]:
        """The file and its fault in one line; or if it has several, their number and a line for each."""
        if len(self._faults) == 1:
            return (f"{make_printable(self.file, most=400)}: {self._faults[0]}",)
        return (
            f"{make_printable(self.file, most=400)}: {len(self._faults)} faults",
            *(f"  {fault}" for fault in self._faults),
        )

    def __str__(self) -> str:
        """Return the lines as one text, because the message of the base class is empty here."""
        return "\n".join(self.lines)


def format_faults(error: QfError) -> tuple[str, ...]:
    """Return the message of an error as lines, one for each fault of a file."""
    return error.lines if isinstance(error, Faults) else (str(error),)


def format_first_fault(error: QfError) -> str:
    """Return the first fault of an error in one line, without the name of its file."""
    if isinstance(error, Faults):
        return str(error.faults[0])
    return str(error).partition("\n")[0]


def raise_faults(faults: Mapping[str, Iterable[Fault]]) -> None:
    """Raise the faults of each file, if there are any.

    Raises:
        FileFaults: One file has faults.
        Faults: Several files have faults.
    """
    # Several ships of a list may have the same fault; it is reported once.
    files = [
        FileFaults(file, tuple(dict.fromkeys(file_faults)))
        for file, file_faults in faults.items()
        if file_faults
    ]
    if len(files) == 1:
        raise files[0]
    if files:
        raise Faults(files)


def make_printable(text: str, most: int = SHOWN_MOST) -> str:
    """Make a file's text fit for a message: cut it, and replace unprintable characters."""
    cut = text[:most]
    if find_unprintable(cut):
        cut = "".join(f"<U+{ord(sign):04X}>" if find_unprintable(sign) else sign for sign in cut)
    return cut + ("…" if len(text) > most else "")


def format_hint(wanted: object, known: Iterable[str]) -> str:
    """Return a hint such as `; did you mean mikasa?` if a known name is similar, or ""."""
    if not isinstance(wanted, str):
        return ""
    close = list_similar_names(wanted, known)
    return f"; did you mean {close[0]}?" if close else ""


def format_not_installed(name: str, systems: Iterable[str]) -> str:
    """Return the message for a rule system that a file names and that is not installed."""
    return f"no rule system of this name is installed{format_hint(name, systems)}"


def describe_value(data: object) -> str:
    """Describe a value of a file in a few printable words, such as `a list of 3`."""
    match data:
        case bool():
            return "true" if data else "false"
        case int() if abs(data) > _LARGEST_SHOWN:
            return "a number far too large"
        case int() | float():
            return str(data)
        case str():
            return f"the text “{make_printable(data)}”"
        case list():
            return f"a list of {len(data)}"
        case Mapping():
            return "a table"
    return "a date or time"


def describe_expected(field: FieldSpec) -> str:
    """Describe the values that a field accepts, such as `a whole number from 1 to 9`."""
    names = ", ".join(part.name for part in field.parts)
    if field.kind in ("int", "number"):
        if field.only:
            return f"{', '.join(f'{number:g}' for number in field.only[:-1])} or {field.only[-1]:g}"
        sort = "a whole number" if field.kind == "int" else "a number"
        return f"{sort} from {field.least:g} to {field.most:g}"
    return {
        "bool": "true or false",
        "has": f"true or false, or a whole number from 0 to {field.most:g}",
        "word": "one of " + ", ".join(f'"{word}"' for word in field.words),
        "text": "text on one line",
        "notes": "text",
        "id": 'one word of lower case letters a-z, digits and "-"',
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
        "counts": f"a table of whole numbers from {field.least:g} to {field.most:g}",
    }[field.kind]


def find_text_fault(text: str, most: int) -> str:
    """Return the fault of a text that is longer than `most` or not printable, or ""."""
    if len(text) > most:
        return f"expected at most {most} characters, found {len(text)}"
    character = find_unprintable(text)
    return f"expected printable text, found {character}" if character else ""


def is_id(text: str) -> bool:
    """Return whether a text may be an id, and so the name of a file without leading out of its folder."""
    return len(text) <= ID_MOST and ID.fullmatch(text) is not None


def find_default_value(field: FieldSpec) -> object:
    """Return the value of a left-out field: its default, or the empty value of its kind, or else None."""
    return field.default if field.default is not None else _EMPTY.get(field.kind)


_Many = TypeVar("_Many", bound=Sized)
_Value = TypeVar("_Value")


class _Refused(Exception):
    """Raised for a value that is left out of the result, after its fault was added."""


class Checker:
    """A checker of data, which gathers the faults."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def add_fault(self, place: FilePlace, text: str) -> None:
        self.faults.append(Fault.build_at(place, text))

    def check_table(self, data: object, fields: Iterable[FieldSpec], place: FilePlace) -> Values:
        """Check a table against fields, and add a fault for each unknown, missing or refused value.

        Returns:
            The value of each field by its name, without refused values. A field that the table leaves out has
            its default, unless it is required.
        """
        values: Values = {}
        if not isinstance(data, Mapping):
            self.add_fault(place, f"expected a table, found {describe_value(data)}")
            return values
        declared_fields = tuple(fields)
        known = dict.fromkeys(key for field in declared_fields for key in (field.name, field.alias) if key)
        for number, key in enumerate(key for key in data if key not in known):
            hint = ""
            if number < _SUGGESTED_MOST:
                hint = format_hint(key, known) or f"; known keys: {', '.join(known)}"
            self.add_fault(place.add_key(key), f"no such key{hint}")
        for field in declared_fields:
            written_keys = [key for key in (field.name, field.alias) if key and key in data]
            if len(written_keys) > 1:
                self.add_fault(
                    place.add_key(field.alias), f"{field.name} is given as well; remove one of them"
                )
            elif written_keys:
                # The result of check_value is empty if the value was refused.
                for value in self.check_value(data[written_keys[0]], field, place.add_key(written_keys[0])):
                    values[field.name] = value
            elif field.required:
                self.add_fault(place.add_key(field.name), f"is missing; expected {describe_expected(field)}")
            else:
                values[field.name] = find_default_value(field)
        return values

    def check_value(self, data: object, field: FieldSpec, place: FilePlace) -> tuple[Any, ...]:
        """Check the value of one field; return it in a tuple, or () if it is refused."""
        try:
            return (_READERS[field.kind](self, data, field, place),)
        except _Refused:
            return ()

    def _refuse(self, place: FilePlace, text: str) -> NoReturn:
        """Add a fault, and raise `_Refused`, so that the value is left out of the result."""
        self.add_fault(place, text)
        raise _Refused

    def _refuse_value(self, data: object, field: FieldSpec, place: FilePlace) -> NoReturn:
        """Refuse a value, with a fault that says what the field expects."""
        found = f"{describe_value(data)}{format_hint(data, field.words)}"
        self._refuse(place, f"expected {describe_expected(field)}, found {found}")

    def _check_bool(self, data: object, field: FieldSpec, place: FilePlace) -> bool:
        return data if isinstance(data, bool) else self._refuse_value(data, field, place)

    def _check_has(self, data: object, field: FieldSpec, place: FilePlace) -> int:
        """Check a flag, true or false, and return it as 1 or 0. A number is 1 if it is above 0."""
        return int(bool(data if isinstance(data, bool) else self._check_number(data, field, place)))

    def _check_number(self, data: Any, field: FieldSpec, place: FilePlace) -> float:
        """Check a number by its type, its limits and the values allowed; 3.0 is returned as 3."""
        allowed_types = (int, float) if field.kind == "number" else (int,)
        is_number = isinstance(data, allowed_types)
        if not is_number or isinstance(data, bool) or not field.least <= data <= field.most:
            self._refuse_value(data, field, place)
        if field.only and data not in field.only:
            self._refuse_value(data, field, place)
        return int(data) if data == int(data) else float(data)

    def _check_word(self, data: object, field: FieldSpec, place: FilePlace) -> str:
        return (
            data if isinstance(data, str) and data in field.words else self._refuse_value(data, field, place)
        )

    def _check_text(self, data: object, field: FieldSpec, place: FilePlace) -> str:
        """Check a text by its length and characters; refuse a blank required text, and a wrong id.

        Notes may have several lines, which are joined.
        """
        if not isinstance(data, str):
            self._refuse_value(data, field, place)
        text = re.sub(r"[\r\n\t ]+", " ", data).strip() if field.kind == "notes" else data
        if fault := find_text_fault(text, _LENGTHS[field.kind]):
            self._refuse(place, fault)
        is_blank = field.required and not text.strip()
        is_wrong_id = field.kind == "id" and not is_id(text)
        if is_blank or is_wrong_id:
            suggestion = make_id(text)
            hint = f"; write {suggestion}" if field.kind == "id" and is_id(suggestion) else ""
            self._refuse(place, f"expected {describe_expected(field)}, found {describe_value(data)}{hint}")
        return text

    def _check_size(self, data: Any, kind: type[Any], field: FieldSpec, place: FilePlace, most: float) -> Any:
        """Return a list or a table; refuse any other value, and more than `most` entries."""
        if not isinstance(data, kind):
            self._refuse_value(data, field, place)
        if len(data) > most:
            self._refuse(place, f"expected at most {most:g}, found {len(data)}")
        return data

    def _check_numbers(self, data: object, field: FieldSpec, place: FilePlace) -> Values:
        """Check a list with one number for each part; one bad number refuses all."""
        if not isinstance(data, list) or len(data) != len(field.parts):
            self._refuse_value(data, field, place)
        values: Values = {}
        for part, value in zip(field.parts, data, strict=True):
            # The result of check_value is empty if the number was refused.
            for number in self.check_value(value, part, place.add_key(part.name)):
                values[part.name] = number
        return _require_all(values, data)

    def _check_series(self, data: object, field: FieldSpec, place: FilePlace) -> object:
        """Check a number, or a list of numbers, which becomes a tuple; one bad number refuses all."""
        number = evolve(field, kind="number")
        if not isinstance(data, list):
            return self._check_number(data, number, place)
        if not 0 < len(data) <= field.longest:
            self._refuse_value(data, field, place)
        sound_numbers = self._check_each(enumerate(data, 1), number, place)
        return tuple(_require_all(sound_numbers, data).values())

    def _check_table_field(self, data: object, field: FieldSpec, place: FilePlace) -> Values:
        """Check a table within a table."""
        return self.check_table(self._check_size(data, Mapping, field, place, inf), field.parts, place)

    def _check_tables(self, data: object, field: FieldSpec, place: FilePlace) -> list[Values]:
        """Check a list of tables of the same fields; a required list must not be empty."""
        items = self._check_size(data, list, field, place, field.most)
        if field.required and not items:
            self._refuse_value(data, field, place)
        places = ((item, place.add_item(field.name, number, item)) for number, item in enumerate(items, 1))
        return [self.check_table(item, field.parts, at) for item, at in places]

    def _check_texts(self, data: object, field: FieldSpec, place: FilePlace) -> list[str]:
        """Check a list of texts. Bad texts are left out, and a repeated text is a fault but is kept once."""
        items = self._check_size(data, list, field, place, field.most)
        if len(items) < field.least:
            self.add_fault(place, "name at least one")
        count_by_text = Counter(self._check_each(enumerate(items, 1), _ENTRY, place).values())
        for text, count in count_by_text.items():
            if count > 1:
                self.add_fault(place, f"“{make_printable(text)}” is listed more than once")
        return list(count_by_text)

    def _check_each(
        self, items: Iterable[tuple[object, object]], field: FieldSpec, place: FilePlace
    ) -> Values:
        """Check each value of a list or a table; return the good ones by their number or key."""
        # The values are a tuple of one value, or () if it was refused.
        results = ((str(key), self.check_value(item, field, place.add_key(str(key)))) for key, item in items)
        return {key: good for key, values in results for good in values}

    def _check_map(self, data: object, field: FieldSpec, place: FilePlace) -> Values:
        """Check a table whose keys and values are texts; one bad key or value refuses all."""
        table = self._check_size(data, Mapping, field, place, MAP_MOST)
        entries = (
            (key, text) for key, text in table.items() if self.check_value(key, _ENTRY, place.add_key(key))
        )
        return _require_all(self._check_each(entries, _ENTRY, place), table)

    def _check_named_tables(self, data: object, field: FieldSpec, place: FilePlace) -> Values:
        """Check a table whose keys are free names and whose values are tables of the same fields."""
        table = self._check_size(data, Mapping, field, place, field.most)
        return {
            str(key): self.check_table(item, field.parts, place.add_key(key)) for key, item in table.items()
        }

    def _check_counts(self, data: object, field: FieldSpec, place: FilePlace) -> Values:
        """Check a table of whole numbers; one bad number refuses all."""
        table = self._check_size(data, Mapping, field, place, MAP_MOST)
        return _require_all(self._check_each(table.items(), evolve(field, kind="int"), place), table)

    def _check_systems(self, data: object, field: FieldSpec, place: FilePlace) -> Values:
        """Check a table for each rule system; return only values that the file gives, without defaults.

        The tables of systems that are not in the field's `parts` are left out.
        """
        fields_by_system = {part.name: part.parts for part in field.parts}
        values_by_system: Values = {}
        for name, item in self._check_size(data, Mapping, field, place, most=inf).items():
            # The table of a system that is not in `parts` may have anything in it, but it must be a table.
            if name not in fields_by_system and isinstance(item, Mapping):
                continue
            fields = fields_by_system.get(name, ())
            values = self.check_table(item, fields, place.add_key(name))
            keys = set(item) if isinstance(item, Mapping) else set()
            stated_names = {one.name for one in fields if {one.name, one.alias} & keys}
            values_by_system[name] = {key: value for key, value in values.items() if key in stated_names}
        return values_by_system

    def _check_cells(self, data: object, field: FieldSpec, place: FilePlace) -> object:
        """Check a list or a table of texts; one bad text refuses all."""
        if isinstance(data, Mapping):
            return self._check_map(data, field, place)
        items = self._check_size(data, list, field, place, MAP_MOST)
        return [*_require_all(self._check_each(enumerate(items, 1), _ENTRY, place), items).values()]


def _require_all(results: _Many, data: Sized) -> _Many:
    """Return the results, or refuse them all if they are fewer than the data because a value was refused."""
    if len(results) < len(data):
        raise _Refused
    return results


_READERS: dict[str, Callable[[Checker, Any, FieldSpec, FilePlace], object]] = {
    "bool": Checker._check_bool,
    "has": Checker._check_has,
    "word": Checker._check_word,
    "numbers": Checker._check_numbers,
    "series": Checker._check_series,
    "table": Checker._check_table_field,
    "tables": Checker._check_tables,
    "texts": Checker._check_texts,
    "map": Checker._check_map,
    "cells": Checker._check_cells,
    "named": Checker._check_named_tables,
    "counts": Checker._check_counts,
    "systems": Checker._check_systems,
    **dict.fromkeys(("int", "number"), Checker._check_number),
    **dict.fromkeys(("text", "notes", "id", "path"), Checker._check_text),
}


@cache
def _make_converter() -> "StrictConverter":
    """Build the converter between tables and values of classes, once."""
    from qf_tui.journal.converting import StrictConverter  # noqa: PLC0415 - cattrs takes time to import

    return StrictConverter({})


def structure(values: Values, table: type[_Value]) -> _Value:
    """Build a value of a class from a checked table; refused or absent values get their defaults."""
    value: _Value = _make_converter().structure(_drop_absent(values), table)
    return value


def unstructure(value: object) -> Values:
    """Build the table of a value, without the keys that have their defaults."""
    table: Values = _make_converter().unstructure(value)
    return table


def _drop_absent(data: object) -> object:
    """Return the data without keys whose value is None, in tables at any depth."""
    if isinstance(data, list):
        return [*map(_drop_absent, data)]
    if isinstance(data, dict):
        return {key: _drop_absent(value) for key, value in data.items() if value is not None}
    return data


def parse_typed_value(field: FieldSpec, text: str) -> object:
    """Convert typed text to a field's value: `18,25` is 18.25, and `yes` is true.

    A series of several numbers, `9 7 5`, and texts, `a; b`, become lists. Text that does not fit the field
    stays text, which the checker then refuses.
    """
    if field.kind in ("bool", "has") and text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    if field.kind in ("int", "number", "has"):
        return _parse_number(text)
    if field.kind == "series":
        numbers = [_parse_number(part) for part in text.split()]
        return numbers[0] if len(numbers) == 1 else numbers
    if field.kind == "texts":
        return [part.strip() for part in text.split(";") if part.strip()]
    return text


def _parse_number(text: str) -> object:
    """Convert typed text to a number, or return the text if it is none."""
    # Text with an ambiguous comma is returned too, and the checker refuses it.
    with suppress(ValueError):
        text = replace_decimal_comma(text)
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def replace_decimal_comma(text: str) -> str:
    """Replace a decimal comma by a point; return text without one unchanged.

    Raises:
        ValueError: The comma may group thousands as well, as in `1,234`.
    """
    if _GROUPED.fullmatch(text):
        raise ValueError("a comma before three digits is ambiguous; leave it out, or write a point")
    comma = _COMMA.fullmatch(text)
    return f"{comma[1]}.{comma[2]}" if comma else text
