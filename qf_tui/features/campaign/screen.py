"""The screens of a campaign and of careers: a thread reads all saves of a folder; letters search the text."""

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
"""Seconds between two updates of the screen."""


class WarJob(Background):
    """The background work that reads the saves of the user's folder.

    Attributes:
        document: The campaign or the careers, or None until the saves are read.
    """

    def __init__(self, systems: Systems, *, careers: bool) -> None:
        super().__init__("read")
        self.document: Document | None = None
        self._systems, self._careers = systems, careers

    def begin(self) -> None:
        """Start reading."""
        self._start(self._read)

    def _read(self) -> None:
        """Read the saves, and build the document."""
        campaign = read_campaign(find_own_folder("saves"), self._systems)
        if self._careers:
            services = work_out_services(campaign, self._count, lambda: self._stop)
            self.document = build_careers_document(services, campaign.faulty)
        else:
            self.document = build_campaign_document(campaign)


class WarScreen(Lookup):
    """The screen of the campaign, or with `careers` of the careers; letters search it once it is read."""

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
        """Draw the progress, the faults or the result, if that has changed since the last call."""
        job = self.job
        state = job.document, job.fault_lines, job.done
        if state == self._shown:
            return
        self._shown = state
        if job.document is not None:
            self.heading = job.document.title
            width = min(self.app.size.width - FRAME, WIDEST)
            lead = evolve(job.document, blocks=job.document.lines)
            sections = job.document.sections
            parts = (build_block_lines(lead, width), *(build_section_lines(part, width) for part in sections))
            lines = tuple(chain.from_iterable(parts))
            # Under the title there is a gap already.
            self.searched = lines[1:] if lines[0] is GAP else lines
        else:
            progress_text = f": {job.done} of {job.total} entries of a battle" if job.total else ""
            texts = job.fault_lines or (f"the saves are being read{progress_text}",)
            self.searched = tuple(LookupLine(literal(text)) for text in texts)
        self._search()
