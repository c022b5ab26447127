"""Converts plain data, as JSON or TOML gives it, to instances of our classes and back.

Only data of the declared type is accepted: 3.7 is no whole number, true is not 1, "5" is not 5, and an
unknown key is refused. Only what reads or writes files imports this module, because cattrs takes time to
import.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, StrEnum
from functools import partial
from types import NoneType
from typing import Any, get_args, get_origin

from attrs import fields, has
from cattrs import (
    BaseValidationError,
    ClassValidationError,
    Converter,
    ForbiddenExtraKeysError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.fns import identity
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from qf_tui.core.text import Scalar
from qf_tui.journal.lines import (
    SENSELESS,
    Misread,
    format_value,
    read_list,
    read_number,
    read_object,
    read_scalar,
    read_text,
    read_truth,
    read_whole,
)

Overrides = Mapping[Any, Mapping[str, Any]]
"""Fields that are read or written in a special way, by class and field, each with its `cattrs.override`.

A field renamed to "" has no key: the keys of its value are written among the keys of the class.
"""
FAULTS = (BaseValidationError, *SENSELESS)
"""Exceptions that a reader raises on unexpected data."""
_Hook = Callable[[Any, Any], Any]


class StrictConverter(Converter):
    """Reads values from plain data with the place of each fault, and writes no default values."""

    def __init__(self, overrides: Overrides) -> None:
        """Register a strict reader, and a writer, for each kind of type."""
        super().__init__(forbid_extra_keys=True, omit_if_default=True)
        self._overrides = overrides
        for kind, read in (
            (int, read_whole),
            (str, read_text),
            (bool, read_truth),
            (float, read_number),
            (Scalar, read_scalar),
        ):
            self.register_structure_hook(kind, read)
            self.register_unstructure_hook(kind, identity)
        for enum in (Enum, StrEnum):
            self.register_structure_hook(enum, _read_member)
        self.register_structure_hook_factory(has, self._build_fields_reader)
        self.register_unstructure_hook_factory(has, self._build_fields_writer)
        self.register_structure_hook_factory(partial(_has_origin, tuple), self._build_tuple_reader)
        self.register_structure_hook_factory(partial(_has_origin, Mapping), self._build_mapping_reader)
        self.register_structure_hook_factory(_is_optional, self._build_optional_reader)

    def read(self, value: object, kind: Any, place: str = "") -> Any:
        """Read plain data as a value of the type `kind`.

        Args:
            place: Place of the value in its file, for messages.

        Raises:
            Misread: If the data have another form, with the first three faults and the place of each.
        """
        try:
            return self.structure(value, kind)
        except FAULTS as fault:
            texts = [f"{text} @ ${where}" for where, text in self.find_faults(fault, place)]
            raise Misread("; ".join(texts[:3])) from None

    def find_faults(self, fault: Exception, place: str = "") -> list[tuple[str, str]]:
        """List the faults that an exception of `structure` holds.

        Returns:
            Pairs of a place, such as `.ships['mikasa'].kind`, and a text.
        """
        if not isinstance(fault, ClassValidationError | IterableValidationError):
            return [(place, _format_fault(fault))]
        faults: list[tuple[str, str]] = []
        noted_faults, other_faults = fault.group_exceptions()
        for part, note in noted_faults:
            if isinstance(note, IterableValidationNote):
                step = f"[{note.index!r}]"
            else:
                key = self._find_key(fault.cl, note.name)
                # The text of a missing key names the key itself.
                step = f".{key}" if key and not isinstance(part, KeyError) else ""
            faults += self.find_faults(part, place + step)
        for part in other_faults:
            faults += self.find_faults(part, place)
        return faults

    def _find_key(self, kind: Any, name: str) -> str:
        """Return the key of a field in a file; "" if the keys of the field's value are written instead."""
        override = self._overrides.get(kind, {}).get(name)
        return name if override is None or override.rename is None else str(override.rename)

    def _build_fields_reader(self, kind: Any) -> _Hook:
        """Build the function that reads an attrs class from an object."""
        read = make_dict_structure_fn(kind, self, **self._overrides.get(kind, {}))
        keys = {self._find_key(kind, field.name) for field in fields(kind)}
        if "" not in keys:
            return lambda value, _: read(read_object(value), kind)
        # A field with the key "" has all keys of the object that belong to no other field.
        other_keys = keys - {""}

        def read_spread(value: object, _: object) -> Any:
            rest = dict(read_object(value))
            body = {key: rest.pop(key) for key in other_keys & rest.keys()}
            return read({**body, "": rest}, kind)

        return read_spread

    def _build_fields_writer(self, kind: Any) -> Any:
        """Build the function that writes an attrs class as an object."""
        overrides = self._overrides.get(kind, {})
        write = make_dict_unstructure_fn(kind, self, _cattrs_omit_if_default=True, **overrides)

        def write_spread(value: object) -> dict[str, object]:
            body: dict[str, object] = {}
            for key, part in write(value).items():
                # A field with the key "" is written as the keys of its value.
                body.update({key: part} if key else part)
            return body

        has_spread_field = any(override.rename == "" for override in overrides.values())
        return write_spread if has_spread_field else write

    def _build_tuple_reader(self, kind: Any) -> _Hook:
        """Build the function that reads a tuple from a list.

        The type gives either one type for all parts, or a type for each part.
        """
        kinds = get_args(kind)
        if kinds[-1] is Ellipsis:
            read = self._build_parts_reader(kinds[0])
            return lambda value, _: tuple(read(enumerate(read_list(value))))

        def read_each(value: object, _: object) -> tuple[Any, ...]:
            parts = read_list(value)
            if len(parts) != len(kinds):
                raise Misread(f"{len(parts)} parts, not {len(kinds)}")
            return tuple(map(self.structure, parts, kinds))

        return read_each

    def _build_mapping_reader(self, kind: Any) -> _Hook:
        """Build the function that reads a mapping from an object; its keys are texts or entry numbers."""
        key_kind, part_kind = get_args(kind)
        read_parts = self._build_parts_reader(part_kind)

        def read_all(value: object, _: object) -> dict[Any, Any]:
            raw: dict[Any, Any] = read_object(value)
            if key_kind is int:
                raw = _read_entry_keys(raw)
            # It takes pairs, with the key for a fault's place, and returns only the values.
            values = read_parts(raw.items())
            return dict(zip(raw, values, strict=True))

        return read_all

    def _build_parts_reader(self, kind: Any) -> Callable[[Iterable[tuple[Any, object]]], list[Any]]:
        """Build the function that reads a list or object from pairs of a place (index or key) and a part."""
        read = self.get_structure_hook(kind)

        def read_parts(parts: Iterable[tuple[Any, object]]) -> list[Any]:
            values: list[Any] = []
            for place, part in parts:
                try:
                    values.append(read(part, kind))
                except FAULTS as fault:
                    # Stop at the first fault: a hostile file may have millions. `find_faults` reads its place
                    # from the note.
                    fault.add_note(IterableValidationNote("", place, kind))
                    raise IterableValidationError("", [fault], kind) from None
            return values

        return read_parts

    def _build_optional_reader(self, kind: Any) -> _Hook:
        """Build the function that reads the value of an optional key; it refuses null."""
        # A missing value has no key; null is never written.
        value_kind = get_args(kind)[0]
        read = self.get_structure_hook(value_kind)
        return lambda value, _: read(value, value_kind)


