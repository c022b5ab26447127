"""The command line: every command in one table, with its arguments, and the parser made from it.

It loads only `argparse`; a command's module is loaded when the command is called.
"""

import argparse
import os
from collections.abc import Iterator

import qf_tui

TYPE_CHECKING = False  # typing takes as long to load as half of the help
if TYPE_CHECKING:
    from typing import Any, NoReturn

WIDTH = 98
"""Cells of the longest line of help."""
BATTLE = "a scenario (a name or a file) or a save"
EPILOG = """without a command: the console's start screen.
exit status: 0 done; 2 it could not start, or a file cannot be read; others as each command says.
Your own fleets, scenarios and saves lie in one folder; the environment variable QF_TUI_HOME moves it."""


class Argument:
    """One argument of a command, as `argparse` takes it."""

    def __init__(self, name: str, metavar: str | None, text: str | None = None, **how: "Any") -> None:
        self.name = name
        self.how: dict[str, Any] = {"metavar": metavar, "help": text, **how}


def flag(name: str, text: str) -> Argument:
    """A switch that is there or not."""
    argument = Argument(name, None, text, action="store_true")
    del argument.how["metavar"]
    return argument


class Command:
    """One command: the module that has its function, its line in the help, and what follows that line.

    Of the arguments those in one tuple exclude each other.
    """

    def __init__(
        self, name: str, module: str, text: str, more: str, *arguments: Argument | tuple[Argument, ...]
    ) -> None:
        self.name, self.module, self.text, self.more, self.arguments = name, module, text, more, arguments


SAVE = Argument("battle", "SAVE")
ANY_BATTLE = Argument("battle", "SCENARIO-or-SAVE", BATTLE)
RULES = Argument("--rules", "RULESET", "begins a scenario under another rule system than its own")
RULESET = Argument("ruleset", "RULESET", "a rule system; left out: all", nargs="?")


def _kind(name: str, text: str) -> Argument:
    """A kind of file in which a report may be."""
    return Argument(f"--{name}", None, text, dest="kind", action="store_const", const=name)


def _csv(out: str, taken: str) -> tuple[Argument, ...]:
    """Ships out of and into a file for a spreadsheet."""
    return (
        flag("--csv", f"{out} as CSV, for a spreadsheet"),
        Argument("--rules", "RULESET", "values of this rule system, not facts"),
        Argument("--out", "FILE", "with --csv: into a new file"),
        Argument("--import", "FILE", f"takes in {taken} of a CSV file; -: standard input", dest="taken"),
        flag("--replace", "what is there already is written over"),
    )


