"""Text that may enter a battle: one line, every character printable; how names and values are said."""

import unicodedata

TEXT_MOST = 2000
"""Characters in the longest text that is accepted."""

# Characters that change the direction or the joining of what follows mislead the reader of a terminal.
_DECEIVING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def unprintable(text: str) -> str | None:
    """Names the first character that may not enter, as `U+001B at 3`, or None."""
    if text.isprintable():
        return None
    for place, character in enumerate(text):
        if unicodedata.category(character) in _DECEIVING:
            return f"U+{ord(character):04X} at {place + 1}"
    return None


def whose(name: str) -> str:
    """A name as owner: `Mikasa's`, `Ships'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def plural(noun: str) -> str:
    """Several of what a noun names: `batteries`, `torpedo-boats`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def several(number: int, noun: str, more: str = "") -> str:
    """A number of things: `1 throw`, `5 throws`."""
    return f"{number:,} {noun if number == 1 else more or f'{noun}s'}"


def with_answer(asked: str, answer: str) -> str:
    """What was asked with what is said to it: `direction of Fuji: 2`, `what does Fuji fix? speed`."""
    return f"{asked}{'' if asked.endswith('?') else ':'} {answer}"


def identifier(name: str) -> str:
    """A side's or division's id: its name in lower case with "-" for spaces."""
    return "-".join(name.lower().split())


def value_text(value: object) -> str:
    """A value of a ship as people read it."""
    if value is None or value in ((), []):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
