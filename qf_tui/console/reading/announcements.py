"""What hands must change on the table: a numbered list, to be read aloud."""

from collections.abc import Iterable

from qf_tui.console.reading.document_view import contents
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.console.widgets.actions import PANEL, READING
from qf_tui.console.widgets.keys import Hint
from qf_tui.console.widgets.panel import Panel
from qf_tui.core.values import Battle
from qf_tui.document.glance import group_by_side

KEYS = Hint("space", "next page, closes at the end"), Hint("escape", "closes")


class TableChanges(Panel):
    """A numbered list of what hands must do, with the keys of features on such lists.

    Enter does not close it.
    """

    places = (PANEL, READING)

    def __init__(self, title: str, battle: Battle, changes: Iterable[tuple[str, str]]) -> None:
        self.battle, self.changes = battle, tuple(changes)
        added = (action for action in list_actions() if action.does and READING in action.places)
        more = (Hint(key, action.title) for action in added for key in action.keys[:1])
        super().__init__(title, contents(group_by_side(battle, self.changes)), (*KEYS, *more))
        self.passes = True

    def action_accept(self) -> None:
        """Nothing: the Enter that ended a phase must not close a list that nobody has read."""

    def action_page(self, by: int) -> None:
        """A page on or back; after the last one closes."""
        body = self._body()
        if by > 0 and body.scroll_offset.y >= body.max_scroll_y:
            self.dismiss(False)
        else:
            super().action_page(by)