def _has_origin(origin: object, kind: Any) -> bool:
    """Return whether a type is made from a generic type, as `tuple[int, ...]` is from `tuple`."""
    return get_origin(kind) is origin


def _is_optional(kind: Any) -> bool:
    """Return whether a type is a union of one type with None."""
    return len(get_args(kind)) == 2 and NoneType in get_args(kind)


def _read_member(value: object, kind: Any) -> Any:
    """Read the member of an enum that has this text as its value, or raise Misread."""
    try:
        return kind(read_text(value))
    except ValueError:
        kind_name = re.sub("(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()
        raise Misread(f"{format_value(value)} is not a {kind_name}") from None


_ENTRY = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)


def _read_entry_keys(raw: Mapping[str, Any]) -> dict[int, Any]:
    """Convert the keys of an object to entry numbers, or raise Misread for any other key."""
    for key in raw:
        if not _ENTRY.fullmatch(key):
            raise Misread(f"{format_value(key)} is not the number of an entry")
    return {int(key): part for key, part in raw.items()}


def _format_fault(fault: Exception) -> str:
    """Format an exception from the reading of plain data for people, without the place of the fault."""
    if isinstance(fault, KeyError):
        return f"{fault.args[0]} is missing"
    if isinstance(fault, ForbiddenExtraKeysError):
        return f"unknown key {format_value(min(fault.extra_fields))}"
    return str(fault) if isinstance(fault, Misread) else "not what was expected"
