"""A real terminal: its keyboard, random bytes, and a console that is killed, ended or left there."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from shlex import quote

import pytest
from textual import events
from textual.message import Message

if sys.platform == "win32":
    pytest.skip("a Unix terminal", allow_module_level=True)
import termios

from qf_tui.console.textual_patches.terminal import LARGEST, PASTE_MOST, PASTE_SILENCE, Keyboard
from qf_tui.core.verify import list_differences
from qf_tui.journal.reading import is_save, read_save
from qf_tui.session import Session
from qf_tui.session.saves import make_rules_finder
from tests.console.playing import Table, play
from tests.console.test_volley import list_shots as shots
from tests.long import Share
from tests.posix import read_memory_kb
from tests.systems import find_our_systems, load_start
from tests.terminal import PATIENCE, Terminal, run_in_terminal, run_module

ESC = b"\x1b"
BEGUN, ENDED = b"\x1b[200~", b"\x1b[201~"


def read_messages(
    *parts: bytes, keyboard: Keyboard | None = None, silence: float = PASTE_SILENCE
) -> Sequence[Message]:
    """Read all messages of some bytes, each part a moment after the last, and a silence after them."""
    keyboard = keyboard or Keyboard()
    found = [message for at, part in enumerate(parts) for message in keyboard.take(part, 0.01 * at)]
    return [*found, *keyboard.tick(0.01 * len(parts) + silence)]


def name_messages(messages: Sequence[Message]) -> list[str]:
    """Name messages: keys by their names, a paste by its text, others by their type."""
    return [
        one.key
        if isinstance(one, events.Key)
        else f"“{one.text}”"
        if isinstance(one, events.Paste)
        else type(one).__name__
        for one in messages
    ]


@pytest.mark.parametrize(
    ("sent", "means"),
    [
        (b"a", "a"),
        ("é艦".encode(), "é 艦"),
        (b"a\xe9b", "a b"),
        (b"\xff\xfe\x80q", "q"),
        (b"\xed\xa0\x80q", "q"),
        (b"\x1b[A\x1bOP\x1b[15~\x1b[[A", "up f1 f5 f1"),
        (b"\x1b[97;1:1;97u", "a"),
        (b"\x1b[97;1:3u", ""),
        (b"\x1b[97:65;2;65uq", "A q"),
        (b"\x1b[13u\x1b[27u", "enter escape"),
        (b"m6\nn\r", "m 6 enter n enter"),
        (b"\x1b[1114112uq", "q"),
        (b"\x1b[99999999999999999999uq", "q"),
        (b"\x1b[97;1:1;55296uq", "q"),
        (b"\x1b[55296uq", "q"),
        (b"\x1b[999Xq", "q"),
        (b"\x1b[" + b"1;" * 60 + b"mq", "q"),
        (b"\x1b]11;rgb:0000/0000/0000\x07q", "q"),
        (b"\x1bP>|terminal 3.1\x1b\\q", "q"),
        (b"\x1b[48;99999;99999;99999;99999tq", "q"),
        (b"\x1b[48;0;0;0;0tq", "q"),
        (b"\x1b[48;36;120;720;1200tq", "Resize q"),
        (b"\x1b[48;1;1;0;0t\x1b[<0;3;4Mq", "Resize q"),
        (b"\x1b[<0;3;4M\x1b[<0;3;4m", "MouseDown MouseUp"),
        (b"\x1b[MC\xb60q\x1b[Ma\xb60q\x1b[MC\x5c0q", "q q q"),
        (b"\x1b[M \xff\xffq\x1b[M\xc3\xa9\xe8q", "q q"),
        (b"\x1b[MC\xb6\x1b[A\x1b[M\x1b[Bq", "up down q"),
        (b"\x1b[M\x00\x00\x00\xc3\xa9q", "é q"),
        (b"\x1bOn\x1bOl\x1bOk\x1bOm\x1bOX", "full_stop comma plus minus equals_sign"),
        (b"\x1bfl", "escape f l"),
        (b"\x1bb\x1b7", "escape b escape 7"),
        (ESC + ESC + b"f", "escape escape f"),
        (BEGUN + b"fire at will" + ENDED + b"q", "“fire at will” q"),
        (BEGUN + "né 艦".encode() + b"\xe9" + ENDED + b"q", "“né 艦” q"),
    ],
)
def test_bytes_mean_these_keys(sent: bytes, means: str) -> None:
    """Detect a traceback, a size that fills the memory, and a letter after Escape read as Alt."""
    assert " ".join(name_messages(read_messages(sent))) == means
    if not sent.startswith((b"\x1b]", b"\x1bP")):
        # On a slow line all but a terminal's single answers may come byte by byte.
        assert (
            name_messages(read_messages(*(bytes([one]) for one in sent)))[-1:]
            == name_messages(read_messages(sent))[-1:]
        )


def test_an_unfinished_paste_ends_after_a_silence() -> None:
    """Detect a keyboard that stays dead."""
    keyboard = Keyboard()
    assert name_messages(read_messages(BEGUN + b"half", keyboard=keyboard, silence=PASTE_SILENCE / 2)) == []
    assert name_messages(read_messages(b" a word", keyboard=keyboard)) == ["“half a word”"]
    assert name_messages(read_messages(b"q", keyboard=keyboard)) == ["q"]


@pytest.mark.parametrize("sent", [b"\x1b[M", b"\x1b[MC", b"\x1b[MC\xb6"])
def test_a_mouse_report_that_stops_types_nothing(sent: bytes) -> None:
    keyboard = Keyboard()
    assert name_messages(read_messages(sent, keyboard=keyboard)) == []
    assert name_messages(read_messages(b"q", keyboard=keyboard)) == ["q"]


def test_an_endless_paste_takes_limited_memory() -> None:
    keyboard = Keyboard()
    assert name_messages(read_messages(BEGUN, b"201~" * PASTE_MOST, keyboard=keyboard, silence=0)) == []
    pasted, key = read_messages(ENDED + b"q", keyboard=keyboard)
    assert isinstance(pasted, events.Paste)
    assert len(pasted.text) <= PASTE_MOST
    assert name_messages([key]) == ["q"]


@pytest.mark.parametrize("rounds", [400, pytest.param(40_000, marks=pytest.mark.long)])
def test_no_bytes_make_the_keyboard_fail_or_fall_silent(rounds: int, seed: int) -> None:
    chance, keyboard = Random(seed), Keyboard()
    parts = (ESC, *b"; : u ~ <0; M 48; t 99999999 ?2026;2$y".split(), ESC + b"[", BEGUN)
    for _ in range(rounds):
        sent = b"".join(
            chance.choice(parts) if chance.random() < 0.7 else chance.randbytes(chance.randrange(6))
            for _ in range(chance.randrange(1, 12))
        )
        for message in read_messages(sent, keyboard=keyboard):
            if isinstance(message, events.Resize):
                assert max(message.size) <= LARGEST
            elif isinstance(message, events.Key):
                (message.character or "").encode()
        found = name_messages(read_messages(ENDED + b"x", b"q", keyboard=keyboard))
        assert "q" in found[-1], sent


MEMORY_MOST = 400_000
"""Memory in KB that the console may ever take."""
FOUND_ONCE = (
    b"\xe9x",
    b"\x1b[1114112u\x1b[99999999999999999999u\x1b[97;1:1;55296u\x1b[55296u",
    b"\x1b[48;99999;99999;99999;99999t",
    b"\x1b[48;1;1;0;0t\x1b[<0;9;9M",
    b"\x1bOS\x1b[6~",
    b"\x1b[200~a paste without its end",
)
"""Bytes that once ended the console, filled its memory, or left its keyboard dead."""
_PARTS = (
    *(b"\x1b", b"\x1b[", b"\x1b[A", b"\x1b[6~", b"\x1bOS", b"\x1b[<0;20;10M", b"\x1b[<0;20;10m"),
    *(b"\x1b[<65;9;9M", b"\x1b[200~", b"\x1b[201~", b"\x1b[97;5u", b"\x1b[1;2:3u", b"\x1b[48;", b"999;"),
    *(b"t", b"u", b"\r", b"\t", b"fhts41 3 8\r", b"m@6\r", b"n\r", b":note x\r", "é艦″".encode()),
    *(b"\x7f", b"\x00", b"\x10", b"\x1b\x1b"),
)


def _check_answer(terminal: Terminal, save: Path, number: int) -> None:
    """Cancel any half-typed input, and check that a remark with this number is recorded."""
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


@pytest.mark.parametrize("bursts", [10, pytest.param(5_000, marks=pytest.mark.long)])
def test_no_bytes_leave_the_console_dead(bursts: int, tmp_path: Path, seed: int, share: Share) -> None:
    """Send bytes that once did, then random bytes."""
    chance, number = Random(seed), 1
    with run_module(tmp_path, "qf_tui", "play", "rulebook-examples") as terminal:
        save = tmp_path / "saves" / "rulebook-examples-1.qfb"
        terminal.wait_for(save, b'"n":0')
        terminal.read(0.3)
        for sent in FOUND_ONCE:
            terminal.write(sent)
        _check_answer(terminal, save, number)
        for at in share.take(range(bursts)):
            parts = (
                chance.choice(_PARTS) if chance.random() < 0.8 else chance.randbytes(chance.randrange(4))
                for _ in range(chance.randrange(1, 8))
            )
            # F10 and q leave the console.
            terminal.write(b"".join(parts).replace(b"\x1b[21~", b"").replace(b"q", b"").replace(b"\x11", b""))
            if at % 30 == 29:
                number += 1
                _check_answer(terminal, save, number)
        assert read_memory_kb(terminal.process) < MEMORY_MOST
    read = read_save(save, make_rules_finder(find_our_systems()))
    assert not read.torn
    assert not (tmp_path / "fault.txt").exists(), (tmp_path / "fault.txt").read_text("utf-8")[-800:]


MOUSE_OFF, PASTE_OFF, LEFT = b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[?1049l"


def wait_for_exit(terminal: Terminal) -> int:
    """Return the exit status of the console, or the negative number of its signal."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        terminal.read_once(0.05)
        process, status = os.waitpid(terminal.process, os.WNOHANG)
        if process:
            while terminal.read_once(0):
                pass
            return os.waitstatus_to_exitcode(status)
    raise AssertionError(terminal.seen[-1500:])


