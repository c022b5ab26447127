"""The lines of a save: the header, and an entry or a correction, from and to the JSON of their bodies."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, field, frozen

from qf_tui.core.acts import Correction, Entry, LogAct
from qf_tui.core.facts import Positional
from qf_tui.core.values import Battle, Ship
from qf_tui.journal.format_1 import FormatOne, upgraded_header
from qf_tui.journal.lines import FORMAT, Misread
from qf_tui.journal.validators import object_of, text, truth, whole
from qf_tui.journal.value_codec import decoded, encoded


@frozen
class Header:
    """The first line of a save: its format, the program that made it, the rule system, and the start battle.

    A start that has a beginning of its phase has itself for it. `extra` holds JSON of other parts of the program, by
    part.
    """

    format: int
    program: str
    system: str
    start: Battle
    extra: Mapping[str, object] = field(factory=dict)


_HEADER_KEYS = frozenset({"n", "save", "format", "program", "system", "start", "began", "extra"})
_RESERVE: Any = Mapping[str, Ship]


def encode_header(header: Header) -> dict[str, object]:
    """The body of the first line."""
    body: dict[str, object] = {
        "n": 0,
        "save": "qf-tui",
        "format": header.format,
        "program": header.program,
        "system": header.system,
        "start": encoded(header.start, Battle),
    }
    if header.start.began is not None:
        body["began"] = True
    if header.extra:
        body["extra"] = header.extra
    return body


def decode_header(body: object, reserve: object = None) -> Header:
    """A header from its body; Misread says what is wrong and where.

    `reserve` are the ships that a header of format 1 kept beside its own.
    """
    raw = object_of(body, _HEADER_KEYS)
    for key in _HEADER_KEYS - {"began", "extra"}:
        if key not in raw:
            raise Misread(f"{key} is missing")
    format = whole(raw["format"])
    if not 0 < format <= FORMAT or whole(raw["n"]) or raw["save"] != "qf-tui":
        raise Misread(f"not the first line of a save of format {FORMAT}")
    start = decoded(Battle, raw["start"])
    if reserve:
        start = evolve(start, reserve=decoded(_RESERVE, reserve))
    if truth(raw.get("began", False)):
        start = evolve(start, began=start)
    return Header(format, text(raw["program"]), text(raw["system"]), start, object_of(raw.get("extra", {})))


def encode_act(act: LogAct) -> dict[str, object]:
    """The body of an act's line."""
    body: dict[str, object] = encoded(act, type(act))
    return body


def decode_act(body: object) -> LogAct:
    """An entry or a correction from its body; Misread says what is wrong."""
    raw = object_of(body)
    return decoded(Entry, raw) if "order" in raw else decoded(Correction, raw)


class LineDecoder:
    """Decodes the lines of one save, first to last; from the act that says so they are of a newer format.

    `names` are how rule systems name the facts that format 1 kept by position. `format` is that of the last line.
    """

    def __init__(self, names: Mapping[str, Positional]) -> None:
        self.format = FORMAT
        self._names = names
        self._first = FORMAT
        self._format_1: FormatOne | None = None

    def header(self, body: object) -> Header:
        """The header; Misread says what is wrong."""
        reserve = None
        if type(body) is dict and body.get("format") == 1 and type(body["format"]) is int:
            body, self._format_1 = upgraded_header(body, self._names)
            reserve = self._format_1.reserve
        header = decode_header(body, reserve)
        self.format = self._first = header.format
        return header

    def act(self, body: object) -> LogAct:
        """The next act; Misread says what is wrong."""
        if type(body) is dict and "format" in body:
            newer = whole(body.pop("format"))
            if not self.format < newer <= FORMAT:
                raise Misread(f"format {newer} behind lines of format {self.format}")
            self.format = newer
        if self.format == 1 and self._format_1 is not None:
            body = self._format_1.act(body)
        return decode_act(body)

    def anew(self) -> "LineDecoder":
        """One that stands before the first act again."""
        again = LineDecoder(self._names)
        again.format, again._first, again._format_1 = self._first, self._first, self._format_1
        return again
