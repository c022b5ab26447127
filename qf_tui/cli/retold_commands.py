"""The commands of what is made of a battle afterwards, on paper and on screens."""

import argparse
import os

from qf_tui.cli.command import BATTLE, Command, rules_argument


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
        "--within", metavar="PERCENT", help="stops as soon as who wins is known within this, as 3%%"
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
        help="which ships never matter: each left out in turn, so it takes long",
    )
    command.add_argument(
        "--even", action="store_true", help="what would make it even: one lever at a time; it takes long"
    )
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="as one JSON object")
    forms.add_argument(
        "--html", metavar="FILE", help="one page, into a new file; it asks nothing of any network"
    )


OF_BATTLES_RETOLD = (
    Command(
        "report",
        "report:report",
        "a battle retold: its story, its losses, and how lucky each side was",
        "Without a switch as plain text. The save itself is not touched.",
        arguments=_report,
    ),
    Command(
        "court",
        "court:court",
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
        "sheets:sheets",
        "log sheets of a battle as it stands, to be printed by a browser",
        "Behind the logs: the sides in brief, order of play, charts. The whole set, which is the umpire's, "
        "has the battle so far in codes, from which `rescue` makes a save.",
        arguments=_sheets,
    ),
    Command(
        "rescue",
        "rescue:rescue",
        "a save from the codes of the umpire's sheet",
        "In any order, doubled, with other lines between. Every entry is decided again. "
        "Exit status: 0 as printed, 1 some are decided otherwise, 2 codes are missing or damaged.",
        arguments=_rescue,
    ),
)
