"""Packs a battle, its start and its orders without their results, into few bytes, and unpacks it again.

The bytes are a letter (the packing), the length of the packed JSON, the JSON, and one check byte for each
act. The check bytes show whether deciding the acts again gives the same. The JSON has `header` and `acts` as
in a save, but an entry that has only an order and dice is a list of those. `at` has the tenths of a second
between acts.

A code is some of these bytes as text. It begins with `QF2` and holds only letters and digits, because mail,
web pages and editors change other signs. Older codes begin with `QF1`, hold base 45 and are still read.
"""

import lzma
import re
import stat
import sys
import zlib
from binascii import a2b_qp
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import accumulate, islice
from math import ceil, log2
from os import fstat
from pathlib import Path
from string import ascii_uppercase, digits
from textwrap import dedent
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote_plus

from attrs import evolve, frozen
from base45 import b45decode

from qf_tui.core.errors import QfError
from qf_tui.core.revisions import replay_act
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, LogAct, Timeline, build_timeline
from qf_tui.journal.codec import (
    Header,
    decode_act,
    decode_header,
    encode_act,
    encode_header,
    find_order_reader,
)
from qf_tui.journal.disk import format_disk_fault, format_file_name, open_without_waiting
from qf_tui.journal.lines import Misread, decode_json, encode_json, read_list, read_object, read_whole
from qf_tui.journal.reading import find_misplaced
from qf_tui.journal.saving import refuse_existing, write_save
from qf_tui.library.declared import Systems
from qf_tui.session.saves import (
    add_arrivals,
    build_checked_timeline,
    build_header,
    find_system,
    make_rules_finder,
    report_meaningless_save,
)

VERSION = 25
"""The largest QR code, of error correction M, that a phone reads from a sheet."""
_LETTERS_A_CODE = 1451
_PREFIX = len("QF2:99/99:0123456789ABCDEF:.")
_CHECK = 4
_LETTERS = digits + ascii_uppercase
_LETTERS_A_BYTE = 8 / log2(len(_LETTERS))
SHARE_BYTES = int((_LETTERS_A_CODE - _PREFIX) / _LETTERS_A_BYTE) - _CHECK
"""Bytes that one code holds."""
_DIGEST_LETTERS = 4
"""Number of letters of the digest in a caption; they differ between two prints."""
CODES_MOST = 99
"""Largest number of codes of one battle."""

_HEAD = re.compile(
    # A line may be broken anywhere, and indented.
    r"Q F ([12]) : (\d(?: \d)?) / (\d(?: \d)?) : ([0-9A-F](?: [0-9A-F]){15}) :".replace(" ", r"\s*"),
    re.IGNORECASE,
)
_OLD_DATA = re.compile(r"[0-9A-Z $%*+\-./:\n]*")
_OLD_END = re.compile(r"\.(?![0-9A-Z$%*+\-./:])")
_NO_DATA = re.compile(r"<[^<>]*>|&\w+;|[^0-9A-Za-z]")
_OLD_ENDS_MOST, _OLD_BLANKS_MOST = 9, 99
"""What is tried of an old code. Codes have fewer; a text that is no code would take hours."""
_QUOTED_HEAD = re.compile("QF[12]%3A", re.IGNORECASE)
_OTHER_SIGNS = str.maketrans(
    {"\u2010": "-", "\u2013": "-", "\u2014": "--", "\u2212": "-", "\u00ad": None, "\u200b": None}
)
"""Signs that editors write for those of a code."""
_QUOTE = re.compile(r"^(?:> ?)+")


@frozen
class Scanned:
    """A scanned line, and where it was found, as `scans.txt, line 4`."""

    text: str
    where: str


@frozen
class Share:
    """The content of one printed QR code, a part of a packed battle.

    Attributes:
        number: Number of the code, from 1.
        count: Number of all codes of the print.
        digest: Digest of all bytes of the print.
        data: Bytes that the code holds.
        fault: Reason why the bytes cannot be trusted, or "".
    """

    number: int
    count: int
    digest: str
    data: bytes = b""
    fault: str = ""


