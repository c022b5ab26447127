"""The commands of a battle that is played: begun, gone on with, watched, looked at, copied."""

import argparse

from qf_tui.cli.command import BATTLE, Command, rules_argument


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
        "play:play",
        "the console",
        "A scenario begins a battle, saved in your own folder unless --save says where; a save goes on.",
        arguments=_play,
    ),
    Command(
        "sample",
        "play:sample",
        "a copy of the sample battle",
        "Without a terminal its log and its ships are printed.",
    ),
    Command(
        "watch",
        "play:watch",
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
    Command("odds", "odds:odds", "the exact chances of an order", "Nothing is thrown.", arguments=_odds),
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
