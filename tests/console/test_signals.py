"""The console ended from outside: the terminal is as it was before, and the save is whole."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("a Unix terminal", allow_module_level=True)

from qf_tui.journal.reading import read_save
from qf_tui.session import Session
from tests.systems import our_systems
from tests.terminal import PATIENCE, Terminal, in_terminal

MOUSE_OFF, PASTE_OFF, LEFT = b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[?1049l"


def ended(terminal: Terminal) -> int:
    """How the console ended: its status as the system has it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        terminal.read_once(0.05)
        process, status = os.waitpid(terminal.process, os.WNOHANG)
        if process:
            while terminal.read_once(0):
                pass
            return status
    raise AssertionError(terminal.seen[-1500:])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_console_ended_by_a_signal_gives_the_terminal_back(number: signal.Signals, tmp_path: Path) -> None:
    """Catches a terminal that is left in the alternate screen, writing signs as the mouse moves."""
    save = tmp_path / "battle.qfb"
    with in_terminal(tmp_path, "qf_tui", "play", "rulebook-examples", "--save", str(save)) as terminal:
        terminal.until(b"\x1b[?1049h")
        terminal.wait_for(save, b"\n")
        terminal.until(b"Hannibal")
        terminal.write(b":note it was said\r")
        terminal.wait_for(save, b"it was said")
        terminal.seen = b""
        os.kill(terminal.process, number)
        status = ended(terminal)
        assert os.WIFSIGNALED(status)
        assert os.WTERMSIG(status) == number
        restored = terminal.seen
        assert MOUSE_OFF in restored
        assert PASTE_OFF in restored
        assert LEFT in restored
        assert b"\x1b[?1049h" not in restored
        assert b"\x1b[?1003h" not in restored.rpartition(MOUSE_OFF)[2]
    assert [act.number for act in read_save(save).log] == [1]
    Session.resume(save, our_systems()).close()


def test_a_second_copy_outlives_the_console_that_is_killed(tmp_path: Path) -> None:
    save, stick = tmp_path / "battle.qfb", tmp_path / "stick"
    stick.mkdir()
    named = ("play", "rulebook-examples", "--save", str(save), "--copy-to", str(stick))
    with in_terminal(tmp_path, "qf_tui", *named) as terminal:
        terminal.until(b"Hannibal")
        terminal.write(b":note it was said\r")
        terminal.wait_for(stick / save.name, b"it was said")
        os.kill(terminal.process, signal.SIGKILL)
    assert [act.number for act in read_save(stick / save.name).log] == [1]
    assert save.read_bytes().startswith((stick / save.name).read_bytes())


def test_a_console_whose_terminal_is_gone_ends(tmp_path: Path) -> None:
    save = tmp_path / "battle.qfb"
    with in_terminal(tmp_path, "qf_tui", "play", "rulebook-examples", "--save", str(save)) as terminal:
        terminal.until(b"Hannibal")
        os.close(terminal.file)
        terminal.file = os.open(os.devnull, os.O_RDONLY)
        ended(terminal)
    Session.resume(save, our_systems()).close()
