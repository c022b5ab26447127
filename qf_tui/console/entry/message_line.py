"""Lines of words: the one under the bar, and those that stay.

Under the bar: what the typed order would meet, the words that may stand next, or the last message. What
stays: the events of the evening until they are read, and a warning until it is over.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from textual.content import Content
from textual.screen import Screen

from qf_tui.console.entry.lookahead import Foresight
from qf_tui.console.reading.refusal import Findings, only_rules
from qf_tui.console.reading.source import OrderTone
from qf_tui.console.widgets.key_screen import key_for
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.text import cut, listed, literal, width_of, wrapped
from qf_tui.core.text import with_answer

TONES: Mapping[OrderTone, str] = {
    "refused": "bold $text-error",
    "wants": "$accent",
    "odds": "$text-success",
    "": "",
}
"""What the tones of a foresight look like."""


def forces(screen: Screen[Any]) -> str:
    """What stands behind a refusal that only rules hold up: the key that forces the order."""
    key = key_for(screen, "grid.force")
    return f"   {key} overrules" if key else ""


FORETOLD_MOST = 4
"""Lines for what an order would meet."""


class MessageLine(SteadyText):
    """One line, cut to its width; `said` is the message in it, `refusal` the findings that it tells.

    What an order would meet has more lines where it needs them.
    """

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.said = ""
        self.refusal: Findings = ()

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Shows a message, until another one or a look-ahead replaces it."""
        self.refusal = findings
        if only_rules(findings):
            force = forces(self.screen)
            text = f"{cut(text, self._room - width_of(force))}{force}"
        self.said = text
        self.update(literal(f" {cut(text, self._room)}", TONES[tone]))

    def foretell(self, seen: Foresight) -> None:
        """Says what an order would meet."""
        self.said, self.refusal = "", seen.refusal
        force = forces(self.screen) if seen.forceable else ""
        *above, text = wrapped(f"{seen.text}{force}", self._room, FORETOLD_MOST) or [""]
        room = self._room - width_of(text) - 3
        more = "" if force or room < 12 or not seen.more else f"   {cut('; '.join(seen.more), room)}"
        line = literal("\n".join(f" {one}" for one in (*above, text)), TONES[seen.tone])
        self.update(Content.assemble(line, literal(more, "$quiet")))

    def offer(self, label: str, words: Iterable[str]) -> None:
        """Says what may stand next: as many words as there is room for, under a question that is long."""
        self.said, self.refusal = "", ()
        label, words = with_answer(label, ""), tuple(words)
        beside = width_of(label) <= max(self._room // 2, self._room - width_of(" · ".join(words)) - 1)
        asked = "\n".join(f" {line}" for line in wrapped(label, self._room, FORETOLD_MOST - 1))
        offered = listed(words, self._room - (width_of(label) + 1) * beside, " · ")
        between = (" " if beside else "\n ") if offered else ""
        self.update(Content.assemble(literal(asked, "$accent"), literal(f"{between}{offered}")))

    @property
    def _room(self) -> int:
        return self.size.width - 2


class Banner(SteadyText):
    """The events of the evening that nobody has read yet; with none no line."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.events: tuple[str, ...] = ()

    def add(self, events: Sequence[str]) -> None:
        """Shows more events, until they are read; what is undone and entered again is told once."""
        if events:
            self._show(tuple(dict.fromkeys((*self.events, *events))))

    def read(self) -> bool:
        """Takes what was read away; whether there was anything."""
        found = bool(self.events)
        if found:
            self._show(())
        return found

    def _show(self, events: tuple[str, ...]) -> None:
        self.events = events
        self.display = bool(events)
        key = key_for(self.screen, "grid.drop")
        told = literal(" · ".join(event.upper() for event in events), "bold $text-warning")
        self.update(Content.assemble(" ‼ ", told, literal(f"   {key} read" if key else "", "$quiet")))


class Alarm(SteadyText):
    """The word, or with "" no line."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.text = ""

    def show(self, text: str) -> None:
        """Shows another word."""
        if text != self.text:
            self.text = text
            self.display = bool(text)
            self.update(literal(f" ‼ {text}") if text else Content(""))