def split_codes(packed: bytes) -> tuple[str, ...]:
    """Split bytes into the texts of as few codes as can hold them.

    Raises:
        QfError: They need more codes than a sheet has.
    """
    count = max(1, ceil(len(packed) / SHARE_BYTES))
    if count > CODES_MOST:
        raise QfError(f"the battle would need {count} codes; a sheet has {CODES_MOST} at most")
    size = ceil(len(packed) / count)
    digest = _compute_digest(packed)
    shares = (
        Share(index + 1, count, digest, packed[index * size : (index + 1) * size]) for index in range(count)
    )
    return tuple(
        f"QF2:{share.number}/{count}:{digest}:{encode_letters(_compute_checksum(share) + share.data)}."
        for share in shares
    )


def encode_letters(data: bytes) -> str:
    """Write bytes as one number in base 36; the number of letters shows how many bytes there are."""
    number = int.from_bytes(data, "big")
    letters: list[str] = []
    for _ in range(ceil(len(data) * _LETTERS_A_BYTE)):
        number, digit = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[digit])
    return "".join(reversed(letters))


def decode_letters(text: str) -> bytes:
    """Read bytes from letters of base 36.

    Raises:
        ValueError: There are no letters, or too many.
        OverflowError: No bytes have these letters.
    """
    return int(text, len(_LETTERS)).to_bytes(int(len(text) / _LETTERS_A_BYTE), "big")


def format_caption(text: str) -> str:
    """Format the caption below a code, as `3 of 12 · 9F02`; all codes of one print have the same letters."""
    # The text is `QF2:3/12:DIGEST:DATA`.
    _, number, digest, *_ = text.split(":")
    return f"{number.replace('/', ' of ')} · {digest[:_DIGEST_LETTERS]}"


def join_codes(lines: Iterable[Scanned]) -> bytes:
    """Join the bytes of the codes of one print.

    Raises:
        QfError: Codes are missing, damaged or of several prints; the message names them.
    """
    shares_by_print: dict[tuple[str, int], dict[int, Share]] = {}
    found_shares, unread_lines = _find_shares(list(lines))
    for share in found_shares:
        shares = shares_by_print.setdefault((share.digest, share.count), {})
        # A damaged scan never replaces another scan of the same code.
        if not share.fault or share.number not in shares:
            shares[share.number] = share
    prints_with_codes = [key for key, shares in shares_by_print.items() if _list_sound_numbers(shares)]
    complete = [
        shares
        for (_, count), shares in shares_by_print.items()
        if count > 0 and len(_list_sound_numbers(shares)) == count
    ]
    if len(complete) != 1 or len(prints_with_codes) > 1:
        faults = [
            *_list_faults(shares_by_print),
            *(f"{where}: no code, or a damaged beginning" for where in unread_lines[:_UNREAD_MOST]),
        ]
        if any(fault.endswith(_DAMAGED) for fault in faults):
            faults.append(_REMEDY)
        raise QfError(". ".join(faults) or "no code of a battle was given")
    shares = complete[0]
    packed = b"".join(shares[number].data for number in sorted(_list_sound_numbers(shares)))
    if _compute_digest(packed) != shares[1].digest:
        raise QfError("all codes are there, but their digest is wrong: scan them again")
    return packed


_UNREAD_MOST = _PRINTS_MOST = 12
"""Most unread lines, and most prints, whose faults a message lists."""
_DAMAGED = "is damaged"
_REMEDY = "A text was changed on the way: scan damaged codes again, and send the texts as an attached file"


def _list_sound_numbers(shares: Mapping[int, Share]) -> list[int]:
    """List the numbers of the codes without a fault."""
    return [number for number, share in shares.items() if not share.fault]


