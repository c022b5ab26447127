"""The command line, declared: each command with its arguments and the function that does it."""

import argparse
from typing import NoReturn, TypeAlias

import qf_tui

BATTLE = "a scenario (a name or a file) or a save"

EPILOG = """without a command: the console's start screen.
exit status: 0 done; 2 it could not start, or a file cannot be read; others as each command says.
Your own fleets, scenarios and saves lie in one folder; the environment variable QF_TUI_HOME moves it."""


class _Parser(argparse.ArgumentParser):
    """A parser that repeats nothing of the arguments that a terminal would obey."""

    def error(self, message: str) -> NoReturn:
        super().error("".join(sign if sign.isprintable() else "�" for sign in message))


def parser() -> argparse.ArgumentParser:
    """The parser; `does` of what it gives is the module and function of the command."""
    made = _Parser(
        prog="qf-tui",
        description="The umpire's console for pre-dreadnought naval miniatures.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"qf-tui {qf_tui.__version__}")
    made.set_defaults(does="play:play", battle=None, save=None)
    commands = made.add_subparsers(title="commands", metavar="COMMAND")
    _playing(commands)
    _scripts(commands)
    _files(commands)
    _reference(commands)
    return made


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _command(commands: _Commands, name: str, does: str, text: str, more: str = "") -> _Parser:
    made = commands.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}. {more}".strip(), allow_abbrev=False
    )
    made.set_defaults(does=does)
    return made


def _playing(commands: _Commands) -> None:
    play = _command(
        commands,
        "play",
        "play:play",
        "the console",
        "A scenario begins a battle, saved in your own folder unless --save says where; a save goes on.",
    )
    play.add_argument("battle", nargs="?", metavar="SCENARIO-or-SAVE", help=BATTLE)
    play.add_argument("--save", metavar="FILE", help="where a new battle is saved; no file is overwritten")
    _command(
        commands,
        "sample",
        "play:sample",
        "a copy of the sample battle",
        "Without a terminal its log and its ships are printed.",
    )


def _scripts(commands: _Commands) -> None:
    run = _command(
        commands,
        "run",
        "run:run",
        "orders from a file or a pipe, without a screen",
        "Exit status: 0 if no order was refused, 3 otherwise, 2 if it could not start.",
    )
    run.add_argument("battle", metavar="SCENARIO-or-SAVE", help=f"{BATTLE}; a save is never written")
    run.add_argument("--orders", metavar="FILE", default="-", help="one order a line; -: standard input")
    run.add_argument(
        "--save", metavar="FILE", help="keeps the battle in a new file; left out: nothing is kept"
    )
    run.add_argument(
        "--seed", metavar="N", type=int, help="missing dice are thrown, the same for the same seed"
    )
    run.add_argument(
        "--json", action="store_true", help="one JSON object a line for each order, the battle last"
    )

    odds = _command(commands, "odds", "odds:odds", "the exact chances of an order", "Nothing is thrown.")
    odds.add_argument("battle", metavar="SCENARIO-or-SAVE", help=BATTLE)
    odds.add_argument("order", nargs="+", metavar="ORDER", help="an order, as on the bar")

    show = _command(commands, "show", "look:show", "the log and the ships of a save")
    show.add_argument("battle", metavar="SAVE")
    show.add_argument("--json", action="store_true", help="as one JSON object")

    verify = _command(
        commands,
        "verify",
        "look:verify",
        "a save's checksums, and every entry decided again by today's rules",
        "Exit status: 0 the same, 1 differences or acts missing at its end, 2 it cannot be read.",
    )
    verify.add_argument("battle", metavar="SAVE")

    branch = _command(
        commands,
        "branch",
        "look:branch",
        "the first acts of a save as a save of its own",
        "The save itself is not touched.",
    )
    branch.add_argument("battle", metavar="SAVE")
    branch.add_argument("--at", metavar="N", type=int, required=True, help="the last act to copy; 0: none")
    branch.add_argument("--save", metavar="FILE", required=True, help="the new save; no file is overwritten")


def _files(commands: _Commands) -> None:
    check = _command(
        commands,
        "check",
        "files:check",
        "what is wrong with fleets, scenarios, chart overlays and saves",
        "Exit status: 0 nothing (warnings do not count), 1 faults, 2 a file cannot be read.",
    )
    check.add_argument("files", nargs="+", metavar="FILE")
    for kind in ("scenarios", "fleets"):
        listed = _command(commands, kind, "files:shelf", f"the {kind} at hand, your own first")
        listed.set_defaults(kind=kind)
    schema = _command(commands, "schema", "files:schema", "a JSON Schema for editors")
    schema.add_argument("kind", choices=("fleet", "scenario", "overlay"))
    _ruleset(schema)


def _reference(commands: _Commands) -> None:
    _ruleset(_command(commands, "charts", "reference:charts", "the charts that come with the rules"))
    _ruleset(_command(commands, "options", "reference:options", "the switches of the rules"))
    rules = _command(
        commands, "rules", "reference:rules", "the clauses of the rules, or those that hold a word"
    )
    rules.add_argument("words", nargs="*", metavar="WORD")


def _ruleset(command: _Parser) -> None:
    command.add_argument("ruleset", nargs="?", metavar="RULESET", help="a rule system; left out: all")
