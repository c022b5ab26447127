"""Runs the command `qf-tui`. The other modules hold its subcommands and what they share.

`commands`  the command line: every command with its arguments, in one table
`arguments` arguments that several commands share
`output`    text and JSON to standard output or a file; the progress of long work
`opening`   opens a battle by name, in memory or in the console; the commands that start the console
`run`       enters orders from a file or a pipe
`look`      shows, verifies and copies saves; the sample battle
`files`     checks and lists files; prints schemas, settings, charts, switches, clauses, odds, help pages
"""

import codecs
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from argparse import Namespace

    from qf_tui.hooks import Command

FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141
"""Exit statuses; those of Ctrl-C and of a closed pipe are the ones that a shell reports for their signals."""


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit status; write user errors to standard error.

    If the output fails, the status is PIPE_CLOSED if its reader has gone, else FAILED.
    """
    _prepare_streams()
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as fault:
        from qf_tui.cli.output import format_path, warn
        from qf_tui.operating_systems import has_no_reader

        reader_has_gone = has_no_reader(fault)
        if not reader_has_gone:
            warn(f"{format_path(fault.filename or 'output')}: {fault.strerror or fault}")
        _drop_output()
        return PIPE_CLOSED if reader_has_gone else FAILED


def _prepare_streams() -> None:
    """Let standard output and error write UTF-8 to files and pipes, and ASCII for signs they cannot hold.

    The encoding of a terminal stays, and so does one that the user has set by PYTHONIOENCODING.
    """
    codecs.register_error("ascii-signs", _replace_unencodable)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            sets_encoding = not stream.isatty() and not os.environ.get("PYTHONIOENCODING")
            reconfigure(encoding="utf-8" if sets_encoding else None, errors="ascii-signs")


def _replace_unencodable(fault: UnicodeError) -> tuple[str, int]:
    """Return the replacement for signs that a stream cannot encode, and the position after them."""
    from qf_tui.document.ascii import replace_unencodable

    return replace_unencodable(fault)


def _run(argv: list[str] | None) -> int:
    """Parse the arguments, run their command, and return its exit status."""
    words = sys.argv[1:] if argv is None else argv
    from qf_tui.cli.commands import build_parser, find_unknown_word, format_unknown_word

    if find_unknown_word(words)[0]:
        # The command or an option may belong to a feature of another package.
        from qf_tui.cli.output import warn
        from qf_tui.registry import search_features

        for fault in search_features():
            print(fault, file=sys.stderr)
        unknown, names = find_unknown_word(words)
        if unknown:
            warn(format_unknown_word(words, unknown, names))
            return FAILED
    try:
        arguments, unread = build_parser().parse_known_args(words)
        # argparse reads the facts of a ship, such as `kind=cruiser`, in one place only. It leaves those
        # after an option unread.
        are_facts = all("=" in word and not word.startswith("-") for word in unread)
        if are_facts and "facts" in arguments:
            arguments.facts.extend(unread)
        else:
            # If a word is unread, this prints the error and exits.
            build_parser().parse_args(words)
    except SystemExit as exit_call:
        return exit_call.code if isinstance(exit_call.code, int) else FAILED
    command = _load_command(arguments.does)
    from qf_tui.cli.output import warn
    from qf_tui.core.errors import QfError

    try:
        return command(arguments)
    except QfError as fault:
        warn(str(fault))
        return FAILED
    finally:
        # Spare the garbage collector its last run as the process ends.
        gc.freeze()
        gc.enable()


def _load_command(command: "Command") -> "Callable[[Namespace], int]":
    """Load the function of a command and everything that it imports."""
    # Modules live as long as the program, so the garbage collector need not search them.
    gc.disable()
    module, _, name = command.run.partition(":")
    run: Callable[[Namespace], int] = getattr(import_module(module), name)
    gc.freeze()
    gc.enable()
    return run


def _drop_output() -> None:
    """Redirect standard output to nothing, so that the last flush of a closed pipe raises no error."""
    with suppress(AttributeError, ValueError, OSError):
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, sys.stdout.fileno())
        os.close(null_device)
