"""The journal: the save file of the open battle, to which each act is appended before it is acknowledged.

Each line is appended with one write and synced. If that fails, the file is cut back to its last sound line
and the act is not recorded; the next append first makes sure that the file was cut back. Only lines that were
never acknowledged are cut off, and an incomplete end that is found on opening is kept aside first.
"""

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from qf_tui.core.errors import QfError
from qf_tui.core.timeline import Entry, LogAct
from qf_tui.core.values import Owed
from qf_tui.journal.codec import (
    Header,
    RulesOf,
    decode_act,
    decode_header,
    encode_act,
    encode_header,
    read_no_orders,
)
from qf_tui.journal.disk import (
    END,
    HELD,
    SYSTEM_DISK,
    Disk,
    EndMark,
    Lock,
    delete_end_mark,
    find_end_file,
    format_disk_fault,
    format_file_name,
    keep_torn_end,
    open_without_waiting,
    write_end_mark,
    write_file,
)
from qf_tui.journal.lines import (
    LINE_MOST,
    SAVE_MOST,
    Extent,
    Misread,
    decode_json,
    encode_json,
    read_stated_sum,
    seal,
)
from qf_tui.journal.reading import Save, SaveExists, SaveFault, is_save, read_save
from qf_tui.operating_systems import BINARY, retry_while_held, sync_folder

ONLY_READ = "You can watch the battle here; this console records nothing."


class NotRecorded(QfError):
    """An act that could not be saved; the message says why and what to do. The battle goes on without it."""


