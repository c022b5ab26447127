"""Bytes as numbered texts for QR codes, and back from whatever was scanned, in any order.

A text is `QF1:3/12:DIGEST:DATA.`: which of how many, the digest of the whole, and base45 of a check of this
text and its share. All of it is of the 45 signs that a QR code holds most of; its end shows that it is whole.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b

from attrs import evolve, frozen

from qf_tui.core.errors import QfError

VERSION = 25
"""The largest QR code, of error correction M, that a phone reads from a sheet."""
_SIGNS = 1451
_PREFIX = len("QF1:99/99:0123456789ABCDEF:.")
_CHECK = 4
SHARE = (_SIGNS - _PREFIX) // 3 * 2 - _CHECK
"""Bytes that one code holds."""
_LETTERS = 4
"""Of the digest, by which people tell two prints apart."""
CODES_MOST = 99
"""Codes of one battle."""

_HEAD = re.compile(r"QF1:(\d{1,2})/(\d{1,2}):([0-9A-F]{16}):")
_DATA = re.compile(r"[0-9A-Z $%*+\-./:]*")


class NoLibrary(QfError):
    """A library of the extra is not installed; says how it is."""

    def __init__(self) -> None:
        super().__init__(INSTALL)


INSTALL = "the codes need two small libraries: pip install 'qf-tui[board]'"
"""The line that installs what codes need."""


@frozen
class Scanned:
    """A line that was scanned, and where it stood, as `scans.txt, line 4`."""

    text: str
    where: str


@frozen
class Share:
    """One code: its number, of how many, of which whole, and the bytes that it carries.

    `fault` says what is wrong with one whose bytes cannot be trusted.
    """

    number: int
    count: int
    digest: str
    data: bytes = b""
    fault: str = ""


def texts_of(whole: bytes) -> tuple[str, ...]:
    """Bytes as the texts of as few codes as hold them, all as long; QfError if no sheet could."""
    encode, _ = _base45()
    count = -(-len(whole) // SHARE) or 1
    if count > CODES_MOST:
        raise QfError(f"the battle would take {count} codes; a sheet has {CODES_MOST} at most")
    size = -(-len(whole) // count)
    digest = _digest(whole)
    shares = (Share(at + 1, count, digest, whole[at * size : (at + 1) * size]) for at in range(count))
    return tuple(
        f"QF1:{share.number}/{count}:{digest}:{encode(_check(share) + share.data).decode()}."
        for share in shares
    )


def caption(text: str) -> str:
    """What people tell a code by: `3 of 12 · 9F02`, the same letters on all of one print."""
    _, number, digest, *_ = text.split(":")
    return f"{number.replace('/', ' of ')} · {digest[:_LETTERS]}"


def whole_of(lines: Iterable[Scanned]) -> bytes:
    """The bytes of which these are all codes; QfError names each that is missing, damaged or a stranger."""
    sets: dict[tuple[str, int], dict[int, Share]] = {}
    strangers: list[str] = []
    for line in lines:
        found = _shares(line)
        if not found:
            strangers.append(f"{line.where}: no code, or its beginning is damaged")
        for share in found:
            of_print = sets.setdefault((share.digest, share.count), {})
            if not share.fault or share.number not in of_print:
                of_print[share.number] = share
    prints = [key for key, shares in sets.items() if _sound(shares)]
    full = [shares for (_, count), shares in sets.items() if 0 < count == len(_sound(shares))]
    if len(full) != 1 or len(prints) > 1:
        faults = [*_faults(sets), *strangers[:_FAULTS_MOST]]
        raise QfError(". ".join(faults) or "no code of a battle was given")
    whole = b"".join(full[0][number].data for number in sorted(_sound(full[0])))
    if _digest(whole) != next(iter(full[0].values())).digest:
        raise QfError("every code is there, but their digest does not fit: scan them anew")
    return whole


_FAULTS_MOST = 12


def _sound(shares: Mapping[int, Share]) -> list[int]:
    return [number for number, share in shares.items() if not share.fault]


def _faults(sets: Mapping[tuple[str, int], Mapping[int, Share]]) -> Iterator[str]:
    """What each print lacks; that there is more than one, where there is."""
    if len(sets) > 1:
        yield f"these are codes of {len(sets)} prints: give those of one alone"
    for (digest, count), shares in list(sets.items())[:_FAULTS_MOST]:
        lacks = [str(number) for number in range(1, count + 1) if number not in shares]
        of = f"of {count}" if len(sets) == 1 else f"of {count} ({digest[:_LETTERS]})"
        if lacks:
            codes, are = ("code", "is") if len(lacks) == 1 else ("codes", "are")
            yield f"{codes} {', '.join(lacks)} {of} {are} missing"
        yield from (share.fault for share in shares.values() if share.fault)


def _shares(line: Scanned) -> list[Share]:
    """The codes within a line; a scanner may write dates and quotes around them."""
    heads = list(_HEAD.finditer(line.text))
    ends = [*(head.start() for head in heads), len(line.text)][1:]
    return [
        _share(head, line.text[head.end() : end], line.where) for head, end in zip(heads, ends, strict=True)
    ]


def _share(head: re.Match[str], text: str, where: str) -> Share:
    share = Share(int(head[1]), int(head[2]), head[3])
    named = f"code {share.number} of {share.count} ({where})"
    found = _DATA.match(text)
    data_text = found[0].rstrip() if found else ""
    if not 0 < share.number <= share.count:
        return evolve(share, fault=f"{named}: there can be no such code")
    _, decode = _base45()
    try:
        data = decode(data_text.rpartition(".")[0])
    except ValueError:
        data = b""
    share = evolve(share, data=data[_CHECK:])
    if _check(share) != data[:_CHECK]:
        what = "damaged" if data_text.endswith(".") else "cut off"
        return evolve(share, fault=f"{named} is {what}: scan it again")
    return share


def _check(share: Share) -> bytes:
    head = f"{share.number}/{share.count}:{share.digest}:".encode()
    return blake2b(head + share.data, digest_size=_CHECK).digest()


def _digest(whole: bytes) -> str:
    return blake2b(whole, digest_size=8).hexdigest().upper()


def _base45() -> tuple[Callable[[bytes], bytes], Callable[[str], bytes]]:
    """What makes base45 of bytes, and bytes of base45; NoLibrary where nothing does."""
    try:
        from base45 import b45decode, b45encode  # noqa: PLC0415 - not everybody has it, or needs it
    except ImportError:
        raise NoLibrary from None
    return b45encode, b45decode
