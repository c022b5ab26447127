"""What hands must do, one line at a time in letters that are read from across the table."""

from collections.abc import Iterable, Sequence

from attrs import frozen
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.reading.large_letters import drawn
from qf_tui.console.reading.summaries import reading_list
from qf_tui.console.widgets.key_bar import Hint, Hints
from qf_tui.console.widgets.key_screen import KeyModal
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.places import ALOUD, PANEL, READING
from qf_tui.console.widgets.text import cut, literal, wrapped
from qf_tui.core.values import Battle

KEYS = (Hint("enter", "next"), Hint("up", "the one before"), Hint("escape", "back"))
KEYS_OF_LIST = (
    Hint("space", "on, at the end closes"),
    Hint("escape", "closes"),
    Hint("v", "in large letters"),
)
FRAME = 6
"""Lines of the screen beside the letters."""


@frozen
class SpokenLine:
    """One thing to do: whose side, and what."""

    side: str
    text: str


def to_read(battle: Battle, changes: Iterable[tuple[str, str]]) -> tuple[SpokenLine, ...]:
    """What is to be read aloud, by side."""
    changes = tuple(changes)
    return tuple(
        SpokenLine(side.name, text) for side in battle.sides for of, text in changes if of == side.id
    )


def large(text: str, width: int, height: int) -> str:
    """A text in letters as large as there is room for; in ordinary ones if there is none, or none of them."""
    return drawn(text, width, height) or "\n\n".join(wrapped(text.upper(), width, height // 2))


class TableChanges(Panel):
    """A numbered list of what hands must do; `v` shows it in large letters. Enter does not close it."""

    places = (PANEL, READING)

    def __init__(self, title: str, battle: Battle, changes: Iterable[tuple[str, str]]) -> None:
        self.read = to_read(battle, changes)
        super().__init__(title, reading_list(battle, changes), KEYS_OF_LIST)
        self.passes = True

    def action_accept(self) -> None:
        """Nothing: the Enter that ended a phase must not close a list that nobody has read."""

    def action_page_down(self) -> None:
        """A page on; behind the last one closes."""
        body = self._body()
        if body.scroll_offset.y >= body.max_scroll_y:
            self.dismiss(False)
        else:
            super().action_page_down()

    def action_aloud(self) -> None:
        self.app.push_screen(Aloud(self.heading, self.read))


class Aloud(KeyModal[None]):
    """Reads lines aloud, one after the other."""

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
        width, height = max(20, self.size.width - 4), max(4, self.size.height - FRAME)
        line = self.lines[self.at]
        said = f"{self.at + 1} of {len(self.lines)}   {line.side}   {self.heading}"
        self.query_one("#aloud-title", SteadyText).update(literal(cut(said, width), "bold $accent"))
        self.query_one("#aloud-text", SteadyText).update(literal(large(line.text, width, height), "bold"))

    def action_next_line(self) -> None:
        if self.at + 1 == len(self.lines):
            self.dismiss(None)
            return
        self.at += 1
        self._show()

    def action_previous_line(self) -> None:
        self.at = max(0, self.at - 1)
        self._show()
