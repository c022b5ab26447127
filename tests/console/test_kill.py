"""The console in a terminal of its own: killed at any moment it loses nothing that it showed as recorded."""

import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from shlex import quote

import pytest

from qf_tui.core.verify import differences
from qf_tui.journal.reading import is_save, read_save
from qf_tui.library.paths import HOME
from qf_tui.session import Session
from tests.console.test_sent import Screen
from tests.long import Share
from tests.systems import our_systems

SOME, ALL = 1, 70
ROUNDS_A_SAVE = 5
PATIENCE = 60
"""Seconds, on a machine that has much else to do."""
ROWS, COLUMNS = 40, 120
SYSTEMS = our_systems()
_STEERING = re.compile(rb"\x1b(\[[0-9;?<>=]*[a-zA-Z]|\][^\x07\x1b]*(\x07|\x1b\\)|[()].|[=>])")
_SHOWN = re.compile(rb"(\d+) k(\d+)")


class Terminal:
    """A console in a pseudo-terminal, and all that it has drawn."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.drawn = b""
        self._process, self._file = pty.fork()
        if self._process == 0:
            os.environ.update({HOME: str(home), "TERM": "xterm-256color"})
            os.execv(sys.executable, [sys.executable, "-m", "qf_tui", *arguments])
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds: float) -> bool:
        """Takes what is drawn in that time; False once it has ended."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._file], [], [], left)[0]:
                try:
                    self.drawn += os.read(self._file, 65_536)
                except OSError:
                    return False
        return True

    def wait_for(self, text: bytes) -> None:
        """Waits until a text was drawn."""
        self._wait(lambda: text in self.text)

    def wait_for_note(self, number: int) -> None:
        """Waits until it shows one of our notes; only the digits of it need have been drawn."""
        self._wait(lambda: self.recorded >= number)

    def _wait(self, there: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not there():
            assert time.monotonic() < until, self.text[-2000:]
            assert self.read(0.05) or there(), self.text[-2000:]

    @property
    def text(self) -> bytes:
        """All that was drawn, without what steers the terminal."""
        return _STEERING.sub(b"", self.drawn)

    def type(self, keys: str) -> None:
        os.write(self._file, keys.encode())

    def end(self, *, kill: bool) -> int:
        """Kills it, or waits for its end; its exit status, or the negative number of the signal."""
        if kill:
            os.kill(self._process, signal.SIGKILL)
        until = time.monotonic() + PATIENCE
        while self.read(0.05) and time.monotonic() < until:
            pass
        os.close(self._file)
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    @property
    def recorded(self) -> int:
        """The last of our notes that it showed with its number among the entries."""
        terminal = Screen()
        terminal.take(self.drawn.decode(errors="ignore"))
        text = "\n".join(terminal.lines).encode()
        return max((int(number) for number, _ in _SHOWN.findall(text)), default=0)


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_the_console_killed_at_any_moment_loses_nothing_that_it_showed(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    chance = random.Random(seed)
    for round in share.of(range(rounds)):
        save = tmp_path / f"{round // ROUNDS_A_SAVE}.qfb"
        arguments = [str(save)] if save.exists() else ["rulebook-examples", "--save", str(save)]
        before = read_save(save).log if save.exists() else ()
        terminal = Terminal(tmp_path, "play", *arguments)
        terminal.wait_for(b"Movement")
        for number in range(len(before) + 1, len(before) + 40):
            terminal.type(f":note k{number}\r")
            if number == len(before) + 1:
                terminal.wait_for_note(number)
        terminal.read(chance.uniform(0, 0.5))
        assert terminal.end(kill=True) == -signal.SIGKILL
        log = read_save(save).log
        assert log[: len(before)] == before
        assert len(log) >= terminal.recorded > len(before)
        _goes_on(save)


def _goes_on(save: Path) -> None:
    session = Session.resume(save, SYSTEMS)
    assert session.writable
    assert not differences(session.system, session.timeline, session.program)
    session.close()


def test_who_leaves_is_told_where_the_battle_lies(tmp_path: Path) -> None:
    """Catches an umpire in front of a bare shell, with no word where his evening is."""
    save = tmp_path / "my battle.qfb"
    terminal = Terminal(tmp_path, "play", "rulebook-examples", "--save", str(save))
    terminal.wait_for(b"Movement")
    terminal.type("q")
    assert terminal.end(kill=False) == 0
    said = terminal.text.rstrip().splitlines()[-1].decode()
    assert said.endswith(f"The battle is saved. It goes on with: qf-tui play '{save}'")
    assert is_save(save)


def test_who_leaves_a_battle_whose_save_is_gone_is_told_where_it_is_kept(tmp_path: Path) -> None:
    """Catches an evening that ends with its console, and one that is said to lie where it does not."""
    save = tmp_path / "battle.qfb"
    terminal = Terminal(tmp_path, "play", "rulebook-examples", "--save", str(save))
    terminal.wait_for(b"Movement")
    terminal.type(":note heard\r")
    terminal.wait_for(b"heard")
    save.unlink()
    terminal.type("q")
    assert terminal.end(kill=False) == 0
    kept = save.with_name("battle-branch-1.qfb")
    assert b"battle.qfb: not the battle as it was left: No such file" in terminal.text
    assert f"It goes on with: qf-tui play {quote(str(kept))}".encode() in terminal.text
    assert len(read_save(kept).log) == 1
