"""A panel that is searched by typing: keys, orders and clauses, or a chart."""

from collections.abc import Iterable, Sequence

from textual import events
from textual.content import Content

from qf_tui.console.widgets.key_bar import Hint
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.places import LOOKUP
from qf_tui.console.widgets.text import literal

KEYS = (Hint("", "type to search"), Hint("escape", "closes"))
SEARCHING = (Hint("backspace", "deletes a letter"), Hint("escape", "ends the search"))
INDENT = "      "
"""Before a line that belongs to the one above it."""


class Lookup(Panel):
    """Lines of which only those are shown that hold all the words typed, under their headings."""

    places = (LOOKUP,)
    pages = "PgDn"

    def __init__(self, title: str, lines: Iterable[Content], letters: str = "") -> None:
        super().__init__(title, lines, KEYS)
        self.letters = letters

    def on_mount(self) -> None:
        super().on_mount()
        self._search()

    def other_key(self, event: events.Key) -> None:
        if event.character and event.is_printable:
            event.stop()
            self.letters += event.character
            self._search()

    def _search(self) -> None:
        found = matching(self.lines, self.letters)
        said = f"{self.heading}   search: {self.letters}▏" if self.letters else self.heading
        self.query_one(".panel-title", SteadyText).update(literal(said, "bold $primary"))
        nothing = [literal(f"Nothing holds “{self.letters}”.")]
        self.body_text.show(found or nothing)
        self._body().scroll_home(animate=False, immediate=True)
        self.hints = SEARCHING if self.letters else KEYS
        self.call_after_refresh(self._say_keys)

    def action_delete_letter(self) -> None:
        self.letters = self.letters[:-1]
        self._search()

    def action_close(self) -> None:
        """Gives the search up first, then the panel."""
        if self.letters:
            self.letters = ""
            self._search()
        else:
            super().action_close()


def matching(lines: Sequence[Content], letters: str) -> list[Content]:
    """The lines that hold all the words, each with the lines indented below it and under its heading.

    A heading that holds them itself shows all lines under it.
    """
    words = letters.casefold().split()
    if not words:
        return list(lines)
    found: list[Content] = []
    heading: Content | None = None
    whole = False
    for block in _blocks(lines):
        text = "\n".join(line.plain for line in block).casefold()
        holds = all(word in text for word in words)
        if not block[0].plain.startswith(" "):
            heading = block[0] if block[0].plain else None
            whole = holds
        if holds or (whole and block[0].plain):
            if heading is not None and heading is not block[0]:
                found.append(heading)
            heading = None
            found.extend(block)
    return found


def _blocks(lines: Sequence[Content]) -> list[list[Content]]:
    blocks: list[list[Content]] = []
    for line in lines:
        if blocks and line.plain.startswith(INDENT):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks
