"""A save read on while another console writes to it: what is new, without a lock and without a write.

A line that is not whole yet waits for its rest. A save that is cut, replaced, damaged or gone is said to be,
and is read on from when it is sound again.
"""

import os
from pathlib import Path

from attrs import evolve

from qf_tui.journal.codec import RulesOf, no_rules
from qf_tui.journal.lines import LINE_MOST, SAVE_MOST, seal_within, unseal
from qf_tui.journal.log_reader import Unfit
from qf_tui.journal.reading import SaveFault, opened_plainly, read_save
from qf_tui.journal.save import Save

AGAIN, SELDOM = 5, 50
"""Looks after which a save is read again that has changed since it could not be read, or has a last line that
is not whole: some disks tell the length before the bytes; and one that could not be read and has not changed.
"""

Stamp = tuple[int, int, int, int]
"""By what a file is seen to be another or to have changed: device, number, length, time of the last write."""


class Tail:
    """One save and what is added to it; SaveFault if it cannot be read as it is opened.

    `save` is what it held when it was last sound, `fault` why it cannot be read now ("" while it can).
    """

    def __init__(self, path: Path, rules_of: RulesOf = no_rules) -> None:
        self.path, self._rules_of = path, rules_of
        self.fault = ""
        # Before the save: what is written meanwhile is then seen as a change.
        self._stamp = _stamp(path)
        self.save = read_save(path, rules_of)
        self._sound = True
        self._looks = 0

    def look(self) -> bool:
        """Reads what is new; whether anything is another than before, `fault` included."""
        stamp = _stamp(self.path)
        if not self._due(stamp):
            return False
        before, self._stamp = self._stamp, stamp
        was = self.save, self.fault
        more = self._more(stamp) if stamp and before and self._reads_on(before, stamp) else None
        if more is None:
            self._read_whole()
        else:
            self.save = more
        return (self.save, self.fault) != was

    def _due(self, stamp: Stamp | None) -> bool:
        """Whether to read: at a change; where something is amiss not at once, but without a change too."""
        changed = stamp != self._stamp
        if self._sound and (changed or not self.save.torn):
            return changed
        self._looks += 1
        if self._looks < (AGAIN if changed or self._sound else SELDOM):
            return False
        self._looks = 0
        return True

    def _reads_on(self, before: Stamp, stamp: Stamp) -> bool:
        """Whether it is the same file, and longer than what was read of it."""
        return self._sound and stamp[:2] == before[:2] and self.save.length < stamp[2] <= SAVE_MOST

    def _more(self, stamp: Stamp) -> Save | None:
        """The save with the lines behind its last good one; None where they are none that follow it."""
        save = self.save
        data = self._behind(save, stamp)
        if data is None:
            return None
        *lines, torn = data.split(b"\n")
        bodies, total = [], save.last_sum
        for line in lines:
            unsealed = unseal(line, total) if len(line) <= LINE_MOST else None
            if unsealed is None:
                return None
            bodies.append(unsealed[0])
            total = unsealed[1]
        if seal_within(torn) or len(torn) > LINE_MOST:
            return None
        try:
            log = (*save.log, *save.reader.acts(bodies))
        except Unfit:
            return None
        length = save.length + len(data) - len(torn)
        return evolve(save, log=log, torn=torn, length=length, last_sum=total, format=save.reader.format)

    def _behind(self, save: Save, stamp: Stamp) -> bytes | None:
        """The bytes behind the last good line, if that is where it was."""
        try:
            with opened_plainly(self.path) as file:
                found = os.fstat(file.fileno())
                file.seek(save.length - len(_end(save)))
                data = file.read(SAVE_MOST)
        except (OSError, ValueError):
            return None
        same = (found.st_dev, found.st_ino) == stamp[:2] and data.startswith(_end(save))
        return data[len(_end(save)) :] if same else None

    def _read_whole(self) -> None:
        """Reads the save from its beginning; where that fails it stays as it was last."""
        try:
            save = read_save(self.path, self._rules_of)
        except SaveFault as fault:
            self.fault, self._sound = str(fault), False
            return
        self.save, self.fault, self._sound = save, "", True


def _end(save: Save) -> bytes:
    """How the last good line ends."""
    return b'"sum":"%b"}\n' % save.last_sum.encode()


def _stamp(path: Path) -> Stamp | None:
    """The marks of a file, or None if there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
