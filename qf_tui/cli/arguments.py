"""The command line, declared: its parser and all commands, which stand in `*_commands`."""

import argparse

import qf_tui
from qf_tui.cli.battle_commands import OF_BATTLES
from qf_tui.cli.command import CommandParser, ParserLater, help_format
from qf_tui.cli.library_commands import OF_THE_LIBRARY
from qf_tui.cli.retold_commands import OF_BATTLES_RETOLD

TYPE_CHECKING = False  # `typing` takes as long to load as half of the help
if TYPE_CHECKING:
    from typing import Any

EPILOG = """without a command: the console's start screen.
exit status: 0 done; 2 it could not start, or a file cannot be read; others as each command says.
Your own fleets, scenarios and saves lie in one folder; the environment variable QF_TUI_HOME moves it."""


def parser() -> argparse.ArgumentParser:
    """The parser; `does` of what it gives is the module and function of the command."""
    made = CommandParser(
        prog="qf-tui",
        description="The umpire's console for pre-dreadnought naval miniatures.",
        epilog=EPILOG,
        formatter_class=help_format,
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"qf-tui {qf_tui.__version__}")
    made.set_defaults(does="play:play", battle=None, save=None, rules=None, copy_to=None)
    later: Any = ParserLater
    commands = made.add_subparsers(title="commands", metavar="COMMAND", parser_class=later)
    for one in COMMANDS:
        commands.add_parser(one.name, help=one.text, command=one)
    return made


COMMANDS = (*OF_BATTLES, *OF_BATTLES_RETOLD, *OF_THE_LIBRARY)
"""All commands, in the order of the help."""
