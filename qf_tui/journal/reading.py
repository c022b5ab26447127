"""Reads a whole save: its sound part, a torn end, and a message for every way in which it may be damaged.

A last line without its end is what a power cut leaves of an act that was never reported as recorded; one
that is whole and damaged was recorded, as were lines that the file beside the save remembers and that are
gone. The lines before it stand. Damage anywhere else is a fault, with its line. Reading changes nothing.
"""

import gc
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from qf_tui.core.errors import QfError
from qf_tui.journal.codec import RulesOf, no_rules
from qf_tui.journal.disk_words import in_words, name_of, printable
from qf_tui.journal.endings import remembered
from qf_tui.journal.lines import (
    FORMAT,
    LINE_MOST,
    SAVE_MOST,
    SIGNATURE,
    damaged_behind,
    number_of,
    seal_within,
    unseal,
)
from qf_tui.journal.log_reader import LogReader, Unfit
from qf_tui.journal.save import Save


class SaveFault(QfError):
    """A save that cannot be opened or made: which file, which line, why, and what to do."""


class SaveThere(SaveFault):
    """A save that is not made because its name is taken: no save is overwritten."""


def read_save(path: str | os.PathLike[str], rules_of: RulesOf = no_rules) -> Save:
    """A save from its file; SaveFault for any file that is not a sound one.

    `rules_of` gives what it needs of the rule system that the header names.
    """
    name = name_of(path)
    # Before the save itself: what another console records meanwhile is then not taken for missing.
    ending = remembered(path)
    data = _bytes(path, name)
    _check_signature(name, data)
    *lines, torn = data.split(b"\n")
    bodies: list[bytes] = []
    first = previous = ""
    for place, line in enumerate(lines):
        unsealed = unseal(line, previous) if len(line) <= LINE_MOST else None
        if unsealed is None:
            if 0 < place == len(lines) - 1 and not torn and not seal_within(line):
                torn = line + b"\n"
                break
            raise _damaged(name, place, line, damaged_behind(lines, place, previous))
        bodies.append(unsealed[0])
        previous = unsealed[1]
        first = first or previous
    if not bodies:
        raise SaveFault(f"{name}: cut off within its first line; it holds no battle. Start the battle anew.")
    if seal_within(torn.rstrip(b"\n")) or len(torn) > LINE_MOST:
        raise _damaged(name, len(bodies), torn)
    reader = LogReader(rules_of)
    try:
        with _collector_at_rest():
            header, log = reader.header(bodies[0]), reader.acts(bodies[1:])
    except Unfit as fault:
        raise SaveFault(f"{_place(name, fault.place)}: {fault}. {_UNTOUCHED}") from None
    return Save(
        name, header, log, torn, len(data) - len(torn), first, previous, reader.format, ending, reader
    )


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Pauses the garbage collector: walking over all that was read took half of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def is_save(path: str | os.PathLike[str]) -> bool:
    """Whether a plain file begins as a save does, sound or not."""
    try:
        with opened_plainly(path) as file:
            return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and file.read(len(SIGNATURE)) == SIGNATURE
    except (OSError, ValueError):
        return False


def opened_plainly(path: str | os.PathLike[str]) -> BinaryIO:
    """A file opened to be read; a pipe makes nobody wait."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    return open(path, "rb", opener=lambda name, _: os.open(name, flags))


def _bytes(path: str | os.PathLike[str], name: str) -> bytes:
    """The bytes of a file that is a plain file and not absurdly large."""
    try:
        with opened_plainly(path) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise SaveFault(f"{name}: not a file. Name a save.")
            if found.st_size > SAVE_MOST:
                size, most = found.st_size // 1_000_000, SAVE_MOST // 1_000_000
                raise SaveFault(f"{name}: {size} MB; no save is larger than {most} MB.")
            return file.read(SAVE_MOST)
    except FileNotFoundError:
        folder = str(Path(path).parent)
        where = "this folder" if folder == "." else printable(folder)
        raise SaveFault(f"{name}: there is no such file in {where}.") from None
    except (OSError, ValueError) as fault:
        raise SaveFault(f"{name}: cannot be read: {in_words(fault)}.") from None


def _check_signature(name: str, data: bytes) -> None:
    if not data:
        raise SaveFault(f"{name}: empty; it holds no battle. Start the battle anew.")
    if not data.startswith(SIGNATURE):
        if SIGNATURE.startswith(data):
            raise SaveFault(
                f"{name}: cut off within its first line; it holds no battle. Start the battle anew."
            )
        begins = "".join(c if c.isprintable() else "·" for c in data[:40].decode(errors="replace"))
        raise SaveFault(
            f"{name}, line 1: not a save of qf-tui, or its beginning is damaged: it begins with “{begins}”. "
            f"{_UNTOUCHED}"
        )
    digits = data[len(SIGNATURE) : len(SIGNATURE) + 9].partition(b",")[0]
    if digits.isdigit() and int(digits) > FORMAT:
        raise SaveFault(
            f"{name}, line 1: a save of format {int(digits)}; this program reads up to format {FORMAT}. "
            "Open it with a newer qf-tui."
        )


_UNTOUCHED = "Nothing was overwritten."
_LISTED_MOST = 12


def _place(name: str, place: int) -> str:
    return f"{name}, line {place + 1}" + (f" (act {place})" if place else " (the header)")


def _damaged(name: str, place: int, line: bytes, behind: Sequence[int] = ()) -> SaveFault:
    number = number_of(line)
    above = ", or the lines above this one: they are sound" if place else ""
    advice = f"Take a copy of the file from before{above}."
    if not place and line.endswith(b"\r"):
        what = "its ends of lines were changed, as by a program that takes it for a text"
        advice = "Turn CR LF back into LF (`dos2unix` does), or take a copy of the file from before."
    elif len(line) > LINE_MOST:
        what = f"{len(line) // 1_000_000} MB long; no line is longer than {LINE_MOST // 1_000_000} MB"
    elif number is not None and number != place:
        what = f"it bears the number {number}: a line was lost, doubled or moved"
    else:
        what = "damaged: its checksum does not fit, so it was changed after it was written"
    return SaveFault(f"{_place(name, place)}: {what}. {_also(behind)}{_UNTOUCHED} {advice}")


def _also(places: Sequence[int]) -> str:
    if not places:
        return ""
    listed = ", ".join(str(place + 1) for place in places[:_LISTED_MOST])
    more = f" and {len(places) - _LISTED_MOST} more" if len(places) > _LISTED_MOST else ""
    return f"Line{'s' if len(places) > 1 else ''} {listed}{more} too. "
