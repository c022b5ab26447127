"""Lines of keys, each of which can be clicked too: those of a screen, and those named in a text."""

import re
from collections.abc import Mapping

from textual import events
from textual.content import Content

from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.key_screen import KeyScreen, perform
from qf_tui.console.widgets.keys import key_of, shown_key
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.text import CUT, literal, width_of


class KeyBar(SteadyText):
    """Keys with their titles, as many as fit; the help has all of them."""

    def __init__(self, keys: Mapping[str, Action], id: str = "keys") -> None:
        super().__init__(id=id)
        self.keys = keys
        self._places: list[tuple[int, int, Action]] = []

    def show(self, keys: Mapping[str, Action]) -> None:
        """Shows the keys of another place."""
        self.keys = keys
        self.refresh()

    def render(self) -> Content:
        titles = {one: self._title(one) for one in dict.fromkeys(self.keys.values()) if one.footer}
        actions = sorted((one for one in titles if titles[one]), key=lambda one: len(one.places))
        parts, at, self._places = [], 1, []
        helps = [one for one in actions if one.call.name == "help"]
        room = (
            self.size.width
            - 2
            - sum(width_of(f"{key_of(one, self.keys)} {titles[one]}") + 2 for one in helps)
        )
        for action in (*(one for one in actions if one not in helps), *helps):
            key, title = key_of(action, self.keys), titles[action]
            width = width_of(f"{key} {title}")
            if at + width > room and action not in helps:
                room = 0
                continue
            parts.append(Content.assemble(literal(key, "bold $accent"), literal(f" {title}", "$quiet")))
            self._places.append((at, at + width, action))
            at += width + 2
        more = literal(f" {CUT}", "$quiet") if room == 0 else Content("")
        return Content.assemble(" ", Content("  ").join(parts), more)

    def _title(self, action: Action) -> str:
        screen = self.screen
        return screen.title_now(action) if isinstance(screen, KeyScreen) else action.title

    async def on_click(self, event: events.Click) -> None:
        """Does what the key under the mouse does."""
        for begins, ends, action in self._places:
            if begins <= event.x < ends:
                await perform(self.screen, action)
                return


GAP = "   "
_KEY = re.compile(r"\b(?:Enter|Esc|Tab|Space|Backspace|PgUp|PgDn|F\d+)\b|[↑↓←→]|(?:^|(?<= {3}))\w(?= )")
"""A key in a line of hints: by its name, or as the one letter that begins a part."""


class Hints(SteadyText):
    """A line such as `Enter goes on   Esc puts it by`, with the keys as the umpire has them.

    The first word of each part is a key of the screen, which a click on the part presses.
    """

    def __init__(self, text: str, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(Content(""), id=id, classes=classes)
        self.text = text

    def on_mount(self) -> None:
        self.show(self.text)

    def show(self, text: str, more: str = "") -> None:
        """Another line, with more text after it."""
        screen = self.screen
        if isinstance(screen, KeyScreen):
            text = _KEY.sub(lambda found: screen.key_now(found[0]), text)
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
        keys = self.screen.keys if isinstance(self.screen, KeyScreen) else {}
        return next((action for key, action in keys.items() if shown_key(key) == shown), None)
