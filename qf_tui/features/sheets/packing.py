"""Packs a battle in few bytes, its start and its acts without their decisions, and unpacks it again.

The bytes are a letter (the packing), the length of the packed JSON, the JSON, and one byte for each act,
which shows whether deciding it again gave the same. The JSON has `header` and `acts` as in a save, but an
entry of only order and dice is a list of those; `at` has the tenths of a second between acts.
"""

import lzma
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from os import fstat
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from base45 import b45decode, b45encode

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
from qf_tui.journal.disk import format_disk_fault, format_file_name, open_plain_file
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
_SIGNS = 1451
_PREFIX = len("QF1:99/99:0123456789ABCDEF:.")
_CHECK = 4
SHARE = (_SIGNS - _PREFIX) // 3 * 2 - _CHECK
"""Bytes that one code holds."""
_LETTERS = 4
"""Letters of the digest that tell two prints apart."""
CODES_MOST = 99
"""Codes of one battle."""

_HEAD = re.compile(r"QF1:(\d{1,2})/(\d{1,2}):([0-9A-F]{16}):")
_DATA = re.compile(r"[0-9A-Z $%*+\-./:]*")


@frozen
class Scanned:
    """A line that was scanned, and where it stood, as `scans.txt, line 4`."""

    text: str
    where: str


@frozen
class Share:
    """The content of one code.

    Attributes:
        number: Number of the code, from 1.
        count: Number of all codes of the print.
        digest: Digest of the whole that the codes hold.
        fault: Reason why the bytes cannot be trusted, or "".
    """

    number: int
    count: int
    digest: str
    data: bytes = b""
    fault: str = ""


def split_codes(whole: bytes) -> tuple[str, ...]:
    """Split bytes into the texts of as few codes as hold them; QfError if one sheet cannot."""
    count = -(-len(whole) // SHARE) or 1
    if count > CODES_MOST:
        raise QfError(f"the battle would need {count} codes; a sheet has {CODES_MOST} at most")
    size = -(-len(whole) // count)
    digest = _compute_digest(whole)
    shares = (Share(at + 1, count, digest, whole[at * size : (at + 1) * size]) for at in range(count))
    return tuple(
        f"QF1:{share.number}/{count}:{digest}:{b45encode(_compute_checksum(share) + share.data).decode()}."
        for share in shares
    )


def format_caption(text: str) -> str:
    """Format the caption below a code: `3 of 12 · 9F02`; all codes of one print have the same letters."""
    _, number, digest, *_ = text.split(":")
    return f"{number.replace('/', ' of ')} · {digest[:_LETTERS]}"


def join_codes(lines: Iterable[Scanned]) -> bytes:
    """Join the bytes of codes; QfError names each code that is missing, damaged or of no battle."""
    sets: dict[tuple[str, int], dict[int, Share]] = {}
    strangers: list[str] = []
    for line in lines:
        shares_of_line = _find_shares(line)
        if not shares_of_line:
            strangers.append(f"{line.where}: no code, or its beginning is damaged")
        for share in shares_of_line:
            of_print = sets.setdefault((share.digest, share.count), {})
            if not share.fault or share.number not in of_print:
                of_print[share.number] = share
    prints = [key for key, shares in sets.items() if _list_sound(shares)]
    full = [shares for (_, count), shares in sets.items() if 0 < count == len(_list_sound(shares))]
    if len(full) != 1 or len(prints) > 1:
        faults = [*_list_faults(sets), *strangers[:_FAULTS_MOST]]
        raise QfError(". ".join(faults) or "no code of a battle was given")
    whole = b"".join(full[0][number].data for number in sorted(_list_sound(full[0])))
    if _compute_digest(whole) != next(iter(full[0].values())).digest:
        raise QfError("all codes are there, but their digest is wrong: scan them again")
    return whole


_FAULTS_MOST = 12


def _list_sound(shares: Mapping[int, Share]) -> list[int]:
    return [number for number, share in shares.items() if not share.fault]


def _list_faults(sets: Mapping[tuple[str, int], Mapping[int, Share]]) -> Iterator[str]:
    """Yield what each print lacks, and whether there are several prints."""
    if len(sets) > 1:
        yield f"these are codes of {len(sets)} prints: use the codes of one print"
    for (digest, count), shares in list(sets.items())[:_FAULTS_MOST]:
        lacks = [str(number) for number in range(1, count + 1) if number not in shares]
        of = f"of {count}" if len(sets) == 1 else f"of {count} ({digest[:_LETTERS]})"
        if lacks:
            codes, are = ("code", "is") if len(lacks) == 1 else ("codes", "are")
            yield f"{codes} {', '.join(lacks)} {of} {are} missing"
        yield from (share.fault for share in shares.values() if share.fault)


def _find_shares(line: Scanned) -> list[Share]:
    """Find the codes within a line; a scanner may write dates and quotes around them."""
    heads = list(_HEAD.finditer(line.text))
    ends = [*(head.start() for head in heads), len(line.text)][1:]
    return [
        _read_share(head, line.text[head.end() : end], line.where)
        for head, end in zip(heads, ends, strict=True)
    ]


def _read_share(head: re.Match[str], text: str, where: str) -> Share:
    share = Share(int(head[1]), int(head[2]), head[3])
    named = f"code {share.number} of {share.count} ({where})"
    match = _DATA.match(text)
    data_text = match[0].rstrip() if match else ""
    if not 0 < share.number <= share.count:
        return evolve(share, fault=f"{named}: this code cannot exist")
    try:
        data = b45decode(data_text.rpartition(".")[0])
    except ValueError:
        data = b""
    share = evolve(share, data=data[_CHECK:])
    if _compute_checksum(share) != data[:_CHECK]:
        what = "damaged" if data_text.endswith(".") else "cut off"
        return evolve(share, fault=f"{named} is {what}: scan it again")
    return share


def _compute_checksum(share: Share) -> bytes:
    head = f"{share.number}/{share.count}:{share.digest}:".encode()
    return blake2b(head + share.data, digest_size=_CHECK).digest()


def _compute_digest(whole: bytes) -> str:
    return blake2b(whole, digest_size=8).hexdigest().upper()


UNPACKED_MOST = 4_000_000
"""Bytes of JSON that are unpacked at most: a battle of five thousand acts has less."""
ACTS_MOST = 10_000
_FILTERS: list[dict[str, Any]] = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 4, "dict_size": UNPACKED_MOST}]
_LENGTH = 4
_ZLIB, _LZMA = b"z", b"x"


