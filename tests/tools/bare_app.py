"""The smallest Textual app, with which `tests.tools.speed` compares; it loads nothing of qf-tui."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class BareApp(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        yield Static("READY")


if __name__ == "__main__":
    BareApp().run()
