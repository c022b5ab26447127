"""Copies of a save: all of it, or up to an act; and a save of acts from elsewhere."""

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from qf_tui.core.acts import LogAct
from qf_tui.journal.codec import Header, encode_act
from qf_tui.journal.disk import write_whole
from qf_tui.journal.disk_words import in_words, name_of
from qf_tui.journal.endings import EndMark, ending_of, forget, remember
from qf_tui.journal.lines import SAVE_MOST, Misread, seal, stated_sum, written
from qf_tui.journal.reading import SaveFault, SaveThere, opened_plainly, read_save
from qf_tui.journal.saving import header_line


def copy_save(source: Path, to: Path, upto: int | None = None) -> int:
    """Copies a save, or its first acts, into a file that is not there yet; gives the number of acts copied.

    The lines are copied unchanged, so the checksums hold. SaveFault if the source is no sound save, if it
    has no such act, or if the copy cannot be made: then nothing is left of it. SaveThere if it exists.
    """
    read = read_save(source)
    acts = len(read.log) if upto is None else upto
    if not 0 <= acts <= len(read.log):
        raise SaveFault(f"{name_of(source)}: there is no act {acts}; its acts are 1 to {len(read.log)}")
    refuse_existing(to)
    try:
        with opened_plainly(source) as old:
            lines = list(islice(old, acts + 1))
    except (OSError, ValueError) as fault:
        raise _not_made(to, fault) from None
    _write(to, lines)
    return acts


def write_save(to: Path, header: Header, log: Iterable[LogAct]) -> None:
    """Makes a save of a whole log that was recorded elsewhere, as a file that is not there yet.

    SaveFault if it cannot be made: then nothing is left of it. SaveThere if it exists.
    """
    refuse_existing(to)
    line, total = header_line(name_of(to), header)
    lines = [line]
    try:
        for act in log:
            line, total = seal(written(encode_act(act)), total)
            lines.append(line)
    except Misread as fault:
        raise SaveFault(f"{name_of(to)}: cannot be made: {fault}.") from None
    if sum(map(len, lines)) > SAVE_MOST:
        raise SaveFault(f"{name_of(to)}: cannot be made: larger than {SAVE_MOST // 1_000_000} MB.")
    _write(to, lines)


def _write(to: Path, lines: list[bytes]) -> None:
    """Writes sealed lines as a new save."""
    try:
        forget(to)
        write_whole(to, b"".join(lines))
    except FileExistsError:
        raise _taken(to) from None
    except (OSError, ValueError) as fault:
        raise _not_made(to, fault) from None
    if len(lines) > 1:
        ending = EndMark(len(lines) - 1, stated_sum(lines[-1]), stated_sum(lines[0]))
        remember(ending_of(to), ending)


def _not_made(to: Path, fault: Exception) -> SaveFault:
    return SaveFault(f"{name_of(to)}: cannot be made: {in_words(fault)}. Choose another name or place.")


def refuse_existing(save: Path) -> None:
    """SaveThere if a file of that name is there: no save is overwritten."""
    if os.path.lexists(save):
        raise _taken(save)


def _taken(save: Path) -> SaveThere:
    return SaveThere(
        f"{name_of(save)}: there is such a file already, and no save is overwritten. Name another."
    )
