"""A ship's card: one scalar a name, dotted for the parts of a whole."""

from collections.abc import Iterable, Mapping
from typing import Any

from qf_tui.core.measure import Scalar
from qf_tui.core.ratings import ATTESTED, ORIGIN, listed_in
from qf_tui.core.system import CardField
from qf_tui.library.checking import Checker, absent
from qf_tui.library.fault_words import near
from qf_tui.library.faults import FilePlace, shown

Card = Mapping[str, Scalar]

APART = (ORIGIN, ATTESTED)
"""What a card says of its own values."""


def flat(fields: Iterable[CardField], read: Mapping[str, object], prefix: str = "") -> dict[str, Scalar]:
    """Checked values as a card: one scalar a name, dotted for parts."""
    card: dict[str, Scalar] = {}
    for field in fields:
        name = prefix + field.name
        value = read.get(field.name)
        if field.kind in ("table", "numbers"):
            given = value if isinstance(value, Mapping) else {part.name: absent(part) for part in field.parts}
            card.update(flat(field.parts, given, f"{name}."))
        elif field.kind == "tables":
            items = value if isinstance(value, list) else []
            card[name] = len(items)
            for number, item in enumerate(items, 1):
                card.update(flat(field.parts, item, f"{name}.{number}."))
        elif isinstance(value, tuple):
            card |= {name: value[0], **{f"{name}.{at}": one for at, one in enumerate(value, 1)}}
        else:
            card[name] = value if isinstance(value, int | float | str | bool) else None
    return card


def laid_out(
    fields: Iterable[CardField], values: Mapping[str, Scalar], prefix: str = ""
) -> dict[str, Scalar]:
    """Values by their flat names as a card that has every name."""
    card: dict[str, Scalar] = {}
    for field in fields:
        name = prefix + field.name
        if field.kind in ("table", "numbers"):
            card |= laid_out(field.parts, values, f"{name}.")
        elif field.kind == "tables":
            parts = (key.removeprefix(f"{name}.") for key in values if key.startswith(f"{name}."))
            card[name] = len({part.partition(".")[0] for part in parts})
            for number in range(1, int(card[name] or 0) + 1):
                card |= laid_out(field.parts, values, f"{name}.{number}.")
        else:
            usual = absent(field)
            value = values.get(name, usual if isinstance(usual, int | float | str | bool) else None)
            card[name] = _as_read(value, field)
    return card


def _as_read(value: Scalar, field: CardField) -> Scalar:
    """A value as the reader of files would have it: whole numbers whole, what a ship has or not as 1 or 0."""
    if field.kind == "has" and isinstance(value, bool):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def attested_names(
    given: Iterable[str], card: Card, fields: Iterable[CardField], checker: Checker, place: FilePlace
) -> list[str]:
    """The card's names behind those that a file has among its `attested`, a whole for all of its parts."""
    aliases = {field.alias: field.name for field in fields if field.alias}
    known = [name for name in card if name not in ("id", "notes", *APART)]
    attested: dict[str, None] = {}
    for name in given:
        whole, dot, part = name.partition(".")
        called = aliases.get(whole, whole) + dot + part
        names = [field for field in known if field == called or field.startswith(f"{called}.")]
        attested.update(dict.fromkeys(names))
        if not names:
            checker.fault(place, f"no field “{shown(name)}”{near(name, known)}")
    return list(attested)


def stated(fields: Iterable[CardField], card: Card, prefix: str = "") -> dict[str, Any]:
    """A card as a file states it: without what is not known, and what the fields have by themselves."""
    found: dict[str, Any] = {}
    for field in fields:
        value = _stated(field, card, prefix + field.name)
        if value not in (None, {}, [], "") and value != absent(field):
            found[field.name] = value
    return found


def _stated(field: CardField, card: Card, name: str) -> Any:
    if field.kind == "numbers":
        values = [card.get(f"{name}.{part.name}") for part in field.parts]
        return None if None in values else values
    if field.kind == "table":
        return stated(field.parts, card, f"{name}.")
    if field.kind == "tables":
        count = min(int(card.get(name) or 0), len(card))
        return [stated(field.parts, card, f"{name}.{at}.") for at in range(1, count + 1)]
    if field.kind == "texts":
        return list(listed_in(card, name))
    if field.kind == "series":
        figures = (card.get(f"{name}.{at}") for at in range(1, field.longest + 1))
        return [figure for figure in figures if figure is not None] or card.get(name)
    return card.get(name)
