"""The form of one line of a save (number, JSON, checksum), and strict reading of plain JSON values.

The checksum of a line covers that of the line before, so a changed, lost, doubled or moved line shows.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from typing import Any

from attrs import frozen

from qf_tui.core.text import Scalar, find_unprintable

FORMAT = 3
"""The only save format that this program reads and writes."""
LINE_MOST = 8_000_000
"""Largest length of a line, in bytes."""
SAVE_MOST = 50_000_000
"""Largest size of a save, in bytes."""
SIGNATURE = b'{"n":0,"save":"qf-tui","format":'
"""First bytes of every save, of any format."""
NUMBER_MOST = 10**15
"""Limit of whole numbers in a save: each lies between this number and its negative."""

SENSELESS = (
    *(ValueError, TypeError, LookupError, ArithmeticError),
    *(AttributeError, StopIteration, RecursionError),
)
"""Exceptions that code raises when it meets a value of an unexpected kind."""
_SEAL = re.compile(rb',"sum":"([0-9a-f]{16})"\}')
_SEAL_LENGTH = 26
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _refuse_constant(name: str) -> object:
    """Refuse the constants NaN and Infinity, which the decoder of JSON would accept."""
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_PLAIN_ESCAPES = re.compile(r'(?:[^\\]|\\["\\])*')
_NUMBER = rb'\{"n":(\d{1,9})[,}]'


def find_format_fault(number: int) -> str:
    """Explain why a save of this format cannot be read, and what to do; return "" if it can."""
    if number == FORMAT:
        return ""
    program = "a newer qf-tui" if number > FORMAT else "the version of qf-tui that wrote it"
    return f"a save of format {number}; this program reads format {FORMAT}. Open it with {program}"


class Misread(ValueError):
    """A value or text that no line may hold; the message names the value and the values expected."""


def encode_json(body: Mapping[str, object]) -> bytes:
    """Encode a body as JSON in UTF-8.

    Raises:
        Misread: If JSON cannot hold a value, or a text contains unprintable characters.
    """
    try:
        text = _ENCODER.encode(body)
        _check_text(text)
        return text.encode()
    except (TypeError, ValueError, RecursionError) as fault:
        raise Misread(str(fault)) from None


def decode_json(body: bytes) -> object:
    """Decode the JSON of one body, or of a list of bodies.

    Raises:
        Misread: If the bytes are not JSON in UTF-8, or a text contains unprintable characters.
    """
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
    r"""Check that JSON text has only printable characters, and no escapes but `\"` and `\\`.

    Raises:
        Misread: If it has other characters or escapes.
    """
    fault = None if text.isprintable() else find_unprintable(text)
    if fault:
        raise Misread(f"unprintable character {fault}")
    if "\\" in text:
        allowed = _PLAIN_ESCAPES.match(text)
        if allowed and allowed.end() < len(text):
            raise Misread(f"escaped character at {allowed.end() + 1}; a save has none")


def seal(body: bytes, previous: str) -> tuple[bytes, str]:
    """Add the checksum to a body, and return the whole line and the checksum.

    Args:
        previous: Checksum of the line before; "" for the first line.
    """
    checksum = _compute_sum(body, previous)
    return b'%b,"sum":"%b"}\n' % (body[:-1], checksum.encode()), checksum


def unseal(line: bytes, previous: str) -> tuple[bytes, str] | None:
    """Return the body of a line and its checksum, or None if the checksum is wrong.

    Args:
        line: The line without its line end.
        previous: Checksum of the line before; "" for the first line.
    """
    body = line[:-_SEAL_LENGTH] + b"}"
    checksum = _compute_sum(body, previous)
    fits = len(body) > 1 and line[-_SEAL_LENGTH:] == b',"sum":"%b"}' % checksum.encode()
    return (body, checksum) if fits else None


@frozen
class Extent:
    """The part of a save that was read or written: its length in bytes, and the checksum of its last line."""

    path: Path
    length: int
    last_sum: str


def read_stated_sum(line: bytes) -> str:
    """Read the checksum that a whole line states, without checking it."""
    return line.rstrip(b"\n")[-18:-2].decode("ascii", "replace")


def find_damage_after(lines: Sequence[bytes], place: int, previous: str) -> list[int]:
    """Find the damaged lines after a damaged line.

    A line is sound if it follows any checksum that the line before may have. After a line without a
    checksum, the next one cannot be judged and does not count as damaged.

    Args:
        lines: All lines of the save.
        place: Index of the first damaged line.
        previous: Checksum that the damaged line should follow.

    Returns:
        The indices of the other damaged lines.
    """
    places: list[int] = []
    possible_sums = _find_possible_sums(lines[place], (previous,))
    for later_place in range(place + 1, len(lines)):
        line = lines[later_place]
        if possible_sums and not any(unseal(line, checksum) for checksum in possible_sums):
            places.append(later_place)
        possible_sums = _find_possible_sums(line, possible_sums)
    return places


def list_sound_bodies(lines: Sequence[bytes], previous: str) -> Iterator[bytes]:
    """Yield the bodies of the sound lines after a damaged line.

    A line is sound if its checksum follows from that of the line before: the one stated there, or the one
    computed from the body there. After a line that states none, the next line does not count as sound.

    Args:
        lines: The damaged line and all lines after it.
        previous: Checksum that the damaged line should follow.
    """
    possible_sums = _find_possible_sums(lines[0], (previous,))
    for line in lines[1:]:
        attempts = (unseal(line, checksum) for checksum in possible_sums)
        unsealed = next(filter(None, attempts), None)
        if unsealed is not None:
            body, _ = unsealed
            yield body
        possible_sums = _find_possible_sums(line, possible_sums)


def _find_possible_sums(line: bytes, previous_sums: Iterable[str]) -> tuple[str, ...]:
    """Return the checksums that the next line may follow, because this line may be damaged.

    Args:
        previous_sums: Checksums that this line may follow.

    Returns:
        The checksum stated in the line, and for each of `previous_sums` the one computed from the body. () if
        the line does not end with a checksum.
    """
    stated = _SEAL.fullmatch(line, len(line) - _SEAL_LENGTH) if len(line) > _SEAL_LENGTH else None
    if stated is None:
        return ()
    body = line[:-_SEAL_LENGTH] + b"}"
    return tuple({stated[1].decode(), *(_compute_sum(body, checksum) for checksum in previous_sums)})


def has_seal_within(line: bytes) -> bool:
    """Return whether anything follows the checksum that ends a line, as when two lines have run together."""
    match = _SEAL.search(line)
    return match is not None and len(line.rstrip(b"\n")) > match.end()


def read_line_number(line: bytes) -> int | None:
    """Read the number of a line, even of a damaged one; return None if it has no number."""
    match = re.match(_NUMBER, line)
    return int(match[1]) if match else None


def _compute_sum(body: bytes, previous: str) -> str:
    """Compute the checksum of a body that follows a line with the checksum `previous`."""
    return blake2b(previous.encode() + body, digest_size=8).hexdigest()


_SHOWN = {dict: "an object", list: "a list", type(None): "nothing"}


def format_value(value: object) -> str:
    """Format a value for a message, even if it is nested too deep for `repr`."""
    return _SHOWN.get(type(value)) or f"“{str(value)[:40]}”"


def read_whole(value: object, _: object = None) -> int:
    """Check that a value is a whole number (3.0 is not) below NUMBER_MOST and return it, or raise Misread."""
    if type(value) is int and -NUMBER_MOST < value < NUMBER_MOST:
        return value
    raise Misread(f"{format_value(value)} is not a whole number")


def read_number(value: object, _: object = None) -> float:
    """Check that a value is a finite number (true is not) and return it, or raise Misread."""
    if type(value) is int or (type(value) is float and isfinite(value)):
        return value
    raise Misread(f"{format_value(value)} is not a number")


def read_text(value: object, _: object = None) -> str:
    """Check that a value is a text and return it, or raise Misread."""
    if type(value) is str:
        return value
    raise Misread(f"{format_value(value)} is not a text")


def read_truth(value: object, _: object = None) -> bool:
    """Check that a value is true or false and return it, or raise Misread."""
    if type(value) is bool:
        return value
    raise Misread(f"{format_value(value)} is not true or false")


def read_scalar(value: object, _: object = None) -> Scalar:
    """Check that a value is a text, a finite number, true, false or null and return it, or raise Misread."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value  # type: ignore[return-value]  # told by its type
    if type(value) is float and isfinite(value):
        return value
    if kind is int:
        return read_whole(value)
    raise Misread(f"{format_value(value)} is not a text or a number")


def read_list(value: object) -> list[Any]:
    """Check that a value is a list and return it, or raise Misread."""
    if type(value) is list:
        return value
    raise Misread(f"{format_value(value)} is not a list")


def read_object(value: object, keys: frozenset[str] | None = None) -> dict[str, Any]:
    """Check that a value is an object with no other keys than `keys` (None: any), and return it.

    Raises:
        Misread: If it is not.
    """
    if type(value) is not dict:
        raise Misread(f"{format_value(value)} is not an object")
    if keys is not None and not value.keys() <= keys:
        raise Misread(f"unknown key {format_value(next(iter(value.keys() - keys)))}")
    return value
