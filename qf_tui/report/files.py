"""The files that a report is written into, and where those are kept that are written at a key."""

from enum import StrEnum
from pathlib import Path

from qf_tui.core.errors import QfError
from qf_tui.document.report import BattleReport
from qf_tui.journal.disk import write_whole
from qf_tui.library.paths import free_names, own

UNSAVED = "battle"
"""What the report of a battle without a save is called after."""


class FileKind(StrEnum):
    """A kind of file, by its suffix."""

    HTML = "html"
    MARKDOWN = "md"
    CSV = "csv"
    JSON = "json"

    @property
    def encoding(self) -> str:
        """A spreadsheet takes a file without the mark for one of its own code page."""
        return "utf-8-sig" if self is FileKind.CSV else "utf-8"


def report_text(report: BattleReport, kind: FileKind) -> str:
    """The text of a file."""
    # Each kind loads what it alone needs.
    if kind is FileKind.JSON:
        from qf_tui.document.scripts import json_text

        return json_text(report.analysis)
    if kind is FileKind.HTML:
        from qf_tui.document.html import html_text

        return html_text(report.document)
    if kind is FileKind.MARKDOWN:
        from qf_tui.document.text import markdown_text

        return markdown_text(report.document)
    from qf_tui.document.scripts import csv_text

    return csv_text(report.throws)


def write_report(report: BattleReport, path: Path, kind: FileKind, *, over: bool = False) -> None:
    """Writes a file whole, or not at all; FileExistsError where one is there, unless it goes `over` that."""
    write_whole(path, report_text(report, kind).encode(kind.encoding), over=over)


def keep_report(report: BattleReport, save: Path | None, kind: FileKind) -> Path:
    """Writes a report beside its save, or into the user's own folder, under the first name that is free.

    Gives that; QfError where it cannot be written.
    """
    folder = own("reports") if save is None else save.parent
    stem = UNSAVED if save is None else save.stem
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in free_names(folder / f"{stem}-report.{kind.value}"):
            try:
                write_report(report, path, kind)
            except FileExistsError:
                continue
            return path
    except OSError as fault:
        why = fault.strerror or str(fault)
        raise QfError(
            f"the report could not be written into {folder}: {why}. Nothing was changed."
        ) from fault
    raise AssertionError
