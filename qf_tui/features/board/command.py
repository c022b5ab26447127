"""The command `qf-tui board`, which serves a battle to the players' phones, and the lines that it prints.

The console starts the same command for its board, and reads JSON from it. The server is in `serving`.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress

from attrs import astuple, define

from qf_tui.cli import FAILED
from qf_tui.cli.opening import save_named
from qf_tui.cli.output import print_json, print_lines, warn
from qf_tui.core.errors import QfError
from qf_tui.document.text import lay_out_rows, measure_width
from qf_tui.features.board.addresses import ANYWHERE, HERE, PORT_MOST, Address, check_host
from qf_tui.features.board.hub import Hub
from qf_tui.features.board.process import ADDRESSES, FAULT
from qf_tui.features.board.serving import ServingOptions, serve
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.sealed_dice.qr import build_qr_rows, draw_qr_blocks
from qf_tui.library.processes import call_after
from qf_tui.library.settings import ASCII, load_settings

FORGEABLE = (
    "Anyone else on it can propose in a player's name, too: it is plain HTTP. What enters the battle you "
    "decide, in the console."
)
NO_NETWORK = "This computer is on no network. Join one, and the links are printed here."
WIDTH = 80
"""Cells of a line that no terminal breaks."""
READABLE = "Anyone else on this network can read it too: a club's Wi-Fi keeps no secrets."


def serve_board(arguments: Namespace) -> int:
    """Serve a battle to browsers until the board is stopped.

    Under the console, print the address or the fault as JSON, which the console reads.
    """
    if not arguments.under_console:
        _serve_with_options(arguments, Announcer())
        return 0
    try:
        # The console reads these lines to learn where the board is.
        _serve_with_options(
            arguments,
            lambda _, addresses: print_json({ADDRESSES: [astuple(address) for address in addresses]}),
        )
    except QfError as fault:
        print_json({FAULT: str(fault)})
        return FAILED
    return 0


def _serve_with_options(arguments: Namespace, announce: Callable[[Hub, tuple[Address, ...]], None]) -> None:
    """Check the options of the command line, and serve the battle.

    `announce` is called once the board can be reached, and when its addresses change.

    Raises:
        QfError: The options do not fit together, or the battle cannot be served.
    """
    if arguments.lan and arguments.host:
        raise QfError("--lan finds all addresses, --host names one: leave one of them out")
    if arguments.port is not None and not 0 <= arguments.port <= PORT_MOST:
        raise QfError(
            f"--port {arguments.port}: a port is a number from 0 to {PORT_MOST}; 0: any that is free"
        )
    save = save_named(arguments.battle)
    named_host = check_host(arguments.host) if arguments.host else HERE
    options = ServingOptions(
        save,
        host=ANYWHERE if arguments.lan else named_host,
        port=arguments.port,
        switch=BoardSwitch(arguments.switch) if arguments.switch else None,
        new_links=arguments.new_links,
        ends_with_input=arguments.under_console,
        propose=arguments.propose,
    )
    serve(options, announce)


@define
class Announcer:
    """The links of a board, printed when its addresses change, and for the next address at Enter."""

    _addresses: tuple[Address, ...] | None = None
    _at: int = 0

    def __call__(self, hub: Hub, addresses: tuple[Address, ...]) -> None:
        """Print the links at the first address; watch for Enter from the first call on."""
        is_first = self._addresses is None
        self._addresses, self._at = addresses, 0
        if not is_first:
            print_lines("", "The addresses of this computer have changed.")
        announce(hub, addresses)
        if is_first and is_typed():
            # The end of the input does not end the board.
            call_after(lambda: self._read_keys(hub), end=lambda: None)

    def _read_keys(self, hub: Hub) -> None:
        """Print the links at the next address each time that Enter is pressed."""
        with suppress(OSError, ValueError):
            # Read the descriptor: the buffer's lock would still be held while Python exits.
            while os.read(sys.stdin.fileno(), 1 << 10):
                self._at += 1
                announce(hub, self._addresses or (), self._at)


def is_typed() -> bool:
    """Return whether the standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def announce(hub: Hub, addresses: tuple[Address, ...], at: int = 0) -> None:
    """Print the board's addresses, and the links of all viewers and players at one address.

    On the network, print the link for all as a QR code too. `at` is the index of the address for the links;
    after the last index, the first address comes again.
    """
    battle = hub.follower.battle
    title = str(battle.table.get("title") or hub.follower.system.title)
    if not addresses:
        print_lines(f"{title}: the board is on.", NO_NETWORK)
        return
    address = addresses[at % len(addresses)]
    print_lines(f"{title}: board at {address.label}")
    if len(addresses) > 1:
        others = ", ".join(other.label for other in addresses if other != address)
        hint = ": Enter shows the next" if is_typed() else ""
        print_lines(f"It is also at {others}{hint}.")
    links = list_links(hub, address)
    print_lines("", *format_links(links), "")
    if address.host == HERE:
        print_lines("Only this computer can reach it. With --lan the players' phones can, too.")
    else:
        _print_qr_code(links[0][1])
        print_lines(READABLE, *([FORGEABLE] if hub.links.propose else ()))
    print_lines(f"Shown: {hub.links.switch}. The links stay valid until --new-links. Ctrl-C stops the board.")
    for notice in filter(None, (hub.follower.notice, hub.inbox.fault)):
        warn(notice)


def list_links(hub: Hub, address: Address) -> list[tuple[str, str]]:
    """List the links of all viewers, and of all players if they may propose, each with a name."""
    battle = hub.follower.battle
    sides = [("all", ALL), *((side.name, side.id) for side in battle.sides)]
    seats = hub.links.list_seats(battle) if hub.links.propose else ()
    return [
        *((name, address.format_link(hub.links.find_secret(viewer))) for name, viewer in sides),
        *(
            (f"{seat.name}, {battle.find_side_name(seat.side)}", address.format_link(seat.secret))
            for seat in seats
        ),
    ]


def format_links(links: Sequence[tuple[str, str]]) -> list[str]:
    """Format each link next to its name; if one is too long for that, all links below their names."""
    lines = lay_out_rows(links)
    if max(map(measure_width, lines)) > WIDTH - 2:
        lines = [line for name, link in links for line in (name, f"  {link}")]
    return [f"  {line}" for line in lines]


def _print_qr_code(link: str) -> None:
    """Print a link as a QR code, unless the standard output has only ASCII signs or lacks the blocks."""
    if sys.stdout is None or load_settings().signs == ASCII:
        return
    blocks = draw_qr_blocks(build_qr_rows(link))
    try:
        "".join(blocks).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return
    # White blocks on black, whatever the colours of the terminal.
    colours = ("\033[97;40m", "\033[0m") if sys.stdout.isatty() else ("", "")
    for line in blocks:
        print(f"  {line.join(colours)}")
    print_lines("  (the link for all)", "")