def check_resumable(save: Path) -> None:
    """Check that a save can be resumed and has today's rulings."""
    session = Session.resume(save, find_our_systems())
    assert session.writable
    assert not list_differences(session.system, session.timeline, session.program)
    session.close()


def read_modes(terminal: Terminal) -> list[object]:
    """Read the modes of a terminal: whether it echoes, edits lines, translates."""
    return list(termios.tcgetattr(terminal.file))


OPENING = "=h?Bv,iTs:"
"""Keys of the logs that open a screen, a dialog or the bar."""
AT_ANY_TIME = [
    *((command, key, number, delay) for command in ("play", "watch") for key in OPENING
      for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
      for delay in [moment / 20 for moment in range(20)]),
    *(("talk", "", number, moment / 20) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
      for moment in range(10)),
]  # fmt: skip
SOMETIMES = [
    ("play", "=", signal.SIGTERM, 0.05),
    ("play", "?", signal.SIGHUP, 0.1),
    ("play", "h", signal.SIGINT, 0.05),
    ("watch", "?", signal.SIGTERM, 0.05),
    ("talk", "", signal.SIGTERM, 0.1),
]


@pytest.mark.parametrize(
    "moments", [SOMETIMES, pytest.param(AT_ANY_TIME, marks=pytest.mark.long)], ids=["some", "all"]
)
def test_a_signal_while_a_screen_opens_ends_the_program_cleanly(
    moments: Sequence[tuple[str, str, signal.Signals, float]], tmp_path: Path, share: Share
) -> None:
    """Detect a console that opens itself again, and a terminal left without echo."""
    stick, save = tmp_path / "stick", tmp_path / "battle.qfb"
    stick.mkdir()
    with run_module(tmp_path, "qf_tui", "play", "rulebook-examples", "--save", str(save)) as terminal:
        terminal.read_until(b"Hannibal")
        leave(terminal)
    for at, (command, key, number, delay) in enumerate(share.take(moments)):
        copied = [] if command == "watch" else ["--copy-to", str(stick)]
        with run_module(tmp_path, "qf_tui", command, str(save), *copied) as terminal:
            before = read_modes(terminal)
            terminal.read_until(b"> " if command == "talk" else b"Hannibal")
            if copied:
                note = f"{'' if command == 'talk' else ':'}note k{at} \r".encode()
                terminal.write(note)
                terminal.wait_for(save, f"k{at} ".encode().strip())
            os.write(terminal.file, key.encode())
            terminal.read(delay)
            os.kill(terminal.process, number)
            assert wait_for_exit(terminal) == -number
            assert read_modes(terminal)[:4] == before[:4], (command, key, number, delay)
            if command != "talk":
                assert LEFT in terminal.seen.rpartition(b"\x1b[?1049h")[2], (command, key, number, delay)
        assert not (tmp_path / "fault.txt").exists(), (command, key, number, delay)
        if copied:
            assert (stick / save.name).read_bytes() == save.read_bytes(), (command, key, number, delay)
        check_resumable(save)