def _list_faults(shares_by_print: Mapping[tuple[str, int], Mapping[int, Share]]) -> Iterator[str]:
    """Yield a fault if there are several prints, then the missing or damaged codes of the first prints."""
    if len(shares_by_print) > 1:
        yield f"these are codes of {len(shares_by_print)} prints: use the codes of one print"
    for (digest, count), shares in list(shares_by_print.items())[:_PRINTS_MOST]:
        missing = [str(number) for number in range(1, count + 1) if number not in shares]
        of_print = f"of {count}" if len(shares_by_print) == 1 else f"of {count} ({digest[:_DIGEST_LETTERS]})"
        if missing:
            codes, are = ("code", "is") if len(missing) == 1 else ("codes", "are")
            yield f"{codes} {', '.join(missing)} {of_print} {are} missing"
        yield from (share.fault for share in shares.values() if share.fault)


def _find_shares(lines: Sequence[Scanned]) -> tuple[list[Share], list[str]]:
    """Find the codes in lines, and list the places of the lines without any part of a code.

    A code may be broken over lines. Scanners may write dates and quotes around it.
    """
    texts = [_clean_line(line.text) for line in lines]
    text = "\n".join(texts)
    line_starts = list(accumulate((len(line) + 1 for line in texts), initial=0))
    heads = list(_HEAD.finditer(text))
    next_starts = [*(head.start() for head in heads), len(text)][1:]
    shares: list[Share] = []
    unread_lines = set(range(len(lines)))
    for head, next_start in zip(heads, next_starts, strict=False):
        # `bisect` counts the lines that begin up to a place; the last of these has the place in it.
        first_index = bisect(line_starts, head.start()) - 1
        share, length = _read_share(head, text[head.end() : next_start], lines[first_index].where)
        shares.append(share)
        last_index = bisect(line_starts, head.end() + length - 1) - 1
        unread_lines -= set(range(first_index, last_index + 1))
    return shares, [lines[index].where for index in sorted(unread_lines)]


def _read_share(head: re.Match[str], text: str, where: str) -> tuple[Share, int]:
    """Read one code; return it and the number of letters after its head. A damaged code has a fault.

    Args:
        head: Match of the head of the code.
        text: Text from the head to the next head or the end.
        where: Place of the line where the code begins.
    """
    version, number, count, digest = ("".join(group.split()) for group in head.groups())
    share = Share(int(number), int(count), digest.upper())
    name = f"code {share.number} of {share.count} ({where})"
    if not 0 < share.number <= share.count:
        return evolve(share, fault=f"{name}: this code cannot exist"), len(text)
    # Some programs turn a whole code into small letters.
    if head[0].islower():
        text = text.upper()
    for data, length in _list_readings(text) if version == "2" else _list_old_readings(text):
        found = evolve(share, data=data[_CHECK:])
        if _compute_checksum(found) == data[:_CHECK]:
            return found, length
    damage = _DAMAGED if _OLD_END.search(text) else "is cut off: scan it again"
    return evolve(share, fault=f"{name} {damage}"), len(text)


def _clean_line(text: str) -> str:
    """Undo what mail, editors and links do to a line, as far as the line alone shows it."""
    if _QUOTED_HEAD.search(text):
        text = unquote_plus(text)
    return _QUOTE.sub("", normalize("NFKC", text).translate(_OTHER_SIGNS))


def _list_readings(text: str) -> Iterator[tuple[bytes, int]]:
    """Yield the bytes of the code that a text begins with, and where it ends; nothing if it cannot be read.

    Signs that no code has are ignored.
    """
    body, dot, _ = text.partition(".")
    with suppress(ValueError, OverflowError):
        yield decode_letters(_NO_DATA.sub("", body)), len(body + dot)


def _list_old_readings(text: str) -> Iterator[tuple[bytes, int]]:
    """Yield the bytes that an old code may hold, and where it ends.

    A full stop and a blank may end the code or be data, so each such end is tried.
    """
    for end in islice(_OLD_END.finditer(text), _OLD_ENDS_MOST):
        body = text[: end.start()]
        if len(body) > 2 * _LETTERS_A_CODE or not _OLD_DATA.fullmatch(body):
            return
        for letters in dict.fromkeys(_list_old_texts(body)):
            with suppress(ValueError):
                yield b45decode(letters), end.end()


