"""Where a shown battle comes from: a source of timelines, the screens on one, and their messages.

Only entering orders needs a `Session`: a save that another console writes can be shown too.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from textual.app import App
from textual.content import Content
from textual.screen import Screen, ScreenResultType

from qf_tui.console.widgets.keys import KeyScreen, key_for
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
"""What a message is: plain, a refusal, what is missing, or what an order would bring."""
TONES: Mapping[OrderTone, str] = {
    "refused": "bold $text-error",
    "wants": "$accent",
    "odds": "$text-success",
    "": "",
}
"""What a message of each tone looks like."""


class BattleSource(Protocol):
    """A battle to be looked at; after each entry its `timeline` is another value."""

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
    def seconds(self) -> float | None:
        """Seconds since the battle began; None where they are not counted."""

    @property
    def writable(self) -> bool:
        """Whether what is entered is recorded."""

    @property
    def extent(self) -> "Extent | None":
        """How far its save was written, or read; None for a battle of no save."""


def note_act(source: BattleSource, act: LogAct) -> list[str]:
    """List what the features have to say of an act."""
    return [note for feature in find_features() for note in feature.note_act(source, act)]


class SourceScreen(KeyScreen[ScreenResultType]):
    """A screen that shows a battle, and says what came of an entry.

    `save` is where the battle is kept, if it is; `jobs` is the work on the battle that was asked for.
    """

    def __init__(self, source: BattleSource) -> None:
        super().__init__()
        self.source = source
        self.forms = source.system.forms
        self.save: Path | None = None
        self.jobs: dict[str, Background] = {}

    def on_unmount(self) -> None:
        """Stops the work on a battle that is left."""
        for job in self.jobs.values():
            job.stop()

    def show(self) -> None:
        """Draws the battle as it stands."""
        raise NotImplementedError

    def open_again(self, screen: Screen[Any]) -> None:
        """Open its like over the screen of a battle that is in the place of this one; by default nothing."""

    def draw_notes(self) -> None:
        """Draw again what features note of the battle; by default nothing."""

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Says something in the line for messages; `findings` are what stands against an order."""
        raise NotImplementedError

    def show_events(self, events: Sequence[Event]) -> None:
        """Shows the events of an entry until they are read; by default nothing."""

    def alarm(self, text: str) -> None:
        """Shows a warning until another one replaces it, or with "" removes it."""
        raise NotImplementedError


def forces(screen: Screen[Any]) -> str:
    """What follows a refusal by rules alone: the key that forces the order."""
    key = key_for(screen, "grid.force")
    return f"   {key} overrules" if key else ""


def against(findings: Findings) -> str:
    """Findings in words, each with its clause."""
    return "; ".join(
        f"{finding.text} [{finding.clause}]" if finding.clause else finding.text for finding in findings
    )


def explain_refusal(app: App[Any], system: RuleSystem, findings: Findings) -> bool:
    """Shows the clauses that findings name; False if they name none."""
    lines = refusal_lines(system, findings)
    if lines:
        app.push_screen(Panel("Why it is refused", lines))
    return bool(lines)


def refusal_lines(system: RuleSystem, findings: Findings) -> list[Content]:
    """Findings and each clause that they name, in our own words; none without a clause."""
    named = dict.fromkeys(finding.clause for finding in findings if finding.clause in system.clauses)
    lines = [literal(f"{REFUSED} {against(findings)}", "bold"), Content("")]
    lines += [literal(f"{clause}: {system.clauses[clause]}") for clause in named]
    return lines if named else []