HANGS = """
import sys, time
from qf_tui.operating_systems import end_by_signals
import tty
with end_by_signals(lambda number: None, b"reset!"):
    tty.setraw(0)
    print("hangs", flush=True)
    while True:
        time.sleep(0.1)
"""


@pytest.mark.parametrize("again", [False, True])
def test_a_program_that_hangs_gives_the_terminal_back(again: bool, tmp_path: Path) -> None:
    """Use the alarm, or a second signal."""
    with run_in_terminal(tmp_path, [sys.executable, "-c", HANGS], (80, 24)) as terminal:
        before = read_modes(terminal)
        terminal.read_until(b"hangs")
        os.kill(terminal.process, signal.SIGTERM)
        if again:
            time.sleep(0.1)
            os.kill(terminal.process, signal.SIGHUP)
        assert wait_for_exit(terminal) == -signal.SIGTERM
        assert b"reset!" in terminal.seen
        assert read_modes(terminal) == before


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGHUP, marks=pytest.mark.long),
        pytest.param(signal.SIGQUIT, marks=pytest.mark.long),
    ],
)
def test_a_console_ended_by_a_signal_gives_the_terminal_back(number: signal.Signals, tmp_path: Path) -> None:
    """Detect a terminal left in the alternate screen that writes signs as the mouse moves."""
    save = tmp_path / "battle.qfb"
    with run_module(tmp_path, "qf_tui", "play", "rulebook-examples", "--save", str(save)) as terminal:
        terminal.read_until(b"\x1b[?1049h")
        terminal.read_until(b"Hannibal")
        terminal.write(b":note it was said\r")
        terminal.wait_for(save, b"it was said")
        terminal.seen = b""
        os.kill(terminal.process, number)
        assert wait_for_exit(terminal) == -number
        restored = terminal.seen
        assert MOUSE_OFF in restored
        assert PASTE_OFF in restored
        assert LEFT in restored
        assert b"\x1b[?1049h" not in restored
        assert b"\x1b[?1003h" not in restored.rpartition(MOUSE_OFF)[2]
    assert [act.number for act in read_save(save).log] == [1]
    check_resumable(save)


