"""Sealed dice: faces made from a seed, the words of the sides and a called number, for anybody to check.

In a save `extra.dice` has `seal`, the SHA-256 of the seed (32 bytes) in hexadecimal, and `words`, a text for
each side in the order of `start.sides`; a side that gave no word has "". The seed is in `NAME.seed` next to
the save (mode 0600), in hexadecimal. The order `reveal SEED` records it in the save and deletes the file. A
save with neither the file nor that order continues with the table's dice. Copies and branches do so too,
because no seed is put next to them.

The faces of a throw come from HMAC-SHA256 with the seed as key. Each message is UTF-8, five lines with a line
feed between them and none at the end:
    qf-dice-1
    the context, a JSON array of texts          ["1","first-gunnery","fire","mikasa","heavy","1"]
    the words, a JSON array of texts            ["anchor","beacon"]
    the call, a whole number                    37
    the counter, a whole number from 0          0
JSON here has no spaces between its parts, and escapes only what must be escaped. The 32 bytes of counter 0
are taken one after the other, then those of counter 1, 2 and so on. For a die of N faces, a byte of
256 - 256 mod N or more is passed over. Any other byte is divided by N: the remainder plus the least face is
the face. Each die of a throw begins with the byte after those of the die before it, in the order in which the
rules ask for the dice.

The context of an order has the turn, the phase, the word of the order, and the value of each slot that its
form declares as identifying (as a log writes it; "" if left out). A number comes last: the least from 1 on
such that no other entry in force has the same context. An amendment that changes none of the other parts
keeps the number. The start counts as an order `start` of its turn and phase, without further parts.

The context of `roll` and `answer` has the context of the order or answer that caused the question, then the
line and the ship of the question's key. The number comes last: that of the key or, if a throw in force has
the same context, the next free one. There is one exception: the dice that a declared order itself owes have
the context of that order, as if they had been thrown with it.

If some faces of a question are known already, only the missing dice are thrown. If no call threw the known
faces, the context is that of the question, followed by the number of known faces. If a call threw them, the
same call throws the rest: the entry with that call is amended. (In an older save such a throw may be an entry
of its own, with the context of the question and the number of known faces.)
"""

import json
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from hmac import digest
from itertools import chain, count

from attrs import evolve, field, frozen

from qf_tui.core.decide import throw_missing_dice
from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.errors import Finding, OrderRefused, refused
from qf_tui.core.facts import read_key
from qf_tui.core.timeline import Timeline, Version
from qf_tui.core.values import CALL, CALL_MOST, OPEN_DICE, Battle, Die, Order, Owed

VERSION = "qf-dice-1"
SEED_BYTES = 32

Context = tuple[str, ...]
"""Texts that identify a throw among all throws of its battle."""


@frozen
class SealedDice:
    """The sealed dice of one battle: their seed and the words of the sides.

    Attributes:
        words: The words that the sides gave; "" for a side that gave none.
    """

    seed: bytes = field(repr=False)
    words: tuple[str, ...] = ()

    @property
    def seal(self) -> str:
        """The seal that is shown before turn 1, in hexadecimal."""
        return compute_seal(self.seed)

    def throw_faces(self, context: Context, call: int, dice: Sequence[Die]) -> tuple[int, ...]:
        """Throw dice together, and return their faces."""
        cup = Cup(self, context, call)
        return tuple([cup.throw(die) for die in dice])

    def add_context(
        self,
        timeline: Timeline,
        battle: Battle,
        number: int,
        entry: PreparedEntry,
        version: Version,
        *,
        keeps_dice: bool,
    ) -> Version:
        """Return a version with the context that its throws have in the battle.

        Args:
            keeps_dice: True if the version has the dice of the version that it amends. These are removed if
                they were thrown in another context.
        """
        context = find_context(timeline, battle, number, entry)
        if keeps_dice and version.call is not None and version.context != context:
            order = evolve(version.order, dice=(), call=None)
            return evolve(version, order=order, context=context, between=())
        return evolve(version, context=context)

    def check(self, order: Order) -> tuple[Finding, ...]:
        """Return the findings against faces typed without a call, or against a call that is too great."""
        if (order.call or 0) > CALL_MOST:
            return (refused(f"{CALL} {order.call}: {OPEN_DICE} give 00 to {CALL_MOST}", clause=""),)
        if not order.dice or order.call is not None:
            return ()
        usage = f"`{order.without_dice.line} {CALL} N`, or no dice"
        return (refused(f"the dice of this battle are sealed: enter {usage}", clause=""),)

    def throw(self, entry: PreparedEntry, version: Version, call: int) -> tuple[PreparedEntry, Version]:
        """Throw the dice of an order by its call; faces typed with it must be the same.

        Raises:
            OrderRefused: The call throws no dice, or other faces than typed.
        """
        cup = Cup(self, version.context, call)
        entry_without_dice = evolve(entry, order=evolve(entry.order, dice=()))
        thrown_entry = throw_missing_dice(entry_without_dice, cup.throw)
        faces, typed_faces = thrown_entry.order.dice, entry.order.dice
        if not faces:
            raise OrderRefused(f"{CALL} {call}: it throws no dice yet; enter it without a call")
        if typed_faces and typed_faces != faces:
            typed_text, thrown_text = (" ".join(map(str, dice)) for dice in (typed_faces, faces))
            raise OrderRefused(f"{CALL} {call} throws {thrown_text}, not {typed_text}")
        bounds = tuple((die.least, die.most) for die in cup.thrown)
        return thrown_entry, evolve(version, between=bounds, thrown=True)

    def find_begun(self, timeline: Timeline, question: Owed, call: int | None) -> int | None:
        """Find the entry whose call threw the first dice of a question; None if there is none.

        Its call must throw the rest. With a new call, a player could choose better dice by trying again.

        Raises:
            OrderRefused: `call` is not the one that threw the first dice.
        """
        if call is None or not question.faces:
            return None
        answers = (
            number for number in timeline.play_order if timeline.versions[number].order.key == question.key
        )
        # The first answer threw them or, if there is none, the order that asked.
        number = next(answers, question.entry)
        first_call = timeline.versions[number].call if number in timeline.versions else None
        if first_call is not None and first_call != call:
            raise OrderRefused(f"{CALL} {first_call} threw the first of these dice, and throws the rest")
        return None if first_call is None else number


