"""Ships of all navies: letters find one, her facts and values stand beside; new ones are begun from here."""

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from qf_tui.console.reading.help import key_lines
from qf_tui.console.widgets.action import Action
from qf_tui.console.widgets.key_bar import KeyBar, asking
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.picklist import FilterScreen, PickList
from qf_tui.console.widgets.places import BEFORE, NAVIES
from qf_tui.console.widgets.text import cut, literal, one_line
from qf_tui.console.widgets.text_pane import TextPane
from qf_tui.console.yard.about import Notice
from qf_tui.console.yard.ship_text import beside_lines, key_line, ship_list, whole_lines
from qf_tui.console.yard.shipyard import Shipyard
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import folded
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.ships.drafts import ShipDraft
from qf_tui.library.ships.own import delete_ship, key_of
from qf_tui.library.ships.register import Register, register
from qf_tui.library.systems import usable

LIST_MOST = 64
"""Cells of the list at most; what is beside it has the rest."""


class ShipsScreen(FilterScreen[ShipFacts | None]):
    """Every ship; `rules` names the rule system whose values are shown first.

    With `joins` it was opened from a battle, and gives the ship that is to join it.
    """

    places = (NAVIES,)

    def __init__(self, systems: Mapping[str, RuleSystem], rules: str = "", *, joins: bool = False) -> None:
        super().__init__()
        self.systems = usable(systems)
        self.rules = rules if rules in self.systems else next(iter(self.systems), "")
        self.joins = joins
        self.said = Notice()
        self.known = Register({})
        self.ships: Mapping[str, ShipFacts] = {}

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="start-title")
        with Horizontal(id="panes"):
            yield PickList(id="list")
            yield TextPane(id="ship", more=": Enter shows all")
        yield SteadyText(Content(""), id="yard-says")
        yield KeyBar(self.keys)

    def on_mount(self) -> None:
        self.picks.focus()
        self._read()

    def on_resize(self) -> None:
        self.picks.styles.width = min(LIST_MOST, max(30, self.app.size.width * 2 // 5))
        self.call_after_refresh(self.show)

    @property
    def keys(self) -> Mapping[str, Action]:
        keys = super().keys
        return keys if self.joins else {key: one for key, one in keys.items() if one.call.name != "join"}

    @property
    def under(self) -> ShipFacts | None:
        """The ship under the cursor."""
        return self.ships.get(self.picks.word)

    @property
    def system(self) -> RuleSystem | None:
        return self.systems.get(self.rules)

    def _read(self, key: str = "") -> None:
        """Reads the navies, ours and the user's, as they are."""
        self.known = register()
        self._find(key)

    def _find(self, key: str = "") -> None:
        """Lists what fits the letters, the cursor on a key or on the first whose name begins with them."""
        found = self.known.found(self.letters.split()) or self.known.near(self.letters)
        self.ships = {key_line(ship): ship for ship in found}
        typed = folded(self.letters)
        best = next((key_line(one) for one in found if typed and folded(one.name).startswith(typed)), "")
        self.picks.show(ship_list(found, self.letters, self.known.faulty), key)
        if not key and self.letters:
            self.picks.go(0)
            self.picks.show(self.picks.lines, best)
        self.show()

    def show(self) -> None:
        """Draws the title and what is beside the list."""
        typed = f"   only: {self.letters}▏" if self.letters else "   type a name, navy, class, kind or year"
        counted = f"  {len(self.ships):,} of {len(self.known.navies)} navies"
        room = max(0, self.size.width - len(counted) - 8)
        title = Content.assemble(
            literal(" Ships", "bold $primary"),
            counted,
            literal(cut(typed, room), "bold $accent" if self.letters else "$quiet"),
        )
        self.query_one("#start-title", SteadyText).update(title)
        self.say_more()

    def say_more(self) -> None:
        ship, system = self.under, self.system
        pane = self.query_one("#ship", TextPane)
        pane.show(lambda width: beside_lines(ship, system, max(1, width - 1)) if ship and system else ())
        text = cut(f" {one_line(self.said.marked)}", max(0, self.size.width - 1))
        says = literal(text, self.said.style)
        self.query_one("#yard-says", SteadyText).update(says)

    def narrow(self, letters: str) -> None:
        """Lists what fits these letters."""
        self.letters, self.said = letters, Notice()
        self._find()

    def on_pick_list_moved(self) -> None:
        self.said = Notice()
        self.say_more()

    def on_pick_list_chosen(self) -> None:
        self.action_read()

    def action_read(self) -> None:
        """All that is known of the ship under the cursor."""
        if self.under is not None:
            title = f"{one_line(self.under.name)}, {self.under.navy}"
            self.app.push_screen(Panel(title, whole_lines(self.under, self.systems.values())))

    def action_system(self, by: int) -> None:
        """The values of the next rule system."""
        names = list(self.systems)
        if names:
            self.rules = names[(names.index(self.rules) + by) % len(names)]
            self.say_more()

    def action_new(self) -> None:
        """A ship from nothing, of the navy under the cursor if the umpire has gone there."""
        gone = self.letters or self.picks.at > 1
        self._open(ShipDraft(self.under.navy if self.under and gone else ""))

    def action_copy(self) -> None:
        """A sister of the ship under the cursor."""
        if self.under is not None:
            self._open(ShipDraft.like(self.under))

    def action_edit(self) -> None:
        """The ship under the cursor, to be changed: one of ours becomes the user's own by it."""
        if self.under is not None:
            self._open(ShipDraft.of(self.under))

    def _open(self, draft: ShipDraft) -> None:
        navies = tuple(self.known.navies)
        self.app.push_screen(Shipyard(self.systems, self.rules, draft, navies), self._kept)

    def _kept(self, ship: ShipFacts | None) -> None:
        """Goes to the ship that was kept, if one was."""
        if ship is not None:
            self.letters = ""
            self._read(key_line(ship))
            self.said = Notice(f"{ship.name} is kept among your own ships")
        self.say_more()

    def action_delete(self) -> None:
        """Asks, and deletes a ship of the user's own."""
        ship = self.under
        if ship is None or not ship.own:
            refusal = Notice("ours cannot be deleted: a row of yours, marked *, can", fault=True)
            self.said = refusal if ship else Notice()
            self.say_more()
            return
        text = "your own row goes; ours, if there is one, is seen again."
        lines = [literal(f"{one_line(ship.name)}, {ship.navy}, from {ship.since}: {text}")]
        show_panel(self.app, Panel("Delete the ship?", lines, asking("deletes")), self._delete)

    def _delete(self) -> None:
        ship = self.under
        if ship is None:
            return
        try:
            path = delete_ship(ship.navy, key_of(ship))
        except QfError as fault:
            self.said = Notice(str(fault), fault=True)
        else:
            self._read()
            self.said = Notice(f"{ship.name} is deleted from {path.name}")
        self.say_more()

    def action_join(self) -> None:
        """Gives the ship under the cursor to the battle that this was opened from."""
        if self.under is not None:
            self.dismiss(self.under)

    def action_help(self) -> None:
        self.app.push_screen(Panel("Help", key_lines(lambda _: self.keys, {NAVIES: BEFORE[NAVIES]})))
