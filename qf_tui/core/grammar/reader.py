"""The one reader: a line of text, or the fields of a dialog, into a `Reading`.

One text under one reach has one meaning, wherever it was typed: a script, the order bar, a dialog, a correction.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from attrs import evolve, field, frozen

from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import ANSWER, DIE, NUMBER, PLAY_ORDER, TEXT
from qf_tui.core.grammar.names import Candidate, Reach
from qf_tui.core.grammar.order import ANSWERS, Order, SlotValue, words_of
from qf_tui.core.grammar.scope import Misfit, Scope, Vocabulary, Words
from qf_tui.core.values import Battle

FORCE, PREVIEW = "force", "preview"


def _nothing() -> tuple[Candidate, ...]:
    return ()


@frozen
class Part:
    """What the text of one slot came to: its value, or why it has none. `text` is "" where it was left out."""

    slot: Slot
    text: str = ""
    value: SlotValue | None = None
    fault: str = ""

    @property
    def settled(self) -> bool:
        """Whether it needs nothing more: it has a value, or may do without."""
        return self.value is not None or (not self.text and self.slot.optional)


@frozen
class Cursor:
    """Where a line ends: what is wanted there, and its letters so far. `offers` works out what these may be."""

    label: str = ""
    letters: str = ""
    offers: Callable[[], tuple[Candidate, ...]] = field(default=_nothing, eq=False)


@frozen
class Reading:
    """What a text means: `order` if it is complete, else `findings` say what stands against it.

    `parts` are the slots that were read, by name; `dice` is the text of its dice, with a space at its end where the
    line ended with one. `unfinished`: nothing stands against it but what is not typed yet. `preview`: only what a
    correction would change is asked for.
    """

    form: Form | None = None
    parts: Mapping[str, Part] = field(factory=dict)
    dice: str = ""
    order: Order | None = None
    findings: tuple[Finding, ...] = ()
    preview: bool = False
    cursor: Cursor = Cursor()
    unfinished: bool = False

    def complete(self) -> Order:
        """The order; OrderRefused says what stands against it."""
        if self.order is None:
            raise OrderRefused(*self.findings)
        return self.order

    @property
    def slots(self) -> dict[str, SlotValue]:
        """The values that are settled."""
        return {name: part.value for name, part in self.parts.items() if part.value is not None}


def read(scope: Scope, text: str) -> Reading:
    """Reads a line."""
    try:
        words = words_of(text)
    except OrderRefused as refusal:
        return Reading(findings=refusal.findings)
    ended = not text or text[-1].isspace()
    prefixes = _prefixes(words, ended)
    rest = words[len(prefixes) :]
    here = Cursor("order", *_order_letters(scope, rest, ended))
    form = _form_of(scope.vocabulary, rest)
    if form is None:
        empty = not rest
        against = impossible("an empty order") if empty else _no_order(rest[0].lower(), scope.vocabulary)
        return Reading(
            findings=(against,), cursor=here, unfinished=empty or bool(len(rest) == 1 and here.offers())
        )
    if any(slot.kind.takes_rest and slot.kind.joint == " " for slot in form.slots):
        rest = words_of(text, keep_commas=True)[len(prefixes) :]
    forced, preview = FORCE in prefixes, PREVIEW in prefixes
    found = evolve(Line(scope, form, rest[1:], ended=ended, forced=forced).read(), preview=preview)
    misplaced = _misplaced(scope.vocabulary, form, forced=forced, preview=preview)
    if misplaced:
        return evolve(found, order=None, findings=(impossible(misplaced),))
    return evolve(found, cursor=here) if len(rest) == 1 and not ended else found


def _prefixes(words: list[str], ended: bool) -> list[str]:
    """The words ahead of the order itself: `force`, `preview`."""
    found: list[str] = []
    for word in words[: len(words) if ended else -1]:
        if word.lower() not in (FORCE, PREVIEW):
            break
        found.append(word.lower())
    return found


def _form_of(vocabulary: Vocabulary, words: list[str]) -> Form | None:
    word = words[0].lower() if words else ""
    return vocabulary.play.get(word) or vocabulary.corrections.get(word)


def _misplaced(vocabulary: Vocabulary, form: Form, *, forced: bool, preview: bool) -> str:
    """What is wrong with the words ahead of an order, or nothing."""
    corrects = form.word in vocabulary.corrections
    if preview and not corrects:
        return f"preview: expected one of {', '.join(vocabulary.corrections)}"
    return f"{form.word}: a correction cannot be forced as a whole" if forced and corrects else ""


def _no_order(word: str, vocabulary: Vocabulary) -> Finding:
    begun = [name for name in vocabulary.forms if name.startswith(word)]
    hint = f"; did you mean {', '.join(begun)}?" if begun else f"; orders are {', '.join(vocabulary.play)}"
    return impossible(f"no order “{word}”{hint}")


def _order_letters(
    scope: Scope, words: list[str], ended: bool
) -> tuple[str, Callable[[], tuple[Candidate, ...]]]:
    """The letters of an order's word at the end of a line, and the words that they may be."""
    letters = words[0].lower() if len(words) == 1 and not ended else ""
    return letters, lambda: tuple(
        Candidate(word, word) for word in order_words(scope) if word.startswith(letters)
    )


