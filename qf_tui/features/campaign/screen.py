"""The campaign or the careers of all saves on the screen: read in a thread, then lines to search."""

from itertools import chain

from attrs import evolve

from qf_tui.console.reading.document_view import build_block_lines, build_section_lines
from qf_tui.console.reading.help import FRAME, WIDEST
from qf_tui.console.reading.jobs import Background
from qf_tui.console.reading.lookup import GAP, Lookup, LookupLine
from qf_tui.console.widgets.text import literal
from qf_tui.document.values import Document
from qf_tui.features.campaign.careers import work_out_services
from qf_tui.features.campaign.careers_document import build_careers_document
from qf_tui.features.campaign.document import build_campaign_document
from qf_tui.features.campaign.folder import read_campaign
from qf_tui.library.declared import Systems
from qf_tui.library.paths import find_own_folder

LOOKS = 0.2
"""Seconds between two looks at how far the work has come."""


class WarJob(Background):
    """The saves of the user's folder read; `document` is there once they are."""

    def __init__(self, systems: Systems, *, careers: bool) -> None:
        super().__init__("read")
        self.document: Document | None = None
        self._systems, self._careers = systems, careers

    def begin(self) -> None:
        self._start(self._read)

    def _read(self) -> None:
        found = read_campaign(find_own_folder("saves"), self._systems)
        if self._careers:
            services = work_out_services(found, self._count, lambda: self._stop)
            self.document = build_careers_document(services, found.faulty)
        else:
            self.document = build_campaign_document(found)


class WarScreen(Lookup):
    """The campaign or the careers; letters search it after it is read."""

    def __init__(self, systems: Systems, *, careers: bool = False) -> None:
        super().__init__("Careers" if careers else "Campaign", ())
        self.job = WarJob(systems, careers=careers)
        self._shown: object = None

    def on_mount(self) -> None:
        super().on_mount()
        self.job.begin()
        self.set_interval(LOOKS, self.look)

    def on_unmount(self) -> None:
        self.job.stop()

    def look(self) -> None:
        """Show the progress, then the result."""
        job = self.job
        state = job.document, job.fault_lines, job.done
        if state == self._shown:
            return
        self._shown = state
        if job.document is not None:
            self.heading = job.document.title
            width = min(self.app.size.width - FRAME, WIDEST)
            said, sections = evolve(job.document, blocks=job.document.lines), job.document.sections
            parts = (build_block_lines(said, width), *(build_section_lines(part, width) for part in sections))
            lines = tuple(chain.from_iterable(parts))
            # Under the title there is a gap already.
            self.searched = lines[1:] if lines[0] is GAP else lines
        else:
            done = f": {job.done} of {job.of} entries of a battle" if job.of else ""
            texts = job.fault_lines or (f"the saves are being read{done}",)
            self.searched = tuple(LookupLine(literal(text)) for text in texts)
        self._search()
