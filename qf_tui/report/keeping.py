"""Where a report is kept that is written at a key: beside its save, or in the user's own folder."""

from pathlib import Path

from qf_tui.core.errors import QfError
from qf_tui.library.paths import free_names, own
from qf_tui.report.writing import Kind, Retold, write_report

UNSAVED = "battle"
"""What the report of a battle without a save is called after."""


def keep_report(retold: Retold, save: Path | None, kind: Kind) -> Path:
    """Writes a report under the first name that is free, and gives it; QfError where none can be written."""
    folder = own("reports") if save is None else save.parent
    stem = UNSAVED if save is None else save.stem
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in free_names(folder / f"{stem}-report.{kind.value}"):
            try:
                write_report(retold, path, kind)
            except FileExistsError:
                continue
            return path
    except OSError as fault:
        why = fault.strerror or str(fault)
        raise QfError(
            f"the report could not be written into {folder}: {why}. Nothing was changed."
        ) from fault
    raise AssertionError
