"""The words of faults: what was found, what was expected, and what was perhaps meant."""

from collections.abc import Iterable, Mapping

from qf_tui.core.grammar.names import nearest
from qf_tui.core.system import CardField
from qf_tui.library.faults import shown

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