def order_words(scope: Scope) -> tuple[str, ...]:
    """Every word that a line may begin with, the orders of this phase first."""
    phase = scope.battle.phase if scope.battle else ""
    forms = scope.vocabulary.play.values()
    fitting = [form.word for form in forms if phase in form.phases]
    others = [form.word for form in forms if phase not in form.phases]
    return (*fitting, *others, *scope.vocabulary.corrections, FORCE, PREVIEW)


def read_resolved(text: str, forms: Mapping[str, Form]) -> Order:
    """An order as a log keeps it, with its ids in full; OrderRefused if it is none of those forms."""
    return read(Scope(Vocabulary(forms), None, Reach.FULL), text).complete()


def unread(text: str) -> Order:
    """An order of which nothing is known but its word, as where its rule system is not there."""
    word, *rest = text.split()
    return Order(_unread_form(word), {"text": tuple(rest)} if rest else {})


@lru_cache(maxsize=256)
def _unread_form(word: str) -> Form:
    return Form(word, "", word, (Slot("text", TEXT, "the rest", optional=True),))


def parse(text: str, forms: Mapping[str, Form], battle: Battle) -> Order:
    """An order from its text; OrderRefused says what is wrong with it and what is expected."""
    return read(Scope(Vocabulary(forms), battle), text).complete()


