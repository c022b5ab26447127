"""Files and faults of the disk in words that may be shown."""

import os
from pathlib import Path


def name_of(path: str | os.PathLike[str]) -> str:
    """The name of a file as it may be shown: a name can hold what a terminal must not get."""
    return printable(Path(path).name or str(path))


def printable(text: str) -> str:
    """A text with signs in place of what no terminal must get."""
    return "".join(character if character.isprintable() else "�" for character in text)


def in_words(fault: Exception) -> str:
    """Why the disk refused, without numbers and paths."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
