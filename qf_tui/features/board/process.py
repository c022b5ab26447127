"""A board in a process of its own, started and stopped by the console."""

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
"""Seconds that a board has to end by itself."""
REST_S = 60.0
"""Seconds between two times that a board is started again by itself."""
FAULT = "fault"
"""The name under which a board says why it could not start or go on."""
NO_WORD = "the board stopped without saying why; `qf-tui board` in another terminal may say more"


class BoardProcess:
    """The board of a save, running or not.

    `address` is where it is reached, None while it is not. `fault` says why it could not start or go on, ""
    if nothing is wrong. `lan`: it is, or is to be started, for the network that this computer is on, else for
    this computer alone.
    """

    def __init__(self, save: Path, program: tuple[str, ...] = (sys.executable, "-m", "qf_tui")) -> None:
        self.save, self._program = save, program
        self.lan = False
        self._process: subprocess.Popen[bytes] | None = None
        self._address: Address | None = None
        self._fault = ""
        self._revived = -REST_S

    @property
    def running(self) -> bool:
        """Whether it is there, or about to be."""
        return self._process is not None and self._process.poll() is None

    @property
    def address(self) -> Address | None:
        return self._address if self.running else None

    @property
    def fault(self) -> str:
        return "" if self.running else self._fault

    def start(self) -> None:
        """Starts it, anew if it runs."""
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

    def revive(self) -> bool:
        """Starts it again if it could be reached and has ended unasked, once in `REST_S`; whether it does."""
        if self.running or self._address is None or monotonic() - self._revived < REST_S:
            return False
        self._revived = monotonic()
        self.start()
        return True

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        """Hears where it is; when it has ended, why."""
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stdout, process.stderr:
            begun = _message(process.stdout.readline())
            with suppress(ValueError, KeyError, TypeError):
                address = Address(str(begun["host"]), int(str(begun["port"])))
                if process is self._process:
                    self._address = address
            stray = process.stderr.read().decode("utf-8", "replace").strip()
            ended = {**begun, **_message(process.stdout.read())}
        if process is self._process:
            self._fault = str(ended.get(FAULT) or stray or NO_WORD)

    def stop(self) -> None:
        """Ends it, if it runs; whoever looks on loses the battle."""
        process, self._process, self._address, self._fault = self._process, None, None, ""
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        Thread(target=_end, args=(process,), daemon=True).start()


def _message(line: bytes) -> Mapping[str, object]:
    """A line of the board to the console: names and values; none where it says something else."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDS_S)
    process.kill()
    process.wait()