def _list_old_texts(body: str) -> Iterator[str]:
    """Yield the texts that an old code may have been before mail and editors changed its lines.

    Programs broke a code at a blank or anywhere else, indented the lines, or removed one blank.
    """
    first_line, _, other_lines = body.partition("\n")
    dedented = f"{first_line}\n{dedent(other_lines)}"
    without_blanks = re.sub(r" *\n *", "\n", body)
    for lines in (body, dedented, without_blanks):
        # A break replaced nothing, or a blank.
        for joint in ("", " "):
            yield lines.replace("\n", joint)
            # A removed blank was next to a blank or a break.
            for place in islice(re.finditer(r"[ \n]", lines), _OLD_BLANKS_MOST):
                index = place.start()
                yield f"{lines[:index]} {lines[index:]}".replace("\n", joint)


def _compute_checksum(share: Share) -> bytes:
    """Return the checksum that a code has before its data."""
    head = f"{share.number}/{share.count}:{share.digest}:".encode()
    return blake2b(head + share.data, digest_size=_CHECK).digest()


def _compute_digest(packed: bytes) -> str:
    """Return the digest of all bytes of a print, in hexadecimal."""
    return blake2b(packed, digest_size=8).hexdigest().upper()


UNPACKED_MOST = 4_000_000
"""Largest size of the unpacked JSON, in bytes; a battle of five thousand acts has less."""
ACTS_MOST = 10_000
_FILTERS: list[dict[str, Any]] = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 4, "dict_size": UNPACKED_MOST}]
_LENGTH_SIZE = 4
_ZLIB, _LZMA = b"z", b"x"


@frozen
class Unpacked:
    """A battle unpacked from printed codes and decided again.

    Attributes:
        system: Rule system of the battle.
        header: Header of the save.
        timeline: The battle as today's rules decide it.
        differ: Numbers of the acts that are decided differently than when printed.
    """

    system: RuleSystem
    header: Header
    timeline: Timeline
    differ: tuple[int, ...]


def pack_battle(system: RuleSystem, timeline: Timeline, extra: Mapping[str, object]) -> bytes:
    """Pack a battle with its whole log into bytes, by the packing that makes it smaller."""
    header = encode_header(build_header(system, timeline.start, extra))
    bodies = [encode_act(act) for act in timeline.log]
    checks = bytes(map(_compute_check_byte, bodies))
    body: dict[str, object] = {"header": header, "acts": [_shorten_act(item) for item in bodies]}
    if any(act.at is not None for act in timeline.log):
        body["at"] = _list_time_steps(act.at for act in timeline.log)
    text = encode_json(body)
    by_lzma = lzma.compress(text, lzma.FORMAT_RAW, filters=_FILTERS)
    by_zlib = zlib.compress(text, level=9)
    kind, smallest = (_LZMA, by_lzma) if len(by_lzma) <= len(by_zlib) else (_ZLIB, by_zlib)
    return kind + len(smallest).to_bytes(_LENGTH_SIZE, "big") + smallest + checks


def unpack_battle(data: bytes, systems: Systems) -> Unpacked:
    """Unpack a battle and decide every act again.

    Raises:
        QfError: The bytes hold no battle.
    """
    try:
        text, checks = _unpack_json(data)
        raw = read_object(decode_json(text), frozenset({"header", "acts", "at"}))
        return _decide_again(raw, checks, systems)
    except Misread as fault:
        raise QfError(f"the codes hold no battle that this program can read: {fault}") from None


