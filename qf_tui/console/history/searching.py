"""The line in which the history is searched, or a remark is written."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from qf_tui.console.history.chronicle import Chronicle
from qf_tui.console.history.filtering import offers
from qf_tui.console.text import listed, literal


class SearchLine(Vertical):
    """A prompt, a text, and what its last word may become; with a chronicle it searches, without one it remarks."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.chronicle: Chronicle | None = None
        self.display = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="search-line"):
            yield Static(Content(""), id="search-prompt")
            yield Input(id="search-text", compact=True, select_on_focus=False)
        yield Static(Content(""), id="search-offers")

    @property
    def text(self) -> str:
        return self.query_one(Input).value

    def open(self, prompt: str, text: str, chronicle: Chronicle | None) -> None:
        """Takes the keyboard."""
        self.chronicle, self.display = chronicle, True
        self.query_one("#search-prompt", Static).update(literal(f" {prompt} > ", "bold $accent"))
        self._set(f"{text} " if text else "")
        self.screen.set_focus(self.query_one(Input))
        self.offer()

    def close(self) -> None:
        """Gives the keyboard back."""
        self.display = False

    def offer(self) -> None:
        """Shows what the last word may become."""
        found = offers(self.chronicle, self.text) if self.chronicle else ()
        names = [
            one.label if one.label.casefold() in one.text else f"{one.label} ({one.text})" for one in found
        ]
        said = f" Tab takes: {listed(names, max(20, self.size.width - 14), ' · ')}" if names else ""
        self.query_one("#search-offers", Static).update(literal(said, "$quiet"))

    def complete(self) -> None:
        """Takes the first word offered in place of the last one."""
        found = offers(self.chronicle, self.text) if self.chronicle else ()
        if found:
            before = self.text[: len(self.text) - len(self.text.rpartition(" ")[2])]
            end = "" if found[0].text.endswith(":") else " "
            self._set(f"{before}{found[0].text}{end}")

    def _set(self, text: str) -> None:
        field = self.query_one(Input)
        field.value, field.cursor_position = text, len(text)