def test_a_console_whose_terminal_is_gone_ends(tmp_path: Path) -> None:
    save = tmp_path / "battle.qfb"
    with run_module(tmp_path, "qf_tui", "play", "rulebook-examples", "--save", str(save)) as terminal:
        terminal.read_until(b"Hannibal")
        os.close(terminal.file)
        terminal.file = os.open(os.devnull, os.O_RDONLY)
        wait_for_exit(terminal)
    check_resumable(save)


def test_keys_typed_before_the_console_starts_are_kept_in_order(tmp_path: Path) -> None:
    """Detect a lost Enter: the terminal's own line discipline turns it into a line feed."""
    save = tmp_path / "battle.qfb"
    with run_module(tmp_path, "qf_tui", "play", "yellow-sea-1904", "--save", str(save)) as terminal:
        os.write(terminal.file, b"m6\rjjm5\r:note typed early\rn\r:note all is there\r")
        terminal.wait_for(save, b"all is there")
    lines = [act.version.order.line for act in read_save(save).log if act.version is not None]
    wanted = ["move mikasa 6", "move fuji 5", "note typed early", "next", "note all is there"]
    assert lines == wanted


SOME, ALL = 1, 70
ROUNDS_A_SAVE = 5
_SHOWN = re.compile(rb"(\d+) k\d+")
_STEERING = re.compile(rb"\x1b(\[[0-9;?<>=]*[a-zA-Z]|\][^\x07\x1b]*(\x07|\x1b\\)|[()].|[=>])")


def find_last_note(terminal: Terminal) -> int:
    """Return the number of the last note that the terminal showed."""
    return max(map(int, _SHOWN.findall(_STEERING.sub(b"", terminal.seen))), default=0)