@frozen
class Unpacked:
    """A battle decided again: its header, its timeline, and the acts that came to something else.

    `differ` are their numbers.
    """

    system: RuleSystem
    header: Header
    timeline: Timeline
    differ: tuple[int, ...]


def pack_battle(system: RuleSystem, timeline: Timeline, extra: Mapping[str, object]) -> bytes:
    """Pack a battle with its whole log into bytes."""
    header = encode_header(build_header(system, timeline.start, extra))
    bodies = [encode_act(act) for act in timeline.log]
    checks = bytes(map(_compute_check, bodies))
    body: dict[str, object] = {"header": header, "acts": [_shorten(each) for each in bodies]}
    if any(act.at is not None for act in timeline.log):
        body["at"] = _measure_steps(act.at for act in timeline.log)
    text = encode_json(body)
    by_lzma = lzma.compress(text, lzma.FORMAT_RAW, filters=_FILTERS)
    by_zlib = zlib.compress(text, 9)
    kind, small = min((_LZMA, by_lzma), (_ZLIB, by_zlib), key=lambda each: len(each[1]))
    return kind + len(small).to_bytes(_LENGTH, "big") + small + checks


def unpack_battle(data: bytes, systems: Systems) -> Unpacked:
    """Unpack a battle and decide every act again; QfError if the bytes hold no battle."""
    try:
        text, checks = _unpack_text(data)
        raw = read_object(decode_json(text), frozenset({"header", "acts", "at"}))
        return _decide_again(raw, checks, systems)
    except Misread as fault:
        raise QfError(f"the codes hold no battle that this program can read: {fault}") from None


def _unpack_text(data: bytes) -> tuple[bytes, bytes]:
    """Return the JSON and the checks after it; never unpack more than `UNPACKED_MOST`."""
    kind, length = data[:1], int.from_bytes(data[1 : 1 + _LENGTH], "big")
    begins = 1 + _LENGTH
    small, checks = data[begins : begins + length], data[begins + length :]
    if len(data) < begins or len(small) != length:
        raise Misread("they end too soon")
    try:
        if kind == _LZMA:
            text = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_FILTERS).decompress(
                small, UNPACKED_MOST + 1
            )
        elif kind == _ZLIB:
            text = zlib.decompressobj().decompress(small, UNPACKED_MOST + 1)
        else:
            raise Misread("a newer qf-tui printed them; rescue them with that")
    except (lzma.LZMAError, zlib.error, EOFError):
        raise Misread("they cannot be unpacked") from None
    if len(text) > UNPACKED_MOST:
        raise Misread(f"unpacked they are larger than {UNPACKED_MOST // 1_000_000} MB")
    return text, checks


