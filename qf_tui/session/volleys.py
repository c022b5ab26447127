"""Keeps volleys, the typed but not yet entered shots of several ships, even if the console is killed.

They are kept in the user's cache for the phase, one file for each save. They are offered, and never entered
automatically. A file that is missing, damaged, too large, or of another phase or log counts as empty.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from attrs import field, frozen

from qf_tui.journal.codec import decode_value, encode_value
from qf_tui.journal.disk import open_without_waiting
from qf_tui.journal.lines import SENSELESS, decode_json, encode_json, read_stated_sum
from qf_tui.journal.saving import Journal
from qf_tui.session.session import Session

BYTES_MOST = 100_000
"""Size in bytes of the largest file that is read; the volley of a large division takes some thousands."""


@frozen
class KeptShot:
    """A shot of a volley (shots entered together), complete or not.

    Attributes:
        texts: Texts of its slots and dice, by name.
        flags: Names of the flags that are set.
        signs: Other marks of its row.
    """

    ship: str
    order: str
    texts: Mapping[str, str] = field(factory=dict)
    flags: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()


@frozen
class KeptVolley:
    """The volley of a division: its shots, filled in together.

    Attributes:
        division: Its side and its name.
        shots: Shots that are not entered.
        entered: Shots that are entered, without their dice, in case an entry is undone.
        cursor: Place of the cursor.
    """

    division: tuple[str, ...] = ()
    shots: tuple[KeptShot, ...] = ()
    entered: tuple[KeptShot, ...] = ()
    cursor: tuple[str, ...] = ()


@frozen
class KeptPhase:
    """All kept volleys of a phase, and the log at the time when they were filled in.

    Attributes:
        acts: Number of acts in the log.
        checksum: Checksum of the last act.
        volleys: The volleys, one for each division.
    """

    turn: int
    phase: str
    acts: int = 0
    checksum: str = ""
    volleys: tuple[KeptVolley, ...] = ()


class KeptVolleys:
    """The kept volleys of the present phase, in memory and in a file of the user's cache.

    A battle without a save, or with one that can only be read, keeps them only in memory.
    """

    def __init__(self, session: Session, folder: Path) -> None:
        """Read the kept volleys of a battle, if its file in `folder` has any."""
        self._session = session
        # No phase has turn 0: until the file is read, no volley is kept for the present phase.
        self._kept = KeptPhase(turn=0, phase="")
        self._journal = session.journal if isinstance(session.journal, Journal) and session.writable else None
        if self._journal is not None:
            # The path is part of the name, because the saves of two battles may begin with equal headers.
            name = f"{os.path.realpath(self._journal.path)} {self._journal.first_sum}"
            self._file = folder / f"{sha256(os.fsencode(name)).hexdigest()[:32]}.json"
            with suppress(OSError, *SENSELESS):
                self._read(self._journal)

    def find(self, division: tuple[str, ...]) -> KeptVolley:
        """Return the kept volley of a division, or an empty one; a new phase drops all kept volleys."""
        battle = self._session.battle
        if (self._kept.turn, self._kept.phase) != (battle.turn, battle.phase):
            self._write(volleys=())
        volleys = (volley for volley in self._kept.volleys if volley.division == division)
        return next(volleys, KeptVolley(division))

    def keep(self, volley: KeptVolley) -> None:
        """Keep a volley in place of the earlier one of its division."""
        old_volley = self.find(volley.division)
        if volley != old_volley:
            other_volleys = (other for other in self._kept.volleys if other is not old_volley)
            self._write((*other_volleys, volley))

    def _write(self, volleys: tuple[KeptVolley, ...]) -> None:
        """Keep only these volleys, in memory and in the file; a disk that refuses is ignored.

        Without any shots the file is deleted.
        """
        battle, journal = self._session.battle, self._journal
        acts = len(self._session.timeline.log)
        checksum = journal.last_sum if journal is not None else ""
        self._kept = KeptPhase(battle.turn, battle.phase, acts, checksum, volleys)
        if journal is None:
            return
        with suppress(OSError, *SENSELESS):
            if not any(volley.shots for volley in volleys):
                self._file.unlink(missing_ok=True)
                return
            self._file.parent.mkdir(parents=True, exist_ok=True)
            # No fsync: a killed console still leaves the file, and no key waits for the disk.
            part = self._file.with_suffix(".part")
            part.write_bytes(encode_json(encode_value(self._kept, KeptPhase)))
            part.replace(self._file)

    def _read(self, journal: Journal) -> None:
        """Read the file, and keep its volleys if it belongs to the present log and is not too large.

        Raises:
            OSError: If the file cannot be read.
            SENSELESS: One of these, if the file holds something else.
        """
        with open_without_waiting(self._file) as file:
            data = file.read(BYTES_MOST + 1)
        if len(data) > BYTES_MOST:
            return
        kept_phase = decode_value(KeptPhase, decode_json(data))
        # Line 0 is the header, so the last of N acts is line N.
        lines = journal.read_recorded().splitlines()
        if kept_phase.acts >= 0 and read_stated_sum(lines[kept_phase.acts]) == kept_phase.checksum:
            self._kept = kept_phase
