"""Reads a whole save: its sound part, a torn end, and a message for every way in which it may be damaged.

A last line without its end is what a power cut leaves of an act that was never reported as recorded; one
that is whole and damaged was recorded, as were lines that the file beside the save remembers and that are
gone. The lines before it stand. Damage anywhere else is a fault, with its line. Reading changes nothing.
"""

import gc
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from qf_tui.core.acts import Correction, CorrectionKind, Entry, LogAct
from qf_tui.core.errors import QfError
from qf_tui.journal.codec import Header, LineDecoder, RulesOf, no_rules
from qf_tui.journal.endings import remembered
from qf_tui.journal.lines import (
    FORMAT,
    LINE_MOST,
    SAVE_MOST,
    SIGNATURE,
    Misread,
    damaged_behind,
    number_of,
    parsed,
    seal_within,
    unseal,
)
from qf_tui.journal.save import Save
from qf_tui.journal.wording import in_words, name_of, printable


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
    with _collector_at_rest():
        header, log, last = _decoded(name, bodies, rules_of)
    return Save(name, header, log, torn, len(data) - len(torn), first, previous, last, ending)


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
        raise SaveFault(f"{name}: there is no such file in {printable(str(Path(path).parent))}.") from None
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
        raise SaveFault(f"{name}, line 1: not a save of qf-tui, or its beginning is damaged. {_UNTOUCHED}")
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
    if len(line) > LINE_MOST:
        what = f"{len(line) // 1_000_000} MB long; no line is longer than {LINE_MOST // 1_000_000} MB"
    elif number is not None and number != place:
        what = f"it bears the number {number}: a line was lost, doubled or moved"
    else:
        what = "damaged: its checksum does not fit, so it was changed after it was written"
    return SaveFault(
        f"{_place(name, place)}: {what}. {_also(behind)}{_UNTOUCHED} "
        "Take a copy of the file from before, or the lines above this one: they are sound."
    )


def _decoded(name: str, bodies: Sequence[bytes], rules_of: RulesOf) -> tuple[Header, tuple[LogAct, ...], int]:
    """The header and the acts of lines whose checksums fit, and the format of the last of them."""
    decoder = LineDecoder(rules_of)
    try:
        header = decoder.header(parsed(bodies[0]))
    except Misread as fault:
        raise _misread(name, 0, fault) from None
    acts: Iterable[LogAct]
    try:
        acts = _at_once(bodies[1:], decoder)
    except Misread:
        decoder = decoder.anew()
        acts = (_one(name, place, body, decoder) for place, body in enumerate(bodies) if place)
    log: list[LogAct] = []
    entries: set[int] = set()
    for place, act in enumerate(acts, start=1):
        misfit = _misfit(act, place, entries)
        if misfit:
            raise _misread(name, place, misfit)
        if isinstance(act, Entry):
            entries.add(place)
        log.append(act)
    return header, tuple(log), decoder.format


def _at_once(bodies: Sequence[bytes], decoder: LineDecoder) -> list[LogAct]:
    """All acts, parsed as one list, which takes a third of the time."""
    raw = parsed(b"[" + b",".join(bodies) + b"]")
    if not isinstance(raw, list) or len(raw) != len(bodies):
        raise Misread("not one act a line")
    return [decoder.act(body) for body in raw]


def _one(name: str, place: int, body: bytes, decoder: LineDecoder) -> LogAct:
    try:
        return decoder.act(parsed(body))
    except Misread as fault:
        raise _misread(name, place, fault) from None


def _also(places: Sequence[int]) -> str:
    if not places:
        return ""
    listed = ", ".join(str(place + 1) for place in places[:_LISTED_MOST])
    more = f" and {len(places) - _LISTED_MOST} more" if len(places) > _LISTED_MOST else ""
    return f"Line{'s' if len(places) > 1 else ''} {listed}{more} too. "


def _misread(name: str, place: int, fault: object) -> SaveFault:
    return SaveFault(f"{_place(name, place)}: {fault}. {_UNTOUCHED}")


def _misfit(act: LogAct, place: int, entries: set[int]) -> str | None:
    """What an act says that cannot be true at its place: a log folds only if its numbers lead somewhere."""
    fault = misplaced(act, place, entries)
    if fault:
        return fault
    ruled = act.rulings.keys() - entries
    if isinstance(act, Entry):
        if place not in ruled:
            return "it does not say what became of it"
        ruled.discard(place)
    return f"it rules on {min(ruled)}, which is no entry before it" if ruled else None


def misplaced(act: LogAct, place: int, entries: set[int]) -> str | None:
    """What an act says of its place and of others that cannot be true, whatever was decided of it.

    `entries` are the numbers of those before it.
    """
    if act.number != place:
        return f"it bears the number {act.number}: a line was lost, doubled or moved"
    if act.after and act.after not in entries:
        return f"it stands after {act.after}, which is no entry before it"
    if isinstance(act, Correction):
        return _misfit_correction(act, place, entries)
    if act.before is not None and act.before not in entries:
        return f"it stands ahead of {act.before}, which is no entry before it"
    return None


def _misfit_correction(act: Correction, place: int, entries: set[int]) -> str | None:
    wrong = [target for target in act.targets if not 0 < target < place]
    amends, shifts = act.kind is CorrectionKind.AMEND, act.kind is CorrectionKind.SHIFT
    if wrong or not act.targets:
        return f"it corrects {wrong[0] if wrong else 'nothing'}, which is no act before it"
    brings = act.version is not None
    if (amends and not brings) or (brings and not amends and not shifts) or shifts != (act.after is not None):
        return f"a correction of the kind {act.kind} with too much or too little"
    if (amends or shifts) and not entries.issuperset(act.targets):
        return "it corrects what is no entry"
    return "it amends more than one entry" if amends and len(act.targets) > 1 else None
