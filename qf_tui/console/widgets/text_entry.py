"""A line to write a name or another text in."""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.widgets.key_bar import Hints, asking
from qf_tui.console.widgets.key_screen import KeyModal
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.places import ENTRY
from qf_tui.console.widgets.text import literal


class TextEntry(KeyModal[None]):
    """Asks for a text; `take` takes it and says what is wrong with it, or nothing."""

    places = (ENTRY,)

    def __init__(self, title: str, text: str, take: Callable[[str], str]) -> None:
        super().__init__()
        self.heading, self.text, self.take = title, text, take

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield SteadyText(literal(self.heading, "bold $primary"), classes="panel-title")
            yield Input(self.text, id="entry", compact=True, select_on_focus=True)
            yield SteadyText(Content(""), id="entry-says")
            yield Hints(asking("save", "cancel"), classes="panel-keys")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def action_accept(self) -> None:
        fault = self.take(self.query_one(Input).value)
        if fault:
            self.query_one("#entry-says", SteadyText).update(literal(f"✗ {fault}", "bold $text-error"))
        else:
            self.dismiss(None)
