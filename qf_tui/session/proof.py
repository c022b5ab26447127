"""A battle that was opened by a snapshot, worked out once more without any, by another process.

`python -m qf_tui.session.proof SAVE ACTS` is that process. For it the console needs neither a thread nor one
module more, so that no key waits while it begins.
"""

import gc
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from qf_tui.core.frozen import evolve
from qf_tui.journal.reading import read_save
from qf_tui.journal.snapshot import digest_of
from qf_tui.library.systems import find_systems
from qf_tui.operating_systems import WINDOWS
from qf_tui.session.saves import open_timeline, rules_by


class SnapshotProof:
    """The battle behind the first acts of a save, worked out from the start; begins at once.

    Without a process, or where that trips, there is no digest: the battle is then gone on with as it is.
    """

    def __init__(self, save: Path, acts: int) -> None:
        command = [sys.executable, "-m", "qf_tui.session.proof", str(save), str(acts)]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=nothing, start_new_session=not WINDOWS
            )

    def digest(self) -> bytes:
        """The digest of the snapshot which the acts make, given once; b"" while it is not there."""
        if self._process is None or self._process.poll() is None:
            return b""
        digest = self._process.stdout.read() if self._process.stdout else b""
        self.stop()
        return digest

    def stop(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            with process:
                process.kill()


def main(save: Path, acts: int) -> None:
    """Writes the digest; nothing where the save is shorter by now."""
    from qf_tui.library.processes import begin_worker, end_after, input_ends  # not for the console

    gc.disable()
    begin_worker()
    end_after(input_ends)
    systems = find_systems()
    read = read_save(save, rules_by(systems))
    if len(read.log) >= acts:
        _, timeline = open_timeline(evolve(read, log=read.log.first(acts)), systems)
        sys.stdout.buffer.write(digest_of(timeline))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
