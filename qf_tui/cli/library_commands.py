"""The commands of what people write: ships, fleets, scenarios, settings; and of the rules."""

import argparse

from qf_tui.cli.command import Command


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
        "fleets:fleets",
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
        "ship:ship",
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
        "settings:settings",
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
