"""What is being set up, shared by the panes of the screen: the draft, where ships go, and what is wrong."""

from collections.abc import Callable, Hashable, Mapping

from textual.app import App

from qf_tui.console.setup.ships import FoundShips
from qf_tui.console.widgets.key_bar import asking
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.text import literal
from qf_tui.core.system import RuleSystem
from qf_tui.library.fleets import Card
from qf_tui.library.setup.drafts import Draft, DraftPlace, FleetShip
from qf_tui.library.setup.fleet_catalogue import Fleets, fleets_of, ship_of_navy
from qf_tui.library.ships.register import Register, register

LETTERS = 2
"""Letters from which on ships of all navies are looked for."""


class OpenDraft:
    """A draft with the fleets for it; `aim` is the division that ships go into, `fault` what is wrong.

    `draw` draws all panes: the order of battle with its cursor on the first key, the catalogue on the second;
    "" leaves a cursor where it is. `say` draws the line that describes the cursor's place, or the fault.
    """

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        draft: Draft,
        draw: Callable[[Hashable, Hashable], None],
        say: Callable[[], None],
    ) -> None:
        self.systems, self.draft = systems, draft
        self.draw, self.say = draw, say
        self.fleets = Fleets({})
        self._looked_at = Fleets({})
        self._register: Register | None = None
        self._found: tuple[str, FoundShips] = "", ()
        self.aim, self.fault = DraftPlace(), ""

    @property
    def system(self) -> RuleSystem:
        return self.systems[self.draft.ruleset]

    def read_fleets(self) -> None:
        """Reads the fleets for the draft's rules."""
        self.fleets, self._looked_at = fleets_of(self.system, self.draft), Fleets({})

    def found(self, letters: str) -> FoundShips:
        """The ships of all navies that letters fit, once there are enough of them."""
        if len(letters.strip()) < LETTERS or not self.system.rates:
            return ()
        if self._register is None:
            self._register = register()
        if letters != self._found[0]:
            ships = self._register.found(letters.split()) or self._register.near(letters)
            self._found = letters, tuple((ship_of_navy(ship, letters), ship) for ship in ships)
        return self._found[1]

    def card(self, berth: FleetShip) -> Card:
        """The card of a ship, of a navy too; an empty one where she has none."""
        if not self.fleets.card(berth):
            self._looked_at = self._looked_at.with_ship(berth, self.system)
        return self.fleets.card(berth) or self._looked_at.card(berth)

    def change(self, draft: Draft, key: Hashable = "") -> None:
        """Continues with another draft; `key` is where the cursor of the order of battle goes."""
        other_rules = draft.ruleset != self.draft.ruleset
        self.draft, self.fault = draft, ""
        if other_rules:
            self.read_fleets()
        for ship in draft.ships:
            self.fleets = self.fleets.with_ship(ship, self.system)
        if self.aim not in tuple(draft.places):
            self.aim = next(iter(draft.places), DraftPlace())
        self.draw(key, "")

    def fail(self, fault: str) -> None:
        """Says what is wrong."""
        self.fault = fault
        self.say()

    def ask(self, app: App[int], text: str, does: str, draft: Draft) -> None:
        """Asks before ships are taken off; continues with the draft if so."""
        asks = Panel("Sure?", [literal(text)], asking(does))
        show_panel(app, asks, lambda: self.change(draft))
