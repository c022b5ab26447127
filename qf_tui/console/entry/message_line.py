"""The line under the bar: what the typed order would meet, the words that may stand next, or what was said last."""

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import Static

from qf_tui.console.entry.lookahead import Foresight
from qf_tui.console.widgets.text import cut, listed, literal, width_of

FORCES = "   F2 forces it"
TONES = {"refused": "bold $text-error", "wants": "$accent", "odds": "$text-success", "": ""}
"""What the tones of a foresight look like."""


class MessageLine(Static):
    """One line, cut to its width; `said` is the word that stands in it, `refusal` what it says was refused."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.said, self.refusal = "", ""

    def say(self, text: str, tone: str = "", forceable: bool = False) -> None:
        """Says a word, which stands until something else is said or foretold."""
        self.refusal = text if tone == "refused" else ""
        if forceable:
            text = f"{cut(text, self._room - width_of(FORCES))}{FORCES}"
        self.said = text
        self._write(literal(f" {cut(text, self._room)}", TONES[tone]))

    def foretell(self, seen: Foresight) -> None:
        """Says what an order would meet."""
        self.said, self.refusal = "", seen.text if seen.tone == "refused" else ""
        force = FORCES if seen.forceable else ""
        text = cut(seen.text, self._room - width_of(force))
        room = self._room - width_of(text) - 3
        more = "" if force or room < 12 or not seen.more else f"   {cut('; '.join(seen.more), room)}"
        line = literal(f" {text}", TONES[seen.tone])
        self._write(Content.assemble(line, literal(force + more, "$quiet")))

    def offer(self, label: str, words: Iterable[str]) -> None:
        """Says what may stand next: as many words as there is room for."""
        self.said = self.refusal = ""
        label = f" {label}: "
        offered = listed(words, self._room - width_of(label), " · ")
        self._write(Content.assemble(literal(cut(label, self._room // 2), "$accent"), literal(offered)))

    def keep(self, text: str, keys: str) -> None:
        """Says what was kept, and the keys for it, which are never cut off."""
        self.say(cut(text, self._room - width_of(keys)) + keys)

    @property
    def _room(self) -> int:
        return self.size.width - 2

    def _write(self, line: Content) -> None:
        self.update(line, layout=False)
