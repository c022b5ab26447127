"""Text in a cell or a field of a form as the value that a file would have: numbers, yes and no, lists.

What is none stays text, for the checker to refuse with the words of its field.
"""

import re
from contextlib import suppress

from qf_tui.core.system import CardField
from qf_tui.library.csv_text import plain_number

_WHOLE, _DECIMAL = re.compile(r"-?[0-9]{1,15}"), re.compile(r"-?[0-9]{1,15}\.[0-9]{1,15}")
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def typed(field: CardField, text: str) -> object:
    """What a text means as a value of a field: `18,25` is 18.25, `9 7 5` of a series a list, `yes` true."""
    if field.kind in ("bool", "has") and text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    if field.kind in ("int", "number", "has"):
        return _number(text)
    if field.kind == "series":
        every = [_number(part) for part in text.split()]
        return every[0] if len(every) == 1 else every
    if field.kind == "texts":
        return [part.strip() for part in text.split(";") if part.strip()]
    return text


def _number(text: str) -> object:
    with suppress(ValueError):
        text = plain_number(text)
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def as_typed(field: CardField, value: object) -> str:
    """A value as text that `typed` reads as the same; nothing for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return (" " if field.kind == "series" else "; ").join(as_typed(field, one) for one in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
