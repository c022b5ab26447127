"""Bytes by chance on the keyboard of a real terminal: the console goes on, answers, and keeps what it has."""

import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.systems import our_systems

if sys.platform == "win32":
    pytest.skip("a Unix terminal", allow_module_level=True)

from qf_tui.journal.reading import read_save
from qf_tui.session.saves import rules_by
from tests.long import Share
from tests.terminal import PATIENCE, Terminal, in_terminal

MEMORY_MOST = 400_000
"""KB that the console may ever take."""
FOUND_ONCE = (
    b"\xe9x",
    b"\x1b[1114112u\x1b[99999999999999999999u\x1b[97;1:1;55296u\x1b[55296u",
    b"\x1b[48;99999;99999;99999;99999t",
    b"\x1b[48;1;1;0;0t\x1b[<0;9;9M",
    b"\x1bOS\x1b[6~",
    b"\x1b[200~a paste without its end",
)
"""What once ended the console, filled its memory, or left its keyboard dead."""
_PARTS = (
    *(
        b"\x1b",
        b"\x1b[",
        b"\x1b[A",
        b"\x1b[6~",
        b"\x1bOS",
        b"\x1b[<0;20;10M",
        b"\x1b[<0;20;10m",
        b"\x1b[<65;9;9M",
    ),
    *(
        b"\x1b[200~",
        b"\x1b[201~",
        b"\x1b[97;5u",
        b"\x1b[1;2:3u",
        b"\x1b[48;",
        b"999;",
        b"t",
        b"u",
        b"\r",
        b"\t",
    ),
    *(
        b"fhts41 3 8\r",
        b"m@6\r",
        b"n\r",
        b":note x\r",
        "é艦″".encode(),
        b"\x7f",
        b"\x00",
        b"\x10",
        b"\x1b\x1b",
    ),
)


def _answers(terminal: Terminal, save: Path, number: int) -> None:
    """A remark of this number is taken, after whatever is half typed is left."""
    word = f"heard{number}".encode()
    terminal.write(b"\x1b[201~")
    for _ in range(5):
        terminal.write(b"\x1b")
        terminal.read(0.15)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        terminal.write(b"/note " + word + b"\r")
        terminal.read(0.4)
        if save.exists() and word in save.read_bytes():
            return
        terminal.write(b"\x1b")
        terminal.read(0.15)
    terminal.wait_for(save, word)


def _begun(terminal: Terminal, home: Path) -> Path:
    save = home / "saves" / "rulebook-examples-1.qfb"
    terminal.wait_for(save, b'"n":0')
    terminal.read(0.3)
    return save


def _sound(save: Path, home: Path) -> None:
    read = read_save(save, rules_by(our_systems()))
    assert not read.torn
    assert not (home / "fault.txt").exists(), (home / "fault.txt").read_text(encoding="utf-8")[-800:]


def test_what_once_ended_the_console_is_dropped(tmp_path: Path) -> None:
    with in_terminal(tmp_path, "qf_tui", "play", "rulebook-examples") as terminal:
        save = _begun(terminal, tmp_path)
        for sent in FOUND_ONCE:
            terminal.write(sent)
        _answers(terminal, save, 1)
        assert terminal.memory() < MEMORY_MOST
    _sound(save, tmp_path)


@pytest.mark.parametrize("bursts", [10, pytest.param(5_000, marks=pytest.mark.long)])
def test_no_bytes_end_the_console_or_leave_it_dead(
    bursts: int, tmp_path: Path, seed: int, share: Share
) -> None:
    chance, number = Random(seed), 0
    with in_terminal(tmp_path, "qf_tui", "play", "rulebook-examples") as terminal:
        save = _begun(terminal, tmp_path)
        for at in share.of(range(bursts)):
            parts = (
                chance.choice(_PARTS) if chance.random() < 0.8 else chance.randbytes(chance.randrange(4))
                for _ in range(chance.randrange(1, 8))
            )
            # F10 and q leave the console, as they should.
            terminal.write(b"".join(parts).replace(b"\x1b[21~", b"").replace(b"q", b"").replace(b"\x11", b""))
            if at % 30 == 29:
                number += 1
                _answers(terminal, save, number)
        assert terminal.memory() < MEMORY_MOST
    _sound(save, tmp_path)
