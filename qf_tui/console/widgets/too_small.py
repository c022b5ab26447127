"""The text on a screen that is too small: how large it must be. No key but the one to quit acts unseen."""

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen

from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.text import literal

LEAST = Size(80, 24)
QUITS = "f10"


def too_small(size: Size) -> bool:
    """Whether the console cannot be drawn in a size."""
    return size.width < LEAST.width or size.height < LEAST.height


class TooSmall(ModalScreen[None]):
    """Covers all until there is room again."""

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="small")

    def on_key(self, event: events.Key) -> None:
        """Takes every key."""
        event.stop()
        event.prevent_default()
        if event.key == QUITS:
            self.app.exit()

    def on_resize(self, event: events.Resize) -> None:
        self._show(event.size)

    def on_screen_resume(self) -> None:
        """Looks again: the window may have grown under another screen."""
        self._show(self.app.size)

    def _show(self, size: Size) -> None:
        width, height = size
        if not too_small(size):
            if self.is_current:
                self.dismiss(None)
            return
        needs = f"The console needs {LEAST.width} x {LEAST.height} characters"
        text = f"{needs}; this window has {width} x {height}.\nNothing is lost. F10 quits."
        self.query_one("#small", SteadyText).update(literal(text))
