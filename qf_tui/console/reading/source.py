"""What is shown and read of a battle: a source of timelines, and the screens that stand on one.

Only what enters orders needs a `Session`. A save that somebody else writes can be shown as well.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from textual.screen import ScreenResultType

from qf_tui.console.reading.refusal import Findings
from qf_tui.console.widgets.keys import KeyScreen
from qf_tui.core.declarations import Event
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle

if TYPE_CHECKING:
    from qf_tui.console.reading.jobs import CourtJob, ReportJob

OrderTone = Literal["", "refused", "wants", "odds"]
"""What a message is: plain, a refusal, what is missing, or what an order would bring."""


class BattleSource(Protocol):
    """A battle to be looked at; its `timeline` is a value, and another one after each entry."""

    @property
    def system(self) -> RuleSystem:
        """The rules."""

    @property
    def timeline(self) -> Timeline:
        """The log as it stands."""

    @property
    def battle(self) -> Battle:
        """The battle as it stands."""

    @property
    def notice(self) -> str:
        """A notice about the save for the reader, or nothing."""

    @property
    def extra(self) -> Mapping[str, object]:
        """The parts of the save that are not the battle's own."""

    @property
    def writable(self) -> bool:
        """Whether what is entered is recorded."""


class SourceScreen(KeyScreen[ScreenResultType]):
    """A screen that shows a battle, and says what came of an entry.

    `save` is where the battle is kept, if it is; `report_job` and `court_job` the work on its report and on
    the rules court, once they were asked for.
    """

    def __init__(self, source: BattleSource) -> None:
        super().__init__()
        self.source = source
        self.forms = source.system.forms
        self.save: Path | None = None
        self.report_job: ReportJob | None = None
        self.court_job: CourtJob | None = None

    def on_unmount(self) -> None:
        """A battle that is left is not worked out any further."""
        for work in (self.report_job, self.court_job):
            if work is not None:
                work.stop()

    def show(self) -> None:
        """Draws the battle as it stands."""
        raise NotImplementedError

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Says something in the line for messages; `findings` are what stands against an order."""
        raise NotImplementedError

    def tell_events(self, events: Sequence[Event]) -> None:
        """Shows the events of an entry until they are read; by default nothing."""

    def alarm(self, text: str) -> None:
        """Shows a warning until another one replaces it, or with "" removes it."""
        raise NotImplementedError
