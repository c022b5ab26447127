"""Sealed dice: faces made from a seed, the words of the sides and a called number, for anybody to check.

In a save `extra.dice` has `seal`, the SHA-256 of the seed (32 bytes) in hexadecimal, and `words`, a text for
each side in the order of `start.sides`, "" for a side that gave none. The seed lies in `NAME.seed` beside the
save (mode 0600), in hexadecimal, until the order `reveal SEED` is recorded, which has it behind its word. A
save with neither goes on with the table's dice; so do copies and branches, beside which no seed is put.

The faces of a throw come from HMAC-SHA256 with the seed as key. Each message is UTF-8, five lines with a line
feed between them and none at the end:
    qf-dice-1
    the context, a JSON array of texts          ["1","first-gunnery","fire","mikasa","heavy","1"]
    the words, a JSON array of texts            ["anchor","beacon"]
    the call, a whole number                    37
    the counter, a whole number from 0          0
JSON here has no spaces between its parts and escapes nothing that need not be. The 32 bytes of counter 0,
then those of 1, 2 and so on, are taken one after the other. For a die of N faces a byte from 256 - 256 mod N
on is passed over; of another the remainder by N, added to the least face, is the face. Dice of one throw go
on where the die before them ended, in the order in which the rules want them.

The context of an order is the turn, the phase, its word, what fills each of the slots that its form declares
as identifying (as a log writes it; "" if left out), and which such order of this phase it is: the least
number from 1 that no entry in force has with the same parts before it. An amendment that changes none of
these parts keeps it. The start counts as an order `start` of its turn and phase, with nothing more.

The context of `roll` and `answer` is that of the order or answer that raised the question, then the line, the
ship and the ordinal of its key, or the next number that no throw in force has with the same parts before it.
But the dice that a declared order itself owes have the context of that order, as if they had come with it.
Where some faces of a throw lie already that no call has thrown, those that are still missing have the context
of the question and then the number of faces that lie. If a call has, the rest is the next of the same call:
the entry with it is amended. (An older save may have a throw of its own there, in that context.)
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
    """The dice of one battle.

    Attributes:
        seed: The secret seed.
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

    def place(
        self,
        timeline: Timeline,
        battle: Battle,
        number: int,
        entry: PreparedEntry,
        version: Version,
        *,
        kept: bool,
    ) -> Version:
        """Add the context of its throws to an order."""
        context = find_context(timeline, battle, number, entry)
        if kept and version.call is not None and version.context != context:
            order = evolve(version.order, dice=(), call=None)
            return evolve(version, order=order, context=context, between=())
        return evolve(version, context=context)

    def check(self, order: Order) -> tuple[Finding, ...]:
        """Return the findings against typed faces, or against a call that no open dice can give."""
        if (order.call or 0) > CALL_MOST:
            return (refused(f"{CALL} {order.call}: {OPEN_DICE} give 00 to {CALL_MOST}", ""),)
        if not order.dice or order.call is not None:
            return ()
        wanted = f"`{order.without_dice.line} {CALL} N`, or no dice"
        return (refused(f"the dice of this battle are sealed: enter {wanted}", ""),)

    def throw(self, entry: PreparedEntry, version: Version, call: int) -> tuple[PreparedEntry, Version]:
        """Throw the dice of a call.

        Raises:
            OrderRefused: The call throws no dice, or other faces than typed.
        """
        cup = Cup(self, version.context, call)
        thrown = throw_missing_dice(evolve(entry, order=evolve(entry.order, dice=())), cup.throw)
        faces, typed = thrown.order.dice, entry.order.dice
        if not faces:
            raise OrderRefused(f"{CALL} {call}: it throws no dice yet; enter it without a call")
        if typed and typed != faces:
            given, wanted = (" ".join(map(str, dice)) for dice in (typed, faces))
            raise OrderRefused(f"{CALL} {call} throws {wanted}, not {given}")
        between = tuple((die.least, die.most) for die in cup.thrown)
        return thrown, evolve(version, between=between, thrown=True)

    def find_begun(self, timeline: Timeline, question: Owed, call: int | None) -> int | None:
        """Find the entry whose call threw the first dice of a question; None if there is none.

        The same call throws the rest. If not, a player could throw again by repeating the order.

        Raises:
            OrderRefused: The call is not the one that threw the first dice.
        """
        if call is None or not question.faces:
            return None
        answers = (
            number for number in timeline.play_order if timeline.versions[number].order.key == question.key
        )
        number = next(answers, question.entry)
        thrown = timeline.versions[number].call if number in timeline.versions else None
        if thrown is not None and thrown != call:
            raise OrderRefused(f"{CALL} {thrown} threw the first of these dice, and throws the rest")
        return None if thrown is None else number


class Cup:
    """A throw of sealed dice in progress; `thrown` lists its dice so far."""

    def __init__(self, dice: SealedDice, context: Context, call: int) -> None:
        self.thrown: list[Die] = []
        messages = (build_message(dice.words, context, call, counter) for counter in count())
        self._bytes = chain.from_iterable(digest(dice.seed, text, "sha256") for text in messages)

    def throw(self, die: Die) -> int:
        """Throw the next die, and return its face."""
        fair = 256 - 256 % die.sides
        self.thrown.append(die)
        return die.least + next(byte for byte in self._bytes if byte < fair) % die.sides


def compute_seal(seed: bytes) -> str:
    """Return the seal of a seed: its SHA-256 in hexadecimal."""
    return sha256(seed).hexdigest()


def build_message(words: Sequence[str], context: Context, call: int, counter: int) -> bytes:
    """Build the bytes that are hashed for 32 bytes of a throw."""
    lines = (VERSION, _format_json(context), _format_json(words), str(call), str(counter))
    return "\n".join(lines).encode()


def _format_json(texts: Sequence[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


START = "start"
"""The word of the start in contexts."""


def find_context(timeline: Timeline, battle: Battle, number: int, entry: PreparedEntry) -> Context:
    """Return the context that identifies the throws of an entry.

    Args:
        timeline: Timeline before the entry.
    """
    if entry.question is not None:
        return _find_question_context(timeline, number, entry, entry.question)
    order = entry.order
    identifying = (
        " ".join(slot.kind.write(slot, order.slots[slot.name])) if slot.name in order.slots else ""
        for slot in order.form.slots
        if slot.identifies
    )
    same = (str(battle.turn), battle.phase, order.word, *identifying)
    amended = timeline.versions.get(number)
    if amended is not None and amended.context[:-1] == same:
        return amended.context
    return _find_free_context(
        same, 1, {version.context for version in _list_other_versions(timeline, number)}
    )


def _list_other_versions(timeline: Timeline, number: int) -> Iterator[Version]:
    return (timeline.versions[other] for other in timeline.play_order if other != number)


def _find_free_context(same: Context, least: int, taken: AbstractSet[Context]) -> Context:
    return next(context for nth in count(least) if (context := (*same, str(nth))) not in taken)


def _find_question_context(timeline: Timeline, number: int, entry: PreparedEntry, question: Owed) -> Context:
    cause = timeline.versions.get(question.entry)
    asks = (str(timeline.start.turn), timeline.start.phase, START) if cause is None else cause.context
    own = (
        cause is not None
        and cause.order.without_dice == question.order
        and entry.prepared.owes == question.line
    )
    if own and not question.faces:
        return asks
    thrown = {
        version.context for version in _list_other_versions(timeline, number) if version.call is not None
    }
    context = _find_free_context((*asks, question.line, question.ship), read_key(question.key).nth, thrown)
    return (*context, str(len(question.faces))) if question.faces else context
