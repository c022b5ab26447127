"""Plain data against declared fields: strict, and all faults at once.

Besides the kinds that a CardField names for rule systems, files have these: "id" (lower case,
digits, "-"), "path", "texts" (a list without doubles, up to `most`), "map" (a table of texts), "cells" (a
list of texts, or a map), "named" (up to `most` tables of `parts`, by names of the writer's) and "systems" (a
table for each rule system, of which those among the `parts` are looked into; nothing is added to what they
say). A refused value is left out of the result; an absent one has its default.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from attrs import evolve

from qf_tui.core.system import CardField
from qf_tui.core.text import TEXT_MOST, Scalar, unprintable
from qf_tui.library.faults import Fault, FilePlace, expected, found, near, shown

Read = dict[str, object]

NAME_MOST = 120
"""Characters in the longest name or other single line of text."""

ID_MOST = 60
PATH_MOST = 500
ID = re.compile(r"[a-z0-9][a-z0-9-]*")
MAP_MOST = 999

_LENGTHS = {"text": NAME_MOST, "notes": TEXT_MOST, "id": ID_MOST, "path": PATH_MOST}
_EMPTY: Mapping[str, Scalar] = {"bool": False, "text": "", "notes": ""}
_SUGGESTED_MOST = 20


def text_fault(text: str, most: int) -> str:
    """What is wrong with a text that may have so many characters, all printable; "" if nothing is."""
    if len(text) > most:
        return f"expected at most {most} characters, found {len(text)}"
    stranger = unprintable(text)
    return f"expected printable text, found {stranger}" if stranger else ""


def is_id(text: str) -> bool:
    """Whether a text may be an id, and so the name of a file: no path leads out of a folder by one."""
    return len(text) <= ID_MOST and ID.fullmatch(text) is not None


class Checker:
    """Checks data, and gathers what is wrong with it."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, place: FilePlace, text: str) -> None:
        """Adds one fault."""
        self.faults.append(Fault.at(place, text))

    def table(self, data: object, fields: Iterable[CardField], place: FilePlace) -> Read:
        """The values of a table by the names of its fields."""
        read: Read = {}
        if not isinstance(data, Mapping):
            self.fault(place, f"expected a table, found {found(data)}")
            return read
        every = tuple(fields)
        known = {key: field for field in every for key in (field.name, field.alias) if key}
        self._unknown(data, known, place)
        for field in every:
            self._field(data, field, place, read)
        return read

    def value(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        """The value of one field in a tuple, or an empty one if it is refused."""
        return _READERS[field.kind](self, data, field, place)

    def _unknown(self, data: Mapping[str, object], known: Collection[str], place: FilePlace) -> None:
        strangers = [key for key in data if key not in known]
        for number, key in enumerate(strangers):
            hint = ""
            if number < _SUGGESTED_MOST:
                hint = near(key, known) or f"; known are {', '.join(known)}"
            self.fault(place.key(key), f"no such key{hint}")

    def _field(self, data: Mapping[str, object], field: CardField, place: FilePlace, read: Read) -> None:
        given = [key for key in (field.name, field.alias) if key and key in data]
        if len(given) > 1:
            self.fault(place.key(field.alias), f"{field.name} is given already; strike one of them")
        elif given:
            for value in self.value(data[given[0]], field, place.key(given[0])):
                read[field.name] = value
        elif field.required:
            self.fault(place.key(field.name), f"is missing; expected {expected(field)}")
        else:
            read[field.name] = absent(field)

    def _wrong(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        self.fault(place, f"expected {expected(field)}, found {found(data)}")
        return ()

    def _bool(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        return (data,) if isinstance(data, bool) else self._wrong(data, field, place)

    def _has(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        read = (data,) if isinstance(data, bool) else self._number(data, field, place)
        return tuple(int(bool(value)) for value in read)

    def _number(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        types: tuple[type, ...] = (int, float) if field.kind == "number" else (int,)
        if isinstance(data, bool) or not isinstance(data, types):
            return self._wrong(data, field, place)
        assert isinstance(data, int | float)
        if not field.least <= data <= field.most:
            return self._wrong(data, field, place)
        if field.only and data not in field.only:
            return self._wrong(data, field, place)
        return (int(data) if data == int(data) else data,)

    def _word(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if isinstance(data, str) and data in field.words:
            return (data,)
        self.fault(place, f"expected {expected(field)}, found {found(data)}{near(data, field.words)}")
        return ()

    def _text(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if not isinstance(data, str):
            return self._wrong(data, field, place)
        most = _LENGTHS[field.kind]
        text = re.sub(r"[\r\n\t ]+", " ", data).strip() if field.kind == "notes" else data
        fault = text_fault(text, most)
        if fault:
            self.fault(place, fault)
            return ()
        if field.required and not text.strip():
            return self._wrong(data, field, place)
        if field.kind == "id" and not is_id(text):
            return self._wrong(data, field, place)
        return (text,)

    def _list(self, data: object, field: CardField, place: FilePlace, most: float) -> list[object] | None:
        if not isinstance(data, list):
            self._wrong(data, field, place)
            return None
        if len(data) > most:
            self.fault(place, f"expected at most {most:g}, found {len(data)}")
            return None
        return data

    def _numbers(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if not isinstance(data, list) or len(data) != len(field.parts):
            return self._wrong(data, field, place)
        read: Read = {}
        for part, value in zip(field.parts, data, strict=True):
            read.update((part.name, good) for good in self.value(value, part, place.key(part.name)))
        return (read,) if len(read) == len(field.parts) else ()

    def _series(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        one = evolve(field, kind="number")
        if not isinstance(data, list):
            return self.value(data, one, place)
        if not 0 < len(data) <= field.longest:
            return self._wrong(data, field, place)
        read = [good for n, item in enumerate(data, 1) for good in self.value(item, one, place.key(str(n)))]
        return (tuple(read),) if len(read) == len(data) else ()

    def _table(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if not isinstance(data, Mapping):
            return self._wrong(data, field, place)
        return (self.table(data, field.parts, place),)

    def _tables(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        items = self._list(data, field, place, field.most)
        if items is None:
            return ()
        if field.required and not items:
            return self._wrong(data, field, place)
        return (
            [
                self.table(item, field.parts, place.item(field.name, n, item))
                for n, item in enumerate(items, 1)
            ],
        )

    def _texts(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        items = self._list(data, field, place, field.most)
        if items is None:
            return ()
        texts = self._entries(items, place)
        for text in (text for text, times in Counter(texts).items() if times > 1):
            self.fault(place, f"“{shown(text)}” stands there more than once")
        return (list(dict.fromkeys(texts)),)

    def _entries(self, items: list[object], place: FilePlace) -> list[str]:
        texts: list[str] = []
        for number, item in enumerate(items, 1):
            texts.extend(str(good) for good in self.value(item, _ENTRY, place.key(str(number))))
        return texts

    def _map(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if not isinstance(data, Mapping):
            return self._wrong(data, field, place)
        if len(data) > MAP_MOST:
            self.fault(place, f"expected at most {MAP_MOST}, found {len(data)}")
            return ()
        read: Read = {}
        for key, value in data.items():
            for good_key in self.value(key, _ENTRY, place.key(key)):
                read.update((str(good_key), good) for good in self.value(value, _ENTRY, place.key(key)))
        return (read,) if len(read) == len(data) else ()

    def _named(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if not isinstance(data, Mapping):
            return self._wrong(data, field, place)
        if len(data) > field.most:
            self.fault(place, f"expected at most {field.most:g}, found {len(data)}")
            return ()
        return ({str(key): self.table(item, field.parts, place.key(key)) for key, item in data.items()},)

    def _systems(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if not isinstance(data, Mapping):
            return self._wrong(data, field, place)
        parts = {part.name: part for part in field.parts}
        read: dict[str, Read] = {}
        for name, item in data.items():
            fields = parts[name].parts if name in parts else None
            if fields is not None or not isinstance(item, Mapping):
                told = self.table(item, fields or (), place.key(name))
                keys = set(item) if isinstance(item, Mapping) else set()
                given = {field.name for field in fields or () if {field.name, field.alias} & keys}
                read[name] = {key: value for key, value in told.items() if key in given}
        return (read,)

    def _cells(self, data: object, field: CardField, place: FilePlace) -> tuple[object, ...]:
        if isinstance(data, Mapping):
            return self._map(data, field, place)
        items = self._list(data, field, place, MAP_MOST)
        if items is None:
            return ()
        texts = self._entries(items, place)
        return (texts,) if len(texts) == len(items) else ()


_ENTRY = CardField("entry", "text", "an entry")
"""A text in a list or a map."""

_Reader = Callable[[Checker, object, CardField, FilePlace], tuple[object, ...]]

_READERS: dict[str, _Reader] = {
    "bool": Checker._bool,
    "has": Checker._has,
    "int": Checker._number,
    "number": Checker._number,
    "word": Checker._word,
    "text": Checker._text,
    "notes": Checker._text,
    "id": Checker._text,
    "path": Checker._text,
    "numbers": Checker._numbers,
    "series": Checker._series,
    "table": Checker._table,
    "tables": Checker._tables,
    "texts": Checker._texts,
    "map": Checker._map,
    "cells": Checker._cells,
    "named": Checker._named,
    "systems": Checker._systems,
}


def absent(field: CardField) -> object:
    """What a field is where it is left out."""
    return field.default if field.default is not None else _EMPTY.get(field.kind)
