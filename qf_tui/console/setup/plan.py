"""What is being set up, shared by the panes of the screen: the draft, where ships go, and what is wrong."""

from collections.abc import Callable, Mapping

from textual.app import App

from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.text import literal
from qf_tui.core.system import RuleSystem
from qf_tui.library.setup.drafts import Draft, DraftPlace
from qf_tui.library.setup.fleet_catalogue import Fleets, fleets_of


class Plan:
    """A draft with the fleets for it; `aim` is the division that ships go into, `fault` what is wrong.

    `draw` draws all panes: the order of battle with its cursor on the first key, the catalogue on the second;
    "" leaves a cursor where it is. `say` draws the line that describes the cursor's place, or the fault.
    """

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        draft: Draft,
        draw: Callable[[str, str], None],
        say: Callable[[], None],
    ) -> None:
        self.systems, self.draft = systems, draft
        self.draw, self.say = draw, say
        self.fleets = Fleets({})
        self.aim, self.fault = DraftPlace(), ""

    @property
    def system(self) -> RuleSystem:
        return self.systems[self.draft.ruleset]

    def read_fleets(self) -> None:
        """Reads the fleets for the draft's rules."""
        self.fleets = fleets_of(self.system, self.draft)

    def change(self, draft: Draft, key: str = "") -> None:
        """Continues with another draft; `key` is where the cursor of the order of battle goes."""
        other_rules = draft.ruleset != self.draft.ruleset
        self.draft, self.fault = draft, ""
        if other_rules:
            self.read_fleets()
        if self.aim not in tuple(draft.places):
            self.aim = next(iter(draft.places), DraftPlace())
        self.draw(key, "")

    def fail(self, fault: str) -> None:
        """Says what is wrong."""
        self.fault = fault
        self.say()

    def ask(self, app: App[int], text: str, keys: str, draft: Draft) -> None:
        """Asks before ships are taken off; continues with the draft if so."""
        asks = Panel("Sure?", [literal(text)], f"{keys}   Esc goes back")
        show_panel(app, asks, lambda: self.change(draft))
