"""What a terminal may send: keys are read as pressed, what means nothing is dropped, nothing throws."""

import sys
from collections.abc import Sequence
from random import Random

import pytest
from textual import events
from textual.message import Message

if sys.platform == "win32":
    pytest.skip("a Unix terminal's keyboard", allow_module_level=True)

from qf_tui.console.textual_patches.terminal import LARGEST, PASTE_MOST, PASTE_SILENCE, Keyboard

ESC = b"\x1b"
BEGUN, ENDED = b"\x1b[200~", b"\x1b[201~"


def read(
    *parts: bytes, keyboard: Keyboard | None = None, silence: float = PASTE_SILENCE
) -> Sequence[Message]:
    """All that some bytes mean, each part a moment after the one before, and silence behind them."""
    keyboard = keyboard or Keyboard()
    found = [message for at, part in enumerate(parts) for message in keyboard.take(part, 0.01 * at)]
    return [*found, *keyboard.tick(0.01 * len(parts) + silence)]


def said(messages: Sequence[Message]) -> list[str]:
    """Keys by their names, a paste by its text, all else by what it is."""
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
        (b"\x1bfl", "escape f l"),
        (b"\x1bb\x1b7", "escape b escape 7"),
        (ESC + ESC + b"f", "escape escape f"),
        (BEGUN + b"fire at will" + ENDED + b"q", "“fire at will” q"),
    ],
)
def test_what_is_sent_means(sent: bytes, means: str) -> None:
    """Catches a traceback, a size that fills the memory, and a letter behind Escape that is taken for Alt."""
    assert " ".join(said(read(sent))) == means
    if not sent.startswith((b"\x1b]", b"\x1bP")):
        # A slow line: what is no single answer of a terminal may come byte by byte.
        assert said(read(*(bytes([one]) for one in sent)))[-1:] == said(read(sent))[-1:]


def test_a_letter_of_several_bytes_may_come_in_parts() -> None:
    assert said(read(b"\xe8", b"\x89", b"\xa6")) == ["艦"]


def test_a_paste_whose_end_never_comes_is_over_after_a_silence() -> None:
    """Catches a keyboard that is dead for ever."""
    keyboard = Keyboard()
    assert said(read(BEGUN + b"half", keyboard=keyboard, silence=PASTE_SILENCE / 2)) == []
    assert said(read(b" a word", keyboard=keyboard)) == ["“half a word”"]
    assert said(read(b"q", keyboard=keyboard)) == ["q"]


def test_a_paste_without_end_takes_no_memory_without_end() -> None:
    keyboard = Keyboard()
    assert said(read(BEGUN, b"201~" * PASTE_MOST, keyboard=keyboard, silence=0)) == []
    pasted, key = read(ENDED + b"q", keyboard=keyboard)
    assert isinstance(pasted, events.Paste)
    assert len(pasted.text) <= PASTE_MOST
    assert said([key]) == ["q"]


@pytest.mark.parametrize("rounds", [400, pytest.param(40_000, marks=pytest.mark.long)])
def test_no_bytes_make_the_keyboard_fail_or_fall_silent(rounds: int, seed: int) -> None:
    chance, keyboard = Random(seed), Keyboard()
    parts = (
        ESC + b"[",
        ESC,
        b";",
        b":",
        b"u",
        b"~",
        b"<0;",
        b"M",
        b"48;",
        b"t",
        b"99999999",
        b"?2026;2$y",
        BEGUN,
    )
    for _ in range(rounds):
        sent = b"".join(
            chance.choice(parts) if chance.random() < 0.7 else chance.randbytes(chance.randrange(6))
            for _ in range(chance.randrange(1, 12))
        )
        for message in read(sent, keyboard=keyboard):
            if isinstance(message, events.Resize):
                assert max(message.size) <= LARGEST
            elif isinstance(message, events.Key):
                (message.character or "").encode()
        found = said(read(ENDED + b"x", b"q", keyboard=keyboard))
        assert "q" in found[-1], sent
