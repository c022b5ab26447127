"""An order while it is typed: which slot the end of the text is in, what may stand there, and names in full.

The bar takes letters anywhere in a ship's name; the language takes beginnings. `read` writes the ids out.
"""

from attrs import frozen

from qf_tui.console.entry.candidates import choices_of, orders, side_against
from qf_tui.console.reading.matching import Choice, only_ship
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.errors import OrderRefused
from qf_tui.core.forms import REST, Form, Kind, Slot
from qf_tui.core.naming import find_ship
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle

_BEFORE = {"force": 1, "preview": 1, "amend": 2, "insert": 2}


@frozen
class Typed:
    """A half-typed order: its text with full ids, and what stands at its end.

    `label` says what is wanted there, `partial` are its letters so far, `choices` what it may be; `open`: a slot
    that must be filled is not.
    """

    line: str
    label: str = ""
    partial: str = ""
    choices: tuple[Choice, ...] = ()
    open: bool = False
    form: Form | None = None

    @property
    def completion(self) -> str:
        """What Tab puts in place of the letters so far, or nothing."""
        return self.choices[0].text if self.choices else ""


def read(system: RuleSystem, battle: Battle, text: str) -> Typed:
    """Reads a half-typed order."""
    words = text.split()
    ended = not text or text[-1].isspace()
    before: list[str] = []
    while words and words[0].lower() in _BEFORE and (len(words) > 1 or ended):
        count = _BEFORE[words[0].lower()]
        before, words = [*before, *words[:count]], words[count:]
    forms = all_forms(system)
    if not words or (len(words) == 1 and not ended):
        partial = words[0] if words else ""
        found = tuple(word for word in orders(system, battle) if word.startswith(partial.lower()))
        return Typed(" ".join([*before, *words]), "order", partial, tuple(Choice(w, w) for w in found), True)
    form = forms.get(words[0].lower())
    if form is None:
        return Typed(" ".join([*before, *words]))
    return _Walk(system, battle, form, words[1:], ended, [*before, form.word]).walk()


class _Walk:
    """Walks the words of one order along the slots of its form."""

    def __init__(
        self, system: RuleSystem, battle: Battle, form: Form, words: list[str], ended: bool, done: list[str]
    ) -> None:
        self.system, self.battle, self.form = system, battle, form
        self.words, self.ended, self.done = words, ended, done
        self.filled: list[str] = []

    def walk(self) -> Typed:
        for slot in self.form.slots:
            if slot.trailing:
                continue
            if not self.words:
                if slot.optional:
                    continue
                return self._at(slot, "", True)
            if slot.kind in REST:
                return self._at(slot, self.words[-1] if not self.ended else "", False)
            taken = self._take(slot)
            if taken is None:
                if slot.optional:
                    continue
                return self._at(slot, " ".join(self.words), True)
            if not self.words and not self.ended and self._unsettled(slot, taken):
                self.words = taken
                return self._at(slot, " ".join(taken), self._wants_after(slot))
            self._fill(slot, taken)
        return self._end()

    def _at(self, slot: Slot, partial: str, open: bool) -> Typed:
        letters = partial.rpartition(",")[2] if slot.kind is Kind.SHIPS else partial
        choices = choices_of(self.system, self.battle, self.form, slot, letters, self.filled)
        words = self.words
        if words and slot.kind in (Kind.SHIP, Kind.SHIPS):
            words = [self._named(slot, words)]
        line = " ".join([*self.done, *self.filled, *words])
        return Typed(line, slot.label, letters, choices, open, self.form)

    def _take(self, slot: Slot) -> list[str] | None:
        """The words that fill a slot, taken off; None if they do not fit it."""
        count = 1
        if slot.kind is Kind.SHIP:
            count = self._ship_words()
        word = self.words[0].lower()
        if slot.kind is Kind.CHOICE and not any(choice.startswith(word) for choice in slot.choices):
            return None
        if slot.kind is Kind.KEY and "/" not in word:
            return None
        if slot.kind is Kind.MEASURE and not slot.bare and word.isdigit() and slot.optional:
            return None
        taken, self.words = self.words[:count], self.words[count:]
        return taken

    def _ship_words(self) -> int:
        try:
            return find_ship(self.words, self.battle.ships.values())[1]
        except OrderRefused:
            return 1

    def _unsettled(self, slot: Slot, taken: list[str]) -> bool:
        """Whether more letters may follow: the word is not yet exactly what it will be."""
        return bool(taken) and slot.kind not in (Kind.COUNT, Kind.NUMBER, Kind.DIE)

    def _wants_after(self, slot: Slot) -> bool:
        """Whether a slot behind this one must be filled."""
        behind = self.form.slots[self.form.slots.index(slot) + 1 :]
        return any(
            not other.optional and not other.trailing and other.kind is not Kind.DIE for other in behind
        )

    def _fill(self, slot: Slot, taken: list[str]) -> None:
        named = slot.kind in (Kind.SHIP, Kind.SHIPS)
        self.filled.extend([self._named(slot, taken)] if named else taken)

    def _named(self, slot: Slot, words: list[str]) -> str:
        """Ships by their ids, where letters leave no doubt."""
        text = " ".join(words)
        if text.startswith("@"):
            return text
        parts = text.split(",") if slot.kind is Kind.SHIPS else [text]
        return ",".join(self._id(part.strip()) for part in parts)

    def _id(self, letters: str) -> str:
        ships = tuple(self.battle.ships.values())
        if not letters:
            return ""
        try:
            id, used = find_ship(letters.split(), ships)
            if used == len(letters.split()):
                return id
        except OrderRefused:
            pass
        found = only_ship(letters, ships, side_against(self.battle, self.filled))
        return found.id if found else letters

    def _end(self) -> Typed:
        """Behind the plain slots: flags, keywords and dice."""
        line = " ".join([*self.done, *self.filled, *self.words])
        last = self.words[-1].lower() if self.words and not self.ended else ""
        slot = self._wanted_here()
        if slot is not None:
            choices = choices_of(self.system, self.battle, self.form, slot, last, self.filled)
            return Typed(line, slot.label, last, choices, not slot.optional, self.form)
        given = {word.lower() for word in self.words}
        lacking = [
            slot
            for slot in self.form.slots
            if slot.keyword and not slot.optional and slot.keyword not in given
        ]
        words = [
            slot.keyword or slot.choices[0]
            for slot in self.form.slots
            if slot.trailing and (slot.keyword or slot.choices[0]) not in given - {last}
        ]
        fitting = tuple(Choice(word, word) for word in words if word.startswith(last))
        partial = last if fitting else ""
        choices = () if last and last.isdigit() else fitting
        label = lacking[0].label if lacking else self.form.dice and f"dice {self.form.dice}"
        return Typed(line, label, partial, choices, bool(lacking), self.form)

    def _wanted_here(self) -> Slot | None:
        """The slot whose keyword stands just before the end of the text."""
        before = self.words if self.ended else self.words[:-1]
        keyword = before[-1].lower() if before else ""
        return next((slot for slot in self.form.slots if slot.keyword and slot.keyword == keyword), None)
