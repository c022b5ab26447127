"""A screen that shows in large letters, one line after the other, what people must change on the table."""

from collections.abc import Iterable, Sequence

from attrs import frozen
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.widgets.keys import Hint, Hints, KeyModal
from qf_tui.console.widgets.text import SteadyText, cut, literal
from qf_tui.core.values import Battle
from qf_tui.features.wall_display.actions import ALOUD
from qf_tui.features.wall_display.letters import draw_large

KEYS = (Hint("enter", "next"), Hint("up", "previous"), Hint("escape", "back"))
FRAME = 6
"""Lines of the screen around the letters."""


@frozen
class SpokenLine:
    """A line to read aloud.

    Attributes:
        side: Name of the side that makes the change.
    """

    side: str
    text: str


def list_spoken_lines(battle: Battle, changes: Iterable[tuple[str, str]]) -> tuple[SpokenLine, ...]:
    """List changes as lines to read aloud, in the order of the sides; each change has the id of its side."""
    changes = tuple(changes)
    return tuple(
        SpokenLine(side.name, text)
        for side in battle.sides
        for side_id, text in changes
        if side_id == side.id
    )


class Announcements(KeyModal[None]):
    """A screen that shows lines to read aloud, one after the other."""

    CSS = """
    #aloud { background: $background; width: 100%; height: 100%; padding: 1 2; }
    #aloud-title { height: 2; }
    #aloud-text { height: 1fr; }
    #aloud-keys { height: 1; }
    """
    places = (ALOUD,)

    def __init__(self, heading: str, lines: Sequence[SpokenLine]) -> None:
        super().__init__()
        self.heading, self.lines = heading, tuple(lines)
        self.at = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="aloud"):
            yield SteadyText(Content(""), id="aloud-title")
            yield SteadyText(Content(""), id="aloud-text")
            yield Hints(KEYS, id="aloud-keys")

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        """Draw the present line in large letters below its side and number."""
        width, height = max(20, self.size.width - 4), max(4, self.size.height - FRAME)
        line = self.lines[self.at]
        title = f"{self.at + 1} of {len(self.lines)}   {line.side}   {self.heading}"
        self.query_one("#aloud-title", SteadyText).update(literal(cut(title, width), "bold $accent"))
        self.query_one("#aloud-text", SteadyText).update(
            literal(draw_large(line.text, width, height), "bold")
        )

    def action_line(self, by: int) -> None:
        """Show the next line (`by` is 1) or the one before (-1); after the last line, close the screen."""
        if self.at + by == len(self.lines):
            self.dismiss(None)
            return
        self.at = max(0, self.at + by)
        self._show()
