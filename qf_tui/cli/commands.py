"""The command line: one table of all commands with their arguments, and the parser built from it.

It imports only `argparse`; the module of a command is imported when the command runs.
"""

import argparse
from collections.abc import Iterable, Iterator

import qf_tui
from qf_tui.cli.arguments import ANY_BATTLE, BATTLE, CREWS, NEW_SAVE, RULES, RULESET, SAVE
from qf_tui.hooks import Argument, Command, Feature, declare_flag
from qf_tui.registry import find_features

TYPE_CHECKING = False  # typing takes as long to load as half of the help
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

WIDTH = 98
"""Width of the help, in characters."""
EPILOG = """without a command: opens the start screen of the console.
exit status: 0 done; 2 it could not start, or a file cannot be read; other numbers: see each command.
Your own fleets, scenarios and saves are in one folder; set QF_TUI_HOME to choose another."""


COMMANDS = (
    Command(
        "play",
        "qf_tui.cli.opening:play",
        "opens the console",
        "A scenario starts a new battle, saved in your own folder or in --save FILE; a save continues.",
        Argument("battle", "SCENARIO-or-SAVE", BATTLE, nargs="?"),
        RULES,
        CREWS,
        NEW_SAVE,
    ),
    Command(
        "sample",
        "qf_tui.cli.look:play_sample",
        "opens a copy of the sample battle",
        "Without a terminal it prints the log and the ships.",
    ),
    Command(
        "watch",
        "qf_tui.cli.opening:watch",
        "shows a battle that is played in another console",
        "For a television or a second screen. It only reads the save; you cannot enter orders.",
        SAVE,
    ),
    Command(
        "run",
        "qf_tui.cli.run:run_orders",
        "plays orders from a file or a pipe, without a screen",
        "Exit status: 0 if no order was refused, 3 otherwise, 2 if it could not start.",
        Argument("battle", "SCENARIO-or-SAVE", f"{BATTLE}; a save is never written"),
        RULES,
        CREWS,
        Argument("--orders", "FILE", "one order per line; -: standard input", default="-"),
        Argument("--save", "FILE", "saves the battle in a new file; left out: not saved"),
        Argument("--seed", "N", "throws missing dice; the same seed throws the same dice", type=int),
        declare_flag("--json", "one JSON object per line: each order, then the battle"),
    ),
    Command(
        "odds",
        "qf_tui.cli.files:print_odds",
        "shows the exact chances of an order",
        "It throws no dice.",
        ANY_BATTLE,
        RULES,
        CREWS,
        Argument("order", "ORDER", "an order, as typed on the bar", nargs="+"),
    ),
    Command(
        "show",
        "qf_tui.cli.look:show_save",
        "prints the log and the ships of a save",
        "",
        SAVE,
        declare_flag("--json", "as one JSON object"),
    ),
    Command(
        "verify",
        "qf_tui.cli.look:verify_save",
        "checks a save's checksums and decides every entry again by today's rules",
        "Exit status: 0 no difference apart from changed rulings and wording; 1 other "
        "differences, acts missing at the end, or a check that an option asked for failed; 2 it "
        "cannot be read.",
        SAVE,
    ),
    Command(
        "branch",
        "qf_tui.cli.look:branch_save",
        "copies the first acts of a save into a new save",
        "The old save does not change.",
        SAVE,
        Argument("--at", "N", "the last act to copy; 0: none", type=int, required=True),
        Argument("--save", "FILE", "the new save; never overwrites a file", required=True),
    ),
    Command(
        "check",
        "qf_tui.cli.files:check_files",
        "reports faults in fleets, scenarios, chart overlays, rule books and saves",
        "Exit status: 0 no faults (warnings do not count), 1 faults, 2 a file cannot be read.",
        Argument("files", "FILE", nargs="+"),
    ),
    Command("scenarios", "qf_tui.cli.files:print_scenarios", "lists the scenarios, your own first", ""),
    Command(
        "schema",
        "qf_tui.cli.files:print_schema",
        "prints a JSON Schema for editors",
        "A TOML file names it in its first line, like #:schema ./.schema/fleet.json.",
        Argument("kind", None, nargs="?", choices=("fleet", "scenario", "overlay", "rules")),
        Argument("ruleset", "RULESET", "a rule system; all if left out, none for a fleet", nargs="?"),
        declare_flag("--install", "writes all of them to the place that the first lines of your files name"),
    ),
    Command(
        "settings",
        "qf_tui.cli.files:print_settings",
        "shows or changes your settings of the console",
        "Writes their file, which explains every setting, if it does not exist.",
        Argument("name", "NAME", "one setting", nargs="?"),
        Argument("value", "VALUE", "its new value", nargs="?"),
    ),
    Command("charts", "qf_tui.cli.files:print_charts", "prints the charts of the rules", "", RULESET),
    Command("options", "qf_tui.cli.files:print_options", "prints the switches of the rules", "", RULESET),
    Command(
        "rules",
        "qf_tui.cli.files:print_rules",
        "lists the rule books, or the clauses of all rules that contain a word",
        "A rule book is one file, NAME.rules.toml, in your own folder or next to a scenario: `help rules`.",
        Argument("words", "WORD", nargs="*"),
        Argument("--new", "NAME", "writes a rule book with comments for you to change"),
    ),
    Command(
        "help",
        "qf_tui.cli.files:print_help",
        "shows a page, the list of pages, or the places of a word in them",
        "Exit status: 0 found, 1 not found.",
        Argument("words", "TOPIC-or-WORD", nargs="*"),
        declare_flag("--html", "writes all pages as one for a browser; needs no network"),
        Argument("--out", "FILE", "writes to a new file"),
    ),
)
"""All commands, in the order of the help."""


