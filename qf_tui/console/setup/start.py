"""The first screen: go on with a battle, begin one, or set one up."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from qf_tui.console.reading.help import key_lines
from qf_tui.console.setup.opening import copied, resume
from qf_tui.console.setup.order_of_battle import count
from qf_tui.console.setup.scenario import ScenarioScreen
from qf_tui.console.setup.screen import SetupScreen
from qf_tui.console.setup.start_items import ALL_SAVES, LazyOffers, Offer, OfferKind, found_out, offer_lines
from qf_tui.console.widgets.key_bar import KeyBar, asking
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.picklist import FilterScreen, PickList
from qf_tui.console.widgets.places import BEFORE, SCENARIO, START
from qf_tui.console.widgets.text import cut, literal, wrapped
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.faults import fault_lines
from qf_tui.library.setup.drafts import Draft
from qf_tui.library.setup.scenario_writer import draft_of
from qf_tui.library.systems import usable
from qf_tui.session import Session

AT_ONCE = 10
"""Older saves whose ends are read between two keys."""
NO_SCENARIO = (
    "F3 copies a scenario, to be changed and begun. Enter goes on with a battle that is saved; F2 sets up "
    "one of your own."
)
ABOUT = 3
"""Lines that say more of what is under the cursor."""


class StartScreen(FilterScreen[None]):
    """The battles on the shelf; `opened` takes the chosen one, `fault` is what a named file has wrong."""

    places = (START,)

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        opened: Callable[[Session], None],
        fault: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.systems, self.opened, self.fault = systems, opened, tuple(fault)
        self.all_saves = False
        self.draft: Draft | None = None
        self.known = LazyOffers(systems)

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="start-title")
        yield PickList(id="list")
        yield SteadyText(Content(""), id="about")
        with VerticalScroll(id="start-fault"):
            yield SteadyText(Content(""), id="start-fault-text")
        yield KeyBar(self.keys)

    def on_mount(self) -> None:
        self.picks.focus()
        self.show_fault(*self.fault)
        self.call_after_refresh(self._find_out)

    def on_screen_resume(self) -> None:
        self.known.look_again(self.draft)
        self.show()
        self.call_after_refresh(self._find_out)

    @property
    def under(self) -> Offer | None:
        """What is under the cursor."""
        return self.known.offers.get(self.picks.word)

    def show(self, key: str = "") -> None:
        """Draws what fits the letters."""
        typed = f"   only: {self.letters}▏" if self.letters else "   type to filter"
        title = Content.assemble(
            literal(" qf-tui", "bold $primary"),
            "  the umpire's console",
            literal(
                cut(typed, max(0, self.app.size.width - 30)), "bold $accent" if self.letters else "$quiet"
            ),
        )
        self.query_one("#start-title", SteadyText).update(title)
        self.picks.show(offer_lines(self.known.offers.values(), self.letters, self.all_saves), key)
        self.say_more()

    def say_more(self) -> None:
        offer, width = self.under, max(10, self.size.width - 3)
        first, *rest = offer.more if offer else ("",)
        lines = [*wrapped(first, width, 1), *wrapped(" · ".join(rest), width, ABOUT - 1)]
        self.query_one("#about", SteadyText).update(
            Content("\n").join(
                literal(f" {one}", "" if at == 0 else "$quiet") for at, one in enumerate(lines)
            )
        )

    def _find_out(self) -> None:
        """Reads one more file of the lines in sight, that under the cursor first; then the ends of others."""
        if not self.is_current:
            return
        found = self.known.find_out((self.picks.word, *self.picks.in_sight))
        if found:
            self.show()
        if found or self.known.read_saves(AT_ONCE):
            self.call_later(self._find_out)

    def narrow(self, letters: str) -> None:
        """Lists what fits these letters."""
        self.known.read_saves(len(self.known.offers))
        self.letters = letters
        self.show_fault()
        self.show()
        if letters:
            self.picks.go(0)
        self._find_out()

    def action_show_all(self) -> None:
        self.all_saves = False
        self.narrow("")

    def on_pick_list_moved(self) -> None:
        self.say_more()
        self._find_out()

    async def on_pick_list_chosen(self) -> None:
        self.action_choose()

    def action_choose(self) -> None:
        """Opens what is under the cursor: a battle, a scenario to view, or the set-up."""
        self.show_fault()
        offer = self.under
        if self.picks.key == ALL_SAVES:
            self.all_saves = True
            self.known.read_saves(len(self.known.offers))
            self.show()
            self._find_out()
        elif offer is not None and offer.kind is OfferKind.OWN:
            self._start_set_up(anew=offer.key == "new")
        elif offer is not None:
            self._open(offer)

    def _open(self, offer: Offer) -> None:
        assert offer.path is not None
        try:
            if offer.kind is OfferKind.SCENARIO:
                self._look(found_out(offer, self.systems))
            else:
                self.opened((copied if offer.kind is OfferKind.SAMPLE else resume)(offer.path, self.systems))
        except QfError as fault:
            self.show_fault(*fault_lines(fault))

    def _look(self, offer: Offer) -> None:
        """Shows a scenario's order of battle, or all that is wrong with it."""
        if offer.scenario is None:
            self.show_fault(*offer.fault)
        else:
            self.app.push_screen(ScenarioScreen(offer.scenario, self.systems, self.opened, self._change))

    def action_ships(self) -> None:
        """Ships of all navies, and the yard."""
        from qf_tui.console.yard.ships import ShipsScreen

        self.app.push_screen(ShipsScreen(self.systems))

    def action_compose(self) -> None:
        """Sets up a battle, or continues setting up the one begun."""
        self._start_set_up(anew=False)

    def _start_set_up(self, anew: bool) -> None:
        if not self.usable:
            self.show_fault("No rule system is installed that can be loaded.")
        elif self.draft is not None and not anew:
            self._set_up(self.draft, fresh=False)
        else:
            self._change(Draft.begun(self.known.played_last(self.usable)))

    @cached_property
    def usable(self) -> Mapping[str, RuleSystem]:
        """The rule systems that a battle may be set up for."""
        return usable(self.systems)

    def action_change(self) -> None:
        """Sets up a copy of the scenario under the cursor; of anything else it says what to do instead."""
        offer = self.under
        if offer is None or offer.kind is not OfferKind.SCENARIO or offer.path is None:
            self.show_fault(NO_SCENARIO, head="This is no scenario to be copied:")
            return
        found = found_out(offer, self.systems)
        if found.scenario is None:
            self.show_fault(*found.fault)
        else:
            self._change(draft_of(offer.path, self.systems))

    def _change(self, draft: Draft) -> None:
        """Sets up another battle; what was being set up before is asked for first."""
        if self.draft is None:
            self._set_up(draft, fresh=True)
            return

        lines = [
            literal(f"You are setting up “{self.draft.title}” ({count(len(self.draft.ships), 'ship')}).")
        ]
        keys = asking("sets up the other one in its place", "keeps it")
        asks = Panel("Drop what you were setting up?", lines, keys)
        show_panel(self.app, asks, lambda: self._set_up(draft, fresh=True))

    def _set_up(self, draft: Draft, fresh: bool) -> None:
        self.app.push_screen(SetupScreen(self.usable, draft, fresh, self.opened, self._kept))

    def _kept(self, draft: Draft | None) -> None:
        """Keeps what was set up so far, or with None forgets it."""
        self.draft = draft

    def show_fault(self, *lines: str, head: str = "This cannot be opened:") -> None:
        """Shows what is wrong with a file or a wish, in full; without lines nothing."""
        box = self.query_one("#start-fault")
        box.display = bool(lines)
        shown = [literal(f"✗ {head}", "bold $text-error"), *map(literal, lines)]
        self.query_one("#start-fault-text", SteadyText).update(Content("\n").join(shown))

    def action_help(self) -> None:
        lines = key_lines(self.keys_of, {place: BEFORE[place] for place in (START, SCENARIO)})
        self.app.push_screen(Panel("Help", lines))

    def action_leave(self) -> None:
        """Leaves; a battle half set up is asked for first."""
        if self.draft is None:
            self.app.exit()
            return

        lines = [literal(f"“{self.draft.title}” is set up in part and was not begun: it would be lost.")]
        show_panel(self.app, Panel("Quit?", lines, asking("quits")), self.app.exit)
