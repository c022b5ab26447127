"""The battle that a screen shows, the base class of such screens, and messages about refused orders.

Only entering orders needs a `Session`: a save that another console writes can be shown too.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from textual.app import App
from textual.content import Content
from textual.screen import Screen, ScreenResultType

from qf_tui.console.widgets.keys import KeyScreen, find_screen_key
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.text import literal
from qf_tui.core.declarations import Event
from qf_tui.core.errors import Findings
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import LogAct, Timeline
from qf_tui.core.values import Battle
from qf_tui.registry import find_features

if TYPE_CHECKING:
    from qf_tui.console.reading.jobs import Background
    from qf_tui.journal.lines import Extent

REFUSED = "✗"
OrderTone = Literal["", "refused", "wants", "odds"]
"""The tone of a message: plain, a refusal, something missing, or the odds of an order."""
TONES: Mapping[OrderTone, str] = {
    "refused": "bold $text-error",
    "wants": "$accent",
    "odds": "$text-success",
    "": "",
}
"""What a message of each tone looks like."""


class BattleSource(Protocol):
    """A battle to be shown; each entry replaces its `timeline`."""

    @property
    def system(self) -> RuleSystem:
        """The rule system."""

    @property
    def timeline(self) -> Timeline:
        """The present timeline."""

    @property
    def battle(self) -> Battle:
        """The present battle."""

    @property
    def notice(self) -> str:
        """The message about the save, or ""."""

    @property
    def extra(self) -> Mapping[str, object]:
        """The `extra` of the save's header."""

    @property
    def seconds(self) -> float | None:
        """Seconds since the battle began, or None without a clock."""

    @property
    def writable(self) -> bool:
        """True if entries are recorded."""

    @property
    def extent(self) -> "Extent | None":
        """The part of the save that was written or read; None without a save."""


def note_act(source: BattleSource, act: LogAct) -> list[str]:
    """List the features' notes on an act."""
    return [note for feature in find_features() for note in feature.note_act(source, act)]


class SourceScreen(KeyScreen[ScreenResultType]):
    """A screen that shows a battle and the results of entries.

    Attributes:
        save: Path of the save, or None.
        jobs: Background work on the battle, by name.
    """

    def __init__(self, source: BattleSource) -> None:
        super().__init__()
        self.source = source
        self.forms = source.system.forms
        self.save: Path | None = None
        self.jobs: dict[str, Background] = {}

    def on_unmount(self) -> None:
        """Stop the background work."""
        for job in self.jobs.values():
            job.stop()

    def show(self) -> None:
        """Draw the present battle."""
        raise NotImplementedError

    def open_again(self, screen: Screen[Any]) -> None:
        """Open a screen like this one over `screen`, which shows another battle; by default open none."""

    def draw_notes(self) -> None:
        """Draw the features' notes again; by default do nothing."""

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Show a message; `findings` are the reasons against an order."""
        raise NotImplementedError

    def show_events(self, events: Sequence[Event]) -> None:
        """Show the events of an entry until they are read; by default do nothing."""

    def alarm(self, text: str) -> None:
        """Show a warning until another one replaces it; "" removes it."""
        raise NotImplementedError


def format_force_key(screen: Screen[Any]) -> str:
    """Format the key that forces an order, as text after a refusal; "" if no key does."""
    key = find_screen_key(screen, "grid.force")
    return f"   {key} overrules" if key else ""


def format_findings(findings: Findings) -> str:
    """Format findings, each with its clause."""
    return "; ".join(
        f"{finding.text} [{finding.clause}]" if finding.clause else finding.text for finding in findings
    )


def explain_refusal(app: App[Any], system: RuleSystem, findings: Findings) -> bool:
    """Show the clauses that findings name in a panel; return False if they name none."""
    lines = build_refusal_lines(system, findings)
    if lines:
        app.push_screen(Panel("Why it is refused", lines))
    return bool(lines)


def build_refusal_lines(system: RuleSystem, findings: Findings) -> list[Content]:
    """Build lines of findings and the texts of their clauses; [] if they name no known clause."""
    clauses = dict.fromkeys(finding.clause for finding in findings if finding.clause in system.clauses)
    lines = [literal(f"{REFUSED} {format_findings(findings)}", "bold"), Content("")]
    lines += [literal(f"{clause}: {system.clauses[clause]}") for clause in clauses]
    return lines if clauses else []
