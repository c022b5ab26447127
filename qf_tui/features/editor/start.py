"""The editor's part of the first screen: it offers to set up a battle, and to continue an unfinished one."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from textual.screen import Screen

from qf_tui.console.setup.scenario import ScenarioScreen
from qf_tui.console.setup.start import Offer, OfferKind, StartScreen
from qf_tui.console.widgets.keys import build_question_hints
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.text import literal
from qf_tui.core.crews import CREWS
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count
from qf_tui.features.editor.drafts import Draft
from qf_tui.library.systems import load_usable

NO_SCENARIO = (
    "F3 copies a scenario for you to change and begin. Enter continues a saved battle; F2 sets up one of "
    "your own."
)
MEANS = "Rule system, scale, dice and switches; sides, players and ships."


class SetupStart:
    """The battle that is being set up, offered on the first screen.

    Attributes:
        draft: The battle set up so far; None if there is none.
    """

    def __init__(self, screen: StartScreen) -> None:
        self.screen = screen
        self.draft: Draft | None = None

    def list_offers(self) -> Iterator[Offer]:
        """Yield the offers: to continue setting up a battle, if one was begun, and to set up a new one."""
        if self.draft is not None:
            title = f"Continue setting up “{self.draft.title}”"
            yield Offer(OfferKind.OWN, "draft", title, opens=self.open_setup, means=MEANS)
        yield Offer(OfferKind.OWN, "new", "A battle of your own", opens=self.open_new_setup, means=MEANS)

    def find_unfinished(self) -> str:
        """Return a text about the draft that would be lost if the program ended now; "" if there is none."""
        return f"“{self.draft.title}” is half set up and would be lost." if self.draft else ""

    @cached_property
    def usable(self) -> Mapping[str, RuleSystem]:
        """The rule systems for which a battle can be set up."""
        return load_usable(self.screen.systems)

    def open_setup(self) -> None:
        """Open the set-up of the draft, or of a new battle if there is no draft or no usable rule system."""
        if self.draft is not None and self.usable:
            self._open_screen(self.draft, is_new=False)
        else:
            self.open_new_setup()

    def open_new_setup(self) -> None:
        """Open the set-up of a new battle by the rules used last; without usable rules, show a fault."""
        if self.usable:
            self._ask_and_open(Draft.begin(self._find_rules()))
        else:
            self.screen.show_fault("No installed rule system can be loaded.")

    def _find_rules(self) -> RuleSystem:
        """Return the rule system of the battle played last, or the first usable one if that is not usable."""
        offers = self.screen.lazy_offers.offers.values()
        saves = (offer.save for offer in offers if offer.kind is OfferKind.NEWEST)
        names = (save.system_name for save in saves if save and save.system_name in self.usable)
        return self.usable[next(names, next(iter(self.usable)))]

    def copy_listed(self) -> None:
        """Open a copy of the scenario under the cursor in the editor; elsewhere, show how to copy one."""
        from qf_tui.features.editor.writers import read_draft

        screen, offer = self.screen, self.screen.offer
        if offer is None or offer.kind is not OfferKind.SCENARIO or offer.path is None:
            screen.show_fault(NO_SCENARIO, head="Only a scenario can be copied:")
            return
        read_offer = offer.read_through(screen.systems)
        if read_offer.scenario is None:
            screen.show_fault(*read_offer.fault)
        else:
            self._ask_and_open(read_draft(offer.path, screen.systems))

    def copy_viewed(self, viewed: ScenarioScreen) -> None:
        """Open a copy of the scenario on a screen in the editor, with the rules and crews chosen there."""
        from qf_tui.features.editor.writers import read_draft

        scenario = viewed.scenario
        draft = read_draft(scenario.path, viewed.systems, scenario.rules)
        if scenario.crews:
            draft = draft.with_table(CREWS, scenario.crews)
        self._ask_and_open(draft)

    def _ask_and_open(self, draft: Draft) -> None:
        """Open the set-up of a new draft; if another one is unfinished, ask first whether to drop it."""
        if self.draft is None:
            self._open_screen(draft, is_new=True)
            return
        ships = format_count(len(self.draft.ships), "ship")
        lines = [literal(f"You are setting up “{self.draft.title}” ({ships}).")]
        keys = build_question_hints("sets up the other one", "keeps it")
        question = Panel("Drop what you were setting up?", lines, keys)
        show_panel(self.screen.app, question, lambda: self._open_screen(draft, is_new=True))

    def _open_screen(self, draft: Draft, is_new: bool) -> None:
        """Open the screen that sets up a draft; `is_new` is True for a new draft."""
        from qf_tui.features.editor.screen import SetupScreen

        screen = self.screen
        screen.app.push_screen(SetupScreen(self.usable, draft, is_new, screen.opened, self._keep_draft))

    def _keep_draft(self, draft: Draft | None) -> None:
        """Keep a draft to offer it again; None if there is nothing to continue."""
        self.draft = draft


def find_part(screen: Screen[object]) -> SetupStart | None:
    """Find the editor's part of the start screen in the app that shows `screen`.

    Returns:
        None if no start screen with that part is open.
    """
    stack = reversed(screen.app.screen_stack)
    parts = (
        part for other_screen in stack if isinstance(other_screen, StartScreen) for part in other_screen.parts
    )
    return next((part for part in parts if isinstance(part, SetupStart)), None)
