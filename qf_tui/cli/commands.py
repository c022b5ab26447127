"""The commands of what people write: ships, fleets, scenarios, settings; and of the rules."""

import argparse
import os

import qf_tui
from qf_tui.cli.entry import BATTLE, Command, CommandParser, ParserLater, help_format, rules_argument

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from typing import Any


def _play(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", nargs="?", metavar="SCENARIO-or-SAVE", help=BATTLE)
    rules_argument(command)
    command.add_argument("--save", metavar="FILE", help="where a new battle is saved; no file is overwritten")
    command.add_argument("--copy-to", metavar="FOLDER", help="a second copy of the save, entry by entry")


def _watch(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SAVE")
    command.add_argument(
        "--large", action="store_true", help="begins with the page in large letters, for a television"
    )


def _board(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SAVE")
    command.add_argument(
        "--lan", action="store_true", help="at the address of this computer on its network, which is named"
    )
    command.add_argument("--host", metavar="ADDRESS", help="at another address of it (127.0.0.1: here alone)")
    command.add_argument("--port", metavar="N", type=int, help="left out: the same as before")
    command.add_argument(
        "--switch",
        choices=("at-once", "own-side", "phase-end"),
        help="what the links show: all at once, the own side, each phase as it ends",
    )
    command.add_argument(
        "--new-links", action="store_true", help="makes other links; those given away before end"
    )
    command.add_argument("--under-console", action="store_true", help=argparse.SUPPRESS)


def _run(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SCENARIO-or-SAVE", help=f"{BATTLE}; a save is never written")
    rules_argument(command)
    command.add_argument("--orders", metavar="FILE", default="-", help="one order a line; -: standard input")
    command.add_argument(
        "--save", metavar="FILE", help="keeps the battle in a new file; left out: nothing is kept"
    )
    command.add_argument(
        "--seed", metavar="N", type=int, help="missing dice are thrown, the same for the same seed"
    )
    command.add_argument(
        "--words", metavar="WORDS", help='for sealed dice: a word of each side, as "amber tiger"'
    )
    command.add_argument(
        "--json", action="store_true", help="one JSON object a line for each order, the battle last"
    )


def _odds(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SCENARIO-or-SAVE", help=BATTLE)
    rules_argument(command)
    command.add_argument("order", nargs="+", metavar="ORDER", help="an order, as on the bar")


def _show(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SAVE")
    command.add_argument("--json", action="store_true", help="as one JSON object")


def _verify(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SAVE")
    command.add_argument(
        "--dice", action="store_true", help="its sealed dice: every throw, and what was done to throws"
    )
    command.add_argument(
        "--seed-file", metavar="FILE", help="with --dice: the seed, where the save does not reveal it yet"
    )


def _branch(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SAVE")
    command.add_argument("--at", metavar="N", type=int, required=True, help="the last act to copy; 0: none")
    command.add_argument("--save", metavar="FILE", required=True, help="the new save; no file is overwritten")


OF_BATTLES = (
    Command(
        "play",
        "opening:play",
        "the console",
        "A scenario begins a battle, saved in your own folder unless --save says where; a save goes on.",
        arguments=_play,
    ),
    Command(
        "sample",
        "opening:sample",
        "a copy of the sample battle",
        "Without a terminal its log and its ships are printed.",
    ),
    Command(
        "watch",
        "opening:watch",
        "a battle that another console writes, as it goes on",
        "For a television or a second screen: nothing can be entered, and the save is only read.",
        arguments=_watch,
    ),
    Command(
        "board",
        "board:board",
        "a battle on the players' phones, as it goes on: pages for a browser, a link a side",
        "The save is only read; links and switch are kept beside it. Needs the extra qf-tui[board].\n"
        "Whoever has a link sees its pages, and so does whoever else listens on the network: what goes over "
        "a club's Wi-Fi is not encrypted.",
        arguments=_board,
    ),
    Command(
        "run",
        "run:run",
        "orders from a file or a pipe, without a screen",
        "Exit status: 0 if no order was refused, 3 otherwise, 2 if it could not start.",
        arguments=_run,
    ),
    Command("odds", "reference:odds", "the exact chances of an order", "Nothing is thrown.", arguments=_odds),
    Command("show", "look:show", "the log and the ships of a save", arguments=_show),
    Command(
        "verify",
        "look:verify",
        "a save's checksums, and every entry decided again by today's rules; or its sealed dice",
        "Exit status: 0 the same, but for rulings changed since and for words; 1 other differences, acts "
        "missing at its end, or dice that do not come out; 2 it cannot be read.",
        arguments=_verify,
    ),
    Command(
        "branch",
        "look:branch",
        "the first acts of a save as a save of its own",
        "The save itself is not touched.",
        arguments=_branch,
    ),
)


def _report(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SAVE")
    kinds = command.add_mutually_exclusive_group()
    for kind, text in (
        ("html", "one page, for a browser and for paper; it asks nothing of any network"),
        ("md", "Markdown, for a forum"),
        ("csv", "the throws alone, one a row, for a spreadsheet"),
        ("json", "one JSON object, for scripts"),
    ):
        kinds.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind, help=text)
    command.add_argument(
        "--out", metavar="FILE", help="into a new file; its suffix says the kind where no switch does"
    )
    command.add_argument("--replace", action="store_true", help="a file that is there is written over")
    command.add_argument(
        "--worth", metavar="FILE", help="weights of what ships are worth; left out: your own worth.toml"
    )
    command.add_argument("--under-board", nargs=2, help=argparse.SUPPRESS)


def _court(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SAVE")
    command.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        help="only this switch; without a value each other one; may be given again",
    )
    command.add_argument("--chart", metavar="FILE", help="only this chart of yours, over ours")
    command.add_argument("--json", action="store_true", help="one JSON object a line for each reading")
    command.add_argument(
        "--branch", metavar="FILE", help="the one reading that is asked about, as a new save from the start"
    )


def _sheets(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SCENARIO-or-SAVE", help=BATTLE)
    rules_argument(command)
    command.add_argument("--out", metavar="FILE", help="the page; no file is overwritten")
    command.add_argument("--side", metavar="SIDE", help="of one side alone, for its players")
    command.add_argument("--division", metavar="DIVISION", help="of one division alone")
    command.add_argument("--single", action="store_true", help="one ship a page, larger; else six")
    command.add_argument("--letter", action="store_true", help="on Letter paper; else A4")


def _rescue(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="scanned codes, one a line or one a file; -: standard input"
    )
    command.add_argument("--save", metavar="FILE", help="the new save; no file is overwritten")


def _simulate(command: argparse.ArgumentParser) -> None:
    command.add_argument("battle", metavar="SCENARIO-or-SAVE", help=f"{BATTLE}, from here on")
    rules_argument(command)
    command.add_argument(
        "-n", dest="battles", metavar="N", type=int, default=1000, help="battles of each pair of doctrines"
    )
    command.add_argument(
        "--within", metavar="PERCENT", help="stops as soon as wins and draws are known within this, as 3%%"
    )
    command.add_argument(
        "--doctrine", metavar="A,B", help="hold, close: each side by each that is named; left out: by all"
    )
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="processes; left out: one a processor",
    )
    where.add_argument("--dask", metavar="ADDRESS", help="on a cluster, as tcp://host:8786")
    command.add_argument("--seed", metavar="N", default="1", help="the same battles for the same seed")
    command.add_argument(
        "--ships",
        action="store_true",
        help="what each ship is good for: each left out in turn, so it takes long",
    )
    command.add_argument(
        "--even",
        action="store_true",
        help="what would make it even, draws half: one lever at a time; it takes long",
    )
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="as one JSON object")
    forms.add_argument(
        "--html", metavar="FILE", help="one page, into a new file; it asks nothing of any network"
    )


OF_BATTLES_RETOLD = (
    Command(
        "report",
        "retold:report",
        "a battle retold: its story, its losses, and how lucky each side was",
        "Without a switch as plain text. The save itself is not touched.",
        arguments=_report,
    ),
    Command(
        "court",
        "retold:court",
        "the same dice under other switches and chart cells",
        "Each switch at its other values, and the neighbours of each reconstructed cell that decided "
        "something. The save itself is not touched.",
        arguments=_court,
    ),
    Command(
        "simulate",
        "simulate:simulate",
        "a battle played out by its own rules, a thousand times",
        "Nobody is at the table: doctrines order, and ranges come from a script. Ctrl-C gives what is known.",
        arguments=_simulate,
    ),
    Command(
        "sheets",
        "paper:sheets",
        "log sheets of a battle as it stands, to be printed by a browser",
        "Behind the logs: the sides in brief, order of play, charts. The whole set, which is the umpire's, "
        "has the battle so far in codes, from which `rescue` makes a save.",
        arguments=_sheets,
    ),
    Command(
        "rescue",
        "paper:rescue",
        "a save from the codes of the umpire's sheet",
        "In any order, doubled, with other lines between. Every entry is decided again. "
        "Exit status: 0 as printed, 1 some are decided otherwise, 2 codes are missing or damaged.",
        arguments=_rescue,
    ),
)


def _schema(command: argparse.ArgumentParser) -> None:
    command.add_argument("kind", nargs="?", choices=("fleet", "scenario", "overlay"))
    command.add_argument(
        "ruleset", nargs="?", metavar="RULESET", help="a rule system; left out: all, or a fleet of none"
    )
    command.add_argument(
        "--install", action="store_true", help="puts all of them where the first lines of your files look"
    )


def _ships(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "words", nargs="*", metavar="WORD", help="the beginning of a name, navy, class or kind; a year"
    )
    command.add_argument("--json", action="store_true", help="as a JSON list")
    _csv(command, "the ships found", "the ships")
    command.add_argument(
        "--navy", metavar="NAVY", help="of what navy the ships of the file are, if it is silent"
    )


def _fleets(command: argparse.ArgumentParser) -> None:
    command.set_defaults(kind="fleets")
    command.add_argument("name", nargs="?", metavar="FLEET", help="for --csv; with --import its new name")
    _csv(command, "the ships of the fleet", "a fleet")
    command.add_argument("--title", metavar="TEXT", help="with --import: the title of the fleet")


def _csv(command: argparse.ArgumentParser, out: str, taken: str) -> None:
    command.add_argument("--csv", action="store_true", help=f"{out} as CSV, for a spreadsheet")
    command.add_argument("--rules", metavar="RULESET", help="values of this rule system, not facts")
    command.add_argument("--out", metavar="FILE", help="with --csv: into a new file")
    command.add_argument(
        "--import", dest="taken", metavar="FILE", help=f"takes in {taken} of a CSV file; -: standard input"
    )
    command.add_argument("--replace", action="store_true", help="what is there already is written over")


def _ship(command: argparse.ArgumentParser) -> None:
    command.add_argument("ship", nargs="?", metavar="NAVY/NAME", help="one that is known, or a new one")
    command.add_argument(
        "facts",
        nargs="*",
        metavar="FACT=TEXT",
        help="as heavy=4x12/40 kind=battleship; RULESET:VALUE=20 sets a value by hand",
    )
    command.add_argument("--like", metavar="NAME", help="copied from this ship; NAVY/NAME of another navy")
    command.add_argument(
        "--springsharp",
        metavar="FILE",
        help="from the text of a Springsharp report, version 2 or 3; -: standard input",
    )
    command.add_argument(
        "--year", metavar="YEAR", type=int, help="the ship as she was then; left out: at last"
    )
    command.add_argument("--rules", metavar="RULESET", help="values of this rule system; left out: all")
    command.add_argument("--save", action="store_true", help="keeps her among your own ships")
    command.add_argument("--delete", action="store_true", help="takes her out of your own ships")
    command.add_argument("--json", action="store_true", help="as one JSON object")


def _ratings(command: argparse.ArgumentParser) -> None:
    _ruleset(command)
    command.add_argument("--json", action="store_true", help="as one JSON object")


def _settings(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", metavar="NAME", help="one setting")
    command.add_argument("value", nargs="?", metavar="VALUE", help="what it is set to")


def _ruleset(command: argparse.ArgumentParser) -> None:
    command.add_argument("ruleset", nargs="?", metavar="RULESET", help="a rule system; left out: all")


OF_THE_LIBRARY = (
    Command(
        "check",
        "files:check",
        "what is wrong with fleets, scenarios, chart overlays and saves",
        "Exit status: 0 nothing (warnings do not count), 1 faults, 2 a file cannot be read.",
        arguments=lambda command: command.add_argument("files", nargs="+", metavar="FILE"),
    ),
    Command(
        "scenarios",
        "files:shelf",
        "the scenarios at hand, your own first",
        arguments=lambda command: command.set_defaults(kind="scenarios"),
    ),
    Command(
        "fleets",
        "files:fleets",
        "the fleets at hand, your own first; fleets from and into spreadsheets",
        "A file that is taken in has the keys of a fleet's ships for columns, as id and name; dotted ones of "
        "parts. All its faults are told at once, and then nothing is kept.",
        arguments=_fleets,
    ),
    Command(
        "ships",
        "ships:ships",
        "ships of all navies with their facts and sources",
        "One ship is told in full. --import puts the ships of a file among your own; all its faults are told "
        "at once, and then nothing is kept. Exit status: 0 found or kept, 1 none found.",
        arguments=_ships,
    ),
    Command(
        "ship",
        "ships:ship",
        "a ship of your own: her facts, and what each rule system makes of them",
        "Nothing is kept without --save. Exit status: 0 done, 1 facts are missing or wrong.",
        arguments=_ship,
    ),
    Command(
        "ratings",
        "reference:ratings",
        "what the methods make of attested ships, and the odd ones",
        arguments=_ratings,
    ),
    Command(
        "schema",
        "files:schema",
        "a JSON Schema for editors",
        "A TOML file names it in its first line, as #:schema ./.schema/fleet.json.",
        arguments=_schema,
    ),
    Command(
        "settings",
        "files:settings",
        "your settings of the console",
        "Their file is made, with every setting explained in it, if there is none yet.",
        arguments=_settings,
    ),
    Command("charts", "reference:charts", "the charts that come with the rules", arguments=_ruleset),
    Command("options", "reference:options", "the switches of the rules", arguments=_ruleset),
    Command(
        "rules",
        "reference:rules",
        "the clauses of the rules, or those that hold a word",
        arguments=lambda command: command.add_argument("words", nargs="*", metavar="WORD"),
    ),
)


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
    made.set_defaults(does="opening:play", battle=None, save=None, rules=None, copy_to=None)
    later: Any = ParserLater
    commands = made.add_subparsers(title="commands", metavar="COMMAND", parser_class=later)
    for one in COMMANDS:
        commands.add_parser(one.name, help=one.text, command=one)
    return made


COMMANDS = (*OF_BATTLES, *OF_BATTLES_RETOLD, *OF_THE_LIBRARY)
"""All commands, in the order of the help."""
