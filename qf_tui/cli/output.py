"""Text and JSON onto standard output, whatever its encoding and whatever the text holds."""

import json
import sys
from contextlib import suppress

from qf_tui.core.text import unprintable


def named(file: object) -> str:
    """A file's path in a message: its own line ends would make lines that nobody said."""
    return printable(str(file)).replace("\n", "�")


def printable(text: str) -> str:
    """Text that may reach a terminal: signs in place of what is not printable; line ends stay."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join("�" if sign != "\n" and unprintable(sign) else sign for sign in text)


def say(*lines: str) -> None:
    """Prints lines, at once: a reader at the other end of a pipe may answer them."""
    for line in lines:
        print(printable(line).rstrip())
    print(end="", flush=True)


def warn(text: str) -> None:
    """Prints a word to the person on standard error, behind what was printed before."""
    with suppress(OSError):
        if sys.stdout is not None:
            sys.stdout.flush()
    if sys.stderr is not None:
        # Who cannot be told has the exit status still.
        with suppress(OSError):
            print(f"qf-tui: {printable(text)}", file=sys.stderr, flush=True)


def say_json(value: object, *, indent: int | None = None) -> None:
    """Prints a value as JSON in ASCII, which every standard output can write."""
    print(json.dumps(value, indent=indent), flush=True)
