"""The command `qf-tui`, and every way in which it can end; the other modules are its commands.

`commands`  the command line: every command with its arguments, in one table
`arguments` arguments that several commands have
`output`    text and JSON to standard output or a file; the progress of long work
`opening`   opens a battle by the name that people give: in memory, or in the console
`run`       orders from a file or a pipe, and what they did
`look`      a save shown, verified and branched; the sample battle
`files`     files checked and listed, schemas, settings; charts, switches, clauses, the odds of an order;
            the pages of the help
"""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

import qf_tui

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from argparse import Namespace

    from qf_tui.hooks import Command

FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(argv: list[str] | None = None) -> int:
    """Runs one command and gives its exit status; whatever a person got wrong is said on standard error."""
    # Signs that standard output cannot write are replaced instead of ending the program.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as fault:
        from qf_tui.cli.output import named, warn
        from qf_tui.operating_systems import has_no_reader

        left = has_no_reader(fault)
        if not left:
            warn(f"{named(fault.filename or 'output')}: {fault.strerror or fault}")
        _let_go()
        return PIPE_CLOSED if left else FAILED


def _run(argv: list[str] | None) -> int:
    given = sys.argv[1:] if argv is None else argv
    if given == ["--version"]:
        # A third of the time of any other answer: no parser is made for it.
        print(f"qf-tui {qf_tui.__version__}")
        return 0
    from qf_tui.cli.commands import is_known, parser

    if not is_known(given):
        from qf_tui.registry import search_features

        for fault in search_features():
            print(fault, file=sys.stderr)
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
    finally:
        # Nor need it as the process ends, when nothing is left to be used again.
        gc.freeze()
        gc.enable()


def _loaded(command: "Command") -> "Callable[[Namespace], int]":
    """Load the function of a command, with all that it needs."""
    # What modules hold lives as long as the program: the collector need not go through it, then or later.
    gc.disable()
    module, _, name = command.run.partition(":")
    run: Callable[[Namespace], int] = getattr(import_module(module), name)
    gc.freeze()
    gc.enable()
    return run


def _let_go() -> None:
    """Points standard output at nothing, so that the last flush of a closed pipe says nothing."""
    with suppress(AttributeError, ValueError, OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
