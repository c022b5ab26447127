"""A word that stays on the battle screen until it no longer holds: an entry not recorded, a save only to be read."""

from textual.content import Content
from textual.widgets import Static

from qf_tui.console.text import literal


class Alarm(Static):
    """The word, or with "" no line at all."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.text = ""

    def show(self, text: str) -> None:
        """Shows another word."""
        if text != self.text:
            self.text = text
            self.display = bool(text)
            self.update(literal(f" ‼ {text}") if text else Content(""))
