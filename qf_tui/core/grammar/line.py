"""A line while its words are read against the form of its order."""

from collections.abc import Callable, Sequence

from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.grammar.dice_text import are_dice, dice_words, faces_typed, first_no_dice
from qf_tui.core.grammar.figure_kinds import has_unit
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import ANSWER, DIE, MEASURE, NUMBER, PLAY_ORDER
from qf_tui.core.grammar.names import Candidate
from qf_tui.core.grammar.order import CALL, Order
from qf_tui.core.grammar.reading import Completion, Part, Reading, keyed, lacking, missing, scope_within
from qf_tui.core.grammar.scope import Misfit, Scope, Words
from qf_tui.core.measure import Distance


class LineReader:
    """One order while its words are read; `within` reads the order that a correction brings."""

    def __init__(
        self,
        scope: Scope,
        form: Form,
        words: list[str],
        within: Callable[[Scope, str], Reading],
        *,
        ended: bool = True,
        forced: bool = False,
    ) -> None:
        self.scope, self.form, self.ended, self.forced = scope, form, ended, forced
        self._within = within
        self.words = Words(scope, form, words)
        self.parts: dict[str, Part] = {}
        self.dice_text = ""
        self.cursor: Completion | None = None
        self.unfinished = False

    def read(self) -> Reading:
        """What the words mean."""
        try:
            for slot in self.form.slots:
                if not slot.trailing:
                    self._plain(slot)
            while not self.words.ended and self._trailing():
                pass
            self._dice()
            self._no_die_missing()
            self._all_there()
        except Misfit as misfit:
            return self._reading(None, (impossible(f"{misfit} (form: {self.form.usage})"),))
        except OrderRefused as refusal:
            return self._reading(None, refusal.findings)
        words = self.words
        order = Order(self.form, dict(words.slots), tuple(words.dice), self.forced, words.call)
        return self._reading(keyed(order, words), ())

    def _reading(self, order: Order | None, findings: tuple[Finding, ...]) -> Reading:
        cursor = self.cursor or self._behind()
        unfinished = self.unfinished or bool(order is None and cursor.letters and cursor.offers())
        return Reading(
            self.form, self.parts, self.dice_text, order, findings, cursor=cursor, unfinished=unfinished
        )

    def _plain(self, slot: Slot) -> None:
        """A slot in its place among the others."""
        words = self.words
        if words.ended:
            if not slot.optional and slot.kind is not DIE:
                self._wants(slot)
                raise words.fault(missing(self.form, slot))
        elif slot.kind is PLAY_ORDER:
            self._play_order(slot)
        else:
            self._slot(slot)

    def _wants(self, slot: Slot) -> None:
        """The line ends where a slot must still be filled."""
        # Where letters end the line it is they that may go on.
        self.cursor, self.unfinished = self.cursor or self._at(slot, ""), True
        self.parts[slot.name] = Part(slot)

    def _at(self, slot: Slot, letters: str) -> Completion:
        words = self.words.on(slot)
        question = words.question if slot.kind is ANSWER else None
        label = question.prompt if question else slot.label
        return Completion(label, letters, lambda: slot.kind.candidates(letters, words))

    def _slot(self, slot: Slot) -> None:
        """Reads a slot from the words ahead, of which there is one at least."""
        words, start = self.words, self.words.at
        words.slot = slot
        rest = " ".join(words.ahead)
        try:
            value = slot.kind.read(words)
        except OrderRefused as refusal:
            self.cursor = self._at(slot, "" if self.ended and not words.ended else rest)
            self.parts[slot.name] = Part(slot, rest, None, str(refusal))
            raise
        text = " ".join(words.words[start : words.at])
        if value is not None:
            words.slots[slot.name] = value
            self.parts[slot.name] = Part(slot, text, value)
        if words.ended and not self.ended and slot.kind.grows:
            self.cursor = self._at(slot, words.words[-1] if slot.kind.takes_rest else text)

    def _play_order(self, slot: Slot) -> None:
        """Reads the order that a correction brings, on the battle where it will stand; or dice."""
        words = self.words
        rest = words.take_all()
        if self.form.dice and _thrown([word.text.lower() for word in dice_words(" ".join(rest))]):
            self.words.at -= len(rest)
            return
        there = scope_within(self.scope, self.form, words.slots)
        found = self._within(there, " ".join(rest) + (" " if self.ended else ""))
        self.cursor, self.unfinished = found.cursor, found.unfinished
        self.parts[slot.name] = Part(slot, " ".join(rest), found.order)
        if found.form is None:
            raise words.fault(f"“{' '.join(rest)}” is no play order")
        words.slots[slot.name] = found.complete()

    def _trailing(self) -> bool:
        """A slot behind the others, known by its keyword or as a flag; whether the next word begins one."""
        words = self.words
        for slot in self.form.slots:
            if not slot.trailing:
                continue
            if slot.keyword == words.next and slot.name not in words.slots:
                words.at += 1
                if words.ended:
                    self._wants(slot)
                    raise words.fault(f"{slot.keyword}: {slot.label} is missing")
                self._slot(slot)
                return True
            if slot.kind.is_flag and not slot.keyword and words.next in slot.choices:
                self._slot(slot)
                return True
            if self._needs_no_keyword(slot):
                self._slot(slot)
                return True
        return False

    def _needs_no_keyword(self, slot: Slot) -> bool:
        """Whether the next word is a distance with its unit, for a slot that must be filled and is not."""
        wanted = slot.kind is MEASURE and not slot.optional and slot.name not in self.words.slots
        return wanted and has_unit(self.words.on(slot))

    def _dice(self) -> None:
        """All the words that are left."""
        words, start = self.words, self.words.at
        rest = words.take_all()
        self.dice_text = " ".join(rest) + (" " if rest and self.ended else "")
        said = [word.lower() for word in rest]
        if CALL in said and self.form.dice:
            at = said.index(CALL)
            words.call, rest = read_call(rest[at + 1 :]), rest[:at]
        for place, word in enumerate(rest, start):
            wrong = not_dice(word, self.form)
            if wrong:
                # A slot that was left out, or that is missing, may say better what could have stood there.
                lacks = lacking(self.form, words.slots, dice=True)
                raise words.fault(words.passed.get(place, f"{lacks}; {wrong}" if lacks else wrong))
            words.dice.extend(faces_typed(word))
        if rest and not self.form.dice:
            raise words.fault(f"{self.form.word} takes no dice")

    def _no_die_missing(self) -> None:
        """OrderRefused for a bare figure read as a distance where a die seems to be missing."""
        words, most = self.words, len(self.form.dice.split())
        for slot in self.form.slots:
            part = self.parts.get(slot.name)
            bare = part is not None and isinstance(part.value, Distance) and NUMBER.fullmatch(part.text)
            if bare and part is not None and not slot.keyword and 0 < len(words.dice) < most:
                raise words.fault(f"{slot.label}: “{part.text}” may be a die: write its unit")

    def _all_there(self) -> None:
        lacks = lacking(self.form, self.words.slots, bool(self.words.dice) or self.words.call is not None)
        if lacks:
            self.unfinished = True
            for slot in self.form.slots:
                if slot.kind is PLAY_ORDER:
                    self._wants(slot)
            raise self.words.fault(lacks)

    def _behind(self) -> Completion:
        """The end of a line behind the plain slots: flags, keywords and dice."""
        last = self.dice_text if self.dice_text and not self.ended else ""
        last = last.split(" ")[-1].lower()
        given = {word.lower() for word in self.words.words}
        lacking = [
            s for s in self.form.slots if s.keyword and not s.optional and s.name not in self.words.slots
        ]
        behind = [slot.keyword or slot.choices[0] for slot in self.form.slots if slot.trailing]
        behind += [CALL] if self.scope.calls and self.form.dice else []
        left = [word for word in behind if word not in given - {last} and word.startswith(last)]
        dice = f"{CALL} N" if self.scope.calls else f"dice {self.form.dice}"
        label = lacking[0].label if lacking else self.form.dice and dice
        offered = () if are_dice(last) else tuple(Candidate(word, word) for word in left)
        return Completion(label, last if left else "", lambda: offered)


def _thrown(parts: Sequence[str]) -> bool:
    """Whether words are faces, or a call for them."""
    figures = parts[: parts.index(CALL)] if CALL in parts else parts
    return bool(parts) and not first_no_dice(" ".join(figures))


CALL_MOST = 999_999_999
"""The greatest number that is called."""


def read_call(words: Sequence[str]) -> int:
    """The number behind `call`; OrderRefused if there is not one alone."""
    if len(words) != 1 or not NUMBER.fullmatch(words[0]):
        said = " ".join(words)
        fault = f"“{said}” is not one number from 0 to {CALL_MOST}" if said else "the number is missing"
        raise OrderRefused(impossible(f"{CALL}: {fault}"))
    return int(words[0])


def not_dice(text: str, form: Form) -> str:
    """What is said of the first word that is no die; nothing where all are."""
    wrong = first_no_dice(text)
    if not form.dice:
        return f"“{wrong}” is no word of this order" if wrong else ""
    own = any(wrong.lower() in (slot.keyword, *slot.choices) for slot in form.slots if slot.trailing)
    amiss = "stands before the dice" if own else "is neither a word of this order nor a die"
    return f"“{wrong}” {amiss}" if wrong else ""
