"""A battle in few bytes: its start, and its acts without what was decided of them; and the battle again.

The bytes are a letter (how they are packed), the length of the packed JSON, that, and a byte an act, by which
it is told whether deciding it again came to the same. The JSON has `header` and `acts` as a save has them,
but an entry of nothing but order and dice is a list of them; `at` has the tenths of a second between acts.
"""

import lzma
import zlib
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.acts import Entry, LogAct
from qf_tui.core.errors import QfError
from qf_tui.core.revisions import replayed
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, opened
from qf_tui.journal.codec import Header, LineDecoder, encode_act, encode_header
from qf_tui.journal.lines import FORMAT, Misread, parsed, written
from qf_tui.journal.log_reader import misplaced
from qf_tui.journal.validators import list_of, object_of, whole
from qf_tui.session.header import header_of
from qf_tui.session.open_save import rules_by, sense_of, system_named, timeline_by, with_arrivals

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


def packed(system: RuleSystem, timeline: Timeline, extra: Mapping[str, object]) -> bytes:
    """A battle with its whole log as bytes."""
    header = encode_header(header_of(system, timeline.start, extra))
    bodies = [encode_act(act) for act in timeline.log]
    checks = bytes(map(_check, bodies))
    body: dict[str, object] = {"header": header, "acts": [_short(each) for each in bodies]}
    if any(act.at is not None for act in timeline.log):
        body["at"] = _between(act.at for act in timeline.log)
    text = written(body)
    by_lzma = lzma.compress(text, lzma.FORMAT_RAW, filters=_FILTERS)
    by_zlib = zlib.compress(text, 9)
    kind, small = min((_LZMA, by_lzma), (_ZLIB, by_zlib), key=lambda each: len(each[1]))
    return kind + len(small).to_bytes(_LENGTH, "big") + small + checks


def unpacked(data: bytes, systems: Mapping[str, RuleSystem]) -> Unpacked:
    """The battle of such bytes, every act decided again; QfError if they are of no battle."""
    try:
        text, checks = _text(data)
        raw = object_of(parsed(text), frozenset({"header", "acts", "at"}))
        return _decided(raw, checks, systems)
    except Misread as fault:
        raise QfError(f"the codes hold no battle that this program reads: {fault}") from None


def _text(data: bytes) -> tuple[bytes, bytes]:
    """The JSON and the checks behind it; never more than `UNPACKED_MOST` is unpacked."""
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


def _decided(raw: Mapping[str, Any], checks: bytes, systems: Mapping[str, RuleSystem]) -> Unpacked:
    decoder = LineDecoder(rules_by(systems))
    if "header" not in raw or "acts" not in raw:
        raise Misread("header or acts are missing")
    if object_of(raw["header"]).get("format") != FORMAT:
        raise Misread(f"they are of another format than {FORMAT}")
    header = decoder.header(raw["header"])
    system = system_named(header.system, systems)
    bodies = list_of(raw["acts"])
    if len(bodies) > ACTS_MOST or len(checks) != len(bodies):
        raise Misread(f"{len(bodies)} acts, {len(checks)} checks")
    seconds = _seconds(raw.get("at"), len(bodies))
    entries: set[int] = set()
    log: list[LogAct] = []
    for number, (body, at) in enumerate(zip(bodies, seconds, strict=True), start=1):
        act = evolve(decoder.act(_long(body, number)), at=at)
        fault = misplaced(act, number, entries)
        if fault:
            raise Misread(f"act {number}: {fault}")
        if isinstance(act, Entry):
            entries.add(number)
        log.append(act)
    with sense_of(system):
        timeline = opened(with_arrivals(header.start, log), ())
        for act in log:
            timeline = replayed(system, timeline, act)
    # What today's rules make of it must open again.
    timeline_by(system, header.start, timeline.log)
    now = map(encode_act, timeline.log)
    differ = (
        number for number, (act, was) in enumerate(zip(now, checks, strict=True), 1) if _check(act) != was
    )
    return Unpacked(system, header, timeline, tuple(differ))


def _short(body: Mapping[str, Any]) -> object:
    """An act without its number, its time and what was decided of it."""
    left = {key: part for key, part in body.items() if key not in ("n", "number", "rulings", "at")}
    return [left["order"], *left.get("dice", [])] if left.keys() <= {"order", "dice"} else left


def _long(short: object, number: int) -> dict[str, object]:
    """The body of an act as a line of a save has it, undecided."""
    if isinstance(short, list):
        if not short:
            raise Misread(f"act {number}: it is empty")
        return {"n": number, "order": short[0], **({"dice": short[1:]} if short[1:] else {})}
    body = object_of(short)
    if "rulings" in body or "format" in body or "n" in body:
        raise Misread(f"act {number}: it holds what no code has")
    return {"n": number, **body}


def _between(seconds: Iterable[float | None]) -> list[int | None]:
    """Tenths of a second from each act to the next; None for those of which nobody knows when they were."""
    found: list[int | None] = []
    before = 0
    for at in seconds:
        tenths = None if at is None else round(at * 10)
        found.append(None if tenths is None else tenths - before)
        before = before if tenths is None else tenths
    return found


def _seconds(between: object, count: int) -> list[float | None]:
    if between is None:
        return [None] * count
    listed = list_of(between)
    if len(listed) != count:
        raise Misread(f"at: {len(listed)} times for {count} acts")
    found: list[float | None] = []
    tenths = 0
    for each in listed:
        tenths += 0 if each is None else whole(each)
        found.append(None if each is None else tenths / 10)
    return found


def _check(body: Mapping[str, Any]) -> int:
    """A byte of what an act decided, of nothing that is only words."""
    substance = {
        number: [
            ruling.get("state", ""),
            list(map(_unsaid, ruling.get("effects", []))),
            ruling.get("outcome", {}),
        ]
        for number, ruling in body.get("rulings", {}).items()
    }
    return blake2b(written({"": substance}), digest_size=1).digest()[0]


def _unsaid(effect: list[Any]) -> list[Any]:
    """An effect without the words by which a question is asked."""
    return [
        {key: part for key, part in value.items() if key != "prompt"} if isinstance(value, dict) else value
        for value in effect
    ]
