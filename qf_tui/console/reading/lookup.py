"""A panel of lines under headings; typed words leave only the lines that contain them."""

from collections.abc import Iterable
from enum import Enum

from attrs import frozen
from textual import events
from textual.content import Content

from qf_tui.console.widgets.actions import LOOKUP
from qf_tui.console.widgets.keys import Hint
from qf_tui.console.widgets.panel import Panel, render_heading
from qf_tui.console.widgets.text import SteadyText, literal

KEYS = (Hint("", "type to search"), Hint("escape", "closes"))
SEARCHING = (Hint("backspace", "deletes a letter"), Hint("escape", "ends the search"))


class Rank(Enum):
    """The rank of a line: heading, item, or part of an item."""

    HEADING = "a title of the lines below it"
    ITEM = "found by its own words and by those of the lines below it"
    BELOW = "part of the line above it"
    GAP = "the end of a heading's lines"


@frozen
class LookupLine:
    """A line of a panel that can be searched.

    Attributes:
        entry: Number of the entry that it is about, or 0.
        section: True if it begins a section.
    """

    content: Content
    rank: Rank = Rank.ITEM
    entry: int = 0
    section: bool = False


GAP = LookupLine(Content(""), Rank.GAP)


def build_heading(text: str) -> LookupLine:
    """Build a heading."""
    return LookupLine(render_heading(text), Rank.HEADING)


class Lookup(Panel):
    """A panel of lines with a search: typing shows only lines with all the words, under their headings."""

    places = (LOOKUP,)
    pages = "PgDn"

    def __init__(self, title: str, lines: Iterable[LookupLine]) -> None:
        self.searched = tuple(lines)
        super().__init__(title, (line.content for line in self.searched), KEYS)
        self.letters = ""

    def handle_other_key(self, event: events.Key) -> None:
        """Add a typed character to the search."""
        if event.character and event.is_printable:
            event.stop()
            self.letters += event.character
            self._search()

    def _search(self) -> None:
        """Show the lines that match the typed letters, from the top, or say that nothing matches."""
        lines = [line.content for line in find_matching(self.searched, self.letters)]
        title = f"{self.heading}   search: {self.letters}▏" if self.letters else self.heading
        self.query_one(".panel-title", SteadyText).update(literal(title, "bold $primary"))
        nothing = [literal(f"Nothing matches “{self.letters}”.")]
        self.body_text.show_content(lines or nothing)
        self._find_body().scroll_home(animate=False, immediate=True)
        self.hints = SEARCHING if self.letters else KEYS
        self.call_after_refresh(self._show_keys)

    def action_delete_letter(self) -> None:
        self.letters = self.letters[:-1]
        self._search()

    def action_close(self) -> None:
        """Clear the search; without one, close the panel."""
        if self.letters:
            self.letters = ""
            self._search()
        else:
            super().action_close()


def find_matching(lines: Iterable[LookupLine], letters: str) -> list[LookupLine]:
    """List the lines that contain all the words, each with its parts and under its heading.

    All lines of a heading are listed if the heading itself contains the words.
    """
    words = letters.casefold().split()
    # Each block is a line with its parts, which are found together.
    blocks: list[list[LookupLine]] = []
    for line in lines:
        if blocks and line.rank is Rank.BELOW:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    matching_lines: list[LookupLine] = []
    # A heading waits here for its first line that matches.
    pending_heading: list[LookupLine] = []
    heading_matches = False
    for block in blocks:
        text = "\n".join(line.content.plain for line in block).casefold()
        matches = all(word in text for word in words)
        rank = block[0].rank
        # A heading or a gap ends the lines of the heading before.
        if rank in (Rank.HEADING, Rank.GAP):
            pending_heading, heading_matches = [], matches
        if matches or heading_matches:
            matching_lines += [*pending_heading, *block]
            pending_heading = []
        elif rank is Rank.HEADING:
            pending_heading = block
    return matching_lines