def _unpack_json(data: bytes) -> tuple[bytes, bytes]:
    """Unpack the JSON in some bytes; return it still encoded, and the check bytes after it.

    Raises:
        Misread: The bytes cannot be unpacked, or hold more than `UNPACKED_MOST`.
    """
    kind = data[:1]
    length = int.from_bytes(data[1 : 1 + _LENGTH_SIZE], "big")
    start = 1 + _LENGTH_SIZE
    packed, checks = data[start : start + length], data[start + length :]
    if len(data) < start or len(packed) != length:
        raise Misread("they end too soon")
    try:
        if kind == _LZMA:
            text = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_FILTERS).decompress(
                packed, UNPACKED_MOST + 1
            )
        elif kind == _ZLIB:
            text = zlib.decompressobj().decompress(packed, UNPACKED_MOST + 1)
        else:
            raise Misread("a newer qf-tui printed them; rescue them with that")
    except (lzma.LZMAError, zlib.error, EOFError):
        raise Misread("they cannot be unpacked") from None
    if len(text) > UNPACKED_MOST:
        raise Misread(f"unpacked they are larger than {UNPACKED_MOST // 1_000_000} MB")
    return text, checks


def _decide_again(raw: Mapping[str, Any], checks: bytes, systems: Systems) -> Unpacked:
    """Decide every act of an unpacked battle again, and compare each with its check byte.

    The result holds the battle as today's rules decide it, and the numbers of the acts that differ.

    Raises:
        Misread: The data holds no battle.
    """
    if "header" not in raw or "acts" not in raw:
        raise Misread("header or acts are missing")
    read_order = find_order_reader(raw["header"], make_rules_finder(systems))
    header = decode_header(raw["header"], read_order)
    system = find_system(header.system, header.book, systems)
    bodies = read_list(raw["acts"])
    if len(bodies) > ACTS_MOST or len(checks) != len(bodies):
        raise Misread(f"{len(bodies)} acts, {len(checks)} checks")
    seconds = _read_times(raw.get("at"), len(bodies))
    entries: set[int] = set()
    log: list[LogAct] = []
    for number, (body, at) in enumerate(zip(bodies, seconds, strict=True), start=1):
        act = evolve(decode_act(_restore_act(body, number), read_order), at=at)
        fault = find_misplaced(act, number, entries)
        if fault:
            raise Misread(f"act {number}: {fault}")
        if isinstance(act, Entry):
            entries.add(number)
        log.append(act)
    with report_meaningless_save(system):
        # Ships that join later must be in the reserve, where a corrected `join` finds them.
        timeline = build_timeline(add_arrivals(header.start, log), log=())
        for act in log:
            timeline = replay_act(system, timeline, act)
    # The acts as today's rules decide them must also make a valid save.
    build_checked_timeline(system, header.start, timeline.log)
    bodies_now = map(encode_act, timeline.log)
    differ = (
        number
        for number, (act, check) in enumerate(zip(bodies_now, checks, strict=True), 1)
        if _compute_check_byte(act) != check
    )
    return Unpacked(system, header, timeline, tuple(differ))


def _shorten_act(body: Mapping[str, Any]) -> object:
    """Return an act without number, time and decision; an act of only order and dice becomes a list."""
    kept_fields = {key: part for key, part in body.items() if key not in ("n", "number", "rulings", "at")}
    return (
        [kept_fields["order"], *kept_fields.get("dice", [])]
        if kept_fields.keys() <= {"order", "dice"}
        else kept_fields
    )


def _restore_act(short: object, number: int) -> dict[str, object]:
    """Return the fields of an act as a line of a save has them, without a decision.

    Raises:
        Misread: The act is empty, or has fields that no code has.
    """
    # A list is an order with its dice.
    if isinstance(short, list):
        if not short:
            raise Misread(f"act {number}: it is empty")
        order, *dice = short
        fields = {"n": number, "order": order}
        return {**fields, "dice": dice} if dice else fields
    body = read_object(short)
    if "rulings" in body or "n" in body:
        raise Misread(f"act {number}: it holds what no code has")
    return {"n": number, **body}