COMMANDS = (
    Command(
        "play",
        "opening",
        "the console",
        "A scenario begins a battle, saved in your own folder unless --save says where; a save goes on.",
        Argument("battle", "SCENARIO-or-SAVE", BATTLE, nargs="?"),
        RULES,
        Argument("--save", "FILE", "where a new battle is saved; no file is overwritten"),
        Argument("--copy-to", "FOLDER", "a second copy of the save, entry by entry"),
    ),
    Command(
        "sample",
        "opening",
        "a copy of the sample battle",
        "Without a terminal its log and its ships are printed.",
    ),
    Command(
        "watch",
        "opening",
        "a battle that another console writes, as it goes on",
        "For a television or a second screen: nothing can be entered, and the save is only read.",
        SAVE,
        flag("--large", "begins with the page in large letters, for a television"),
    ),
    Command(
        "board",
        "opening",
        "a battle on the players' phones, as it goes on: pages for a browser, a link a side",
        "The save is only read; links and switch are kept beside it. Needs the extra qf-tui[board].\n"
        "Whoever has a link sees its pages, and so does whoever else listens on the network: what goes "
        "over a club's Wi-Fi is not encrypted.",
        SAVE,
        flag("--lan", "at the address of this computer on its network, which is named"),
        Argument("--host", "ADDRESS", "at another address of it (127.0.0.1: here alone)"),
        Argument("--port", "N", "left out: the same as before", type=int),
        Argument(
            "--switch",
            None,
            "what the links show: all at once, the own side, each phase as it ends",
            choices=("at-once", "own-side", "phase-end"),
        ),
        flag("--new-links", "makes other links; those given away before end"),
        flag("--under-console", argparse.SUPPRESS),
    ),
    Command(
        "run",
        "run",
        "orders from a file or a pipe, without a screen",
        "Exit status: 0 if no order was refused, 3 otherwise, 2 if it could not start.",
        Argument("battle", "SCENARIO-or-SAVE", f"{BATTLE}; a save is never written"),
        RULES,
        Argument("--orders", "FILE", "one order a line; -: standard input", default="-"),
        Argument("--save", "FILE", "keeps the battle in a new file; left out: nothing is kept"),
        Argument("--seed", "N", "missing dice are thrown, the same for the same seed", type=int),
        Argument("--words", "WORDS", 'for sealed dice: a word of each side, as "amber tiger"'),
        flag("--json", "one JSON object a line for each order, the battle last"),
    ),
    Command(
        "odds",
        "files",
        "the exact chances of an order",
        "Nothing is thrown.",
        ANY_BATTLE,
        RULES,
        Argument("order", "ORDER", "an order, as on the bar", nargs="+"),
    ),
    Command(
        "show",
        "look",
        "the log and the ships of a save",
        "",
        SAVE,
        flag("--json", "as one JSON object"),
    ),
    Command(
        "verify",
        "look",
        "a save's checksums, and every entry decided again by today's rules; or its sealed dice",
        "Exit status: 0 the same, but for rulings changed since and for words; 1 other differences, acts "
        "missing at its end, or dice that do not come out; 2 it cannot be read.",
        SAVE,
        flag("--dice", "its sealed dice: every throw, and what was done to throws"),
        Argument("--seed-file", "FILE", "with --dice: the seed, where the save does not reveal it yet"),
    ),
    Command(
        "branch",
        "look",
        "the first acts of a save as a save of its own",
        "The save itself is not touched.",
        SAVE,
        Argument("--at", "N", "the last act to copy; 0: none", type=int, required=True),
        Argument("--save", "FILE", "the new save; no file is overwritten", required=True),
    ),
    Command(
        "report",
        "retold",
        "a battle retold: its story, its losses, and how lucky each side was",
        "Without a switch as plain text. The save itself is not touched.",
        SAVE,
        (
            _kind("html", "one page, for a browser and for paper; it asks nothing of any network"),
            _kind("md", "Markdown, for a forum"),
            _kind("csv", "the throws alone, one a row, for a spreadsheet"),
            _kind("json", "one JSON object, for scripts"),
        ),
        Argument("--out", "FILE", "into a new file; its suffix says the kind where no switch does"),
        flag("--replace", "a file that is there is written over"),
        Argument("--worth", "FILE", "weights of what ships are worth; left out: your own worth.toml"),
        Argument("--under-board", None, argparse.SUPPRESS, nargs=2),
    ),
    Command(
        "court",
        "retold",
        "the same dice under other switches and chart cells",
        "Each switch at its other values, and the neighbours of each reconstructed cell that decided "
        "something. The save itself is not touched.",
        SAVE,
        Argument(
            "--option",
            "NAME=VALUE",
            "only this switch; without a value each other one; may be given again",
            action="append",
        ),
        Argument("--chart", "FILE", "only this chart of yours, over ours"),
        flag("--json", "one JSON object a line for each reading"),
        Argument("--branch", "FILE", "the one reading that is asked about, as a new save from the start"),
    ),
    Command(
        "simulate",
        "simulate",
        "a battle played out by its own rules, a thousand times",
        "Nobody is at the table: doctrines order, and ranges come from a script. Ctrl-C gives what is known.",
        Argument("battle", "SCENARIO-or-SAVE", f"{BATTLE}, from here on"),
        RULES,
        Argument("-n", "N", "battles of each pair of doctrines", dest="battles", type=int, default=1000),
        Argument("--within", "PERCENT", "stops as soon as wins and draws are known within this, as 3%%"),
        Argument("--doctrine", "A,B", "hold, close: each side by each that is named; left out: by all"),
        (
            Argument(
                "--jobs", "N", "processes; left out: one a processor", type=int, default=os.cpu_count() or 1
            ),
            Argument("--dask", "ADDRESS", "on a cluster, as tcp://host:8786"),
        ),
        Argument("--seed", "N", "the same battles for the same seed", default="1"),
        flag("--ships", "what each ship is good for: each left out in turn, so it takes long"),
        flag("--even", "what would make it even, draws half: one lever at a time; it takes long"),
        (
            flag("--json", "as one JSON object"),
            Argument("--html", "FILE", "one page, into a new file; it asks nothing of any network"),
        ),
    ),
    Command(
        "sheets",
        "opening",
        "log sheets of a battle as it stands, to be printed by a browser",
        "Behind the logs: the sides in brief, order of play, charts. The whole set, which is the umpire's, "
        "has the battle so far in codes, from which `rescue` makes a save.",
        ANY_BATTLE,
        RULES,
        Argument("--out", "FILE", "the page; no file is overwritten"),
        Argument("--side", "SIDE", "of one side alone, for its players"),
        Argument("--division", "DIVISION", "of one division alone"),
        flag("--single", "one ship a page, larger; else six"),
        flag("--letter", "on Letter paper; else A4"),
    ),
    Command(
        "rescue",
        "opening",
        "a save from the codes of the umpire's sheet",
        "In any order, doubled, with other lines between. Every entry is decided again. Exit status: 0 as "
        "printed, 1 some are decided otherwise, 2 codes are missing or damaged.",
        Argument("files", "FILE", "scanned codes, one a line or one a file; -: standard input", nargs="+"),
        Argument("--save", "FILE", "the new save; no file is overwritten"),
    ),
    Command(
        "check",
        "files",
        "what is wrong with fleets, scenarios, chart overlays and saves",
        "Exit status: 0 nothing (warnings do not count), 1 faults, 2 a file cannot be read.",
        Argument("files", "FILE", nargs="+"),
    ),
    Command(
        "scenarios",
        "files",
        "the scenarios at hand, your own first",
        "",
    ),
    Command(
        "fleets",
        "ships",
        "the fleets at hand, your own first; fleets from and into spreadsheets",
        "A file that is taken in has the keys of a fleet's ships for columns, as id and name; dotted ones "
        "of parts. All its faults are told at once, and then nothing is kept.",
        Argument("name", "FLEET", "for --csv; with --import its new name", nargs="?"),
        *_csv("the ships of the fleet", "a fleet"),
        Argument("--title", "TEXT", "with --import: the title of the fleet"),
    ),
    Command(
        "ships",
        "ships",
        "ships of all navies with their facts and sources",
        "One ship is told in full. --import puts the ships of a file among your own; all its faults are "
        "told at once, and then nothing is kept. Exit status: 0 found or kept, 1 none found.",
        Argument("words", "WORD", "the beginning of a name, navy, class or kind; a year", nargs="*"),
        flag("--json", "as a JSON list"),
        *_csv("the ships found", "the ships"),
        Argument("--navy", "NAVY", "of what navy the ships of the file are, if it is silent"),
    ),
    Command(
        "ship",
        "ships",
        "a ship of your own: her facts, and what each rule system makes of them",
        "Nothing is kept without --save. Exit status: 0 done, 1 facts are missing or wrong.",
        Argument("ship", "NAVY/NAME", "one that is known, or a new one", nargs="?"),
        Argument(
            "facts",
            "FACT=TEXT",
            "as heavy=4x12/40 kind=battleship; RULESET:VALUE=20 sets a value by hand",
            nargs="*",
        ),
        Argument("--like", "NAME", "copied from this ship; NAVY/NAME of another navy"),
        Argument(
            "--springsharp",
            "FILE",
            "from the text of a Springsharp report, version 2 or 3; -: standard input",
        ),
        Argument("--year", "YEAR", "the ship as she was then; left out: at last", type=int),
        Argument("--rules", "RULESET", "values of this rule system; left out: all"),
        flag("--save", "keeps her among your own ships"),
        flag("--delete", "takes her out of your own ships"),
        flag("--json", "as one JSON object"),
    ),
    Command(
        "ratings",
        "ships",
        "what the methods make of attested ships, and the odd ones",
        "",
        RULESET,
        flag("--json", "as one JSON object"),
    ),
    Command(
        "schema",
        "files",
        "a JSON Schema for editors",
        "A TOML file names it in its first line, as #:schema ./.schema/fleet.json.",
        Argument("kind", None, nargs="?", choices=("fleet", "scenario", "overlay")),
        Argument("ruleset", "RULESET", "a rule system; left out: all, or a fleet of none", nargs="?"),
        flag("--install", "puts all of them where the first lines of your files look"),
    ),
    Command(
        "settings",
        "files",
        "your settings of the console",
        "Their file is made, with every setting explained in it, if there is none yet.",
        Argument("name", "NAME", "one setting", nargs="?"),
        Argument("value", "VALUE", "what it is set to", nargs="?"),
    ),
    Command(
        "charts",
        "files",
        "the charts that come with the rules",
        "",
        RULESET,
    ),
    Command(
        "options",
        "files",
        "the switches of the rules",
        "",
        RULESET,
    ),
    Command(
        "rules",
        "files",
        "the clauses of the rules, or those that hold a word",
        "",
        Argument("words", "WORD", nargs="*"),
    ),
)
"""All commands, in the order of the help; each is a function of its module by its own name."""