def _decide_again(raw: Mapping[str, Any], checks: bytes, systems: Systems) -> Unpacked:
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
        act = evolve(decode_act(_lengthen(body, number), read_order), at=at)
        fault = find_misplaced(act, number, entries)
        if fault:
            raise Misread(f"act {number}: {fault}")
        if isinstance(act, Entry):
            entries.add(number)
        log.append(act)
    with report_meaningless_save(system):
        timeline = build_timeline(add_arrivals(header.start, log), ())
        for act in log:
            timeline = replay_act(system, timeline, act)
    # The acts as today's rules decide them must also make a valid save.
    build_checked_timeline(system, header.start, timeline.log)
    now = map(encode_act, timeline.log)
    differ = (
        number
        for number, (act, was) in enumerate(zip(now, checks, strict=True), 1)
        if _compute_check(act) != was
    )
    return Unpacked(system, header, timeline, tuple(differ))


def _shorten(body: Mapping[str, Any]) -> object:
    """Return an act without its number, its time and its decision."""
    left = {key: part for key, part in body.items() if key not in ("n", "number", "rulings", "at")}
    return [left["order"], *left.get("dice", [])] if left.keys() <= {"order", "dice"} else left


def _lengthen(short: object, number: int) -> dict[str, object]:
    """Return the body of an act as a line of a save has it, undecided."""
    if isinstance(short, list):
        if not short:
            raise Misread(f"act {number}: it is empty")
        return {"n": number, "order": short[0], **({"dice": short[1:]} if short[1:] else {})}
    body = read_object(short)
    if "rulings" in body or "n" in body:
        raise Misread(f"act {number}: it holds what no code has")
    return {"n": number, **body}


def _measure_steps(seconds: Iterable[float | None]) -> list[int | None]:
    """Measure tenths of a second from each act to the next; None if an act has no time."""
    steps: list[int | None] = []
    before = 0
    for at in seconds:
        tenths = None if at is None else round(at * 10)
        steps.append(None if tenths is None else tenths - before)
        before = before if tenths is None else tenths
    return steps


def _read_times(between: object, count: int) -> list[float | None]:
    if between is None:
        return [None] * count
    listed = read_list(between)
    if len(listed) != count:
        raise Misread(f"at: {len(listed)} times for {count} acts")
    times: list[float | None] = []
    tenths = 0
    for each in listed:
        tenths += 0 if each is None else read_whole(each)
        times.append(None if each is None else tenths / 10)
    return times


def _compute_check(body: Mapping[str, Any]) -> int:
    """Compute a byte of what an act decided, without its words."""
    substance = {
        number: [
            ruling.get("state", ""),
            list(map(_drop_words, ruling.get("effects", []))),
            ruling.get("outcome", {}),
        ]
        for number, ruling in body.get("rulings", {}).items()
    }
    return blake2b(encode_json({"": substance}), digest_size=1).digest()[0]


def _drop_words(effect: list[Any]) -> list[Any]:
    """Return an effect without the words of its question."""
    return [
        {key: part for key, part in value.items() if key != "prompt"} if isinstance(value, dict) else value
        for value in effect
    ]


INPUT = "-"
"""Stands for standard input."""
BYTES_MOST = 2_000_000
"""Bytes in all files of scans together; those of the largest battle have a tenth of that."""


def rescue_battle(files: Iterable[str], to: Path, systems: Systems) -> Unpacked:
    """Make a new save from the codes scanned into files; QfError says what is missing or wrong."""
    refuse_existing(to)
    left = BYTES_MOST
    lines: list[Scanned] = []
    for file in files:
        data = _read_file(file, left)
        left -= len(data)
        lines.extend(_read_lines(data, "standard input" if file == INPUT else format_file_name(file)))
    battle = unpack_battle(join_codes(lines), systems)
    write_save(to, battle.header, battle.timeline.log)
    return battle


def _read_file(file: str, most: int) -> bytes:
    name = format_file_name(file)
    try:
        if file == INPUT:
            if sys.stdin is None or sys.stdin.closed:
                raise QfError("standard input is closed; name a file")
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open_plain_file(file) as opened:
                if not stat.S_ISREG(fstat(opened.fileno()).st_mode):
                    raise IsADirectoryError
                data = opened.read(most + 1)
    except IsADirectoryError:
        raise QfError(f"{name}: not a file. Name a file of scanned codes; - reads a pipe.") from None
    except FileNotFoundError:
        raise QfError(f"{name}: there is no such file.") from None
    except (OSError, ValueError) as fault:
        raise QfError(f"{name}: cannot be read: {format_disk_fault(fault)}.") from None
    if len(data) > most:
        raise QfError(
            f"{name}: too large; all scans of a battle have less than {BYTES_MOST // 1_000_000} MB."
        )
    return data


def _read_lines(data: bytes, name: str) -> Iterable[Scanned]:
    """Yield the lines of a file that are not blank; some Windows editors write two bytes a sign."""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig", "replace")
    for at, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield Scanned(line, f"{name}, line {at}")
