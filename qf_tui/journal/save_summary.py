"""The summary of a save from its first and last lines, for lists of many saves.

Lines between the two ends are not read, so damage there shows only when the save is opened. If the ends do
not say enough, the whole save is read, and the summary has no phase.
"""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from pathlib import Path

from attrs import frozen

from qf_tui.core.decisions import Op
from qf_tui.core.text import find_unprintable
from qf_tui.journal.codec import BOOK
from qf_tui.journal.disk import open_without_waiting
from qf_tui.journal.lines import (
    FORMAT,
    LINE_MOST,
    SENSELESS,
    SIGNATURE,
    decode_json,
    read_line_number,
    read_list,
    read_object,
    read_stated_sum,
    read_text,
    read_whole,
    unseal,
)
from qf_tui.journal.reading import read_save, unseal_lines

HEAD, TAIL = 131_072, 16_384
"""Bytes that are read of either end at first; a longer header is read completely."""
TABLE_MOST = 40_000
"""Bytes of a header in which its `table` is searched for."""
_DECODER = json.JSONDecoder()


@frozen
class SaveSummary:
    """Facts that the two ends of a save state.

    Attributes:
        acts: Number of acts.
        phase: Present turn and phase, or None if the ends do not say.
        torn: True if the last line is incomplete.
        book: Data of the rule book that the save holds, or None.
    """

    title: str
    system: str
    acts: int
    phase: tuple[int, str] | None
    torn: bool
    book: object = None


def summarize_save(path: Path) -> SaveSummary:
    """Summarize a save by its two ends; if these do not suffice, read the whole save, and give no phase.

    Raises:
        SaveFault: If the file cannot be read, or was read as a whole and is not sound.
    """
    summary = None
    # Ends that make no sense also lead to `read_save`, which names the fault.
    with suppress(OSError, *SENSELESS):
        summary = _summarize_ends(path)
    if summary is not None:
        return summary
    save = read_save(path)
    header = save.header
    title = str(header.start.table.get("title") or "")
    return SaveSummary(
        title, header.system, len(save.log), phase=None, torn=bool(save.torn), book=header.book
    )


def _summarize_ends(path: Path) -> SaveSummary | None:
    """Summarize a save by its two ends, or return None if the ends do not say enough.

    It raises OSError if the file cannot be read, and one of SENSELESS if a line makes no sense.
    """
    with open_without_waiting(path) as file:
        head = file.read(HEAD)
        if b"\n" not in head:
            head += file.readline(LINE_MOST)
        first_line = head.partition(b"\n")[0]
        size = os.fstat(file.fileno()).st_size
        first_act_start = len(first_line) + 1
        tail_start = max(first_act_start, size - TAIL)
        file.seek(tail_start)
        tail = file.read(max(0, size - tail_start))
    *lines, torn = tail.split(b"\n")
    has_all_acts = tail_start == first_act_start
    header = unseal(first_line, "")
    if header is None:
        return None
    start_facts = _find_start_facts(header[0])
    if start_facts is None:
        return None
    # A tail that does not begin with the first act begins in the middle of a line.
    whole_lines = lines if has_all_acts else lines[1:]
    return _build_summary(start_facts, header, whole_lines, has_all_acts, bool(torn))


_StartFacts = tuple[str, str, tuple[int, str]]
_BEGIN = re.compile(
    b"%b%d" % (re.escape(SIGNATURE), FORMAT)
    + rb',"program":"[^"\\]*","system":"([^"\\]+)","start":\{"turn":(\d+),"phase":"([^"\\]+)"'
)
_TABLE, _EXTRA = b'"table":{', b',"extra":{'


