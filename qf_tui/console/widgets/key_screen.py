"""Screens whose keys come from the table of actions, and an action done on one of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.message import Message
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widgets import Input

from qf_tui.console.widgets.actions import ACTIONS, Action
from qf_tui.console.widgets.keys import keymap, shown_key
from qf_tui.console.widgets.overrides import QueuedApp, ReadyScreen
from qf_tui.console.widgets.theme import turn_theme
from qf_tui.core.grammar.forms import Form

OF_THE_SCREEN = (events.Mount, events.Resize, events.DescendantFocus, events.DescendantBlur)
"""What a screen hears of itself and of the widgets in it."""


def actions_of(app: App[Any]) -> tuple[Action, ...]:
    """The table of an application, with the keys that the umpire has changed."""
    found = getattr(app, "actions", ACTIONS)
    return found if isinstance(found, tuple) else ACTIONS


async def perform(screen: Screen[Any], action: Action) -> None:
    """Does an action: on the screen, or on its widget of that id."""
    call = action.call
    doer = screen.query_one(f"#{call.widget}") if call.widget else screen
    done = getattr(doer, f"action_{call.name}")(*call.arguments)
    if isawaitable(done):
        await done


def key_for(screen: Screen[Any], id: str) -> str:
    """The first key, as people write it, of an action in some place of a screen, or nothing."""
    if isinstance(screen, KeyScreen):
        for place in screen.places:
            for key, action in screen.keys_of(place).items():
                if action.id == id:
                    return shown_key(key)
    return ""


def clear_veil(screen: Screen[Any]) -> None:
    """Takes the veil off what is behind a screen where it cannot be drawn: sixteen colours do not mix."""
    if getattr(screen.app, "few_colours", False):
        screen.styles.background = "transparent"


class KeyScreen(ReadyScreen[ScreenResultType]):
    """A screen with the keys of its places, the later over the earlier.

    A screen with one place at a time overrides `keys`. `forms` are orders with keys on the logs; without
    `enters` it has only what needs no battle that can be written.
    """

    places: ClassVar[tuple[str, ...]] = ()
    forms: tuple[Form, ...] = ()
    enters = True

    @dataclass
    class SettingsAsked(Message):
        """The settings are to be shown."""

    def __init__(self) -> None:
        super().__init__()
        self._keymaps: dict[tuple[tuple[str, ...], bool], Mapping[str, Action]] = {}

    async def on_event(self, event: events.Event) -> None:
        """Hears no more of itself and its widgets once it was left: it may never have had any."""
        if self.display or not isinstance(event, OF_THE_SCREEN):
            await super().on_event(event)

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Calls it later, where the screen is still there then."""

        def if_there() -> Any:
            return callback(*args, **kwargs) if self.display else None

        return super().call_after_refresh(if_there)

    def on_idle(self, event: events.Idle) -> None:
        """Is drawn when a key is finished, not in its midst: all that follows from it is one picture."""
        if isinstance(self.app, QueuedApp) and self.app.waiting_keys.midst:
            event.prevent_default()

    @property
    def keys(self) -> Mapping[str, Action]:
        """Which key does what now."""
        return self.keys_of(*self.places)

    def keys_of(self, *places: str, usual: bool = False) -> Mapping[str, Action]:
        """Which key does what at places; `usual`: by the table alone, without the umpire's own keys."""
        if (places, usual) not in self._keymaps:
            table = ACTIONS if usual else actions_of(self.app)
            maps = (keymap(place, self.forms, table, enters=self.enters) for place in places)
            self._keymaps[places, usual] = {key: action for one in maps for key, action in one.items()}
        return self._keymaps[places, usual]

    def title_now(self, action: Action) -> str:
        """What the foot says that an action does now; "" where there is nothing for it to do."""
        return action.title

    def key_now(self, usual: str) -> str:
        """The key that does what a key of the table as it comes does; else that key."""
        meant = self.keys_of(*self.places, usual=True).get(usual)
        now = [key for key, action in self.keys.items() if meant is not None and action.id == meant.id]
        return usual if usual in now or not now else now[0]

    async def on_key(self, event: events.Key) -> None:
        """Does what the table says of a key, before any widget takes it."""
        action = self.keys.get(event.key)
        if action is None:
            self.other_key(event)
            return
        event.stop()
        event.prevent_default()
        try:
            await perform(self, action)
        except Exception as fault:
            # The screen stands as it stood before the action; only what it was to do is not done.
            if not isinstance(self.app, QueuedApp):
                raise
            self.app.survive(fault)

    def other_key(self, event: events.Key) -> None:
        """A key of which the table says nothing here."""

    def action_back(self) -> None:
        self.dismiss()

    def action_theme(self) -> None:
        turn_theme(self.app)

    def action_settings(self) -> None:
        self.post_message(self.SettingsAsked())


class KeyModal(KeyScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A screen over another one, with keys from the table."""

    def on_mount(self) -> None:
        clear_veil(self)

    def other_key(self, event: events.Key) -> None:
        """A character that came before a field had the keyboard goes to it."""
        if event.is_printable and isinstance(self.focused, Input):
            self.focused.post_message(events.Key(event.key, event.character))

    def action_close(self) -> None:
        self.dismiss()
