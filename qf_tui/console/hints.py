"""Keys named in a line of text, each of which can be clicked too."""

from textual import events
from textual.content import Content
from textual.widgets import Static

from qf_tui.console.actions import Action
from qf_tui.console.keys import perform, shown_key
from qf_tui.console.text import literal, width_of

GAP = "   "


class Hints(Static):
    """A line such as `Enter goes on   Esc puts it by`: the first word of each part is a key of the screen."""

    def __init__(self, text: str, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(literal(text, "$quiet"), id=id, classes=classes)
        self.text = text

    def show(self, text: str, more: str = "") -> None:
        """Another line, with something said behind it."""
        self.text = text
        self.update(Content.assemble(literal(text, "$quiet"), literal(more, "bold $accent")))

    async def on_click(self, event: events.Click) -> None:
        """Does what the key of the part under the mouse does."""
        begins = 0
        for part in self.text.split(GAP):
            ends = begins + width_of(part)
            action = self._action(part.split(" ", 1)[0])
            if begins <= event.x < ends and action is not None:
                await perform(self.screen, action)
                return
            begins = ends + len(GAP)

    def _action(self, shown: str) -> Action | None:
        keys: dict[str, Action] = getattr(self.screen, "keys", {})
        return next((action for key, action in keys.items() if shown_key(key) == shown), None)
