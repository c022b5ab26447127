"""The one reader: a line of text into a `Reading`.

One text under one reach has one meaning, wherever it was typed: a script, the order bar, a dialog, a
correction.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.grammar.dice_text import are_dice, dice_words
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import TEXT
from qf_tui.core.grammar.line import LineReader
from qf_tui.core.grammar.names import Candidate, Reach
from qf_tui.core.grammar.order import ANSWERS, CALL, Order, words_of
from qf_tui.core.grammar.reading import Completion
from qf_tui.core.grammar.reading import Reading as Reading
from qf_tui.core.grammar.scope import Scope, Vocabulary
from qf_tui.core.replace import replace
from qf_tui.core.values import Battle

FORCE, PREVIEW = "force", "preview"


def read(scope: Scope, text: str) -> Reading:
    """Reads a line."""
    try:
        words = words_of(text)
    except OrderRefused as refusal:
        return Reading(findings=refusal.findings)
    ended = not text or text[-1].isspace()
    prefixes = _prefixes(words, ended, scope.reach)
    rest = words[len(prefixes) :]
    at_word = not rest or (len(rest) == 1 and not ended)
    here = _at_word(scope, rest, prefixes) if at_word else Completion()
    form = _form_of(scope.vocabulary, rest)
    if form is None:
        against = _no_order(rest, prefixes, scope.vocabulary)
        return Reading(findings=(against,), cursor=here, unfinished=not rest or bool(here.offers()))
    if any(slot.kind.takes_rest and slot.kind.joint == " " for slot in form.slots):
        rest = words_of(text, keep_commas=True)[len(prefixes) :]
    forced, preview = FORCE in prefixes, PREVIEW in prefixes
    found = replace(
        LineReader(scope, form, rest[1:], read, ended=ended, forced=forced).read(), preview=preview
    )
    misplaced = _misplaced(scope.vocabulary, form, forced=forced, preview=preview)
    if misplaced:
        return replace(found, order=None, findings=(impossible(misplaced),))
    return replace(found, cursor=here) if at_word else found


def _prefixes(words: list[str], ended: bool, reach: Reach) -> list[str]:
    """The words ahead of the order itself: `force`, `preview`."""
    found: list[str] = []
    for place, word in enumerate(words):
        last = place == len(words) - 1 and not ended
        if word.lower() not in (FORCE, PREVIEW) or (last and reach is Reach.ANYWHERE):
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


def _no_order(rest: list[str], prefixes: list[str], vocabulary: Vocabulary) -> Finding:
    if not rest:
        return impossible(f"{prefixes[-1]}: the order is missing" if prefixes else "an empty order")
    word, words = rest[0].lower(), _words_behind(prefixes, vocabulary)
    begun = [name for name in words if name.startswith(word)]
    hint = f"; did you mean {', '.join(begun)}?" if begun else f"; orders are {', '.join(words)}"
    return impossible(f"no order “{word}”{hint}")


def _words_behind(prefixes: list[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """The words of orders that may stand behind `force` or `preview`, or with neither."""
    if PREVIEW in prefixes:
        return tuple(vocabulary.corrections)
    return tuple(vocabulary.play) if FORCE in prefixes else tuple(vocabulary.forms)


def _at_word(scope: Scope, rest: list[str], prefixes: list[str]) -> Completion:
    """The end of a line that ends in its order's word, or ahead of it."""
    letters = rest[0].lower() if rest else ""
    words = order_words(scope)
    if prefixes:
        behind = _words_behind(prefixes, scope.vocabulary)
        words = tuple(word for word in words if word in behind)
    fitting = tuple(Candidate(word, word) for word in words if word.startswith(letters))
    return Completion("order", letters, lambda: fitting)


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


def read_words(words: Sequence[str], form: Form, battle: Battle) -> Order:
    """What words behind a form's own say, as those of an answer do; OrderRefused says what is wrong."""
    return LineReader(Scope(Vocabulary({form.word: form}), battle), form, list(words), read).read().complete()


def read_typed(scope: Scope, text: str, key: str = "") -> Reading:
    """Reads a line as keys have it: bare dice answer an owed roll, other bare words an owed question.

    `key` is the question that the line was opened for. Where the dice are sealed bare digits are the call.
    """
    words = [word.text for word in dice_words(text)]
    battle = scope.there
    asked = battle.question(key) if key else None
    calls = scope.calls and words[:1] == [CALL]
    rolls = (are_dice(text) or calls) and (asked is None or bool(asked.dice))
    word = ANSWERS[0] if rolls else ANSWERS[1] if _answers(scope, battle, words, key) else ""
    if not word:
        return read(scope, text)
    if not rolls and (asked is None or asked.dice):
        asked = next(owed for owed in battle.owed if not owed.dice)
    key_words = [asked.key] if asked else []
    words = [CALL, *words] if rolls and scope.calls and not calls else words
    return LineReader(
        scope, scope.vocabulary.play[word], [*key_words, *words], read, ended=text[-1:].isspace()
    ).read()


def _answers(scope: Scope, battle: Battle, words: list[str], key: str) -> bool:
    """Whether bare words answer an owed question, and are no order."""
    asked = battle.question(key) if key else None
    if asked is None or asked.dice:
        asked = next((owed for owed in battle.owed if not owed.dice), None)
    if asked is None or not words:
        return False
    known = {*scope.vocabulary.forms, FORCE, PREVIEW}
    return words[0].lower() not in known or words[0].lower() in asked.words