class Line:
    """One order while its words are read against its form."""

    def __init__(
        self, scope: Scope, form: Form, words: list[str], *, ended: bool = True, forced: bool = False
    ) -> None:
        self.scope, self.form, self.ended, self.forced = scope, form, ended, forced
        self.words = Words(scope, form, words)
        self.parts: dict[str, Part] = {}
        self.dice_text = ""
        self.cursor: Cursor | None = None
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
            self._all_there()
        except Misfit as misfit:
            return self._reading(None, (impossible(f"{misfit} (form: {self.form.usage})"),))
        except OrderRefused as refusal:
            return self._reading(None, refusal.findings)
        order = Order(self.form, dict(self.words.slots), tuple(self.words.dice), self.forced)
        return self._reading(_keyed(order, self.words), ())

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
                raise words.fault(self._missing(slot))
        elif slot.kind is PLAY_ORDER:
            self._play_order(slot)
        else:
            self._slot(slot)

    def _missing(self, slot: Slot) -> str:
        return f"{self.form.word}: {slot.label} is missing"

    def _wants(self, slot: Slot) -> None:
        """The line ends where a slot must still be filled."""
        # Where letters end the line it is they that may go on.
        self.cursor, self.unfinished = self.cursor or self._at(slot, ""), True
        self.parts[slot.name] = Part(slot)

    def _at(self, slot: Slot, letters: str) -> Cursor:
        words = self.words
        question = words.question if slot.kind is ANSWER else None
        label = question.prompt if question else slot.label
        return Cursor(label, letters, lambda: slot.kind.candidates(letters, slot, words))

    def _slot(self, slot: Slot) -> None:
        """Reads a slot from the words ahead, of which there is one at least."""
        words, start = self.words, self.words.at
        rest = " ".join(words.ahead)
        try:
            value = slot.kind.read(words, slot)
        except OrderRefused as refusal:
            self.cursor = self._at(slot, "" if self.ended and not words.ended else rest)
            self.parts[slot.name] = Part(slot, rest, None, str(refusal))
            raise
        text = " ".join(words.words[start : words.at]) if len(words.words) >= words.at else rest
        if value is not None:
            words.slots[slot.name] = value
            self.parts[slot.name] = Part(slot, text, value)
        if words.ended and not self.ended and slot.kind.grows:
            self.cursor = self._at(slot, words.words[-1] if slot.kind.takes_rest else text)

    def _play_order(self, slot: Slot) -> None:
        """Reads the order that a correction brings, on the battle where it will stand; or the dice of the old one."""
        words = self.words
        rest = words.take_all()
        parts = [part for word in rest for part in word.split(",") if part]
        if self.form.dice and parts and all(NUMBER.fullmatch(part) for part in parts):
            self.words.at -= len(rest)
            return
        number = words.slots.get("n")
        at = self.scope.before if self.form.dice else self.scope.behind
        there = self.scope.on(at(number) if isinstance(number, int) else None)
        there = evolve(there, vocabulary=evolve(there.vocabulary, corrections={}))
        found = read(there, " ".join(rest) + (" " if self.ended else ""))
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
        return False

    def _dice(self) -> None:
        """All the words that are left."""
        words = self.words
        rest = words.take_all()
        self.dice_text = " ".join(rest) + (" " if rest and self.ended else "")
        for part in (part for word in rest for part in word.split(",") if part):
            if not NUMBER.fullmatch(part):
                raise words.fault(f"“{part}” is neither a word of this order nor a die")
            words.dice.append(int(part))
        if rest and not self.form.dice:
            raise words.fault(f"{self.form.word} takes no dice")

    def _all_there(self) -> None:
        for slot in self.form.slots:
            filled = slot.name in self.words.slots
            if slot.kind is PLAY_ORDER and slot.optional and not filled and not self.words.dice:
                self._wants(slot)
                raise self.words.fault(f"{self.form.word} {self.words.slots.get('n')}: the order is missing")
            if slot.keyword and not slot.optional and not filled:
                self.unfinished = True
                raise self.words.fault(f"{self.form.word}: {slot.sign} is missing")

    def _behind(self) -> Cursor:
        """The end of a line behind the plain slots: flags, keywords and dice."""
        last = self.dice_text if self.dice_text and not self.ended else ""
        last = last.split(" ")[-1].lower()
        given = {word.lower() for word in self.words.words}
        lacking = [
            s for s in self.form.slots if s.keyword and not s.optional and s.name not in self.words.slots
        ]
        behind = [slot.keyword or slot.choices[0] for slot in self.form.slots if slot.trailing]
        open = [word for word in behind if word not in given - {last} and word.startswith(last)]
        label = lacking[0].label if lacking else self.form.dice and f"dice {self.form.dice}"
        offered = () if last.isdigit() else tuple(Candidate(word, word) for word in open)
        return Cursor(label, last if open else "", lambda: offered)


def _keyed(order: Order, words: Words) -> Order:
    """An answer with the key of what it answers."""
    question = words.question if order.is_answer and not order.key else None
    return order.with_slot("key", question.key) if question else order


