"""A save at a glance, from its first and last lines: what it is, how long, and how far the battle is.

A list of many saves is made from such glances. Nothing between the two ends is read: damage there, and a
phase moved by a late correction, show only when the save is read.
"""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from qf_tui.core.decisions import Op
from qf_tui.core.text import unprintable
from qf_tui.journal.codec import BOOK
from qf_tui.journal.disk import open_plain_file
from qf_tui.journal.lines import (
    FORMAT,
    LINE_MOST,
    SENSELESS,
    SIGNATURE,
    list_of,
    number_of,
    object_of,
    parsed,
    stated_sum,
    text,
    unseal,
    whole,
)
from qf_tui.journal.reading import read_save, unseal_lines

HEAD, TAIL = 131_072, 16_384
"""Bytes read of either end at first; a header that is longer is read in full."""
TABLE_MOST = 40_000
"""Bytes of a header to search for what it says of the table."""
_DECODER = json.JSONDecoder()


@frozen
class SaveSummary:
    """What the ends of a save say: title, rule system, count of acts; turn and phase, None if unknown.

    `torn`: its last line was cut off while it was written. `book`: the rule book that it holds, as data.
    """

    title: str
    system: str
    acts: int
    stands: tuple[int, str] | None
    torn: bool
    book: object = None


def glance(path: Path) -> SaveSummary:
    """A save by its ends; SaveFault, as for the whole of it, if an end is not sound."""
    summary = None
    # An end that makes no sense is looked at by a reader who says what is wrong with it.
    with suppress(OSError, *SENSELESS):
        summary = _glance(path)
    if summary is not None:
        return summary
    save = read_save(path)
    header, title = save.header, str(save.header.start.table.get("title") or "")
    return SaveSummary(title, header.system, len(save.log), None, bool(save.torn), header.book)


def _glance(path: Path) -> SaveSummary | None:
    """The same, or None if the ends do not say."""
    with open_plain_file(path) as file:
        head = file.read(HEAD)
        if b"\n" not in head:
            head += file.readline(LINE_MOST)
        first = head.partition(b"\n")[0]
        size = os.fstat(file.fileno()).st_size
        begins = max(len(first) + 1, size - TAIL)
        file.seek(begins)
        tail = file.read(max(0, size - begins))
    *lines, torn = tail.split(b"\n")
    whole = begins == len(first) + 1
    header = unseal(first, "")
    if header is None or (not lines and not whole):
        return None
    named = _named(header[0])
    return (
        None if named is None else _read_ends(named, header, lines if whole else lines[1:], whole, bool(torn))
    )


_Named = tuple[str, str, tuple[int, str]]
_BEGIN = re.compile(
    b"%b%d" % (re.escape(SIGNATURE), FORMAT)
    + rb',"program":"[^"\\]*","system":"([^"\\]+)","start":\{"turn":(\d+),"phase":"([^"\\]+)"'
)
_TABLE, _EXTRA = b'"table":{', b',"extra":{'


def _named(header: bytes) -> _Named | None:
    """Title, rule system, and the turn and phase of the start; skips the ships and charts between them."""
    begin = _BEGIN.match(header)
    if begin is None:
        return None
    system, turn, phase = begin[1].decode(), int(begin[2]), begin[3].decode()
    place = header.find(_TABLE)
    while place >= 0:
        # A quote within a text is escaped, so this is a key; but a ship may have it for its id.
        table, _ = _DECODER.raw_decode(
            header[place + len(_TABLE) - 1 : place + TABLE_MOST].decode(errors="replace")
        )
        if isinstance(table.get("title"), str) and "units" in table:
            title = str(table["title"])
            return None if unprintable(title + system + phase) else (title, system, (turn, phase))
        place = header.find(_TABLE, place + 1)
    return None


def _read_ends(
    named: _Named, header: tuple[bytes, str], lines: Sequence[bytes], whole: bool, torn: bool
) -> SaveSummary | None:
    """The glance, if the last lines follow one another; of `lines` the first is the first act, if `whole`."""
    previous, behind = (header[1], lines) if whole else (stated_sum(b"".join(lines[:1])), lines[1:])
    bodies, _ = unseal_lines(behind, previous)
    if len(bodies) < len(behind) or not (whole or bodies):
        return None
    acts = (number_of(bodies[-1]) or 0) if bodies else 0
    if whole and acts != len(bodies):
        return None
    title, system, began = named
    return SaveSummary(title, system, acts, _stands(bodies, began if whole else None), torn, _book(header[0]))


def _book(header: bytes) -> object:
    """The rule book of a header, which ends with its other parts: a quote within a text is escaped there."""
    place = header.rfind(_EXTRA)
    extra = parsed(header[place + len(_EXTRA) - 1 : -1]) if place >= 0 else {}
    return object_of(extra).get(BOOK)


_PHASE = f'["{Op.PHASE.value}",'.encode()
_CORRECTS = b'"correction":'


def _stands(bodies: Sequence[bytes], began: tuple[int, str] | None) -> tuple[int, str] | None:
    """Turn and phase by the last act that changed them, if no later correction reaches back to it."""
    reached = None
    for body in reversed(bodies):
        act = object_of(parsed(body)) if _CORRECTS in body or _PHASE in body else {}
        number = number_of(body) or 0
        if "targets" in act:
            targets = [whole(target) for target in list_of(act["targets"])]
            reached = min([*targets, number if reached is None else reached])
            if _PHASE in body:
                return None
        elif act and (stands := _phase_of(act, number)):
            return None if reached is not None and reached <= number else stands
    return began if reached is None else None


def _phase_of(act: dict[str, object], number: int) -> tuple[int, str] | None:
    ruling = object_of(object_of(act["rulings"])[str(number)])
    for effect in reversed(list_of(ruling.get("effects", []))):
        op, _, phase, value, *_ = list_of(effect)
        if op == Op.PHASE.value:
            return whole(list_of(value)[0]), text(phase)
    return None