class Cup:
    """A throw of sealed dice in progress; `thrown` lists its dice so far."""

    def __init__(self, dice: SealedDice, context: Context, call: int) -> None:
        self.thrown: list[Die] = []
        # The digests of message 0, then of message 1, and so on without end.
        messages = (build_message(dice.words, context, call, counter) for counter in count())
        self._bytes = chain.from_iterable(digest(dice.seed, text, "sha256") for text in messages)

    def throw(self, die: Die) -> int:
        """Throw the next die, and return its face."""
        # Higher bytes are passed over, so that every face is equally likely.
        limit = 256 - 256 % die.sides
        self.thrown.append(die)
        return die.least + next(byte for byte in self._bytes if byte < limit) % die.sides


def compute_seal(seed: bytes) -> str:
    """Return the seal of a seed: its SHA-256 in hexadecimal."""
    return sha256(seed).hexdigest()


def build_message(words: Sequence[str], context: Context, call: int, counter: int) -> bytes:
    """Build the message whose HMAC is the block of 32 bytes with number `counter` of a throw."""
    lines = (VERSION, _format_json(context), _format_json(words), str(call), str(counter))
    return "\n".join(lines).encode()


def _format_json(texts: Sequence[str]) -> str:
    """Format texts as JSON without spaces, as in messages."""
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


START = "start"
"""The word of the start in contexts."""


def find_context(timeline: Timeline, battle: Battle, number: int, entry: PreparedEntry) -> Context:
    """Return the context that identifies the throws of an entry.

    It has the turn, the phase, the order's word and its identifying values, then the first count from 1 on
    that makes it unique. The context of a question begins with that of its cause.

    Args:
        timeline: Timeline before the entry.
        battle: Battle before the entry.
        number: Number of the entry; an amendment has that of the amended entry.
    """
    if entry.question is not None:
        return _find_question_context(timeline, number, entry, entry.question)
    order = entry.order
    identifying = (
        " ".join(slot.kind.write(slot, order.slots[slot.name])) if slot.name in order.slots else ""
        for slot in order.form.slots
        if slot.identifies
    )
    context_start = (str(battle.turn), battle.phase, order.word, *identifying)
    version_before = timeline.versions.get(number)
    # An amendment that changes none of these parts keeps the count, and so its dice.
    if version_before is not None and version_before.context[:-1] == context_start:
        return version_before.context
    other_contexts = {version.context for version in _list_other_versions(timeline, number)}
    return _find_free_context(context_start, least=1, taken_contexts=other_contexts)


def _list_other_versions(timeline: Timeline, number: int) -> Iterator[Version]:
    """Yield the versions in force of all other entries."""
    return (timeline.versions[other] for other in timeline.play_order if other != number)


def _find_free_context(context_start: Context, least: int, taken_contexts: AbstractSet[Context]) -> Context:
    """Return the context with the first number, from `least` on, that is not taken."""
    return next(
        context for number in count(least) if (context := (*context_start, str(number))) not in taken_contexts
    )


def _find_question_context(timeline: Timeline, number: int, entry: PreparedEntry, question: Owed) -> Context:
    """Return the context of a throw for a question.

    Returns:
        For dice that a declared order itself owes, the context of that order. For others, the context of the
        question's cause, the question's line and ship, a free number, and the count of known faces, if any.
    """
    cause = timeline.versions.get(question.entry)
    cause_context = (
        (str(timeline.start.turn), timeline.start.phase, START) if cause is None else cause.context
    )
    is_owed_by_order = (
        cause is not None
        and cause.order.without_dice == question.order
        and entry.prepared.owes == question.line
    )
    # These dice belong to the order itself, whenever they are thrown.
    if is_owed_by_order and not question.faces:
        return cause_context
    taken_contexts = {
        version.context for version in _list_other_versions(timeline, number) if version.call is not None
    }
    context = _find_free_context(
        (*cause_context, question.line, question.ship), read_key(question.key).nth, taken_contexts
    )
    # Only the missing faces are thrown.
    return (*context, str(len(question.faces))) if question.faces else context