def wait_until(terminal: Terminal, condition: Callable[[], bool]) -> None:
    """Read until a condition holds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, terminal.seen[-2000:]
        terminal.read_once(0.05)


@pytest.mark.parametrize("rounds", [SOME, pytest.param(ALL, marks=pytest.mark.long)])
def test_a_killed_console_loses_nothing_that_it_showed(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Check that its second copy remains too, a beginning of the save."""
    chance, stick = Random(seed), tmp_path / "stick"
    stick.mkdir()
    for round in share.take(range(rounds)):
        save = tmp_path / f"{round // ROUNDS_A_SAVE}.qfb"
        copy = stick / save.name
        named = [str(save)] if save.exists() else ["rulebook-examples", "--save", str(save)]
        before = read_save(save).log if save.exists() else ()
        with run_module(tmp_path, "qf_tui", "play", *named, "--copy-to", str(stick)) as terminal:
            terminal.read_until(b"Movement")
            first, last = len(before) + 1, len(before) + 40
            terminal.write(f":note k{first}\r".encode())
            wait_until(terminal, lambda: find_last_note(terminal) >= first)  # noqa: B023 - asked here and now
            terminal.wait_for(copy, f"k{first}".encode())
            for number in range(first + 1, last):
                os.write(terminal.file, f":note k{number}\r".encode())
            terminal.read(chance.uniform(0, 0.5))
            os.kill(terminal.process, signal.SIGKILL)
            assert wait_for_exit(terminal) == -signal.SIGKILL
            shown = find_last_note(terminal)
        log = read_save(save).log
        assert log[: len(before)] == before
        assert len(log) >= shown > len(before)
        assert save.read_bytes().startswith(copy.read_bytes())
        check_resumable(save)


def test_an_open_volley_survives_a_killed_console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that it is offered again in the same column, but never entered automatically."""
    save = tmp_path / "battle.qfb"
    session = Session.begin(*load_start("yellow-sea-1904"), save)
    session.enter("force next")
    session.close()
    with run_module(tmp_path, "qf_tui", "play", str(save)) as terminal:
        terminal.read_until(b"First gunnery")
        os.write(terminal.file, b"Ftts\r41\r")
        terminal.read_until(b"41in")
        os.write(terminal.file, b"\x1b[A\x1b[C3")
        wait_until(
            terminal, lambda: any(b'"dice":"3"' in file.read_bytes() for file in list_kept_volleys(tmp_path))
        )
        os.kill(terminal.process, signal.SIGKILL)
        assert wait_for_exit(terminal) == -signal.SIGKILL
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))

    async def check_again(table: Table) -> None:
        await table.press("F")
        table.expect("[dice]", "41in", "kept, not entered: 1 shot", "F2 enters nothing yet")
        await table.type("8 f2")
        assert shots(table.session) == ["fire mikasa heavy tsesarevich 41in 3 8"]

    play(Session.resume(save, find_our_systems()), check_again)
    assert not list_kept_volleys(tmp_path)


def list_kept_volleys(home: Path) -> list[Path]:
    """List the files of volleys that are not entered."""
    return [*(home / "cache").glob("volleys/*.json")]


def leave(terminal: Terminal) -> str:
    """Quit the console; return the text in the shell after it."""
    terminal.write(b"q")
    assert wait_for_exit(terminal) == 0
    return _STEERING.sub(b"", terminal.seen).decode(errors="ignore")


def test_leaving_prints_where_the_battle_is_saved(tmp_path: Path) -> None:
    save = tmp_path / "my battle.qfb"
    with run_module(tmp_path, "qf_tui", "play", "rulebook-examples", "--save", str(save)) as terminal:
        terminal.read_until(b"Movement")
        said = leave(terminal).rstrip().splitlines()[-1]
    assert said.endswith(f"The battle is saved. Continue it with: qf-tui play '{save}'")
    assert is_save(save)


def test_leaving_prints_where_a_battle_without_its_save_is_kept(tmp_path: Path) -> None:
    """Detect an evening lost with its console, and a wrong place in the message."""
    save = tmp_path / "battle.qfb"
    with run_module(tmp_path, "qf_tui", "play", "rulebook-examples", "--save", str(save)) as terminal:
        terminal.read_until(b"Movement")
        terminal.write(b":note heard\r")
        terminal.wait_for(save, b"heard")
        save.unlink()
        said = leave(terminal)
    kept = save.with_name("battle-branch-1.qfb")
    assert "battle.qfb: the save has changed since you left it: No such file" in said
    assert f"Continue it with: qf-tui play {quote(str(kept))}" in said
    assert len(read_save(kept).log) == 1
