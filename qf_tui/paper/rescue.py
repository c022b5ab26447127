"""Back from paper: files of scanned codes into a save."""

import stat
import sys
from collections.abc import Iterable, Mapping
from os import fstat
from pathlib import Path

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.journal.copying import refuse_existing, write_save
from qf_tui.journal.disk_words import in_words, name_of
from qf_tui.journal.reading import opened_plainly
from qf_tui.paper.framing import Scanned, whole_of
from qf_tui.paper.packing import Unpacked, unpacked

INPUT = "-"
"""Stands for standard input."""
BYTES_MOST = 2_000_000
"""Bytes in all files of scans together; those of the largest battle have a tenth of that."""


def rescue(files: Iterable[str], to: Path, systems: Mapping[str, RuleSystem]) -> Unpacked:
    """A new save of the codes that were scanned into files; QfError says what is missing or wrong."""
    refuse_existing(to)
    left = BYTES_MOST
    lines: list[Scanned] = []
    for file in files:
        data = _read(file, left)
        left -= len(data)
        lines.extend(_lines(data, "standard input" if file == INPUT else name_of(file)))
    found = unpacked(whole_of(lines), systems)
    write_save(to, found.header, found.timeline.log)
    return found


def _read(file: str, most: int) -> bytes:
    name = name_of(file)
    try:
        if file == INPUT:
            if sys.stdin is None or sys.stdin.closed:
                raise QfError("standard input is closed; name a file")
            data = sys.stdin.buffer.read(most + 1)
        else:
            with opened_plainly(file) as opened:
                if not stat.S_ISREG(fstat(opened.fileno()).st_mode):
                    raise IsADirectoryError
                data = opened.read(most + 1)
    except IsADirectoryError:
        raise QfError(f"{name}: not a file. Name a file of scanned codes; - reads a pipe.") from None
    except FileNotFoundError:
        raise QfError(f"{name}: there is no such file.") from None
    except (OSError, ValueError) as fault:
        raise QfError(f"{name}: cannot be read: {in_words(fault)}.") from None
    if len(data) > most:
        raise QfError(
            f"{name}: too large; all scans of a battle have less than {BYTES_MOST // 1_000_000} MB."
        )
    return data


def _lines(data: bytes, name: str) -> Iterable[Scanned]:
    """The lines of a file that are not blank; some editors of Windows write two bytes a sign."""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig", "replace")
    for at, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield Scanned(line, f"{name}, line {at}")
