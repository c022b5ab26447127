"""A command of the command line, and its parser, which is made when the command is given."""

import argparse
from collections.abc import Callable, Iterator

TYPE_CHECKING = False  # `typing` takes as long to load as half of the help
if TYPE_CHECKING:
    from typing import Any, NoReturn

WIDTH = 98
"""Cells of the longest line of help."""
BATTLE = "a scenario (a name or a file) or a save"


class Command:
    """One command: `does` is its module and function, `text` its line in the help, `more` what follows it."""

    def __init__(
        self,
        name: str,
        does: str,
        text: str,
        more: str = "",
        *,
        arguments: Callable[[argparse.ArgumentParser], object] | None = None,
    ) -> None:
        self.name, self.does, self.text, self.more, self.arguments = name, does, text, more, arguments


class CommandParser(argparse.ArgumentParser):
    """A parser that repeats nothing of the arguments that a terminal would obey."""

    def error(self, message: str) -> "NoReturn":
        super().error("".join(sign if sign.isprintable() else "�" for sign in message))


class ParserLater:
    """The parser of a command, made when it is given: to make them all takes longer than most commands."""

    def __init__(self, command: Command, **given: object) -> None:
        self._command, self._given = command, given
        self._parser: argparse.ArgumentParser | None = None

    def __getattr__(self, name: str) -> object:
        if self._parser is None:
            self._parser = _made(self._command, self._given)
        return getattr(self._parser, name)


def _made(one: Command, given: "dict[str, Any]") -> argparse.ArgumentParser:
    about = f"{one.text[0].upper()}{one.text[1:]}.\n{one.more}".strip()
    made = CommandParser(description=about, formatter_class=help_format, allow_abbrev=False, **given)
    made.set_defaults(does=one.does)
    if one.arguments is not None:
        one.arguments(made)
    return made


class _Format(argparse.RawTextHelpFormatter):
    """Help of one width, as to measure the terminal costs more than all the rest."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(line for part in text.splitlines() for line in _filled(part))


def _filled(text: str) -> Iterator[str]:
    """A sentence or more on lines of the help; `textwrap` takes longer to load."""
    line = ""
    for word in text.split(" "):
        if line and len(line) + len(word) >= WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    yield line


def help_format(prog: str) -> argparse.HelpFormatter:
    """How help is printed."""
    return _Format(prog, width=WIDTH)


def rules_argument(command: argparse.ArgumentParser) -> None:
    """The rule system that a scenario is to begin under."""
    command.add_argument(
        "--rules", metavar="RULESET", help="begins a scenario under another rule system than its own"
    )
