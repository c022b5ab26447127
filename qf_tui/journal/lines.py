"""A line of a save, one JSON object from its number to its checksum; and strict reading of JSON.

The checksum is BLAKE2b, 8 bytes in hexadecimal, of the checksum of the line before (nothing before the
header) and the line's own bytes without its `sum`. So no line can be changed, lost, doubled or moved unseen.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from typing import Any

from attrs import frozen

from qf_tui.core.text import Scalar, unprintable

FORMAT = 3
"""The one format that is written and read."""
LINE_MOST = 8_000_000
"""Bytes in the longest line."""
SAVE_MOST = 50_000_000
"""Bytes in the longest save."""
SIGNATURE = b'{"n":0,"save":"qf-tui","format":'
"""How every save begins, whatever its format."""
NUMBER_MOST = 10**15
"""Whole numbers of a save are between this and its negative."""

SENSELESS = (
    *(ValueError, TypeError, LookupError, ArithmeticError),
    *(AttributeError, StopIteration, RecursionError),
)
"""The exceptions of code that meets an unexpected value."""
_SEAL = re.compile(rb',"sum":"([0-9a-f]{16})"\}')
_SEAL_LENGTH = 26
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _refuse(name: str) -> object:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse)
_PLAIN_ESCAPES = re.compile(r'(?:[^\\]|\\["\\])*')
_NUMBER = rb'\{"n":(\d{1,9})[,}]'


def find_format_fault(number: int) -> str:
    """Say why a save of a format is not read, and what to do; "" for the format that is."""
    if number == FORMAT:
        return ""
    program = "a newer qf-tui" if number > FORMAT else "the version of qf-tui that wrote it"
    return f"a save of format {number}; this program reads format {FORMAT}. Open it with {program}"


class Misread(ValueError):
    """A value or a text that no line may hold; says which and what was expected."""


def written(body: Mapping[str, object]) -> bytes:
    """A body as JSON in UTF-8; Misread for what JSON cannot say or a person must not read."""
    try:
        text = _ENCODER.encode(body)
        _check_text(text)
        return text.encode()
    except (TypeError, ValueError, RecursionError) as fault:
        raise Misread(str(fault)) from None


def parsed(body: bytes) -> object:
    """The JSON of one body or of several in a list; Misread for anything else, unprintable text included."""
    try:
        text = body.decode()
    except UnicodeDecodeError as fault:
        raise Misread(f"not UTF-8 at byte {fault.start + 1}") from None
    _check_text(text)
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise Misread("nested too deep") from None
    except ValueError:
        raise Misread("not JSON") from None


def _check_text(text: str) -> None:
    # Printable text needs an escape for quote and backslash alone.
    fault = None if text.isprintable() else unprintable(text)
    if fault:
        raise Misread(f"unprintable character {fault}")
    if "\\" in text and (whole := _PLAIN_ESCAPES.match(text)) and whole.end() < len(text):
        raise Misread(f"escaped character at {whole.end() + 1}; a save has none")


def seal(body: bytes, previous: str) -> tuple[bytes, str]:
    """A body as a whole line, and its checksum."""
    total = _total(body, previous)
    return b'%b,"sum":"%b"}\n' % (body[:-1], total.encode()), total


def unseal(line: bytes, previous: str) -> tuple[bytes, str] | None:
    """The body of a line (without its line end) and its checksum; None if the checksum does not fit."""
    body = line[:-_SEAL_LENGTH] + b"}"
    total = _total(body, previous)
    fits = len(body) > 1 and line[-_SEAL_LENGTH:] == b',"sum":"%b"}' % total.encode()
    return (body, total) if fits else None


@frozen
class Extent:
    """How far a save was written or read: its bytes so far, and the checksum of the last line of these."""

    path: Path
    length: int
    last_sum: str


def stated_sum(line: bytes) -> str:
    """The checksum that a whole line says it has, unchecked: what the next one follows."""
    return line.rstrip(b"\n")[-18:-2].decode("ascii", "replace")


def damaged_behind(lines: Sequence[bytes], place: int, previous: str) -> list[int]:
    """The places behind a damaged line that are damaged too, each judged by what the line before may be.

    `previous` is the checksum that the damaged line should follow.
    """
    places: list[int] = []
    before = _sums(lines[place], (previous,))
    for later in range(place + 1, len(lines)):
        line = lines[later]
        if before and not any(unseal(line, total) for total in before):
            places.append(later)
        before = _sums(line, before)
    return places


def bodies_after(lines: Sequence[bytes], previous: str) -> Iterator[bytes]:
    """Give the bodies of the lines after a damaged one, the first of `lines`, whose checksums fit.

    A line fits if it follows the checksum that the line before it states, or that its body makes.
    `previous` is the checksum that the damaged line should follow.
    """
    before = _sums(lines[0], (previous,))
    for line in lines[1:]:
        found = next((found for total in before if (found := unseal(line, total))), None)
        if found is not None:
            yield found[0]
        before = _sums(line, before)


def _sums(line: bytes, before: Iterable[str]) -> tuple[str, ...]:
    """The checksums that the line behind may follow: the one stated, and those that its body makes."""
    seal = _SEAL.fullmatch(line, len(line) - _SEAL_LENGTH) if len(line) > _SEAL_LENGTH else None
    if seal is None:
        return ()
    body = line[:-_SEAL_LENGTH] + b"}"
    return tuple({seal[1].decode(), *(_total(body, total) for total in before)})


def seal_within(line: bytes) -> bool:
    """Whether a whole line ends somewhere inside this one, as where two have run together."""
    match = _SEAL.search(line)
    return match is not None and len(line.rstrip(b"\n")) > match.end()


def number_of(line: bytes) -> int | None:
    """The number of a line, even if its checksum is wrong; None if it has none."""
    match = re.match(_NUMBER, line)
    return int(match[1]) if match else None


def _total(body: bytes, previous: str) -> str:
    return blake2b(previous.encode() + body, digest_size=8).hexdigest()


_SHOWN = {dict: "an object", list: "a list", type(None): "nothing"}


def shown(value: object) -> str:
    """A value in a message; it may be nested deeper than `repr` can go."""
    return _SHOWN.get(type(value)) or f"“{str(value)[:40]}”"


def whole(value: object, _: object = None) -> int:
    """A whole number, and no other: neither 3.0 nor true."""
    if type(value) is int and -NUMBER_MOST < value < NUMBER_MOST:
        return value
    raise Misread(f"{shown(value)} is not a whole number")


def number(value: object, _: object = None) -> float:
    """A number, whole or not, that is one."""
    if type(value) is int or (type(value) is float and isfinite(value)):
        return value
    raise Misread(f"{shown(value)} is not a number")


def text(value: object, _: object = None) -> str:
    """A text."""
    if type(value) is str:
        return value
    raise Misread(f"{shown(value)} is not a text")


def truth(value: object, _: object = None) -> bool:
    """True or false."""
    if type(value) is bool:
        return value
    raise Misread(f"{shown(value)} is not true or false")


def scalar(value: object, _: object = None) -> Scalar:
    """A text, a number that is one, true, false or nothing."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value  # type: ignore[return-value]  # told by its type
    if type(value) is float and isfinite(value):
        return value
    if kind is int:
        return whole(value)
    raise Misread(f"{shown(value)} is not a text or a number")


def list_of(value: object) -> list[Any]:
    """A list of anything."""
    if type(value) is list:
        return value
    raise Misread(f"{shown(value)} is not a list")


def object_of(value: object, keys: frozenset[str] | None = None) -> dict[str, Any]:
    """An object, with none but those keys if they are named."""
    if type(value) is not dict:
        raise Misread(f"{shown(value)} is not an object")
    if keys is not None and not value.keys() <= keys:
        raise Misread(f"unknown key {shown(next(iter(value.keys() - keys)))}")
    return value