def _find_start_facts(header: bytes) -> _StartFacts | None:
    """Find title, rule system, and turn and phase of the start in a header; None if one is missing or unfit.

    Ships and charts are not decoded, which would take most of the time.
    """
    begin = _BEGIN.match(header)
    if begin is None:
        return None
    system = begin[1].decode()
    turn = int(begin[2])
    phase = begin[3].decode()
    key_start = header.find(_TABLE)
    while key_start >= 0:
        # `_TABLE` ends with the brace that opens the table.
        table_start = key_start + len(_TABLE) - 1
        text = header[table_start : key_start + TABLE_MOST].decode(errors="replace")
        table, _ = _DECODER.raw_decode(text)
        # Quotes in texts are escaped, so the match is a key. A ship may have the id `table`, but no `units`.
        if isinstance(table.get("title"), str) and "units" in table:
            title = str(table["title"])
            is_printable = not find_unprintable(title + system + phase)
            return (title, system, (turn, phase)) if is_printable else None
        key_start = header.find(_TABLE, key_start + 1)
    return None


def _build_summary(
    start_facts: _StartFacts,
    header: tuple[bytes, str],
    lines: Sequence[bytes],
    has_all_acts: bool,
    torn: bool,
) -> SaveSummary | None:
    """Build the summary; return None if the last lines are not sound, or do not give the number of acts.

    Args:
        start_facts: Title, rule system, turn and phase of the start.
        header: Body of the header and its checksum.
        lines: Last complete lines.
        has_all_acts: True if `lines` begin with the first act.
        torn: True if the save ends with an incomplete line.
    """
    header_body, previous = header
    checked_lines = lines
    if not has_all_acts:
        if len(lines) < 2:
            return None
        # The line before the first was not read, so the first cannot be checked: it only gives its checksum.
        previous = read_stated_sum(lines[0])
        checked_lines = lines[1:]
    bodies, _ = unseal_lines(checked_lines, previous)
    if len(bodies) < len(checked_lines):
        return None
    last_number = read_line_number(bodies[-1]) if bodies else None
    acts = last_number or 0
    if has_all_acts and acts != len(bodies):
        return None
    title, system, start_phase = start_facts
    return SaveSummary(
        title,
        system,
        acts,
        phase=_find_phase(bodies, start_phase if has_all_acts else None),
        torn=torn,
        book=_find_book(header_body),
    )


def _find_book(header: bytes) -> object:
    """Return the rule book in a header, or None."""
    # Quotes in texts are escaped, so a match is a key, and the last one is the header's own. `_EXTRA` ends
    # with the brace that opens its object; the last byte of the header closes the header.
    place = header.rfind(_EXTRA)
    if place < 0:
        return None
    extra_start = place + len(_EXTRA) - 1
    return read_object(decode_json(header[extra_start:-1])).get(BOOK)


_PHASE = f'["{Op.PHASE.value}",'.encode()
_CORRECTS = b'"correction":'


def _find_phase(bodies: Sequence[bytes], start_phase: tuple[int, str] | None) -> tuple[int, str] | None:
    """Find the present turn and phase: those of the last entry that began a phase.

    If no line began one, return `start_phase`, or None if there is a correction. Return None also if a later
    correction begins a phase, or corrects that entry or an act before it.

    Args:
        start_phase: Turn and phase of the start, if the lines are all acts; else None.
    """
    earliest_corrected = inf
    for body in reversed(bodies):
        # Other lines change no phase, so they are not decoded.
        if _CORRECTS not in body and _PHASE not in body:
            continue
        act = read_object(decode_json(body))
        number = read_line_number(body) or 0
        if "targets" in act:
            targets = [read_whole(target) for target in read_list(act["targets"])]
            earliest_corrected = min(earliest_corrected, number, *targets)
            if _PHASE in body:
                return None
        elif phase := _read_phase(act, number):
            return phase if number < earliest_corrected else None
    return start_phase if earliest_corrected == inf else None


def _read_phase(act: dict[str, object], number: int) -> tuple[int, str] | None:
    """Return the last turn and phase that an entry begins, or None."""
    ruling = read_object(read_object(act["rulings"])[str(number)])
    for effect in reversed(read_list(ruling.get("effects", []))):
        op, _, phase, value, *_ = read_list(effect)
        # The value is the turn, and whether rolls were carried over.
        if op == Op.PHASE.value:
            return read_whole(read_list(value)[0]), read_text(phase)
    return None
