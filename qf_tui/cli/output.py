"""Text and JSON onto standard output, whatever its encoding and whatever the text holds."""

import json

from qf_tui.core.text import unprintable


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


def say_json(value: object, *, indent: int | None = None) -> None:
    """Prints a value as JSON in ASCII, which every standard output can write."""
    print(json.dumps(value, indent=indent), flush=True)
