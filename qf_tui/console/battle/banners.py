"""Lines that stay: events of the evening until they are read, and a warning until it is over."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from qf_tui.console.widgets.key_screen import key_for
from qf_tui.console.widgets.text import literal


class Banner(Static):
    """The events of the evening that nobody has read yet; with none no line."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.events: tuple[str, ...] = ()

    def add(self, events: Sequence[str]) -> None:
        """Shows more events, until they are read."""
        if events:
            self._show((*self.events, *events))

    def read(self) -> bool:
        """Takes what was read away; whether there was anything."""
        found = bool(self.events)
        if found:
            self._show(())
        return found

    def _show(self, events: tuple[str, ...]) -> None:
        self.events = events
        self.display = bool(events)
        key = key_for(self.screen, "grid.drop")
        told = literal(" · ".join(event.upper() for event in events), "bold $text-warning")
        self.update(Content.assemble(" ‼ ", told, literal(f"   {key} read" if key else "", "$quiet")))


class Alarm(Static):
    """The word, or with "" no line."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.text = ""

    def show(self, text: str) -> None:
        """Shows another word."""
        if text != self.text:
            self.text = text
            self.display = bool(text)
            self.update(literal(f" ‼ {text}") if text else Content(""))
