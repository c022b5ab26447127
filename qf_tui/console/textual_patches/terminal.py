"""The keyboard of a real terminal: bytes that cannot be read are dropped, and no input crashes the console.

Textual's own reader raises on bytes that are not UTF-8 and on some key reports, accepts any screen size,
waits without limit for the end of a paste, and reads Escape and a quick letter as Alt and that letter. So
this module splits the input itself, and asks Textual's parser only for the meaning of one whole sequence.
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
"""Most columns or lines of a screen that is drawn."""
PASTE_MOST = 20_000
"""Most bytes of a paste; the rest is dropped."""
PASTE_SILENCE = 2.0
"""Seconds without a character after which a paste counts as ended."""
TICK = 0.1
"""Seconds between two calls of `Keyboard.tick` while no key is pressed."""
AT_ONCE = 4096
"""Most bytes of one read."""
SEQUENCE_MOST = 32
"""Characters of the longest sequence that has a meaning."""

_ESCAPE = "\x1b"
_PASTE, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_MOUSE = r"\x1b\[M"
"""Beginning of a mouse report of an old terminal: three raw bytes follow, in no encoding."""
_WHOLE = re.compile(
    r"(?P<dropped>\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # an answer to another program
    rf"|{_MOUSE}(?:[^\x1b]{{3}}|[^\x1b]{{0,2}}(?=\x1b)))"
    r"|\x1b\[(?:\[[A-E]|\d+\$|(?![M[])[0-?]*[ -/]*[@-~])|\x1bO[^\x1b]|\x1b[\t\x7f]"
)
_BEGUN = re.compile(rf"{_MOUSE}[^\x1b]{{0,2}}|\x1b(?:\[(?:\[|[0-?]*[ -/]*)|O)?")
_KEY_REPORT = re.compile(r"(\x1b\[\d+)(?::[\d:]*)?(?:(;\d*)(?::(?P<kind>\d*))?(;[\d:]*)?)?([u~ABCDEFHPQRS])")
"""A key report: the key's number, after colons its other codes and its kind (pressed, held or released)."""
_RELEASED = "3"
_PAD = {"\x1bOl": ",", "\x1bOX": "="}
"""Keys of the number pad that Textual does not know."""


class Keyboard:
    """A decoder of terminal input into messages.

    No bytes make it fail, grow without limit, or wait forever. Times (`now`) are seconds of any steady clock.
    Sequences are split before UTF-8 is decoded, because some of them contain raw bytes.
    """

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("ignore").decode
        self._parser = XTermParser()
        self._rest = ""
        self._last_time = 0.0

    def take(self, data: bytes, now: float) -> Iterator[Message]:
        """Yield the messages that new bytes complete; an unfinished sequence or paste waits for more."""
        self._last_time = now
        # Latin-1 makes one character of each byte.
        self._rest += data.decode("latin-1")
        while self._rest:
            if self._rest.startswith(_PASTE):
                text, ended, rest = self._rest.removeprefix(_PASTE).partition(_PASTE_ENDS)
                if not ended:
                    # Keep enough of the end of a long text to recognise the mark of its end.
                    kept_end = text[PASTE_MOST:][-len(_PASTE_ENDS) :]
                    self._rest = _PASTE + text[:PASTE_MOST] + kept_end
                    return
                self._rest = rest
                pasted = text[:PASTE_MOST].encode("latin-1").decode("utf-8", "ignore")
                usable_signs = (sign for sign in pasted if sign.isprintable() or sign in "\t\r\n")
                yield events.Paste("".join(usable_signs))
            elif whole := _WHOLE.match(self._rest):
                self._rest = self._rest[whole.end() :]
                if not whole["dropped"]:
                    yield from self._read_sequence(whole[0])
            elif _BEGUN.fullmatch(self._rest):
                # Wait for the rest of the sequence.
                self._rest = self._rest[: 2 * SEQUENCE_MOST]
                return
            else:
                # Read Escape and a quick letter as two keys: the console uses no key with Alt.
                sign, self._rest = self._rest[0], self._rest[1:]
                yield from self._type_keys(sign)

    def tick(self, now: float) -> Iterator[Message]:
        """Yield the messages that passing time completes: a lone Escape, or a paste whose end never came."""
        if self._rest.startswith(_PASTE):
            if now - self._last_time >= PASTE_SILENCE:
                yield from self.take(_PASTE_ENDS.encode(), now)
        elif now - self._last_time >= constants.ESCAPE_DELAY:
            rest, self._rest = self._rest, ""
            # The beginning of a mouse report is dropped: no person types it so quickly.
            if not rest.startswith("\x1b[M"):
                yield from self._type_keys(rest)

    def _type_keys(self, text: str) -> Iterator[Message]:
        """Yield the keys that type `text`, which has a character for each byte."""
        for sign in self._decode(text.encode("latin-1")):
            if sign == _ESCAPE:
                yield events.Key("escape", _ESCAPE)
            else:
                # Before the driver takes over the terminal, the terminal sends Enter as a line feed.
                yield from self._parse("\r" if sign == "\n" else sign)

    def _read_sequence(self, sequence: str) -> Iterator[Message]:
        """Yield the messages of a whole sequence; none if it is too long, a released key, or unknown.

        Of the unknown ones, Escape and a capital O are two keys.
        """
        report = _KEY_REPORT.fullmatch(sequence)
        if len(sequence) > SEQUENCE_MOST or (report and report["kind"] == _RELEASED):
            return
        # Textual cannot read a report with colons: leave out the key's other codes, and the kind.
        messages = self._parse(_PAD.get(sequence) or _KEY_REPORT.sub(r"\1\2\4\5", sequence))
        if messages:
            yield from messages
        elif sequence[1] == "O":
            yield from self._type_keys(sequence)

    def _parse(self, text: str) -> list[Message]:
        """Return the usable messages of one whole sequence or character; none if Textual cannot read it."""
        try:
            messages = list(self._parser.feed(text))
            if text[0] == _ESCAPE:
                # The parser still holds an unknown sequence. The end of a paste pushes the sequence out, as
                # keys that are ignored here.
                list(self._parser.feed(_PASTE_ENDS))
        except Exception:  # noqa: BLE001 - drop any input that Textual cannot read
            self._parser = XTermParser()
            return []
        return [message for message in messages if _is_sound(message)]


def _is_sound(message: Message) -> bool:
    """Return whether a message can be used: no size that cannot be drawn, no half of a surrogate pair."""
    if isinstance(message, events.Resize):
        return min(message.size) > 0 and max(message.size) <= LARGEST
    if not isinstance(message, events.Key):
        return True
    return not any("\ud800" <= sign <= "\udfff" for sign in message.character or "")


class TerminalDriver(LinuxDriver):
    """Textual's driver with a keyboard that cannot fail; the console ends if the terminal is gone."""

    def _get_terminal_size(self) -> tuple[int, int]:
        """Return the size of the terminal, at most `LARGEST` columns and lines."""
        width, height = super()._get_terminal_size()
        return min(width, LARGEST), min(height, LARGEST)

    def process_message(self, message: Message) -> None:
        """Process a message, except a size that was not requested: the window would keep a wrong size."""
        if self._in_band_window_resize or not isinstance(message, events.Resize):
            super().process_message(message)

    def run_input_thread(self) -> None:
        """Read input until the console ends; end the console if the terminal is closed."""
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
