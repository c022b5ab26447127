"""A panel that is searched by typing: keys, orders and clauses, or a chart."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Protocol, TypeVar

from attrs import frozen
from textual import events
from textual.content import Content

from qf_tui.console.widgets.key_bar import Hint
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import Panel, head
from qf_tui.console.widgets.places import LOOKUP
from qf_tui.console.widgets.text import literal

KEYS = (Hint("", "type to search"), Hint("escape", "closes"))
SEARCHING = (Hint("backspace", "deletes a letter"), Hint("escape", "ends the search"))


class Rank(Enum):
    """What a line is among those that are searched."""

    HEADING = "it stands over the lines behind it"
    ITEM = "it is found by its own words and by those of the lines below it"
    BELOW = "it belongs to the line above it"
    GAP = "it ends what a heading stands over"


@frozen
class LookupLine:
    """A line that is searched, and what it is among the others."""

    content: Content
    rank: Rank = Rank.ITEM


GAP = LookupLine(Content(""), Rank.GAP)


def heading(text: str) -> LookupLine:
    """A line over others."""
    return LookupLine(head(text), Rank.HEADING)


class Searched(Protocol):
    """Whatever is drawn as a line and has a rank."""

    @property
    def content(self) -> Content:
        """The line as it is drawn."""

    @property
    def rank(self) -> Rank:
        """What it is among the others."""


AnyLine = TypeVar("AnyLine", bound=Searched)


class Lookup(Panel):
    """Lines of which only those are shown that hold all the words typed, under their headings."""

    places = (LOOKUP,)
    pages = "PgDn"

    def __init__(self, title: str, lines: Iterable[LookupLine], letters: str = "") -> None:
        self.searched = tuple(lines)
        super().__init__(title, (line.content for line in self.searched), KEYS)
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
        found = [line.content for line in matching(self.searched, self.letters)]
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


def matching(lines: Sequence[AnyLine], letters: str) -> list[AnyLine]:
    """The lines that hold all the words, each with those that belong to it and under its heading.

    A heading that holds them itself shows all lines under it.
    """
    words = letters.casefold().split()
    if not words:
        return list(lines)
    found: list[AnyLine] = []
    above: AnyLine | None = None
    whole = False
    for block in _blocks(lines):
        text = "\n".join(line.content.plain for line in block).casefold()
        holds = all(word in text for word in words)
        first = block[0]
        if first.rank in (Rank.HEADING, Rank.GAP):
            above = first if first.rank is Rank.HEADING else None
            whole = holds
        if holds or (whole and first.rank is not Rank.GAP):
            if above is not None and above is not first:
                found.append(above)
            above = None
            found.extend(block)
    return found


def _blocks(lines: Sequence[AnyLine]) -> list[list[AnyLine]]:
    """Each line with those that belong to it."""
    blocks: list[list[AnyLine]] = []
    for line in lines:
        if blocks and line.rank is Rank.BELOW:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks
