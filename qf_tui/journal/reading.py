"""Reads a whole save: its sound part, an incomplete last line, and a message for every kind of damage.

If only the last line is incomplete or damaged, or acts are missing at the end (a small file next to the save
remembers its last act), the lines before are kept. A save with damage anywhere else is refused, and the
message names the line. Reading changes no file.
"""

import gc
import os
import stat
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.grammar.reader import build_unread_order
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, LogAct
from qf_tui.journal.codec import (
    BOOK,
    Header,
    ReadOrder,
    RulesOf,
    decode_act,
    decode_header,
    find_order_reader,
    read_no_orders,
)
from qf_tui.journal.disk import (
    END,
    EndMark,
    format_disk_fault,
    format_file_name,
    open_without_waiting,
    read_end_mark,
    replace_unprintable,
)
from qf_tui.journal.lines import (
    LINE_MOST,
    SAVE_MOST,
    SIGNATURE,
    Extent,
    Misread,
    decode_json,
    find_damage_after,
    find_format_fault,
    has_seal_within,
    read_line_number,
    read_stated_sum,
    unseal,
)
from qf_tui.registry import find_dice_kinds, find_extra_fault, find_extras


class Unfit(ValueError):
    """A line with a sound checksum whose content is impossible at its place (0: the header)."""

    def __init__(self, place: int, why: object) -> None:
        super().__init__(str(why))
        self.place = place


class LogReader:
    """Reads the lines of one save in order; after a line raised Unfit it must not be used again."""

    def __init__(self, rules_of: RulesOf) -> None:
        """Start before the header; `rules_of` finds the reader for orders by the header's rule system."""
        self._rules_of = rules_of
        self._read_order: ReadOrder = build_unread_order
        # The numbers of the entries that were read.
        self._entries: set[int] = set()
        # The number of the last act that was read.
        self._place = 0

    def read_header(self, body: bytes) -> Header:
        """Decode the header, and choose the reader for orders that it asks for.

        Raises:
            Unfit: If the header is not sound.
        """
        try:
            raw = decode_json(body)
            self._read_order = find_order_reader(raw, self._rules_of)
            return decode_header(raw, self._read_order)
        except Misread as fault:
            raise Unfit(place=0, why=fault) from None

    def read_acts(self, bodies: Sequence[bytes]) -> tuple[LogAct, ...]:
        """Decode the next acts and check that each fits its place.

        Raises:
            Unfit: If an act is not sound or does not fit.
        """
        acts: Iterable[LogAct]
        try:
            # Parsing all lines as one list takes a third of the time.
            raw = decode_json(b"[" + b",".join(bodies) + b"]")
            if not isinstance(raw, list) or len(raw) != len(bodies):
                raise Misread("not one act a line")
            acts = [decode_act(body, self._read_order) for body in raw]
        except Misread:
            # Read act by act, which finds the first act at fault.
            acts = map(self._read_act, bodies)
        log: list[LogAct] = []
        for act in acts:
            self._place += 1
            misfit = _find_misfit(act, self._place, self._entries)
            if misfit:
                raise Unfit(self._place, misfit)
            if isinstance(act, Entry):
                self._entries.add(self._place)
            log.append(act)
        return tuple(log)

    def _read_act(self, body: bytes) -> LogAct:
        """Decode a single act.

        Raises:
            Unfit: If it is not sound.
        """
        try:
            return decode_act(decode_json(body), self._read_order)
        except Misread as fault:
            raise Unfit(self._place + 1, fault) from None


def _find_misfit(act: LogAct, place: int, entries: set[int]) -> str | None:
    """Return why an act cannot be at its place, or None.

    Its number, references and extras must be right (see `find_misplaced`), an entry must have a ruling of its
    own, and other rulings must be about earlier entries.
    """
    fault = find_misplaced(act, place, entries)
    if fault:
        return fault
    unknown = act.rulings.keys() - entries
    if isinstance(act, Entry):
        if place not in act.rulings:
            return "it has no ruling of its own"
        # The entry is not among `entries` yet.
        unknown.discard(place)
    return f"it decides {min(unknown)}, which is not an earlier entry" if unknown else None


def find_misplaced(act: LogAct, place: int, entries: set[int]) -> str | None:
    """Return why an act cannot be at its place: a wrong number, reference or extra. None if all is right.

    Args:
        place: Place of the act in the log, from 1.
        entries: Numbers of the entries before it.
    """
    if act.number != place:
        return f"its number is {act.number}: a line was lost, doubled or moved"
    if fault := find_extra_fault(act.extra):
        return fault
    # 0 is the start of the battle.
    if act.after and act.after not in entries:
        return f"its place is after {act.after}, which is not an earlier entry"
    if isinstance(act, Correction):
        return _find_correction_misfit(act, place, entries)
    if act.before is not None and act.before not in entries:
        return f"its place is before {act.before}, which is not an earlier entry"
    return None


def _find_correction_misfit(act: Correction, place: int, entries: set[int]) -> str | None:
    """Return why a correction cannot have its targets or its parts, or None.

    An amendment brings a version, a shift may bring one, other kinds bring none. Only a shift has a place to
    put its targets.
    """
    if not act.targets:
        return "it corrects nothing"
    for target in act.targets:
        if not 0 < target < place:
            return f"it corrects {target}, which is not an earlier act"
    amends = act.kind is CorrectionKind.AMEND
    shifts = act.kind is CorrectionKind.SHIFT
    is_version_missing = amends and act.version is None
    is_version_extra = act.version is not None and not (amends or shifts)
    has_wrong_place = (act.after is not None) != shifts
    if is_version_missing or is_version_extra or has_wrong_place:
        return f"a correction of the kind {act.kind} with missing or extra parts"
    if (amends or shifts) and not entries.issuperset(act.targets):
        return "it corrects something that is not an entry"
    return "it amends more than one entry" if amends and len(act.targets) > 1 else None


_BLANK = b" \t\r\n"
_BYTE_ORDER_MARKS = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)


@frozen
class Save:
    """The content of a save: its header and its log.

    Attributes:
        torn: Incomplete or damaged last line, or b"".
        length: Number of bytes before `torn`.
        first_sum: Checksum of the header.
        last_sum: Checksum that the next line must follow.
        ending: Remembered end of the save, or None.
        reader: Reader for lines that are added later.
    """

    name: str = field(eq=False)
    header: Header
    log: tuple[LogAct, ...]
    torn: bytes
    length: int
    first_sum: str
    last_sum: str
    ending: EndMark | None = field(eq=False)
    reader: LogReader = field(eq=False, repr=False)

    @property
    def lacks_acts(self) -> bool:
        """True if acts that were recorded are missing at the end."""
        # A complete last line that is damaged held an act.
        has_lost_act = self.torn.endswith(b"\n") and not self.has_stray_line
        return has_lost_act or self._remembered_number > len(self.log)

    @property
    def has_stray_line(self) -> bool:
        """True if a line that is not a new act follows the last act: a blank line, or a repeated act."""
        number = read_line_number(self.torn)
        repeats = number is not None and number <= len(self.log)
        return self._is_blank or (self.torn.endswith(b"\n") and repeats)

    @property
    def _is_blank(self) -> bool:
        """True if only blank lines follow the last act."""
        return bool(self.torn) and not self.torn.strip(_BLANK)

    @property
    def ends_as_written(self) -> bool:
        """True if the save ends where the remembered end says."""
        return self.ending == EndMark(len(self.log), self.last_sum, self.first_sum)

    @property
    def end_notice(self) -> str:
        """The message about a stray, damaged or torn last line, or about missing acts; "" if all is well."""
        next_act = len(self.log) + 1
        recorded_act = self._remembered_number
        is_act_missing = recorded_act >= next_act
        if self.has_stray_line and not is_act_missing:
            what = "is blank: another program added it" if self._is_blank else "is not an act but repeats one"
            return f"the line after act {len(self.log)} {what}; the acts before it are sound"
        missing = (
            f"act {next_act} is" if recorded_act <= next_act else f"acts {next_act} to {recorded_act} are"
        )
        # A line that was cut off has no line end, so a last line with a line end is damaged.
        is_damaged_line = self.torn.endswith(b"\n") and not self._is_blank
        if is_damaged_line:
            return (
                f"its last line, line {next_act + 1}, is damaged: its checksum does not match, so it was "
                f"changed after it was written; {missing} lost"
            )
        if is_act_missing:
            is_cut_line = self.torn and not self._is_blank
            cut = f"it was cut off in line {next_act + 1}" if is_cut_line else "lines are gone from its end"
            source_text = f"{self.name}{END} says that it ended with act {recorded_act}"
            return f"{cut}: {missing} missing; {source_text}"
        if not self.torn:
            return ""
        unless = "" if self.ends_as_written else ", unless the file was cut later"
        return f"its last line was cut off ({len(self.torn)} bytes): act {next_act} was not recorded{unless}"

    @property
    def _remembered_number(self) -> int:
        """Number of the last act, as remembered next to the save; 0 if nothing is, or for another save."""
        if self.ending is None or self.ending.first_sum != self.first_sum:
            return 0
        return self.ending.number

    @property
    def extra_notice(self) -> str:
        """The message that names the parts of `extra` that this program does not read, or ""."""
        known_parts = {BOOK, *(kind.part for kind in find_dice_kinds())}
        parts = dict.fromkeys(part for part in self.header.extra if part not in known_parts)
        known_extras = find_extras()
        parts |= dict.fromkeys(name for act in self.log for name in act.extra if name not in known_extras)
        unknown = [f"“{replace_unprintable(part)}”" for part in parts]
        if not unknown:
            return ""
        return f"it also holds {', '.join(unknown)}, which this program keeps but does not read"


class SaveFault(QfError):
    """A save that cannot be opened or made; the message names file, line, reason and remedy."""


class SaveExists(SaveFault):
    """A save that was not made because a file with its name exists: no save is overwritten."""


def read_save(path: str | os.PathLike[str], rules_of: RulesOf = read_no_orders) -> Save:
    """Read a save from its file.

    Args:
        rules_of: Returns the reader for the orders of the rule system that the header names.

    Raises:
        SaveFault: If the file is not a save, or is damaged elsewhere than in its last line.
    """
    name = format_file_name(path)
    # Read before the save, so that an act recorded meanwhile is not reported as missing.
    ending = read_end_mark(path)
    data = _read_bytes(path, name)
    _check_signature(name, data)
    bodies, last_sum, torn = _check_lines(name, data)
    reader = LogReader(rules_of)
    first_sum = read_stated_sum(data[: data.index(b"\n")])
    try:
        with _pause_collector():
            header = reader.read_header(bodies[0])
            log = reader.read_acts(bodies[1:])
    except Unfit as fault:
        raise SaveFault(f"{_format_place(name, fault.place)}: {fault}. {_UNTOUCHED}") from None
    return Save(
        name,
        header,
        log,
        torn,
        length=len(data) - len(torn),
        first_sum=first_sum,
        last_sum=last_sum,
        ending=ending,
        reader=reader,
    )


def _check_lines(name: str, data: bytes) -> tuple[list[bytes], str, bytes]:
    """Check the lines of a save, and separate an incomplete or damaged last line from them.

    Returns:
        The bodies of the sound lines, the checksum of the last, and the bytes after these lines, or b"".

    Raises:
        SaveFault: If any other line is damaged, or the header is incomplete.
    """
    written_data, blank_lines = _split_blank_end(data)
    *lines, torn = written_data.split(b"\n")
    bodies, last_sum = unseal_lines(lines, "")
    place = len(bodies)
    if place < len(lines):
        # Only a damaged last line can be kept aside, and only if no other line has run into it.
        is_last = place == len(lines) - 1 and not torn
        can_be_kept = is_last and place > 0 and not has_seal_within(lines[place])
        if not can_be_kept:
            raise _build_damage_fault(name, place, lines[place], find_damage_after(lines, place, last_sum))
        torn = lines[place] + b"\n"
    torn += blank_lines
    if not bodies:
        raise SaveFault(f"{name}: cut off in its first line; it holds no battle. Begin the battle again.")
    # A line that was cut off has no seal within it, and is not too long.
    if has_seal_within(torn.rstrip(b"\n")) or len(torn) > LINE_MOST:
        raise _build_damage_fault(name, len(bodies), torn)
    return bodies, last_sum, torn


def _split_blank_end(data: bytes) -> tuple[bytes, bytes]:
    """Split off the blank lines after the last line; b"" if there are none, or that line has no line end."""
    text_length = len(data.rstrip(_BLANK))
    # A damaged line may itself end in blanks, so its line end may come after them.
    line_end = data.find(b"\n", text_length)
    if line_end < 0:
        return data, b""
    return data[: line_end + 1], data[line_end + 1 :]


def unseal_lines(lines: Sequence[bytes], previous: str) -> tuple[list[bytes], str]:
    """Check the checksums of lines, up to the first that is wrong or too long.

    Args:
        previous: Checksum that the first line must follow.

    Returns:
        The bodies of the sound lines, and the checksum of the last; `previous` if there is none.
    """
    bodies: list[bytes] = []
    for line in lines:
        unsealed = unseal(line, previous) if len(line) <= LINE_MOST else None
        if unsealed is None:
            break
        body, previous = unsealed
        bodies.append(body)
    return bodies, previous


@contextmanager
def _pause_collector() -> Iterator[None]:
    """Pause the garbage collector, which would take half of the reading time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def is_save(path: str | os.PathLike[str]) -> bool:
    """Return whether a plain file begins like a save, sound or not; a byte order mark may come first."""
    try:
        with open_without_waiting(path) as file:
            begins = file.read(len(BOM_UTF8) + len(SIGNATURE)).removeprefix(BOM_UTF8)
            return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and begins.startswith(SIGNATURE)
    except (OSError, ValueError):
        return False


def _read_bytes(path: str | os.PathLike[str], name: str) -> bytes:
    """Read all bytes of a save.

    Raises:
        SaveFault: If there is no such file, or it cannot be read or is too large.
    """
    try:
        with open_without_waiting(path) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise SaveFault(f"{name}: not a file. Give the name of a save.")
            if status.st_size > SAVE_MOST:
                size = status.st_size // 1_000_000
                most = SAVE_MOST // 1_000_000
                raise SaveFault(f"{name}: {size} MB; no save is larger than {most} MB.")
            return file.read(SAVE_MOST)
    except FileNotFoundError:
        folder = str(Path(path).parent)
        where = "this folder" if folder == "." else replace_unprintable(folder)
        raise SaveFault(f"{name}: there is no such file in {where}.") from None
    except (OSError, ValueError) as fault:
        raise SaveFault(f"{name}: cannot be read: {format_disk_fault(fault)}.") from None


def _check_signature(name: str, data: bytes) -> None:
    """Check that data begin like a save of the format that this program reads.

    Raises:
        SaveFault: If they do not.
    """
    if not data:
        raise SaveFault(f"{name}: empty; it holds no battle. Begin the battle again.")
    if data.startswith(_BYTE_ORDER_MARKS):
        raise SaveFault(
            f"{name}, line 1: a program saved it as a text with a byte-order mark at its beginning. "
            f"{_UNTOUCHED} Save it as UTF-8 without this mark, or use an older copy of the file."
        )
    if not data.startswith(SIGNATURE):
        if SIGNATURE.startswith(data):
            raise SaveFault(f"{name}: cut off in its first line; it holds no battle. Begin the battle again.")
        text = data[:40].decode(errors="replace")
        start = "".join(character if character.isprintable() else "·" for character in text)
        raise SaveFault(
            f"{name}, line 1: not a save of qf-tui, or its beginning is damaged: it begins with “{start}”. "
            f"{_UNTOUCHED}"
        )
    # A comma ends the number of the format; nine bytes are enough for both.
    digits = data[len(SIGNATURE) : len(SIGNATURE) + 9].partition(b",")[0]
    if digits.isdigit() and (fault := find_format_fault(int(digits))):
        raise SaveFault(f"{name}, line 1: {fault}.")


_UNTOUCHED = "Nothing was overwritten."
_LISTED_MOST = 12


def _format_place(name: str, place: int) -> str:
    """Format the place of a line: `NAME, line 4 (act 3)`."""
    return f"{name}, line {place + 1}" + (f" (act {place})" if place else " (the header)")


def _build_damage_fault(name: str, place: int, line: bytes, later_places: Sequence[int] = ()) -> SaveFault:
    """Build the fault of a damaged save, which names the damage and the remedy.

    Args:
        place: Index of the damaged line.
        later_places: Indices of the damaged lines after it.
    """
    number = read_line_number(line)
    above = ", or the lines above this one, which are sound" if place else ""
    advice = f"Use an older copy of the file{above}."
    # If all line ends were changed, the header is the first damaged line.
    if not place and line.endswith(b"\r"):
        what = "a program changed its line ends, as in a text file"
        advice = "Change CR LF back to LF (`dos2unix` does), or use an older copy of the file."
    elif len(line) > LINE_MOST:
        what = f"{len(line) // 1_000_000} MB long; no line is longer than {LINE_MOST // 1_000_000} MB"
    elif number is not None and number != place:
        what = f"its number is {number}: a line was lost, doubled or moved"
    else:
        what = "damaged: its checksum does not match, so it was changed after it was written"
    also = ""
    if later_places:
        numbers = ", ".join(str(place + 1) for place in later_places[:_LISTED_MOST])
        more = f" and {len(later_places) - _LISTED_MOST} more" if len(later_places) > _LISTED_MOST else ""
        also = f"Line{'s' if len(later_places) > 1 else ''} {numbers}{more} too. "
    return SaveFault(f"{_format_place(name, place)}: {what}. {also}{_UNTOUCHED} {advice}")


LOOKS_AGAIN, LOOKS_SELDOM = 5, 50
"""Number of looks before another attempt to read.

The first is for a save that changed after a failed attempt, or whose last line is incomplete, because some
disks report the length before the bytes. The second is for a save that could not be read and has not changed.
"""

Stamp = tuple[int, int, int, int]
"""Signs of a change of a file: device, file number, size, time of the last write."""


class Tail:
    """A save and the lines that another console adds to it; SaveFault if it cannot be opened.

    Attributes:
        save: Content of the save when it was last sound.
        fault: Why it cannot be read now, or "".
    """

    def __init__(self, path: Path, rules_of: RulesOf = read_no_orders) -> None:
        """Read the save for the first time, or raise SaveFault."""
        self.path = path
        self._rules_of = rules_of
        self.fault = ""
        # Taken before the save is read, so that a line written meanwhile counts as a change.
        self._stamp = _read_stamp(path)
        self.save = read_save(path, rules_of)
        # False after an attempt to read that failed.
        self._sound = True
        # The number of looks since the last attempt to read.
        self._looks = 0

    @property
    def extent(self) -> Extent:
        """The part of the save that was read when it was last sound."""
        return Extent(self.path, self.save.length, self.save.last_sum)

    def read_changes(self) -> bool:
        """Read the save if it is due to be read, and return whether `save` or `fault` changed.

        If only lines were added, only these are read.
        """
        stamp = _read_stamp(self.path)
        if not self._is_due(stamp):
            return False
        old_stamp = self._stamp
        self._stamp = stamp
        old_state = self.save, self.fault
        extended_save = None
        if stamp and old_stamp and self._sound:
            # A stamp has device, file number and size.
            is_same_file = stamp[:2] == old_stamp[:2]
            is_longer = self.save.length < stamp[2] <= SAVE_MOST
            extended_save = self._read_more(stamp) if is_same_file and is_longer else None
        if extended_save is None:
            self._read_whole()
        else:
            self.save = extended_save
        return (self.save, self.fault) != old_state

    def _is_due(self, stamp: Stamp | None) -> bool:
        """Return whether to read now.

        After a sound reading: when the save changed, and with an incomplete last line at every fifth look.
        After a reading that failed: at every fifth look if the save changed, else at every fiftieth.
        """
        changed = stamp != self._stamp
        if self._sound and changed:
            return True
        # An incomplete last line may be completed although `stamp` shows no change.
        if self._sound and not self.save.torn:
            return False
        self._looks += 1
        needed_looks = LOOKS_AGAIN if changed or self._sound else LOOKS_SELDOM
        if self._looks < needed_looks:
            return False
        self._looks = 0
        return True

    def _read_more(self, stamp: Stamp) -> Save | None:
        """Return the save with its new lines, or None if it must be read from its beginning."""
        save = self.save
        data = self._read_bytes_after(save, stamp)
        if data is None:
            return None
        *lines, torn = data.split(b"\n")
        bodies, last_sum = unseal_lines(lines, save.last_sum)
        # `_read_whole` reports a line that is unsound, too long, or has run into the next one.
        if len(bodies) < len(lines) or has_seal_within(torn) or len(torn) > LINE_MOST:
            return None
        try:
            log = (*save.log, *save.reader.read_acts(bodies))
        except Unfit:
            return None
        length = save.length + len(data) - len(torn)
        return evolve(save, log=log, torn=torn, length=length, last_sum=last_sum)

    def _read_bytes_after(self, save: Save, stamp: Stamp) -> bytes | None:
        """Read the bytes after the last sound line; None if the file is gone, replaced or lacks that line."""
        # To see that the line is still there, its last bytes are read too.
        end = b'"sum":"%b"}\n' % save.last_sum.encode()
        try:
            with open_without_waiting(self.path) as file:
                status = os.fstat(file.fileno())
                file.seek(save.length - len(end))
                data = file.read(SAVE_MOST)
        except (OSError, ValueError):
            return None
        has_line = (status.st_dev, status.st_ino) == stamp[:2] and data.startswith(end)
        return data[len(end) :] if has_line else None

    def _read_whole(self) -> None:
        """Read the save from its beginning; if that fails, keep the last sound content."""
        try:
            save = read_save(self.path, self._rules_of)
        except SaveFault as fault:
            self.fault = str(fault)
            self._sound = False
            return
        self.save = save
        self.fault = ""
        self._sound = True


def _read_stamp(path: Path) -> Stamp | None:
    """Return the signs that show whether a file was changed or replaced; None if there is no such file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
