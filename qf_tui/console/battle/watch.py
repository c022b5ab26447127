"""A battle that another console writes, on the screen as it goes on; nothing can be entered here."""

from dataclasses import dataclass

from textual import events
from textual.message import Message

from qf_tui.console.battle.view import BattleView
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.key_screen import actions_of
from qf_tui.console.widgets.keys import keymap
from qf_tui.console.widgets.overrides import QueuedApp
from qf_tui.console.widgets.places import GRID
from qf_tui.core.schedule import events as events_between
from qf_tui.session.following import LOOK_EVERY, Follower


class WatchScreen(BattleView):
    """A battle that is followed; `told` is said of it until its writer enters something.

    With `across` it begins with the page for across the room; with `leads_back` other battles may be opened.
    """

    @dataclass
    class Replaced(Message):
        """Another battle is in the place of the save; `by` shows it."""

        by: "WatchScreen"

    def __init__(
        self, follower: Follower, told: str = "", *, across: bool = False, leads_back: bool = False
    ) -> None:
        super().__init__(follower)
        self.follower, self.told, self.across, self.leads_back = follower, told, across, leads_back
        self._battle_id = follower.battle_id
        self.save = follower.path

    @property
    def notice(self) -> str:
        return " ".join(text for text in (self.told, super().notice) if text)

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(LOOK_EVERY, self._look_safely)
        if self.across:
            self.action_across()

    def _look_safely(self) -> None:
        """Looks; what trips over a stranger's save is said, and what is shown stays."""
        try:
            self._look()
        except Exception as fault:
            if not isinstance(self.app, QueuedApp):
                raise
            self.app.survive(fault)

    def _look(self) -> None:
        """Takes in what is new, and shows it on every screen of the battle."""
        before = self.follower.battle
        if not self.follower.look():
            return
        if self.follower.battle_id != self._battle_id:
            from qf_tui.console.battle.across import AcrossScreen

            on_page = any(isinstance(screen, AcrossScreen) for screen in self.app.screen_stack)
            by = WatchScreen(self.follower, across=on_page, leads_back=self.leads_back)
            self.post_message(self.Replaced(by))
            return
        self.told = ""
        for screen in self.app.screen_stack:
            if isinstance(screen, SourceScreen):
                screen.show()
                screen.alarm(self.follower.notice)
        self.tell_events(events_between(self.follower.system, before, self.follower.battle))

    def offers(self, action: Action) -> bool:
        return super().offers(action) and (self.leads_back or action.call.name != "other_battle")

    def other_key(self, event: events.Key) -> None:
        """Says of a key of an order that there are none here."""
        super().other_key(event)
        action = keymap(GRID, self.forms, actions_of(self.app)).get(event.key)
        if self.search is None and action is not None and action.enters:
            self.say(f"✗ {action.title}: this battle is only watched here, and takes no entry", "refused")
