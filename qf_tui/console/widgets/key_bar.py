"""Lines of keys, each of which can be clicked too: those of a screen, and the hints of dialogs and panels."""

from collections.abc import Mapping, Sequence

from attrs import frozen
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


@frozen
class Hint:
    """A part of a line of hints: a key by its name in the table as it comes, and what it does.

    `also` is a second key that does the same or its like, written behind the first; without a key it is
    words alone.
    """

    key: str
    words: str
    also: str = ""
    joint: str = " "


def asking(enter: str, escape: str = "goes back") -> tuple[Hint, ...]:
    """The hints of a question: what the one key does, and the other."""
    return Hint("enter", enter), Hint("escape", escape)


class Hints(SteadyText):
    """A line such as `Enter goes on   Esc puts it by`, with the keys as the umpire has them.

    A click on a part presses its first key.
    """

    def __init__(self, line: Sequence[Hint], id: str | None = None, classes: str | None = None) -> None:
        super().__init__(Content(""), id=id, classes=classes)
        self.line = tuple(line)

    def on_mount(self) -> None:
        self.show(self.line)

    def show(self, line: Sequence[Hint], more: str = "") -> None:
        """Another line, with more text after it."""
        self.line = tuple(line)
        text = GAP.join(map(self._part, self.line))
        self.update(Content.assemble(literal(text, "$quiet"), literal(more, "bold $accent")))

    async def on_click(self, event: events.Click) -> None:
        """Does what the key of the part under the mouse does."""
        begins = 0
        for hint in self.line:
            ends = begins + width_of(self._part(hint))
            action = self._action(hint)
            if begins <= event.x < ends and action is not None:
                await perform(self.screen, action)
                return
            begins = ends + len(GAP)

    def _part(self, hint: Hint) -> str:
        """A part as it is written."""
        keys = hint.joint.join(shown_key(self._now(key)) for key in (hint.key, hint.also) if key)
        return f"{keys} {hint.words}" if keys else hint.words

    def _now(self, key: str) -> str:
        return self.screen.key_now(key) if isinstance(self.screen, KeyScreen) else key

    def _action(self, hint: Hint) -> Action | None:
        return self.screen.keys.get(self._now(hint.key)) if isinstance(self.screen, KeyScreen) else None
