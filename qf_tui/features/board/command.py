"""The command `qf-tui board`, which serves a battle to the players' phones."""

import sys
from argparse import Namespace
from collections.abc import Callable

from qf_tui.cli import FAILED
from qf_tui.cli.opening import save_named
from qf_tui.cli.output import print_json, print_lines, warn
from qf_tui.core.errors import QfError
from qf_tui.features.board.hub import Hub
from qf_tui.features.board.links import HERE, PORT_MOST, Address, check_host
from qf_tui.features.board.process import FAULT
from qf_tui.features.board.serving import ServingOptions, serve
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.sealed_dice.qr import build_qr_rows, draw_qr_blocks

FORGEABLE = (
    "Anyone else on it can propose in a player's name, too: it is plain HTTP. What enters the battle you "
    "decide, in the console."
)
READABLE = "Anyone else on this network can read it too: a club's Wi-Fi keeps no secrets."


def serve_board(arguments: Namespace) -> int:
    """Serve a battle to browsers until the board is stopped.

    Under the console, print the address or the fault as JSON, which the console reads.
    """
    if not arguments.under_console:
        _serve_with_options(arguments, announce)
        return 0
    try:
        # The console reads this line to learn the address of the board.
        _serve_with_options(
            arguments, lambda _, address: print_json({"host": address.host, "port": address.port})
        )
    except QfError as fault:
        print_json({FAULT: str(fault)})
        return FAILED
    return 0


def _serve_with_options(arguments: Namespace, announce_address: Callable[[Hub, Address], None]) -> None:
    """Check the options of the command line, and serve the battle.

    Args:
        arguments: Arguments of the command line.
        announce_address: Called once the board can be reached.

    Raises:
        QfError: The options do not fit together, or the battle cannot be served.
    """
    if arguments.lan and arguments.host:
        raise QfError("--lan finds the address, --host names it: leave one of them out")
    if arguments.port is not None and not 0 <= arguments.port <= PORT_MOST:
        raise QfError(
            f"--port {arguments.port}: a port is a number from 0 to {PORT_MOST}; 0: any that is free"
        )
    options = ServingOptions(
        save_named(arguments.battle),
        check_host(arguments.host) if arguments.host else HERE,
        arguments.lan,
        arguments.port,
        BoardSwitch(arguments.switch) if arguments.switch else None,
        arguments.new_links,
        arguments.under_console,
        arguments.propose,
    )
    serve(options, announce_address)


def announce(hub: Hub, address: Address) -> None:
    """Print the board's address and the links of all viewers and players.

    On the network, print the link for all as a QR code too.
    """
    battle = hub.follower.battle
    title = str(battle.table.get("title") or hub.follower.system.title)
    sides = [(side.id, side.name) for side in battle.sides]
    links = [
        (name, address.format_link(hub.links.find_secret(viewer))) for viewer, name in ((ALL, "all"), *sides)
    ]
    seats = hub.links.list_seats(battle) if hub.links.propose else ()
    links += [
        (f"{seat.name}, {battle.find_side_name(seat.side)}", address.format_link(seat.secret))
        for seat in seats
    ]
    name_width = max(len(name) for name, _ in links)
    print_lines(f"{title}: board at {address.name}", "")
    print_lines(*(f"  {name:<{name_width}}  {link}" for name, link in links), "")
    if address.host == HERE:
        print_lines("Only this computer can reach it. With --lan the players' phones can, too.")
    else:
        colours = ("\033[97;40m", "\033[0m") if sys.stdout is not None and sys.stdout.isatty() else ("", "")
        for line in draw_qr_blocks(build_qr_rows(links[0][1])):
            print(f"  {line.join(colours)}")
        print_lines("  (the link for all)", "")
        print_lines(READABLE, *([FORGEABLE] if seats else ()))
    print_lines(f"Shown: {hub.links.switch}. The links stay valid until --new-links. Ctrl-C stops the board.")
    for notice in filter(None, (hub.follower.notice, hub.inbox.fault)):
        warn(notice)