def _list_time_steps(seconds: Iterable[float | None]) -> list[int | None]:
    """List the tenths of a second to each act from the act before; None for an act without a time."""
    steps: list[int | None] = []
    tenths_before = 0
    for at in seconds:
        tenths = None if at is None else round(at * 10)
        steps.append(None if tenths is None else tenths - tenths_before)
        tenths_before = tenths_before if tenths is None else tenths
    return steps


def _read_times(steps: object, count: int) -> list[float | None]:
    """Read the seconds of each act from the tenths of a second between them; None for an act without a time.

    Raises:
        Misread: The number of steps is wrong, or a step is no whole number.
    """
    if steps is None:
        return [None] * count
    step_list = read_list(steps)
    if len(step_list) != count:
        raise Misread(f"at: {len(step_list)} times for {count} acts")
    times: list[float | None] = []
    tenths = 0
    for step in step_list:
        tenths += 0 if step is None else read_whole(step)
        times.append(None if step is None else tenths / 10)
    return times


def _compute_check_byte(body: Mapping[str, Any]) -> int:
    """Compute one byte from the decision of an act, without its words."""
    decisions = {
        number: [
            ruling.get("state", ""),
            list(map(_drop_words, ruling.get("effects", []))),
            ruling.get("outcome", {}),
        ]
        for number, ruling in body.get("rulings", {}).items()
    }
    # The form never changes, because printed codes have these bytes.
    return blake2b(encode_json({"": decisions}), digest_size=1).digest()[0]


def _drop_words(effect: list[Any]) -> list[Any]:
    """Return an effect without the words of its question."""
    return [
        {key: part for key, part in value.items() if key != "prompt"} if isinstance(value, dict) else value
        for value in effect
    ]


INPUT = "-"
"""File name that stands for standard input."""
BYTES_MOST = 2_000_000
"""Largest size of all files of scans together, in bytes; the largest battle needs a tenth of it."""


def rescue_battle(files: Iterable[str], save: Path, systems: Systems) -> Unpacked:
    """Make a new save from the codes scanned into files.

    Raises:
        QfError: Codes are missing or wrong, or the save cannot be written.
    """
    refuse_existing(save)
    bytes_left = BYTES_MOST
    lines: list[Scanned] = []
    for file in files:
        data = _read_file(file, bytes_left)
        bytes_left -= len(data)
        lines.extend(read_scans(data, "standard input" if file == INPUT else format_file_name(file)))
    battle = unpack_battle(join_codes(lines), systems)
    write_save(save, battle.header, battle.timeline.log)
    return battle


def _read_file(file: str, bytes_most: int) -> bytes:
    """Read a file of scans, or standard input, of at most `bytes_most` bytes.

    Raises:
        QfError: The file cannot be read or is too large.
    """
    name = format_file_name(file)
    try:
        if file == INPUT:
            if sys.stdin is None or sys.stdin.closed:
                raise QfError("standard input is closed; name a file")
            data = sys.stdin.buffer.read(bytes_most + 1)
        else:
            with open_without_waiting(file) as opened:
                if not stat.S_ISREG(fstat(opened.fileno()).st_mode):
                    raise IsADirectoryError
                data = opened.read(bytes_most + 1)
    except IsADirectoryError:
        raise QfError(f"{name}: not a file. Name a file of scanned codes; - reads a pipe.") from None
    except FileNotFoundError:
        raise QfError(f"{name}: there is no such file.") from None
    except (OSError, ValueError) as fault:
        raise QfError(f"{name}: cannot be read: {format_disk_fault(fault)}.") from None
    if len(data) > bytes_most:
        raise QfError(
            f"{name}: too large; all scans of a battle have less than {BYTES_MOST // 1_000_000} MB."
        )
    return data


def read_scans(data: bytes, name: str) -> Iterable[Scanned]:
    """Yield the lines of a file that are not blank; the text is UTF-8, or UTF-16 with a byte order mark."""
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    # Mail may be quoted-printable. No code has its `=`.
    text = data.decode("utf-16", "replace") if is_utf16 else a2b_qp(data).decode("utf-8-sig", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield Scanned(line, f"{name}, line {number}")
