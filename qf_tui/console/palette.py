"""The command palette: every action of the table and every order by name."""

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from qf_tui.console.battle.view import BattleView
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.key_screen import actions_of, clear_veil, perform
from qf_tui.console.widgets.keys import form_action, key_of
from qf_tui.console.widgets.places import GRID
from qf_tui.console.widgets.text import literal
from qf_tui.core.builtin_forms import BUILTIN

DEDICATED = {"next", "roll", "answer", "mark"}
"""Common orders that are also actions."""
_WORDS = re.compile(r"[^\W_]+")


class ActionPalette(CommandPalette):
    """Textual's palette, whose list may be asked for a page before it is laid out."""

    def on_mount(self) -> None:
        clear_veil(self)

    def _action_command_list(self, action: str) -> None:
        # Keys of one burst come before the lines are drawn: a list of which none is known has no pages yet.
        with suppress(KeyError):
            super()._action_command_list(action)


class Actions(Provider):
    """What can be done in the battle that is open."""

    def _actions(self) -> Iterator[tuple[str, Action]]:
        screen = self.screen
        if not isinstance(screen, BattleView):
            return
        keys = screen.keys_of(GRID)
        forms = (*screen.source.system.forms, *(form for form in BUILTIN if form.word not in DEDICATED))
        found = [
            *(form_action(form) for form in forms),
            *(one for one in actions_of(self.app) if one.palette),
        ]
        for action in filter(screen.offers, found):
            key = key_of(action, keys)
            yield f"{action.title} ({key})" if key else action.title, action

    async def discover(self) -> Hits:
        for title, action in self._actions():
            yield DiscoveryHit(literal(title), self._runner(action), title, action.help)

    async def search(self, query: str) -> Hits:
        """Every word typed must begin one of the title or the help; titles come first."""
        for title, action in self._actions():
            score = 2 * _begun(query, title) or _begun(query, f"{title} {action.id} {action.help}")
            if score:
                yield Hit(score, literal(title), self._runner(action), title, action.help)

    def _runner(self, action: Action) -> Callable[[], Awaitable[None]]:
        screen = self.screen

        async def run() -> None:
            await perform(screen, action)

        return run


def _begun(query: str, text: str) -> float:
    """Whether each word typed begins one of a text; the sooner the first does, the more it is worth."""
    words = _WORDS.findall(text.casefold())
    typed = query.casefold().split()
    if not typed or not all(any(word.startswith(letters) for word in words) for letters in typed):
        return 0.0
    first = next(at for at, word in enumerate(words) if word.startswith(typed[0]))
    return 1 / (1 + first)