def read_typed(scope: Scope, text: str, key: str = "") -> Reading:
    """Reads a line as keys have it: bare dice answer an owed roll, other bare words an owed question.

    `key` is the question that the line was opened for.
    """
    words = text.replace(",", " ").split()
    battle = scope.there
    asked = battle.question(key) if key else None
    rolls = are_dice(text) and (asked is None or bool(asked.dice))
    word = ANSWERS[0] if rolls else ANSWERS[1] if _answers(scope, battle, words, key) else ""
    if not word:
        return read(scope, text)
    if not rolls and (asked is None or asked.dice):
        asked = next(owed for owed in battle.owed if not owed.dice)
    keyed = [asked.key] if asked else []
    return Line(scope, scope.vocabulary.play[word], [*keyed, *words], ended=text[-1:].isspace()).read()


def _answers(scope: Scope, battle: Battle, words: list[str], key: str) -> bool:
    """Whether bare words answer an owed question, and are no order."""
    asked = battle.question(key) if key else None
    if asked is None or asked.dice:
        asked = next((owed for owed in battle.owed if not owed.dice), None)
    if asked is None or not words:
        return False
    known = {*scope.vocabulary.forms, FORCE, PREVIEW}
    return words[0].lower() not in known or words[0].lower() in asked.words


DICE_MOST = 12
"""Digits without a space that are still taken for dice."""


def are_dice(text: str) -> bool:
    """Whether a text is of digits alone, and of so few that they may be dice."""
    words = text.replace(",", " ").split()
    return bool(words) and all(word.isascii() and word.isdigit() and len(word) <= DICE_MOST for word in words)


def read_fields(
    scope: Scope,
    form: Form,
    texts: Mapping[str, str],
    flags: frozenset[str],
    dice: str,
    *,
    forced: bool = False,
) -> Reading:
    """Reads the fields of a dialog: one text a slot, the flags that stand, and the dice."""
    slots: dict[str, SlotValue] = {}
    parts: dict[str, Part] = {}
    for slot in form.slots:
        if slot.kind.is_flag:
            slots |= {slot.name: True} if slot.name in flags else {}
        elif slot.kind is not DIE:
            parts[slot.name] = part = _field(scope, form, slot, texts.get(slot.name, ""), slots)
            slots |= {} if part.value is None else {slot.name: part.value}
    found = Reading(form, parts, dice)
    faults = [part.fault or f"{part.slot.label} is missing" for part in parts.values() if not part.settled]
    faces = [part for word in dice.split() for part in word.split(",") if part]
    wrong = [part for part in faces if not NUMBER.fullmatch(part)]
    faults += [f"“{wrong[0]}” is neither a word of this order nor a die"] if wrong else []
    if faults:
        return evolve(found, findings=tuple(map(impossible, faults)))
    order = Order(form, slots, tuple(map(int, faces)), forced)
    return evolve(found, order=_keyed(order, Words(scope, form, [], slots)))


def _field(scope: Scope, form: Form, slot: Slot, text: str, before: dict[str, SlotValue]) -> Part:
    """What the text of one field means."""
    try:
        words = Words(scope, form, words_of(text, keep_commas=slot.kind.joint == " "), dict(before))
        if words.ended:
            return Part(slot)
        value = slot.kind.read(words, slot)
        if not words.ended:
            raise words.fault(f"{slot.label}: “{words.next}” is too much")
    except OrderRefused as refusal:
        return Part(slot, text.strip(), None, refusal.findings[0].text)
    return Part(slot, text.strip(), value)


def field_offers(
    scope: Scope, form: Form, reading: Reading, slot: Slot, letters: str
) -> tuple[Candidate, ...]:
    """What a field may hold that fits its letters, by the fields before it."""
    before: dict[str, SlotValue] = {}
    for other in form.slots:
        if other is slot:
            break
        part = reading.parts.get(other.name)
        before |= {other.name: part.value} if part is not None and part.value is not None else {}
    return slot.kind.candidates(letters, slot, Words(scope, form, [], before))
