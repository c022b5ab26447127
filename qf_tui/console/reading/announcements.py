"""A numbered list of the changes that people must make to the models on the table, to be read out to them."""

from collections.abc import Iterable

from qf_tui.console.reading.document_view import render_blocks
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.console.widgets.actions import PANEL, READING
from qf_tui.console.widgets.keys import Hint
from qf_tui.console.widgets.panel import Panel
from qf_tui.core.values import Battle
from qf_tui.document.glance import group_by_side

KEYS = Hint("space", "next page, closes at the end"), Hint("escape", "closes")


class TableChanges(Panel):
    """The panel of changes on the table, with the keys of features. Enter does not close it."""

    places = (PANEL, READING)

    def __init__(self, title: str, battle: Battle, changes: Iterable[tuple[str, str]]) -> None:
        self.battle, self.changes = battle, tuple(changes)
        feature_actions = (action for action in list_actions() if action.does and READING in action.places)
        more = (Hint(key, action.title) for action in feature_actions for key in action.keys[:1])
        super().__init__(title, render_blocks(group_by_side(battle, self.changes)), (*KEYS, *more))
        # The key of an order closes the list and opens that order.
        self.passes_keys = True

    def action_accept(self) -> None:
        """Do nothing: the Enter that ended a phase must not close an unread list."""

    def action_page(self, by: int) -> None:
        """Turn a page on or back; a page on after the last one closes the panel."""
        body = self._find_body()
        if by > 0 and body.scroll_offset.y >= body.max_scroll_y:
            self.dismiss(False)
        else:
            super().action_page(by)
