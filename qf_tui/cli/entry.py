"""The entry point: arguments to a command, and every way in which a command may end."""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module

import qf_tui

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from typing import Any, NoReturn


FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(argv: list[str] | None = None) -> int:
    """Runs one command and gives its exit status; whatever a person got wrong is said on standard error."""
    _lenient()
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _let_go()
        return PIPE_CLOSED
    except OSError as fault:
        from qf_tui.cli.output import named, warn

        warn(f"{named(fault.filename or 'output')}: {fault.strerror or fault}")
        with suppress(OSError):
            _let_go()
        return FAILED


def _run(argv: list[str] | None) -> int:
    given = sys.argv[1:] if argv is None else argv
    if given == ["--version"]:
        # A third of the time of any other answer: no parser is made for it.
        print(f"qf-tui {qf_tui.__version__}")
        return 0
    from qf_tui.cli.commands import parser

    try:
        arguments, left = parser().parse_known_args(given)
        # argparse looks for what may be repeated in one place alone; behind a switch it is the same.
        if not all("=" in one and not one.startswith("-") for one in left) or "facts" not in arguments:
            parser().parse_args(given)
        else:
            arguments.facts.extend(left)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else FAILED
    command = _loaded(arguments.does)
    from qf_tui.cli.output import warn
    from qf_tui.core.errors import QfError

    try:
        return command(arguments)
    except QfError as fault:
        warn(str(fault))
        return FAILED


def _loaded(does: str) -> "Callable[[Namespace], int]":
    """The function of a command, as `module:name`, with all that it needs."""
    # What modules hold lives as long as the program: the collector need not go through it, then or later.
    gc.disable()
    module, _, name = does.partition(":")
    command: Callable[[Namespace], int] = getattr(import_module(f"qf_tui.cli.{module}"), name)
    gc.freeze()
    gc.enable()
    return command


def _lenient() -> None:
    """Lets signs that standard output cannot write be replaced instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _let_go() -> None:
    """Points standard output at nothing, so that the last flush of a closed pipe says nothing."""
    with suppress(AttributeError, ValueError, OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


# `typing` takes as long to load as half of the help

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
