"""The board's server process, started and stopped by the console."""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic

from qf_tui.features.board.links import Address
from qf_tui.operating_systems import WINDOWS

ENDS_S = 3.0
"""Seconds that the process gets to end by itself before it is killed."""
RESTART_PAUSE_S = 60.0
"""Least number of seconds between two automatic restarts."""
FAULT = "fault"
"""Key under which the process reports why it could not start or continue."""
NO_WORD = "the board stopped and gave no reason; `qf-tui board` in another terminal may show more"


class BoardProcess:
    """The server process of a save's board, running or not.

    Attributes:
        save: Path of the save.
        lan: True if the board serves the local network, False if it serves this computer only.
        address: Address of the board, or None while it cannot be reached.
        fault: Reason why it could not start or continue, or "".
    """

    def __init__(self, save: Path, program: tuple[str, ...] = (sys.executable, "-m", "qf_tui")) -> None:
        self.save, self._program = save, program
        self.lan = False
        self._process: subprocess.Popen[bytes] | None = None
        self._address: Address | None = None
        self._fault = ""
        # The first restart needs no pause.
        self._last_restart = -RESTART_PAUSE_S

    @property
    def running(self) -> bool:
        """True if the process exists, even before its address is known."""
        return self._process is not None and self._process.poll() is None

    @property
    def address(self) -> Address | None:
        """The address of the board, or None while it cannot be reached."""
        return self._address if self.running else None

    @property
    def fault(self) -> str:
        """The reason why the process could not start or has ended, or "" while it runs or after `stop`."""
        return "" if self.running else self._fault

    def start(self) -> None:
        """Start the process; stop it first if it runs."""
        self.stop()
        where = ("--lan",) if self.lan else ()
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [*self._program, "board", str(self.save), "--under-console", *where],
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
        if self.running or self._address is None or monotonic() - self._last_restart < RESTART_PAUSE_S:
            return False
        self._last_restart = monotonic()
        self.start()
        return True

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        """Read the address that the process reports, and wait for its end to read its fault.

        A process that has been replaced changes nothing.
        """
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stdout, process.stderr:
            first_message = _parse_message(process.stdout.readline())
            with suppress(ValueError, KeyError, TypeError):
                address = Address(str(first_message["host"]), int(str(first_message["port"])))
                if process is self._process:
                    self._address = address
            error_output = process.stderr.read().decode("utf-8", "replace").strip()
            messages = {**first_message, **_parse_message(process.stdout.read())}
        if process is self._process:
            self._fault = str(messages.get(FAULT) or error_output or NO_WORD)

    def stop(self) -> None:
        """Stop the process if it runs; viewers lose their connection. Do not wait for its end."""
        process, self._process, self._address, self._fault = self._process, None, None, ""
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        Thread(target=_end_process, args=(process,), daemon=True).start()


def _parse_message(line: bytes) -> Mapping[str, object]:
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
