"""The keyboard of a real terminal: unreadable bytes are dropped, and nothing it sends ends the console.

Textual's own reader throws on bytes that are not UTF-8 and on some key reports, believes any screen size,
waits for ever for the end of a paste, and reads Escape and a letter soon after it as Alt and that letter. So
input is taken apart here, and Textual's parser is only asked what one whole sequence means.
"""

import os
import re
import time
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from select import select

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

LARGEST = 1000
"""Columns or lines of the largest screen that is drawn."""
PASTE_MOST = 20_000
"""Characters of a paste; what is beyond them is dropped."""
PASTE_SILENCE = 2.0
"""Seconds without a character after which a paste is over, told or not."""
TICK = 0.1
"""Seconds between two looks at the clock while nothing is typed."""
AT_ONCE = 4096
"""Bytes that are read at once."""
SEQUENCE_MOST = 32
"""Characters of the longest sequence that means anything."""

_ESCAPE = "\x1b"
_PASTE, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_WHOLE = re.compile(
    r"(?P<answer>\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\))"  # to a question of another program
    r"|\x1b\[(?:M[^\x1b]{3}|\[[A-E]|\d+\$|(?![M[])[0-?]*[ -/]*[@-~])|\x1bO[^\x1b]|\x1b[\t\x7f]"
)
_BEGUN = re.compile(r"\x1b(?:\[(?:M[^\x1b]{0,2}|\[|[0-?]*[ -/]*)|O)?")
_KEY_REPORT = re.compile(r"(\x1b\[\d+)(?::[\d:]*)?(?:(;\d*)(?::(?P<kind>\d*))?(;[\d:]*)?)?([u~ABCDEFHPQRS])")
"""A key by its number; behind a colon other names of it, and of what kind it is: pressed, held or let go."""
_RELEASED = "3"


class Keyboard:
    """What a terminal sends into messages; no bytes make it fail, grow without end, or wait for ever.

    `now` is a time in seconds from any beginning.
    """

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("ignore").decode
        self._parser = XTermParser()
        self._rest = ""
        self._last = 0.0

    def take(self, data: bytes, now: float) -> Iterator[Message]:
        """The messages that some bytes complete."""
        self._last = now
        self._rest += self._decode(data)
        while self._rest:
            if self._rest.startswith(_PASTE):
                text, ended, rest = self._rest.removeprefix(_PASTE).partition(_PASTE_ENDS)
                if not ended:
                    self._rest = _PASTE + text[:PASTE_MOST] + text[PASTE_MOST:][-len(_PASTE_ENDS) :]
                    return
                self._rest = rest
                fine = (sign for sign in text[:PASTE_MOST] if sign.isprintable() or sign in "\t\r\n")
                yield events.Paste("".join(fine))
            elif whole := _WHOLE.match(self._rest):
                self._rest = self._rest[whole.end() :]
                if not whole["answer"]:
                    yield from self._meaning(whole[0])
            elif _BEGUN.fullmatch(self._rest):
                self._rest = self._rest[: 2 * SEQUENCE_MOST]
                return
            else:
                # Escape and a letter at once are these two keys: the console has none with Alt.
                sign, self._rest = self._rest[0], self._rest[1:]
                yield from self._typed(sign)

    def tick(self, now: float) -> Iterator[Message]:
        """The messages that the passing of time completes: an Escape alone, a paste whose end never came."""
        if self._rest.startswith(_PASTE):
            if now - self._last >= PASTE_SILENCE:
                yield from self.take(_PASTE_ENDS.encode(), now)
        elif now - self._last >= constants.ESCAPE_DELAY:
            rest, self._rest = self._rest, ""
            yield from self._typed(rest)

    def _typed(self, text: str) -> Iterator[Message]:
        """The keys that type some characters."""
        for sign in text:
            if sign == _ESCAPE:
                yield events.Key("escape", _ESCAPE)
            else:
                # Until the driver takes the terminal over, its line discipline writes Enter as a line feed.
                yield from self._parsed("\r" if sign == "\n" else sign)

    def _meaning(self, sequence: str) -> Iterator[Message]:
        """What a whole sequence means: nothing, where Textual does not know it."""
        report = _KEY_REPORT.fullmatch(sequence)
        if len(sequence) > SEQUENCE_MOST or (report and report["kind"] == _RELEASED):
            return
        messages = self._parsed(_KEY_REPORT.sub(r"\1\2\4\5", sequence))
        # Escape and a large O are no sequence, unless Textual knows it with what is behind them.
        yield from messages or self._typed(sequence if sequence[1] == "O" else "")

    def _parsed(self, text: str) -> list[Message]:
        try:
            messages = list(self._parser.feed(text))
            if text[0] == _ESCAPE:
                # What it does not know it would read as keys: the end of no paste has it do so now, unheard.
                list(self._parser.feed(_PASTE_ENDS))
        except Exception:  # noqa: BLE001 - whatever it is that Textual cannot read: it is dropped
            self._parser = XTermParser()
            return []
        return [message for message in messages if _sound(message)]


def _sound(message: Message) -> bool:
    """Whether a size can be drawn, and what a key types written down: half of a surrogate pair cannot."""
    if isinstance(message, events.Resize):
        return min(message.size) > 0 and max(message.size) <= LARGEST
    typed = message.character or "" if isinstance(message, events.Key) else ""
    return not any("\ud800" <= sign <= "\udfff" for sign in typed)


class TerminalDriver(LinuxDriver):
    """Textual's driver with a keyboard that cannot fail; where the terminal is gone the console ends."""

    def _get_terminal_size(self) -> tuple[int, int]:
        width, height = super()._get_terminal_size()
        return min(width, LARGEST), min(height, LARGEST)

    def process_message(self, message: Message) -> None:
        # A size among the keys that was not asked for is no size: the window would stay lost at it.
        if self._in_band_window_resize or not isinstance(message, events.Resize):
            super().process_message(message)

    def run_input_thread(self) -> None:
        """Reads until the console ends, or until there will never be more to read."""
        keyboard = Keyboard()
        while not self.exit_event.is_set():
            messages: Iterable[Message] = ()
            if select([self.fileno], [], [], TICK)[0]:
                data = b""
                with suppress(OSError):
                    data = os.read(self.fileno, AT_ONCE)
                if not data:
                    self._app.call_later(self._app.exit)
                    return
                messages = keyboard.take(data, time.monotonic())
            for message in chain(messages, keyboard.tick(time.monotonic())):
                self.process_message(message)