class CommandParser(argparse.ArgumentParser):
    """A parser that replaces unprintable characters of the arguments in its error messages."""

    def __init__(self, **options: "Any") -> None:
        super().__init__(formatter_class=_Format, allow_abbrev=False, **options)

    def error(self, message: str) -> "NoReturn":
        """Print an error message, with unprintable characters replaced, and end the program."""
        super().error("".join(sign if sign.isprintable() else "�" for sign in message))


class LazyParser:
    """The parser of a command, built only when the command is given, because building all takes too long."""

    def __init__(self, command: Command, **options: object) -> None:
        self._command, self._options = command, options
        self._parser: CommandParser | None = None

    def __getattr__(self, name: str) -> object:
        """Return an attribute of the parser, which is built by the first call."""
        if self._parser is None:
            self._parser = _build_command_parser(self._command, self._options)
        return getattr(self._parser, name)


def _build_command_parser(command: Command, options: "dict[str, Any]") -> CommandParser:
    """Build the parser of one command, with the arguments that features add to it.

    Args:
        options: Options of the parser itself, which `argparse` passes.
    """
    parser = CommandParser(
        description=f"{command.text[0].upper()}{command.text[1:]}.\n{command.more}".strip(), **options
    )
    parser.set_defaults(does=command)
    feature_arguments = (
        argument for feature in find_features() for name, argument in feature.options if name == command.name
    )
    for item in (*command.arguments, *feature_arguments):
        if isinstance(item, Argument):
            parser.add_argument(item.name, **item.options)
            continue
        # The user may give only one argument of a tuple.
        group = parser.add_mutually_exclusive_group()
        for argument in item:
            group.add_argument(argument.name, **argument.options)
    return parser


def find_unknown_word(words: "Sequence[str]") -> "tuple[str, Sequence[str]]":
    """Find the first word that no loaded part of the program knows as a command or as its option.

    Args:
        words: Words of the command line, the command first.

    Returns:
        The word, or "" if all are known; the names that it could be instead.
    """
    features = find_features()
    command_by_name = {command.name: command for feature in features for command in feature.commands}
    command_by_name |= {command.name: command for command in COMMANDS}
    if not words or words[0] in ("-h", "--help", "--version"):
        return "", ()
    if words[0] not in command_by_name:
        return words[0], ("--help", "--version", *command_by_name)
    arguments = [argument for feature in features for name, argument in feature.options if name == words[0]]
    for item in command_by_name[words[0]].arguments:
        # A tuple holds arguments of which the user may give only one.
        arguments += [item] if isinstance(item, Argument) else item
    options = ["--help", *(argument.name for argument in arguments if argument.name.startswith("--"))]
    # After `--` no word is an option.
    typed_words = words[1 : words.index("--")] if "--" in words else words[1:]
    for name in (word.partition("=")[0] for word in typed_words if word.startswith("--")):
        if name not in options:
            return name, options
    return "", ()


def format_unknown_word(words: "Sequence[str]", unknown: str, names: Iterable[str]) -> str:
    """Format the refusal of an unknown command or option, with the nearest one."""
    from qf_tui.core.grammar.names import list_similar_names

    similar_names = list_similar_names(unknown.removeprefix("--"), names)
    shown = "".join(sign if sign.isprintable() else "�" for sign in unknown)
    advice = f"did you mean {' or '.join(similar_names)}? " if similar_names else ""
    if unknown == words[0]:
        return f"“{shown}” is no command; {advice}`qf-tui --help` lists all"
    return f"“{shown}” is no option of {words[0]}; {advice}`qf-tui {words[0]} --help` lists all"


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of the whole command line; it sets `does` to the command, by default `play`."""
    features = [feature for feature in find_features() if feature.commands]
    parser = CommandParser(
        prog="qf-tui",
        description="The umpire's console for pre-dreadnought naval miniatures.",
        epilog="\n".join(
            (*(["features:"] if features else ()), *map(_format_commands, features), "", EPILOG)
        ),
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="shows the versions and exits")
    parser.set_defaults(does=COMMANDS[0], battle=None, save=None, rules=None, crews=None)
    # It acts like the parser class that `argparse` expects, but has another type.
    lazy_parser: Any = LazyParser
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=lazy_parser)
    for command in COMMANDS:
        commands.add_parser(command.name, help=command.text, command=command)
    for feature in features:
        for command in feature.commands:
            # Without a help text here, because `_format_commands` lists the command with its feature.
            commands.add_parser(command.name, command=command)
    return parser


class _Version(argparse.Action):
    """Prints the versions of the program, Python, Textual and the system, and exits."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the versions in one line, which people copy into the report of a fault, and exit."""
        from importlib.metadata import version
        from platform import platform, python_version

        parts = (f"Python {python_version()}", f"Textual {version('textual')}", platform())
        print(f"qf-tui {qf_tui.__version__} ({', '.join(parts)})")
        parser.exit()


def _format_commands(feature: Feature) -> str:
    """Format the name of a feature, and below it each of its commands on a line."""
    lines = (f"    {command.name:<9} {command.text}" for command in feature.commands)
    return "\n".join((f"  {feature.name}", *lines))


class _Format(argparse.RawTextHelpFormatter):
    """Help of a fixed width, because measuring the terminal takes longer than printing the help."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=WIDTH)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wrap each line of a text, except lines that begin with a blank."""
        paragraphs = ([line] if line.startswith(" ") else _wrap_lines(line) for line in text.splitlines())
        return "\n".join(line for paragraph in paragraphs for line in paragraph)


def _wrap_lines(text: str) -> Iterator[str]:
    """Wrap a text into lines of the help. It does not use `textwrap`, whose import takes too long."""
    line = ""
    for word in text.split(" "):
        if line and len(line) + len(word) >= WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    yield line
