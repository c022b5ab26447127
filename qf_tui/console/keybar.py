"""The line of keys of a screen, each of which can be clicked too."""

from collections.abc import Mapping

from textual import events
from textual.content import Content
from textual.widgets import Static

from qf_tui.console.actions import Action
from qf_tui.console.keys import key_of, perform
from qf_tui.console.text import CUT, literal, width_of


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
