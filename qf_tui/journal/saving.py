"""The journal of the open battle: an act is on the disk before it is acknowledged.

A line is appended with one write and fsynced. If that fails, the file is cut back to its last good line and
the act is not recorded; the next append first makes sure of that. Only lines that were never acknowledged are
ever cut off, and a torn end found on opening is set aside first.
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
    no_rules,
)
from qf_tui.journal.disk import (
    END,
    HELD,
    SYSTEM_DISK,
    Disk,
    EndMark,
    Lock,
    ending_of,
    fault_words,
    forget,
    name_of,
    open_plain_file,
    remember,
    set_aside,
    write_whole,
)
from qf_tui.journal.lines import LINE_MOST, SAVE_MOST, Extent, Misread, parsed, seal, stated_sum, written
from qf_tui.journal.reading import Save, SaveFault, SaveThere, is_save, read_save
from qf_tui.operating_systems import BINARY, retried, sync_folder

ONLY_READ = "You can watch the battle here as it goes on; nothing is recorded."


class NotRecorded(QfError):
    """An act that is not in the save, why, and what to do; the battle must not go on as if it were."""


class Journal:
    """The save of one open battle; `create` and `open` make one.

    `writable` is False where another console holds the save or the disk lets it only be read. `notice` tells
    of that, of an end that is torn, damaged or missing, and of what this program does not read, or is "".
    `length` are the bytes that are recorded, `first_sum` is the checksum of the header.
    """

    def __init__(self, path: Path, disk: Disk) -> None:
        self.path = path
        self._name = name_of(path)
        self.writable = False
        self.notice = ""
        self._refusal = ""
        self._lock = Lock(path)
        self._beside = Path(f"{path}{END}")
        self._disk = disk
        self._file = -1
        self._number = 1
        self.length = 0
        self.first_sum = self._last_sum = ""
        self._behind = False

    @classmethod
    def create(cls, path: str | os.PathLike[str], header: Header, disk: Disk = SYSTEM_DISK) -> "Journal":
        """A new save with its header on the disk.

        SaveThere if its name is taken, SaveFault if it cannot be made.
        """
        journal = cls(Path(path), disk)
        name = journal._name
        line, journal.first_sum = header_line(name, header)
        journal._last_sum = journal.first_sum
        refusal = journal._lock.take()
        if refusal:
            kind = SaveThere if refusal == HELD else SaveFault
            raise kind(f"{name}: {refusal}. Choose another name or place.")
        try:
            journal._make(line)
        except (OSError, ValueError) as fault:
            journal._lock.remove()
            journal.close()
            if isinstance(fault, FileExistsError):
                raise _taken(journal.path) from None
            raise SaveFault(
                f"{name}: cannot be made: {fault_words(fault)}. Make room, or choose another name or place."
            ) from None
        journal.writable = True
        return journal

    def _make(self, line: bytes) -> None:
        """Makes the file with its header; OSError or ValueError, and then it is not there."""
        self._beside = ending_of(self.path)
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
        try:
            forget(self.path)
            self._put(line)
            sync_folder(self.path)
        except OSError:
            # Windows takes away no file that is open.
            self._close_file()
            self.path.unlink(missing_ok=True)
            raise

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        disk: Disk = SYSTEM_DISK,
        rules_of: RulesOf = no_rules,
    ) -> tuple["Journal", Save]:
        """A save opened for more, and what it holds; SaveFault if it cannot be read.

        `rules_of` is as `read_save` has it. Where the save can be read and not written
        the journal is read-only, and says why in its notice.
        """
        journal = cls(Path(path), disk)
        refusal = journal._lock.take() if is_save(path) else "it was made just now; open it again"
        try:
            save = read_save(path, rules_of)
        except SaveFault:
            journal.close()
            raise
        journal._number = len(save.log) + 1
        journal.length = save.length
        journal.first_sum, journal._last_sum = save.first_sum, save.last_sum
        notices = [save.end_notice and f"{journal._name}: {save.end_notice}."]
        if refusal:
            # What looks torn is as likely a line that the other console is writing.
            notices = [notices[0] if save.short else ""]
        else:
            aside, refusal = journal._open_to_append(save)
            again = "" if save.stray and not save.short else " Enter what is missing again."
            notices += [aside and f"The rest is kept in {aside}.{again}"]
        if refusal:
            journal.close()
            journal._refusal = f"{journal._name}: {refusal}. {ONLY_READ}"
        notices += [journal._refusal, save.extra_notice and f"{journal._name}: {save.extra_notice}."]
        journal.notice = " ".join(filter(None, notices))
        journal.writable = not refusal
        return journal, save

    def append(self, act: LogAct) -> None:
        """Records an act; NotRecorded if it is not on the disk, and then the save is as it was before."""
        name = f"{'Entry' if isinstance(act, Entry) else 'Correction'} {act.number} is NOT recorded"
        if not self.writable:
            why = self._refusal or f"{self._name} is closed."
            raise NotRecorded(f"{name}: {why}")
        try:
            line, last_sum = self._line(act)
        except Misread as fault:
            raise NotRecorded(f"{name}: {self._name} cannot hold it: {fault}. Nothing has changed.") from None
        try:
            self._check_file()
            self._put(line)
        except OSError as fault:
            cut = self._cut_back()
            raise NotRecorded(
                f"{name}: {fault_words(fault)} ({self._name}{cut}). Nothing has changed; fix that (make room "
                "on the disk, put it back) and enter it again."
            ) from None
        remember(self._beside, EndMark(act.number, last_sum, self.first_sum))
        self._last_sum = last_sum
        self._number += 1

    @property
    def last_sum(self) -> str:
        """The checksum of the last recorded line."""
        return self._last_sum

    @property
    def astray(self) -> str:
        """Why the file at its path is not what was recorded here; "" if it is, or was only read."""
        if self._file < 0:
            return ""
        try:
            self._check_file()
        except OSError as fault:
            return fault_words(fault)
        return ""

    def recorded(self, start: int = 0, length: int = 0) -> bytes:
        """What is recorded behind so many bytes, asked by any thread; OSError if the file is another.

        Up to a `length` of the whole, or all of it.
        """
        length = length or self.length
        with open_plain_file(self.path) as file:
            if not os.path.samestat(os.fstat(file.fileno()), os.fstat(self._file)):
                raise OSError("another file is in the place of the save")
            file.seek(start)
            data = file.read(length - start)
        if len(data) < length - start:
            raise OSError("the save has become shorter: another program has cut it")
        return data

    @property
    def extent(self) -> Extent:
        """How far it was written."""
        return Extent(self.path, self.length, self._last_sum)

    def close(self) -> None:
        """Closes the save and lets another console have it."""
        self.writable = False
        self._close_file()
        self._lock.release()

    def _close_file(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _line(self, act: LogAct) -> tuple[bytes, str]:
        """The line of an act, read back before it counts: what could not be opened again is not written."""
        if act.number != self._number:
            raise Misread(f"the next act is {self._number}")
        body = written(encode_act(act))
        # That an act's orders read back as they are was seen to when they were worked out.
        orders = {} if act.version is None else {act.version.order.resolved: act.version.order.bare}
        for ruling in act.rulings.values():
            for effect in ruling.decision.effects:
                if isinstance(effect.value, Owed) and effect.value.order is not None:
                    orders[effect.value.order.resolved] = effect.value.order
        if decode_act(parsed(body), orders.__getitem__) != act:
            raise Misread("it would not read back the same")
        line, last_sum = seal(body, self._last_sum)
        if len(line) > LINE_MOST:
            raise Misread(f"its line would be longer than {LINE_MOST // 1_000_000} MB")
        if self.length + len(line) > SAVE_MOST:
            raise Misread(f"it would be larger than {SAVE_MOST // 1_000_000} MB; begin another save")
        return line, last_sum

    def _put(self, line: bytes) -> None:
        """Appends a whole line durably, or raises OSError."""
        self._behind = True
        count = self._disk.write(self._file, line)
        if count != len(line):
            raise OSError(f"the disk is full: {count} of {len(line)} bytes were written")
        self._disk.fsync(self._file)
        self.length += len(line)
        self._behind = False

    def _check_file(self) -> None:
        """Makes sure that the file ends with the last good line and is still the one at its path."""
        status = os.fstat(self._file)
        if status.st_size < self.length:
            raise OSError("the file has become shorter: another program has cut it")
        if self._behind:
            self._truncate()
        elif status.st_size > self.length:
            raise OSError("the file has become longer: another program has written to it")
        if not os.path.samestat(status, self.path.stat()):
            raise OSError("another file is in its place")

    def _truncate(self) -> None:
        self._disk.truncate(self._file, self.length)
        self._disk.fsync(self._file)
        self._behind = False

    def _cut_back(self) -> str:
        """Cuts off what was written in part, and says how that went; the next append tries again."""
        if not self._behind:
            return ""
        try:
            self._truncate()
        except OSError as fault:
            return f", which could not be cut back yet: {fault_words(fault)}"
        return ", cut back to its last good line"

    def _open_to_append(self, save: Save) -> tuple[str, str]:
        """Opens the file for appending, its torn end cut off: where that is kept; and why not, if not."""
        aside = ""
        try:
            self._beside = ending_of(self.path)
            self._file = retried(lambda: os.open(self.path, os.O_WRONLY | os.O_APPEND | BINARY))
            if save.torn:
                aside = name_of(set_aside(self.path, save.torn))
                self._truncate()
        except OSError as fault:
            return aside, f"it cannot be written: {fault_words(fault)}"
        return aside, ""


class NoJournal:
    """The journal of a battle that is not saved: it takes every act and keeps none.

    `extent` is how far the save was read that the battle is of, if it is of one.
    """

    path: Path | None = None
    writable = True
    astray = ""

    def __init__(self, notice: str = "", extent: Extent | None = None) -> None:
        self.notice, self.extent = notice, extent

    def append(self, act: LogAct) -> None:
        """Keeps nothing."""

    def close(self) -> None:
        """Nothing is open."""


def header_line(name: str, header: Header) -> tuple[bytes, str]:
    """The first line of a save and its checksum; SaveFault if a header does not read back as it was."""
    try:
        body = written(encode_header(header))
        if decode_header(parsed(body)) != header:
            raise Misread("it would not read back the same")
    except Misread as fault:
        raise SaveFault(f"{name}: the battle cannot be saved: {fault}.") from None
    line, last_sum = seal(body, "")
    if len(line) > LINE_MOST:
        raise SaveFault(f"{name}: the battle cannot be saved: larger than {LINE_MOST // 1_000_000} MB.")
    return line, last_sum


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
        with open_plain_file(source) as old:
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
    return SaveFault(f"{name_of(to)}: cannot be made: {fault_words(fault)}. Choose another name or place.")


def refuse_existing(save: Path) -> None:
    """SaveThere if a file of that name is there: no save is overwritten."""
    if os.path.lexists(save):
        raise _taken(save)


def _taken(save: Path) -> SaveThere:
    return SaveThere(
        f"{name_of(save)}: this file exists already, and no save is overwritten. Choose another name."
    )