class Journal:
    """The save of one open battle; `create` and `open` make one.

    Attributes:
        writable: False if another console holds the save, or the disk allows only reading.
        notice: Message about a save that can only be read, a damaged end, or unread parts; or "".
        lacks_acts: True if recorded acts were missing when it was opened.
        length: Number of bytes that are recorded.
        first_sum: Checksum of the header.
    """

    def __init__(self, path: Path, disk: Disk) -> None:
        """Prepare a journal; `create` and `open` then open its file."""
        self.path = path
        self._name = format_file_name(path)
        self.writable = False
        self.lacks_acts = False
        self.notice = ""
        self._refusal = ""
        self._lock = Lock(path)
        self._end_file = Path(f"{path}{END}")
        self._disk = disk
        self._file = -1  # none is open
        self._next_number = 1
        self.length = 0
        self.first_sum = ""
        self._last_sum = ""
        self._has_partial_line = False

    @classmethod
    def create(cls, path: str | os.PathLike[str], header: Header, disk: Disk = SYSTEM_DISK) -> "Journal":
        """Make a new save, with its header on the disk.

        Raises:
            SaveExists: If a file with its name exists.
            SaveFault: If it cannot be made.
        """
        journal = cls(Path(path), disk)
        name = journal._name
        line, journal.first_sum = build_header_line(name, header)
        journal._last_sum = journal.first_sum
        refusal = journal._lock.take()
        if refusal:
            # Whoever holds the lock has this save or is making it, so the name is taken.
            kind = SaveExists if refusal == HELD else SaveFault
            raise kind(f"{name}: {refusal}. Choose another name or place.")
        try:
            journal._create_file(line)
        except (OSError, ValueError) as fault:
            journal._lock.remove()
            journal.close()
            if isinstance(fault, FileExistsError):
                raise _build_name_fault(journal.path) from None
            raise SaveFault(
                f"{name}: cannot be made: {format_disk_fault(fault)}. "
                "Make room, or choose another name or place."
            ) from None
        journal.writable = True
        return journal

    def _create_file(self, line: bytes) -> None:
        """Create the file and write the header, or leave no file.

        Raises:
            OSError: If the disk refuses.
            ValueError: If the path is not valid.
        """
        self._end_file = find_end_file(self.path)
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
        try:
            # An older save of this name may have left the mark.
            delete_end_mark(self.path)
            self._write_line(line)
            sync_folder(self.path)
        except OSError:
            # Windows deletes no open file.
            self._close_file()
            self.path.unlink(missing_ok=True)
            raise

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        disk: Disk = SYSTEM_DISK,
        rules_of: RulesOf = read_no_orders,
    ) -> tuple["Journal", Save]:
        """Open a save to add to it, and return its content too.

        A save that can be read but not written gives a read-only journal, whose notice says why.

        Args:
            rules_of: Returns the reader for orders, as for `read_save`.

        Raises:
            SaveFault: If the save cannot be read.
        """
        journal = cls(Path(path), disk)
        # A file that does not begin like a save may be one that another console is creating: do not lock it.
        refusal = journal._lock.take() if is_save(path) else "it was made this moment; open it again"
        try:
            save = read_save(path, rules_of)
        except SaveFault:
            journal.close()
            raise
        journal._next_number = len(save.log) + 1
        journal.lacks_acts = save.lacks_acts
        journal.length = save.length
        journal.first_sum = save.first_sum
        journal._last_sum = save.last_sum
        end_notice = save.end_notice and f"{journal._name}: {save.end_notice}."
        aside_notice = ""
        if not refusal:
            aside, refusal = journal._open_to_append(save)
            # A stray line is blank or repeats an act.
            is_nothing_lost = save.has_stray_line and not save.lacks_acts
            remedy = "" if is_nothing_lost else " Enter what is missing again."
            aside_notice = aside and f"The cut part is kept in {aside}.{remedy}"
        elif not save.lacks_acts:
            # An incomplete line may be one that another console is writing now.
            end_notice = ""
        if refusal:
            journal.close()
            journal._refusal = f"{journal._name}: {refusal}. {ONLY_READ}"
        extra_notice = save.extra_notice and f"{journal._name}: {save.extra_notice}."
        notices = (end_notice, aside_notice, journal._refusal, extra_notice)
        journal.notice = " ".join(filter(None, notices))
        journal.writable = not refusal
        return journal, save

    def append(self, act: LogAct) -> None:
        """Record an act on the disk.

        Raises:
            NotRecorded: If the act cannot be recorded; no part of its line then counts.
        """
        name = f"{'Entry' if isinstance(act, Entry) else 'Correction'} {act.number} is NOT recorded"
        if not self.writable:
            reason = self._refusal or f"{self._name} is closed."
            raise NotRecorded(f"{name}: {reason}")
        try:
            line, last_sum = self._build_line(act)
        except Misread as fault:
            raise NotRecorded(f"{name}: {self._name} cannot hold it: {fault}. Nothing has changed.") from None
        try:
            self._check_file()
            self._write_line(line)
        except OSError as fault:
            cut_text = self._cut_back()
            raise NotRecorded(
                f"{name}: {format_disk_fault(fault)} ({self._name}{cut_text}). Nothing has changed. "
                "Fix this (make room on the disk, or put the file back) and enter it again."
            ) from None
        write_end_mark(self._end_file, EndMark(act.number, last_sum, self.first_sum))
        self._last_sum = last_sum
        self._next_number += 1

    @property
    def last_sum(self) -> str:
        """The checksum of the last recorded line."""
        return self._last_sum

    @property
    def file_fault(self) -> str:
        """Why the file at the path is no longer the recorded save; "" if it is, or if no file is open.

        A line that could not be written in full is cut off first.
        """
        if self._file < 0:
            return ""
        try:
            self._check_file()
        except OSError as fault:
            return format_disk_fault(fault)
        return ""

    def read_recorded(self, start: int = 0) -> bytes:
        """Return the recorded bytes from the byte `start` on. Any thread may call it.

        Raises:
            OSError: If another file is at the path, or the file has become shorter.
        """
        # Kept, because another thread may append while this one reads.
        length = self.length
        with open_without_waiting(self.path) as file:
            if not os.path.samestat(os.fstat(file.fileno()), os.fstat(self._file)):
                raise OSError("another file is in the place of the save")
            file.seek(start)
            data = file.read(length - start)
        if len(data) < length - start:
            raise OSError("the save has become shorter: another program has cut it")
        return data

    @property
    def extent(self) -> Extent:
        """The part of the save that is written."""
        return Extent(self.path, self.length, self._last_sum)

    def close(self) -> None:
        """Close the save and release its lock."""
        self.writable = False
        self._close_file()
        self._lock.release()

    def _close_file(self) -> None:
        """Close the file if it is open."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _build_line(self, act: LogAct) -> tuple[bytes, str]:
        """Build the line of an act and check that it reads back the same.

        Returns:
            The line, and its checksum.

        Raises:
            Misread: If the act is not the next one, or a line cannot hold it, or the save gets too large.
        """
        if act.number != self._next_number:
            raise Misread(f"the next act is {self._next_number}")
        body = encode_json(encode_act(act))
        # `decode_act` looks the orders up here: they were parsed when the act was worked out.
        orders = {} if act.version is None else {act.version.order.resolved: act.version.order.without_dice}
        for ruling in act.rulings.values():
            for effect in ruling.decision.effects:
                if isinstance(effect.value, Owed) and effect.value.order is not None:
                    orders[effect.value.order.resolved] = effect.value.order
        if decode_act(decode_json(body), orders.__getitem__) != act:
            raise Misread("it would read back differently")
        line, last_sum = seal(body, self._last_sum)
        if len(line) > LINE_MOST:
            raise Misread(f"its line would be longer than {LINE_MOST // 1_000_000} MB")
        if self.length + len(line) > SAVE_MOST:
            raise Misread(f"it would be larger than {SAVE_MOST // 1_000_000} MB; begin another save")
        return line, last_sum

    def _write_line(self, line: bytes) -> None:
        """Append a whole line durably, or raise OSError."""
        # If this fails, `_check_file` cuts the line off.
        self._has_partial_line = True
        count = self._disk.write(self._file, line)
        if count != len(line):
            raise OSError(f"the disk is full: {count} of {len(line)} bytes were written")
        self._disk.fsync(self._file)
        self.length += len(line)
        self._has_partial_line = False

    def _check_file(self) -> None:
        """Check that the file holds just the recorded lines; a line written in part is cut off first.

        Raises:
            OSError: If the file is shorter or longer than these, or another file is at its path.
        """
        status = os.fstat(self._file)
        if status.st_size < self.length:
            raise OSError("the file has become shorter: another program has cut it")
        if self._has_partial_line:
            self._cut_to_length()
        elif status.st_size > self.length:
            raise OSError("the file has become longer: another program has written to it")
        if not os.path.samestat(status, self.path.stat()):
            raise OSError("another file is in its place")

    def _cut_to_length(self) -> None:
        """Cut the file back to the recorded lines, or raise OSError."""
        self._disk.truncate(self._file, self.length)
        self._disk.fsync(self._file)
        self._has_partial_line = False

    def _cut_back(self) -> str:
        """Cut off an incomplete line after a failed append, and return words for the message.

        The result is "" if nothing was written. If the cut fails, the next append tries again.
        """
        if not self._has_partial_line:
            return ""
        try:
            self._cut_to_length()
        except OSError as fault:
            return f", which could not be cut back yet: {format_disk_fault(fault)}"
        return ", cut back to its last good line"

    def _open_to_append(self, save: Save) -> tuple[str, str]:
        """Open the file for appending and cut off its torn end.

        Returns:
            The name of the file that keeps the torn end, or "", and why the save cannot be written, or "".
        """
        aside = ""
        try:
            self._end_file = find_end_file(self.path)
            self._file = retry_while_held(lambda: os.open(self.path, os.O_WRONLY | os.O_APPEND | BINARY))
            if save.torn:
                aside = format_file_name(keep_torn_end(self.path, save.torn))
                self._cut_to_length()
        except OSError as fault:
            return aside, f"it cannot be written: {format_disk_fault(fault)}"
        return aside, ""


class NoJournal:
    """The journal of a battle that is not saved: it accepts every act and keeps none.

    Attributes:
        extent: Part of the save that the battle was read from, or None.
    """

    path: Path | None = None
    lacks_acts = False
    writable = True
    file_fault = ""

    def __init__(self, notice: str = "", extent: Extent | None = None) -> None:
        self.notice, self.extent = notice, extent

    def append(self, act: LogAct) -> None:
        """Accept an act without keeping it."""

    def close(self) -> None:
        """Do nothing: no file is open."""


def build_header_line(name: str, header: Header) -> tuple[bytes, str]:
    """Build the first line of a save, and its checksum.

    Raises:
        SaveFault: If the header does not read back the same, or is too large.
    """
    try:
        body = encode_json(encode_header(header))
        if decode_header(decode_json(body)) != header:
            raise Misread("it would read back differently")
    except Misread as fault:
        raise SaveFault(f"{name}: the battle cannot be saved: {fault}.") from None
    line, last_sum = seal(body, "")
    if len(line) > LINE_MOST:
        raise SaveFault(f"{name}: the battle cannot be saved: larger than {LINE_MOST // 1_000_000} MB.")
    return line, last_sum


def copy_save(source: Path, to: Path, upto: int | None = None) -> int:
    """Copy a save, or its first `upto` acts, into a new file, and return the number of acts copied.

    The lines are copied unchanged, so their checksums remain right. After a failure no copy is left.

    Raises:
        SaveExists: If a file with the name of the copy exists.
        SaveFault: If the source is not sound, lacks act `upto`, or the copy cannot be made.
    """
    log_length = len(read_save(source).log)
    acts = log_length if upto is None else upto
    if not 0 <= acts <= log_length:
        raise SaveFault(f"{format_file_name(source)}: there is no act {acts}; its acts are 1 to {log_length}")
    refuse_existing(to)
    try:
        with open_without_waiting(source) as source_file:
            # The header is a line too.
            lines = list(islice(source_file, acts + 1))
    except (OSError, ValueError) as fault:
        raise _build_fault(to, fault) from None
    _write_lines(to, lines)
    return acts


def write_save(to: Path, header: Header, log: Iterable[LogAct]) -> None:
    """Make a new save from a whole log. After a failure no file is left.

    Raises:
        SaveExists: If a file with this name exists.
        SaveFault: If the save cannot be made.
    """
    refuse_existing(to)
    line, last_sum = build_header_line(format_file_name(to), header)
    lines = [line]
    try:
        for act in log:
            line, last_sum = seal(encode_json(encode_act(act)), last_sum)
            lines.append(line)
    except Misread as fault:
        raise SaveFault(f"{format_file_name(to)}: cannot be made: {fault}.") from None
    if sum(map(len, lines)) > SAVE_MOST:
        raise SaveFault(f"{format_file_name(to)}: cannot be made: larger than {SAVE_MOST // 1_000_000} MB.")
    _write_lines(to, lines)


def _write_lines(to: Path, lines: list[bytes]) -> None:
    """Write lines as a new save, and remember its end.

    Raises:
        SaveExists: If a file with this name exists.
        SaveFault: If the save cannot be made.
    """
    try:
        # First, so that the mark of an older save is never next to this one.
        delete_end_mark(to)
        write_file(to, b"".join(lines))
    except FileExistsError:
        raise _build_name_fault(to) from None
    except (OSError, ValueError) as fault:
        raise _build_fault(to, fault) from None
    # A save without acts has no last act to remember.
    if len(lines) > 1:
        ending = EndMark(len(lines) - 1, read_stated_sum(lines[-1]), read_stated_sum(lines[0]))
        write_end_mark(find_end_file(to), ending)


def _build_fault(to: Path, fault: Exception) -> SaveFault:
    """Build the fault of a save that cannot be made."""
    return SaveFault(
        f"{format_file_name(to)}: cannot be made: {format_disk_fault(fault)}. Choose another name or place."
    )


def refuse_existing(save: Path) -> None:
    """Raise SaveExists if a file with this name exists: no save is overwritten."""
    if os.path.lexists(save):
        raise _build_name_fault(save)


def _build_name_fault(save: Path) -> SaveExists:
    """Build the fault of a save whose name is taken."""
    return SaveExists(
        f"{format_file_name(save)}: this file exists already, and no save is overwritten. "
        "Choose another name."
    )
