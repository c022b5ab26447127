"""Sheets as one page of HTML that a browser prints, and where it is written."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from attrs import frozen

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.journal.disk import write_whole
from qf_tui.journal.disk_words import in_words, name_of
from qf_tui.library.paths import free_names
from qf_tui.pages import render
from qf_tui.paper.framing import caption
from qf_tui.paper.sheets import SheetChoice, Sheets, sheets_of
from qf_tui.session.open_save import sense_of


@frozen
class PrintedCode:
    """A QR code: what stands below it, how many modules it is wide, its dark ones as a path of strokes."""

    caption: str
    modules: int
    path: str


_QUIET = 4
"""Light modules that a code wants around it."""
_DARK = re.compile(b"\x01+")
"""Dark modules beside each other, in a row of a code."""
_MASK = 3
"""Packed bytes are as good as random: one mask serves them as well as another, and to try all takes time."""


def page_of(sheets: Sheets) -> str:
    """The HTML of sheets, which asks nothing of any network."""
    return render("paper/sheets.html", sheets=sheets, codes=[_code(text) for text in sheets.codes])


def write_page(to: Path, sheets: Sheets) -> None:
    """Writes the page as a file that is not there yet; QfError if it cannot be."""
    try:
        write_whole(to, page_of(sheets).encode())
    except FileExistsError:
        raise QfError(
            f"{name_of(to)}: there is such a file already, and none is overwritten. Name another."
        ) from None
    except (OSError, ValueError) as fault:
        raise QfError(f"{name_of(to)}: cannot be written: {in_words(fault)}.") from None


class Printable(Protocol):
    """A battle with what its save has besides."""

    @property
    def system(self) -> RuleSystem:
        """The rules."""

    @property
    def timeline(self) -> Timeline:
        """The log as it stands."""

    @property
    def extra(self) -> Mapping[str, object]:
        """The parts of the save that are not the battle's own."""


def sheets_beside(save: Path, battle: Printable) -> Path:
    """Writes a battle's sheets beside its save, under a name that tells of the turn; QfError if it cannot."""
    timeline = battle.timeline
    with sense_of(battle.system):
        sheets = sheets_of(battle.system, timeline, SheetChoice(), battle.extra)
    to = next(free_names(save.with_name(f"{save.stem}-turn-{timeline.battle.turn}.html")))
    write_page(to, sheets)
    return to


def _code(text: str) -> PrintedCode:
    from segno import make_qr  # noqa: PLC0415 - not everybody has it, or needs it

    made = make_qr(text, error="m", mode="alphanumeric", boost_error=False, mask=_MASK)
    strokes = [
        f"M{dark.start() + _QUIET} {y}.5h{dark.end() - dark.start()}"
        for y, row in enumerate(made.matrix, _QUIET)
        for dark in _DARK.finditer(row)
    ]
    return PrintedCode(caption(text), len(made.matrix) + 2 * _QUIET, "".join(strokes))
