"""Text that is typed: an input that asks first what a character means, and a panel that asks for a text."""

from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from qf_tui.console.widgets.actions import ENTRY
from qf_tui.console.widgets.keys import keymap, press
from qf_tui.console.widgets.text import literal


class TextEntry(ModalScreen[None]):
    """Asks for a text; `take` takes it and says what is wrong with it, or nothing."""

    def __init__(self, title: str, text: str, take: Callable[[str], str]) -> None:
        super().__init__()
        self.heading, self.text, self.take = title, text, take
        self.keys = keymap(ENTRY)

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(literal(self.heading, "bold $primary"), classes="panel-title")
            yield Input(self.text, id="entry", compact=True, select_on_focus=True)
            yield Static(Content(""), id="entry-says")
            yield Static(literal("Enter takes it   Esc leaves it as it was", "$quiet"), classes="panel-keys")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    async def on_key(self, event: events.Key) -> None:
        """Does what the table says; a character that came before the line had the keyboard goes to it."""
        await press(self, self.keys, event)
        if event.is_printable and event.character and self.focused is not None:
            self.focused.post_message(events.Key(event.key, event.character))

    def action_accept(self) -> None:
        fault = self.take(self.query_one(Input).value)
        if fault:
            self.query_one("#entry-says", Static).update(literal(f"✗ {fault}", "bold $text-error"))
        else:
            self.dismiss(None)

    def action_dismiss_panel(self) -> None:
        self.dismiss(None)


BACKSPACE = "\b"
"""How `take` is told of it."""


class Taking(Input):
    """An input whose `take` may take a character before it becomes text; its box is of a fixed width."""

    # What is typed changes no box: the screen need not be laid out anew for each letter.
    virtual_size = Reactive(Size(0, 0), layout=False)

    def __init__(self, value: str, take: Callable[[str], bool], **settings: Any) -> None:
        super().__init__(value, compact=True, **settings)
        self.take = take

    def action_delete_left(self) -> None:
        """Backspace, which may mean something else too."""
        if not self.take(BACKSPACE):
            super().action_delete_left()

    def on_key(self, event: events.Key) -> None:
        if event.character and event.is_printable and self.take(event.character):
            event.stop()
            event.prevent_default()
