"""The board's server process, started and stopped by the console.

A thread reads what the process reports: its addresses, and the reason why it ended.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import starmap
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

from qf_tui.features.board.addresses import Address
from qf_tui.operating_systems import WINDOWS

ENDS_S = 3.0
"""Seconds that the process gets to end by itself before it is killed."""
RESTART_PAUSE_S = 60.0
"""Least number of seconds between two automatic restarts."""
FAULT, ADDRESSES = "fault", "addresses"
"""Keys of what the process reports: why it could not start or continue, and its addresses at each change."""
NO_WORD = "the board stopped and gave no reason; `qf-tui board` in another terminal may show more"


class BoardProcess:
    """The server process of a save's board, running or not.

    Attributes:
        save: Path of the save.
        lan: True if the board serves all networks of this computer, False if it serves this computer only.
        fault: Reason why it could not start or continue, or "".
    """

    def __init__(self, save: Path, program: tuple[str, ...] = (sys.executable, "-m", "qf_tui")) -> None:
        self.save, self._program = save, program
        self.lan = False
        self._process: subprocess.Popen[bytes] | None = None
        # None until the process has reported addresses.
        self._addresses: tuple[Address, ...] | None = None
        # The addresses that the umpire has seen last.
        self._seen_addresses: tuple[Address, ...] | None = None
        self._chosen_address: Address | None = None
        self._fault = ""
        # The first restart needs no pause.
        self._last_restart = -RESTART_PAUSE_S

    @property
    def running(self) -> bool:
        """True if the process exists, even before its address is known."""
        return self._process is not None and self._process.poll() is None

    @property
    def addresses(self) -> tuple[Address, ...] | None:
        """The addresses of the board, first the one that phones most likely reach.

        The value is None if the board does not run or has not reported them, () if it is on no network.
        """
        return self._addresses if self.running else None

    @property
    def address(self) -> Address | None:
        """The address that links are shown with, or None if there is none."""
        return self._find_shown_address(self.addresses or ())

    def _find_shown_address(self, addresses: Sequence[Address]) -> Address | None:
        """Return the address to show: the umpire's choice, or another of its card, or the first, if any."""
        chosen_address = self._chosen_address
        if chosen_address in addresses:
            return chosen_address
        of_its_card = [
            address for address in addresses if chosen_address and address.card == chosen_address.card
        ]
        return next(iter(of_its_card or addresses), None)

    def list_other_addresses(self) -> tuple[Address, ...]:
        """List the addresses that are not shown, in the order in which `show_next_address` shows them."""
        addresses = self.addresses or ()
        shown_address = self._find_shown_address(addresses)
        at = addresses.index(shown_address) if shown_address is not None else 0
        return (*addresses[at + 1 :], *addresses[:at])

    def show_next_address(self) -> None:
        """Show links with the next address; after the last comes the first."""
        self._chosen_address = next(iter(self.list_other_addresses()), self._chosen_address)

    @property
    def address_change(self) -> str:
        """The change of the addresses since the umpire last saw them, in words, or ""."""
        seen_addresses, present_addresses = self._seen_addresses, self.addresses
        if seen_addresses is None or present_addresses is None:
            return ""
        shown_address = self._find_shown_address(present_addresses)
        lost_hosts = ", ".join(address.host for address in seen_addresses if address not in present_addresses)
        if shown_address is None:
            return "this computer is on no network: phones cannot reach the board" if lost_hosts else ""
        if shown_address != self._find_shown_address(seen_addresses):
            lost_text = f", no longer at {lost_hosts}" if lost_hosts else ""
            return f"the board is now at {shown_address.label}{lost_text}"
        return f"the board is no longer at {lost_hosts}" if lost_hosts else ""

    def mark_seen(self) -> None:
        """Record that the umpire has seen the present addresses."""
        self._seen_addresses = self.addresses

    @property
    def fault(self) -> str:
        """The reason why the process could not start or has ended, or "" while it runs or after `stop`."""
        return "" if self.running else self._fault

    def start(self) -> None:
        """Start the process; stop it first if it runs. A failure to start is kept in `fault`."""
        self.stop()
        network_option = ("--lan",) if self.lan else ()
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [*self._program, "board", str(self.save), "--under-console", *network_option],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=not WINDOWS,
            )
        except OSError as fault:
            self._fault = f"the board could not be started: {fault.strerror or fault}"
            return
        Thread(target=self._listen, args=(self._process,), daemon=True).start()

    def restart_if_ended(self) -> bool:
        """Start the process again if it ended unexpectedly, at most once in `RESTART_PAUSE_S` seconds.

        A process that never reported an address is not started again.

        Returns:
            True if the process was started.
        """
        if self.running or self._addresses is None or monotonic() - self._last_restart < RESTART_PAUSE_S:
            return False
        self._last_restart = monotonic()
        # `start` forgets the seen addresses, but the umpire must be warned if they change.
        seen_addresses = self._seen_addresses
        self.start()
        self._seen_addresses = seen_addresses
        return True

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        """Read the addresses that the process reports until it ends, then its fault.

        A process that has been replaced changes nothing.
        """
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stdout, process.stderr:
            fault = ""
            for line in process.stdout:
                message = _parse_message(line)
                fault = str(message.get(FAULT, fault))
                if ADDRESSES in message and process is self._process:
                    self._addresses = tuple(starmap(Address, message[ADDRESSES]))
                    # The umpire is warned only of later addresses.
                    if self._seen_addresses is None:
                        self._seen_addresses = self._addresses
            error_output = process.stderr.read().decode("utf-8", "replace").strip()
        if process is self._process:
            self._fault = fault or error_output or NO_WORD

    def stop(self) -> None:
        """Stop the process if it runs; viewers lose their connection. Do not wait for its end."""
        process, self._process = self._process, None
        self._fault = ""
        self._addresses = self._seen_addresses = None
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        Thread(target=_end_process, args=(process,), daemon=True).start()


def _parse_message(line: bytes) -> Mapping[str, Any]:
    """Parse a line that the process wrote for the console; return no values if it is not a JSON object."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _end_process(process: "subprocess.Popen[bytes]") -> None:
    """Wait `ENDS_S` seconds for a process to end, then kill it."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDS_S)
    process.kill()
    process.wait()
