"""The parser of orders: it turns a line of text, or the fields of a dialog, into an order or its faults.

A text has the same meaning in a script, the order bar, a dialog and a correction. They differ only in how
much of a name must be typed (`Reach`).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from attrs import evolve, field, frozen

from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.grammar.kinds import ANSWER, DIE, MEASURE, NUMBER, PLAY_ORDER, TEXT, as_read_kind, has_unit
from qf_tui.core.grammar.names import (
    COMMA,
    Candidate,
    FormMismatch,
    Reach,
    Scope,
    Vocabulary,
    WordCursor,
    are_dice,
    expand_face_keys,
    find_no_die,
    list_similar_names,
    read_faces,
    split_dice,
)
from qf_tui.core.text import TEXT_MOST, Distance, find_unprintable
from qf_tui.core.values import ANSWERS, CALL, Battle, Form, Order, Owed, Slot, SlotValue, replace


@frozen
class SlotReading:
    """A slot of an order with its text, and the result of reading that text.

    Attributes:
        slot: The slot.
        text: Text of the slot; "" if it was left empty.
        value: Value, or None.
        fault: Reason why there is no value, or "".
        offers: True if the fault lists possible values.
    """

    slot: Slot
    text: str = ""
    value: SlotValue | None = None
    fault: str = ""
    offers: bool = False

    @property
    def is_settled(self) -> bool:
        """True if the slot needs nothing more: it has a value, or may stay empty."""
        return self.value is not None or (not self.text and self.slot.optional)


@frozen
class Completion:
    """The completion at the end of a line.

    Attributes:
        label: Name of the expected thing, for people.
        letters: Letters typed so far.
        offers: Function that lists the candidates for these letters.
    """

    label: str = ""
    letters: str = ""
    offers: Callable[[], tuple[Candidate, ...]] = field(default=lambda: (), eq=False)


@frozen
class Reading:
    """The result of parsing a text: an order, or the findings against it.

    Attributes:
        form: Form of the order, or None if its first word is unknown.
        parts: Slots that were read, by name.
        dice: Text of the dice as typed, with a space at the end if the line ends with one.
        order: The order if it is complete, else None.
        findings: Reasons why there is no order.
        preview: True if only the consequences of a correction are asked for.
        cursor: Completion at the end of the text.
        unfinished: True if the only fault is that the text is not complete yet.
    """

    form: Form | None = None
    parts: Mapping[str, SlotReading] = field(factory=dict)
    dice: str = ""
    order: Order | None = None
    findings: tuple[Finding, ...] = ()
    preview: bool = False
    cursor: Completion = Completion()
    unfinished: bool = False

    def require_order(self) -> Order:
        """Return the order.

        Raises:
            OrderRefused: There is no order; the refusal has the findings.
        """
        if self.order is None:
            raise OrderRefused(*self.findings)
        return self.order

    @property
    def slots(self) -> dict[str, SlotValue]:
        return {name: part.value for name, part in self.parts.items() if part.value is not None}


def format_missing_slot(form: Form, slot: Slot) -> str:
    """Format the refusal of an order with an empty slot."""
    return f"{form.word}: {slot.placeholder if slot.keyword else slot.label} is missing"


def find_missing_slot_fault(form: Form, slots: Mapping[str, SlotValue], has_dice: bool) -> str:
    """Find the first missing slot among those without a fixed place: with a keyword, or an inner order.

    Args:
        has_dice: True if the order has dice or a call, so that a correction needs no inner order.

    Returns:
        The fault, or "" if nothing is missing.
    """
    for slot in form.slots:
        if slot.name in slots:
            continue
        if slot.keyword and not slot.optional:
            return format_missing_slot(form, slot)
        if slot.kind is PLAY_ORDER and slot.optional and not has_dice:
            return f"{form.word} {slots.get('n')}: the order is missing"
    return ""


def build_inner_scope(scope: Scope, form: Form, slots: Mapping[str, SlotValue]) -> Scope:
    """Return the scope for the order inside a correction: the battle at its future place, no corrections."""
    number = slots.get("n")
    # A form with dice is `amend`, whose order replaces the entry; any other is `insert` after the entry.
    find_battle: Callable[[int], Battle | None] = scope.battle_before if form.dice else scope.battle_after
    battle = find_battle(number) if isinstance(number, int) else None
    inner_scope = scope.with_battle(battle)
    return evolve(inner_scope, vocabulary=evolve(inner_scope.vocabulary, corrections={}))


def add_question_key(order: Order, words: WordCursor) -> Order:
    """Add the key of the answered question to an answer that has none."""
    question = words.question if order.is_answer and not order.key else None
    return order.with_slot("key", question.key) if question else order


class OrderParser:
    """The parser of a single order.

    Args:
        words: Words after the word of the order.
        parse_inner: Function that parses the order inside a correction.
        ended: True if the last word is complete, because a space or the end of a script follows.
        forced: True if `force` precedes the order.
    """

    def __init__(
        self,
        scope: Scope,
        form: Form,
        words: list[str],
        parse_inner: Callable[[Scope, str], Reading],
        *,
        ended: bool = True,
        forced: bool = False,
    ) -> None:
        """Start at the first word, with nothing read; the class explains the arguments."""
        self.scope, self.form, self.ended, self.forced = scope, form, ended, forced
        self._parse_inner = parse_inner
        self.words = WordCursor(scope, form, words)
        self.parts: dict[str, SlotReading] = {}
        self.dice_text = ""
        self.cursor: Completion | None = None
        self.unfinished = False

    def read(self) -> Reading:
        """Parse the words: first the slots with a fixed place, then flags and keywords, then the dice."""
        try:
            for slot in self.form.slots:
                if not slot.is_trailing:
                    self._read_plain_slot(slot)
            while not self.words.is_at_end and self._read_trailing_slot():
                pass
            self._read_dice()
            self._check_dice_not_distance()
            self._check_complete()
        except FormMismatch as misfit:
            return self._build_reading(None, (impossible(f"{misfit} (form: {self.form.usage})"),))
        except OrderRefused as refusal:
            return self._build_reading(None, refusal.findings)
        words = self.words
        order = Order(self.form, dict(words.slots), tuple(words.dice), self.forced, words.call)
        return self._build_reading(add_question_key(order, words), ())

    def _build_reading(self, order: Order | None, findings: tuple[Finding, ...]) -> Reading:
        """Build the reading of an order or of its findings, with the completion at the end of the line."""
        # Orders with complete ids are not typed, so they need no completion.
        is_stored = order is not None and self.scope.reach is Reach.FULL
        cursor = self.cursor or (Completion() if is_stored else self._complete_after_slots())
        unfinished = self.unfinished or bool(order is None and cursor.letters and cursor.offers())
        return Reading(
            self.form, self.parts, self.dice_text, order, findings, cursor=cursor, unfinished=unfinished
        )

    def _read_plain_slot(self, slot: Slot) -> None:
        """Read a slot with a fixed place. At the end of the line an optional slot, or a die, stays empty.

        Raises:
            OrderRefused: The line ends before a slot that must be filled, or its words do not fit.
        """
        words = self.words
        if words.is_at_end:
            if not slot.optional and slot.kind is not DIE:
                self._expect_slot(slot)
                raise words.build_fault(format_missing_slot(self.form, slot))
        elif slot.kind is PLAY_ORDER:
            self._read_inner_order(slot)
        else:
            self._read_slot(slot)

    def _expect_slot(self, slot: Slot) -> None:
        """Set the completion for a line that ends at a slot which must still be filled."""
        # If the line ends with letters, these may be completed first.
        self.cursor = self.cursor or self._build_completion(slot, "")
        self.unfinished = True
        self.parts[slot.name] = SlotReading(slot)

    def _build_completion(self, slot: Slot, letters: str) -> Completion:
        """Build the completion for a slot; for an answer, its label is the prompt of the question."""
        words = self.words.with_slot(slot)
        question = words.question if slot.kind is ANSWER else None
        label = question.prompt if question else slot.label
        return Completion(label, letters, lambda: as_read_kind(slot).list_candidates(letters, words))

    def _read_slot(self, slot: Slot) -> None:
        """Read a slot from at least one word; if it is refused or the line ends in it, set the completion."""
        words, start = self.words, self.words.at
        words.slot = slot
        rest = " ".join(words.remaining)
        try:
            value = as_read_kind(slot).read(words)
        except OrderRefused as refusal:
            # After a complete word that does not fit, every value is offered.
            self.cursor = self._build_completion(slot, "" if self.ended and not words.is_at_end else rest)
            self.parts[slot.name] = SlotReading(slot, rest, fault=str(refusal))
            raise
        text = " ".join(words.words[start : words.at])
        if value is not None:
            words.slots[slot.name] = value
            self.parts[slot.name] = SlotReading(slot, text, value)
        if words.is_at_end and not self.ended and slot.kind.grows:
            self.cursor = self._build_completion(slot, words.words[-1] if slot.kind.takes_rest else text)

    def _read_inner_order(self, slot: Slot) -> None:
        """Read the order inside a correction, on the battle at its future place; refuse any other words.

        If only dice follow, they stay unread, because they belong to the correction.
        """
        words = self.words
        rest = words.take_all()
        faces = [word.text.lower() for word in split_dice(self._expand_keys(" ".join(rest)))]
        figures = faces[: faces.index(CALL)] if CALL in faces else faces
        only_dice_follow = bool(faces) and not find_no_die(" ".join(figures))
        if self.form.dice and only_dice_follow:
            words.at -= len(rest)
            return
        inner_scope = build_inner_scope(self.scope, self.form, words.slots)
        reading = self._parse_inner(inner_scope, " ".join(rest) + (" " if self.ended else ""))
        self.cursor, self.unfinished = reading.cursor, reading.unfinished
        self.parts[slot.name] = SlotReading(slot, " ".join(rest), reading.order)
        if reading.form is None:
            raise words.build_fault(f"“{' '.join(rest)}” is not a play order")
        words.slots[slot.name] = reading.require_order()

    def _read_trailing_slot(self) -> bool:
        """Read a slot that may come anywhere, by its keyword or as a flag; return whether there was one."""
        words = self.words
        for slot in self.form.slots:
            if not slot.is_trailing:
                continue
            if slot.keyword == words.next_word and slot.name not in words.slots:
                words.at += 1
                if words.is_at_end:
                    self._expect_slot(slot)
                    raise words.build_fault(f"{slot.keyword}: {slot.label} is missing")
                self._read_slot(slot)
                return True
            if slot.kind.is_flag and not slot.keyword and words.next_word in slot.choices:
                self._read_slot(slot)
                return True
            # A distance with a unit may fill a slot without its keyword, if that slot is required and empty.
            may_omit_keyword = slot.kind is MEASURE and not slot.optional and slot.name not in words.slots
            if may_omit_keyword and has_unit(words.with_slot(slot)):
                self._read_slot(slot)
                return True
        return False

    def _read_dice(self) -> None:
        """Read all remaining words as dice, or as a call.

        Raises:
            OrderRefused: A word is no die, or the order takes no dice.
        """
        words, start = self.words, self.words.at
        rest = words.take_all()
        self.dice_text = " ".join(rest) + (" " if rest and self.ended else "")
        rest = self._expand_keys(self.dice_text).split()
        lower = [word.lower() for word in rest]
        if CALL in lower and self.form.dice:
            at = lower.index(CALL)
            words.call = read_call(rest[at + 1 :])
            rest = rest[:at]
        for place, word in enumerate(rest, start):
            fault = format_no_die(word, self.form)
            if fault:
                # The reason why a slot was skipped, or a missing slot, explains the word better.
                missing_fault = find_missing_slot_fault(self.form, words.slots, has_dice=True)
                reason = f"{missing_fault}; {fault}" if missing_fault else fault
                raise words.build_fault(words.skip_reasons.get(place, reason))
            words.dice.extend(read_faces(word))
        if rest and not self.form.dice:
            raise words.build_fault(f"{self.form.word} takes no dice")

    def _expand_keys(self, text: str) -> str:
        return expand_face_keys(text) if self.scope.has_face_keys else text

    def _check_dice_not_distance(self) -> None:
        """Check that no number without unit was read as a distance while a die is missing.

        Raises:
            OrderRefused: Such a number may be the missing die.
        """
        words = self.words
        dice_most = len(self.form.dice.split())
        may_be_die = self.scope.vocabulary.may_be_die
        # A number that no die shows is several dice typed without spaces.
        dice_count = sum(1 if may_be_die(face) else 2 for face in words.dice)
        for slot in self.form.slots:
            part = self.parts.get(slot.name)
            if part is None or slot.keyword or not isinstance(part.value, Distance):
                continue
            is_like_die = NUMBER.fullmatch(part.text) and may_be_die(int(part.text))
            if is_like_die and 0 < dice_count < dice_most:
                raise words.build_fault(
                    f"{slot.label}: “{part.text}” may be a die; write the unit of the distance"
                )

    def _check_complete(self) -> None:
        """Check that no slot with a keyword and no inner order is missing.

        Raises:
            OrderRefused: One is missing; the completion then offers the words of the inner order.
        """
        missing_fault = find_missing_slot_fault(
            self.form, self.words.slots, bool(self.words.dice) or self.words.call is not None
        )
        if missing_fault:
            self.unfinished = True
            for slot in self.form.slots:
                if slot.kind is PLAY_ORDER:
                    self._expect_slot(slot)
            raise self.words.build_fault(missing_fault)

    def _complete_after_slots(self) -> Completion:
        """Return the completion after the plain slots: flags, keywords and `call` that are not typed yet.

        Its label is a required slot that is still missing, or else the dice, or "" if the order has none.
        """
        # The letters of an incomplete last word, or "".
        letters = "" if self.ended else self.dice_text.split(" ")[-1].lower()
        typed_words = {word.lower() for word in self.words.words}
        missing_slots = [
            slot
            for slot in self.form.slots
            if slot.keyword and not slot.optional and slot.name not in self.words.slots
        ]
        trailing = [slot.keyword or slot.choices[0] for slot in self.form.slots if slot.is_trailing]
        trailing += [CALL] if self.scope.calls and self.form.dice else []
        # The word that is being typed may be completed, so it does not count as typed.
        offered_words = [
            word for word in trailing if word not in typed_words - {letters} and word.startswith(letters)
        ]
        label = ""
        if missing_slots:
            label = missing_slots[0].label
        elif self.form.dice:
            label = f"{CALL} N" if self.scope.calls else f"dice {self.form.dice}"
        candidates = () if are_dice(letters) else tuple(Candidate(word, word) for word in offered_words)
        return Completion(label, letters if offered_words else "", lambda: candidates)


TYPED_CALL_MOST = 999_999_999
"""The greatest number that may be called."""


def read_call(words: Sequence[str]) -> int:
    """Read the number after `call`.

    Raises:
        OrderRefused: There is not exactly one number.
    """
    if len(words) != 1 or not NUMBER.fullmatch(words[0]):
        text = " ".join(words)
        fault = f"“{text}” is not one number from 0 to {TYPED_CALL_MOST}" if text else "the number is missing"
        raise OrderRefused(f"{CALL}: {fault}")
    return int(words[0])


def format_no_die(text: str, form: Form) -> str:
    """Format the refusal of the first word that is no die; "" if all words are dice."""
    word = find_no_die(text)
    if not word:
        return ""
    if not form.dice:
        return f"“{word}” does not belong to this order"
    is_trailing_word = any(
        word.lower() in (slot.keyword, *slot.choices) for slot in form.slots if slot.is_trailing
    )
    fault = "goes before the dice" if is_trailing_word else "is neither part of this order nor a die"
    expanded_word = expand_face_keys(word)
    fault += f"; did you mean {' '.join(expanded_word.split())}?" if are_dice(expanded_word) else ""
    return f"“{word}” {fault}"


FORCE, PREVIEW = "force", "preview"
"""The words that may precede an order."""


def read_line(scope: Scope, text: str) -> Reading:
    """Parse a line: `force` or `preview` if given, the word of an order, and the rest of the order.

    `force` goes only before play orders, `preview` only before corrections.
    """
    try:
        words = split_words(text)
    except OrderRefused as refusal:
        return Reading(findings=refusal.findings)
    ended = not text or text[-1].isspace() or scope.reach is Reach.FULL
    prefixes = _list_prefixes(words, ended, scope.reach)
    rest = words[len(prefixes) :]
    is_in_word = not rest or (len(rest) == 1 and not ended)
    word_completion = _complete_word(scope, rest, prefixes) if is_in_word else Completion()
    word = rest[0].lower() if rest else ""
    form = scope.vocabulary.play.get(word) or scope.vocabulary.corrections.get(word)
    if form is None:
        finding = _build_no_order(rest, prefixes, scope.vocabulary)
        return Reading(
            findings=(finding,), cursor=word_completion, unfinished=not rest or bool(word_completion.offers())
        )
    if any(slot.kind.takes_rest and slot.kind.separator == " " for slot in form.slots):
        # Free text keeps its spaces beside commas.
        rest = split_words(text, keep_spaces=True)[len(prefixes) :]
    forced, preview = FORCE in prefixes, PREVIEW in prefixes
    reading = OrderParser(scope, form, rest[1:], read_line, ended=ended, forced=forced).read()
    reading = replace(reading, preview=True) if preview else reading
    corrections = scope.vocabulary.corrections
    misplaced = ""
    if preview and form.word not in corrections:
        misplaced = f"preview: expected one of {', '.join(corrections)}"
    elif forced and form.word in corrections:
        misplaced = f"{form.word}: a correction cannot be forced"
    if misplaced:
        return replace(reading, order=None, findings=(impossible(misplaced),))
    return replace(reading, cursor=word_completion) if is_in_word else reading


def _list_prefixes(words: list[str], ended: bool, reach: Reach) -> list[str]:
    """List the words before the order itself: `force`, `preview`."""
    prefixes: list[str] = []
    for place, word in enumerate(words):
        is_incomplete = place == len(words) - 1 and not ended
        # While keys are typed, an incomplete word may become a longer one.
        if word.lower() not in (FORCE, PREVIEW) or (is_incomplete and reach is Reach.ANYWHERE):
            break
        prefixes.append(word.lower())
    return prefixes


NAMED_MOST = 6
"""The number of orders that are named if a word is similar to none."""


def _build_no_order(rest: list[str], prefixes: list[str], vocabulary: Vocabulary) -> Finding:
    """Build the finding against a line without a known order; it suggests similar words.

    Args:
        rest: Words of the line after the prefixes.
        prefixes: Words before the order: `force`, `preview`.
    """
    if not rest:
        fault = f"{prefixes[-1]}: the order is missing" if prefixes else "an empty order"
        return impossible(fault)
    word, words = rest[0].lower(), _list_words_after(prefixes, vocabulary)
    similar = [name for name in words if name.startswith(word)] or list_similar_names(word, words)
    hint = (
        f"did you mean {', '.join(similar)}?" if similar else f"orders are {', '.join(words[:NAMED_MOST])}, …"
    )
    return impossible(f"no order “{word}”; {hint}")


def _list_words_after(prefixes: list[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """List the words of orders that may follow these prefixes."""
    if PREVIEW in prefixes:
        return tuple(vocabulary.corrections)
    return tuple(vocabulary.play) if FORCE in prefixes else tuple(vocabulary.forms)


def _complete_word(scope: Scope, rest: list[str], prefixes: list[str]) -> Completion:
    """Return the completion of the order's word, at the end of a line that has no further words.

    Args:
        rest: The letters of that word, or nothing if no letter is typed yet.
        prefixes: Words before the order: `force`, `preview`.
    """
    letters = rest[0].lower() if rest else ""
    words = list_order_words(scope)
    if prefixes:
        allowed = _list_words_after(prefixes, scope.vocabulary)
        words = tuple(word for word in words if word in allowed)
    fitting = tuple(Candidate(word, word) for word in words if word.startswith(letters))
    return Completion("order", letters, lambda: fitting)


def list_order_words(scope: Scope) -> tuple[str, ...]:
    """List every word that a line may begin with, orders of this phase first."""
    phase = scope.battle.phase if scope.battle else ""
    forms = scope.vocabulary.play.values()
    fitting = [form.word for form in forms if phase in form.phases]
    others = [form.word for form in forms if phase not in form.phases]
    return (*fitting, *others, *scope.vocabulary.corrections, FORCE, PREVIEW)


def read_resolved(text: str, forms: Mapping[str, Form]) -> Order:
    """Parse an order as a log keeps it, with full ids.

    Raises:
        OrderRefused: The text is no order of these forms.
    """
    return read_line(Scope(Vocabulary(forms), battle=None, reach=Reach.FULL), text).require_order()


def build_unread_order(text: str) -> Order:
    """Build an order without knowing its rule system: its word, and the rest as text."""
    word, *rest = text.split()
    return Order(_build_unread_form(word), {"text": tuple(rest)} if rest else {})


@lru_cache(maxsize=256)
def _build_unread_form(word: str) -> Form:
    """Build a form with this word that takes any text after it."""
    return Form(word, "", word, (Slot("text", TEXT, "the rest", optional=True),))


def read_words(words: Sequence[str], form: Form, battle: Battle) -> Order:
    """Parse words as the order of a form; the form's own word is not among them.

    Raises:
        OrderRefused: The words do not make an order.
    """
    return (
        OrderParser(Scope(Vocabulary({form.word: form}), battle), form, list(words), read_line)
        .read()
        .require_order()
    )


def read_typed(scope: Scope, text: str, key: str = "") -> Reading:
    """Parse a line typed by keys: bare digits answer the first owed roll, other words a question in words.

    If a call throws the dice, bare digits are the call. A line that begins with the word of an order is that
    order, unless a question offers this word as an answer.

    Args:
        key: Question for which the line was opened, or "".
    """
    battle = scope.required_battle
    question = battle.find_question(key) if key else None
    words = [word.text for word in split_dice(text)]
    has_call = scope.calls and words[:1] == [CALL]
    roll, answer = ANSWERS
    if _is_typed_roll(scope, text, question, has_call):
        form_word = roll
        if scope.calls and not has_call:
            words = [CALL, *words]
    else:
        form_word = answer
        if question is None or question.dice:
            question = next((owed for owed in battle.owed_in_order if not owed.dice), None)
        first = words[0].lower() if words else ""
        is_order = first in {*scope.vocabulary.forms, FORCE, PREVIEW}
        if question is None or not words or (is_order and first not in question.words):
            return read_line(scope, text)
    key_words = [question.key] if question else []
    form = scope.vocabulary.play[form_word]
    return OrderParser(scope, form, [*key_words, *words], read_line, ended=text[-1:].isspace()).read()


def _is_typed_roll(scope: Scope, text: str, question: Owed | None, has_call: bool) -> bool:
    """Return whether a line typed by keys is a roll: dice or a call, and the next answer is no text.

    Args:
        question: Question for which the line was opened, or None.
        has_call: True if the line begins with `call`.
    """
    battle = scope.required_battle
    faces = text if scope.calls else expand_face_keys(text)
    if not (has_call or are_dice(faces)):
        return False
    # The word `call` means a roll, whatever is owed first.
    expected = question if question or has_call else next(iter(battle.owed_in_order), None)
    if expected is not None and not expected.dice:
        return False
    if has_call or question or text.lstrip()[:1].isdigit():
        return True
    # Letters alone are faces only if no text answer is owed and there are enough dice.
    has_room = expected is not None and len(read_faces(faces)) <= len(expected.dice)
    return has_room and all(owed.dice for owed in battle.owed)


def read_fields(
    scope: Scope,
    form: Form,
    texts: Mapping[str, str],
    flags: frozenset[str],
    dice: str,
    *,
    forced: bool = False,
) -> Reading:
    """Parse the fields of a dialog; findings come in the order in which a line would be read.

    Args:
        texts: Texts of the fields, by slot.
        flags: Names of the flags that are set.
        dice: Text of the dice, or of the call if a call throws them.
    """
    slots: dict[str, SlotValue] = {}
    parts: dict[str, SlotReading] = {}
    for slot in form.slots:
        # A DIE slot has no field: its face is among the dice.
        if slot.kind is DIE:
            continue
        if slot.kind.is_flag:
            if slot.name in flags:
                slots[slot.name] = True
            continue
        part = _read_field(scope, form, slot, texts.get(slot.name, ""), slots)
        parts[slot.name] = part
        if part.value is not None:
            slots[slot.name] = part.value
    reading = Reading(form, parts, dice)
    dice = expand_face_keys(dice) if scope.has_face_keys else dice
    call, dice_fault = _read_call(dice) if scope.calls else (None, format_no_die(dice, form))
    faults = [*_list_faults(form, parts), dice_fault]
    if not any(faults):
        faults = [find_missing_slot_fault(form, slots, bool(dice.split()))]
    findings = tuple(impossible(fault) for fault in faults if fault)
    if findings:
        return evolve(reading, findings=findings)
    faces = () if scope.calls else read_faces(dice)
    order = Order(form, slots, faces, forced, call)
    return evolve(reading, order=add_question_key(order, WordCursor(scope, form, [], slots)))


def _read_call(text: str) -> tuple[int | None, str]:
    """Read the text of the dice field as the number of a call, with or without the word `call` before it.

    Returns:
        The number and "", or None and the fault; for an empty field None and "".
    """
    words = text.lower().split()
    if not words:
        return None, ""
    number_words = words[1:] if words[0] == CALL else words
    try:
        return read_call(number_words), ""
    except OrderRefused as refusal:
        return None, str(refusal)


def _list_faults(form: Form, parts: Mapping[str, SlotReading]) -> list[str]:
    """List the faults of fields, those of plain slots first.

    A plain slot that must be filled and is empty counts as a fault. A fine field gives "".
    """
    plain = [part for part in parts.values() if not part.slot.is_trailing]
    trailing = [part for part in parts.values() if part.slot.is_trailing]

    def find_plain_fault(part: SlotReading) -> str:
        if part.fault or part.is_settled:
            return part.fault
        return format_missing_slot(form, part.slot)

    return [*map(find_plain_fault, plain), *(part.fault for part in trailing)]


def _read_field(
    scope: Scope, form: Form, slot: Slot, text: str, earlier_slots: dict[str, SlotValue]
) -> SlotReading:
    """Read one field of a dialog: an empty field gives no value, a text that does not fit gives its fault.

    Args:
        earlier_slots: Values of the fields before it.
    """
    try:
        words = WordCursor(
            scope, form, split_words(text, keep_spaces=slot.kind.separator == " "), dict(earlier_slots)
        ).with_slot(slot)
        if words.is_at_end:
            return SlotReading(slot)
        if slot.kind is PLAY_ORDER:
            # The space ends the last word, so that it is read as complete.
            inner_reading = read_line(build_inner_scope(scope, form, earlier_slots), text.strip() + " ")
            return SlotReading(slot, text.strip(), inner_reading.require_order())
        value = as_read_kind(slot).read(words)
        if not words.is_at_end:
            raise words.build_fault(f"{slot.label}: “{words.next_word}” is too much")
    except OrderRefused as refusal:
        finding = refusal.findings[0]
        return SlotReading(slot, text.strip(), fault=finding.text, offers=finding.offers)
    return SlotReading(slot, text.strip(), value)


def list_field_offers(
    scope: Scope, form: Form, reading: Reading, slot: Slot, letters: str
) -> tuple[Candidate, ...]:
    """List the candidates for a field that match the typed letters, given the fields before."""
    earlier_slots: dict[str, SlotValue] = {}
    for other in form.slots:
        if other is slot:
            break
        part = reading.parts.get(other.name)
        if part is not None and part.value is not None:
            earlier_slots[other.name] = part.value
    words = WordCursor(scope, form, [], earlier_slots).with_slot(slot)
    return as_read_kind(slot).list_candidates(letters, words)


def split_words(text: str, *, keep_spaces: bool = False) -> list[str]:
    """Split an order into words; spaces beside commas are removed, so that `5 , 8` is one word.

    Args:
        keep_spaces: True to split at spaces beside commas too, as in a remark.

    Raises:
        OrderRefused: The text is too long or has unprintable characters.
    """
    if len(text) > TEXT_MOST:
        raise OrderRefused(f"an order of {len(text)} characters: {TEXT_MOST} at most")
    fault = find_unprintable(text.replace("\t", " ").rstrip("\r\n"))
    if fault:
        raise OrderRefused(f"unprintable character {fault}: remove it")
    if not keep_spaces:
        text = COMMA.sub(",", text.strip())
    return text.split()


def force_order(order: Order) -> Order:
    """Return the order as a forced one.

    A correction that contains an order forces that order; `shift`, which moves an entry, has a flag for it.
    """
    inner_order = order.find_inner_order("order")
    if inner_order is not None:
        return order.with_slot("order", evolve(inner_order, forced=True))
    if order.form.find_slot(FORCE) is not None:
        return order.with_slot(FORCE, True)
    return evolve(order, forced=True)
