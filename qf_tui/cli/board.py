"""A board for the players: served until Ctrl-C, with a link a side."""

import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from qf_tui.board.links import HERE, PORT_MOST, Address, checked_host
from qf_tui.board.process import FAULT
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.cli import FAILED
from qf_tui.cli.opening import save_named
from qf_tui.cli.output import say, say_json, warn
from qf_tui.core.errors import QfError
from qf_tui.session.dice import qr_blocks, qr_rows

if TYPE_CHECKING:
    from qf_tui.board.hub import Hub

INSTALL = "the board needs a few small libraries: pip install 'qf-tui[board]'"
"""The line that installs what a board needs."""
READABLE = "Whoever else is on this network can read along: a club's Wi-Fi keeps no secrets."


def board(arguments: Namespace) -> int:
    """Serves a battle for browsers until it is stopped."""
    if not arguments.under_console:
        _serve(arguments, announce)
        return 0
    try:
        _serve(arguments, _tell_console)
    except QfError as fault:
        say_json({FAULT: str(fault)})
        return FAILED
    return 0


def _serve(arguments: Namespace, ready: "Callable[[Hub, Address], None]") -> None:
    try:
        from qf_tui.board.serving import ServingOptions, serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("qf_tui"):
            raise
        raise QfError(INSTALL) from None
    if arguments.lan and arguments.host:
        raise QfError("--lan finds the address, --host names it: leave one of them out")
    if arguments.port is not None and not 0 <= arguments.port <= PORT_MOST:
        raise QfError(
            f"--port {arguments.port}: a port is a number from 0 to {PORT_MOST}; 0: any that is free"
        )
    wanted = ServingOptions(
        save_named(arguments.battle),
        checked_host(arguments.host) if arguments.host else HERE,
        arguments.lan,
        arguments.port,
        BoardSwitch(arguments.switch) if arguments.switch else None,
        arguments.new_links,
        arguments.under_console,
    )
    serve(wanted, ready)


def _tell_console(hub: "Hub", address: Address) -> None:
    """One line that the console reads: where the board is."""
    say_json({"host": address.host, "port": address.port})


def announce(hub: "Hub", address: Address) -> None:
    """Says where the board is, and shows the link of each viewer."""
    battle = hub.follower.battle
    title = str(battle.table.get("title") or hub.follower.system.title)
    sides = [(side.id, side.name) for side in battle.sides]
    links = [(name, address.link(hub.links.secret(viewer))) for viewer, name in ((ALL, "all"), *sides)]
    wide = max(len(name) for name, _ in links)
    say(f"{title}: the board, at {address.name}", "")
    say(*(f"  {name:<{wide}}  {link}" for name, link in links), "")
    if address.host == HERE:
        say("Only this computer reaches it. --lan takes the address that the players' phones reach.")
    else:
        _say_code(links[0][1])
        say(READABLE)
    say(f"Shown: {hub.links.switch}. The links stay good until --new-links. Ctrl-C ends the board.")
    if hub.follower.notice:
        warn(hub.follower.notice)


def _say_code(link: str) -> None:
    lines = qr_blocks(qr_rows(link))
    if lines:
        colours = ("\033[97;40m", "\033[0m") if sys.stdout is not None and sys.stdout.isatty() else ("", "")
        for line in lines:
            print(f"  {line.join(colours)}")
        say("  (the link for all)", "")
