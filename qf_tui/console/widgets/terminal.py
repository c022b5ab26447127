"""The keyboard of a real terminal: what cannot be read is dropped, nothing that it sends ends the console.

Textual's own reader throws on bytes that are no UTF-8 and on some key reports, takes any size for the
screen's, waits for ever for the end of a paste, and reads Escape and a letter close behind it as Alt and that
letter.
"""

import asyncio
import os
import re
import selectors
import signal
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import Keys
from textual.message import Message

LARGEST = 1000
"""Columns or lines of the largest screen that is drawn."""
PASTE_MOST = 20_000
"""Characters of a paste; what is beyond them is dropped."""
PASTE_SILENCE = 2.0
"""Seconds without a character after which a paste is over, told or not."""
TICK = 0.1
"""Seconds between two looks at the clock while nothing is typed."""
ENDED_BY = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals by which others end the console."""
ENDS_S = 15
"""Seconds that it has then: to give the terminal back, close the save, and copy it where that is wanted."""
AT_ONCE = 4096
"""Bytes that are read at once."""

_ESCAPE = "\x1b"
_RELEASED = "3"
_KEY_REPORT = re.compile(r"\x1b\[([\d:;]+)([u~ABCDEFHPQRS])")
_TWO_KEYS = re.compile(r"\x1b[^\W_O]")
_COMPLETE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_READ_LATER = re.compile(r"\x1b\[(?:M.{0,3}|<?[-\d;]+[mM]|\?\d+;\d\$y)", re.DOTALL)
_ANSWERS = re.compile(r"\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]{28,}[ -/]*[@-~]?")
"""Answers of a terminal to questions of other programs, and reports longer than any that has a meaning."""
_BEGINNINGS = {keys[:end] for keys in ANSI_SEQUENCES_KEYS for end in range(3, len(keys))}
"""The beginnings of the known key reports, of which some look complete."""


class LenientParser(XTermParser):
    """Textual's parser, for which a report that means nothing is no key."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        if _TWO_KEYS.fullmatch(sequence):
            sequence, alt = sequence[1:], True
        report = _KEY_REPORT.fullmatch(sequence)
        try:
            found = super()._sequence_to_key_events(_plain(*report.groups()) if report else sequence)
            keys = [key for key in found if _encodable(key)]
        except (ValueError, OverflowError):
            keys = []
        if alt:
            # Who types Escape and a letter at once means these two: the console has no keys with Alt.
            yield events.Key("escape", _ESCAPE)
        if keys or not (report or _meaningless(sequence)):
            yield from keys
        else:
            yield events.Key(Keys.Ignore, sequence)


def _plain(codes: str, end: str) -> str:
    """A key report in as few words as Textual reads, "" for a key that is let go.

    Each part may have more behind a colon: other names of the key, and whether it goes down or up.
    """
    code, *more = codes.split(";")
    modifiers, _, kind = (more[0] if more else "").partition(":")
    plain = ";".join((code.partition(":")[0], modifiers, *more[1:])) if more else code
    return "" if kind == _RELEASED else f"{_ESCAPE}[{plain}{end}"


def _encodable(key: events.Key) -> bool:
    """Whether what a key types can be written down: half of a surrogate pair cannot."""
    return not any("\ud800" <= one <= "\udfff" for one in key.character or "")


def _meaningless(sequence: str) -> bool:
    """Whether a control sequence is complete, and nothing that is read as something other than a key."""
    return (
        _COMPLETE.fullmatch(sequence) is not None
        and sequence not in _BEGINNINGS
        and _READ_LATER.fullmatch(sequence) is None
    )


class Keyboard:
    """What a terminal sends into messages; no bytes make it fail, grow without end, or wait for ever.

    `now` is a time in seconds from any beginning.
    """

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("ignore").decode
        self._parser = LenientParser()
        self._pasting = False
        self._pasted = 0
        self._last = 0.0
        self._tail = ""

    def take(self, data: bytes, now: float) -> Iterator[Message]:
        """The messages that some bytes complete."""
        self._last = now
        for character in _ANSWERS.sub("", self._decode(data)):
            dropped = self._pasting and self._pasted >= PASTE_MOST
            self._follow_paste(character)
            if not dropped:
                yield from self._parsed(character)
            elif not self._pasting:
                yield from self._parsed(BRACKETED_PASTE_END)

    def tick(self, now: float) -> Iterator[Message]:
        """The messages that the passing of time completes: an Escape alone, a paste whose end never came."""
        if self._pasting and now - self._last >= PASTE_SILENCE:
            yield from self.take(BRACKETED_PASTE_END.encode(), now)
        try:
            yield from filter(_sensible, list(self._parser.tick()))
        except Exception:  # noqa: BLE001 - as for what is read: it is dropped
            self._parser = LenientParser()

    def _follow_paste(self, character: str) -> None:
        self._tail = (self._tail + character)[-len(BRACKETED_PASTE_START) :]
        if self._tail == BRACKETED_PASTE_START:
            self._pasting, self._pasted = True, 0
        elif self._tail == BRACKETED_PASTE_END:
            self._pasting = False
        elif self._pasting:
            self._pasted += 1

    def _parsed(self, text: str) -> Iterator[Message]:
        try:
            found = list(self._parser.feed(text))
        except Exception:  # noqa: BLE001 - whatever it is that Textual cannot read: it is dropped
            self._parser = LenientParser()
            return
        yield from filter(_sensible, found)


def _sensible(message: Message) -> bool:
    """Whether a message is none, or one of a size that can be drawn."""
    if not isinstance(message, events.Resize):
        return True
    width, height = message.size
    return 0 < width <= LARGEST and 0 < height <= LARGEST


def _end_soon(loop: asyncio.AbstractEventLoop, leave: Callable[[], object], number: int, _: object) -> None:
    """Has the console left in its own time; the same signal again, or the time being up, ends it at once."""
    signal.signal(number, signal.SIG_DFL)
    signal.alarm(ENDS_S)
    loop.call_soon_threadsafe(leave)


class TerminalDriver(LinuxDriver):
    """Textual's driver with a keyboard that cannot fail; where the terminal is gone the console ends."""

    def _get_terminal_size(self) -> tuple[int, int]:
        width, height = super()._get_terminal_size()
        return min(width, LARGEST), min(height, LARGEST)

    def start_application_mode(self) -> None:
        """Takes the terminal, which is given back before a signal ends the console."""
        for one in ENDED_BY:
            if signal.getsignal(one) is signal.SIG_DFL:
                leave = partial(self._app.exit, return_code=-one)
                signal.signal(one, partial(_end_soon, asyncio.get_running_loop(), leave))
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's

    def process_message(self, message: Message) -> None:
        # A size among the keys that was not asked for is no size: the window would stay lost at it.
        if self._in_band_window_resize or not isinstance(message, events.Resize):
            super().process_message(message)

    def run_input_thread(self) -> None:
        """Reads until the console ends."""
        keyboard = Keyboard()
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(TICK) and not self._read(keyboard):
                    self._app.call_later(self._app.exit)
                    return
                for message in keyboard.tick(time.monotonic()):
                    self.process_message(message)

    def _read(self, keyboard: Keyboard) -> bool:
        """Passes on what there is to read; False where there will never be more."""
        try:
            data = os.read(self.fileno, AT_ONCE)
        except OSError:
            return False
        for message in keyboard.take(data, time.monotonic()):
            self.process_message(message)
        return bool(data)