class CommandParser(argparse.ArgumentParser):
    """A parser that repeats nothing of the arguments that a terminal would obey."""

    def __init__(self, **given: "Any") -> None:
        super().__init__(formatter_class=_Format, allow_abbrev=False, **given)

    def error(self, message: str) -> "NoReturn":
        super().error("".join(sign if sign.isprintable() else "�" for sign in message))


class ParserLater:
    """The parser of a command, made when it is given: to make them all takes longer than most commands."""

    def __init__(self, command: Command, **given: object) -> None:
        self._command, self._given = command, given
        self._parser: CommandParser | None = None

    def __getattr__(self, name: str) -> object:
        if self._parser is None:
            self._parser = _made(self._command, self._given)
        return getattr(self._parser, name)


def _made(command: Command, given: "dict[str, Any]") -> CommandParser:
    made = CommandParser(
        description=f"{command.text[0].upper()}{command.text[1:]}.\n{command.more}".strip(), **given
    )
    made.set_defaults(does=(command.module, command.name))
    for entry in command.arguments:
        if isinstance(entry, Argument):
            made.add_argument(entry.name, **entry.how)
            continue
        group = made.add_mutually_exclusive_group()
        for argument in entry:
            group.add_argument(argument.name, **argument.how)
    return made


def parser() -> argparse.ArgumentParser:
    """The parser; `does` of what it gives is the module and the function of the command."""
    made = CommandParser(
        prog="qf-tui",
        description="The umpire's console for pre-dreadnought naval miniatures.",
        epilog=EPILOG,
    )
    made.add_argument("--version", action="version", version=f"qf-tui {qf_tui.__version__}")
    made.set_defaults(does=("opening", "play"), battle=None, save=None, rules=None, copy_to=None)
    later: Any = ParserLater
    commands = made.add_subparsers(title="commands", metavar="COMMAND", parser_class=later)
    for command in COMMANDS:
        commands.add_parser(command.name, help=command.text, command=command)
    return made


class _Format(argparse.RawTextHelpFormatter):
    """Help of one width, as to measure the terminal costs more than all the rest."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=WIDTH)

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
