"""The command palette: every action of the table and every order by name."""

from collections.abc import Iterator

from textual.command import DiscoveryHit, Hit, Hits, Provider

from qf_tui.console.actions import ACTIONS, GRID, Action
from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.keys import form_action, key_of, perform
from qf_tui.console.text import literal
from qf_tui.core.common_forms import COMMON

DEDICATED = {"next", "roll", "answer", "mark"}
"""Common orders that have an action of their own."""


class Actions(Provider):
    """What can be done in the battle that is open."""

    def _actions(self) -> Iterator[tuple[str, Action]]:
        screen = self.screen
        if not isinstance(screen, BattleScreen):
            return
        keys = screen.keys[GRID]
        forms = (*screen.session.system.forms, *(form for form in COMMON if form.word not in DEDICATED))
        found = [*(form_action(form) for form in forms), *(one for one in ACTIONS if one.palette)]
        for action in found:
            key = key_of(action, keys)
            yield f"{action.title} ({key})" if key else action.title, action

    async def discover(self) -> Hits:
        for title, action in self._actions():
            yield DiscoveryHit(literal(title), self._runner(action), title, action.help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for title, action in self._actions():
            score = max(matcher.match(title), matcher.match(action.help) / 2)
            if score > 0:
                yield Hit(score, literal(title), self._runner(action), title, action.help)

    def _runner(self, action: Action):
        screen = self.screen

        async def run() -> None:
            await perform(screen, action)

        return run
