"""Where a fault of the program is kept, for those who can fix it."""

from pathlib import Path

from qf_tui.journal.disk import write_whole
from qf_tui.library.paths import home

FAULT = "fault.txt"


def keep_fault(report: str) -> Path | None:
    """Writes the last fault into the program's data folder, replacing the one before; None if that fails."""
    path = home() / FAULT
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, report.encode("utf-8", "replace"), over=True)
    except OSError:
        return None
    return path
