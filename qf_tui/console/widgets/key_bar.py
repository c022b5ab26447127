"""Lines of keys, each of which can be clicked too: those of a screen, and those named in a text."""

from collections.abc import Mapping

from textual import events
from textual.content import Content
from textual.widgets import Static

from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.keys import key_of, perform, shown_key
from qf_tui.console.widgets.text import CUT, literal, width_of


class KeyBar(Static):
    """Keys with their titles, as much as fits; what is left out the help tells."""

    def __init__(self, keys: Mapping[str, Action], id: str = "keys") -> None:
        super().__init__(id=id)
        self.keys = keys
        self._places: list[tuple[int, int, Action]] = []

    def show(self, keys: Mapping[str, Action]) -> None:
        """Shows the keys of another place."""
        self.keys = keys
        self.refresh()

    def render(self) -> Content:
        actions = [one for one in dict.fromkeys(self.keys.values()) if one.footer]
        actions.sort(key=lambda one: len(one.places))
        parts, at, self._places = [], 1, []
        helps = [one for one in actions if one.call == "help"]
        room = (
            self.size.width - 2 - sum(width_of(f"{key_of(one, self.keys)} {one.title}") + 2 for one in helps)
        )
        for action in (*(one for one in actions if one not in helps), *helps):
            key = key_of(action, self.keys)
            width = width_of(f"{key} {action.title}")
            if at + width > room and action not in helps:
                room = 0
                continue
            parts.append(
                Content.assemble(literal(key, "bold $accent"), literal(f" {action.title}", "$quiet"))
            )
            self._places.append((at, at + width, action))
            at += width + 2
        more = literal(f" {CUT}", "$quiet") if room == 0 else Content("")
        return Content.assemble(" ", Content("  ").join(parts), more)

    async def on_click(self, event: events.Click) -> None:
        """Does what the key under the mouse does."""
        for begins, ends, action in self._places:
            if begins <= event.x < ends:
                await perform(self.screen, action)
                return


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
